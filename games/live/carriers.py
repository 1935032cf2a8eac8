"""What carries announcements from process to process: PostgreSQL, or Redis if one is configured.

PostgreSQL announces changes by itself, in the transaction that makes them, and only has to be told about
streams. Redis (`ROUNDTABLE_REDIS`) is for a database whose pooler does not support LISTEN, and has to be told
about changes too. That happens after the commit, in a thread of its own with a short timeout, so no tap ever
waits for it. What does not arrive is found when every process looks at the rows, every two seconds.
"""

from __future__ import annotations

import atexit
import json
import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache, partial
from typing import Any, Protocol

from django.conf import settings
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.crypto import salted_hmac

from games.live import rows

log = logging.getLogger(__name__)

CHANNEL, STREAMS = "roundtable", "roundtable_streams"
EACH_SECONDS = 1.0
"""How often the listening thread checks whether it is to end."""
PATIENCE_SECONDS = 1.0
"""How long Redis may take to answer anything."""
SILENCE_SECONDS = 5.0
"""A connection that is silent for so long gets a ping; after twice as long it counts as dead."""
ECHO_SECONDS = 3.0
"""How long our own announcement may take to arrive."""
UNHEARD = (
    "What other processes announce does not arrive: a pooler that works by transaction carries no LISTEN. "
    "Phones at other processes see changes up to two seconds late. ROUNDTABLE_DATABASE_DIRECT may name the "
    "database itself, or ROUNDTABLE_REDIS a Redis."
)
MOST_WAITING = 5000
"""Announcements that may wait for Redis; any more are left to the look at the rows."""

Hear = Callable[[str, str], None]
"""Called with the channel and the payload of an announcement."""


class Carrier(Protocol):
    """A way between processes. It may lose announcements."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        """Pass on announcements until it is closing; calls `begun` first. Raises whatever interrupts it."""

    def tell(self, channel: str, payload: str) -> None:
        """Announce something to all processes, including this one."""


class Database:
    """PostgreSQL's own LISTEN and NOTIFY."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        with closing(straight()) as line:
            with line.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}; LISTEN {STREAMS}")
            begun()
            is_doubtful, until = True, time.monotonic() + ECHO_SECONDS
            # A harmless announcement of no streams, on another connection, just as those of others arrive.
            probe = json.dumps([settings.PROCESS, {}])
            self.tell(STREAMS, probe)
            connection.close()
            while not is_closing.is_set():
                for told in line.connection.notifies(timeout=EACH_SECONDS):
                    is_doubtful = is_doubtful and told.payload != probe
                    hear(told.channel, told.payload)
                if is_doubtful and time.monotonic() > until:
                    log.warning(UNHEARD)
                    is_doubtful = False

    def tell(self, channel: str, payload: str) -> None:
        rows.notify(channel, payload)


def straight() -> BaseDatabaseWrapper:
    """A connection that can LISTEN: past the pooler, if the database's own address is set."""
    line = connection.copy()
    line.settings_dict.update(settings.DATABASE_DIRECT)
    return line


class Redis:
    """Redis's publish and subscribe, or that of anything compatible."""

    def __init__(self, url: str) -> None:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self.client: Any = redis.Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=PATIENCE_SECONDS,
            socket_connect_timeout=PATIENCE_SECONDS,
            socket_keepalive=True,
            retry=Retry(NoBackoff(), 0),
        )
        self.waiting: queue.Queue[tuple[str, str] | None] = queue.Queue(MOST_WAITING)
        self.thread: threading.Thread | None = None
        self.lock = threading.Lock()
        # Several installations may share one Redis without hearing each other.
        self.prefix = salted_hmac("roundtable.carriers", "redis").hexdigest()[:16] + " "

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        with self.client.pubsub() as heard:
            heard.subscribe(self.prefix + CHANNEL, self.prefix + STREAMS)
            begun()
            last, is_asked = time.monotonic(), False
            while not is_closing.is_set():
                message = heard.get_message(timeout=EACH_SECONDS)
                silence = time.monotonic() - last
                if message is not None:
                    last, is_asked = time.monotonic(), False
                    if message["type"] == "message":
                        hear(message["channel"].removeprefix(self.prefix), message["data"])
                elif silence > 2 * SILENCE_SECONDS:
                    raise TimeoutError("Redis says nothing any more")
                elif silence > SILENCE_SECONDS and not is_asked:
                    heard.ping()
                    is_asked = True

    def tell(self, channel: str, payload: str) -> None:
        self._begin()
        # A process that is not told sees the rows within two seconds.
        with suppress(queue.Full):
            self.waiting.put_nowait((self.prefix + channel, payload))

    def _begin(self) -> None:
        with self.lock:
            if self.thread is None:
                self.thread = threading.Thread(target=self._send, name="redis", daemon=True)
                self.thread.start()
                atexit.register(self.close)

    def _send(self) -> None:
        while (said := self.waiting.get()) is not None:
            try:
                self.client.publish(*said)
            except Exception as problem:
                log.warning("announcements do not reach Redis for the moment: %s", str(problem).strip())
                self._forget()
                time.sleep(PATIENCE_SECONDS)

    def _forget(self) -> None:
        """Drop what waits: it will be out of date before Redis is back."""
        with suppress(queue.Empty):
            while self.waiting.get_nowait() is not None:
                pass
            self.waiting.put_nowait(None)

    def close(self) -> None:
        """Send what waits and stop; this may take only a moment."""
        with self.lock:
            if self.thread is not None:
                with suppress(queue.Full):
                    self.waiting.put_nowait(None)
                self.thread.join(2 * PATIENCE_SECONDS)
                self.thread = None


@cache
def carrier() -> Carrier:
    """The carrier of this process."""
    return Redis(settings.REDIS) if settings.REDIS else Database()


def announce(kind: str, match: str, number: int = 0, seat: str = "") -> None:
    """Tell the other processes about a change once it is committed; PostgreSQL does so itself."""
    if settings.REDIS:
        payload = json.dumps([kind, match, number, seat, settings.PROCESS])
        transaction.on_commit(partial(carrier().tell, CHANNEL, payload))
