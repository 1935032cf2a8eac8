"""Wildling cards with the map: players tap units that are lost or replaced where they stand.

The lowest bidder pays first (AGOT-31). A house with fewer units than a card asks for loses those it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import FOOTMAN, KNIGHT, house
from games.systems.agot.map import chart, control, westeros_cards
from games.systems.agot.map.settling import settle
from games.systems.agot.map.westeros_cards import unit_in
from games.systems.agot.pieces import Area, Table
from games.systems.agot.tracks import wildling_cards
from games.systems.agot.tracks.houses import NamesHouses
from games.systems.agot.tracks.wildling_cards import CARDS, CROWS, HORDE, MAMMOTHS

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
    """A wildling card asks one house."""

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
        """One of them is done."""
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
        control.leave_dead(g, area.key, unit)
        g.say(_("%(house)s removes: %(unit)s."), house=house(seat), unit=unit_in(unit, area.key))
        self.next(g)
        settle(g)


def _warning(g: Table, key: str) -> Line | None:
    """What else goes with the last unit of an area."""
    area = g.objectives[key]
    if area.size > 1 or chart.kind(key) != chart.LAND or area.token == area.house:
        return None
    return None if chart.home_of(key) == area.house else Line(_("the last one: the area is lost"))


class Sack(OneHouse):
    """AGOT-31: The Horde Descends takes two units of the lowest bidder in one castle or stronghold."""

    title = _("In which castle or stronghold?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in crowded(g, seat):
            yield Offer(f"sack:{key}", Line(chart.name(key).message))

    @answer
    def sack(self, g: Table, seat: str, area: Area) -> None:
        g.say(_("The wildlings come to %(area)s."), area=chart.name(area.key))
        g.goto(Perish(seat, LOST[HORDE][0], area.key))


def crowded(g: Table, seat: str) -> list[str]:
    """The castles and strongholds where a house has two or more units."""
    own = (area for area in g.objectives.values() if area.house == seat)
    return [area.key for area in own if chart.points(area.key) and area.size > 1]


class Demote(UnitByUnit):
    """AGOT-31: knights become footmen; those for which the pool has no footman are lost."""

    title = _("Which knight becomes a footman?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        is_lost = control.pool(g, seat, FOOTMAN) < 1
        detail = Line(_("no footman is free: it is lost")) if is_lost else None
        for key, area in g.objectives.items():
            if area.house == seat and area.knights:
                yield Offer(f"demote:{key}", unit_in(KNIGHT, key), detail=detail)

    @answer
    def demote(self, g: Table, seat: str, area: Area) -> None:
        is_lost = control.pool(g, seat, FOOTMAN) < 1
        if not is_lost:
            area.footmen += 1
        control.leave_dead(g, area.key, KNIGHT)
        line = _("%(house)s removes: %(unit)s.") if is_lost else _("%(house)s: %(unit)s becomes a footman.")
        g.say(line, house=house(seat), unit=unit_in(KNIGHT, area.key))
        self.next(g)
        settle(g)


class Promote(UnitByUnit):
    """AGOT-30: repelling Crow Killers lets footmen become knights, as far as the pool has any."""

    rule = "AGOT-30"
    title = _("Which footman becomes a knight?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        keys = [key for key, area in g.objectives.items() if area.house == seat and area.footmen]
        if not keys or control.pool(g, seat, KNIGHT) < 1:
            return
        for key in keys:
            yield Offer(f"promote:{key}", unit_in(FOOTMAN, key))
        yield Offer("enough", say(_("No more")), style="quiet")

    @answer
    def promote(self, g: Table, seat: str, area: Area) -> None:
        area.knights += 1
        control.leave_dead(g, area.key, FOOTMAN)
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
        for key in control.controlled(g, seat):
            if chart.points(key) and westeros_cards.choices(g, seat, key, chart.points(key)):
                yield Offer(f"levy:{key}", Line(chart.name(key).message))
        yield Offer("enough", say(_("Nowhere")), style="quiet")

    @answer
    def levy(self, g: Table, seat: str, area: Area) -> None:
        g.say(_("%(house)s musters in %(area)s."), house=house(seat), area=chart.name(area.key))
        g.goto(westeros_cards.Muster(seat, area.key, chart.points(area.key)))

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s does not muster."), house=house(seat))
        g.end()


def knights(g: Table, seat: str) -> int:
    """How many knights a house has on the map."""
    return sum(area.knights for area in g.objectives.values() if area.house == seat)


STEPS: tuple[type[Step[Table]], ...] = (Carry, Preempted, Perish, Sack, Demote, Promote, Levy)
