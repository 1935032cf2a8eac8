"""How the admin shows the pieces of the board game, field by field."""

from __future__ import annotations

from games.core.system import COLUMNS, Column
from games.core.words import gettext_noop as _
from games.systems.agot.map.chart import LAND, PORT, SEA
from games.systems.agot.orders.order_tokens import ORDERS
from games.systems.agot.pieces import Area
from games.systems.agot.tracks.westeros import BARS
from games.systems.agot.tracks.wildling_cards import CARDS as WILDLINGS

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


def _is_land(area: Area) -> bool:
    return area.kind == LAND


def _bears_ships(area: Area) -> bool:
    return area.kind in (SEA, PORT)


OBJECTIVE = {
    "objective/claimed_by": Column(is_hidden=True),
    "objective/override": Column(is_hidden=True),
    "objective/kind": Column(among=KINDS),
    "objective/house": Column(_("house of the units"), among="army", is_first=True),
    "objective/footmen": Column(_("Footmen"), is_first=True, of=_is_land),
    "objective/knights": Column(_("Knights"), is_first=True, of=_is_land),
    "objective/siege_engines": Column(_("Siege engines"), is_first=True, of=_is_land),
    "objective/ships": Column(_("Ships"), is_first=True, of=_bears_ships),
    "objective/routed": Column(_("Routed")),
    "objective/token": Column(_("Power token of"), among="army", is_first=True, of=_is_land),
    "objective/garrison": Column(_("Garrison"), of=_is_land),
    "objective/neutral": Column(_("Neutral force"), of=_is_land),
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
        _("units on the march"),
        cells=((_("area"), "objective"), (_("unit"), str), (_("number"), int)),
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

ALL = {**COLUMNS, **ARMY, **OBJECTIVE, **TABLE}
