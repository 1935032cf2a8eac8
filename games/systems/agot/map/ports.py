"""Ports: how many ships they hold, and what becomes of the ships when the land changes hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.box import SHIP, house
from games.systems.agot.map import chart, control, fights, orderless
from games.systems.agot.pieces import Table

MOST_IN_PORT = 3


class TakePort(Step[Table]):
    """AGOT-53: a house that takes a port's land may replace the enemy ships there with as many or fewer."""

    rule = "AGOT-53"
    title = _("How many ships in %(area)s do you replace?")
    meanwhile = _("%(house)s chooses how many ships in %(area)s to replace")

    seat: str
    port: str

    def most(self, g: Table) -> int:
        """At most as many as lie there, as the pool has, and as supply allows."""
        there, left = g.objectives[self.port].ships, control.pool(g, self.seat, SHIP)
        numbers, elsewhere = range(min(there, left) + 1), fights.won(g, self.seat)
        fitting = (n for n in numbers if control.fits(g, self.seat, {**elsewhere, self.port: n}))
        return max(fitting, default=0)

    def is_due(self, g: Table) -> bool:
        """Whether these are still another house's ships at this one's land: a correction may change that."""
        return (self.port, self.seat) in _left_behind(g)

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,) if self.is_due(g) and self.most(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("replace", say(_("Ships replaced; the others are removed")), 0, self.most(g))

    @answer
    def replace(self, g: Table, seat: str, number: int) -> None:
        area = g.objectives[self.port]
        g.say_count(
            "%(house)s replaces %(count)s ship in %(area)s.",
            "%(house)s replaces %(count)s ships in %(area)s.",
            number,
            house=house(seat),
            area=chart.name(self.port),
        )
        area.add(SHIP, -area.ships)
        if number:
            orderless.come(g, seat, self.port)
            area.house = seat
            area.add(SHIP, number)
        g.end()

    def run(self, g: Table) -> None:
        """A correction moves no units elsewhere: if the land is another's now, the next move settles it."""
        if self.is_due(g):
            self.replace(g, self.seat, 0)
        else:
            g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        """It may come in the middle of something else, so the question names the port."""
        line = self.title if seat == self.seat else self.meanwhile
        return say(line, house=house(self.seat), area=chart.name(self.port))


def settle(g: Table) -> None:
    """AGOT-53: ships in a port are replaced by the house that now has its land, or lost if nobody has it."""
    for port, holder in _left_behind(g):
        if holder and not _is_asked(g, port):
            g.call(TakePort(holder, port))
        elif not holder:
            area = g.objectives[port]
            g.say(_("The ships in %(area)s are lost with the land."), area=chart.name(port))
            area.add(SHIP, -area.ships)


def _left_behind(g: Table) -> list[tuple[str, str]]:
    """The ports with ships of a house that no longer has the land, and the house that has it now."""
    holders = {port: control.controller(g, port) for port in chart.ports() if port in g.objectives}
    return [
        (port, holder) for port, holder in holders.items() if g.objectives[port].house not in ("", holder)
    ]


def _is_asked(g: Table, port: str) -> bool:
    asked = (TakePort.read(question.about) for question in g.flow if question.step == TakePort.name)
    return any(step.port == port for step in asked)


STEPS: tuple[type[Step[Table]], ...] = (TakePort,)
