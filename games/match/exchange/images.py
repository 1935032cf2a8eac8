"""Images from outside: their whole values, the values at their paths, whether a value fits there."""

from __future__ import annotations

import re
from types import UnionType
from typing import Any, Union, get_args, get_origin

from django.core.exceptions import ValidationError

from games.core.diff import ABSENT, Image
from games.core.pieces import Position, Question, plain
from games.core.state import KINDS, State
from games.match import storage

_FIXED = frozenset({"system", "seed", *KINDS.values()})
"""Fields of a position that no action changes as a whole."""

_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

LARGEST, MOST_ROUNDS = 999_999, 999
"""The largest number that an organiser can type, and the most rounds: pages count up to some of them."""


def full(entry: dict[str, Any], name: str) -> Image:
    """The whole image ("before" or "after") of an action in a file, with what is sealed put back."""
    image = dict(entry[name])
    for part in entry["sealed"].values():
        image |= part.get(name, {})
    return image


def standing(state: Position, path: str) -> Any:
    """The plain value at a path; KeyError or AttributeError if there can be none."""
    kind, _slash, rest = path.partition("/")
    if not rest:
        return plain(getattr(state, kind))
    key, _slash, name = rest.partition("/")
    piece = getattr(state, state.kinds[kind]).get(key)
    if not name:
        return None if piece is None else piece.to_json()
    if name.startswith("hidden/"):
        return plain(piece.hidden.get(name.removeprefix("hidden/"), ABSENT))
    return plain(getattr(piece, name))


def fits(position: type[State], path: str, value: Any) -> bool:
    """Whether a plain value fits at a path of such a position."""
    kind, _slash, rest = path.partition("/")
    if not _is_small(value, MOST_ROUNDS if path == "round" else LARGEST):
        return False
    if not rest:
        return kind not in _FIXED and stored_as(value, position.type_of(kind))
    key, _slash, name = rest.partition("/")
    if _KEY.fullmatch(key) is None:
        return False
    if not name:
        return value is None or _fits_piece(position, kind, key, value)
    if name.startswith("hidden/"):
        return kind == "army"
    return name != "key" and _fits_field(position, kind, name, value)


def _is_small(value: Any, most: int) -> bool:
    """Whether all numbers in a value are within bounds: a huge one would take all memory once it is shown."""
    if isinstance(value, int | float):
        return -most <= value <= most
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(_is_small(one, most) for one in inner)


def _fits_piece(position: type[State], kind: str, key: str, piece: Any) -> bool:
    if not isinstance(piece, dict) or piece.get("key") != key:
        return False
    return all(_fits_field(position, kind, name, value) for name, value in piece.items())


def _fits_field(position: type[State], kind: str, name: str, value: Any) -> bool:
    if not stored_as(value, position.piece_type(kind).type_of(name)):
        return False
    column = storage.COLUMNS[kind].get(name, "extra")
    row: Any = storage.ROWS[kind]
    if column == "extra" or column in storage.REFERENCES:
        return True
    try:
        row._meta.get_field(column).run_validators(value)
    except ValidationError:
        return False
    return True


def stored_as(value: Any, hint: Any) -> bool:
    """Whether a plain JSON value is what a field of this type is stored as."""
    if hint is Any:
        return True
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(stored_as(value, one) for one in inner)
    if origin is dict:
        return isinstance(value, dict) and all(stored_as(item, inner[1]) for item in value.values())
    if origin is tuple and inner[-1] is not Ellipsis:
        return isinstance(value, list) and len(value) == len(inner) and all(map(stored_as, value, inner))
    if origin in (tuple, frozenset):
        return isinstance(value, list) and all(stored_as(item, inner[0]) for item in value)
    if hint is Question:
        return _is_question(value)
    return type(value) is hint or (hint is float and type(value) is int)


def _is_question(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 3:
        return False
    step, number, about = value
    return stored_as(step, str) and stored_as(number, int) and stored_as(about, tuple[str, ...])
