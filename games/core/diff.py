"""What an action changed, as two images, before and after: for saving, undo and replay.

An image maps paths to plain JSON values: `unit/wolves/wounds` is a field,
`unit/wolves` a whole piece (None where it does not exist), `flow` a field of the
position, `army/red/hidden/bid` one hidden value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from games.core.pieces import Position, PositionT, plain

Image = dict[str, Any]

ABSENT = "\u2205"
"""Stands in an image where a hidden value did not exist (None is a value)."""


def diff(before: Position, after: Position) -> tuple[Image, Image]:
    """The two images of a change: the values before and after it, at every path that it wrote."""
    old: Image = {}
    new: Image = {}
    for kind, mapping in after.kinds.items():
        _diff_pieces(kind, getattr(before, mapping), getattr(after, mapping), old, new)
    for name in _apart(type(after)):  # type: ignore[arg-type]
        if getattr(before, name) != getattr(after, name):
            old[name], new[name] = plain(getattr(before, name)), plain(getattr(after, name))
    return old, new


@cache
def _apart(kind: type[Position]) -> tuple[str, ...]:
    """The fields of a position that hold no pieces."""
    pieces = kind.kinds.values()
    return tuple(name for name in kind.field_names() if name not in pieces)


def apply(state: PositionT, image: Image) -> PositionT:
    """A copy of the position with an image applied."""
    changed = state.copy()
    for path, value in image.items():
        _put(changed, path, value)
    return changed


def without(image: Image, names: frozenset[str]) -> Image:
    """An image without these fields of the position."""
    return {path: value for path, value in image.items() if path not in names}


def in_order(image: Image, seats: tuple[str, ...]) -> Image:
    """An image whose new pieces are in the order they came to the table: a store may have sorted their paths.

    `seats` are the seats of the game in their order; other pieces know their own `order`.
    """

    def place(item: tuple[str, Any]) -> int:
        path, value = item
        kind, _slash, key = path.partition("/")
        if not isinstance(value, dict) or not key or "/" in key:
            return 0
        return seats.index(key) if kind == "army" and key in seats else value.get("order", 0)

    return dict(sorted(image.items(), key=place))


def joined(images: Iterable[Image], seats: tuple[str, ...] = ()) -> Image:
    """One image with the effect of all; if several set a path, the first of them counts.

    A whole piece comes before its fields. With images latest first and the game's `seats`, pieces are in the
    order in which they came to the table.
    """
    pieces: list[Image] = []
    written_whole: set[str] = set()
    fields: Image = {}
    for image in images:
        whole = {path: image[path] for path in image if is_piece(path) and path not in written_whole}
        for path, value in image.items():
            if path not in fields and path not in whole and _piece_of(path) not in written_whole:
                fields[path] = value
        written_whole |= whole.keys()
        pieces.append(in_order(whole, seats))
    whole_pieces = {path: piece for whole in reversed(pieces) for path, piece in whole.items()}
    gone = {path for path, piece in whole_pieces.items() if piece is None}
    return whole_pieces | {path: value for path, value in fields.items() if _piece_of(path) not in gone}


def is_piece(path: str) -> bool:
    """Whether a path names a whole piece ("unit/wolves")."""
    return path.count("/") == 1


class Places:
    """The paths that images wrote, and the pieces that the paths belong to."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._pieces: set[str] = set()

    def add(self, image: Image) -> None:
        """Add the paths that an image wrote."""
        self._paths.update(image)
        self._pieces.update(map(_piece, image))

    def overlap(self, image: Image) -> bool:
        """Whether an image wrote one of these places: the same path, its piece or one of its fields."""
        return any(
            path in self._paths or path in self._pieces or _piece(path) in self._paths for path in image
        )


def overlaps(image: Image, other: Image, whole: Collection[str] = ()) -> bool:
    """Whether two images wrote the same place; of the kinds of piece in `whole`, the same piece."""
    places = Places()
    places.add(image)
    written = {_piece(path) for path in image if path.partition("/")[0] in whole}
    return places.overlap(other) or any(_piece(path) in written for path in other)


def _piece(path: str) -> str:
    """The path of the piece that a field belongs to; a whole piece or a field of the position is its own."""
    return "/".join(path.split("/", 2)[:2])


def _piece_of(path: str) -> str:
    """The path of the piece that a path belongs to ("unit/wolves"); "" for a field of the position."""
    kind, slash, rest = path.partition("/")
    return f"{kind}/{rest.partition('/')[0]}" if slash else ""


def _diff_pieces(kind: str, before: dict[str, Any], after: dict[str, Any], old: Image, new: Image) -> None:
    if before is after:
        return
    for key, piece in after.items():
        was = before.get(key)
        if was is piece or (was is not None and was.__dict__ == piece.__dict__):
            continue
        if was is None:
            old[f"{kind}/{key}"], new[f"{kind}/{key}"] = None, piece.to_json()
        else:
            _diff_fields(f"{kind}/{key}", was, piece, old, new)
    for key, piece in before.items():
        if key not in after:
            old[f"{kind}/{key}"], new[f"{kind}/{key}"] = piece.to_json(), None


def _diff_fields(path: str, was: Any, now: Any, old: Image, new: Image) -> None:
    earlier, later = was.__dict__, now.__dict__
    for name in now.field_names():
        before, after = earlier[name], later[name]
        if before == after:
            continue
        if name == "hidden":
            _diff_hidden(path, before, after, old, new)
        else:
            old[f"{path}/{name}"], new[f"{path}/{name}"] = plain(before), plain(after)


def _diff_hidden(path: str, before: dict[str, Any], after: dict[str, Any], old: Image, new: Image) -> None:
    for key in sorted(before.keys() | after.keys()):
        if before.get(key, ABSENT) != after.get(key, ABSENT):
            old[f"{path}/hidden/{key}"] = plain(before.get(key, ABSENT))
            new[f"{path}/hidden/{key}"] = plain(after.get(key, ABSENT))


def _put(state: Position, path: str, value: Any) -> None:
    kind, _, rest = path.partition("/")
    if not rest:
        setattr(state, kind, state.typed(kind, value))
        return
    key, _, name = rest.partition("/")
    pieces = getattr(state, state.kinds[kind])
    if not name:
        _put_piece(state, kind, pieces, key, value)
    elif name.startswith("hidden/"):
        _put_hidden(pieces[key], name.removeprefix("hidden/"), value)
    else:
        pieces[key] = replace(pieces[key], **{name: pieces[key].typed(name, value)})


def _put_piece(state: Position, kind: str, pieces: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        pieces.pop(key, None)
    else:
        pieces[key] = state.piece_type(kind).from_json(value)


def _put_hidden(army: Any, key: str, value: Any) -> None:
    hidden = {name: kept for name, kept in army.hidden.items() if name != key}
    army.hidden = hidden if value == ABSENT else {**hidden, key: value}
