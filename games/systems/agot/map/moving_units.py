"""Units on the march, and what follows from where they are: orders, ports, markers, a win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Offer, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control
from games.systems.agot.pieces import SHIP, UNITS, Group, Table, house
from games.systems.agot.tracks import planning_and_action, winning

# --- what is planned ---------------------------------------------------------------------------------


def waiting(g: Table, key: str) -> dict[str, int]:
    """The units of an area that the march has not sent anywhere yet; routed ones stay."""
    units = area_control.standing(g.objectives[key])
    for _place, unit, number in g.moving:
        units[unit] = units.get(unit, 0) - number
    return {unit: number for unit, number in units.items() if number > 0}


def marching(g: Table, place: str) -> dict[str, int]:
    units: dict[str, int] = {}
    for other, unit, number in g.moving:
        if other == place:
            units[unit] = units.get(unit, 0) + number
    return units


def attackers(g: Table, seat: str, key: str, place: str) -> dict[str, int]:
    """The units in the open fight of those that set out: a card may have killed some before it is decided."""
    area = g.objectives[key]
    alive = area_control.standing(area) if area.house == seat else {}
    units = {unit: min(number, alive.get(unit, 0)) for unit, number in marching(g, place).items()}
    return {unit: number for unit, number in units.items() if number}


def described(group: Group) -> Line:
    place, unit, number = group
    line = _("%(count)s × %(unit)s to %(area)s")
    return say(line, count=number, unit=Term(UNITS[unit]), area=pieces.name(place))


def forget_march(g: Table) -> None:
    """Start planning the march from scratch."""
    g.moving, g.leaving = (), False


def planned(g: Table, seat: str, key: str) -> Table:
    """The map as it will be once every group of the march that does not fight has moved."""
    ahead = g.copy()
    for group in peaceful(g, seat):
        carry(ahead, seat, key, group)
    return ahead


def peaceful(g: Table, seat: str) -> tuple[Group, ...]:
    """The groups of the march that go where nobody defends."""
    return tuple(group for group in g.moving if not area_control.is_fight(g, seat, group[0]))


# --- going ---------------------------------------------------------------------------------------


def carry(g: Table, seat: str, key: str, group: Group) -> None:
    """Move a group to its destination: as many of its units as still stand where it starts."""
    place, unit, number = group
    area = g.objectives[key]
    number = min(number, area_control.standing(area).get(unit, 0)) if area.house == seat else 0
    if number:
        area.add(unit, -number)
        enter(g, seat, place, unit, number)


def enter(g: Table, seat: str, place: str, unit: str, number: int) -> None:
    """Move units into an area that nobody defends.

    AGOT-61: their house's own token stays under them. AGOT-64, AGOT-65: another house's goes to the pool.
    """
    note_arrival(g, seat, place)
    area = g.objectives[place]
    area.house = seat
    area.add(unit, number)
    area_control.discard_token(g, place)


def move_in(g: Table, seat: str, key: str) -> None:
    """Move the winners of a fight into the area that they attacked."""
    for group in g.moving:
        carry(g, seat, key, group)
    forget_march(g)
    follow_up(g)


# --- areas without an order --------------------------------------------------------------------------


RESOLVING = frozenset({planning_and_action.Marches.name, planning_and_action.Consolidation.name})
"""The questions during which areas lose their order or are entered without one."""


def note_orderless(g: Table, key: str) -> None:
    """Note that an area's house has no order left there; not where the app knows the orders themselves."""
    if g.rules.get("orders") or key in g.orderless:
        return
    if any(question.step in RESOLVING for question in g.flow):
        g.orderless = (*g.orderless, key)


def note_arrival(g: Table, seat: str, key: str) -> None:
    """Note that units come to an area, unless their house stands there already."""
    if g.objectives[key].house != seat:
        note_orderless(g, key)


# --- ports -------------------------------------------------------------------------------------------


class TakePort(Step[Table]):
    """AGOT-53: a house that takes a port's land may replace the enemy ships there with as many or fewer."""

    rule = "AGOT-53"
    title = _("How many ships in %(area)s do you replace?")
    meanwhile = _("%(house)s chooses how many ships in %(area)s to replace")

    seat: str
    port: str

    def most(self, g: Table) -> int:
        """At most as many as lie there, as the pool has, and as supply allows."""
        there, left = g.objectives[self.port].ships, area_control.pool(g, self.seat, SHIP)
        numbers, elsewhere = range(min(there, left) + 1), area_control.won_by_attackers(g, self.seat)
        fitting = (n for n in numbers if area_control.fits(g, self.seat, {**elsewhere, self.port: n}))
        return max(fitting, default=0)

    def is_due(self, g: Table) -> bool:
        """Whether these are still another house's ships at this one's land: a correction may change that."""
        return (self.port, self.seat) in _left_behind(g)

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if self.is_due(g) and self.most(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("replace", say(_("Ships replaced; the others are removed")), 0, self.most(g))

    @answer
    def replace(self, g: Table, seat: str, number: int) -> None:
        area = g.objectives[self.port]
        g.say_count(
            "%(house)s replaces %(count)s ship in %(area)s.",
            "%(house)s replaces %(count)s ships in %(area)s.",
            number,
            house=house(seat),
            area=pieces.name(self.port),
        )
        area.add(SHIP, -area.ships)
        if number:
            note_arrival(g, seat, self.port)
            area.house = seat
            area.add(SHIP, number)
        g.end()

    def run(self, g: Table) -> None:
        """A correction moves no units elsewhere: if the land is another's now, the next move settles it."""
        if self.is_due(g):
            self.replace(g, self.seat, 0)
        else:
            g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        """It may come in the middle of something else, so the question names the port."""
        line = self.title if seat == self.seat else self.meanwhile
        return say(line, house=house(self.seat), area=pieces.name(self.port))


def clear_ports(g: Table) -> None:
    """AGOT-53: ships in a port are replaced by the house that now has its land, or lost if nobody has it."""
    for port, holder in _left_behind(g):
        if holder and not _is_asked(g, port):
            g.call(TakePort(holder, port))
        elif not holder:
            area = g.objectives[port]
            g.say(_("The ships in %(area)s are lost with the land."), area=pieces.name(port))
            area.add(SHIP, -area.ships)


def _left_behind(g: Table) -> list[tuple[str, str]]:
    """The ports with ships of a house that no longer has the land, and the house that has it now."""
    holders = {port: area_control.controller(g, port) for port in pieces.ports() if port in g.objectives}
    return [
        (port, holder) for port, holder in holders.items() if g.objectives[port].house not in ("", holder)
    ]


def _is_asked(g: Table, port: str) -> bool:
    asked = (TakePort.read(question.about) for question in g.flow if question.step == TakePort.name)
    return any(step.port == port for step in asked)


# --- what follows ------------------------------------------------------------------------------------


def follow_up(g: Table) -> None:
    """Apply everything that follows from where units are; all code that moves or removes units ends with it.

    AGOT-90: no garrison stays in an area that another house holds. AGOT-53: ships in a port go with its
    land. AGOT-71: an abandoned home area returns to its house, and counts for it. BASE-09: the seventh castle
    or stronghold wins at once, however it was gained.
    """
    for key in area_control.overrun(g):
        area_control.dislodge(g, key)
    clear_ports(g)
    area_control.recount(g)
    winning.forget_playing_on(g)
    if winning.is_won(g):
        g.call(winning.Reckoning)


STEPS: tuple[type[Step[Table]], ...] = (TakePort,)
