"""Every page of an event, and who asks for it: what is counted and measured at events of any size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.test import Client
from django.urls import reverse

from games.hall import commands, event_actions
from games.hall.rules import event_results
from games.hall.rules.event_state import EventState
from games.urls import EVENT, ORGANISE
from tests.hall.halls import ANNA, by_chance, state
from tests.hall.places import phone
from tests.hall.test_organiser import phone_of

NOT_PAGES = ("-do", "-stream", "-leave", "-preview", "-picked", "-me", "helper-link", "-helper")
"""Addresses that only forms or streams ask for, or that lead elsewhere at once."""
QUERIES = {
    "event-tv": ("?table=1",),
    "event-tv-news": ("?table=1",),
    "organise-log": ("?all=1",),
    "wall-news": ("?view=wall", "?view=organiser"),
}
"""What else these addresses take."""
OF_PROGRAMS = ("", "/history", "/tables/players", "/tables/pairings", "/tables/standings", "/tables/teams")


def crowded(code: str) -> str:
    """Play the first round of an event, and half of the tables of the second."""
    for share in (1, 2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        event_actions.act(code, "enter_result", partial(_enter, share), ANNA)
        if share == 1:
            commands.close_round(code, ANNA)
    key = next(one.key for one in state(code).at(2) if not one.is_decided)
    commands.call_judge(code, ANNA, key, "", "Line of sight?")
    commands.announce(code, ANNA, "Lunch at one")
    return code


def _enter(share: int, g: EventState) -> None:
    score = by_chance(share)
    for one in [one for one in g.at(g.last.number) if not one.is_bye][::share]:
        event_results.enter(g, one.key, score(g, one))


def addresses(code: str) -> Iterator[tuple[str, Client, str]]:
    """The name, the phone and the path of every page of an event, each once for who may ask."""
    g = state(code)
    table = next(one for one in g.at(g.last.number) if not one.is_bye and not one.is_decided)
    spectator, player, organiser = phone(code), phone(code, table.players[0]), phone_of(code)
    for pattern in (*EVENT, *ORGANISE):
        name = getattr(pattern, "name", None) or ""
        if not name or name.endswith(NOT_PAGES):
            continue
        key = {"organise-table": table.key}.get(name, table.players[0])
        about = [key] if "<slug:" in str(pattern.pattern) else [1] if "<int:" in str(pattern.pattern) else []
        path = reverse(name, args=[code, *about])
        askers = {"player": player, "spectator": spectator}
        if pattern in ORGANISE or name.startswith("wall"):
            askers = {"organiser": organiser}
        for query in ("", *QUERIES.get(name, ())):
            for who, asker in askers.items():
                yield f"{name}{query} ({who})", asker, path + query
    for what in OF_PROGRAMS:
        yield f"api{what}", spectator, f"/api/events/{code}{what}"
