"""Whole matches by random play, and every way through a small position."""

import random

import pytest

from games.core import engine
from games.match import random_play
from games.systems.agot import SYSTEM
from games.systems.agot.pieces import THRONE
from games.systems.agot.tests.tables import at, field, marching, play, power, sent, table, within
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


def lost_beyond_supply():
    """Greyjoy retreats to where one of its four units fits."""
    g = field(stark="winterfell:FK", greyjoy="karhold:FFKK castle-black:F pyke:FF")
    g.armies["greyjoy"].supply = 0
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    return play(g, "stark wins:attacker", "greyjoy enough")


def too_large():
    """Stark's army of four has to become one of two."""
    g = field(3, stark="winterfell:FFFF")
    g.armies["stark"].supply = 0
    return at(g, "reconcile")


def all_tied():
    """Nobody has bid for a track."""
    return within(power(table(), stark=0, lannister=0, baratheon=0), "bid", THRONE)


def alone():
    """A lone footman marches: the tap on its destination sends it, and the march is asked about again."""
    return marching(field(stark="winterfell:F"), "stark", "winterfell")


def planned():
    """Its march is planned and may be started over."""
    return play(alone(), "stark to:karhold")


@pytest.mark.rule("AGOT-03")
@pytest.mark.rule("AGOT-05")
@pytest.mark.rule("AGOT-18")
@pytest.mark.parametrize(
    ("position", "step", "tap"),
    [
        (alone, "march", "stark to:karhold"),
        (planned, "march", "stark back"),
        (lost_beyond_supply, "shed", "greyjoy lose:footman"),
        (too_large, "reconcile", "stark remove:winterfell:footman"),
        (all_tied, "places", "baratheon place:stark"),
    ],
)
def test_every_unit_lost_and_every_place_given_is_a_question_of_its_own(position, step, tap):
    """A second tap at the same moment does not answer the next one, too."""
    g = position()
    after = play(g, tap)
    assert (g.question.step, after.question.step) == (step, step)
    assert after.question.number > g.question.number


@pytest.mark.parametrize("mode", [mode.slug for mode in SYSTEM.modes])
def test_every_tap_is_told_in_the_log(mode):
    state = random_play.fresh_state(SYSTEM, mode, 1, 5)
    for _seat, action, after in random_play.play(state, random.Random(1), SYSTEM.longest):
        assert after.lines, action


def test_the_map_stays_sound_under_random_play():
    """No army beyond supply or pool, no unit where it cannot stand, castles as counted."""
    state = random_play.fresh_state(SYSTEM, "full", 2, 6)
    for _seat, action, after in random_play.play(state, random.Random(2), SYSTEM.longest):
        assert after.question.step == "reconcile" or after.result or not engine.problems(after), action


@pytest.mark.parametrize("houses", [3, 4, 5, 6])
def test_random_matches_end_with_a_result(houses):
    for seed in range(25):
        state = random_play.fresh_state(SYSTEM, "light", seed, houses)
        *_others, (_seat, _action, last) = random_play.play(state, random.Random(seed), SYSTEM.longest)
        assert last.result["winner"] in last.seats
        assert last.round <= 10
        assert all(0 <= army.power <= 20 and 0 <= army.supply <= 6 for army in last.armies.values())
        assert sorted(last.turn_order) == sorted(last.seats)
