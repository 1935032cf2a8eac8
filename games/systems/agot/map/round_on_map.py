"""The round with the map: how it is laid out at the start, planning, consolidation, the count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Offer, Silent, Step, answer, say, say_count
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control
from games.systems.agot.map.moving_units import follow_up
from games.systems.agot.map.westeros_on_map import Muster
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import COURT, Area, ByTurns, Table, box, house
from games.systems.agot.tracks import planning_and_action, supply_muster_power, winning


class Begin(planning_and_action.Begin):
    """BASE-02: markers and units start by the number of players; garrisons stand in the home areas."""

    def run(self, g: Table) -> None:
        planning_and_action.lay_out(g)
        lay_map(g)
        pieces.begin_round(g)
        g.goto(planning_and_action.Planning)


def lay_map(g: Table, *, with_units: bool = True) -> None:
    """Put every area on the table with what lies in it at the start, or only with its markers.

    AGOT-68: the crest is printed. AGOT-86: with three players most neutral forces close their areas.
    """
    closed = box()["players"][str(len(g.seats))]["closed"]
    for place, key in enumerate(pieces.areas()):
        printed, (garrison, neutral) = pieces.printed(key), markers(g, key)
        g.objectives[key] = Area(
            key,
            printed["name"],
            printed["kind"],
            garrison=garrison,
            neutral=neutral,
            closed=key in closed,
            order=place,
        )
    for seat in g.seats if with_units else ():
        for key, units in box()["houses"][seat]["units"].items():
            g.objectives[key].house = seat
            for unit, number in units.items():
                if not (g.rules.get("bare_port") and len(g.seats) == FEWEST and pieces.port_of(key)):
                    g.objectives[key].add(unit, number)
            if not g.objectives[key].size:
                g.objectives[key].house = ""


def markers(g: Table, key: str) -> tuple[int, int]:
    """The strength of the garrison and of the neutral force that an area has at the start; 0 for none."""
    garrison: int = pieces.printed(key).get("garrison", 0) if pieces.home_of(key) in g.armies else 0
    neutral: int = box()["players"][str(len(g.seats))]["neutral"].get(key, 0)
    return garrison, neutral


FEWEST = 3


# --- the round ---------------------------------------------------------------------------------------


class Planning(planning_and_action.Planning):
    """AGOT-46, AGOT-91: every area and port with a house's units needs an order; a garrison alone gets none.

    AGOT-47: a Defense order in a port is allowed, but does nothing.
    """

    def go_on(self, g: Table) -> None:
        if not order_tokens.are_open(g):
            g.court = g.track(COURT)
        super().go_on(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.has_answered(seat):
            return super().helping(g, seat)
        places = tuple(pieces.name(key) for key in needing_orders(g, seat))
        if not places:
            return Line(NO_UNITS)
        line = say_count(
            "%(count)s order: %(areas)s", "%(count)s orders: %(areas)s", len(places), areas=places
        )
        return say(_("%(orders)s. %(special)s"), orders=line, special=special(g, seat))


NO_UNITS = _("You have no units, so you place no orders.")


def special(g: Table, seat: str) -> Line:
    """How many of a house's orders may be special (BASE-06)."""
    most = order_tokens.most_special(g, seat)
    return say(_("At most %(stars)s special."), stars=most) if most else Line(_("No special orders."))


def needing_orders(g: Table, seat: str) -> list[str]:
    """The areas where a house has to place an order: all with its units (AGOT-46, AGOT-87, AGOT-91)."""
    return area_control.occupied(g, seat)


class Consolidation(ByTurns, planning_and_action.Consolidation):
    """AGOT-51, AGOT-52: an order brings one power, plus one per icon; in a port one, or none if blockaded.

    A special order in a castle or stronghold may muster instead, but never in a port. BASE-07: in turn order
    each house resolves one, round and round until none is left. BASE-12: a house has three; one of them is
    special, and the King's Court may not allow that one (BASE-06).
    """

    rule = "AGOT-51"
    title = _("Where is your Consolidate Power order?")
    meanwhile = _("%(house)s resolves a Consolidate Power order")
    help = _("Tap an area with such an order. The houses take turns, one order each.")

    def places(self, g: Table, seat: str) -> Iterator[str]:
        """The areas where a house may have such an order."""
        resolved = sum(g.objectives[key].house == seat for key in g.gathered)
        tokens = (o for o in order_tokens.CONSOLIDATES if order_tokens.may_lie(g, seat, o))
        if resolved >= sum(order_tokens.numbers()[order] for order in tokens):
            return
        for key, area in g.objectives.items():
            is_resolved = key in g.gathered or key in g.orderless
            if area.house == seat and not is_resolved and pieces.kind(key) != pieces.SEA:
                yield key

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in self.left(g)[:1] if any(self.places(g, seat))]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        may_muster = order_tokens.may_be_special(g, seat) and seat not in g.specials
        for key in self.places(g, seat):
            power = say(_("+%(power)s power"), power=worth(g, key))
            yield Offer(f"gather:{key}", pieces.label(key), detail=power)
            if may_muster and pieces.points(key):
                label = say(_("Special order, muster in %(area)s"), area=pieces.name(key))
                yield Offer(f"special:{key}", label, group=_("Muster with a special order"))
        yield Offer("none", say(_("No more orders")))

    @answer
    def gather(self, g: Table, seat: str, area: str) -> None:
        self.resolved(g, area)
        if power := worth(g, area):
            supply_muster_power.receive(g, seat, power)
        else:
            g.say(_("The order in %(area)s brings nothing."), area=pieces.name(area))
        g.goto(Consolidation(self.next(g, seat)))

    def resolved(self, g: Table, area: str) -> None:
        """Note that the order of an area has been used."""
        g.gathered = (*g.gathered, area)

    @answer
    def special(self, g: Table, seat: str, area: str) -> None:
        self.resolved(g, area)
        g.specials = (*g.specials, seat)
        line = _("%(house)s musters with a special order in %(area)s.")
        g.say(line, house=house(seat), area=pieces.name(area))
        g.goto(Consolidation(self.next(g, seat)))
        g.call(Muster(seat, area, pieces.points(area)))

    @answer
    def none(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has no more Consolidate Power orders."), house=house(seat))
        self.leave_out(g)

    def run(self, g: Table) -> None:
        if self.left(g):
            self.leave_out(g)
        else:
            self.go_on(g)

    def go_on(self, g: Table) -> None:
        g.gathered = g.specials = ()
        g.goto(planning_and_action.Realms)


def worth(g: Table, key: str) -> int:
    """What a Consolidate Power order brings in an area; 0 at sea. AGOT-66: a power token is not an icon."""
    if pieces.kind(key) == pieces.SEA:
        return 0
    if pieces.port_of(key):
        return 0 if area_control.is_blockaded(g, key) else 1
    return 1 + pieces.icons(key, "power")


class Realms(Silent[Table], planning_and_action.Realms):
    """BASE-09: castles and strongholds are counted; routed units stand up, unused orders go back."""

    def run(self, g: Table) -> None:
        g.orderless = g.court = ()
        for key in area_control.in_use(g):
            area = g.objectives[key]
            area.routed, area.order_token = (), ""
        self.go_on(g)
        follow_up(g)


class Reckoning(Silent[Table], winning.Reckoning):
    """BASE-09: the map says how many land areas each house controls."""

    def run(self, g: Table) -> None:
        self.go_on(g)


STEPS: tuple[type[Step[Table]], ...] = (Begin, Planning, Consolidation, Realms, Reckoning)
