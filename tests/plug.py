"""The tests' own tiny games, plugged in the way any game is: a folder on the path of the systems."""

from pathlib import Path

from hypothesis import settings

import games.systems

games.systems.__path__.append(str(Path(__file__).parent / "systems"))
games.systems.discover()

# The machines that run this are shared: a slow example is no fault.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")
