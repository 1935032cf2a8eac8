"""Ends that a player notes: the other side agrees to the result, a concession asks nobody else."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.rules import end_of_match
from games.systems.tmg.tests.tables import infantry, play, table
from tests.positions import asks, offered


def noted(action, seat="red"):
    """A position of 3 to 1 in which this seat ("" the organiser) has noted an end on the table's sheet."""
    g = table()
    g.score("red", 3, "test")
    g.score("blue", 1, "test")
    path = "army/red" if action.startswith("concede") else "table"
    return engine.adjust(g, seat, path, action)


def told(g, seat):
    """The open question and its help, as this seat reads them."""
    step = engine.step_of(g)
    return f"{step.asking(g, seat)} {step.helping(g, seat)}"


@pytest.mark.rule("TMG-86")
@pytest.mark.parametrize("author", ["red", "blue"])
def test_a_concession_asks_nobody_but_who_concedes(author):
    g = noted("concede:red", author)
    assert (asks(g), offered(g, "blue")) == ("ending red", [])
    assert told(g, "red") == "Red concedes. End the match? Blue would win: Red 3, Blue 1."
    with pytest.raises(IllegalAction):
        play(g, "blue end-match")
    g = play(g, "red end-match")
    assert g.result == {"winner": "blue", "how": "concession", "points": {"red": 3, "blue": 1}}


@pytest.mark.rule("TMG-86")
def test_a_concession_can_be_taken_back_and_the_game_goes_on():
    assert asks(play(noted("concede:red"), "red play-on")) == "turn red"


@pytest.mark.rule("TMG-86")
def test_when_time_is_up_the_points_stand():
    g = noted("time-out")
    assert (g.result, asks(g), offered(g, "red")) == (None, "ending blue", [])
    assert play(g, "blue end-match").result == {
        "winner": "red",
        "how": "time-out",
        "points": {"red": 3, "blue": 1},
    }


@pytest.mark.rule("TMG-86")
def test_time_up_while_level_names_who_would_win_by_army_points():
    g = table([infantry("wolves", cost=6)], [infantry("lions", cost=7)])
    g = engine.adjust(g, "blue", "table", "time-out")
    assert told(g, "red") == (
        "Time is up. End the match with this score? Proposed by Blue: end the match here. "
        "Tied in Victory Points, Blue would win by army points still in play."
    )
    drawn = engine.adjust(table(), "blue", "table", "time-out")
    assert told(drawn, "red").endswith("It would be a draw: Red 0, Blue 0.")


@pytest.mark.rule("TMG-86")
@pytest.mark.parametrize(("who", "winner"), [("blue", "blue"), ("red", "red"), ("draw", None)])
def test_an_adjudication_stands_whatever_the_points_once_the_other_agrees(who, winner):
    g = noted(f"adjudicate:{who}", "blue")
    assert (g.result, asks(g), offered(g, "blue")) == (None, "ending red", [])
    assert asks(play(g, "red play-on")) == "turn red"
    g = play(g, "red end-match")
    assert (g.result["winner"], g.result["how"]) == (winner, "adjudication")


@pytest.mark.rule("TMG-86")
@pytest.mark.parametrize(
    ("action", "winner"), [("time-out", "red"), ("adjudicate:blue", "blue"), ("concede:red", "blue")]
)
def test_an_organiser_decides_at_once(action, winner):
    g = noted(action, seat="")
    assert (g.result["winner"], engine.to_act(g)) == (winner, ())


@pytest.mark.rule("TMG-86")
def test_a_result_that_changes_while_it_is_asked_about_asks_both_again():
    """Blue cannot let Red agree to 3 to 1, correct the points and end the match at 3 to 5 alone."""
    g = engine.adjust(noted("time-out"), "blue", "army/blue", "points:blue:4", "a token forgotten")
    assert asks(g) == "ending red blue"
    g = play(g, "blue end-match")
    assert (g.result, asks(g)) == (None, "ending red")
    assert told(g, "red").endswith("Proposed by Blue: end the match here. Blue would win: Red 3, Blue 5.")
    assert play(g, "red end-match").result["winner"] == "blue"


@pytest.mark.rule("TMG-86")
def test_what_was_agreed_to_once_does_not_count_the_next_time():
    g = play(noted("time-out"), "blue play-on")
    g = engine.adjust(g, "blue", "table", "time-out")
    assert (g.result, asks(g)) == (None, "ending red")


@pytest.mark.rule("TMG-86")
@pytest.mark.parametrize("about", [("time-out",), ("adjudication", "red"), ("adjudication",)])
def test_an_end_that_waited_before_there_were_words_of_both_asks_both(about):
    """A match whose question was stored without anybody's agreement goes on as it is."""
    g = table()
    g.call(end_of_match.Ending(*about))
    assert asks(g) == "ending red blue"
    g = play(g, "red end-match")
    assert (g.result, asks(g)) == (None, "ending blue")
    assert play(g, "blue end-match").result["how"] == about[0]


@pytest.mark.rule("TMG-87")
def test_a_match_that_is_over_is_not_ended_again_and_no_word_of_it_is_left():
    def ends(g):
        found = (one.action for path in ("table", "army/red") for one in engine.corrections(g, path))
        return {action for action in found if action.startswith(("time-out", "adjudicate", "concede"))}

    assert ends(table()) == {
        "time-out",
        "adjudicate:red",
        "adjudicate:blue",
        "adjudicate:draw",
        "concede:red",
    }
    g = play(noted("time-out"), "blue end-match")
    assert (g.result["winner"], ends(g)) == ("red", set())
    assert [army.ends for army in g.armies.values()] == ["", ""]
