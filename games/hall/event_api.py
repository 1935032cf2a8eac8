"""Events for programs: the same commands as on the organisers' pages, the standings, tables as CSV.

A bearer token belongs to a player or a helper; without one a program reads what everybody may read, which
leaves out army lists: `registration.may_read_lists` says who may read which.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated, Any, get_type_hints

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema
from pydantic import Field, PlainValidator, StrictBool, WithJsonSchema, create_model

from games import translation
from games.api.auth import guessed, slow_down, slow_lists
from games.api.errors import answer, keyed_answer, private
from games.api.matches import NO_TOKEN, REFUSED
from games.api.reading import LONGEST_NUMBER
from games.api.schemas import Body, Count, Key, Note, OpeningKey, Player, Problem, clean_whole
from games.core import RequestRefused, Unreadable, clean_note, clean_text, keep, remembered, say
from games.core import gettext_noop as _
from games.hall import commands, event_actions, event_links, event_undo
from games.hall.event_actions import GUEST, ORGANISER, PLAYER, Actor, LoadedEvent
from games.hall.models import Event, EventEntry, Helper
from games.hall.pages import season_pages
from games.hall.rules import event_rounds, event_state, round_draw, standings, team_rounds
from games.hall.rules.event_state import DRAFTED, OPEN, Call, EventState, Pairing, Round, TeamMatch
from games.history import commits
from games.history.commits import Verdict
from games.match import play
from games.match.play import match_of
from games.people import seats
from games.people.seats import address_hash
from games.translation import words
from games.web import LISTS, LONGEST_LIST, OPENINGS, REGISTRATIONS, TAPS, clock, one_moment, table_files

MOST_LISTS = 2
MOST_GROUPS = 1000
LARGEST_NUMBER = 10**LONGEST_NUMBER - 1


def clean_short(raw: object) -> str:
    """A key or the name of a choice: short, in plain letters, or empty."""
    if (
        not isinstance(raw, str)
        or len(raw) > 40
        or not all(character.isascii() and character.isprintable() for character in raw)
    ):
        raise Unreadable(say(_("This cannot be read.")))
    return raw


def clean_number(raw: object) -> int:
    """A count, or the number of something: that of a helper is a row's, and may be long."""
    return clean_whole(raw, -LARGEST_NUMBER, LARGEST_NUMBER)


def clean_table(raw: object) -> str:
    """A pasted table; its lines are read later."""
    return clean_text(raw, table_files.MOST_BYTES)


Short = Annotated[str, PlainValidator(clean_short), WithJsonSchema({"type": "string", "maxLength": 40})]
Number = Annotated[
    int,
    PlainValidator(clean_number),
    WithJsonSchema({"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}),
]
Name = Annotated[str, PlainValidator(clean_note), WithJsonSchema({"type": "string"})]
List = Annotated[str, PlainValidator(clean_text), WithJsonSchema({"type": "string"})]
Table = Annotated[str, PlainValidator(clean_table), WithJsonSchema({"type": "string"})]


class EventOpening(Body):
    """An event to open; settings by name, as `look` shows them. With a `key` it may be sent again."""

    system: Short
    settings: dict[str, Any] = Field(default_factory=dict)
    organiser: Player = ""
    key: OpeningKey = ""


class Registering(Body):
    """A player who registers."""

    name: Name
    club: Name = ""
    faction: Name = ""
    division: Name = ""
    key: OpeningKey


class Command(Body):
    """A command and what it needs; most commands need only a few of these members."""

    action: Short
    key: Key
    player: Short = ""
    other: Short = ""
    pairing: Short = ""
    name: Name = ""
    club: Name = ""
    faction: Name = ""
    role: Short = ""
    mode: Short = ""
    how: Short = ""
    here: StrictBool = True
    number: Number = 0
    note: Note = ""
    text: Table | None = None
    lists: list[List] = Field(default_factory=list, max_length=MOST_LISTS)
    groups: list[list[Short]] = Field(default_factory=list, max_length=MOST_GROUPS)
    scores: dict[str, dict[str, Count]] = Field(default_factory=dict)
    winner: Short | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    team: Short = ""
    division: Name = ""


class EventOpened(Schema):
    """A new event."""

    code: str
    version: int
    token: str


class Registered(Schema):
    """A registered player."""

    player: str
    token: str
    version: int


class Sitting(Body):
    """Which of a player's tables, in a league."""

    pairing: Short = ""


class Seated(Schema):
    """A player's seat at the table of the round, and the token that plays it."""

    pairing: str
    table: int
    match: str
    seat: str
    token: str


class Done(Schema):
    """What came of a command; `made` is the key or number of what it made."""

    accepted: bool
    replayed: bool
    version: int
    made: Any = None
    token: str | None = None


class EventHistory(Schema):
    """Every action of an event."""

    code: str
    version: int
    entries: list[dict[str, Any]]


class RatingsRead(Schema):
    """The ratings of a game, and the events that count."""

    game: str
    events: list[dict[str, Any]]
    players: list[dict[str, Any]]


class SeasonRead(Schema):
    """A season with its standings."""

    code: str
    name: str
    scale: dict[str, Any]
    events: list[dict[str, Any]]
    standings: list[dict[str, Any]]


SETTINGS = (
    *("name", "system", "mode", "options", "kind", "size", "least", "houses", "length", "cut"),
    *("minutes", "overtime", "no_show", "days", "reach", "scoring", "divisions", "is_rated"),
    *("team_size", "team_tables", "team_scale", "team_cap", "team_margin"),
)

FACTS: dict[str, Any] = {
    **{name: get_type_hints(EventState)[name] for name in SETTINGS},
    **dict.fromkeys(("format", "code", "status", "results", "history"), str),
    **dict.fromkeys(("format_version", "version", "now", "rounds_in_all"), int),
    **dict.fromkeys(("players", "rounds", "standings", "calls", "announcements"), list[dict[str, Any]]),
    **dict.fromkeys(("teams", "team_matches", "team_standings"), list[dict[str, Any]]),
    **{"criteria": list[str], "bye": dict[str, float | None]},
}
Hall = create_model("Hall", __base__=Schema, __doc__="An event as everybody may see it.", **FACTS)


# --- an event as JSON, and as tables for spreadsheets ------------------------------------------------


FORMAT = "roundtable-event"
FORMAT_VERSION = 1


def public(loaded: LoadedEvent, now: int) -> dict[str, Any]:
    """The event as it stands; `now` is in seconds since 1970."""
    g = loaded.state
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "code": loaded.event.code,
        "version": loaded.event.version,
        "now": now,
        **settings(g),
        "status": g.status,
        "players": [player_json(player) for player in g.players.values()],
        "rounds": [_round(g, event_round, now) for event_round in g.rounds.values()],
        "results": standings.mark(g),
        "standings": [line_json(g, line) for line in standings.standings(g)],
        "teams": [team.to_json() for team in g.teams.values()],
        "team_matches": [team_match_json(g, match) for match in g.team_matches.values()],
        "team_standings": _team_standings(g),
        "calls": [_call(call) for call in g.calls.values()],
        "announcements": [announcement.to_json() for announcement in g.announcements.values()],
        "history": loaded.event.chain,
    }


@remembered
def for_everybody(g: EventState) -> EventState:
    """The event as everybody may know it.

    Who meets whom may change until the round opens; what somebody asks a judge is between them.
    """
    shown = g.copy()
    shown.pairings = {
        key: pairing for key, pairing in g.pairings.items() if g.rounds[str(pairing.round)].state != DRAFTED
    }
    shown.team_matches = {
        key: match for key, match in g.team_matches.items() if g.rounds[str(match.round)].state != DRAFTED
    }
    for call in shown.calls.values():
        call.question = ""
    return keep(shown)


def _facts(record: Any, names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names.split()}


def settings(g: EventState) -> dict[str, Any]:
    """The settings that the event's organisers have chosen."""
    worth = standings.bye_of(g)
    return {
        **{name: getattr(g, name) for name in SETTINGS},
        "criteria": list(standings.criteria(g)),
        "bye": {name: None if value is None else float(value) for name, value in worth.items()},
        "rounds_in_all": round_draw.rounds_in_all(team_rounds.as_paired(g)),
    }


def player_json(player: event_state.Player) -> dict[str, Any]:
    """A player, with the number of lists they handed in."""
    facts = _facts(player, "key name club faction team division penalties")
    return {**facts, "lists": len(player.lists), **_facts(player, "checked_in dropped")}


def line_json(g: EventState, line: standings.Standing) -> dict[str, Any]:
    return {
        **_facts(line, "rank player won drawn lost byes decided left"),
        "name": g.players[line.player].name,
        "values": {name: number(line, name) for name in standings.criteria(g) if name != "head"},
    }


def number(line: standings.Standing, name: str) -> float | None:
    """The value of a criterion as people read it; None if there is none."""
    value = line.values.get(name, 0)
    if name == "vim":
        return None if -value == standings.NEVER else int(-value)
    return as_number(value)


def as_number(value: standings.Exact) -> float:
    """An exact number as JSON has it."""
    return int(value) if value == int(value) else float(value)


def pairing_json(pairing: Pairing) -> dict[str, Any]:
    facts = _facts(pairing, "key table players seats match state results winner how extended absent")
    bids = {player: bid for player, bid in pairing.bids.items() if isinstance(bid, int)}
    return {**facts, "chosen": sorted(pairing.chosen), "bids": bids}


def team_match_json(g: EventState, match: TeamMatch) -> dict[str, Any]:
    """A team match as everybody may see it, without what is sealed."""
    facts = _facts(match, "key round order teams line_ups pairs defenders attackers winner")
    scores = {team: as_number(value) for team, value in team_rounds.score(g, match).items()}
    return {
        **facts,
        "question": match.question,
        "waits_for": match.waits_for if match.question else [],
        "score": scores,
        "is_decided": match.is_bye or team_rounds.is_decided(g, match),
    }


def _team_standings(g: EventState) -> list[dict[str, Any]]:
    t = team_rounds.as_paired(g)
    return [line_json(t, line) for line in standings.standings(t)] if g.team_size else []


def _round(g: EventState, this_round: Round, now: int) -> dict[str, Any]:
    clock = (
        None
        if g.is_league
        else {"left": this_round.left(now), "is_running": this_round.running_since is not None}
    )
    return {
        **_facts(this_round, "number mode options stage state until rests_on"),
        "clock": clock,
        "overtime": this_round.overtime * 60,
        "is_stale": event_rounds.is_stale(team_rounds.as_paired(g), this_round),
        "pairings": [pairing_json(pairing) for pairing in g.at(this_round.number)],
    }


def _call(call: Call) -> dict[str, Any]:
    return {**call.to_json(), "is_open": call.closed_at is None}


def entry_json(entry: EventEntry) -> dict[str, Any]:
    """An entry of the history in the reader's language, without the values before and after."""
    return {
        **_facts(entry, "version action author note hash"),
        "lines": [words(line) for line in commits.lines_for(entry)],
        "undoes": entry.undoes.version if entry.undoes else None,
        "at": entry.created_at.isoformat(),
    }


# --- tables ----------------------------------------------------------------------------------------


def players_csv(g: EventState) -> str:
    head = ["key", "name", "club", "faction", "team", "division", "lists", "checked_in", "dropped"]
    facts = map(player_json, g.players.values())
    return table_files.as_csv(head, ([player[name] for name in head] for player in facts))


def pairings_csv(g: EventState) -> str:
    """Every pairing, one line for each of its players."""
    head = "round table match player name seat state how is_winner vp destroyed scenario place"
    return table_files.as_csv(head.split(), _pairing_rows(g))


def _pairing_rows(g: EventState) -> Iterator[list[Any]]:
    for number in sorted(event_round.number for event_round in g.rounds.values()):
        for pairing in g.at(number):
            for at, key in enumerate(pairing.players):
                numbers = pairing.results.get(key, {})
                seat = pairing.seats[at] if at < len(pairing.seats) else ""
                facts = [number, pairing.table, pairing.match, key, g.players[key].name, seat]
                state = [pairing.state, pairing.how, pairing.winner == key]
                yield [*facts, *state, *map(numbers.get, ("vp", "destroyed", "scenario", "place"))]


def standings_csv(g: EventState) -> str:
    """The standings, one line per player, with the criteria that decide."""
    return _standings_csv(g)


def teams_csv(g: EventState) -> str:
    """The standings of the teams, as those of the players."""
    return _standings_csv(team_rounds.of_teams(g))


def _standings_csv(g: EventState) -> str:
    names = [name for name in standings.criteria(g) if name != "head"]
    rows = (
        [line.rank, g.players[line.player].name, g.players[line.player].club, line.won, line.drawn, line.lost]
        + [number(line, name) for name in names]
        + [line.decided]
        for line in standings.standings(g)
    )
    return table_files.as_csv(["rank", "name", "club", "won", "drawn", "lost", *names, "decided"], rows)


TABLES = {"players": players_csv, "pairings": pairings_csv, "standings": standings_csv, "teams": teams_csv}
"""The tables of an event by name."""


# --- the addresses -----------------------------------------------------------------------------------


router = Router()

TOKEN: dict[str, Any] = {"security": [{}, {"seat": []}]}
DONE: dict[Any, Any] = {200: Done, 409: Problem, **NO_TOKEN, **REFUSED}

Do = Callable[[str, Actor, Command], Verdict]

PERSON = {"name", "club", "faction"}
"""What `amend` changes of a player, as far as a program says it."""


def _result(wanted: Command) -> dict[str, Any]:
    stated: dict[str, Any] = {"scores": wanted.scores}
    if wanted.winner is not None:
        stated["winner"] = wanted.winner
    if wanted.how:
        stated["how"] = wanted.how
    return stated


def _said(command: Callable[..., Verdict], *members: str) -> Do:
    """A command that takes these members of what a program says, in this order."""
    return lambda code, who, said: command(
        code, who, *(getattr(said, member) for member in members), key=said.key
    )


def _of_round(command: Callable[..., Verdict]) -> Do:
    """A command on the newest round; a program may name it, so that nothing is done to another."""
    return lambda code, who, said: command(code, who, said.key, seen=str(said.number or ""))


def _moment(text: str | None) -> int:
    """A moment as a program says it, such as "2026-12-05T19:00:00+01:00"; 0 for none."""
    try:
        return int(datetime.fromisoformat(text).timestamp()) if text else 0
    except (ValueError, OverflowError):
        raise RequestRefused(say(clock.NO_MOMENT), 422, "malformed") from None


def names_in(text: str) -> list[str]:
    """Names, one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


COMMANDS: dict[str, Do] = {
    "settings": _said(commands.change_settings, "settings"),
    "appoint": _said(commands.appoint, "role", "name"),
    "dismiss": _said(commands.dismiss, "number"),
    "new-link": _said(commands.new_link, "player"),
    "amend": lambda code, who, said: commands.amend(
        code, who, said.player, **said.model_dump(include=PERSON, exclude_unset=True), key=said.key
    ),
    "remove": _said(commands.remove, "player"),
    "import": lambda code, who, said: commands.import_table(code, who, said.text or "", said.key),
    "hand-in": _said(commands.hand_in, "player", "lists"),
    "choose": lambda code, who, said: commands.choose(
        code, who, said.player, said.number, said.key, said.pairing
    ),
    "check-in": _said(commands.check_in, "player", "here"),
    "check-in-all": _said(commands.check_in_all),
    "challenge": _said(commands.challenge, "player", "other"),
    "consent": _said(commands.consent, "player", "here"),
    "drop": _said(commands.drop, "player"),
    "come-back": _said(commands.come_back, "player"),
    "come-late": _said(commands.come_late, "name", "club", "faction", "how", "division"),
    "pair": _said(commands.pair, "mode"),
    "repair": _of_round(commands.repair),
    "by-hand": _said(commands.by_hand, "groups"),
    "swap": _said(commands.swap, "player", "other"),
    "seat-together": _said(commands.seat_together, "player", "other"),
    "call-off-table": _said(commands.call_off_table, "pairing"),
    "no-show": _said(commands.no_show, "pairing", "player"),
    "absent": _said(commands.report_absent, "pairing", "player"),
    "present": _said(commands.report_present, "pairing", "player"),
    "keep-draw": _of_round(commands.keep_draw),
    "bid": _said(commands.bid, "pairing", "player", "number"),
    "choose-house": _said(commands.choose_house, "pairing", "player", "other"),
    "houses": lambda code, who, said: commands.set_houses(
        code, who, said.pairing, [house for group in said.groups for house in group], said.key
    ),
    "draw-houses": _said(commands.draw_houses, "pairing"),
    "move": _said(commands.move, "pairing", "number"),
    "register-team": lambda code, who, said: commands.register_team(
        code, who, said.name, names_in(said.text or ""), said.division, said.key
    ),
    "add-to-team": lambda code, who, said: commands.add_to_team(
        code, who, said.team, names_in(said.text or ""), said.key
    ),
    "amend-team": lambda code, who, said: commands.amend_team(
        code,
        who,
        said.team,
        said.name or None,
        said.division if "division" in said.model_fields_set else None,
        said.player or None,
        said.key,
    ),
    "division": _said(commands.set_division, "player", "division"),
    "penalise": lambda code, who, said: commands.penalise(
        code, who, said.team or said.player, said.number, said.note, said.key
    ),
    "check-in-team": _said(commands.check_in_team, "team"),
    "propose": _said(commands.propose, "pairing", "player"),
    "take-back": _said(commands.take_back, "pairing", "team"),
    "rest-by-lot": _said(commands.rest_by_lot, "pairing"),
    "pair-anew": _said(commands.pair_anew, "pairing"),
    "fix-table": _said(commands.fix_table, "player", "number"),
    "date": lambda code, who, said: commands.propose_date(
        code, who, said.pairing, said.player, _moment(said.text), said.key
    ),
    "deadline": lambda code, who, said: commands.move_deadline(
        code, who, said.number, _moment(said.text), said.key
    ),
    "seed": _said(commands.seed, "player", "number"),
    "go-on": _said(commands.go_on, "pairing", "other", "player"),
    "mode": _said(commands.set_mode, "mode"),
    "options": _said(commands.set_options, "settings"),
    "open-round": _of_round(commands.open_round),
    "call-off": _of_round(commands.call_off),
    "close-round": lambda code, who, said: commands.close_round(code, who, said.number or None, said.key),
    "reopen": _of_round(commands.reopen),
    "finish": _of_round(commands.finish),
    "start-clock": _of_round(commands.start_clock),
    "pause-clock": _of_round(commands.pause_clock),
    "extend": _said(commands.extend, "number", "pairing"),
    "report": lambda code, who, said: commands.report(
        code, who, said.pairing, said.player, _result(said), said.key
    ),
    "contest": _said(commands.contest, "pairing", "player", "note"),
    "enter": lambda code, who, said: commands.enter_result(code, who, said.pairing, _result(said), said.key),
    "rule": lambda code, who, said: commands.rule(
        code, who, said.pairing, _result(said), said.note, said.key
    ),
    "announce": _said(commands.announce, "note"),
    "take-down": _said(commands.take_down, "number"),
    "call-judge": _said(commands.call_judge, "pairing", "player", "note"),
    "answer-call": _said(commands.answer_call, "number"),
    "close-call": _said(commands.close_call, "number", "note"),
    "note-ruling": _said(commands.note_ruling, "pairing", "note"),
    "undo": lambda code, who, said: event_undo.undo(code, said.number, who, said.key),
}
"""What can be done at an event, by the name that a program sends."""


@router.post(
    "/events",
    response={201: EventOpened, 409: Problem, **REFUSED},
    url_name="halls",
    summary="Open an event",
)
def open_event(request: HttpRequest, opening: EventOpening) -> HttpResponse:
    """Open an event. Only this answer holds its organiser's token.

    With a `key` the same request may be sent again, and gets the same event.
    """
    slow_down(request, OPENINGS)
    event, token, is_replay = _open_by_key(opening, address_hash(request))
    opened = {"code": event.code, "version": event.version, "token": token}
    return keyed_answer(opened, 201, is_replay=is_replay)


@router.get(
    "/events/{code}",
    response={200: Hall, **REFUSED},
    url_name="hall",
    summary="Look at an event",
    openapi_extra=TOKEN,
)
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Players, rounds with their pairings and results, standings, announcements, calls."""
    event, actor = _asked(request, code)
    with one_moment():
        return answer(public(_seen_by(actor, event), int(clock.seconds())))


@router.get(
    "/events/{code}/tables/{what}",
    response={200: str, **REFUSED},
    url_name="hall-table",
    summary="A table of an event as CSV",
)
def table(request: HttpRequest, code: str, what: str) -> HttpResponse:
    """The `players`, `pairings` or `standings` of an event for a spreadsheet."""
    event, actor = _asked(request, code)
    if what not in TABLES:
        raise RequestRefused(say(_("An event has no such table.")), 404, "unknown")
    with one_moment():
        text = TABLES[what](_seen_by(actor, event).state)
    return private(table_files.csv_file(f"{event.code}-{what}", text))


@router.get(
    "/events/{code}/history",
    response={200: EventHistory, **REFUSED},
    url_name="hall-history",
    summary="The history of an event",
)
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Every action from the first on: who did what, in sentences, and its fingerprint."""
    asked, _actor = _asked(request, code)
    with one_moment():
        event = event_actions.event_of(asked.code)
        read = commits.entries_of(event).defer("before", "after", "undoes__before", "undoes__after")
        entries = [entry_json(entry) for entry in read]
    return answer({"code": event.code, "version": event.version, "entries": entries})


@router.get(
    "/seasons/{code}",
    response={200: SeasonRead, **REFUSED},
    url_name="season",
    summary="Look at a season",
)
def season(request: HttpRequest, code: str) -> HttpResponse:
    """A season: its scale, its events, and the standings over those that are over."""
    with one_moment():
        return answer(season_pages.as_json(season_pages.season_of(code)))


@router.get(
    "/ratings/{game}",
    response={200: RatingsRead, **REFUSED},
    url_name="ratings",
    summary="Look at the ratings of a game",
)
def ratings(request: HttpRequest, game: str) -> HttpResponse:
    """The ratings over all rated events: of those players alone who agree to be named."""
    with one_moment():
        return answer(season_pages.ratings_json(season_pages.game_of(game)))


@router.post(
    "/events/{code}/players",
    response={201: Registered, 409: Problem, **REFUSED},
    url_name="hall-players",
    summary="Register a player",
    openapi_extra=TOKEN,
)
def register(request: HttpRequest, code: str, wanted: Registering) -> HttpResponse:
    """Register a player. Only this answer holds their token; a repeated key gets it again."""
    event, actor = _asked(request, code)
    is_guest = actor.role == GUEST
    slow_down(request, REGISTRATIONS if is_guest else TAPS, event_links.event_and_address(request))
    who = actor if actor.role == ORGANISER else Actor("guest", wanted.name, GUEST)
    with transaction.atomic():
        person = (wanted.name, wanted.club, wanted.faction, wanted.division)
        outcome = commands.register(event.code, who, *person, key=wanted.key)
        player = commands.registered(event, outcome)
        if is_guest:
            event_links.note_address(request, player)
    return answer(
        {"player": player.key, "token": event_links.secret(player), "version": outcome.version}, 201
    )


@router.post(
    "/events/{code}/seat",
    response={200: Seated, 409: Problem, **NO_TOKEN, **REFUSED},
    url_name="hall-seat",
    summary="Take a player’s seat at their table",
    openapi_extra={"security": [{"seat": []}]},
)
def sit(request: HttpRequest, code: str, wanted: Sitting) -> HttpResponse:
    """The seat of the token's player at the table of the round; asked again, it is the same seat."""
    event, actor = _asked(request, code)
    if actor.role != PLAYER:
        raise RequestRefused(say(_("Send the token of a player.")), 401, "no_token")
    slow_down(request, TAPS, f"{event.code}/{actor.key}")
    g = event_actions.load(event.code).state
    tables = [
        pairing
        for pairing in g.pairings.values()
        if actor.key in pairing.players and pairing.match and g.rounds[str(pairing.round)].state == OPEN
    ]
    own_pairing = next(
        (pairing for pairing in tables if wanted.pairing in ("", pairing.key) and not pairing.is_decided),
        None,
    )
    if own_pairing is None or own_pairing.match is None:
        raise RequestRefused(say(_("You have no table in this round.")), 409, "no_table")
    seat = dict(zip(own_pairing.players, own_pairing.seats, strict=True))[actor.key]
    token = _seat_token(own_pairing.match, seat)
    facts = {
        "pairing": own_pairing.key,
        "table": own_pairing.table,
        "match": own_pairing.match,
        "seat": seat,
        "token": token,
    }
    return keyed_answer(facts, is_replay=False)


@transaction.atomic
def _seat_token(match: str, key: str) -> str:
    """The token of a seat, which its player's program plays from now on."""
    chair = seats.chair(match_of(match), key)
    if chair.claimed_at is not None:
        raise RequestRefused(say(_("Another device has your seat")), 409, "seat_taken")
    if not chair.is_taken:
        seats.occupy(chair.match, key, chair.epoch)
        play.sit_down(match, key)
    return seats.api_token(chair)


@router.post(
    "/events/{code}/do",
    response=DONE,
    url_name="hall-do",
    summary="Do something at an event",
    openapi_extra={"security": [{"seat": []}]},
)
def do(request: HttpRequest, code: str, wanted: Command) -> HttpResponse:
    """Carry out one of the commands; `docs/api.md` says which of the other members each needs."""
    event, actor = _asked(request, code)
    if actor.role == GUEST:
        raise RequestRefused(say(_("Send the token of a player or a helper.")), 401, "no_token")
    slow_down(request, TAPS, f"{event.code}/{actor.key}")
    if wanted.action not in COMMANDS:
        raise RequestRefused(say(_("There is no such command.")), 422, "unknown_choice")
    if wanted.lists or wanted.text is not None:
        slow_lists(request, f"{event.code}/{actor.key}")
    if wanted.action == "choose":
        slow_down(request, LISTS, f"{event.code}/{actor.key}", LONGEST_LIST)
    outcome = COMMANDS[wanted.action](event.code, actor, wanted)
    facts: dict[str, Any] = {"accepted": True, "replayed": outcome.is_replay, "version": outcome.version}
    facts |= {"made": outcome.made, **_token_of_new_helper(wanted, outcome)}
    return keyed_answer(facts, is_replay=outcome.is_replay)


@transaction.atomic
def _open_by_key(wanted: EventOpening, opened_from: str = "") -> tuple[Event, str, bool]:
    """The event, its organiser's token, and whether the same request opened it earlier.

    `RequestRefused`: 422 for a key of another request, 403 if that organiser no longer helps.
    """
    payload = json.dumps(wanted.model_dump(exclude={"key"}), sort_keys=True)
    key = play.opening_hash(wanted.key)
    earlier = event_actions.opening(key)
    if earlier is None:
        values = {"system": wanted.system, **wanted.settings}
        event, helper = commands.open_event(values, wanted.organiser, opened_from, key, payload)
        return event, event_links.secret(helper), False
    event_actions.earlier_verdict(earlier.event.code, "", key, payload)
    opener = event_actions.opener(earlier.event)
    if opener is None:
        raise event_links.bad_token()
    return earlier.event, event_links.secret(opener), True


def _token_of_new_helper(wanted: Command, outcome: Verdict) -> dict[str, str]:
    if wanted.action != "appoint" or outcome.made is None:
        return {}
    return {"token": event_links.secret(Helper.objects.select_related("event").get(pk=outcome.made))}


def _seen_by(actor: Actor, event: Event) -> LoadedEvent:
    """The event as it stands; only helpers see what not everybody may know."""
    loaded = event_actions.load(event.code)
    if actor.role in (GUEST, PLAYER):
        loaded.state = for_everybody(loaded.state)
    return loaded


def _asked(request: HttpRequest, code: str) -> tuple[Event, Actor]:
    """The event with this code and who is asking; a caller who guesses codes or tokens is told to wait."""
    try:
        event = event_actions.event_of(code)
        translation.activate_game(event.system)
        return event, event_links.bearer(request, event)
    except RequestRefused:
        guessed(request)
        raise
