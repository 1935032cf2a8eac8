"""A page that stays open while the server is upgraded: it is loaded anew, and says so itself."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.test import Client, override_settings

from games.live.tickets import read_stream_token, stream_token
from games.match import play
from games.models import Match
from games.web.program import program
from tests.hubs import RED, WATCHER
from tests.trust import cast
from tests.trust.cast import Phone


@pytest.fixture
def match(db: None) -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})


def asked_by(phone: Phone | Client, match: Match) -> tuple[str, str]:
    """Where the page of a phone asks for its board, and for a stream."""
    page = phone.get(f"/t/{match.code}/").content.decode()
    found = (re.search(rf'data-{name}="([^"]+)"', page) for name in ("board", "stream-source"))
    board, stream = (one[1].replace("&amp;", "&") for one in found)
    return board, stream


@pytest.mark.parametrize("is_seated", [True, False])
def test_it_is_loaded_anew_once_the_program_is_another(match: Match, is_seated: bool) -> None:
    phone = Phone()
    if is_seated:
        cast.sit(phone, match, "red")
    board, stream = asked_by(phone, match)
    assert [phone.get(url).status_code for url in (board, stream)] == [200, 200]
    program.cache_clear()
    try:
        with override_settings(VERSION="99"):
            assert [phone.get(url).status_code for url in (board, stream)] == [410, 410]
            again = asked_by(phone, match)
            assert [phone.get(url).status_code for url in again] == [200, 200]
    finally:
        program.cache_clear()


def test_a_page_that_does_not_say_by_which_program_is_answered(match: Match) -> None:
    assert Client().get(urlsplit(asked_by(Client(), match)[0]).path).status_code == 200


@pytest.mark.parametrize(("audience", "epochs"), [(RED, (("red", 1),)), (WATCHER, ())])
def test_its_ticket_opens_no_stream_of_another_program(audience, epochs) -> None:  # type: ignore[no-untyped-def]
    """A spectator's is good for hours, and their page would never ask for another."""
    ticket = stream_token("M", epochs, audience)
    assert read_stream_token(ticket) is not None
    program.cache_clear()
    try:
        with override_settings(VERSION="99"):
            assert read_stream_token(ticket) is None
    finally:
        program.cache_clear()
    assert read_stream_token(ticket) is not None
