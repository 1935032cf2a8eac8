"""What moves the demo table: one look every few seconds, and a tap if somebody watches that table here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection

from django.db import close_old_connections

from games.live.hub import Hub
from games.match import demo

log = logging.getLogger(__name__)


async def play_on(hub: Hub) -> None:
    """Have the robots play for as long as the server runs; without open streams nothing is even looked up."""
    while True:
        await asyncio.sleep(demo.PACE_SECONDS)
        if hub.rooms and hub.pool is not None:
            watched = frozenset(hub.rooms)
            await asyncio.get_running_loop().run_in_executor(hub.pool, _step, watched)


def _step(watched: Collection[str]) -> None:
    close_old_connections()
    try:
        demo.step(watched)
    except Exception:
        log.exception("the robots of the demo table could not tap; they try again")
