"""The board: what a table shows of its match to one audience."""

from __future__ import annotations

import re
from typing import Any

from games.core.words import ViewModel
from games.view_models.controls import Offer, OfferGroup, SeatPost, Source
from games.view_models.first_steps import FirstSteps
from games.view_models.frame import Link, Notice, Share
from games.view_models.pieces import Acting, Card, CardGroup, Side, Tile


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
    detail: str = ""


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

    `asks` goes on after it with who must agree (" Blue must agree"), "" when it happens at once; `steps`
    is how many actions it takes back.
    """

    value: str
    label: str
    asks: str = ""
    steps: int = 1


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
    """How the match ended."""

    title: str
    detail: str = ""
    mark: int = 0
    links: tuple[Link, ...] = ()


class Board(ViewModel):
    """All of `playing/board.html`: the region that is morphed, as one audience may see it.

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


class Live(ViewModel):
    """Where the table page gets its news.

    `stream_url` is ready to open, `source_url` answers {"url": …} with a fresh one,
    `board_url` takes `&seen=<version>` and answers 204 or the board. `patience` is the
    milliseconds that may pass without a beat before the page says that it is not connected.
    """

    stream_url: str
    source_url: str
    board_url: str
    patience: int = 5000


class Forms(ViewModel):
    """The forms of a seat's page: where they post, the nonce of their keys, and a mark of the page's data."""

    act_url: str
    adjust_url: str
    undo_url: str
    key: str
    guests_url: str = ""
    restored: str = ""


class MenuGroup(ViewModel):
    """Links of the menu under one heading."""

    title: str
    links: tuple[Link, ...]


class TablePage(ViewModel):
    """`playing/table.html` around a `Board`. `forms` is None for spectators.

    `ground` is the part of the board that never changes, as `icons_template` takes it.
    `facing` turns each half towards its player, for a device that lies between them; `turn` is the
    control for that, None unless exactly two play. `close_url` closes the first steps, "" without any.
    `waiting_url` leads a watcher who has asked for a seat to the answer, "" for everyone else.
    """

    title: str
    code: str
    live: Live
    menu: tuple[MenuGroup, ...] = ()
    forms: Forms | None = None
    share: Share | None = None
    icons_template: str = ""
    ground: Any = None
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    facing: bool = False
    turn: SeatPost | None = None
    close_url: str = ""
    waiting_url: str = ""
