"""Who controls which objective: claims and engagements, and what follows from them at any moment.

A claim lasts while the unit stands on the token. Whether it also means control is worked
out from scratch each time, so nothing has to be kept in step.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from games.core.steps import IllegalAction
from games.core.system import name_of
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules.layout import are_carried


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
    """The tokens by key, each with the seat that controls it."""
    return {token.key: controller(g, token) for token in g.tokens()}


def controlled(g: Table, seat: str) -> list[Place]:
    """The tokens that a seat controls."""
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
    """The token that a unit stands on."""
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


def claim(g: Table, unit: Unit, place: Place) -> None:
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
    """Two enemies in contact are engaged with each other."""
    if not (_fights(unit) and _fights(rival)) or unit.player == rival.player:
        raise IllegalAction(Line(_("Only enemy Combat Units on the battlefield can be engaged.")), "TMG-54")
    with watching(g):
        unit.engaged_with |= {rival.key}
        rival.engaged_with |= {unit.key}
        g.say(_("%(unit)s and %(rival)s are engaged."), unit=unit.name, rival=rival.name)


def disengage(g: Table, unit: Unit, rival: Unit) -> None:
    """Two units are no longer in contact."""
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
        g.say(_("The players say that nobody controls %(token)s."), token=Term(place.name))
    else:
        line = _("The players say that %(player)s controls %(token)s.")
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
