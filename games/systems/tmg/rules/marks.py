"""What a mode with marks gives for a destruction: to whom the mark belongs, and to tokens on the unit."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit

TOKEN = _("Victory Point token")
FOR_A_MARKED_ENEMY = 2


def is_played(g: Table) -> bool:
    """Whether this match's mode marks units (TMG-96)."""
    return bool(g.rules.get("marks"))


def of(g: Table, unit: Unit) -> Iterator[tuple[int, str]]:
    """Points and reasons beyond the usual ones for an enemy that is destroyed; its tokens are spent."""
    if not is_played(g):
        return
    if unit.marked:
        yield FOR_A_MARKED_ENEMY, _("it was marked")
    tokens = sum(number for called, number in unit.counters if called == TOKEN)
    if tokens:
        unit.counters = tuple(counter for counter in unit.counters if counter[0] != TOKEN)
        yield tokens, _("Victory Point tokens on it")


def marked(g: Table, seat: str) -> Iterator[Unit]:
    """The marked units that a seat has on the table."""
    return (unit for unit in g.combat_units(seat) if unit.marked and unit.is_on_table)


def ask(g: Table, unit: Unit, by: str) -> None:
    """Which unit destroyed it is asked where a marked one may have."""
    if is_played(g) and unit.is_combat and any(True for _unit in marked(g, by)):
        g.call("by-whom", unit.key, by)
