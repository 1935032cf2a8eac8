"""Undo of an event's action: its `before` put on again as a new record, nothing deleted."""

from __future__ import annotations

from django.db import transaction

from games.core.diff import apply, overlaps
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.events import matches, play, roles
from games.events.log import UNDO, Command
from games.events.models import Event, Record
from games.events.rules import running
from games.events.rules.pieces import Gathering
from games.match.verdict import RequestRefused, answered_once

NEVER = frozenset({"open", UNDO, "appoint", "dismiss", "new_link"})
"""Actions that stay: the opening, what took something back, and whose links open what."""

COUNTERS = frozenset({"drawn"})
"""What never goes back: a draw taken back is not drawn again."""


def standing(event: Event, limit: int = 50) -> list[Record]:
    """The actions that stand and can be taken back, newest first."""
    found = Record.objects.filter(event=event, undone_by=None).exclude(action__in=NEVER)
    return list(found.order_by("-version")[:limit])


def undo(code: str, version: int, actor: play.Actor, key: str = "") -> play.Outcome:
    """Take back the action that made a version. Raises `RequestRefused` where something rests on it."""
    payload = f"{UNDO} {version}"
    roles.refuse(actor.role, UNDO)

    def carry_out() -> play.Outcome:
        with transaction.atomic():
            board = play.settled(play.locked(code))
            record = _target(board.event, version)
            image = {path: value for path, value in record.before.items() if path not in COUNTERS}
            _refuse_resting(board.event, record)
            play.played(lambda: _refuse_played(board.state, record))
            after = apply(board.state, image)
            for pairing in board.state.pairings.values():
                if pairing.match and _loses_match(after, pairing.key):
                    matches.clear_away(pairing.match)
            matches.open_again(after, board.event)
            after.begin_action()
            after.say(_("%(name)s undoes: %(action)s"), name=actor.name, action=label(record))
            command = Command(UNDO, actor.key, actor.name, "", key, payload, record)
            return play.commit(board, after, command)

    return answered_once("event-undo", carry_out, lambda: play.answered(code, actor.key, key, payload))


def label(record: Record) -> Line:
    """An action in its first sentence."""
    return Line.from_json(record.lines[0]) if record.lines else say(_("a change"))


def _target(event: Event, version: int) -> Record:
    record = Record.objects.filter(event=event, version=version, undone_by=None).first()
    if record is None or record.action in NEVER:
        raise RequestRefused(say(_("This can no longer be undone.")), 409, "nothing_to_undo")
    return record


def _refuse_resting(event: Event, record: Record) -> None:
    written = {path: None for path in record.after if path not in COUNTERS}
    later = Record.objects.filter(event=event, version__gt=record.version, undone_by=None)
    for other in later.exclude(action__in=NEVER).order_by("version"):
        if overlaps(written, {path: None for path in other.after if path not in COUNTERS}):
            line = _("This can be undone only after what rests on it: %(action)s")
            raise RequestRefused(say(line, action=label(other)), 409, "rests")


def _refuse_played(g: Gathering, record: Record) -> None:
    """A round cannot be taken back once a table of it has a result."""
    for path, value in record.before.items():
        kind, _slash, rest = path.partition("/")
        if kind != "pairing":
            continue
        pairing = g.pairings.get(rest.partition("/")[0])
        if pairing is None:
            continue
        if value is None or rest.endswith("/match"):
            running.refuse_begun(g, pairing.round)


def _loses_match(after: Gathering, key: str) -> bool:
    found = after.pairings.get(key)
    return found is None or found.match is None
