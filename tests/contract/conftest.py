"""Every system that is discovered is held to the same contract."""

from games import fuzz
from games.core.system import systems


def pytest_generate_tests(metafunc):
    """Parametrise `played` tests over every mode, number of seats and options that make a difference."""
    if "played" not in metafunc.fixturenames:
        return
    cases = [
        (game, mode.slug, seats, options)
        for game in systems()
        for mode in game.modes
        for options in fuzz.ways(game, mode.slug)
        for seats in sorted(set(game.seat_range))
    ]
    metafunc.parametrize("played", cases, ids=[_called(*case) for case in cases])


def _called(game, mode, seats, options):
    return "-".join((game.slug, mode, str(seats), *(f"{name}={value}" for name, value in options.items())))
