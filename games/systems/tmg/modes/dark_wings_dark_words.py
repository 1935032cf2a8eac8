"""Dark Wings, Dark Words: three open missions for everybody, one of them replaced each round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Anybody, Line, Mode, Offer, Term, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import DEPLOYING, Place, Table
from games.systems.tmg.rules import clean_up_phase, deployment, end_of_match, missions, objective_tokens
from games.systems.tmg.rules.missions import MISSIONS
from games.systems.tmg.rules.moments_of_play import Moment

OPEN = 3


class OpenMissions(Anybody[Table]):
    """TMG-95: three missions lie face up for everybody; the app draws them, or the players enter them."""

    rule = "TMG-95"
    title = _("Draw three missions")
    help = _("They lie face up for both players.")

    def asked(self, g: Table) -> Iterable[str]:
        return g.seats if len(_open(g)) < OPEN else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("draw", say(_("Draw in the app")), style="main")
        yield from _entered(g)

    @answer
    def draw(self, g: Table, seat: str) -> None:
        while len(_open(g)) < OPEN:
            deck = _deck(g)
            _lay(g, deck[g.chance(len(deck))])

    @answer
    def drawn(self, g: Table, seat: str, key: str) -> None:
        _lay(g, key)
        g.goto(OpenMissions)

    def run(self, g: Table) -> None:
        deployment.advance(g)


class CheckVictory(clean_up_phase.CheckVictory):
    """TMG-95: after the victory check and before the First Player token passes, a mission is replaced."""

    rule = "TMG-95"

    def go_on(self, g: Table) -> None:
        super().go_on(g)
        if g.result is None and _deck(g):
            g.goto(SwapMission)


class SwapMission(Moment, end_of_match.AfterCheck):
    """TMG-95: the First Player draws a mission and replaces one of the three with it.

    `mission` is the key of the one that was drawn, "" before.
    """

    rule = "TMG-95"
    title = _("Replace a mission")
    help = _("The First Player draws one and replaces one of the three with it.")
    part_of = clean_up_phase.CheckVictory

    mission: str = ""

    def waits_for(self, g: Table) -> Iterable[str]:
        return (g.first,)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not self.mission:
            yield Offer("draw", say(_("Draw in the app")), style="main")
            yield from _entered(g)
            return
        yield from (missions.offer("replace", place.key) for place in _open(g))

    @answer
    def draw(self, g: Table, seat: str) -> None:
        deck = _deck(g)
        self.drawn(g, seat, deck[g.chance(len(deck))])

    @answer
    def drawn(self, g: Table, seat: str, key: str) -> None:
        g.say(
            _("%(player)s draws mission %(mission)s."), player=name_of(g, seat), mission=Term(MISSIONS[key])
        )
        g.goto(SwapMission(key))

    @answer
    def replace(self, g: Table, seat: str, gone: Place) -> None:
        g.objectives = {kept: place for kept, place in g.objectives.items() if kept != gone.key}
        g.say(_("%(mission)s is out of play."), mission=Term(gone.name))
        _lay(g, self.mission)
        g.goto(clean_up_phase.RemoveActivations)

    def go_on(self, g: Table) -> None:
        g.goto(clean_up_phase.RemoveActivations)

    def asking(self, g: Table, seat: str | None) -> Line:
        if not self.mission:
            return Line(self.title)
        drawn = Term(MISSIONS[self.mission])
        return say(_("Which mission does %(mission)s replace?"), mission=drawn)


class ScorePoints(missions.EnterPoints):
    """TMG-95: only the open missions score, for each player who meets them."""

    rule = "TMG-95"

    def sources(self, g: Table) -> dict[str, str]:
        return {place.key: place.name for place in _open(g)}


def _open(g: Table) -> list[Place]:
    return [place for place in g.objectives.values() if place.kind == "mission"]


def _deck(g: Table) -> list[str]:
    """The missions that have not been seen yet."""
    return [key for key in MISSIONS if key not in g.facts.get("missions", ())]


def _lay(g: Table, key: str) -> None:
    g.objectives[key] = Place(key, name=MISSIONS[key], kind="mission", order=200 + int(key[1:]))
    g.facts = {**g.facts, "missions": [*g.facts.get("missions", ()), key]}
    g.say(_("Open mission: %(mission)s."), mission=Term(MISSIONS[key]))


def _entered(g: Table) -> Iterator[Offer]:
    yield from (missions.offer("drawn", key) for key in _deck(g))


MODE = Mode(
    slug="dark-wings-dark-words",
    title=_("Dark Wings, Dark Words"),
    summary=_("Three open missions that change round by round"),
    first=deployment.Muster,
    steps=(OpenMissions, CheckVictory, SwapMission, ScorePoints),
    facts={
        "deployment": 6,
        "set_up": [deployment.Muster.name, OpenMissions.name, *deployment.IN_TURNS, DEPLOYING],
        "objectives": objective_tokens.FIVE_TOKENS,
    },
)
