"""The grammar of a warband's list: what each of its lines means, and back to text.

A list is never refused for what it says. What is unknown is kept as written, what is odd is remarked on by
line, what says nothing is kept as not used, and all of it can be edited afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.core import PIECE_GRAPHEMES, Argument, Line, Term, Unreadable, clean_name, clean_text, say
from games.core import gettext_noop as _
from games.core.army_lists import Ledger
from games.systems.bushido.lists.warband_cards import (
    FACTIONS,
    MODEL,
    REFERENCE,
    RONIN,
    THEME,
    Catalogue,
    Found,
    card_name,
    plain,
)
from games.systems.bushido.lists.warband_lines import (
    MAX_COUNT,
    MAX_LINES,
    NOTHING,
    Heading,
    WarbandLine,
    carried,
    heading,
    is_other_game,
    is_player,
    labelled,
    lines_in,
    lines_of,
    rows_of,
    summed,
    title,
)
from games.systems.bushido.lists.warband_tables import flattened, text_of
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
    def cards(self) -> tuple[str, ...]:
        """The names of the cards other than models."""
        return tuple(card.name for card in self.held)

    @property
    def rice(self) -> int:
        """The rice that all its cards add up to."""
        return sum(model.rice for model in self.models) + sum(card.rice for card in self.held)

    @property
    def size(self) -> int:
        """How many models it fields."""
        return sum(model.count for model in self.models)


MAX_CARDS = 200
NEEDLESS = {"rice", "reis", "pts", "points", "point", "pkt", "punkte", "with", "mit", "and", "und", "w"}
"""Words of a list's form: that they are not used says nothing."""


@dataclass
class Block:
    """A line with those below it, its section, and the model that matches it."""

    line: WarbandLine
    section: str
    found: Found | None = None
    below: list[Block] = field(default_factory=list)

    @property
    def rice(self) -> int:
        """The rice that the list states for it, without the lines below."""
        return self.line.rice or 0

    @property
    def has_form_of_card(self) -> bool:
        """Whether a line that the catalogue does not know is written as cards are."""
        line = self.line
        is_priced = line.rice is not None and not line.is_loose
        return bool(self.section or line.is_plain or is_priced or line.odd or line.marked)

    @property
    def is_model(self) -> bool:
        """Whether the catalogue or the plain form says that it is a model."""
        return self.line.figures is not None or (self.found is not None and not self.found.guessed)


@dataclass
class Draft:
    """A warband in the making."""

    faction: str = ""
    theme: str = ""
    name: str = ""
    game: str = ""
    limit: int | None = None
    total: int | None = None
    total_line: int = 0
    limit_line: int = 0
    faction_line: int = 0
    game_line: int = 0
    blocks: list[Block] = field(default_factory=list)
    models: list[Model] = field(default_factory=list)
    held: list[Card] = field(default_factory=list)
    remarks: list[tuple[int, Line]] = field(default_factory=list)
    ledger: Ledger = field(default_factory=lambda: Ledger(()))

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

    def take_heading(self, line: WarbandLine, stated: Heading) -> None:
        """Keep what a line says as a heading: all its words but who plays, and names that come too late."""
        self.take(line.number, stated)
        late = [stated.name] * (stated.name != self.name) + [stated.theme] * (stated.theme != self.theme)
        late += [stated.faction] * (stated.faction not in ("", self.faction))
        parts = (line.head or line.text).split("|")
        late += [part for part in parts if is_player(part)]
        self.ledger.use(line.number, line.head or line.text, but=" ".join(late))

    def take(self, number: int, stated: Heading) -> None:
        """Keep what a heading says; of two names the first is believed, of two sums the last."""
        if stated.faction and not self.faction:
            self.faction, self.faction_line = stated.faction, number
        if stated.game and not self.game:
            self.game, self.game_line = stated.game, number
        if stated.total is not None and (self.total is None or stated.total):
            self.total, self.total_line = stated.total, number
        if stated.limit:
            self.limit, self.limit_line = stated.limit, number
        self.theme = self.theme or stated.theme
        self.name = self.name or stated.name


class Reader:
    """Reads one list into a draft."""

    def __init__(self, catalogue: Catalogue, rows: Iterable[tuple[int, str]] = ()) -> None:
        self.catalogue = catalogue
        self.draft = Draft(ledger=Ledger(rows))
        self.section = ""
        self.is_framed = False
        self.is_marked = False
        self.indent = 0

    def read(self, lines: Iterable[WarbandLine], beyond: bool) -> Draft:
        """The draft of these lines; `beyond` says whether the list went on."""
        for line in lines:
            self._place(line)
        self._cut()
        self._find_all()
        if beyond:
            message = _("The list goes on after line %(line)d; what follows was not read.")
            self.draft.remark(MAX_LINES, message)
        return self.draft

    # --- lines into blocks ------------------------------------------------------------------------

    def _place(self, line: WarbandLine) -> None:
        line = self._unlabelled(line)
        stated = heading(line) or self._title(line)
        if stated is not None:
            self.draft.take_heading(line, stated)
            if stated.section is not None:
                self.section, self.is_framed = stated.section, bool(line.head)
            return
        line = self._in_section(line)
        if self.section == NOTHING or not any(c.isalnum() for c in line.words):
            return
        if self._is_below(line):
            self.draft.blocks[-1].below += self._blocks(line)
            return
        block, *block.below = self._blocks(self._with_gear(self._apart(line)))
        self.draft.blocks.append(block)
        self.is_marked, self.indent = line.marked, line.indent

    def _in_section(self, line: WarbandLine) -> WarbandLine:
        """A line without the label of the section that it begins, if it begins one."""
        if named := labelled(line):
            self.draft.ledger.use(line.number, line.words.partition(":")[0])
            (self.section, line), self.is_framed = named, False
        elif not self.is_framed and self.catalogue.knows(line.words):
            # By hand, what a model carries may stand below a heading of its own, before the next model.
            self.section = self.section if self.section == MODEL else ""
        return line

    def _blocks(self, line: WarbandLine) -> list[Block]:
        """The card that a line names, and those behind it; the draft keeps a sum among them."""
        behind = (card for option in line.options for card in self._parts(option))
        return [
            Block(card, self.section) for card in (line, *behind) if card is line or not self._is_sum(card)
        ]

    def _unlabelled(self, line: WarbandLine) -> WarbandLine:
        """A line without what stands before its first model and says nothing: a chat's sender, `My list:`.

        A list may be called like a model, but not before further cards.
        """
        label, colon, card = line.words.rpartition(":")
        is_one = not colon or line.rice is None or self.catalogue.knows(line.words)
        if is_one or not self.catalogue.knows(card):
            return line
        stated = heading(line)
        is_name = stated is not None and stated.name and line.options
        if labelled(line) or (stated and not is_name):
            return line
        return replace(line, text=line.text.partition(f"{label}:")[2].strip(), words=card.strip())

    def _apart(self, line: WarbandLine) -> WarbandLine:
        """A line as it is, or, if all names between its commas are models, the first with those behind it.

        Rice is that of all of them, or of the last.
        """
        names = line.words.replace("、", ",").split(",")
        is_one = line.is_plain or self.section not in ("", MODEL) or self.catalogue.knows(line.words)
        if is_one or not all(map(self.catalogue.knows, names)):
            return line
        first, *others = (WarbandLine(line.number, name.strip(), name.strip()) for name in names)
        found = [self.catalogue.find(name, self.draft.faction) for name in names]
        if line.rice != sum(one.profile.rice for one in found if one):
            others[-1] = replace(others[-1], rice=line.rice)
        return replace(line, words=first.words, rice=None, options=(*others, *line.options))

    def _with_gear(self, line: WarbandLine) -> WarbandLine:
        """A line as it is, or in its parts if its name holds what its model carries."""
        may_carry = self.section in ("", MODEL) and not self.catalogue.knows(line.words)
        found = carried(line) if may_carry else None
        if found is None:
            return line
        parted, is_sure = found
        if self.catalogue.knows(parted.words):
            return self._priced(parted)
        return parted if is_sure else line

    def _priced(self, line: WarbandLine) -> WarbandLine:
        """The rice behind what a known model carries: of both, or, where it is too little, of the latter."""
        card = self.catalogue.find(line.words, self.draft.faction)
        if card is None or line.rice is None or not line.options or line.count > 1:
            return line
        gear, *others = line.options
        more = line.rice - card.profile.rice
        if more and gear.rice is None:
            gear = replace(gear, rice=more if more > 0 else line.rice)
        return replace(line, rice=line.rice - more if more >= 0 else None, options=(gear, *others))

    def _parts(self, option: WarbandLine) -> tuple[WarbandLine, ...]:
        """A card behind another, and what it carries in its turn."""
        parted = self._with_gear(option)
        return (parted,) if parted is option else (parted, *parted.options)

    def _is_sum(self, line: WarbandLine) -> bool:
        """Whether a part of a line is the sum of the cards before it, which the draft keeps."""
        stated = summed(line)
        if stated is not None:
            self.draft.take_heading(line, stated)
        return stated is not None

    def _title(self, line: WarbandLine) -> Heading | None:
        stated = None if self.draft.blocks else title(line)
        if stated is None or self.catalogue.find(stated.name, stated.faction) is not None:
            return None
        return stated

    def _is_below(self, line: WarbandLine) -> bool:
        """Whether a line's form says that it belongs to the one above."""
        last = self.draft.blocks[-1] if self.draft.blocks else None
        if last is None or last.section != self.section or self.section not in ("", MODEL):
            return False
        if not last.has_form_of_card and not self.catalogue.knows(last.line.words):
            return False
        if line.below or line.indent >= self.indent + 2:
            return True
        return line.marked and not self.is_marked and not line.is_plain

    # --- names ------------------------------------------------------------------------------------

    def _find_all(self) -> None:
        draft = self.draft
        blocks = [block for block in draft.blocks if block.section in ("", MODEL)]
        every = [one for block in blocks for one in (block, *block.below)]
        draft.faction = draft.faction or self.catalogue.likely_faction(one.line.words for one in every)
        for block in blocks:
            block.found = self._find(block)
            for one in block.below:
                one.found = self._find(one)

    def _find(self, block: Block) -> Found | None:
        return self.catalogue.find(block.line.words, self.draft.faction, block.line.rice)

    def _cut(self) -> None:
        """Keep as many cards as any table could want; the last lines are cut first."""
        left = MAX_CARDS
        for at, block in enumerate(self.draft.blocks):
            left -= 1
            if len(block.below) > left:
                message = _("Line %(line)d: a warband of more than %(most)d cards; the rest was left out.")
                self.draft.remark(block.line.number, message, most=MAX_CARDS)
                self.draft.ledger.drop(block.line.number)
                del block.below[max(left, 0) :]
                del self.draft.blocks[at + (left >= 0) :]
                return
            left -= len(block.below)


_QUOTED = 80


def lay_out(draft: Draft) -> None:
    """Turn every block of a draft into models and cards."""
    is_inclusive = _counts_what_is_below(draft)
    for block in draft.blocks:
        if block.section == THEME:
            _take_theme(draft, block)
        elif block.section not in ("", MODEL):
            _take_card(draft, block, block.section)
        elif _is_unit(block):
            _take_unit(draft, block)
        elif block.found is None and not block.has_form_of_card and not _is_beside(block):
            _remark_noise(draft, block.line)
        else:
            _take_model(draft, block, is_inclusive)


def _counts_what_is_below(draft: Draft) -> bool:
    """Whether this list's sums include the lines below them: then they alone make up its total."""
    return sum(block.rice for block in draft.blocks) == draft.total


def _is_unit(block: Block) -> bool:
    """Whether a card only names the models below it, which the catalogue lists one by one."""
    parts = [one for one in block.below if one.is_model and not _is_other_form(one, block)]
    if block.line.figures is not None or not parts or _is_beside(block):
        return False
    return (
        block.found is None
        or block.found.guessed
        or plain(block.found.profile.name) != plain(block.line.words)
    )


def _is_beside(block: Block) -> bool:
    """Whether an unknown card stands beside models and does not name them: their costs are not its own."""
    is_known = block.found is not None or block.line.rice is None
    if is_known or not any(one.is_model for one in block.below):
        return False
    prices = [one.line.rice for one in block.below]
    return None not in prices and sum(one.rice for one in block.below) != block.rice


def _is_other_form(one: Block, block: Block) -> bool:
    """Whether a card below another is only its other face: the same model in another form."""
    if one.found is None or block.found is None or " - " not in one.found.profile.name:
        return False
    return plain(card_name(one.found.profile.name)) == plain(card_name(block.found.profile.name))


# --- models ---------------------------------------------------------------------------------------


def _take_unit(draft: Draft, block: Block) -> None:
    """Take the models below a card's name; the first one carries whatever is not a model."""
    parts = [one for one in block.below if one.is_model]
    gear = [one for one in block.below if not one.is_model]
    if block.found:
        _use(draft, block.line)
    for one, rice in zip(parts, _shared_rice(block, parts, gear), strict=True):
        draft.models.append(_model(draft, one, rice))
    for one in gear:
        _take_borne(draft, one, parts[0])


def _shared_rice(block: Block, parts: list[Block], gear: list[Block]) -> list[int]:
    """What each model of a card costs. A cost that only the card states goes to the first.

    If it is the catalogue's, with or without the gear, each model has its own.
    """
    known = [_known_rice(one) for one in parts]
    if block.line.rice is None or any(one.line.rice is not None for one in parts):
        return [each if one.line.rice is None else one.rice for one, each in zip(parts, known, strict=True)]
    if sum(known) in (block.rice, block.rice - sum(one.rice for one in gear)):
        return known
    return [block.rice, *(0 for _part in parts[1:])]


def _take_model(draft: Draft, block: Block, is_inclusive: bool) -> None:
    crew = [one for one in block.below if _is_of_the_card(one, block)]
    for one in crew:
        _use(draft, one.line)
    others = [one for one in block.below if one not in crew]
    count = sum(one.line.count for one in crew)
    model = _model(draft, block, _own_rice(draft, block, others, is_inclusive), count)
    draft.models.append(model)
    if block.line.count > 1 and not crew and block.line.figures is None and block.is_model:
        message = _("Line %(line)d: %(count)d times %(name)s; a warband has one copy of each card.")
        draft.remark(block.line.number, message, name=model.name, count=block.line.count)
    for one in others:
        if _is_other_form(one, block):
            _take_card(draft, one, REFERENCE, model.name)
        elif one.is_model:
            # What stands beside a card without a cost may have none stated either.
            is_priced = one.line.rice is not None or block.line.rice is not None
            draft.models.append(_model(draft, one, one.rice if is_priced else _known_rice(one)))
        else:
            _take_borne(draft, one, block)


def _is_of_the_card(one: Block, block: Block) -> bool:
    """Whether a line below a card names a model of that card: its name again, or with a letter."""
    if one.line.is_plain or one.line.rice is not None:
        return False
    own, card = plain(one.line.words), plain(block.line.words)
    return own.startswith(card) and len(own) <= len(card) + 1


def _own_rice(draft: Draft, block: Block, below: list[Block], is_inclusive: bool) -> int:
    """A card's cost without the lines below it; builders differ in what they print."""
    each = _known_rice(block)
    known = each * (block.line.count if block.line.figures is None else 1)
    if block.line.rice is None or block.rice in (known, each):
        return known
    less = block.rice - sum(one.rice for one in below)
    if block.found is None or block.found.guessed:
        return less if is_inclusive and less >= 0 else block.rice
    if known == less:
        return known
    message = _("Line %(line)d: %(name)s costs %(known)d rice in the catalogue, and %(stated)d in this list.")
    name = block.found.profile.name
    draft.remark(block.line.number, message, name=name, known=known, stated=block.rice)
    return block.rice


def _known_rice(block: Block) -> int:
    return block.found.profile.rice if block.found else 0


def _model(draft: Draft, block: Block, rice: int, count: int = 0) -> Model:
    """The model that a block means: the list's own figures, else the catalogue's."""
    line, number = block.line, count or block.line.count
    _use(draft, line)
    _remark_odd(draft, line)
    ki, cap, wounds = _stated_figures(draft, line)
    if block.found is None:
        message = _("Line %(line)d: “%(name)s” is not in the catalogue. Check its numbers.")
        if not (ki or cap or wounds):
            draft.remark(line.number, message, name=_shortened(line.words))
        return Model(_name(draft, line), rice, ki, cap, wounds, number, line.number)
    _remark_card(draft, line, block.found)
    card, guessed = block.found.profile, line.words if block.found.guessed else ""
    if not (ki or cap):
        ki, cap = card.ki, card.cap
    elif line.figures is not None and line.figures[0].endswith("/?"):
        cap = card.cap
    return Model(card.name, rice, ki, cap, wounds or card.wounds, number, line.number, guessed)


def _remark_card(draft: Draft, line: WarbandLine, found: Found) -> None:
    """Say so if a card was taken by likeness, or belongs to another faction."""
    card = found.profile
    if found.guessed:
        message = _("Line %(line)d: “%(name)s” is not in the catalogue; taken as %(card)s.")
        draft.remark(line.number, message, name=_shortened(line.words), card=card.name)
    if draft.faction in FACTIONS and card.faction not in (draft.faction, RONIN):
        message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
        draft.remark(line.number, message, card=card.name, faction=Term(card.faction))


# --- other cards ----------------------------------------------------------------------------------


def _use(draft: Draft, line: WarbandLine) -> None:
    """Note that a card's words are used; of a line of the plain form, all of them."""
    draft.ledger.use(line.number, line.text if line.is_plain else line.words)


def _take_theme(draft: Draft, block: Block) -> None:
    _use(draft, block.line)
    name = _name(draft, block.line)
    if draft.theme and plain(draft.theme) != plain(name):
        message = _("Line %(line)d: “%(name)s” is a second theme; a warband has one.")
        draft.remark(block.line.number, message, name=name)
        draft.held.append(Card(name, "card", block.rice, block.line.number))
        return
    draft.theme = name
    if block.rice:
        draft.held.append(Card(name, "card", block.rice, block.line.number))


def _take_card(draft: Draft, block: Block, kind: str, bearer: str = "") -> None:
    _use(draft, block.line)
    _remark_odd(draft, block.line)
    draft.held.append(Card(_name(draft, block.line), kind, block.rice, block.line.number, bearer))
    for one in block.below:
        _take_card(draft, one, kind, bearer)


def _take_borne(draft: Draft, block: Block, bearer: Block) -> None:
    name = bearer.found.profile.name if bearer.found else _shortened(bearer.line.words)
    _take_card(draft, block, "equipment", name)


# --- words ----------------------------------------------------------------------------------------


def _shortened(words: str) -> str:
    """Words cut to a length that a sentence can quote and a card can have as its name."""
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1].rstrip() + "…"


def _name(draft: Draft, line: WarbandLine) -> str:
    """A line's words as the name of a card, cut if they are too long for one."""
    try:
        return clean_name(line.words, PIECE_GRAPHEMES)
    except Unreadable:
        message = _("Line %(line)d: “%(name)s” is too long for a name and was cut.")
        draft.remark(line.number, message, name=_shortened(line.words))
    return _shortened("".join(c for c in line.words if c.isalnum() or c == " "))


def _remark_noise(draft: Draft, line: WarbandLine) -> None:
    draft.ledger.use(line.number, _shortened(line.text))
    draft.remark(line.number, _("Line %(line)d was not understood: “%(text)s”."), text=_shortened(line.text))


def _remark_odd(draft: Draft, line: WarbandLine) -> None:
    """Say which number of a line could not be taken."""
    messages = {
        "negative": _("Line %(line)d: “%(name)s” has a cost below zero. The cost was ignored."),
        "rice": _("Line %(line)d: “%(name)s” has an impossible cost. The cost was ignored."),
        "count": _("Line %(line)d: “%(name)s” cannot be so many models; 1 to %(most)d are allowed."),
    }
    if line.odd in messages:
        draft.remark(line.number, messages[line.odd], name=_shortened(line.words), most=MAX_COUNT)


def _stated_figures(draft: Draft, line: WarbandLine) -> tuple[str, str, str]:
    """Ki, cap and wounds as a line of the plain form states them; "" for what is missing or unreadable."""
    if line.figures is None:
        return "", "", ""
    gains, most = figures.split_ki(line.figures[0])
    wounds = figures.wounds(line.figures[1])
    if gains is None or most is None:
        message = _("Line %(line)d: “%(text)s” is no Ki such as 2/6. It was ignored.")
        draft.remark(line.number, message, text=_shortened(line.figures[0]))
        gains = most = ""
    if wounds is None:
        message = _("Line %(line)d: “%(text)s” are no wounds. They were ignored.")
        draft.remark(line.number, message, text=_shortened(line.figures[1]))
    return gains or "", most or "", wounds or ""


MAX_MODELS = 200


def checked(draft: Draft) -> Warband:
    """The finished warband, and every remark in the order of the lines."""
    _check_game(draft)
    _check_faction(draft)
    _check_copies(draft)
    _check_size(draft)
    _check_rice(draft)
    return Warband(
        draft.faction,
        draft.theme,
        draft.limit,
        draft.total,
        tuple(draft.models),
        tuple(draft.held),
        tuple(sorted(draft.remarks, key=lambda remark: remark[0])),
        draft.name,
    )


OVER = _("%(rice)s rice, in a match of %(limit)s.")


def over(rice: int, limit: int) -> tuple[tuple[int, Line], ...]:
    """A remark on too much rice for this match; rice only warns."""
    return ((0, say(OVER, rice=rice, limit=limit)),) if rice > limit else ()


def _check_game(draft: Draft) -> None:
    if is_other_game(draft.game):
        message = _("Line %(line)d: this is a list of another game: %(game)s.")
        draft.remark(draft.game_line, message, game=draft.game[:80])


def _check_faction(draft: Draft) -> None:
    if draft.faction == RONIN:
        message = _("Line %(line)d: Ronin are hired; a warband has a faction of its own.")
        draft.remark(draft.faction_line, message)
    elif draft.faction not in ("", *FACTIONS):
        message = _("Line %(line)d: there is no faction “%(name)s”.")
        draft.remark(draft.faction_line, message, name=draft.faction)


def _check_copies(draft: Draft) -> None:
    """A warband has one copy of each card, models and others alike."""
    first: dict[str, int] = {}
    pieces: list[Model | Card] = [*draft.models]
    pieces += [card for card in draft.held if card.kind != REFERENCE]
    for piece in pieces:
        seen = first.setdefault(plain(piece.name), piece.line)
        if seen != piece.line:
            message = _("Line %(line)d: %(name)s is already in this warband (line %(first)d).")
            draft.remark(piece.line, message, name=piece.name, first=seen)


def _check_size(draft: Draft) -> None:
    """No table holds more than `MAX_MODELS` models; the counts of the last ones are cut."""
    if sum(model.count for model in draft.models) <= MAX_MODELS:
        return
    message = _("Line %(line)d: this warband has more than %(most)d models; some were left out.")
    draft.remark(draft.models[-1].line, message, most=MAX_MODELS)
    spare = MAX_MODELS - len(draft.models)
    for at, model in enumerate(draft.models):
        extra = min(model.count - 1, spare)
        draft.models[at] = replace(model, count=1 + extra)
        spare -= extra


def _check_rice(draft: Draft) -> None:
    rice = sum(model.rice for model in draft.models) + sum(card.rice for card in draft.held)
    if draft.total is not None and rice != draft.total:
        message = _("Line %(line)d: the list states %(total)d rice, but its cards add up to %(sum)d.")
        draft.remark(draft.total_line, message, total=draft.total, sum=rice)
    if draft.limit and max(rice, draft.total or 0) > draft.limit:
        message = _("Line %(line)d: the list costs %(rice)d rice and was built for %(limit)d.")
        draft.remark(draft.limit_line, message, rice=max(rice, draft.total or 0), limit=draft.limit)


EXAMPLE = """++ Risen Sun (Prefecture of Ryu) [33 Rice] ++

+ Faction Profile Cards +
Hiromasa [16 Rice]
Kizoko [17 Rice]
"""


# --- several lists in one text ---

MAX_PARTS = 20


def parts_of(text: str) -> list[str]:
    """The lists of a text; the text itself if it holds only one.

    A new list begins where a faction is named again after a list's models, and includes the headings
    right before it.
    """
    rows = text.split("\n")
    starts = _starts(text)
    if len(starts) < 2:
        return [text]
    edges = [0, *starts[1:MAX_PARTS], len(rows)]
    return ["\n".join(rows[start:end]).strip("\n") for start, end in pairwise(edges)]


def _starts(text: str) -> list[int]:
    """The rows (from 0) at which lists begin."""
    lines, _beyond = lines_of(text)
    starts: list[int] = []
    has_models, pending = True, None
    for line in lines:
        stated = heading(line)
        if stated is None:
            has_models, pending = True, None
            continue
        # A sum alone stands at the end of a list.
        if pending is None and not stated.section and (stated.total is None or stated.name):
            pending = line.number - 1
        if stated.faction and has_models:
            starts.append(line.number - 1 if pending is None else pending)
            has_models = False
        if stated.section == MODEL:
            pending = None
    return starts


def read(text: str, catalogue: Catalogue) -> Warband:
    """The warband in text from outside; `Unreadable` if it is not text or names no model at all."""
    first, *others = parts_of(_opened(text))
    warband = _read_part(first, catalogue)
    if not warband.models:
        raise Unreadable(say(_("No model was found in this text. Please paste the whole warband.")))
    if not others:
        return warband
    line = say(_("This text holds %(number)d lists; the first was read."), number=len(others) + 1)
    return replace(warband, warnings=((0, line), *warband.warnings))


def read_each(text: str, catalogue: Catalogue) -> tuple[tuple[str, Warband], ...]:
    """Every list in a text that passed validation: its own text, and its warband if that has a model."""
    found = ((part, _read_part(part, catalogue)) for part in parts_of(_opened(text)))
    return tuple((part, warband) for part, warband in found if warband.models)


def _opened(text: str) -> str:
    """The text, once it has passed validation; a document and tables are turned into lines."""
    return flattened(text_of(clean_text(text)))


def _read_part(text: str, catalogue: Catalogue) -> Warband:
    rows, is_longer = rows_of(text, catalogue)
    draft = Reader(catalogue, rows).read(lines_in(rows), is_longer)
    lay_out(draft)
    return replace(checked(draft), unused=draft.ledger.unused(NEEDLESS))
