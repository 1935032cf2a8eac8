"""Westeros and wildling cards with the map: the app counts, players tap the units that come and go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core import Line, Offer, Silent, Step, Term, answer, say, say_count
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control, moving_units
from games.systems.agot.map.moving_units import follow_up
from games.systems.agot.pieces import (
    FOOTMAN,
    KNIGHT,
    MOST_IN_PORT,
    SHIP,
    SIEGE,
    UNITS,
    Area,
    NamesHouses,
    Table,
    box,
    house,
    limits,
)
from games.systems.agot.tracks import sealed_bids, supply_muster_power, wildling_cards
from games.systems.agot.tracks.wildling_cards import CARDS, CROWS, HORDE, MAMMOTHS

# --- supply, income, mustering -----------------------------------------------------------------------


class Supply(Silent[Table], supply_muster_power.Supply):
    """AGOT-01, AGOT-04: the icons are counted; levels change only here, or by another such effect."""

    def run(self, g: Table) -> None:
        for seat in g.turn_order:
            supply_muster_power.adjust(g, seat, area_control.supply(g, seat))
        g.goto(supply_muster_power.Reconcile)


class Reconcile(supply_muster_power.Reconcile):
    """AGOT-03: in turn order, houses with too many or too large armies remove units until they fit.

    AGOT-31: if the wildlings have won, the lowest bidder is first.
    """

    title = _("Your armies are too large: remove units")
    meanwhile = _("Armies too large: %(house)s removes units")

    def over(self, g: Table) -> tuple[str, ...]:
        """The houses whose armies do not fit, in the order in which they remove units."""
        is_penalty = any(question.step == sealed_bids.Aftermath.name for question in g.flow)
        first = (g.marked, *wildling_cards.others(g)) if is_penalty else ()
        order = dict.fromkeys((*first, *g.turn_order))
        return tuple(seat for seat in order if not area_control.fits(g, seat))

    def asked(self, g: Table) -> Iterable[str]:
        return self.over(g)[:1]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key, area in g.objectives.items():
            if area.house == seat and area.size > 1:
                for unit in area.units:
                    yield Offer(f"remove:{key}:{unit}", unit_in(unit, key))

    @answer
    def remove(self, g: Table, seat: str, area: Area, unit: str) -> None:
        area_control.leave_dead(g, area.key, unit)
        g.say(_("%(house)s removes: %(unit)s."), house=house(seat), unit=unit_in(unit, area.key))
        g.goto(self)
        follow_up(g)

    def run(self, g: Table) -> None:
        self.go_on(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        if not self.over(g):
            return Line("")
        owner = self.over(g)[0]
        now = tuple(size for size in sorted(area_control.sizes(g, owner), reverse=True) if size > 1)
        return say(_("Allowed %(sizes)s, now %(now)s."), sizes=limits(g.armies[owner].supply), now=now)


class Income(Silent[Table], supply_muster_power.Income):
    """AGOT-21: power icons and free ports are counted for every house."""

    def run(self, g: Table) -> None:
        for seat in g.turn_order:
            g.armies[seat].income = area_control.income(g, seat)
            supply_muster_power.receive(g, seat, g.armies[seat].income)
        g.end()


class Mustering(Silent[Table], supply_muster_power.Mustering):
    """AGOT-06: in turn order each house musters in each castle and stronghold that it controls."""

    def run(self, g: Table) -> None:
        if not self.seats:
            g.end()
            return
        seat, *others = self.seats
        g.goto(Mustering(tuple(others)))
        for key in reversed([key for key in area_control.controlled(g, seat) if pieces.points(key)]):
            g.call(Muster(seat, key, pieces.points(key)))


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
        yield Offer("enough", say(_("No more here")), style="quiet")

    @answer
    def muster(self, g: Table, seat: str, unit: str, place: Area) -> None:
        moving_units.note_arrival(g, seat, place.key)
        place.house = seat
        place.add(unit, 1)
        g.say(_("%(house)s musters: %(unit)s."), house=house(seat), unit=unit_in(unit, place.key))
        self.spend(g, cost(unit))

    @answer
    def upgrade(self, g: Table, seat: str, unit: str) -> None:
        area_control.replace(g, self.area, FOOTMAN, unit)
        g.say(_("%(house)s upgrades a footman: %(unit)s."), house=house(seat), unit=unit_in(unit, self.area))
        self.spend(g, 1)

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say_count(
            "%(house)s musters no more in %(area)s: %(count)s point is lost.",
            "%(house)s musters no more in %(area)s: %(count)s points are lost.",
            self.points,
            house=house(seat),
            area=pieces.name(self.area),
        )
        g.end()

    def spend(self, g: Table, price: int) -> None:
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
            area=pieces.name(self.area),
        )

    def helping(self, g: Table, seat: str | None) -> Line:
        return say(_("Armies of at most %(sizes)s"), sizes=limits(g.armies[self.seat].supply))


def choices(g: Table, seat: str, key: str, points: int) -> tuple[Offer, ...]:
    """What a number of points may buy in an area."""
    return tuple(_choices(g, seat, key, points))


def _choices(g: Table, seat: str, key: str, points: int) -> Iterator[Offer]:
    """AGOT-11: land units only in the area itself. AGOT-12: an upgrade never changes an army's size.

    A correction may give the area to another house while the question about it is open or waits.
    """
    if area_control.controller(g, key) != seat:
        return
    for unit in (FOOTMAN, KNIGHT, SIEGE) if area_control.fits(g, seat, {key: 1}) else ():
        if cost(unit) <= points and area_control.pool(g, seat, unit) > 0:
            yield Offer(f"muster:{unit}:{key}", Line(UNITS[unit]))
    if area_control.pool(g, seat, SHIP) > 0:
        for place in waters(g, seat, key):
            if area_control.fits(g, seat, {place: 1}):
                yield Offer(f"muster:{SHIP}:{place}", unit_in(SHIP, place))
    area = g.objectives[key]
    if area.house == seat and area.footmen:
        for unit in (KNIGHT, SIEGE):
            if area_control.pool(g, seat, unit) > 0:
                label = say(_("Footman becomes %(unit)s"), unit=Term(UNITS[unit]))
                yield Offer(f"upgrade:{unit}", label)


def waters(g: Table, seat: str, key: str) -> Iterator[str]:
    """AGOT-09, AGOT-44, AGOT-45: the port, and adjacent seas without enemy ships. AGOT-10: else nowhere."""
    for place in pieces.adjacent(key):
        area = g.objectives[place]
        is_free = area.house in ("", seat)
        has_room = not pieces.port_of(place) or area.ships < MOST_IN_PORT
        if pieces.kind(place) != pieces.LAND and is_free and has_room:
            yield place


def cost(unit: str) -> int:
    points: int = box()["units"][unit]["cost"]
    return points


def unit_in(unit: str, key: str) -> Line:
    return say(_("%(unit)s, %(area)s"), unit=Term(UNITS[unit]), area=pieces.name(key))


# --- wildling cards ----------------------------------------------------------------------------------


LOST = {MAMMOTHS: (3, 2), HORDE: (2, 1)}
"""How many units the lowest bidder loses to a card, and how many each other house loses."""
REPLACED = 2
"""Crow Killers: how many knights become footmen (all of the lowest bidder's do), or footmen knights."""
PREEMPTED = 2
"""Units that Preemptive Raid costs."""


class Carry(wildling_cards.Carry):
    """AGOT-31: what a card does to units is asked unit by unit; house cards stay at the table."""

    def asked(self, g: Table) -> Iterable[str]:
        return () if self.in_units(g) else super().asked(g)

    def in_units(self, g: Table) -> OneHouse | None:
        """The question by which the next house loses or gains units; None if house cards are meant."""
        if not self.seats:
            return None
        seat = self.seats[0]
        if g.repelled:
            return _gain(g, seat)
        is_lowest = seat == g.marked
        if g.wildling == CROWS:
            return Demote(seat, knights(g, seat) if is_lowest else REPLACED)
        if g.wildling == HORDE and is_lowest and crowded(g, seat):
            return Sack(seat)
        if g.wildling in LOST:
            return Perish(seat, LOST[g.wildling][0 if is_lowest else 1])
        return None

    def run(self, g: Table) -> None:
        if asking := self.in_units(g):
            self.next(g)
            g.call(asking)
        else:
            super().run(g)


def _gain(g: Table, seat: str) -> OneHouse | None:
    """The question by which the highest bidder gains units; None if house cards are meant."""
    if g.wildling == CROWS:
        return Promote(seat, REPLACED)
    return Levy(seat) if g.wildling == HORDE else None


class Preempted(wildling_cards.Preempted):
    """AGOT-31: Preemptive Raid costs two units, tapped where they stand, or two places."""

    @answer
    def lose_units(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s gives up two units."), house=house(seat))
        g.goto(Perish(seat, PREEMPTED))


class OneHouse(Step[Table]):
    rule = "AGOT-31"

    seat: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,)

    def run(self, g: Table) -> None:
        g.end()

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(CARDS.get(g.wildling, ""))


class UnitByUnit(OneHouse):
    """A wildling card asks one house about units, one after another; `number` are still to come."""

    number: int

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if self.number > 0 else ()

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("%(card)s: %(number)s to go")
        return say(line, card=Term(CARDS.get(g.wildling, "")), number=self.number)

    def next(self, g: Table) -> None:
        g.goto(replace(self, number=self.number - 1))


class Perish(UnitByUnit):
    """AGOT-31: units are lost, anywhere or all in one area. AGOT-67: the last unit leaves no token behind."""

    title = _("Which units are lost?")

    only: str = ""

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key, area in g.objectives.items():
            if area.house == seat and self.only in ("", key):
                for unit in area.units:
                    yield Offer(f"lose:{key}:{unit}", unit_in(unit, key), detail=_warning(g, key))

    @answer
    def lose(self, g: Table, seat: str, area: Area, unit: str) -> None:
        area_control.leave_dead(g, area.key, unit)
        g.say(_("%(house)s removes: %(unit)s."), house=house(seat), unit=unit_in(unit, area.key))
        self.next(g)
        follow_up(g)


def _warning(g: Table, key: str) -> Line | None:
    """What else goes with the last unit of an area."""
    area = g.objectives[key]
    if area.size > 1 or pieces.kind(key) != pieces.LAND or area.token == area.house:
        return None
    return None if pieces.home_of(key) == area.house else Line(_("the last one: the area is lost"))


class Sack(OneHouse):
    """AGOT-31: The Horde Descends takes two units of the lowest bidder in one castle or stronghold."""

    title = _("In which castle or stronghold?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in crowded(g, seat):
            yield Offer(f"sack:{key}", Line(pieces.name(key).message))

    @answer
    def sack(self, g: Table, seat: str, area: Area) -> None:
        g.say(_("The wildlings come to %(area)s."), area=pieces.name(area.key))
        g.goto(Perish(seat, LOST[HORDE][0], area.key))


def crowded(g: Table, seat: str) -> list[str]:
    """The castles and strongholds where a house has two or more units."""
    own = (area for area in g.objectives.values() if area.house == seat)
    return [area.key for area in own if pieces.points(area.key) and area.size > 1]


class Demote(UnitByUnit):
    """AGOT-31: knights become footmen; those for which the pool has no footman are lost."""

    title = _("Which knight becomes a footman?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        is_lost = area_control.pool(g, seat, FOOTMAN) < 1
        detail = Line(_("no footman is free: it is lost")) if is_lost else None
        for key, area in g.objectives.items():
            if area.house == seat and area.knights:
                yield Offer(f"demote:{key}", unit_in(KNIGHT, key), detail=detail)

    @answer
    def demote(self, g: Table, seat: str, area: Area) -> None:
        is_lost = area_control.pool(g, seat, FOOTMAN) < 1
        if not is_lost:
            area.footmen += 1
        area_control.leave_dead(g, area.key, KNIGHT)
        line = _("%(house)s removes: %(unit)s.") if is_lost else _("%(house)s: %(unit)s becomes a footman.")
        g.say(line, house=house(seat), unit=unit_in(KNIGHT, area.key))
        self.next(g)
        follow_up(g)


class Promote(UnitByUnit):
    """AGOT-30: repelling Crow Killers lets footmen become knights, as far as the pool has any."""

    rule = "AGOT-30"
    title = _("Which footman becomes a knight?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        keys = [key for key, area in g.objectives.items() if area.house == seat and area.footmen]
        if not keys or area_control.pool(g, seat, KNIGHT) < 1:
            return
        for key in keys:
            yield Offer(f"promote:{key}", unit_in(FOOTMAN, key))
        yield Offer("enough", say(_("No more")), style="quiet")

    @answer
    def promote(self, g: Table, seat: str, area: Area) -> None:
        area.knights += 1
        area_control.leave_dead(g, area.key, FOOTMAN)
        g.say(_("%(house)s: %(unit)s becomes a knight."), house=house(seat), unit=unit_in(FOOTMAN, area.key))
        self.next(g)

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s replaces no more."), house=house(seat))
        g.end()


class Levy(OneHouse, NamesHouses):
    """AGOT-30: repelling The Horde Descends lets the highest bidder muster in one castle or stronghold."""

    rule = "AGOT-30"
    title = _("Where do you muster?")
    meanwhile = _("%(house)s chooses where to muster")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in area_control.controlled(g, seat):
            if pieces.points(key) and choices(g, seat, key, pieces.points(key)):
                yield Offer(f"levy:{key}", Line(pieces.name(key).message))
        yield Offer("enough", say(_("Nowhere")), style="quiet")

    @answer
    def levy(self, g: Table, seat: str, area: Area) -> None:
        g.say(_("%(house)s musters in %(area)s."), house=house(seat), area=pieces.name(area.key))
        g.goto(Muster(seat, area.key, pieces.points(area.key)))

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s does not muster."), house=house(seat))
        g.end()


def knights(g: Table, seat: str) -> int:
    return sum(area.knights for area in g.objectives.values() if area.house == seat)


STEPS: tuple[type[Step[Table]], ...] = (
    Supply,
    Reconcile,
    Income,
    Mustering,
    Muster,
    Carry,
    Preempted,
    Perish,
    Sack,
    Demote,
    Promote,
    Levy,
)
