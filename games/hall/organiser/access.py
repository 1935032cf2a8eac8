"""What every organisers' page needs first: which event, who holds the phone, one way to refuse."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from games import translation, view_models
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import access, play, roles
from games.hall.access import SESSION_EVENTS, Holder
from games.hall.models import Event
from games.hall.play import Actor
from games.match.verdict import RequestRefused
from games.pages.common import refusals
from games.translation import words

HELPERS = (roles.ORGANISER, roles.JUDGE, roles.SCOREKEEPER)


@dataclass(frozen=True)
class Visit:
    """The event that a request is about, and who acts with its phone."""

    event: Event
    actor: Actor
    holder: Holder | None = None

    def may(self, action: str) -> bool:
        """Whether this phone may do this."""
        return roles.may(self.actor.role, action)

    @property
    def code(self) -> str:
        """The event's code."""
        return self.event.code


def visit_of(request: HttpRequest, code: str) -> Visit:
    """The event of this code, whose game's words are used from here on, and who asks."""
    event = play.event_of(code)
    translation.activate_game(event.system)
    return Visit(event, access.actor(request, event), access.holder(request, event))


def helper_of(request: HttpRequest, code: str) -> Visit:
    """The same for the organisers' pages; `RequestRefused` (403) for everybody else."""
    visit = visit_of(request, code)
    if visit.actor.role not in HELPERS:
        line = noop("This page is for the organisers of the event. Open the link that they gave you.")
        raise RequestRefused(say(line), 403, "not_allowed")
    return visit


def organiser_of(request: HttpRequest, code: str) -> Visit:
    """The same for pages that only organisers may see."""
    visit = helper_of(request, code)
    roles.refuse(visit.actor.role, "change")
    return visit


def _message(request: HttpRequest, refused: RequestRefused, code: str) -> HttpResponse:
    back = view_models.Link(reverse("home"), _("Home"))
    if code and refused.status != 404:
        back = view_models.Link(reverse("event", args=[code]), _("Page of the event"))
    page = view_models.MessagePage(_("That did not work"), words(refused.line), back)
    return render(request, "message.html", {"page": page}, status=refused.status)


at_event = refusals(lambda request: request.session.get(SESSION_EVENTS, {}), _message)
"""How an organisers' page answers a refusal."""
