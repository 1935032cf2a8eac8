"""The modes of missions: Winds of Winter with secret hands, Dark Wings, Dark Words with open ones."""

import random

import pytest

from games.core import IllegalAction, engine
from games.match import random_play
from games.systems.tmg import SYSTEM
from games.systems.tmg.modes.winds_of_winter import StartOfRound
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import clean_up, lobby, ncu, play, table
from tests.positions import asks, offered, said

WINDS, WINGS = "winds-of-winter", "dark-wings-dark-words"
READY = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")
PICKED = [
    f"{seat} pick:m{n:02}" for seat, four in (("red", (1, 2, 3, 4)), ("blue", (5, 6, 7, 8))) for n in four
]

PLACED = ("red rolled:1", "blue rolled:6", "blue placed", "red placed", "blue placed", "red placed")
"""The four tokens beside the centre are placed in turns."""


def winds(round=2, **rules):
    """The start of a round with six missions in each hand."""
    g = table(mode=WINDS, round=1, **rules)
    for seat, numbers in (("red", (1, 2, 3, 4, 11, 12)), ("blue", (5, 6, 7, 8, 11, 12))):
        g.hide(seat, "missions", [f"m{n:02}" for n in numbers])
        g.armies[seat].missions = len(numbers)
    g.flow = ()
    for _round in range(round - 1):
        g.begin_round("red")
    g.call(StartOfRound)
    engine.advance(g)
    return g


def badges(g, reader, side):
    return [badge.text for badge in TmgPage(engine.view(g, reader), reader, (), str, lambda p: p).facts(side)]


# --- Winds of Winter ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-93")
def test_a_hand_is_missions_eleven_and_twelve_and_four_picked():
    g = play(lobby(WINDS), *READY)
    assert asks(g) == "pick-missions red blue"
    assert "pick:m11" not in offered(g, "red")
    g = play(g, *PICKED)
    assert g.armies["red"].hidden["missions"] == ["m01", "m02", "m03", "m04", "m11", "m12"]
    assert (g.armies["blue"].missions, g.question.step) == (6, "token-roll")


@pytest.mark.rule("TMG-94")
def test_nobody_else_sees_what_was_picked():
    g = play(lobby(WINDS), *READY, *PICKED[:3])
    assert said(g) == "Red picks a mission."
    for reader in ("blue", None):
        seen = engine.view(g, reader)
        assert seen.armies["red"].hidden == {"missions": None}
        assert engine.step_of(seen).asking(seen, reader)
        assert badges(g, reader, "red") == ["Ready", "Missions: 3"]
    assert badges(g, "red", "red") == ["Ready", "Your missions: 1, 2, 3"]
    for asked in (g, winds()):
        assert all(offer.is_secret for offer in engine.offers(asked, "red")), "nor on a shared device"


@pytest.mark.rule("TMG-04")
@pytest.mark.parametrize(
    ("mode", "taps"), [(WINDS, PICKED), (WINGS, ("red drawn:m01", "blue drawn:m02", "red drawn:m03"))]
)
def test_in_the_modes_of_missions_the_players_place_four_tokens_in_turns(mode, taps):
    g = play(lobby(mode), *READY)
    assert "One objective token lies in the centre" in said(g)
    g = play(g, *taps)
    assert (asks(g), engine.step_of(g).resting_on(g)) == ("token-roll red blue", "TMG-04")
    g = play(g, *PLACED[:-1])
    assert (asks(g), engine.step_of(g).resting_on(g)) == ("place-token red", "TMG-04")
    g = play(g, PLACED[-1])
    assert (asks(g), len([*g.tokens()])) == ("zone-roll red blue", 5)
    assert {token.card for token in g.tokens()} == {None}


@pytest.mark.rule("TMG-93")
def test_in_round_one_there_are_no_missions():
    assert asks(winds(round=1)) == "turn red"


@pytest.mark.rule("TMG-93")
def test_from_round_two_the_first_player_chooses_and_reveals_first():
    g = winds()
    assert asks(g) == "choose-mission red"
    g = play(g, "red choose:m03")
    assert offered(g, "red") == ["again", "reveal"]
    again = play(g, "red again").armies["red"]
    assert (again.hidden["mission"], again.missions) == (None, 6)
    assert "face down" in str(badges(g, None, "red"))
    g = play(g, "red reveal")
    assert (g.armies["red"].mission, g.armies["red"].missions) == ("m03", 5)
    assert asks(g) == "choose-mission blue"
    assert asks(play(g, "blue choose:m05", "blue reveal")) == "turn red"


@pytest.mark.rule("TMG-24")
@pytest.mark.parametrize("face_down", [0, 1])
def test_an_ncu_that_activates_while_missions_are_chosen_takes_its_zone(face_down):
    g = winds(face_down=face_down)
    g.units["sansa"] = ncu("sansa")
    g.units["sansa"].army = "red"
    g = play(g, "red choose:m03")
    before = asks(g)
    g = engine.adjust(g, "red", "unit/sansa", "activate:sansa")
    assert asks(g) == "claim-zone red"
    g = play(g, "red claim:crown")
    assert (asks(g), g.units["sansa"].activated) == (before, True)
    assert g.objectives["crown"].claimed_by == "sansa"
    assert g.armies["red"].hidden["mission"] == "m03"


@pytest.mark.rule("TMG-93")
def test_until_it_is_revealed_a_choice_can_be_changed():
    g = play(winds(), "red choose:m03", "red again")
    assert (g.armies["red"].missions, g.armies["red"].mission) == (6, "")
    assert g.armies["red"].hidden["missions"] == ["m01", "m02", "m03", "m04", "m11", "m12"]
    assert "choose:m03" in offered(g, "red")


@pytest.mark.rule("TMG-93")
def test_who_holds_no_mission_keeps_nobody_from_choosing():
    g = winds(round=1)
    g.hide("red", "missions", [])
    g.armies["red"].missions = 0
    g.begin_round("red")
    g.flow = ()
    g.call(StartOfRound)
    engine.advance(g)
    assert asks(g) == "choose-mission blue"


@pytest.mark.rule("TMG-94")
def test_a_revealed_mission_cannot_quietly_be_taken_back():
    before = play(winds(), "red choose:m03")
    assert engine.is_final(before, play(before, "red reveal"))


@pytest.mark.rule("TMG-94")
def test_a_choice_is_its_owners_secret_until_then():
    g = play(winds(), "red choose:m03")
    assert said(g) == "Red chooses a mission."
    assert engine.view(g, "blue").armies["red"].hidden == {"missions": None, "mission": None}
    assert badges(g, "red", "red")[-1] == "Your missions: 1, 2, 4, 11, 12"
    assert badges(g, "blue", "red")[-1] == "Missions: 5"


@pytest.mark.rule("TMG-94")
def test_face_down_both_choose_at_once_and_the_score_reveals():
    g = winds(face_down=1)
    assert asks(g) == "choose-mission red blue"
    g = play(g, "blue choose:m05", "red choose:m03")
    assert asks(g) == "turn red"
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert asks(g) == "score-points red blue"
    assert (g.armies["red"].mission, g.armies["blue"].mission) == ("m03", "m05")
    assert "Red reveals mission 3" in said(g)


@pytest.mark.rule("TMG-94")
def test_a_table_may_keep_missions_face_down_before_round_one():
    g = engine.adjust(lobby(WINDS), "red", "table", "face-down")
    assert g.rules["face_down"] == 1
    assert engine.adjust(g, "red", "table", "face-up").rules["face_down"] == 0
    with pytest.raises(IllegalAction):
        engine.adjust(winds(), "red", "table", "face-down")


@pytest.mark.rule("TMG-93")
def test_either_player_scores_either_mission_and_both_are_gone_then():
    g = play(winds(), "red choose:m03", "red reveal", "blue choose:m05", "blue reveal")
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert offered(g, "red") == ["done", "enter:m03 1-9", "enter:m05 1-9"]
    assert str(engine.step_of(g).helping(g, "red")) == engine.step_of(g).help
    g = play(g, "red enter:m05:2")
    assert said(g) == "Red scores 2 Victory Points: 5: the enemy Commander."
    g = play(g, "red done", "blue done")
    assert [(row.seat, row.points, row.source) for row in g.scores.values()] == [
        ("red", 2, "5: the enemy Commander")
    ]
    assert (g.armies["red"].mission, g.armies["blue"].mission) == ("", "")


@pytest.mark.rule("TMG-93")
def test_a_mission_that_both_reveal_may_score_once_for_each_card():
    g = play(winds(), "red choose:m11", "red reveal", "blue choose:m11", "blue reveal")
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert "each of the two cards may score" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red enter:m11:2")
    assert offered(g, "red") == offered(g, "blue") == ["done", "enter:m11 1-9"]
    g = play(g, "red enter:m11:1", "blue enter:m11:3")
    assert (offered(g, "red"), offered(g, "blue")) == (["done"], ["done", "enter:m11 1-9"])
    g = play(g, "red done", "blue done")
    assert (g.points("red"), g.points("blue")) == (3, 3)


@pytest.mark.rule("TMG-93")
def test_tokens_give_nothing_by_themselves():
    g = clean_up(mode=WINDS, claims={"centre": "wolves"})
    assert (asks(g), g.scores) == ("discard red blue", {})


# --- Dark Wings, Dark Words --------------------------------------------------------------------------


def missions(g):
    return [place.key for place in g.objectives.values() if place.kind == "mission"]


def wings(target=50):
    """The end of a round: everybody is done, three missions lie open."""
    g = play(lobby(WINGS, target=target), *READY, "red drawn:m01", "blue drawn:m02", "red drawn:m03")
    g = play(g, *PLACED, "red rolled:1", "blue rolled:6", "blue pick-zone", "blue deployed", "red deployed")
    luck = random.Random(1)
    while g.question.step != "score-points":
        g = engine.play(g, *random_play.tap(g, luck))
    return g


@pytest.mark.rule("TMG-95")
def test_three_missions_lie_open_for_everybody():
    g = play(lobby(WINGS), *READY)
    assert asks(g) == "open-missions red blue"
    drawn = play(g, "blue draw")
    assert (len(missions(drawn)), len(drawn.draws), drawn.question.step) == (3, 3, "token-roll")
    g = play(g, "red drawn:m01")
    assert "drawn:m01" not in offered(g, "red")
    g = play(g, "red drawn:m04", "blue drawn:m09")
    assert missions(g) == ["m01", "m04", "m09"]
    titles = [card.name for card in TmgPage(g, None, (), str, lambda path: path).middle().objectives]
    assert titles[-3:] == [
        "Mission 1: the centre objective",
        "Mission 4: the tactics board",
        "Mission 9: revenge",
    ]


@pytest.mark.rule("TMG-95")
def test_every_mission_that_is_entered_is_a_question_of_its_own():
    g = play(lobby(WINGS), *READY)
    assert play(g, "red drawn:m01").question.number > g.question.number


@pytest.mark.rule("TMG-95")
def test_the_app_draws_the_mission_that_replaces_another_from_those_not_seen():
    g = play(wings(), "red done", "blue done")
    first = g.first
    assert "draw" in offered(g, first)
    g = play(g, f"{first} draw")
    (drawn,) = g.question.about
    assert (len(g.draws), drawn in ("m01", "m02", "m03")) == (1, False)
    assert "Which mission does" in str(engine.step_of(g).asking(g, first))
    assert missions(play(g, f"{first} replace:m01")) == ["m02", "m03", drawn]


@pytest.mark.rule("TMG-95")
@pytest.mark.rule("E17")
def test_after_the_victory_check_and_before_the_token_passes_the_first_player_replaces_one():
    g = wings()
    first = g.first
    assert offered(g, "red") == ["done", "enter:m01 1-9", "enter:m02 1-9", "enter:m03 1-9"]
    g = play(g, "blue enter:m02:2", "red done", "blue done")
    assert (asks(g), g.first) == (f"swap-mission {first}", first)
    assert derived_facts(g, None)["phase"] == "Clean-Up Phase"
    g = play(g, f"{first} drawn:m07")
    assert offered(g, first) == ["replace:m01", "replace:m02", "replace:m03"]
    g = play(g, f"{first} replace:m02")
    assert missions(g) == ["m01", "m03", "m07"]
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-95")
def test_a_mission_that_was_replaced_does_not_come_back():
    g = wings()
    g = play(g, "red done", "blue done", f"{g.first} drawn:m07", f"{g.first} replace:m02")
    luck = random.Random(2)
    while g.question.step != "swap-mission":
        g = engine.play(g, *random_play.tap(g, luck))
    assert not {"drawn:m01", "drawn:m02", "drawn:m07"} & set(offered(g, g.first))


@pytest.mark.rule("TMG-95")
def test_points_put_right_while_a_mission_is_replaced_ask_before_they_end_the_match():
    g = wings(target=10)
    g = play(g, "blue enter:m02:9", "red done", "blue done")
    assert g.question.step == "swap-mission"
    g = engine.adjust(g, "red", "army/blue", "points:blue:1", "a reason")
    assert (g.result, asks(g)) == (None, "ending red")


@pytest.mark.rule("TMG-95")
def test_who_wins_replaces_nothing():
    g = play(wings(target=10), "red enter:m01:9", "red enter:m02:9", "red done", "blue done")
    assert g.result["winner"] == "red"


def test_the_modes_are_listed():
    assert {WINDS, WINGS} <= {mode.slug for mode in SYSTEM.modes}
