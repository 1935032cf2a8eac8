"""How a player comes to an event: registers, opens their link, keeps it, leaves."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import view_models
from games.core import validation
from games.core.validation import name_key
from games.core.words import say
from games.hall import access, commands
from games.hall import event_actions as play
from games.hall.event_actions import Actor
from games.hall.kept import gathering
from games.hall.models import Event, Player
from games.hall.pages import preview
from games.hall.pages.access import (
    back,
    event_of,
    form_page,
    fresh_key,
    held_until_now,
    own,
    player_of,
    refusing,
    to_event,
)
from games.hall.rules.entering import ALIKE
from games.hall.rules.pieces import OPEN, OVER, PLANNED, REPORTED, Gathering
from games.history.verdict import RequestRefused
from games.pages import filled
from games.pages.access import tap_key, validated, without_referrer
from games.pages.opening import names
from games.people import seats
from games.pictures.codes import picture_of
from games.translation import words
from games.view_models import hall as parts
from games.web import limits
from games.web.network import address_for_others

LENGTH = 40
_FIELDS = ("name", "club", "faction")


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.REGISTRATIONS, access.event_and_address)
@refusing
def register(request: HttpRequest, code: str) -> HttpResponse:
    """A player registers: name, club, faction. Their phone gets the place at once."""
    event = event_of(code)
    if own(request, event) is not None:
        return to_event(event)
    before = commands.registered_lately(event, *seats.claim_pages(request))
    if request.method != "POST":
        stands = {"name": names.remembered(request)}
        if before is not None:
            stands = {name: getattr(before, name) for name in _FIELDS}
        return _register_page(request, _registration(request, event, stands, {}))
    typed = _typed(request, _FIELDS)
    person, errors = _cleaned(typed)
    if before is not None and not errors and name_key(person["name"]) == name_key(before.name):
        # Only the answer was lost: the place is this device's.
        access.take(request, before)
        return names.remember(to_event(event), before.name)
    if not errors:
        try:
            player = _registered(request, event, tap_key(request), person)
        except RequestRefused as refused:
            errors["name"] = words(refused.line)
            if refused.line.message == ALIKE:
                errors["name"] += " " + _("If that is you, ask the organisers for your own QR code.")
    if errors:
        return _register_page(request, _registration(request, event, typed, errors), 422)
    access.take(request, player)
    return names.remember(to_event(event), person["name"])


def _register_page(request: HttpRequest, page: parts.HallForm, status: int = 200) -> HttpResponse:
    response = form_page(request, page, status)
    return seats.remember_page(request, response, page.key) if page.key else response


def _typed(request: HttpRequest, fields: tuple[str, ...]) -> dict[str, str]:
    return {name: request.POST.get(name, "").strip() for name in fields}


def _cleaned(typed: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """What was typed as it is kept, and by field what is wrong with it."""
    person, errors = dict.fromkeys(typed, ""), {}
    for name, value in typed.items():
        try:
            if value or name == "name":
                person[name] = validated(validation.clean_name, value, LENGTH)
        except RequestRefused as refused:
            errors[name] = words(refused.line)
    return person, errors


@transaction.atomic
def _registered(request: HttpRequest, event: Event, key: str, person: dict[str, str]) -> Player:
    """The player that this form has entered, now or when it was first sent."""
    guest = Actor("guest", person["name"], "")
    outcome = commands.register(event.code, guest, person["name"], person["club"], person["faction"], key)
    player = commands.registered(event, outcome)
    access.note_address(request, player)
    return player


def _registration(
    request: HttpRequest, event: Event, typed: dict[str, str], errors: dict[str, str]
) -> parts.HallForm:
    g = gathering(event)
    texts = (
        _("No account is needed: this device becomes your place at the event."),
        *held_until_now(request, event),
    )
    if not g.is_open or g.status != PLANNED:
        closed = _("The organisers enter the players of this event. Ask them for your own link.")
        return parts.HallForm(_("Register"), back(event), over=g.name, text=(closed,))
    used = tuple(sorted({one.faction for one in g.players.values() if one.faction}))
    clubs = tuple(sorted({one.club for one in g.players.values() if one.club}))
    fields = tuple(
        parts.FormField(
            name=name,
            label=label,
            value=typed.get(name, ""),
            hint=hint,
            error=errors.get(name, ""),
            needed=name == "name",
            suggestions=known,
        )
        for name, label, hint, known in (
            ("name", _("Your name"), "", ()),
            ("club", _("Club or town (optional)"), _("Tells two players with the same name apart."), clubs),
            ("faction", _("Faction (optional)"), "", used),
        )
    )
    buttons = (parts.Button("", _("Register"), "check", "main"),)
    return parts.HallForm(
        title=_("Register"),
        back=back(event),
        post_url=reverse("event-register", args=[event.code]),
        key=fresh_key(),
        over=g.name,
        text=texts,
        fields=fields,
        buttons=buttons,
        share=preview.of_event(request, event, g, "event-register", _("Register")),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@refusing
def me(request: HttpRequest, code: str, secret: str) -> HttpResponse:
    """A player's own link. Opening it does nothing; the button gives this device the place."""
    event = event_of(code)
    holder = access.holder_of(event, secret)
    if not isinstance(holder, Player):
        raise RequestRefused(say(play.NO_LONGER), 404, "unknown")
    if request.method == "POST":
        if refusal := access.too_many_devices(request, holder):
            return refusal
        access.take(request, holder)
        return names.remember(to_event(event), holder.name)
    text = [_("This device becomes %(name)s’s place at the event.") % {"name": holder.name}]
    text += held_until_now(request, event, holder)
    page = parts.HallForm(
        title=holder.name,
        back=back(event),
        post_url=request.path,
        key=fresh_key(),
        over=event.name,
        text=tuple(text),
        buttons=(parts.Button("", _("This is me"), "check", "main"),),
    )
    return form_page(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@limits.limited(limits.TAPS, access.place)
@refusing
def place(request: HttpRequest, code: str) -> HttpResponse:
    """A player's own place: name, club and faction; the link for another device; the way out."""
    event = event_of(code)
    player, actor = player_of(request, event)
    stands = {"name": player.name, "club": player.club, "faction": player.faction}
    shown = request.POST.get(filled.SHOWN) or filled.told(stands)
    if request.method != "POST":
        return form_page(request, _place_page(request, event, player, stands, {}, shown))
    asked = _FIELDS if gathering(event).status == PLANNED else ("name", "club")
    typed = stands | _typed(request, asked)
    person, errors = _cleaned(typed)
    if not errors:
        same = filled.unchanged(request.POST)
        changed = {name: value for name, value in person.items() if name not in same}
        try:
            commands.amend(event.code, actor, player.key, **changed, key=tap_key(request))
            return names.remember(to_event(event), person["name"])
        except RequestRefused as refused:
            errors["name"] = words(refused.line)
    return form_page(request, _place_page(request, event_of(code), player, typed, errors, shown), 422)


def _place_page(
    request: HttpRequest,
    event: Event,
    player: Player,
    typed: dict[str, str],
    errors: dict[str, str],
    shown: str,
) -> parts.HallForm:
    g = gathering(event)
    url = address_for_others(request, reverse("event-me", args=[event.code, access.secret(player)]))
    leave = view_models.Link(reverse("event-leave", args=[event.code]), _("Leave the event"), "close")
    return parts.HallForm(
        title=_("Your place"),
        back=back(event),
        post_url=request.path,
        key=fresh_key(),
        over=g.name,
        text=(),
        fields=(*_place_fields(g, player, typed, errors), parts.FormField(filled.SHOWN, "", shown)),
        buttons=(parts.Button("", _("Save"), "check", "main"),),
        address=url,
        qr=picture_of(url),
        ways=(leave,) if g.status != OVER and player.dropped is None else (),
    )


def _place_fields(
    g: Gathering, player: Player, typed: dict[str, str], errors: dict[str, str]
) -> tuple[parts.FormField, ...]:
    """The fields with what was typed; the faction does not change once the event has begun."""
    labels = {
        "name": _("Your name"),
        "club": _("Club or town (optional)"),
        "faction": _("Faction (optional)"),
    }
    fields = [
        parts.FormField(
            name=name,
            label=label,
            value=typed[name],
            error=errors.get(name, ""),
            needed=name == "name",
        )
        for name, label in labels.items()
    ]
    if g.status != PLANNED:
        fields[-1] = parts.FormField("faction", "", player.faction)
    return tuple(fields)


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.TAPS, access.place)
@refusing
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """A player drops out, once they have confirmed it."""
    event = event_of(code)
    player, actor = player_of(request, event)
    if request.method == "POST":
        commands.drop(event.code, actor, player.key, tap_key(request))
        return to_event(event)
    text = [_("You will not be paired any more. Your results stay.")]
    g = play.load(event.code).state
    waiting = (OPEN, REPORTED)
    games = (one for one in g.pairings.values() if player.key in one.players and one.state in waiting)
    if any(len(one.players) == 2 for one in games):
        text.append(_("Your game is not over: your opponent gets what a bye is worth."))
    page = parts.HallForm(
        title=_("Leave the event?"),
        back=back(event),
        post_url=request.path,
        key=fresh_key(),
        over=g.name,
        text=tuple(text),
        buttons=(parts.Button("", _("Leave the event"), "close", "danger"),),
    )
    return form_page(request, page)
