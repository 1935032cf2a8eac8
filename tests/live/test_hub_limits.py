"""The hub: who may listen, for how long, and what it does when nobody serves."""

from __future__ import annotations

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest
from django.core import signing

from games.live.hub import (
    PLAYER_TURNS,
    SALT,
    TOKEN_SECONDS,
    Audience,
    Full,
    Hub,
    collect_news,
    encode,
    read_stream_token,
    stream_token,
)
from games.web import program
from tests.hubs import BLUE, LIMITS, RED, WATCHER, Reader, Views, in_hub, until


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
        before = read_stream_token(stream_token("M", (("red", 1),), WATCHER))
        assert not hub.is_refused(before)
        hub.drop("M", "red", 1)
        assert hub.is_refused(before)
        hub.drop("M", "red", 0)
        assert hub.is_refused(before)
        assert not hub.is_refused(read_stream_token(stream_token("M", (("red", 2),), WATCHER)))
        assert not hub.is_refused(read_stream_token(stream_token("M", (), WATCHER)))
        # Another process may have taken the seat away before this one started.
        earlier = before.issued - 600
        assert hub.is_refused(before._replace(epochs=(("blue", 1),), issued=earlier))
        assert not hub.is_refused(before._replace(epochs=(), issued=earlier))

    in_hub(scene, Views())


def test_a_restored_backup_gives_back_what_was_taken_away_since():
    """Its seats have the epochs of that time, and its matches are there again."""

    async def scene(hub):
        red = read_stream_token(stream_token("M", (("red", 1),), WATCHER))
        hub.drop("M", "red", 1)
        hub.end("M")
        await until(lambda: hub.gone)
        assert hub.is_refused(red)
        hub.start_over()
        await until(lambda: not hub.is_refused(red))

    in_hub(scene, Views())


@pytest.mark.parametrize("epochs", [(("red", 2),), ()])
def test_a_ticket_from_before_a_restored_backup_opens_nothing(epochs, monkeypatch):
    """Its seat may be another's in the backup, and its page may show another board with the same version."""

    async def scene(hub):
        # Of the same second, and with a clock that is set back later.
        ticket = read_stream_token(stream_token("M", epochs, WATCHER))
        assert not hub.is_refused(ticket)
        monkeypatch.setattr(program, "restored_at", lambda: 1_700_000_000_900_000_000)
        assert hub.is_refused(ticket)
        assert not hub.is_refused(read_stream_token(stream_token("M", epochs, WATCHER)))

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
        with pytest.raises(Full):
            Reader(hub, BLUE, match="FOURTH")

    in_hub(scene, Views(), seat=2, address=1, match=4, process=5)


def test_a_crowd_leaves_room_for_who_plays():
    async def scene(hub):
        for _ in range(18):
            Reader(hub, WATCHER, address="hall")
        with pytest.raises(Full):
            Reader(hub, WATCHER, address="hall")
        for seats in ("red", "blue"):
            Reader(hub, Audience((seats,), "en", "table"), address="hall")
        with pytest.raises(Full):
            Reader(hub, RED, address="hall")

    for limit in ("address", "match", "process"):
        in_hub(scene, Views(), **{limit: 20})


def test_streams_without_an_address_do_not_share_a_limit():
    async def scene(hub):
        for match in "NOPQR":
            Reader(hub, WATCHER, match=match)
        for _ in range(3):
            last = Reader(hub, WATCHER, address="club")
        for _time in range(2):
            with pytest.raises(Full):
                Reader(hub, WATCHER, address="club")
            hub.leave(last)
            last = Reader(hub, WATCHER, address="club")

    in_hub(scene, Views(), address=3)


def test_a_closed_hub_has_no_room():
    async def scene(hub):
        reader = Reader(hub, RED)
        hub.close()
        assert reader.ended
        with pytest.raises(Full):
            Reader(hub, RED)

    in_hub(scene, Views())


def test_a_hub_that_is_not_open_yet_has_no_room():
    with pytest.raises(Full):
        Reader(Hub(LIMITS), RED)


def test_who_asks_for_a_seat_is_found_by_a_fresh_look_and_shown_to_players_only():
    """What was drawn for a version does not know about a guest who came after it."""
    views, looks = Views(), []
    fresh = views.snapshot

    def snapshot(match, audience):
        looks.append(audience)
        return fresh(match, audience)

    views.snapshot = snapshot

    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.versions == watcher.versions == [0])
        views.publish(hub, 1)
        await until(lambda: red.versions == watcher.versions == [0, 1])
        views.version = 1
        looks.clear()
        for count in (1, 2):
            hub.refresh("M")
            await until(lambda: red.versions == [0, 1] + [1] * count)  # noqa: B023
        assert looks == [RED, RED]
        back = Reader(hub, RED, last_version=1)
        assert back.versions == [1], "it may have been away while somebody asked"
        assert watcher.versions == [0, 1]

    in_hub(scene, views)


def test_what_is_remembered_of_the_lost_is_forgotten_in_time(monkeypatch):
    clock = SimpleNamespace(now=1000.0)
    clocks = SimpleNamespace(monotonic=lambda: clock.now, time=time.time)
    monkeypatch.setattr("games.live.hub.time", clocks)

    async def scene(hub):
        for number in range(1001):
            hub.drop(f"M{number}", "red", 1)
        hub.end("GONE")
        await until(lambda: "GONE" in hub.gone)
        clock.now += TOKEN_SECONDS - 1
        hub.drop("MORE", "red", 1)
        assert len(hub.dropped) == 1002, "a token of each may still be about"
        clock.now += 24 * 3600
        hub.drop("LAST", "red", 1)
        hub.end("NEW")
        await until(lambda: "NEW" in hub.gone)
        assert list(hub.dropped) == [("LAST", "red")]
        assert list(hub.gone) == ["NEW"]

    in_hub(scene, Views())


def test_two_seats_are_lost_at_the_same_moment():
    """Each on its own thread: otherwise one would not be saved, or the token of one would stay good."""
    hub = Hub(LIMITS)
    other = threading.Thread(target=hub.drop, args=("N", "blue", 1))

    class Seats(dict):
        def items(self):
            for number, item in enumerate(super().items()):
                if number == 1:
                    other.start()
                    other.join(0.2)
                yield item

    hub.dropped = Seats({(f"M{number}", "red"): (1, float("inf")) for number in range(1001)})
    hub.drop("M", "red", 1)
    other.join()
    assert len(hub.dropped) == 1003


def test_news_is_held_back_until_the_tapper_has_been_answered():
    views = Views()

    async def scene(hub):
        reader = Reader(hub, RED)
        await until(lambda: reader.versions == [0])
        with collect_news() as news:
            views.publish(hub, 1)
            await asyncio.sleep(0.05)
            assert reader.versions == [0]
        for tell in news:
            tell()
        await until(lambda: reader.versions == [0, 1])
        views.publish(hub, 2)
        await until(lambda: reader.versions == [0, 1, 2])

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
    views = Views()
    views.publish(hubs[0], 1)
    assert views.asked == []


def test_an_event_survives_every_kind_of_line_break():
    frame = encode(12, "one\ntwo\r\nthree\rfour")
    assert frame.data == b"id: 12\nevent: board\ndata: one\ndata: two\ndata: three\ndata: four\n\n"


def test_a_token_says_who_listens():
    ticket = read_stream_token(stream_token("M", (("red", 1), ("blue", 4)), Audience((), "zh-hans", "json")))
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
        signing.dumps("M", salt=SALT),
    ],
    ids=["empty", "a letter", "three parts", "of another kind", "of another shape"],
)
def test_a_token_that_is_not_ours_opens_nothing(token):
    assert read_stream_token(token) is None


def test_a_token_lasts_ten_minutes(monkeypatch):
    token = stream_token("M", (("red", 1),), RED)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 590)
    assert read_stream_token(token) is not None
    monkeypatch.setattr(time, "time", lambda: now + 610)
    assert read_stream_token(token) is None


def test_a_token_from_before_the_clock_was_set_back_opens_nothing(monkeypatch):
    """It would stay valid for longer than the hub remembers that its seat was taken away."""
    now = time.time()
    for epochs in ((("red", 1),), ()):
        token = stream_token("M", epochs, RED)
        monkeypatch.setattr(time, "time", lambda: now - 30)
        assert read_stream_token(token) is not None
        monkeypatch.setattr(time, "time", lambda: now - 3600)
        assert read_stream_token(token) is None
        monkeypatch.setattr(time, "time", lambda: now)


def test_streams_open_after_the_clock_was_set_back(monkeypatch):
    now = time.time()

    async def scene(hub):
        monkeypatch.setattr(time, "time", lambda: now - 3600)
        fresh = read_stream_token(stream_token("M", (("red", 1),), RED))
        assert hub.is_refused(fresh)
        for _turn in range(PLAYER_TURNS):
            hub._beat()
        assert not hub.is_refused(fresh)

    in_hub(scene, Views())


def test_a_spectators_token_lasts_half_a_day(monkeypatch):
    token = stream_token("M", (), WATCHER)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 11 * 3600)
    assert read_stream_token(token) is not None
    monkeypatch.setattr(time, "time", lambda: now + 13 * 3600)
    assert read_stream_token(token) is None


def test_the_rows_are_looked_at_once_a_beat_until_the_hub_closes():
    beats, told = [], SimpleNamespace(count=lambda key: 0)

    async def scene(hub):
        hub.bus = SimpleNamespace(beat=lambda: beats.append(hub.beats), tally=told)
        first = hub.beats
        for _turn in range(3 * PLAYER_TURNS):
            hub._beat()
        assert beats == [first + 1, first + 2, first + 3]
        hub.close()
        for _turn in range(PLAYER_TURNS):
            hub._beat()
        assert len(beats) == 3

    in_hub(scene, Views())


def test_what_other_processes_carry_counts_against_every_limit():
    """The limits of an address, a table and a seat hold wherever their streams go."""
    elsewhere = {}

    async def scene(hub):
        hub.bus = SimpleNamespace(
            beat=lambda: None,
            look=lambda matches: None,
            tally=SimpleNamespace(count=lambda k: elsewhere.get(k, 0)),
        )
        for key, limit in (("address 192.0.2.1", "address"), ("match M", "match"), ("seat M red", "seat")):
            elsewhere[key] = LIMITS[limit] - 1
            hub.leave(Reader(hub, RED, address="192.0.2.1"))
            elsewhere[key] += 1
            with pytest.raises(Full):
                Reader(hub, RED, address="192.0.2.1")
            elsewhere.clear()

    in_hub(scene, Views())
