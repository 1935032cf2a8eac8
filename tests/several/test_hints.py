"""What other processes announce is a hint: the rows are read, and they are right."""

from __future__ import annotations

import asyncio

from django.db import OperationalError

from games.live import hub as hubs
from games.live.bus import Bus, Known
from games.live.hub import Ticket
from tests.hubs import RED, WATCHER, Reader, Views, in_hub, until


def test_a_hint_is_rendered_from_the_rows():
    views = Views(1)

    async def scene(hub):
        reader = Reader(hub, WATCHER)
        await until(lambda: reader.versions == [1])
        views.version = 5
        hub.publish("M", 3, None)
        await until(lambda: reader.versions == [1, 5])
        hub.publish("M", 4, None)
        hub.publish("M", 5, None)
        await asyncio.sleep(0.05)
        assert views.asked == [(1, WATCHER), (5, WATCHER)]

    in_hub(scene, views)


def test_a_version_that_is_not_in_the_rows_is_believed_for_one_look_only():
    views = Views(1)

    async def scene(hub):
        reader = Reader(hub, WATCHER)
        await until(lambda: reader.versions == [1])
        hub.publish("M", 999, None)
        await until(lambda: len(views.asked) == 2)
        await asyncio.sleep(0.1)
        assert len(views.asked) == 2, "it is looked for again and again"
        views.publish(hub, 2)
        await until(lambda: reader.versions == [1, 2])

    in_hub(scene, views)


def test_while_the_database_is_gone_streams_wait_and_are_not_ended(monkeypatch):
    monkeypatch.setattr(hubs, "PAUSE_SECONDS", 0.01)
    views, broken = Views(1), [True]

    def snapshot(match, audience):
        if broken:
            raise OperationalError("gone")
        return views.snapshot(match, audience)

    async def scene(hub):
        hub.snapshots = snapshot
        reader = Reader(hub, WATCHER)
        await asyncio.sleep(0.1)
        assert not reader.ended
        broken.clear()
        await until(lambda: reader.versions == [1])

    in_hub(scene, views)


async def shown(hub):
    """A watcher and a player who see the first version, before anybody looks at the rows."""
    hub.bus = Bus(hub, "here")
    hub.bus.read_soon = lambda matches: None
    watcher, red = Reader(hub, WATCHER), Reader(hub, RED, epochs=(("red", 2),))
    await until(lambda: watcher.versions == red.versions == [1])
    return watcher, red


def looked(hub, **known):
    hub.bus._looked(["M"], {"M": Known(**known)} if known else {})


def test_a_look_at_the_rows_brings_everybody_up_to_them():
    views = Views(1)

    async def scene(hub):
        watcher, red = await shown(hub)
        looked(hub, version=1, epochs={"red": 2}, guests=frozenset())
        await asyncio.sleep(0.05)
        assert len(views.asked) == 2, "nothing was news"
        # Somebody asks for a seat: only players see that.
        looked(hub, version=1, epochs={"red": 2}, guests=frozenset({(7,)}))
        await until(lambda: red.versions == [1, 1])
        # An answer that is older than the stream ends nothing.
        looked(hub, version=1, epochs={"red": 1}, guests=frozenset({(7,)}))
        await asyncio.sleep(0.05)
        assert not red.ended
        looked(hub, version=1, epochs={"red": 3}, guests=frozenset({(7,)}))
        assert (red.ended, watcher.ended, watcher.versions) == (True, False, [1])
        looked(hub)
        await until(lambda: watcher.ended)
        hub.bus = None

    in_hub(scene, views)


def test_who_asked_before_the_first_look_is_shown_too():
    """The announcement was lost, and what the players see may have been drawn before somebody asked."""
    views = Views(1)

    async def scene(hub):
        watcher, red = await shown(hub)
        for _look in range(2):
            looked(hub, version=1, epochs={"red": 2}, guests=frozenset({(7,)}))
            await until(lambda: red.versions == [1, 1])
        await asyncio.sleep(0.05)
        assert (red.versions, watcher.versions) == ([1, 1], [1])
        hub.bus = None

    in_hub(scene, views)


def test_a_ticket_is_held_to_the_rows():
    async def scene(hub):
        hub.bus = Bus(hub, "here")
        told = {"M": Known(4, {"red": 2}, frozenset())}

        async def ask(matches):
            return {match: told[match] for match in matches if match in told}

        hub.bus._ask = ask
        for match, epochs, is_refused in (
            ("M", (("red", 2),), False),
            ("M", (("red", 1),), True),
            ("M", (("red", 3),), True),
            ("M", (("red", 2), ("blue", 1)), True),
            ("N", (("red", 2),), True),
            ("N", (), False),
        ):
            assert await hub.bus.is_refused(Ticket(match, epochs, "en", "table", "", "", "", 0)) == is_refused
        hub.bus = None

    in_hub(scene)
