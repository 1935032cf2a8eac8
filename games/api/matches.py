"""The addresses of the API: the same offers, actions and history as on the phones, in JSON."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags
from django.utils.translation import get_language, gettext
from ninja import Router

from games import core, translation
from games.api import schemas
from games.api.auth import player, reader, slow_down, slow_lists
from games.api.errors import answer, json_text, keyed_answer, private, refusal
from games.api.opening import claims, open_by_key
from games.api.reading import read_object, refuse_other_types
from games.core import (
    Offer,
    RequestRefused,
    State,
    System,
    fingerprint,
    piece_at,
    plain,
    say,
    systems,
    together,
)
from games.core import gettext_noop as _
from games.history import commits, file_form
from games.history.commits import Verdict
from games.live import hub
from games.live.hub import Audience
from games.match import match_file, play, storage, undoing
from games.match.play import acting_for
from games.models import Entry, Match
from games.pages.records.score_card import answer_with
from games.pages.table.boards import html
from games.pages.table.loaded import Table, table_after, table_of
from games.people import seats
from games.results import Result, result_of
from games.translation import words
from games.web import IMPORTED, IMPORTS, OPENINGS, TAPS, one_moment, tag

VIEW = "json"
"""The kind of view, among the streams' audiences, that is shown as JSON."""


def audience_json(table: Table, audience: Audience) -> str:
    """A loaded table as JSON for an audience, in its language."""
    with translation.override_game(table.match.system, audience.language):
        return json_text(position(table, audience.seats[0] if audience.seats else None))


def show(match: Match) -> None:
    """Draw a match as spectators will see it, in every language; raises what keeps it from being shown."""
    result_of(match)
    for language, _title in settings.LANGUAGES:
        audience_json(Table(match), Audience((), language, VIEW))
        html(Table(match), Audience((), language, "table"))


def position(table: Table, seat: str | None) -> dict[str, Any]:
    """Everything a seat (None: a spectator) may know about a table; sentences in the active language."""
    translation.activate_game(table.match.system)
    match, seen = table.match, core.view(table.state, seat)
    return {
        "code": match.code,
        "version": match.version,
        "since": match.since,
        "system": match.system,
        "mode": match.mode,
        "ruleset": _ruleset(seen.rules),
        "round": seen.round,
        "seat": seat,
        "question": _question(seen, seat),
        "to_act": list(table.awaited),
        "offers": [offer_json(offer) for offer in table.offers(seat or "")],
        "table": seen.to_json(),
        "derived": plain(table.game.derived_facts(seen, seat)),
        "scores": {key: seen.points(key) for key in seen.seats},
        "problems": [words(line) for line in core.problems(seen)],
        "log": [entry_json(entry, seat) for entry in table.recent],
        "result": seen.result,
        "commitment": core.commitment(match.seed),
        "take_back": _undo_request(match, seat),
        "altered": _altered(table),
    }


def etag(match: Match, seat: str | None) -> str:
    """A tag that changes whenever the JSON for this reader does."""
    return f'W/"{tag(match.version, match.chain, seat or "watch", get_language() or "en")}"'


def is_known(request: HttpRequest, tag: str) -> bool:
    """Whether the caller says that it already has exactly this answer."""
    held_tags = parse_etags(request.headers.get("If-None-Match", ""))
    return tag.removeprefix("W/") in {held.removeprefix("W/") for held in held_tags}


def offer_json(offer: Offer) -> dict[str, Any]:
    """An offer without its empty members; if it has `min` and `max`, `:` and a number follow its action."""
    shown: dict[str, Any] = {"action": offer.action, "label": words(offer.label), "style": offer.style}
    if offer.minimum is not None:
        shown |= {"min": offer.minimum, "max": offer.maximum}
    if offer.detail is not None:
        shown["detail"] = words(offer.detail)
    if offer.instead_of is not None:
        shown["instead_of"] = words(offer.instead_of)
    more = {"about": offer.about, "value": offer.value, "on": offer.on, "group": offer.group or None}
    return shown | {name: value for name, value in more.items() if value is not None}


def entry_json(entry: Entry, seat: str | None) -> dict[str, Any]:
    """A line of the history, in sentences, as a seat (None: a spectator) may read it."""
    return {
        "version": entry.version,
        "kind": entry.kind,
        "seat": entry.seat or None,
        "author": entry.author,
        "round": entry.round,
        "path": entry.path or None,
        "action": entry.action,
        "lines": [words(line) for line in commits.lines_for(entry, seat)],
        "final": entry.is_final,
        "undone": entry.is_undone,
    }


def _ruleset(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules that this match keeps, by name and fingerprint; `table` holds them in full."""
    title, version = rules.get("title", ""), rules.get("version", "")
    return {"title": title, "version": version, "hash": fingerprint(rules)}


def _question(seen: State, seat: str | None) -> dict[str, Any] | None:
    step = core.step_of(seen)
    if step is None:
        return None
    return {
        "step": step.name,
        "number": seen.question.number,
        "about": list(seen.question.about),
        "title": words(step.asking(seen, seat)),
        "help": words(step.helping(seen, seat)),
        "rule": step.resting_on(seen) or None,
    }


def _altered(table: Table) -> dict[str, Any] | None:
    """What was changed outside the game and has to be decided, and the seats that have yet to agree to it."""
    altered = table.match.altered
    if not altered:
        return None
    return {
        "seats": storage.seats_of(altered["places"]),
        "seed": storage.SEED in altered["places"],
        "can_restore": bool(altered["restorable"]),
        "lines": [words(line) for line in storage.altered_sentences(table.state, altered)],
        "agreed": altered["agreed"],
    }


def _undo_request(match: Match, seat: str | None) -> dict[str, Any] | None:
    """What somebody asks to undo, and which seats have yet to agree."""
    asked = match.undo_request
    if asked is None:
        return None
    entries = Entry.objects.filter(match=match, version__in=asked["versions"]).order_by("-version")
    return {
        "by": asked["by"] or None,
        "versions": asked["versions"],
        "actions": [together(words(line) for line in commits.lines_for(entry, seat)) for entry in entries],
        "waits_for": [key for key in asked["needs"] if key not in asked["agreed"]],
    }


IMPORT_BYTES = settings.LARGE_BODIES["/api/import"]
IMPORTING = threading.Lock()
"""Held while an import is read, one at a time: a long match takes ten times its size in memory."""
PATIENCE_SECONDS = 10.0

REFUSED: dict[Any, Any] = {frozenset({403, 404, 413, 415, 422, 429, 503}): schemas.Problem}
NO_TOKEN: dict[Any, Any] = {401: schemas.Problem}
DONE: dict[Any, Any] = {200: schemas.Accepted, 409: schemas.IllegalAction, **NO_TOKEN, **REFUSED}
SEATED: dict[str, Any] = {"security": [{"seat": []}]}
WATCHED: dict[str, Any] = {"security": [{}, {"seat": []}]}
"""How the description marks what needs a seat's token, and what a token only adds to."""

router = Router()

Command = Callable[[str, str], Verdict]
More = Callable[[Table, str], dict[str, object]]
"""What an answer has beside the fresh position."""


@router.get("/systems", response=schemas.Games, url_name="systems", summary="What can be played")
def list_systems(request: HttpRequest) -> HttpResponse:
    """Every game, with its modes, seats, options and demo armies."""
    return answer({"systems": [_game(game) for game in systems()]})


@router.post(
    "/matches", response={201: schemas.Opened, **REFUSED}, url_name="matches", summary="Open a match"
)
def open_match(request: HttpRequest, opening: schemas.Opening) -> HttpResponse:
    """Open a match with all its seats. Only this answer ever holds their tokens and links.

    With a `key` the same request may be sent again, and gets the same match.
    """
    slow_down(request, OPENINGS)
    slow_lists(request)
    match, is_replay = open_by_key(opening, seats.address_hash(request))
    opened = {"code": match.code, "version": match.version, "seats": claims(request, match)}
    return keyed_answer(opened, 201, is_replay=is_replay)


@router.get(
    "/matches/{code}",
    response={200: schemas.Position, 304: None, **REFUSED},
    url_name="match",
    summary="Look at a match",
    openapi_extra=WATCHED,
)
def look(request: HttpRequest, code: str) -> HttpResponse:
    """The match as the token's seat may see it, or as a spectator; `If-None-Match` is understood."""
    match, phone = reader(request, code)
    seat = _only(phone)
    tag = etag(match, seat)
    if is_known(request, tag):
        return private(HttpResponse(status=304, headers={"ETag": tag}))
    with one_moment():
        table = table_of(match.code)
        return answer(position(table, seat), ETag=etag(table.match, seat))


@router.post("/matches/{code}/act", response=DONE, url_name="act", summary="Tap", openapi_extra=SEATED)
def act(request: HttpRequest, code: str, tap: schemas.Act) -> HttpResponse:
    """Do what is offered: `action` as offered (with its number), `seen` the version you looked at."""
    return _command(request, code, lambda code, seat: play.tap(code, seat, tap.action, tap.seen, tap.key))


@router.get(
    "/matches/{code}/adjustments",
    response={200: schemas.Corrections, **NO_TOKEN, **REFUSED},
    url_name="adjustments",
    summary="What may be corrected",
    openapi_extra=SEATED,
)
def adjustments(request: HttpRequest, code: str, path: str = "") -> HttpResponse:
    """The corrections of the piece at `path`; without one, the paths that have any."""
    match, _seat, _epoch = player(request, code)
    with one_moment():
        return answer(_corrections(table_of(match.code), path))


def _corrections(table: Table, path: str) -> dict[str, object]:
    paths = list(table.game.corrections_step.paths(table.state))
    if path and path != "table" and piece_at(table.state, path) is None:
        raise RequestRefused(say(_("There is no such piece at this table.")), 404, "unknown")
    offers = core.corrections_of(table.state, path) if path else ()
    answer = {"version": table.match.version, "paths": paths, "path": path or None}
    return {**answer, "offers": [offer_json(offer) for offer in offers]}


@router.post(
    "/matches/{code}/adjust", response=DONE, url_name="adjust", summary="Correct", openapi_extra=SEATED
)
def adjust(request: HttpRequest, code: str, change: schemas.Adjust) -> HttpResponse:
    """Correct a piece or the table, at any time: in the log, undoable, with a reason."""
    return _command(
        request,
        code,
        lambda code, seat: play.adjust(code, seat, change.path, change.action, change.key, note=change.note),
    )


@router.post("/matches/{code}/undo", response=DONE, url_name="undo", summary="Undo", openapi_extra=SEATED)
def undo(request: HttpRequest, code: str, wanted: schemas.Undo) -> HttpResponse:
    """Undo the action that made a version: at once, or by asking the seats it concerns."""
    return _command(request, code, lambda code, seat: undoing.ask(code, seat, wanted.version, wanted.key))


@router.post(
    "/matches/{code}/undo/answer",
    response=DONE,
    url_name="undo-answer",
    summary="Agree to an undo, or decline it",
    openapi_extra=SEATED,
)
def answer_undo(request: HttpRequest, code: str, sent: schemas.UndoAnswer) -> HttpResponse:
    """Answer a seat that asks to take something back; that seat may call it off with `agree: false`."""
    return _command(request, code, lambda code, seat: undoing.answer(code, seat, sent.agree, sent.key))


@router.post(
    "/matches/{code}/altered",
    response=DONE,
    url_name="altered",
    summary="Decide about what was changed outside the game",
    openapi_extra=SEATED,
)
def decide(request: HttpRequest, code: str, sent: schemas.Decision) -> HttpResponse:
    """Put back what was committed to, or agree to go on with what is stored if that is impossible."""
    decision = play.restore_secrets if sent.restore else play.accept_altered
    return _command(request, code, lambda code, seat: decision(code, seat, sent.key))


@router.post(
    "/matches/{code}/army",
    response={**DONE, 200: schemas.ArmyRead},
    url_name="army",
    summary="Bring an army",
    openapi_extra=SEATED,
)
def army(request: HttpRequest, code: str, brought: schemas.Army) -> HttpResponse:
    """Bring a pasted list, as often as you like until ready; oddities in it are reported, not refused.

    The answer also has the words of the list that were not used, by their lines.
    """
    slow_down(request, IMPORTS)
    return _command(
        request, code, lambda code, seat: play.bring(code, seat, brought.text, brought.key), _unused
    )


def _unused(table: Table, seat: str) -> dict[str, object]:
    roster = table.game.roster(table.state, seat)
    lines = roster.unused if roster else ()
    return {"unused": [{"line": line.arguments["line"], "text": line.arguments["text"]} for line in lines]}


@router.get(
    "/matches/{code}/events",
    response={200: str, **REFUSED},
    url_name="events",
    summary="Follow a match",
    openapi_extra={
        **WATCHED,
        "responses": {200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    },
)
def events(request: HttpRequest, code: str) -> HttpResponse:
    """Server-sent events: the data of each `board` is what GET returns, its id the version."""
    match, phone = reader(request, code)
    audience = Audience(phone.seats, get_language() or "en", VIEW)
    return hub.stream_response(match.code, audience, phone.epochs)


@router.get(
    "/matches/{code}/export",
    response={200: dict, **REFUSED},
    url_name="export",
    summary="Take a match with you",
    openapi_extra=WATCHED,
)
def export(request: HttpRequest, code: str) -> HttpResponse:
    """The whole match once it is over, for import anywhere; before that, what the caller may know."""
    match, phone = reader(request, code)
    file = match_file.export(match, _only(phone))
    name = f'attachment; filename="roundtable-{match.code}.json"'
    return answer(file, Content_Disposition=name)


@router.get(
    "/matches/{code}/result",
    response={200: Result, 304: None, **REFUSED},
    url_name="result",
    summary="The result, or the score so far",
    openapi_extra=WATCHED,
)
def result(request: HttpRequest, code: str) -> HttpResponse:
    """The match as open JSON, the same for everybody: who plays, points by round and source, how it ended."""
    match, _phone = reader(request, code)
    return private(answer_with(request, match))


@router.post(
    "/import",
    response={200: schemas.Imported, 201: schemas.Imported, **REFUSED},
    url_name="import",
    summary="Bring a match along",
    openapi_extra={
        "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
    },
)
def import_match(request: HttpRequest) -> HttpResponse:
    """Import a whole export as a new match to look at. The same export again gives the same match."""
    slow_down(request, IMPORTS)
    raw = request.read(IMPORT_BYTES + 1)
    if raw:
        refuse_other_types(request)
    if not IMPORTING.acquire(timeout=PATIENCE_SECONDS):
        line = say(_("Another match is being imported. Please try again in a moment."))
        raise RequestRefused(line, 503, "busy")
    try:
        slow_down(request, IMPORTED, amount=len(raw) / 2**20)
        file = read_object(raw, IMPORT_BYTES, file_form.DEEPEST)
        match, is_replay = match_file.import_match(file, show, opened_from=_where(request))
    finally:
        IMPORTING.release()
    arrived = {"code": match.code, "version": match.version, "replayed": is_replay}
    return answer(arrived, 200 if is_replay else 201)


def _where(request: HttpRequest) -> str:
    """Where an import comes from, as a keyed hash; "" from an organiser, whose imports stay."""
    return "" if request.user.is_active and request.user.is_staff else seats.address_hash(request)


def _command(request: HttpRequest, code: str, command: Command, more: More = lambda *_: {}) -> HttpResponse:
    """Carry out an action for the token's seat; the answer is the fresh position, even with a 409."""
    match, seat, epoch = player(request, code)
    slow_down(request, TAPS, f"{match.code}/{seat}")
    try:
        with transaction.atomic(), acting_for(match.code, seat, epoch, match.freed):
            seats.occupy(match, seat, epoch)
            verdict = command(match.code, seat)
    except RequestRefused as refused:
        return _refused(match, seat, refused)
    table = table_after(verdict, match.code)
    answer = position(table, seat) | more(table, seat) | {"accepted": True, "replayed": verdict.is_replay}
    return keyed_answer(answer, is_replay=verdict.is_replay)


def _refused(match: Match, seat: str, refused: RequestRefused) -> HttpResponse:
    if refused.status != 409:
        return refusal(refused, version=match.version)
    if refused.error == storage.ERROR:
        play.tell_altered(match.code)
    with one_moment():
        fresh = position(table_of(match.code), seat)
    return refusal(refused, version=fresh["version"], match=fresh)


def _only(phone: seats.Phone) -> str | None:
    """The one seat of a token; None for a spectator."""
    return phone.seats[0] if phone.seats else None


def _game(game: System) -> dict[str, object]:
    fewest, most = game.seat_range
    return {
        "slug": game.slug,
        "title": gettext(game.title),
        "modes": [{"slug": mode.slug, "title": gettext(mode.title)} for mode in game.modes],
        "seats": {"min": fewest, "max": most},
        "colours": [{"slug": key, "title": gettext(title)} for key, title in game.seat_names.items()],
        "options": [_option(game, name) for name in game.options],
        "armies": [{"slug": slug, "title": gettext(title)} for slug, title in game.demo_armies().items()],
    }


def _option(game: System, name: str) -> dict[str, object]:
    default, low, high = game.options[name]
    asked = game.asks(name)
    return {
        "name": name,
        "default": default,
        "min": low,
        "max": high,
        "title": gettext(asked.title),
        "values": [{"value": value, "title": gettext(title)} for value, title in asked.values.items()],
    }
