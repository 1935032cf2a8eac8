"""March orders with the map: where units may go and why not elsewhere, tokens left behind, one fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.notation import Action
from games.core.steps import Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import SHIP, UNITS, house, sizes
from games.systems.agot.map import chart, control, support
from games.systems.agot.map.departing import depart
from games.systems.agot.map.moving import forget, marching, told, waiting
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Area, Table
from games.systems.agot.tracks import action, ending
from games.systems.agot.tracks.houses import ByTurns


class Marches(ByTurns, action.Orders):
    """BASE-07: in turn order each house resolves one March order, round and round until none is left.

    A house has one March order of each of three values; an area marches once a round.
    """

    rule = "BASE-07"
    title = _("Your March order")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        used = {order for who, _area, order in g.marched if who == seat}
        gone = {area for _who, area, _order in g.marched}
        for key in control.occupied(g, seat):
            if key in gone or not any(control.standing(g.objectives[key]).values()):
                continue
            for order in order_tokens.MARCHES:
                if order not in used and not order_tokens.is_barred(g, order_tokens.march(order)):
                    label = order_tokens.told_in(key, order_tokens.march(order))
                    yield Offer(f"march:{key}:{order}", label, group=chart.printed(key)["name"])
        yield Offer("no-march", say(_("I have no March order left")))

    @answer
    def march(self, g: Table, seat: str, area: Area, order: str) -> None:
        g.marched = (*g.marched, (seat, area.key, order))
        forget(g)
        lies = order_tokens.told_in(area.key, order_tokens.march(order))
        g.say(_("%(house)s: %(orders)s."), house=house(seat), orders=lies)
        g.goto(Marches(self.next(g, seat)))
        g.call(March(seat, area.key, order))

    @answer
    def no_march(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has no March order left."), house=house(seat))
        self.leave_out(g)

    def run(self, g: Table) -> None:
        g.marched = ()
        forget(g)
        g.goto(ending.Reckoning if ending.has_seven(g) else action.Consolidation)

    def asking(self, g: Table, seat: str | None) -> Line:
        first = next(iter(self.left(g)), "")
        return Line(self.title) if seat == first else say(_("%(house)s marches"), house=house(first))

    def helping(self, g: Table, seat: str | None) -> Line:
        return Line(_("Tap the area and the value of the order that lies there."))


class March(Step[Table]):
    """AGOT-39: one order moves its units to any number of areas, but starts one fight at most.

    AGOT-36: the same ships carry every march. The march is a plan until it is whole: nothing moves, and no
    token is laid, before supply is tested on its end (AGOT-05) and a neutral force is sure to fall (AGOT-84).
    """

    rule = "AGOT-39"
    title = _("Where do they march?")

    seat: str
    start: str
    order: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        key = self.start
        if any(waiting(g, key).values()):
            for place in sorted(control.reach(g, seat, key)):
                if why_not(g, seat, key, place) is None:
                    yield Offer(f"to:{place}", Line(chart.name(place).message), detail=_fight(g, seat, place))
        if g.moving:
            yield Offer("back", say(_("Start this march over")), style="quiet")
        if why_not_yet(g, seat, key) is None:
            label = say(_("Confirm march")) if g.moving else say(_("Move no units"))
            yield Offer("go", label, style="main" if g.moving else "quiet")

    @answer
    def to(self, g: Table, seat: str, place: Area) -> None:
        g.say(_("%(house)s plans a march to %(area)s."), house=house(seat), area=chart.name(place.key))
        g.call(Load(seat, self.start, place.key))

    @answer
    def back(self, g: Table, seat: str) -> None:
        forget(g)
        g.say(_("%(house)s chooses again."), house=house(seat))

    @answer
    def go(self, g: Table, seat: str) -> None:
        key = self.start
        if g.moving and is_emptied(g, key) and can_leave_token(g, seat, key):
            g.say(_("%(house)s will leave %(area)s empty."), house=house(seat), area=chart.name(key))
            g.goto(LeaveToken(seat, key, self.order))
        else:
            set_out(g, seat, key, self.order)

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        if seat != self.seat:
            return None
        if action.verb == "go":
            return why_not_yet(g, seat, self.start)
        if action.verb != "to" or len(action.nouns) != 1:
            return None
        place = action.nouns[0]
        if place not in g.objectives:
            return Line(_("There is no such area on the map."))
        return why_not(g, seat, self.start, place)

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("%(house)s: %(order)s from %(area)s")
        order = order_tokens.told(order_tokens.march(self.order))
        return say(line, house=house(self.seat), order=order, area=chart.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        if g.moving:
            plan = say(_("Planned: %(groups)s."), groups=tuple(map(told, g.moving)))
            reason = why_not_yet(g, self.seat, self.start)
            return say(_("%(plan)s %(reason)s"), plan=plan, reason=reason) if reason else plan
        reasons = tuple(reason for _place, reason in blocked(g, self.seat, self.start))
        return say(_("Not to: %(reasons)s"), reasons=reasons) if reasons else Line("")


class Load(Step[Table]):
    """AGOT-39: which units go to one of the destinations."""

    rule = "AGOT-39"
    title = _("Which units march there?")

    seat: str
    start: str
    place: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        place = self.place
        there = g.objectives[place].ships + sum(marching(g, place).values())
        for unit, number in waiting(g, self.start).items():
            for count in range(1, number + 1):
                if chart.port_of(place) and there + count > MOST_IN_PORT:
                    continue
                if unit == SHIP or chart.kind(place) == chart.LAND:
                    label = say(_("%(count)s × %(unit)s"), count=count, unit=Term(UNITS[unit]))
                    yield Offer(f"take:{unit}-{count}", label)
        yield Offer("enough", say(_("Send no more units")), style="quiet")

    @answer
    def take(self, g: Table, seat: str, load: str) -> None:
        unit, _dash, count = load.rpartition("-")
        g.moving = (*g.moving, (self.place, unit, int(count)))
        g.say(_("%(house)s plans: %(group)s."), house=house(seat), group=told(g.moving[-1]))
        if any(waiting(g, self.start).values()):
            g.goto(self)
        else:
            g.end()

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s sends nobody else there."), house=house(seat))
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which units march to %(area)s?"), area=chart.name(self.place))


class LeaveToken(Step[Table]):
    """AGOT-60, AGOT-62, AGOT-63: who marches out with all units may leave a token, before any fight."""

    rule = "AGOT-60"
    title = _("Leave a power token behind?")

    seat: str
    start: str
    order: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("leave", say(_("Leave one of %(power)s"), power=g.armies[seat].power), style="main")
        yield Offer("keep", say(_("Leave none: the area is lost")))

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.leaving = True
        line = _("%(house)s will leave a power token in %(area)s.")
        g.say(line, house=house(seat), area=chart.name(self.start))
        set_out(g, seat, self.start, self.order)

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.leaving = False
        g.say(_("%(house)s will leave no token in %(area)s."), house=house(seat), area=chart.name(self.start))
        set_out(g, seat, self.start, self.order)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("%(area)s is left empty: a power token?"), area=chart.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        """What goes with the area if no token is left there."""
        lost = tuple(at_stake(g, self.start))
        heir = chart.home_of(self.start)
        if heir in g.armies:
            return say(
                _("Without a power token it returns to %(house)s: %(lost)s."), house=house(heir), lost=lost
            )
        return say(_("Without a power token nobody controls it: %(lost)s."), lost=lost) if lost else Line("")


class Neutral(Step[Table]):
    """AGOT-77 to AGOT-85: a neutral force falls to a march of at least its strength; else nothing moves.

    Units and the order count, and support that is granted (AGOT-82); no card, no blade, and the force has no
    support of its own (AGOT-81). The whole march is still a plan here: no group has gone, no token lies.
    """

    rule = "AGOT-77"
    title = _("How much support is there?")

    seat: str
    start: str
    place: str
    order: str

    def asked(self, g: Table) -> Iterable[str]:
        is_enough = support.own_strength(g, self.place, self.order) >= g.objectives[self.place].neutral
        return () if is_enough else (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        most = support.most_support(g, seat, self.start, self.place)
        yield Offer("support", say(_("Strength of the support")), 0, most)

    @answer("support")
    def fight(self, g: Table, seat: str, added: int) -> None:
        force = g.objectives[self.place].neutral
        total = support.own_strength(g, self.place, self.order) + added
        g.say(_("%(total)s against the neutral force of %(force)s."), total=total, force=force)
        if total < force:
            g.say(_("That is too little: nobody moves, choose again."))
            forget(g)
            g.goto(March(seat, self.start, self.order))
            return
        control.dispel(g, self.place)
        depart(g, seat, self.start, self.order)

    def run(self, g: Table) -> None:
        self.fight(g, self.seat, 0)

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("%(area)s: you have %(total)s, the neutral force %(force)s. How much support is there?")
        total, force = support.own_strength(g, self.place, self.order), g.objectives[self.place].neutral
        return say(line, area=chart.name(self.place), total=total, force=force)


# --- what is allowed -----------------------------------------------------------------------------


def why_not(g: Table, seat: str, key: str, place: str) -> Line | None:
    """Why units of an area may not march to another; None if they may."""
    there = g.objectives[place]
    if place not in control.reach(g, seat, key):
        return _out_of_reach(g, seat, key, place)
    if there.closed:
        return say(_("%(area)s is closed for this game."), area=chart.name(place))
    if chart.port_of(place) and there.ships + sum(marching(g, place).values()) >= MOST_IN_PORT:
        return say(_("%(area)s holds three ships already."), area=chart.name(place))
    if not control.is_fight(g, seat, place):
        return None
    if any(control.is_fight(g, seat, other) and other != place for other, *_rest in g.moving):
        return Line(_("This march starts a combat elsewhere; one march starts one combat."))
    if there.neutral and support.possible_strength(g, seat, key, place, _order(g, seat, key)) < there.neutral:
        return _too_weak(g, place)
    return None


def why_not_yet(g: Table, seat: str, key: str) -> Line | None:
    """Why the march may not be carried out as it is planned; None if it may."""
    if not fits_after(g, seat, key):
        most = sizes(g.armies[seat].supply)
        return say(_("Beyond your supply: armies of at most %(sizes)s."), sizes=most)
    order = _order(g, seat, key)
    for place in dict.fromkeys(place for place, *_rest in g.moving):
        force = g.objectives[place].neutral
        if force and support.planned_strength(g, seat, key, place, order) < force:
            return _too_weak(g, place)
    return None


def _too_weak(g: Table, place: str) -> Line:
    line = _("Too weak for the neutral force of %(strength)s in %(area)s.")
    return say(line, strength=g.objectives[place].neutral, area=chart.name(place))


def _order(g: Table, seat: str, key: str) -> str:
    """The value of the March order that an area has this round."""
    return next((order for who, area, order in g.marched if (who, area) == (seat, key)), "zero")


def _out_of_reach(g: Table, seat: str, key: str, place: str) -> Line:
    if chart.is_split_by_river(key, place):
        return say(_("A river without a bridge lies before %(area)s."), area=chart.name(place))
    if chart.port_of(place) and chart.kind(key) == chart.SEA and place in chart.beside(key):
        return say(_("%(area)s is not your port."), area=chart.name(place))
    if chart.kind(key) == chart.LAND and chart.kind(place) != chart.LAND:
        return Line(_("Land units stand neither in seas nor in ports."))
    if chart.kind(key) != chart.LAND and chart.kind(place) == chart.LAND:
        return Line(_("Ships do not go on land."))
    if chart.kind(key) == chart.LAND:
        return say(_("%(area)s is not adjacent, and your ships do not connect it."), area=chart.name(place))
    return say(_("%(area)s is not adjacent."), area=chart.name(place))


def blocked(g: Table, seat: str, key: str) -> Iterator[tuple[str, Line]]:
    """The neighbours that a march may not enter, each with the reason; a river's other bank counts as one."""
    same = (chart.LAND,) if chart.kind(key) == chart.LAND else (chart.SEA, chart.PORT)
    for place in (*chart.beside(key), *chart.across_river(key)):
        reason = why_not(g, seat, key, place) if chart.kind(place) in same else None
        if reason is not None:
            yield place, reason


def _fight(g: Table, seat: str, place: str) -> Line | None:
    if g.objectives[place].neutral:
        return say(_("Neutral force %(strength)s"), strength=g.objectives[place].neutral)
    return Line(_("A combat")) if control.is_defended(g, seat, place) else None


def fits_after(g: Table, seat: str, key: str) -> bool:
    """AGOT-05: whether armies keep to supply at the end of the march, its fight taken as won."""
    change = {place: sum(marching(g, place).values()) for place, *_rest in g.moving}
    change[key] = -sum(change.values())
    own = {place: number for place, number in change.items() if place == key or number}
    return control.fits(g, seat, own) or not g.moving


def is_emptied(g: Table, key: str) -> bool:
    """Whether the march takes the last unit out of a land area."""
    area = g.objectives[key]
    return chart.kind(key) == chart.LAND and not area.routed and not any(waiting(g, key).values())


def can_leave_token(g: Table, seat: str, key: str) -> bool:
    """AGOT-60, AGOT-63: only where none lies yet, not on the own crest, and from available power."""
    is_free = not g.objectives[key].token and chart.home_of(key) != seat
    return is_free and g.armies[seat].power > 0


def at_stake(g: Table, key: str) -> Iterator[Line]:
    """What a house loses with an area: castle or stronghold, icons, the ships in its port."""
    printed, port = chart.printed(key), chart.port_at(key)
    if printed.get("fort"):
        yield Line(chart.FORTS[printed["fort"]])
    if printed.get("supply"):
        yield say(_("%(number)s supply"), number=printed["supply"])
    if printed.get("power"):
        yield say(_("%(number)s power a Game of Thrones card"), number=printed["power"])
    if port and g.objectives[port].ships:
        yield say(_("the ships in %(area)s"), area=chart.name(port))


# --- marching ------------------------------------------------------------------------------------


def set_out(g: Table, seat: str, key: str, order: str) -> None:
    """Carry the plan out. AGOT-84: against a neutral force support comes first, while nothing has moved."""
    target = next((place for place, *_rest in g.moving if g.objectives[place].neutral), "")
    if target:
        g.goto(Neutral(seat, key, target, order))
        force = g.objectives[target].neutral
        line = _("%(house)s means to remove the neutral force of %(force)s in %(area)s.")
        g.say(line, house=house(seat), force=force, area=chart.name(target))
    else:
        depart(g, seat, key, order)


STEPS: tuple[type[Step[Table]], ...] = (Marches, March, Load, LeaveToken, Neutral)
