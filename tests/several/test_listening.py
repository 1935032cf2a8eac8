"""PostgreSQL's announcements on a connection that follows a script: what arrives, and what is logged."""

from __future__ import annotations

import json
import threading
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import connection

from games.live import bus
from games.live.bus import CHANNEL, STREAMS, Announcements


def heard_of(told: list[list[SimpleNamespace]], monkeypatch) -> list[object]:
    """What is done and heard in a number of looks at a connection on which these messages arrive."""
    done: list[object] = []
    is_closing = threading.Event()

    def notifies(timeout: float) -> list[SimpleNamespace]:
        if len(told) == 1:
            is_closing.set()
        return told.pop(0)

    cursor = nullcontext(SimpleNamespace(execute=done.append))
    close = partial(done.append, "closed")
    line = SimpleNamespace(
        cursor=lambda: cursor, connection=SimpleNamespace(notifies=notifies), close=close, settings_dict={}
    )
    monkeypatch.setattr(bus, "connection", SimpleNamespace(copy=lambda: line, close=lambda: None))
    monkeypatch.setattr(bus, "notify", lambda *said: done.append(said))
    Announcements().listen(lambda *said: done.append(said), is_closing, lambda: done.append("begun"))
    return done


LISTENING = f"LISTEN {CHANNEL}; LISTEN {STREAMS}"
ECHO = (STREAMS, json.dumps([settings.PROCESS, {}]))


def test_postgresql_is_listened_to_on_both_channels_until_the_end(monkeypatch):
    told = [SimpleNamespace(channel=STREAMS, payload="5"), SimpleNamespace(channel=CHANNEL, payload="6")]
    done = heard_of([told, []], monkeypatch)
    heard = [(STREAMS, "5"), (CHANNEL, "6")]
    assert done == [LISTENING, "begun", ECHO, *heard, "closed"]


@pytest.mark.parametrize("is_heard", [True, False])
def test_that_an_own_announcement_does_not_arrive_is_said_once(is_heard, monkeypatch, caplog):
    monkeypatch.setattr(bus, "ECHO_SECONDS", -1.0)
    echo = SimpleNamespace(channel=ECHO[0], payload=ECHO[1])
    heard_of([[echo] if is_heard else [], [], []], monkeypatch)
    assert caplog.messages == ([] if is_heard else [bus.UNHEARD])


def test_where_the_database_has_an_address_of_its_own_listening_goes_there(monkeypatch, settings):
    settings.DATABASE_DIRECT = {"HOST": "database", "PORT": 5432}
    assert bus.straight().settings_dict["HOST"] == "database"
    assert connection.settings_dict["HOST"] != "database"
