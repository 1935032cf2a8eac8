"""Wildling cards with the whole map: units that are lost or replaced are tapped where they stand.

The lowest bidder pays first (AGOT-31). Whoever has fewer units than a card asks for loses those it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import FOOTMAN, KNIGHT, house
from games.systems.agot.map import chart, control, westeros_cards
from games.systems.agot.map.settling import settle
from games.systems.agot.map.westeros_cards import unit_in
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import wildling_cards
from games.systems.agot.tracks.wildling_cards import CARDS, CROWS, HORDE, MAMMOTHS

LOST = {MAMMOTHS: (3, 2), HORDE: (2, 1)}
"""How many units the lowest bidder loses to a card, and how many each other house."""
REPLACED = 2
"""Crow Killers: knights that become footmen, the lowest bidder's excepted, who loses all; and the reverse."""
PREEMPTED = 2
"""Units that Preemptive Raid costs."""


class Carry(wildling_cards.Carry):
    """AGOT-31: what a card does to units is asked unit by unit; house cards stay with the table."""

    name = "carry"

    def asked(self, g: Table) -> Iterable[str]:
        return () if self.losses(g) else super().asked(g)

    def losses(self, g: Table) -> tuple[str, ...]:
        """The question by which the next house pays or gains with units; empty where cards are meant."""
        if not g.question.about:
            return ()
        seat = g.question.about[0]
        is_lowest = seat == g.marked
        if g.repelled:
            return {CROWS: ("promote", seat, str(REPLACED)), HORDE: ("levy", seat)}.get(g.wildling, ())
        if g.wildling == CROWS:
            return ("demote", seat, str(knights(g, seat) if is_lowest else REPLACED))
        if g.wildling == HORDE and is_lowest and crowded(g, seat):
            return ("sack", seat)
        if g.wildling in LOST:
            return ("perish", seat, str(LOST[g.wildling][0 if is_lowest else 1]), "")
        return ()

    def run(self, g: Table) -> None:
        losses = self.losses(g)
        if losses:
            self.next(g)
            g.call(*losses)
        else:
            super().run(g)


class Preempted(wildling_cards.Preempted):
    """AGOT-31: Preemptive Raid costs two units, tapped where they stand, or two places."""

    name = "preempted"

    def lose_units(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s gives up two units."), house=house(seat))
        g.goto("perish", seat, str(PREEMPTED), "")


class Toll(Step):
    """A question to one house about so many of its units, one after the other."""

    rule = "AGOT-31"

    def number(self, g: Table) -> int:
        """How many are still to come."""
        return int(g.question.about[1])

    def asked(self, g: Table) -> Iterable[str]:
        return g.question.about[:1] if self.number(g) > 0 else ()

    def run(self, g: Table) -> None:
        g.end()

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("%(card)s: %(number)s to go")
        return say(line, card=Term(CARDS.get(g.wildling, "")), number=self.number(g))

    def once(self, g: Table) -> None:
        """One of them is done."""
        seat, _number, *rest = g.question.about
        g.goto(self.name, seat, str(self.number(g) - 1), *rest)


class Once(Toll):
    """A question to one house about one area."""

    def number(self, g: Table) -> int:
        return 1

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(CARDS.get(g.wildling, ""))


class Perish(Toll):
    """AGOT-31: units are lost, anywhere or all in one area. AGOT-67: no token may be left for the last."""

    title = _("Which units are lost?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        only = g.question.about[2]
        for key, area in g.objectives.items():
            if area.house == seat and only in ("", key):
                for unit in area.units:
                    yield Offer(f"lose:{key}:{unit}", unit_in(unit, key), detail=_warning(g, key))

    def lose(self, g: Table, seat: str, key: str, unit: str) -> None:
        control.leave_dead(g, key, unit)
        g.say(_("%(house)s removes: %(unit)s."), house=house(seat), unit=unit_in(unit, key))
        self.once(g)
        settle(g)


def _warning(g: Table, key: str) -> Line | None:
    """What else goes with the last unit of an area."""
    area = g.objectives[key]
    if area.size > 1 or chart.kind(key) != chart.LAND or area.token == area.house:
        return None
    return None if chart.home_of(key) == area.house else Line(_("the last one: the area is lost"))


class Sack(Once):
    """AGOT-31: The Horde Descends takes two units of the lowest bidder in one castle or stronghold."""

    title = _("In which castle or stronghold?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in crowded(g, seat):
            yield Offer(f"sack:{key}", Line(chart.name(key).message))

    def sack(self, g: Table, seat: str, key: str) -> None:
        g.say(_("The wildlings come to %(area)s."), area=chart.name(key))
        g.goto("perish", seat, str(LOST[HORDE][0]), key)


def crowded(g: Table, seat: str) -> list[str]:
    """The castles and strongholds in which a house has two units and more."""
    own = (area for area in g.objectives.values() if area.house == seat)
    return [area.key for area in own if chart.points(area.key) and area.size > 1]


class Demote(Toll):
    """AGOT-31: knights become footmen; those for which the pool has no footman are lost."""

    title = _("Which knight becomes a footman?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        is_lost = control.pool(g, seat, FOOTMAN) < 1
        detail = Line(_("no footman is free: it is lost")) if is_lost else None
        for key, area in g.objectives.items():
            if area.house == seat and area.knights:
                yield Offer(f"demote:{key}", unit_in(KNIGHT, key), detail=detail)

    def demote(self, g: Table, seat: str, key: str) -> None:
        is_lost = control.pool(g, seat, FOOTMAN) < 1
        if not is_lost:
            g.objectives[key].footmen += 1
        control.leave_dead(g, key, KNIGHT)
        line = _("%(house)s removes: %(unit)s.") if is_lost else _("%(house)s: %(unit)s becomes a footman.")
        g.say(line, house=house(seat), unit=unit_in(KNIGHT, key))
        self.once(g)
        settle(g)


class Promote(Toll):
    """AGOT-30: Crow Killers repelled lets footmen become knights, as far as the pool has some."""

    rule = "AGOT-30"
    title = _("Which footman becomes a knight?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        keys = [key for key, area in g.objectives.items() if area.house == seat and area.footmen]
        if not keys or control.pool(g, seat, KNIGHT) < 1:
            return
        for key in keys:
            yield Offer(f"promote:{key}", unit_in(FOOTMAN, key))
        yield Offer("enough", say(_("No more")), style="quiet")

    def promote(self, g: Table, seat: str, key: str) -> None:
        g.objectives[key].knights += 1
        control.leave_dead(g, key, FOOTMAN)
        g.say(_("%(house)s: %(unit)s becomes a knight."), house=house(seat), unit=unit_in(FOOTMAN, key))
        self.once(g)

    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s replaces no more."), house=house(seat))
        g.end()


class Levy(Once):
    """AGOT-30: The Horde Descends repelled lets the highest bidder muster in one castle or stronghold."""

    rule = "AGOT-30"
    title = _("Where do you muster?")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in control.controlled(g, seat):
            if chart.points(key) and any(westeros_cards.choices(g, seat, key, chart.points(key))):
                yield Offer(f"levy:{key}", Line(chart.name(key).message))
        yield Offer("enough", say(_("Nowhere")), style="quiet")

    def levy(self, g: Table, seat: str, key: str) -> None:
        g.say(_("%(house)s musters in %(area)s."), house=house(seat), area=chart.name(key))
        g.goto(westeros_cards.Muster, seat, key, str(chart.points(key)))

    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s does not muster."), house=house(seat))
        g.end()


def knights(g: Table, seat: str) -> int:
    """How many knights a house has on the map."""
    return sum(area.knights for area in g.objectives.values() if area.house == seat)


STEPS: tuple[type[Step], ...] = (Carry, Preempted, Perish, Sack, Demote, Promote, Levy)
