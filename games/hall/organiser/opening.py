"""Opening an event from any phone, and a helper's link, which gives a phone a role."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import translation, view_models
from games.core import validation
from games.hall import access, helping, play
from games.hall.models import Event, Helper
from games.hall.organiser import presets, settings_form
from games.hall.organiser.access import at_event, visit_of
from games.hall.rules import settings
from games.hall.rules.pieces import Gathering
from games.match import play as matches
from games.match.verdict import RequestRefused
from games.pages.common import tap_key, without_referrer
from games.pages.opening import seating
from games.people import seats
from games.translation import words
from games.view_models import organiser as parts
from games.web import clock, limits

REPEATABLE = timedelta(minutes=10)
"""How long the same form sent again leads to the event that it opened."""


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.OPENINGS)
@at_event
def new_event(request: HttpRequest) -> HttpResponse:
    """Open an event by its kind and name; its opener becomes its organiser, on this phone and by a link."""
    preset = presets.preset_of(request.POST.get("preset", "") or request.GET.get("kind", ""))
    translation.activate_game(preset.values["system"])
    if request.method != "POST":
        return _form(request, preset, {"organiser": seating.remembered(request)})
    key = tap_key(request)
    typed = {name: request.POST.get(name, "").strip() for name in ("name", "organiser")}
    try:
        values = {**preset.values, **settings_form.values_of(request.POST, _initial(preset))}
        values["name"] = validation.clean_name(typed["name"] or _(preset.kind.title), 60)
        organiser = validation.clean_name(typed["organiser"] or _("Organiser"))
        event = _opened(request, values, organiser, key)
    except (validation.Unreadable, RequestRefused) as wrong:
        notice = view_models.Notice(words(wrong.line), "bad")
        return _form(request, preset, typed, notice, wrong.status)
    return seating.remember(HttpResponseRedirect(reverse("organise", args=[event.code])), typed["organiser"])


@transaction.atomic
def _opened(request: HttpRequest, values: dict[str, object], organiser: str, key: str) -> Event:
    """The event, opened now or by the same form a moment ago; this phone becomes its organiser's."""
    known = play.opening(key)
    if known is not None and known.created_at > clock.now() - REPEATABLE:
        if (held := play.opener(known.event)) is not None:
            access.take(request, held)
        return known.event
    event, held_now = helping.open_event(values, organiser, seats.address_hash(request), key)
    access.take(request, held_now)
    return event


def _form(
    request: HttpRequest,
    preset: presets.Preset,
    typed: dict[str, str],
    notice: view_models.Notice | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = settings_form.groups(_initial(preset))
    page = parts.NewEventPage(
        post_url=reverse("new-event"),
        back=view_models.Link(reverse("home"), _("Home")),
        key=matches.new_key(),
        preset=preset.kind.slug,
        presets=tuple(_choice(one, preset) for one in presets.offered()),
        name=typed.get("name", ""),
        organiser=typed.get("organiser", ""),
        summary=_(preset.kind.summary),
        groups=shown if notice is None else settings_form.refilled(shown, request.POST),
        flags=settings_form.flags(shown),
        notice=notice,
    )
    return render(request, "hall/organiser/new_event.html", {"page": page}, status=status)


def _initial(preset: presets.Preset) -> Gathering:
    """An event of this kind before anything is set otherwise."""
    values = {**preset.values, "name": _(preset.kind.title)}
    return play.apply_rules(lambda: settings.initial_state(values))


def _choice(one: presets.Preset, chosen: presets.Preset) -> view_models.Link:
    url = f"{reverse('new-event')}?kind={one.kind.slug}"
    return view_models.Link(url, _(one.kind.title), current=one == chosen)


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@at_event
def helper_link(request: HttpRequest, code: str, secret: str) -> HttpResponse:
    """A helper's link. Opening it does nothing; the button gives the phone the role."""
    visit = visit_of(request, code)
    holder = access.holder_of(visit.event, secret)
    if not isinstance(holder, Helper):
        return HttpResponseRedirect(reverse("event-me", args=[visit.code, secret]))
    if request.method == "POST":
        if refusal := access.too_many_devices(request, holder):
            return refusal
        access.take(request, holder)
        return HttpResponseRedirect(reverse("organise", args=[visit.code]))
    context = {
        "event": visit.event.name,
        "who": _("%(name)s: %(role)s of this event") % {"name": holder.name, "role": _(holder.role)},
        "post_url": request.path,
    }
    return render(request, "hall/organiser/helper_link.html", context)
