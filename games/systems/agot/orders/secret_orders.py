"""Planning on the phones: every house places its orders in secret; the raven may change one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Action, Line, Offer, Step, answer, say, say_count
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import round_on_map
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import COURT, NamesHouses, Table, house
from games.systems.agot.tracks import planning_and_action

PLACED, AT = "orders", "area"
"""Keys in `hidden`: a house's orders by area, and the area that it is choosing an order for."""
AREAS = _("Another area")
LABELS = {order: Line(told) for order, told in order_tokens.ORDERS.items()}
NO_ORDER = Line(_("No order yet"))


class Planning(round_on_map.Planning):
    """AGOT-46, AGOT-91: every area and port with a house's units needs an order; a garrison alone gets none.

    AGOT-47: a Defense order in a port is allowed, but does nothing. BASE-12, AGOT-74: orders are entered on
    the phones, and nobody else learns more than how many a house has placed.
    """

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if g.has_answered(seat):
            yield self.no
            return
        placed, area = placed_by(g, seat), busy_with(g, seat)
        if area:
            yield from tokens(g, seat, area, placed)
        if area in placed:
            yield Offer("lift", say(_("Remove this order")), style="quiet", is_secret=True)
        for key in round_on_map.needing_orders(g, seat):
            if key != area:
                lies = LABELS[placed[key]] if key in placed else NO_ORDER
                yield Offer(f"at:{key}", pieces.label(key), detail=lies, group=AREAS, is_secret=True)
        if is_complete(g, seat):
            yield self.yes

    @answer
    def at(self, g: Table, seat: str, area: str) -> None:
        g.hide(seat, AT, area)
        g.say(_("You look at %(area)s."), to=seat, area=pieces.name(area))

    @answer
    def order(self, g: Table, seat: str, order: str) -> None:
        area = busy_with(g, seat)
        _place(g, seat, {**placed_by(g, seat), area: order})
        g.say(_("You place: %(order)s."), to=seat, order=order_tokens.order_in(area, order))

    @answer
    def lift(self, g: Table, seat: str) -> None:
        area = busy_with(g, seat)
        _place(g, seat, {key: order for key, order in placed_by(g, seat).items() if key != area})
        g.say(_("You remove your order in %(area)s."), to=seat, area=pieces.name(area))

    def refusing(self, g: Table, seat: str, action: Action) -> Line | None:
        noun = next(iter(action.nouns), "")
        if g.has_answered(seat) and action.verb in ("at", "order", "lift"):
            return Line(_("Your orders are confirmed. To change them, tap “Change my orders” first."))
        if action.verb == "at":
            return _no_order_for(g, seat, noun)
        if action.verb == "order" and noun in order_tokens.ORDERS:
            return _no_token(g, seat, noun)
        return None

    def at_stake(self, g: Table) -> str:
        """The areas with units: an order goes to the next one, which a correction may change meanwhile."""
        return " ".join([f"{area.house}:{key}" for key, area in g.objectives.items() if area.house])

    def go_on(self, g: Table) -> None:
        super().go_on(g)
        for seat in g.turn_order:
            _turn_over(g, seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.has_answered(seat):
            return super().asking(g, seat)
        area = busy_with(g, seat)
        if not area:
            return Line(_("Every area has its order"))
        return say(_("Which order for %(area)s?"), area=pieces.name(area))

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.has_answered(seat):
            return super().helping(g, seat)
        if not round_on_map.needing_orders(g, seat):
            return Line(round_on_map.NO_UNITS)
        line = _("%(placed)s of %(count)s placed in secret, at most %(stars)s special.")
        count, most = len(round_on_map.needing_orders(g, seat)), order_tokens.most_special(g, seat)
        if not most:
            line = _("%(placed)s of %(count)s placed in secret, none special.")
        return say(line, placed=len(placed_by(g, seat)), count=count, stars=most)


def placed_by(g: Table, seat: str) -> dict[str, str]:
    """The orders that a house has placed face down, as far as the reader may know them.

    An area that its units have left by a correction has no order any more.
    """
    placed: dict[str, str] = g.armies[seat].hidden.get(PLACED) or {}
    return {key: order for key, order in placed.items() if g.objectives[key].house == seat}


def busy_with(g: Table, seat: str) -> str:
    """The area that the next order is for: the chosen one, else the first without an order."""
    chosen: str = g.armies[seat].hidden.get(AT) or ""
    needed = round_on_map.needing_orders(g, seat)
    if chosen in needed:
        return chosen
    placed = placed_by(g, seat)
    return next((key for key in needed if key not in placed), "")


def is_complete(g: Table, seat: str) -> bool:
    """Whether every area has its order, or no token is left to be placed."""
    placed, needed = placed_by(g, seat), round_on_map.needing_orders(g, seat)
    return placed.keys() >= {*needed} or not order_tokens.left(g, seat, placed)


def tokens(
    g: Table, seat: str, area: str, placed: dict[str, str], *, is_secret: bool = True
) -> Iterator[Offer]:
    """The orders that an area may have, given those of the other areas, except the one that it has."""
    others = {key: order for key, order in placed.items() if key != area}
    power = round_on_map.worth(g, area)
    for order in order_tokens.left(g, seat, others):
        if order != placed.get(area):
            detail = remark(area, order, power)
            yield Offer(f"order:{order}", LABELS[order], detail=detail, is_secret=is_secret)


def _no_order_for(g: Table, seat: str, area: str) -> Line | None:
    """Why a house may not place an order in an area; None if it may."""
    if area not in g.objectives:
        return Line(_("There is no such area on the map."))
    if g.objectives[area].house != seat:
        return say(_("You have no units in %(area)s."), area=pieces.name(area))
    return None


def _no_token(g: Table, seat: str, order: str) -> Line | None:
    """Why a token cannot be placed: BASE-05, BASE-06, or none of its kind is left; None if it can."""
    area = busy_with(g, seat)
    if not area:
        return Line(_("Choose an area first."))
    others = {key: token for key, token in placed_by(g, seat).items() if key != area}
    if order_tokens.is_barred(g, order):
        return say(_("A Westeros card forbids it this round: %(order)s."), order=order_tokens.term(order))
    if order not in order_tokens.left(g, seat, others):
        if order_tokens.has_star(order) and order not in others.values():
            return say_count(
                "You may place at most %(count)s special order.",
                "You may place at most %(count)s special orders.",
                order_tokens.most_special(g, seat),
            )
        return say(_("No token of this kind is left: %(order)s."), order=order_tokens.term(order))
    return None


def remark(area: str, order: str, power: int) -> Line | None:
    """What is worth knowing before an order is placed here: AGOT-47, AGOT-51, AGOT-52.

    `power` is what a Consolidate Power order brings here.
    """
    kind = order_tokens.kind(order)
    if kind == order_tokens.DEFENSE and pieces.port_of(area):
        return Line(_("A port cannot be attacked: no effect"))
    if kind != order_tokens.CONSOLIDATE:
        return None
    if order_tokens.has_star(order) and pieces.points(area):
        return say(_("+%(power)s power, or muster"), power=power)
    return say(_("+%(power)s power"), power=power)


def _place(g: Table, seat: str, placed: dict[str, str]) -> None:
    g.hide(seat, PLACED, placed)
    g.hide(seat, AT, "")
    g.armies[seat].face_down = len(placed)


def take_all_back(g: Table, seat: str) -> None:
    """Discard, unseen, what a house has placed so far."""
    for key in (PLACED, AT):
        if key in g.armies[seat].hidden:
            g.withdraw(seat, key)
    g.armies[seat].face_down = 0


def _turn_over(g: Table, seat: str) -> None:
    """Lay a house's orders open in their areas. An area that its units have left by now gets no order."""
    placed = g.reveal(seat, PLACED) if PLACED in g.armies[seat].hidden else {}
    take_all_back(g, seat)
    for key in round_on_map.needing_orders(g, seat):
        if key in placed:
            g.objectives[key].order_token = placed[key]
    if open_now := order_tokens.lying(g, seat):
        orders = tuple(order_tokens.order_in(key, order) for key, order in open_now.items())
        g.say(_("%(house)s: %(orders)s."), house=house(seat), orders=orders)


class Raven(planning_and_action.Raven):
    """BASE-06: with orders on the phones the raven's holder swaps one of them for an unused token."""

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for offer in super().offers(g, seat):
            if offer.action != "swap" or order_tokens.lying(g, seat):
                yield offer

    @answer
    def swap(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s swaps an order."), house=house(seat))
        g.goto(Swap)


class Swap(NamesHouses):
    """BASE-06: the order in one area is exchanged for another token; the limit of stars still holds."""

    rule = "BASE-06"
    title = _("Which order do you swap?")
    meanwhile = planning_and_action.Raven.meanwhile

    area: str = ""

    def asked(self, g: Table) -> Iterable[str]:
        return (g.holder(COURT),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not self.area or g.objectives[self.area].house != seat:
            for key, order in order_tokens.lying(g, seat).items():
                yield Offer(
                    f"swap:{key}", Line(pieces.name(key).message), detail=Line(order_tokens.ORDERS[order])
                )
        else:
            yield from tokens(g, seat, self.area, order_tokens.lying(g, seat), is_secret=False)
        yield Offer("back", say(_("Leave it as it is")), style="quiet")

    @answer
    def swap(self, g: Table, seat: str, area: str) -> None:
        g.say(_("%(house)s swaps its order in %(area)s."), house=house(seat), area=pieces.name(area))
        g.goto(Swap(area))

    @answer
    def order(self, g: Table, seat: str, order: str) -> None:
        g.objectives[self.area].order_token = order
        g.say(_("%(house)s: %(orders)s."), house=house(seat), orders=order_tokens.order_in(self.area, order))
        planning_and_action.begin_orders(g, planning_and_action.Raids)

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s leaves its orders as they are."), house=house(seat))
        g.goto(Raven)

    def asking(self, g: Table, seat: str | None) -> Line:
        if self.area and seat == g.holder(COURT) == g.objectives[self.area].house:
            return say(_("Which order for %(area)s?"), area=pieces.name(self.area))
        return super().asking(g, seat)


STEPS: tuple[type[Step[Table]], ...] = (Planning, Raven, Swap)
