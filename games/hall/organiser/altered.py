"""What was changed in an event without its history: named on the organisers' page, decided on its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.core.words import together
from games.hall import comparing, exchange, storage
from games.hall.comparing import Comparison
from games.hall.models import Event
from games.hall.organiser.access import Visit, at_event, organiser_of
from games.translation import words
from games.view_models import organiser as parts


def link(visit: Visit) -> parts.AlteredNotice | None:
    """The first difference, for those who may decide about it; None if there is none."""
    if not visit.may("change"):
        return None
    found = comparing.compare(visit.event)
    sentences = [*_sentences(found, 1), *filter(None, [_broken(found)])]
    if not sentences:
        return None
    said = _("Changed outside the program: %(what)s") % {"what": together(sentences)}
    return parts.AlteredNotice(said, reverse("organise-altered", args=[visit.code]))


def altered(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> tuple[str, dict]:
    """All that differs, and the buttons that take what the history says or keep what is stored."""
    found = comparing.compare(visit.event)
    buttons = (
        parts.Button(f"{comparing.RESTORE} {found.mark}", _("Take what the history says"), "main"),
        parts.Button(f"{comparing.KEEP} {found.mark}", _("Keep what is stored"), "quiet"),
    )
    page = parts.AlteredPage(
        _sentences(found, comparing.NAMED), _broken(found), buttons if found.differences else ()
    )
    return _("Changed outside the program"), {"page": page}


@require_safe
@at_event
def file(request: HttpRequest, code: str) -> HttpResponse:
    """The history of an event as a file that `verify.py` checks."""
    visit = organiser_of(request, code)
    text = json.dumps(exchange.history(visit.event), ensure_ascii=False)
    headers = {"Content-Disposition": f'attachment; filename="roundtable-event-{visit.code}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _sentences(found: Comparison, most: int) -> tuple[str, ...]:
    return tuple(words(line) for line in islice(comparing.sentences(found, _field_name), most))


def _broken(found: Comparison) -> str:
    """That the history itself was altered; no button can mend that."""
    if not found.broken:
        return ""
    entries = _(", ").join(str(version) for version in found.broken[: comparing.NAMED])
    line = _("These entries of the history do not match their fingerprints: %(entries)s.")
    return line % {"entries": entries}


def _field_name(kind: str, name: str) -> str:
    """What a field is called: the name of its column."""
    model = storage.MODELS.get(kind, Event)
    column = storage.TO_COLUMN.get(name, name).removesuffix("_id")
    return next(capfirst(str(one.verbose_name)) for one in model._meta.fields if one.name == column)
