"""Fights: the strengths that are known, who won, losses, retreats, garrisons, neutral forces, ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.system import Offer, Step
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot import chart, control, ending, orders, ports
from games.systems.agot.box import SIEGE, UNITS, house
from games.systems.agot.pieces import Area, Table
from games.systems.agot.ports import MOST_IN_PORT


def enter(g: Table, seat: str, place: str, unit: str, number: int) -> None:
    """Units come to an area that nobody defends.

    AGOT-61: an own token stays below them. AGOT-64, AGOT-65: a token of another house goes to the pool.
    """
    area = g.objectives[place]
    area.house = seat
    area.add(unit, number)
    if area.token and area.token != seat:
        line = _("The power token of %(house)s in %(area)s goes to the pool.")
        g.say(line, house=house(area.token), area=chart.name(place))
        area.token = ""


def marching(g: Table) -> dict[str, int]:
    """The units that march into the fight, by kind."""
    found: dict[str, int] = {}
    for _place, unit, number in g.moving:
        found[unit] = found.get(unit, 0) + number
    return found


# --- support -------------------------------------------------------------------------------------


def support_of(g: Table, place: str) -> dict[str, int]:
    """What every area beside a fight could add to it with a Support order; if these lie open, what they add.

    AGOT-40: ships join no areas for this. AGOT-49: ships in a port support only their sea. AGOT-91: a
    garrison supports nobody; land units do not support a fight at sea.
    """
    found: dict[str, int] = {}
    for key in chart.beside(place):
        area = g.objectives[key]
        can = chart.kind(place) == chart.LAND or chart.kind(key) != chart.LAND
        if chart.port_of(key) and chart.kind(place) == chart.LAND:
            can = False
        if area.house and can and _may_support(g, area):
            units = control.standing(area)
            is_fort = chart.points(place) > 0
            worth = control.strength(place, units, is_attack=is_fort) + orders.value(area.order_token)
            if worth:
                found[key] = worth
    return found


def _may_support(g: Table, area: Area) -> bool:
    return not orders.are_open(g) or orders.kind(area.order_token) == orders.SUPPORT


def possible_strength(g: Table, seat: str, key: str, place: str) -> int:
    """AGOT-84: all that a march could bring against a neutral force, with every support there is and a star.

    AGOT-79, AGOT-83: neither house cards nor the Valyrian Steel Blade count.
    """
    order = g.question.about[2] if len(g.question.about) > 2 else "zero"
    units = control.strength(place, control.standing(g.objectives[key]), is_attack=True)
    return units + orders.value(orders.march(order)) + most_support(g, key, place)


def most_support(g: Table, key: str, place: str) -> int:
    """The support that could come to a march, the marching area left out.

    Where orders lie on the board, one of the Support orders may have a star.
    """
    found = [worth for area, worth in support_of(g, place).items() if area != key]
    return sum(found) + (1 if found and not orders.are_open(g) else 0)


class Neutral(Step):
    """AGOT-77 to AGOT-85: a neutral force falls to a march of at least its strength; else nothing moves.

    Units and the order count, and support that is granted (AGOT-82); no card, no blade, and the force has no
    support of its own (AGOT-81).
    """

    rule = "AGOT-77"
    title = _("How much support comes?")

    def most(self, g: Table) -> int:
        """The support that could come."""
        _seat, key, place, _order = g.question.about
        return most_support(g, key, place)

    def asked(self, g: Table) -> Iterable[str]:
        return g.question.about[:1]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("support", say(_("Strength of the support")), 0, self.most(g))

    def support(self, g: Table, seat: str, support: int) -> None:
        _seat, key, place, order = g.question.about
        force = g.objectives[place].neutral
        total = own_strength(g, place, order) + support
        g.say(_("%(total)s against the neutral force of %(force)s."), total=total, force=force)
        if total < force:
            g.say(_("That is too little: nobody moves, choose again."))
            g.moving = ()
            g.goto("march", seat, key, order)
            return
        control.dispel(g, place)
        g.end()
        move_in(g, seat, key, place)

    def asking(self, g: Table, seat: str | None) -> Line:
        _seat, _key, place, order = g.question.about
        line = _("%(area)s: %(total)s of %(force)s. How much support comes?")
        total, force = own_strength(g, place, order), g.objectives[place].neutral
        return say(line, area=chart.name(place), total=total, force=force)


def own_strength(g: Table, place: str, order: str) -> int:
    """AGOT-78, AGOT-80: the marching units and the value of the order."""
    return control.strength(place, marching(g), is_attack=True) + orders.value(orders.march(order))


# --- battle --------------------------------------------------------------------------------------


class Battle(Step):
    """AGOT-88: units, garrison and order are added up; other orders and house cards count at the table."""

    rule = "AGOT-88"
    title = _("Who has won the fight?")

    def sides(self, g: Table) -> tuple[str, str]:
        """Attacker and defender; AGOT-89: a garrison alone defends its house."""
        seat, _key, place, _order = g.question.about
        return seat, g.objectives[place].house or chart.home_of(place)

    def asked(self, g: Table) -> Iterable[str]:
        return self.sides(g)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        attacker, defender = self.sides(g)
        yield Offer("wins:attacker", say(_("%(house)s wins (attack)"), house=house(attacker)))
        yield Offer("wins:defender", say(_("%(house)s wins (defence)"), house=house(defender)))

    def wins(self, g: Table, seat: str, who: str) -> None:
        attacker, defender = self.sides(g)
        about = g.question.about
        g.say(_("%(house)s wins the fight."), house=house(attacker if who == "attacker" else defender))
        g.goto(Losses, who, *about)

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("Fight in %(area)s: who wins?")
        return say(line, area=chart.name(g.question.about[2]))

    def helping(self, g: Table, seat: str | None) -> Line:
        _seat, key, place, order = g.question.about
        attacker, defender = self.sides(g)
        area = g.objectives[place]
        defence = control.strength(place, control.standing(area), is_attack=False) + garrison(g, place)
        defence += defended(area)
        line = _(
            "%(attacker)s %(attack)s with its order, %(defender)s %(defence)s. Support near: %(support)s."
        )
        support = tuple(
            say(_("%(area)s %(strength)s"), area=chart.name(near), strength=worth)
            for near, worth in support_of(g, place).items()
            if near != key
        )
        return say(
            line,
            attacker=house(attacker),
            attack=own_strength(g, place, order),
            defender=house(defender),
            defence=defence,
            support=support or Term(_("none")),
        )


def garrison(g: Table, place: str) -> int:
    """AGOT-88: what a garrison adds while its own house defends its home."""
    area = g.objectives[place]
    return area.garrison if area.house in ("", chart.home_of(place)) else 0


def defended(area: Area) -> int:
    """What an open Defense order adds."""
    return orders.value(area.order_token) if orders.kind(area.order_token) == orders.DEFENSE else 0


class Losses(Step):
    """AGOT-90: the loser takes off what the cards say; what cannot retreat falls, the rest retreats."""

    rule = "AGOT-90"
    title = _("Which units are lost?")

    def parts(self, g: Table) -> tuple[str, str, str, str, str]:
        """Who won, and the fight: attacker, area it came from, area of the fight, order."""
        who, seat, key, place, order = g.question.about
        return who, seat, key, place, order

    def loser(self, g: Table) -> str:
        """The house that has lost."""
        who, seat, _key, place, _order = self.parts(g)
        return g.objectives[place].house if who == "attacker" else seat

    def beaten(self, g: Table) -> dict[str, int]:
        """The loser's units in the fight."""
        who, _seat, _key, place, _order = self.parts(g)
        area = g.objectives[place]
        return {unit: area.count(unit) for unit in area.units} if who == "attacker" else marching(g)

    def asked(self, g: Table) -> Iterable[str]:
        return (self.loser(g),) if self.loser(g) and self.beaten(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in self.beaten(g):
            yield Offer(f"lose:{unit}", say(_("Lose: %(unit)s"), unit=Term(UNITS[unit])))
        yield Offer("enough", say(_("No more losses")))

    def lose(self, g: Table, seat: str, unit: str) -> None:
        who, _seat, key, place, _order = self.parts(g)
        g.say(_("%(house)s loses: %(unit)s."), house=house(seat), unit=Term(UNITS[unit]))
        if who == "attacker":
            control.leave_dead(g, place, unit)
        else:
            control.leave_dead(g, key, unit)
            g.moving = _one_less(g.moving, unit)
        g.goto(Losses, *self.parts(g))

    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s takes no more losses."), house=house(seat))
        self.run(g)

    def run(self, g: Table) -> None:
        who, seat, key, place, _order = self.parts(g)
        g.end()
        (_attack_won if who == "attacker" else _attack_lost)(g, seat, key, place)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("%(house)s: which units are lost?"), house=house(self.loser(g)))


def _one_less(groups: tuple, unit: str) -> tuple:
    found = list(groups)
    at = next(number for number, group in enumerate(found) if group[1] == unit)
    place, _unit, count = found[at]
    found[at] = (place, unit, count - 1)
    return tuple(group for group in found if group[2])


def _attack_lost(g: Table, seat: str, key: str, place: str) -> None:
    """The beaten attackers go back where they came from, routed; siege engines cannot retreat."""
    for unit, number in marching(g).items():
        if unit == SIEGE:
            control.leave_dead(g, key, unit, number)
            g.say(_("%(house)s loses: %(unit)s."), house=house(seat), unit=Term(UNITS[unit]))
        else:
            area = g.objectives[key]
            area.routed = tuple(sorted((*area.routed, *[unit] * number)))
    g.moving = ()
    g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=chart.name(key))
    control.recount(g)


def _attack_won(g: Table, seat: str, key: str, place: str) -> None:
    """AGOT-90: the garrison, routed units and siege engines fall; others retreat, attackers come."""
    area = g.objectives[place]
    if garrison(g, place):
        control.disband(g, place)
    loser = area.house
    for unit in area.units:
        dead = area.count(unit) if unit == SIEGE else area.routed.count(unit)
        if dead:
            control.leave_dead(g, place, unit, dead)
            g.say(_("%(house)s loses: %(unit)s."), house=house(loser), unit=Term(UNITS[unit]))
    if area.house:
        g.call(Retreat, loser, seat, key, place)
    else:
        move_in(g, seat, key, place)


class Retreat(Step):
    """AGOT-72: the beaten defenders go together to one area beside, own or nobody's, or are lost.

    AGOT-35: over own ships as well. AGOT-05: within supply; never where the attack came from.
    """

    rule = "AGOT-72"
    title = _("Where do your units retreat?")

    def places(self, g: Table) -> list[str]:
        """The areas that are open to the retreat."""
        loser, _winner, came_from, place = g.question.about
        return [
            key
            for key in sorted(control.reach(g, loser, place))
            if key != came_from and can_retreat(g, loser, place, key)
        ]

    def asked(self, g: Table) -> Iterable[str]:
        return g.question.about[:1] if self.places(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in self.places(g):
            yield Offer(f"retreat:{key}", Line(chart.name(key).message))

    def retreat(self, g: Table, seat: str, key: str) -> None:
        _loser, winner, came_from, place = g.question.about
        units = {unit: g.objectives[place].count(unit) for unit in g.objectives[place].units}
        for unit, number in units.items():
            g.objectives[place].add(unit, -number)
            there = g.objectives[key]
            there.house = seat
            there.add(unit, number)
            there.routed = tuple(sorted((*there.routed, *[unit] * number)))
        g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=chart.name(key))
        g.end()
        move_in(g, winner, came_from, place)

    def run(self, g: Table) -> None:
        loser, winner, came_from, place = g.question.about
        g.say(_("%(house)s has nowhere to retreat: its units are lost."), house=house(loser))
        for unit in g.objectives[place].units:
            control.leave_dead(g, place, unit, g.objectives[place].count(unit))
        g.end()
        move_in(g, winner, came_from, place)

    def asking(self, g: Table, seat: str | None) -> Line:
        loser = g.question.about[0]
        return Line(self.title) if seat == loser else say(_("%(house)s retreats"), house=house(loser))


def can_retreat(g: Table, seat: str, place: str, key: str) -> bool:
    """Whether an area takes beaten units: own or nobody's, no enemy, token or crest, and within supply."""
    area = g.objectives[key]
    if area.closed or area.neutral or area.house not in ("", seat):
        return False
    if chart.kind(key) != chart.SEA and control.controller(g, key) not in ("", seat):
        return False
    size = g.objectives[place].size
    if chart.port_of(key) and area.ships + size > MOST_IN_PORT:
        return False
    return control.fits(g, seat, {place: -size, key: size})


def move_in(g: Table, seat: str, key: str, place: str) -> None:
    """The winners of the fight come to the area that they marched for."""
    for unit, number in marching(g).items():
        g.objectives[key].add(unit, -number)
        enter(g, seat, place, unit, number)
    g.moving = ()
    control.recount(g)
    ports.taken(g, seat, place)
    ports.left(g, key)
    win_at_once(g)


def win_at_once(g: Table) -> None:
    """BASE-09: the seventh castle or stronghold wins the moment it is taken."""
    if ending.has_seven(g):
        g.call(ending.Reckoning)


STEPS: tuple[type[Step], ...] = (Neutral, Battle, Losses, Retreat)
