"""What lies on the table: sides, their cards, and what acts."""

from __future__ import annotations

from games.core.records import ViewModel
from games.view_models.controls import Choice, Offer, OfferGroup
from games.view_models.frame import Link


class Gauge(ViewModel):
    """What is left of something: "9 of 12 wounds, 3 ranks" as `label`; `pips` True for each one left."""

    left: int
    of: int
    label: str
    pips: tuple[bool, ...] = ()


class Target(ViewModel):
    """A unit that may be hit: its `choices` are corrections by a number, `last` is its destruction.

    `open` ones show their choices at once; `key` is another for each activation, which begins with all shut.
    """

    key: str
    name: str
    mark: int
    gauge: Gauge | None
    choices: tuple[Choice, ...]
    last: Choice
    open: bool = False


class TargetGroup(ViewModel):
    """Units that may be hit under one heading, which hides them if they are folded."""

    title: str
    targets: tuple[Target, ...]
    folded: bool = False


class Acting(ViewModel):
    """The unit that acts now, or one's own last one, and what may be noted about it before one's next.

    Others see the title only (`groups` and `targets` empty). `folded` waits behind its title, so that
    what may activate next is in sight. `ways` lead to other pages that a question needs.
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
    "lost" (contested, spent) or "". With `mark` the seat's shape stands before the text.
    """

    text: str
    icon: str = ""
    tone: str = ""
    mark: int = 0


class Card(ViewModel):
    """A piece on the table: a unit, a character, an objective.

    `key` is unique on the board ("wolves"). `state` is "ready", "acting", "done", "out"
    (destroyed), "away" (in reserve) or "" and `state_label` says it in words.
    `leader` marks the commander. `mark` is who holds it where that is not the side it
    stands with (an objective). `sheet_url` opens its sheet, "" for none; it is only `read` by those
    who may correct nothing.
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
    def is_said(self) -> bool:
        """Whether its button's words name it already, so that a reader need not say it twice."""
        return self.offer is not None and self.name in self.offer.label


class CardGroup(ViewModel):
    """Cards under a heading ("Combat units"); `note` is a short count ("3 to activate")."""

    title: str
    cards: tuple[Card, ...]
    note: str = ""


class Fold(ViewModel):
    """Words that wait behind a heading: what lies on a discard pile."""

    title: str
    lines: tuple[str, ...]


class Timer(ViewModel):
    """Seconds left on a clock, below zero once it has run out, and whether it runs."""

    label: str
    seconds: int
    text: str
    runs: bool = False


class Side(ViewModel):
    """One army. `facts` are its small numbers (hand 3, deck 14, destroyed 6 points), `timers` its clocks.

    `free_actions` are what its own player may do beside the question (the cards in hand). `asked` is
    the question of this side's player, where a device that several share asks another one in the bar.
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
    """A small place that can be taken: a zone of a tactics board. `mark` is who has it, `by` with what."""

    key: str
    name: str
    icon: str = ""
    text: str = ""
    mark: int = 0
    by: str = ""
    sheet_url: str = ""
