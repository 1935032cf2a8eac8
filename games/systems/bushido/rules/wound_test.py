"""The wound test: a success level and two dice, rolled in the app or on the table, give the wounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import Anybody
from games.core.steps import Offer, answer
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.bushido.pieces import Table, Unit
from games.systems.bushido.rules import wounds


class WoundTest(Anybody[Table]):
    """BUSH-34: wounds are the success level and what two dice add: 2 −3, 3 −2, 4–5 −1, 6–8 nothing,
    9–10 +1, 11 +2, 12 +3; less its toughness; never below 0. `model` is the key of the model that was hit.
    """

    model: str
    level: int

    rule = "BUSH-34"
    title = _("How many wounds?")
    help = _(
        "Sum of two dice 2:\xa0−3 · 3:\xa0−2 · 4–5:\xa0−1 · 6–8:\xa0±0 · 9–10:\xa0+1 · 11:\xa0+2 · 12:\xa0+3"
    )

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if self.model in g.units and g.units[self.model].is_on_table else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("roll", say(_("Roll two dice")), style="main")
        yield Offer("rolled", say(_("The sum of our dice")), 2, 12)
        yield Offer("back", say(_("Back")), style="quiet")

    @answer
    def roll(self, g: Table, seat: str) -> None:
        first, second = g.die(), g.die()
        g.say(_("The dice show %(first)s and %(second)s."), first=first, second=second)
        self.rolled(g, seat, first + second)

    @answer
    def rolled(self, g: Table, seat: str, dice: int) -> None:
        unit, suffered = g.units[self.model], wounds.wounds_for(self.level, dice)
        g.say(_("Success level %(level)s, dice %(dice)s."), level=self.level, dice=dice)
        if spared := _spared(g, unit, suffered):
            g.say_count(
                "%(model)s is Tough: %(count)s wound less.",
                "%(model)s is Tough: %(count)s wounds less.",
                spared,
                model=unit.name,
            )
        wounds.suffer(g, unit, suffered - spared)
        g.end()

    @answer
    def back(self, g: Table, seat: str) -> None:
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        if self.model not in g.units:
            return Line(self.title)
        line = _("%(model)s, success level %(level)s: how many wounds?")
        return say(line, model=g.units[self.model].name, level=self.level)


def _spared(g: Table, unit: Unit, wounds: int) -> int:
    """The wounds that a model's toughness spares it."""
    return min(wounds, unit.tough)
