"""A place at an event: registering, alone or with a team; its link, leaving; and army lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import replace

from games import translation, view_models
from games.core import RequestRefused, clean_name, clean_text, name_key, say, system
from games.core import gettext_noop as noop
from games.hall import commands, event_actions, event_links
from games.hall.event_actions import Actor, position_of
from games.hall.models import ArmyList, Event, Player
from games.hall.pages import rounds_and_standings
from games.hall.pages.event_forms import (
    FormField,
    HallForm,
    event_form,
    event_of,
    form_page,
    held_until_now,
    own,
    player_of,
    refusing,
    to_event,
)
from games.hall.pages.player_actions import own_of
from games.hall.pages.player_card import Own
from games.hall.rules import registration
from games.hall.rules.event_state import OPEN, OVER, PLANNED, REPORTED, EventState
from games.hall.rules.registration import ALIKE
from games.pages import filled
from games.pages.common import tap_key, validated, without_referrer
from games.pages.opening import new_table, seating
from games.pages.opening.new_table import Opening
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Button, Notice, Option
from games.web import REGISTRATIONS, TAPS, limited, list_too_soon, picture_of

LENGTH = 40
CONSENT, CONSENT_SHOWN = "consent", "asked"
"""The tick box by which a player agrees to be named in ratings, and the sign that a form has asked for it."""
FIELDS = ("name", "club", "faction")
PERSON_FIELDS = (*FIELDS, "division")
TEAM_FIELDS = ("team", "name", "players", "division")
NEEDED = ("team", "name")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(REGISTRATIONS, event_links.event_and_address)
@refusing
def register(request: HttpRequest, code: str) -> HttpResponse:
    """A player registers, or a captain with their team. Their phone gets the place at once."""
    event = event_of(code)
    if own(request, event) is not None:
        return to_event(event)
    before = None if event.team_size else commands.registered_lately(event, *seats.claim_pages(request))
    if request.method != "POST":
        stands = {"name": seating.remembered(request)}
        if before is not None:
            stands = {name: getattr(before, name) for name in FIELDS}
        return _register_page(request, event, stands, {})
    typed = _typed(request, TEAM_FIELDS if event.team_size else PERSON_FIELDS)
    entered, errors = _cleaned(typed)
    if before is not None and not errors and name_key(entered["name"]) == name_key(before.name):
        # Only the answer was lost: the place is this device's.
        event_links.take(request, before)
        return seating.remember(to_event(event), before.name)
    if not errors:
        try:
            player = _registered(request, event, tap_key(request), entered)
            event_links.take(request, player)
            return seating.remember(to_event(event), player.name)
        except RequestRefused as refused:
            first = next(iter(typed))
            errors[first] = words(refused.line)
            if refused.line.message == ALIKE and not event.team_size:
                errors[first] += " " + _("If that is you, ask the organisers for your own QR code.")
    return _register_page(request, event, typed, errors)


def _typed(request: HttpRequest, fields: tuple[str, ...]) -> dict[str, str]:
    return {name: request.POST.get(name, "").strip() for name in fields}


def _cleaned(typed: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """What was typed as it is kept, and by field what is wrong with it; the rules read a team's players."""
    entered, errors = dict.fromkeys(typed, ""), {}
    for name, value in typed.items():
        try:
            if name == "players":
                entered[name] = value
            elif value or name in NEEDED:
                entered[name] = validated(clean_name, value, LENGTH)
        except RequestRefused as refused:
            errors[name] = words(refused.line)
    return entered, errors


@transaction.atomic
def _registered(request: HttpRequest, event: Event, key: str, entered: dict[str, str]) -> Player:
    """The player, or the captain, that this form has entered, now or when it was first sent."""
    name = entered["name"]
    guest = Actor("guest", name, "")
    if event.team_size:
        names = [name, *(other for other in _lines(entered["players"]) if other != name)]
        outcome = commands.register_team(event.code, guest, entered["team"], names, entered["division"], key)
    else:
        outcome = commands.register(
            event.code, guest, **{field: entered[field] for field in PERSON_FIELDS}, key=key
        )
    player = commands.registered(event, outcome)
    event_links.note_address(request, player)
    if CONSENT in request.POST:
        commands.consent(event.code, event_links.actor_of(player), player.key)
    return player


def _consent(g: EventState, ticked: bool) -> tuple[FormField, ...]:
    """The question whether ratings may name a player, where they could."""
    if not g.is_rated and not ticked:
        return ()
    hint = _("Only players who agree are listed, by their name. You can withdraw this here at any time.")
    label = _("Name me in the ratings of this server")
    return (FormField(CONSENT, label, hint=hint, ticked=ticked), FormField(CONSENT_SHOWN, "", "on"))


def _lines(text: str) -> list[str]:
    """Names that were typed one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _register_page(
    request: HttpRequest, event: Event, typed: dict[str, str], errors: dict[str, str]
) -> HttpResponse:
    g = position_of(event)
    status = 422 if errors else 200
    if g.team_size:
        title, button = _("Register your team"), _("Register this team")
        text = _("You are the captain: this device becomes your place at the event. No account is needed.")
        fields = tuple(_team_fields(g))
    else:
        title = button = _("Register")
        text = _("No account needed. This device will hold your registration.")
        fields = (*_person_fields(g), *_division(g))
    if not g.is_open or (g.status != PLANNED and not (g.is_ladder and g.status != OVER)):
        closed = _("Organisers register the players for this event. Ask them for your personal link.")
        return form_page(request, event_form(event, title, text=(closed,)), status)
    page = event_form(
        event,
        title,
        post_url=reverse("event-register", args=[event.code]),
        text=(text, *held_until_now(request, event)),
        fields=(*_filled(fields, typed, errors), *_consent(g, CONSENT in request.POST)),
        buttons=(Button("", button, "main", "check"),),
        share=rounds_and_standings.share_of_event(request, event, g, "event-register", _("Register")),
    )
    return seats.remember_page(request, form_page(request, page, status), page.key)


def _filled(
    fields: Iterable[FormField], typed: Mapping[str, str], errors: Mapping[str, str]
) -> tuple[FormField, ...]:
    """Fields with what was typed in each, and what is wrong with it."""
    return tuple(
        replace(
            field,
            value=typed.get(field.name, field.value),
            error=errors.get(field.name, ""),
            options=tuple(
                replace(option, selected=option.value == typed.get(field.name)) for option in field.options
            ),
        )
        for field in fields
    )


def _person_fields(g: EventState) -> tuple[FormField, ...]:
    clubs, factions = (
        tuple(sorted({value for player in g.players.values() if (value := getattr(player, name))}))
        for name in ("club", "faction")
    )
    apart = _("Tells two players with the same name apart.")
    return (
        FormField("name", _("Your name"), needed=True),
        FormField("club", _("Club or town (optional)"), hint=apart, suggestions=clubs),
        FormField("faction", _("Faction (optional)"), suggestions=factions),
    )


def _team_fields(g: EventState) -> Iterator[FormField]:
    sizes = {"count": g.team_size, "most": 2 * g.team_size}
    hint = _("One name per line. A team of %(count)s, with up to %(most)s names including reserves.") % sizes
    yield FormField("team", _("Team name"), needed=True)
    yield FormField("name", _("Your name"), needed=True)
    yield FormField("players", _("The other players"), hint=hint, rows=g.team_size)
    yield from _division(g)


def _division(g: EventState) -> Iterator[FormField]:
    """The choice of a division, where the event has any."""
    if g.divisions:
        options = tuple(Option(division, division) for division in g.divisions)
        yield FormField("division", _("Division"), g.divisions[0], options=options)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def team(request: HttpRequest, code: str) -> HttpResponse:
    """A captain's team: the link of each player, and more players until the event begins."""
    event = event_of(code)
    player, actor = player_of(request, event)
    g = position_of(event)
    key = g.captained_by(player.key)
    if not key:
        raise RequestRefused(say(noop("This page is for the captain of the team.")), 403, "not_yours")
    error, typed = "", request.POST.get("players", "")
    if request.method == "POST":
        try:
            commands.add_to_team(event.code, actor, key, _lines(typed), tap_key(request))
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
    page = event_form(
        event,
        g.teams[key].name,
        post_url=request.path if g.status == PLANNED else "",
        text=text,
        fields=fields,
        buttons=(Button("", _("Add to the team"), "main", "plus"),),
        texts=tuple(_links(request, event, g, key)),
    )
    return form_page(request, page, 422 if error else 200)


def _links(request: HttpRequest, event: Event, g: EventState, team: str) -> Iterator[tuple[str, str]]:
    """The players of a team in its order, each with their own link."""
    rows = {player.key: player for player in Player.objects.filter(event=event, team=team)}
    for player in g.members(team):
        if player.key in rows:
            yield player.name, event_links.address_of(request, event, rows[player.key])


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@refusing
def me(request: HttpRequest, code: str, secret: str) -> HttpResponse:
    """A player's own link. Opening it does nothing; the button gives this device the place."""
    event = event_of(code)
    holder = event_links.holder_of(event, secret)
    if not isinstance(holder, Player):
        raise RequestRefused(say(event_actions.NO_LONGER), 404, "unknown")
    if request.method == "POST":
        if refusal := event_links.too_many_devices(request, holder):
            return refusal
        event_links.take(request, holder)
        return seating.remember(to_event(event), holder.name)
    text = [_("This device will be registered as %(name)s.") % {"name": holder.name}]
    text += held_until_now(request, event, holder)
    page = event_form(
        event,
        holder.name,
        post_url=request.path,
        text=tuple(text),
        buttons=(Button("", _("Yes, that’s me"), "main", "check"),),
    )
    return form_page(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@without_referrer
@limited(TAPS, event_links.place)
@refusing
def place(request: HttpRequest, code: str) -> HttpResponse:
    """A player's own place: name, club and faction; the link for another device; the way out."""
    event = event_of(code)
    player, actor = player_of(request, event)
    stands = {"name": player.name, "club": player.club, "faction": player.faction}
    shown = request.POST.get(filled.SHOWN) or filled.as_text(stands)
    if request.method != "POST":
        return form_page(request, _place_page(request, event, player, stands, {}, shown))
    asked = FIELDS if position_of(event).status == PLANNED else ("name", "club")
    typed = stands | _typed(request, asked)
    person, errors = _cleaned(typed)
    if not errors:
        same = filled.unchanged(request.POST)
        changed = {name: value for name, value in person.items() if name not in same}
        try:
            commands.amend(event.code, actor, player.key, **changed, key=tap_key(request))
            agrees = CONSENT in request.POST
            if CONSENT_SHOWN in request.POST and agrees != position_of(event).players[player.key].agrees:
                commands.consent(event.code, actor, player.key, agrees)
            return seating.remember(to_event(event), person["name"])
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
) -> HallForm:
    g = position_of(event)
    url = event_links.address_of(request, event, player)
    leave = view_models.Link(reverse("event-leave", args=[event.code]), _("Drop out"), "close")
    return event_form(
        event,
        _("Your registration"),
        post_url=request.path,
        text=(),
        fields=(
            *_filled(_place_fields(g), typed, errors),
            *_consent(g, g.players[player.key].agrees),
            FormField(filled.SHOWN, "", shown),
        ),
        buttons=(Button("", _("Save"), "main", "check"),),
        address=url,
        qr=picture_of(url),
        ways=(leave,) if g.status != OVER and player.dropped is None else (),
    )


def _place_fields(g: EventState) -> tuple[FormField, ...]:
    """The fields of a place; the faction does not change once the event has begun."""
    return (
        FormField("name", _("Your name"), needed=True),
        FormField("club", _("Club or town (optional)")),
        FormField("faction", _("Faction (optional)") if g.status == PLANNED else ""),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """A player drops out, once they have confirmed it."""
    event = event_of(code)
    player, actor = player_of(request, event)
    if request.method == "POST":
        commands.drop(event.code, actor, player.key, tap_key(request))
        return to_event(event)
    text = [_("You will not be paired again. Your results are kept.")]
    g = event_actions.load(event.code).state
    waiting = (OPEN, REPORTED)
    games = (
        pairing
        for pairing in g.pairings.values()
        if player.key in pairing.players and pairing.state in waiting
    )
    if any(len(pairing.players) == 2 for pairing in games):
        text.append(_("Your match is not over. Your opponent will score it as a bye."))
    page = event_form(
        event,
        _("Drop out of the event?"),
        post_url=request.path,
        text=tuple(text),
        buttons=(Button("", _("Drop out"), "danger", "close"),),
    )
    return form_page(request, page)


# --- army lists, read by others once both are in -----------------------------------------------------


LISTS = ("first", "second")


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def army_list(request: HttpRequest, code: str) -> HttpResponse:
    """Hand in one or two lists, or read what was handed in."""
    event = event_of(code)
    player, actor = player_of(request, event)
    if not system(event.system).brings_armies:
        raise RequestRefused(say(noop("This game needs no army list.")), 404, "no_lists")
    own = own_of(event, player)
    if request.method != "POST":
        return form_page(request, _lists(event, own, _texts(event, own.player.lists), {}))
    if refusal := list_too_soon(request, event_links.place(request)):
        return refusal
    typed = {name: request.POST.get(name, "") for name in LISTS}
    errors: dict[str, str] = {}
    texts = list(_read(typed, errors))
    if not errors:
        try:
            commands.hand_in(event.code, actor, player.key, texts, tap_key(request))
            return _handed_in(event, own, texts)
        except RequestRefused as refused:
            errors["first"] = words(refused.line)
    return form_page(request, _lists(event, own, typed, errors), 422)


def _handed_in(event: Event, own: Own, texts: Iterable[str]) -> HttpResponse:
    """Back to the event, or to a list that the game does not read whole, as long as it may change."""
    if own.g.status == PLANNED and any(_as_read(own, text).tone for text in texts):
        return HttpResponseRedirect(own.url("event-list"))
    return to_event(event)


def _as_read(own: Own, text: str) -> Notice:
    """How the event's game reads a list: a few words, "bad" with why it cannot, or with what is odd."""
    game = system(own.g.system)
    names = dict.fromkeys(list(game.seat_names)[:2], own.player.name)
    asked = Opening(game, own.g.mode, next(iter(names)), names, own.g.options, "", text)
    with translation.override_game(game.slug):
        try:
            read = new_table.preview(asked)
        except RequestRefused as refused:
            return Notice(words(refused.line), "bad")
    if read is None:
        return Notice("")
    return Notice(" · ".join((read.summary, *read.warnings)), "odd" if read.warnings else "")


def _read(typed: Mapping[str, str], errors: dict[str, str]) -> Iterator[str]:
    for name in LISTS:
        if name == "second" and not typed[name].strip():
            continue
        try:
            yield validated(clean_text, typed[name])
        except RequestRefused as refused:
            errors[name] = words(refused.line)


def _texts(event: Event, fingerprints: tuple[str, ...]) -> dict[str, str]:
    texts = ArmyList.texts(event, fingerprints)
    return {name: texts.get(fingerprint, "") for name, fingerprint in zip(LISTS, fingerprints, strict=False)}


def _lists(event: Event, own: Own, typed: Mapping[str, str], errors: Mapping[str, str]) -> HallForm:
    who = _("Only you and the organisers can read it until both players of your table have handed in theirs.")
    if own.player.lists and own.g.status != PLANNED:
        return _fixed_lists(event, own, who)
    hints = {
        "first": _("Paste it as your list builder copies it."),
        "second": _("Two lists of one faction let you choose when you know your opponent’s."),
    }
    is_in = bool(own.player.lists) and not errors
    if is_in:
        read = {name: _as_read(own, text) for name, text in typed.items() if text}
        errors = {name: notice.text for name, notice in read.items() if notice.tone == "bad"}
        hints |= {name: notice.text for name, notice in read.items() if notice.tone != "bad"}
    fields = (
        FormField("first", _("Your army list"), hint=hints["first"], rows=10, needed=True),
        FormField("second", _("A second list (optional)"), hint=hints["second"], rows=6),
    )
    state = Notice(_("Handed in. You can still change it until the event begins."), "good")
    return event_form(
        event,
        _("Your army list"),
        post_url=own.url("event-list"),
        text=(who,),
        fields=_filled(fields, typed, errors),
        buttons=(Button("", _("Hand in"), "main", "check"),),
        notice=state if is_in else None,
    )


def _fixed_lists(event: Event, own: Own, who: str) -> HallForm:
    """What was handed in, to read: the event has begun."""
    labels = (_("List 1"), _("List 2"))
    texts = tuple(zip(labels, _texts(event, own.player.lists).values(), strict=False))
    fixed = _("Lists cannot change once the event has begun. Ask the organisers.")
    return event_form(event, _("Your army list"), text=(who, fixed), texts=texts)


@require_safe
@refusing
def lists_of(request: HttpRequest, code: str, player: str) -> HttpResponse:
    """An opponent's lists, once both players at an open table have handed in theirs."""
    event = event_of(code)
    me, _actor = player_of(request, event)
    g = own_of(event, me).g
    owner = g.players.get(player)
    if owner is None or not registration.may_read_lists(g, me.key, player):
        line = noop("This list is sealed: it opens when you meet and both lists are in.")
        raise RequestRefused(say(line), 403, "sealed")
    labels = (_("List 1"), _("List 2"))
    texts = tuple(zip(labels, _texts(event, owner.lists).values(), strict=False))
    title = _("%(name)s’s list") % {"name": owner.name}
    return form_page(request, event_form(event, title, texts=texts))
