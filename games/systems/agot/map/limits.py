"""Why a march may not enter an area or be carried out as planned, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import limits
from games.systems.agot.map import chart, control, support
from games.systems.agot.map.moving import marching, waiting
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.pieces import Table

ELSEWHERE = Line(_("This march starts a combat elsewhere; one march starts one combat."))


def why_not(g: Table, seat: str, key: str, place: str) -> Line | None:
    """Why units may not march from an area to another; None if they may."""
    if place not in control.reach(g, seat, key):
        return _out_of_reach(g, seat, key, place)
    return why_not_into(g, seat, key, place)


def why_not_into(g: Table, seat: str, key: str, place: str) -> Line | None:
    """Why units may not march into an area within their reach; None if they may."""
    there = g.objectives[place]
    if there.closed:
        return say(_("%(area)s is closed for this game."), area=chart.name(place))
    units = waiting(g, key)
    if units and not any(chart.takes(place, unit) for unit in units):
        # Only the organisers' corrections bring units where they do not belong.
        return _off_ground(place)
    if chart.port_of(place) and there.ships + sum(marching(g, place).values()) >= MOST_IN_PORT:
        return say(_("%(area)s holds three ships already."), area=chart.name(place))
    if not control.is_fight(g, seat, place):
        return None
    if any(control.is_fight(g, seat, other) and other != place for other, *_rest in g.moving):
        return ELSEWHERE
    if there.neutral and support.possible_strength(g, seat, key, place, _order(g, seat, key)) < there.neutral:
        return _too_weak(g, place)
    return None


def why_not_yet(g: Table, seat: str, key: str) -> Line | None:
    """Why the march may not be carried out as it is planned; None if it may."""
    if not fits_after(g, seat, key):
        most = limits(g.armies[seat].supply)
        return say(_("Beyond your supply: armies of at most %(sizes)s."), sizes=most)
    order = _order(g, seat, key)
    places = tuple(dict.fromkeys(place for place, *_rest in g.moving))
    if sum(control.is_fight(g, seat, place) for place in places) > 1:
        return ELSEWHERE  # A correction has put somebody there since.
    for place in places:
        force = g.objectives[place].neutral
        if force and support.planned_strength(g, seat, key, place, order) < force:
            return _too_weak(g, place)
    return None


def _too_weak(g: Table, place: str) -> Line:
    line = _("Too weak for the neutral force of %(strength)s in %(area)s.")
    return say(line, strength=g.objectives[place].neutral, area=chart.name(place))


def _order(g: Table, seat: str, key: str) -> str:
    """The value of the March order that an area resolves: its last one, as a correction may lay another."""
    return next((order for who, area, order in reversed(g.marched) if (who, area) == (seat, key)), "zero")


def _out_of_reach(g: Table, seat: str, key: str, place: str) -> Line:
    if chart.is_split_by_river(key, place):
        return say(_("A river without a bridge lies before %(area)s."), area=chart.name(place))
    if chart.port_of(place) and chart.kind(key) == chart.SEA and place in chart.beside(key):
        return say(_("%(area)s is not your port."), area=chart.name(place))
    if (chart.kind(key) == chart.LAND) != (chart.kind(place) == chart.LAND):
        return _off_ground(place)
    if chart.kind(key) == chart.LAND:
        return say(_("%(area)s is not adjacent, and your ships do not connect it."), area=chart.name(place))
    return say(_("%(area)s is not adjacent."), area=chart.name(place))


def _off_ground(place: str) -> Line:
    is_land = chart.kind(place) == chart.LAND
    return Line(
        _("Ships do not go on land.") if is_land else _("Land units stand neither in seas nor in ports.")
    )


def blocked(g: Table, seat: str, key: str) -> Iterator[tuple[str, Line]]:
    """The neighbours that a march may not enter, and why; an area across a river counts as a neighbour."""
    same = (chart.LAND,) if chart.kind(key) == chart.LAND else (chart.SEA, chart.PORT)
    for place in (*chart.beside(key), *chart.across_river(key)):
        reason = why_not(g, seat, key, place) if chart.kind(place) in same else None
        if reason is not None:
            yield place, reason


def reasons(g: Table, seat: str, key: str) -> Iterator[Line]:
    """Why a march may not enter its neighbours: every sentence once, and one for all closed areas."""
    barred = tuple(blocked(g, seat, key))
    told: list[Line] = []
    for place, reason in barred:
        if reason not in told and not g.objectives[place].closed:
            told.append(reason)
            yield reason
    closed = tuple(chart.name(place) for place, _reason in barred if g.objectives[place].closed)
    if closed:
        yield say(_("Closed for this game: %(areas)s."), areas=closed)


def fits_after(g: Table, seat: str, key: str) -> bool:
    """AGOT-05: whether armies keep to supply at the end of the march, assuming that its fight is won."""
    change = {place: sum(marching(g, place).values()) for place, *_rest in g.moving}
    change[key] = -sum(change.values())
    own = {place: number for place, number in change.items() if place == key or number}
    return not g.moving or control.fits(g, seat, own)


def is_emptied(g: Table, key: str) -> bool:
    """Whether the march takes the last unit out of a land area."""
    area = g.objectives[key]
    return chart.kind(key) == chart.LAND and not area.routed and not any(waiting(g, key).values())


def is_given_up(g: Table, seat: str, key: str) -> bool:
    """Whether the march takes a house's last hold on an area: there is no token yet, nor its own crest."""
    area = g.objectives[key]
    is_held = area.token or chart.home_of(key) == seat
    return bool(g.moving) and area.house == seat and is_emptied(g, key) and not is_held


def can_leave_token(g: Table, seat: str, key: str) -> bool:
    """AGOT-60, AGOT-63: only where the house would lose the area, and from available power."""
    return is_given_up(g, seat, key) and g.armies[seat].power > 0


def at_stake(g: Table, key: str) -> Iterator[Line]:
    """What a house loses along with an area: castle or stronghold, icons, the ships in its port."""
    printed, port = chart.printed(key), chart.port_at(key)
    if printed.get("fort"):
        yield Line(chart.FORTS[printed["fort"]])
    if printed.get("supply"):
        yield say(_("%(number)s supply"), number=printed["supply"])
    if printed.get("power"):
        yield say(_("%(number)s power a Game of Thrones card"), number=printed["power"])
    if port and g.objectives[port].ships:
        yield say(_("the ships in %(area)s"), area=chart.name(port))
