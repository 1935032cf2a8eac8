"""Copy-on-write: a position borrows the pieces of the one before it, as most actions change few.

A piece is copied when rules first reach for it, so neither position sees the other's changes.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, MutableMapping, ValuesView
from typing import Any, TypeVar

from games.core.pieces import Piece

PieceT = TypeVar("PieceT", bound=Piece)


def twin(piece: PieceT) -> PieceT:
    """A copy of a piece."""
    made = object.__new__(piece.__class__)
    made.__dict__ = piece.__dict__.copy()
    return made


def twins(pieces: MutableMapping[str, PieceT]) -> dict[str, PieceT]:
    """Copies of all pieces of a mapping."""
    held = pieces.pieces if isinstance(pieces, Lent) else pieces
    made = dict(held)
    # `twin` inlined: there are many pieces.
    new = object.__new__
    for key, piece in held.items():
        made[key] = one = new(piece.__class__)
        one.__dict__ = piece.__dict__.copy()
    return made


class Lent(MutableMapping[str, PieceT]):
    """A mapping of pieces that hands out its own copies, made when they are asked for.

    `pieces` is what it holds now, borrowed and own: the `lender` itself until a piece is asked for.
    """

    __slots__ = ("_borrowed", "lender", "pieces")

    def __init__(self, lender: dict[str, PieceT]) -> None:
        self.lender = self.pieces = lender
        self._borrowed: dict[str, Any] = lender

    def _own(self) -> dict[str, PieceT]:
        if self.pieces is self.lender:
            self.pieces = self.lender.copy()
        return self.pieces

    def all(self) -> dict[str, PieceT]:
        """All pieces, none of them borrowed any more."""
        pieces, borrowed = self._own(), self._borrowed
        if borrowed:
            for key, piece in pieces.items():
                if borrowed.get(key) is piece:
                    pieces[key] = twin(piece)
            self._borrowed = {}
        return pieces

    def __getitem__(self, key: str) -> PieceT:
        piece = self.pieces[key]
        if self._borrowed.get(key) is piece:
            piece = self._own()[key] = twin(piece)
        return piece

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self.pieces else default

    def __setitem__(self, key: str, piece: PieceT) -> None:
        self._own()[key] = piece

    def __delitem__(self, key: str) -> None:
        del self._own()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pieces)

    def __len__(self) -> int:
        return len(self.pieces)

    def __contains__(self, key: object) -> bool:
        return key in self.pieces

    def keys(self) -> KeysView[str]:
        return self.pieces.keys()

    def values(self) -> ValuesView[PieceT]:
        return self.all().values()

    def items(self) -> ItemsView[str, PieceT]:
        return self.all().items()

    def __eq__(self, other: object) -> bool:
        return self.pieces == (other.pieces if isinstance(other, Lent) else other)

    __hash__ = None  # type: ignore[assignment]
