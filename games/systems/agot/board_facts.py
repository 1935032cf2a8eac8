"""What is shown of a position: what pages work out, what is odd, how the admin names the fields.

None of it is stored. Texts are message ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import COLUMNS, Column, Line, say
from games.core import gettext_noop as _
from games.systems.agot import agot_corrections, pieces
from games.systems.agot.map import area_control
from games.systems.agot.orders import secret_orders
from games.systems.agot.orders.order_tokens import ORDERS
from games.systems.agot.pieces import LAND, MOST_IN_PORT, PORT, SEA, THRONE, TRACKS, UNITS, Table, box, house
from games.systems.agot.tracks import sealed_bids
from games.systems.agot.tracks.planning_and_action import (
    Consolidation,
    Look,
    Marches,
    Planning,
    Raids,
    Raven,
    Realms,
)
from games.systems.agot.tracks.westeros_phase import BARS, CARDS, Resolve
from games.systems.agot.tracks.wildling_cards import CARDS as WILDLINGS
from games.systems.agot.tracks.winning import Reckoning, TimedReckoning

PLANNING = {step.name for step in (Planning, Raven, Look, secret_orders.Swap, agot_corrections.Survey)}
ACTION = {step.name for step in (Raids, Marches, Consolidation, Realms, Reckoning, TimedReckoning)}
"""The steps of these two phases, by name; all others belong to the Westeros phase."""
ATTACK = frozenset(
    step.name
    for step in (sealed_bids.Foremost, sealed_bids.Payers, sealed_bids.Reveal, sealed_bids.Aftermath)
)
"""The steps of an attack after its bids, by name: one of them is open or waits until the attack is over."""


def phase(g: Table) -> str:
    if g.result is not None:
        return _("The game is over")
    if not g.round:
        return _("Set-up")
    steps = {question.step for question in g.flow}
    if steps & PLANNING:
        return _("Planning phase")
    return _("Action phase") if steps & ACTION else _("Westeros phase")


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
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
    # The attack that the gathering wildlings make comes before any card.
    attack = [] if at else [{"title": _("The wildlings attack"), "state": "current"}]
    steps = [
        {
            "title": CARDS.get(card, card),
            "state": "done" if number < at else "current" if number == at else "next",
        }
        for number, card in enumerate(g.cards, 1)
    ]
    return {"title": _("Westeros cards"), "steps": [*attack, *steps]}


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
    if key not in pieces.areas():
        return
    if area.size and area.house not in g.armies:
        yield say(_("The units in %(area)s belong to no one."), area=pieces.name(key))
    is_land = pieces.kind(key) == pieces.LAND
    if (area.ships and is_land) or (area.size > area.ships and not is_land):
        yield say(_("Units stand in %(area)s that cannot be there."), area=pieces.name(key))
    if pieces.port_of(key) and area.ships > MOST_IN_PORT:
        yield say(_("More than three ships lie in %(area)s."), area=pieces.name(key))


# --- how the admin shows the fields ------------------------------------------------------------------

ARMY = {
    "army/power": Column(_("available power"), is_first=True),
    "army/tokens_out": Column(_("power tokens on the board"), is_first=True),
    "army/supply": Column(_("supply"), is_first=True),
    "army/lowered": Column(_("supply has just fallen")),
    "army/income": Column(_("power of the last Game of Thrones")),
    "army/face_down": Column(_("orders placed in secret")),
    "army/at": Column(_("area that is being entered"), among="objective"),
    "army/land": Column(_("land areas counted for a tie")),
}
KINDS = {LAND: _("Land area"), SEA: _("Sea"), PORT: _("Port")}


OBJECTIVE = {
    "objective/claimed_by": Column(is_hidden=True),
    "objective/override": Column(is_hidden=True),
    "objective/kind": Column(among=KINDS),
    "objective/house": Column(_("house of the units"), among="army", is_first=True),
    "objective/footmen": Column(_("Footmen"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/knights": Column(_("Knights"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/siege_engines": Column(_("Siege engines"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/ships": Column(_("Ships"), is_first=True, of=lambda area: area.kind != LAND),
    "objective/routed": Column(_("Routed")),
    "objective/token": Column(
        _("Power token of"), among="army", is_first=True, of=lambda area: area.kind == LAND
    ),
    "objective/garrison": Column(_("Garrison"), of=lambda area: area.kind == LAND),
    "objective/neutral": Column(_("Neutral force"), of=lambda area: area.kind == LAND),
    "objective/order_token": Column(_("Order"), among={"": _("none"), **ORDERS}),
    "objective/order": Column(_("place on the map")),
    "objective/closed": Column(_("closed for this game")),
}
TABLE = {
    "table/marched": Column(
        _("March orders of the round"),
        cells=((_("house"), "army"), (_("area"), "objective"), (_("order"), str)),
    ),
    "table/moving": Column(
        _("units on the march"), cells=((_("area"), "objective"), (_("unit"), str), (_("number"), int))
    ),
    "table/specials": Column(is_hidden=True),
    "table/court": Column(is_hidden=True),
    "table/played_on": Column(is_hidden=True),
    "table/leaving": Column(_("the march leaves a power token")),
    "table/becoming": Column(_("mode from the next Planning phase")),
    "table/gathered": Column(_("areas whose Consolidate Power order is resolved")),
    "table/orderless": Column(_("areas without an order this round")),
    "table/iron_throne": Column(_("Iron Throne"), is_first=True),
    "table/fiefdoms": Column(_("Fiefdoms"), is_first=True),
    "table/kings_court": Column(_("King's Court"), is_first=True),
    "table/threat": Column(_("wildling threat"), is_first=True),
    "table/cards": Column(_("Westeros cards of the round")),
    "table/barred": Column(_("forbidden orders"), among=BARS),
    "table/placed": Column(_("placed on the track that is filled")),
    "table/strength": Column(_("strength of the attack")),
    "table/spared": Column(_("spared from the attack"), among="army"),
    "table/repelled": Column(_("the attack was repelled")),
    "table/marked": Column(_("highest or lowest bidder"), among="army"),
    "table/wildling": Column(_("wildling card"), among=WILDLINGS),
    "table/buried": Column(_("wildling cards below the deck")),
}

FIELDS = {**COLUMNS, **ARMY, **OBJECTIVE, **TABLE}
