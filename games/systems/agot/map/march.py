"""March orders with the map: where units may go, why not elsewhere, tokens left behind, the one fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, reduce

from games.core import engine
from games.core.steps import Action, Offer, Step, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import UNITS, house
from games.systems.agot.map import chart, control, limits, orderless, support
from games.systems.agot.map.departing import depart
from games.systems.agot.map.moving import attackers, forget, marching, told, waiting
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import action
from games.systems.agot.tracks.houses import ByTurns


class Marches(ByTurns, action.Orders):
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
        for key in control.occupied(g, seat) if left else ():
            if key not in gone and any(control.standing(g.objectives[key]).values()):
                came = key in g.orderless
                yield from (march_from(key, order, came) for order in (may_lie if came else left))

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from self.orders(g, seat)
        yield NO_MARCH

    @answer
    def march(self, g: Table, seat: str, area: str, order: str) -> None:
        g.marched = (*g.marched, (seat, area, order))
        orderless.note(g, area)
        forget(g)
        lies = order_tokens.told_in(area, order_tokens.march(order))
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
        forget(g)
        action.begin(g, action.Consolidation)

    def helping(self, g: Table, seat: str | None) -> Line:
        is_mine = seat in engine.asked(g)
        return Line(_("Tap the area and the value of the order that lies there.") if is_mine else "")


NO_MARCH = Offer("no-march", say(_("I have no March order left")))


@cache
def march_from(key: str, order: str, is_orderless: bool = False) -> Offer:
    """The offer to resolve the March order of this value in an area; a hint where only a card can lay one."""
    label = order_tokens.told_in(key, order_tokens.march(order))
    detail, style = (CAME_SINCE, "quiet") if is_orderless else (None, "plain")
    return Offer(f"march:{key}:{order}", label, detail=detail, style=style, group=chart.printed(key)["name"])


CAME_SINCE = say(_("Your units came here this round: only a card can have laid an order here."))


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
            for place in sorted(control.reach(g, seat, key)):
                if limits.why_not_into(g, seat, key, place) is None:
                    force, is_defended = g.objectives[place].neutral, control.is_defended(g, seat, place)
                    yield march_to(place, force, is_defended)
        if g.moving:
            yield START_OVER
        if limits.why_not_yet(g, seat, key) is None:
            yield CONFIRM if g.moving else MOVE_NONE

    @answer
    def to(self, g: Table, seat: str, place: str) -> None:
        g.say(_("%(house)s plans a march to %(area)s."), house=house(seat), area=chart.name(place))
        load = Load(seat, self.start, place)
        if load.has_choice(g):
            g.call(load)
        else:
            load.plan(g, *next(load.loads(g)))
            g.goto(self)

    @answer
    def back(self, g: Table, seat: str) -> None:
        forget(g)
        g.say(_("%(house)s chooses again."), house=house(seat))
        # A new question: undoing this takes back what was planned since, too.
        g.goto(self)

    @answer
    def go(self, g: Table, seat: str) -> None:
        key = self.start
        if limits.can_leave_token(g, seat, key):
            g.say(_("%(house)s will leave %(area)s empty."), house=house(seat), area=chart.name(key))
            g.goto(LeaveToken(seat, key, self.order))
            return
        is_given_up = limits.is_given_up(g, seat, key)
        set_out(g, seat, key, self.order)
        if is_given_up:
            line = _("%(house)s has no power token to leave in %(area)s.")
            g.say(line, house=house(seat), area=chart.name(key))

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        if seat != self.seat:
            return None
        if action.verb == "go":
            return limits.why_not_yet(g, seat, self.start)
        if action.verb != "to" or len(action.nouns) != 1:
            return None
        place = action.nouns[0]
        if place not in g.objectives:
            return Line(_("There is no such area on the map."))
        return limits.why_not(g, seat, self.start, place)

    def asking(self, g: Table, seat: str | None) -> Line:
        line = _("%(house)s: %(order)s from %(area)s")
        order = order_tokens.told(order_tokens.march(self.order))
        return say(line, house=house(self.seat), order=order, area=chart.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        is_mine = seat == self.seat
        if g.moving:
            plan = say(_("Planned: %(groups)s."), groups=tuple(map(told, g.moving)))
            reason = limits.why_not_yet(g, self.seat, self.start) if is_mine else None
            return _in_a_row(plan, reason) if reason else plan
        barred = tuple(limits.reasons(g, self.seat, self.start)) if is_mine else ()
        return reduce(_in_a_row, barred or [Line("")])


def _in_a_row(first: Line, then: Line) -> Line:
    """Two sentences as one line."""
    return say(_("%(plan)s %(reason)s"), plan=first, reason=then)


START_OVER = Offer("back", say(_("Start this march over")), style="quiet")
CONFIRM = Offer("go", say(_("Confirm march")), style="main")
MOVE_NONE = Offer("go", say(_("Move no units")), style="quiet")


@cache
def march_to(place: str, force: int, is_defended: bool) -> Offer:
    """The offer to march into an area, with the fight that waits there or the neutral force's strength."""
    fight = Line(_("A combat")) if is_defended else None
    neutral = say(_("Neutral force %(strength)s"), strength=force) if force else None
    return Offer(f"to:{place}", chart.label(place), detail=neutral or fight)


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
                if chart.port_of(place) and there + count > MOST_IN_PORT:
                    continue
                if chart.takes(place, unit):
                    yield unit, count

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from (load(unit, count) for unit, count in self.loads(g))
        yield ENOUGH

    @answer
    def take(self, g: Table, seat: str, load: str) -> None:
        unit, _dash, count = load.rpartition("-")
        self.plan(g, unit, int(count))
        g.goto(self)

    def plan(self, g: Table, unit: str, count: int) -> None:
        """Add a group to the march."""
        g.moving = (*g.moving, (self.place, unit, count))
        g.say(_("%(house)s plans: %(group)s."), house=house(self.seat), group=told(g.moving[-1]))

    def run(self, g: Table) -> None:
        g.end()

    @answer
    def enough(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s sends nobody else there."), house=house(seat))
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which units march to %(area)s?"), area=chart.name(self.place))


ENOUGH = Offer("enough", say(_("Send no more units")), style="quiet")


@cache
def load(unit: str, count: int) -> Offer:
    """The offer to send a number of units of a kind."""
    label = say(_("%(count)s × %(unit)s"), count=count, unit=Term(UNITS[unit]))
    return Offer(f"take:{unit}-{count}", label)


class LeaveToken(Step[Table]):
    """AGOT-60, AGOT-62, AGOT-63: a house whose march empties an area may leave a token, before any fight."""

    rule = "AGOT-60"
    title = _("Leave a power token behind?")

    seat: str
    start: str
    order: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if limits.can_leave_token(g, self.seat, self.start) else ()

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

    def run(self, g: Table) -> None:
        """A correction has taken the area or the last token meanwhile."""
        March(self.seat, self.start, self.order).go(g, self.seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("%(area)s is left empty: a power token?"), area=chart.name(self.start))

    def helping(self, g: Table, seat: str | None) -> Line:
        """What is lost along with the area if no token is left there."""
        lost = tuple(limits.at_stake(g, self.start))
        heir = chart.home_of(self.start)
        if heir in g.armies:
            return say(
                _("Without a power token it returns to %(house)s: %(lost)s."), house=house(heir), lost=lost
            )
        return say(_("Without a power token nobody controls it: %(lost)s."), lost=lost) if lost else Line("")


MEANS_TO_REMOVE = _("%(house)s means to remove the neutral force of %(force)s in %(area)s.")


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
        return support.attack_strength(self.place, units, self.order) if units else 0

    def asked(self, g: Table) -> Iterable[str]:
        return () if self.own(g) >= g.objectives[self.place].neutral else (self.seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        most = support.most_support(g, seat, self.start, self.place)
        yield Offer("support", say(_("Strength of the support")), 0, most)

    @answer("support")
    def fight(self, g: Table, seat: str, added: int) -> None:
        force = g.objectives[self.place].neutral
        total = self.own(g) + added
        g.say(_("%(total)s against the neutral force of %(force)s."), total=total, force=force)
        if total < force or not attackers(g, seat, self.start, self.place):
            g.say(_("That is too little: nobody moves, choose again."))
            forget(g)
            g.goto(March(seat, self.start, self.order))
        elif not is_overtaken(g, seat, self.start, self.order):
            control.dispel(g, self.place)
            depart(g, seat, self.start, self.order)

    def run(self, g: Table) -> None:
        self.fight(g, self.seat, 0)

    def asking(self, g: Table, seat: str | None) -> Line:
        force, area = g.objectives[self.place].neutral, chart.name(self.place)
        if seat != self.seat:
            return say(MEANS_TO_REMOVE, house=house(self.seat), force=force, area=area)
        total = self.own(g)
        line = _("%(area)s: you have %(total)s, the neutral force %(force)s. How much support is there?")
        return say(line, area=area, total=total, force=force)


def is_overtaken(g: Table, seat: str, key: str, order: str) -> bool:
    """Whether a correction has made a plan impossible since it was confirmed: then it is made anew."""
    if limits.why_not_yet(g, seat, key) is None:
        return False
    March(seat, key, order).back(g, seat)
    return True


def set_out(g: Table, seat: str, key: str, order: str) -> None:
    """Carry out the plan. AGOT-84: against a neutral force, support is asked first, before anything moves."""
    if is_overtaken(g, seat, key, order):
        return
    target = next((place for place, *_rest in g.moving if g.objectives[place].neutral), "")
    if target:
        g.goto(Neutral(seat, key, target, order))
        force = g.objectives[target].neutral
        g.say(MEANS_TO_REMOVE, house=house(seat), force=force, area=chart.name(target))
    else:
        depart(g, seat, key, order)


STEPS: tuple[type[Step[Table]], ...] = (Marches, March, Load, LeaveToken, Neutral)
