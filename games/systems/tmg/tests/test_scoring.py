"""The round's score: what gives points and why, and the last opportunity before it."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import acting_corrections
from games.systems.tmg.rules import objective_tokens
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import clean_up, infantry, ncu, play, table
from games.systems.tmg.tests.test_beside import at_hand
from games.systems.tmg.tests.test_here_we_stand import scoring
from tests.positions import asks, offered, said

AGREE = ("red agree", "blue agree")
NOTHING = {"token-c": None}
"""No claims, and nobody has agreed to that yet."""


def question(g):
    return str(engine.step_of(g).asking(g, None))


def rows(g):
    return [(row.seat, row.points, row.reason, row.source) for row in g.scores.values()]


# --- nothing is forgotten ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-62")
@pytest.mark.parametrize("mode", ["a-game-of-thrones", "a-clash-of-kings", "honed-and-ready"])
def test_a_round_in_which_nobody_controls_a_token_is_agreed_to_once(mode):
    g = clean_up(mode=mode, claims={"centre": None})
    assert asks(g) == "score-points red blue"
    assert question(g) == "No objective is controlled: 0 to 0?"
    assert str(engine.step_of(g).helping(g, "red")) == "If that is wrong, enter the claim first."
    g = play(g, "blue agree")
    assert asks(g) == "score-points red"
    g = play(g, "red agree")
    assert "No one scores in this round." in said(g)
    assert (g.question.step, dict(g.scores)) == ("discard", {})


@pytest.mark.rule("TMG-97")
def test_a_round_in_which_nobody_controls_a_sector_is_agreed_to():
    g = table(mode="here-we-stand", round=2, step="score-points")
    assert question(g) == "No sector is controlled: 0 to 0?"
    assert asks(play(g, "red agree")) == "score-points blue"


@pytest.mark.rule("TMG-62")
@pytest.mark.parametrize("mode", ["a-game-of-thrones", "a-clash-of-kings", "here-we-stand"])
def test_in_round_one_nobody_is_asked(mode):
    g = table(mode=mode, step="score-points")
    assert g.question.step == "discard"
    assert "No one scores in this round." not in said(g)


@pytest.mark.rule("TMG-75")
def test_a_claim_that_is_remembered_at_last_asks_both_again():
    g = fixed(play(clean_up(claims=NOTHING), "red agree"), "unit/lions claim:lions:token-c", seat="blue")
    assert asks(g) == "score-points red blue"
    assert question(g) == "This round scores: Red 0, Blue 1"
    assert str(engine.step_of(g).helping(g, "red")).startswith("Tap a line to correct it.")
    assert play(g, *AGREE).points("blue") == 1


# --- a row for each reason ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-63")
def test_the_centres_additional_point_is_a_row_of_its_own():
    g = play(clean_up(claims={"centre": "wolves"}), *AGREE)
    assert rows(g) == [
        ("red", 1, "controls an objective", "Centre"),
        ("red", 1, "additional point", "Centre"),
    ]
    assert "Red scores 2 Victory Points: Centre (additional point: 1)." in said(g)


@pytest.mark.rule("TMG-71")
def test_the_commanders_additional_point_is_a_row_of_its_own():
    red = [infantry("wolves", commander=True), infantry("bears")]
    g = play(clean_up(red, mode="a-clash-of-kings", claims={"west": "wolves", "centre": "bears"}), *AGREE)
    assert rows(g) == [
        ("red", 1, "controls an objective", "Centre"),
        ("red", 1, "controls an objective", "West"),
        ("red", 1, "controlled by the Commander", "West"),
    ]


@pytest.mark.rule("TMG-97")
def test_a_sector_scores_as_a_sector():
    g = scoring([infantry("wolves", sector="blue-west")], [infantry("lions")])
    assert rows(play(g, *AGREE)) == [("red", 3, "controls a sector", "Blue half, west")]


# --- a unit that moves on ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-53")
def test_who_claims_another_token_leaves_the_first_and_its_engagements():
    g = table(blue=[infantry("lions"), infantry("knights")])
    g = fixed(g, "unit/wolves claim:wolves:token-a", "unit/wolves engage:wolves:lions")
    g = fixed(g, "unit/wolves claim:wolves:token-b")
    assert g.objectives["token-a"].claimed_by is None
    assert objective_tokens.claimed(g, g.units["wolves"]).key == "token-b"
    assert (g.units["wolves"].engaged_with, g.units["lions"].engaged_with) == (frozenset(), frozenset())
    assert said(g).splitlines() == [
        "Wolves leaves Token A.",
        "Wolves and Lions are no longer engaged.",
        "Wolves claims Token B.",
        "Red no longer controls Token A.",
        "Red controls Token B.",
    ]


@pytest.mark.rule("TMG-53")
def test_who_claims_its_first_token_stays_engaged():
    """It may have charged onto the token."""
    g = fixed(table(), "unit/wolves engage:wolves:lions", "unit/wolves claim:wolves:token-a")
    assert g.units["wolves"].engaged_with == {"lions"}


# --- the last opportunity of the round ---------------------------------------------------------------


def last(**rest):
    """The score is asked about after the wolves acted last, on a token and engaged with the lions."""
    red = [infantry("wolves", engaged_with=frozenset({"lions"}))]
    blue = [infantry("lions", engaged_with=frozenset({"wolves"}), activated=True)]
    g = play(table(red, blue, round=2, **rest), "red activate:wolves")
    return fixed(g, "unit/wolves claim:wolves:token-c")


@pytest.mark.rule("TMG-14")
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_both_may_still_note_what_the_last_unit_did_while_the_score_is_asked(seat):
    g = last()
    assert asks(g) == "score-points red blue"
    beside = {offer.action.partition(":")[0] for offer in acting_corrections(g, seat)}
    assert beside == {"leave", "disengage"}
    assert set(at_hand(g, seat)) == {"wolves*", "lions*"}


@pytest.mark.rule("TMG-14")
def test_what_is_noted_then_asks_who_had_agreed_again():
    g = fixed(play(last(), "red agree"), "unit/wolves wounds:wolves:-5", seat="blue")
    assert asks(g) == "score-points red blue"
    assert question(g) == "No objective is controlled: 0 to 0?"


@pytest.mark.rule("TMG-14")
def test_during_a_turn_only_the_player_of_the_unit_has_its_notes():
    g = play(table([infantry("wolves"), infantry("bears")]), "red activate:wolves")
    assert acting_corrections(g, "red")
    assert acting_corrections(g, "blue") == ()


@pytest.mark.rule("TMG-14")
def test_nothing_is_left_to_note_once_the_score_is_agreed_to():
    g = play(last(), *AGREE)
    assert g.question.step == "discard"
    assert acting_corrections(g, "red") == acting_corrections(g, "blue") == ()


@pytest.mark.rule("E15")
def test_an_effect_of_the_end_of_the_round_stops_for_its_player_before_the_score():
    blue = [infantry("lions", activated=True), ncu("tyrion", activated=True)]
    blue[1].reminders, blue[1].note = frozenset({"end-of-round"}), "draw a card"
    g = play(table([infantry("wolves")], blue, round=2), "red activate:wolves", "all done")
    assert asks(g) == "end-of-round blue"
    assert str(engine.step_of(g).helping(g, "blue")) == "Reminder: Tyrion: draw a card"
    assert offered(g, "red") == []
    assert asks(play(g, "blue done")) == "score-points red blue"
