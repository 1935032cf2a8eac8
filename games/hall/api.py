"""Events for programs: the same commands as on the organisers' pages, the standings, tables as CSV.

A bearer token belongs to a player or a helper; without one a program reads what everybody may read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Router

from games.api.auth import guessed, slow_down, slow_lists
from games.api.errors import answer, answer_once, private
from games.api.matches import NO_TOKEN, REFUSED
from games.api.opening import open_event_once
from games.api.schemas import Problem
from games.core.words import gettext_noop as _
from games.core.words import say
from games.hall import access, commands, event_actions, event_undo, helping, judging, reading, roles
from games.hall import api_schemas as schemas
from games.hall.event_actions import Actor
from games.hall.event_rows import LoadedEvent
from games.hall.models import Event, Helper
from games.history import logbook
from games.history.verdict import RequestRefused, Verdict
from games.people.seats import address_hash
from games.web import clock
from games.web.database import one_moment
from games.web.limits import LISTS, LONGEST, OPENINGS, REGISTRATIONS, TAPS

router = Router()

TOKEN: dict[str, Any] = {"security": [{}, {"seat": []}]}
DONE: dict[Any, Any] = {200: schemas.Done, 409: Problem, **NO_TOKEN, **REFUSED}

Do = Callable[[str, Actor, schemas.Command], Verdict]

PERSON = {"name", "club", "faction"}
"""What `amend` changes of a player, as far as a program says it."""


def _result(wanted: schemas.Command) -> dict[str, Any]:
    stated: dict[str, Any] = {"scores": wanted.scores}
    if wanted.winner is not None:
        stated["winner"] = wanted.winner
    if wanted.how:
        stated["how"] = wanted.how
    return stated


def _of_round(command: Callable[..., Verdict]) -> Do:
    """A command on the newest round; a program may name it, so that nothing is done to another."""
    return lambda code, who, said: command(code, who, said.key, seen=str(said.number or ""))


COMMANDS: dict[str, Do] = {
    "settings": lambda code, who, said: commands.change_settings(code, who, said.settings, said.key),
    "appoint": lambda code, who, said: helping.appoint(code, who, said.role, said.name, said.key),
    "dismiss": lambda code, who, said: helping.dismiss(code, who, said.number, said.key),
    "new-link": lambda code, who, said: helping.new_link(code, who, said.player, said.key),
    "amend": lambda code, who, said: commands.amend(
        code, who, said.player, **said.model_dump(include=PERSON, exclude_unset=True), key=said.key
    ),
    "remove": lambda code, who, said: commands.remove(code, who, said.player, key=said.key),
    "import": lambda code, who, said: commands.import_table(code, who, said.text or "", said.key),
    "hand-in": lambda code, who, said: commands.hand_in(code, who, said.player, said.lists, said.key),
    "choose": lambda code, who, said: commands.choose(
        code, who, said.player, said.number, said.key, said.pairing
    ),
    "check-in": lambda code, who, said: commands.check_in(code, who, said.player, said.here, said.key),
    "check-in-all": lambda code, who, said: commands.check_in_all(code, who, said.key),
    "drop": lambda code, who, said: commands.drop(code, who, said.player, said.key),
    "come-back": lambda code, who, said: commands.come_back(code, who, said.player, said.key),
    "come-late": lambda code, who, said: commands.come_late(
        code, who, said.name, said.club, said.faction, said.how, said.key
    ),
    "pair": lambda code, who, said: commands.pair(code, who, said.mode, said.key),
    "repair": _of_round(commands.repair),
    "by-hand": lambda code, who, said: commands.by_hand(code, who, said.groups, said.key),
    "swap": lambda code, who, said: commands.swap(code, who, said.player, said.other, said.key),
    "mode": lambda code, who, said: commands.set_mode(code, who, said.mode, said.key),
    "open-round": _of_round(commands.open_round),
    "call-off": _of_round(commands.call_off),
    "close-round": lambda code, who, said: commands.close_round(code, who, said.number or None, said.key),
    "reopen": _of_round(commands.reopen),
    "finish": _of_round(commands.finish),
    "start-clock": _of_round(commands.start_clock),
    "pause-clock": _of_round(commands.pause_clock),
    "extend": lambda code, who, said: commands.extend(code, who, said.number, said.pairing, said.key),
    "report": lambda code, who, said: commands.report(
        code, who, said.pairing, said.player, _result(said), said.key
    ),
    "contest": lambda code, who, said: commands.contest(
        code, who, said.pairing, said.player, said.note, said.key
    ),
    "enter": lambda code, who, said: commands.enter_result(code, who, said.pairing, _result(said), said.key),
    "rule": lambda code, who, said: commands.rule(
        code, who, said.pairing, _result(said), said.note, said.key
    ),
    "announce": lambda code, who, said: judging.announce(code, who, said.note, said.key),
    "take-down": lambda code, who, said: judging.take_down(code, who, said.number, said.key),
    "call-judge": lambda code, who, said: judging.call_judge(
        code, who, said.pairing, said.player, said.note, said.key
    ),
    "answer-call": lambda code, who, said: judging.answer_call(code, who, said.number, said.key),
    "close-call": lambda code, who, said: judging.close_call(code, who, said.number, said.note, said.key),
    "note-ruling": lambda code, who, said: judging.note_ruling(code, who, said.pairing, said.note, said.key),
    "undo": lambda code, who, said: event_undo.undo(code, said.number, who, said.key),
}
"""What can be done at an event, by the name that a program sends."""


@router.post(
    "/events",
    response={201: schemas.EventOpened, 409: Problem, **REFUSED},
    url_name="halls",
    summary="Open an event",
)
def open_event(request: HttpRequest, opening: schemas.EventOpening) -> HttpResponse:
    """Open an event. Only this answer holds its organiser's token.

    With a `key` the same request may be sent again, and gets the same event.
    """
    slow_down(request, OPENINGS)
    event, token, is_replay = open_event_once(opening, address_hash(request))
    opened = {"code": event.code, "version": event.version, "token": token}
    return answer_once(opened, 201, is_replay=is_replay)


@router.get(
    "/events/{code}",
    response={200: schemas.Hall, **REFUSED},
    url_name="hall",
    summary="Look at an event",
    openapi_extra=TOKEN,
)
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Players, rounds with their pairings and results, standings, announcements, calls."""
    event, actor = _asked(request, code)
    with one_moment():
        return answer(reading.public(_seen_by(actor, event), int(clock.seconds())))


@router.get(
    "/events/{code}/tables/{what}",
    response={200: str, **REFUSED},
    url_name="hall-table",
    summary="A table of an event as CSV",
)
def table(request: HttpRequest, code: str, what: str) -> HttpResponse:
    """The `players`, `pairings` or `standings` of an event for a spreadsheet."""
    event, actor = _asked(request, code)
    if what not in reading.TABLES:
        raise RequestRefused(say(_("An event has no such table.")), 404, "unknown")
    with one_moment():
        text = reading.TABLES[what](_seen_by(actor, event).state)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event.code}-{what}.csv"'
    return private(response)


@router.get(
    "/events/{code}/history",
    response={200: schemas.EventHistory, **REFUSED},
    url_name="hall-history",
    summary="The history of an event",
)
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Every action from the first on: who did what, in sentences, and its fingerprint."""
    asked, _actor = _asked(request, code)
    with one_moment():
        event = event_actions.event_of(asked.code)
        entries = [reading.entry_json(entry) for entry in logbook.entries_of(event)]
    return answer({"code": event.code, "version": event.version, "entries": entries})


@router.post(
    "/events/{code}/players",
    response={201: schemas.Registered, 409: Problem, **REFUSED},
    url_name="hall-players",
    summary="Register a player",
    openapi_extra=TOKEN,
)
def register(request: HttpRequest, code: str, wanted: schemas.Registering) -> HttpResponse:
    """Register a player. Only this answer holds their token; a repeated key gets it again."""
    event, actor = _asked(request, code)
    is_guest = actor.role == roles.GUEST
    slow_down(request, REGISTRATIONS if is_guest else TAPS, access.event_and_address(request))
    who = actor if actor.role == roles.ORGANISER else Actor("guest", wanted.name, roles.GUEST)
    with transaction.atomic():
        outcome = commands.register(event.code, who, wanted.name, wanted.club, wanted.faction, wanted.key)
        player = commands.registered(event, outcome)
        if is_guest:
            access.note_address(request, player)
    return answer({"player": player.key, "token": access.secret(player), "version": outcome.version}, 201)


@router.post(
    "/events/{code}/do",
    response=DONE,
    url_name="hall-do",
    summary="Do something at an event",
    openapi_extra={"security": [{"seat": []}]},
)
def do(request: HttpRequest, code: str, wanted: schemas.Command) -> HttpResponse:
    """Carry out one of the commands; `docs/api.md` says which of the other members each needs."""
    event, actor = _asked(request, code)
    if actor.role == roles.GUEST:
        raise RequestRefused(say(_("Send the token of a player or a helper.")), 401, "no_token")
    slow_down(request, TAPS, f"{event.code}/{actor.key}")
    if wanted.action not in COMMANDS:
        raise RequestRefused(say(_("There is no such command.")), 422, "unknown_choice")
    if wanted.lists or wanted.text is not None:
        slow_lists(request, f"{event.code}/{actor.key}")
    if wanted.action == "choose":
        slow_down(request, LISTS, f"{event.code}/{actor.key}", LONGEST)
    outcome = COMMANDS[wanted.action](event.code, actor, wanted)
    told: dict[str, Any] = {"accepted": True, "replayed": outcome.is_replay, "version": outcome.version}
    told |= {"made": outcome.made, **_token_of_new_helper(wanted, outcome)}
    return answer_once(told, is_replay=outcome.is_replay)


def _token_of_new_helper(wanted: schemas.Command, outcome: Verdict) -> dict[str, str]:
    if wanted.action != "appoint" or outcome.made is None:
        return {}
    return {"token": access.secret(Helper.objects.select_related("event").get(pk=outcome.made))}


def _seen_by(actor: Actor, event: Event) -> LoadedEvent:
    """The event as it stands; only helpers see what not everybody may know."""
    loaded = event_actions.load(event.code)
    if actor.role in (roles.GUEST, roles.PLAYER):
        loaded.state = reading.for_everybody(loaded.state)
    return loaded


def _asked(request: HttpRequest, code: str) -> tuple[Event, Actor]:
    """The event with this code and who is asking; a caller who guesses codes or tokens is told to wait."""
    try:
        event = event_actions.event_of(code)
        return event, access.bearer(request, event)
    except RequestRefused:
        guessed(request)
        raise
