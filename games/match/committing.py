"""The transaction of every action on a match (`games.history.commits`): what it locks, checks and saves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from django.db import transaction

from games.core import RequestRefused, State, Term, diff, name_of, say, step_of
from games.core import gettext_noop as _
from games.history import commits
from games.history.commits import CODE, STALE, Verdict, by_code
from games.history.signals import match_changed
from games.match import log, moments, storage
from games.match.log import Command
from games.match.storage import LoadedMatch
from games.models import Entry, Match, Seat
from games.prepared import Prepared

ALWAYS = ("since", "undo_request", "finished_at")
"""Columns of the match that every action writes."""
UNKNOWN = _("There is no table with this code.")

CarryOut = Callable[[LoadedMatch], Verdict]


def once(
    code: str, seat: str, key: str, payload: str, carry_out: CarryOut, *, decides: bool = False
) -> Verdict:
    """Carry out an action on the locked match, in one transaction; a known key gets the same answer again.

    If something secret was altered outside the game, only an action that `decides` about it is carried out.
    """
    return commits.once(
        payload.partition(" ")[0],
        lambda: carry_out(_unaltered(code, decides)),
        lambda: earlier_verdict(code, seat, key, payload),
    )


def _unaltered(code: str, decides: bool) -> LoadedMatch:
    loaded = checked(lock_match(code))
    if loaded.altered and not decides:
        raise log.halted()
    return loaded


@contextmanager
def locked(code: str) -> Iterator[LoadedMatch]:
    """The locked match within a transaction, for an action without a key."""
    with transaction.atomic():
        yield checked(lock_match(code))


def checked(match: Match) -> LoadedMatch:
    """The match with its position, for an action: what is read from rows is compared with the log."""
    loaded = storage.recall(match)
    if loaded is None:
        loaded = storage.load(match)
        log.check_secrets(loaded)
    return loaded


def lock_match(code: str) -> Match:
    """The match's row, locked until the transaction ends; `RequestRefused` (404) if there is none.

    A request for a seat that was freed while it waited is refused (403).
    """
    match = by_code(_LOCKED, code, UNKNOWN)
    refuse_lost_seat(match)
    return match


_FOUND = Prepared(lambda code: Match.objects.filter(code=code).order_by())
_LOCKED = Prepared(lambda code: _FOUND.query(code).select_for_update().defer(*storage.UNASKED))


def match_of(code: str) -> Match:
    return by_code(_FOUND, code, UNKNOWN)


def earlier_verdict(code: str, seat: str, key: str, payload: str) -> Verdict | None:
    """The verdict that this key got before, if any."""
    if not CODE.fullmatch(code):
        return None
    return commits.earlier_verdict(Entry.objects.filter(match__code=code, seat=seat), "match", key, payload)


def has_arrived(match: Match, seat: str, key: str) -> bool:
    """Whether this seat has done something with this key."""
    return Entry.objects.filter(match=match, seat=seat, key=key).exists()


def author_of(loaded: LoadedMatch, seat: str) -> str:
    """What the log calls a seat's player; "" for one without a name."""
    army = loaded.state.armies.get(seat)
    return army.name if army else ""


def who_acts(loaded: LoadedMatch, seat: str, author: str) -> str | Term:
    """What sentences call who acts: a name, or the colour of a player without one."""
    return author or (name_of(loaded.state, seat) if seat else Term(_("Organiser")))


def finished() -> RequestRefused:
    """The refusal (409) for a player who wants to correct a match that is over."""
    line = say(_("The match is over; only the organiser can correct it now."))
    return RequestRefused(line, 409, "finished")


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
        after.lines = [*after.lines, *log.altered_news(match, loaded, after)]
        match.altered = loaded.altered
        columns = [*columns, "altered"]
    entry = log.write(match, before, after, command, old, new)
    match.finished_at = (match.finished_at or entry.created_at) if after.result is not None else None
    version = match.version
    commits.finish(match, (*columns, *ALWAYS), lambda: _tell(version, loaded))
    return Verdict(version, loaded=loaded, entry=entry)


def _tell(version: int, loaded: LoadedMatch) -> None:
    storage.keep(loaded)
    match_changed.send(Match, version=version, loaded=loaded)


def _request_after(asked: dict[str, Any] | None, command: Command) -> dict[str, Any] | None:
    """The undo that is requested after a command; void once a seat that was asked plays on."""
    if command.kind == Entry.Kind.UNDO:
        return command.undo_request
    plays_on = command.kind in (Entry.Kind.TAP, Entry.Kind.BRING)
    return None if asked and plays_on and command.seat in asked["needs"] else asked


# --- pages that are out of date --------------------------------------------------------------------


def refuse_stale(match: Match, seen: int) -> None:
    """Refuse (409) an answer to a question that is no longer open: the phone saw an earlier version."""
    if not match.since <= seen <= match.version:
        raise stale()


def refuse_changed_question(loaded: LoadedMatch, seat: str, seen: int) -> None:
    """Refuse (409) an answer from a page whose question is open, but no longer asks what it shows.

    A page stays good while others answer the same question, so that simultaneous answers do not refuse each
    other. It does not once its own seat has tapped, or when something that the answer decides has changed.
    """
    if seen == loaded.match.version:
        return
    if _has_tapped(loaded.match, seat, seen) or _decides_otherwise(loaded, seen):
        raise stale()


def stale() -> RequestRefused:
    """The refusal (409) of a tap from a page that is out of date."""
    return RequestRefused(say(STALE), 409, "stale")


def _has_tapped(match: Match, seat: str, seen: int) -> bool:
    """Whether this seat has tapped since: a second die, or a second card, would count the first one twice."""
    later = Entry.objects.filter(match=match, version__gt=seen)
    return later.filter(seat=seat, kind=Entry.Kind.TAP).exists()


def _decides_otherwise(loaded: LoadedMatch, seen: int) -> bool:
    """Whether the answer would decide something else than it did then."""
    now = _at_stake(loaded.state)
    return bool(now) and now != _at_stake(moments.rewound(loaded.state, loaded.match, seen))


def _at_stake(state: State) -> str:
    step = step_of(state)
    return "" if step is None else step.at_stake(state)


# --- seats that were freed meanwhile ---------------------------------------------------------------


class _Speaker(NamedTuple):
    code: str
    seat: str
    epoch: int
    freed: int


_SPEAKER: ContextVar[_Speaker | None] = ContextVar("speaker", default=None)


@contextmanager
def speaking_for(code: str, seat: str, epoch: int, freed: int) -> Iterator[None]:
    """Actions at the table `code` count only while `seat` is at this epoch.

    A request learns which seats its phone has before it waits for the match's lock, and a seat may be freed
    meanwhile. `freed` is how many seats of the table had been freed when the seat was read: the match's row
    counts them, and the seat is read again under the lock only if that number has changed.
    """
    token = _SPEAKER.set(_Speaker(code, seat, epoch, freed))
    try:
        yield
    finally:
        _SPEAKER.reset(token)


def refuse_lost_seat(match: Match) -> None:
    """Refuse (403) a speaker who has lost their seat, now that nobody else can free it."""
    speaker = _SPEAKER.get()
    if speaker is None or speaker.code != match.code or speaker.freed == match.freed:
        return
    if not Seat.objects.filter(match=match, key=speaker.seat, epoch=speaker.epoch).exists():
        raise seat_lost()


def seat_lost() -> RequestRefused:
    """The refusal (403) of an action for a seat that this device does not have."""
    return RequestRefused(say(_("This device does not have that seat.")), 403, "not_your_seat")
