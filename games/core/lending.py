"""Pieces that a position borrows from the one before it: most actions change few of them.

Each is copied when rules first reach for it, so that neither position sees what the other does with it.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, MutableMapping, ValuesView
from typing import Any, TypeVar

from games.core.pieces import Piece

PieceT = TypeVar("PieceT", bound=Piece)


def twin(piece: PieceT) -> PieceT:
    """The same piece once more, to be changed without changing this one."""
    made = object.__new__(piece.__class__)
    made.__dict__ = piece.__dict__.copy()
    return made


def twins(pieces: MutableMapping[str, PieceT]) -> dict[str, PieceT]:
    """All of these pieces once more."""
    held = pieces.pieces if isinstance(pieces, Lent) else pieces
    made = dict(held)
    # Written out instead of a call a piece: there are many.
    new = object.__new__
    for key, piece in held.items():
        made[key] = one = new(piece.__class__)
        one.__dict__ = piece.__dict__.copy()
    return made


class Lent(MutableMapping[str, PieceT]):
    """A mapping of pieces that gives out copies of its own, made when they are asked for.

    `pieces` is what it holds now, borrowed pieces and own ones.
    """

    __slots__ = ("_lender", "pieces")

    def __init__(self, lender: dict[str, PieceT]) -> None:
        self._lender: dict[str, Any] = lender
        self.pieces = lender.copy()

    def all(self) -> dict[str, PieceT]:
        """All pieces, none of them borrowed any more."""
        pieces, lender = self.pieces, self._lender
        if lender:
            for key, piece in pieces.items():
                if lender.get(key) is piece:
                    pieces[key] = twin(piece)
            self._lender = {}
        return pieces

    def __getitem__(self, key: str) -> PieceT:
        piece = self.pieces[key]
        if self._lender.get(key) is piece:
            piece = self.pieces[key] = twin(piece)
        return piece

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self.pieces else default

    def __setitem__(self, key: str, piece: PieceT) -> None:
        self.pieces[key] = piece

    def __delitem__(self, key: str) -> None:
        del self.pieces[key]

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
