"""What every page of an event needs first: the event, whose phone this is, how to refuse; and its forms."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from games import translation, view_models
from games.core import RequestRefused, ViewModel, say
from games.core import gettext_noop as noop
from games.hall import event_actions, event_links
from games.hall.event_actions import Actor
from games.hall.event_links import Holder
from games.hall.models import Event, Player
from games.pages.common import refusals
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Link, Notice, Option, Share


class FormField(ViewModel):
    """One field of a form; with `options` it is a choice, with `rows` a text of several lines.

    A tick box says whether it is `ticked`.
    """

    name: str
    label: str
    value: str = ""
    hint: str = ""
    error: str = ""
    rows: int = 0
    least: int | None = None
    most: int | None = None
    needed: bool = False
    is_moment: bool = False
    options: tuple[Option, ...] = ()
    suggestions: tuple[str, ...] = ()
    ticked: bool | None = None


class PlayerFields(ViewModel):
    """Fields that belong to one player, under their name."""

    title: str
    fields: tuple[FormField, ...]


class HallForm(ViewModel):
    """A page with one form: the text before it, its fields, its buttons, and what can be read below.

    `groups` of fields come before the others.
    """

    title: str
    back: Link
    post_url: str = ""
    key: str = ""
    over: str = ""
    text: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    buttons: tuple[view_models.Button, ...] = ()
    notice: Notice | None = None
    texts: tuple[tuple[str, str], ...] = ()
    address: str = ""
    qr: str = ""
    ways: tuple[Link, ...] = ()
    groups: tuple[PlayerFields, ...] = ()
    share: Share | None = None


def event_of(code: str) -> Event:
    """The event of this code, whose game's words are used from here on; `RequestRefused` (404) if none."""
    event = event_actions.seen_now(code)
    translation.activate_game(event.system)
    return event


def own(request: HttpRequest, event: Event) -> Player | None:
    """The player whose place this phone holds at the event."""
    holder = event_links.holder(request, event)
    return holder if isinstance(holder, Player) else None


def player_of(request: HttpRequest, event: Event) -> tuple[Player, Actor]:
    """The player whose phone this is, and the actor they are; `RequestRefused` (403) for everybody else."""
    player = own(request, event)
    if player is None:
        line = noop("This device is not registered for this event. Open your personal link first.")
        raise RequestRefused(say(line), 403, "no_place")
    return player, event_links.actor_of(player)


def held_until_now(request: HttpRequest, event: Event, new: Holder | None = None) -> tuple[str, ...]:
    """Whose place this phone gives up at the event for a `new` one, a player's or a helper's; () for none."""
    before = event_links.holder(request, event)
    if before is None or (new is not None and event_links.name_of(before) == event_links.name_of(new)):
        return ()
    return (_("It is currently registered as %(name)s.") % {"name": before},)


def message(request: HttpRequest, refused: RequestRefused, code: str) -> HttpResponse:
    """One sentence and the way back."""
    has_event = refused.error != "unknown" and code
    url, label = (reverse("event", args=[code]), _("Back to the event")) if has_event else ("/", _("Home"))
    page = view_models.MessagePage(_("That did not work"), words(refused.line), view_models.Link(url, label))
    return render(request, "message.html", {"page": page}, status=refused.status)


refusing = refusals(event_links.codes, message)
"""How an event's pages answer a refusal."""


def back(event: Event) -> view_models.Link:
    """The way back to the event's page."""
    return view_models.Link(reverse("event", args=[event.code]), _("Back to the event"))


def to_event(event: Event) -> HttpResponseRedirect:
    """The answer to a form that was accepted."""
    return HttpResponseRedirect(reverse("event", args=[event.code]))


def fresh_key() -> str:
    """The key of a page's forms: as long as a seat-claiming key, because one of them claims a seat."""
    return seats.new_key()


def event_form(event: Event, title: str, **page: Any) -> HallForm:
    """A page with one form about an event, whose key is new unless one is given."""
    return HallForm(title, back(event), **{"key": fresh_key(), "over": event.name, **page})


def form_page(request: HttpRequest, page: HallForm, status: int = 200) -> HttpResponse:
    return render(request, "hall/form.html", {"page": page}, status=status)
