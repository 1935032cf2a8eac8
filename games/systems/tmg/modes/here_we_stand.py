"""Here We Stand: four sectors of the table are held by army points; the enemy's are worth three."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Line, Mode, Offer, Silent, answer, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import DEPLOYING, Place, Table
from games.systems.tmg.rules import activation_phase, clean_up_phase, deployment, tactics_cards

SECTORS = [
    {"key": "red-west", "name": _("Red half, west"), "side": "red"},
    {"key": "red-east", "name": _("Red half, east"), "side": "red"},
    {"key": "blue-west", "name": _("Blue half, west"), "side": "blue"},
    {"key": "blue-east", "name": _("Blue half, east"), "side": "blue"},
]
OWN, ENEMYS = 1, 3


class LaySectors(Silent[Table]):
    """TMG-97: the table is quartered, two sectors on either side."""

    rule = "TMG-97"
    title = _("Quarter the battlefield")
    help = _("Four equal sectors, two on either side.")

    def run(self, g: Table) -> None:
        for order, entry in enumerate(SECTORS):
            key = entry["key"]
            g.objectives[key] = Place(key, name=entry["name"], kind="sector", order=order)
        g.say(_("The battlefield has four sectors, two on either side."))
        deployment.advance(g)


class ClaimZone(activation_phase.ClaimZone):
    """TMG-97: an NCU may stand on a sector instead of a zone, and adds its points there for the round."""

    help = _(
        "A zone works at once; on a sector the unit adds its points. Both last until the Clean-Up Phase."
    )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        for sector in g.sectors():
            detail = say(_("It adds its points there."))
            yield Offer(f"sector:{sector.key}", Line(sector.name), detail=detail)

    @answer
    def sector(self, g: Table, seat: str, sector: Place) -> None:
        unit = g.units[self.unit]
        tactics_cards.enter_sector(g, unit, sector)
        self.activated(g, unit)


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-97: from round 2 a controlled sector scores 1 on one's own side and 3 on the enemy's."""

    rule = "TMG-97"
    nothing = _("No sector is controlled: 0 to 0?")
    help_if_nothing = _("If that is wrong, first enter which units are in it.")
    not_due = _("Sectors score from round 2.")

    def tally(self, g: Table) -> clean_up_phase.Tally:
        if not self.is_due(g):
            return []
        holders = tactics_cards.sector_controllers(g)
        return [
            clean_up_phase.Source(
                sector, seat, OWN if _side(sector) == seat else ENEMYS, _("controls a sector")
            )
            for sector in g.sectors()
            if (seat := holders[sector.key])
        ]


class ClearTacticsBoard(clean_up_phase.ClearTacticsBoard):
    """TMG-97: NCUs leave the sectors when the tactics board is emptied."""

    rule = "TMG-97"

    def run(self, g: Table) -> None:
        for unit in g.units.values():
            if not unit.is_combat:
                unit.sector = None
        super().run(g)


def _side(sector: Place) -> str:
    return next(entry["side"] for entry in SECTORS if entry["key"] == sector.key)


MODE = Mode(
    slug="here-we-stand",
    title=_("Here We Stand"),
    summary=_("Four sectors, controlled by army points"),
    first=deployment.Muster,
    steps=(LaySectors, ClaimZone, ScorePoints, ClearTacticsBoard),
    facts={
        "deployment": 0,
        "set_up": [deployment.Muster.name, LaySectors.name, DEPLOYING],
        "objectives": [],
    },
)
