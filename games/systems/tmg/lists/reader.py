"""How the lines of a list become a roster: headings first, then every line in its place.

A line under a heading is what the heading says; elsewhere its bullet, its
indentation and the catalogue decide. Nothing is dropped without a remark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_name
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.lists import titles
from games.systems.tmg.lists.bare import priced
from games.systems.tmg.lists.catalogue import (
    ATTACHMENT,
    NCU,
    NEUTRAL,
    UNIT,
    Catalogue,
    Found,
)
from games.systems.tmg.lists.checks import MORE_THAN_ONE, WHOLE_PRICE, checked
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.headings import CARDS, section
from games.systems.tmg.lists.lines import (
    MAX_LINES,
    NOTE,
    ListLine,
    bare_faction,
    names_in,
    split_title,
)
from games.systems.tmg.lists.roster import ENEMY, Attachment, Roster, RosterEntry
from games.systems.tmg.lists.twofold import Twofold, settle

MAX_ENTRIES = 60


class Reader:
    """Reads one list. `faction` and `commander` are what is known before the first line."""

    def __init__(self, catalogue: Catalogue, faction: str = "", commander: str = "") -> None:
        self.catalogue = catalogue
        self.draft = Draft(faction=faction, commander=commander)
        self.section = ""
        self.bulleted = False
        self.indent = 0
        self.trusting = False
        self.entitled = False
        self.twofold: list[Twofold] = []
        self.unpriced: set[int] = set()

    def read(self, lines: Iterable[ListLine], beyond: bool) -> Roster:
        """The roster of these lines; `beyond` says whether the list went on."""
        body = self._without_leader(priced(self._body(lines), self.catalogue))
        named = (line for line in body if line.is_piece or self.catalogue.named(*split_title(line.words)))
        self.bulleted = next((line.marked for line in named), False)
        self.draft.leaders = self.catalogue.commanders(self.draft.commander)
        self.draft.faction = self.draft.faction or self._likely_faction(body)
        for line in body:
            self._take(line)
        self._cut(beyond)
        self.draft.house()
        settle(self.draft, self.twofold, self.unpriced)
        if not self.draft.faction and self.draft.is_neutral:
            self.draft.faction = NEUTRAL
        return checked(self.draft)

    def read_typed(self, lines: Iterable[ListLine]) -> tuple[tuple[RosterEntry, ...], tuple[Line, ...]]:
        """The units that somebody typed, and what to remark; whatever is typed is taken for a name."""
        self.trusting = True
        for line in lines:
            if not line.aside or self._is_worth(line):
                self._take(line)
        if not self.draft.entries:
            name = next(line.words for line in lines)
            message = _("“%(name)s” is no unit. Write its unit first: “Unit with Attachment”.")
            raise Unreadable(say(message, name=name))
        self.draft.house()
        return tuple(self.draft.entries), tuple(line for _number, line in self.draft.remarks)

    def _body(self, lines: Iterable[ListLine]) -> Iterator[ListLine]:
        """All lines but headings. A Commander's line below a unit, indented, is also his piece in it."""
        unit: ListLine | None = None
        for line in lines:
            led = self.draft.commander_line
            if line.aside == NOTE and not self._is_worth(line):
                continue
            if not titles.take(self.draft, line):
                unit = line if line.marked or line.is_priced else unit
                yield line
            elif unit and line.indent >= unit.indent + 2 and self.draft.commander_line != led:
                yield from self._riding(line)

    def _is_worth(self, line: ListLine) -> bool:
        """Whether what stands behind a piece is another one: by its price, or as the name of a card."""
        return bool(line.words) and (line.is_priced or bool(self.catalogue.named(*split_title(line.words))))

    def _riding(self, line: ListLine) -> Iterator[ListLine]:
        """The Commander whom a line has just named, unless he fights alone or sits at court."""
        if all(card.kind == ATTACHMENT for card in self.catalogue.commanders(self.draft.commander)):
            yield replace(line, words=self.draft.commander, cost=None, joined=True)

    def _without_leader(self, body: list[ListLine]) -> list[ListLine]:
        """The lines without a heading “Commander”; the name below it is left out if it comes again."""
        at = next((at for at, line in enumerate(body) if titles.heads_leader(line)), len(body))
        below, rest = body[at + 1 : at + 2], body[at + 2 :]
        for leader in below:
            called = set(self.catalogue.commanders(leader.words))
            if called and not self.draft.commander:
                self.draft.commander, self.draft.commander_line = leader.words, leader.number
            if any(called.intersection(self.catalogue.commanders(line.words)) for line in rest):
                below = []
        return [*body[:at], *below, *rest]

    def _names_list(self, line: ListLine) -> bool:
        """Whether a line above all pieces is the list's name and size, and the name of no card."""
        has_pieces = self.draft.entries or self.draft.homeless
        is_first = not (has_pieces or self.section or self.entitled or self.trusting)
        return is_first and line.is_sized and not self._best(line)[0]

    def _entitle(self, line: ListLine) -> None:
        self.entitled = True
        self.draft.name = self.draft.name or line.words
        titles.take_size(self.draft, line)

    def _likely_faction(self, lines: Iterable[ListLine]) -> str:
        """The faction of most cards, not counting names that Neutral cards have too."""
        votes: Counter[str] = Counter()
        for line in lines:
            factions = self.catalogue.factions_of(*split_title(line.words))
            votes.update(factions if NEUTRAL not in factions else ())
        return votes.most_common(1)[0][0] if votes else ""

    def _take(self, line: ListLine) -> None:
        title, _colon, rest = line.words.partition(":")
        heading = None if self.trusting else section(title)
        if heading is not None:
            line = replace(line, words=rest.strip())
            if heading == ATTACHMENT and rest.strip():
                self._take_attachments(line)
                return
            self.section = heading
            if not any(c.isalpha() for c in rest):
                return
        if self.section == CARDS:
            self._name_card(line)
            return
        for piece in self._pieces(line):
            self._place(piece)

    def _take_attachments(self, line: ListLine) -> None:
        """What a line below a unit says it has attached; the lines after it are what they were before."""
        names = [*names_in(line.words, lambda name: self._is_card(name, ATTACHMENT))]
        for name in names if line.cost is None else [line.words]:
            joined = line.is_priced or self._is_card(name, ATTACHMENT)
            self._place(replace(line, words=name, marked=False, joined=joined))

    def _pieces(self, line: ListLine) -> list[ListLine]:
        """The cards that a line names without prices of their own, each as its own line."""
        if line.count > 1 or self._is_listed(line.words):
            return [line]
        names = [*names_in(line.words, self._is_listed)]
        if self.section in ("", UNIT):
            return self._with_attachments(line, names) or [line]
        if line.cost is not None or not all(map(self._is_listed, names)):
            return [line]
        return [replace(line, words=name) for name in names]

    def _with_attachments(self, line: ListLine, names: list[str]) -> list[ListLine]:
        """A unit and what a line names after it, if those are units and attachments; else nothing.

        Of a pair the second is an attachment if it may be one. A price is that of the
        last name, or of the whole.
        """
        bare = replace(line, cost=None, leads=False)
        hangs, is_pair = self._hangs(line), len(names) == 2 and "," not in line.words
        pieces: list[ListLine] = []
        for name in names:
            is_unit = not line.joined and self._is_card(name, UNIT)
            may_join = (hangs or bool(pieces)) and self._is_card(name, ATTACHMENT)
            if not is_unit and not may_join:
                return []
            joins = may_join and (not is_unit or (is_pair and bool(pieces)))
            pieces.append(replace(bare, words=name, marked=line.marked and not joins, joined=joins))
        must_join = pieces[1:] if line.cost is not None else pieces if pieces[0].joined else []
        if not all(piece.joined for piece in must_join):
            return []
        last = replace(pieces[-1], cost=line.cost, leads=line.leads)
        return [*pieces[:-1], last]

    def _is_listed(self, words: str) -> bool:
        """Whether words are the name of a card of the section's kind, or of any above all sections."""
        kinds = {"": (UNIT, NCU, ATTACHMENT), UNIT: (UNIT, ATTACHMENT)}.get(self.section, (self.section,))
        return any(self._is_card(words, kind) for kind in kinds)

    def _is_card(self, words: str, kind: str) -> bool:
        """Whether words are the name of a card of this kind, with its own sub-title or none."""
        found = self._find(ListLine(0, words, words), kind)
        return found is not None and found.exact

    def _place(self, line: ListLine) -> None:
        if len(self.draft.entries) > MAX_ENTRIES:
            return
        if self._names_list(line):
            self._entitle(line)
            return
        kind, found = self._meaning(line)
        if not kind or (found is None and not titles.is_name(line.words)):
            self._remark_noise(line)
        elif kind == ATTACHMENT:
            self._attach(line, found)
        else:
            self._open(line, kind, found)
            self.indent = line.indent

    def _name_card(self, line: ListLine) -> None:
        """A tactics card by its name, one per line; the rules set the number of copies (TMG-88)."""
        if line.joined and self.draft.cards:
            self.draft.cards[-1] += f" with {line.words}"
        elif titles.is_name(line.words) and line.words not in self.draft.cards:
            self.draft.cards.append(line.words)

    def _meaning(self, line: ListLine) -> tuple[str, Found | None]:
        """Which kind of piece a line names, and its card if the catalogue has it; no kind for noise."""
        if not self.trusting and bare_faction(line):
            return "", None
        if self.section == ENEMY:
            return ENEMY, self._find(line, ATTACHMENT) or self._guess(line, ATTACHMENT)
        if self._hangs(line):
            found = self._find(line, ATTACHMENT)
            if found or line.joined:
                return ATTACHMENT, found or self._guess(line, ATTACHMENT)
        kind, found = self._best(line)
        if found:
            return kind, found
        if self._hangs(line):
            found = self._guess(line, ATTACHMENT)
            if found or line.cost is not None:
                return ATTACHMENT, found
        if line.marked or line.is_priced or self.trusting:
            kinds = (self.section,) if self.section else (UNIT, NCU)
            found = self._guess(line, *kinds)
            return found.fact.kind if found else self.section or UNIT, found
        return "", None

    def _hangs(self, line: ListLine) -> bool:
        """Whether a line's form says that it belongs to the unit above it."""
        if line.joined:
            return True
        if not self.draft.entries:
            return False
        if line.marked:
            return line.indent >= self.indent + 2
        return self.section != NCU and (self.bulleted or line.indent > self.indent)

    def _best(self, line: ListLine) -> tuple[str, Found | None]:
        kinds = sorted((UNIT, NCU, ATTACHMENT), key=lambda kind: kind != self.section)
        cards = [(kind, found) for kind in kinds if (found := self._find(line, kind))]
        return min(cards, key=lambda card: self._doubts(line, card[1]), default=("", None))

    def _doubts(self, line: ListLine, found: Found) -> tuple[bool, ...]:
        """What speaks against a card, the weightiest first; a bullet under a heading goes by the heading.

        A card of another sub-title is not meant where one has the very sub-title; only NCUs are listed
        without theirs, and so their heading is believed. Below that of Combat Units stand attachments too.
        """
        card = found.fact
        leads_not = line.leads and not card.commander
        is_namesake = not found.exact and self.section != NCU
        is_foreign = bool(self.draft.faction) and card.faction not in (self.draft.faction, NEUTRAL)
        last = card.cost != line.cost, card not in self.draft.leaders
        if self.section == NCU and line.marked:
            return (leads_not,)
        if self.section and line.marked:
            return leads_not, is_namesake, is_foreign, card.kind == NCU, *last
        return leads_not, is_namesake, is_foreign, *last

    def _find(self, line: ListLine, kind: str) -> Found | None:
        name, title = split_title(line.words)
        return self.catalogue.find(
            name,
            title,
            kind=kind,
            faction=self.draft.faction,
            cost=line.cost,
            commander=self.draft.commander,
            leads=line.leads,
        )

    def _guess(self, line: ListLine, *kinds: str) -> Found | None:
        if not self.draft.may_compare():
            return None
        name, title = split_title(line.words)
        return self.catalogue.guess(name, title, kinds=frozenset(kinds), faction=self.draft.faction)

    def _open(self, line: ListLine, kind: str, found: Found | None) -> None:
        self._remark_on(line, kind, found)
        name, title, cost = _stated(line, found)
        fact = found.fact if found else None
        for _copy in range(line.count):
            leads = line.leads and not self.trusting
            self.draft.entries.append(
                RosterEntry(line.number, name, title, cost, kind, fact=fact, commander=leads)
            )
        if kind == UNIT and line.cost is None:
            self._doubt(line)

    def _doubt(self, line: ListLine) -> None:
        """Note that a unit states no price, and which attachment it may be as well."""
        self.unpriced.add(line.number)
        other = self._find(line, ATTACHMENT) if line.count == 1 else None
        if other and other.exact:
            name, title, cost = _stated(line, other)
            attachment = Attachment(line.number, name, title, cost, other.fact)
            self.twofold.append(Twofold(self.draft.entries[-1], attachment, line.marked))

    def _attach(self, line: ListLine, found: Found | None) -> None:
        """Attach a card to the unit above; in a list, one that joins an enemy stands apart (TMG-10)."""
        if found and found.fact.joins_enemy and not self.trusting:
            self._open(line, ENEMY, found)
            return
        self._remark_on(line, ATTACHMENT, found)
        name, title, cost = _stated(self._apart(line, found), found)
        room = MAX_ENTRIES - self.draft.attached
        if line.count > room:
            message = _("Line %(line)d: the list has too many attachments; the first were kept.")
            self.draft.remark(line.number, message)
        fact, leads = found.fact if found else None, line.leads and not self.trusting
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

    def _remark_noise(self, line: ListLine) -> None:
        text = line.text if len(line.text) <= PIECE_GRAPHEMES else line.text[: PIECE_GRAPHEMES - 1] + "…"
        self.draft.remark(line.number, _("Line %(line)d was not understood: “%(text)s”."), text=text)

    def _remark_unknown(self, line: ListLine, kind: str) -> None:
        kinds = {ATTACHMENT} if kind in (ATTACHMENT, ENEMY) else {kind} if self.section else {UNIT, NCU}
        may, faction = self.draft.may_compare(), self.draft.faction
        if near := may and self.catalogue.near(line.words, kinds=kinds, faction=faction):
            message = _("Line %(line)d: “%(name)s” is not in the catalogue. Is it one of these: %(near)s?")
            self.draft.remark(line.number, message, name=line.words, near=near)
            return
        message = _("Line %(line)d: “%(name)s” is not in the catalogue. Check its numbers.")
        self.draft.remark(line.number, message, name=line.words)

    def _cut(self, beyond: bool) -> None:
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
