"""Sub-titles that stand behind a price, as in “Robb Stark (0) - The Wolf Lord”.

They belong to the name before the price if a card is called so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.systems.tmg.lists.catalogue import Catalogue
from games.systems.tmg.lists.lines import ListLine, headers, unpriced


def titled(lines: Iterable[ListLine], catalogue: Catalogue) -> Iterator[ListLine]:
    """The lines, each with the sub-title behind its price as a part of its name."""
    last: ListLine | None = None
    for row in lines:
        line = _with_title(row, row.behind, catalogue) or row
        if last is None:
            last = line
        elif _stands_behind(line, last) and (whole := _with_title(last, line.words, catalogue)):
            last = whole
        else:
            yield last
            last = line
    if last is not None:
        yield last


def _stands_behind(line: ListLine, last: ListLine) -> bool:
    return line.number == last.number and last.cost is not None and line.cost is None


def _with_title(line: ListLine, title: str, catalogue: Catalogue) -> ListLine | None:
    """The line with this sub-title, also that of a heading which names the Commander."""
    name = unpriced((headers(line.text) or {}).get("commander", line.words))
    if not title or not catalogue.has(f"{name} {title}"):
        return None
    words = f"{line.words} - {title}"
    return replace(line, text=words, words=words)
