"""Marches: which orders there are, what they may do, and how their units set out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from games.core import Action, Line, Offer, Step, Term, answer, asked, say
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control, combat, moving_units
from games.systems.agot.map.combat import Battle
from games.systems.agot.map.moving_units import (
    attackers,
    carry,
    described,
    follow_up,
    forget_march,
    marching,
    peaceful,
    waiting,
)
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import MOST_IN_PORT, UNITS, ByTurns, Table, house, limits
from games.systems.agot.tracks import planning_and_action


class Marches(ByTurns, planning_and_action.Orders):
    """BASE-07: in turn order each house resolves one March order, round and round until none is left.

    A house has one March order of each of three values; an area marches once a round.
    """

    rule = "BASE-07"
    title = _("Your March order")
    meanwhile = _("%(house)s marches")

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in self.left(g)[:1] if any(self.orders(g, seat))]

    def orders(self, g: Table, seat: str) -> Iterator[Offer]:
        """The March orders that a house may still have, by area and value.

        Where its units came this round, a card has taken the order along: then its value was used before.
        """
        used = {order for who, _area, order in g.marched if who == seat}
        gone = {area for _who, area, _order in g.marched}
        may_lie = [o for o in order_tokens.MARCHES if order_tokens.may_lie(g, seat, order_tokens.march(o))]
        left = [order for order in may_lie if order not in used]
        for key in area_control.occupied(g, seat) if left else ():
            if key not in gone and any(area_control.standing(g.objectives[key]).values()):
                came = key in g.orderless
                detail, style = (CAME_SINCE, "quiet") if came else (None, "plain")
                for order in may_lie if came else left:
                    label = order_tokens.order_in(key, order_tokens.march(order))
                    group = pieces.printed(key)["name"]
                    yield Offer(f"march:{key}:{order}", label, detail=detail, style=style, group=group)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from self.orders(g, seat)
        yield Offer("no-march", say(_("I have no March order left")))

    @answer
    def march(self, g: Table, seat: str, area: str, order: str) -> None:
        g.marched = (*g.marched, (seat, area, order))
        moving_units.note_orderless(g, area)
        forget_march(g)
        lies = order_tokens.order_in(area, order_tokens.march(order))
        g.say(_("%(house)s: %(orders)s."), house=house(seat), orders=lies)
        g.goto(Marches(self.next(g, seat)))
        g.call(March(seat, area, order))

    @answer
    def no_march(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has no March order left."), house=house(seat))
        self.leave_out(g)

    def run(self, g: Table) -> None:
        if self.left(g):
            self.leave_out(g)
            return
        g.marched = ()
        forget_march(g)
        planning_and_action.begin_orders(g, planning_and_action.Consolidation)

    def helping(self, g: Table, seat: str | None) -> Line:
        is_mine = seat in asked(g)
        return Line(_("Tap the area and the value of the order that lies there.") if is_mine else "")


CAME_SINCE = say(_("Your units arrived this round, so only a card could have put an order here."))


class March(Step[Table]):
    """AGOT-39: one order moves its units to any number of areas, but starts one fight at most.

    AGOT-36: the same ships can carry every march. Until it is complete, a march is only a plan: nothing
    moves and no token is laid before its end keeps to supply (AGOT-05) and a neutral force is sure to fall
    (AGOT-84).
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
        if g.objectives[key].house == seat and any(waiting(g, key).values()):
            for place in sorted(area_control.reach(g, seat, key)):
                if why_not_into(g, seat, key, place) is None:
                    yield Offer(f"to:{place}", pieces.label(place), detail=_resistance(g, seat, place))
        if g.moving:
            yield Offer("back", say(_("Start this march over")), style="quiet")
        if why_not_yet(g, seat, key) is None:
            label, style = (_("Confirm march"), "main") if g.moving else (_("Move no units"), "quiet")
            yield Offer("go", Line(label), style=style)

    @answer
    def to(self, g: Table, seat: str, place: str) -> None:
        g.say(_("%(house)s plans a march to %(area)s."), house=house(seat), area=pieces.name(place))
        load = Load(seat, self.start, place)
        if load.has_choice(g):
            g.call(load)
        else:
            load.plan(g, *next(load.loads(g)))
            g.goto(self)

    @answer
    def back(self, g: Table, seat: str) -> None:
        forget_march(g)
        g.say(_("%(house)s chooses again."), house=house(seat))
        # A new question: undoing this takes back what was planned since, too.
        g.goto(self)

    @answer
    def go(self, g: Table, seat: str) -> None:
        key = self.start
        if can_leave_token(g, seat, key):
            g.say(_("%(house)s will leave %(area)s empty."), house=house(seat), area=pieces.name(key))
            g.goto(LeaveToken(seat, key, self.order))
            return
        gives_up = is_given_up(g, seat, key)
        set_out(g, seat, key, self.order)
        if gives_up:
            line = _("%(house)s has no power token to leave in %(area)s.")
            g.say(line, house=house(seat), area=pieces.name(key))

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
        order = order_tokens.term(order_tokens.march(self.order))
        return say(line, house=house(self.seat), order=order, area=pieces.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        is_mine = seat == self.seat
        if g.moving:
            plan = say(_("Planned: %(groups)s."), groups=tuple(map(described, g.moving)))
            reason = why_not_yet(g, self.seat, self.start) if is_mine else None
            return _in_a_row(plan, reason) if reason else plan
        barred = tuple(reasons(g, self.seat, self.start)) if is_mine else ()
        return reduce(_in_a_row, barred or [Line("")])


def _in_a_row(first: Line, then: Line) -> Line:
    return say(_("%(plan)s %(reason)s"), plan=first, reason=then)


def _resistance(g: Table, seat: str, place: str) -> Line | None:
    """The fight that waits in an area, or the neutral force's strength."""
    if force := g.objectives[place].neutral:
        return say(_("Neutral force %(strength)s"), strength=force)
    return Line(_("A combat")) if area_control.is_defended(g, seat, place) else None


class Load(Step[Table]):
    """AGOT-39: which units march to one of the destinations."""

    rule = "AGOT-39"
    title = _("Which units march there?")

    seat: str
    start: str
    place: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if any(self.loads(g)) else ()

    def has_choice(self, g: Table) -> bool:
        """Whether units have to be named; the only unit left goes with the tap on its first destination."""
        return any(marching(g, self.place).values()) or len(tuple(self.loads(g))) > 1

    def loads(self, g: Table) -> Iterator[tuple[str, int]]:
        """How many of each kind may go there; AGOT-43: a port holds three ships."""
        place = self.place
        there = g.objectives[place].ships + sum(marching(g, place).values())
        for unit, number in waiting(g, self.start).items():
            for count in range(1, number + 1):
                if pieces.port_of(place) and there + count > MOST_IN_PORT:
                    continue
                if pieces.takes(place, unit):
                    yield unit, count

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit, count in self.loads(g):
            label = say(_("%(count)s × %(unit)s"), count=count, unit=Term(UNITS[unit]))
            yield Offer(f"take:{unit}-{count}", label)
        yield Offer("enough", say(_("Send no more units")), style="quiet")

    @answer
    def take(self, g: Table, seat: str, load: str) -> None:
        unit, _dash, count = load.rpartition("-")
        self.plan(g, unit, int(count))
        g.goto(self)

    def plan(self, g: Table, unit: str, count: int) -> None:
        g.moving = (*g.moving, (self.place, unit, count))
        g.say(_("%(house)s plans: %(group)s."), house=house(self.seat), group=described(g.moving[-1]))

    def run(self, g: Table) -> None:
        g.end()

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s sends no more units there."), house=house(seat))
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which units march to %(area)s?"), area=pieces.name(self.place))


class LeaveToken(Step[Table]):
    """AGOT-60, AGOT-62, AGOT-63: a house whose march empties an area may leave a token, before any fight."""

    rule = "AGOT-60"
    title = _("Leave a power token behind?")

    seat: str
    start: str
    order: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if can_leave_token(g, self.seat, self.start) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("leave", say(_("Leave one of %(power)s"), power=g.armies[seat].power), style="main")
        yield Offer("keep", say(_("Leave none: the area is lost")))

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.leaving = True
        line = _("%(house)s will leave a power token in %(area)s.")
        g.say(line, house=house(seat), area=pieces.name(self.start))
        set_out(g, seat, self.start, self.order)

    @answer
    def keep(self, g: Table, seat: str) -> None:
        g.leaving = False
        g.say(
            _("%(house)s will leave no token in %(area)s."), house=house(seat), area=pieces.name(self.start)
        )
        set_out(g, seat, self.start, self.order)

    def run(self, g: Table) -> None:
        """A correction has taken the area or the last token meanwhile."""
        March(self.seat, self.start, self.order).go(g, self.seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("%(area)s is left empty: a power token?"), area=pieces.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        """What is lost along with the area if no token is left there."""
        lost = tuple(at_stake(g, self.start))
        heir = pieces.home_of(self.start)
        if heir in g.armies:
            return say(
                _("Without a power token it returns to %(house)s: %(lost)s."), house=house(heir), lost=lost
            )
        return say(_("Without a power token no one controls it: %(lost)s."), lost=lost) if lost else Line("")


MEANS_TO_REMOVE = _("%(house)s wants to remove the neutral force of %(force)s in %(area)s.")


class Neutral(Step[Table]):
    """AGOT-77 to AGOT-85: a neutral force falls to a march of at least its strength; else nothing moves.

    Units, the order and granted support count (AGOT-82); cards and the blade do not, and the force has no
    support of its own (AGOT-81). The whole march is still a plan: no group has moved, no token is laid.
    """

    rule = "AGOT-77"
    title = _("How much support is there?")

    seat: str
    start: str
    place: str
    order: str

    def own(self, g: Table) -> int:
        """The units that still stand there to march, and their order; 0 if a correction has removed all."""
        units = attackers(g, self.seat, self.start, self.place)
        return combat.attack_strength(self.place, units, self.order) if units else 0

    def asked(self, g: Table) -> Iterable[str]:
        return () if self.own(g) >= g.objectives[self.place].neutral else (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        most = combat.most_support(g, seat, self.start, self.place)
        yield Offer("support", say(_("Strength of the support")), 0, most)

    @answer("support")
    def fight(self, g: Table, seat: str, added: int) -> None:
        force = g.objectives[self.place].neutral
        total = self.own(g) + added
        g.say(_("%(total)s against the neutral force of %(force)s."), total=total, force=force)
        if total < force or not attackers(g, seat, self.start, self.place):
            g.say(_("Not strong enough. Nothing moves; choose again."))
            forget_march(g)
            g.goto(March(seat, self.start, self.order))
        elif not has_become_impossible(g, seat, self.start, self.order):
            area_control.dispel(g, self.place)
            depart(g, seat, self.start, self.order)

    def run(self, g: Table) -> None:
        self.fight(g, self.seat, 0)

    def asking(self, g: Table, seat: str | None) -> Line:
        force, area = g.objectives[self.place].neutral, pieces.name(self.place)
        if seat != self.seat:
            return say(MEANS_TO_REMOVE, house=house(self.seat), force=force, area=area)
        total = self.own(g)
        line = _("%(area)s: you have %(total)s, the neutral force %(force)s. How much support is there?")
        return say(line, area=area, total=total, force=force)


def has_become_impossible(g: Table, seat: str, key: str, order: str) -> bool:
    """Whether a correction has made a plan impossible since it was confirmed: then it is made anew."""
    if why_not_yet(g, seat, key) is None:
        return False
    March(seat, key, order).back(g, seat)
    return True


def set_out(g: Table, seat: str, key: str, order: str) -> None:
    """Carry out the plan. AGOT-84: against a neutral force, support is asked first, before anything moves."""
    if has_become_impossible(g, seat, key, order):
        return
    target = next((place for place, *_rest in g.moving if g.objectives[place].neutral), "")
    if target:
        g.goto(Neutral(seat, key, target, order))
        force = g.objectives[target].neutral
        g.say(MEANS_TO_REMOVE, house=house(seat), force=force, area=pieces.name(target))
    else:
        depart(g, seat, key, order)


# --- what a march may not do, and what it leaves behind ----------------------------------------------


ELSEWHERE = Line(_("This march starts a combat elsewhere; one march starts one combat."))


def why_not(g: Table, seat: str, key: str, place: str) -> Line | None:
    """Why units may not march from an area to another; None if they may."""
    if place not in area_control.reach(g, seat, key):
        return _out_of_reach(g, seat, key, place)
    return why_not_into(g, seat, key, place)


def why_not_into(g: Table, seat: str, key: str, place: str) -> Line | None:
    """Why units may not march into an area within their reach; None if they may."""
    there = g.objectives[place]
    if there.closed:
        return say(_("%(area)s is closed for this game."), area=pieces.name(place))
    units = waiting(g, key)
    if units and not any(pieces.takes(place, unit) for unit in units):
        # Only the organisers' corrections bring units where they do not belong.
        return _off_ground(place)
    if pieces.port_of(place) and there.ships + sum(marching(g, place).values()) >= MOST_IN_PORT:
        return say(_("%(area)s holds three ships already."), area=pieces.name(place))
    if not area_control.is_fight(g, seat, place):
        return None
    if any(area_control.is_fight(g, seat, other) and other != place for other, *_rest in g.moving):
        return ELSEWHERE
    if there.neutral and combat.possible_strength(g, seat, key, place, _order(g, seat, key)) < there.neutral:
        return _too_weak(g, place)
    return None


def why_not_yet(g: Table, seat: str, key: str) -> Line | None:
    """Why the march may not be carried out as it is planned; None if it may."""
    if not fits_after(g, seat, key):
        most = limits(g.armies[seat].supply)
        return say(_("Beyond your supply: armies of at most %(sizes)s."), sizes=most)
    order = _order(g, seat, key)
    places = tuple(dict.fromkeys(place for place, *_rest in g.moving))
    if sum(area_control.is_fight(g, seat, place) for place in places) > 1:
        return ELSEWHERE  # A correction has put somebody there since.
    for place in places:
        force = g.objectives[place].neutral
        if force and combat.planned_strength(g, seat, key, place, order) < force:
            return _too_weak(g, place)
    return None


def _too_weak(g: Table, place: str) -> Line:
    line = _("Too weak for the neutral force of %(strength)s in %(area)s.")
    return say(line, strength=g.objectives[place].neutral, area=pieces.name(place))


def _order(g: Table, seat: str, key: str) -> str:
    """The value of the March order that an area resolves: its last one, as a correction may lay another."""
    return next((order for who, area, order in reversed(g.marched) if (who, area) == (seat, key)), "zero")


def _out_of_reach(g: Table, seat: str, key: str, place: str) -> Line:
    if pieces.is_split_by_river(key, place):
        return say(_("A river without a bridge lies before %(area)s."), area=pieces.name(place))
    if pieces.port_of(place) and pieces.kind(key) == pieces.SEA and place in pieces.adjacent(key):
        return say(_("%(area)s is not your port."), area=pieces.name(place))
    if (pieces.kind(key) == pieces.LAND) != (pieces.kind(place) == pieces.LAND):
        return _off_ground(place)
    if pieces.kind(key) == pieces.LAND:
        return say(_("%(area)s is not adjacent, and your ships do not connect it."), area=pieces.name(place))
    return say(_("%(area)s is not adjacent."), area=pieces.name(place))


def _off_ground(place: str) -> Line:
    is_land = pieces.kind(place) == pieces.LAND
    return Line(
        _("Ships do not go on land.") if is_land else _("Land units stand neither in seas nor in ports.")
    )


def blocked(g: Table, seat: str, key: str) -> Iterator[tuple[str, Line]]:
    """The neighbours that a march may not enter, and why; an area across a river counts as a neighbour."""
    same = (pieces.LAND,) if pieces.kind(key) == pieces.LAND else (pieces.SEA, pieces.PORT)
    for place in (*pieces.adjacent(key), *pieces.across_river(key)):
        reason = why_not(g, seat, key, place) if pieces.kind(place) in same else None
        if reason is not None:
            yield place, reason


def reasons(g: Table, seat: str, key: str) -> Iterator[Line]:
    """Why a march may not enter its neighbours: every sentence once, and one for all closed areas."""
    barred = tuple(blocked(g, seat, key))
    given: list[Line] = []
    for place, reason in barred:
        if reason not in given and not g.objectives[place].closed:
            given.append(reason)
            yield reason
    closed = tuple(pieces.name(place) for place, _reason in barred if g.objectives[place].closed)
    if closed:
        yield say(_("Closed for this game: %(areas)s."), areas=closed)


def fits_after(g: Table, seat: str, key: str) -> bool:
    """AGOT-05: whether armies keep to supply at the end of the march, assuming that its fight is won."""
    change = {place: sum(marching(g, place).values()) for place, *_rest in g.moving}
    change[key] = -sum(change.values())
    own = {place: number for place, number in change.items() if place == key or number}
    return not g.moving or area_control.fits(g, seat, own)


def is_given_up(g: Table, seat: str, key: str) -> bool:
    """Whether the march takes a house's last hold on a land area: there is no token, nor its own crest."""
    area = g.objectives[key]
    if not g.moving or area.house != seat or pieces.kind(key) != pieces.LAND:
        return False
    is_held = area.token or pieces.home_of(key) == seat
    return not is_held and not area.routed and not any(waiting(g, key).values())


def can_leave_token(g: Table, seat: str, key: str) -> bool:
    """AGOT-60, AGOT-63: only where the house would lose the area, and from available power."""
    return is_given_up(g, seat, key) and g.armies[seat].power > 0


def at_stake(g: Table, key: str) -> Iterator[Line]:
    """What a house loses along with an area: castle or stronghold, icons, the ships in its port."""
    printed, port = pieces.printed(key), pieces.port_at(key)
    if printed.get("fort"):
        yield Line(pieces.FORTS[printed["fort"]])
    if printed.get("supply"):
        yield say(_("%(number)s supply"), number=printed["supply"])
    if printed.get("power"):
        yield say(_("%(number)s power a Game of Thrones card"), number=printed["power"])
    if port and g.objectives[port].ships:
        yield say(_("the ships in %(area)s"), area=pieces.name(port))


# --- setting out -------------------------------------------------------------------------------------


def depart(g: Table, seat: str, key: str, order: str) -> None:
    """Carry out the whole plan. Units that go into a fight stay where they came from until it is over.

    AGOT-62: the token is laid before the fight, and stays if the fight is lost.
    """
    gone = peaceful(g, seat)
    g.moving = tuple(group for group in g.moving if group not in gone)
    if g.leaving:
        _leave_token(g, seat, key)
    for group in gone:
        carry(g, seat, key, group)
    if gone:
        g.say(_("%(house)s has marched: %(groups)s."), house=house(seat), groups=tuple(map(described, gone)))
    g.end()
    if g.moving:
        place = g.moving[0][0]
        g.say(_("%(house)s attacks: %(groups)s."), house=house(seat), groups=tuple(map(described, g.moving)))
        g.call(Battle(seat, key, place, order))
    elif not gone:
        g.say(_("%(house)s moves no units."), house=house(seat))
    follow_up(g)


def _leave_token(g: Table, seat: str, key: str) -> None:
    """AGOT-60, AGOT-63: lay one available token, unless one lies there already."""
    g.leaving = False
    if g.armies[seat].power and not g.objectives[key].token:
        g.armies[seat].power -= 1
        g.objectives[key].token = seat
        g.say(_("%(house)s leaves a power token in %(area)s."), house=house(seat), area=pieces.name(key))


STEPS: tuple[type[Step[Table]], ...] = (Marches, March, Load, LeaveToken, Neutral)
