"""What the templates of boards and of several pages are given: one shape for each region.

Views fill these with finished values (words already translated, addresses already reversed, numbers already
computed); a template only walks them. A name here is the name used in the template. What one page alone
receives stands in that page's module. Nothing here knows any game: a system speaks through cards, badges and
tiles.

Conventions
    *_url   an address on this host, as `reverse` gives it
    action  an offer's action exactly as `offers` spells it
    change  an adjustment exactly as the `adjust` view reads it
    icon    the name of a symbol in `parts/icons.html` or in the system's own sheet,
            without its leading "i-"; "" for none
    mark    the seat's shape and colour, in seating order: 1 (circle) and 2 (triangle) at a table of
            two; 3 to 8 (circle, triangle, square, diamond, pentagon, star) at a table of more, in the
            colours that houses have in print; 0 for nobody
    label   words for people, translated
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from games.core import ViewModel

Seat = TypeVar("Seat")


def marked(seats: Iterable[Seat]) -> list[tuple[int, Seat]]:
    """The seats of a table, or of a game, each after its mark."""
    all_seats = list(seats)
    return list(enumerate(all_seats, 1 if len(all_seats) <= 2 else 3))


def mark_of(seats: Iterable[str], seat: str) -> int:
    """The mark of one of these seats; 0 for anybody else."""
    return next((mark for mark, key in marked(seats) if key == seat), 0)


class Link(ViewModel):
    """A plain link to another page; `tone` is "main" for the one to take next."""

    url: str
    label: str
    icon: str = ""
    current: bool = False
    tone: str = ""


class Button(ViewModel):
    """A button of an event's form that posts `do` ("check_in p3"); `tone` is "main", "quiet" or "danger".

    `sits` marks the one that goes to the table.
    """

    do: str
    label: str
    tone: str = ""
    icon: str = ""
    sits: bool = False


class Notice(ViewModel):
    """One sentence for the reader: a refusal with its reason, or good news.

    `tone` is "bad", "good" or "". `rule` names the rule that a refusal rests on.
    """

    text: str
    tone: str = ""
    rule: str = ""


class Share(ViewModel):
    """What a page says about itself where its address is posted: full addresses, public facts.

    `size` is the picture's width and height in pixels.
    """

    title: str
    text: str
    url: str
    image: str
    alt: str
    size: tuple[int, int] = (1200, 630)


class MessagePage(ViewModel):
    """One sentence and the way back; `hint` says what the page does by itself."""

    title: str
    text: str
    back: Link
    hint: str = ""


SHORT_RANGE = 21


class Choice(ViewModel):
    """One button of a short number range; `next` is the one that first steps point at."""

    action: str
    label: str
    next: bool = False


class Offer(ViewModel):
    """One thing a seat may tap.

    A plain offer is one button. A numeric offer has `low` and `high`: up to twenty-one
    values become `choices` (one button each), more become a stepper starting at
    `start`. `tone`: "main" for the expected answer, "" for others, "quiet" for ways
    out (pass, decline), "danger" for what ends something.
    A correction beside the board posts the `field` "change" in the `form` "adjust". `next` marks the one
    that first steps point at.
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
    next: bool = False

    @property
    def seen(self) -> str:
        """The words that are read on the screen."""
        return self.label


def signed(offer: Offer, seat: str) -> Offer:
    """The same control on a device with several seats, saying whose answer it is: "blue ready"."""
    choices = tuple(replace(choice, action=f"{seat} {choice.action}") for choice in offer.choices)
    return replace(offer, action=f"{seat} {offer.action}", choices=choices)


def numeric_offer(
    action: str, label: str, low: int, high: int, start: int | None = None, detail: str = ""
) -> Offer:
    """An offer of a number from `low` to `high`, as buttons when the range is short."""
    choices: tuple[Choice, ...] = ()
    if high - low < SHORT_RANGE:
        choices = tuple(Choice(f"{action}:{value}", str(value)) for value in range(low, high + 1))
    first = low if start is None else start
    return Offer(action, label, detail, low=low, high=high, start=first, choices=choices)


class OfferGroup(ViewModel):
    """Offers that belong together under a heading ("" for none), which hides them if they are `folded`.

    `template` is a game's own look for the group, which then draws all its offers as one control. `seat` is
    whose answers these are, on a device that shows those of several.
    """

    offers: tuple[Offer, ...]
    title: str = ""
    folded: bool = False
    template: str = ""
    seat: str = ""

    def signed(self, seat: str) -> OfferGroup:
        """The same controls, each saying whose answer it is."""
        return replace(self, offers=tuple(signed(offer, seat) for offer in self.offers), seat=seat)


class SeatPost(ViewModel):
    """A button that posts to its own address: grant, revoke, move. With a `key` it can be repeated."""

    url: str
    label: str
    name: str = ""
    value: str = ""
    tone: str = ""
    icon: str = ""
    key: str = ""


class Source(ViewModel):
    """What gives points in a round: "Token A → Blue", with which unit and why, and how many.

    `mark` is who scores, 0 if it is contested. `url` opens the sheet that corrects it, "" for spectators.
    """

    title: str
    points: str
    detail: str = ""
    mark: int = 0
    url: str = ""


class Option(ViewModel):
    """One choice of a select or a radio row."""

    value: str
    label: str
    selected: bool = False
    detail: str = ""


# --- pieces ---------------------------------------------------------------------------------------


class Gauge(ViewModel):
    """What is left of something: `label` is "9 of 12 wounds, 3 ranks"; `pips` has True for each one left."""

    left: int
    of: int
    label: str
    pips: tuple[bool, ...] = ()


class Target(ViewModel):
    """A unit that may be hit: its `choices` are corrections by a number, `last` is its destruction.

    `open` ones show their choices at once; `key` is new for each activation, which begins with all closed.
    `attack` opens the attack sheet against it.
    """

    key: str
    name: str
    mark: int
    gauge: Gauge | None
    choices: tuple[Choice, ...]
    last: Choice
    open: bool = False
    attack: Choice | None = None


class TargetGroup(ViewModel):
    """Units that may be hit, under one heading, which hides them if they are `folded`."""

    title: str
    targets: tuple[Target, ...]
    folded: bool = False


class Acting(ViewModel):
    """The unit that acts now, or the reader's own last one, and what may be noted about it before their next.

    Others see only the title (`groups` and `targets` are empty). `folded` hides all but the title, so that
    what may activate next stays in sight. `ways` lead to other pages that a question needs.
    """

    title: str
    mark: int
    hint: str = ""
    groups: tuple[OfferGroup, ...] = ()
    targets: tuple[TargetGroup, ...] = ()
    folded: bool = False
    ways: tuple[Link, ...] = ()


class Badge(ViewModel):
    """A small fact on a card.

    `tone`: "bad" (a condition), "hold" (an objective held), "fight" (engaged), "good",
    "lost" (contested, spent) or "". With a `mark` the seat's shape comes before the text.
    """

    text: str
    icon: str = ""
    tone: str = ""
    mark: int = 0


class Fighter(ViewModel):
    """One side of an attack: `numbers` are what it rolls (label and value), `badges` its conditions.

    `piles` are dice of its own that lie there (label and dice); a tap on one rolls it again.
    """

    name: str
    mark: int
    gauge: Gauge | None = None
    numbers: tuple[tuple[str, str], ...] = ()
    badges: tuple[Badge, ...] = ()
    abilities: str = ""
    piles: tuple[tuple[str, tuple[Choice, ...]], ...] = ()


class Attack(ViewModel):
    """An attack that is being resolved: the two that fight, what has come of it, and what it waits for.

    `mark` is the seat whose dice are due. `dice` are those that lie there; a tap on one rolls it again.
    `ways` go on with what they come to, `entered` is a number that was rolled at the table, `changes` are
    numbers that a card may change, folded. Who only looks on is given none of these controls.
    """

    title: str
    fighters: tuple[Fighter, ...]
    prompt: str = ""
    mark: int = 0
    so_far: str = ""
    hint: str = ""
    dice: tuple[Choice, ...] = ()
    ways: tuple[Offer, ...] = ()
    entered: Offer | None = None
    changes: OfferGroup | None = None
    end: Offer | None = None


class Card(ViewModel):
    """A piece on the table: a unit, a character, an objective.

    `key` is unique on the board ("wolves"). `state` is "ready", "acting", "done", "out"
    (destroyed), "away" (in reserve) or "" and `state_label` says it in words.
    `leader` marks the commander. `mark` is who holds it, if that is not the side it is
    shown with (an objective). `sheet_url` opens its sheet, "" for none; `read` means that the reader
    may correct nothing there.
    """

    key: str
    name: str
    title: str = ""
    attached: tuple[str, ...] = ()
    gauge: Gauge | None = None
    badges: tuple[Badge, ...] = ()
    state: str = ""
    state_label: str = ""
    leader: str = ""
    text: str = ""
    mark: int = 0
    sheet_url: str = ""
    read: bool = False
    offer: Offer | None = None

    @property
    def is_bare(self) -> bool:
        """Whether it is a place where nothing is, and of which there is nothing to say but its name."""
        return not (self.title or self.gauge or self.badges or self.state or self.mark)

    @property
    def is_said(self) -> bool:
        """Whether its button already names it, so that a screen reader need not say it twice."""
        return self.offer is not None and self.name in self.offer.label


class CardGroup(ViewModel):
    """Cards under a heading ("Combat units"); `note` is a short count ("3 to activate")."""

    title: str
    cards: tuple[Card, ...]
    note: str = ""


class Fold(ViewModel):
    """Words folded behind a heading, such as what lies on a discard pile."""

    title: str
    lines: tuple[str, ...]


class Timer(ViewModel):
    """Seconds left on a clock, negative once it has run out, and whether it runs."""

    label: str
    seconds: int
    text: str
    runs: bool = False

    @property
    def is_up(self) -> bool:
        return self.seconds <= 0


class Side(ViewModel):
    """One army. `facts` are its small numbers (hand 3, deck 14, destroyed 6 points), `timers` its clocks.

    `free_actions` are what its own player may do besides the question (the cards in hand). `asked` is
    the question for this side's player, on a shared device whose bar asks somebody else.
    """

    key: str
    mark: int
    colour: str
    name: str
    army: str = ""
    leader: str = ""
    mine: bool = False
    facts: tuple[Badge, ...] = ()
    free_actions: tuple[OfferGroup, ...] = ()
    folds: tuple[Fold, ...] = ()
    groups: tuple[CardGroup, ...] = ()
    sheet_url: str = ""
    empty: str = ""
    asked: Acting | None = None
    timers: tuple[Timer, ...] = ()


class Tile(ViewModel):
    """A small place that can be taken: a zone of a tactics board. `mark` is who holds it, `by` with what."""

    key: str
    name: str
    icon: str = ""
    text: str = ""
    mark: int = 0
    by: str = ""
    sheet_url: str = ""


class SeatScore(ViewModel):
    """One cell of the score header, which is also the tab of that side.

    `to_act`: this seat is asked. `answered`: it has answered a question asked of
    several ("sealed"). `first`: it holds the first-player mark. `target` is the
    score that wins, None if there is none. `beside` is what else decides, as a word and a number.
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
    beside: str = ""


class Space(ViewModel):
    """One space of the round track; `state` is "past", "now" or ""."""

    number: int
    state: str = ""


MOST = 24


def pips(left: int, of: int) -> tuple[bool, ...]:
    """A pip for each of a number, True for those left; none if there are too many."""
    return tuple(at < left for at in range(of)) if of <= MOST else ()


def track(rounds: int | None, now: int) -> tuple[Space, ...]:
    """A space for each round; none if their number is open, or there are too many."""
    spaces = range(1, rounds + 1) if rounds and rounds <= MOST else ()
    return tuple(Space(number, _space_state(number, now)) for number in spaces)


def _space_state(space: int, now: int) -> str:
    if space < now:
        return "past"
    return "now" if space == now else ""


# --- printed cards --------------------------------------------------------------------------------


class AttackRow(ViewModel):
    """One attack: `dice` are its values from full strength down, `now` the index of the one that counts."""

    kind: str
    name: str
    hit: str
    dice: tuple[str, ...]
    now: int | None = None


class Profile(ViewModel):
    """What a player would look up on the piece's printed card.

    `numbers` are pairs (name, value); `lines` tell what belongs to it (an attachment and its cost); `note`
    says which season the numbers are from, if that is not the catalogue's.
    """

    numbers: tuple[tuple[str, str], ...] = ()
    attacks: tuple[AttackRow, ...] = ()
    abilities: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    note: str = ""


# --- the board ------------------------------------------------------------------------------------


class FirstSteps(ViewModel):
    """What the newcomer is told.

    `text` says what happens, `tap` is the label of the control to tap ("" for none); `name` and `mark`
    are those of the player who taps it. `links` lead to another game at first, and onwards once the round
    is over.
    """

    title: str
    text: str
    tap: str = ""
    name: str = ""
    mark: int = 0
    links: tuple[Link, ...] = ()


class Header(ViewModel):
    """Round, phase and score: always in sight."""

    round_label: str
    phase: str
    seats: tuple[SeatScore, ...]
    track: tuple[Space, ...] = ()
    first_label: str = ""


class RuleNote(ViewModel):
    """A rule on demand: its text, its place ("Round and turns · TMG-17"), and the page of all rules."""

    text: str
    source: str
    url: str


LINE = 11
"""Chinese characters of a question that surely have room on one line of a phone."""


class Question(ViewModel):
    """The one question of the thumb bar.

    `state` is "ask" (this phone is asked), "wait" (another seat is), "watch" (for a
    spectator) or "over". `mark` is the seat asked, 0 for several or none. Offers that
    belong to a card (one tap on a unit) are on the card and not here; `hint` then says so.
    `rule` is folded beside it; `sources` explain the score that is asked about. `doing` says
    whose unit acts meanwhile, `doer` is that seat's mark.
    """

    title: str
    state: str
    mark: int = 0
    hint: str = ""
    rule: RuleNote | None = None
    groups: tuple[OfferGroup, ...] = ()
    sources: tuple[Source, ...] = ()
    doing: str = ""
    doer: int = 0

    @property
    def is_long(self) -> bool:
        """Whether a part of the title that no punctuation divides may be longer than a phone's line."""
        return any(len(part) > LINE for part in re.split(r"\W+", self.title))


class GuideStep(ViewModel):
    """One line of a guided list; `state` is "done", "now" or "next"."""

    label: str
    state: str


class Guide(ViewModel):
    """An ordered list to work through: set-up, clean-up."""

    title: str
    steps: tuple[GuideStep, ...]
    progress: str = ""


class ScoreLine(ViewModel):
    """One row of the score: a round, and its points seat by seat in seating order.

    `reasons` are sentences ("Red 2: the centre, held by Honor Guard").
    """

    label: str
    points: tuple[str, ...]
    reasons: tuple[str, ...] = ()


class ScoreTable(ViewModel):
    """The score with its reasons and the `total`. `heading` is what the game calls a round."""

    heading: str
    seats: tuple[SeatScore, ...]
    lines: tuple[ScoreLine, ...]
    total: tuple[str, ...]


class Invitee(ViewModel):
    """The seat to invite next: the QR code of its one-time link, and the way to all the others.

    The picture is fetched from its `qr_url`, because the link is a secret and the board holds none. Once
    everybody has come it is "", and the `title` says who is here.
    """

    mark: int
    title: str
    qr_url: str = ""
    code: str = ""
    more_url: str = ""


class Guest(ViewModel):
    """Somebody who asks for a seat: `number` is the request's, posted as `let_in` or `turn_away`."""

    number: int
    mark: int
    title: str


class Middle(ViewModel):
    """What lies between the armies, for the system's `middle` template.

    `acting` is what may still be noted about the last unit that acted. `regions` are more places, in groups.
    """

    title: str
    objectives_title: str = ""
    objectives: tuple[Card, ...] = ()
    tiles_title: str = ""
    tiles: tuple[Tile, ...] = ()
    guide: Guide | None = None
    score: ScoreTable | None = None
    invitee: Invitee | None = None
    acting: Acting | None = None
    regions: tuple[CardGroup, ...] = ()


class Undo(ViewModel):
    """Taking an action back: `value` is posted as `undo`, `label` names the action and who did it.

    `asks` goes on after it with who must agree (" Blue must agree"), "" when it happens at once.
    """

    value: str
    label: str
    asks: str = ""


class UndoRequest(ViewModel):
    """Somebody asks to take something back, or something has to be decided before the game goes on.

    `lines` name every action in it, newest first. `choices` are what this phone may
    answer (accept, decline; withdraw for the asker; none for others), each `action`
    posted as `undo`.
    """

    title: str
    mark: int
    lines: tuple[str, ...]
    choices: tuple[Offer, ...] = ()


class Result(ViewModel):
    """How a match ended: who won (`mark` 0 for a draw), how, and what to do next; `more` is folded.

    `story` is how it came about (`games.pages.records.story.Story`).
    """

    title: str
    detail: str = ""
    mark: int = 0
    links: tuple[Link, ...] = ()
    more: tuple[Link, ...] = ()
    story: Any = None


class Board(ViewModel):
    """All of `table/board.html`: the region that is morphed, as one audience may see it.

    `version` is the version shown. `seat` is the seat that taps are made for, ""
    for a spectator. `sides` begin with the reader's own. A system may draw its pieces with
    templates of its own. `hand_over` leads to the seats of a shared phone that hide
    something from each other; `several` says that the phone has more than one, `chosen` that one of
    their players has said that they hold it; `opened` names the halves that show their secrets, and for
    which question ("12.red"). `ways` lead to other pages that the question needs (the army list, the
    invitation of an opponent). `news` holds all sentences of the newest action, to be read out; `followed`
    is what came of the newest answer, for those who may undo it; `last` is the newest line of the log, for
    the others.
    `first_steps` is what a newcomer is told at their practice table.
    `guests` ask for a seat; `asked` changes whenever they do (None: no seat is open, or this phone has none).
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
    attack: Attack | None = None
    undo: Undo | None = None
    request: UndoRequest | None = None
    result: Result | None = None
    news: str = ""
    followed: str = ""
    last: str = ""
    history_url: str = ""
    several: bool = False
    chosen: bool = False
    opened: str = ""
    hand_over: tuple[Link, ...] = ()
    guests: tuple[Guest, ...] = ()
    asked: str | None = None
    ways: tuple[Link, ...] = ()
    first_steps: FirstSteps | None = None
    side_template: str = "parts/side.html"
    middle_template: str = "parts/middle.html"


# --- screens --------------------------------------------------------------------------------------


class Instant(ViewModel):
    """A moment: as programs read it, in seconds since 1970, and as the server's clock shows it.

    Time is counted from `seconds`, which for those who see a match late is when they saw it.
    """

    iso: str
    seconds: int
    text: str


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
    patience: int = 6400


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
