"""Results from a stack of slips, by keyboard: the number of a table, its points, Enter."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.http import HttpRequest
from msgspec.structs import replace

from games.core import RequestRefused, Unreadable, clean_int, say
from games.core import gettext_noop as noop
from games.hall.organiser import hall_tables, rounds_pages
from games.hall.organiser.hall_tables import hall_of
from games.hall.organiser.organiser_page import Field, FieldGroup, Made, Visit
from games.hall.organiser.overview import newest
from games.hall.pages import rounds_and_standings
from games.hall.rules import event_results
from games.hall.rules.event_state import OPEN, EventState, Pairing
from games.hall.rules.seating_changes import LAST_TABLE
from games.translation import gettext as _
from games.view_models import Button


def results(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One line for one result, the result that was entered last, and the tables by their numbers."""
    hall = hall_of(visit.code)
    open_pairings = _open(hall.state)
    is_sent = request.method == "POST"
    values = {
        "table": sent.get("table", "") if is_sent else "",
        "players": tuple(_players(hall.state, open_pairings, sent if is_sent else {})),
        "sure": replace(rounds_pages.sure_field(), focused=True)
        if is_sent and _is_odd(hall.state, sent)
        else None,
        "button": Button("enter_table", _("Enter the result"), "main", "check") if open_pairings else None,
        "done": newest(hall, visit.actor.role),
        "tables": hall_tables.tables(hall, open_pairings),
    }
    return _("Enter results"), values


def at_table(g: EventState, sent: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The pairing at the table that a form names, and what the form says with its players' names."""
    number = int(clean_int(sent.get("table", ""), 1, LAST_TABLE))
    pairing = next((one for one in _open(g) if one.table == number), None)
    if pairing is None:
        line = noop("No table of this round has the number %(number)s.")
        raise RequestRefused(say(line, number=number), 422, "unknown")
    places = {
        f"{name}-{at}": f"{name}-{key}"
        for at, key in enumerate(pairing.players)
        for name in event_results.NUMBERS
    }
    return pairing.key, {places.get(name, name): value for name, value in sent.items()}


def following(visit: Visit, key: str) -> str:
    """The next table without a result after this one; this one if there is none: the list stays there."""
    keys = [one.key for one in _open(hall_of(visit.code).state) if one.key == key or not one.is_decided]
    return next(iter(keys[keys.index(key) + 1 :]), key) if key in keys else key


def _is_odd(g: EventState, sent: Mapping[str, str]) -> bool:
    with suppress(RequestRefused, Unreadable):
        return rounds_pages.is_odd(g, *at_table(g, sent))
    return False


def _open(g: EventState) -> list[Pairing]:
    """The tables of the open round; a league's rounds share numbers, so it has none here."""
    if g.is_league or g.last is None or g.last.state != OPEN:
        return []
    return [one for one in g.at(g.last.number) if not one.is_bye]


def _players(g: EventState, pairings: list[Pairing], sent: Mapping[str, str]) -> list[FieldGroup]:
    """The numbers of each player of a table, in the order in which the table names them."""
    labels = rounds_and_standings.labels(g)
    asked = [(name, *event_results.NUMBERS[name]) for name in event_results.asked(g)]
    return [
        FieldGroup(
            _("Player %(number)s") % {"number": at + 1},
            tuple(
                Field(
                    f"{name}-{at}", labels[name], "number", sent.get(f"{name}-{at}", ""), low=low, high=high
                )
                for name, low, high in asked
            ),
        )
        for at in range(max((len(one.players) for one in pairings), default=0))
    ]
