"""The transaction of every action: lock, load, play, save what changed, log, tell.

    rows ──load──▶ position ──core──▶ position' ──diff──▶ changed rows + one Entry

A refusal writes nothing and gives the player a sentence.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import transaction

from games import prepared
from games.core import steps
from games.core.diff import diff
from games.core.state import State
from games.core.steps import IllegalAction
from games.core.words import gettext_noop as _
from games.core.words import say
from games.history.verdict import RequestRefused, Verdict, answered_once
from games.match import kept, log, seals, storage
from games.match.codes import CODE
from games.match.log import Command
from games.match.speaking import refuse_lost_seat
from games.match.storage import LoadedMatch
from games.models import Entry, Match
from games.monitoring import spent
from games.prepared import Prepared
from games.web import clock
from games.web.database import begin_saving

Played = TypeVar("Played")

STALE = _("Something changed. Check the table, then tap again.")

ALWAYS = ("version", "since", "undo_request", "finished_at", "chain")
"""Columns of the match that every action writes."""

on_change: list[Callable[[str, int, LoadedMatch], None]] = []
"""Called after each commit with code, version and the match as it was saved."""


def once(
    code: str,
    seat: str,
    key: str,
    payload: str,
    carry_out: Callable[[LoadedMatch], Verdict],
    *,
    decides: bool = False,
) -> Verdict:
    """Carry out an action on the locked match, in one transaction; a known key gets the same answer again.

    If something secret was altered outside the game, only an action that `decides` about it is carried out.
    The key is looked up only if there is a reason to: the action is refused, changes nothing, or the log
    rejects a second entry with this key.
    """
    return answered_once(
        payload.partition(" ")[0],
        lambda: _in_one_transaction(code, carry_out, decides=decides),
        lambda: earlier_verdict(code, seat, key, payload),
    )


def _in_one_transaction(code: str, carry_out: Callable[[LoadedMatch], Verdict], *, decides: bool) -> Verdict:
    with transaction.atomic():
        loaded = checked(lock_match(code))
        if not decides:
            seals.refuse(loaded)
        verdict = carry_out(loaded)
        saving = time.perf_counter()
    spent.add(spent.SAVING, saving)
    return verdict


def current(match: Match) -> LoadedMatch:
    """The match of a row with its position, as the last commit left it."""
    return kept.recall(match) or storage.load(match)


def checked(match: Match) -> LoadedMatch:
    """The same for an action: what is read from the rows is compared with what the log committed to."""
    loaded = kept.recall(match)
    if loaded is None:
        loaded = storage.load(match)
        seals.check(loaded)
    return loaded


def lock_match(code: str) -> Match:
    """The match's row, locked until the transaction ends; `RequestRefused` (404) if there is none.

    A request for a seat that was freed while it waited is refused (403).
    """
    match = _one(_LOCKED, code)
    refuse_lost_seat(match)
    return match


_FOUND = Prepared(lambda code: Match.objects.filter(code=code).order_by())
_LOCKED = Prepared(lambda code: _FOUND.query(code).select_for_update().defer(*storage.UNASKED))


def match_of(code: str) -> Match:
    """The match with this code; `RequestRefused` (404) if there is none."""
    return _one(_FOUND, code)


def _one(matches: Prepared[Match], code: str) -> Match:
    found = matches(code) if CODE.fullmatch(code) else []
    if not found:
        raise RequestRefused(say(_("There is no table with this code.")), 404, "unknown")
    return found[0]


def earlier_verdict(code: str, seat: str, key: str, payload: str) -> Verdict | None:
    """The verdict that this key got before, if any."""
    if not key or not CODE.fullmatch(code):
        return None
    known = Entry.objects.filter(match__code=code, seat=seat, key=key).select_related("match")
    entry = known.only("version", "payload", "match__seed").first()
    if entry is None:
        return None
    if not hmac.compare_digest(entry.payload, log.fingerprint(entry.match, payload)):
        raise RequestRefused(
            say(_("This button was already used for something else. Please tap again.")), 422, "key_reused"
        )
    return Verdict(entry.version, is_replay=True)


def has_arrived(match: Match, seat: str, key: str) -> bool:
    """Whether this seat has done something with this key."""
    return Entry.objects.filter(match=match, seat=seat, key=key).exists()


def refuse_stale(match: Match, seen: int) -> None:
    """Refuse (409) an answer to a question that is no longer open: the phone saw an earlier version."""
    if match.since <= seen <= match.version:
        return
    raise RequestRefused(say(STALE), 409, "stale")


def finished() -> RequestRefused:
    """The refusal (409) for a player who wants to correct a match that is over."""
    line = say(_("The match is over; only the organiser can correct it now."))
    return RequestRefused(line, 409, "finished")


def apply_rules(carry_out: Callable[[], Played]) -> Played:
    """What the rules make of an action; if they forbid it, a `RequestRefused` with their sentence."""
    try:
        return carry_out()
    except IllegalAction as refusal:
        raise RequestRefused(refusal.line, 409, "not_offered", refusal.rule) from refusal
    except steps.Malformed as malformed:
        raise RequestRefused(say(_("This game has no such action.")), 422, "malformed") from malformed


def author_of(loaded: LoadedMatch, seat: str) -> str:
    """What the log calls a seat's player; "" for one without a name."""
    army = loaded.state.armies.get(seat)
    return army.name if army else ""


def commit(loaded: LoadedMatch, after: State, command: Command) -> Verdict:
    """Save what changed, write the entry and, once all is saved, tell the listeners.

    `loaded` moves on to the new position: of several actions in one transaction, all listeners see the last.
    """
    match, before = loaded.match, loaded.state
    old, new = diff(before, after)
    columns = storage.save(loaded, after, new)
    match.version += 1
    if after.asked != before.asked:
        match.since = match.version
    match.undo_request = _request_after(match.undo_request, command)
    if match.altered != loaded.altered:
        after.lines = [*after.lines, *seals.news(match, loaded, after)]
        match.altered = loaded.altered
        columns = [*columns, "altered"]
    entry = log.write(match, before, after, command, old, new)
    match.finished_at = (match.finished_at or entry.created_at) if after.result is not None else None
    prepared.save_columns(match, (*columns, *ALWAYS), clock.now())
    code, version = match.code, match.version
    # What is saved stays saved, even if a listener fails.
    transaction.on_commit(lambda: _tell(code, version, loaded), robust=True)
    begin_saving()
    return Verdict(version, loaded=loaded, entry=entry)


def _request_after(asked: dict[str, Any] | None, command: Command) -> dict[str, Any] | None:
    """The undo that is requested after a command; void once a seat that was asked plays on."""
    if command.kind == Entry.Kind.UNDO:
        return command.undo_request
    plays_on = command.kind in (Entry.Kind.TAP, Entry.Kind.BRING)
    return None if asked and plays_on and command.seat in asked["needs"] else asked


def _tell(code: str, version: int, loaded: LoadedMatch) -> None:
    kept.keep(loaded)
    for listener in on_change:
        listener(code, version, loaded)
