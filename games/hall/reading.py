"""An event as plain JSON, and as spreadsheet tables: what everybody may know about it.

It leaves out army lists: `entering.may_read_lists` says who may read which.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from games.hall.event_rows import LoadedEvent
from games.hall.models import EventEntry
from games.hall.rules import drawing, scoring, standings
from games.hall.rules.pieces import DRAFTED, Call, Gathering, Pairing, Player, Round
from games.history import logbook
from games.translation import words

FORMAT = "roundtable-event"
FORMAT_VERSION = 1
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""The characters that a spreadsheet takes for the beginning of a formula."""


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
        "rounds": [_round(g, one, now) for one in g.rounds.values()],
        "standings": [line_json(g, line) for line in standings.standings(g)],
        "calls": [_call(one) for one in g.calls.values()],
        "announcements": [one.to_json() for one in g.announcements.values()],
        "history": loaded.event.chain,
    }


def for_everybody(g: Gathering) -> Gathering:
    """The event as everybody may know it.

    Who meets whom may change until the round opens; what somebody asks a judge is between them.
    """
    told = g.copy()
    told.pairings = {key: one for key, one in g.pairings.items() if g.rounds[str(one.round)].state != DRAFTED}
    for call in told.calls.values():
        call.question = ""
    return told


def settings(g: Gathering) -> dict[str, Any]:
    """The settings that the event's organisers have chosen."""
    return {
        "name": g.name,
        "system": g.system,
        "mode": g.mode,
        "options": g.options,
        "kind": g.kind,
        "size": g.size,
        "length": g.length,
        "cut": g.cut,
        "minutes": g.minutes,
        "overtime": g.overtime,
        "days": g.days,
        "scoring": g.scoring,
        "criteria": list(standings.criteria(g)),
        "bye": scoring.bye_of(g),
        "rounds_in_all": drawing.rounds_in_all(g),
    }


def player_json(player: Player) -> dict[str, Any]:
    """A player, with the number of lists they handed in."""
    return {
        "key": player.key,
        "name": player.name,
        "club": player.club,
        "faction": player.faction,
        "lists": len(player.lists),
        "checked_in": player.checked_in,
        "dropped": player.dropped,
    }


def line_json(g: Gathering, line: standings.Standing) -> dict[str, Any]:
    """A line of the standings, with the event's criteria."""
    return {
        "rank": line.rank,
        "player": line.player,
        "name": g.players[line.player].name,
        "values": {name: number(line, name) for name in standings.criteria(g) if name != "head"},
        "won": line.won,
        "drawn": line.drawn,
        "lost": line.lost,
        "byes": line.byes,
        "decided": line.decided,
        "left": line.left,
    }


def number(line: standings.Standing, name: str) -> float | None:
    """The value of a criterion as people read it; None if there is none."""
    value = line.values.get(name, 0)
    if name == "vim":
        return None if -value == standings.NEVER else -value
    return int(value) if value == int(value) else value


def pairing_json(pairing: Pairing) -> dict[str, Any]:
    """A pairing and its result."""
    return {
        "key": pairing.key,
        "table": pairing.table,
        "players": list(pairing.players),
        "seats": list(pairing.seats),
        "match": pairing.match,
        "state": pairing.state,
        "results": pairing.results,
        "winner": pairing.winner,
        "how": pairing.how,
        "chosen": sorted(pairing.chosen),
        "extended": pairing.extended,
    }


def _round(g: Gathering, one: Round, now: int) -> dict[str, Any]:
    clock = None if g.is_league else {"left": one.left(now), "is_running": one.running_since is not None}
    return {
        "number": one.number,
        "mode": one.mode,
        "stage": one.stage,
        "state": one.state,
        "clock": clock,
        "overtime": one.overtime * 60,
        "until": one.until,
        "pairings": [pairing_json(pairing) for pairing in g.at(one.number)],
    }


def _call(call: Call) -> dict[str, Any]:
    return {**call.to_json(), "is_open": call.closed_at is None}


def entry_json(entry: EventEntry) -> dict[str, Any]:
    """An entry of the history in the reader's language, without the values before and after."""
    return {
        "version": entry.version,
        "action": entry.action,
        "author": entry.author,
        "note": entry.note,
        "lines": [words(line) for line in logbook.lines_for(entry)],
        "undoes": entry.undoes.version if entry.undoes else None,
        "at": entry.created_at.isoformat(),
        "hash": entry.hash,
    }


# --- tables ----------------------------------------------------------------------------------------


def players_csv(g: Gathering) -> str:
    """The players, one line each."""
    rows = (
        [one.key, one.name, one.club, one.faction, len(one.lists), one.checked_in, one.dropped]
        for one in g.players.values()
    )
    return _csv(["key", "name", "club", "faction", "lists", "checked_in", "dropped"], rows)


def pairings_csv(g: Gathering) -> str:
    """Every pairing, one line for each of its players."""
    head = [
        "round",
        "table",
        "match",
        "player",
        "name",
        "seat",
        "state",
        "how",
        "is_winner",
        "vp",
        "destroyed",
    ]
    return _csv([*head, "scenario", "place"], _pairing_rows(g))


def _pairing_rows(g: Gathering) -> Iterator[list[Any]]:
    for number in sorted(one.number for one in g.rounds.values()):
        for pairing in g.at(number):
            for at, key in enumerate(pairing.players):
                numbers = pairing.results.get(key, {})
                seat = pairing.seats[at] if at < len(pairing.seats) else ""
                facts = [number, pairing.table, pairing.match, key, g.players[key].name, seat]
                state = [pairing.state, pairing.how, pairing.winner == key]
                yield [*facts, *state, *map(numbers.get, ("vp", "destroyed", "scenario", "place"))]


def standings_csv(g: Gathering) -> str:
    """The standings, one line per player, with the criteria that decide."""
    names = [name for name in standings.criteria(g) if name != "head"]
    rows = (
        [line.rank, g.players[line.player].name, g.players[line.player].club, line.won, line.drawn, line.lost]
        + [number(line, name) for name in names]
        + [line.decided]
        for line in standings.standings(g)
    )
    return _csv(["rank", "name", "club", "won", "drawn", "lost", *names, "decided"], rows)


TABLES = {"players": players_csv, "pairings": pairings_csv, "standings": standings_csv}
"""The tables of an event by name."""


def _csv(head: list[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table with commas, and with a mark that tells spreadsheets it is UTF-8."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "\ufeff" + file.getvalue()


def _cell(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text
