"""The army lists of a player at an event: to hand in, and to read once both are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import translation
from games.core import validation
from games.core.system import system
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import access, commands
from games.hall.models import ArmyList, Event
from games.hall.pages.access import back, event_of, form_page, fresh_key, player_of, refusing, to_event
from games.hall.pages.acts import own_of
from games.hall.pages.own import Own
from games.hall.rules import entering
from games.hall.rules.pieces import PLANNED
from games.match.verdict import RequestRefused
from games.pages.common import tap_key, validated
from games.pages.opening import new_table
from games.pages.opening.new_table import Opening
from games.translation import words
from games.view_models import Notice
from games.view_models import hall as parts
from games.web import limits

LISTS = ("first", "second")


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.TAPS, access.place)
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
    if refusal := limits.list_too_soon(request, access.place(request)):
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
            yield validated(validation.clean_text, typed[name])
        except RequestRefused as refused:
            errors[name] = words(refused.line)


def _texts(event: Event, fingerprints: tuple[str, ...]) -> dict[str, str]:
    known = ArmyList.texts(event, fingerprints)
    return {name: known.get(one, "") for name, one in zip(LISTS, fingerprints, strict=False)}


def _lists(event: Event, own: Own, typed: Mapping[str, str], errors: Mapping[str, str]) -> parts.HallForm:
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
        errors = {name: told.text for name, told in read.items() if told.tone == "bad"}
        hints |= {name: told.text for name, told in read.items() if told.tone != "bad"}
    state = Notice(_("Handed in. You can still change it until the event begins."), "good")
    return parts.HallForm(
        title=_("Your army list"),
        back=back(event),
        post_url=own.url("event-list"),
        key=fresh_key(),
        over=own.g.name,
        text=(who,),
        fields=_list_fields(typed, hints, errors),
        buttons=(parts.Button("", _("Hand in"), "check", "main"),),
        notice=state if is_in else None,
    )


def _fixed_lists(event: Event, own: Own, who: str) -> parts.HallForm:
    """What was handed in, to read: the event has begun."""
    labels = (_("List 1"), _("List 2"))
    texts = tuple(zip(labels, _texts(event, own.player.lists).values(), strict=False))
    fixed = _("Lists cannot change once the event has begun. Ask the organisers.")
    return parts.HallForm(_("Your army list"), back(event), over=own.g.name, text=(who, fixed), texts=texts)


def _list_fields(
    typed: Mapping[str, str], hints: Mapping[str, str], errors: Mapping[str, str]
) -> tuple[parts.FormField, ...]:
    labels = {"first": _("Your army list"), "second": _("A second list (optional)")}
    return tuple(
        parts.FormField(
            name=name,
            label=labels[name],
            value=typed.get(name, ""),
            hint=hints[name],
            error=errors.get(name, ""),
            rows=10 if name == "first" else 6,
            needed=name == "first",
        )
        for name in LISTS
    )


@require_safe
@refusing
def lists_of(request: HttpRequest, code: str, player: str) -> HttpResponse:
    """An opponent's lists, once both players at an open table have handed in theirs."""
    event = event_of(code)
    me, _actor = player_of(request, event)
    g = own_of(event, me).g
    owner = g.players.get(player)
    if owner is None or not entering.may_read_lists(g, me.key, player):
        line = noop("This list is sealed: it opens when you meet and both lists are in.")
        raise RequestRefused(say(line), 403, "sealed")
    labels = (_("List 1"), _("List 2"))
    texts = tuple(zip(labels, _texts(event, owner.lists).values(), strict=False))
    title = _("%(name)s’s list") % {"name": owner.name}
    return form_page(request, parts.HallForm(title, back(event), over=g.name, texts=texts))
