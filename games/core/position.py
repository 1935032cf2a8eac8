"""Positions: pieces by kind and key, with the sentences and draws of the latest action.

The base of a match's position (`games.core.state.State`) and of an event's. `games.core.diff` compares
positions, `games.history.position_rows` stores them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self, TypeVar

from games.core import chance
from games.core.pieces import Draw, Piece
from games.core.words import Argument, Line, say_count


class Position(Piece):
    """Pieces by kind, each kind in a mapping of its own, and the fields beside them."""

    kinds: ClassVar[Mapping[str, str]] = {}
    """Kinds of piece → the field that holds them by key."""
    types: ClassVar[dict[str, type[Piece]]] = {}
    """The dataclass of each kind of piece."""

    seed: str
    drawn: int

    @classmethod
    def piece_type(cls, kind: str) -> type[Piece]:
        """The dataclass of a kind of piece."""
        return cls.types[kind]

    @classmethod
    def undone_whole(cls) -> frozenset[str]:
        """The kinds of piece whose fields are not undone one by one."""
        return frozenset(kind for kind in cls.kinds if cls.piece_type(kind).is_undone_whole)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """The position that `to_json` stored, its pieces included."""
        position = super().from_json(stored)
        for kind, mapping in cls.kinds.items():
            kept = stored.get(mapping, {})
            setattr(position, mapping, {key: cls.piece_type(kind).from_json(p) for key, p in kept.items()})
        return position

    def begin_action(self) -> None:
        """Forget the sentences and draws of the previous action."""
        self.lines: list[Line] = []
        self.draws: list[Draw] = []

    def copy(self) -> Self:
        """A private copy, piece by piece."""
        raise NotImplementedError

    def say(self, message: str, *, to: str | None = None, **arguments: Argument) -> None:
        """Write a sentence into the log of this action."""
        self.lines.append(Line(message, arguments, to=to))

    def say_count(self, one: str, many: str, count: int, **arguments: Argument) -> None:
        """Write a sentence that depends on a number (`words.say_count`) into the log of this action."""
        self.lines.append(say_count(one, many, count, **arguments))

    def chance(self, outcomes: int) -> int:
        """The next draw: a number from 0 up to, not including, `outcomes`; anybody can verify it later."""
        value = chance.draw(self.seed, self.drawn, outcomes)
        self.draws.append(Draw(self.drawn, outcomes, value))
        self.drawn += 1
        return value


PositionT = TypeVar("PositionT", bound=Position)
