"""A seat belongs to the phone that claimed it: links, moves, requests, revocation, no secret elsewhere."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone

from config.logs import JsonLine, PlainLine
from games.history.signals import seat_freed
from games.models import Match, Seat, SeatRequest
from games.people import seats
from tests.hearing import heard
from tests.trust import cast, twins
from tests.trust.cast import BLUE, OPEN, RED, Phone, World

BOTS = (
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0",
    "facebookexternalhit/1.1",
    "Mozilla/5.0 (compatible; Discordbot/2.0)",
    "SkypeUriPreview Preview/0.5",
)


def seat_of(match: Match, key: str) -> Seat:
    return Seat.objects.select_related("match").get(match=match, key=key)


def is_seated(phone: Phone, match: Match) -> bool:
    """Whether the table's page gives this phone something to tap with."""
    return b'<form id="table"' in phone.ask("GET", reverse("table", args=[match.code])).content


# --- the one-time link ----------------------------------------------------------------------------


def test_looking_at_a_link_uses_nothing_up(world: World):
    before, path = world.fingerprint(), cast.link(world.match, OPEN)
    for bot in BOTS:
        for method in ("GET", "HEAD", "OPTIONS"):
            for headers in ({}, {"Sec_Purpose": "prefetch"}, {"Purpose": "preview"}):
                answer = Phone().ask(method, path, User_Agent=bot, **headers)
                assert answer.status_code in (200, 405)
                assert settings.SESSION_COOKIE_NAME not in answer.cookies
    assert world.fingerprint() == before
    assert b"Then this device has the seat." in Phone().ask("GET", path).content
    cast.sit(Phone(), world.match, OPEN)
    assert seat_of(world.match, OPEN).is_taken


def test_a_link_works_once(world: World):
    path = cast.link(world.match, OPEN)
    first, second = Phone(), Phone()
    assert first.ask("POST", path, {"name": "First"}).status_code == 302
    before = world.fingerprint()
    assert second.ask("GET", path).status_code == 409, "said before anything is typed"
    assert first.ask("GET", path).status_code == 200
    refused = second.ask("POST", path, {"name": "Second"})
    assert refused.status_code == 409
    assert "The player who has it can move it" in refused.content.decode()
    assert is_seated(first, world.match)
    assert not is_seated(second, world.match)
    assert world.fingerprint() == before


def test_the_holder_may_open_the_link_again(world: World):
    path = cast.link(world.match, OPEN)
    phone = Phone()
    for _time in range(2):
        assert phone.ask("POST", path, {"name": "First"}).status_code == 302
    assert is_seated(phone, world.match)


def test_a_bad_name_does_not_use_the_link_up(world: World):
    path, phone = cast.link(world.match, OPEN), Phone()
    refused = phone.ask("POST", path, {"name": "\u202egnp.exe"})
    assert refused.status_code == 422
    assert "reverse its direction" in refused.content.decode()
    assert phone.ask("POST", path, {"name": "Greyjoy"}).status_code == 302


def test_the_secret_leaves_the_address_bar(world: World):
    path = cast.link(world.match, OPEN)
    secret = path.rpartition("/")[2]
    phone = Phone()
    answer = phone.ask("POST", path, {"name": "Third"})
    assert secret not in answer["Location"]
    assert secret not in phone.ask("GET", answer["Location"]).content.decode()
    assert answer.headers["Referrer-Policy"] == "strict-origin"


def test_the_session_is_another_one_after_sitting_down(world: World):
    phone = Phone()
    phone.ask("POST", reverse("join", args=[world.code]), {"name": "Guest", "seat": OPEN})
    planted = phone.twin()
    before = phone.cookies[settings.SESSION_COOKIE_NAME].value
    cast.sit(phone, world.match, OPEN)
    assert phone.cookies[settings.SESSION_COOKIE_NAME].value != before
    assert is_seated(phone, world.match)
    assert not is_seated(planted, world.match)


def test_a_link_of_one_table_opens_no_other(world: World):
    """Even if keys, numbers and epochs of two seats agree, as after starting over with an empty database."""
    seat = seat_of(world.match, OPEN)
    old_link, old_token = seats.link_secret(seat), seats.api_token(seat)
    Match.objects.filter(pk=world.match.pk).update(code="NEWTAB")
    seat = seat_of(world.match, OPEN)
    assert seats.link_secret(seat) != old_link
    assert seats.api_token(seat) != old_token


# --- losing and moving a seat ---------------------------------------------------------------------


def moving_code(phone: Phone, match: Match, key: str = RED) -> str:
    page = phone.ask("POST", reverse("move", args=[match.code]), {"seat": key}).content.decode()
    return re.search(r'role="status"><p class="code">([A-Z2-9]{6})</p>', page)[1]


def move_to(phone: Phone, match: Match, code: str) -> int:
    return phone.ask("POST", reverse("move-here", args=[match.code]), {"code": code}).status_code


def test_whoever_gives_the_seat_up_has_lost_it_at_the_next_request(world: World):
    red, path = world.phones["red"], reverse("act", args=[world.code])
    elsewhere = red.twin()
    red.ask("POST", reverse("free", args=[world.code]), {"seat": RED})
    before = world.fingerprint()
    for phone in (red, elsewhere):
        assert phone.ask("POST", path, cast.bid(world.match)).status_code == 403
        assert not is_seated(phone, world.match)
    assert world.fingerprint() == before


def test_a_revoked_seat_has_another_link_and_another_token(world: World):
    seat = seat_of(world.match, OPEN)
    old = cast.link(world.match, OPEN), seats.api_token(seat)
    seats.revoke(seat)
    assert Phone().ask("POST", old[0], {"name": "X"}).status_code == 404
    assert seats.api_token(seat_of(world.match, OPEN)) != old[1]


def test_a_seat_moves_by_its_short_code_once(world: World):
    red, tablet, third = world.phones["red"], Phone(), Phone()
    code = moving_code(red, world.match)
    assert is_seated(red, world.match)
    assert move_to(tablet, world.match, f" {code.lower()} ") == 302
    assert is_seated(tablet, world.match)
    assert not is_seated(red, world.match)
    assert move_to(third, world.match, code) == 404
    assert not is_seated(third, world.match)


@pytest.fixture
def freed_seats() -> Iterator[list[tuple[object, ...]]]:
    with heard(seat_freed, "code", "seat", "epoch") as told:
        yield told


def test_who_keeps_their_seat_because_nothing_can_be_saved_keeps_their_stream(
    world: World,
    freed_seats: list[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,
):
    """A seat is freed and taken in one transaction: if that is not saved, it has ended nothing."""
    told = freed_seats
    red, code = seat_of(world.match, RED), moving_code(world.phones["red"], world.match)

    def fails(*_arguments: object, **_options: object) -> bool:
        raise OperationalError("the disk is full")

    with django_capture_on_commit_callbacks(execute=True), monkeypatch.context() as full:
        full.setattr(seats, "sit_down", fails)
        assert move_to(Phone(), world.match, code) == 503
    assert told == []
    assert is_seated(world.phones["red"], world.match)
    with django_capture_on_commit_callbacks(execute=True):
        assert move_to(Phone(), world.match, code) == 302
    assert told == [(world.code, RED, red.epoch)]


def test_a_moving_code_lives_five_minutes(world: World):
    code, tablet = moving_code(world.phones["red"], world.match), Phone()
    minutes = seat_of(world.match, RED).move_until - timezone.now()
    assert timedelta(minutes=4) < minutes <= timedelta(minutes=5)
    Seat.objects.filter(match=world.match, key=RED).update(move_until=timezone.now() - timedelta(seconds=1))
    assert move_to(tablet, world.match, code) == 404
    assert is_seated(world.phones["red"], world.match)


def test_a_new_moving_code_ends_the_old_one(world: World):
    old, new = (moving_code(world.phones["red"], world.match) for _time in range(2))
    assert move_to(Phone(), world.match, old) == 404
    assert move_to(Phone(), world.match, new) == 302


def test_a_wrong_moving_code_is_answered_where_it_was_typed(world: World):
    path = reverse("move-here", args=[world.code])
    page = Phone().ask("POST", path, {"code": "AAAAAA"}).content.decode()
    assert "Wrong or expired code" in page
    assert f'action="{path}"' in page


def test_who_looks_on_is_shown_the_way_to_an_open_seat(world: World):
    way = f'href="{reverse("join", args=[world.code])}"'

    def ways(phone: Phone) -> int:
        return phone.ask("GET", reverse("table", args=[world.code])).content.decode().count(way)

    assert ways(Phone()) == 2, "in the menu and in the thumb bar"
    assert ways(world.phones["red"]) == 0
    cast.sit(Phone(), world.match, OPEN)
    assert ways(Phone()) == 1, "a seat can still be moved here"
    Seat.objects.filter(match=world.match).update(is_taken=False)
    assert ways(Phone()) == 1, "nobody sits here who could grant one"


def test_a_moving_code_is_for_its_own_table(world: World):
    code = moving_code(world.phones["red"], world.match)
    assert move_to(Phone(), world.other, code) == 404


# --- asking for a seat ----------------------------------------------------------------------------


def ask_for(phone: Phone, match: Match, key: str, name: str = "Guest") -> int:
    path = reverse("join", args=[match.code])
    return phone.ask("POST", path, {"name": name, "seat": key}).status_code


def grant(phone: Phone, request: SeatRequest) -> int:
    path = reverse("guests", args=[request.seat.match.code])
    return phone.ask("POST", path, {"let_in": str(request.pk)}).status_code


def sit_down(phone: Phone, match: Match) -> int:
    return phone.ask("POST", reverse("join", args=[match.code])).status_code


def test_asking_gives_nothing_and_granting_gives_the_seat(world: World):
    watcher, before = world.phones["watcher"], world.fingerprint()
    assert not is_seated(watcher, world.match)
    assert world.fingerprint() == before
    assert grant(world.phones["red"], cast.request_of(world.match)) == 302
    assert not is_seated(watcher, world.match)
    assert sit_down(watcher, world.match) == 302
    assert is_seated(watcher, world.match)
    assert not SeatRequest.objects.filter(seat__match=world.match).exists()


def test_only_the_asker_sits_down_on_what_was_granted(world: World):
    grant(world.phones["red"], cast.request_of(world.match))
    other = Phone()
    answer = other.ask("POST", reverse("join", args=[world.code]))
    assert answer.status_code == 422
    assert not is_seated(other, world.match)


def test_of_two_who_were_granted_one_seat_the_first_sits_and_the_other_may_ask_again(world: World):
    watcher, late = world.phones["watcher"], Phone()
    ask_for(late, world.match, OPEN, "Late")
    for request in SeatRequest.objects.filter(seat__match=world.match):
        grant(world.phones["red"], request)
    assert sit_down(watcher, world.match) == 302
    assert sit_down(late, world.match) in (409, 422)
    assert not is_seated(late, world.match)
    page = late.ask("GET", reverse("join", args=[world.code])).content.decode()
    assert "Every seat is taken." in page


def test_what_was_granted_before_a_seat_was_had_and_freed_is_granted_no_more(world: World):
    watcher, stranger = world.phones["watcher"], Phone()
    ask_for(stranger, world.match, OPEN, "Elsewhere")
    SeatRequest.objects.filter(name="Elsewhere").update(seat=seat_of(world.other, OPEN))
    grant(world.phones["red"], cast.request_of_name(world.match, "Guest"))
    Seat.objects.filter(match=world.match, key=OPEN).update(is_taken=True)
    seats.revoke(seat_of(world.match, OPEN))
    assert sit_down(watcher, world.match) in (409, 422)
    assert not is_seated(watcher, world.match)
    assert SeatRequest.objects.filter(name="Elsewhere").exists(), "it is another table's"


def test_who_asked_for_two_seats_gets_the_one_that_was_granted(world: World):
    world.phones["blue"].ask("POST", reverse("free", args=[world.code]), {"seat": BLUE})
    guest = Phone()
    for key in (BLUE, OPEN):
        assert ask_for(guest, world.match, key) == 302
    grant(
        world.phones["red"], SeatRequest.objects.filter(seat__match=world.match, seat__key=OPEN).latest("pk")
    )
    sit_down(guest, world.match)
    assert seat_of(world.match, OPEN).is_taken
    assert is_seated(guest, world.match)


def test_a_taken_seat_cannot_be_asked_for(world: World):
    before = world.fingerprint()
    guest = Phone()
    path = reverse("join", args=[world.code])
    answer = guest.ask("POST", path, {"name": "Guest", "seat": RED})
    assert answer.status_code == 409
    assert "This seat is taken" in answer.content.decode()
    assert world.fingerprint() == before


# --- where no secret is ---------------------------------------------------------------------------


def secrets_of(match: Match) -> dict[str, str]:
    found = {}
    for seat in Seat.objects.select_related("match").filter(match=match):
        found[f"link of {seat.key}"] = seats.link_secret(seat)
        found[f"token of {seat.key}"] = seats.api_token(seat)
    return found


def test_no_secret_stands_in_the_database(world: World):
    looked_for = secrets_of(world.match)
    looked_for["moving code"] = moving_code(world.phones["red"], world.match)
    stored = "\n".join(dump())
    assert world.code in stored
    assert [name for name, secret in looked_for.items() if secret in stored] == []


def dump() -> Iterator[str]:
    """Every row of every table as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                yield repr(row)


def test_no_secret_stands_in_a_fragment_or_on_a_page_that_others_see(world: World):
    looked_for = secrets_of(world.match)
    seats_page = reverse("seats", args=[world.code])
    for role, phone in world.phones.items():
        for address in cast.addresses():
            is_admin = address.route.startswith("admin/")
            # A request whose address holds the secret knows it already.
            if "<str:secret>" in address.route or (is_admin and role != "organiser"):
                continue
            # A page that names no table shows the same about it to everybody but organisers.
            if not address.route.startswith(twins.OF_A_TABLE) and role not in ("anon", "red", "organiser"):
                continue
            path = address.path(world.arguments(address.name))
            for look in twins.as_page_and_fragment(path):
                headers = {} if look == path else {"HX_Request": "true"}
                text = phone.ask("GET", path, **headers).content.decode(errors="backslashreplace")
                found = [name for name, secret in looked_for.items() if secret in text]
                is_invitation = path == seats_page and role in ("red", "blue")
                assert found == ([f"link of {OPEN}"] if is_invitation else []), (role, path)


@pytest.fixture
def log_lines() -> Iterator[list[str]]:
    """Everything that is logged, at any level, in both of our forms."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.extend(formatter.format(record) for formatter in (PlainLine(), JsonLine()))

    keep, loggers = Keep(), [logging.getLogger(name) for name in ("", "django", "uvicorn")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(keep)
        logger.setLevel(logging.DEBUG)
    yield lines
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(keep)
        logger.setLevel(level)


def test_no_secret_stands_in_a_log_line(world: World, log_lines: list[str], monkeypatch: pytest.MonkeyPatch):
    looked_for = secrets_of(world.match)
    path = cast.link(world.match, OPEN)
    phone = Phone(is_browser=True)
    phone.ask("POST", path, {"name": "Guest"})
    phone = Phone()
    phone.ask("GET", path + "x")
    phone.ask("PUT", path)
    phone.ask("GET", path, Referer=f"http://testserver{path}", HX_Current_URL=f"http://testserver{path}")
    monkeypatch.setattr("games.match.play.sit_down", lambda *args: 1 / 0)
    assert phone.ask("POST", path, {"name": "Guest"}).status_code == 500
    looked_for["moving code"] = moving_code(world.phones["red"], world.match)
    move_to(phone, world.match, looked_for["moving code"])
    stream = phone.ask("GET", reverse("stream", args=[world.code])).json()["url"]
    phone.ask("GET", stream)
    looked_for["stream"] = stream.rpartition("/")[2]
    text = "\n".join(log_lines)
    assert "ZeroDivisionError" in text
    assert world.code in text
    assert [name for name, secret in looked_for.items() if secret in text] == []
