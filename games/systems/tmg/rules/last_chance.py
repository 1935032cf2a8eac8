"""The last opportunity of a turn for whoever wants it, although the next turn has begun.

After an activation the opponent is asked at once for the next one. Until a unit is selected, either player
may say that there is something to add; both then say once that they are done, and play goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.core import engine
from games.core.steps import Offer, answer
from games.core.system import name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules.hand import Hand
from games.systems.tmg.rules.moments import MomentOfAll
from games.systems.tmg.rules.round import EndOfTurn, OpenTurn, is_first_turn


class LastChance(MomentOfAll):
    """TMG-14: somebody has something to add to the turn before; all say once that they are done.

    `seat` is whose wish it was.
    """

    rule = "TMG-14"
    title = EndOfTurn.title
    help = _("Cards and abilities of both players; then play goes on where it was.")

    seat: str

    def go_on(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == self.seat:
            return Line(self.title)
        return say(_("%(player)s has something to add"), player=name_of(g, self.seat))


class Interruptions(Hand):
    """TMG-14: until the next unit is selected, each player may once ask for the last opportunity of a turn.

    Nobody is asked and it costs no tap unless somebody wants it. It stands beside the cards of a hand
    (TMG-89), which may be played at any time.
    """

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if may_wait(g, seat):
            yield _WAIT
        yield from super().offers(g, seat)

    @answer
    def wait(self, g: Table, seat: str) -> None:
        step = engine.step_of(g)
        if isinstance(step, OpenTurn):
            g.goto(replace(step, waited=(*step.waited, seat)))
        g.say(_("%(player)s has something to add before play goes on."), player=name_of(g, seat))
        g.call(LastChance(seat))


def may_wait(g: Table, seat: str) -> bool:
    """Whether a seat may still add something: a turn has ended, or a unit has acted outside one (TMG-24)."""
    step = engine.step_of(g)
    if not isinstance(step, OpenTurn) or seat in step.waited:
        return False
    return g.acting is not None or not is_first_turn(g)


_WAIT = Offer("wait", say(_("Wait, I have something")), style="quiet")
