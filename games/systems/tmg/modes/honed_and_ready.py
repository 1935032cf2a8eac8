"""Honed and Ready: five objectives between two castle walls from which arrows fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Mode, Offer, Roll, Term, answer, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Place, Table, Unit
from games.systems.tmg.rules import (
    activation_phase,
    clean_up_phase,
    deployment,
    destruction,
    objective_tokens,
    tactics_cards,
)
from games.systems.tmg.rules.objective_tokens import CENTRE

HITS = 2


class ClaimZone(activation_phase.ClaimZone):
    """TMG-98: the effect of a zone may be swapped for hits on a unit that controls an objective.

    Any objective but the centre; while nobody controls one, there is nobody to shoot at.
    """

    help = _("The zone works at once, or the walls shoot instead. It is yours until the Clean-Up Phase.")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        if not _in_range(g):
            return
        detail = say(
            _(
                "In place of its effect, a unit that controls an objective other than the centre "
                "suffers D3 + 2 hits."
            )
        )
        for zone in tactics_cards.free(g):
            label = say(_("%(zone)s: the walls shoot"), zone=Term(zone.name))
            yield Offer(f"swap:{zone.key}", label, detail=detail, style="quiet")

    @answer
    def swap(self, g: Table, seat: str, zone: Place) -> None:
        unit = g.units[self.unit]
        tactics_cards.swap(g, unit, zone)
        self.activated(g, unit)
        g.call(HowManyHits(unit.player))

    def helping(self, g: Table, seat: str | None) -> Line:
        return super().helping(g, seat) if _in_range(g) else Line(activation_phase.ClaimZone.help)


class HowManyHits(Roll[Table]):
    """TMG-98: the walls hit D3 + 2 times in place of a zone's effect; `seat` claimed the zone and rolls."""

    rule = "TMG-98"
    title = _("How many hits?")
    help = _("A D3, and 2 more: roll it in the app, or enter what you rolled.")
    sides = 3

    seat: str

    def asked(self, g: Table) -> Iterable[str]:
        return (self.seat,)

    def shows(self, g: Table, seat: str, die: int) -> None:
        line = _("A unit that controls an objective other than the centre suffers %(count)s hits.")
        g.say(line, count=HITS + die)
        g.end()


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-98: from round 2 each controlled token scores 1; a unit that scores beside a wall is shot at."""

    rule = "TMG-98"

    def score(self, g: Table, source: clean_up_phase.Source) -> None:
        super().score(g, source)
        if source.place.key != CENTRE and g.tracks("effects"):
            source.place.scored = source.seat


class ScoringEffects(clean_up_phase.ScoringEffects):
    """TMG-98: the unit that scored a token beside a wall suffers D3 + 2 hits; its wounds are noted here.

    `token` is the key of the token whose hits the app has rolled, "" if it has rolled none.
    """

    rule = "TMG-98"
    title = _("The walls shoot")

    token: str = ""

    def ways(self, g: Table, token: Place) -> Iterator[Offer]:
        unit, words = _shot_at(g, token), Term(token.name)
        resolve = Offer(f"resolve:{token.key}", say(_("%(token)s: resolved"), token=words), style="main")
        if unit is None:
            yield resolve
            return
        if self.token not in ("", token.key):
            return
        if not self.token:
            label = say(_("%(token)s: roll D3 + 2 hits"), token=words)
            yield Offer(f"hits:{token.key}", label, style="main")
        if g.tracks("wounds"):
            yield Offer(f"hurt:{token.key}", say(_("%(token)s: wounds"), token=words), 0, unit.wounds)
        else:
            yield resolve

    @answer
    def hits(self, g: Table, seat: str, token: Place) -> None:
        unit = g.units[token.claimed_by or ""]
        g.say(_("%(unit)s suffers %(count)s hits."), unit=unit.name, count=HITS + g.die(3))
        if g.tracks("wounds"):
            g.goto(ScoringEffects(token.key))
        else:
            self.resolved(g, seat, token)

    @answer
    def hurt(self, g: Table, seat: str, token: Place, amount: int) -> None:
        unit = g.units[token.claimed_by or ""]
        self.resolved(g, seat, token)
        if amount:
            destruction.wound(g, unit, amount, None)
        else:
            g.say(_("%(unit)s suffers no wounds."), unit=unit.name)

    @answer
    def resolve(self, g: Table, seat: str, token: Place) -> None:
        unit = _shot_at(g, token)
        if unit is None:
            g.say(_("%(token)s: no unit left to hit."), token=Term(token.name))
        else:
            g.say(_("%(unit)s has been shot at."), unit=unit.name)
        self.resolved(g, seat, token)

    def helping(self, g: Table, seat: str | None) -> Line:
        if not g.tracks("wounds"):
            return Line(_("The unit that scored suffers D3 + 2 hits, which are not an attack."))
        return Line(_("The unit that scored suffers D3 + 2 hits, which are not an attack. Enter its wounds."))


def _in_range(g: Table) -> bool:
    """Whether anybody controls a token that the walls reach."""
    return any(seat and key != CENTRE for key, seat in objective_tokens.controllers(g).items())


def _shot_at(g: Table, token: Place) -> Unit | None:
    """The unit that scored a token and still stands there."""
    unit = g.units.get(token.claimed_by or "")
    return unit if unit is not None and unit.player == token.scored else None


MODE = Mode(
    slug="honed-and-ready",
    title=_("Honed and Ready"),
    summary=_("Five objectives between two castle walls that shoot"),
    first=deployment.Muster,
    steps=(ClaimZone, HowManyHits, ScorePoints, ScoringEffects),
    facts={
        "deployment": 10,
        "set_up": deployment.AS_DRAWN,
        "objectives": objective_tokens.FIVE_TOKENS,
    },
)
