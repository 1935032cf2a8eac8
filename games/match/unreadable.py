"""Rows that somebody altered in the database: where many are shown, one that cannot be read hides no other.

Rows are read as the program wrote them, so an altered value may fail anywhere in the code that shows it. A
request about one match or event is refused in one place (`games.pages.altered_rows`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError

from games.core.system import NotServed
from games.core.words import gettext_noop as _
from games.core.words import say
from games.history.verdict import RequestRefused

log = logging.getLogger(__name__)

SENTENCE = _("What is stored of this cannot be read. Please tell whoever runs the server.")
CANNOT_BE_READ = "what is stored of it cannot be read."
"""What commands say after the code of a match or an event."""
ERROR = "unreadable"


class UnreadableRow(RequestRefused):
    """What is stored of a match or an event cannot be read."""

    def __init__(self) -> None:
        super().__init__(say(SENTENCE), 409, ERROR)


@contextmanager
def reading(row: object) -> Iterator[None]:
    """Inside this block, a failure that does not say why itself is logged, and becomes `UnreadableRow`."""
    try:
        yield
    except (RequestRefused, NotServed, DatabaseError, OSError):
        raise
    except Exception as fault:
        log.warning("what is stored of %s cannot be read", row, exc_info=fault)
        raise UnreadableRow from fault
