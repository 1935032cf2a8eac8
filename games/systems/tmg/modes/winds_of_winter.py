"""Winds of Winter: missions from a hand that only its owner sees; tokens give nothing by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Line, Mode, Offer, Step, Term, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import DEPLOYING, Side, Table
from games.systems.tmg.rules import activation_phase, deployment, missions, objective_tokens
from games.systems.tmg.rules.missions import FACE_DOWN, MISSIONS
from games.systems.tmg.rules.moments_of_play import Moment, in_order

EVERYBODYS = ("m11", "m12")
CHOSEN = 4
FIRST_MISSION_ROUND = 2


class PickMissions(Step[Table]):
    """TMG-93: each player's hand is missions 11 and 12 and four of their choice; nobody else sees which."""

    rule = "TMG-93"
    title = _("Pick four missions")
    help = _("Missions 11 and 12 are in every hand. Only you see what you pick.")

    def asked(self, g: Table) -> Iterable[str]:
        return [seat for seat in g.seats if g.armies[seat].missions < CHOSEN + len(EVERYBODYS)]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        held = _hand(g, seat)
        left = (key for key in MISSIONS if key not in (*held, *EVERYBODYS))
        yield from (missions.offer("pick", key, is_secret=True) for key in left)

    @answer
    def pick(self, g: Table, seat: str, key: str) -> None:
        held = [*_hand(g, seat), key]
        if len(held) == CHOSEN:
            held += EVERYBODYS
        _hold(g, seat, held)
        g.say(_("%(player)s picks a mission."), player=name_of(g, seat))

    def run(self, g: Table) -> None:
        deployment.advance(g)


class StartOfRound(activation_phase.StartOfRound):
    """TMG-93: from round 2 missions are chosen at the start of the round, before its first turn."""

    rule = "TMG-93"

    def go_on(self, g: Table) -> None:
        if g.round >= FIRST_MISSION_ROUND:
            g.goto(ChooseMission)
        else:
            super().go_on(g)


class ChooseMission(Moment):
    """TMG-93: the First Player first, each chooses a mission and reveals it.

    TMG-94: if missions stay face down, both choose at once and they are revealed when the round scores.
    """

    rule = "TMG-93"
    title = _("Choose this round's mission")
    help = _("It stays hidden until it is revealed; then either player may score it.")

    def waits_for(self, g: Table) -> Iterable[str]:
        if g.rules["face_down"]:
            return [seat for seat in in_order(g) if _may_choose(g.armies[seat])]
        waiting = [seat for seat in in_order(g) if _may_choose(g.armies[seat]) or _is_hidden(g.armies[seat])]
        return waiting[:1]

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if _is_hidden(g.armies[seat]):
            yield Offer("reveal", say(_("Reveal the mission")), style="main")
            yield Offer("again", say(_("Choose another")), style="quiet")
            return
        yield from (missions.offer("choose", key, is_secret=True) for key in _hand(g, seat))

    @answer
    def choose(self, g: Table, seat: str, key: str) -> None:
        _hold(g, seat, [held for held in _hand(g, seat) if held != key])
        g.hide(seat, "mission", key)
        g.armies[seat].mission = FACE_DOWN
        g.say(_("%(player)s chooses a mission."), player=name_of(g, seat))

    @answer
    def again(self, g: Table, seat: str) -> None:
        key = g.armies[seat].hidden["mission"]
        _hold(g, seat, [*_hand(g, seat), key])
        g.hide(seat, "mission", None)
        g.armies[seat].mission = ""
        g.say(_("%(player)s will choose another mission."), player=name_of(g, seat))

    @answer
    def reveal(self, g: Table, seat: str) -> None:
        _turn_up(g, seat)

    def go_on(self, g: Table) -> None:
        activation_phase.begin_first_turn(g)


class ScorePoints(missions.EnterPoints):
    """TMG-93: either player may score either revealed mission; then both are discarded.

    Each mission that was revealed may score, so one that both have revealed does so once for each card.
    """

    rule = "TMG-93"
    help = _("Either player may score either mission, as its card says. Then tap Done.")

    def sources(self, g: Table) -> dict[str, str]:
        shown = [side.mission for side in g.armies.values() if side.mission not in ("", FACE_DOWN)]
        return {key: MISSIONS[key] for key in shown}

    def times(self, g: Table, key: str) -> int:
        return sum(side.mission == key for side in g.armies.values())

    def is_confirmed(self, g: Table) -> bool:
        return bool(_face_down(g)) or super().is_confirmed(g)

    def waits_for(self, g: Table) -> Iterable[str]:
        return () if _face_down(g) else super().waits_for(g)

    def helping(self, g: Table, seat: str | None) -> Line:
        if any(self.times(g, key) > 1 for key in self.sources(g)):
            return Line(_("Both revealed the same mission: each of the two cards may score. Then tap Done."))
        return super().helping(g, seat)

    def go_on(self, g: Table) -> None:
        if _face_down(g):
            for seat in _face_down(g):
                _turn_up(g, seat)
            g.goto(ScorePoints)
            return
        for side in g.armies.values():
            side.mission = ""
        super().go_on(g)


def _hand(g: Table, seat: str) -> list[str]:
    """The missions that a seat holds; empty for a reader who may not see them."""
    return list(g.armies[seat].hidden.get("missions") or ())


def _hold(g: Table, seat: str, keys: list[str]) -> None:
    g.hide(seat, "missions", sorted(keys, key=list(MISSIONS).index))
    g.armies[seat].missions = len(keys)


def _may_choose(side: Side) -> bool:
    return bool(side.missions) and not side.mission


def _is_hidden(side: Side) -> bool:
    return side.mission == FACE_DOWN


def _face_down(g: Table) -> list[str]:
    return [seat for seat in in_order(g) if _is_hidden(g.armies[seat])]


def _turn_up(g: Table, seat: str) -> None:
    key = g.reveal(seat, "mission")
    g.armies[seat].mission = key
    g.say(_("%(player)s reveals mission %(mission)s."), player=name_of(g, seat), mission=Term(MISSIONS[key]))


MODE = Mode(
    slug="winds-of-winter",
    title=_("Winds of Winter"),
    summary=_("Secret hands of missions; only missions score"),
    first=deployment.Muster,
    steps=(PickMissions, StartOfRound, ChooseMission, ScorePoints),
    facts={
        "deployment": 6,
        "set_up": [deployment.Muster.name, PickMissions.name, *deployment.IN_TURNS, DEPLOYING],
        "objectives": objective_tokens.FIVE_TOKENS,
        "face_down": 0,
    },
)
