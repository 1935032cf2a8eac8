"""A roster in the making: what the lines of a list have given so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from games.core.words import Argument, Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import FACTIONS, NCU, NEUTRAL, UNIT, Fact
from games.systems.tmg.lists.lines import ListLine
from games.systems.tmg.lists.roster import ENEMY, Attachment, RosterEntry

MAX_ENTRIES = 60
"""The most entries that an army may have, and the most attachments."""
MOST_COMPARED = 250
"""How often an unknown name is compared with all cards: twice for each piece that an army may have."""


@dataclass
class Draft:
    """A roster in the making: what its headings state, and the remarks so far by line.

    `section` is the heading that the lines stand under; `trusting` says that somebody types them himself.
    `bulleted` says that a bullet stands before the first piece, `indent` how far the last entry is indented.
    `leaders` are the cards that its commander line may mean, `doubts`, by line, the commanders
    that a name may mean if there is more than one. `compared` counts the names compared with all cards.
    """

    faction: str = ""
    commander: str = ""
    commander_line: int = 0
    points: int | None = None
    limit: int | None = None
    points_line: int = 0
    activations: int | None = None
    activations_line: int = 0
    name: str = ""
    cards: list[str] = field(default_factory=list)
    entries: list[RosterEntry] = field(default_factory=list)
    leaders: tuple[Fact, ...] = ()
    doubts: dict[int, tuple[Fact, ...]] = field(default_factory=dict)
    homeless: list[Attachment] = field(default_factory=list)
    remarks: list[tuple[int, Line]] = field(default_factory=list)
    compared: int = 0
    section: str = ""
    trusting: bool = False
    bulleted: bool = False
    indent: int = 0

    def may_compare(self) -> bool:
        """Whether one more unknown name is compared with all cards, which takes long."""
        self.compared += 1
        return self.compared <= MOST_COMPARED

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

    def remark_foreign(self, line: int, card: Fact) -> None:
        """Say so if a card is neither of this army's faction nor Neutral."""
        if self.faction and card.faction not in (self.faction, NEUTRAL):
            message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
            self.remark(line, message, card=card.full_name, faction=Term(FACTIONS[card.faction]))

    def hangs(self, line: ListLine) -> bool:
        """Whether a line's form says that it belongs to the unit above it."""
        if line.joined:
            return True
        if not self.entries:
            return False
        if line.marked:
            return line.indent >= self.indent + 2
        return self.section != NCU and (self.bulleted or line.indent > self.indent)

    @property
    def above(self) -> RosterEntry | None:
        """The unit that an attachment on the next line joins; None if no unit stands above."""
        own = [entry for entry in self.entries if entry.kind != ENEMY]
        return own[-1] if own and own[-1].kind == UNIT else None

    def attach(self, attachment: Attachment) -> None:
        """Put an attachment into the unit above it; without one it waits for a home."""
        unit = self.above
        if unit is None:
            self.homeless.append(attachment)
        else:
            joined = replace(unit, attachments=(*unit.attachments, attachment))
            self.entries = [joined if entry is unit else entry for entry in self.entries]

    @property
    def is_neutral(self) -> bool:
        """Whether it is an army of Neutral alone: each unit's card is known, and Neutral."""
        return bool(self.entries) and all(
            entry.fact is not None and entry.fact.faction == NEUTRAL for entry in self.entries
        )

    @property
    def attached(self) -> int:
        """How many attachments there are, those without a home included."""
        return len(self.homeless) + sum(len(entry.attachments) for entry in self.entries)

    def house(self) -> None:
        """Put attachments under no unit into the first one, so that nothing is lost."""
        at = next((at for at, entry in enumerate(self.entries) if entry.kind == UNIT), 0)
        for lost in self.homeless if self.entries else ():
            home = self.entries[at]
            self.entries[at] = replace(home, attachments=(*home.attachments, lost))
            message = _("Line %(line)d: “%(name)s” stands under no combat unit and was put into %(unit)s.")
            self.remark(lost.line, message, name=lost.full_name, unit=home.full_name)
