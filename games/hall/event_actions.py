"""Every action on an event, in one transaction each: lock, load, check, play, save what changed, log, tell.

    rows ──load──▶ position ──rules──▶ position' ──diff──▶ changed rows + one EventEntry

A refusal writes nothing and addresses the person who acted. What the tables have said meanwhile is taken over
first, as an entry of its own.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction

from games import prepared
from games.core.diff import diff
from games.core.validation import Unreadable
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall import event_log, event_rows, event_tables, roles
from games.hall.event_log import Command
from games.hall.event_rows import LoadedEvent
from games.hall.models import Event, EventEntry, Helper, Player
from games.hall.rules import event_rounds, event_settings
from games.hall.rules.event_state import Gathering
from games.hall.rules.standings import usual
from games.history.verdict import RequestRefused, answered_once
from games.match import committing
from games.match.codes import CODE, random_code
from games.models import Match
from games.prepared import Prepared
from games.web import clock
from games.web.database import begin_saving, in_turn, note_key

NO_LONGER = _("This link no longer works. Ask the organisers for a new one.")

ALWAYS = ("version", "chain")
"""Columns of the event that every action writes."""

on_change: list[Callable[[str, int], None]] = []
"""Called after the commit of an event's new version, with its code and version."""

Change = Callable[[Gathering], Any]
Made = TypeVar("Made")


@dataclass(frozen=True)
class Actor:
    """Who acts: their key in the log ("p3", "helper-2", "" for somebody in the admin), name and role."""

    key: str = ""
    name: str = ""
    role: str = roles.ORGANISER
    place: Player | Helper | None = field(default=None, compare=False, repr=False)
    """The row whose link they act with, as it was when it was checked; None in the admin and for guests."""


@dataclass(frozen=True)
class Outcome:
    """What came of an action: the event's version, whether it is a repetition, what the change made."""

    version: int
    is_replay: bool = False
    entry: EventEntry | None = None
    made: Any = None
    loaded: LoadedEvent | None = field(default=None, compare=False, repr=False)


def open_event(
    values: Mapping[str, Any],
    actor: Actor,
    opened_from: str = "",
    seed: str = "",
    key: str = "",
    payload: str = "",
    is_demo: bool = False,
) -> Event:
    """Open an event with these settings by name (fields of `Gathering`), and write its first entry.

    The entry keeps the `key` of the form or request, by which `opening` finds the event; `payload` is what it
    asked for.
    """
    state = apply_rules(lambda: event_settings.initial_state(values))
    state.seed = seed or secrets.token_hex(16)
    if not state.criteria:
        state.criteria = usual(state.system)
    with transaction.atomic():
        event = Event(code=fresh_code(), version=1, opened_from=opened_from, is_demo=is_demo)
        event.created_at = clock.now()
        event.save()
        after = event_rows.create(event, state)
        state.say(_("The event “%(name)s” is opened."), name=state.name)
        event_log.write(
            event, state, Command("open", actor.key, actor.name, key=key, payload=payload), {}, after
        )
        event.save()
        begin_saving()
    return event


def opening(key: str) -> EventEntry | None:
    """The first entry of the event that was opened with this key, if one was.

    Call it in the transaction that would open one: anyone else with the same key waits until that ends.
    """
    if not note_key(key):
        return None
    in_turn(f"event {key}")
    return EventEntry.objects.filter(action="open", key=key).select_related("event").first()


def opener(event: Event) -> Helper | None:
    """The organiser who opened an event; nobody once a helper was dismissed: it may have been that one."""
    if EventEntry.objects.filter(event=event, action="dismiss").exists():
        return None
    return Helper.objects.select_related("event").filter(event=event).order_by("pk").first()


def act(
    code: str,
    action: str,
    change: Change,
    actor: Actor,
    *,
    key: str = "",
    payload: str = "",
    note: str = "",
    seen: str = "",
    ahead: bool = False,
) -> Outcome:
    """Carry out a change to an event, once for each key.

    `change` gets a private copy of the position and changes it; what it returns becomes `made`. `payload`
    says what the key was used for; `seen` is the mark of the rounds (`event_rounds.mark`) that the actor saw.
    `ahead` works it out once before the event is locked: a draw takes long, and keeps what it has worked out.
    Raises `RequestRefused`.
    """

    roles.refuse(actor.role, action)
    if ahead:
        with suppress(RequestRefused):
            apply_rules(lambda: change(load(code).state))

    def carry_out() -> Outcome:
        with transaction.atomic():
            loaded = load_settled(lock_event(code, actor))
            after = loaded.state.copy()
            made = apply_rules(lambda: change(after))
            # Only now: what the rules say against the action itself says more.
            apply_rules(lambda: event_rounds.refuse_other(loaded.state, seen))
            command = Command(action, actor.key, actor.name, note, key, f"{action} {payload}")
            return commit(loaded, after, command, made)

    return answered_once(
        f"event-{action}", carry_out, lambda: earlier_outcome(code, actor.key, key, f"{action} {payload}")
    )


def apply_rules(change: Callable[[], Made]) -> Made:
    """What the rules make of an action; if they forbid it or cannot read it, their sentence refuses it."""
    try:
        return committing.apply_rules(change)
    except Unreadable as unreadable:
        raise RequestRefused(unreadable.line, unreadable.status, "unreadable") from unreadable


def settle(code: str, changed: str = "") -> None:
    """Take over the results of an event's tables as an action of its own, if there are new ones."""
    with transaction.atomic():
        load_settled(lock_event(code), changed)


def load_settled(event: Event, changed: str = "") -> LoadedEvent:
    """The event with the results of its tables taken over; `changed` is a table that has just changed."""
    loaded = event_rows.load(event)
    after = loaded.state.copy()
    if event_tables.take_over(after, changed):
        commit(loaded, after, Command(event_log.SETTLE))
    return loaded


def commit(loaded: LoadedEvent, after: Gathering, command: Command, made: Any = None) -> Outcome:
    """Save what changed, write the entry, and tell the listeners once it is committed."""
    event, before = loaded.event, loaded.state
    old, new = diff(before, after)
    if not new and not after.lines:
        return Outcome(event.version, made=made, loaded=loaded)
    columns = event_rows.save(loaded, after, new)
    event.version += 1
    entry = event_log.write(event, after, command, old, new)
    prepared.save_columns(event, (*columns, *ALWAYS), clock.now())
    code, version = event.code, event.version
    # What is saved stays saved, even if a listener fails.
    transaction.on_commit(lambda: _tell(code, version), robust=True)
    begin_saving()
    return Outcome(version, entry=entry, made=made, loaded=loaded)


def _tell(code: str, version: int) -> None:
    for listener in on_change:
        listener(code, version)


def load(code: str) -> LoadedEvent:
    """An event as it stands, including what its tables have said that nobody has taken over yet."""
    loaded = event_rows.load(event_of(code))
    loaded.state = loaded.state.copy()
    event_tables.take_over(loaded.state)
    return loaded


def fresh_code() -> str:
    """A code that no event and no match has: where a code is typed, either may be meant."""
    while True:
        code = random_code()
        if not Event.objects.filter(code=code).exists() and not Match.objects.filter(code=code).exists():
            return code


def event_of(code: str) -> Event:
    """The event with this code; `RequestRefused` (404) for none."""
    return _one(_FOUND, code)


def lock_event(code: str, actor: Actor | None = None) -> Event:
    """The event's row, locked until the transaction ends; `RequestRefused` (404) for none.

    An actor whose link was revoked while they waited for the lock is refused (403).
    """
    event = _one(_LOCKED, code)
    if actor is not None and actor.place is not None and not _is_valid(actor.place):
        raise RequestRefused(say(NO_LONGER), 403, "bad_token")
    return event


def _is_valid(place: Player | Helper) -> bool:
    return type(place)._default_manager.filter(pk=place.pk, epoch=place.epoch).exists()


_FOUND = Prepared(lambda code: Event.objects.filter(code=code).order_by())
_LOCKED = Prepared(lambda code: Event.objects.select_for_update().filter(code=code).order_by())


def _one(events: Prepared[Event], code: str) -> Event:
    found = events(code.upper()) if CODE.fullmatch(code) else []
    if not found:
        raise RequestRefused(say(_("There is no event with this code.")), 404, "unknown")
    return found[0]


def earlier_outcome(code: str, by: str, key: str, payload: str) -> Outcome | None:
    """The outcome that this key got before, if it was used; 422 if it was used for something else."""
    if not key or not CODE.fullmatch(code):
        return None
    known = (
        EventEntry.objects.filter(event__code=code.upper(), by=by, key=key).select_related("event").first()
    )
    if known is None:
        return None
    if not hmac.compare_digest(known.payload, event_log.fingerprint(known.event, payload)):
        raise RequestRefused(
            say(_("This button was already used for something else. Please tap again.")), 422, "key_reused"
        )
    return Outcome(known.version, is_replay=True)
