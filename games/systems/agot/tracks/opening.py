"""Before the first round: the houses gather, and the game is set up by the number of players."""

from __future__ import annotations

from games.core.kit import Silent
from games.core.steps import Offer, Step, answer
from games.core.words import gettext_noop as _
from games.core.words import say
from games.systems.agot.box import SPACE, TRACKS, box, house
from games.systems.agot.pieces import CASTLES, Table
from games.systems.agot.tracks import planning, rounds
from games.systems.agot.tracks.houses import Settled


class Gather(Settled):
    """BASE-02: three to six houses sit down; the game begins when all of them are ready."""

    rule = "BASE-02"
    title = _("Is your house ready?")
    meanwhile = _("Not ready yet: %(house)s")
    help = _(
        "Set up the board as the rulebook says for this number of players. The app begins with "
        "the same numbers."
    )
    answered = _("Your house is ready")
    yes = Offer("ready", say(_("Ready")), style="main")

    @answer
    def ready(self, g: Table, seat: str) -> None:
        g.armies[seat].ready = True
        g.mark_answered(seat)
        g.say(_("%(house)s is ready."), house=house(seat))

    @answer
    def not_yet(self, g: Table, seat: str) -> None:
        g.armies[seat].ready = False
        super().not_yet(g, seat)

    def go_on(self, g: Table) -> None:
        g.goto(Begin)


class Begin(Silent[Table]):
    """BASE-02: tracks, supply, power and victory markers start by the number of players."""

    rule = "BASE-02"
    title = _("The game begins")

    def run(self, g: Table) -> None:
        lay_out(g)
        rounds.begin(g)
        g.goto(planning.Planning)


def lay_out(g: Table) -> None:
    """Put every marker where it starts."""
    players = box()["players"][str(len(g.seats))]
    for track in TRACKS:
        g.set_track(track, players[track])
    for seat in g.seats:
        start, army = box()["houses"][seat], g.armies[seat]
        army.power, army.supply = start["power"], start["supply"]
        g.score(seat, start["castles"], CASTLES)
    g.threat = SPACE


STEPS: tuple[type[Step[Table]], ...] = (Gather, Begin)
