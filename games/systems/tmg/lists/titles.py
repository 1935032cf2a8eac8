"""What the headings and titles of a list state about the army: faction, Commander, size, activations."""

from __future__ import annotations

import re

from games.core.validation import PIECE_GRAPHEMES, Unreadable, clean_name
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import faction_key, plain
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.headings import STATED
from games.systems.tmg.lists.lines import ListLine, bare_faction, headers, unpriced

_NUMBERS = re.compile(r"([0-9]{1,4})(?:\s*/\s*([0-9]{1,4}))?")


def take(draft: Draft, line: ListLine) -> bool:
    """Whether a line is a heading or a title; the draft then has what it states."""
    stated = headers(line.text)
    if stated is None or heads_leader(line):
        return _take_title(draft, line)
    _take_numbers(draft, line.number, stated)
    draft.name = stated.get("name", draft.name)
    if "commander" in stated and is_name(stated["commander"]):
        draft.commander, draft.commander_line = unpriced(stated["commander"]), line.number
    if "faction" in stated:
        _take_faction(draft, line.number, stated["faction"])
    return True


def take_size(draft: Draft, line: ListLine) -> None:
    """The size of the army in a title, unless the list has stated it before."""
    if line.cost and draft.limit is None:
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
    faction = bare_faction(line)
    if faction is None or draft.faction not in ("", faction):
        return False
    draft.faction = faction
    take_size(draft, line)
    return True


def _take_numbers(draft: Draft, number: int, stated: dict[str, str]) -> None:
    points = _NUMBERS.search(stated.get("points", ""))
    if points:
        draft.points, draft.points_line = int(points[1]), number
        draft.limit = int(points[2]) if points[2] else draft.limit
    activations = _NUMBERS.search(stated.get("activations", ""))
    if activations:
        draft.activations, draft.activations_line = int(activations[1]), number


def _take_faction(draft: Draft, number: int, stated: str) -> None:
    faction = faction_key(unpriced(stated))
    if faction is None:
        draft.remark(number, _("Line %(line)d: there is no faction “%(name)s”."), name=stated)
        return
    draft.faction = faction
