"""The mode A Dance with Dragons: tokens that units carry, and what each of the three does."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import deployment, objective_tokens
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import agreed, cavalry, clean_up, infantry, lobby, ncu, play, table
from tests.positions import asks, offered, said

MODE = "a-dance-with-dragons"
A, B, C = "objective-a", "objective-b", "objective-c"
READY = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")


def dance(red=(), blue=(), **rest):
    red = red or [infantry("wolves"), infantry("bears"), ncu("sansa")]
    blue = blue or [infantry("lions"), infantry("knights"), ncu("tyrion"), ncu("varys")]
    return table(red, blue, mode=MODE, **rest)


def carrying(g, **tokens):
    """Units that carry these tokens: key of the unit → token."""
    for unit, token in tokens.items():
        g.objectives[token].claimed_by = unit
    return g


def corrections(g, path):
    return [offer.action for offer in engine.corrections(g, path)]


def badges(g, key):
    return [badge.text for badge in TmgPage(g, "red", (), str, lambda path: path).card(g.units[key]).badges]


@pytest.mark.rule("TMG-91")
@pytest.mark.rule("TMG-04")
def test_three_tokens_lie_on_the_centre_line_and_both_deploy_at_long_range():
    g = play(lobby(MODE), *READY)
    assert [token.key for token in g.tokens()] == [A, B, C]
    assert "centre line" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red rolled:1", "blue rolled:2", "blue pick-zone")
    assert "12 inches" in str(engine.step_of(g).helping(g, "blue"))


@pytest.mark.rule("TMG-91")
def test_how_much_of_a_token_must_be_covered_is_not_for_the_table_to_choose():
    g = lobby(MODE, strict=1)
    assert g.rules["strict"] == 0
    assert "strict" not in corrections(g, "table")
    assert "Strict" not in str(engine.step_of(dance(step="deploy", round=0)).helping(g, "red"))


@pytest.mark.rule("TMG-91")
def test_who_carries_a_token_moves_slowly_and_its_card_says_so():
    g = fixed(dance(), f"unit/wolves claim:wolves:{A}")
    assert said(g) == "Wolves claims Objective A.\nRed controls Objective A."
    assert badges(g, "wolves") == ["Objective A", "Speed 2, no March"]
    assert "Speed 2, no March" not in badges(g, "bears")


@pytest.mark.rule("TMG-91")
def test_the_printed_speed_shows_as_two_while_it_carries_one():
    g = play(lobby(MODE), *READY, "red rolled:1", "blue rolled:2", "blue pick-zone")
    g = play(g, "blue deployed", "red deployed")
    path, key = "unit/crannogman-trackers", "crannogman-trackers"

    def speed(position):
        return TmgPage(position, "red", (), str, str).profile(path).numbers[0][1]

    usual = speed(g)
    assert usual not in ("", "2")
    g = fixed(g, f"{path} claim:{key}:{B}")
    assert speed(g) == "2"
    assert speed(fixed(g, f"{path} leave:{key}:{B}")) == usual


@pytest.mark.rule("TMG-91")
def test_a_unit_carries_one_token_at_most():
    g = carrying(dance(), wolves=A)
    offers = [action for action in corrections(g, "unit/wolves") if action.startswith("claim:")]
    assert offers == []
    assert f"claim:wolves:{B}" not in corrections(g, f"objective/{B}")
    assert f"claim:bears:{B}" in corrections(g, f"objective/{B}")
    with pytest.raises(IllegalAction, match="already carries Objective A"):
        objective_tokens.claim(g, g.units["wolves"], g.objectives[B])


@pytest.mark.rule("TMG-91")
@pytest.mark.rule("TMG-54")
def test_a_carried_token_is_not_contested_by_more_ranks():
    g = carrying(dance([cavalry("riders")], [infantry("lions")]), riders=A)
    g = fixed(g, "unit/riders engage:riders:lions")
    assert objective_tokens.controller(g, g.objectives[A]) == "red"
    assert derived_facts(g, None)["tokens"][A]["contested"] is False


@pytest.mark.rule("TMG-91")
def test_who_fails_a_panic_test_loses_the_token_to_an_enemy_in_the_fight():
    """Wolves fight lions and knights; knights carry one already, so only lions may get it."""
    g = carrying(dance(round=2), wolves=A, knights=B)
    g = fixed(g, "unit/wolves engage:wolves:lions", "unit/wolves engage:wolves:knights")
    g = fixed(g, "unit/wolves lose-token:wolves")
    assert (
        "Wolves fails its panic test.\nWolves drops Objective A.\nRed no longer controls Objective A."
        in said(g)
    )
    assert (asks(g), offered(g, "blue")) == ("take-token blue", ["place", "take:lions"])
    g = play(g, "blue take:lions")
    assert (g.objectives[A].claimed_by, asks(g)) == ("lions", "turn red")
    assert "Blue controls Objective A." in said(g)


@pytest.mark.rule("TMG-91")
@pytest.mark.rule("TMG-45")
def test_so_does_one_whose_wounds_the_app_rolls():
    g = fixed(carrying(dance(), wolves=A), "unit/wolves panic:wolves")
    assert g.units["wolves"].wounds < 12
    assert (g.objectives[A].claimed_by, asks(g)) == (None, "take-token blue")


@pytest.mark.rule("TMG-91")
def test_where_nobody_was_noted_as_engaged_any_enemy_may_have_been_or_the_opponent_places_it():
    g = fixed(carrying(dance(), wolves=A), "unit/wolves lose-token:wolves")
    assert offered(g, "blue") == ["place", "take:knights", "take:lions"]
    g = play(g, "blue place")
    assert (said(g), g.objectives[A].claimed_by, asks(g)) == (
        "Blue places Objective A within 2 inches of where it fell.",
        None,
        "turn red",
    )


@pytest.mark.rule("TMG-91")
def test_where_no_enemy_can_get_it_nobody_is_asked():
    g = carrying(
        dance(blue=[infantry("lions"), infantry("elephant", cannot_control=True)]), wolves=A, lions=B
    )
    g = fixed(g, "unit/wolves lose-token:wolves")
    assert asks(g) == "turn red"
    assert "Blue places Objective A within 2 inches" in said(g)


@pytest.mark.rule("TMG-91")
def test_a_destroyed_unit_loses_its_token_to_whom_it_fought():
    g = fixed(carrying(dance(), wolves=A), "unit/wolves engage:wolves:lions", "unit/wolves destroy:wolves")
    assert (asks(g), offered(g, "blue")) == ("take-token blue", ["place", "take:lions"])
    assert play(g, "blue take:lions").objectives[A].claimed_by == "lions"


@pytest.mark.rule("TMG-91")
def test_a_destruction_undone_while_that_is_asked_gives_the_token_back():
    g = fixed(carrying(dance(), wolves=A), "unit/wolves destroy:wolves", "unit/wolves wounds:wolves:5")
    assert (g.objectives[A].claimed_by, g.points("blue"), asks(g)) == ("wolves", 0, "turn red")


@pytest.mark.rule("TMG-91")
def test_a_token_that_somebody_claims_meanwhile_is_not_placed_any_more():
    g = fixed(carrying(dance(), wolves=A), "unit/wolves lose-token:wolves", f"unit/bears claim:bears:{A}")
    assert (g.objectives[A].claimed_by, asks(g)) == ("bears", "turn red")
    assert "places" not in said(g)


@pytest.mark.rule("TMG-91")
def test_a_claim_noted_by_mistake_is_taken_off_without_a_question():
    g = fixed(carrying(dance(), wolves=A), f"unit/wolves leave:wolves:{A}")
    assert (said(g).splitlines()[0], asks(g)) == ("Wolves drops Objective A.", "turn red")
    assert not any(action.startswith("lose-token") for action in corrections(g, "unit/wolves"))


@pytest.mark.rule("TMG-91")
def test_from_round_two_each_token_scores_one_and_one_more_for_the_commander():
    red = [infantry("wolves", commander=True), infantry("bears"), infantry("boars")]
    held = {A: None, B: "wolves", C: "bears"}
    g = clean_up(red, mode=MODE, claims=held, first="blue")
    assert str(engine.step_of(g).asking(g, "red")) == "This round scores: Red 3, Blue 0"
    g = agreed(g)
    assert [(row.seat, row.points, row.reason) for row in g.scores.values()] == [
        ("red", 1, "controls an objective"),
        ("red", 1, "controlled by the Commander"),
        ("red", 1, "controls an objective"),
    ]
    first = clean_up(red, mode=MODE, round=1, claims=held)
    assert agreed(first).scores == {}


@pytest.mark.rule("TMG-91")
def test_who_scores_objective_a_may_expose_an_enemy():
    blue = [
        infantry("lions"),
        infantry("engine", gains_no_conditions=True),
        infantry("late", place="reserve"),
        infantry("knights", conditions=frozenset({"vulnerable", "weakened"})),
    ]
    g = agreed(clean_up(blue=blue, mode=MODE, claims={A: "wolves"}))
    assert (asks(g), offered(g, "red")) == ("scoring-effects red", [f"expose:{A}:lions", f"resolve:{A}"])
    exposed = play(g, f"red expose:{A}:lions")
    assert exposed.units["lions"].conditions == {"vulnerable", "weakened"}
    assert asks(exposed) == "discard red blue"
    assert play(g, f"red resolve:{A}").units["lions"].conditions == frozenset()
    other = agreed(clean_up(blue=blue, mode=MODE, claims={B: "wolves"}))
    assert asks(other) == "discard red blue"


@pytest.mark.rule("TMG-91")
def test_conditions_kept_on_the_table_are_not_put_on_anybody():
    g = clean_up(mode=MODE, claims={A: "wolves"})
    g = agreed(fixed(g, "table keep-aside:conditions"))
    assert offered(g, "red") == [f"resolve:{A}"]


@pytest.mark.rule("TMG-91")
@pytest.mark.rule("TMG-65")
def test_who_carries_objective_b_reads_what_it_does_while_it_acts():
    g = carrying(dance(), wolves=B)
    g = play(g, "red activate:wolves")
    page = TmgPage(g, "red", (), str, str)
    assert "Sundering and Vicious" in page.acting().hint
    assert derived_facts(g, None)["tokens"][B]["active"] is True
    other = play(carrying(dance(), bears=A), "red activate:bears")
    assert "Vulnerable" not in TmgPage(other, "red", (), str, str).acting().hint


@pytest.mark.rule("TMG-91")
def test_who_claims_objective_c_names_an_enemy_ncu_that_loses_its_abilities():
    g = fixed(dance(), f"unit/wolves claim:wolves:{C}")
    assert (asks(g), offered(g, "red")) == ("silence red", ["silence:tyrion", "silence:varys"])
    g = play(g, "red silence:varys")
    assert (g.objectives[C].silences, asks(g)) == ("varys", "turn red")
    assert (badges(g, "varys"), badges(g, "tyrion")) == (["No abilities"], [])
    lost = fixed(g, "unit/wolves lose-token:wolves")
    assert (lost.objectives[C].silences, badges(lost, "varys")) == (None, [])
    taken = play(lost, "blue take:lions")
    assert (asks(taken), offered(taken, "blue")) == ("silence blue", ["silence:sansa"])


@pytest.mark.rule("TMG-91")
@pytest.mark.parametrize(
    ("blue", "kept", "claims"),
    [
        ([infantry("lions")], (), C),
        ([infantry("lions"), ncu("tyrion", place="destroyed")], (), C),
        ([infantry("lions"), ncu("tyrion")], ("table keep-aside:effects",), C),
        ([infantry("lions"), ncu("tyrion")], (), A),
    ],
)
def test_nobody_is_named_where_there_is_no_ncu_or_effects_are_kept_on_the_table(blue, kept, claims):
    assert asks(fixed(dance(blue=blue), *kept, f"unit/wolves claim:wolves:{claims}")) == "turn red"


@pytest.mark.rule("TMG-91")
def test_the_silenced_ncu_still_takes_a_zone():
    g = play(fixed(dance(first="blue"), f"unit/wolves claim:wolves:{C}"), "red silence:varys")
    g = play(g, "blue activate:varys", "blue claim:crown")
    assert g.objectives["crown"].claimed_by == "varys"


@pytest.mark.rule("TMG-91")
def test_its_cards_are_its_own_and_no_correction_swaps_them():
    g = dance()
    assert [token.card for token in g.tokens()] == [A, B, C]
    assert not deployment.has_cards(g)
    assert not any(action.startswith("card:") for action in corrections(g, f"objective/{A}"))


@pytest.mark.rule("TMG-52")
def test_in_other_modes_nothing_is_carried():
    g = table()
    assert not objective_tokens.are_carried(g)
    g.objectives["centre"].claimed_by = "wolves"
    g = fixed(g, "unit/wolves destroy:wolves")
    assert g.question.step == "ending"
    assert "Speed" not in "".join(badges(table(), "wolves"))
