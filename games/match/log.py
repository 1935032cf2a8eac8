"""The log: every action is one entry that is never changed, with a public and a sealed part.

Admin, API, export and history read the public part; `lines_for` adds what is sealed for
the reader's own seat.
"""

from __future__ import annotations

import hmac
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, TextField, When
from django.db.models.fields.json import KeyTextTransform

from games import prepared
from games.core import clocks, engine
from games.core.clocks import Clock, Thought, Timed
from games.core.diff import Image
from games.core.pieces import plain
from games.core.state import State
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.history import logbook as chain
from games.history.logbook import SEALED
from games.models import Entry, Match
from games.web import clock as common_clock


@dataclass(frozen=True)
class Command:
    """What is written into the log as well as the images."""

    kind: Entry.Kind
    seat: str = ""
    author: str = ""
    path: str = ""
    action: str = ""
    note: str = ""
    key: str = ""
    payload: str = ""
    undoes: Entry | None = None
    undo_request: dict[str, Any] | None = None
    """Of an `UNDO`: the undo that the others are asked for from now on, if any."""


def write(match: Match, before: State, after: State, command: Command, old: Image, new: Image) -> Entry:
    """The entry of a command: its public part, and by seat what only that seat may read.

    The match's row learns the fingerprint of its new last entry; the caller saves it.
    """
    sealed = chain.salted(sealed_part(after, command, old, new))
    is_secret = "action" in sealed.get(command.seat, {})
    open_question = before.flow[-1] if before.flow else None
    entry = Entry(
        match=match,
        version=match.version,
        kind=command.kind,
        seat=command.seat,
        author=command.author,
        step=open_question.step if open_question else "",
        round=before.round,
        path=command.path,
        action=command.action.partition(":")[0] if is_secret else command.action,
        note=command.note,
        lines=[line.to_json() for line in after.lines if line.to is None],
        before=public(old),
        after=public(new),
        sealed=sealed,
        draws=[[draw.counter, draw.outcomes, draw.value] for draw in after.draws],
        opens={f"army/{seat}/hidden/{key}": plain(value) for seat, key, value in after.opened},
        is_final=engine.is_final(before, after),
        undoes=command.undoes,
        key=command.key,
        payload=fingerprint(match, command.payload) if command.key else "",
        created_at=common_clock.now(),
    )
    chain.join(match, entry)
    prepared.insert(entry)
    return entry


def fingerprint(match: Match, payload: str) -> str:
    """A keyed hash, so that a sealed answer cannot be guessed from the log."""
    return hmac.digest(match.seed.encode(), payload.encode(), "sha256").hex()


def thought(match: Match, clock: Clock, until: Entry | None = None) -> Thought:
    """Everybody's thinking time by the log of a match, now or when an entry was made."""
    rows = Entry.objects.filter(match=match).order_by("version")
    rows = rows.filter(version__lte=until.version) if until else rows
    turn = KeyTextTransform(clock.turn, "before")
    rows = rows.annotate(turn=Case(When(kind=Entry.Kind.ADJUST, then=turn), output_field=TextField()))
    names = ("version", "created_at", "kind", "step", "seat", "action", "undoes__version", "turn")
    now = until.created_at if until else common_clock.now()
    timed = (_timed(match, clock, *row) for row in rows.values_list(*names))
    return clocks.thought(timed, clock, now.timestamp())


def _timed(
    match: Match,
    clock: Clock,
    version: int,
    at: datetime,
    kind: str,
    step: str,
    seat: str,
    action: str,
    undoes: int | None,
    turn: str | None,
) -> Timed:
    verb = action.partition(":")[0]
    passes = kind == Entry.Kind.ADJUST and (bool(turn) or verb in clock.passing)
    whose = (turn or _turn_at(match, clock, version)) if passes else seat
    return Timed(version, at.timestamp(), kind, step, whose, verb, undoes, passes)


def _turn_at(match: Match, clock: Clock, version: int) -> str:
    """Whose turn it was at a version that has not changed that: whose an earlier entry has made it."""
    turned = Entry.objects.filter(match=match, version__lt=version)
    turned = turned.annotate(turn=KeyTextTransform(clock.turn, "after")).filter(turn__isnull=False)
    return turned.order_by("-version").values_list("turn", flat=True).first() or ""


def sealed_part(after: State, command: Command, old: Image, new: Image) -> dict[str, Any]:
    """By seat, what only it may read of an entry: hidden values, sentences, an action that hides a value."""
    sealed: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, image in (("before", old), ("after", new)):
        for path, value in image.items():
            if seat := _owner_of_secret(path) or _owner_of_army(path, value):
                sealed[seat].setdefault(name, {})[path] = value
    for line in after.lines:
        if line.to is not None:
            sealed[line.to].setdefault("lines", []).append(line.to_json())
    if command.kind == Entry.Kind.TAP and command.seat in after.hid:
        sealed[command.seat]["action"] = command.action
    return dict(sealed)


def _owner_of_secret(path: str) -> str:
    """Whose hidden value is at a path ("army/red/hidden/bid"); "" for a path of anything else."""
    if not path.startswith("army/"):
        return ""
    parts = path.split("/")
    return parts[1] if len(parts) == 4 and parts[2] == "hidden" else ""


def _owner_of_army(path: str, army: Any) -> str:
    """Whose whole army, with anything hidden, is at a path ("army/red"); "" for a path of anything else."""
    return path.partition("/")[2] if _is_army(path) and army and army.get("hidden") else ""


def _is_army(path: str) -> bool:
    return path.startswith("army/") and path.count("/") == 1


def public(image: Image) -> Image:
    """An image as everybody may read it: hidden values are masked, an army's hidden part is emptied."""
    public: Image = {}
    for path, value in image.items():
        if _owner_of_secret(path):
            public[path] = SEALED
        elif _is_army(path) and value:
            public[path] = {**value, "hidden": {}}
        elif path != "seed":
            public[path] = plain(value)
    return public


def lines_for(entry: Entry, seat: str | None) -> list[Line]:
    """The sentences of an entry that this seat (None: a spectator) may read."""
    own = entry.sealed.get(seat, {}).get("lines", []) if seat else []
    return [Line.from_json(stored) for stored in (*entry.lines, *own)]


def readable_lines(entry: Entry, seat: str | None) -> list[Line]:
    """The sentences of an entry for this reader; "Done in secret." if all are for another seat."""
    return lines_for(entry, seat) or [Line(_("Done in secret.") if entry.sealed else entry.action)]


def full_image(entry: Entry, name: str) -> Image:
    """The whole image ("before" or "after") with what is sealed put back: for replay and undo only."""
    image = dict(getattr(entry, name))
    for part in entry.sealed.values():
        image |= part.get(name, {})
    return image


def full_action(entry: Entry) -> str:
    """The action as it was tapped, sealed or not: for replay only."""
    return entry.sealed.get(entry.seat, {}).get("action", entry.action)
