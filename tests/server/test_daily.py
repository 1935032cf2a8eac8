"""What a server tidies by itself: at its start and every day after that, if there is a limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from config.data import tidying
from config.server import starting
from games.management.commands import play, serve
from games.models import Match


@pytest.fixture(params=["play", "serve"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Start a server that stops at once."""
    for name in ("prepare", "announce"):
        monkeypatch.setattr(play.Command, name, lambda *_given: None)
    for name in ("claim", "remember"):
        monkeypatch.setattr(starting, name, lambda *_given: True)
    monkeypatch.setattr(play, "first_password", str)
    for command in (play, serve):
        monkeypatch.setattr(command, "serve", lambda listening, *_given: listening.close())
    return lambda: call_command(request.param, host="127.0.0.1", port=0)


def test_a_server_tidies_at_its_start_if_there_is_a_limit(
    monkeypatch: pytest.MonkeyPatch, start: Callable[[], None]
) -> None:
    done: list[tuple[int, Path]] = []
    monkeypatch.setattr(tidying, "tidy", lambda days, folder: done.append((days, folder)))
    monkeypatch.setattr(tidying.time, "sleep", wait_for_ever)
    monkeypatch.setattr(tidying.settings, "KEEP_UNUSED_DAYS", 0)
    for days in (0, 30):
        monkeypatch.setattr(tidying.settings, "KEEP_DAYS", days)
        start()
        assert_soon(lambda d=days: len(done) == bool(d))
    assert done == [(30, tidying.backups.folder())]


def test_unused_tables_go_from_the_start_unless_that_is_switched_off(
    monkeypatch: pytest.MonkeyPatch, start: Callable[[], None]
) -> None:
    done: list[int] = []
    monkeypatch.setattr(tidying, "clear_unused", done.append)
    monkeypatch.setattr(tidying.time, "sleep", wait_for_ever)
    monkeypatch.setattr(tidying.settings, "KEEP_DAYS", 0)
    assert tidying.settings.KEEP_UNUSED_DAYS == 7
    start()
    assert_soon(lambda: done == [7])


@pytest.mark.django_db(transaction=True)
def test_it_keeps_no_connection_until_tomorrow(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[bool] = []

    def sleep(_seconds: float) -> None:
        held.append(connection.connection is not None)
        raise KeyboardInterrupt

    monkeypatch.setattr(tidying.settings, "KEEP_DAYS", 30)
    monkeypatch.setattr(tidying.settings, "KEEP_UNUSED_DAYS", 0)
    monkeypatch.setattr(tidying, "tidy", lambda _days, _folder: held.append(Match.objects.exists()))
    monkeypatch.setattr(tidying.time, "sleep", sleep)
    with ThreadPoolExecutor(1) as thread, pytest.raises(KeyboardInterrupt):
        thread.submit(tidying._daily).result()
    assert held == [False, False]


def wait_for_ever(_seconds: float) -> None:
    threading.Event().wait()


def assert_soon(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 5
    while not is_so():
        assert time.monotonic() < until
