"""What the templates are given: one shape for each region of a page.

Views fill these with finished values (words already translated, addresses
already reversed, numbers already computed); a template only walks them. A name
here is the name used in the template, so this page is the contract between the
two. Nothing in it knows a game: a system speaks through cards, badges and tiles.

Conventions
    *_url   an address on this host, as `reverse` gives it
    action  an offer's action exactly as `offers` spells it
    change  an adjustment exactly as the `adjust` view reads it
    icon    the name of a symbol in `parts/icons.html` or in the system's own sheet,
            without its leading "i-"; "" for none
    mark    1 to 6: the seat's shape and colour, in seating order (1 circle, 2 triangle,
            3 square, 4 diamond, 5 pentagon, 6 star); 0 for nobody
    label   words for people, translated
"""

from __future__ import annotations

from dataclasses import dataclass, field

SHORT_RANGE = 12


# What stands on every page


@dataclass(frozen=True, slots=True)
class Language:
    """One choice of the language switch; `name` in its own words ("简体中文")."""

    code: str
    name: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """The frame around every page, given by a context processor as `site`.

    `here` is where the language switch returns to; `plain_http` shows the honest
    banner that this table is not encrypted.
    """

    home_url: str
    language_url: str
    here: str
    languages: tuple[Language, ...] = ()
    plain_http: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A plain way to somewhere else; `tone` is "main" for the one to take next."""

    url: str
    label: str
    icon: str = ""
    detail: str = ""
    current: bool = False
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence for the reader: a refusal with its reason, or good news.

    `tone` is "bad", "good" or "". A refusal names the rule it rests on in `rule`.
    """

    text: str
    tone: str = ""
    rule: str = ""


# Controls that tap


@dataclass(frozen=True, slots=True)
class Choice:
    """One button of a short number range."""

    action: str
    label: str


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing a seat may tap.

    A plain offer is one button. A numeric offer has `low` and `high`: up to twelve
    values become `choices` (one button each), more become a stepper starting at
    `start`. `tone`: "main" for the expected answer, "" for others, "quiet" for ways
    out (pass, decline), "danger" for what ends something.
    A correction beside the board posts `field` "change" in the form "adjust".
    """

    action: str
    label: str
    detail: str = ""
    icon: str = ""
    mark: int = 0
    tone: str = ""
    low: int | None = None
    high: int | None = None
    start: int | None = None
    choices: tuple[Choice, ...] = ()
    form: str = "table"
    field: str = "action"


def numeric_offer(
    action: str, label: str, low: int, high: int, start: int | None = None, detail: str = ""
) -> Offer:
    """An offer of a number from `low` to `high`, as buttons when the range is short."""
    choices: tuple[Choice, ...] = ()
    if high - low < SHORT_RANGE:
        choices = tuple(Choice(f"{action}:{value}", str(value)) for value in range(low, high + 1))
    first = low if start is None else start
    return Offer(action, label, detail, low=low, high=high, start=first, choices=choices)


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """Offers that belong together under a heading ("" for none)."""

    offers: tuple[Offer, ...]
    title: str = ""


# The board


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One cell of the score header, which is also the tab of that side.

    `to_act`: this seat is asked. `answered`: it has answered a question asked of
    several ("sealed"). `first`: it holds the first-player mark. `target` is the
    score that wins, None where there is none.
    """

    key: str
    mark: int
    colour: str
    name: str
    score: int
    target: int | None = None
    first: bool = False
    to_act: bool = False
    answered: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    """One space of the round track; `state` is "past", "now" or ""."""

    number: int
    state: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """Round, phase and score: always in sight."""

    round_label: str
    phase: str
    seats: tuple[SeatScore, ...]
    track: tuple[Space, ...] = ()
    first_label: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """The one question of the thumb bar.

    `state` is "ask" (this phone is asked), "wait" (another seat is), "watch" (a
    spectator looks on) or "over". `mark` is the seat asked, 0 for several or none. Offers that
    belong to a card (one tap on a unit) are on the card and not here; `hint` then says so.
    """

    title: str
    state: str
    mark: int = 0
    hint: str = ""
    rule: str = ""
    groups: tuple[OfferGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a guided list; `state` is "done", "now" or "next"."""

    label: str
    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """An ordered list that is walked: set-up, clean-up."""

    title: str
    steps: tuple[Step, ...]
    progress: str = ""


@dataclass(frozen=True, slots=True)
class Acting:
    """The unit that acts now, and what may be noted about it before the next one.

    Others see the title only (`groups` empty).
    """

    title: str
    mark: int
    hint: str = ""
    groups: tuple[OfferGroup, ...] = ()


@dataclass(frozen=True, slots=True)
class Badge:
    """A small fact on a card.

    `tone`: "bad" (a condition), "hold" (an objective held), "fight" (engaged), "good",
    "lost" (contested, spent) or "". With `mark` the seat's shape stands before the text.
    """

    text: str
    icon: str = ""
    tone: str = ""
    mark: int = 0


@dataclass(frozen=True, slots=True)
class Gauge:
    """What is left of something: "9 of 12 wounds, 3 ranks" as `label`; `pips` True for each one left."""

    left: int
    of: int
    label: str
    pips: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A piece on the table: a unit, a character, an objective.

    `key` is unique on the board ("wolves"). `state` is "ready", "acting", "done", "out"
    (destroyed), "away" (in reserve) or "" and `state_label` says it in words.
    `leader` marks the commander. `mark` is who holds it where that is not the side it
    stands with (an objective). `sheet_url` opens its sheet; "" for spectators.
    """

    key: str
    name: str
    title: str = ""
    kind: str = ""
    attached: tuple[str, ...] = ()
    gauge: Gauge | None = None
    badges: tuple[Badge, ...] = ()
    state: str = ""
    state_label: str = ""
    leader: str = ""
    text: str = ""
    mark: int = 0
    sheet_url: str = ""
    offer: Offer | None = None


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards under a heading ("Combat units"); `note` is a short count ("3 to activate")."""

    title: str
    cards: tuple[Card, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One army. `facts` are its small numbers (hand 3, deck 14, destroyed 6 points)."""

    key: str
    mark: int
    colour: str
    name: str
    army: str = ""
    leader: str = ""
    mine: bool = False
    facts: tuple[Badge, ...] = ()
    groups: tuple[CardGroup, ...] = ()
    sheet_url: str = ""
    empty: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A small place that can be taken: a zone of a tactics board. `mark` is who has it, `by` with what."""

    key: str
    name: str
    icon: str = ""
    text: str = ""
    mark: int = 0
    by: str = ""
    sheet_url: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One row of the score: a round, and its points seat by seat in seating order.

    `reasons` are sentences ("Red 2: the centre, held by Honor Guard").
    """

    label: str
    points: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The score with its reasons; the last line is the total."""

    seats: tuple[SeatScore, ...]
    lines: tuple[ScoreLine, ...]
    total: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Middle:
    """What lies between the armies, for the system's `middle` template."""

    title: str
    objectives_title: str = ""
    objectives: tuple[Card, ...] = ()
    tiles_title: str = ""
    tiles: tuple[Tile, ...] = ()
    guide: Guide | None = None
    score: ScoreTable | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Taking back: `value` is posted as `undo`, `label` names the deed and who did it.

    `asks` names whom it must ask ("asks Blue"), "" when it happens at once; `steps`
    is how many deeds go with it.
    """

    value: str
    label: str
    asks: str = ""
    steps: int = 1


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Somebody asks to take something back.

    `lines` name every deed in it, newest first. `choices` are what this phone may
    answer (accept, decline; withdraw for the asker; none for others), each `action`
    posted as `undo`.
    """

    title: str
    mark: int
    lines: tuple[str, ...]
    choices: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended."""

    title: str
    detail: str = ""
    mark: int = 0
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """All of `board.html`: the region that is morphed, as one audience may see it.

    `version` is the version shown. `seat` is the seat that taps are made for, ""
    for a spectator. `sides` come own side first. A system may draw its pieces with
    templates of its own. `hand_over` are the other seats of a shared phone; `several`
    says that this phone owns more than one. `ways` lead to other pages that the question needs (the
    army list, the invitation of an opponent). `last` is the newest line of the log.
    """

    version: int
    title: str
    header: Header
    question: Question
    sides: tuple[Side, ...]
    middle: Middle
    seat: str = ""
    mark: int = 0
    notice: Notice | None = None
    acting: Acting | None = None
    undo: Undo | None = None
    request: UndoRequest | None = None
    result: Result | None = None
    last: str = ""
    history_url: str = ""
    several: bool = False
    hand_over: tuple[Link, ...] = ()
    ways: tuple[Link, ...] = ()
    side_template: str = "parts/side.html"
    middle_template: str = "parts/middle.html"


@dataclass(frozen=True, slots=True)
class Live:
    """Where the table page hears news.

    `stream_url` is ready to open, `source_url` answers {"url": …} with a fresh one,
    `board_url` takes `?seen=<version>` and answers 204 or the board. `patience` is how
    many milliseconds may pass without a beat before the page says that it is not connected.
    """

    stream_url: str
    source_url: str
    board_url: str
    patience: int = 5000


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of a seat's page: where they post, and the nonce its keys begin with."""

    act_url: str
    adjust_url: str
    undo_url: str
    key: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """`table.html` around a `Board`. `forms` is None for spectators."""

    title: str
    code: str
    live: Live
    menu: tuple[Link, ...] = ()
    forms: Forms | None = None
    icons_template: str = ""
    styles: tuple[str, ...] = ()


# The sheet of one piece


@dataclass(frozen=True, slots=True)
class Change:
    """One button of a sheet; `change` is posted under that name. `on` shows a switch that is on."""

    change: str
    label: str
    icon: str = ""
    on: bool | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number with its buttons, smallest step nearest to it: lower (−3, −1), then higher (+1, +3).

    `exact` is the change for "set to", typed as a number from `low` to `high`; "" for none.
    """

    label: str
    value: str
    lower: tuple[Change, ...] = ()
    higher: tuple[Change, ...] = ()
    exact: str = ""
    low: int = 0
    high: int = 99


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A section of a sheet: counters, switches, or one choice among many; `folded` while rarely wanted."""

    title: str
    counters: tuple[Counter, ...] = ()
    changes: tuple[Change, ...] = ()
    note: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that may be corrected about one unit, objective or army.

    `key` ("unit:wolves") goes with every change, so that the answer can bring the fresh
    sheet along. `needs_reason` asks for words with each change (victory points).
    """

    key: str
    title: str
    back_url: str
    mark: int = 0
    subtitle: str = ""
    parts: tuple[SheetPart, ...] = ()
    reasons: tuple[str, ...] = ()
    needs_reason: bool = False
    notice: Notice | None = None


# History


@dataclass(frozen=True, slots=True)
class Deed:
    """One entry of the log. `state` is "", "undone" (taken back) or "undo" (takes back).

    `at` is a clock time; `undo` takes back everything down to and with this deed.
    """

    version: int
    who: str
    mark: int
    lines: tuple[str, ...]
    at: str = ""
    state: str = ""
    note: str = ""
    adjusted: bool = False
    undo: Undo | None = None


@dataclass(frozen=True, slots=True)
class DeedGroup:
    """The deeds of one round, newest first."""

    title: str
    deeds: tuple[Deed, ...]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """The whole log, newest first. `forms` is None for spectators."""

    title: str
    back: Link
    groups: tuple[DeedGroup, ...]
    request: UndoRequest | None = None
    notice: Notice | None = None
    forms: Forms | None = None


# Seats


@dataclass(frozen=True, slots=True)
class Invitation:
    """A one-time link to an open seat, shown once: `qr` is an SVG as a data address."""

    url: str
    qr: str = ""
    code: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeatPost:
    """A button that posts to its own address: grant, revoke, move."""

    url: str
    label: str
    name: str = ""
    value: str = ""
    tone: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat and who holds it. `state_label`: "open", "taken", "this phone"."""

    mark: int
    colour: str
    name: str
    state_label: str
    mine: bool = False
    open: bool = False
    invitation: Invitation | None = None
    posts: tuple[SeatPost, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Somebody who followed the printed code asks for a seat."""

    name: str
    asked: str
    posts: tuple[SeatPost, ...]


@dataclass(frozen=True, slots=True)
class SeatsPage:
    """Who is here. `watch` is the public address and the printed code, for spectators."""

    title: str
    back: Link
    seats: tuple[SeatRow, ...]
    watch: Invitation
    requests: tuple[SeatRequest, ...] = ()
    notice: Notice | None = None


# Armies


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select or a radio row."""

    value: str
    label: str
    selected: bool = False
    detail: str = ""
    mark: int = 0


@dataclass(frozen=True, slots=True)
class ListWarning:
    """What the reader of a list stumbled over; `line` counts from 1, 0 for the whole list."""

    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class ListRow:
    """One parsed line in its form row; `index` numbers its inputs (`name-3`, `kind-3`, …).

    `problem` stands under the row it belongs to; `joins` is the unit an attachment is with.
    """

    index: int
    name: str
    title: str = ""
    kind: str = ""
    cost: int = 0
    wounds: int = 0
    leader: bool = False
    joins: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DemoArmy:
    """An army that is ready to play."""

    value: str
    name: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ListPage:
    """Bringing an army: paste, correct, or take a ready one; repeatable until ready.

    One form posts everything to `post_url`; the button pressed is `do` ("read" the pasted
    `text`, "keep" the corrected rows, "add" an empty row, "ready") or `demo` with its value.
    A row's inputs end in its index: `name-3`, `title-3`, `kind-3`, `cost-3`, `wounds-3`,
    `joins-3` (a value of `units`), `drop-3`; `leader` is the index of the commander's row.
    """

    seat_label: str
    mark: int
    post_url: str
    back: Link
    text: str = ""
    placeholder: str = ""
    summary: str = ""
    checksum_ok: bool = True
    warnings: tuple[ListWarning, ...] = ()
    rows: tuple[ListRow, ...] = ()
    kinds: tuple[Option, ...] = ()
    units: tuple[Option, ...] = ()
    demos: tuple[DemoArmy, ...] = ()
    notice: Notice | None = None


# Home, new table, verification


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table in a list: who plays, how it stands."""

    url: str
    title: str
    detail: str
    seats: tuple[SeatScore, ...] = ()
    live: bool = False


@dataclass(frozen=True, slots=True)
class HomePage:
    """The front door. `code` and `error` come back when a code was not found."""

    new_url: str
    join_url: str
    yours: tuple[TableRow, ...] = ()
    live: tuple[TableRow, ...] = ()
    finished: tuple[TableRow, ...] = ()
    code: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class NewPage:
    """Opening a table.

    Posts `mode` ("tmg/a-game-of-thrones"), `points`, `target`, `name`, `rival`, `seat`, `army`.
    `errors` maps a field's name to its sentence; the other fields bring back what was typed.
    """

    post_url: str
    back: Link
    modes: tuple[Option, ...]
    points: tuple[Option, ...]
    seats: tuple[Option, ...]
    armies: tuple[Option, ...]
    target: str = ""
    name: str = ""
    rival: str = ""
    errors: dict[str, str] = field(default_factory=dict)
    default_target: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """One use of chance and what came of it; `matches` is None until the seed is known."""

    number: int
    purpose: str
    outcome: str
    digest: str = ""
    matches: bool | None = None


@dataclass(frozen=True, slots=True)
class VerifyPage:
    """Commitment at the opening, seed after the end, and every draw recomputed."""

    commitment: str
    back: Link
    seed: str = ""
    draws: tuple[Draw, ...] = ()
    sound: bool | None = None
    recipe: str = ""


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """A one-time link as it is opened: nothing happens before the button is pressed."""

    title: str
    mark: int
    seat_label: str
    post_url: str
    rival: str = ""
    ask_name: bool = True
    name: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class JoinPage:
    """Asking for a seat at a table that one watches; `waiting` while nobody has answered."""

    title: str
    post_url: str
    watch_url: str
    open_seats: tuple[Option, ...] = ()
    waiting: bool = False
    move_url: str = ""
    name: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class MessagePage:
    """One sentence and the way back."""

    title: str
    text: str
    back: Link
