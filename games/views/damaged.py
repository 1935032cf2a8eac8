"""What becomes of a request that failed because what is stored of its match was altered."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from django.apps import apps
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.core.system import NotServed
from games.match import damage
from games.models import Match
from games.web.refusals import refuse

log = logging.getLogger(__name__)

OF_THE_ADMIN = re.compile(r"games_([a-z]+)_[a-z]+")
"""The name of an address at which an organiser has one row before them: a match, or what belongs to one."""


class DamagedMatches:
    """Answer what fails at a match that was altered with a sentence; a fault of ours stays one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The sentence (409); None for whatever is no match's fault."""
        if not isinstance(exception, damage.Damaged):
            match = None if isinstance(exception, damage.OTHERS) else match_of(request)
            if match is None or not is_damaged(match):
                return None
            log.error("what is stored of match %s was altered (%r)", match.code, exception)
        return refuse(request, 409, _(damage.ALTERED), error=damage.ERROR)


def match_of(request: HttpRequest) -> Match | None:
    """The match whose code, or of which a row, stands in the address of a request."""
    address = request.resolver_match
    if address is None:
        return None
    if found := OF_THE_ADMIN.fullmatch(address.url_name or ""):
        return _match_of_row(found[1], unquote(address.kwargs.get("object_id", "")))
    return Match.objects.filter(code=str(address.kwargs.get("code", "")).upper()).first()


def _match_of_row(model: str, pk: str) -> Match | None:
    try:
        row = apps.get_model("games", model)._default_manager.filter(pk=pk).first()
    except (LookupError, ValueError, ValidationError):
        return None
    found = row if isinstance(row, Match) else getattr(row, "match", None)
    return found if isinstance(found, Match) else None


def is_damaged(match: Match) -> bool:
    """Whether a match was altered, as far as that can be found out now."""
    try:
        return damage.is_damaged(match)
    except (NotServed, DatabaseError, Match.DoesNotExist):
        return False
