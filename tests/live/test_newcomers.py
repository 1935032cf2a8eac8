"""Who comes while a view is being made, and who leaves."""

from __future__ import annotations

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
