"""A Dance with Dragons: units carry three tokens, slowly; each token does something of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Mode, Offer, Step, Term, answer, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import clean_up_phase, deployment, destruction, objective_tokens

TOKENS = [
    {"key": "objective-a", "name": _("Objective A"), "card": "objective-a"},
    {"key": "objective-b", "name": _("Objective B"), "card": "objective-b"},
    {"key": "objective-c", "name": _("Objective C"), "card": "objective-c"},
]


class Silence(Step[Table]):
    """TMG-91: whoever claims Objective C names an enemy NCU that has no abilities as long as it is carried.

    `token` is the key of the objective.
    """

    rule = "TMG-91"
    title = _("Which enemy NCU has no abilities?")
    help = _("As long as this unit carries the token. The NCU still activates and claims zones.")

    token: str

    def asked(self, g: Table) -> Iterable[str]:
        token = g.objectives.get(self.token)
        unit = g.units.get(token.claimed_by or "") if token is not None else None
        return (unit.player,) if unit is not None and any(True for _ncu in _ncus(g, unit.player)) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in _ncus(g, seat):
            yield Offer(f"silence:{unit.key}", Line(unit.name))

    @answer
    def silence(self, g: Table, seat: str, unit: Unit) -> None:
        token = g.objectives[self.token]
        token.silences = unit.key
        line = _("%(unit)s has no abilities as long as %(token)s is carried.")
        g.say(line, unit=unit.name, token=Term(token.name))
        g.end()

    def run(self, g: Table) -> None:
        g.end()


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-91: from round 2 each token that a unit carries scores 1, and 1 more if it is the Commander's."""

    rule = "TMG-91"


class ScoringEffects(clean_up_phase.ScoringEffects):
    """TMG-91: whoever scores Objective A may make an enemy Combat Unit Vulnerable and Weakened."""

    rule = "TMG-91"
    title = _("Expose an enemy?")
    help = _("One enemy Combat Unit becomes Vulnerable and Weakened.")

    def ways(self, g: Table, token: Place) -> Iterator[Offer]:
        if g.tracks("conditions"):
            for unit in _exposable(g, token.scored or ""):
                yield Offer(f"expose:{token.key}:{unit.key}", Line(unit.name))
        yield Offer(f"resolve:{token.key}", say(_("No enemy")), style="quiet")

    @answer
    def expose(self, g: Table, seat: str, token: Place, unit: Unit) -> None:
        for condition in EXPOSED:
            destruction.gain(g, unit, condition)
        self.resolved(g, seat, token)


EXPOSED = ("vulnerable", "weakened")


def _exposable(g: Table, seat: str) -> Iterator[Unit]:
    """The enemies of a seat that would gain a condition."""
    for unit in g.combat_units(g.rival(seat)):
        if (
            unit.is_on_table
            and not destruction.gains_none(g, unit)
            and not unit.conditions.issuperset(EXPOSED)
        ):
            yield unit


def _ncus(g: Table, seat: str) -> Iterator[Unit]:
    return (unit for unit in g.ncus(g.rival(seat)) if unit.is_on_table)


MODE = Mode(
    slug="a-dance-with-dragons",
    title=_("A Dance with Dragons"),
    summary=_("Three objectives that units carry, and lose when they panic"),
    first=deployment.Muster,
    steps=(ScorePoints, ScoringEffects, Silence, objective_tokens.TakeToken),
    facts={"set_up": deployment.AS_DRAWN, "objectives": TOKENS, "carried": objective_tokens.ENGAGED},
)
