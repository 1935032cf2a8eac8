"""How a game ends: seven castles and strongholds, round ten and its ties, time that is up, corrections."""

import pytest

from games.core import engine
from games.systems.agot import SYSTEM
from games.systems.agot.map import area_control
from games.systems.agot.page import board_page
from games.systems.agot.tests.tables import asks, at, field, play, table
from tests.positions import offered


def end_of_round(g, **castles):
    return play(at(g, "realms"), *(f"{seat} castles:{count}" for seat, count in castles.items()))


@pytest.mark.rule("BASE-09")
def test_seven_castles_and_strongholds_win():
    g = end_of_round(table(), stark=7, lannister=3, baratheon=6)
    assert g.result == {
        "winner": "stark",
        "how": "seven",
        "points": {"stark": 7, "lannister": 3, "baratheon": 6},
    }


def test_the_next_round_begins_with_the_cards():
    g = end_of_round(table(), stark=6, lannister=3, baratheon=6)
    assert (g.round, g.question.step) == (2, "westeros")


@pytest.mark.parametrize(
    ("land", "supply", "winner", "how"),
    [
        ({"stark": 5, "baratheon": 4}, {}, "stark", "land"),
        ({"stark": 5, "baratheon": 5}, {"stark": 3}, "stark", "supply"),
        ({"stark": 5, "baratheon": 5}, {"stark": 2}, "baratheon", "throne"),
    ],
)
def test_ties_after_the_tenth_round(land, supply, winner, how):
    g = table()
    g.round = 10
    for seat, level in supply.items():
        g.armies[seat].supply = level
    g = end_of_round(g, stark=4, lannister=3, baratheon=4)
    assert asks(g) == "reckoning stark baratheon"
    g = play(g, *(f"{seat} land:{areas}" for seat, areas in land.items()))
    assert (g.result["winner"], g.result["how"]) == (winner, how)


def test_a_tie_at_the_end_of_a_round_belongs_to_its_action_phase():
    g = table()
    g.round = 10
    g = end_of_round(g, stark=4, lannister=3, baratheon=4)
    assert (g.question.step, board_page.phase(g)) == ("reckoning", "Action phase")


@pytest.mark.rule("BASE-09")
def test_land_areas_on_the_map_decide_a_tie_however_the_game_ends():
    """One castle or stronghold each; Stark has three areas to Baratheon's two, and the worse supply."""
    g = field(3, stark="winterfell:F karhold:F the-stony-shore:F", baratheon="kingswood:F")
    g.armies["stark"].supply = 0
    area_control.recount(g)
    assert {g.points(seat) for seat in g.seats} == {1}
    reckoned = at(g, "reckoning", round=10)
    timed = engine.adjust(at(g, "raven", round=10), "", "table", "time-out")
    assert (reckoned.result["winner"], reckoned.result["how"]) == ("stark", "land")
    assert (timed.result["winner"], timed.result["how"]) == ("stark", "time-out")
    assert [SYSTEM.tally(timed)[seat]["place"] for seat in ("stark", "baratheon", "lannister")] == [1, 2, 3]
    timed.result = {**(timed.result or {}), "winner": "lannister"}
    assert [SYSTEM.tally(timed)[seat]["place"] for seat in ("stark", "baratheon", "lannister")] == [2, 3, 1]
    for area in ("karhold", "the-stony-shore"):
        reckoned = engine.adjust(reckoned, "", f"objective/{area}", f"footman:{area}-of-stark:-1")
    assert (reckoned.result["winner"], reckoned.result["how"]) == ("baratheon", "land")


def test_a_correction_to_seven_is_asked_about():
    g = engine.adjust(table(), "stark", "army/stark", "castles:stark:5")
    assert (asks(g), g.result) == ("ending lannister baratheon", None)
    on = play(g, "lannister play-on")
    assert on.question.step == "planning"
    g = play(g, "lannister end-match")
    assert (asks(g), g.result) == ("ending baratheon", None), "Baratheon has its say as well"
    assert play(g, "baratheon play-on").question.step == "planning"
    assert play(g, "baratheon end-match").result["winner"] == "stark"


def test_who_has_played_on_with_seven_is_not_asked_again_until_the_leaders_change():
    g = play(engine.adjust(table(), "stark", "army/stark", "castles:stark:5"), "lannister play-on")
    g = engine.adjust(g, "stark", "army/lannister", "power:lannister:1")
    assert g.question.step == "planning"
    g = engine.adjust(g, "stark", "army/lannister", "castles:lannister:6")
    assert g.question.step == "ending"


@pytest.mark.rule("BASE-09")
def test_who_has_played_on_with_seven_plays_the_next_round_too():
    g = play(engine.adjust(table(), "stark", "army/stark", "castles:stark:5"), "lannister play-on")
    g = end_of_round(g, stark=7, lannister=1, baratheon=1)
    assert (g.result, g.round, g.question.step) == (None, 2, "westeros")
    assert end_of_round(g, stark=7, lannister=7, baratheon=1).question.step == "reckoning"
    g.round = 10
    assert end_of_round(g, stark=7, lannister=1, baratheon=1).result["winner"] == "stark"


@pytest.mark.rule("BASE-09")
def test_on_the_map_too_seven_with_which_the_table_plays_on_win_no_round():
    six = "winterfell:F white-harbor:F moat-cailin:F flints-finger:F riverrun:F harrenhal:F"
    g = at(field(3, stark=f"{six} the-eyrie:F", lannister="lannisport:F"), "marches", played_on=("stark",))
    area_control.recount(g)
    while g.question.step == "marches":
        g = play(g, f"{engine.to_act(g)[0]} no-march")
    assert (g.result, g.points("stark")) == (None, 7)
    g = at(g, "realms")
    assert (g.result, g.round, g.question.step) == (None, 2, "westeros")


@pytest.mark.rule("BASE-09")
def test_who_ties_with_seven_may_play_on_after_a_correction():
    """The tie of a fifth round is counted; a correction breaks it, and the table plays on with it."""
    g = table()
    g.round = 5
    g = end_of_round(g, stark=7, lannister=7, baratheon=1)
    g = engine.adjust(g, "baratheon", "army/stark", "castles:stark:-1")
    assert asks(g) == "ending stark baratheon"
    g = play(g, "stark play-on")
    assert (g.result, g.round, g.question.step) == (None, 6, "westeros")


@pytest.mark.rule("BASE-09")
def test_a_tie_with_seven_that_was_a_mistake_ends_no_game():
    g = table()
    g.round = 5
    g = end_of_round(g, stark=7, lannister=7, baratheon=1)
    for seat in ("stark", "lannister"):
        g = engine.adjust(g, "baratheon", f"army/{seat}", f"castles:{seat}:-1")
    assert (g.result, g.round, g.question.step) == (None, 6, "westeros")


def last_round():
    """The tenth round is over with a tie of Stark and Lannister, and Lannister has counted its land."""
    g = table()
    g.round = 10
    g = end_of_round(g, stark=2, lannister=2, baratheon=1)
    return play(g, "lannister land:4")


@pytest.mark.rule("BASE-09")
def test_a_correction_that_ends_the_last_round_is_asked_about_and_cannot_be_played_on():
    g = engine.adjust(last_round(), "stark", "army/stark", "castles:stark:1")
    assert (asks(g), g.result) == ("ending lannister baratheon", None)
    assert offered(g, "lannister") == ["end-match"]
    step = engine.step_of(g)
    assert str(step.asking(g, "lannister")) == (
        "With this correction the game ends, as round ten is over. End it?"
    )
    assert str(step.helping(g, "lannister")) == (
        "Stark would win: Stark 3, Lannister 2, Baratheon 1. If the correction is wrong, undo it instead."
    )
    g = play(g, "lannister end-match", "baratheon end-match")
    assert (g.result["winner"], g.result["how"]) == ("stark", "castles")


@pytest.mark.rule("BASE-09")
def test_a_further_correction_that_ties_again_asks_for_the_land_again():
    g = engine.adjust(last_round(), "stark", "army/stark", "castles:stark:1")
    g = engine.adjust(g, "lannister", "army/lannister", "castles:lannister:1")
    assert (asks(g), g.result) == ("reckoning stark", None)


@pytest.mark.rule("BASE-09")
def test_seven_by_a_correction_cannot_be_played_on_when_the_last_round_is_over():
    g = engine.adjust(last_round(), "stark", "army/stark", "castles:stark:5")
    assert (asks(g), offered(g, "lannister")) == ("ending lannister baratheon", ["end-match"])
    g = play(g, "lannister end-match", "baratheon end-match")
    assert (g.result["winner"], g.result["how"]) == ("stark", "seven")


@pytest.mark.rule("BASE-09")
def test_the_last_unit_with_an_order_corrected_away_does_not_end_the_game_by_itself():
    g = at(field(3, stark="winterfell:F"), "consolidation", round=10)
    area_control.recount(g)
    g = engine.adjust(g, "lannister", "objective/winterfell", "footman:winterfell-of-stark:-1")
    winner = g.turn_order[0]
    others = [seat for seat in g.seats if seat != winner]
    assert (asks(g), offered(g, others[0])) == (" ".join(["ending", *others]), ["end-match"])
    g = play(g, *(f"{seat} end-match" for seat in others))
    assert (g.result["winner"], g.result["how"]) == (winner, "throne")


@pytest.mark.rule("BASE-09")
def test_seven_that_came_while_time_was_up_are_asked_about_afterwards():
    g = engine.adjust(table(), "stark", "table", "time-out")
    g = engine.adjust(g, "stark", "army/stark", "castles:stark:5")
    g = play(g, "lannister play-on")
    assert asks(g) == "ending lannister baratheon"
    assert str(engine.step_of(g).asking(g, "lannister")).startswith("Stark has seven castles and strongholds")
    assert play(g, "lannister play-on").question.step == "planning"


def test_that_time_is_up_is_asked_of_all_others_with_the_result():
    g = engine.adjust(table(), "stark", "table", "time-out")
    assert (asks(g), g.result, offered(g, "stark")) == ("ending lannister baratheon", None, [])
    step = engine.step_of(g)
    assert str(step.asking(g, "lannister")) == "Time is up. End the game with this score?"
    assert str(step.helping(g, "lannister")) == (
        "Proposed by Stark: end the match here. Stark would win: Stark 2, Lannister 1, Baratheon 1."
    )
    assert asks(play(g, "baratheon play-on")) == "planning stark lannister baratheon"
    g = play(g, "baratheon end-match", "lannister end-match")
    assert (g.result["winner"], g.result["how"]) == ("stark", "time-out")


@pytest.mark.rule("BASE-09")
def test_with_a_tie_when_time_is_up_land_areas_are_counted_before_supply():
    g = table()
    g.armies["baratheon"].supply = 6
    g = engine.adjust(g, "stark", "army/stark", "castles:stark:-1")
    g = play(g, "stark placed")
    g = engine.adjust(g, "stark", "table", "time-out")
    assert str(engine.step_of(g).helping(g, "lannister")) == (
        "Proposed by Stark: end the match here. A tie, counting land areas: Stark, Lannister, Baratheon"
    )
    g = play(g, "baratheon end-match", "lannister end-match")
    assert asks(g) == "timed-reckoning stark lannister baratheon"
    assert SYSTEM.derived_facts(g, None)["phase"] == "Planning phase"
    g = play(g, "stark land:3", "lannister land:5", "baratheon land:4")
    assert (g.result["winner"], g.result["how"]) == ("lannister", "time-out")
    assert SYSTEM.tie_breaks(g, "lannister")["land_areas"] == 5


@pytest.mark.rule("BASE-09")
def test_a_correction_that_breaks_a_tie_on_time_ends_no_game_by_itself():
    g = engine.adjust(table(), "stark", "army/stark", "castles:stark:-1")
    g = engine.adjust(g, "stark", "table", "time-out")
    g = play(g, "baratheon end-match", "lannister end-match")
    g = engine.adjust(g, "stark", "army/stark", "castles:stark:1")
    assert asks(g) == "timed-reckoning stark lannister baratheon"
    g = play(g, "stark land:1", "lannister land:5", "baratheon land:4")
    assert (g.result["winner"], g.result["how"]) == ("stark", "time-out")


def test_an_organiser_waits_for_no_land_areas():
    g = engine.adjust(table(), "stark", "army/stark", "castles:stark:-1")
    g = engine.adjust(g, "", "table", "time-out")
    assert g.result["how"] == "time-out"


def test_an_answer_that_time_is_up_leaves_the_question_to_the_others_as_it_is():
    g = engine.adjust(table(), "stark", "table", "time-out")
    assert play(g, "baratheon end-match").question == g.question


def test_castles_counted_again_ask_everybody_again_whether_time_is_up():
    g = engine.adjust(table(), "stark", "table", "time-out")
    g = play(g, "baratheon end-match")
    g = engine.adjust(g, "lannister", "army/lannister", "castles:lannister:3")
    assert asks(g) == "ending stark lannister baratheon"


def test_an_organiser_says_that_time_is_up_and_it_is():
    g = engine.adjust(table(), "", "table", "time-out")
    assert (g.result["winner"], g.result["how"]) == ("stark", "time-out")


def test_playing_on_past_the_time_does_not_answer_for_seven_castles():
    g = play(engine.adjust(table(), "stark", "table", "time-out"), "lannister play-on")
    g = engine.adjust(g, "stark", "army/stark", "castles:stark:5")
    assert asks(g) == "ending lannister baratheon"
