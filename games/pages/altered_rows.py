"""How a request is answered that fails because somebody altered the rows of its match or event."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from django.apps import apps
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, SuspiciousOperation, ValidationError
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from games.core import NotServed, RequestRefused, system
from games.hall import comparing
from games.hall.models import Event
from games.history import commits
from games.history.commits import UNREADABLE as SENTENCE
from games.history.file_form import Form, Seat
from games.match import storage
from games.models import Match
from games.web import refuse

log = logging.getLogger(__name__)
OTHERS = (RequestRefused, NotServed, DatabaseError, Http404, PermissionDenied, SuspiciousOperation)
"""Exceptions that have other causes."""
OF_THE_ADMIN = re.compile(r"(games|events)_([a-z]+)_[a-z]+")
"""The URL name of an admin page about one row: a match, an event, or part of one."""


class AlteredRows(MiddlewareMixin):
    """Answer with a sentence (409) if a request fails on an altered match or event; our own faults stay."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The sentence; None for what other rows, or no rows, are the reason of."""
        if isinstance(exception, OTHERS) or not any(map(is_altered, subjects(request))):
            return None
        log.error("%s cannot be shown, for its rows were altered", request.path, exc_info=exception)
        return refuse(request, 409, _(SENTENCE), error="unreadable")


def subjects(request: HttpRequest) -> Iterator[Match | Event]:
    """The match or event that a request's address names, by a code or by a row."""
    address = request.resolver_match
    if address is None:
        return
    if named := OF_THE_ADMIN.fullmatch(address.url_name or ""):
        yield from _of_row(named[1], named[2], unquote(address.kwargs.get("object_id", "")))
        return
    code = str(address.kwargs.get("code", "")).upper()
    yield from Match.objects.filter(code=code)
    yield from Event.objects.filter(code=code)


def _of_row(app: str, model: str, pk: str) -> Iterator[Match | Event]:
    try:
        row = apps.get_model(app, model)._default_manager.filter(pk=pk).first()
    except (LookupError, ValueError, ValidationError):
        return
    for about in (row, getattr(row, "match", None), getattr(row, "event", None)):
        if isinstance(about, Match | Event):
            yield about


def is_altered(row: Match | Event) -> bool:
    """Whether the history of a match or an event does not fit its fingerprints or its rows.

    It replays the whole history, so ask only after a failure.
    """
    try:
        system(row.system)
        return not (comparing.is_sound(row) if isinstance(row, Event) else _is_sound(row))
    except (NotServed, DatabaseError):
        return False
    except Exception:
        # Reading rows that fit their history never fails.
        return True


def _is_sound(match: Match) -> bool:
    if commits.faults(match, commits.entries_of(match)):
        return False
    _UNLOGGED.validate_python({"undo_request": match.undo_request, "altered": match.altered})
    return storage.final_position(match) == storage.load(match).state


class _Undo(Form):
    by: Seat
    target: int
    versions: list[int]
    needs: list[Seat]
    agreed: list[Seat]


class _Altered(Form):
    places: list[str]
    restorable: list[str]
    agreed: list[Seat]


class _Unlogged(Form):
    """The columns of a match that its history does not hold."""

    undo_request: _Undo | None
    altered: _Altered | None


_UNLOGGED = TypeAdapter(_Unlogged)
