"""What the streams show: a match's news for each audience, as HTML or as JSON."""

from __future__ import annotations

from threading import Lock

from games.api.positions import VIEW, audience_json
from games.live.hub import Audience, hub
from games.match.board import Board
from games.views import boards, watched
from games.views.loaded import Table, table_of
from games.web.database import one_moment


def announce(code: str, version: int, board: Board) -> None:
    """Tell everyone who listens to a match that it has a new version, and show it as the action left it."""
    table, lock = Table(board.match, board), Lock()

    def show(audience: Audience) -> str:
        # One audience after the other: they share what the table has worked out.
        with lock:
            return _shown(table, audience)

    hub.publish(code, version, show)


def snapshot(code: str, audience: Audience) -> tuple[int, str]:
    """The present version of a match as an audience sees it."""
    with one_moment():
        table = table_of(code)
        return table.match.version, _shown(table, audience)


def _shown(table: Table, audience: Audience) -> str:
    if audience.view == VIEW:
        return audience_json(table, audience)
    draw = watched.html if audience.view in watched.TEMPLATES else boards.html
    return draw(table, audience)
