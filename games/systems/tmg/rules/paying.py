"""What a destruction scored: rows of the score sheet, and a note on the unit so that they can be undone."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.system import author_of, name_of
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import siege


def pay(g: Table, unit: Unit, seat: str, parts: Iterable[tuple[int, str]]) -> None:
    """Give a seat points for a destroyed unit: a row for each part (points, reason) that gives any.

    A destruction that gave none is noted too: in Reserve the unit must still count as destroyed (TMG-70).
    TMG-99: in a siege the Defender gets none.
    """
    given = [(points, reason) for points, reason in parts if points and siege.may_score(g, seat)]
    for points, reason in given:
        g.score(seat, points, reason, unit.name, author_of(g))
    total = sum(points for points, _reason in given)
    if given:
        _tell(g, seat, total, unit)
    unit.paid = (*unit.paid, (seat, total))


def take_back(g: Table, unit: Unit) -> None:
    """The unit was not destroyed after all: each seat loses what it was given, in a row of its own."""
    for seat, points in unit.paid:
        if points:
            g.score(seat, -points, _("destruction undone"), unit.name, author_of(g))
            _tell(g, seat, -points, unit)
    unit.paid = ()


def _tell(g: Table, seat: str, points: int, unit: Unit) -> None:
    g.say_count(
        "%(player)s: %(change)s Victory Point for %(unit)s.",
        "%(player)s: %(change)s Victory Points for %(unit)s.",
        abs(points),
        player=name_of(g, seat),
        change=f"{points:+d}",
        unit=unit.name,
    )
