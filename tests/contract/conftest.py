"""Every system that is discovered is held to the same contract."""

from games.core.system import systems


def pytest_generate_tests(metafunc):
    """Parametrise `played` tests over every mode and every number of seats that makes a difference."""
    if "played" not in metafunc.fixturenames:
        return
    cases = [
        (game, mode.slug, seats)
        for game in systems()
        for mode in game.modes
        for seats in sorted(set(game.seat_range))
    ]
    metafunc.parametrize("played", cases, ids=[f"{game.slug}-{mode}-{seats}" for game, mode, seats in cases])
