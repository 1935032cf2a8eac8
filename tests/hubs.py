"""A hub for tests to listen to: stand-ins for what it renders, and for who reads."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from django.utils.translation import get_language

from games.live.hub import Audience, Hub, Listener

LIMITS = {"seat": 3, "address": 100, "match": 100, "process": 200}
RED = Audience(("red",), "en", "table")
BLUE = Audience(("blue",), "en", "table")
WATCHER = Audience((), "en", "table")
WATCHER_ZH = Audience((), "zh-hans", "table")


class Views:
    """Stands in for the rendering of boards, and remembers what it was asked to render."""

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
    """Run a scene in a loop with an open hub."""

    wrong = []

    async def run():
        # What goes wrong between two tasks would only be logged.
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: wrong.append(context))
        hub = Hub({**LIMITS, **limits})
        hub.snapshots = views and views.snapshot
        hub.open()
        try:
            await scene(hub)
        finally:
            hub.close()
            await asyncio.to_thread(hub.pool.close)

    in_loop(run())
    assert not wrong, wrong


def in_loop(story):
    """Run a coroutine in its own thread: the browser that other tests share keeps a loop running here."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, story).result()


async def until(condition, seconds=3.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.005)


class Reader(Listener):
    """A listener that reads at once, and remembers what it read."""

    __slots__ = ("ended", "frames")

    def __init__(self, hub, audience, last_version=None, epochs=(), match="M", address="", tab=""):
        super().__init__(match, audience, last_version, epochs, address, tab)
        self.frames = []
        self.ended = False
        hub.join(self)

    def wake(self):
        self.frames.append(self.take())

    def end(self):
        self.ended = True

    @property
    def versions(self):
        return [frame.version for frame in self.frames]
