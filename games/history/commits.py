"""The transaction of every action on a match or an event: lock, load, play, save what changed, log, tell.

    rows ──load──▶ position ──rules──▶ position' ──diff──▶ changed rows + one entry

A refusal writes nothing and gives a person one sentence. The same key again gets the first answer.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Model, QuerySet

from games import prepared
from games.core import IllegalAction, Malformed, NotServed, RequestRefused, Unreadable, say
from games.core import gettext_noop as _
from games.history.logbook import fingerprint
from games.models import LogEntry
from games.monitoring import answer_times
from games.monitoring.measures import ACTIONS
from games.prepared import Prepared
from games.web import begin_saving, clock

logger = logging.getLogger(__name__)
Played = TypeVar("Played")
RowT = TypeVar("RowT", bound=Model)

STALE = _("Something changed. Check the table, then tap again.")

UNREADABLE = _("This saved data cannot be read. Please tell whoever runs the server.")
CANNOT_BE_READ = "what is stored of it cannot be read."
"""What commands say after the code of a match or an event."""

CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""Anything else in an address need not be looked up in the database."""

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""31 letters and digits that are hard to misread."""


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


def random_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(6))


def fresh_code(*tables: type[Model]) -> str:
    """A code that no row of these tables has."""
    while True:
        code = random_code()
        if not any(table._default_manager.filter(code=code).exists() for table in tables):
            return code


def by_code(rows: Prepared[RowT], code: str, unknown: str) -> RowT:
    """The row with this code; `RequestRefused` (404) with the sentence `unknown` if there is none."""
    found = rows(code) if CODE.fullmatch(code) else []
    if not found:
        raise RequestRefused(say(unknown), 404, "unknown")
    return found[0]


def once(kind: str, carry_out: Callable[[], Verdict], earlier: Callable[[], Verdict | None]) -> Verdict:
    """Carry out an action in one transaction; `earlier` is the answer that its key got before, if any.

    The key is looked up only if there is a reason to: the action is refused, changes nothing, or the log
    rejects a second entry with this key.
    """
    try:
        verdict = _in_one_transaction(carry_out)
    except (RequestRefused, IntegrityError) as refused:
        known = earlier()
        if known is None:
            ACTIONS.labels(kind, getattr(refused, "error", "conflict")).inc()
            raise
        verdict = known
    if verdict.entry is None:
        verdict = earlier() or verdict
    ACTIONS.labels(kind, "repeated" if verdict.is_replay else "done").inc()
    return verdict


def _in_one_transaction(carry_out: Callable[[], Verdict]) -> Verdict:
    with transaction.atomic():
        verdict = carry_out()
        saving = time.perf_counter()
    answer_times.spend(answer_times.SAVING, saving)
    return verdict


def earlier_verdict(entries: QuerySet[Any], of: str, key: str, payload: str) -> Verdict | None:
    """The verdict that this key got before among `entries` of a match or event (field `of`), if it was used.

    `RequestRefused` (422) if it was used for something else.
    """
    known = (
        entries.filter(key=key).select_related(of).only("version", "payload", f"{of}__seed") if key else ()
    )
    entry: LogEntry | None = next(iter(known), None)
    if entry is None:
        return None
    if not hmac.compare_digest(entry.payload, fingerprint(getattr(entry, of), payload)):
        raise RequestRefused(
            say(_("This button was already used for something else. Please tap again.")), 422, "key_reused"
        )
    return Verdict(entry.version, is_replay=True)


def apply_rules(carry_out: Callable[[], Played]) -> Played:
    """What the rules make of an action; if they forbid it or cannot read it, their sentence refuses it."""
    try:
        return carry_out()
    except IllegalAction as refusal:
        raise RequestRefused(refusal.line, 409, "not_offered", refusal.rule) from refusal
    except Malformed as malformed:
        raise RequestRefused(say(_("This game has no such action.")), 422, "malformed") from malformed
    except Unreadable as unreadable:
        raise RequestRefused(unreadable.line, unreadable.status, "unreadable") from unreadable


def finish(row: Any, columns: Collection[str], tell: Callable[[], object]) -> None:
    """Save the row of a match or event with its new version; `tell` those who listen once it is committed."""
    prepared.save_columns(row, (*columns, "version", "chain"), clock.now())
    # What is saved stays saved, even if a listener fails.
    transaction.on_commit(tell, robust=True)
    begin_saving()


class UnreadableRow(RequestRefused):
    """What is stored of a match or an event cannot be read."""

    def __init__(self) -> None:
        super().__init__(say(UNREADABLE), 409, "unreadable")


@contextmanager
def reading(row: object) -> Iterator[None]:
    """Inside this block, a failure that does not say why itself is logged, and becomes `UnreadableRow`.

    Rows are read as the program wrote them, so a value that somebody altered may fail anywhere in the code
    that shows it; where many rows are shown, it must not hide the others. A request about one match or event
    is refused in one place (`games.pages.altered_rows`).
    """
    try:
        yield
    except (RequestRefused, NotServed, DatabaseError, OSError):
        raise
    except Exception as fault:
        logger.warning("what is stored of %s cannot be read", row, exc_info=fault)
        raise UnreadableRow from fault
