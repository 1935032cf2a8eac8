"""Combats: strengths and support, who won, the losses, and where beaten units go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Offer, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control, moving_units
from games.systems.agot.map.area_control import Fight
from games.systems.agot.map.moving_units import (
    attackers,
    follow_up,
    forget_march,
    marching,
    move_in,
    planned,
    waiting,
)
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import MOST_IN_PORT, SIEGE, UNITS, Area, NamesHouses, Table, house, limits

# --- strengths and support ---------------------------------------------------------------------------


def support_of(g: Table, place: str, *, is_attack: bool = True) -> dict[str, int]:
    """What each area adjacent to a fight could add to one of its sides with a Support order.

    Where the app knows the orders, what they do add. AGOT-40: ships do not connect areas for support.
    AGOT-49: ships in a port support only in their sea. AGOT-78: siege engines count only for an attack on a
    castle or stronghold, never for its defence. AGOT-91: a garrison supports nobody; land units support no
    fight at sea.
    """
    support: dict[str, int] = {}
    for key in pieces.adjacent(place):
        area = g.objectives[key]
        can = pieces.kind(place) == pieces.LAND or pieces.kind(key) != pieces.LAND
        if pieces.port_of(key) and pieces.kind(place) == pieces.LAND:
            can = False
        if area.house and can and _may_support(g, area):
            units = area_control.strength(place, area_control.standing(area), is_attack=is_attack)
            if worth := units + order_tokens.value(area.order_token):
                support[key] = worth
    return support


def _may_support(g: Table, area: Area) -> bool:
    """Whether a Support order may lie in an area.

    For orders on the board, only this is known: a Westeros card may forbid them (BASE-05), and an area whose
    March order was resolved this round, or whose units came since orders were placed, has no other.
    """
    if order_tokens.are_open(g):
        return order_tokens.kind(area.order_token) == order_tokens.SUPPORT
    return area.key not in g.orderless and not order_tokens.is_barred(g, order_tokens.SUPPORT)


def most_support(g: Table, seat: str, key: str, place: str) -> int:
    """The most support that a march could get, not counting the area it starts from.

    Where orders lie on the board, one Support order of each house may have a star (BASE-06), and units that
    enter an empty area have no order there.
    """
    near = support_of(planned(g, seat, key), place)
    support = {area: worth for area, worth in near.items() if area != key and g.objectives[area].house}
    owners = set() if order_tokens.are_open(g) else {g.objectives[area].house for area in support}
    return sum(support.values()) + sum(order_tokens.may_be_special(g, owner) for owner in owners)


def attack_strength(place: str, units: dict[str, int], order: str) -> int:
    """AGOT-78, AGOT-80: what units add up to in an attack, with the value of their order."""
    return area_control.strength(place, units, is_attack=True) + order_tokens.value(order_tokens.march(order))


def planned_strength(g: Table, seat: str, key: str, place: str, order: str) -> int:
    """AGOT-84: the units that are sent to a place, the order, and all the support that there could be.

    AGOT-79, AGOT-83: neither house cards nor the Valyrian Steel Blade count.
    """
    return attack_strength(place, marching(g, place), order) + most_support(g, seat, key, place)


def possible_strength(g: Table, seat: str, key: str, place: str, order: str) -> int:
    """AGOT-84: the same, with every unit that is not yet sent anywhere sent there as well."""
    rest = area_control.strength(place, waiting(g, key), is_attack=True)
    return rest + planned_strength(g, seat, key, place, order)


# --- defence -------------------------------------------------------------------------------------


def defence(g: Table, place: str) -> int:
    """What units, garrison and an open Defense order add up to."""
    area = g.objectives[place]
    units = area_control.strength(place, area_control.standing(area), is_attack=False)
    is_defense = order_tokens.kind(area.order_token) == order_tokens.DEFENSE
    order = order_tokens.value(area.order_token) if is_defense else 0
    return units + garrison(g, place) + order


def garrison(g: Table, place: str) -> int:
    """AGOT-88: what a garrison adds while its house defends its home area."""
    area = g.objectives[place]
    return area.garrison if area.house in ("", pieces.home_of(place)) else 0


# --- the combat --------------------------------------------------------------------------------------


class Battle(Fight):
    """AGOT-88: units, garrison and order are added up; other orders and house cards count at the table."""

    rule = "AGOT-88"
    title = _("Who won the combat?")

    seat: str
    start: str
    place: str
    order: str

    @property
    def origin(self) -> str:
        return self.start

    def sides(self, g: Table) -> tuple[str, str]:
        """Attacker and defender. AGOT-89: a garrison alone defends for its house.

        A card may kill the last defender before the combat is decided: only a token then tells whose it was,
        and the defender may be "". A crest does not: another house may have stood there.
        """
        area = g.objectives[self.place]
        defender = area.house or (pieces.home_of(self.place) if area.garrison else area.token)
        return self.seat, "" if defender == self.seat else defender

    def asked(self, g: Table) -> Iterable[str]:
        return [side for side in self.sides(g) if side]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        attacker, defender = self.sides(g)
        lost = say(_("%(house)s loses (attack)"), house=house(attacker))
        held = say(_("%(house)s wins (defence)"), house=house(defender))
        yield Offer("wins:attacker", say(_("%(house)s wins (attack)"), house=house(attacker)))
        yield Offer("wins:defender", held if defender else lost)

    @answer
    def wins(self, g: Table, seat: str, who: str) -> None:
        attacker, defender = self.sides(g)
        winner = attacker if who == "attacker" else defender
        line = _("%(house)s wins the combat.") if winner else _("%(house)s loses the combat.")
        g.say(line, house=house(winner or attacker))
        g.goto(Losses(who, self.seat, self.start, self.place, self.order))

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("Combat in %(area)s: who won?")
        return say(line, area=pieces.name(self.place))

    def helping(self, g: Table, seat: str | None) -> Line:
        attacker, defender = self.sides(g)
        line = _(
            "%(attacker)s %(attack)s with its order, %(defender)s %(defence)s. Support near: %(support)s."
        )
        return say(
            line,
            attacker=house(attacker),
            attack=attack_strength(self.place, attackers(g, self.seat, self.start, self.place), self.order),
            defender=house(defender) if defender else Term(_("no one")),
            defence=defence(g, self.place),
            support=tuple(self.near(g)) or Term(_("none")),
        )

    def near(self, g: Table) -> Iterator[Line]:
        """The support next to the fight: each side's own for itself, other houses' for either side."""
        attacker, defender = self.sides(g)
        attack, defence = (support_of(g, self.place, is_attack=is_attack) for is_attack in (True, False))
        for near in pieces.adjacent(self.place):
            owner = g.objectives[near].house
            for_attack = 0 if owner == defender else attack.get(near, 0)
            for_defence = 0 if owner == attacker else defence.get(near, 0)
            if near == self.start or not (for_attack or for_defence):
                continue
            if owner not in (attacker, defender) and for_attack != for_defence:
                line = _("%(area)s %(attack)s for the attack, %(defence)s for the defence")
                yield say(line, area=pieces.name(near), attack=for_attack, defence=for_defence)
            else:
                yield say(
                    _("%(area)s %(strength)s"), area=pieces.name(near), strength=for_attack or for_defence
                )


class Losses(Fight):
    """AGOT-90: the loser removes what the cards say; units that cannot retreat fall, the rest retreat."""

    rule = "AGOT-90"
    title = _("Which units are lost?")

    winner: str
    seat: str
    start: str
    place: str
    order: str

    @property
    def origin(self) -> str:
        return self.start

    def loser(self, g: Table) -> str:
        return g.objectives[self.place].house if self.winner == "attacker" else self.seat

    def beaten(self, g: Table) -> dict[str, int]:
        if self.winner != "attacker":
            return attackers(g, self.seat, self.start, self.place)
        area = g.objectives[self.place]
        return {unit: area.count(unit) for unit in area.units}

    def asked(self, g: Table) -> Iterable[str]:
        return (self.loser(g),) if self.loser(g) and self.beaten(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.beaten(g):
            yield Offer(f"lose:{unit}", say(_("Lose: %(unit)s"), unit=Term(UNITS[unit])))
        yield Offer("enough", say(_("No more losses")))

    @answer
    def lose(self, g: Table, seat: str, unit: str) -> None:
        """Defenders already routed fall in the end anyway, so among units of a kind they go first."""
        _tell_lost(g, seat, unit, 1)
        if self.winner == "attacker":
            area_control.leave_dead(g, self.place, unit, routed_first=True)
        else:
            fall(g, self.start, unit)
        g.goto(self)

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s takes no more losses."), house=house(seat))
        self.run(g)

    def run(self, g: Table) -> None:
        g.end()
        (_attack_won if self.winner == "attacker" else _attack_lost)(g, self.seat, self.start, self.place)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("%(house)s: which units are lost?"), house=house(self.loser(g)))


def _attack_lost(g: Table, seat: str, key: str, place: str) -> None:
    """The beaten attackers go back to where they came from, routed; siege engines cannot retreat."""
    if engines := attackers(g, seat, key, place).get(SIEGE, 0):
        fall(g, key, SIEGE, engines)
        _tell_lost(g, seat, SIEGE, engines)
    if attackers(g, seat, key, place):
        g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=pieces.name(key))
        g.call(Shed(seat, "", key, place, key))
    else:
        forget_march(g)
        follow_up(g)


def _attack_won(g: Table, seat: str, key: str, place: str) -> None:
    """AGOT-90: the garrison, routed units and siege engines fall; others retreat, the attackers move in."""
    area = g.objectives[place]
    if garrison(g, place):
        area_control.disband(g, place)
    loser = area.house
    for unit in area.units:
        dead = area.count(unit) if unit == SIEGE else area.routed.count(unit)
        if dead:
            area_control.leave_dead(g, place, unit, dead)
            _tell_lost(g, loser, unit, dead)
    if area.house:
        Retreat(loser, seat, key, place).begin(g)
    else:
        move_in(g, seat, key)


def _tell_lost(g: Table, seat: str, unit: str, number: int) -> None:
    """Say which unit a house loses, and how many if there are several."""
    what = Term(UNITS[unit])
    several = say(_("%(count)s × %(unit)s"), count=number, unit=what)
    g.say(_("%(house)s loses: %(unit)s."), house=house(seat), unit=several if number > 1 else what)


# --- retreats ----------------------------------------------------------------------------------------


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
        near = sorted(area_control.reach(g, self.loser, self.place))
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
            yield Offer(f"retreat:{key}", Line(pieces.name(key).message), detail=detail)

    @answer
    def retreat(self, g: Table, seat: str, to: str) -> None:
        g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=pieces.name(to))
        g.goto(Shed(self.loser, self.winner, self.came_from, self.place, to))

    def run(self, g: Table) -> None:
        area = g.objectives[self.place]
        if area.size:
            g.say(_("%(house)s has nowhere to retreat: its units are lost."), house=house(self.loser))
        for unit in area.units:
            area_control.leave_dead(g, self.place, unit, area.count(unit))
        g.end()
        move_in(g, self.winner, self.came_from)


def can_retreat(g: Table, seat: str, key: str) -> bool:
    """Whether an area takes beaten units: own or nobody's (as a sea is), no enemy, foreign token or crest."""
    area = g.objectives[key]
    if area.closed or area.neutral or area.house not in ("", seat):
        return False
    return area_control.controller(g, key) in ("", seat)


def room(g: Table, seat: str, place: str, key: str) -> int:
    """How many of the units in one area another can take: by supply (AGOT-05), and three ships in a port.

    If the house's other armies already exceed supply, losses here would not help, so supply is left out.
    """
    size = g.objectives[place].size
    free = MOST_IN_PORT - g.objectives[key].ships if pieces.port_of(key) else size
    if not area_control.fits(g, seat, {place: -size}):
        return max(0, min(size, free))
    counts = range(min(size, free), 0, -1)
    return next((n for n in counts if area_control.fits(g, seat, {place: -size, key: n})), 0)


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
        area = g.objectives[self.place]
        if self.is_attack:
            return attackers(g, self.loser, self.came_from, self.place)
        return {unit: area.count(unit) for unit in area.units}

    def fits(self, g: Table) -> bool:
        """Whether the units that are left fit where they retreat to."""
        if self.is_attack:
            # If the house's other armies already exceed supply, these losses would not help.
            others = {self.came_from: -sum(self.beaten(g).values())}
            return area_control.fits(g, self.loser) or not area_control.fits(g, self.loser, others)
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
            area_control.leave_dead(g, self.place, unit)
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
        forget_march(g)
        g.end()
        follow_up(g)

    def withdraw(self, g: Table) -> None:
        """Beaten defenders go, routed, to another area, and the winners move in."""
        moving_units.note_arrival(g, self.loser, self.to)
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
    area_control.leave_dead(g, key, unit, number)
    groups = []
    for place, kind, count in g.moving:
        gone = min(count, number) if kind == unit else 0
        number -= gone
        groups.append((place, kind, count - gone))
    g.moving = tuple(group for group in groups if group[2])


STEPS: tuple[type[Step[Table]], ...] = (Retreat, Shed, Battle, Losses)
