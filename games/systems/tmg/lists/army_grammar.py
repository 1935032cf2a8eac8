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
    Ledger,
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
from games.systems.tmg.lists.army_codes import code_in, looks_shared, roster_of, text_of
from games.systems.tmg.lists.army_lines import (
    CARDS,
    LEAST_SIZE,
    MAX_LINES,
    NOTE,
    STATED,
    ListLine,
    bare_faction,
    first_name,
    headers,
    lines_in,
    parts_of,
    priced,
    rows_of,
    section,
    split_title,
)
from games.systems.tmg.lists.army_roster import (
    MAX_ENTRIES,
    MORE_THAN_ONE,
    WHOLE_PRICE,
    Attachment,
    Draft,
    Roster,
    RosterEntry,
    attach_units,
    checked,
)

_OF_SIZE = re.compile(r"([0-9]{1,4})(?:\s*/\s*([0-9]{1,4}))?")
NEEDLESS = {"pt", "pts", "point", "points", "pkt", "pkte", "punkte", "cost", "costs", "in", "im", "of", "the"}
NEEDLESS |= {"with", "and", "und", "mit", "et", "avec", "con"}
"""Words of a list's form: that they are not used says nothing."""


def is_name(words: str) -> bool:
    """Whether words would do as a piece's name if somebody typed them."""
    try:
        clean_name(words, PIECE_GRAPHEMES)
    except Unreadable:
        return False
    return True


def _faction_in(line: ListLine) -> str:
    """The faction that a title names in brackets, or before a dash."""
    parts = (part.strip() for part in re.split(r"[()\[\]]|\s-\s", line.words))
    return next((key for part in parts if (key := faction_key(part))), "")


def _heads_leader(line: ListLine) -> bool:
    """Whether a line is the heading above a Commander's name."""
    return not line.known and STATED.get(plain(line.words)) == "commander"


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
        self.rows = list(rows)
        self.draft = Draft(faction=faction, commander=commander, ledger=Ledger(self.rows))
        self.section = ""
        self.is_typed = False
        self.is_titled = False
        self.is_bulleted = False
        """Whether a bullet stands before the first piece."""
        self.indent = 0
        """How far the last entry is indented."""
        self.row: list[Found] = []
        """The cards of this row so far that have no price of their own."""
        self.last = ""

    def read(self, beyond: bool) -> Roster:
        """The roster of the rows; `beyond` says whether the list went on."""
        lines = lines_in(self.rows, self.catalogue)
        body = self._without_leader(priced(self._body(lines), self.catalogue))
        first = next((line for line in body if line.is_piece or line.known), None)
        self.is_bulleted = first is not None and first.marked
        self.draft.leaders = self.catalogue.commanders(self.draft.commander)
        self.draft.faction = self.draft.faction or self._likely_faction(body)
        for line in body:
            self._take(line)
        self._cut(beyond)
        self.draft.house()
        attach_units(self.draft)
        cards = [entry.fact for entry in self.draft.entries]
        if not self.draft.faction and cards and all(card and card.faction == NEUTRAL for card in cards):
            self.draft.faction = NEUTRAL
        return replace(checked(self.draft), unused=self.draft.ledger.unused(NEEDLESS))

    def read_typed(self) -> tuple[tuple[RosterEntry, ...], tuple[Line, ...]]:
        """The units that somebody typed, and what to remark; whatever is typed is taken for a name."""
        self.is_typed = True
        lines = list(lines_in(self.rows, self.catalogue, has_headings=False))
        if not lines:
            raise Unreadable(say(_("Please type the name of a unit, such as “Stark Sworn Swords (5)”.")))
        for line in lines:
            if not line.aside or line.is_priced or line.known:
                self._take(line)
        if not self.draft.entries:
            message = _("“%(name)s” is not a unit. Type its unit first: “Unit with Attachment”.")
            raise Unreadable(say(message, name=lines[0].words))
        self.draft.house()
        return tuple(self.draft.entries), tuple(line for _number, line in self.draft.remarks)

    # --- headings ---

    def _body(self, lines: Iterable[ListLine]) -> Iterator[ListLine]:
        """All lines but headings. A Commander's line below a unit, indented, is also his piece in it."""
        unit: ListLine | None = None
        for line in lines:
            led = self.draft.commander_line
            if line.aside == NOTE and not (line.is_priced or line.known):
                continue
            if not self._take_heading(line):
                unit = line if line.marked or line.is_priced else unit
                yield line
            elif unit and line.indent >= unit.indent + 2 and self.draft.commander_line != led:
                cards = self.catalogue.commanders(self.draft.commander)
                if all(card.kind == ATTACHMENT for card in cards):
                    yield replace(line, words=self.draft.commander, joined=True, known=bool(cards))

    def _take_heading(self, line: ListLine) -> bool:
        """Whether a line is a heading or a title; the draft then has what it states."""
        stated, draft = headers(line.text), self.draft
        if stated is None or _heads_leader(line):
            faction = bare_faction(line) or (_faction_in(line) if line.is_title else "")
            if not faction or draft.faction not in ("", faction):
                return False
            draft.faction = faction
            self._use(line)
            self._take_size(line)
            return True
        for key, _colon, value in (part.partition(":") for part in line.text.split("|")):
            if meaning := STATED.get(plain(key)):
                is_leader = meaning == "commander" and is_name(value)
                draft.ledger.use(line.number, key if is_leader else f"{key} {value}")
        if points := _OF_SIZE.search(stated.get("points", "")):
            draft.points, draft.points_line = int(points[1]), line.number
            draft.limit = int(points[2]) if points[2] else draft.limit
        if activations := _OF_SIZE.search(stated.get("activations", "")):
            draft.activations, draft.activations_line = int(activations[1]), line.number
        draft.name = stated.get("name", draft.name)
        if is_name(leader := stated.get("commander", "")):
            draft.commander, draft.commander_line = first_name(leader, self.catalogue), line.number
        if called := stated.get("faction"):
            faction = faction_key(first_name(called, self.catalogue)) or ""
            draft.faction = faction or draft.faction
            if not faction:
                draft.remark(line.number, _("Line %(line)d: there is no faction “%(name)s”."), name=called)
        return True

    def _take_size(self, line: ListLine) -> None:
        """The size of the army in a title, unless the list has stated it before."""
        if (line.cost or 0) >= (LEAST_SIZE if line.is_title else 1) and self.draft.limit is None:
            self.draft.limit = line.cost
            self.draft.points_line = self.draft.points_line or line.number

    def _without_leader(self, body: list[ListLine]) -> list[ListLine]:
        """The lines without a heading “Commander”; the name below it is left out if it comes again."""
        at = next((at for at, line in enumerate(body) if _heads_leader(line)), len(body))
        below, rest = body[at + 1 : at + 2], body[at + 2 :]
        for line in body[at : at + 2]:
            self._use(line)
        for leader in below:
            called = set(self.catalogue.commanders(leader.words))
            if called and not self.draft.commander:
                self.draft.commander, self.draft.commander_line = leader.words, leader.number
            if any(called.intersection(self.catalogue.commanders(line.words)) for line in rest):
                below = []
        return [*body[:at], *below, *rest]

    def _likely_faction(self, lines: Iterable[ListLine]) -> str:
        """The faction of most cards, not counting names that Neutral cards have too."""
        votes: Counter[str] = Counter()
        for line in lines:
            factions = self.catalogue.factions_of(*split_title(line.words))
            votes.update(factions if NEUTRAL not in factions else ())
        return votes.most_common(1)[0][0] if votes else ""

    # --- lines ---

    def _take(self, line: ListLine) -> None:
        if line.heads is not None:
            self.section = line.heads or self.section
            self.draft.ledger.use(line.number, line.text)
        elif self.section == CARDS:
            self._name_card(line)
        elif len(self.draft.entries) <= MAX_ENTRIES:
            for piece in self._several(line):
                self._place(piece)

    def _name_card(self, line: ListLine) -> None:
        """A tactics card by its name, one per line; the rules set the number of copies (TMG-88)."""
        self._use(line)
        cards = self.draft.cards
        if line.joined and cards:
            cards[-1] += f" with {line.words}"
        elif is_name(line.words) and line.words not in cards:
            cards.append(line.words)

    def _several(self, line: ListLine) -> list[ListLine]:
        """The pieces that a line below a heading calls by short names; or the line itself."""
        kind = self.section
        names = re.split(r"\s*[,;&]\s*(?:and\s)?|\s(?:and|und|et|y|e|i)\s", line.words)
        match = self._find(line, kind)
        if len(names) < 2 or kind not in (UNIT, NCU) or line.has_price or (match and match.exact):
            return [line]
        pieces = [replace(line, words=name, is_named=True) for name in names]
        is_called = all(self._find(piece, kind) or self._guess(piece, kind) for piece in pieces)
        return pieces if is_called else [line]

    def _place(self, line: ListLine) -> None:
        draft = self.draft
        is_first = not (draft.entries or draft.homeless or self.section or self.is_titled or self.is_typed)
        if is_first and line.is_sized and not line.known:
            self.is_titled = True
            self._use(line)
            draft.name = draft.name or line.words
            draft.faction = draft.faction or _faction_in(line)
            self._take_size(line)
            return
        kind, match = self._meaning(line)
        self.row = self.row if line.listed else []
        if match and line.listed and line.cost == sum(card.fact.cost for card in (*self.row, match)):
            line = replace(line, cost=None)
        self.row += [match] if match else []
        self.last = kind
        if line.is_title and match is None:
            return
        if not kind or (match is None and not is_name(line.words)):
            self._remark_noise(line)
        elif kind != ATTACHMENT:
            self._open(line, kind, match)
        elif match and match.fact.joins_enemy and not self.is_typed:
            self._open(line, ENEMY, match)  # In a list, one that joins an enemy stands apart (TMG-10).
        else:
            self._attach(line, match)

    def _meaning(self, line: ListLine) -> tuple[str, Found | None]:
        """Which kind of piece a line names, and its card if the catalogue has it; no kind for noise."""
        if not self.is_typed and bare_faction(line):
            return "", None
        if self.section == ENEMY:
            return ENEMY, self._find(line, ATTACHMENT) or self._guess(line, ATTACHMENT)
        hangs = self._hangs(line)
        if hangs and (line.known or line.joined):
            match = self._find(line, ATTACHMENT)
            if line.joined and not (line.listed and match is None and line.known):
                return ATTACHMENT, match or self._guess(line, ATTACHMENT)
            if match and self._is_likely(line, match):
                return ATTACHMENT, match
        kinds = sorted((UNIT, NCU, ATTACHMENT), key=lambda kind: kind != self.section)
        cards = [(kind, match) for kind in kinds if (match := self._find(line, kind))]
        if cards:
            return min(cards, key=lambda card: self._doubts(line, card[1]))
        if hangs and ((match := self._guess(line, ATTACHMENT)) or line.cost is not None):
            return ATTACHMENT, match
        if line.marked or line.is_priced or line.is_named or self.is_typed:
            match = self._guess(line, *((self.section,) if self.section else (UNIT, NCU)))
            return match.fact.kind if match else self.section or UNIT, match
        is_plain = " " in line.words and not any(c.isdigit() for c in line.words)
        if is_plain and (match := self._guess(line, UNIT, NCU)):
            return match.fact.kind, match
        return "", None

    def _hangs(self, line: ListLine) -> bool:
        """Whether a line's form says that it belongs to the unit above it."""
        if line.joined or (line.listed and self.last == ATTACHMENT) or (line.pair and self.last == UNIT):
            return True
        if not self.draft.entries or line.listed:
            return False
        if line.marked:
            return line.indent >= self.indent + 2
        return self.section != NCU and (self.is_bulleted or line.indent > self.indent)

    def _find(self, line: ListLine, kind: str) -> Found | None:
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

    def _guess(self, line: ListLine, *kinds: str) -> Found | None:
        """The card of one of these kinds that a line nearly names, unless the list has asked too often.

        A short name is one only where the line's form says that it names a piece.
        """
        if not self.draft.may_compare():
            return None
        among, faction = {*kinds}, self.draft.faction
        is_sure = line.marked or line.is_priced or line.is_named or line.joined
        short = self.catalogue.short(line.words, kinds=among, faction=faction) if is_sure else None
        return short or self.catalogue.guess(*split_title(line.words), kinds=among, faction=faction)

    def _is_likely(self, line: ListLine, match: Found) -> bool:
        """Whether a card is the army's own or Neutral, or no such card has the name that the line says."""
        factions = self.catalogue.factions_of(*split_title(line.words))
        return not (self.draft.is_foreign(match.fact) and factions & {self.draft.faction, NEUTRAL})

    def _doubts(self, line: ListLine, match: Found) -> tuple[bool, ...]:
        """What speaks against a card, the weightiest first; a bullet under a heading goes by the heading.

        A card of another sub-title is not meant where one has the very sub-title; only NCUs are listed
        without theirs, and so their heading is believed. Below that of Combat Units stand attachments too.
        """
        card = match.fact
        leads_not = line.leads and not card.commander
        is_namesake = not match.exact and self.section != NCU
        last = card.cost != line.cost, card not in self.draft.leaders
        if self.section == NCU and line.marked:
            return (leads_not,)
        if self.section and line.marked:
            return leads_not, is_namesake, self.draft.is_foreign(card), card.kind == NCU, *last
        return leads_not, is_namesake, self.draft.is_foreign(card), *last

    # --- pieces ---

    def _use(self, line: ListLine) -> None:
        """Note that a line's words are used, all but those in brackets behind it."""
        self.draft.ledger.use(line.number, line.text, but=line.behind)

    def _open(self, line: ListLine, kind: str, match: Found | None) -> None:
        """Give a unit, an NCU or an enemy attachment its own entry, as often as the line counts it."""
        self._use(line)
        self._remark_on(line, kind, match)
        name, title, cost = _stated(line, match)
        fact = match.fact if match else None
        for _copy in range(line.count):
            leads = line.leads and not self.is_typed
            entry = RosterEntry(line.number, name, title, cost, kind, fact=fact, commander=leads)
            self.draft.entries.append(entry)
        self.indent = line.indent
        if kind == UNIT and line.cost is None:
            self.draft.unpriced.add(line.number)
            other = self._find(line, ATTACHMENT) if line.count == 1 else None
            if other and other.exact:
                attachment = Attachment(line.number, *_stated(line, other), other.fact)
                self.draft.twofold.append((self.draft.entries[-1], attachment, line.marked))

    def _attach(self, line: ListLine, match: Found | None) -> None:
        """Attach a card to the unit above."""
        self._use(line)
        self._remark_on(line, ATTACHMENT, match)
        name, title, cost = _stated(self._apart(line, match), match)
        room = MAX_ENTRIES - self.draft.attached
        if line.count > room:
            message = _("Line %(line)d: the list has too many attachments; the first were kept.")
            self.draft.remark(line.number, message)
        fact, leads = match.fact if match else None, line.leads and not self.is_typed
        for _copy in range(min(line.count, room)):
            self.draft.attach(Attachment(line.number, name, title, cost, fact, leads))

    def _apart(self, line: ListLine, match: Found | None) -> ListLine:
        """A known attachment's line with its own cost: one as dear as its unit is the price of both."""
        unit, cost = self.draft.above, line.cost or 0
        if unit is None or match is None or not match.fact.cost < cost >= unit.points > 0:
            return line
        own, usual = cost - unit.points, match.fact.cost * line.count
        if own not in (usual, usual - unit.figures.discounts):
            self.draft.remark(line.number, WHOLE_PRICE, cost=cost, unit=unit.full_name)
        return replace(line, cost=own)

    def _remark_on(self, line: ListLine, kind: str, match: Found | None) -> None:
        if line.is_negative:
            message = _("Line %(line)d: “%(name)s” has a cost below zero. The cost was ignored.")
            self.draft.remark(line.number, message, name=line.words)
        if match is None:
            self._remark_unknown(line, kind)
            return
        card = match.fact
        if card.commander and not match.alone:
            self.draft.doubts[line.number] = match.fitting
        if match.guessed:
            message = _("Line %(line)d: “%(name)s” is not in the catalogue; read as %(card)s.")
            self.draft.remark(line.number, message, name=line.words, card=card.full_name)
        elif not match.exact:
            message = _("Line %(line)d: “%(name)s” is not in the catalogue by that title; read as %(card)s.")
            self.draft.remark(line.number, message, name=line.words, card=card.full_name)
        elif not match.alone:
            self.draft.remark(line.number, MORE_THAN_ONE, name=line.words, card=card.full_name)
        self.draft.remark_foreign(line.number, card)

    def _remark_noise(self, line: ListLine) -> None:
        """Say that a line was not understood."""
        text = line.text if len(line.text) <= PIECE_GRAPHEMES else line.text[: PIECE_GRAPHEMES - 1] + "…"
        self.draft.ledger.use(line.number, text)
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
        """Leave out what is more than an army may have, and say so; `beyond`: also that the list went on."""
        if len(self.draft.entries) > MAX_ENTRIES:
            del self.draft.entries[MAX_ENTRIES:]
            self.draft.ledger.drop(self.draft.entries[-1].line)
            message = _("The list has too many units; those after line %(line)d were left out.")
            self.draft.remark(self.draft.entries[-1].line, message)
        if beyond:
            message = _("The list is too long. Nothing after line %(line)d was read.")
            self.draft.remark(MAX_LINES, message)


def _stated(line: ListLine, match: Found | None) -> tuple[str, str, int]:
    """Name, sub-title and cost of one: the catalogue's names, the list's own cost where it gives one."""
    if match:
        fact = match.fact
        is_usual = line.cost in (None, fact.cost * line.count) or (line.leads and fact.commander)
        return fact.name, fact.title, fact.cost if is_usual else line.cost or 0
    name, title = split_title(clean_name(line.words, PIECE_GRAPHEMES))
    return name, title, line.cost or 0


def read_pasted(raw: object, catalogue: Catalogue) -> Roster:
    """The roster in text from outside; `Unreadable` if it is not text or names no unit at all."""
    text = opened(clean_text(raw), catalogue)
    first, *others = parts_of(text)
    roster = read_roster(first, catalogue)
    if roster.entries:
        return replace(roster, warnings=(*_others_left(others), *roster.warnings))
    if any(looks_shared(line) for line in text.split("\n", 9)[:9]):
        raise Unreadable(say(_("This share code is damaged or cut off. Please copy all of it again.")))
    raise Unreadable(say(_("No unit was found in this text. Please paste the whole army list.")))


def opened(text: str, catalogue: Catalogue) -> str:
    """A builder's file as the lines that people paste; any other text as it is."""
    return text_of(text, catalogue, lambda words: section(words) is not None)


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Roster], ...]:
    """Every list in a text that passed validation: its own text, and its roster if that has a unit."""
    rosters = ((part, read_roster(part, catalogue)) for part in parts_of(opened(text, catalogue)))
    return tuple((part, roster) for part, roster in rosters if roster.entries)


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
    return Reader(catalogue, rows=rows).read(beyond)


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
    return Reader(catalogue, faction, commander, [(1, clean_note(raw))]).read_typed()


# --- the armies that come with the game ---


def demo_rosters() -> dict[str, str]:
    """The demo armies by slug, each named by its faction, for the list to choose from."""
    return {slug: FACTIONS[demo_roster(slug).faction] for slug in file_names(PACKAGE, "seeds/armies", ".txt")}


def demo_summary(slug: str) -> Line:
    """Commander and size of a demo army."""
    roster = demo_roster(slug)
    return say_count(
        "%(leader)s, %(points)s army points, %(count)s activation",
        "%(leader)s, %(points)s army points, %(count)s activations",
        roster.activations,
        leader=roster.commander,
        points=roster.points,
    )


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
