"""Corrections: anyone seated can put a wrong count right here at any time, and it goes into the same log.

One correction changes the mode: how much of a game the app keeps, the tracks, the map or the orders too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from games.core import (
    Action,
    Button,
    Choice,
    Counter,
    EndCorrections,
    Extra,
    FieldCorrections,
    Line,
    Offer,
    Silent,
    Step,
    Term,
    answer,
    refuse_same,
    say,
    stepper,
    system,
)
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control, round_on_map
from games.systems.agot.orders import order_tokens, secret_orders
from games.systems.agot.pieces import (
    HIGHEST_LEVEL,
    HOUSES,
    LAST_SPACE,
    MOST_IN_PORT,
    SHIP,
    SPACE,
    TRACKS,
    UNITS,
    Area,
    House,
    Settled,
    Table,
    box,
    house,
    limits,
)
from games.systems.agot.tracks import planning_and_action, winning
from games.systems.agot.tracks.wildling_cards import move_to

UNITS_HERE, CONTROL, ORDER = _("Units"), _("Control"), _("Order")
POWER, CASTLES, SUPPLY = _("Power tokens"), _("Castles and strongholds"), _("Supply")
INFLUENCE, WILDLINGS = _("Influence"), _("Wildlings")
MODE, END = _("What the app tracks"), _("End of the game")
OF_AREA = (UNITS_HERE, *HOUSES.values(), CONTROL, ORDER)

# --- an area ---------------------------------------------------------------------------------------


def _units(g: Table, area: Area) -> Iterator[Offer]:
    """Units of the house there, or of any house if there is none."""
    land = pieces.kind(area.key) == pieces.LAND
    for seat in [area.house] if area.house else g.seats:
        heading = UNITS_HERE if area.house else HOUSES[seat]
        for unit, words in UNITS.items():
            if (unit == SHIP) != land:
                here, most = area.count(unit), min(_room(area), area_control.pool(g, seat, unit))
                where = f"{unit}:{area.key}-of-{seat}"
                yield from stepper(where, Line(words), here, 0, here + most, heading)


def _change_units(g: Table, change: Action) -> None:
    unit, (where,), number = change.verb, change.nouns, change.number or 0
    refuse_same(not number)
    key, _of, owner = where.rpartition("-of-")
    area = g.objectives[key]
    has_come = not area.size
    area.house = owner
    if number < 0:
        area_control.leave_dead(g, key, unit, -number)
    else:
        area.add(unit, number)
    line = _("%(area)s: %(unit)s %(change)s.")
    g.say(line, area=pieces.name(key), unit=Term(UNITS[unit]), change=f"{number:+d}")
    if has_come:
        _order_again(g, g.armies[owner])
    area_control.dislodge(g, key)
    area_control.discard_token(g, key)
    _recount(g)


def _order_again(g: Table, army: House) -> None:
    """BASE-12: a house that has placed all its orders needs one more where its units have come."""
    if order_tokens.are_open(g) and order_tokens.has_confirmed(g, army.key):
        g.ask_again(army.key)
        g.say(_("%(house)s chooses again."), house=house(army.key))


def _room(area: Area) -> int:
    """How many units one correction may add; AGOT-43: a port holds three ships. AGOT-86: none if closed."""
    if area.closed:
        return 0
    return MOST_IN_PORT - area.ships if pieces.port_of(area.key) else 3


def _is_land(_g: Table, area: Area) -> bool:
    return pieces.kind(area.key) == pieces.LAND


def _tokens(g: Table, area: Area) -> Iterator[Offer]:
    """AGOT-63: one token in an area, which a second tap takes off. AGOT-64, AGOT-86: whose may lie there."""
    for seat in g.seats:
        may_lie = not area.closed and area.house in ("", seat)
        if area.token == seat or (g.armies[seat].power and may_lie):
            label = say(_("Power token of %(house)s"), house=house(seat))
            yield Offer(f"token:{area.key}:{seat}", label, on=area.token == seat)


def _turn_token(g: Table, turned: Action) -> None:
    area, owner = g.objectives[turned.nouns[0]], g.armies[turned.nouns[1]]
    if area.token == owner.key:
        area.token = ""
        g.say(_("%(area)s: the power token goes to the pool."), area=pieces.name(area.key))
    else:
        area.token = owner.key
        owner.power -= 1
        line = _("%(area)s: power token of %(house)s.")
        g.say(line, area=pieces.name(area.key), house=house(owner.key))
    area_control.dislodge(g, area.key)
    _recount(g)


def _recount(g: Table) -> None:
    """Count castles and strongholds again; a map that is still being entered does not tell them."""
    if not _is_surveyed(g):
        area_control.recount(g)


def _is_surveyed(g: Table) -> bool:
    """Whether the houses are still entering what lies on the board."""
    return any(question.step == Survey.name for question in g.flow)


def _lost_garrison(g: Table, area: Area) -> bool:
    garrison, _neutral = round_on_map.markers(g, area.key)
    return bool(_is_land(g, area) and garrison and not area.garrison and area_control.takes_garrison(area))


def _lost_neutral(g: Table, area: Area) -> bool:
    _garrison, neutral = round_on_map.markers(g, area.key)
    return bool(_is_land(g, area) and neutral and not area.neutral and area_control.takes_neutral(area))


def _return_garrison(g: Table, area: Area) -> None:
    """AGOT-90: it left the game only by mistake."""
    area.garrison, _neutral = round_on_map.markers(g, area.key)
    g.say(_("The garrison of %(area)s is back."), area=pieces.name(area.key))


def _return_neutral(g: Table, area: Area) -> None:
    """AGOT-85: the same."""
    _garrison, area.neutral = round_on_map.markers(g, area.key)
    g.say(_("The neutral force in %(area)s is back."), area=pieces.name(area.key))


def _has_open_orders(g: Table, area: Area) -> bool:
    return bool(order_tokens.are_open(g) and area.house and not order_tokens.are_face_down(g))


def _recall(g: Table, area: Area) -> None:
    order = order_tokens.remove(area)
    g.say(_("%(orders)s is removed."), orders=order_tokens.order_in(area.key, order))


def _lay_order(g: Table, area: Area, order: str) -> None:
    area.order_token = order
    lies = order_tokens.order_in(area.key, order)
    g.say(_("%(house)s: %(orders)s."), house=house(area.house), orders=lies)


def _other_orders(_g: Table, area: Area) -> Iterator[tuple[str, Line]]:
    return ((order, Line(words)) for order, words in order_tokens.ORDERS.items() if order != area.order_token)


# fmt: off
AREA = {
    UNITS_HERE: (Extra(_units, tuple(UNITS), _change_units),),
    CONTROL: (
        Extra(_tokens, ("token",), _turn_token, when=_is_land),
        Button("disband", _("The garrison is gone"), lambda g, area: area_control.disband(g, area.key),
               style="apart", when=lambda g, area: _is_land(g, area) and bool(area.garrison)),
        Button("dispel", _("The neutral force is gone"), lambda g, area: area_control.dispel(g, area.key),
               style="apart", when=lambda g, area: _is_land(g, area) and bool(area.neutral)),
        Button("garrison", _("The garrison is still there"), _return_garrison, when=_lost_garrison),
        Button("neutral", _("The neutral force is still there"), _return_neutral, when=_lost_neutral),
    ),
    ORDER: (
        Button("recall", _("No order here"), _recall,
               when=lambda g, area: _has_open_orders(g, area) and bool(area.order_token)),
        Choice("order", _other_orders, _lay_order, when=_has_open_orders),
    ),
}
# fmt: on

# --- a house ---------------------------------------------------------------------------------------


def _lay(g: Table, army: House) -> None:
    """AGOT-60: a token left in an area comes from the available power."""
    army.power -= 1
    army.tokens_out += 1
    _tell_power(g, army)


def _lift(g: Table, army: House) -> None:
    """AGOT-64: the token of a lost area goes to the pool."""
    army.tokens_out -= 1
    _tell_power(g, army)


def _tell_power(g: Table, army: House) -> None:
    line = _("%(house)s: %(power)s power available, %(on_board)s on the board.")
    g.say(line, house=house(army.key), power=army.power, on_board=g.laid(army.key))


def _tell_supply(g: Table, army: House) -> None:
    line = _("%(house)s: supply %(level)s, armies of at most %(sizes)s.")
    g.say(line, house=house(army.key), level=army.supply, sizes=limits(army.supply))


def _count_castles(g: Table, army: House, change: int) -> None:
    planning_and_action.count(g, army.key, g.points(army.key) + change, g.author)


def _tracks(g: Table, army: House) -> Iterator[tuple[str, Line]]:
    for track, name in TRACKS.items():
        if g.place(track, army.key) > 1:
            yield track, say(_("One place up: %(track)s"), track=Term(name))


# fmt: off
HOUSE = {
    POWER: (
        Counter("power", _("Available power"), 0, lambda g, army: army.power + g.pool(army.key),
                then=_tell_power),
        Button("lay", _("Place a power token on the board"), _lay,
               when=lambda g, army: bool(army.power and not g.objectives)),
        Button("lift", _("Return a power token to the pool"), _lift,
               when=lambda g, army: bool(army.tokens_out and not g.objectives)),
    ),
    CASTLES: (
        Counter("castles", CASTLES, 0, lambda _g, _army: box()["castles_to_win"],
                value=lambda g, army: g.points(army.key), when=lambda g, _army: not g.objectives,
                write=_count_castles),
    ),
    SUPPLY: (Counter("supply", SUPPLY, 0, HIGHEST_LEVEL, then=_tell_supply),),
    INFLUENCE: (
        Choice("up", _tracks,
               lambda g, army, track: move_to(g, army.key, track, g.place(track, army.key) - 1)),
    ),
}
# fmt: on

# --- the table -------------------------------------------------------------------------------------


def _other_modes(g: Table, _table: Any) -> Iterator[tuple[str, Line]]:
    """The other modes to play on in; once another is chosen, also the current one, to stay with it."""
    for mode in system(g.system).modes:
        if mode.slug != (g.becoming or g.mode):
            yield mode.slug, Line(mode.title)


def _keep(g: Table, _table: Any, mode: str) -> None:
    """BASE-11: the mode changes at the next Planning phase, or at once while orders are being placed."""
    g.becoming = "" if mode == g.mode else mode
    # While orders are being placed the mode changes at once, and that step says so itself; so does a
    # survey that is no longer wanted.
    if not order_tokens.are_face_down(g) and not (_is_surveyed(g) and is_given_up(g)):
        g.say(_("From the next Planning phase: %(mode)s."), mode=Term(system(g.system).mode(mode).title))


def _move_threat(g: Table, _table: Any, spaces: int) -> None:
    g.threat += SPACE * spaces
    g.say(_("The wildling threat stands at %(threat)s."), threat=g.threat)


# fmt: off
TABLE = {
    WILDLINGS: (
        Counter("threat", _("Wildling threat, in spaces"), lambda g, _table: g.threat - g.threat // SPACE,
                lambda g, _table: g.threat + (LAST_SPACE - g.threat) // SPACE, write=_move_threat),
    ),
    MODE: (Choice("keep", _other_modes, _keep, when=lambda g, _table: g.result is None),),
}
# fmt: on


class AgotCorrections(FieldCorrections[Table], EndCorrections[Table]):
    """Corrections of the board game."""

    rows = {"objective": AREA, "army": HOUSE, "table": TABLE}
    headings = (*OF_AREA, POWER, CASTLES, SUPPLY, INFLUENCE, WILDLINGS, MODE, END)
    folded = frozenset({*HOUSES.values(), ORDER, MODE, END})
    end_heading = END

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        if g.round:
            yield from super().of(g, path)
            if path == "table":
                yield from self.end_on_time(g)

    def follow(self, g: Table) -> None:
        winning.ask_first(g)

    def proposal(self, how: str, who: str = "") -> winning.Ending:
        return winning.Ending(how)

    def can_end(self, g: Table) -> bool:
        is_asked = any(question.step == winning.Ending.name for question in g.flow)
        return super().can_end(g) and not is_asked


AREAS = _("All areas")
MOST_HERE = 6
"""The most units that can be entered in one area: more than any supply level allows."""


class ModeChange(Silent[Table], planning_and_action.ModeChange):
    """BASE-11: before orders are placed the table may bring in the map or the orders, or leave them out."""

    rule = "BASE-11"
    title = _("Change what the app tracks")

    def run(self, g: Table) -> None:
        turn_to(g, g.becoming)
        g.becoming = ""
        if not keeps_map(g):
            fold_map(g)
            g.goto(planning_and_action.Planning)
        elif g.objectives:
            g.goto(planning_and_action.Planning)
        else:
            round_on_map.lay_map(g, with_units=g.round == 1)
            g.goto(Survey)


def turn_to(g: Table, mode: str) -> None:
    """Play on in another mode, with its facts. Orders placed so far are taken back."""
    game = system(g.system)
    rules = {name: fact for name, fact in g.rules.items() if name not in game.mode(g.mode).facts}
    g.mode, g.rules = mode, rules | game.mode(mode).facts
    for seat in g.seats:
        secret_orders.take_all_back(g, seat)
    g.say(_("From now on: %(mode)s."), mode=Term(game.mode(mode).title))


def keeps_map(g: Table) -> bool:
    """Whether this table plays with the map in the app, even before it is laid out."""
    return bool(g.rules.get("map"))


def fold_map(g: Table) -> None:
    """Put the map away; from now on each house's power tokens on the board are kept as a number."""
    for seat in g.seats:
        g.armies[seat].tokens_out = g.laid(seat)
    g.objectives = {}


def is_given_up(g: Table) -> bool:
    """Whether a survey has become pointless, because the table wants to play without the map after all."""
    return bool(g.becoming) and "map" not in system(g.system).mode(g.becoming).facts


class Survey(Settled):
    """BASE-11: every house enters its units and power tokens, area by area, as they lie on the board.

    Until all are done an entry may be a mistake: the markers that cannot share an area with it go only then.
    If the table changes its mind, nothing of what has been entered counts.
    """

    rule = "BASE-11"
    title = _("Enter what you have on the board")
    meanwhile = _("Still entering what lies on the board: %(house)s")
    answered = _("You are done")
    yes = Offer("done", say(_("All my pieces are entered")), style="main")
    no = Offer("not-yet", say(_("Change my entries")), style="quiet")

    def asked(self, g: Table) -> Iterable[str]:
        return () if is_given_up(g) else super().asked(g)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        army = g.armies[seat]
        if g.has_answered(seat):
            yield self.no
        elif army.at in g.objectives:
            if not _is_taken(g, seat, army.at):
                yield from _entries(g, seat, g.objectives[army.at])
            yield Offer("leave", say(_("Done with this area")), style="main")
        else:
            yield self.yes
            for key, area in g.objectives.items():
                if not _is_taken(g, seat, key) and not area.closed:
                    yield Offer(f"at:{key}", Line(pieces.name(key).message), detail=_lies(area), group=AREAS)

    @answer
    def at(self, g: Table, seat: str, area: str) -> None:
        g.armies[seat].at = area
        g.say(_("%(house)s enters its pieces in %(area)s."), house=house(seat), area=pieces.name(area))

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s is done with this area."), house=house(seat))
        g.armies[seat].at = ""

    @answer
    def has(self, g: Table, seat: str, unit: str, number: int) -> None:
        key = g.armies[seat].at
        area = g.objectives[key]
        area.house = seat
        area.add(unit, number - area.count(unit))
        line = _("%(house)s has in %(area)s: %(count)s × %(unit)s.")
        g.say(line, house=house(seat), area=pieces.name(key), count=number, unit=Term(UNITS[unit]))

    @answer
    def token(self, g: Table, seat: str) -> None:
        """The token already lies on the board, so it does not come from the available power."""
        key = g.armies[seat].at
        area = g.objectives[key]
        area.token = "" if area.token else seat
        line = _("%(area)s: power token of %(house)s.") if area.token else _("%(area)s: no power token.")
        g.say(line, area=pieces.name(key), house=house(seat))

    @answer
    def disband(self, g: Table, seat: str) -> None:
        area_control.disband(g, g.armies[seat].at)

    @answer
    def dispel(self, g: Table, seat: str) -> None:
        area_control.dispel(g, g.armies[seat].at)

    def run(self, g: Table) -> None:
        if not is_given_up(g):
            super().run(g)
            return
        for army in g.armies.values():
            army.at = ""
        g.objectives = {}
        g.goto(planning_and_action.ModeChange)

    def go_on(self, g: Table) -> None:
        for army in g.armies.values():
            army.at, army.tokens_out = "", 0
        for key in area_control.overrun(g):
            area_control.dislodge(g, key)
        area_control.recount(g)
        g.say(_("The map in the app is the same as the board."))
        g.goto(planning_and_action.Planning)
        winning.ask_first(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        key = g.armies[seat].at if seat else ""
        if not key:
            return super().asking(g, seat)
        return say(_("What do you have in %(area)s?"), area=pieces.name(key))

    def helping(self, g: Table, seat: str | None) -> Line:
        if seat is None or g.has_answered(seat):
            return super().helping(g, seat)
        key = g.armies[seat].at
        if not key:
            return Line(_("Tap an area on the map, or find it in the list."))
        if not _is_taken(g, seat, key):
            return Line("")
        owner = g.objectives[key].house or g.objectives[key].token
        return say(_("%(house)s has entered what it has here."), house=house(owner))


def _is_taken(g: Table, seat: str, key: str) -> bool:
    """Whether another house has entered something here, perhaps while this one had the area open."""
    area = g.objectives[key]
    return area.house not in ("", seat) or area.token not in ("", seat)


def _entries(g: Table, seat: str, area: Area) -> Iterator[Offer]:
    """What may be entered for one area: units of the kinds that can stand there, a token, lost markers."""
    is_land = pieces.kind(area.key) == pieces.LAND
    for unit, words in UNITS.items():
        if (unit == SHIP) != is_land:
            room = MOST_IN_PORT if pieces.port_of(area.key) else MOST_HERE
            most = min(room, area.count(unit) + max(0, area_control.pool(g, seat, unit)))
            now = say(_("Currently %(level)s"), level=area.count(unit))
            yield Offer(f"has:{unit}", Line(words), 0, most, detail=now)
    if is_land and (area.token or g.pool(seat)):
        label = _("Remove my power token") if area.token else _("My power token lies here")
        yield Offer("token", Line(label))
    if area.garrison and pieces.home_of(area.key) == seat:
        yield Offer("disband", say(_("The garrison is gone")), style="quiet")
    if area.neutral:
        yield Offer("dispel", say(_("The neutral force is gone")), style="quiet")


def _lies(area: Area) -> Line | None:
    """What has been entered for an area, in a few words."""
    units = (say(_("%(count)s × %(unit)s"), count=area.count(u), unit=Term(UNITS[u])) for u in area.units)
    token = (Line(_("power token")),) if area.token else ()
    things = tuple(chain(units, token))
    return say("%(things)s", things=things) if things else None


STEPS: tuple[type[Step[Table]], ...] = (ModeChange, Survey)
