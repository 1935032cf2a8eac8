"""What the players keep on the table is not asked here: no tap, no number, no reminder of it."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage, acting_corrections
from games.systems.tmg.rules import objective_tokens
from games.systems.tmg.rules.kept_by_players import PARTS, VERBS
from games.systems.tmg.tests.correcting import actions, duel, fixed, refused
from games.systems.tmg.tests.tables import clean_up, infantry, ncu, play, table
from games.translation import words
from tests.positions import asks, offered, said


def untracked(g, *parts):
    return fixed(g, *(f"table keep-aside:{part}" for part in parts))


def page(g, seat="red"):
    return TmgPage(engine.view(g, seat), seat, engine.offers(g, seat), words, lambda path: path)


def card(g, key):
    return next(
        card for side in page(g).sides() for group in side.groups for card in group.cards if card.key == key
    )


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_put_aside_and_taken_up_again_with_a_line_of_the_log(part):
    g = untracked(duel(), part)
    assert not g.tracks(part)
    assert "no longer tracked in the app" in said(g)
    g = fixed(g, f"table track:{part}")
    assert g.tracks(part)
    assert "tracked in the app again" in said(g)


@pytest.mark.parametrize("part", sorted(set(VERBS.values())))
def test_corrections_of_what_is_put_aside_are_not_offered(part):
    g = duel()
    paths = ("army/red", "unit/wolves", "unit/lions")
    before = {action for path in paths for action in actions(g, path)}
    after = {action for path in paths for action in actions(untracked(g, part), path)}
    gone = before - after
    assert gone
    assert {VERBS[action.partition(":")[0]] for action in gone} == {part}


def test_a_correction_that_is_not_offered_is_refused():
    g = untracked(duel(), "wounds")
    assert refused(g, "unit/wolves wounds:wolves:-1")


def test_cards_that_stay_in_hands_cost_no_tap_and_no_line():
    g = untracked(clean_up(), "cards")
    assert asks(g) == "turn blue"
    assert "draws" not in said(g)
    assert page(g).sides()[0].facts == ()


def test_cards_put_aside_in_the_middle_of_the_discard_let_the_round_go_on():
    g = clean_up()
    assert asks(g) == "discard red blue"
    assert asks(untracked(g, "cards")) == "turn blue"


def test_effects_that_the_table_remembers_are_not_asked_for():
    g = clean_up([infantry("wolves", activated=True)], claims={"centre": "wolves"})
    assert asks(play(g, "red agree", "blue agree")) == "scoring-effects red"
    g = play(untracked(g, "effects"), "red agree", "blue agree")
    assert asks(g) == "discard red blue"
    assert g.points("red") == 2


def test_effects_put_aside_while_one_is_asked_for_are_done_with():
    g = clean_up([infantry("wolves", activated=True)], claims={"centre": "wolves"})
    g = untracked(play(g, "red agree", "blue agree"), "effects")
    assert asks(g) == "discard red blue"
    assert all(token.scored is None for token in g.tokens())


def test_a_panic_test_needs_no_wounds_where_none_are_tracked():
    g = clean_up([infantry("wolves", activated=True)], claims={"centre": "wolves"})
    g = play(untracked(g, "wounds"), "red agree", "blue agree")
    assert offered(g, "red") == ["resolve:centre"]


def test_wounds_on_the_table_leave_the_contest_to_the_players():
    g = table([infantry("wolves", wounds=4)], [infantry("lions")])
    g.objectives["centre"].claimed_by = "wolves"
    g = fixed(g, "unit/wolves engage:wolves:lions")
    assert objective_tokens.controller(g, g.objectives["centre"]) is None
    g = untracked(g, "wounds")
    assert objective_tokens.controller(g, g.objectives["centre"]) == "red"
    assert "Red controls" in said(g)
    assert card(g, "wolves").gauge is None


def test_without_wounds_the_acting_unit_notes_who_falls():
    g = play(duel(), "red activate:wolves")
    g = fixed(untracked(g, "wounds"), "unit/wolves engage:wolves:lions")
    shown = page(g).acting().targets[0].targets
    assert [(target.name, target.gauge, target.choices) for target in shown] == [
        ("Lions", None, ()),
        ("Wolves", None, ()),
        ("Knights", None, ()),
    ]
    assert shown[0].last.action == "unit/lions destroy:lions"
    g = fixed(g, "unit/lions destroy:lions")
    assert g.points("red") == 1


def test_fights_that_are_put_aside_are_forgotten():
    g = fixed(play(duel(), "red activate:wolves"), "unit/wolves engage:wolves:lions")
    g = untracked(g, "engagements")
    assert not any(unit.engaged_with for unit in g.units.values())
    assert not any("engage" in offer.action for offer in acting_corrections(g, "red"))


def test_conditions_and_counters_leave_the_cards():
    g = fixed(duel(), "unit/wolves gain:wolves:panicked")
    assert [badge.text for badge in card(g, "wolves").badges] == ["Panicked"]
    assert card(untracked(g, "conditions"), "wolves").badges == ()


def test_notes_that_are_put_aside_open_no_window():
    note = frozenset({"end-of-turn"})
    g = duel()
    g.units["sansa"].note, g.units["sansa"].reminders = "look back", note
    assert asks(play(g, "red activate:wolves")) == "end-of-turn red"
    assert asks(play(untracked(g, "notes"), "red activate:wolves")) == "turn blue"


def test_a_zone_draws_no_cards_where_they_are_not_counted():
    g = table([infantry("wolves"), ncu("sansa")])
    g = play(untracked(g, "cards"), "red activate:sansa", "red claim:letters")
    assert g.armies["red"].hand == 3
    assert "draws" not in said(g)
