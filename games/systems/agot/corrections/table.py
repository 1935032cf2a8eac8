"""Corrections: anyone seated can put a wrong count right here at any time, and it goes into the same log."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import EndCorrections, refuse_same, stepper
from games.core.steps import Offer, answer
from games.core.system import system
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.agot import mode_change
from games.systems.agot.box import (
    FOOTMAN,
    HIGHEST_LEVEL,
    HOUSES,
    KNIGHT,
    LAST_SPACE,
    SHIP,
    SIEGE,
    SPACE,
    TRACKS,
    UNITS,
    box,
    house,
    limits,
)  # fmt: skip
from games.systems.agot.map import chart, control, setup
from games.systems.agot.map.ports import MOST_IN_PORT
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import Area, House, Table
from games.systems.agot.tracks import action, ending
from games.systems.agot.tracks.wildling_cards import move_to

UNITS_HERE, CONTROL, ORDER = _("Units"), _("Control"), _("Order")
POWER, CASTLES, SUPPLY, INFLUENCE, WILDLINGS, MODE, END = (
    _("Power tokens"),
    _("Castles and strongholds"),
    _("Supply"),
    _("Influence"),
    _("Wildlings"),
    _("What the app keeps"),
    _("End of the game"),
)


class AgotCorrections(EndCorrections[Table]):
    """Corrections of the board game."""

    of_area = (UNITS_HERE, *HOUSES.values(), CONTROL, ORDER)
    headings = (*of_area, POWER, CASTLES, SUPPLY, INFLUENCE, WILDLINGS, MODE, END)
    folded = frozenset({*HOUSES.values(), ORDER, MODE, END})
    end_heading = END

    def of(self, g: Table, path: str) -> Iterator[Offer]:
        kind, _slash, key = path.partition("/")
        if not g.round:
            return
        if path == "table":
            yield from self._table(g)
        elif kind == "army" and key in g.armies:
            yield from self.of_house(g, g.armies[key])
        elif kind == "objective" and key in g.objectives:
            yield from self._area(g, g.objectives[key])

    # --- an area ---------------------------------------------------------------------------------

    def _area(self, g: Table, area: Area) -> Iterator[Offer]:
        """Units of the house there, or of any house if there is none; the power token; the markers."""
        land = chart.kind(area.key) == chart.LAND
        for seat in [area.house] if area.house else g.seats:
            heading = UNITS_HERE if area.house else HOUSES[seat]
            for unit, words in UNITS.items():
                if (unit == SHIP) == land:
                    continue
                here, most = area.count(unit), min(_room(area), control.pool(g, seat, unit))
                action = f"{unit}:{area.key}-of-{seat}"
                yield from stepper(action, Line(words), here, 0, here + most, heading)
        if land:
            yield from self._markers(g, area)
        if order_tokens.are_open(g) and area.house and not order_tokens.are_face_down(g):
            yield from _orders(area)

    def _markers(self, g: Table, area: Area) -> Iterator[Offer]:
        for seat in g.seats:
            label, has = say(_("Power token of %(house)s"), house=house(seat)), area.token == seat
            if has or (g.armies[seat].power and _may_lie(area, seat)):
                yield Offer(f"token:{area.key}:{seat}", label, on=has, group=CONTROL)
        if area.garrison:
            yield Offer(f"disband:{area.key}", say(_("The garrison is gone")), style="apart", group=CONTROL)
        if area.neutral:
            yield Offer(
                f"dispel:{area.key}", say(_("The neutral force is gone")), style="apart", group=CONTROL
            )
        garrison, neutral = setup.markers(g, area.key)
        if garrison and not area.garrison and control.takes_garrison(area):
            yield Offer(f"garrison:{area.key}", say(_("The garrison is still there")), group=CONTROL)
        if neutral and not area.neutral and control.takes_neutral(area):
            yield Offer(f"neutral:{area.key}", say(_("The neutral force is still there")), group=CONTROL)

    @answer
    def footman(self, g: Table, seat: str, where: str, change: int) -> None:
        self._units(g, FOOTMAN, where, change)

    @answer
    def knight(self, g: Table, seat: str, where: str, change: int) -> None:
        self._units(g, KNIGHT, where, change)

    @answer
    def siege_engine(self, g: Table, seat: str, where: str, change: int) -> None:
        self._units(g, SIEGE, where, change)

    @answer
    def ship(self, g: Table, seat: str, where: str, change: int) -> None:
        self._units(g, SHIP, where, change)

    def _units(self, g: Table, unit: str, where: str, change: int) -> None:
        refuse_same(not change)
        key, _of, owner = where.rpartition("-of-")
        area = g.objectives[key]
        has_come = not area.size
        area.house = owner
        if change < 0:
            control.leave_dead(g, key, unit, -change)
        else:
            area.add(unit, change)
        line = _("%(area)s: %(unit)s %(change)s.")
        g.say(line, area=chart.name(key), unit=Term(UNITS[unit]), change=f"{change:+d}")
        if has_come:
            _order_again(g, g.armies[owner])
        control.dislodge(g, key)
        control.discard_token(g, key)
        _recount(g)

    @answer
    def token(self, g: Table, seat: str, area: Area, owner: House) -> None:
        """AGOT-63: one token in an area; a second tap takes it off again."""
        name = chart.name(area.key)
        if area.token == owner.key:
            area.token = ""
            g.say(_("%(area)s: the power token goes to the pool."), area=name)
        else:
            area.token = owner.key
            owner.power -= 1
            g.say(_("%(area)s: power token of %(house)s."), area=name, house=house(owner.key))
        control.dislodge(g, area.key)
        _recount(g)

    @answer
    def disband(self, g: Table, seat: str, area: Area) -> None:
        control.disband(g, area.key)

    @answer
    def dispel(self, g: Table, seat: str, area: Area) -> None:
        control.dispel(g, area.key)

    @answer
    def garrison(self, g: Table, seat: str, area: Area) -> None:
        """AGOT-90: it left the game only by mistake."""
        area.garrison, _neutral = setup.markers(g, area.key)
        g.say(_("The garrison of %(area)s is back."), area=chart.name(area.key))

    @answer
    def neutral(self, g: Table, seat: str, area: Area) -> None:
        """AGOT-85: the same."""
        _garrison, area.neutral = setup.markers(g, area.key)
        g.say(_("The neutral force in %(area)s is back."), area=chart.name(area.key))

    @answer
    def recall(self, g: Table, seat: str, area: Area) -> None:
        order = order_tokens.remove(area)
        g.say(_("%(orders)s is removed."), orders=order_tokens.told_in(area.key, order))

    @answer
    def order(self, g: Table, seat: str, area: Area, order: str) -> None:
        area.order_token = order
        lies = order_tokens.told_in(area.key, order)
        g.say(_("%(house)s: %(orders)s."), house=house(area.house), orders=lies)

    def follow(self, g: Table) -> None:
        ending.ask_first(g)

    # --- a house ---------------------------------------------------------------------------------

    def of_house(self, g: Table, army: House) -> Iterator[Offer]:
        """What a house has off the map."""
        key, pool = army.key, g.pool(army.key)
        label, power = say(_("Available power")), army.power
        yield from stepper(f"power:{key}", label, power, 0, power + pool, POWER)
        if army.power and not g.objectives:
            yield Offer(f"lay:{key}", say(_("Place a power token on the board")), group=POWER)
        if army.tokens_out and not g.objectives:
            yield Offer(f"lift:{key}", say(_("Return a power token to the pool")), group=POWER)
        castles, most = g.points(key), box()["castles_to_win"]
        if not g.objectives:
            yield from stepper(f"castles:{key}", Line(CASTLES), castles, 0, most, CASTLES)
        yield from stepper(f"supply:{key}", Line(SUPPLY), army.supply, 0, HIGHEST_LEVEL, SUPPLY)
        for track, name in TRACKS.items():
            if g.place(track, key) > 1:
                label = say(_("One place up: %(track)s"), track=Term(name))
                yield Offer(f"up:{key}:{track}", label, group=INFLUENCE)

    @answer
    def power(self, g: Table, seat: str, army: House, change: int) -> None:
        refuse_same(not change)
        army.power += change
        self._tell_power(g, army)

    @answer
    def lay(self, g: Table, seat: str, army: House) -> None:
        """AGOT-60: a token left in an area comes from the available power."""
        army.power -= 1
        army.tokens_out += 1
        self._tell_power(g, army)

    @answer
    def lift(self, g: Table, seat: str, army: House) -> None:
        """AGOT-64: the token of a lost area goes to the pool."""
        army.tokens_out -= 1
        self._tell_power(g, army)

    @answer
    def castles(self, g: Table, seat: str, army: House, change: int) -> None:
        refuse_same(not change)
        action.count(g, army.key, g.points(army.key) + change, g.author)

    @answer
    def supply(self, g: Table, seat: str, army: House, change: int) -> None:
        refuse_same(not change)
        army.supply += change
        line = _("%(house)s: supply %(level)s, armies of at most %(sizes)s.")
        g.say(line, house=house(army.key), level=army.supply, sizes=limits(army.supply))

    @answer
    def up(self, g: Table, seat: str, army: House, track: str) -> None:
        move_to(g, army.key, track, g.place(track, army.key) - 1)

    def _tell_power(self, g: Table, army: House) -> None:
        line = _("%(house)s: %(power)s power available, %(on_board)s on the board.")
        g.say(line, house=house(army.key), power=army.power, on_board=g.laid(army.key))

    # --- the table -------------------------------------------------------------------------------

    def _table(self, g: Table) -> Iterator[Offer]:
        down, up = g.threat // SPACE, (LAST_SPACE - g.threat) // SPACE
        label = say(_("Wildling threat, in spaces"))
        yield from stepper("threat", label, g.threat, g.threat - down, g.threat + up, WILDLINGS)
        if g.result is None:
            yield from _modes(g)
        yield from self.end_on_time(g)

    @answer
    def keep(self, g: Table, seat: str, mode: str) -> None:
        """BASE-11: the mode changes at the next Planning phase, or at once while orders are being placed."""
        g.becoming = "" if mode == g.mode else mode
        # While orders are being placed the mode changes at once, and that step says so itself; so does a
        # survey that is no longer wanted.
        if not order_tokens.are_face_down(g) and not (_is_surveyed(g) and mode_change.is_given_up(g)):
            line = _("From the next Planning phase: %(mode)s.")
            g.say(line, mode=Term(system(g.system).mode(mode).title))

    @answer
    def threat(self, g: Table, seat: str, spaces: int) -> None:
        refuse_same(not spaces)
        g.threat += SPACE * spaces
        g.say(_("The wildling threat stands at %(threat)s."), threat=g.threat)

    def proposal(self, how: str, who: str = "") -> ending.Ending:
        return ending.Ending(how)

    def can_end(self, g: Table) -> bool:
        is_asked = any(question.step == ending.Ending.name for question in g.flow)
        return super().can_end(g) and not is_asked


def _is_surveyed(g: Table) -> bool:
    """Whether the houses are still entering what lies on the board."""
    return any(question.step == mode_change.Survey.name for question in g.flow)


def _recount(g: Table) -> None:
    """Count castles and strongholds again; a map that is still being entered does not tell them."""
    if not _is_surveyed(g):
        control.recount(g)


def _order_again(g: Table, army: House) -> None:
    """BASE-12: a house that has placed all its orders needs one more where its units have come."""
    if order_tokens.are_open(g) and order_tokens.has_confirmed(g, army.key):
        g.ask_again(army.key)
        g.say(_("%(house)s chooses again."), house=house(army.key))


def _may_lie(area: Area, seat: str) -> bool:
    """Whether a house's power token can be in an area: AGOT-64, AGOT-86."""
    return not area.closed and area.house in ("", seat)


def _room(area: Area) -> int:
    """How many units one correction may add; AGOT-43: a port holds three ships. AGOT-86: none if closed."""
    if area.closed:
        return 0
    return MOST_IN_PORT - area.ships if chart.port_of(area.key) else 3


def _modes(g: Table) -> Iterator[Offer]:
    """The other modes to play on in; once another is chosen, also the current one, to stay with it."""
    for mode in system(g.system).modes:
        if mode.slug != (g.becoming or g.mode):
            yield Offer(f"keep:{mode.slug}", Line(mode.title), group=MODE)


def _orders(area: Area) -> Iterator[Offer]:
    """Offers to take off the open order of an area, or to lay another there."""
    if area.order_token:
        yield Offer(f"recall:{area.key}", say(_("No order here")), group=ORDER)
    for order, words in order_tokens.ORDERS.items():
        if order != area.order_token:
            yield Offer(f"order:{area.key}:{order}", Line(words), group=ORDER)
