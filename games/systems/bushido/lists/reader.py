"""How the lines of a list become a warband: headings first, then every line in its place.

Lines are gathered into blocks, one for each card with the lines below it; then
the catalogue says which are models. Nothing is dropped without a remark.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from games.core.words import Argument, Line, say
from games.core.words import gettext_noop as _
from games.systems.bushido.lists.catalogue import Catalogue, Found
from games.systems.bushido.lists.headings import NOTHING, Heading, heading, labelled, summed, title
from games.systems.bushido.lists.lines import MAX_LINES, WarbandLine, carried
from games.systems.bushido.lists.warband import MODEL, Card, Model

MAX_CARDS = 200


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

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

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

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.draft = Draft()
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
            self.draft.take(line.number, stated)
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
            self.draft.take(line.number, stated)
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
                del block.below[max(left, 0) :]
                del self.draft.blocks[at + (left >= 0) :]
                return
            left -= len(block.below)
