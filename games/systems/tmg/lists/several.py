"""Lines that name several cards: a unit with its attachments, or NCUs one after another.

Each card gets a line of its own, but only where everything that the line names is a card.
"""

from __future__ import annotations

from dataclasses import replace

from games.systems.tmg.lists.catalogue import ATTACHMENT, NCU, UNIT, Found
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.finding import Finder
from games.systems.tmg.lists.lines import ListLine, names_in

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
