"""Everything that can be done to a match: open it, tap, bring an army, correct, edit, sit down.

Each is one transaction of `committing`, and one entry of the log.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace

from django.db import transaction

from games import catalogue, core
from games.core import Argument, Line, RequestRefused, RosterRow, State, diff, name_of, say, system
from games.core import gettext_noop as _
from games.history.commits import Verdict, apply_rules, fresh_code
from games.match import log, storage
from games.match.committing import (
    author_of,
    commit,
    earlier_verdict,
    finished,
    locked,
    once,
    refuse_changed_question,
    refuse_stale,
    who_acts,
)
from games.match.log import Command
from games.match.storage import LoadedMatch
from games.models import Army, Entry, Match, Seat
from games.web import begin_saving, in_turn, keys, note_key

logger = logging.getLogger(__name__)


def open_match(
    system_slug: str,
    mode: str,
    names: Mapping[str, str],
    options: Mapping[str, int] | None = None,
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
    options: Mapping[str, int] | None = None,
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
        entry = log.write(match, state, state, command or Command(Entry.Kind.OPEN), {}, after)
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

    return once(code, seat, key, payload, carry_out)


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

    return once(code, seat, key, payload, carry_out)


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

    return once(code, seat, key, payload, carry_out)


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
        _settle_edited(after)
        command = Command(Entry.Kind.EDIT, author=author, note=reason, key=key, payload=payload)
        return commit(loaded, after, command)

    return once(code, "", key, payload, carry_out)


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


def _settle_edited(state: State) -> None:
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
        after.lines = [say(log.HALTED)]
        commit(loaded, after, Command(Entry.Kind.REMARK))


def restore_secrets(code: str, seat: str, key: str, author: str = "") -> Verdict:
    """Put back what was committed to, as this seat ("": an organiser)."""
    payload = f"{RESTORE} {seat}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        altered = _altered(loaded)
        if not altered["restorable"]:
            line = _("The history no longer has the sealed answers.")
            raise RequestRefused(say(line), 409, "not_restorable")
        back = log.as_logged(loaded, altered["restorable"])
        _was, now = diff(loaded.state, back)
        # The log has these values already, so only the rows change.
        storage.save(loaded, back, now)
        log.check_secrets(loaded)
        after = back.copy()
        line = _("%(name)s restores the sealed answers: %(players)s.")
        after.say(line, name=who_acts(loaded, seat, author), players=_players(back, altered["restorable"]))
        return commit(loaded, after, _decision(loaded, Entry.Kind.REMARK, seat, author, key, payload))

    return once(code, seat, key, payload, carry_out, decides=True)


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

    return once(code, seat, key, payload, carry_out, decides=True)


def _go_on(loaded: LoadedMatch, altered: storage.Altered, command: Command, who: Argument) -> Verdict:
    """Write what is stored into the log, with commitments of its own; of the seed its fingerprint."""
    places = [place for place in altered["places"] if place != log.SEED]
    stored = loaded.state.copy()
    if log.SEED in altered["places"]:
        command = replace(command, path=log.SEED, note=core.commitment(loaded.match.seed))
        stored.say(_("%(name)s continues with another random seed."), name=who)
    if places:
        loaded.state = log.as_logged(loaded, places)
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
    return tuple(name_of(state, seat) for seat in log.seats_of(places))
