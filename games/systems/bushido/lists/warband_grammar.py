"""The grammar of a warband's list: what its lines mean together.

A list is never refused for what it says. What is unknown is kept as written, what is odd is remarked on by
line, what says nothing is kept as not used, and all of it can be edited afterwards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.core import PIECE_GRAPHEMES, Argument, Ledger, Line, Term, Unreadable, clean_name, clean_text, say
from games.core import gettext_noop as _
from games.systems.bushido.lists.warband_cards import (
    FACTIONS,
    MODEL,
    REFERENCE,
    RONIN,
    THEME,
    Catalogue,
    card_name,
    plain,
    vocabulary,
)
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_lines import (
    MAX_COUNT,
    MAX_LINES,
    NOTHING,
    Entry,
    Heading,
    Row,
    heading,
    is_other_game,
    joined,
    labelled,
    numbered,
    rows_in,
    summed,
)
from games.systems.bushido.rules import figures


@dataclass(frozen=True, slots=True)
class Model:
    """One profile card and how many models it stands for.

    `rice` is what the card costs with all its models; Ki, cap and wounds are as the card has them, such
    as "2", "X", "*" or "Special", and "" if nothing is known. `guessed` is the name as the list writes it,
    if the catalogue's was taken by likeness only.
    """

    name: str
    rice: int
    ki: str
    cap: str
    wounds: str
    count: int
    line: int = field(compare=False)
    guessed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Card:
    """A card other than a model; `bearer` is the model that carries it, "" if there is none."""

    name: str
    kind: str
    rice: int
    line: int = field(compare=False)
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class Warband:
    """A whole warband. Two are equal if they hold the same cards, wherever their lines stood.

    `total` is the rice that the list states, `limit` the size it was built for; None if it does not say.
    `warnings` are sentences for the player by the number of their line (0 for the whole), `name` is what the
    list calls itself, `unused` says which of its words stand nowhere.
    """

    faction: str
    theme: str
    limit: int | None
    total: int | None
    models: tuple[Model, ...]
    held: tuple[Card, ...] = ()
    warnings: tuple[tuple[int, Line], ...] = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    unused: tuple[Line, ...] = field(default=(), compare=False)

    @property
    def rice(self) -> int:
        """The rice that all its cards add up to."""
        return sum(model.rice for model in self.models) + sum(card.rice for card in self.held)

    @property
    def size(self) -> int:
        """How many models it fields."""
        return sum(model.count for model in self.models)


EXAMPLE = """++ Risen Sun (Prefecture of Ryu) [33 Rice] ++

+ Faction Profile Cards +
Hiromasa [16 Rice]
Kizoko [17 Rice]
"""
MAX_CARDS = 200
MAX_MODELS = 200
MAX_PARTS = 20
_QUOTED = 80
_CARRIED = re.compile(r" (w/|with |w |mit |\+ )| ?([带配])", re.IGNORECASE)
"""What stands between a model and what it carries, before its rice; only `w/` is certain to be in no name."""
_MORE = re.compile(r" (?:w/|\+ )", re.IGNORECASE)


class Reader:
    """Reads one list: its rows into blocks, cards with those below them, and these into a warband."""

    def __init__(self, catalogue: Catalogue, rows: list[tuple[int, str]]) -> None:
        self.catalogue = catalogue
        self.rows = rows
        self.ledger = Ledger(rows)
        self.stated: Heading = {}
        self.line_of: dict[str, int] = {}
        self.blocks: list[Entry] = []
        self.count = 0
        self.models: list[Model] = []
        self.held: list[Card] = []
        self.remarks: list[tuple[int, Line]] = []
        self.section = ""
        self.is_framed = False
        self.last = Row(0, "")

    def read(self) -> Warband:
        """The warband of these rows."""
        for row in rows_in(self.rows):
            self._place(row)
        blocks = [block for block in self.blocks if block.section in ("", MODEL)]
        entries = [entry for block in blocks for entry in (block, *block.below)]
        likely = self.catalogue.likely_faction(entry.words for entry in entries)
        self.faction = self.stated.get("faction", likely)
        for entry in entries:
            entry.found = self.catalogue.find(entry.words, self.faction, entry.rice)
        # Builders differ in whether a sum counts what stands below it.
        is_inclusive = sum(block.rice or 0 for block in self.blocks) == self.stated.get("total")
        for block in self.blocks:
            if block.section in ("", MODEL):
                self._take_models(block, is_inclusive)
            else:
                self._take_card(block, block.section)
        self._check()
        return Warband(
            self.faction,
            self.stated.get("theme", ""),
            self.stated.get("limit"),
            self.stated.get("total"),
            tuple(self.models),
            tuple(self.held),
            tuple(sorted(self.remarks, key=lambda remark: remark[0])),
            self.stated.get("name", ""),
            self.ledger.unused(vocabulary("needless")),
        )

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

    # --- rows into blocks -------------------------------------------------------------------------

    def _place(self, row: Row) -> None:
        stated = self._heading(row)
        section, text = self._labelled(row, stated)
        if stated is not None and text == row.text:
            self._state(row, stated)
            if "section" in stated:
                self.section, self.is_framed = stated["section"], bool(row.frame)
            return
        first, behind = row.card(text)
        if section is not None:
            self.section, self.is_framed = section, False
        elif not self.is_framed and self.section != MODEL and self.catalogue.knows(first.words):
            # By hand, what a model carries may stand below a heading of its own, before the next model.
            self.section = ""
        if self.section == NOTHING or not any(map(str.isalnum, first.words)):
            return
        others = [entry for entry in joined(row.number, behind) if not self._is_sum(entry)]
        entries = self._fitting([part for entry in (first, *others) for part in self._parted(entry)])
        if entries and self._is_below(row, entries[0]):
            self.blocks[-1].below += entries
        elif entries:
            first, *first.below = entries
            self.blocks.append(first)
            self.last = row

    def _heading(self, row: Row) -> Heading | None:
        """What a line states as a heading; a title is one only above the cards, if it is no card's name."""
        stated = heading(row)
        if stated is None or (title := stated.pop("title", None)) is None:
            return stated
        is_card = self.blocks or self.catalogue.find(title, stated.get("faction", ""))
        return None if is_card else {"name": title, **stated}

    def _labelled(self, row: Row, stated: Heading | None) -> tuple[str | None, str]:
        """The section that a line names before its first card, and the line without that label.

        A chat's sender, or `My list:`, names none. A list may be called like a model, but not before further
        cards.
        """
        section, text = labelled(row) if stated is None else (None, row.text)
        if section is not None:
            self.ledger.use(row.number, row.text.partition(":")[0])
            return section, text
        first, behind = row.card(row.text)
        label, colon, name = first.words.rpartition(":")
        knows, is_name = self.catalogue.knows, stated is None or (stated.get("name") and behind)
        is_label = colon and first.rice is not None and is_name and knows(name) and not knows(first.words)
        return None, row.text.partition(f"{label}:")[2].strip() if is_label else row.text

    def _state(self, row: Row, stated: Heading) -> None:
        """Keep what a heading says: of names the first, of sums the last."""
        late = []
        for name, value in stated.items():
            if name not in self.stated or (value and name in ("total", "limit")):
                self.stated[name], self.line_of[name] = value, row.number
            if name == "player" or (name in ("faction", "theme", "name") and value != self.stated[name]):
                late.append(value)
        self.ledger.use(row.number, row.text, but=" ".join(late))

    def _is_sum(self, entry: Entry) -> bool:
        """Whether a part of a line is the sum of the cards before it, which is kept."""
        stated = summed(entry.text)
        if stated is not None:
            self._state(Row(entry.line, entry.text), stated)
        return stated is not None

    def _parted(self, entry: Entry) -> list[Entry]:
        """A card as it is, or in its parts if its name holds several models, or what its model carries."""
        knows = self.catalogue.knows
        if self.section not in ("", MODEL) or knows(entry.words):
            return [entry]
        names = [name.strip() for name in entry.words.replace("、", ",").split(",")]
        if all(map(knows, names)) and not entry.is_plain:
            models = [Entry(entry.line, name, name) for name in names]
            models[-1].rice = None if entry.rice == sum(map(self._rice, names)) else entry.rice
            return models
        match = _CARRIED.search(entry.words)
        bearer = entry.words[: match.start()] if match else ""
        if not match or not bearer or not (knows(bearer) or (match[1] or "").casefold() == "w/"):
            return [entry]
        gear = list(joined(entry.line, _MORE.sub(", ", entry.words[match.end() :])))
        entry.words = bearer
        if knows(bearer) and entry.rice is not None and gear and entry.count == 1:
            # Rice is that of both, or, where it is too little, of what the model carries.
            more = entry.rice - self._rice(bearer)
            gear[0].rice = (more or None) if more >= 0 else entry.rice
            entry.rice = self._rice(bearer) if more >= 0 else None
        return [entry, *gear]

    def _rice(self, name: str) -> int:
        match = self.catalogue.find(name, self.stated.get("faction", ""))
        return match.profile.rice if match else 0

    def _fitting(self, entries: list[Entry]) -> list[Entry]:
        """As many of these cards as any table could want; they are of the section of their line."""
        left = max(MAX_CARDS - self.count, 0)
        if self.count <= MAX_CARDS < self.count + len(entries):
            message = _("Line %(line)d: a warband of more than %(most)d cards; the rest was left out.")
            self.remark(entries[0].line, message, most=MAX_CARDS)
            self.ledger.drop(entries[0].line)
        self.count += len(entries)
        for entry in entries:
            entry.section = self.section
        return entries[:left]

    def _is_below(self, row: Row, entry: Entry) -> bool:
        """Whether a line's form says that it belongs to the card above."""
        above = self.blocks[-1] if self.blocks else None
        if above is None or above.section != self.section or self.section not in ("", MODEL):
            return False
        if not (above.section or above.is_card or self.catalogue.knows(above.words)):
            return False
        is_marked = row.is_marked and not self.last.is_marked and not entry.is_plain
        return row.is_below or row.indent >= self.last.indent + 2 or is_marked

    # --- models -----------------------------------------------------------------------------------

    def _take_models(self, block: Entry, is_inclusive: bool) -> None:
        """Take a card's model, or those that the catalogue lists below its name, and what they carry."""
        parts = [entry for entry in block.below if entry.is_model and not _is_other_form(entry, block)]
        prices = [entry.rice or 0 for entry in block.below if entry.rice is not None]
        # An unknown card that does not cost what is below it stands beside that.
        is_beside = parts and block.found is None and block.rice not in (None, sum(prices))
        is_beside = is_beside and len(prices) == len(block.below)
        name = block.found.profile.name if block.found and not block.found.guessed else ""
        if parts and not is_beside and block.figures is None and plain(name) != plain(block.words):
            others, bearer = [entry for entry in block.below if entry not in parts], parts[0]
            if block.found:
                self._use(block)
            for entry, rice in zip(parts, _shared_rice(block, parts, others), strict=True):
                self._take_model(entry, rice)
        elif block.found or block.section or block.is_card or is_beside:
            crew = [entry for entry in block.below if _is_of_the_card(entry, block)]
            others, bearer = [entry for entry in block.below if entry not in crew], block
            for entry in crew:
                self._use(entry)
            count = sum(entry.count for entry in crew)
            self._take_model(block, self._own_rice(block, others, is_inclusive), count)
            if block.count > 1 and not crew and block.figures is None and block.is_model:
                message = _("Line %(line)d: %(count)d times %(name)s; a warband has one copy of each card.")
                self.remark(block.line, message, name=name or block.words, count=block.count)
        else:
            self.ledger.use(block.line, _shortened(block.text))
            message = _("Line %(line)d was not understood: “%(text)s”.")
            self.remark(block.line, message, text=_shortened(block.text))
            return
        carrier = bearer.found.profile.name if bearer.found else _shortened(bearer.words)
        for entry in others:
            if _is_other_form(entry, block):
                self._take_card(entry, REFERENCE, carrier)
            elif entry.is_model:
                # What stands beside a card without a cost may have none stated either.
                is_priced = entry.rice is not None or block.rice is not None
                self._take_model(entry, (entry.rice or 0) if is_priced else entry.own_rice)
            else:
                self._take_card(entry, "equipment", carrier)

    def _own_rice(self, block: Entry, below: list[Entry], is_inclusive: bool) -> int:
        """A card's cost without the lines below it."""
        usual = block.own_rice * (block.count if block.figures is None else 1)
        if block.rice is None or block.rice in (usual, block.own_rice):
            return usual
        less = block.rice - sum(entry.rice or 0 for entry in below)
        if block.found is None or block.found.guessed:
            return less if is_inclusive and less >= 0 else block.rice
        if usual == less:
            return usual
        message = _(
            "Line %(line)d: %(name)s costs %(known)d rice in the catalogue, and %(stated)d in this list."
        )
        self.remark(block.line, message, name=block.found.profile.name, known=usual, stated=block.rice)
        return block.rice

    def _take_model(self, entry: Entry, rice: int, count: int = 0) -> None:
        """Take the model that a card means: with the list's own figures, else the catalogue's."""
        self._use(entry)
        ki, cap, wounds = self._figures(entry)
        count = count or entry.count
        if entry.found is None:
            if not (ki or cap or wounds):
                message = _("Line %(line)d: “%(name)s” is not in the catalogue. Check its numbers.")
                self.remark(entry.line, message, name=_shortened(entry.words))
            self.models.append(Model(self._name(entry), rice, ki, cap, wounds, count, entry.line))
            return
        card, guessed = entry.found.profile, entry.words if entry.found.guessed else ""
        if guessed:
            message = _("Line %(line)d: “%(name)s” is not in the catalogue; read as %(card)s.")
            self.remark(entry.line, message, name=_shortened(guessed), card=card.name)
        if self.faction in FACTIONS and card.faction not in (self.faction, RONIN):
            message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
            self.remark(entry.line, message, card=card.name, faction=Term(card.faction))
        if not (ki or cap):
            ki, cap = card.ki, card.cap
        elif entry.figures and entry.figures[0].endswith("/?"):
            cap = card.cap
        self.models.append(Model(card.name, rice, ki, cap, wounds or card.wounds, count, entry.line, guessed))

    def _figures(self, entry: Entry) -> tuple[str, str, str]:
        """Ki, cap and wounds as the plain form states them; "" for what is missing or unreadable."""
        stated_ki, stated_wounds = entry.figures or ("", "")
        (ki, cap), wounds = figures.split_ki(stated_ki), figures.wounds(stated_wounds)
        if ki is None or cap is None:
            message = _("Line %(line)d: “%(text)s” is not a Ki value such as 2/6. It was ignored.")
            self.remark(entry.line, message, text=_shortened(stated_ki))
            ki = cap = ""
        if wounds is None:
            message = _("Line %(line)d: “%(text)s” is not a wounds value. It was ignored.")
            self.remark(entry.line, message, text=_shortened(stated_wounds))
        return ki, cap, wounds or ""

    # --- other cards ------------------------------------------------------------------------------

    def _take_card(self, entry: Entry, kind: str, bearer: str = "") -> None:
        """Take a card other than a model; a theme is one only if it costs rice, or is not the first."""
        self._use(entry)
        name, rice = self._name(entry), entry.rice or 0
        if kind == THEME:
            kind = "card"
            if plain(self.stated.get("theme", name)) != plain(name):
                message = _("Line %(line)d: “%(name)s” is a second theme; a warband has one.")
                self.remark(entry.line, message, name=name)
            else:
                self.stated["theme"] = name
                if not rice:
                    return
        self.held.append(Card(name, kind, rice, entry.line, bearer))
        for part in entry.below:
            self._take_card(part, kind, bearer)

    def _use(self, entry: Entry) -> None:
        """Note that a card's words are used, and say which of its numbers could not be taken."""
        self.ledger.use(entry.line, entry.text if entry.is_plain else entry.words)
        messages = {
            "negative": _("Line %(line)d: “%(name)s” has a cost below zero. The cost was ignored."),
            "rice": _("Line %(line)d: “%(name)s” has an impossible cost. The cost was ignored."),
            "count": _("Line %(line)d: too many models for “%(name)s”; 1 to %(most)d are allowed."),
        }
        if entry.odd in messages:
            self.remark(entry.line, messages[entry.odd], name=_shortened(entry.words), most=MAX_COUNT)

    def _name(self, entry: Entry) -> str:
        """A card's words as its name, cut if they are too long for one."""
        try:
            return clean_name(entry.words, PIECE_GRAPHEMES)
        except Unreadable:
            message = _("Line %(line)d: “%(name)s” is too long for a name and was cut.")
            self.remark(entry.line, message, name=_shortened(entry.words))
        return _shortened("".join(c for c in entry.words if c.isalnum() or c == " "))

    # --- the whole --------------------------------------------------------------------------------

    def _check(self) -> None:
        game, total, limit = (self.stated.get(name) for name in ("game", "total", "limit"))
        if game and is_other_game(game):
            message = _("Line %(line)d: this is a list of another game: %(game)s.")
            self.remark(self.line_of["game"], message, game=game[:_QUOTED])
        if self.faction == RONIN:
            message = _("Line %(line)d: Ronin are hired; a warband has a faction of its own.")
            self.remark(self.line_of["faction"], message)
        elif self.faction not in ("", *FACTIONS):
            message = _("Line %(line)d: there is no faction “%(name)s”.")
            self.remark(self.line_of["faction"], message, name=self.faction)
        self._check_copies()
        self._check_size()
        rice = sum(model.rice for model in self.models) + sum(card.rice for card in self.held)
        if total not in (None, rice):
            message = _("Line %(line)d: the list states %(total)d rice, but its cards add up to %(sum)d.")
            self.remark(self.line_of["total"], message, total=total, sum=rice)
        if limit and max(rice, total or 0) > limit:
            message = _("Line %(line)d: the list costs %(rice)d rice and was built for %(limit)d.")
            self.remark(self.line_of["limit"], message, rice=max(rice, total or 0), limit=limit)

    def _check_copies(self) -> None:
        """A warband has one copy of each card, models and others alike."""
        first: dict[str, int] = {}
        pieces: list[Model | Card] = [*self.models]
        for piece in pieces + [card for card in self.held if card.kind != REFERENCE]:
            seen = first.setdefault(plain(piece.name), piece.line)
            if seen != piece.line:
                message = _("Line %(line)d: %(name)s is already in this warband (line %(first)d).")
                self.remark(piece.line, message, name=piece.name, first=seen)

    def _check_size(self) -> None:
        """No table holds more than `MAX_MODELS` models; the counts of the last ones are cut."""
        if sum(model.count for model in self.models) <= MAX_MODELS:
            return
        message = _("Line %(line)d: this warband has more than %(most)d models; some were left out.")
        self.remark(self.models[-1].line, message, most=MAX_MODELS)
        spare = MAX_MODELS - len(self.models)
        for at, model in enumerate(self.models):
            extra = min(model.count - 1, spare)
            self.models[at] = replace(model, count=1 + extra)
            spare -= extra


def _is_other_form(entry: Entry, block: Entry) -> bool:
    """Whether a card below another is only its other face: the same model in another form."""
    if entry.found is None or block.found is None or " - " not in entry.found.profile.name:
        return False
    return plain(card_name(entry.found.profile.name)) == plain(card_name(block.found.profile.name))


def _is_of_the_card(entry: Entry, block: Entry) -> bool:
    """Whether a line below a card names a model of that card: its name again, or with a letter."""
    own, card = plain(entry.words), plain(block.words)
    return not entry.is_plain and entry.rice is None and own.startswith(card) and len(own) <= len(card) + 1


def _shared_rice(block: Entry, parts: list[Entry], gear: list[Entry]) -> list[int]:
    """What each model of a card costs. A cost that only the card states goes to the first.

    If it is the catalogue's, with or without the gear, each model has its own.
    """
    prices = [entry.own_rice if entry.rice is None else entry.rice for entry in parts]
    carried = sum(entry.rice or 0 for entry in gear)
    is_of_each = any(entry.rice is not None for entry in parts) or sum(prices) + carried == block.rice
    if block.rice is None or is_of_each or sum(prices) == block.rice:
        return prices
    return [block.rice, *(0 for _part in parts[1:])]


def _shortened(words: str) -> str:
    """Words cut to a length that a sentence can quote and a card can have as its name."""
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1].rstrip() + "…"


OVER = _("%(rice)s rice, in a match of %(limit)s.")


def over(rice: int, limit: int) -> tuple[tuple[int, Line], ...]:
    """A remark on too much rice for this match; rice only warns."""
    return ((0, say(OVER, rice=rice, limit=limit)),) if rice > limit else ()


# --- texts ----------------------------------------------------------------------------------------


def read(text: str, catalogue: Catalogue) -> Warband:
    """The warband in text from outside; `Unreadable` if it is not text or names no model at all."""
    first, *others = parts_of(text_of(clean_text(text)))
    warband = _read_part(first, catalogue)
    if not warband.models:
        raise Unreadable(say(_("No model was found in this text. Please paste the whole warband.")))
    if not others:
        return warband
    line = say(_("This text holds %(number)d lists; the first was read."), number=len(others) + 1)
    return replace(warband, warnings=((0, line), *warband.warnings))


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Warband], ...]:
    """Every list in a text that passed validation: its own text, and its warband if that has a model."""
    warbands = ((part, _read_part(part, catalogue)) for part in parts_of(text_of(clean_text(text))))
    return tuple((part, warband) for part, warband in warbands if warband.models)


def _read_part(text: str, catalogue: Catalogue) -> Warband:
    rows, is_longer = numbered(text, catalogue)
    reader = Reader(catalogue, rows)
    if is_longer:
        message = _("The list is too long. Nothing after line %(line)d was read.")
        reader.remark(MAX_LINES, message)
    return reader.read()


def parts_of(text: str) -> list[str]:
    """The lines of a text; the text itself if it holds only one.

    A new list begins where a faction is named again after a list's models, and includes the headings
    right before it.
    """
    rows, _is_longer = numbered(text)
    starts: list[int] = []
    has_models, pending = True, None
    for row in rows_in(rows):
        stated = heading(row)
        if stated is None or "title" in stated:
            has_models, pending = True, None
            continue
        # A sum alone stands at the end of a list.
        if pending is None and not stated.get("section") and ("total" not in stated or "name" in stated):
            pending = row.number - 1
        if "faction" in stated and has_models:
            starts.append(row.number - 1 if pending is None else pending)
            has_models = False
        if stated.get("section") == MODEL:
            pending = None
    if len(starts) < 2:
        return [text]
    lines = text.split("\n")
    edges = [0, *starts[1:MAX_PARTS], len(lines)]
    return ["\n".join(lines[start:end]).strip("\n") for start, end in pairwise(edges)]
