"""What players do at an event: with one tap, and with the forms about their game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from games.core import NOTE_GRAPHEMES, RequestRefused, clean_int, clean_note, say, system
from games.core import gettext_noop as noop
from games.hall import commands, event_actions, event_links
from games.hall.event_actions import Actor, position_of
from games.hall.models import Event, Player
from games.hall.pages import rounds_and_standings
from games.hall.pages.event_forms import (
    FormField,
    HallForm,
    PlayerFields,
    event_form,
    event_of,
    form_page,
    player_of,
    refusing,
    to_event,
)
from games.hall.pages.player_card import Own
from games.hall.rules import event_results
from games.hall.rules.event_state import EventState, Pairing
from games.history.commits import Verdict
from games.match import play
from games.pages.common import field, malformed, tap_key, validated
from games.people import seats
from games.translation import gettext as _
from games.translation import words
from games.view_models import Button, Option
from games.web import LISTS, LONGEST_LIST, TAPS, clock, limited, too_fast

AGREE = re.compile(r"agree-(p\d{1,6})(?:-([0-9a-f]{8}))?", re.ASCII)
"""Agreeing with a player's report, which the mark after it names."""
CHOICES = {"choose-1": 1, "choose-2": 2}
Said = Callable[[str, Actor, str, str, str, str], Verdict]
SAID: dict[re.Pattern[str], Said] = {
    re.compile(r"goes-on-(p\d{1,6})", re.ASCII): lambda code, who, table, me, winner, key: commands.go_on(
        code, who, table, winner, me, key
    ),
    re.compile(r"date-(\d{1,10})", re.ASCII): lambda code, who, table, me, moment, key: commands.propose_date(
        code, who, table, me, int(moment), key
    ),
    re.compile(r"bid-(\d{1,2})", re.ASCII): lambda code, who, table, me, number, key: commands.bid(
        code, who, table, me, int(number), key
    ),
    re.compile(r"house-([a-z\d-]{1,30})", re.ASCII): commands.choose_house,
}
"""What players say about their table with one tap, by the form of its button."""
ABOUT: dict[str, Callable[..., Verdict]] = {
    "absent": commands.report_absent,
    "present": commands.report_present,
    "challenge": lambda code, actor, other, me, key: commands.challenge(code, actor, me, other, key),
}
"""What is asked for with a table, or another player."""


@require_POST
@limited(TAPS, event_links.place)
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
        refusal = too_fast(request, LISTS, event_links.place(request), LONGEST_LIST)
        if refusal is not None:
            return refusal
    command = _command(event, player, actor, verb, asked)
    command(f"{key[:40]}-{wanted.replace(' ', '-')}")
    return to_event(event)


def _command(event: Event, player: Player, actor: Actor, wanted: str, table: str) -> Callable[[str], Verdict]:
    code, me = event.code, player.key
    if wanted in ("check-in", "not-here"):
        return lambda key: commands.check_in(code, actor, me, wanted == "check-in", key)
    if wanted in ABOUT:
        return lambda key: ABOUT[wanted](code, actor, table, me, key)
    if wanted in ("check-in-team", "take-back"):
        team = position_of(event).players[me].team
        if wanted == "take-back":
            return lambda key: commands.take_back(code, actor, table, team, key)
        return lambda key: commands.check_in_team(code, actor, team, key)
    if wanted == "propose":
        match, seen, named = (*table.split(" "), "", "", "")[:3]
        return lambda key: commands.propose(code, actor, match, named, key, seen)
    if wanted in CHOICES:
        return lambda key: commands.choose(code, actor, me, CHOICES[wanted], key, table)
    if agreement := AGREE.fullmatch(wanted):
        return _agreeing(event, player, actor, agreement[1], agreement[2])
    for button, say_it in SAID.items():
        if (parts := button.fullmatch(wanted)) is not None:
            return partial(say_it, code, actor, table, me, parts[1])
    raise malformed()


def _agreeing(event: Event, player: Player, actor: Actor, other: str, seen: str) -> Callable[[str], Verdict]:
    """Report the same result that another player at the table has reported, if it is still the one `seen`."""
    own = own_of(event, player)
    pairing = own.pairing
    claim = pairing.claims.get(other) if pairing else None
    if pairing is None or claim is None or event_results.claim_mark(claim) != seen:
        raise RequestRefused(say(noop("This report is gone. Check again.")), 409, "stale")
    return lambda key: commands.report(event.code, actor, pairing.key, player.key, claim, key)


def own_of(event: Event, player: Player, asked: str = "") -> Own:
    """The event as this player sees it, including what the tables have reported meanwhile.

    `asked` is the key of the pairing that the page is about; "" for the one to be played now.
    """
    g = event_actions.load(event.code).state
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
    chair = seats.chair(play.match_of(code), own.seat())
    is_others = chair.is_taken and not seats.is_repeated(chair, key)
    if is_others and not takes_over:
        return form_page(request, _taken(event, own, key), 409)
    with transaction.atomic():
        if is_others:
            seats.revoke(chair)
            chair = seats.chair(chair.match, chair.key)
        if seats.sit_down(request, chair, key):
            play.sit_down(code, chair.key)
    return HttpResponseRedirect(reverse("table", args=[code]))


def _taken(event: Event, own: Own, key: str) -> HallForm:
    return event_form(
        event,
        _("Another device has your seat"),
        post_url=reverse("event-do", args=[event.code]),
        key=key,
        text=(
            _("If it’s yours, or someone took your seat by mistake, continue on this device."),
            _("The other device loses the seat. Sealed answers show here from the next question."),
        ),
        buttons=(Button(f"take-over {own.asked}".strip(), _("Play on this device"), "main", "table"),),
    )


# --- forms: report or contest a result, call a judge -------------------------------------------------


QUESTION = 200
AUTOMATIC, DRAWN = "", "draw"
"""Answers to who won, other than a player: as the points say, or nobody."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def result(request: HttpRequest, code: str) -> HttpResponse:
    """Report the result of a game that was not played in the app."""
    event, actor, own, pairing = _at_table(request, code)
    typed = {name: request.POST.get(name, "").strip() for name in _names(own.g, pairing)}
    typed["winner"] = request.POST.get("winner", "")
    if request.method != "POST":
        return form_page(request, _result_form(event, own, pairing, typed, {}))
    errors: dict[str, str] = {}
    stated = _stated(own.g, pairing, typed, errors)
    if not errors:
        try:
            commands.report(event.code, actor, pairing.key, own.player.key, stated, tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            errors[next(iter(typed))] = words(refused.line)
    return form_page(request, _result_form(event, own, pairing, typed, errors), 422)


def _at_table(request: HttpRequest, code: str) -> tuple[Event, Actor, Own, Pairing]:
    """The event, who acts, what they see of it, and the table that their form is about."""
    event = event_of(code)
    player, actor = player_of(request, event)
    own = own_of(event, player, request.GET.get("table", ""))
    if own.asked and own.pairing is None:
        raise RequestRefused(say(noop("This round is not open.")), 409, "no_table")
    if own.pairing is None or own.pairing.is_bye:
        raise RequestRefused(say(noop("You have no table in this round.")), 409, "no_table")
    return event, actor, own, own.pairing


def _names(g: EventState, pairing: Pairing) -> list[str]:
    """The names of all players' fields: each says what it asks for, and about whom."""
    return [f"{kind}-{key}" for key in pairing.players for kind in event_results.asked(g)]


def _stated(
    g: EventState, pairing: Pairing, typed: Mapping[str, str], errors: dict[str, str]
) -> dict[str, Any]:
    scores: dict[str, dict[str, int]] = {key: {} for key in pairing.players}
    for field_name in _names(g, pairing):
        name, _dash, key = field_name.partition("-")
        if not typed[field_name] and (name != "vp" or event_results.needs_no_points(g, key)):
            continue
        try:
            scores[key][name] = validated(clean_int, typed[field_name], *event_results.NUMBERS[name])
        except RequestRefused as refused:
            errors[field_name] = words(refused.line)
    stated: dict[str, Any] = {"scores": scores}
    if typed["winner"] != AUTOMATIC:
        stated["winner"] = "" if typed["winner"] == DRAWN else typed["winner"]
    return stated


def _result_form(
    event: Event, own: Own, pairing: Pairing, typed: Mapping[str, str], errors: Mapping[str, str]
) -> HallForm:
    g = own.g
    groups = tuple(
        PlayerFields(
            rounds_and_standings.with_house(g, pairing, key),
            tuple(_number(g, kind, f"{kind}-{key}", typed, errors) for kind in event_results.asked(g)),
        )
        for key in pairing.players
    )
    chosen = typed["winner"]
    winners = (
        Option(AUTOMATIC, _("By points"), chosen == AUTOMATIC),
        *(
            Option(key, rounds_and_standings.with_house(g, pairing, key), chosen == key)
            for key in pairing.players
        ),
        Option(DRAWN, _("A draw"), chosen == DRAWN),
    )
    text = (
        _("Only for matches played without the app. Tables here report automatically."),
        _("It counts when everyone at the table reports the same.")
        if g.size > 2
        else _("It counts when your opponent reports the same."),
        *_about_places(g),
    )
    return event_form(
        event,
        _("Result of table %(table)s") % {"table": pairing.table},
        post_url=own.url_about("event-result", pairing),
        text=text,
        groups=groups,
        fields=(FormField("winner", _("Winner"), options=winners),),
        buttons=(Button("", _("Report this result"), "main", "check"),),
    )


def _about_places(g: EventState) -> Iterator[str]:
    """What places players at a table of several if nobody enters places."""
    if order := system(g.system).tie_order if g.size > 2 else "":
        yield _("Leave the places empty if the points decide. Of equal points, %(order)s decide.") % {
            "order": _(order)
        }


def _number(
    g: EventState, kind: str, name: str, typed: Mapping[str, str], errors: Mapping[str, str]
) -> FormField:
    """A number field of one player's result."""
    least, most = event_results.NUMBERS[kind]
    return FormField(
        name=name,
        label=rounds_and_standings.labels(g)[kind],
        value=typed[name],
        error=errors.get(name, ""),
        least=least,
        most=most,
        needed=kind == "vp" and not event_results.needs_no_points(g, name.partition("-")[2]),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def date(request: HttpRequest, code: str) -> HttpResponse:
    """A player of a league proposes when to play; an empty field calls the date off."""
    event, actor, own, pairing = _at_table(request, code)
    stands = pairing.agreed_for or pairing.dates.get(own.player.key) or own.g.rounds[str(pairing.round)].until
    shown = clock.at_home(datetime.fromtimestamp(stands or int(clock.seconds()), UTC), own.g.zone)
    typed, error = request.POST.get("when", f"{shown:%Y-%m-%dT%H:%M}"), ""
    if request.method == "POST":
        try:
            moment = validated(clock.read, typed, own.g.zone) if typed.strip() else 0
            commands.propose_date(event.code, actor, pairing.key, own.player.key, moment, tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            error = words(refused.line)
    names = _(", ").join(own.g.called(key) for key in pairing.rivals(own.player.key))
    page = event_form(
        event,
        _("When do you play %(names)s?") % {"names": names},
        post_url=own.url_about("event-date", pairing),
        text=(_("It is agreed once your opponent taps the same date. Leave it empty to cancel the date."),),
        fields=(FormField("when", _("Day and time"), typed, error=error, is_moment=True),),
        buttons=(Button("", _("Propose this date"), "main", "check"),),
    )
    return form_page(request, page, 422 if error else 200)


@dataclass(frozen=True)
class Message:
    """What a player may write about their table: the form that asks for it, and where it goes.

    `send` takes the event's code, the actor, the pairing, the player, the text and the form's key.
    """

    page: str
    title: str
    hint: str
    label: str
    button: Button
    send: Callable[..., object]
    most: int = NOTE_GRAPHEMES
    needed: bool = False


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def contest(request: HttpRequest, code: str) -> HttpResponse:
    """A player says that their table's result is wrong; a judge decides."""
    return _write(
        request,
        code,
        Message(
            "event-contest",
            _("Dispute the result of table %(table)s"),
            _("The result waits until a judge has decided."),
            _("What is the problem?"),
            Button("", _("Dispute the result"), "danger", "alert"),
            commands.contest,
            needed=True,
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@limited(TAPS, event_links.place)
@refusing
def judge(request: HttpRequest, code: str) -> HttpResponse:
    """A player calls a judge to their table, with or without a question."""
    return _write(
        request,
        code,
        Message(
            "event-judge",
            _("Call a judge to table %(table)s"),
            _("Pause your match and wait at your table."),
            _("Your question (optional)"),
            Button("", _("Call a judge"), "main", "people"),
            commands.call_judge,
            QUESTION,
        ),
    )


def _write(request: HttpRequest, code: str, wanted: Message) -> HttpResponse:
    event, actor, own, pairing = _at_table(request, code)
    name = "reason" if wanted.needed else "question"
    typed, error = request.POST.get(name, ""), ""
    if request.method == "POST":
        try:
            text = validated(clean_note, typed, wanted.most)
            if wanted.needed and not text:
                raise RequestRefused(say(noop("Please give a reason.")), 422, "no_reason")
            wanted.send(event.code, actor, pairing.key, own.player.key, text, tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            error = words(refused.line)
    page = event_form(
        event,
        wanted.title % {"table": pairing.table},
        post_url=own.url_about(wanted.page, pairing),
        text=(wanted.hint,),
        fields=(
            FormField(
                name=name, label=wanted.label, value=typed, hint="", error=error, rows=3, needed=wanted.needed
            ),
        ),
        buttons=(wanted.button,),
    )
    return form_page(request, page, 422 if error else 200)
