"""What carries announcements from process to process: PostgreSQL, or a Redis where one is named.

PostgreSQL announces changes by itself, in the transaction that makes them, and is told of streams alone. A
Redis (`ROUNDTABLE_REDIS`) has to be told of changes too: for a database whose pooler knows no LISTEN. That is
done after the commit, by a thread of its own with a short patience, so that no tap ever waits for it. What
does not arrive is found by the look at the rows that every process takes every two seconds.
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
"""How often the thread that listens looks whether it is to end."""
PATIENCE_SECONDS = 1.0
"""How long a Redis may take to answer anything."""
SILENCE_SECONDS = 5.0
"""A connection that says nothing for so long is asked whether it lives; after twice as long it does not."""
ECHO_SECONDS = 3.0
"""How long an announcement of our own may take to arrive."""
UNHEARD = (
    "What other processes announce does not arrive: a pooler that works by transaction carries no LISTEN. "
    "Phones at other processes see changes up to two seconds late. ROUNDTABLE_DATABASE_DIRECT may name the "
    "database itself, or ROUNDTABLE_REDIS a Redis."
)
MOST_WAITING = 5000
"""Announcements that wait for Redis; more are left to the look at the rows."""

Hear = Callable[[str, str], None]
"""Called with the channel and the payload of an announcement."""


class Carrier(Protocol):
    """A way between processes. What it loses may be lost."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        """Hear announcements until the end, once it has `begun`; raises whatever breaks it off."""

    def tell(self, channel: str, payload: str) -> None:
        """Announce something to all processes, this one among them."""


class Database:
    """PostgreSQL's own LISTEN and NOTIFY."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        with closing(straight()) as line:
            with line.cursor() as cursor:
                cursor.execute(f"LISTEN {CHANNEL}; LISTEN {STREAMS}")
            begun()
            is_doubtful, until = True, time.monotonic() + ECHO_SECONDS
            # Counts of no streams, from which nobody learns anything; by another connection, as theirs come.
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
    """A connection that can LISTEN: past the pooler, where the database's own address is set."""
    line = connection.copy()
    line.settings_dict.update(settings.DATABASE_DIRECT)
    return line


class Redis:
    """The publishing and subscribing of a Redis, or of anything that speaks as it does."""

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
        # Several installations may share one Redis; none hears the others.
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
        # Whoever is not told sees the rows within two seconds.
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
        """What waits is old before Redis is back."""
        with suppress(queue.Empty):
            while self.waiting.get_nowait() is not None:
                pass
            self.waiting.put_nowait(None)

    def close(self) -> None:
        """Send what waits, and no more; a moment is all that it may take."""
        with self.lock:
            if self.thread is not None:
                with suppress(queue.Full):
                    self.waiting.put_nowait(None)
                self.thread.join(2 * PATIENCE_SECONDS)
                self.thread = None


@cache
def carrier() -> Carrier:
    """What this process hears and tells by."""
    return Redis(settings.REDIS) if settings.REDIS else Database()


def announce(kind: str, match: str, number: int = 0, seat: str = "") -> None:
    """Tell the other processes of a change, once it is committed; PostgreSQL does so itself."""
    if settings.REDIS:
        payload = json.dumps([kind, match, number, seat, settings.PROCESS])
        transaction.on_commit(partial(carrier().tell, CHANNEL, payload))
