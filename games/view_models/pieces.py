"""What lies on the table: sides, their cards, and what acts."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models.controls import Choice, Offer, OfferGroup
from games.view_models.frame import Link


class Gauge(ViewModel):
    """What is left of something: `label` is "9 of 12 wounds, 3 ranks"; `pips` has True for each one left."""

    left: int
    of: int
    label: str
    pips: tuple[bool, ...] = ()


class Target(ViewModel):
    """A unit that may be hit: its `choices` are corrections by a number, `last` is its destruction.

    `open` ones show their choices at once; `key` is new for each activation, which begins with all closed.
    """

    key: str
    name: str
    mark: int
    gauge: Gauge | None
    choices: tuple[Choice, ...]
    last: Choice
    open: bool = False


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
