"""Whole matches by random play in every scenario, and every way through a tiny turn."""

import random

import pytest

from games.core import Question, engine
from games.match import random_play
from games.systems.bushido import SYSTEM
from games.systems.bushido.rules import scenarios
from games.systems.bushido.rules.end_phase import Decrease, Tally
from games.systems.bushido.rules.main_phase import Act
from games.systems.bushido.rules.starting_phase import ChooseFirst, TacticalTest
from games.systems.bushido.rules.victory_and_end import Closing
from games.systems.bushido.rules.wounds_and_ki import WoundTest
from games.systems.bushido.tests.tables import MODE, chosen, left, model, table
from tests.positions import asks, taps

ALL = [slug for slug, _stated in scenarios.rows()]


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
    for seed in range(3):
        state, luck = chosen(slug), random.Random(seed)
        for _seat, _action, after in random_play.play(state, luck, SYSTEM.longest):
            state = after
            if "scenario" in state.rules:
                assert sum(state.points(seat) for seat in state.seats) <= len(scenarios.of(state).checks)
                assert state.round <= scenarios.of(state).turns
        assert state.result is not None


@pytest.mark.rule("BUSH-15")
def test_a_random_turn_spends_every_counter():
    luck = random.Random(7)
    for _match in range(15):
        g = table([model("goshi"), model("ima")], [model("oni"), model("imp"), model("kappa")])
        while g.question.step in ("turn", "act"):
            g = engine.play(g, *random_play.tap(g, luck))
        assert set(left(g).values()) == {0}
        assert asks(g).startswith("feats-after")


def test_corrections_in_between_never_end_a_match_or_block_it():
    for seed in range(20):
        state, luck = random_play.fresh_state(SYSTEM, MODE, seed), random.Random(seed)
        for _count in range(250):
            if state.result is not None:
                break
            corrected = random_play.correction(state, luck) if luck.random() < 0.4 else None
            try:
                state = (
                    engine.adjust(state, *corrected, "a reason")
                    if corrected
                    else engine.play(state, *random_play.tap(state, luck))
                )
            except engine.IllegalAction:
                continue
            assert state.result is None or corrected is None
            assert engine.to_act(state) or state.result is not None


def test_whatever_is_offered_has_its_method():
    for slug in ALL:
        state, luck = chosen(slug), random.Random(slug)
        for number, (_seat, _action, after) in enumerate(random_play.play(state, luck, SYSTEM.longest)):
            step = engine.step_of(after)
            offered = [offer for seat in engine.to_act(after) for offer in engine.offers(after, seat)]
            assert step is None or verbs(offered) <= step.answers.keys()
            paths = SYSTEM.corrections_step.paths(after) if number % 20 == 0 else ()
            corrected = (offer for path in paths for offer in engine.corrections(after, path))
            assert verbs(corrected) <= SYSTEM.corrections_step.answers.keys()


def verbs(found):
    return {offer.action.partition(":")[0] for offer in found}


@pytest.mark.parametrize(
    ("name", "about", "step"),
    [
        ("act", ("goshi",), Act("goshi")),
        ("wound-test", ("oni", "2"), WoundTest("oni", 2)),
        ("tactical-test", (), TacticalTest()),
        ("tactical-test", ("again",), TacticalTest("again")),
        ("choose-first", ("red",), ChooseFirst("red")),
        ("tally", ("0",), Tally(0)),
        ("decrease", ("blue",), Decrease("blue")),
        ("closing", (), Closing()),
        ("closing", ("time-out",), Closing("time-out")),
        ("closing", ("concession", "red"), Closing("concession", "red")),
    ],
)
def test_a_question_is_kept_as_matches_in_progress_have_it(name, about, step):
    g = table()
    g.flow = (Question(name, 1, about),)
    assert engine.step_of(g) == step
    g.goto(step)
    assert (g.question.step, g.question.about) == (name, about)
