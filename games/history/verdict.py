"""What became of an action at a table or an event: a verdict, or a refusal."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import DatabaseError

from games.core import Line, NotServed, say
from games.core import gettext_noop as _

logger = logging.getLogger(__name__)

UNREADABLE = _("What is stored of this cannot be read. Please tell whoever runs the server.")
CANNOT_BE_READ = "what is stored of it cannot be read."
"""What commands say after the code of a match or an event."""


class RequestRefused(Exception):
    """An action that was refused: a sentence for the player, the rule, and the HTTP status."""

    def __init__(self, line: Line, status: int, error: str, rule: str = "") -> None:
        super().__init__(str(line))
        self.line = line
        self.status = status
        self.error = error
        self.rule = rule


class UnreadableRow(RequestRefused):
    """What is stored of a match or an event cannot be read."""

    def __init__(self) -> None:
        super().__init__(say(UNREADABLE), 409, "unreadable")


@dataclass(frozen=True)
class Verdict:
    """What became of an action: its version, whether it was a repeat, and the entry that it made, if any.

    `loaded` is the match or event afterwards, `made` what a change of an event returned, such as the key of a
    new player.
    """

    version: int
    is_replay: bool = False
    loaded: Any = field(default=None, compare=False, repr=False)
    entry: Any = field(default=None, compare=False, repr=False)
    made: Any = None


@contextmanager
def reading(row: object) -> Iterator[None]:
    """Inside this block, a failure that does not say why itself is logged, and becomes `UnreadableRow`.

    Rows are read as the program wrote them, so a value that somebody altered may fail anywhere in the code
    that shows it; where many rows are shown, it must not hide the others. A request about one match or event
    is refused in one place (`games.pages.altered`).
    """
    try:
        yield
    except (RequestRefused, NotServed, DatabaseError, OSError):
        raise
    except Exception as fault:
        logger.warning("what is stored of %s cannot be read", row, exc_info=fault)
        raise UnreadableRow from fault
