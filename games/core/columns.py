"""How the admin shows the fields of pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """How the admin shows a field of a piece, and which values it takes.

    `label` is what people call it (a message id; "": its name says it). `among` is what it is chosen from:
    values with their words, or the kind of piece ("unit") whose keys it holds; with `is_mutual` the named
    piece names this one back. `cells` are the parts of each row of a field of rows: name, and type or kind of
    piece. A field that `is_first` is always shown, the others fold away; one that `is_hidden` is not edited
    by hand, such as a text that is kept whole. `of` tells whether a piece has the field at all; None: every
    piece of its kind has it.
    """

    label: str = ""
    among: Mapping[str, str] | str | None = None
    is_mutual: bool = False
    cells: tuple[tuple[str, type | str], ...] = ()
    is_first: bool = False
    is_hidden: bool = False
    of: Callable[[Any], bool] | None = None


COLUMNS = {
    "army/name": Column(is_first=True),
    "army/faction": Column(is_first=True),
    "army/ready": Column(is_first=True),
    "army/ends": Column(is_hidden=True),
    "army/answered": Column(is_hidden=True),
    "unit/army": Column(among="army", is_first=True),
    "unit/place": Column(is_first=True),
    "unit/activated": Column(is_first=True),
    "unit/wounds": Column(is_first=True),
    "objective/claimed_by": Column(among="unit", is_first=True),
    "objective/override": Column(among="army", is_first=True),
    "round/first": Column(among="army", is_first=True),
    "table/round": Column(is_first=True),
}
"""The fields that every game has, by kind of piece and name; "table" is the position itself."""
