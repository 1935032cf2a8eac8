"""An event as its players and spectators see it: on a phone, on a television, on paper."""

from __future__ import annotations

from unicodedata import east_asian_width

from games.core.words import ViewModel
from games.view_models import Feed, Instant, Link, Notice, Option, Share

LONG, LONGEST, LONG_AT_PLACE = 19, 29, 16
"""Names with more letters than these are written smaller on a full sheet of a television."""


def breadth(name: str) -> int:
    """How wide a name is, in Latin letters: a Chinese character takes two."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in name)


class HallClock(ViewModel):
    """The clock of a round: time is up at `ends`, in seconds since 1970; 0 for a stopped clock.

    `text` is what a stopped clock shows, or a running one showed when it was drawn. `overtime` is in seconds.
    """

    label: str
    text: str
    ends: int = 0
    overtime: int = 0
    note: str = ""


class Paired(ViewModel):
    """A player of a pairing; `points` is "" while nothing is known. `key` is their number at the event.

    `seat` is the house they play at a table of more than two, once that is drawn, with its `mark`.
    """

    key: str
    name: str
    club: str = ""
    points: str = ""
    wins: bool = False
    seat: str = ""
    mark: int = 0

    @property
    def beside(self) -> str:
        """The small print beside the name."""
        return " · ".join(filter(None, (self.seat, self.club)))

    @property
    def look(self) -> str:
        """The CSS classes of the name, which make a television write a long one smaller."""
        letters = breadth(self.name)
        return "name" + " long" * (letters > LONG) + " longest" * (letters > LONGEST)


class PairingRow(ViewModel):
    """One table of a round; `table` is 0 for a bye. `state` is the pairing's, `label` says it in words."""

    key: str
    table: int
    players: tuple[Paired, ...]
    state: str
    label: str
    url: str = ""


class Figure(ViewModel):
    """One value in a line of the standings, and its column heading."""

    head: str
    text: str


class StandingRow(ViewModel):
    """One line of the standings, with the values in the order of the column headings."""

    rank: int
    key: str
    name: str
    club: str
    faction: str
    record: str
    values: tuple[Figure, ...]
    left: str = ""

    @property
    def is_long(self) -> bool:
        return breadth(self.name) > LONG_AT_PLACE


class Standings(ViewModel):
    """The ranking: `title` says after which round, `more_url` leads to all of it if only a part is shown."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[StandingRow, ...]
    more_url: str = ""


class Announcement(ViewModel):
    """What the organisers announced, who announced it, and when."""

    text: str
    author: str
    at: Instant


class Button(ViewModel):
    """A button of the page's form `event`; it posts `do`. `sits` marks the one that goes to the table."""

    do: str
    label: str
    icon: str = ""
    tone: str = ""
    sits: bool = False


class PlayerCard(ViewModel):
    """What one player is told first: where to go, and the one thing to do next.

    `over` stands small above the title. `facts` are lines below the text.
    """

    over: str
    title: str
    text: str = ""
    buttons: tuple[Button, ...] = ()
    ways: tuple[Link, ...] = ()
    facts: tuple[Notice, ...] = ()
    tone: str = ""


class HallNow(ViewModel):
    """What everybody sees of an event: the live part of its page, without any player's own card."""

    heading: str
    mode: str
    clock: HallClock | None
    announcements: tuple[Announcement, ...]
    pairings_title: str
    pairings: tuple[PairingRow, ...]
    standings: Standings | None
    earlier: tuple[Link, ...]
    about: tuple[str, ...] = ()
    players: tuple[Paired, ...] = ()
    players_title: str = ""


class HallRegion(ViewModel):
    """The live region of an event's page: `me` is the player's number, `goes` the table that awaits them."""

    version: int
    news: str
    shown: HallNow
    card: PlayerCard | None = None
    me: str = ""
    goes: str = ""


class EventPage(ViewModel):
    """`hall/event.html` around its region. `post_url` is "" for a spectator."""

    title: str
    code: str
    feed: Feed
    tabs: tuple[Link, ...]
    ways: tuple[Link, ...] = ()
    post_url: str = ""
    key: str = ""
    scores_url: str = ""
    hint: str = ""
    share: Share | None = None


class EventRow(ViewModel):
    """An event in a list."""

    url: str
    name: str
    game: str
    details: tuple[str, ...]
    demo: str = ""


class EventsPage(ViewModel):
    """The list of events, under headings."""

    home: Link
    sections: tuple[tuple[str, tuple[EventRow, ...]], ...]
    new_url: str = ""


class FormField(ViewModel):
    """One field of a form; with `options` it is a choice, with `rows` a text of several lines."""

    name: str
    label: str
    value: str = ""
    hint: str = ""
    error: str = ""
    rows: int = 0
    least: int | None = None
    most: int | None = None
    needed: bool = False
    options: tuple[Option, ...] = ()
    suggestions: tuple[str, ...] = ()


class FieldGroup(ViewModel):
    """Fields that belong to one player, under their name."""

    title: str
    fields: tuple[FormField, ...]


class HallForm(ViewModel):
    """A page with one form: the text before it, its fields, its buttons, and what can be read below.

    `groups` of fields come before the others.
    """

    title: str
    back: Link
    post_url: str = ""
    key: str = ""
    over: str = ""
    text: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    buttons: tuple[Button, ...] = ()
    notice: Notice | None = None
    texts: tuple[tuple[str, str], ...] = ()
    address: str = ""
    qr: str = ""
    ways: tuple[Link, ...] = ()
    groups: tuple[FieldGroup, ...] = ()
    share: Share | None = None


class StandingsPage(ViewModel):
    """The standings on a page of their own, with the ranking criteria in words."""

    title: str
    back: Link
    standings: Standings
    criteria: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    at: str = ""
    address: str = ""
    print_url: str = ""
    feed: Feed | None = None
    version: int = 0
    tabs: tuple[Link, ...] = ()
    share: Share | None = None


class RoundPage(ViewModel):
    """The pairings and results of one round."""

    title: str
    event: str
    back: Link
    mode: str
    pairings: tuple[PairingRow, ...]
    at: str = ""
    address: str = ""
    print_url: str = ""
    tabs: tuple[Link, ...] = ()
    share: Share | None = None


class TvSheet(ViewModel):
    """One sheet of an event's television: pairings, standings or players; the other two are empty.

    `several`: tables have more than two players.
    """

    key: str
    title: str
    pairings: tuple[PairingRow, ...] = ()
    standings: Standings | None = None
    players: tuple[Paired, ...] = ()
    several: bool = False


class TvHall(ViewModel):
    """The live region of an event's television."""

    version: int
    heading: str
    mode: str
    clock: HallClock | None
    announcement: Announcement | None
    sheets: tuple[TvSheet, ...]


class HallStrip(ViewModel):
    """The event on the page of one of its tables: the way back, the clock, the newest announcement.

    `table` names the table by its number in the hall, or says that it was called off. `now` is the server's
    time in seconds since 1970; `judge` says that a judge is called or is coming.
    """

    name: str
    url: str
    clock: HallClock | None
    announcement: Announcement | None
    ways: tuple[Link, ...] = ()
    now: int = 0
    version: int = 0
    judge: str = ""
    table: str = ""
