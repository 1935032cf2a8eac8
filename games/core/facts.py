"""Facts that ship inside a package: catalogues, rulesets, demo armies.

The one place below the views that opens a file, so that everything else there stays pure: rules and readers
take text, this module fetches it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def text(package: str, name: str) -> str:
    """The UTF-8 text of a file of a package, such as `text("games.systems.tmg", "data/units.csv")`."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def toml(package: str, name: str) -> dict[str, Any]:
    """The table in a TOML file of a package. Every caller gets the same dictionary: read only."""
    return tomllib.loads(text(package, name))


@cache
def names(package: str, folder: str, suffix: str) -> tuple[str, ...]:
    """The stems of a folder's files that end in `suffix`, sorted; empty if there is no such folder."""
    place = files(package).joinpath(folder)
    if not place.is_dir():
        return ()
    found = (entry.name for entry in place.iterdir())
    return tuple(sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix)))
