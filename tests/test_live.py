"""The hub: who hears of a new version, in which order, and who does not."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core import signing
from django.utils.translation import get_language

from games import live
from games.listeners import Listener, encode
from games.live import Audience, Full, Hub, read_stream_token, stream_token

LIMITS = {"seat": 3, "address": 100, "match": 100, "process": 200}
RED = Audience(("red",), "en", "table")
BLUE = Audience(("blue",), "en", "table")
WATCHER = Audience((), "en", "table")
WATCHER_ZH = Audience((), "zh-hans", "table")


class Views:
    """Stands in for the rendering of boards, and remembers what it was asked."""

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self.asked: list[tuple[int, Audience]] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def snapshot(self, match: str, audience: Audience) -> tuple[int, str]:
        return self.version, self.render(self.version, audience)

    def render(self, version: int, audience: Audience) -> str:
        self.may_go_on.wait(5)
        self.asked.append((version, audience))
        return f"{version} for {'+'.join(audience.seats) or 'all'} in {get_language()}"

    def publish(self, hub: Hub, version: int, match: str = "M") -> None:
        hub.publish(match, version, lambda audience: self.render(version, audience))


def in_hub(scene, views=None, **limits):
    """Play a scene in a loop with an open hub."""

    async def run():
        hub = Hub({**LIMITS, **limits})
        hub.snapshots = views and views.snapshot
        hub.open()
        try:
            await scene(hub)
        finally:
            hub.close()
            await asyncio.to_thread(hub.pool.close)

    # In a thread of its own, because a browser that other tests share keeps a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


async def until(condition, seconds=3.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.005)


class Reader(Listener):
    """A listener that reads at once, and remembers."""

    __slots__ = ("ended", "frames")

    def __init__(self, hub, audience, last_version=None, epochs=(), match="M", address=""):
        super().__init__(match, audience, last_version, epochs, address)
        self.frames = []
        self.ended = False
        self.wake = self.read
        self.end = self.note_end
        hub.join(self)

    def read(self):
        self.frames.append(self.take())

    def note_end(self):
        self.ended = True

    @property
    def versions(self):
        return [frame.version for frame in self.frames]


def test_a_version_is_rendered_once_for_an_audience():
    views = Views()

    async def scene(hub):
        readers = [Reader(hub, WATCHER) for _ in range(20)]
        await until(lambda: all(reader.versions == [0] for reader in readers))
        views.publish(hub, 1)
        await until(lambda: all(reader.versions == [0, 1] for reader in readers))
        assert views.asked == [(0, WATCHER), (1, WATCHER)]
        assert readers[0].frames[1] is readers[19].frames[1]

    in_hub(scene, views)


def test_nobody_renders_for_an_empty_room():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        views.publish(hub, 1, match="OTHER")
        await until(lambda: reader.versions == [0])
        hub.leave(reader)
        views.publish(hub, 1)
        await asyncio.sleep(0.05)
        assert views.asked == [(0, RED)]
        assert hub.rooms == {}
        assert hub.count == 0

    in_hub(scene, views)


def test_players_come_before_spectators():
    views = Views()

    async def scene(hub):
        readers = [Reader(hub, audience) for audience in (WATCHER, WATCHER_ZH, BLUE, RED)]
        await until(lambda: all(reader.versions == [0] for reader in readers))
        views.publish(hub, 1)
        await until(lambda: all(reader.versions == [0, 1] for reader in readers))
        order = [audience for version, audience in views.asked if version == 1]
        assert {*order[:2]} == {RED, BLUE}
        assert {*order[2:]} == {WATCHER, WATCHER_ZH}

    in_hub(scene, views)


def test_a_view_is_made_in_the_listeners_language():
    views = Views()

    async def scene(hub):
        english, chinese = Reader(hub, WATCHER), Reader(hub, WATCHER_ZH)
        await until(lambda: english.frames and chinese.frames)
        assert b"in en" in english.frames[0].data
        assert b"in zh-hans" in chinese.frames[0].data

    in_hub(scene, views)


def test_who_reads_slowly_gets_the_newest_only():
    views = Views()

    async def scene(hub):
        slow, quick = Listener("M", RED, None), Reader(hub, RED)
        hub.join(slow)
        for version in (1, 2, 3):
            views.publish(hub, version)
            await until(lambda version=version: quick.versions[-1:] == [version])
        assert slow.take().version == 3
        assert slow.take() is None

    in_hub(scene, views)


def test_an_older_version_never_follows_a_newer_one():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        views.publish(hub, 5)
        views.publish(hub, 4)
        await until(lambda: reader.versions == [0, 5])
        views.publish(hub, 5)
        views.publish(hub, 6)
        await until(lambda: reader.versions == [0, 5, 6])

    in_hub(scene, views)


def test_versions_that_come_while_one_is_rendered_are_skipped_but_nobody_is_forgotten():
    views = Views()

    async def scene(hub):
        player, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: player.versions == [0] and watcher.versions == [0])
        views.may_go_on.clear()
        for version in range(1, 50):
            views.publish(hub, version)
        await asyncio.sleep(0.05)
        views.may_go_on.set()
        await until(lambda: player.versions[-1] == 49 and watcher.versions[-1] == 49)
        assert len(views.asked) <= 6
        assert player.versions == sorted(player.versions)

    in_hub(scene, views)


def test_a_fast_game_does_not_starve_the_spectators():
    views = Views()

    async def scene(hub):
        player, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: player.frames and watcher.frames)
        version = 0
        while len(watcher.frames) < 4:
            version += 1
            assert version < 2000, "the spectator saw nothing of a fast game"
            views.publish(hub, version)
            await asyncio.sleep(0.001)

    in_hub(scene, views)


def test_many_newcomers_cost_one_look_at_the_match():
    views = Views(7)
    views.may_go_on.clear()

    async def scene(hub):
        readers = [Reader(hub, WATCHER) for _ in range(50)]
        await asyncio.sleep(0.02)
        views.may_go_on.set()
        await until(lambda: all(reader.versions == [7] for reader in readers))
        assert views.asked == [(7, WATCHER)]
        late = Reader(hub, WATCHER)
        assert late.versions == [7]
        assert views.asked == [(7, WATCHER)]

    in_hub(scene, views)


@pytest.mark.parametrize(
    ("claimed", "received"),
    [(None, [7]), (6, [7]), (7, []), (10**15, [7])],
    ids=["none", "old", "same", "future"],
)
def test_who_returns_is_sent_what_is_missing(claimed, received):
    views = Views(7)

    async def scene(hub):
        other, reader = Reader(hub, WATCHER), Reader(hub, WATCHER, claimed)
        await until(lambda: other.versions == [7])
        assert reader.versions == received
        views.publish(hub, 8)
        await until(lambda: reader.versions == [*received, 8])

    in_hub(scene, views)


def test_a_new_audience_takes_a_fresh_look():
    views = Views(1)

    async def scene(hub):
        red = Reader(hub, RED)
        await until(lambda: red.versions == [1])
        views.version = 3
        blue = Reader(hub, BLUE)
        await until(lambda: blue.versions == [3])
        views.publish(hub, 3)
        await until(lambda: red.versions == [1, 3])
        assert blue.versions == [3]

    in_hub(scene, views)


def test_a_view_that_cannot_be_made_ends_its_streams_only():
    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)

        def render(audience):
            if audience == RED:
                raise ValueError("broken")
            return "fine"

        hub.publish("M", 1, render)
        await until(lambda: watcher.versions == [0, 1])
        assert red.ended
        assert not watcher.ended
        assert hub.count == 1

    in_hub(scene, Views())


def test_a_seat_that_is_taken_away_is_cut_off_at_once():
    async def scene(hub):
        old = Reader(hub, RED, epochs=(("red", 1),))
        new = Reader(hub, RED, epochs=(("red", 2),))
        both = Reader(hub, Audience(("red", "blue"), "en", "table"), epochs=(("red", 1), ("blue", 1)))
        blue = Reader(hub, BLUE, epochs=(("blue", 1),))
        elsewhere = Reader(hub, RED, epochs=(("red", 1),), match="OTHER")
        hub.drop("M", "red", 1)
        await until(lambda: old.ended and both.ended)
        assert not new.ended
        assert not blue.ended
        assert not elsewhere.ended

    in_hub(scene, Views())


def test_the_token_of_a_seat_that_was_taken_away_is_refused():
    async def scene(hub):
        before = read_stream_token(stream_token("M", (("red", 1),), "en", "table"))
        assert not hub.is_refused(before)
        hub.drop("M", "red", 1)
        assert hub.is_refused(before)
        hub.drop("M", "red", 0)
        assert hub.is_refused(before)
        assert not hub.is_refused(read_stream_token(stream_token("M", (("red", 2),), "en", "table")))
        assert not hub.is_refused(read_stream_token(stream_token("M", (), "en", "table")))
        # Another process may have taken the seat away before this one started.
        assert hub.is_refused(before._replace(epochs=(("blue", 1),), issued=hub.started - 1))
        assert not hub.is_refused(before._replace(epochs=(), issued=hub.started - 1))

    in_hub(scene, Views())


def test_there_is_room_for_so_many():
    async def scene(hub):
        for _ in range(2):
            Reader(hub, RED)
        with pytest.raises(Full):
            Reader(hub, RED)
        one = Reader(hub, WATCHER, address="a")
        with pytest.raises(Full):
            Reader(hub, WATCHER, address="a")
        Reader(hub, WATCHER, address="b")
        with pytest.raises(Full):
            Reader(hub, BLUE)
        Reader(hub, BLUE, match="OTHER")
        with pytest.raises(Full):
            Reader(hub, BLUE, match="THIRD")
        hub.leave(one)
        hub.leave(one)
        Reader(hub, BLUE, match="THIRD")

    in_hub(scene, Views(), seat=2, address=1, match=4, process=5)


def test_streams_without_an_address_do_not_share_a_limit():
    async def scene(hub):
        for match in "NOPQR":
            Reader(hub, WATCHER, match=match)
        for _ in range(3):
            Reader(hub, WATCHER, address="club")
        with pytest.raises(Full):
            Reader(hub, WATCHER, address="club")

    in_hub(scene, Views(), address=3)


def test_a_closed_hub_has_no_room():
    async def scene(hub):
        reader = Reader(hub, RED)
        hub.close()
        assert reader.ended
        with pytest.raises(Full):
            Reader(hub, RED)

    in_hub(scene, Views())


def test_the_frames_can_be_iterated():
    views = Views(1)

    async def scene(hub):
        received = []

        async def read():
            async for frame in hub.subscribe("M", RED, None):
                received.append(frame.version)

        task = asyncio.create_task(read())
        await until(lambda: received == [1])
        views.publish(hub, 2)
        await until(lambda: received == [1, 2])
        hub.close()
        await asyncio.wait_for(task, 1)
        assert hub.count == 0

    in_hub(scene, views)


def test_news_is_held_back_until_the_tapper_has_been_answered():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        with live.held() as news:
            views.publish(hub, 1)
            await asyncio.sleep(0.05)
            assert reader.versions == [0]
        for tell in news:
            tell()
        await until(lambda: reader.versions == [0, 1])

    in_hub(scene, views)


def test_publishing_returns_at_once_from_any_thread():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        views.may_go_on.clear()
        began = time.monotonic()
        await asyncio.to_thread(views.publish, hub, 1)
        assert time.monotonic() - began < 0.5
        views.may_go_on.set()
        await until(lambda: reader.versions == [0, 1])

    in_hub(scene, views)


def test_without_a_server_publishing_does_nothing():
    views = Views()
    hub = Hub(LIMITS)
    views.publish(hub, 1)
    hub.drop("M", "red", 1)
    assert views.asked == []


def test_after_the_server_has_stopped_publishing_does_nothing():
    hubs = []

    async def scene(hub):
        hubs.append(hub)

    in_hub(scene)
    Views().publish(hubs[0], 1)


def test_an_event_survives_every_kind_of_line_break():
    frame = encode(12, "one\ntwo\r\nthree\rfour")
    assert frame.data == b"id: 12\nevent: board\ndata: one\ndata: two\ndata: three\ndata: four\n\n"


def test_a_token_says_who_listens():
    ticket = read_stream_token(stream_token("M", (("red", 1), ("blue", 4)), "zh-hans", "json"))
    assert ticket.match == "M"
    assert ticket.epochs == (("red", 1), ("blue", 4))
    assert ticket.audience == Audience(("red", "blue"), "zh-hans", "json")


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "a:b:c",
        signing.dumps(["M", [], "en", "table", 1], salt="another"),
        signing.dumps("M", salt=live.SALT),
    ],
)
def test_a_token_that_is_not_ours_opens_nothing(token):
    assert read_stream_token(token) is None


def test_a_token_lasts_ten_minutes(monkeypatch):
    token = stream_token("M", (), "en", "table")
    now = time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + 590)
    assert read_stream_token(token) is not None
    monkeypatch.setattr(signing.time, "time", lambda: now + 610)
    assert read_stream_token(token) is None
