"""While the database is away, nothing piles up that would be in the way when it is back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games.live.bus import STREAMS, Bus, Unsure
from games.live.hub import Ticket
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
        announcements: Any = bus.announcements
        await until(lambda: any(channel == STREAMS for channel, _told in announcements.told))

    beside(scene, Views())


@pytest.mark.parametrize("is_gone", [True, False])
def test_phones_that_come_back_share_one_look_at_the_rows(
    is_gone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each waits for its own, and each of those takes seconds, the last phone waits for minutes."""
    known = Rows(monkeypatch)

    async def scene(hub: Any, bus: Bus) -> None:
        def back(match: str) -> asyncio.Task[bool]:
            ticket = Ticket(match, (("red", 1),), "en", "table", "", "", "", 0)
            return asyncio.create_task(bus.is_refused(ticket))

        known.may_go_on.clear()
        known.is_gone = is_gone
        phones = [back("M")]
        await until(lambda: known.asked == [["M"]])
        phones += [back(match) for match in ("M", "N", "N", "O")]
        await asyncio.sleep(0.01)
        phones.pop().cancel()
        known.may_go_on.set()
        answers = await asyncio.gather(*phones, return_exceptions=True)
        assert known.asked == [["M"], ["M", "N", "O"]]
        assert all(isinstance(one, Unsure) if is_gone else one is True for one in answers)

    beside(scene)
