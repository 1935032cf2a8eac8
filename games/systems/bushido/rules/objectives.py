"""Objectives and zones: what a scenario lays out, alignments, and what a prayer or a zone is worth."""

from __future__ import annotations

from games.core import Term
from games.core import gettext_noop as _
from games.systems.bushido.pieces import Objective, Table, Unit
from games.systems.bushido.rules import scenarios

OBJECTIVE, ZONE = "objective", "zone"
NAMES = {
    OBJECTIVE: (
        _("Objective A"), _("Objective B"), _("Objective C"), _("Objective D"),
        _("Objective E"), _("Objective F"), _("Objective G"), _("Objective H"),
    ),
    ZONE: (
        _("Zone A"), _("Zone B"), _("Zone C"), _("Zone D"),
        _("Zone E"), _("Zone F"), _("Zone G"), _("Zone H"),
    ),
}  # fmt: skip
WORTH = {"friendly": 1, "neutral": 2, "enemy": 3}
"""Scenario Points by alignment."""

ALIGNMENTS = {"friendly": _("friendly"), "neutral": _("neutral"), "enemy": _("enemy")}


def lay_out(g: Table) -> None:
    found = scenarios.of(g)
    g.objectives = {}
    for letter in found.objectives:
        add(g, OBJECTIVE, _seat(g, letter))
    for letter in found.zones:
        add(g, ZONE, _seat(g, letter))
    if found.zones_follow:
        for zone, objective in zip(g.places(ZONE), g.places(OBJECTIVE), strict=False):
            zone.follows = objective.key


def _seat(g: Table, letter: str) -> str | None:
    first, second = g.seats
    return {"f": first, "e": second}.get(letter)


def add(g: Table, kind: str, aligned: str | None = None) -> Objective:
    """Add one more objective or zone, with the first free letter."""
    taken = set(g.objectives)
    at = next(n for n in range(len(NAMES[kind])) if f"{kind}-{'abcdefgh'[n]}" not in taken)
    key = f"{kind}-{'abcdefgh'[at]}"
    place = Objective(key, NAMES[kind][at], kind, order=at, aligned=aligned)
    g.objectives = {**g.objectives, key: place}
    return place


def is_full(g: Table, kind: str) -> bool:
    """Whether there is no letter left for another."""
    return sum(1 for _place in g.places(kind)) >= len(NAMES[kind])


def remove(g: Table, place: Objective) -> None:
    """Take an objective or a zone off the table; a zone that followed it keeps the alignment it had."""
    for other in g.objectives.values():
        if other.follows == place.key:
            other.aligned, other.follows = place.aligned, None
    g.objectives = {key: kept for key, kept in g.objectives.items() if key != place.key}
    for unit in g.units.values():
        unit.prayed -= {place.key}
        unit.zone = None if unit.zone == place.key else unit.zone
    g.say(_("%(place)s is removed."), place=Term(place.name))


def aligned_to(g: Table, place: Objective) -> str | None:
    """The seat to which a place is friendly now, None if it is neutral."""
    centre = g.objectives.get(place.follows or "")
    return centre.aligned if centre else place.aligned


def alignment(g: Table, place: Objective, seat: str) -> str:
    whose = aligned_to(g, place)
    return "neutral" if whose is None else "friendly" if whose == seat else "enemy"


def worth(g: Table, place: Objective, seat: str) -> int:
    """The Scenario Points that a prayer at a place, or control of it, gives a seat (BUSH-27)."""
    return WORTH[alignment(g, place, seat)]


def friendly(g: Table, seat: str) -> int:
    return sum(place.aligned == seat for place in g.places(OBJECTIVE))


def can_pray(g: Table, unit: Unit, place: Objective) -> bool:
    """Whether a model may pray at an objective: one token per prayer, one prayer per turn there.

    A Controlled model spends no tokens.
    """
    has_token = g.armies[unit.player].prayers > 0 and unit.controller is None
    return place.kind == OBJECTIVE and has_token and place.key not in unit.prayed


def pray(g: Table, unit: Unit, place: Objective) -> None:
    """Pray: spend a token, gain Scenario Points by the objective's alignment."""
    side, points = g.armies[unit.player], worth(g, place, unit.player)
    side.prayers -= 1
    side.scenario_points += points
    unit.prayed |= {place.key}
    g.say_count(
        "%(model)s prays at %(place)s: +%(count)s Scenario Point. Prayers left: %(left)s.",
        "%(model)s prays at %(place)s: +%(count)s Scenario Points. Prayers left: %(left)s.",
        points,
        model=unit.name,
        place=Term(place.name),
        left=side.prayers,
    )


def influence(g: Table, unit: Unit, place: Objective) -> None:
    """Influence moves an objective one step: enemy to neutral, neutral to friendly."""
    place.aligned = None if alignment(g, place, unit.player) == "enemy" else unit.player
    line = _("%(model)s influences %(place)s: it is %(alignment)s now.")
    now = Term(ALIGNMENTS[alignment(g, place, unit.player)])
    g.say(line, model=unit.name, place=Term(place.name), alignment=now)
    g.influenced = True


def reset_alignment(g: Table) -> None:
    """BUSH-31: all objectives are neutral again."""
    for place in g.places(OBJECTIVE):
        place.aligned = None
    g.say(_("All objectives are neutral again."))


def controller(g: Table, zone: Objective) -> str | None:
    """Who controls a zone: as the players say, else by strictly more models and strictly more rice inside."""
    if zone.override is not None or zone.uncontrolled:
        return zone.override
    inside = {seat: [unit for unit in g.on_table(seat) if unit.zone == zone.key] for seat in g.seats}
    first, second = g.seats
    more = _more(g, inside[first], inside[second])
    return first if more > 0 else second if more < 0 else None


def _more(g: Table, one: list[Unit], other: list[Unit]) -> int:
    """1 if one side is strictly ahead in models and in rice, -1 if the other is, else 0."""
    models = len(one) - len(other)
    rice = _rice(g, one) - _rice(g, other)
    if models > 0 and rice > 0:
        return 1
    return -1 if models < 0 and rice < 0 else 0


def _rice(g: Table, inside: list[Unit]) -> int:
    """The rice of models inside a zone: a card with several counts only if all of them are inside."""
    here = {unit.key for unit in inside}
    split = {key for keys in g.shared for key in keys if not here.issuperset(keys)}
    return sum(unit.cost for unit in inside if unit.key not in split)
