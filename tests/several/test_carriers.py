"""Announcements through a Redis: heard, lost while it is away, and never waited for."""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import connection, transaction

from games.core.words import say
from games.live import carriers
from games.live.bus import Bus
from games.live.carriers import CHANNEL, STREAMS, Redis
from games.match import play
from games.models import Seat
from games.people import seats
from tests.hubs import WATCHER, Reader, Views, in_hub, until
from tests.serving import Served
from tests.several.phones import PATIENCE_SECONDS, table, within
from tests.several.redises import PROGRAM, RedisServer

pytest.importorskip("redis", reason="the library for Redis is not installed")


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    if PROGRAM is None:
        pytest.skip("no Redis or Valkey is installed")
    server = RedisServer().start()
    yield server
    server.close()


def version(number: int, by: str = "there") -> str:
    return json.dumps(["version", "M", number, "", by])


def test_hints_come_by_redis_until_it_dies_and_again_when_it_is_back(redis: RedisServer):
    views = Views(1)

    async def scene(hub):
        bus = Bus(hub, "here", Redis(redis.url))
        bus.look = lambda matches: None  # type: ignore[method-assign]
        bus.open()
        there = Redis(redis.url)
        reader = Reader(hub, WATCHER)

        async def hears(number: int) -> None:
            """Announce it until it is heard: a lost hint is not repeated by itself."""

            def is_heard() -> bool:
                views.version = number
                there.tell(CHANNEL, version(number))
                return reader.versions[-1:] == [number]

            await until(is_heard, 20)

        def is_counted() -> bool:
            there.tell(STREAMS, '["there", {"match M": 5}]')
            return bus.tally.count("match M") == 5

        await hears(2)
        await until(is_counted, 20)
        there.tell(CHANNEL, version(9, by="here"))
        there.tell(CHANNEL, "nonsense")
        await hears(3)
        redis.kill()
        there.tell(CHANNEL, version(4))
        await until(lambda: bus.pause > 0.25, 20)
        redis.start()
        await hears(5)
        assert 9 not in reader.versions
        bus.is_closing.set()
        bus.thread.join()
        bus.pool.close()
        hub.bus = None
        there.close()

    in_hub(scene, views)


def test_another_installation_at_the_same_redis_is_not_heard(redis: RedisServer, settings):
    heard: queue.Queue[tuple[str, str]] = queue.Queue()
    is_closing, has_begun = threading.Event(), threading.Event()
    here, same = Redis(redis.url), Redis(redis.url)
    settings.SECRET_KEY = "another key, and so another installation"
    other = Redis(redis.url)
    told = [lambda channel, payload: heard.put((channel, payload)), is_closing, has_begun.set]
    thread = threading.Thread(target=here.listen, args=told, daemon=True)
    thread.start()
    assert has_begun.wait(20)
    # Both over one connection, one after the other: what arrives second was sent second.
    other.tell(CHANNEL, version(1))
    other.close()
    same.tell(CHANNEL, version(2))
    assert heard.get(timeout=20) == (CHANNEL, version(2))
    is_closing.set()
    thread.join()
    same.close()


def test_a_redis_that_never_answers_is_waited_for_by_nobody(monkeypatch):
    """It accepts connections but says nothing; more is announced than may wait."""
    monkeypatch.setattr(carriers, "PATIENCE_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        redis = Redis(f"redis://127.0.0.1:{deaf.getsockname()[1]}/0")
        for number in range(carriers.MOST_WAITING + 500):
            redis.tell(CHANNEL, version(number))
        assert redis.waiting.qsize() <= carriers.MOST_WAITING
        redis.close()


def test_a_redis_that_falls_silent_is_given_up(monkeypatch):
    """The connection is open but the other end is gone: no error would ever come."""
    monkeypatch.setattr(carriers, "SILENCE_SECONDS", 0.0)
    redis, asked = Redis("redis://127.0.0.1:1/0"), []
    monkeypatch.setattr(redis.client, "pubsub", lambda: Silent(asked))
    with pytest.raises(TimeoutError):
        redis.listen(lambda *_told: None, threading.Event(), lambda: None)


def test_a_quiet_line_is_asked_whether_it_lives_and_is_kept_while_it_answers(monkeypatch):
    """A club is quiet all night; nobody reconnects for that, and the first tap of the morning is heard."""
    redis, is_closing = Redis("redis://127.0.0.1:1/0"), threading.Event()
    asked: list[str] = []
    heard: list[tuple[str, str]] = []
    line = Scripted(asked, redis.prefix + CHANNEL)
    monkeypatch.setattr(redis.client, "pubsub", lambda: line)
    monkeypatch.setattr(carriers, "time", SimpleNamespace(monotonic=lambda: line.now))

    def hear(channel: str, payload: str) -> None:
        heard.append((channel, payload))
        is_closing.set()

    line.script = [(0, "subscribe"), (4.9, None), (0.2, None), (1, None), (0, "pong"), (4.9, None)]
    line.script += [(0.2, None), (4.7, None), (0.1, "message")]
    redis.listen(hear, is_closing, lambda: asked.append("begun"))
    assert asked == ["subscribe", "begun", "ping after 5.1", "ping after 11.2"]
    assert heard == [(CHANNEL, "news")]
    is_closing.clear()
    line.script = [(5.1, None), (4.8, None), (0.2, None)]
    with pytest.raises(TimeoutError):
        redis.listen(hear, is_closing, lambda: None)
    assert line.script == []


def sending(redis: Redis) -> threading.Thread:
    thread = threading.Thread(target=redis._send, daemon=True)
    thread.start()
    return thread


def test_what_waited_while_redis_was_away_is_not_sent_late(monkeypatch):
    """The rows have long since told it; but the order to end is not dropped along with it."""
    redis, sent = Redis("redis://127.0.0.1:1/0"), queue.Queue()
    is_away = [True]

    def publish(channel: str, payload: str) -> None:
        if is_away:
            is_away.clear()
            raise ConnectionError("gone")
        sent.put((channel, payload))

    monkeypatch.setattr(redis.client, "publish", publish)
    monkeypatch.setattr(
        carriers, "time", SimpleNamespace(sleep=lambda _seconds: redis.waiting.put(("c", "new")))
    )
    for number in range(3):
        redis.waiting.put(("c", str(number)))
    thread = sending(redis)
    assert sent.get(timeout=5) == ("c", "new")
    redis.waiting.put(None)
    thread.join(5)
    assert not thread.is_alive()
    is_away.append(True)
    for said in (("c", "lost"), ("c", "old"), None):
        redis.waiting.put(said)
    thread = sending(redis)
    thread.join(5)
    assert not thread.is_alive()
    assert sent.empty()


def test_what_is_told_last_is_sent_before_the_end(monkeypatch):
    redis, sent = Redis("redis://127.0.0.1:1/0"), []
    redis.close()
    monkeypatch.setattr(redis.client, "publish", lambda *said: sent.append(said))
    redis.tell(CHANNEL, "one")
    thread = redis.thread
    redis.tell(CHANNEL, "two")
    assert thread is redis.thread
    assert thread is not None
    redis.close()
    assert not thread.is_alive()
    assert sent == [(redis.prefix + CHANNEL, "one"), (redis.prefix + CHANNEL, "two")]
    # An announcement after the end starts again.
    redis.tell(CHANNEL, "three")
    redis.close()
    assert [payload for _channel, payload in sent] == ["one", "two", "three"]


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
    monkeypatch.setattr(carriers, "connection", SimpleNamespace(copy=lambda: line, close=lambda: None))
    monkeypatch.setattr(carriers.rows, "notify", lambda *said: done.append(said))
    carriers.Database().listen(lambda *said: done.append(said), is_closing, lambda: done.append("begun"))
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
    monkeypatch.setattr(carriers, "ECHO_SECONDS", -1.0)
    echo = SimpleNamespace(channel=ECHO[0], payload=ECHO[1])
    heard_of([[echo] if is_heard else [], [], []], monkeypatch)
    assert caplog.messages == ([] if is_heard else [carriers.UNHEARD])


def test_where_the_database_has_an_address_of_its_own_listening_goes_there(monkeypatch, settings):
    settings.DATABASE_DIRECT = {"HOST": "database", "PORT": 5432}
    assert carriers.straight().settings_dict["HOST"] == "database"
    assert connection.settings_dict["HOST"] != "database"


class Silent:
    """A subscription on which nothing arrives any more."""

    def __init__(self, asked: list[str]) -> None:
        self.subscribe = lambda *_channels: asked.append("subscribe")
        self.ping = lambda: asked.append("ping")

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def get_message(self, timeout: float) -> None:
        return None


class Scripted(Silent):
    """A subscription that follows a script: each message arrives after a number of seconds."""

    def __init__(self, asked: list[str], channel: str) -> None:
        super().__init__(asked)
        self.channel, self.now = channel, 1000.0
        self.ping = lambda: asked.append(f"ping after {self.now - 1000:.1f}")
        self.script: list[tuple[float, str | None]] = []

    def get_message(self, timeout: float) -> dict[str, str] | None:  # type: ignore[override]
        seconds, kind = self.script.pop(0)
        self.now += seconds
        return {"type": kind, "channel": self.channel, "data": "news"} if kind else None


@pytest.fixture
def told(monkeypatch, transactional_db) -> list[list]:
    """What this process announces when a Redis is configured."""
    said: list[list] = []
    monkeypatch.setattr(settings, "REDIS", "redis://127.0.0.1:1/0")
    noting = SimpleNamespace(tell=lambda channel, payload: said.append(json.loads(payload)))
    monkeypatch.setattr(carriers, "carrier", lambda: noting)
    return said


def test_every_change_is_announced_after_its_commit(told: list[list]):
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    told.clear()
    with transaction.atomic():
        play.remark(match.code, say("Hello"))
        seats.revoke(Seat.objects.select_related("match").get(match=match, key="red"))
        assert told == []
    by = settings.PROCESS
    assert sorted(told) == [["drop", match.code, 1, "red", by], ["version", match.code, 2, "", by]]
    told.clear()
    with transaction.atomic():
        play.remark(match.code, say("Hello"))
        transaction.set_rollback(True)
    assert told == []


def test_two_processes_tell_each_other_by_redis(redis: RedisServer, transactional_db, monkeypatch, listen):
    """And by looking at the rows while it is away. PostgreSQL itself announces nothing here."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL lets several processes serve")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_match DISABLE TRIGGER USER")
    monkeypatch.setenv("ROUNDTABLE_REDIS", redis.url)
    one, other = Served(), Served()
    heard: queue.Queue[str] = queue.Queue()
    has_begun, is_closing = threading.Event(), threading.Event()
    here = Redis(redis.url)
    noting = [lambda _channel, payload: heard.put(payload), is_closing, has_begun.set]
    thread = threading.Thread(target=here.listen, args=noting, daemon=True)
    thread.start()
    try:
        assert has_begun.wait(20)
        one.start()
        other.start()
        match, players = table("tmg", "a-game-of-thrones")
        phone = listen(other.port, match.code)
        within(PATIENCE_SECONDS, lambda: phone.has(1))

        def correct() -> int:
            body = {"path": "army/red", "action": "hand-bonus:red:1", "key": play.new_key()}
            status, told = players["red"].ask(one.port, "/adjust", body)
            assert status == 200, told
            return told["version"]

        seen = correct()
        while json.loads(heard.get(timeout=20))[:3] != ["version", match.code, seen]:
            pass
        within(PATIENCE_SECONDS, lambda: phone.has(seen))
        is_closing.set()
        thread.join()
        redis.kill()
        seen = correct()
        within(2 * PATIENCE_SECONDS, lambda: phone.has(seen))
        assert not phone.has_ended
    finally:
        is_closing.set()
        for served in (one, other):
            served.close()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_match ENABLE TRIGGER USER")
