"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.hall.pages.event_forms import Button
from games.view_models.watch import Instant


class RoundClock(ViewModel):
    """The clock of a round: `ends` in seconds since 1970 while it runs, 0 while it is stopped."""

    text: str
    ends: int = 0
    buttons: tuple[Button, ...] = ()


class HallPlayer(ViewModel):
    """Somebody at a table: their seat's mark (0: not known yet), and their points if known."""

    mark: int
    name: str
    points: str = ""
    wins: bool = False


class HallTable(ViewModel):
    """One table of a round. `tone` is "called", "contested", "done", "reported" or "".

    `number` is "" for a bye; `since` is the last tap; `ends` is when time is up if this table got more.
    """

    number: str
    url: str
    players: tuple[HallPlayer, ...]
    tone: str = ""
    label: str = ""
    round_label: str = ""
    since: Instant | None = None
    ends: int = 0
    watch_url: str = ""
