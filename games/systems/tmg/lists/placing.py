"""How a card takes its place in the roster: as an entry or attached to one, and what is remarked on it."""

from __future__ import annotations

from dataclasses import replace

from games.core.validation import PIECE_GRAPHEMES, clean_name
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import ATTACHMENT, NCU, UNIT, Found
from games.systems.tmg.lists.checks import MORE_THAN_ONE, WHOLE_PRICE
from games.systems.tmg.lists.draft import MAX_ENTRIES, Draft
from games.systems.tmg.lists.finding import Finder
from games.systems.tmg.lists.lines import MAX_LINES, ListLine, split_title
from games.systems.tmg.lists.roster import ENEMY, Attachment, RosterEntry
from games.systems.tmg.lists.twofold import Twofold


class Placer:
    """Puts the pieces of one list into its draft."""

    def __init__(self, cards: Finder, draft: Draft) -> None:
        self.cards = cards
        self.draft = draft
        self.twofold: list[Twofold] = []
        self.unpriced: set[int] = set()

    def open(self, line: ListLine, kind: str, found: Found | None) -> None:
        """Give a unit, an NCU or an enemy attachment its own entry, as often as the line counts it."""
        self._remark_on(line, kind, found)
        name, title, cost = _stated(line, found)
        fact = found.fact if found else None
        for _copy in range(line.count):
            leads = line.leads and not self.draft.trusting
            entry = RosterEntry(line.number, name, title, cost, kind, fact=fact, commander=leads)
            self.draft.entries.append(entry)
        if kind == UNIT and line.cost is None:
            self._doubt(line)

    def _doubt(self, line: ListLine) -> None:
        """Note that a unit states no price, and which attachment it may be as well."""
        self.unpriced.add(line.number)
        other = self.cards.find(line, ATTACHMENT) if line.count == 1 else None
        if other and other.exact:
            name, title, cost = _stated(line, other)
            attachment = Attachment(line.number, name, title, cost, other.fact)
            self.twofold.append(Twofold(self.draft.entries[-1], attachment, line.marked))

    def attach(self, line: ListLine, found: Found | None) -> None:
        """Attach a card to the unit above; in a list, one that joins an enemy stands apart (TMG-10)."""
        if found and found.fact.joins_enemy and not self.draft.trusting:
            self.open(line, ENEMY, found)
            return
        self._remark_on(line, ATTACHMENT, found)
        name, title, cost = _stated(self._apart(line, found), found)
        room = MAX_ENTRIES - self.draft.attached
        if line.count > room:
            message = _("Line %(line)d: the list has too many attachments; the first were kept.")
            self.draft.remark(line.number, message)
        fact, leads = found.fact if found else None, line.leads and not self.draft.trusting
        for _copy in range(min(line.count, room)):
            self.draft.attach(Attachment(line.number, name, title, cost, fact, leads))

    def _apart(self, line: ListLine, found: Found | None) -> ListLine:
        """A known attachment's line with its own cost: one as dear as its unit is the price of both."""
        unit, cost = self.draft.above, line.cost or 0
        if unit is None or found is None or not found.fact.cost < cost >= unit.points > 0:
            return line
        own, usual = cost - unit.points, found.fact.cost * line.count
        if own not in (usual, usual - unit.figures.discounts):
            self.draft.remark(line.number, WHOLE_PRICE, cost=cost, unit=unit.full_name)
        return replace(line, cost=own)

    def _remark_on(self, line: ListLine, kind: str, found: Found | None) -> None:
        if line.is_negative:
            message = _("Line %(line)d: “%(name)s” has a cost below zero. The cost was ignored.")
            self.draft.remark(line.number, message, name=line.words)
        if found is None:
            self._remark_unknown(line, kind)
            return
        card = found.fact
        if card.commander and not found.alone:
            self.draft.doubts[line.number] = found.fitting
        if found.guessed:
            message = _("Line %(line)d: “%(name)s” is not in the catalogue; taken as %(card)s.")
            self.draft.remark(line.number, message, name=line.words, card=card.full_name)
        elif not found.exact:
            message = _("Line %(line)d: “%(name)s” is not in the catalogue by that title; taken as %(card)s.")
            self.draft.remark(line.number, message, name=line.words, card=card.full_name)
        elif not found.alone:
            self.draft.remark(line.number, MORE_THAN_ONE, name=line.words, card=card.full_name)
        self.draft.remark_foreign(line.number, card)

    def remark_noise(self, line: ListLine) -> None:
        """Say that a line was not understood."""
        text = line.text if len(line.text) <= PIECE_GRAPHEMES else line.text[: PIECE_GRAPHEMES - 1] + "…"
        self.draft.remark(line.number, _("Line %(line)d was not understood: “%(text)s”."), text=text)

    def _remark_unknown(self, line: ListLine, kind: str) -> None:
        kinds = {ATTACHMENT} if kind in (ATTACHMENT, ENEMY) else {kind} if self.draft.section else {UNIT, NCU}
        may, faction = self.draft.may_compare(), self.draft.faction
        if near := may and self.cards.catalogue.near(line.words, kinds=kinds, faction=faction):
            message = _("Line %(line)d: “%(name)s” is not in the catalogue. Is it one of these: %(near)s?")
            self.draft.remark(line.number, message, name=line.words, near=near)
            return
        message = _("Line %(line)d: “%(name)s” is not in the catalogue. Check its numbers.")
        self.draft.remark(line.number, message, name=line.words)

    def cut(self, beyond: bool) -> None:
        """Leave out what is more than an army may have, and say so; `beyond`: also that the list went on."""
        if len(self.draft.entries) > MAX_ENTRIES:
            del self.draft.entries[MAX_ENTRIES:]
            message = _("The list has too many units; those after line %(line)d were left out.")
            self.draft.remark(self.draft.entries[-1].line, message)
        if beyond:
            message = _("The list goes on after line %(line)d; what follows was not read.")
            self.draft.remark(MAX_LINES, message)


def _stated(line: ListLine, found: Found | None) -> tuple[str, str, int]:
    """Name, sub-title and cost of one: the catalogue's names, the list's own cost where it gives one."""
    if found:
        fact = found.fact
        is_usual = line.cost in (None, fact.cost * line.count) or (line.leads and fact.commander)
        return fact.name, fact.title, fact.cost if is_usual else line.cost or 0
    name, title = split_title(clean_name(line.words, PIECE_GRAPHEMES))
    return name, title, line.cost or 0
