"""The players' forms about their game: report or contest a result, call a judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.core import validation
from games.core.words import gettext_noop as noop
from games.core.words import say
from games.hall import access, commands, judging
from games.hall.models import Event
from games.hall.pages import rounds
from games.hall.pages.access import back, event_of, form_page, fresh_key, player_of, refusing, to_event
from games.hall.pages.acts import own_of
from games.hall.pages.own import Own
from games.hall.rules import results
from games.hall.rules.pieces import Gathering, Pairing
from games.match.verdict import RequestRefused
from games.pages.common import tap_key, validated
from games.translation import words
from games.view_models import Option
from games.view_models import hall as parts
from games.web import limits

QUESTION = 200
AUTOMATIC, DRAWN = "", "draw"
"""Answers to who won, other than a player: as the points say, or nobody."""


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.TAPS, access.place)
@refusing
def result(request: HttpRequest, code: str) -> HttpResponse:
    """Report the result of a game that was not played in the app."""
    event = event_of(code)
    player, actor = player_of(request, event)
    own = own_of(event, player, request.GET.get("table", ""))
    pairing = _table_of(own)
    typed = {name: request.POST.get(name, "").strip() for name in _names(own.g, pairing)}
    typed["winner"] = request.POST.get("winner", "")
    if request.method != "POST":
        return form_page(request, _result_form(event, own, pairing, typed, {}))
    errors: dict[str, str] = {}
    stated = _stated(own.g, pairing, typed, errors)
    if not errors:
        try:
            commands.report(event.code, actor, pairing.key, player.key, stated, tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            errors[next(iter(typed))] = words(refused.line)
    return form_page(request, _result_form(event, own, pairing, typed, errors), 422)


def _table_of(own: Own) -> Pairing:
    if own.asked and own.pairing is None:
        raise RequestRefused(say(noop("This round is not open.")), 409, "no_table")
    if own.pairing is None or own.pairing.is_bye:
        raise RequestRefused(say(noop("You have no table in this round.")), 409, "no_table")
    return own.pairing


def _names(g: Gathering, pairing: Pairing) -> list[str]:
    """The names of all players' fields: each says what it asks for, and about whom."""
    return [f"{kind}-{key}" for key in pairing.players for kind in results.asked(g)]


def _stated(
    g: Gathering, pairing: Pairing, typed: Mapping[str, str], errors: dict[str, str]
) -> dict[str, Any]:
    scores: dict[str, dict[str, int]] = {key: {} for key in pairing.players}
    for field_name in _names(g, pairing):
        name, _dash, key = field_name.partition("-")
        if not typed[field_name] and name != "vp":
            continue
        try:
            scores[key][name] = validated(validation.clean_int, typed[field_name], *results.NUMBERS[name])
        except RequestRefused as refused:
            errors[field_name] = words(refused.line)
    stated: dict[str, Any] = {"scores": scores}
    if typed["winner"] != AUTOMATIC:
        stated["winner"] = "" if typed["winner"] == DRAWN else typed["winner"]
    return stated


def _result_form(
    event: Event, own: Own, pairing: Pairing, typed: Mapping[str, str], errors: Mapping[str, str]
) -> parts.HallForm:
    g = own.g
    groups = tuple(
        parts.FieldGroup(
            g.players[key].name,
            tuple(_number(g, kind, f"{kind}-{key}", typed, errors) for kind in results.asked(g)),
        )
        for key in pairing.players
    )
    chosen = typed["winner"]
    winners = (
        Option(AUTOMATIC, _("As the points say"), chosen == AUTOMATIC),
        *(Option(key, g.players[key].name, chosen == key) for key in pairing.players),
        Option(DRAWN, _("Nobody: a draw"), chosen == DRAWN),
    )
    text = (
        _("Only if the game was played on paper: a table played here reports itself."),
        _("It counts when your opponent reports the same."),
    )
    return parts.HallForm(
        title=_("Result of table %(table)s") % {"table": pairing.table},
        back=back(event),
        post_url=own.url_about("event-result", pairing),
        key=fresh_key(),
        over=g.name,
        text=text,
        groups=groups,
        fields=(parts.FormField("winner", _("Winner"), options=winners),),
        buttons=(parts.Button("", _("Report this result"), "check", "main"),),
    )


def _number(
    g: Gathering, kind: str, name: str, typed: Mapping[str, str], errors: Mapping[str, str]
) -> parts.FormField:
    """A number field of one player's result."""
    least, most = results.NUMBERS[kind]
    return parts.FormField(
        name=name,
        label=rounds.labels(g)[kind],
        value=typed[name],
        error=errors.get(name, ""),
        least=least,
        most=most,
        needed=kind == "vp",
    )


@dataclass(frozen=True)
class Message:
    """What a player may write about their table: the form that asks for it, and where it goes.

    `send` takes the event's code, the actor, the pairing, the player, the text and the form's key.
    """

    page: str
    title: str
    hint: str
    label: str
    button: parts.Button
    send: Callable[..., object]
    most: int = validation.NOTE_GRAPHEMES
    needed: bool = False


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.TAPS, access.place)
@refusing
def contest(request: HttpRequest, code: str) -> HttpResponse:
    """A player says that their table's result is wrong; a judge decides."""
    return _write(
        request,
        code,
        Message(
            "event-contest",
            _("Contest the result of table %(table)s"),
            _("The result waits until a judge has decided."),
            _("What is wrong?"),
            parts.Button("", _("Contest the result"), "alert", "danger"),
            commands.contest,
            needed=True,
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@limits.limited(limits.TAPS, access.place)
@refusing
def judge(request: HttpRequest, code: str) -> HttpResponse:
    """A player calls a judge to their table, with or without a question."""
    return _write(
        request,
        code,
        Message(
            "event-judge",
            _("Call a judge to table %(table)s"),
            _("Stop where you are and wait at your table."),
            _("Your question (optional)"),
            parts.Button("", _("Call a judge"), "people", "main"),
            judging.call_judge,
            QUESTION,
        ),
    )


def _write(request: HttpRequest, code: str, wanted: Message) -> HttpResponse:
    event = event_of(code)
    player, actor = player_of(request, event)
    own = own_of(event, player, request.GET.get("table", ""))
    pairing = _table_of(own)
    name = "reason" if wanted.needed else "question"
    typed, error = request.POST.get(name, ""), ""
    if request.method == "POST":
        try:
            text = validated(validation.clean_note, typed, wanted.most)
            if wanted.needed and not text:
                raise RequestRefused(say(noop("Please say why.")), 422, "no_reason")
            wanted.send(event.code, actor, pairing.key, player.key, text, tap_key(request))
            return to_event(event)
        except RequestRefused as refused:
            error = words(refused.line)
    page = parts.HallForm(
        title=wanted.title % {"table": pairing.table},
        back=back(event),
        post_url=own.url_about(wanted.page, pairing),
        key=fresh_key(),
        over=own.g.name,
        text=(wanted.hint,),
        fields=(
            parts.FormField(
                name=name, label=wanted.label, value=typed, hint="", error=error, rows=3, needed=wanted.needed
            ),
        ),
        buttons=(wanted.button,),
    )
    return form_page(request, page, 422 if error else 200)
