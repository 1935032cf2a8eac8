"""Retreats: where beaten units go, and which of them are lost when supply has no room for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import UNITS, house, limits
from games.systems.agot.map import chart, control, orderless
from games.systems.agot.map.fights import Fight
from games.systems.agot.map.moving import attackers, forget, move_in
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.map.settling import settle
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.houses import NamesHouses


class Retreat(NamesHouses, Fight):
    """AGOT-72: the beaten defenders go together to one adjacent area, their own or nobody's, or are lost.

    AGOT-35: their house's ships may carry them; never to where the attack came from. AGOT-05: to an area
    where most of them fit supply; the others are lost.
    """

    rule = "AGOT-72"
    title = _("Where do your units retreat?")
    meanwhile = _("%(house)s retreats")

    loser: str
    winner: str
    came_from: str
    place: str

    @property
    def origin(self) -> str:
        return self.came_from

    def begin(self, g: Table) -> None:
        """Call this question; if there is only one area to go to, they go there at once."""
        g.call(self)
        if len(places := self.places(g)) == 1:
            self.retreat(g, self.loser, *places)

    def places(self, g: Table) -> list[str]:
        """The areas that are open to the retreat and take the most units."""
        near = sorted(control.reach(g, self.loser, self.place))
        rooms = {
            key: room(g, self.loser, self.place, key)
            for key in near
            if key != self.came_from and can_retreat(g, self.loser, key)
        }
        most = max(rooms.values(), default=0)
        return [key for key, number in rooms.items() if number == most > 0]

    def asked(self, g: Table) -> Iterable[str]:
        return (self.loser,) if self.places(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in self.places(g):
            lost = g.objectives[self.place].size - room(g, seat, self.place, key)
            detail = say(_("units lost to supply: %(count)s"), count=lost) if lost else None
            yield Offer(f"retreat:{key}", Line(chart.name(key).message), detail=detail)

    @answer
    def retreat(self, g: Table, seat: str, to: str) -> None:
        g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=chart.name(to))
        g.goto(Shed(self.loser, self.winner, self.came_from, self.place, to))

    def run(self, g: Table) -> None:
        area = g.objectives[self.place]
        if area.size:
            g.say(_("%(house)s has nowhere to retreat: its units are lost."), house=house(self.loser))
        for unit in area.units:
            control.leave_dead(g, self.place, unit, area.count(unit))
        g.end()
        move_in(g, self.winner, self.came_from)


def can_retreat(g: Table, seat: str, key: str) -> bool:
    """Whether an area takes beaten units: own or nobody's (as a sea is), no enemy, foreign token or crest."""
    area = g.objectives[key]
    if area.closed or area.neutral or area.house not in ("", seat):
        return False
    return control.controller(g, key) in ("", seat)


def room(g: Table, seat: str, place: str, key: str) -> int:
    """How many of the units in one area another can take: by supply (AGOT-05), and three ships in a port.

    If the house's other armies already exceed supply, losses here would not help, so supply is left out.
    """
    size = g.objectives[place].size
    free = MOST_IN_PORT - g.objectives[key].ships if chart.port_of(key) else size
    if not control.fits(g, seat, {place: -size}):
        return max(0, min(size, free))
    counts = range(min(size, free), 0, -1)
    return next((n for n in counts if control.fits(g, seat, {place: -size, key: n})), 0)


class Shed(NamesHouses, Fight):
    """AGOT-05: beaten units that exceed supply where they retreat to are lost until the rest fit.

    Their player says which, unless there is no choice. Beaten attackers go back to where they came from
    (`came_from` and `to` are then the same area); beaten defenders let the winners in.
    """

    rule = "AGOT-05"
    title = _("Too many for your supply: which unit is lost?")
    meanwhile = Retreat.meanwhile

    loser: str
    winner: str
    came_from: str
    place: str
    to: str

    @property
    def origin(self) -> str:
        return self.came_from

    @property
    def is_attack(self) -> bool:
        """Whether the attackers were the ones beaten."""
        return self.came_from == self.to

    def beaten(self, g: Table) -> dict[str, int]:
        """The units that retreat, by kind."""
        area = g.objectives[self.place]
        if self.is_attack:
            return attackers(g, self.loser, self.came_from, self.place)
        return {unit: area.count(unit) for unit in area.units}

    def fits(self, g: Table) -> bool:
        """Whether the units that are left fit where they retreat to."""
        if self.is_attack:
            # If the house's other armies already exceed supply, these losses would not help.
            others = {self.came_from: -sum(self.beaten(g).values())}
            return control.fits(g, self.loser) or not control.fits(g, self.loser, others)
        return room(g, self.loser, self.place, self.to) == g.objectives[self.place].size

    def is_barred(self, g: Table) -> bool:
        """Whether a correction has meanwhile put somebody where the beaten defenders go."""
        return not self.is_attack and not can_retreat(g, self.loser, self.to)

    def asked(self, g: Table) -> Iterable[str]:
        is_clear = self.is_barred(g) or self.fits(g) or len(self.beaten(g)) == 1
        return () if is_clear else (self.loser,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.beaten(g):
            yield Offer(f"lose:{unit}", say(_("Lose: %(unit)s"), unit=Term(UNITS[unit])))

    @answer
    def lose(self, g: Table, seat: str, unit: str) -> None:
        g.say(_("%(house)s loses: %(unit)s."), house=house(seat), unit=Term(UNITS[unit]))
        if self.is_attack:
            fall(g, self.came_from, unit)
        else:
            control.leave_dead(g, self.place, unit)
        g.goto(self)

    def run(self, g: Table) -> None:
        if self.is_barred(g):
            g.end()
            Retreat(self.loser, self.winner, self.came_from, self.place).begin(g)
        elif not self.fits(g):
            self.lose(g, self.loser, next(iter(self.beaten(g))))
        elif self.is_attack:
            self.go_home(g)
        else:
            self.withdraw(g)

    def go_home(self, g: Table) -> None:
        """Beaten attackers stay, routed, where they came from."""
        for unit, number in self.beaten(g).items():
            _rout(g, self.came_from, unit, number)
        forget(g)
        g.end()
        settle(g)

    def withdraw(self, g: Table) -> None:
        """Beaten defenders go, routed, to another area, and the winners move in."""
        orderless.come(g, self.loser, self.to)
        for unit, number in self.beaten(g).items():
            g.objectives[self.place].add(unit, -number)
            g.objectives[self.to].house = self.loser
            g.objectives[self.to].add(unit, number)
            _rout(g, self.to, unit, number)
        g.end()
        move_in(g, self.winner, self.came_from)

    def helping(self, g: Table, seat: str | None) -> Line:
        return say(_("Armies of at most %(sizes)s"), sizes=limits(g.armies[self.loser].supply))


def _rout(g: Table, key: str, unit: str, number: int) -> None:
    area = g.objectives[key]
    area.routed = tuple(sorted((*area.routed, *[unit] * number)))


def fall(g: Table, key: str, unit: str, number: int = 1) -> None:
    """Remove lost attackers from where the march began, where they still stand, and from its plan."""
    control.leave_dead(g, key, unit, number)
    groups = []
    for place, kind, count in g.moving:
        gone = min(count, number) if kind == unit else 0
        number -= gone
        groups.append((place, kind, count - gone))
    g.moving = tuple(group for group in groups if group[2])


STEPS: tuple[type[Step[Table]], ...] = (Retreat, Shed)
