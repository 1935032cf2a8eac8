"""Whole matches by random play in every scenario, and every way through a tiny turn."""

import random

import pytest

from games.core import engine
from games.match import fuzz
from games.systems.bushido import SYSTEM
from games.systems.bushido.rules import scenarios
from games.systems.bushido.rules.starting_phase import TacticalTest
from games.systems.bushido.tests.tables import MODE, chosen, left, model, table
from tests.positions import asks

ALL = [slug for slug, _stated in scenarios.rows()]


def taps(g):
    """Every seat and action that may be tapped, numbers spelled out."""
    for seat in engine.to_act(g):
        for offer in engine.offers(g, seat):
            if offer.minimum is None:
                yield seat, offer.action
            else:
                yield from ((seat, f"{offer.action}:{n}") for n in range(offer.minimum, offer.maximum + 1))


def plain(g):
    """The taps of the Main phase that name no action, as −1 and −2 on a row."""
    return [tap for tap in taps(g) if not tap[1].startswith(("act", "pass"))]


def ways(g):
    """The number of ways through a Main phase by simple and complex actions alone."""
    if g.question.step != "turn":
        return 1
    return sum(ways(engine.play(g, *tap)) for tap in plain(g))


def test_every_way_through_a_tiny_main_phase_is_counted():
    """One model a side: each spends its two counters at once or one by one, so 2 by 2; alone, any order."""
    assert ways(table()) == 4
    assert ways(table([model("goshi", counters=1)], [model("oni", counters=1)])) == 1
    assert ways(table([model("goshi"), model("ima")], [model("oni", counters=0)])) == alone(2, 2)


def alone(first, second):
    """The orders in which one side alone spends two models' counters, one or two at a time."""
    if not first and not second:
        return 1
    spent = [(first - cost, second) for cost in (1, 2) if cost <= first]
    spent += [(first, second - cost) for cost in (1, 2) if cost <= second]
    return sum(alone(*each) for each in spent)


def test_every_sequence_of_taps_in_a_tactical_test_is_counted():
    """Six numbers or the app for each of two seats, either first: 7 + 7 and then 7 for the other."""
    g = table(step=TacticalTest)
    simple = [tap for tap in taps(g) if tap[1].startswith("roll")]
    assert len(simple) == 14
    followed = [engine.play(g, *tap) for tap in simple]
    assert sum(len([tap for tap in taps(after) if tap[1].startswith("roll")]) for after in followed) == 14 * 7


@pytest.mark.rule("BUSH-22")
@pytest.mark.parametrize("slug", ALL)
def test_random_matches_of_every_scenario_end_with_at_most_its_points(slug):
    for seed in range(6):
        state, luck = chosen(slug), random.Random(seed)
        for _seat, _action, after in fuzz.play(state, luck, SYSTEM.longest):
            state = after
            if "scenario" in state.rules:
                assert sum(state.points(seat) for seat in state.seats) <= len(scenarios.of(state).checks)
                assert state.round <= scenarios.of(state).turns
        assert state.result is not None


@pytest.mark.rule("BUSH-15")
def test_a_random_turn_spends_every_counter():
    luck = random.Random(7)
    for _match in range(30):
        g = table([model("goshi"), model("ima")], [model("oni"), model("imp"), model("kappa")])
        while g.question.step in ("turn", "act"):
            g = engine.play(g, *fuzz.tap(g, luck))
        assert set(left(g).values()) == {0}
        assert asks(g).startswith("feats-after")


def test_corrections_in_between_never_end_a_match_or_block_it():
    for seed in range(20):
        state, luck = fuzz.opened(SYSTEM, MODE, seed), random.Random(seed)
        for _count in range(250):
            if state.result is not None:
                break
            corrected = fuzz.correction(state, luck) if luck.random() < 0.4 else None
            try:
                state = (
                    engine.adjust(state, *corrected, "a reason")
                    if corrected
                    else engine.play(state, *fuzz.tap(state, luck))
                )
            except engine.IllegalAction:
                continue
            assert state.result is None or corrected is None
            assert engine.to_act(state) or state.result is not None
