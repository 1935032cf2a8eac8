"""An army as a list states it: entries, their attachments, and what to remark on."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.words import Line
from games.systems.tmg.lists.catalogue import Fact, Named, unlisted

ENEMY = "enemy"


@dataclass(frozen=True, slots=True)
class Attachment(Named):
    """A character or officer in a unit. It never activates or scores by itself (TMG-10)."""

    line: int = field(compare=False)
    name: str
    title: str
    cost: int
    fact: Fact | None = None
    commander: bool = False


@dataclass(frozen=True, slots=True)
class RosterEntry(Named):
    """One unit, NCU or enemy attachment of a list.

    `cost` is the list's own, without attachments; `fact` is None if the catalogue
    does not know it; `commander` marks the unit in which (or as which) the commander fights.
    """

    line: int = field(compare=False)
    name: str
    title: str
    cost: int
    kind: str
    attachments: tuple[Attachment, ...] = ()
    fact: Fact | None = None
    commander: bool = False

    @property
    def figures(self) -> Fact:
        """Its wounds, ranks and peculiarities: the catalogue's, or plain ones if it has none."""
        return self.fact or unlisted(self.kind, self.name, self.title, self.cost)

    @property
    def points(self) -> int:
        """Its cost with all attachments, as points for destroyed units count it (TMG-50)."""
        return self.cost + sum(attachment.cost for attachment in self.attachments)

    @property
    def extra_vp(self) -> int:
        """Victory points beyond the first that its destruction gives, attachments included (TMG-49)."""
        return sum(fact.extra_vp for fact in self._facts())

    @property
    def hand_bonus(self) -> int:
        """Cards by which it raises its owner's hand while it lives, attachments included (TMG-79)."""
        return sum(fact.hand_bonus for fact in self._facts())

    def _facts(self) -> tuple[Fact, ...]:
        known = (self.fact, *(attachment.fact for attachment in self.attachments))
        return tuple(fact for fact in known if fact is not None)


@dataclass(frozen=True, slots=True)
class Roster:
    """A whole army. Two rosters are equal if the armies are, wherever their lines stood.

    `points` is what the list states (else what it adds up to), `limit` the size it was
    built for if it says so; `activations` counts units and NCUs. `warnings` are sentences
    for the player, in the order of the lines they are about; `name` is what its builder calls it;
    `cards` are the names of its tactics cards, where it gives them.
    """

    faction: str
    commander: str
    points: int
    limit: int | None
    activations: int
    entries: tuple[RosterEntry, ...]
    warnings: tuple[Line, ...] = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    cards: tuple[str, ...] = field(default=(), compare=False)

    def of_kind(self, kind: str) -> tuple[RosterEntry, ...]:
        """The entries that are units, NCUs or enemy attachments."""
        return tuple(entry for entry in self.entries if entry.kind == kind)
