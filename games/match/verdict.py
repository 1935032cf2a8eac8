"""What became of an action: a verdict, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core.words import Line
from games.match.board import Board
from games.models import Entry


class RequestRefused(Exception):
    """An action that was not done: a sentence for the player, the rule, and the HTTP status."""

    def __init__(self, line: Line, status: int, error: str, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.status = status
        self.error = error
        self.rule = rule


@dataclass(frozen=True)
class Verdict:
    """What became of an action: its version, whether it was a repetition; the board after it, its entry."""

    version: int
    is_replay: bool = False
    board: Board | None = field(default=None, compare=False, repr=False)
    entry: Entry | None = field(default=None, compare=False, repr=False)
