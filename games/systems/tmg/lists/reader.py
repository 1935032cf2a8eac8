"""How the lines of a list become a roster: headings first, then every line in its place.

A line under a heading is what the heading says; elsewhere its bullet, its
indentation and the catalogue decide. Nothing is dropped without a remark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core.validation import Unreadable
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
from games.systems.tmg.lists.checks import checked
from games.systems.tmg.lists.draft import MAX_ENTRIES, Draft
from games.systems.tmg.lists.finding import Finder
from games.systems.tmg.lists.headings import CARDS, section
from games.systems.tmg.lists.lines import (
    NOTE,
    ListLine,
    bare_faction,
    split_title,
)
from games.systems.tmg.lists.placing import Placer
from games.systems.tmg.lists.roster import ENEMY, Roster, RosterEntry
from games.systems.tmg.lists.several import Several
from games.systems.tmg.lists.subtitles import titled
from games.systems.tmg.lists.twofold import settle


class Reader:
    """Reads one list. `faction` and `commander` are what is known before the first line."""

    def __init__(self, catalogue: Catalogue, faction: str = "", commander: str = "") -> None:
        self.catalogue = catalogue
        self.draft = Draft(faction=faction, commander=commander)
        self.cards = Finder(catalogue, self.draft)
        self.several = Several(self.cards, self.draft)
        self.pieces = Placer(self.cards, self.draft)
        self.entitled = False

    def read(self, lines: Iterable[ListLine], beyond: bool) -> Roster:
        """The roster of these lines; `beyond` says whether the list went on."""
        body = self._without_leader(priced(self._body(titled(lines, self.catalogue)), self.catalogue))
        named = (line for line in body if line.is_piece or self.catalogue.named(*split_title(line.words)))
        self.draft.bulleted = next((line.marked for line in named), False)
        self.draft.leaders = self.catalogue.commanders(self.draft.commander)
        self.draft.faction = self.draft.faction or self._likely_faction(body)
        for line in body:
            self._take(line)
        self.pieces.cut(beyond)
        self.draft.house()
        settle(self.draft, self.pieces.twofold, self.pieces.unpriced)
        if not self.draft.faction and self.draft.is_neutral:
            self.draft.faction = NEUTRAL
        return checked(self.draft)

    def read_typed(self, lines: Iterable[ListLine]) -> tuple[tuple[RosterEntry, ...], tuple[Line, ...]]:
        """The units that somebody typed, and what to remark; whatever is typed is taken for a name."""
        self.draft.trusting = True
        for line in titled(lines, self.catalogue):
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
        is_first = not (has_pieces or self.draft.section or self.entitled or self.draft.trusting)
        return is_first and line.is_sized and not self.cards.best(line)[0]

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
        heading = None if self.draft.trusting else section(title)
        if heading is not None:
            line = replace(line, words=rest.strip())
            if heading == ATTACHMENT and rest.strip():
                for piece in self.several.attachments(line):
                    self._place(piece)
                return
            self.draft.section = heading
            if not any(c.isalpha() for c in rest):
                return
        if self.draft.section == CARDS:
            self._name_card(line)
            return
        ncus = self.several.ncus(line)
        for piece, found in ncus:
            self._open(piece, NCU, found)
        for piece in () if ncus else self.several.pieces(line):
            self._place(piece)

    def _place(self, line: ListLine) -> None:
        if len(self.draft.entries) > MAX_ENTRIES:
            return
        if self._names_list(line):
            self._entitle(line)
            return
        kind, found = self._meaning(line)
        if not kind or (found is None and not titles.is_name(line.words)):
            self.pieces.remark_noise(line)
        elif kind == ATTACHMENT:
            self.pieces.attach(line, found)
        else:
            self._open(line, kind, found)

    def _open(self, line: ListLine, kind: str, found: Found | None) -> None:
        self.pieces.open(line, kind, found)
        self.draft.indent = line.indent

    def _name_card(self, line: ListLine) -> None:
        """A tactics card by its name, one per line; the rules set the number of copies (TMG-88)."""
        if line.joined and self.draft.cards:
            self.draft.cards[-1] += f" with {line.words}"
        elif titles.is_name(line.words) and line.words not in self.draft.cards:
            self.draft.cards.append(line.words)

    def _meaning(self, line: ListLine) -> tuple[str, Found | None]:
        """Which kind of piece a line names, and its card if the catalogue has it; no kind for noise."""
        if not self.draft.trusting and bare_faction(line):
            return "", None
        if self.draft.section == ENEMY:
            return ENEMY, self.cards.find(line, ATTACHMENT) or self.cards.guess(line, ATTACHMENT)
        if self.draft.hangs(line):
            found = self.cards.find(line, ATTACHMENT)
            if line.joined or (found and self.cards.is_likely(line, found)):
                return ATTACHMENT, found or self.cards.guess(line, ATTACHMENT)
        kind, found = self.cards.best(line)
        if found:
            return kind, found
        if self.draft.hangs(line):
            found = self.cards.guess(line, ATTACHMENT)
            if found or line.cost is not None:
                return ATTACHMENT, found
        if line.marked or line.is_priced or self.draft.trusting:
            kinds = (self.draft.section,) if self.draft.section else (UNIT, NCU)
            found = self.cards.guess(line, *kinds)
            return found.fact.kind if found else self.draft.section or UNIT, found
        return "", None
