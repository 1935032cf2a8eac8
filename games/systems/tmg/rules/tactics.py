"""A Non-Combat Unit's activation: it claims one zone of the tactics board, or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from games.core.steps import Offer, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import zones
from games.systems.tmg.rules.activation import acted, activatable
from games.systems.tmg.rules.moments import Moment

OUT_OF_TURN = "out-of-turn"
"""What the question is about when the turn goes on afterwards where it was (TMG-24)."""


class ClaimZone(Moment):
    """TMG-28: an NCU that activates claims one empty zone. TMG-31: while one is open it may claim none."""

    rule = "TMG-28"
    title = _("Which zone?")
    help = _("The zone works at once and is yours until the Clean-Up Phase.")

    def waits_for(self, g: Table) -> Iterable[str]:
        key, *_out_of_turn = g.question.about
        seat = g.units[key].player if key in g.units else ""
        ready = any(unit.key == key for unit in activatable(g, seat))
        return (seat,) if ready and not zones.is_full(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for zone in zones.free(g):
            yield _claim(zone.key, zone.name)
        if g.rules["may_decline"]:
            yield _DECLINE
        yield _BACK

    @answer
    def claim(self, g: Table, seat: str, zone: Place) -> None:
        unit = g.units[g.question.about[0]]
        zones.occupy(g, unit, zone)
        self.activated(g, unit)

    @answer
    def decline(self, g: Table, seat: str) -> None:
        unit = g.units[g.question.about[0]]
        g.say(_("%(unit)s activates and claims no zone."), unit=unit.name)
        self.activated(g, unit)

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.say(_("%(unit)s does nothing yet."), unit=g.units[g.question.about[0]].name)
        g.end()

    def go_on(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        return say(_("Which zone does %(unit)s claim?"), unit=g.units[g.question.about[0]].name)

    def activated(self, g: Table, unit: Unit) -> None:
        """The NCU has taken its zone: its companions follow, or the turn that it interrupted goes on."""
        out_of_turn = g.question.about[1:]
        acted(g, unit)
        g.end()
        if not out_of_turn:
            g.goto("companions", unit.key)


@lru_cache(maxsize=256)
def _claim(key: str, called: str) -> Offer:
    return Offer(f"claim:{key}", say(_("Claim %(zone)s"), zone=Term(called)))


_DECLINE = Offer("decline", say(_("Claim no zone")), style="quiet")
_BACK = Offer("back", say(_("Back")), style="quiet")
