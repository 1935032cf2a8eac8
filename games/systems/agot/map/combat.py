"""Combats: the known strengths, who won, the losses, and what becomes of winners and losers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import SIEGE, UNITS, house
from games.systems.agot.map import chart, control
from games.systems.agot.map.fights import Fight
from games.systems.agot.map.moving import attackers, forget, move_in
from games.systems.agot.map.retreat import Retreat, Shed, fall
from games.systems.agot.map.settling import settle
from games.systems.agot.map.support import attack_strength, defence, garrison, support_of
from games.systems.agot.pieces import Table


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
        defender = area.house or (chart.home_of(self.place) if area.garrison else area.token)
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
        return say(line, area=chart.name(self.place))

    def helping(self, g: Table, seat: str | None) -> Line:
        attacker, defender = self.sides(g)
        line = _(
            "%(attacker)s %(attack)s with its order, %(defender)s %(defence)s. Support near: %(support)s."
        )
        return say(
            line,
            attacker=house(attacker),
            attack=attack_strength(self.place, attackers(g, self.seat, self.start, self.place), self.order),
            defender=house(defender) if defender else Term(_("nobody")),
            defence=defence(g, self.place),
            support=tuple(self.near(g)) or Term(_("none")),
        )

    def near(self, g: Table) -> Iterator[Line]:
        """The support next to the fight: each side's own for itself, other houses' for either side."""
        attacker, defender = self.sides(g)
        attack, defence = (support_of(g, self.place, is_attack=is_attack) for is_attack in (True, False))
        for near in chart.beside(self.place):
            owner = g.objectives[near].house
            one = 0 if owner == defender else attack.get(near, 0)
            other = 0 if owner == attacker else defence.get(near, 0)
            if near == self.start or not (one or other):
                continue
            if owner not in (attacker, defender) and one != other:
                line = _("%(area)s %(attack)s for the attack, %(defence)s for the defence")
                yield say(line, area=chart.name(near), attack=one, defence=other)
            else:
                yield say(_("%(area)s %(strength)s"), area=chart.name(near), strength=one or other)


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
        """The house that lost the combat."""
        return g.objectives[self.place].house if self.winner == "attacker" else self.seat

    def beaten(self, g: Table) -> dict[str, int]:
        """The loser's units in the fight."""
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
            control.leave_dead(g, self.place, unit, routed_first=True)
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
        g.say(_("%(house)s retreats to %(area)s."), house=house(seat), area=chart.name(key))
        g.call(Shed(seat, "", key, place, key))
    else:
        forget(g)
        settle(g)


def _attack_won(g: Table, seat: str, key: str, place: str) -> None:
    """AGOT-90: the garrison, routed units and siege engines fall; others retreat, the attackers move in."""
    area = g.objectives[place]
    if garrison(g, place):
        control.disband(g, place)
    loser = area.house
    for unit in area.units:
        dead = area.count(unit) if unit == SIEGE else area.routed.count(unit)
        if dead:
            control.leave_dead(g, place, unit, dead)
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


STEPS: tuple[type[Step[Table]], ...] = (Battle, Losses)
