"""The grammar of an army list: what each of its lines means, and where its cards take their places.

A list is never refused for what it says. What is unknown is kept with plain figures, what is odd is
remarked on by line, what says nothing is kept as not used, and all of it can be edited afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from games.core import (
    PIECE_GRAPHEMES,
    Line,
    Term,
    Unreadable,
    clean_name,
    clean_note,
    clean_text,
    file_names,
    read_text,
    say,
    say_count,
)
from games.core import gettext_noop as _
from games.core.army_lists import Ledger
from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    ENEMY,
    FACTIONS,
    NCU,
    NEUTRAL,
    PACKAGE,
    UNIT,
    Catalogue,
    Found,
    catalogue,
    faction_key,
    plain,
)
from games.systems.tmg.lists.army_codes import Code, code_in, looks_shared, text_of
from games.systems.tmg.lists.army_lines import (
    CARDS,
    LEAST_SIZE,
    MAX_LINES,
    NOTE,
    STATED,
    ListLine,
    bare_faction,
    headers,
    lines_in,
    lines_of,
    names_in,
    parts_of,
    priced,
    rows_of,
    section,
    split_title,
    titled,
    unpriced,
)
from games.systems.tmg.lists.army_roster import (
    MAX_ENTRIES,
    MORE_THAN_ONE,
    WHOLE_PRICE,
    Attachment,
    Draft,
    Roster,
    RosterEntry,
    Twofold,
    checked,
    settle,
)

_OF_SIZE = re.compile(r"([0-9]{1,4})(?:\s*/\s*([0-9]{1,4}))?")


def take_heading(draft: Draft, line: ListLine) -> bool:
    """Whether a line is a heading or a title; the draft then has what it states."""
    stated = headers(line.text)
    if stated is None or heads_leader(line):
        return _take_title(draft, line)
    for part in line.text.split("|"):
        key, _colon, value = part.partition(":")
        if meaning := STATED.get(plain(key)):
            draft.ledger.use(line.number, key if meaning == "commander" else part)
            draft.ledger.use(line.number, "" if meaning == "commander" and is_name(value) else value)
    _take_numbers(draft, line.number, stated)
    draft.name = stated.get("name", draft.name)
    if "commander" in stated and is_name(stated["commander"]):
        draft.commander, draft.commander_line = unpriced(stated["commander"]), line.number
    if "faction" in stated:
        _take_faction(draft, line.number, stated["faction"])
    return True


def take_size(draft: Draft, line: ListLine) -> None:
    """The size of the army in a title, unless the list has stated it before."""
    if (line.cost or 0) >= (LEAST_SIZE if line.is_title else 1) and draft.limit is None:
        draft.limit = line.cost
        draft.points_line = draft.points_line or line.number


def heads_leader(line: ListLine) -> bool:
    """Whether a line is the heading above a Commander's name."""
    return STATED.get(plain(line.words)) == "commander"


def is_name(words: str) -> bool:
    """Whether words would do as a piece's name if somebody typed them."""
    try:
        clean_name(words, PIECE_GRAPHEMES)
    except Unreadable:
        return False
    return True


def _take_title(draft: Draft, line: ListLine) -> bool:
    faction = bare_faction(line) or (_faction_in(line) if line.is_title else None)
    if faction is None or draft.faction not in ("", faction):
        return False
    draft.faction = faction
    draft.use(line)
    take_size(draft, line)
    return True


def _faction_in(line: ListLine) -> str | None:
    """The faction that a framed heading names in brackets, or before a dash."""
    parts = (part.strip() for part in re.split(r"[()\[\]]|\s-\s", line.words))
    return next((key for part in parts if (key := faction_key(part))), None)


def _take_numbers(draft: Draft, number: int, stated: dict[str, str]) -> None:
    points = _OF_SIZE.search(stated.get("points", ""))
    if points:
        draft.points, draft.points_line = int(points[1]), number
        draft.limit = int(points[2]) if points[2] else draft.limit
    activations = _OF_SIZE.search(stated.get("activations", ""))
    if activations:
        draft.activations, draft.activations_line = int(activations[1]), number


def _take_faction(draft: Draft, number: int, stated: str) -> None:
    faction = faction_key(unpriced(stated))
    if faction is None:
        draft.remark(number, _("Line %(line)d: there is no faction “%(name)s”."), name=stated)
        return
    draft.faction = faction


class Finder:
    """Looks up the cards of one list."""

    def __init__(self, catalogue: Catalogue, draft: Draft) -> None:
        self.catalogue = catalogue
        self.draft = draft

    def find(self, line: ListLine, kind: str) -> Found | None:
        """The card of this kind that a line names; None if there is none."""
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

    def guess(self, line: ListLine, *kinds: str) -> Found | None:
        """The card of one of these kinds that a line nearly names, unless the list has asked too often.

        A short name is one only where the line's form says that it names a piece.
        """
        if not self.draft.may_compare():
            return None
        name, title = split_title(line.words)
        among, faction = frozenset(kinds), self.draft.faction
        is_sure = line.marked or line.is_priced or line.is_named or line.joined
        short = self.catalogue.short(line.words, kinds=among, faction=faction) if is_sure else None
        return short or self.catalogue.guess(name, title, kinds=among, faction=faction)

    def is_called(self, words: str, kind: str) -> bool:
        """Whether words are the name of a card of this kind, or a short form of one."""
        if self.is_card(words, kind):
            return True
        is_short = self.draft.may_compare() and self.catalogue.short(
            words, kinds={kind}, faction=self.draft.faction
        )
        return bool(is_short)

    def is_card(self, words: str, kind: str) -> bool:
        """Whether words are the name of a card of this kind, with its own sub-title or none."""
        line = ListLine(0, words, words)
        found = self.find(line, kind)
        return found is not None and found.exact and (kind != ATTACHMENT or self.is_likely(line, found))

    def is_likely(self, line: ListLine, found: Found) -> bool:
        """Whether a card is the army's own or Neutral, or no such card has the name that the line says."""
        own = {self.draft.faction, NEUTRAL}
        is_foreign = bool(self.draft.faction) and found.fact.faction not in own
        return not (is_foreign and own & self.catalogue.factions_of(*split_title(line.words)))

    def best(self, line: ListLine) -> tuple[str, Found | None]:
        """The kind and the card that a line names with the fewest doubts; no kind if it names none."""
        kinds = sorted((UNIT, NCU, ATTACHMENT), key=lambda kind: kind != self.draft.section)
        cards = [(kind, found) for kind in kinds if (found := self.find(line, kind))]
        return min(cards, key=lambda card: self._doubts(line, card[1]), default=("", None))

    def _doubts(self, line: ListLine, found: Found) -> tuple[bool, ...]:
        """What speaks against a card, the weightiest first; a bullet under a heading goes by the heading.

        A card of another sub-title is not meant where one has the very sub-title; only NCUs are listed
        without theirs, and so their heading is believed. Below that of Combat Units stand attachments too.
        """
        card = found.fact
        leads_not = line.leads and not card.commander
        is_namesake = not found.exact and self.draft.section != NCU
        is_foreign = bool(self.draft.faction) and card.faction not in (self.draft.faction, NEUTRAL)
        last = card.cost != line.cost, card not in self.draft.leaders
        if self.draft.section == NCU and line.marked:
            return (leads_not,)
        if self.draft.section and line.marked:
            return leads_not, is_namesake, is_foreign, card.kind == NCU, *last
        return leads_not, is_namesake, is_foreign, *last


_KINDS = {"": (UNIT, NCU, ATTACHMENT), UNIT: (UNIT, ATTACHMENT)}
"""The kinds of cards that lines of a section name; those of any other section name its own."""


class Several:
    """Parts the lines of one list."""

    def __init__(self, cards: Finder, draft: Draft) -> None:
        self.cards = cards
        self.draft = draft

    def attachments(self, line: ListLine) -> list[ListLine]:
        """What a line below a unit says it has attached."""
        names = self._names(line, ATTACHMENT) if line.cost is None else [line.words]
        return [
            replace(
                line,
                words=name,
                marked=False,
                joined=line.is_priced or self.cards.is_card(name, ATTACHMENT),
            )
            for name in names
        ]

    def pieces(self, line: ListLine) -> list[ListLine]:
        """The cards that a line names without prices of their own, each as its own line."""
        kinds = _KINDS.get(self.draft.section, (self.draft.section,))
        if line.count > 1 or self._is_card(line.words, *kinds):
            return [line]
        names = self._names(line, *kinds)
        if self.draft.section in ("", UNIT) and (pieces := self._with_attachments(line, names)):
            return pieces
        if self.draft.section == NCU and line.cost is None and not line.is_title:
            short = [*names_in(line.words, lambda name: self.cards.is_called(name, NCU))]
            if len(short) > 1 and all(self.cards.is_called(name, NCU) for name in short):
                return [replace(line, words=name, is_named=True) for name in short]
        is_one = self.draft.section == UNIT or not (self.draft.section or _are_joined(line, names))
        if is_one or line.cost is not None or not all(self._is_card(name, *kinds) for name in names):
            return [line]
        return [replace(line, words=name) for name in names]

    def ncus(self, line: ListLine) -> list[tuple[ListLine, Found]]:
        """The NCUs of a line that joins several by “and”, each with its card; none for any other line.

        A price is that of the last, or of the whole.
        """
        names = self._names(line, NCU)
        if not _are_joined(line, names) or line.joined or self.draft.section not in ("", NCU):
            return []
        lines = [replace(line, words=name, cost=None) for name in names]
        cards = [card for one in lines if (card := self.cards.find(one, NCU)) and card.exact]
        if len(cards) < len(lines) or self._with_attachments(line, names):
            return []
        fair = (None, cards[-1].fact.cost, sum(card.fact.cost for card in cards))
        return list(zip(lines, cards, strict=True)) if line.cost in fair else []

    def _with_attachments(self, line: ListLine, names: list[str]) -> list[ListLine]:
        """A unit and what a line names after it, if those are units and attachments; else nothing.

        Behind a price, which is that of the last name or of the whole, only the first may be a unit; and
        behind an attachment stand only others.
        """
        joins = self._which_join(line, names)
        if not joins or ((line.cost is not None or joins[0]) and not all(joins[1:])):
            return []
        bare = replace(line, cost=None, leads=False)
        *pieces, last = (
            replace(bare, words=name, marked=line.marked and not is_joined, joined=is_joined)
            for name, is_joined in zip(names, joins, strict=True)
        )
        return [*pieces, replace(last, cost=line.cost, leads=line.leads)]

    def _which_join(self, line: ListLine, names: list[str]) -> list[bool]:
        """For each name whether it is an attachment's, if the others are units'; nothing if one is neither.

        Of a pair each is an attachment if it may be one.
        """
        is_pair = len(names) == 2 and "," not in line.words
        joins: list[bool] = []
        for name in names:
            is_unit = not line.joined and self._is_card(name, UNIT)
            may_join = (bool(joins) or self.draft.hangs(line)) and self._is_card(name, ATTACHMENT)
            if not is_unit and not may_join:
                return []
            joins.append(may_join and (not is_unit or is_pair))
        return joins

    def _names(self, line: ListLine, *kinds: str) -> list[str]:
        return [*names_in(line.words, lambda name: self._is_card(name, *kinds))]

    def _is_card(self, words: str, *kinds: str) -> bool:
        return any(self.cards.is_card(words, kind) for kind in kinds)


def _are_joined(line: ListLine, names: list[str]) -> bool:
    """Whether an “and” joins these names of a line: a comma alone may part a sub-title from a name."""
    return line.count == 1 and len(names) > 1 + sum(line.words.count(sign) for sign in ",;")


class Placer:
    """Puts the pieces of one list into its draft."""

    def __init__(self, cards: Finder, draft: Draft) -> None:
        self.cards = cards
        self.draft = draft
        self.twofold: list[Twofold] = []
        self.unpriced: set[int] = set()

    def open(self, line: ListLine, kind: str, found: Found | None) -> None:
        """Give a unit, an NCU or an enemy attachment its own entry, as often as the line counts it."""
        self.draft.use(line)
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
        self.draft.use(line)
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
        self.draft.ledger.use(line.number, text)
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
            self.draft.ledger.drop(self.draft.entries[-1].line)
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


NEEDLESS = {"pt", "pts", "point", "points", "pkt", "pkte", "punkte", "cost", "costs", "in", "im", "of", "the"}
NEEDLESS |= {"with", "and", "und", "mit", "et", "avec", "con"}
"""Words of a list's form: that they are not used says nothing."""


class Reader:
    """Reads one list. `faction` and `commander` are what is known before the first line."""

    def __init__(
        self,
        catalogue: Catalogue,
        faction: str = "",
        commander: str = "",
        rows: Iterable[tuple[int, str]] = (),
    ) -> None:
        self.catalogue = catalogue
        self.draft = Draft(faction=faction, commander=commander, ledger=Ledger(rows))
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
        roster = checked(self.draft)
        return replace(roster, unused=self.draft.ledger.unused(NEEDLESS))

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
            if not take_heading(self.draft, line):
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
        at = next((at for at, line in enumerate(body) if heads_leader(line)), len(body))
        below, rest = body[at + 1 : at + 2], body[at + 2 :]
        for line in body[at : at + 2]:
            self.draft.use(line)
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
        self.draft.use(line)
        self.draft.name = self.draft.name or line.words
        self.draft.faction = self.draft.faction or _faction_in(line) or ""
        take_size(self.draft, line)

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
            self.draft.ledger.use(line.number, title if rest else line.text)
            line = replace(line, words=rest.strip(), is_title=False)
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
        if line.is_title and found is None:
            return
        if not kind or (found is None and not is_name(line.words)):
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
        self.draft.use(line)
        if line.joined and self.draft.cards:
            self.draft.cards[-1] += f" with {line.words}"
        elif is_name(line.words) and line.words not in self.draft.cards:
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
        if line.marked or line.is_priced or line.is_named or self.draft.trusting:
            kinds = (self.draft.section,) if self.draft.section else (UNIT, NCU)
            found = self.cards.guess(line, *kinds)
            return found.fact.kind if found else self.draft.section or UNIT, found
        is_plain = " " in line.words and not any(c.isdigit() for c in line.words)
        if is_plain and (found := self.cards.guess(line, UNIT, NCU)):
            return found.fact.kind, found
        return "", None


def roster_of(code: Code, catalogue: Catalogue) -> Roster:
    """The army that a code means; every number in it becomes a piece, known or not."""
    draft = Draft(name=code.name, faction=_faction(code, catalogue), limit=code.limit, points_line=1)
    for number, *attached in code.units:
        _take(draft, catalogue, number, UNIT)
        for other in attached:
            _take(draft, catalogue, other, ATTACHMENT)
    for number in code.others:
        _take(draft, catalogue, number, ENEMY if _is_attachment(catalogue, number) else NCU)
    draft.entries.sort(key=lambda entry: (UNIT, NCU, ENEMY).index(entry.kind))
    draft.house()
    if len(draft.entries) > MAX_ENTRIES:
        del draft.entries[MAX_ENTRIES:]
        draft.remark(1, _("Line %(line)d: the code has too many units; the first were kept."))
    if not code.is_whole:
        draft.remark(
            1, _("Line %(line)d: the share code is damaged or cut off; what could be read was kept.")
        )
    draft.points = sum(entry.points for entry in draft.entries)
    return checked(draft)


def _faction(code: Code, catalogue: Catalogue) -> str:
    """The faction that is stated, else the one that most numbers belong to."""
    stated = catalogue.factions_by_number.get(code.faction) if isinstance(code.faction, int) else code.faction
    return stated or catalogue.likely_faction(str(number) for unit in code.units for number in unit)


def _is_attachment(catalogue: Catalogue, number: int) -> bool:
    """Whether a number is an attachment's; of a card that nobody knows its first digit tells."""
    fact = catalogue.by_id.get(str(number))
    return fact.kind == ATTACHMENT if fact else str(number)[0] == "2"


def _take(draft: Draft, catalogue: Catalogue, number: int, place: str) -> None:
    """Take a card: where it belongs if the catalogue knows it, else where the code has it."""
    fact = catalogue.by_id.get(str(number))
    kind = fact.kind if fact else place
    if fact is None:
        message = _("Line %(line)d: the catalogue has no card %(number)s; please name it.")
        draft.remark(1, message, number=str(number))
    else:
        draft.remark_foreign(1, fact)
    name, title, cost = (fact.name, fact.title, fact.cost) if fact else (str(number), "", 0)
    if place == ENEMY or (fact and fact.joins_enemy):
        kind = ENEMY
    if kind == ATTACHMENT:
        draft.attach(Attachment(1, name, title, cost, fact))
    else:
        draft.entries.append(RosterEntry(1, name, title, cost, kind, fact=fact))


def read_pasted(raw: object, catalogue: Catalogue) -> Roster:
    """The roster in text from outside; `Unreadable` if it is not text or names no unit at all."""
    text = opened(clean_text(raw), catalogue)
    first, *others = parts_of(text)
    roster = read_roster(first, catalogue)
    if roster.entries:
        return replace(roster, warnings=(*_others_left(others), *roster.warnings))
    if any(looks_shared(line) for line in text.split("\n", 9)[:9]):
        raise Unreadable(say(_("This share code is damaged or cut off. Please copy all of it once more.")))
    raise Unreadable(say(_("No unit was found in this text. Please paste the whole army list.")))


def opened(text: str, catalogue: Catalogue) -> str:
    """A builder's file as the lines that people paste; any other text as it is."""
    return text_of(text, catalogue, lambda words: section(words) is not None)


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Roster], ...]:
    """Every list in a text that passed validation: its own text, and its roster if that has a unit."""
    found = ((part, read_roster(part, catalogue)) for part in parts_of(opened(text, catalogue)))
    return tuple((part, roster) for part, roster in found if roster.entries)


def _others_left(others: list[str]) -> tuple[Line, ...]:
    if not others:
        return ()
    message = _("This text holds %(number)d lists; the first was read.")
    return (say(message, number=len(others) + 1),)


def read_roster(text: str, catalogue: Catalogue) -> Roster:
    """The roster that one list means (TMG-05 to TMG-09). Any text gives one, if only of warnings."""
    code = code_in(text)
    if code is not None:
        return roster_of(code, catalogue)
    rows, beyond = rows_of(text, catalogue)
    return Reader(catalogue, rows=rows).read(lines_in(rows), beyond)


def read_entry(
    raw: object, catalogue: Catalogue, faction: str = "", commander: str = ""
) -> tuple[RosterEntry, tuple[Line, ...]]:
    """One unit typed by hand, and what to remark: a name, a cost if wanted, `with` and attachments."""
    (entry, *_others), remarks = _typed(raw, catalogue, faction, commander)
    return entry, remarks


def read_entries(
    raw: object, catalogue: Catalogue, faction: str = "", commander: str = ""
) -> tuple[RosterEntry, ...]:
    """The units typed by hand: one, several next to each other, or a number of the same such as `2x`."""
    entries, _remarks = _typed(raw, catalogue, faction, commander)
    return entries


def _typed(
    raw: object, catalogue: Catalogue, faction: str, commander: str
) -> tuple[tuple[RosterEntry, ...], tuple[Line, ...]]:
    lines, _beyond = lines_of(clean_note(raw))
    if not lines:
        raise Unreadable(say(_("Please write the name of a unit, such as “Stark Sworn Swords (5)”.")))
    return Reader(catalogue, faction, commander).read_typed(lines)


# --- the armies that come with the game ---


def demo_rosters() -> dict[str, str]:
    """The demo armies by slug, each named by its commander, for the list to choose from."""
    return {slug: demo_roster(slug).commander for slug in file_names(PACKAGE, "seeds/armies", ".txt")}


def demo_summary(slug: str) -> Line:
    """Faction and size of a demo army."""
    roster = demo_roster(slug)
    return summary(roster.faction, roster.points, roster.activations)


def summary(faction: str, points: int, activations: int) -> Line:
    """An army in a few words."""
    return say_count(
        "%(faction)s, %(points)s army points, %(count)s activation",
        "%(faction)s, %(points)s army points, %(count)s activations",
        activations,
        faction=Term(FACTIONS.get(faction, faction) or _("No faction")),
        points=points,
    )


def demo_text(slug: str) -> str:
    """A demo army as the text that would be pasted."""
    return read_text(PACKAGE, f"seeds/armies/{slug}.txt")


@cache
def demo_roster(slug: str) -> Roster:
    """A demo army, read."""
    return read_roster(demo_text(slug), catalogue())
