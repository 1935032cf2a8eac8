"""Several warbands in one text: where one ends and the next begins."""

from __future__ import annotations

from itertools import pairwise

from games.systems.bushido.lists.headings import heading
from games.systems.bushido.lists.lines import lines_of
from games.systems.bushido.lists.warband import MODEL

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
