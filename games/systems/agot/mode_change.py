"""A change of mode: how much of a game the app keeps, the tracks alone, the map as well, or the orders too.

It happens at a Planning phase, when nothing is half done. If the map joins in the middle of a game, every
house first enters what it has in each area.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from games.core import Line, Offer, Silent, Step, Term, answer, say, system
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.map import area_control, round_on_map
from games.systems.agot.orders import secret_orders
from games.systems.agot.pieces import MOST_IN_PORT, SHIP, UNITS, Area, Settled, Table, house
from games.systems.agot.tracks import planning_and_action, winning

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
    found = tuple(chain(units, token))
    return say("%(things)s", things=found) if found else None


STEPS: tuple[type[Step[Table]], ...] = (ModeChange, Survey)
