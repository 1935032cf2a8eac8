"""How the admin shows the pieces of the miniatures game, field by field."""

from __future__ import annotations

from dataclasses import replace

from games.core.system import COLUMNS, Column
from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import FACTIONS
from games.systems.tmg.lists.editing import KINDS
from games.systems.tmg.pieces import COMBAT_KINDS, WALL, Place, Unit
from games.systems.tmg.rules.destruction import CONDITION_NAMES
from games.systems.tmg.rules.kept_by_players import PARTS
from games.systems.tmg.rules.moments_of_play import MOMENTS

UNIT_KINDS = {kind: words for kind, words in KINDS.items() if kind == "ncu" or kind in COMBAT_KINDS} | {
    WALL: _("Castle Wall")
}
PLACES = {
    "table": _("On the battlefield"),
    "reserve": _("In Reserve"),
    "destroyed": _("Destroyed"),
    "unplaced": _("Not deployed yet"),
}
ATTACHED = ((_("name"), str), (_("sub-title"), str), (_("cost"), int))
SEAT = (_("seat"), "army")

ARMY = {
    "army/faction": Column(among=FACTIONS, is_first=True),
    "army/commander": Column(_("Commander")),
    "army/points": Column(_("army points")),
    "army/limit": Column(_("points of this match")),
    "army/hand": Column(is_first=True),
    "army/deck": Column(is_first=True),
    "army/hand_bonus": Column(_("further cards in hand")),
    "army/missions": Column(_("mission cards in hand")),
    "army/mission": Column(_("mission of the round")),
    "army/captives": Column(_("enemy attachments to place"), cells=(*ATTACHED, (_("further points"), int))),
    "army/roll": Column(_("roll-off")),
    "army/agreed": Column(_("tally agreed to")),
    "army/passed": Column(_("leaves its Reserve where it is")),
    "army/card_names": Column(_("names of the tactics cards")),
    "army/discards": Column(_("discard pile, by number of card")),
    "army/in_play": Column(_("card that is being played")),
    "army/acted": Column(_("unit that it activated last"), among="unit"),
    "army/roster": Column(is_hidden=True),
}


def _fights(unit: Unit) -> bool:
    return unit.is_combat


def _has_ranks(unit: Unit) -> bool:
    return unit.kind in ("infantry", "cavalry")


def _sits_at_the_board(unit: Unit) -> bool:
    return not unit.is_combat


UNIT = {
    "unit/wounds": replace(COLUMNS["unit/wounds"], of=_fights),
    "unit/kind": Column(among=UNIT_KINDS),
    "unit/place": Column(among=PLACES, is_first=True),
    "unit/title": Column(_("sub-title")),
    "unit/card": Column(_("number of its card")),
    "unit/wounds_total": Column(of=_fights),
    "unit/rank_size": Column(of=_has_ranks),
    "unit/commander": Column(_("is the Commander")),
    "unit/attachments": Column(_("attachments"), cells=(*ATTACHED, SEAT)),
    "unit/conditions": Column(_("Conditions"), among=CONDITION_NAMES, is_first=True, of=_fights),
    "unit/counters": Column(_("Counters"), cells=((_("name"), str), (_("number"), int))),
    "unit/pool": Column(_("tokens on it")),
    "unit/linked_to": Column(_("activates with"), among="unit"),
    "unit/engaged_with": Column(_("Engaged with"), among="unit", is_mutual=True, is_first=True, of=_fights),
    "unit/influences": Column(_("influences"), among="unit", of=_sits_at_the_board),
    "unit/kept": Column(of=_sits_at_the_board),
    "unit/cannot_control": Column(_("cannot control objectives")),
    "unit/gains_no_conditions": Column(of=_fights),
    "unit/grants_no_vp": Column(_("its destruction scores nothing")),
    "unit/extra_vp": Column(_("further points for its destruction")),
    "unit/hand_bonus": Column(_("further cards in hand")),
    "unit/note": Column(_("Note")),
    "unit/reminders": Column(_("moments to be reminded at"), among=MOMENTS),
    "unit/lent_to": Column(_("lent to"), among="army"),
    "unit/paid": Column(_("points that its destruction scored"), cells=(SEAT, (_("points"), int))),
    "unit/falls": Column(_("times destroyed")),
    "unit/marked": Column(_("marked by the opponent")),
    "unit/sector": Column(_("sector"), among="objective"),
    "unit/cards": Column(_("tactics cards with it"), cells=((_("card"), str), SEAT, (_("how long"), str))),
    "unit/pile": Column(_("corpse pile that it left"), among="objective"),
    "unit/lost": Column(_("attachments lost for good"), cells=(*ATTACHED, SEAT)),
}

PLACE_KINDS = {
    "token": _("Objective token"),
    "zone": _("Zone of the tactics board"),
    "mission": _("Open mission"),
    "sector": _("Sector"),
}


def _is_claimed(place: Place) -> bool:
    return place.kind in ("token", "zone")


def _is_a_token(place: Place) -> bool:
    return place.kind == "token"


def _is_a_zone(place: Place) -> bool:
    return place.kind == "zone"


OBJECTIVE = {
    "objective/claimed_by": replace(COLUMNS["objective/claimed_by"], of=_is_claimed),
    "objective/override": replace(COLUMNS["objective/override"], of=_is_a_token),
    "objective/kind": Column(among=PLACE_KINDS),
    "objective/order": Column(_("order")),
    "objective/card": Column(_("objective card"), of=_is_a_token),
    "objective/scored": Column(_("has yet to resolve its card"), among="army", of=_is_a_token),
    "objective/counts_for": Column(_("counts as controlled by"), among="army", of=_is_a_zone),
    "objective/uncontrolled": Column(_("nobody controls it, as the players say"), of=_is_a_token),
    "objective/silences": Column(_("NCU without abilities because of it"), among="unit", of=_is_a_token),
}

TABLE = {
    "table/first": Column(_("First Player"), among="army", is_first=True),
    "table/next_first": Column(_("first player of the next round"), among="army"),
    "table/turn": Column(_("whose turn"), among="army", is_first=True),
    "table/acting": Column(_("acting unit"), among="unit", is_first=True),
    "table/untracked": Column(_("not tracked in the app"), among=PARTS),
}

ALL = {**COLUMNS, **ARMY, **UNIT, **OBJECTIVE, **TABLE}
