"""Whole matches by random play, and every way through a tiny round."""

import random
from contextlib import suppress

import pytest

from games.core import IllegalAction, engine
from games.match import random_play
from games.systems.tmg import SYSTEM
from games.systems.tmg.tests.tables import MODE, infantry, ncu, table
from tests.positions import asks, taps


def smallest():
    """One Combat Unit and one NCU a side, round 1."""
    return table([infantry("wolves"), ncu("sansa")], [infantry("lions"), ncu("tyrion")])


def count(g, depth):
    """The number of distinct sequences of so many taps."""
    if depth == 0:
        return 1
    return sum(count(engine.play(g, *tap), depth - 1) for tap in taps(g))


def ways_to_the_clean_up(g):
    """The number of ways through the Activation Phase without going back or stopping it."""
    if g.question.step == "discard":
        return 1
    onwards = (tap for tap in taps(g) if tap[1] not in ("back", "wait"))
    return sum(ways_to_the_clean_up(engine.play(g, *tap)) for tap in onwards)


def test_every_sequence_of_taps_is_counted():
    """Red begins with the unit or the NCU; the NCU then has five zones, none, or the way back.

    From then on whoever is to activate may also say once that there is something to add.
    """
    assert [count(smallest(), depth) for depth in range(1, 7)] == [2, 10, 31, 97, 227, 557]


def test_every_way_through_a_round_is_counted():
    """Two orders a side, and the NCUs 31 ways between them: 5 zones by 5 left, or none and then 6.

    In the end both are done, one after the other.
    """
    assert ways_to_the_clean_up(smallest()) == 2 * 2 * (5 * 5 + 6) * 2


@pytest.mark.rule("TMG-81")
def test_random_matches_end_with_a_result():
    rounds, longest = set(), 0
    for seed in range(25):
        state, length = random_play.fresh_state(SYSTEM, MODE, seed), 0
        for _seat, _action, after in random_play.play(state, random.Random(seed), SYSTEM.longest):
            state, length = after, length + 1
            assert state.round <= 6
        assert state.result is not None
        rounds.add(state.round)
        longest = max(longest, length)
    assert 6 in rounds
    assert longest < SYSTEM.longest / 2


@pytest.mark.rule("TMG-19")
def test_a_random_round_activates_every_unit_exactly_once():
    luck = random.Random(7)
    for _match in range(15):
        g, activated = smallest(), []
        while g.question.step != "discard":
            was = {unit.key for unit in g.units.values() if unit.activated}
            g = engine.play(g, *random_play.tap(g, luck))
            activated += [unit.key for unit in g.units.values() if unit.activated and unit.key not in was]
        assert sorted(activated) == ["lions", "sansa", "tyrion", "wolves"]
        assert asks(g) == "discard red blue"


@pytest.mark.parametrize("mode", [mode.slug for mode in SYSTEM.modes])
def test_where_nobody_gave_a_name_a_seat_is_called_by_its_colour(mode: str):
    g, luck = SYSTEM.open(mode, {"red": "", "blue": ""}, "seed", {}), random.Random(11)
    engine.advance(g)
    said = set()
    for _seat, _action, after in random_play.play(g, luck, SYSTEM.longest):
        said |= {*map(str, after.lines)}
        if luck.random() < 0.3:
            said |= set(_asked(after))
        if (change := random_play.correction(after, luck)) and after.result is None:
            with suppress(IllegalAction):
                said |= set(map(str, engine.adjust(after, *change).lines))
    assert any("Red" in line for line in said)
    assert [line for line in said if line != line.strip() or "  " in line or "()" in line] == []


def _asked(g):
    """What the open question says to everybody, and what may be answered and corrected."""
    step = engine.step_of(g)
    for seat in (None, *g.seats) if step else ():
        yield str(step.asking(g, seat))
        yield str(step.helping(g, seat))
        yield from (str(offer.label) for offer in engine.offers(g, seat or "red"))
    for path in sorted(SYSTEM.corrections_step.paths(g)):
        yield from (str(offer.label) for offer in engine.corrections(g, path))
