"""A page that stays open while the server is upgraded, or a backup is brought back: it is reloaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client, override_settings

from games.live.hub import read_stream_token, stream_token
from games.match import play
from games.models import Match
from games.web import program as programs
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
    found = (re.search(rf'data-{name}="([^"]+)"', page) for name in ("news", "source"))
    board, stream = (one[1].replace("&amp;", "&") for one in found)
    return board, stream


@pytest.mark.parametrize("is_seated", [True, False])
def test_it_is_loaded_again_once_the_program_is_another(match: Match, is_seated: bool) -> None:
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


@pytest.fixture
def brings_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """A backup that is brought back, as far as pages are concerned."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)

    def bring_back() -> None:
        (tmp_path / programs.RESTORED).touch()
        monkeypatch.setattr(programs, "_table", 1)

    return bring_back


def test_it_is_loaded_again_where_the_same_version_may_be_another_board(
    match: Match, brings_back: Callable[[], None]
) -> None:
    phone = Phone()
    cast.sit(phone, match, "red")
    urls = asked_by(phone, match)
    brings_back()
    assert [phone.get(url).status_code for url in urls] == [410, 410]
    assert [phone.get(url).status_code for url in asked_by(phone, match)] == [200, 200]


@pytest.mark.parametrize("name", ["act", "adjust", "undo"])
def test_what_was_tapped_before_a_backup_was_brought_back_does_not_count(
    match: Match, brings_back: Callable[[], None], name: str
) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    match.refresh_from_db()
    page = red.get(f"/t/{match.code}/").content.decode()
    made_of = re.search(r'name="restored" value="([^"]+)"', page)[1]
    tap = {"action": "throw:rock", "change": "table end:time", "undo": "1", "seen": match.version}
    tap = {**tap, "key": "the-key-of-a-tap", "restored": made_of}
    brings_back()
    answer = red.post(f"/t/{match.code}/{name}", tap, headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "Something changed" in answer.content.decode()
    before = match.version
    match.refresh_from_db()
    assert match.version == before


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
