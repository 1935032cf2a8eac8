"""What an organiser's form means for the position: fields set, pieces added and removed, points given."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import OperationalError, transaction
from django.utils.translation import get_language

from games.admin.columns import TABLE, column
from games.core.army_lists import key_of
from games.core.state import KINDS, State
from games.core.system import system
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.live.hub import Audience
from games.match import play
from games.match.verdict import RequestRefused
from games.models import Match
from games.views.playing import boards
from games.views.playing.loaded import Table

logger = logging.getLogger(__name__)


@dataclass
class Edit:
    """All changes of one form; calling it makes them on a position."""

    author: str
    changed: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    added: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    removed: list[tuple[str, str]] = field(default_factory=list)
    points: list[tuple[str, int, str]] = field(default_factory=list)

    def __call__(self, g: State) -> None:
        for kind, key in self.removed:
            remove(g, kind, key)
        for kind, values in self.added:
            add(g, kind, values)
        for kind, key, values in self.changed:
            change(g, kind, key, values)
        for seat, points, reason in self.points:
            g.score(seat, points, reason, author=self.author)


def carry_out(
    code: str, edit: Callable[[State], None], author: str, reason: str, key: str = ""
) -> play.Verdict:
    """Put an edit on a match as one entry in its log; the same `key` with the same edit does it once.

    Raises `RequestRefused` if the rules cannot go on from there, or no page could show it.
    """
    with transaction.atomic():
        verdict = play.edit(code, edit, author, reason, key)
        _look(Match.objects.get(code=code))
    return verdict


def _look(match: Match) -> None:
    """Draw the table for all who will see it: an edit that breaks their pages is not kept."""
    table = Table(match)
    try:
        for seats in ((), *((seat,) for seat in table.state.seats)):
            boards.html(table, Audience(seats, get_language() or "en", "table"))
    except OperationalError:
        raise
    except Exception as error:
        logger.warning("an edit of match %s that no page can show", match.code, exc_info=error)
        line = say(noop("The match cannot be shown after that. Nothing was changed."))
        raise RequestRefused(line, 409, "impossible") from error


def change(g: State, kind: str, key: str, values: dict[str, Any]) -> None:
    """Set fields of a piece, or of the table; a piece named in a mutual field names the other back."""
    if kind == TABLE:
        for name, value in values.items():
            setattr(g, name, value)
        return
    pieces = getattr(g, KINDS[kind])
    if key not in pieces:
        return
    pieces[key] = replace(pieces[key], **values)
    for name, value in values.items():
        if column(system(g.system), kind, name).is_mutual:
            _name_back(pieces, key, name, value)


def add(g: State, kind: str, values: dict[str, Any]) -> str:
    """Put a new piece on the table; returns its key, made from its name."""
    pieces = getattr(g, KINDS[kind])
    key = key_of(values.get("name", ""), pieces, kind)
    piece_type: Any = g.piece_type(kind)
    pieces[key] = piece_type(key=key, **values)
    return key


def remove(g: State, kind: str, key: str) -> None:
    """Take a piece off the table, and its key out of every field that holds it."""
    getattr(g, KINDS[kind]).pop(key, None)
    for path, told in system(g.system).columns.items():
        if told.among != kind:
            continue
        where, _slash, name = path.partition("/")
        holders = [g] if where == TABLE else list(getattr(g, KINDS[where]).values())
        for holder in holders:
            _forget(holder, name, key)


def _name_back(pieces: dict[str, Any], key: str, name: str, named: frozenset[str]) -> None:
    for other, piece in pieces.items():
        present = getattr(piece, name)
        wanted = present | {key} if other in named else present - {key}
        if wanted != present:
            setattr(piece, name, wanted)


def _forget(holder: Any, name: str, key: str) -> None:
    held = getattr(holder, name, None)
    if isinstance(held, frozenset) and key in held:
        setattr(holder, name, held - {key})
    elif held == key:
        setattr(holder, name, None)
