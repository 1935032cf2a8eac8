"""What the streams show: a match's news for each audience, as HTML or as JSON."""

from __future__ import annotations

from functools import partial
from threading import Lock

from games.api.positions import VIEW, audience_json
from games.live import Audience, hub
from games.views import boards


class _Once:
    """A version of a table, loaded by the first audience that is rendered and shared by the others."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.lock = Lock()
        self.table: boards.Table | None = None

    def show(self, audience: Audience) -> str:
        with self.lock:
            if self.table is None:
                self.table = boards.table_of(self.code)
            return _shown(self.table, audience)


def announce(code: str, version: int) -> None:
    """Tell everyone who listens to a match that it has a new version."""
    hub.publish(code, version, partial(_Once.show, _Once(code)))


def snapshot(code: str, audience: Audience) -> tuple[int, str]:
    """The present version of a match as an audience sees it."""
    table = boards.table_of(code)
    return table.match.version, _shown(table, audience)


def _shown(table: boards.Table, audience: Audience) -> str:
    return audience_json(table, audience) if audience.view == VIEW else boards.html(table, audience)
