"""Neutral forces: a march that is strong enough removes one; else nothing of it has happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.steps import Offer, Step
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.agot.map import chart, control
from games.systems.agot.map.moving import depart, forget
from games.systems.agot.map.support import most_support, own_strength
from games.systems.agot.pieces import Table


class Neutral(Step):
    """AGOT-77 to AGOT-85: a neutral force falls to a march of at least its strength; else nothing moves.

    Units and the order count, and support that is granted (AGOT-82); no card, no blade, and the force has no
    support of its own (AGOT-81). The whole march is still a plan here: no group has gone, no token lies.
    """

    rule = "AGOT-77"
    title = _("How much support is there?")

    def asked(self, g: Table) -> Iterable[str]:
        seat, _key, place, order = g.question.about
        is_enough = own_strength(g, place, order) >= g.objectives[place].neutral
        return () if is_enough else (seat,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        _seat, key, place, _order = g.question.about
        yield Offer("support", say(_("Strength of the support")), 0, most_support(g, seat, key, place))

    def support(self, g: Table, seat: str, support: int) -> None:
        _seat, key, place, order = g.question.about
        force = g.objectives[place].neutral
        total = own_strength(g, place, order) + support
        g.say(_("%(total)s against the neutral force of %(force)s."), total=total, force=force)
        if total < force:
            g.say(_("That is too little: nobody moves, choose again."))
            forget(g)
            g.goto("march", seat, key, order)
            return
        control.dispel(g, place)
        depart(g, seat, key, order)

    def run(self, g: Table) -> None:
        self.support(g, g.question.about[0], 0)

    def asking(self, g: Table, seat: str | None) -> Line:
        _seat, _key, place, order = g.question.about
        line = _("%(area)s: you have %(total)s, the neutral force %(force)s. How much support is there?")
        total, force = own_strength(g, place, order), g.objectives[place].neutral
        return say(line, area=chart.name(place), total=total, force=force)


STEPS: tuple[type[Step], ...] = (Neutral,)
