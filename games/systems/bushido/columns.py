"""How the admin shows the pieces of Bushido, field by field."""

from __future__ import annotations

from dataclasses import replace

from games.core.system import COLUMNS, Column
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import ELSEWHERE, REMOVED, TABLE, UNPLACED, Objective, Unit
from games.systems.bushido.rules.windows import MOMENTS

PLACES = {
    TABLE: _("On the battlefield"),
    ELSEWHERE: _("Elsewhere"),
    REMOVED: _("Out of the match"),
    UNPLACED: _("Not deployed yet"),
}

ARMY = {
    "army/theme": Column(_("theme card")),
    "army/cards": Column(
        _("cards"), cells=((_("name"), str), (_("kind"), str), (_("rice"), int), (_("bearer"), str))
    ),
    "army/rice": Column(_("Rice")),
    "army/limit": Column(_("rice of this match")),
    "army/roster": Column(is_hidden=True),
    "army/scenario_points": Column(_("Scenario Points"), is_first=True),
    "army/prayers": Column(_("Prayer tokens")),
    "army/passes": Column(_("Pass tokens"), is_first=True),
    "army/communal": Column(_("Shared Ki")),
    "army/nominee": Column(_("nominated for the Tactical Test"), among="unit"),
    "army/dice": Column(_("dice of the Tactical Test")),
    "army/rolled": Column(_("dice rolled")),
    "army/resolved": Column(_("effects resolved in the open window")),
    "army/agreed": Column(_("tally agreed to")),
    "army/noting": Column(_("about to note a flank"), among="unit"),
    "army/vim": Column(_("Very Important Model")),
    "army/warnings": Column(is_hidden=True),
}


def _tracks_wounds(unit: Unit) -> bool:
    return unit.tracks_wounds


def _is_a_zone(place: Objective) -> bool:
    return place.kind == "zone"


UNIT = {
    "unit/wounds": replace(COLUMNS["unit/wounds"], of=_tracks_wounds),
    "unit/kind": Column(among={"model": _("Model")}),
    "unit/place": Column(among=PLACES, is_first=True),
    "unit/cost": Column(_("Rice")),
    "unit/ki": Column(_("Ki"), is_first=True),
    "unit/ki_stat": Column(_("Ki on its card")),
    "unit/ki_cap": Column(_("Ki cap on its card")),
    "unit/wounds_stat": Column(_("wounds on its card")),
    "unit/wounds_total": Column(_("Total wounds"), of=_tracks_wounds),
    "unit/counters": Column(_("Activation counters"), is_first=True),
    "unit/markers": Column(_("markers of states"), cells=((_("state"), str), (_("value"), int))),
    "unit/controller": Column(_("controlled by"), among="army"),
    "unit/flanks": Column(_("arrives by a flank")),
    "unit/summoned": Column(_("summoned")),
    "unit/tactician": Column(_("Tactician")),
    "unit/regenerate": Column(_("Regenerate")),
    "unit/tough": Column(_("Tough")),
    "unit/tireless": Column(_("Tireless")),
    "unit/prayed": Column(_("prayed this turn at"), among="objective"),
    "unit/zone": Column(_("entirely inside"), among="objective"),
    "unit/note": Column(_("Note")),
    "unit/reminders": Column(_("moments to be reminded at"), among=MOMENTS),
}
OBJECTIVE = {
    # In this game no model stands on a place to hold it, and only a zone has a controller.
    "objective/claimed_by": Column(is_hidden=True),
    "objective/override": replace(COLUMNS["objective/override"], of=_is_a_zone),
    "objective/kind": Column(among={"objective": _("Objective"), "zone": _("Zone")}),
    "objective/order": Column(_("order")),
    "objective/aligned": Column(_("friendly to"), among="army", is_first=True),
    "objective/uncontrolled": Column(_("nobody controls it, as the players say"), of=_is_a_zone),
    "objective/follows": Column(_("takes its alignment from"), among="objective", of=_is_a_zone),
}
MATCH = {
    "table/active": Column(_("Active Player"), among="army", is_first=True),
    "table/starter": Column(_("went first this turn"), among="army"),
    "table/acting": Column(_("model that acted last"), among="unit", is_first=True),
    "table/target": Column(_("whom it fights"), among="unit"),
    "table/actor": Column(_("who activated last"), among="army"),
    "table/feats": Column(_("last Active feats open to"), among="army"),
    "table/is_final": Column(_("last turn"), is_first=True),
    "table/is_last_by_rule": Column(_("last turn by the die or the number of turns")),
    "table/time_is_up": Column(_("time is up: the match ends with this turn")),
    "table/influenced": Column(_("an objective has been influenced")),
    "table/award": Column(_("gets the open point"), among="army"),
    "table/burnt": Column(is_hidden=True),
    "table/reset_points": Column(is_hidden=True),
    "table/shared": Column(is_hidden=True),
    "table/fallen": Column(is_hidden=True),
    "table/checked": Column(is_hidden=True),
    "table/played_on": Column(is_hidden=True),
}
ALL = {**COLUMNS, **ARMY, **UNIT, **OBJECTIVE, **MATCH}
