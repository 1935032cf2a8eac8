"""A Clash of Kings: two units a side begin, the others wait in Reserve, and destroyed ones return to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Mode, Offer, Term, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import (
    activation_phase,
    clean_up_phase,
    deployment,
    end_of_match,
    objective_tokens,
)
from games.systems.tmg.rules.activation_phase import can_act, somebody_can_act
from games.systems.tmg.rules.moments_of_play import BACK, OfUnit

WEST, EAST = "west", "east"
OPENS = {WEST: EAST, EAST: WEST}
"""The flank that each side's token opens: the opposite one. Sides of the table are absolute (TMG-69)."""

FLANKS = {WEST: _("West flank"), EAST: _("East flank")}
OWN_ZONE = "own-zone"
TOKENS = [
    {"key": "centre", "name": _("Centre")},
    {"key": WEST, "name": _("West"), "effect": _("The player who controls it may deploy at the east flank.")},
    {"key": EAST, "name": _("East"), "effect": _("The player who controls it may deploy at the west flank.")},
]

LYING = _(
    "Lay one token in the centre of the battlefield, West and East at Long Range (12 inches) to "
    "its left and right."
)


class Deploy(deployment.Deploy):
    """TMG-67: each side picks the Combat Units that begin on the table; the others are its Reserve.

    NCUs are never in Reserve, and the Commander need not be among those that deploy.
    """

    rule = "TMG-67"
    title = _("Deploy two Combat Units")

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        chosen, left = _chosen(g, seat), self.to_choose(g, seat)
        if not left:
            yield from super().offers(g, seat)
        for unit in g.combat_units(seat) if self.has_reserve(g, seat) else ():
            if unit.key in chosen:
                yield Offer(
                    f"hold:{unit.key}", say(_("Do not deploy %(unit)s yet"), unit=unit.name), style="quiet"
                )
            elif left:
                yield _deploys(unit)

    @answer
    def deploy(self, g: Table, seat: str, unit: Unit) -> None:
        unit.place = "table"
        g.say(_("%(unit)s will deploy."), unit=unit.name)

    @answer
    def hold(self, g: Table, seat: str, unit: Unit) -> None:
        objective_tokens.withdraw(g, unit)
        unit.place = "unplaced"
        g.say(_("%(unit)s does nothing yet."), unit=unit.name)

    def has_reserve(self, g: Table, seat: str) -> bool:
        """Whether this side holds units back."""
        return True

    def begins_with(self, g: Table, seat: str) -> int:
        """How many Combat Units of a side begin on the table; fewer only if it has fewer."""
        first: int = g.rules["begins_with"]
        return first

    def to_choose(self, g: Table, seat: str) -> int:
        if not self.has_reserve(g, seat):
            return 0
        units = sum(1 for _unit in g.combat_units(seat))
        return max(0, min(self.begins_with(g, seat), units) - len(_chosen(g, seat)))

    def place(self, g: Table, seat: str) -> None:
        for unit in g.combat_units(seat) if self.has_reserve(g, seat) else ():
            if unit.place == "unplaced":
                unit.place = "reserve"
                g.say(_("%(unit)s moves to Reserve."), unit=unit.name)
        super().place(g, seat)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat is None or seat != g.turn or not self.to_choose(g, seat):
            return super().asking(g, seat)
        return say(_("Pick a Combat Unit to deploy: %(count)s more"), count=self.to_choose(g, seat))

    def helping(self, g: Table, seat: str | None) -> Line:
        line = _("Within %(inches)s inches of your battlefield edge; the other Combat Units wait in Reserve.")
        if g.rules.get("fixes_strict"):
            line = _(
                "Within %(inches)s inches of your battlefield edge; the other Combat Units wait "
                "in Reserve. A unit keeps a token only while its tray covers all of it."
            )
        return say(line, inches=g.rules["deployment"])


class Turn(activation_phase.Turn):
    """TMG-68: from round 2 a player may deploy a Combat Unit from Reserve instead of activating one.

    TMG-18: a player who can only deploy may also pass, and is asked again as long as the phase goes on.
    """

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield from super().offers(g, seat)
        if somebody_can_act(g):  # otherwise this seat has passed already, and the phase is over (TMG-19)
            yield from (_deploys(unit) for unit in activation_phase.deployable(g, seat))

    @answer
    def deploy(self, g: Table, seat: str, unit: Unit) -> None:
        g.say(_("%(unit)s is about to arrive."), unit=unit.name)
        g.call(Arrive(unit.key))

    @answer("pass")
    def pass_(self, g: Table, seat: str) -> None:
        if not activation_phase.deployable(g, seat):
            super().pass_(g, seat)
            return
        g.armies[seat].passed = True
        if somebody_can_act(g):  # otherwise what acts now is the round's last activation (TMG-14)
            g.acting = None
        g.say(_("%(player)s leaves the Reserve where it is and passes."), player=name_of(g, seat))
        activation_phase.finish_turn(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.turn and activation_phase.deployable(g, seat):
            return Line(_("Activate or deploy a unit") if can_act(g, seat) else _("Deploy a unit, or pass"))
        return super().asking(g, seat)

    def helping(self, g: Table, seat: str | None) -> Line:
        if not activation_phase.deployable(g, g.turn):
            return super().helping(g, seat)
        if not can_act(g, g.turn):
            return Line(_("Pick one of your units that waits in Reserve."))
        return Line(
            _("Pick one of your units that has not activated this round, or one that waits in Reserve.")
        )


class Arrive(OfUnit):
    """TMG-69: a unit arrives in its own zone and may still activate, or at an open flank, activated.

    A flank is open to the player who controls the token on the opposite side.
    """

    rule = "TMG-69"
    title = _("Where does it arrive?")
    help = _("Wholly inside, at least 1 inch from every enemy Combat Unit.")
    asks = _("Where does %(unit)s arrive?")

    def waits_for(self, g: Table) -> Iterable[str]:
        return (
            (g.turn,) if any(unit.key == self.unit for unit in activation_phase.deployable(g, g.turn)) else ()
        )

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        detail = say(_("It may activate in a later turn."))
        yield Offer(f"arrive:{OWN_ZONE}", say(_("Own deployment zone")), style="main", detail=detail)
        for token, flank in OPENS.items():
            if token in g.objectives and objective_tokens.controller(g, g.objectives[token]) == seat:
                detail = say(_("Within 6 inches of that edge; it counts as activated."))
                yield Offer(f"arrive:{flank}", say(FLANKS[flank]), detail=detail)
        yield BACK

    @answer
    def arrive(self, g: Table, seat: str, where: str) -> None:
        unit = g.units[self.unit]
        activation_phase.come_to_table(g, unit)
        g.acting = None
        if where == OWN_ZONE:
            g.say(_("%(unit)s arrives in its deployment zone."), unit=unit.name)
        else:
            unit.activated = True
            line = _("%(unit)s arrives and counts as activated: %(flank)s.")
            g.say(line, unit=unit.name, flank=Term(FLANKS[where]))
        end_of_match.forget_play_on(g)
        g.end()
        activation_phase.finish_turn(g)


class ScorePoints(clean_up_phase.ScoreTokens):
    """TMG-71: from round 2 each controlled token scores 1, and 1 more if the Commander's unit holds it."""

    rule = "TMG-71"


def _chosen(g: Table, seat: str) -> set[str]:
    return {unit.key for unit in g.combat_units(seat) if unit.place == "table"}


def _deploys(unit: Unit) -> Offer:
    label = say(_("Deploy %(unit)s"), unit=unit.name)
    return Offer(f"deploy:{unit.key}", label, about=f"unit/{unit.key}", style="main")


MODE = Mode(
    slug="a-clash-of-kings",
    title=_("A Clash of Kings"),
    summary=_("Three objectives; two units begin, the others wait in Reserve"),
    first=deployment.Muster,
    steps=(Deploy, Turn, Arrive, ScorePoints),
    facts={
        "deployment": 12,
        "set_up": deployment.AS_DRAWN,
        "objectives": TOKENS,
        "lying": LYING,
        "strict": 1,
        "fixes_strict": True,
        "begins_with": 2,
        "reserve_from": 2,
        "returns": True,
        "commander_bonus": 1,
    },
)
