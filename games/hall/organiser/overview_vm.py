"""What templates receive."""

from __future__ import annotations

from games.core.records import ViewModel
from games.hall.organiser.tables_vm import HallTable, RoundClock
from games.hall.pages.event_forms import Button
from games.view_models.frame import Link
from games.view_models.watch import Instant


class Next(ViewModel):
    """The one next thing: a sentence, the button that does it, and a link to where it is done or checked."""

    title: str
    detail: str = ""
    button: Button | None = None
    link: Link | None = None


class CallRow(ViewModel):
    """A call for a judge: where, by whom, about what, and who is coming."""

    number: int
    title: str
    url: str
    text: str
    comes: str
    asked: Instant
    buttons: tuple[Button, ...] = ()


class Done(ViewModel):
    """The newest action, with the button that undoes it."""

    text: str
    button: Button | None = None


class Said(ViewModel):
    """An announcement: what it says, who made it and when, and the button that takes it down."""

    text: str
    author: str
    at: Instant
    button: Button | None = None


class OverviewRegion(ViewModel):
    """What updates by itself on the organisers' page.

    `folded` are the tables that are done, apart from the others; `jumps` says that the list is long.
    """

    version: int
    news: str
    standing: str
    next: Next
    calls: tuple[CallRow, ...] = ()
    clock: RoundClock | None = None
    title: str = ""
    tables: tuple[HallTable, ...] = ()
    folded_title: str = ""
    folded: tuple[HallTable, ...] = ()
    jumps: bool = False
    byes: str = ""
    done: Done | None = None
    announcements: tuple[Said, ...] = ()


class WallRegion(ViewModel):
    """Every table of a round on one screen; `size` says how many there are: "few", "some" or "many"."""

    version: int
    news: str
    title: str
    counted: str
    clock: RoundClock | None
    tables: tuple[HallTable, ...]
    size: str
    said: Said | None = None


class AlteredNotice(ViewModel):
    """That something was changed outside the program: what comes first, and where to decide about it."""

    sentence: str
    url: str


class AlteredPage(ViewModel):
    """What the rows of an event hold that its history does not say, and the two ways to end that."""

    differences: tuple[str, ...]
    broken: str
    buttons: tuple[Button, ...]


class LogRow(ViewModel):
    """One action of the history; `state` is "", "undone" or "undo"."""

    who: str
    at: Instant
    lines: tuple[str, ...]
    state: str = ""
    button: Button | None = None
