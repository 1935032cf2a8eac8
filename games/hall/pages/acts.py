"""What players do at an event with one tap, and how they get to their seat."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import access, commands
from games.hall import event_actions as play
from games.hall.event_actions import Actor
from games.hall.models import Event, Player
from games.hall.pages.access import back, event_of, form_page, player_of, refusing, to_event
from games.hall.pages.own import Own
from games.hall.rules import results
from games.history.verdict import RequestRefused, Verdict
from games.match import committing
from games.match import play as table_play
from games.pages.access import field, malformed, tap_key
from games.people import seats
from games.view_models import hall as parts
from games.web import limits

AGREE = re.compile(r"agree-(p\d{1,6})(?:-([0-9a-f]{8}))?", re.ASCII)
"""Agreeing with a player's report, which the mark after it names."""
CHOICES = {"choose-1": 1, "choose-2": 2}


@require_POST
@limits.limited(limits.TAPS, access.place)
@refusing
def do(request: HttpRequest, code: str) -> HttpResponse:
    """A tap on the event's page: `do` names it."""
    event = event_of(code)
    player, actor = player_of(request, event)
    wanted, key = field(request, "do"), tap_key(request)
    verb, _space, asked = wanted.partition(" ")
    if verb in ("sit", "take-over"):
        return _sit(request, event, own_of(event, player, asked), key, takes_over=verb == "take-over")
    if verb in CHOICES:
        # The chosen list is kept once more.
        refusal = limits.too_fast(request, limits.LISTS, access.place(request), limits.LONGEST)
        if refusal is not None:
            return refusal
    command = _command(event, player, actor, verb, asked)
    command(f"{key[:40]}-{wanted.replace(' ', '-')}")
    return to_event(event)


def _command(event: Event, player: Player, actor: Actor, wanted: str, table: str) -> Callable[[str], Verdict]:
    code, me = event.code, player.key
    if wanted in ("check-in", "not-here"):
        return lambda key: commands.check_in(code, actor, me, wanted == "check-in", key)
    if wanted in CHOICES:
        return lambda key: commands.choose(code, actor, me, CHOICES[wanted], key, table)
    if found := AGREE.fullmatch(wanted):
        return _agreeing(event, player, actor, found[1], found[2])
    raise malformed()


def _agreeing(event: Event, player: Player, actor: Actor, other: str, seen: str) -> Callable[[str], Verdict]:
    """Report the same result that another player at the table has reported, if it is still the one `seen`."""
    own = own_of(event, player)
    pairing = own.pairing
    claim = pairing.claims.get(other) if pairing else None
    if pairing is None or claim is None or results.claim_mark(claim) != seen:
        raise RequestRefused(say(noop("This report is no longer there. Look again.")), 409, "stale")
    return lambda key: commands.report(event.code, actor, pairing.key, player.key, claim, key)


def own_of(event: Event, player: Player, asked: str = "") -> Own:
    """The event as this player sees it, including what the tables have reported meanwhile.

    `asked` is the key of the pairing that the page is about; "" for the one to be played now.
    """
    g = play.load(event.code).state
    if player.key not in g.players:
        raise RequestRefused(say(noop("There is no such player in this event.")), 404, "unknown")
    return Own(event.code, g, g.players[player.key], asked=asked)


def _sit(request: HttpRequest, event: Event, own: Own, key: str, *, takes_over: bool) -> HttpResponse:
    """Lead the player to their table, which says its number and the opponent, and give this phone their seat.

    A seat that another device holds is taken over only on request: it may be the player's own second phone.
    """
    code = own.pairing.match if own.pairing else None
    if code is None:
        raise RequestRefused(say(noop("You have no table in this round.")), 409, "no_table")
    if own.seat() in seats.phone(request, code).seats:
        return HttpResponseRedirect(reverse("table", args=[code]))
    chair = seats.chair(committing.match_of(code), own.seat())
    is_others = chair.is_taken and not seats.is_repeated(chair, key)
    if is_others and not takes_over:
        return form_page(request, _taken(event, own, key), 409)
    with transaction.atomic():
        if is_others:
            seats.revoke(chair)
            chair = seats.chair(chair.match, chair.key)
        if seats.sit_down(request, chair, key):
            table_play.sit_down(code, chair.key)
    return HttpResponseRedirect(reverse("table", args=[code]))


def _taken(event: Event, own: Own, key: str) -> parts.HallForm:
    return parts.HallForm(
        title=_("Another device has your seat"),
        back=back(event),
        post_url=reverse("event-do", args=[event.code]),
        key=key,
        over=event.name,
        text=(
            _("If it is yours, or somebody took your seat by mistake, play on with this one."),
            _("The other device loses the seat. What is sealed there opens here with the next question."),
        ),
        buttons=(parts.Button(f"take-over {own.asked}".strip(), _("Play on this device"), "table", "main"),),
    )
