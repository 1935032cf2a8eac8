"""Ports: how many ships they hold, and what becomes of these when the land changes hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.system import Offer, Step
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.agot import chart, control
from games.systems.agot.box import SHIP, house
from games.systems.agot.pieces import Table

MOST_IN_PORT = 3


class TakePort(Step):
    """AGOT-53: who takes the land of a port may replace the enemy ships there, as many or fewer."""

    rule = "AGOT-53"
    title = _("How many ships of the port do you replace?")

    def most(self, g: Table) -> int:
        """As many as lie there, as the pool has, and as supply allows."""
        seat, port = g.question.about
        there = g.objectives[port].ships
        left = control.pool(g, seat, SHIP)
        return max((n for n in range(min(there, left) + 1) if control.fits(g, seat, {port: n})), default=0)

    def asked(self, g: Table) -> Iterable[str]:
        return g.question.about[:1] if self.most(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("replace", say(_("Ships replaced; the others are removed")), 0, self.most(g))

    def replace(self, g: Table, seat: str, number: int) -> None:
        _seat, port = g.question.about
        area = g.objectives[port]
        g.say(
            _("%(house)s replaces %(count)s ships in %(area)s."),
            house=house(seat),
            count=number,
            area=chart.name(port),
        )
        area.add(SHIP, -area.ships)
        if number:
            area.house = seat
            area.add(SHIP, number)
        g.end()

    def run(self, g: Table) -> None:
        self.replace(g, g.question.about[0], 0)


def taken(g: Table, seat: str, land: str) -> None:
    """Ask about the ships in the port of a land area that has changed hands."""
    port = chart.port_at(land)
    if port and g.objectives[port].house not in ("", seat) and control.controller(g, land) == seat:
        g.call(TakePort, seat, port)


def left(g: Table, land: str) -> None:
    """Ships in a port whose land goes to another house are its to take; else they are lost."""
    port = chart.port_at(land)
    if not port or not g.objectives[port].house:
        return
    holder = control.controller(g, land)
    if holder and holder != g.objectives[port].house:
        g.call(TakePort, holder, port)
    elif not holder:
        area = g.objectives[port]
        g.say(_("The ships in %(area)s are lost with the land."), area=chart.name(port))
        area.add(SHIP, -area.ships)


STEPS: tuple[type[Step], ...] = (TakePort,)
