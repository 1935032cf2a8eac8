"""What every organisers' page starts from: event, phone, one way to refuse; its frame and fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games import translation, view_models
from games.core import RequestRefused, Unreadable, ViewModel, clean_int, say
from games.core import gettext_noop as noop
from games.hall import event_actions, event_links
from games.hall.event_actions import JUDGE, ORGANISER, SCOREKEEPER, Actor, may, refuse_role
from games.hall.event_links import SESSION_EVENTS, Holder
from games.hall.models import Event
from games.pages.common import refusals
from games.translation import gettext as _
from games.translation import words
from games.view_models import Button, Feed, Link, Notice, Option


class Sender(ViewModel):
    """Where the forms of a page post, under which key, and which page they are on."""

    url: str
    key: str
    at: str


class OrganiserFrame(ViewModel):
    """What all organisers' pages share. `feed` is None if nothing updates by itself."""

    event: str
    code: str
    title: str
    sender: Sender
    back: Link | None = None
    notice: Notice | None = None
    feed: Feed | None = None


class Field(ViewModel):
    """One field of a form. `kind` is "text", "number", "halves", "select", "check", "date" or "area"."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    options: tuple[Option, ...] = ()
    help: str = ""
    low: int = 0
    high: int = 0
    checked: bool = False
    focused: bool = False
    most: int = 60


class FieldGroup(ViewModel):
    """Fields under one heading, and the `meanings` of what they offer, each with its name."""

    title: str
    fields: tuple[Field, ...]
    meanings: tuple[tuple[str, str], ...] = ()


class FieldForm(ViewModel):
    """A form with a frame of its own: its fields, two in a row if they are a `pair`, and its buttons.

    `sure` confirms what was refused at first; `shown` says how the fields were filled at first.
    """

    fields: tuple[Field, ...]
    buttons: tuple[Button, ...]
    title: str = ""
    is_pair: bool = False
    sure: Field | None = None
    shown: str = ""
    anchor: str = ""


HELPERS = (ORGANISER, JUDGE, SCOREKEEPER)


@dataclass(frozen=True)
class Visit:
    """The event that a request is about, and who acts with its phone."""

    event: Event
    actor: Actor
    holder: Holder | None = None

    def may(self, action: str) -> bool:
        """Whether this phone may do this."""
        return may(self.actor.role, action)

    @property
    def code(self) -> str:
        return self.event.code


def visit_of(request: HttpRequest, code: str) -> Visit:
    """The event of this code, whose game's words are used from here on, and who asks."""
    event = event_actions.seen_now(code)
    translation.activate_game(event.system)
    return Visit(event, event_links.actor(request, event), event_links.holder(request, event))


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
    refuse_role(visit.actor.role, "change")
    return visit


def _message(request: HttpRequest, refused: RequestRefused, code: str) -> HttpResponse:
    back = view_models.Link(reverse("home"), _("Home"))
    if code and refused.status != 404:
        back = view_models.Link(reverse("event", args=[code]), _("Event page"))
    page = view_models.MessagePage(_("That did not work"), words(refused.line), back)
    return render(request, "message.html", {"page": page}, status=refused.status)


at_event = refusals(lambda request: request.session.get(SESSION_EVENTS, {}), _message)
"""How an organisers' page answers a refusal."""


AT_ONCE = 60
"""How many players, or log entries, a page shows before it is asked for the rest."""


Made = tuple[str, dict[str, Any]]


KnownT = TypeVar("KnownT")


def known(pieces: Mapping[str, KnownT], key: str) -> KnownT:
    """The player or table that a page is about; `RequestRefused` (404) if there is none."""
    if key not in pieces:
        raise RequestRefused(say(noop("This event has no such player or table.")), 404, "unknown")
    return pieces[key]


def page_url(visit: Visit, name: str) -> str:
    """The address of one of the organisers' pages, by its short name."""
    return reverse(f"organise-{name}", args=[visit.code])


def halves(label: str, typed: str, low: int, high: int) -> float:
    """A number from a form that may have a half. Raises `Unreadable`, naming the field."""
    typed = typed.strip().replace(",", ".")
    rest = 0.5 if typed.endswith((".5", "½")) else 0
    return (
        whole(label, typed.removesuffix(".5").removesuffix("½").removesuffix(".0") or "0", low, high) + rest
    )


def whole(label: str, typed: str, low: int, high: int) -> int:
    """A whole number from a form. Raises `Unreadable`, naming the field."""
    try:
        return clean_int(typed, low, high)
    except Unreadable as unreadable:
        line = say(noop("%(field)s: %(problem)s"), field=label, problem=unreadable.line)
        raise Unreadable(line, unreadable.status) from None
