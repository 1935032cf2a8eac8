"""A Storm of Swords: the Attacker storms three Castle Walls; the Defender wins by holding out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Mode, Offer, Step, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.list_entries import full_name, take_off
from games.systems.tmg.modes import a_clash_of_kings
from games.systems.tmg.pieces import ATTACKER, DEPLOYING, WALL, Table, Unit
from games.systems.tmg.rules import activation_phase, deployment, destruction, end_of_match
from games.systems.tmg.rules.activation_phase import acted
from games.systems.tmg.rules.moments_of_play import Moment

WALLS = ("Castle Wall", "Castle Wall 2", "Castle Wall 3")
"""The walls by the name on their card, numbered like any units with the same name."""


class SiegeRoll(deployment.SetUpRoll):
    """TMG-99: the higher roll chooses who attacks and who defends."""

    rule = "TMG-99"
    title = _("Who chooses to attack or to defend?")
    help = _("Each player rolls a die; re-roll ties.")


class ChooseRole(Step[Table]):
    """TMG-99: the winner attacks or defends; then the Castle Walls stand and both draw their Siege cards."""

    rule = "TMG-99"
    title = _("Attack or defend?")
    help = _("Only the Attacker scores. The Defender wins by holding out to the end of the last round.")

    def asked(self, g: Table) -> Iterable[str]:
        return (g.turn,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        attack = say(
            _("Your destroyed units come back each round; a Castle Wall scores %(points)s."),
            points=g.rules["wall_points"],
        )
        yield Offer("attack", say(_("Attack")), detail=attack)
        hold = say(
            _("Half of your Combat Units wait in Reserve until round %(round)s."),
            round=g.rules["reserve_from"],
        )
        yield Offer("defend", say(_("Defend")), detail=hold)

    @answer
    def attack(self, g: Table, seat: str) -> None:
        _begin(g, seat)

    @answer
    def defend(self, g: Table, seat: str) -> None:
        _begin(g, g.rival(seat))

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat == g.turn:
            return Line(self.title)
        return say(_("%(player)s chooses to attack or to defend"), player=name_of(g, g.turn))


class Deploy(a_clash_of_kings.Deploy):
    """TMG-99: half of the Defender's Combat Units, rounded up, wait in Reserve; the Attacker deploys all."""

    rule = "TMG-99"
    title = _("Deploy your army")

    def has_reserve(self, g: Table, seat: str) -> bool:
        return seat != g.attacker

    def begins_with(self, g: Table, seat: str) -> int:
        return sum(1 for _unit in g.combat_units(seat)) // 2

    def helping(self, g: Table, seat: str | None) -> Line:
        if g.turn == g.attacker:
            line = _("All your units, within %(inches)s inches of your battlefield edge.")
            return say(line, inches=g.rules["attack_deployment"])
        return super().helping(g, seat)


class StartOfRound(activation_phase.StartOfRound):
    """TMG-99: what the Attacker has lost comes back at the start of a round, before its first turn."""

    rule = "TMG-99"

    def go_on(self, g: Table) -> None:
        g.goto(Redeploy)


class Redeploy(Moment):
    """TMG-99: the Attacker may redeploy destroyed Combat Units anywhere in the deployment zone.

    Characters stay destroyed: attachments with a sub-title, and solo units that have one.
    """

    rule = "TMG-99"
    title = _("Redeploy what was destroyed?")
    help = _("Anywhere in your deployment zone, with all its wounds. Characters stay destroyed.")

    def waits_for(self, g: Table) -> Iterable[str]:
        seat = g.attacker
        return (seat,) if seat and _fallen(g, seat) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        fallen = _fallen(g, seat)
        if len(fallen) > 1:
            yield Offer("redeploy-all", say(_("Redeploy all of them")), style="main")
        for unit in fallen:
            style = "plain" if len(fallen) > 1 else "main"
            yield Offer(f"redeploy:{unit.key}", say(_("Redeploy %(unit)s"), unit=unit.name), style=style)
        yield Offer("leave", say(_("No more units")), style="quiet")

    @answer
    def redeploy(self, g: Table, seat: str, unit: Unit) -> None:
        _come_back(g, unit)

    @answer
    def redeploy_all(self, g: Table, seat: str) -> None:
        for unit in _fallen(g, seat):
            _come_back(g, unit)

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s redeploys no more units."), player=name_of(g, seat))
        self.go_on(g)

    def go_on(self, g: Table) -> None:
        activation_phase.begin_first_turn(g)


class Turn(a_clash_of_kings.Turn):
    """TMG-99: from round 3 a unit of the Reserve may come in at a flank and activate, in one turn."""

    rule = "TMG-99"

    @answer
    def deploy(self, g: Table, seat: str, unit: Unit) -> None:
        activation_phase.come_to_table(g, unit)
        line = _("%(unit)s comes in wholly within 6 inches of a flank edge and activates.")
        g.say(line, unit=unit.name)
        acted(g, unit)
        end_of_match.forget_play_on(g)
        self.follow(g, unit)


def _begin(g: Table, attacker: str) -> None:
    """The sides are chosen: the walls stand, and each player has drawn from their Siege deck."""
    defender = g.rival(attacker)
    g.facts = {**g.facts, ATTACKER: attacker}
    g.say(
        _("%(player)s attacks, %(rival)s defends."), player=name_of(g, attacker), rival=name_of(g, defender)
    )
    set_up_walls(g, defender)
    g.say(g.rules["lying"])
    for side in g.armies.values():
        side.siege_cards = g.rules["siege_cards"]
    g.say(_("Each player draws %(count)s cards from their own Siege deck."), count=g.rules["siege_cards"])
    deployment.advance(g)


def set_up_walls(g: Table, seat: str) -> None:
    """The Defender's Castle Walls stand before anybody deploys."""
    for number, called in enumerate(WALLS):
        key = f"wall-{number + 1}"
        g.units[key] = Unit(
            key,
            seat,
            called,
            kind=WALL,
            place="table",
            order=100 + number,
            wounds=g.rules["wall_wounds"],
            wounds_total=g.rules["wall_wounds"],
            gains_no_conditions=True,
            grants_no_vp=True,
            extra_vp=g.rules["wall_points"],
        )


def _fallen(g: Table, seat: str) -> list[Unit]:
    units = (unit for unit in g.combat_units(seat) if unit.place == "destroyed")
    return [unit for unit in units if not (unit.kind == "solo" and unit.title)]


def _come_back(g: Table, unit: Unit) -> None:
    """A destroyed unit is back, without the characters that were with it."""
    for attachment in [each for each in unit.attachments if each[1]]:
        take_off(g, unit, attachment)
        unit.lost = (*unit.lost, attachment)
        unit.commander &= full_name(attachment) != g.armies[unit.army].commander
        g.say(_("%(attachment)s is lost for good."), attachment=attachment[0])
    destruction.bring_back(g, unit)


MODE = Mode(
    slug="a-storm-of-swords",
    title=_("A Storm of Swords"),
    summary=_("A siege: the Attacker storms three walls, the Defender holds out"),
    first=deployment.Muster,
    steps=(SiegeRoll, ChooseRole, Deploy, StartOfRound, Redeploy, Turn),
    facts={
        "set_up": [deployment.Muster.name, SiegeRoll.name, ChooseRole.name, DEPLOYING],
        "objectives": [],
    },
)
