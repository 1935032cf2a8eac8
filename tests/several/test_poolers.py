"""A pooler between the processes and their database: what it swallows is reported, nobody falls behind."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from games.live import bus
from games.live.bus import CHANNEL, STREAMS, UNHEARD, Announcements
from tests.serving import Served
from tests.several import poolers
from tests.several.phones import PATIENCE_SECONDS, table, within
from tests.several.poolers import Pooler
from tests.several.test_processes import GAME, played_on
from tests.trust.sockets import until


@pytest.fixture
def pooled(transactional_db: None) -> Iterator[Callable[[str], Pooler]]:
    """Starts a pooler of a given kind in front of the tests' database."""
    if connection.vendor != "postgresql" or poolers.PROGRAM is None:
        pytest.skip("needs PostgreSQL and pgbouncer")
    begun: list[Pooler] = []

    def begin(mode: str) -> Pooler:
        begun.append(Pooler(mode))
        return begun[-1]

    yield begin
    for one in begun:
        one.close()


WAYS = [("session", False), ("transaction", True), ("transaction", False)]


@pytest.mark.parametrize(("mode", "is_direct"), WAYS)
def test_announcements_arrive_or_it_is_said(mode, is_direct, pooled, monkeypatch, caplog, settings):
    monkeypatch.setattr(bus, "ECHO_SECONDS", 1.0)
    itself = {key: connection.settings_dict[key] for key in ("HOST", "PORT")}
    settings.DATABASE_DIRECT = itself if is_direct else {}
    behind = {"HOST": "127.0.0.1", "PORT": pooled(mode).port}
    heard: queue.Queue[str] = queue.Queue()
    is_closing = threading.Event()

    def listen() -> None:
        connection.settings_dict = {**connection.settings_dict, **behind}
        try:
            Announcements().listen(lambda channel, _payload: heard.put(channel), is_closing, lambda: None)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        listening = thread.submit(listen)
        try:
            if mode == "transaction" and not is_direct:
                until(lambda: UNHEARD in caplog.messages or listening.done(), 20)
                announce()
                assert heard.empty()
            else:
                assert heard.get(timeout=20) == STREAMS
                announce()
                assert heard.get(timeout=20) == CHANNEL
                # Another test's server may run in this process, and hear the announcement too.
                assert [one for one in caplog.records if one.name == bus.log.name] == []
        finally:
            is_closing.set()
        listening.result()


def announce() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_table_is_played_through_two_processes_and_a_pooler(mode, pooled, listen):
    pooler, two, luck = pooled(mode), (Served(), Served()), random.Random(13)
    try:
        ports = [one.start(url=pooler.url).port for one in two]
        match, players = table(*GAME)
        crowd = [listen(port, match.code) for port in ports]
        within(10, lambda: all(one.versions for one in crowd))
        last = match.version
        for _tap in range(20):
            last = played_on(players, ports, luck) or last
        within(PATIENCE_SECONDS, lambda: all(one.has(last) for one in crowd))
        for one in crowd:
            assert one.versions == sorted(set(one.versions)), "an older board came after a newer one"
    finally:
        for one in two:
            one.close()
