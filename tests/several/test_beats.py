"""How a process keeps up with the others: what it does at each beat of its hub, how it starts and ends."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from games.live import bus, stream
from games.live import bus as buses
from games.live.bus import (
    CHANNEL,
    FIRST_PAUSE,
    KEYS_A_MESSAGE,
    LONGEST_PAUSE,
    STREAMS,
    TIDY_BEATS,
    Announcements,
    Bus,
    Known,
    Unsure,
)
from games.live.hub import Ticket, stream_token
from games.web import program
from tests.hubs import RED, WATCHER, Reader, Views, in_hub, until


class Noting:
    """A way to other processes that nobody hears, and that notes what it is given to announce."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def listen(self, _hear: object, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        begun()
        is_closing.wait(5)

    def tell(self, channel: str, payload: str) -> None:
        assert len(payload.encode()) < 8000, "PostgreSQL announces no more at once"
        self.told.append((channel, json.loads(payload)))


class Rows:
    """Stands in for the rows of matches, and remembers what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[list[str]] = []
        self.is_gone = False
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.version = 1
        monkeypatch.setattr(bus, "check_rows", self.known)
        monkeypatch.setattr(buses.limits, "tidy_shared", lambda: None)

    def known(self, codes: list[str]) -> dict[str, Known]:
        self.asked.append(sorted(codes))
        self.may_go_on.wait(5)
        if self.is_gone:
            raise OperationalError(" the server closed the connection\n")
        return {code: Known(self.version) for code in codes}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Rows:
    return Rows(monkeypatch)


def beside(scene: Callable[[Any, Bus], Any], views: Views | None = None) -> None:
    """Run a scene in a hub that hears about other processes."""

    async def opened(hub: Any) -> None:
        bus = Bus(hub, "here", Noting())
        bus.open()
        try:
            await scene(hub, bus)
        finally:
            # The hub goes on without the bus, so that a failing test does not hang on one that never ends.
            hub.bus = None
            await hub.loop.run_in_executor(None, bus.close)

    in_hub(opened, views)


def test_each_beat_looks_at_every_table_that_is_listened_to(known: Rows):
    async def scene(hub, bus):
        Reader(hub, WATCHER)
        Reader(hub, RED, match="N")
        hub.bus.beat()
        await until(lambda: known.asked and bus.reading is None)
        assert known.asked == [["M", "N"]]

    beside(scene)


def test_a_restored_backup_is_noticed_although_nobody_says_so(known: Rows, monkeypatch: pytest.MonkeyPatch):
    """Its versions are older than those on show: nothing else would bring them there."""

    async def scene(hub, bus):
        reader = Reader(hub, WATCHER)
        for table in (41, 41):
            monkeypatch.setattr(program, "_table", table)
            bus.beat()
            await until(lambda: known.asked and bus.reading is None)
        assert not reader.ended
        monkeypatch.setattr(program, "_table", 42)
        bus.beat()
        await until(lambda: reader.ended)

    beside(scene)


def test_slow_rows_are_asked_once_at_a_time_and_then_for_what_came_meanwhile(known: Rows):
    async def scene(hub, bus):
        known.may_go_on.clear()
        bus.read_soon(["M"])
        await until(lambda: known.asked == [["M"]])
        bus.read_soon(["N"])
        await asyncio.sleep(0)
        bus.read_soon(["O"])
        known.may_go_on.set()
        await until(lambda: bus.reading is None)
        assert known.asked == [["M"], ["N", "O"]]

    beside(scene)


def test_nobody_listens_so_nothing_is_asked(known: Rows):
    async def scene(hub, bus):
        bus.beat()
        assert bus.reading is None

    beside(scene)


def test_rows_that_cannot_be_asked_end_no_stream_and_are_asked_again(known: Rows, caplog):
    views = Views(1)

    async def scene(hub, bus):
        reader = Reader(hub, WATCHER)
        await until(lambda: reader.versions == [1])
        known.is_gone = True
        bus.beat()
        await until(lambda: known.asked and bus.reading is None)
        assert not reader.ended
        assert not bus.unsure, "they would be asked without a pause"
        known.is_gone, known.version, views.version = False, 2, 2
        bus.beat()
        await until(lambda: reader.versions == [1, 2])

    beside(scene, views)
    assert "the rows could not be looked at: the server closed the connection" in caplog.messages


def test_a_seat_s_ticket_opens_nothing_while_the_rows_cannot_be_asked(known: Rows):
    async def scene(hub, bus):
        known.is_gone = True
        with pytest.raises(Unsure):
            await bus.is_refused(Ticket("M", (("red", 1),), "en", "table", "", "", "", 0))
        assert not await bus.is_refused(Ticket("M", (), "en", "table", "", "", "", 0))

    beside(scene)


def test_a_seat_that_is_taken_away_while_the_rows_are_asked_opens_nothing(known: Rows):
    """The rows were read before that, and the announcement came before the stream began."""

    async def scene(hub, bus):
        async def asked(_ticket: Ticket) -> bool:
            hub.drop("M", "red", 1)
            return False

        async def receive() -> dict[str, str]:
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        sent: list[dict[str, Any]] = []
        bus.is_refused = asked
        path = f"/live/{stream_token('M', (('red', 1),), RED)}"
        scope = {"method": "GET", "path": path, "headers": [], "query_string": b""}
        await stream.serve(hub, scope, receive, send)
        assert sent[0]["status"] == 403

    beside(scene, Views(1))


def test_a_phone_that_has_seen_more_than_the_rows_say_is_shown_the_rows():
    """After a backup was restored: the version that the phone knows was never made."""
    views = Views(3)

    async def scene(hub):
        hub.bus = Bus(hub, "here", Noting())
        early, late = Reader(hub, WATCHER), None
        await until(lambda: early.versions == [3])
        late = Reader(hub, WATCHER, last_version=9)
        ahead = Reader(hub, WATCHER, last_version=5)
        hub.bus._looked(["M"], {"M": Known(4)})
        assert late.versions == [], "there may be a version 9 elsewhere: this process has 3 of 4"
        hub.bus._looked(["M"], {"M": Known(3)})
        assert late.versions == ahead.versions == [3]
        assert early.versions == [3]
        hub.bus = None

    in_hub(scene, views)


def test_a_seat_that_is_no_more_is_left_by_its_stream_and_nobody_else():
    """It does not matter who came or went while the rows were being read."""
    views = Views(1)

    async def scene(hub):
        hub.bus = Bus(hub, "here", Noting())
        red, watcher = Reader(hub, RED, epochs=(("red", 2),)), Reader(hub, WATCHER)
        await until(lambda: red.versions == watcher.versions == [1])
        views.may_go_on.clear()
        late = Reader(hub, WATCHER, match="N")
        found = {"M": Known(1, {}), "N": Known(1), "gone": Known(1)}
        hub.bus._looked(["M", "N", "gone", "never"], found)
        assert (red.ended, watcher.ended, late.ended) == (True, False, False)
        views.may_go_on.set()
        await until(lambda: late.versions == [1])
        hub.bus = None

    in_hub(scene, views)


def test_a_process_tells_the_others_what_it_carries_in_messages_that_are_small_enough(known: Rows):
    async def scene(hub, bus):
        for number in range(KEYS_A_MESSAGE * 2 + 5):
            Reader(hub, RED, match=f"M{number:05}")
        counts = dict(bus._counts())
        bus._tell(counts)
        assert {channel for channel, _said in bus.announcements.told} == {STREAMS}
        said = [part for _channel, (by, part) in bus.announcements.told if by == "here"]
        assert {key: count for part in said for key, count in part.items()} == counts
        assert sum(map(len, said)) == len(counts)

    in_hub_of_many(scene)


def in_hub_of_many(scene: Callable[[Any, Bus], Any]) -> None:
    async def opened(hub: Any) -> None:
        await scene(hub, Bus(hub, "here", Noting()))

    in_hub(opened, match=1000, process=1000)


def test_each_beat_tells_what_is_a_fair_part_of_a_limit_and_forgets_who_fell_silent(known: Rows):
    async def scene(hub, bus):
        Reader(hub, RED)
        bus.tally.clock = lambda: 100.0
        bus.tally.hear("gone", {"match M": 5})
        bus.tally.clock = lambda: 1000.0
        bus.beat()
        assert not bus.tally.told
        await until(lambda: bus.announcements.told)
        assert bus.announcements.told == [(STREAMS, ["here", {"seat M red": 1}])]

    beside(scene)


def test_a_count_that_cannot_be_told_is_told_at_the_next_beat(caplog):
    def refuse(_channel: str, _payload: str) -> None:
        raise OperationalError("gone\n")

    bus = Bus(SimpleNamespace(), "here", SimpleNamespace(tell=refuse))  # type: ignore[arg-type]
    bus._tell({"match M": 300})
    assert caplog.messages == ["the streams could not be counted together: gone"]


def test_limits_that_nobody_is_held_to_are_forgotten_now_and_then(known: Rows, monkeypatch):
    tidied: list[int] = []

    async def scene(hub, bus):
        monkeypatch.setattr(buses.limits, "tidy_shared", lambda: tidied.append(hub.beats))
        for hub.beats in range(1, 2 * TIDY_BEATS + 1):
            bus.beat()
        await until(lambda: len(tidied) == 2)

    beside(scene)

    def refuse() -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(buses.limits, "tidy_shared", refuse)
    Bus(SimpleNamespace(), "here", Noting())._tidy()  # type: ignore[arg-type]


def test_what_was_closed_hears_and_asks_nothing_any_more(known: Rows):
    async def scene(hub, bus):
        Reader(hub, WATCHER)
        await hub.loop.run_in_executor(None, bus.close)
        assert not bus.thread.is_alive()
        bus.beat()
        assert bus.reading is None
        with pytest.raises(RuntimeError):
            bus.pool.submit(time.time)

    beside(scene)
    never_opened = Bus(SimpleNamespace())  # type: ignore[arg-type]
    assert isinstance(never_opened.announcements, Announcements)
    never_opened.close()


def test_where_listening_breaks_off_it_begins_again_after_a_pause_that_grows(monkeypatch, caplog):
    """Once it has begun, the next pause is a short one."""
    pauses: list[float] = []
    left = [True] * 8

    def listen(_hear: object, _is_closing: object, begun: Callable[[], None]) -> None:
        if len(pauses) == 7:
            begun()
        raise ConnectionError(" no way\n")

    bus = Bus(SimpleNamespace(), "here", SimpleNamespace(listen=listen))  # type: ignore[arg-type]
    monkeypatch.setattr(buses, "connection", SimpleNamespace(close=left.pop))
    bus.is_closing = SimpleNamespace(is_set=lambda: not left, wait=pauses.append)  # type: ignore[assignment]
    bus._listen()
    assert pauses[:4] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE, 8 * FIRST_PAUSE]
    assert pauses[6:] == [LONGEST_PAUSE, FIRST_PAUSE]
    assert set(caplog.messages) == {"announcements are not heard for the moment: no way"}


@pytest.mark.parametrize(
    "payload",
    [
        "nonsense",
        "5",
        "[]",
        '["version", "M", 7, ""]',
        '["shut", "M", 7, "", "there"]',
        '["version", 5, 7, "", "there"]',
        '["version", "M", "7", "", "there"]',
        '["version", "M", true, "", "there"]',
        '["drop", "M", 7, null, "there"]',
    ],
)
def test_what_makes_no_sense_is_not_heard(payload: str, caplog):
    told: list[object] = []
    hub = SimpleNamespace(publish=lambda *news: told.append(news), drop=lambda *news: told.append(news))
    Bus(hub, "here", Noting()).hear(CHANNEL, payload)  # type: ignore[arg-type]
    assert told == []
    assert caplog.messages == [f"an announcement that makes no sense was not heard: {payload!r}"]


@pytest.mark.parametrize(
    "payload",
    [
        "{}",
        '["there"]',
        '["there", 5]',
        '["there", [1]]',
        '["there", {"match M": null}]',
        '["there", {"match M": Infinity}]',
        "[" * 100_000,
    ],
)
def test_counts_that_make_no_sense_are_not_heard_and_break_nothing_off(payload: str, caplog):
    """If one broke off the listening, every announcement would be lost until it began again."""
    Bus(SimpleNamespace(), "here", Noting()).hear(STREAMS, payload)  # type: ignore[arg-type]
    assert caplog.messages == [f"an announcement that makes no sense was not heard: {payload!r:.200}"]


@pytest.mark.parametrize(
    ("kind", "number", "seat", "told"),
    [
        ("version", 7, "", ("publish", "M", 7, None)),
        ("refresh", 0, "", ("refresh", "M")),
        ("drop", 3, "red", ("drop", "M", "red", 3)),
        ("restored", 0, "", ("start_over",)),
        ("end", 0, "", ("end", "M")),
    ],
)
def test_each_kind_of_change_does_here_what_it_did_there(kind, number, seat, told):
    heard: list[tuple[object, ...]] = []

    class Hearing:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *news: heard.append((name, *news))

    Bus(Hearing(), "here", Noting()).hear(CHANNEL, json.dumps([kind, "M", number, seat, "there"]))  # type: ignore[arg-type]
    assert heard == [told]


def test_who_has_seen_more_than_is_being_drawn_here_is_shown_nothing_older(known: Rows):
    views = Views(7)

    async def scene(hub: Any, bus: Bus) -> None:
        here = Reader(hub, WATCHER)
        await until(lambda: here.versions == [7])
        views.may_go_on.clear()
        views.publish(hub, 8)
        await until(lambda: hub.rooms["M"].version == 8)
        # Meanwhile another process saves the next tap, and shows it.
        known.version = views.version = 9
        moved, mistaken = Reader(hub, WATCHER, 9), Reader(hub, WATCHER, 99)
        views.may_go_on.set()
        await until(lambda: here.versions == [7, 8, 9] and mistaken.versions == [9])
        assert moved.versions == []

    beside(scene, views)
