"""The question of the thumb bar: who is asked, who waits for whom, and what it rests on."""

import re

import pytest

from games.live.hub import Audience
from games.match import play
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.view_models import Question
from tests.browser import driving
from tests.playing import tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})


def question(match, *seats):
    """What a phone of these seats is asked."""
    board = boards.board(Table(Match.objects.get(pk=match.pk)), Audience(seats, "en", "table"))
    return board.question


def told(match, *seats):
    asked = question(match, *seats)
    return asked.state, asked.mark, asked.title


@pytest.mark.parametrize(("count", "is_long"), [(11, False), (12, True)])
def test_a_question_is_long_if_one_part_of_it_may_need_two_lines(count, is_long):
    assert Question(f"问，{'题' * count}？", "ask").is_long is is_long


def test_who_is_asked_sees_a_question_of_their_own(match):
    state, mark, title = told(match, "blue")
    assert (state, mark) == ("ask", 2)
    assert not title.startswith("Waiting")
    assert question(match, "blue").groups


def test_several_are_waited_for_under_no_mark(match):
    assert told(match) == ("watch", 0, "Waiting for Ada, Bo")


def test_who_has_answered_waits_under_the_mark_of_the_other(match):
    tap(match, "red", "throw:rock")
    assert told(match, "red") == ("wait", 2, "Waiting for Bo")
    assert told(match) == ("watch", 2, "Waiting for Bo")
    assert question(match, "red").groups == ()


def test_of_a_match_that_is_over_nothing_is_asked(match):
    Match.objects.filter(pk=match.pk).update(result={"winner": None, "how": "", "points": {}})
    assert told(match, "red") == ("over", 0, "The match is over.")


def test_the_spaces_before_this_round_are_past():
    tmg = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    Match.objects.filter(pk=tmg.pk).update(round=2)
    shown = boards.board(Table(Match.objects.get(pk=tmg.pk)), Audience((), "en", "table"))
    assert [space.state for space in shown.header.track][:4] == ["past", "now", "", ""]


def test_what_speaks_to_its_author_does_not_name_them():
    names = {"stark": "Ann", "lannister": "Bo", "baratheon": "Cem"}
    match = play.open_match("agot", "orders", names, seed="orders")
    driving.do(match, "stark ready\nlannister ready\nbaratheon ready\nstark order:march-plus\n")
    labels = {}
    for seat in names:
        shown = boards.board(Table(Match.objects.get(pk=match.pk)), Audience((seat,), "en", "table"))
        labels[seat] = shown.undo.label
    assert labels["stark"] == "You place: March +1 ★ in Winterfell."
    assert labels["lannister"] == labels["baratheon"] == "Ann: Done in secret."


@pytest.mark.parametrize(
    ("slug", "names", "told"),
    [
        ("rps", {"red": "Ada", "blue": ""}, ["Red Ada", "Blue"]),
        ("agot", {"stark": "Ann", "lannister": "", "baratheon": ""}, ["Stark", "Lannister", "Baratheon"]),
    ],
)
def test_a_tab_says_its_colour_once(client, slug, names, told):
    match = play.open_match(slug, "plain" if slug == "rps" else "light", names)
    page = client.get(f"/t/{match.code}/").content.decode()
    heads = re.findall(r'<span class="who">(.*?)</span><span class="points">', page, re.S)
    assert [" ".join(re.sub(r"<[^>]*>", " ", head).split()) for head in heads] == told


def test_who_waits_for_others_has_in_the_bar_what_they_may_do_beside_the_question():
    """On a device of both, one such control is enough: it is in the bar, and no half asks for it again."""
    match = driving.opened(driving.SET_UP)
    turn = Table(Match.objects.get(pk=match.pk)).state.turn
    driving.play_until(match, lambda state: state.turn != turn)
    other = "red" if turn == "blue" else "blue"
    assert (question(match, turn).state, question(match, other).state) == ("wait", "ask")
    for seats in ((turn,), (other,), (turn, other)):
        offers = [offer for group in question(match, *seats).groups for offer in group.offers]
        assert [(one.action, one.tone) for one in offers if one.tone == "quiet"] == [("wait", "quiet")]
    board = boards.board(Table(Match.objects.get(pk=match.pk)), Audience((turn, other), "en", "table"))
    assert (board.seat, [side.key for side in board.sides if side.asked], board.hand_over) == (other, [], ())
    assert question(match).groups == ()


def test_whose_piece_acts_reads_what_to_enter_and_who_is_next():
    match = driving.opened(driving.SET_UP)
    driving.do(match, "red activate:crannogman-trackers")
    asked = question(match, "red")
    assert (asked.state, asked.mark, asked.doing) == ("wait", 1, "")
    assert "Crannogman Trackers" in asked.title
    assert asked.hint.endswith(question(match).hint)
    assert question(match, "blue").state == "ask"
