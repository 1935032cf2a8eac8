"""Which card the words of one line mean, by what the list has told of its faction and Commander so far."""

from __future__ import annotations

from games.systems.tmg.lists.catalogue import ATTACHMENT, NCU, NEUTRAL, UNIT, Catalogue, Found
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.lines import ListLine, split_title


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
        """The card of one of these kinds that a line nearly names, unless the list has asked too often."""
        if not self.draft.may_compare():
            return None
        name, title = split_title(line.words)
        return self.catalogue.guess(name, title, kinds=frozenset(kinds), faction=self.draft.faction)

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
