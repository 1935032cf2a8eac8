"""Tokens that units carry: who takes one up, when it falls, and the corpse piles that some belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.system import name_of, system
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import control
from games.systems.tmg.rules.layout import add_token, are_carried, laid, tokens

ENGAGED, AT_PILE = "engaged", "at-pile"
"""Which enemies get a token that falls, by a mode's fact `carried`: those engaged, or those at its pile."""


class TakeToken(Step[Table]):
    """TMG-91, TMG-92: the opponent says which of its units gets a token that fell; else it is placed again.

    `seat` is the side that is asked, `fallen` the key of the destroyed unit that carried it, "" if it still
    stands. `enemies` are the keys of the units that were engaged with it; without any, each unit of that
    side may have been near enough.
    """

    rule = "TMG-91"
    title = _("Who gets the token?")
    help = _("One of your units that was engaged with it. With none engaged, place it within 2 inches.")

    token: str
    seat: str
    fallen: str = ""
    enemies: tuple[str, ...] = ()

    def asked(self, g: Table) -> Iterable[str]:
        is_open = self._lies(g) and not self._is_back(g)
        return (self.seat,) if is_open and any(True for _unit in self.takers(g)) else ()

    def takers(self, g: Table) -> Iterator[Unit]:
        """The units that may get it: each carries one token at most."""
        for unit in g.combat_units(self.seat):
            is_near = not self.enemies or unit.key in self.enemies
            if is_near and control.can_claim(unit) and control.claimed(g, unit) is None:
                yield unit

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        style = "main" if self.enemies else "plain"
        for unit in self.takers(g):
            yield Offer(f"take:{unit.key}", say(_("%(unit)s gets it"), unit=unit.name), style=style)
        yield Offer("place", say(_("Nobody: I place it")), style="quiet" if self.enemies else "main")

    @answer
    def take(self, g: Table, seat: str, unit: Unit) -> None:
        g.end()
        claim(g, unit, g.objectives[self.token])

    @answer
    def place(self, g: Table, seat: str) -> None:
        g.end()
        self._placed(g)

    def run(self, g: Table) -> None:
        g.end()
        if self._lies(g) and self._is_back(g):
            control.claim(g, g.units[self.fallen], g.objectives[self.token])
        elif self._lies(g):
            self._placed(g)

    def _lies(self, g: Table) -> bool:
        """Whether the token still lies where it fell."""
        return self.token in g.objectives and g.objectives[self.token].claimed_by is None

    def _is_back(self, g: Table) -> bool:
        """Whether the unit that carried it was not destroyed after all."""
        unit = g.units.get(self.fallen)
        return unit is not None and unit.is_on_table

    def _placed(self, g: Table) -> None:
        line = _("%(player)s places %(token)s within 2 inches of where it fell.")
        if is_at_pile(g):
            line = _("%(player)s places %(token)s at its corpse pile.")
        g.say(line, player=name_of(g, self.seat), token=Term(g.objectives[self.token].name))

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Who gets %(token)s?"), token=Term(g.objectives[self.token].name))

    def helping(self, g: Table, seat: str | None) -> Line:
        if is_at_pile(g):
            return Line(
                _("One of your units that touches its corpse pile. With none there, place it at the pile.")
            )
        return super().helping(g, seat)

    def resting_on(self, g: Table) -> str:
        return "TMG-92" if is_at_pile(g) else self.rule


class PlacePile(Step[Table]):
    """TMG-92: before its tray is removed, the owner of destroyed infantry places a corpse pile with a token.

    `unit` is the key of that unit.
    """

    rule = "TMG-92"
    title = _("Place a corpse pile with a token")
    help = _("Wholly within 12 inches of the destroyed unit, at least 1 inch from terrain and other trays.")

    unit: str

    def asked(self, g: Table) -> Iterable[str]:
        unit = g.units.get(self.unit)
        is_due = unit is not None and not unit.is_on_table and laid(g) < len(tokens(g))
        return (unit.army,) if unit is not None and is_due else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("placed", say(_("Corpse pile placed")), style="main")
        yield Offer("no-room", say(_("There is no room for it")), style="quiet")

    @answer
    def placed(self, g: Table, seat: str) -> None:
        pile, unit = add_token(g), g.units[self.unit]
        unit.pile = pile.key
        line = _("%(player)s places a corpse pile with %(token)s near %(unit)s.")
        g.say(line, player=name_of(g, seat), token=Term(pile.name), unit=unit.name)
        g.end()

    @answer
    def no_room(self, g: Table, seat: str) -> None:
        g.say(_("There is no room for another corpse pile."))
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        unit = g.units[self.unit].name
        return say(_("%(unit)s falls: place a corpse pile with a token"), unit=unit)


def is_at_pile(g: Table) -> bool:
    """Whether each token of this mode belongs to a corpse pile (TMG-92)."""
    return g.rules.get("carried") == AT_PILE


def carried(g: Table, unit: Unit) -> Place | None:
    """The token that a unit carries, if tokens are carried in this mode."""
    return control.claimed(g, unit) if are_carried(g) else None


def speed(g: Table, unit: Unit) -> int | None:
    """The Speed of a unit because of what it carries (TMG-91); None for that of its card."""
    slow: int | None = g.rules.get("carrier_speed")
    return slow if carried(g, unit) is not None else None


def claim(g: Table, unit: Unit, token: Place) -> None:
    """A unit claims a token; a card that asks for something then asks its player."""
    control.claim(g, unit, token)
    asks = (ruleset.card(g, token.card) or {}).get("asks")
    if asks and g.tracks("effects"):
        g.call(system(g.system).step_named(g, asks).read((token.key,)))


def lose(g: Table, unit: Unit) -> None:
    """A unit that failed a panic test loses what it carries, and the opponent says who gets it."""
    token = carried(g, unit)
    if token is None:
        return
    falls = falling(g, unit)
    control.leave(g, unit)
    fall(g, falls)


def falling(g: Table, unit: Unit) -> TakeToken | None:
    """The question about what a unit carries, should it lose it now."""
    token = carried(g, unit)
    if token is None:
        return None
    enemies = tuple(sorted(unit.engaged_with)) if g.rules["carried"] == ENGAGED else ()
    return TakeToken(token.key, g.rival(unit.player), "" if unit.is_on_table else unit.key, enemies)


def fall(g: Table, falls: TakeToken | None) -> None:
    """Ask who gets what has just fallen."""
    if falls is not None:
        g.call(falls)


def leave_pile(g: Table, unit: Unit) -> None:
    """TMG-92: infantry that is destroyed leaves a corpse pile with a token, as long as there are any left."""
    if is_at_pile(g) and unit.kind == "infantry":
        g.call(PlacePile(unit.key))


def clear_pile(g: Table, unit: Unit) -> None:
    """A unit was not destroyed after all: the corpse pile that it left goes, whoever carries its token."""
    if unit.pile in g.objectives:
        g.say(_("%(token)s and its corpse pile are removed."), token=Term(g.objectives[unit.pile].name))
        g.objectives = {key: place for key, place in g.objectives.items() if key != unit.pile}
    unit.pile = None
