"""A commit that reached the disk without our hearing so: nobody is told that nothing was changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import pytest
from django.db import OperationalError, connection, connections
from django.http import HttpResponse
from django.test import Client

from games.hall import commands
from games.hall import event_undo as undoing
from games.hall.models import Event
from games.match import play
from games.models import Match
from games.people import seats
from games.web import database
from tests.hall import halls
from tests.server.test_health import CANNOT_SAVE, of_sqlite

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="breaks SQLite's own commit")


@contextmanager
def unheard() -> Iterator[list[int]]:
    """Every commit is carried out, but breaks off before anybody hears so; yields a list of them."""
    wrapper = type(connections["default"])
    commit, heard = wrapper._commit, []

    def breaks_off(own):
        commit(own)
        heard.append(1)
        raise of_sqlite(10)

    with mock.patch.object(wrapper, "_commit", breaks_off):
        yield heard


def test_who_tapped_is_not_told_that_nothing_changed_where_that_may_be_untrue(client, transactional_db):
    """A commit once begun may have reached the disk unnoticed; the same key finds out."""
    match = play.open_match("rps", "plain", {"red": "A", "blue": "B"})
    seat = match.seats.get(key="red")
    client.post(f"/t/{match.code}/claim/red/{seats.link_secret(seat)}")
    match.refresh_from_db()
    form = {"action": "throw:rock", "seat": "red", "seen": match.version, "key": play.new_key()}
    send = lambda: client.post(f"/t/{match.code}/act", form, headers={"HX-Request": "true"})  # noqa: E731
    with unheard() as heard:
        answer = send()
    assert (answer.status_code, heard) == (503, [1])
    assert database.UNSURE in answer.content.decode()
    assert "Nothing was changed" not in answer.content.decode()
    again = send()
    assert (again.status_code, again["Idempotent-Replay"]) == (200, "1")
    # Nothing was saved of another request, and it is told so.
    with mock.patch.object(play, "lock_match", side_effect=of_sqlite(13)):
        assert CANNOT_SAVE in send().content.decode()


def undone_at_an_event() -> Callable[[], object]:
    code = halls.opened(1)
    commands.drop(code, halls.ANNA, "p1")
    return lambda: undoing.undo(code, Event.objects.get(code=code).version, halls.ANNA)


def done_at_a_table(act: Callable[[str], object]) -> Callable[[], object]:
    match = play.open_match("rps", "plain", {"red": "A", "blue": "B"})
    return lambda: act(match.code)


@pytest.mark.parametrize(
    "prepared",
    [
        undone_at_an_event,
        lambda: done_at_a_table(lambda code: play.sit_down(code, "red", "Ada")),
        lambda: done_at_a_table(lambda code: play.rename(code, "red", "Ada")),
    ],
    ids=["an undo at an event", "a seat", "a name"],
)
def test_nobody_is_told_that_nothing_changed_where_a_commit_was_not_heard(prepared, transactional_db):
    do = prepared()
    database.begin_request()
    assert database.sentence_of(database.DISK) == CANNOT_SAVE
    with unheard(), pytest.raises(OperationalError):
        do()
    assert database.sentence_of(database.DISK) == database.UNSURE


def a_form(client: Client, page: str, **more: str) -> Callable[[], HttpResponse]:
    """A page's form, which can be sent with its key any number of times."""
    form = {"key": re.search(r'name="?key"? value="?([\w-]+)', client.get(page).content.decode())[1], **more}
    return lambda: client.post(page, form)


def a_request(client: Client, path: str, **body: object) -> Callable[[], HttpResponse]:
    """A program's request."""
    return lambda: client.post(f"/api/{path}", json.dumps(body), content_type="application/json")


TABLE = {"system": "rps", "mode": "plain", "seats": [{"name": "A"}, {"name": "B"}]}
EVENT = {"system": "tmg", "settings": {"name": "Cup"}}
KEY = "a-key-of-32-letters-0123456789ab"


@pytest.mark.parametrize(
    "prepared",
    [
        lambda client: a_form(client, "/new", game="rps"),
        lambda client: a_form(client, "/e/new", name="Cup"),
        lambda client: a_request(client, "matches", **TABLE, key=KEY),
        lambda client: a_request(client, "events", **EVENT, key=KEY),
    ],
    ids=["a table", "an event", "a program's table", "a program's event"],
)
def test_what_is_opened_with_a_key_is_opened_once(prepared, client, transactional_db):
    """The key of the same form finds what it opened."""
    send = prepared(client)
    with unheard():
        answer = send()
    assert (answer.status_code, database.UNSURE in answer.content.decode()) == (503, True)
    assert send().status_code < 400
    assert (Match.objects.count(), Event.objects.count()) in {(1, 0), (0, 1)}


@pytest.mark.parametrize(("path", "body"), [("matches", TABLE), ("events", EVENT)], ids=["table", "event"])
def test_a_program_without_a_key_is_not_told_to_try_again(path, body, client, transactional_db):
    """It would open a second one."""
    send = a_request(client, path, **body)
    with unheard():
        answer = send()
    assert (answer.status_code, answer.json()["message"]) == (503, database.UNSURE_WITHOUT_KEY)
    assert send().status_code == 201
    assert Match.objects.count() + Event.objects.count() == 2
