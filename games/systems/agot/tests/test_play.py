"""Whole matches by random play, and every way through a small position."""

import random

import pytest

from games.core import engine
from games.match import fuzz
from games.systems.agot import SYSTEM
from games.systems.agot.box import THRONE
from games.systems.agot.tests.tables import power, table, within
from tests.positions import taps


def endings(g, is_over):
    """How many ways of tapping lead out of a question, nobody thinking again."""
    if is_over(g):
        return 1
    return sum(endings(engine.play(g, *tap), is_over) for tap in taps(g) if tap[1] != "unseal")


def test_every_clash_over_one_track_is_counted():
    """Two bidders with one token each bid in two orders.

    Bids of 0 and 0 tie all three houses (6 orders), 1 and 1 the two (2), 1 and 0 leave two tied (2, twice).
    """
    g = within(power(table(), stark=1, lannister=1, baratheon=0), "bid", THRONE)
    assert endings(g, lambda g: g.question.about != (THRONE,)) == 2 * (6 + 2 + 2 + 2)


@pytest.mark.parametrize("mode", [mode.slug for mode in SYSTEM.modes])
def test_every_tap_is_told_in_the_log(mode):
    state = fuzz.fresh_state(SYSTEM, mode, 1, 5)
    for _seat, action, after in fuzz.play(state, random.Random(1), SYSTEM.longest):
        assert after.lines, action


def test_the_map_stays_sound_under_random_play():
    """No army beyond supply or pool, no unit where it cannot stand, castles as counted."""
    state = fuzz.fresh_state(SYSTEM, "full", 2, 6)
    for _seat, action, after in fuzz.play(state, random.Random(2), SYSTEM.longest):
        assert after.question.step == "reconcile" or after.result or not engine.problems(after), action


@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_random_matches_end_with_a_result(houses):
    for seed in range(25):
        state = fuzz.fresh_state(SYSTEM, "light", seed, houses)
        *_others, (_seat, _action, last) = fuzz.play(state, random.Random(seed), SYSTEM.longest)
        assert last.result["winner"] in last.seats
        assert last.round <= 10
        assert all(0 <= army.power <= 20 and 0 <= army.supply <= 6 for army in last.armies.values())
        assert sorted(last.turn_order) == sorted(last.seats)
