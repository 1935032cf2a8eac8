"""How a request is answered that failed because the stored rows of its match or event were altered."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import partial

from django.apps import apps
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.core.system import NotServed
from games.events import damage as damage_of_events
from games.events.models import Event
from games.match import damage
from games.models import Match
from games.translation import words
from games.web.refusals import refuse

log = logging.getLogger(__name__)

OF_THE_ADMIN = re.compile(r"(games|events)_([a-z]+)_[a-z]+")
"""The URL name of an admin page about one row: a match, an event, or part of one."""


class DamagedMatches:
    """Answer with a sentence if a request fails on an altered match or event; our own faults stay faults."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The sentence (409); None for anything that is neither a match's fault nor an event's."""
        if isinstance(exception, damage.Damaged):
            return refuse(request, 409, words(exception.line), error=damage.ERROR)
        if isinstance(exception, damage.OTHERS):
            return None
        for row in subjects(request):
            if sentence := why_not(row):
                kind = row._meta.model_name
                log.error("what is stored of %s %s was altered (%r)", kind, row.code, exception)
                return refuse(request, 409, _(sentence), error=damage.ERROR)
        return None


def subjects(request: HttpRequest) -> Iterator[Match | Event]:
    """The match or event that a request's address names, by a code or by a row."""
    address = request.resolver_match
    if address is None:
        return
    if found := OF_THE_ADMIN.fullmatch(address.url_name or ""):
        yield from _of_row(found[1], found[2], unquote(address.kwargs.get("object_id", "")))
        return
    code = str(address.kwargs.get("code", "")).upper()
    yield from Match.objects.filter(code=code)
    yield from Event.objects.filter(code=code)


def _of_row(app: str, model: str, pk: str) -> Iterator[Match | Event]:
    try:
        row = apps.get_model(app, model)._default_manager.filter(pk=pk).first()
    except (LookupError, ValueError, ValidationError):
        return
    for found in (row, getattr(row, "match", None), getattr(row, "event", None)):
        if isinstance(found, Match | Event):
            yield found


def why_not(row: Match | Event) -> str:
    """The sentence saying that a match or event was altered, as far as can be told now; "" if it was not."""
    if isinstance(row, Event):
        sentence, is_damaged = damage_of_events.ALTERED, partial(damage_of_events.is_damaged, row)
    else:
        sentence, is_damaged = damage.ALTERED, partial(damage.is_damaged, row)
    try:
        return sentence if is_damaged() else ""
    except (NotServed, DatabaseError, Match.DoesNotExist, Event.DoesNotExist):
        return ""
