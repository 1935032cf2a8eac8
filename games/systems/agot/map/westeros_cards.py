"""The Westeros cards with the map: the app counts supply, income and mustering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from games.core.kit import Silent
from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say, say_count
from games.core.words import gettext_noop as _
from games.systems.agot.box import FOOTMAN, KNIGHT, SHIP, SIEGE, UNITS, box, house, limits
from games.systems.agot.map import chart, control, orderless
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.map.settling import settle
from games.systems.agot.pieces import Area, Table
from games.systems.agot.tracks import income, mustering, supply, wildling_cards, wildlings


class Supply(Silent[Table], supply.Supply):
    """AGOT-01, AGOT-04: the icons are counted; levels change only here, or by another such effect."""

    def run(self, g: Table) -> None:
        for seat in g.turn_order:
            supply.adjust(g, seat, control.supply(g, seat))
        g.goto(supply.Reconcile)


class Reconcile(supply.Reconcile):
    """AGOT-03: in turn order, houses with too many or too large armies remove units until they fit.

    AGOT-31: if the wildlings have won, the lowest bidder is first.
    """

    title = _("Your armies are too large: remove units")
    meanwhile = _("Armies too large: %(house)s removes units")

    def over(self, g: Table) -> tuple[str, ...]:
        """The houses whose armies do not fit, in the order in which they remove units."""
        is_penalty = any(question.step == wildlings.Aftermath.name for question in g.flow)
        first = (g.marked, *wildling_cards.others(g)) if is_penalty else ()
        order = dict.fromkeys((*first, *g.turn_order))
        return tuple(seat for seat in order if not control.fits(g, seat))

    def asked(self, g: Table) -> Iterable[str]:
        return self.over(g)[:1]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key, area in g.objectives.items():
            if area.house == seat and area.size > 1:
                for unit in area.units:
                    yield Offer(f"remove:{key}:{unit}", unit_in(unit, key))

    @answer
    def remove(self, g: Table, seat: str, area: Area, unit: str) -> None:
        control.leave_dead(g, area.key, unit)
        g.say(_("%(house)s removes: %(unit)s."), house=house(seat), unit=unit_in(unit, area.key))
        g.goto(self)
        settle(g)

    def run(self, g: Table) -> None:
        self.go_on(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        if not self.over(g):
            return Line("")
        owner = self.over(g)[0]
        now = tuple(size for size in sorted(control.sizes(g, owner), reverse=True) if size > 1)
        return say(_("Allowed %(sizes)s, now %(now)s."), sizes=limits(g.armies[owner].supply), now=now)


class Income(Silent[Table], income.Income):
    """AGOT-21: power icons and free ports are counted for every house."""

    def run(self, g: Table) -> None:
        for seat in g.turn_order:
            g.armies[seat].income = control.income(g, seat)
            income.receive(g, seat, g.armies[seat].income)
        g.end()


class Mustering(Silent[Table], mustering.Mustering):
    """AGOT-06: in turn order each house musters in each castle and stronghold that it controls."""

    def run(self, g: Table) -> None:
        if not self.seats:
            g.end()
            return
        seat, *others = self.seats
        g.goto(Mustering(tuple(others)))
        for key in reversed([key for key in control.controlled(g, seat) if chart.points(key)]):
            g.call(Muster(seat, key, chart.points(key)))


class Muster(Step[Table]):
    """AGOT-07, AGOT-08, AGOT-12: the points of one area buy units from the pool, or upgrade its footmen.

    AGOT-13: never beyond supply. AGOT-14: what is not spent is lost.
    """

    rule = "AGOT-08"
    title = _("Muster")

    seat: str
    area: str
    points: int

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if choices(g, self.seat, self.area, self.points) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from choices(g, seat, self.area, self.points)
        yield ENOUGH

    @answer
    def muster(self, g: Table, seat: str, unit: str, place: Area) -> None:
        orderless.come(g, seat, place.key)
        put(seat, unit, place)
        g.say(_("%(house)s musters: %(unit)s."), house=house(seat), unit=unit_in(unit, place.key))
        self.spend(g, cost(unit))

    @answer
    def upgrade(self, g: Table, seat: str, unit: str) -> None:
        control.replace(g, self.area, FOOTMAN, unit)
        g.say(_("%(house)s upgrades a footman: %(unit)s."), house=house(seat), unit=unit_in(unit, self.area))
        self.spend(g, 1)

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say_count(
            "%(house)s musters no more in %(area)s: %(count)s point is lost.",
            "%(house)s musters no more in %(area)s: %(count)s points are lost.",
            self.points,
            house=house(seat),
            area=chart.name(self.area),
        )
        g.end()

    def spend(self, g: Table, price: int) -> None:
        """Go on with what is left of the points."""
        if self.points > price:
            g.goto(Muster(self.seat, self.area, self.points - price))
        else:
            g.end()

    def run(self, g: Table) -> None:
        """The points that are left buy nothing here."""
        self.enough(g, self.seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say_count(
            "%(house)s musters in %(area)s: %(count)s point",
            "%(house)s musters in %(area)s: %(count)s points",
            self.points,
            house=house(self.seat),
            area=chart.name(self.area),
        )

    def helping(self, g: Table, seat: str | None) -> Line:
        return say(_("Armies of at most %(sizes)s"), sizes=limits(g.armies[self.seat].supply))


ENOUGH = Offer("enough", say(_("No more here")), style="quiet")


def choices(g: Table, seat: str, key: str, points: int) -> tuple[Offer, ...]:
    """What a number of points may buy in an area."""
    return tuple(_choices(g, seat, key, points))


def _choices(g: Table, seat: str, key: str, points: int) -> Iterator[Offer]:
    """AGOT-11: land units only in the area itself. AGOT-12: an upgrade never changes an army's size.

    A correction may give the area to another house while the question about it is open or waits.
    """
    if control.controller(g, key) != seat:
        return
    for unit in (FOOTMAN, KNIGHT, SIEGE) if control.fits(g, seat, {key: 1}) else ():
        if cost(unit) <= points and control.pool(g, seat, unit) > 0:
            yield mustered(unit, key)
    if control.pool(g, seat, SHIP) > 0:
        for place in waters(g, seat, key):
            if control.fits(g, seat, {place: 1}):
                yield mustered(SHIP, place)
    area = g.objectives[key]
    if area.house == seat and area.footmen:
        for unit in (KNIGHT, SIEGE):
            if control.pool(g, seat, unit) > 0:
                yield upgraded(unit)


@cache
def mustered(unit: str, key: str) -> Offer:
    """The offer to muster a unit; a ship may have several areas to go to, so the label names the area."""
    return Offer(f"muster:{unit}:{key}", unit_in(SHIP, key) if unit == SHIP else Line(UNITS[unit]))


@cache
def upgraded(unit: str) -> Offer:
    """The offer to upgrade a footman to a unit."""
    return Offer(f"upgrade:{unit}", say(_("Footman becomes %(unit)s"), unit=Term(UNITS[unit])))


def waters(g: Table, seat: str, key: str) -> Iterator[str]:
    """AGOT-09, AGOT-44, AGOT-45: the port, and adjacent seas without enemy ships. AGOT-10: else nowhere."""
    for place in chart.beside(key):
        area = g.objectives[place]
        is_free = area.house in ("", seat)
        has_room = not chart.port_of(place) or area.ships < MOST_IN_PORT
        if chart.kind(place) != chart.LAND and is_free and has_room:
            yield place


def put(seat: str, unit: str, area: Area) -> None:
    """Put a unit from the pool on the board."""
    area.house = seat
    area.add(unit, 1)


@cache
def cost(unit: str) -> int:
    """Muster points of a unit."""
    points: int = box()["units"][unit]["cost"]
    return points


@cache
def unit_in(unit: str, key: str) -> Line:
    """A unit and where it is."""
    return say(_("%(unit)s, %(area)s"), unit=Term(UNITS[unit]), area=chart.name(key))


STEPS: tuple[type[Step[Table]], ...] = (Supply, Reconcile, Income, Mustering, Muster)
