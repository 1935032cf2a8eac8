"""Everything that can be done to a match: open it, tap, bring an army, correct, edit, sit down.

Each is one transaction (`once`) that locks, checks, saves and tells, and one entry of the log.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from django.db import transaction

from games import catalogue, core
from games.core import (
    Argument,
    Line,
    RequestRefused,
    RosterRow,
    State,
    Term,
    diff,
    name_of,
    say,
    step_of,
    system,
)
from games.core import gettext_noop as _
from games.history import commits
from games.history.commits import CODE, STALE, Verdict, apply_rules, by_code, fresh_code
from games.history.signals import match_changed
from games.match import storage
from games.match.storage import Command, LoadedMatch
from games.models import Army, Entry, Match, Seat
from games.prepared import Prepared
from games.web import begin_saving, in_turn, keys, note_key

ALWAYS = ("since", "undo_request", "finished_at")
"""Columns of the match that every action writes."""
UNKNOWN = _("There is no table with this code.")

CarryOut = Callable[[LoadedMatch], Verdict]


def commit_action(
    code: str, seat: str, key: str, payload: str, carry_out: CarryOut, *, decides: bool = False
) -> Verdict:
    """Carry out an action on the locked match, in one transaction; a known key gets the same answer again.

    If something secret was altered outside the game, only an action that `decides` about it is carried out.
    """
    return commits.commit_action(
        payload.partition(" ")[0],
        lambda: carry_out(_unaltered(code, decides)),
        lambda: earlier_verdict(code, seat, key, payload),
    )


def _unaltered(code: str, decides: bool) -> LoadedMatch:
    loaded = checked(lock_match(code))
    if loaded.altered and not decides:
        raise storage.halted()
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
        storage.check_secrets(loaded)
    return loaded


def lock_match(code: str) -> Match:
    """The match's row, locked until the transaction ends; `RequestRefused` (404) if there is none.

    A request for a seat that was freed while it waited is refused (403).
    """
    match = by_code(_LOCKED, code, UNKNOWN)
    refuse_lost_seat(match)
    return match


_FOUND = Prepared(lambda code: Match.objects.filter(code=code).order_by())
_LOCKED = Prepared(lambda code: _FOUND.query(code).select_for_update(), without=storage.UNASKED)


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
        after.lines = [*after.lines, *storage.altered_news(match, loaded, after)]
        match.altered = loaded.altered
        columns = [*columns, "altered"]
    entry = loaded.newest = storage.write(match, before, after, command, old, new)
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
    return bool(now) and now != _at_stake(storage.rewound(loaded.state, loaded.match, seen))


def _at_stake(state: State) -> str:
    step = step_of(state)
    return "" if step is None else step.at_stake(state)


# --- seats that were freed meanwhile ---------------------------------------------------------------


class _Acting(NamedTuple):
    code: str
    seat: str
    epoch: int
    freed: int


_ACTING: ContextVar[_Acting | None] = ContextVar("speaker", default=None)


@contextmanager
def acting_for(code: str, seat: str, epoch: int, freed: int) -> Iterator[None]:
    """Actions at the table `code` count only while `seat` is at this epoch.

    A request learns which seats its phone has before it waits for the match's lock, and a seat may be freed
    meanwhile. `freed` is how many seats of the table had been freed when the seat was read: the match's row
    counts them, and the seat is read again under the lock only if that number has changed.
    """
    token = _ACTING.set(_Acting(code, seat, epoch, freed))
    try:
        yield
    finally:
        _ACTING.reset(token)


def refuse_lost_seat(match: Match) -> None:
    """Refuse (403) a speaker who has lost their seat, now that nobody else can free it."""
    speaker = _ACTING.get()
    if speaker is None or speaker.code != match.code or speaker.freed == match.freed:
        return
    if not Seat.objects.filter(match=match, key=speaker.seat, epoch=speaker.epoch).exists():
        raise seat_lost()


def seat_lost() -> RequestRefused:
    """The refusal (403) of an action for a seat that this device does not have."""
    return RequestRefused(say(_("This device does not have that seat.")), 403, "not_your_seat")


logger = logging.getLogger(__name__)


def open_match(
    system_slug: str,
    mode: str,
    names: Mapping[str, str],
    options: Mapping[str, int | str] | None = None,
    *,
    is_listed: bool = True,
    is_demo: bool = False,
    opened_from: str = "",
    seed: str | None = None,
    key: str = "",
    payload: str = "",
) -> Match:
    """A new table with these seats (key → player's name), the first question asked.

    `opened_from` is a hash of the opener's address, if anybody opened it. `key` is the idempotency key of a
    program's opening, `payload` what it asked for: `opened_earlier` finds the table by them.
    """
    state = initial_state(system_slug, mode, names, options, seed)
    match = Match(is_listed=is_listed, is_demo=is_demo, opened_from=opened_from)
    match.opening_hash = opening_hash(key)
    command = Command(Entry.Kind.OPEN, key=match.opening_hash, payload=payload)
    return create_match(match, state, say(_("The table is started.")), command)


def opened_earlier(key: str, payload: str) -> Match | None:
    """The table that was opened with this key, if any; 422 if a different one was asked for.

    Call it in the transaction that otherwise opens one: another request with the same key waits meanwhile.
    """
    if not note_key(key):
        return None
    in_turn(f"opening {key}")
    match = Match.objects.filter(opening_hash=opening_hash(key)).first()
    if match is None:
        return None
    earlier_verdict(match.code, "", match.opening_hash, payload)
    return match


def opening_hash(key: str) -> str:
    """What is stored of the key of a program's opening; "" for none."""
    # Anyone who sends the key gets the table that it opened, so it is hashed like a token.
    return keys.mac("opening", key, 64) if key else ""


def initial_state(
    system_slug: str,
    mode: str,
    names: Mapping[str, str],
    options: Mapping[str, int | str] | None = None,
    seed: str | None = None,
) -> State:
    """The position of a new table, the first question asked."""
    state = system(system_slug).open(mode, dict(names), seed or secrets.token_hex(16), dict(options or {}))
    state.entries = catalogue.current(system_slug)
    core.advance(state)
    return state


def create_match(match: Match, state: State, first: Line, command: Command | None = None) -> Match:
    """A new table with this position, free seats, and a log that begins with this sentence."""
    with transaction.atomic():
        match.code, match.system, match.mode = fresh_code(Match), state.system, state.mode
        match.rules, match.seed, match.version, match.since = state.rules, state.seed, 1, 1
        match.save()
        after = storage.create(match, state)
        for army in Army.objects.filter(match=match):
            Seat.objects.create(match=match, army=army, key=army.key)
        state.lines = [first, *state.lines]
        entry = storage.write(match, state, state, command or Command(Entry.Kind.OPEN), {}, after)
        match.created_at = entry.created_at
        match.save()
        begin_saving()
    return match


def tap(code: str, seat: str, action: str, seen: int, key: str) -> Verdict:
    """A tap of an offered action.

    `seen` is the version that the phone showed, `key` the idempotency key minted with the button. Raises
    `RequestRefused`: 409 for a question that is no longer open or an action that is not offered, 422 for
    anything that is not an action.
    """
    payload = f"tap {seat} {action}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        refuse_stale(loaded.match, seen)
        after = apply_rules(lambda: core.play(loaded.state, seat, action))
        refuse_changed_question(loaded, seat, seen)
        author = author_of(loaded, seat)
        command = Command(Entry.Kind.TAP, seat, author, action=action, key=key, payload=payload)
        return commit(loaded, after, command)

    return commit_action(code, seat, key, payload, carry_out)


def bring(code: str, seat: str, text: str, key: str) -> Verdict:
    """An army brought as pasted text, while the table is in its lobby."""
    return _bring(code, seat, "bring", text, key)


def amend(code: str, seat: str, rows: list[RosterRow], key: str) -> Verdict:
    """An army brought as corrected rows, while the table is in its lobby."""
    return _bring(code, seat, "amend", json.dumps([asdict(row) for row in rows]), key)


def with_army(state: State, seat: str, action: str, text: str) -> State:
    """The position after an army was brought: as pasted `text`, or as rows in JSON ("amend")."""
    g = state.copy()
    g.entries = catalogue.current(g.system)
    game = system(g.system)
    if action == "amend":
        game.amend(g, seat, [RosterRow(**row) for row in json.loads(text)])
    else:
        game.bring(g, seat, text)
    core.advance(g)
    return g


def _bring(code: str, seat: str, action: str, text: str, key: str) -> Verdict:
    payload = f"{action} {seat} {text}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        after = apply_rules(lambda: with_army(loaded.state, seat, action, text))
        author = author_of(loaded, seat)
        command = Command(Entry.Kind.BRING, seat, author, action=action, note=text, key=key, payload=payload)
        return commit(loaded, after, command)

    return commit_action(code, seat, key, payload, carry_out)


def adjust(
    code: str, seat: str, path: str, action: str, key: str, *, note: str = "", author: str = ""
) -> Verdict:
    """A correction of one piece ("unit/wolves", "army/red") or of the table ("table").

    Anyone seated may correct while the match runs; afterwards only an organiser
    (`seat` empty, `author` the organiser's name).
    """
    payload = f"adjust {seat} {path} {action} {note}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        if loaded.match.result is not None and seat:
            raise finished()
        loaded.state.entries = catalogue.current(loaded.match.system)
        after = apply_rules(lambda: core.adjust(loaded.state, seat, path, action, note))
        who = author or author_of(loaded, seat)
        return commit(loaded, after, Command(Entry.Kind.ADJUST, seat, who, path, action, note, key, payload))

    return commit_action(code, seat, key, payload, carry_out)


def edit(code: str, change: Callable[[State], None], author: str, reason: str, key: str = "") -> Verdict:
    """An organiser's edit: `change` sets fields of a private copy; logged and undoable like any action.

    Any position is allowed, as long as the rules can go on from it (409 otherwise). With the same `key` a
    repeated edit is done once; edits are compared by the `repr` of `change`.
    """
    payload = f"edit {reason} {change!r}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        after = loaded.state.copy()
        apply_rules(lambda: change(after))
        if not any(diff(loaded.state, after)):
            return Verdict(loaded.match.version)
        after.lines.extend(_lines_of_edit(loaded.state, after, author, reason))
        _follow_edit(after)
        command = Command(Entry.Kind.EDIT, author=author, note=reason, key=key, payload=payload)
        return commit(loaded, after, command)

    return commit_action(code, "", key, payload, carry_out)


def _lines_of_edit(before: State, after: State, author: str, reason: str) -> Iterator[Line]:
    """One sentence about points (how many, whose and why), one with the reason for any other change."""
    changes = tuple(
        say(_("%(change)s %(player)s"), change=f"{points:+d}", player=name_of(after, seat))
        for seat in after.seats
        if (points := after.points(seat) - before.points(seat))
    )
    written, _now = diff(before, after)
    if not changes or any(not path.startswith("score/") for path in written):
        yield say(_("%(author)s corrected the match: %(reason)s"), author=author, reason=reason)
    if changes:
        yield say(_("%(changes)s: %(reason)s"), changes=changes, reason=reason)


def _follow_edit(state: State) -> None:
    game = system(state.system)
    try:
        game.corrections_step.follow(state)
        core.advance(state)
    except Exception as error:
        logger.warning("an organiser's edit that the rules of %s cannot follow", game.slug, exc_info=error)
        line = say(_("The rules cannot continue from there. Nothing was changed."))
        raise RequestRefused(line, 409, "impossible") from error


def sit_down(code: str, seat: str, name: str = "") -> Verdict:
    """Somebody has taken a seat, by this name if they gave one; every phone at the table is told."""
    with locked(code) as loaded:
        after = loaded.state.copy()
        army = after.armies[seat]
        army.name = name or army.name
        after.lines = [say(_("%(name)s takes a seat."), name=name_of(after, seat))]
        kind = Entry.Kind.EDIT if any(diff(loaded.state, after)) else Entry.Kind.REMARK
        return commit(loaded, after, Command(kind, seat, army.name))


def rename(code: str, seat: str, name: str) -> Verdict:
    """Give a player another name from now on; `RequestRefused` (409) once the match is over."""
    with locked(code) as loaded:
        if loaded.match.result is not None:
            raise finished()
        after = loaded.state.copy()
        after.armies[seat].name = name
        if not any(diff(loaded.state, after)):
            return Verdict(loaded.match.version)
        after.lines = [say(_("%(old)s is now called %(name)s."), old=name_of(loaded.state, seat), name=name)]
        return commit(loaded, after, Command(Entry.Kind.EDIT, seat, name))


def remark(code: str, line: Line, author: str = "", action: str = "") -> Verdict:
    """A sentence in the log that changes nothing on the table; every phone is told."""
    with locked(code) as loaded:
        after = loaded.state.copy()
        after.lines = [line]
        return commit(loaded, after, Command(Entry.Kind.REMARK, "", author, action=action))


def new_key() -> str:
    return secrets.token_urlsafe(12)


# --- secrets that were changed outside the game ----------------------------------------------------
# What was committed to is put back by anybody seated, with one tap: the commitment proves that it is right.
# An organiser may also let the changed value stand. Where the log no longer has the value that was committed
# to, everybody seated has to agree to go on with the stored one, or an organiser decides.

RESTORE, ACCEPT = "restore", "accept"
"""The two decisions: what was committed to counts, or what is stored."""


def tell_altered(code: str) -> None:
    """Tell everybody at the table that something secret was altered, and what happens now, once."""
    with locked(code) as loaded:
        if loaded.altered is None or loaded.altered == loaded.match.altered:
            return
        after = loaded.state.copy()
        after.lines = [say(storage.HALTED)]
        commit(loaded, after, Command(Entry.Kind.REMARK))


def restore_secrets(code: str, seat: str, key: str, author: str = "") -> Verdict:
    """Put back what was committed to, as this seat ("": an organiser)."""
    payload = f"{RESTORE} {seat}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        altered = _altered(loaded)
        if not altered["restorable"]:
            line = _("The history no longer has the sealed answers.")
            raise RequestRefused(say(line), 409, "not_restorable")
        back = storage.as_logged(loaded, altered["restorable"])
        _was, now = diff(loaded.state, back)
        # The log has these values already, so only the rows change.
        storage.save(loaded, back, now)
        storage.check_secrets(loaded)
        after = back.copy()
        line = _("%(name)s restores the sealed answers: %(players)s.")
        after.say(line, name=who_acts(loaded, seat, author), players=_players(back, altered["restorable"]))
        return commit(loaded, after, _decision(loaded, Entry.Kind.REMARK, seat, author, key, payload))

    return commit_action(code, seat, key, payload, carry_out, decides=True)


def accept_altered(code: str, seat: str, key: str, author: str = "") -> Verdict:
    """Go on with what is stored, as an organiser (seat ""), or as a seat once all others have agreed."""
    payload = f"{ACCEPT} {seat}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        altered = _altered(loaded)
        if seat and altered["restorable"]:
            line = _("The sealed answers can be restored. Only an organiser can decide otherwise.")
            raise RequestRefused(say(line), 409, "restorable")
        who = who_acts(loaded, seat, author)
        if seat and (agreed := {*altered["agreed"], seat}) < {*loaded.state.seats}:
            loaded.altered = {**altered, "agreed": sorted(agreed)}
            after = loaded.state.copy()
            after.say(_("%(name)s agrees to continue with what is stored."), name=who)
            return commit(loaded, after, _decision(loaded, Entry.Kind.REMARK, seat, author, key, payload))
        return _go_on(loaded, altered, _decision(loaded, Entry.Kind.EDIT, "", author, key, payload), who)

    return commit_action(code, seat, key, payload, carry_out, decides=True)


def _go_on(loaded: LoadedMatch, altered: storage.Altered, command: Command, who: Argument) -> Verdict:
    """Write what is stored into the log, with commitments of its own; of the seed its fingerprint."""
    places = [place for place in altered["places"] if place != storage.SEED]
    stored = loaded.state.copy()
    if storage.SEED in altered["places"]:
        command = replace(command, path=storage.SEED, note=core.commitment(loaded.match.seed))
        stored.say(_("%(name)s continues with another random seed."), name=who)
    if places:
        loaded.state = storage.as_logged(loaded, places)
        line = _("%(name)s continues with what is stored now, not with the sealed answers: %(players)s.")
        stored.say(line, name=who, players=_players(stored, places))
    loaded.altered = None
    # Undoing it brings another value back, so the others are asked.
    stored.revealed = True
    return commit(loaded, stored, command if places else replace(command, kind=Entry.Kind.REMARK))


def _altered(loaded: LoadedMatch) -> storage.Altered:
    if loaded.altered is None:
        raise RequestRefused(say(_("There is nothing to decide any more.")), 409, "not_altered")
    return loaded.altered


def _decision(
    loaded: LoadedMatch, kind: Entry.Kind, seat: str, author: str, key: str, payload: str
) -> Command:
    who = author or author_of(loaded, seat)
    return Command(kind, seat, who, action=payload.partition(" ")[0], key=key, payload=payload)


def _players(state: State, places: list[str]) -> tuple[Argument, ...]:
    return tuple(name_of(state, seat) for seat in storage.seats_of(places))
