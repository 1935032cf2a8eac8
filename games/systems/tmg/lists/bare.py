"""Prices that stand beside a name without a sign of their own, behind it or before it.

Such a number may as well count units or tell two of one name apart, so the cards decide: a list is read so
if in most of its lines that have one the number is what the named card costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from games.core.army_lists import DASHES
from games.systems.tmg.lists.catalogue import Catalogue, Fact
from games.systems.tmg.lists.lines import POINTS, ListLine, split_title

_BEHIND = re.compile(r"(.*[^ .])[ .]+([0-9]{1,2}|C)")
_BEFORE = re.compile(
    rf"[(\[]? ?([0-9]{{1,2}}) ?(?:(?:{POINTS}|p)\.?)? ?(?:[)\]] ?[{DASHES}:=|]?|[{DASHES}:=|]| ) ?(.+)",
    re.IGNORECASE,
)


def priced(lines: Iterable[ListLine], catalogue: Catalogue) -> list[ListLine]:
    """The lines, each with the bare number beside its name as its price if the list is priced so."""
    found = list(lines)
    for cut in (_behind, _before):
        cuts = {at: one for at, line in enumerate(found) if (one := _cut(line, cut, catalogue))}
        fitting = sum(_fits(one, catalogue) for one in cuts.values())
        if 2 * fitting > len(cuts):
            found = [cuts.get(at, line) for at, line in enumerate(found)]
    return found


def _cut(
    line: ListLine, cut: Callable[[str], tuple[str, str] | None], catalogue: Catalogue
) -> ListLine | None:
    """The line with its number as its price, if it states no other and only its other words name a card."""
    found = cut(" ".join(line.words.split())) if line.cost is None else None
    if found is None or catalogue.named(line.words):
        return None
    words, worth = found
    if not _cards(words, catalogue):
        return None
    leads = worth == "C"
    return replace(
        line, words=words, cost=0 if leads else int(worth), is_loose=True, leads=line.leads or leads
    )


def _behind(words: str) -> tuple[str, str] | None:
    found = _BEHIND.fullmatch(words)
    return (found[1], found[2]) if found else None


def _before(words: str) -> tuple[str, str] | None:
    found = _BEFORE.fullmatch(words)
    return (found[2], found[1]) if found else None


def _fits(line: ListLine, catalogue: Catalogue) -> bool:
    """Whether the price is that of a card of this name, or of so many of them."""
    return any(line.cost in (card.cost, card.cost * line.count) for card in _cards(line.words, catalogue))


def _cards(words: str, catalogue: Catalogue) -> list[Fact]:
    return catalogue.named(*split_title(words))
