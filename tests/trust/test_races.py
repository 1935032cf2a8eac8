"""Many at once, on the real server: of those who cannot all be right, exactly one is."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from games.history import commits
from games.history.commits import Verdict
from games.match import play
from games.models import Entry, Match, Seat, SeatRequest
from games.people import seats
from tests.conftest import Server
from tests.trust import cast
from tests.trust.cast import BLUE, OPEN, Phone
from tests.trust.sockets import Answer, Browser, Listener, at_once


@pytest.fixture
def table(server: Server) -> Match:
    """A table whose first seat is taken."""
    return cast.open_table(Phone())


def seated(server: Server, match: Match, key: str) -> Browser:
    """A phone that has claimed this seat."""
    phone = Browser(server.port)
    answer = phone.post(cast.link(match, key), {"name": ""})
    assert answer.status == 302
    return phone


def test_many_phones_race_for_one_link_and_one_sits(server: Server, table: Match):
    path, count = cast.link(table, BLUE), 8
    phones = [Browser(server.port) for _phone in range(count)]
    for phone in phones:
        phone.get(path)
    answers = at_once([lambda phone=phone: phone.post(path, {"name": ""}) for phone in phones])
    assert sorted(answer.status for answer in answers) == [302] + [409] * (count - 1)
    holding = [phone for phone in phones if b'<form id="table"' in phone.get(f"/t/{table.code}/").body]
    assert len(holding) == 1


def test_a_guest_who_presses_twice_sits_down_once(server: Server, table: Match):
    """Both answers lead to the table: a browser shows the second, and may have discarded the first."""
    red, path = seated(server, table, BLUE), f"/t/{table.code}/join"
    for _time in range(5):
        table.seats.filter(key=OPEN).update(is_taken=False, claimed_at=None, epoch=F("epoch") + 1)
        cast.rest()
        guest = Browser(server.port)
        form = {"name": "Guest", "seat": OPEN, "key": key_on(guest, path)}
        assert guest.post(path, form).status == 302
        asked = SeatRequest.objects.get(seat__match=table)
        red.post(f"/t/{table.code}/guests", {"let_in": str(asked.pk), "key": "let-the-guest-in"})
        form, told = {"key": key_on(guest, path)}, table.entries.count()
        fingers = [Browser(server.port, guest.cookies) for _finger in range(2)]
        answers = at_once([lambda finger=finger, form=form: finger.post(path, form) for finger in fingers])
        assert [answer.status for answer in answers] == [302, 302]
        assert table.entries.count() == told + 1, "sitting down is told once"
        for finger in fingers:
            assert b'<form id="table"' in finger.get(f"/t/{table.code}/").body


def key_on(phone: Browser, path: str) -> str:
    """The key in a page's form."""
    return re.search(rb'name="key" value="([\w-]{8,64})"', phone.get(path).body)[1].decode()


def test_the_old_phones_stream_ends_when_its_seat_moves(server: Server, table: Match):
    old, new, guest = seated(server, table, BLUE), Browser(server.port), Browser(server.port)
    address = old.stream_of(table.code)
    with (
        Listener(server.port, address) as stream,
        Listener(server.port, guest.stream_of(table.code)) as others,
    ):
        assert stream.board()
        assert others.board()
        page = old.post(f"/t/{table.code}/seats/move", {"seat": BLUE}).body.decode()
        code = re.search(r'role="status"><p class="code">([A-Z2-9]{6})</p>', page)[1]
        assert new.post(f"/t/{table.code}/join/move", {"code": code}).status == 302
        assert stream.board() is None, "the old phone is still told what only the seat may see"
        assert others.is_open
    with Listener(server.port, address) as again:
        assert again.status == 403
    with Listener(server.port, new.stream_of(table.code)) as mine:
        assert mine.board()


def tap(phone: Browser, match: Match, key: str, amount: int = 1) -> Answer:
    """A bid as the page sends it."""
    return phone.post(f"/t/{match.code}/act", cast.bid(match, amount, key), HX_Request="true")


def test_a_double_tap_counts_once_and_both_answers_say_so(server: Server, table: Match):
    blue = seated(server, table, BLUE)
    fingers = [Browser(server.port, blue.cookies) for _finger in range(2)]
    table.refresh_from_db()
    answers = at_once([lambda finger=finger: tap(finger, table, "double-tap") for finger in fingers])
    assert [answer.status for answer in answers] == [200, 200]
    replays = [answer.headers["Idempotent-Replay"] for answer in answers]
    assert sorted(replays, key=str) == ["1", None]
    assert Entry.objects.filter(match=table, kind=Entry.Kind.TAP).count() == 1
    assert answers[0].body == answers[1].body


def test_of_many_answers_to_one_question_one_is_accepted(server: Server, table: Match):
    blue, count = seated(server, table, BLUE), 8
    fingers = [Browser(server.port, blue.cookies) for _finger in range(count)]
    table.refresh_from_db()
    answers = at_once(
        [
            lambda finger=finger, n=n: tap(finger, table, f"answer-no-{n}", n % 6)
            for n, finger in enumerate(fingers)
        ]
    )
    assert sorted(answer.status for answer in answers) == [200] + [409] * (count - 1)
    refused = [answer for answer in answers if answer.status == 409]
    assert all(b"It is not your turn" in answer.body for answer in refused)
    assert Entry.objects.filter(match=table, kind=Entry.Kind.TAP).count() == 1


def test_secret_answers_at_the_same_time_are_all_accepted(server: Server):
    houses = ("stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell")
    match = play.open_match("auction", "tracks", {house: house.title() for house in houses})
    phones = [seated(server, match, house) for house in houses]
    match.refresh_from_db()
    answers = at_once(
        [lambda phone=phone, n=n: tap(phone, match, "one-bid-each", n % 6) for n, phone in enumerate(phones)]
    )
    assert [answer.status for answer in answers] == [200] * len(houses)
    entries = Entry.objects.filter(match=match, kind=Entry.Kind.TAP)
    assert sorted(entries.values_list("seat", flat=True)) == sorted(houses)
    versions = list(Entry.objects.filter(match=match).values_list("version", flat=True))
    match.refresh_from_db()
    assert versions == list(range(1, match.version + 1))


def test_a_tap_that_waits_while_its_seat_is_freed_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch):
    """In real life: the request that frees the seat holds the lock, and the tap has found its seat before."""
    match = cast.open_table(cast.Phone())
    phone, told = Browser(server.port), []
    assert phone.post(cast.link(match, BLUE), {"name": ""}).status == 302
    match.refresh_from_db()
    before = Entry.objects.filter(match=match).count()
    form, is_next = cast.bid(match, key="waits-for-the-lock"), threading.Event()
    transact = commits._in_one_transaction

    def after_its_seat_was_found(*action: Any, **more: Any) -> Verdict:
        is_next.set()
        return transact(*action, **more)

    monkeypatch.setattr(commits, "_in_one_transaction", after_its_seat_was_found)

    def tap() -> None:
        told.append(phone.post(f"/t/{match.code}/act", form, HX_Request="true"))

    waiting = threading.Thread(target=tap)
    with transaction.atomic():
        play.lock_match(match.code)
        waiting.start()
        assert is_next.wait(20)
        seats.revoke(Seat.objects.select_related("match").get(match=match, key=BLUE))
    waiting.join(30)
    answer: Answer = told[0]
    assert answer.status == 403
    assert b"This device does not have that seat." in answer.body
    assert Entry.objects.filter(match=match).count() == before
