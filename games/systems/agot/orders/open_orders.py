"""Open orders resolved on the phones: raids, marches, consolidation, one order at a time house by house.

Only houses that have such an order left are asked, and an order without a choice costs no tap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from games.core import Action, Line, Offer, Step, answer, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import march, round_on_map
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Area, ByTurns, Table, house
from games.systems.agot.tracks import supply_muster_power

REMOVED = frozenset({order_tokens.RAID, order_tokens.SUPPORT, order_tokens.CONSOLIDATE})
"""The kinds of order that a raid removes; a special raid also removes Defense."""


class OpenOrders(ByTurns):
    """BASE-07: in turn order each house resolves one open order of a kind; `seats` are all houses."""

    kind: ClassVar[str]

    def left(self, g: Table) -> tuple[str, ...]:
        around, having = self.seats or self.order(g), order_tokens.houses_with(g, self.kind)
        return tuple(seat for seat in around if seat in having)

    def next(self, g: Table, seat: str) -> tuple[str, ...]:
        around = tuple(self.seats or self.order(g))
        at = around.index(seat) + 1
        return (*around[at:], *around[:at])


class Raids(OpenOrders):
    """AGOT-50: in turn order each house resolves one Raid order, round and round until none is left.

    It removes an adjacent Raid, Support or Consolidate Power order; a special one may also remove a Defense
    order. A house that raids a Consolidate Power order gains one power, and the raided house loses one.
    """

    rule = "AGOT-50"
    title = _("Whom do you raid?")
    meanwhile = _("%(house)s raids")
    kind = order_tokens.RAID

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in self.left(g)[:1] if can_raid(g, seat)]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in order_tokens.of_kind(g, seat, order_tokens.RAID):
            area = pieces.name(key)
            for target in targets(g, key):
                there = g.objectives[target]
                label = say(_("%(area)s raids %(target)s"), area=area, target=pieces.name(target))
                owner, order = house(there.house), order_tokens.term(there.order_token)
                lies = say(_("%(house)s: %(orders)s"), house=owner, orders=order)
                yield Offer(f"raid:{key}:{target}", label, detail=lies)
            yield Offer(f"waste:{key}", say(_("%(area)s raids no one"), area=area), style="quiet")

    @answer
    def raid(self, g: Table, seat: str, area: Area, target: Area) -> None:
        victim = target.house
        order_tokens.remove(area)
        removed = order_tokens.remove(target)
        line = _("%(house)s raids %(rival)s from %(area)s: %(orders)s is removed.")
        lay = order_tokens.order_in(target.key, removed)
        g.say(line, house=house(seat), rival=house(victim), area=pieces.name(area.key), orders=lay)
        if order_tokens.kind(removed) == order_tokens.CONSOLIDATE:
            lost = g.discard(victim, 1)
            g.say(_("%(house)s discards %(power)s power."), house=house(victim), power=lost)
            supply_muster_power.receive(g, seat, 1)
        g.goto(Raids(self.next(g, seat)))

    @answer
    def waste(self, g: Table, seat: str, area: Area) -> None:
        order_tokens.remove(area)
        g.say(_("%(house)s raids no one from %(area)s."), house=house(seat), area=pieces.name(area.key))
        g.goto(Raids(self.next(g, seat)))

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        if action.verb != "raid" or len(action.nouns) != 2 or seat not in self.asked(g):
            return None
        return why_not(g, seat, *action.nouns)

    def run(self, g: Table) -> None:
        """With nobody to ask, the next house's Raid orders reach nothing, or no house has any left."""
        if left := self.left(g):
            key = next(order_tokens.of_kind(g, left[0], order_tokens.RAID))
            self.waste(g, left[0], g.objectives[key])
        else:
            g.goto(Marches)


def can_raid(g: Table, seat: str) -> bool:
    """Whether some Raid order of a house reaches an order that it removes."""
    return any(targets(g, key) for key in order_tokens.of_kind(g, seat, order_tokens.RAID))


def targets(g: Table, key: str) -> list[str]:
    """The areas whose order the Raid order of an area may remove."""
    area = g.objectives[key]
    removes = REMOVED | {order_tokens.DEFENSE} if order_tokens.has_star(area.order_token) else REMOVED
    return [
        other
        for other in pieces.adjacent(key)
        if reaches(key, other)
        and g.objectives[other].house not in ("", area.house)
        and order_tokens.kind(g.objectives[other].order_token) in removes
    ]


def why_not(g: Table, seat: str, key: str, target: str) -> Line | None:
    """Why a house may not raid from one area into another; None if it may."""
    if key not in g.objectives or target not in g.objectives:
        return Line(_("There is no such area on the map."))
    if key not in order_tokens.of_kind(g, seat, order_tokens.RAID):
        return say(_("You have no Raid order in %(area)s."), area=pieces.name(key))
    if pieces.is_split_by_river(key, target):
        return say(_("A river without a bridge lies before %(area)s."), area=pieces.name(target))
    if target not in pieces.adjacent(key):
        return say(_("%(area)s is not adjacent."), area=pieces.name(target))
    if not reaches(key, target):
        return Line(_("Land units raid no sea, and ships in a port only their sea."))
    if target not in targets(g, key):
        return say(_("This raid removes no order in %(area)s."), area=pieces.name(target))
    return None


def reaches(key: str, other: str) -> bool:
    """Whether units may raid from one area into an adjacent one (AGOT-50).

    Land units raid land, ships in a port their sea, ships at sea any adjacent area.
    """
    if pieces.kind(key) == pieces.LAND:
        return pieces.kind(other) == pieces.LAND
    return not pieces.port_of(key) or pieces.kind(other) == pieces.SEA


class Marches(OpenOrders, march.Marches):
    """BASE-07: in turn order each house resolves one open March order, round and round until none is left."""

    title = _("Which March order comes first?")
    kind = order_tokens.MARCH

    def orders(self, g: Table, seat: str) -> Iterator[Offer]:
        for key in order_tokens.of_kind(g, seat, order_tokens.MARCH):
            order = g.objectives[key].order_token
            value = order.partition("-")[2]
            label = Line(pieces.name(key).message)
            yield Offer(f"march:{key}:{value}", label, detail=Line(order_tokens.ORDERS[order]))

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from self.orders(g, seat)

    @answer
    def march(self, g: Table, seat: str, area: str, order: str) -> None:
        order_tokens.remove(g.objectives[area])
        super().march(g, seat, area, order)

    def asking(self, g: Table, seat: str | None) -> Line:
        first = next(iter(self.left(g)), "")
        if seat == first and len(tuple(order_tokens.of_kind(g, first, order_tokens.MARCH))) == 1:
            return Line(march.Marches.title)
        return super().asking(g, seat)

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line("")


class Consolidation(OpenOrders, round_on_map.Consolidation):
    """AGOT-51, AGOT-52: open orders bring their power without a tap; a special one may muster instead.

    Only a house with that choice is asked, when its turn comes.
    """

    title = _("Which Consolidate Power order comes first?")
    help = ""
    kind = order_tokens.CONSOLIDATE

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in self.left(g)[:1] if any(may_muster(g, seat))]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        special = tuple(may_muster(g, seat))
        for key in order_tokens.of_kind(g, seat, order_tokens.CONSOLIDATE):
            power = say(_("+%(power)s power"), power=round_on_map.worth(g, key))
            yield Offer(f"gather:{key}", Line(pieces.name(key).message), detail=power)
            if key in special:
                yield Offer(f"special:{key}", say(_("Muster in %(area)s"), area=pieces.name(key)))

    def resolved(self, g: Table, area: str) -> None:
        order_tokens.remove(g.objectives[area])

    def run(self, g: Table) -> None:
        """Ports come first: a ship that another house musters meanwhile may blockade them, but no land."""
        if left := self.left(g):
            keys = order_tokens.of_kind(g, left[0], order_tokens.CONSOLIDATE)
            self.gather(g, left[0], min(keys, key=lambda key: not pieces.port_of(key)))
        else:
            self.go_on(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        first = next(iter(self.left(g)), "")
        if seat == first and len(tuple(order_tokens.of_kind(g, first, order_tokens.CONSOLIDATE))) == 1:
            return Line(_("Power, or muster with your special order?"))
        return super().asking(g, seat)


def may_muster(g: Table, seat: str) -> Iterator[str]:
    """The castles and strongholds where a house has a special Consolidate Power order."""
    for key in order_tokens.of_kind(g, seat, order_tokens.CONSOLIDATE):
        if order_tokens.has_star(g.objectives[key].order_token) and pieces.points(key):
            yield key


STEPS: tuple[type[Step[Table]], ...] = (Raids, Marches, Consolidation)
