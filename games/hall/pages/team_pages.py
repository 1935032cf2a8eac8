"""A captain's pages: registering a team, and its players with their links."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.core import RequestRefused, clean_name, say
from games.core import gettext_noop as noop
from games.hall import commands, event_links
from games.hall.event_actions import Actor
from games.hall.event_rows import position_of
from games.hall.models import Event, Player
from games.hall.pages import rounds_and_standings
from games.hall.pages.event_forms import (
    FormField,
    HallForm,
    back,
    event_of,
    form_page,
    fresh_key,
    held_until_now,
    player_of,
    refusing,
    to_event,
)
from games.hall.rules import teams
from games.hall.rules.event_state import PLANNED, EventState
from games.pages.common import tap_key, validated
from games.pages.opening import seating
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Button, Option
from games.web import TAPS, address_for_others, limited

FIELDS = ("team", "name", "players", "division")


def register(request: HttpRequest, event: Event) -> HttpResponse:
    """A captain registers a team with its players; their phone gets the captain's place at once."""
    typed = {name: request.POST.get(name, "").strip() for name in FIELDS}
    typed["name"] = typed["name"] or seating.remembered(request)
    if request.method != "POST":
        return _page(request, event, typed, {})
    errors: dict[str, str] = {}
    names = names_of(typed["name"], typed["players"])
    for field, value in (("team", typed["team"]), ("name", typed["name"])):
        try:
            validated(clean_name, value, 40)
        except RequestRefused as refused:
            errors[field] = words(refused.line)
    if not errors:
        try:
            captain = _registered(request, event, typed, names)
            event_links.take(request, captain)
            return seating.remember(to_event(event), captain.name)
        except RequestRefused as refused:
            errors["team"] = words(refused.line)
    return _page(request, event, typed, errors, 422)


def names_of(first: str, others: str) -> list[str]:
    """The players as they were typed, one a line, the captain first and only once."""
    lines = (line.strip() for line in others.splitlines())
    return [first, *(name for name in lines if name and name != first)]


@transaction.atomic
def _registered(request: HttpRequest, event: Event, typed: dict[str, str], names: list[str]) -> Player:
    guest = Actor("guest", typed["name"], "")
    key = tap_key(request)
    outcome = commands.register_team(event.code, guest, typed["team"], names, typed["division"], key)
    captain = commands.registered(event, outcome)
    event_links.note_address(request, captain)
    return captain


def _page(
    request: HttpRequest, event: Event, typed: dict[str, str], errors: dict[str, str], status: int = 200
) -> HttpResponse:
    g = position_of(event)
    if not g.is_open or g.status != PLANNED:
        closed = _("Organisers register the players for this event. Ask them for your personal link.")
        page = HallForm(_("Register your team"), back(event), over=g.name, text=(closed,))
        return form_page(request, page, status)
    text = (
        _("You are the captain: this device becomes your place at the event. No account is needed."),
        *held_until_now(request, event),
    )
    others = _("One name per line. A team of %(count)s, with up to %(most)s names including reserves.") % {
        "count": g.team_size,
        "most": 2 * g.team_size,
    }
    fields = [
        FormField("team", _("Team name"), typed["team"], error=errors.get("team", ""), needed=True),
        FormField("name", _("Your name"), typed["name"], error=errors.get("name", ""), needed=True),
        FormField("players", _("The other players"), typed["players"], hint=others, rows=g.team_size),
    ]
    if g.divisions:
        fields.append(division_field(g, typed["division"]))
    page = HallForm(
        title=_("Register your team"),
        back=back(event),
        post_url=reverse("event-register", args=[event.code]),
        key=fresh_key(),
        over=g.name,
        text=text,
        fields=tuple(fields),
        buttons=(Button("", _("Register this team"), "main", "check"),),
        share=rounds_and_standings.share_of_event(request, event, g, "event-register", _("Register")),
    )
    return seats.remember_page(request, form_page(request, page, status), page.key)


def division_field(g: EventState, chosen: str) -> FormField:
    """A choice of one of the event's divisions."""
    options = tuple(Option(one, one, one == chosen) for one in g.divisions)
    return FormField("division", _("Division"), chosen or g.divisions[0], options=options)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def team(request: HttpRequest, code: str) -> HttpResponse:
    """A captain's team: the link of each player, and more players until the event begins."""
    event = event_of(code)
    player, actor = player_of(request, event)
    g = position_of(event)
    key = teams.captained_by(g, player.key)
    if not key:
        raise RequestRefused(say(noop("This page is for the captain of the team.")), 403, "not_yours")
    error, typed = "", request.POST.get("players", "")
    if request.method == "POST":
        try:
            commands.add_to_team(event.code, actor, key, names_of("", typed)[1:], tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            error = words(refused.line)
    hint = _("One name per line.")
    fields = (FormField("players", _("More players"), typed, hint=hint, error=error, rows=3, needed=True),)
    text = (
        _(
            "Each player opens their personal link on their own device. Anyone with the link can play as "
            "that player."
        ),
        _("The first %(count)s who are checked in play; the others are reserves.") % {"count": g.team_size},
    )
    page = HallForm(
        title=g.teams[key].name,
        back=back(event),
        post_url=request.path if g.status == PLANNED else "",
        key=fresh_key(),
        over=g.name,
        text=text,
        fields=fields,
        buttons=(Button("", _("Add to the team"), "main", "plus"),),
        texts=tuple(_links(request, event, g, key)),
    )
    return form_page(request, page, 422 if error else 200)


def _links(request: HttpRequest, event: Event, g: EventState, key: str) -> list[tuple[str, str]]:
    rows = {one.key: one for one in Player.objects.filter(event=event, team=key)}
    found = []
    for one in teams.members(g, key):
        if one.key in rows:
            rows[one.key].event = event
            url = reverse("event-me", args=[event.code, event_links.secret(rows[one.key])])
            found.append((one.name, address_for_others(request, url)))
    return found
