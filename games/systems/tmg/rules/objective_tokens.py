"""Objective tokens: which ones lie on the table, who claims and controls them, and who carries them.

A claim lasts while the unit stands on the token. Whether it also means control is worked
out from scratch each time, so nothing has to be kept in step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from games.core import IllegalAction, Line, Offer, Step, Term, answer, name_of, say, system
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit

CENTRE = "centre"
FIVE_TOKENS = [
    {"key": CENTRE, "name": _("Centre")},
    {"key": "token-a", "name": _("Token A")},
    {"key": "token-b", "name": _("Token B")},
    {"key": "token-c", "name": _("Token C")},
    {"key": "token-d", "name": _("Token D")},
]
"""Five objective tokens in the order of placing (TMG-61a)."""


def tokens(g: Table) -> list[dict[str, str]]:
    """The objective tokens of this match's mode, in the order of placing."""
    laid_out: list[dict[str, str]] = g.rules.get("objectives", FIVE_TOKENS)
    return laid_out


def laid(g: Table) -> int:
    return sum(1 for _token in g.tokens())


def add_token(g: Table) -> Place:
    """Lay the next objective token that is not on the table, with the card that belongs to it."""
    number, entry = next(each for each in enumerate(tokens(g)) if each[1]["key"] not in g.objectives)
    token = Place(entry["key"], name=entry["name"], kind="token", order=number, card=entry.get("card"))
    g.objectives[token.key] = token
    return token


def are_carried(g: Table) -> bool:
    """Whether units carry the tokens that they claim in this mode (TMG-91, TMG-92)."""
    return bool(g.rules.get("carried"))


# --- claims, engagements and what follows from them -----------------------------------------------------


def controller(g: Table, place: Place) -> str | None:
    """The seat that controls a token, None for nobody (TMG-53).

    What the players say goes first (TMG-60); else the claimant's side controls it,
    unless an enemy that engages the claimant has strictly more ranks (TMG-54).
    """
    if place.uncontrolled:
        return None
    if place.override is not None:
        return place.override
    unit = g.units.get(place.claimed_by or "")
    if unit is None or not can_claim(unit) or any(outranking(g, unit)):
        return None
    return unit.player


def controllers(g: Table) -> dict[str, str | None]:
    return {token.key: controller(g, token) for token in g.tokens()}


def controlled(g: Table, seat: str) -> list[Place]:
    return [token for token in g.tokens() if controller(g, token) == seat]


def can_claim(unit: Unit) -> bool:
    """Whether a unit can hold objectives: a Combat Unit on the table that may control (TMG-59)."""
    return unit.is_combat and unit.is_on_table and not unit.cannot_control


def outranking(g: Table, unit: Unit) -> Iterator[Unit]:
    """The engaged enemies that each have strictly more ranks than this unit; never their sum (TMG-55).

    If wounds are kept on the table, ranks are unknown here: the players say who controls. A token that
    is carried is never contested (TMG-91, TMG-92).
    """
    is_contested = g.tracks("wounds") and not are_carried(g)
    for key in sorted(unit.engaged_with if is_contested else ()):
        rival = g.units.get(key)
        if rival is not None and _fights(rival) and rival.player != unit.player and rival.ranks > unit.ranks:
            yield rival


def claimed(g: Table, unit: Unit) -> Place | None:
    return next((token for token in g.tokens() if token.claimed_by == unit.key), None)


@contextmanager
def watching(g: Table) -> Iterator[None]:
    """Write a line for every token whose controller changes inside the block (TMG-57)."""
    before = controllers(g)
    yield
    for key, now in controllers(g).items():
        was = before.get(key)
        if now == was:
            continue
        name = Term(g.objectives[key].name)
        if now is not None:
            g.say(_("%(player)s controls %(token)s."), player=name_of(g, now), token=name)
        elif was is not None:
            g.say(_("%(player)s no longer controls %(token)s."), player=name_of(g, was), token=name)


def _take_hold(g: Table, unit: Unit, place: Place) -> None:
    """A unit that ended its move wholly over a token claims it (TMG-52): alone there, and nowhere else.

    Where tokens are carried, any part of its tray will do, and it carries one only (TMG-91, TMG-92).
    """
    if not can_claim(unit):
        raise IllegalAction(say(_("%(unit)s cannot control objectives."), unit=unit.name), "TMG-59")
    if are_carried(g) and (held := claimed(g, unit)) not in (None, place):
        line = _("%(unit)s already carries %(token)s.")
        raise IllegalAction(say(line, unit=unit.name, token=Term(held.name if held else "")), "TMG-91")
    with watching(g):
        if claimed(g, unit) not in (None, place):
            _move_on(g, unit)
        _free(place)
        place.claimed_by = unit.key
        g.say(_("%(unit)s claims %(token)s."), unit=unit.name, token=Term(place.name))


def _move_on(g: Table, unit: Unit) -> None:
    """A unit that claims another token has moved off its first one and out of its engagements."""
    _step_off(g, unit)
    for key in sorted(unit.engaged_with & g.units.keys()):
        _part(g, unit, g.units[key])


def leave(g: Table, unit: Unit) -> None:
    """A unit moves off its token, for whatever reason (TMG-58)."""
    with watching(g):
        _step_off(g, unit)


def engage(g: Table, unit: Unit, rival: Unit) -> None:
    if not (_fights(unit) and _fights(rival)) or unit.player == rival.player:
        raise IllegalAction(Line(_("Only enemy Combat Units on the battlefield can be engaged.")), "TMG-54")
    with watching(g):
        unit.engaged_with |= {rival.key}
        rival.engaged_with |= {unit.key}
        g.say(_("%(unit)s and %(rival)s are engaged."), unit=unit.name, rival=rival.name)


def disengage(g: Table, unit: Unit, rival: Unit) -> None:
    with watching(g):
        _part(g, unit, rival)


def withdraw(g: Table, unit: Unit) -> None:
    """Take a unit out of every engagement and off every token and zone, without a log line (TMG-58)."""
    for key in unit.engaged_with & g.units.keys():
        g.units[key].engaged_with -= {unit.key}
    unit.engaged_with, unit.sector = frozenset(), None
    for place in g.objectives.values():
        if place.claimed_by == unit.key:
            _free(place)


def decide(g: Table, place: Place, seat: str | None) -> None:
    """The players say who controls a token, or that nobody does, whatever stands there (TMG-60).

    That holds until a unit claims the token, or the one that stands there is gone.
    """
    place.override, place.uncontrolled = seat, seat is None
    if seat is None:
        g.say(_("No one controls %(token)s (set by the players)."), token=Term(place.name))
    else:
        line = _("%(player)s controls %(token)s (set by the players).")
        g.say(line, player=name_of(g, seat), token=Term(place.name))


def work_out(g: Table, place: Place) -> None:
    """Control of a token follows from claims and engagements again."""
    place.override, place.uncontrolled = None, False
    g.say(_("Control of %(token)s follows the claims again."), token=Term(place.name))
    seat = controller(g, place)
    if seat is not None:
        g.say(_("%(player)s controls %(token)s."), player=name_of(g, seat), token=Term(place.name))


def _free(place: Place) -> None:
    """Nobody stands there any more; what the players said was about the unit that did (TMG-58, TMG-60)."""
    place.claimed_by, place.override, place.uncontrolled, place.silences = None, None, False, None


def _step_off(g: Table, unit: Unit) -> None:
    place = claimed(g, unit)
    if place is not None:
        _free(place)
        line = _("%(unit)s drops %(token)s.") if are_carried(g) else _("%(unit)s leaves %(token)s.")
        g.say(line, unit=unit.name, token=Term(place.name))


def _part(g: Table, unit: Unit, rival: Unit) -> None:
    unit.engaged_with -= {rival.key}
    rival.engaged_with -= {unit.key}
    g.say(_("%(unit)s and %(rival)s are no longer engaged."), unit=unit.name, rival=rival.name)


def _fights(unit: Unit) -> bool:
    return unit.is_combat and unit.is_on_table


# --- tokens that units carry, and the corpse piles that some belong to ----------------------------------

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
        for unit in g.combat_units(self.seat):
            is_near = not self.enemies or unit.key in self.enemies
            if is_near and can_claim(unit) and claimed(g, unit) is None:
                yield unit

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        style = "main" if self.enemies else "plain"
        for unit in self.takers(g):
            yield Offer(f"take:{unit.key}", say(_("%(unit)s gets it"), unit=unit.name), style=style)
        yield Offer("place", say(_("No one: I place it")), style="quiet" if self.enemies else "main")

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
            _take_hold(g, g.units[self.fallen], g.objectives[self.token])
        elif self._lies(g):
            self._placed(g)

    def _lies(self, g: Table) -> bool:
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
    return claimed(g, unit) if are_carried(g) else None


def speed(g: Table, unit: Unit) -> int | None:
    """The Speed of a unit because of what it carries (TMG-91); None for that of its card."""
    slow: int | None = g.rules.get("carrier_speed")
    return slow if carried(g, unit) is not None else None


def claim(g: Table, unit: Unit, token: Place) -> None:
    """A unit claims a token; a card that asks for something then asks its player."""
    _take_hold(g, unit, token)
    asks = (g.objective_card(token.card) or {}).get("asks")
    if asks and g.tracks("effects"):
        g.call(system(g.system).step_named(g, asks).read((token.key,)))


def lose(g: Table, unit: Unit) -> None:
    """A unit that failed a panic test loses what it carries, and the opponent says who gets it."""
    question = falling(g, unit)
    if question is not None:
        leave(g, unit)
        g.call(question)


def falling(g: Table, unit: Unit) -> TakeToken | None:
    """The question about what a unit carries, should it lose it now."""
    token = carried(g, unit)
    if token is None:
        return None
    enemies = tuple(sorted(unit.engaged_with)) if g.rules["carried"] == ENGAGED else ()
    return TakeToken(token.key, g.rival(unit.player), "" if unit.is_on_table else unit.key, enemies)


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
