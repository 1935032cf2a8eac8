"""The organisers' side of an event: what is next, the tables as they are played, forms, the wall."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models import Feed, Instant, Link, Notice, Option


class Button(ViewModel):
    """A button that posts `do` ("check_in p3"); `tone` is "main", "quiet" or "danger"."""

    do: str
    label: str
    tone: str = ""
    icon: str = ""


class Next(ViewModel):
    """The one next thing: a sentence, the button that does it, and a link to where it is done or checked."""

    title: str
    detail: str = ""
    button: Button | None = None
    link: Link | None = None


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


class Sender(ViewModel):
    """Where the forms of a page post, under which key, and which page they are on."""

    url: str
    key: str
    at: str


class OrganiserFrame(ViewModel):
    """What all organisers' pages share. `feed` is None if nothing updates by itself."""

    event: str
    code: str
    title: str
    sender: Sender
    back: Link | None = None
    notice: Notice | None = None
    feed: Feed | None = None


class Field(ViewModel):
    """One field of a form. `kind` is "text", "number", "select", "check" or "area"."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    options: tuple[Option, ...] = ()
    help: str = ""
    low: int = 0
    high: int = 0
    checked: bool = False
    most: int = 60


class FieldGroup(ViewModel):
    """Fields under one heading."""

    title: str
    fields: tuple[Field, ...]


class NewEventPage(ViewModel):
    """Opening an event: presets lead to the same form with their settings, which are folded."""

    post_url: str
    back: Link
    key: str
    preset: str
    presets: tuple[Link, ...]
    name: str
    organiser: str
    summary: str
    groups: tuple[FieldGroup, ...]
    flags: str
    notice: Notice | None = None


class AlteredNotice(ViewModel):
    """That something was changed outside the program: what comes first, and where to decide about it."""

    sentence: str
    url: str


class AlteredPage(ViewModel):
    """What the rows of an event hold that its history does not say, and the two ways to end that."""

    differences: tuple[str, ...]
    broken: str
    buttons: tuple[Button, ...]


class PlayerRow(ViewModel):
    """One player in a list; `state` is "here", "away" or "left"."""

    key: str
    name: str
    detail: str
    url: str
    state: str
    state_label: str
    button: Button | None = None


class PlayersPage(ViewModel):
    """The players of an event, or as many of them as were asked for."""

    rows: tuple[PlayerRow, ...]
    counted: str
    search_url: str
    wanted: str = ""
    more: Link | None = None
    adding: FieldGroup | None = None
    adding_button: Button | None = None
    all_here: Button | None = None
    ways: tuple[Link, ...] = ()


class PickRow(ViewModel):
    """A player who can be picked to be taken off the list."""

    key: str
    name: str
    detail: str
    is_picked: bool = False


class PickGroup(ViewModel):
    """Players who registered from one address, with the link that picks them all; or the others."""

    title: str
    rows: tuple[PickRow, ...]
    all_of_them: Link | None = None


class RemovingPage(ViewModel):
    """Taking several players off the list: first picked, then named once more under `button`.

    `picked` is where the first step posts to.
    """

    hint: str
    groups: tuple[PickGroup, ...]
    picked: str = ""
    button: Button | None = None


class PlayerPage(ViewModel):
    """One player: facts, what can be done, the personal link (organisers only).

    `shown` says what the fields were filled with (`filled`).
    """

    name: str
    detail: str
    fields: FieldGroup | None
    shown: str
    saving: Button | None
    buttons: tuple[Button, ...]
    link: str = ""
    qr: str = ""
    history: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    handing_in: Button | None = None


class ClaimRow(ViewModel):
    """What somebody says about a result: the players, or the table itself."""

    who: str
    text: str


class ResultPage(ViewModel):
    """One table of a round: what is known, and the forms to enter, correct or rule the result.

    `seen` comes back with a ruling, so that it is refused once the table has changed.
    """

    table: HallTable
    states: tuple[ClaimRow, ...]
    scores: tuple[FieldGroup, ...]
    rest: FieldGroup | None
    buttons: tuple[Button, ...]
    asks_why: bool
    must_rule: bool
    seen: str = ""
    extending: tuple[Button, ...] = ()
    judging: tuple[Button, ...] = ()
    rulings: tuple[str, ...] = ()
    ways: tuple[Link, ...] = ()


class PairingsPage(ViewModel):
    """The newest round: its pairings, and how to change, redraw or call it off; a long one `jumps`.

    `is_by_hand` unfolds the field for pairings by hand; `seen` is the mark of the rounds as they are shown.
    """

    title: str
    tables: tuple[HallTable, ...]
    byes: str
    hint: str
    mode: Field | None
    swapping: tuple[Field, ...]
    by_hand: Field | None
    buttons: tuple[Button, ...]
    ways: tuple[Link, ...] = ()
    jumps: bool = False
    is_by_hand: bool = False
    seen: str = ""


class WrongLine(ViewModel):
    """One line of a list of players that cannot be entered, and why."""

    number: int
    text: str
    sentence: str


class ImportPage(ViewModel):
    """A list of players: pasted, checked, then entered as a whole or not at all."""

    text: str
    players: tuple[tuple[int, tuple[str, str, str]], ...]
    wrong: tuple[WrongLine, ...]
    counted: str
    button: Button | None
    url: str


class HelperRow(ViewModel):
    """A helper: their role, their link and its QR code."""

    name: str
    role: str
    link: str
    qr: str
    button: Button | None = None
    mine: bool = False


class HelpersPage(ViewModel):
    """The helpers, and the form that invites another."""

    rows: tuple[HelperRow, ...]
    fields: FieldGroup


class LogRow(ViewModel):
    """One action of the history; `state` is "", "undone" or "undo"."""

    who: str
    at: Instant
    lines: tuple[str, ...]
    state: str = ""
    button: Button | None = None


class SlipRow(ViewModel):
    """A paper slip for a player: their name and the QR code of their personal link."""

    name: str
    detail: str
    qr: str
