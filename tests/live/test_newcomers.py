"""Who comes while a view is being made, and who leaves."""

from __future__ import annotations

import asyncio

from django.db import OperationalError

from games.live import hub as hubs
from games.live.hub import Withheld
from games.monitoring.measures import FRAMES
from games.web.database import journal
from tests.hubs import RED, WATCHER, Reader, Views, in_hub, until


def test_who_comes_while_a_version_is_made_is_not_shown_the_one_before():
    """Their page has the new one already, from the answer to a tap."""
    views = Views()

    async def scene(hub):
        first = Reader(hub, WATCHER)
        await until(lambda: first.versions == [0])
        views.may_go_on.clear()
        views.publish(hub, 1)
        await until(lambda: hub.rooms["M"].version == 1)
        late = Reader(hub, WATCHER, 1)
        assert late.versions == []
        views.may_go_on.set()
        await until(lambda: first.versions == [0, 1])
        assert late.versions == []

    in_hub(scene, views)


def test_of_an_audience_that_has_left_nothing_is_kept():
    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)
        hub.leave(watcher)
        room = hub.rooms["M"]
        assert (set(room.listeners), set(room.frames)) == ({RED}, {RED})
        hub.leave(red)
        assert (hub.rooms, hub.count) == ({}, 0)
        hub.leave(red)
        assert hub.count == 0

    in_hub(scene, Views())


def test_for_who_has_left_meanwhile_nothing_is_made():
    views = Views()

    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)
        views.may_go_on.clear()
        views.publish(hub, 1)
        await until(lambda: hub.rooms["M"].version == 1)
        hub.leave(watcher)
        views.may_go_on.set()
        await until(lambda: red.versions == [0, 1] and hub.rooms["M"].task is None)
        assert (1, WATCHER) not in views.asked

    in_hub(scene, views)


def test_a_hub_that_closes_makes_nothing_more(caplog):
    """Its threads end soon, and whoever still listens would be told of an error."""
    views = Views()

    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)
        views.may_go_on.clear()
        views.publish(hub, 1)
        await until(lambda: hub.rooms["M"].version == 1)
        hub.close()
        views.publish(hub, 2)
        views.may_go_on.set()
        await until(lambda: hub.rooms["M"].task is None)
        assert views.asked[2:] == [(1, RED)]

    in_hub(scene, views)
    assert not caplog.records


def test_what_is_said_of_a_match_that_nobody_listens_to_is_passed_over():
    async def scene(hub):
        hub.publish("M", 1, None)
        hub.refresh("M")
        hub.drop("M", "red", 1)
        hub.end("M")
        await until(lambda: "M" in hub.gone)
        assert hub.rooms == {}

    in_hub(scene, Views())


def test_for_who_left_while_a_view_was_made_nothing_is_kept():
    """Otherwise the room of every match that was ever looked at would stay."""
    views = Views()

    async def scene(hub):
        red, watcher = Reader(hub, RED), Reader(hub, WATCHER)
        await until(lambda: red.frames and watcher.frames)
        room = hub.rooms["M"]
        views.may_go_on.clear()
        views.publish(hub, 1)
        await until(lambda: room.version == 1)
        hub.leave(red)
        views.may_go_on.set()
        await until(lambda: watcher.versions == [0, 1])
        assert (set(room.listeners), set(room.frames)) == ({WATCHER}, {WATCHER})
        hub.leave(watcher)
        assert hub.rooms == {}

    in_hub(scene, views)


def test_a_database_that_is_gone_is_logged_once_and_left_alone_for_a_moment(monkeypatch, caplog):
    monkeypatch.setattr(hubs, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(journal, "logged", {})
    tried = []

    def render(audience):
        tried.append(audience)
        raise OperationalError("gone")

    async def scene(hub):
        red = Reader(hub, RED)
        await until(lambda: red.frames)
        hub.publish("M", 1, render)
        await until(lambda: tried)
        await asyncio.sleep(0.3)
        assert 1 < len(tried) < 8
        assert not red.ended

    in_hub(scene, Views())
    (said,) = caplog.messages
    assert said.startswith("nothing can be saved: ")


def test_a_view_that_cannot_be_made_is_logged_unless_it_is_withheld(caplog):
    async def scene(hub):
        for match, problem in (("M", Withheld()), ("N", ValueError("broken"))):
            hub.snapshots = Views().snapshot
            reader = Reader(hub, WATCHER, match=match)
            await until(lambda: reader.frames)  # noqa: B023

            def render(audience):
                raise problem  # noqa: B023

            hub.publish(match, 1, render)
            await until(lambda: reader.ended)  # noqa: B023

    in_hub(scene, Views())
    assert caplog.messages == ["the view of match N could not be made"]


def test_boards_are_counted_as_they_are_handed_out():
    async def scene(hub):
        before = FRAMES._value.get()
        readers = [Reader(hub, WATCHER) for _ in range(3)]
        await until(lambda: all(reader.frames for reader in readers))
        assert FRAMES._value.get() == before + 3

    in_hub(scene, Views())
