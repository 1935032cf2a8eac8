"""Every discovered system is held to the same contract."""

from games.core import systems
from games.match import random_play


def cases():
    """Every mode, number of seats and set of options that makes a difference, by name."""
    found = (
        (game, mode.slug, seats, options)
        for game in systems()
        for mode in game.modes
        for options in random_play.ways(game, mode.slug)
        for seats in sorted(set(game.seat_range))
    )
    return {_called(*case): case for case in found}


def pytest_generate_tests(metafunc):
    """Parametrise `played` tests over all cases, unless they choose their own; a case runs all its tests."""
    if "played" in metafunc.fixturenames and not list(metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("played", cases().values(), ids=cases(), scope="module")


def _called(game, mode, seats, options):
    return "-".join((game.slug, mode, str(seats), *(f"{name}={value}" for name, value in options.items())))
