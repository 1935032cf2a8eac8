"""What processes announce to each other, by PostgreSQL's LISTEN and NOTIFY.

The database announces changes by itself, in the transaction that makes them, and only has to be told about
streams. What does not arrive is found when every process looks at the rows, every two seconds.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from games.live import rows

log = logging.getLogger(__name__)

CHANNEL, STREAMS = "roundtable", "roundtable_streams"
EACH_SECONDS = 1.0
"""How often the listening thread checks whether it is to end."""
ECHO_SECONDS = 3.0
"""How long our own announcement may take to arrive."""
UNHEARD = (
    "What other processes announce does not arrive: a pooler that works by transaction carries no LISTEN. "
    "Phones at other processes see changes up to two seconds late. ROUNDTABLE_DATABASE_DIRECT may name the "
    "database itself."
)

Hear = Callable[[str, str], None]
"""Called with the channel and the payload of an announcement."""


class Announcements:
    """The way between processes. It may lose announcements."""

    def listen(self, hear: Hear, is_closing: threading.Event, begun: Callable[[], None]) -> None:
        """Pass on announcements until it is closing; calls `begun` first. Raises whatever interrupts it."""
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
        """Announce something to all processes, including this one."""
        rows.notify(channel, payload)


def straight() -> BaseDatabaseWrapper:
    """A connection that can LISTEN: past the pooler, if the database's own address is set."""
    line = connection.copy()
    line.settings_dict.update(settings.DATABASE_DIRECT)
    return line
