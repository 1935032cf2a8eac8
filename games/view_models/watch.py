"""A match as watchers see it: their page, the television, the overlay of a stream."""

from __future__ import annotations

from typing import Any

from games.core.words import ViewModel
from games.view_models.board import Middle, Result, Space
from games.view_models.frame import Link, Share
from games.view_models.pieces import Badge
from games.view_models.score import Chart


class Instant(ViewModel):
    """A moment: as programs read it, in seconds since 1970, and as the server's clock shows it.

    Time is counted from `seconds`, which for those who see a match late is when they saw it.
    """

    iso: str
    seconds: int
    text: str


class Clock(ViewModel):
    """A clock of a side. A running clock is over at `ends`, in seconds since 1970; 0 for a stopped one."""

    label: str
    text: str
    ends: int = 0


class WatchedPiece(ViewModel):
    """A piece in one line: `full` is how much of it is left in percent, None if nothing is counted.

    `state` is a card's. `note` says what is left, or more about a fact.
    """

    name: str
    state: str = ""
    state_label: str = ""
    full: int | None = None
    note: str = ""
    leads: bool = False


class WatchedSide(ViewModel):
    """One side at a glance. `counted` says what of it is left ("5 of 7 left").

    `toward` is its score in percent of the target, None if there is no target.
    """

    key: str
    mark: int
    name: str
    score: int
    target: int | None = None
    toward: int | None = None
    beside: str = ""
    army: str = ""
    leader: str = ""
    first: bool = False
    to_act: bool = False
    answered: bool = False
    wins: bool = False
    counted: str = ""
    facts: tuple[Badge, ...] = ()
    clocks: tuple[Clock, ...] = ()
    pieces: tuple[WatchedPiece, ...] = ()


class Held(ViewModel):
    """A place between the sides, and who holds it: `mark` is 0 for nobody."""

    name: str
    mark: int
    by: str


class Told(ViewModel):
    """One line of what was done; `mark` is the side that it begins with, 0 for none."""

    text: str
    mark: int = 0


class Happening(ViewModel):
    """What was done, line by line, in words that everybody may read."""

    mark: int
    lines: tuple[Told, ...]
    at: Instant


class Watched(ViewModel):
    """One match for watchers: finished words, nothing that only a seat may know.

    `asked` names who acts, `mark` says which side that is (0: several, or nobody), `about` what
    is asked, `since` when that began. `news` is for screen readers. `field_template` draws the `middle`, such
    as a map, where there is something to draw; `screen_template` draws it for a television.
    """

    code: str
    version: int
    title: str
    url: str
    round_label: str
    phase: str
    sides: tuple[WatchedSide, ...]
    asked: str
    mark: int = 0
    about: str = ""
    since: Instant | None = None
    track: tuple[Space, ...] = ()
    places_title: str = ""
    places: tuple[Held, ...] = ()
    happenings: tuple[Happening, ...] = ()
    chart: Chart | None = None
    result: Result | None = None
    news: str = ""
    middle: Middle | None = None
    field_template: str = ""
    screen_template: str = ""


class Feed(ViewModel):
    """Where a page for watchers gets its news.

    `stream_url` is ready to open ("" if the page only polls), `source_url` answers {"url": …} with a
    fresh one, `news_url` takes `seen` and answers 204 or the region. `program` names what the page is made
    from: another one in an answer makes the page reload. `now` is the server's time in seconds since 1970;
    `late` says how far the page is behind, "" for one that shows the present.
    """

    stream_url: str
    source_url: str
    news_url: str
    program: str
    now: int
    late: str = ""


class WatchPage(ViewModel):
    """The watchers' page around a `Watched`. `ways` lead further: to the pieces, a seat, a television.

    `waiting_url` leads a watcher who has asked for a seat to the answer, "" for everyone else.
    `ground` is the part of a field that never changes, as `icons_template` takes it.
    """

    title: str
    code: str
    feed: Feed
    ways: tuple[Link, ...]
    share: Share | None = None
    waiting_url: str = ""
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()


class WatchedTables(ViewModel):
    """Several matches on one screen, in `pages`; `version` changes with any of theirs."""

    version: str
    pages: tuple[tuple[Watched, ...], ...]


class Screen(ViewModel):
    """A page for a television: nobody touches it, so it turns its sheets by itself.

    `sheet` is the one that it begins with. `next_url` is how a browser without
    scripts goes on: after how many seconds, and where. `qr` is the QR code, as a
    data URL, of the `address` at which a phone watches. `ground` is a field's, as in `WatchPage`.
    """

    title: str
    feed: Feed
    sheet: str
    next_url: str
    address: str
    qr: str
    code: str = ""
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()


class ScreenMessage(ViewModel):
    """One sentence on a screen that nobody touches, which retries by itself. `look` names its style sheet."""

    title: str
    text: str
    seconds: int
    look: str = "screen"


class OverlayPage(ViewModel):
    """An overlay around a `Watched`: where its panel is, its shape, and which parts are `hidden`."""

    title: str
    feed: Feed
    style_url: str
    place: str
    shape: str
    hidden: tuple[str, ...] = ()


class EmbedPage(ViewModel):
    """A frame on another page. `style` holds the CSS classes of its look, `way` leads to the rest."""

    title: str
    feed: Feed
    style: str
    way: Link


class Parameter(ViewModel):
    """Something that may be added to an address: its name, the values that it takes, and what it changes."""

    name: str
    values: str
    meaning: str


class SharedLink(ViewModel):
    """An address or a piece of HTML to copy, with a sentence on how to use it; `key` is unique here."""

    key: str
    title: str
    help: str
    text: str
    parameters: tuple[Parameter, ...]


class SharedLinks(ViewModel):
    """`watching/shared_links.html`: everywhere that a table or an event can be shown."""

    back: Link
    links: tuple[SharedLink, ...]
