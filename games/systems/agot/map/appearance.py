"""What an area of the map shows, and how that is read out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.core.words import Line, Term, ViewModel, say, say_count
from games.core.words import gettext_noop as _
from games.systems.agot.box import FOOTMAN, KNIGHT, SIEGE
from games.systems.agot.map import chart
from games.systems.agot.orders import order_tokens

FROM, CAN, CANNOT = "from", "can", "cannot"
"""What an area is to the answer being given: where it begins, where it may go, where it may not go."""

KINDS = {"land": _("land"), "sea": _("sea"), "port": _("port")}
HIDDEN = "hidden"
"""An order that lies face down."""


class Appearance(ViewModel):
    """What an area shows. `mark` is the seat whose units or control it shows, `house` its name.

    `units` are the kinds with the number of each, `token` is the seat of a power token, `order` one of
    orders.ORDERS or HIDDEN, `action` is what a tap does ("" for nothing) and `more` says so in the reader's
    words, or why the march may not go there.
    """

    mark: int = 0
    house: str | Term = ""
    units: tuple[tuple[str, int], ...] = ()
    routed: bool = False
    order: str = ""
    token: int = 0
    garrison: int = 0
    neutral: int = 0
    closed: bool = False
    state: str = ""
    action: str = ""
    more: str = ""


def of_area(area: Mapping[str, Any], marks: Mapping[str, int], names: Mapping[str, str]) -> Appearance:
    """What an area shows, from the facts of `derived.area`; `replace` may add a tap."""
    house = area["house"] or area["controller"]
    return Appearance(
        mark=marks.get(house, 0),
        house=Term(names[house]) if house in names else "",
        units=tuple(area["units"].items()),
        routed=bool(area["routed"]),
        token=marks.get(area["token"], 0),
        garrison=area.get("garrison", 0),
        neutral=area.get("neutral", 0),
        closed=area["closed"],
        order=area["order"],
    )


# --- in words ------------------------------------------------------------------------------------


def spoken(key: str, shown: Appearance) -> Line:
    """An area as it is read out: "Winterfell, stronghold, Stark: 2 footmen, 1 knight"."""
    printed = chart.printed(key)
    kind = chart.FORTS.get(printed.get("fort", "")) or KINDS[printed["kind"]]
    place = (Term(printed["name"]), Term(kind), *((shown.house,) if shown.house else ()))
    things = tuple(_things(shown))
    told = (
        say(_("%(place)s: %(things)s"), place=place, things=things)
        if things
        else say("%(place)s", place=place)
    )
    return say(_("%(place)s. %(more)s"), place=told, more=shown.more) if shown.more else told


def _things(shown: Appearance) -> Iterator[Line]:
    for unit, number in shown.units:
        yield counted(unit, number)
    if shown.routed:
        yield say(_("routed"))
    if shown.order:
        yield Line(_("order face down") if shown.order == HIDDEN else order_tokens.ORDERS[shown.order])
    if shown.token:
        yield say(_("power token"))
    if shown.garrison:
        yield say(_("garrison %(strength)s"), strength=shown.garrison)
    if shown.neutral:
        yield say(_("neutral force %(strength)s"), strength=shown.neutral)
    if shown.closed:
        yield say(_("closed"))


def counted(unit: str, number: int) -> Line:
    """A number of units of a kind, in words."""
    if unit == FOOTMAN:
        return say_count("%(count)s footman", "%(count)s footmen", number)
    if unit == KNIGHT:
        return say_count("%(count)s knight", "%(count)s knights", number)
    if unit == SIEGE:
        return say_count("%(count)s siege engine", "%(count)s siege engines", number)
    return say_count("%(count)s ship", "%(count)s ships", number)
