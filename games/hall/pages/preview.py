"""What an event's pages say about themselves where their address is posted."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from games import view_models
from games.core.words import isolated
from games.hall.models import Event
from games.hall.pages.region import about, heading
from games.hall.rules.pieces import Gathering
from games.pages.common import share


def of_event(
    request: HttpRequest, event: Event, g: Gathering, name: str, title: str = "", *more: int
) -> view_models.Share:
    """The page with this name: the event, how far it has got, what is played; `title` is the page's own."""
    path = reverse(name, args=[event.code, *more])
    facts = (heading(g), *about(g))
    return share(request, path, " · ".join(filter(None, (title, isolated(g.name)))), " · ".join(facts))
