"""Who sets up where: the rolls for zones, who deploys and who begins, and the deployment itself.

A ruleset names the steps that it takes: in the older one the player who did not pick a zone is
First Player, in the later one that player says who is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.kit import RollOff
from games.core.steps import Offer, Step, answer
from games.core.system import name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules.layout import tokens, where_first
from games.systems.tmg.rules.setup import advance

CHOSEN = "chosen"
"""The value of `first_player` in rulesets where the player who did not pick a zone says who is First."""


DEPLOYS = "deploys"
"""The fact of a match that says who deploys first, if that was chosen."""


def is_chosen(g: Table) -> bool:
    """Whether the First Player is chosen instead of following from who picks a zone."""
    return g.rules.get("first_player") == CHOSEN


def _deploys_first(g: Table) -> str:
    return g.facts.get(DEPLOYS) or g.rival(g.first)


class TerrainRoll(RollOff[Table]):
    """TMG-101: where the ruleset says so, the higher roll places the first piece of terrain."""

    rule = "TMG-101"
    title = _("Who places the first piece of terrain?")
    help = _("Each player rolls a die; re-roll ties.")

    def won(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s places the first piece of terrain."), player=name_of(g, seat))
        advance(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        return where_first(g, self.name, Line(self.help))


class ZoneRoll(RollOff[Table]):
    """TMG-03: the higher roll picks a deployment zone, or lets the other pick."""

    rule = "TMG-03"
    title = _("Who picks a deployment zone?")
    help = _("Each player rolls a die; re-roll ties. The player who does not pick a zone is First Player.")

    def won(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s wins the roll."), player=name_of(g, seat))
        g.turn = seat
        advance(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        words = Line(_("The winner says who picks a zone.") if is_chosen(g) else self.help)
        return where_first(g, self.name, words)


class PickZone(Step[Table]):
    """TMG-03, TMG-04: the winner picks a zone or passes the pick; the other is First Player."""

    rule = "TMG-03"
    title = _("Pick a deployment zone?")
    help = _("The player who picks deploys first; the opponent is First Player.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("pick-zone", say(_("Pick a zone")), style="main")
        yield Offer("pass-pick", say(_("Let the other pick")))

    @answer
    def pick_zone(self, g: Table, seat: str) -> None:
        self._picks(g, seat)

    @answer
    def pass_pick(self, g: Table, seat: str) -> None:
        self._picks(g, g.rival(seat))

    def _picks(self, g: Table, seat: str) -> None:
        g.turn = seat
        if is_chosen(g):
            g.say(_("%(player)s picks a zone."), player=name_of(g, seat))
        else:
            g.first = g.rival(seat)
            g.say(_("%(player)s picks a zone and deploys first."), player=name_of(g, seat))
            g.say(_("%(player)s is First Player."), player=name_of(g, g.first))
        advance(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        return (
            Line(self.title)
            if seat == g.turn
            else say(_("%(player)s may pick a zone"), player=name_of(g, g.turn))
        )

    def helping(self, g: Table, seat: str | None) -> Line:
        if is_chosen(g):
            return Line(
                _("The player who picks says who deploys first; the opponent says who has the first turn.")
            )
        return Line(self.help)


class DeployOrder(Step[Table]):
    """TMG-03: where the ruleset says so, the player who picked a zone says who deploys first."""

    rule = "TMG-03"
    title = _("Who deploys first?")
    help = _("The player who picked a zone decides it.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for player in g.seats:
            yield Offer(f"deploys:{player}", say(_("%(player)s deploys first"), player=name_of(g, player)))

    @answer
    def deploys(self, g: Table, seat: str, player: str) -> None:
        g.facts = {**g.facts, DEPLOYS: player}
        g.say(_("%(player)s deploys first."), player=name_of(g, player))
        advance(g)


class FirstTurn(Step[Table]):
    """TMG-03: where the ruleset says so, the player who did not pick a zone says who begins round 1."""

    rule = "TMG-03"
    title = _("Who has the first turn?")
    help = _("The player who did not pick a zone decides it.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.rival(g.turn),)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for player in g.seats:
            yield Offer(f"begins:{player}", say(_("%(player)s is First Player"), player=name_of(g, player)))

    @answer
    def begins(self, g: Table, seat: str, player: str) -> None:
        g.first, g.turn = player, _deploys_first(g)
        g.say(_("%(player)s is First Player."), player=name_of(g, player))
        advance(g)


class Deploy(Step[Table]):
    """TMG-04: both sides deploy within the mode's depth, the one who picked the zone first."""

    rule = "TMG-04"
    title = _("Deploy your army")
    help = _("All your units, within the deployment zone.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,) if g.turn else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("deployed", say(_("All deployed")), style="main")

    @answer
    def deployed(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s has deployed."), player=name_of(g, seat))
        self.place(g, seat)
        g.turn = g.rival(seat) if seat == _deploys_first(g) else ""
        g.goto(Deploy)

    def place(self, g: Table, seat: str) -> None:
        """Put a side's units on the table once it has deployed; modes may hold some back."""
        for unit in g.units_of(seat):
            if unit.place == "unplaced":
                unit.place = "table"

    def run(self, g: Table) -> None:
        advance(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.turn or not g.turn:
            return Line(self.title)
        return say(_("%(player)s deploys"), player=name_of(g, g.turn))

    def helping(self, g: Table, seat: str | None) -> Line:
        inches = g.rules["deployment"]
        if not inches:
            return Line(_("All your units, where your mode's map says."))
        if g.rules["strict"] and tokens(g):
            line = _(
                "All your units, within %(inches)s inches of your battlefield edge. Strict overlap is played."
            )
            return say(line, inches=inches)
        return say(_("All your units, within %(inches)s inches of your battlefield edge."), inches=inches)


STEPS: tuple[type[Step[Table]], ...] = (TerrainRoll, ZoneRoll, PickZone, DeployOrder, FirstTurn, Deploy)
