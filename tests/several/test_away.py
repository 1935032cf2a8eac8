"""While the database is away, nothing piles up that would be in the way when it is back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games.live.bus import Bus
from games.live.carriers import STREAMS
from tests.hubs import RED, Reader, Views, until
from tests.several.test_beats import Rows, beside


def test_while_the_database_is_away_counts_do_not_wait_in_front_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = Rows(monkeypatch)

    async def scene(hub: Any, bus: Bus) -> None:
        known.may_go_on.clear()
        for _stream in range(3):
            Reader(hub, RED)
        hub.beats = 1
        for _beat in range(20):
            bus.beat()
            await asyncio.sleep(0)
        assert bus.pool is not None
        assert bus.pool._work_queue.qsize() <= 2
        known.may_go_on.set()
        carrier: Any = bus.carrier
        await until(lambda: any(channel == STREAMS for channel, _told in carrier.told))

    beside(scene, Views())
