"""What is worked out of a position and never stored: what pages and transcripts show, and what is odd.

Texts are message ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot import mode_change
from games.systems.agot.box import THRONE, TRACKS, UNITS, box, house
from games.systems.agot.map import area_control, chart
from games.systems.agot.map.moving_units import MOST_IN_PORT
from games.systems.agot.orders import secret_orders
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import planning_and_action, sealed_bids, winning
from games.systems.agot.tracks.westeros_phase import CARDS, Resolve

PLANNING = frozenset(
    step.name
    for step in (
        planning_and_action.Planning,
        planning_and_action.Raven,
        planning_and_action.Look,
        secret_orders.Swap,
        mode_change.Survey,
    )
)
ACTION = frozenset(step.name for step in planning_and_action.STEPS) | {
    winning.Reckoning.name,
    winning.TimedReckoning.name,
}
"""The steps of these two phases, by name; all others belong to the Westeros phase."""
ATTACK = frozenset(
    step.name
    for step in (sealed_bids.Foremost, sealed_bids.Payers, sealed_bids.Reveal, sealed_bids.Aftermath)
)
"""The steps of an attack after its bids, by name: one of them is open or waits until the attack is over."""


def phase(g: Table) -> str:
    """The name of the phase that the game is in."""
    if g.result is not None:
        return _("The game is over")
    if not g.round:
        return _("Set-up")
    steps = {question.step for question in g.flow}
    if steps & PLANNING:
        return _("Planning phase")
    return _("Action phase") if steps & ACTION else _("Westeros phase")


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
    """Phase, tracks, and what every house has."""
    return {
        "phase": phase(g),
        "rounds": box()["rounds"],
        "threat": g.threat,
        "tracks": {track: list(g.track(track)) for track in TRACKS},
        "areas": areas(g),
        "houses": {key: _house(g, key) for key in g.seats},
    }


def areas(g: Table) -> dict[str, dict[str, Any]]:
    """The state of every area by its id: whose units, how many, who controls it, what else lies there."""
    return {key: area(g, key) for key in g.objectives}


def area(g: Table, key: str) -> dict[str, Any]:
    """The state of one area."""
    area = g.objectives[key]
    units = {unit: area.count(unit) for unit in area.units}
    markers = {"garrison": area.garrison, "neutral": area.neutral}
    return {
        "house": area.house,
        "units": units,
        "routed": list(area.routed),
        "controller": area_control.controller(g, key),
        "token": area.token,
        "closed": area.closed,
        "order": area.order_token,
        **{name: strength for name, strength in markers.items() if strength},
    }


def _house(g: Table, key: str) -> dict[str, Any]:
    army = g.armies[key]
    return {
        "castles": g.points(key),
        "power": army.power,
        "on_board": g.laid(key),
        "pool": g.pool(key),
        "supply": army.supply,
        "turn": g.place(THRONE, key),
        "face_down": army.face_down,
    }


def guide(g: Table) -> dict[str, Any] | None:
    """The Westeros phase as a list of steps: the attack of the gathering wildlings, then the cards."""
    found = [Resolve.read(question.about) for question in g.flow if question.step == Resolve.name]
    if not found or g.result is not None:
        return None
    at = found[-1].at - 1
    cards = [_walked(CARDS.get(card, card), number, at) for number, card in enumerate(g.cards, 1)]
    return {"title": _("Westeros cards"), "steps": [*_attack(at), *cards]}


def _walked(title: str, number: int, at: int) -> dict[str, str]:
    return {"title": title, "state": "done" if number < at else "current" if number == at else "next"}


def _attack(at: int) -> list[dict[str, str]]:
    """The attack that the gathering wildlings make before any card is resolved."""
    return [{"title": _("The wildlings attack"), "state": "current"}] if not at else []


def bids_were_for(g: Table) -> str:
    """What the latest revealed bids were for: a track, or the wildlings."""
    tracks = list(TRACKS)
    for question in reversed(g.flow):
        if question.step in ATTACK:
            return sealed_bids.WILDLINGS
        if question.step == sealed_bids.Places.name:
            return question.about[0]
        if question.step == sealed_bids.Bid.name and question.about[0] in tracks[1:]:
            return tracks[tracks.index(question.about[0]) - 1]
    return tracks[-1]


def summary(g: Table) -> str:
    """One line: round, question, threat, then each house's castles, power and supply in turn order."""
    asks = ":".join((g.question.step, *g.question.about)) if g.flow else "nothing"
    told = [
        f"{seat} {g.points(seat)}c {g.armies[seat].power}p s{g.armies[seat].supply}" for seat in g.turn_order
    ]
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"r{g.round} {asks} threat{g.threat}", *told, *end])


# --- what is odd -------------------------------------------------------------------------------------


def problems(g: Table) -> Iterator[Line]:
    """Armies beyond supply, too many units, units where they cannot be, units that belong to nobody."""
    if not g.objectives:
        return
    for seat in g.seats:
        if not area_control.fits(g, seat, area_control.won_by_attackers(g, seat)):
            yield say(_("%(house)s has armies beyond its supply."), house=house(seat))
        if any(area_control.pool(g, seat, unit) < 0 for unit in UNITS):
            yield say(_("%(house)s has more units on the map than the box holds."), house=house(seat))
    for key in g.objectives:
        yield from _of_area(g, key)


def _of_area(g: Table, key: str) -> Iterator[Line]:
    area = g.objectives[key]
    if key not in chart.areas():
        return
    if area.size and area.house not in g.armies:
        yield say(_("The units in %(area)s belong to nobody."), area=chart.name(key))
    is_land = chart.kind(key) == chart.LAND
    if (area.ships and is_land) or (area.size > area.ships and not is_land):
        yield say(_("Units stand in %(area)s that cannot be there."), area=chart.name(key))
    if chart.port_of(key) and area.ships > MOST_IN_PORT:
        yield say(_("More than three ships lie in %(area)s."), area=chart.name(key))
