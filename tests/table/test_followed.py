"""What came of the newest answer stands beside the next question: a tie, or that a phase is over."""

from __future__ import annotations

import re

import pytest

from games import translation
from games.live.hub import Audience
from games.match import undoing
from games.models import Match
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.templating import part
from tests.browser import driving
from tests.playing import Playing

pytestmark = pytest.mark.django_db

READY = "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n"


def followed(match: Match, *seats: str) -> str:
    """What a phone with these seats is told beside its question."""
    match.refresh_from_db()
    return boards.board(Table(match), Audience(seats, "en", "table")).followed


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Bo is ready. Bo must agree"), ("zh-hans", "Bo 已就绪。需要 Bo 同意")],
)
def test_who_must_agree_to_an_undo_goes_on_after_the_action(language: str, said: str) -> None:
    match = driving.opened("red demo:stark\nblue demo:lannister\nred ready\nblue ready\n")
    match.refresh_from_db()
    with translation.override_game(match.system, language):
        drawn = part(
            "table/bar.html", board=boards.board(Table(match), Audience(("red",), language, "table"))
        )
    assert said in re.sub(r"<[^>]+>", "", drawn)


def test_a_tie_is_told_to_both_before_they_roll_again() -> None:
    match = driving.opened(READY + "red rolled:3\nblue rolled:3\n")
    assert [followed(match, seat) for seat in ("red", "blue")] == ["A tie. Both roll again."] * 2


def test_what_the_answer_says_itself_is_not_told_twice() -> None:
    match = driving.opened(READY + "red rolled:3\n")
    assert followed(match, "red") == ""


def test_a_spectator_reads_the_last_line_and_no_more() -> None:
    match = driving.opened(READY + "red rolled:3\nblue rolled:3\n")
    assert followed(match) == ""


def test_what_followed_a_correction_is_seen_on_the_board() -> None:
    match = driving.opened(driving.SET_UP + "red activate:eddards-honor-guard\n")
    path = "unit/eddards-honor-guard"
    action = "claim:eddards-honor-guard:centre"
    Playing(match).adjust("red", path, action)
    assert followed(match, "blue") == ""


def test_whoever_asked_for_an_undo_is_told_that_it_was_declined() -> None:
    match = driving.opened(READY + "red rolled:3\n")
    undoing.ask(match.code, "blue", match.version, "undo-key-1")
    assert followed(match, "blue") == ""
    undoing.answer(match.code, "red", agrees=False, key="undo-key-2")
    assert [followed(match, seat) for seat in ("red", "blue")] == ["Ada declines the undo."] * 2
    Playing(match).tap("blue", "rolled:5")
    assert "undo" not in followed(match, "blue")


def test_what_was_undone_is_told_to_both() -> None:
    match = driving.opened(READY + "red rolled:3\n")
    undoing.ask(match.code, "red", match.version, "undo-key-1")
    assert followed(match, "blue").startswith("Ada undoes: Ada rolled 3")
