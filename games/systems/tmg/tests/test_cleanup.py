"""The clean-up: its ten steps, in order, in few taps."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.rules import attacks, clean_up_phase
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import agreed, answers, clean_up, infantry, ncu, play
from tests.positions import asks, offered, said

STEPS = [
    "end-of-round",
    "score-points",
    "check-victory",
    "remove-activations",
    "clear-tactics-board",
    "remove-influence",
    "discard",
    "draw-cards",
    "pass-first-player",
    "advance-round",
]
KEEP = ("red keep", "blue keep")


@pytest.mark.rule("TMG-74")
def test_the_ten_steps_stand_in_the_rulebooks_order():
    assert [step.name for step in clean_up_phase.ORDER] == STEPS


@pytest.mark.rule("TMG-74")
def test_the_guide_shows_what_is_done_current_and_next():
    g = clean_up([infantry("wolves", reminders=frozenset({"end-of-round"}))])
    assert states(g) == ["current"] + ["next"] * 9
    g = agreed(play(g, "red done"))
    assert g.question.step == "discard"
    assert states(g) == ["done"] * 6 + ["current"] + ["next"] * 3


def states(g):
    return [step["state"] for step in derived_facts(g, None)["guide"]["steps"]]


@pytest.mark.rule("TMG-74")
def test_every_step_says_what_it_is_and_what_to_do():
    for step in clean_up_phase.ORDER:
        assert step.title
        assert step.help
        assert step.__doc__.startswith("TMG-")


@pytest.mark.rule("E15")
@pytest.mark.rule("TMG-74")
def test_effects_of_the_end_of_the_round_come_before_the_score():
    wolves = infantry("wolves", reminders=frozenset({"end-of-round"}))
    g = clean_up([wolves], claims={"token-a": "wolves"})
    assert asks(g) == "end-of-round red"
    assert asks(play(g, "red done")) == "score-points red blue"


@pytest.mark.rule("TMG-74")
def test_no_step_can_be_skipped():
    g = clean_up(claims={"token-a": "wolves"})
    for action in ("keep", "activate:wolves", "pass", "done"):
        with pytest.raises(IllegalAction):
            engine.play(g, "red", action)


@pytest.mark.rule("TMG-74")
def test_a_clean_up_without_effects_takes_four_taps(capsys):
    """Eight is the most that it may take for both seats together when nobody has an optional effect."""
    scoring = taps(clean_up(claims={"token-c": "wolves", "token-d": "lions"}))
    quiet = taps(clean_up(claims={"token-c": None}))
    first = taps(clean_up(round=1))
    with capsys.disabled():
        print(f"\n    taps of a clean-up: {scoring} with a score, {quiet} without, {first} in round 1")
    assert scoring == 4 <= 8
    assert quiet == 4 <= 8
    assert first == 2 <= 8


def taps(g):
    count, begun = 0, g.round
    while g.round == begun:
        seat = engine.to_act(g)[0]
        g = play(g, f"{seat} {next(a for a in offered(g, seat) if a in ('agree', 'keep'))}")
        count += 1
    return count


@pytest.mark.rule("TMG-75")
def test_a_round_scores_once():
    g = play(clean_up(claims={"token-c": "wolves"}), "red agree")
    with pytest.raises(IllegalAction):
        play(g, "red agree")
    g = play(g, "blue agree")
    assert g.points("red") == 1
    for seat in g.seats:
        with pytest.raises(IllegalAction):
            play(g, f"{seat} agree")


@pytest.mark.rule("TMG-75")
def test_who_agreed_is_asked_again_when_a_correction_changes_the_score():
    g = play(clean_up(claims={"token-c": "wolves"}), "red agree")
    g.objectives["token-d"].claimed_by = "lions"
    engine.advance(g)
    assert asks(g) == "score-points red blue"
    g = play(g, "red agree", "blue agree")
    assert (g.points("red"), g.points("blue")) == (1, 1)


@pytest.mark.rule("TMG-76")
def test_victory_waits_for_the_effects_of_scoring():
    g = clean_up(claims={"token-a": "wolves"}, target=1)
    g = play(g, "red agree", "blue agree")
    assert g.points("red") == 1
    assert g.result is None
    assert asks(g) == "scoring-effects red"
    assert play(g, "red resolve:token-a").result["winner"] == "red"


@pytest.mark.rule("TMG-74")
def test_the_effects_of_scoring_belong_to_the_second_step():
    g = play(clean_up(claims={"token-a": "wolves"}), "red agree", "blue agree")
    assert states(g) == ["done", "current"] + ["next"] * 8


@pytest.mark.rule("TMG-77")
def test_tokens_zones_and_influence_are_gone_next_round():
    g = clean_up([infantry("wolves"), ncu("sansa", influences="lions")])
    assert not any(unit.activated for unit in g.units.values())
    g = play(g, *KEEP)
    assert g.round == 3
    assert g.acting is None
    assert g.units["sansa"].influences is None


@pytest.mark.rule("TMG-77")
def test_the_tactics_board_is_emptied():
    g = clean_up([infantry("wolves"), ncu("sansa")], claims={"crown": "sansa"})
    assert g.objectives["crown"].claimed_by is None
    assert "The tactics board is emptied." in said(g)


@pytest.mark.rule("E16")
@pytest.mark.rule("TMG-35")
def test_influence_ends_in_its_own_step():
    g = clean_up([infantry("wolves"), ncu("sansa", influences="lions")])
    assert "Influence ends." in said(g)


@pytest.mark.rule("TMG-35")
@pytest.mark.rule("TMG-74")
def test_influence_ends_after_the_board_is_emptied_even_that_of_an_ncu_who_stays():
    g = clean_up([infantry("wolves"), ncu("arys", kept=True, influences="lions")], claims={"swords": "arys"})
    told = said(g)
    assert told.index("The tactics board is emptied.") < told.index("Influence ends.")
    assert g.objectives["swords"].claimed_by == "arys"
    assert g.units["arys"].influences is None


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_stays_on_the_board_does_not_activate_next_round():
    g = clean_up([infantry("wolves"), ncu("arys", kept=True)], claims={"swords": "arys"})
    assert g.objectives["swords"].claimed_by == "arys"
    g = play(g, *KEEP, "blue activate:lions")
    assert answers(g, "red") == ["activate:wolves"]
    g = play(agreed(play(g, "red activate:wolves", "all done")), *KEEP)
    assert g.objectives["swords"].claimed_by is None
    assert not g.units["arys"].barred


@pytest.mark.rule("TMG-36")
def test_a_mark_to_stay_that_met_no_zone_is_gone_with_the_round():
    g = clean_up([infantry("wolves"), ncu("arys", kept=True)])
    assert (g.units["arys"].kept, g.units["arys"].barred) == (False, False)


@pytest.mark.rule("TMG-43")
def test_a_spent_order_comes_back_and_a_pool_does_not():
    g = clean_up([infantry("wolves", order_used=True), ncu("roose", pool=1)])
    assert not g.units["wolves"].order_used
    assert g.units["roose"].pool == 1


@pytest.mark.rule("TMG-78")
def test_discards_are_optional_and_come_before_the_draw():
    g = clean_up()
    assert offered(g, "red") == ["discard 1-3", "keep"]
    g = play(g, "red discard:2")
    assert g.armies["red"].hand == 1
    assert asks(g) == "discard blue"
    g = play(g, "blue keep")
    assert (g.armies["red"].hand, g.armies["red"].deck) == (3, 15)
    assert (g.armies["blue"].hand, g.armies["blue"].deck) == (3, 17)


@pytest.mark.rule("TMG-78")
def test_who_may_discard_is_told_how_many_cards_they_then_hold():
    g = clean_up([infantry("wolves"), ncu("samwell", hand_bonus=1)])
    told = [engine.step_of(g).helping(g, seat) for seat in ("red", "blue", None)]
    assert [line.arguments.get("count") for line in told] == [4, 3, None]


@pytest.mark.rule("TMG-78")
def test_who_holds_no_card_is_not_asked():
    g = clean_up()
    g.armies["red"].hand = 0
    assert asks(g) == "discard blue"


@pytest.mark.rule("E14")
@pytest.mark.rule("TMG-79")
@pytest.mark.parametrize(
    ("hand", "deck", "drawn"), [(0, 17, 3), (2, 17, 1), (3, 17, 0), (5, 17, 0), (1, 1, 1), (0, 0, 0)]
)
def test_the_draw_fills_the_hand_from_what_the_deck_holds(hand, deck, drawn):
    g = clean_up()
    g.armies["red"].hand, g.armies["red"].deck = hand, deck
    g = play(g, *(KEEP if hand else ("blue keep",)))
    assert (g.armies["red"].hand, g.armies["red"].deck) == (hand + drawn, deck - drawn)


@pytest.mark.rule("E14")
@pytest.mark.rule("TMG-79")
def test_units_objectives_and_players_raise_the_limit():
    g = clean_up([infantry("wolves"), ncu("samwell", hand_bonus=1)], claims={"token-c": "wolves"})
    assert clean_up_phase.hand_limit(g, "red") == 5
    assert clean_up_phase.hand_limit(g, "blue") == 3
    g.units["samwell"].place = "destroyed"
    g.armies["red"].hand_bonus = 2
    assert clean_up_phase.hand_limit(g, "red") == 6


@pytest.mark.rule("TMG-80")
def test_the_first_player_token_goes_to_the_opponent_of_its_holder():
    assert play(clean_up(first="red"), *KEEP).first == "blue"
    assert play(clean_up(first="blue"), *KEEP).first == "red"


@pytest.mark.rule("E8")
@pytest.mark.rule("TMG-80")
def test_an_effect_may_name_the_next_first_player():
    g = clean_up(first="red")
    g.next_first = "red"
    g = play(g, *KEEP)
    assert (g.first, g.next_first) == ("red", None)


@pytest.mark.rule("TMG-81")
def test_the_round_track_advances_by_one():
    g = play(clean_up(round=4), *KEEP)
    assert g.round == 5
    assert [r.number for r in g.rounds.values()] == [1, 2, 3, 4, 5]


@pytest.mark.rule("TMG-81")
def test_there_is_no_round_seven():
    g = clean_up(round=6)
    assert g.result is not None
    assert g.round == 6


@pytest.mark.rule("TMG-45")
@pytest.mark.parametrize(("base", "wounds"), [(1, {2, 3, 4}), (0, {1, 2, 3})])
def test_a_failed_panic_test_wounds_as_the_ruleset_says(base, wounds):
    g = clean_up(panic_wounds=base)
    assert {attacks.failed(g, g.units["wolves"]) for _roll in range(40)} == wounds
