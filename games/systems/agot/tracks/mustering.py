"""The Westeros card Mustering."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.steps import Offer, Step, answer
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.agot.box import house
from games.systems.agot.pieces import Table
from games.systems.agot.tracks.houses import InTurn


def begin(g: Table) -> None:
    """Every house musters, in turn order (AGOT-06)."""
    g.call(Mustering(g.turn_order))


class Mustering(InTurn):
    """AGOT-06: in turn order each house musters in all its castles and strongholds."""

    rule = "AGOT-06"
    title = _("Muster in your castles and strongholds")
    meanwhile = _("%(house)s musters in its castles and strongholds")
    help = _(
        "A castle has 1 point, a stronghold 2. Footman or ship 1, knight or siege engine 2; "
        "a footman there becomes either for 1. Keep to your supply; what is not spent is lost."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("mustered", say(_("All mustered")), style="main")

    @answer
    def mustered(self, g: Table, seat: str) -> None:
        g.say(_("%(house)s has mustered."), house=house(seat))
        self.next(g)


STEPS: tuple[type[Step[Table]], ...] = (Mustering,)
