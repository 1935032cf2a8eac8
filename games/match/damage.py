"""A match whose rows somebody altered in the database: what cannot be shown is refused in a sentence.

Rows are read as the program wrote them, so an altered value may fail anywhere in the code that shows it. The
match is checked only after such a failure; if it is sound, the failure is a bug and is raised as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import DatabaseError
from django.http import Http404
from pydantic import TypeAdapter, ValidationError

from games.core.system import NotServed, system
from games.core.words import gettext_noop as _
from games.core.words import say
from games.match import chain, replay, storage
from games.match.exchange.form import EntryForm, Form, Seat
from games.match.verdict import RequestRefused
from games.models import Entry, Match

ALTERED = _("What is stored of this match was altered and cannot be read. Please tell the organiser.")
CANNOT_BE_READ = "what is stored of it was altered and cannot be read."
"""What commands say after the code of a match."""
ERROR = "damaged"
OTHERS = (RequestRefused, NotServed, DatabaseError, Http404, PermissionDenied, SuspiciousOperation)
"""Exceptions that have other causes and say nothing about the stored match."""


class Damaged(RequestRefused):
    """A match or an event that cannot be shown because what is stored of it was altered."""

    def __init__(self, sentence: str = ALTERED) -> None:
        super().__init__(say(sentence), 409, ERROR)


def detecting(match: Match) -> AbstractContextManager[None]:
    """Inside this block, a failure because the match was altered becomes `Damaged`; others stay."""
    return blaming(ALTERED, lambda: is_damaged(match))


@contextmanager
def blaming(sentence: str, is_altered: Callable[[], bool]) -> Iterator[None]:
    """Inside this block, a failure becomes `Damaged` with this sentence, if something was altered."""
    try:
        yield
    except OTHERS:
        raise
    except Exception as fault:
        if not is_altered():
            raise
        raise Damaged(sentence) from fault


def is_damaged(match: Match) -> bool:
    """Whether the history of a match does not fit its fingerprints or its rows, or cannot be read at all.

    It replays the whole history, so ask only after a failure. Raises `NotServed` if the game is gone.
    """
    system(match.system)
    return is_broken(lambda: _is_sound(Match.objects.get(pk=match.pk)), Match.DoesNotExist)


def is_broken(is_sound: Callable[[], bool], gone: type[Exception]) -> bool:
    """Whether rows, read again, are not sound; raises `gone` if they no longer exist."""
    try:
        return not is_sound()
    except (gone, DatabaseError):
        raise
    except Exception:
        # Reading rows that fit their history never fails, so these were altered.
        return True


def exported(match: Match, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The file of a match that `make` returns; `Damaged` if the match or the file cannot be read."""
    with detecting(match):
        file = make()
    if not all(map(_has_form, file["entries"])) and is_damaged(match):
        raise Damaged
    return file


def can_be_read(entry: Entry) -> bool:
    """Whether everything stored of an entry has the form of an `EntryForm`."""
    try:
        return _has_form({**chain.public_content(entry), **{name: getattr(entry, name) for name in _APART}})
    except (AttributeError, LookupError, TypeError, ValueError):
        return False


_APART = ("sealed", "draws", "commitments", "hash")


def _has_form(entry: dict[str, Any]) -> bool:
    try:
        EntryForm.model_validate({name: entry[name] for name in EntryForm.model_fields})
    except ValidationError:
        return False
    return True


def _is_sound(match: Match) -> bool:
    entries = list(chain.entries_of(match))
    if chain.faults(match, entries):
        return False
    _UNDO.validate_python(match.undo_request)
    _ALTERED.validate_python(match.altered)
    return replay.final_position(match) == storage.load(match).state


class _Undo(Form):
    """The form of `Match.undo_request`, which the history does not hold."""

    by: Seat
    target: int
    versions: list[int]
    needs: list[Seat]
    agreed: list[Seat]


class _Altered(Form):
    """The form of `Match.altered`, which the history does not hold either."""

    places: list[str]
    restorable: list[str]
    agreed: list[Seat]


_UNDO: TypeAdapter[_Undo | None] = TypeAdapter(_Undo | None)
_ALTERED: TypeAdapter[_Altered | None] = TypeAdapter(_Altered | None)
