"""Fire & Blood: marked units hit harder and are worth more; there are no objectives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core import Mode, Offer, Step, answer, name_of, say
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import activation_phase, clean_up_phase, deployment, destruction
from games.systems.tmg.rules.moments_of_play import Moment

MARKS = 2


class MarkEnemies(Step[Table]):
    """TMG-96: after deployment, in turns from the First Player, each player marks two enemy units.

    A unit that costs nothing cannot be marked.
    """

    rule = "TMG-96"
    title = _("Mark two enemy units")
    help = _(
        "A marked unit rolls 2 attack dice more and scores 1 more for what it destroys. "
        "Whoever destroys it scores 2 more."
    )

    def asked(self, g: Table) -> Iterable[str]:
        turns = [seat for seat in (g.first, *g.rivals(g.first)) if _may_mark(g, seat)]
        return (min(turns, key=lambda seat: _marked(g, seat)),) if turns else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in _to_mark(g, seat):
            yield Offer(f"mark:{unit.key}", say(_("Mark %(unit)s"), unit=unit.name))

    @answer
    def mark(self, g: Table, seat: str, unit: Unit) -> None:
        unit.marked = True
        g.say(_("%(player)s marks %(unit)s."), player=name_of(g, seat), unit=unit.name)
        g.goto(MarkEnemies)

    def run(self, g: Table) -> None:
        deployment.advance(g)


class Turn(activation_phase.Turn):
    """TMG-96: when the Commander's unit has activated, it may put a Victory Point token on an enemy.

    TMG-24: it may do so out of turn, too.
    """

    def follow(self, g: Table, unit: Unit) -> None:
        if _places_token(unit):
            g.goto(PlacePointToken(unit.key))
        else:
            super().follow(g, unit)

    def out_of_turn(self, g: Table, unit: Unit) -> None:
        super().out_of_turn(g, unit)
        if _places_token(unit):
            g.call(PlacePointToken(unit.key, activation_phase.OUT_OF_TURN))


class PlacePointToken(Moment):
    """TMG-96: the Commander's unit may put a token on an enemy within Long Range, scored by destroying it.

    `unit` is the key of the Commander's unit; `out_of_turn` is `OUT_OF_TURN` if it is not its
    player's turn (TMG-24).
    """

    rule = "TMG-96"
    title = _("Put a Victory Point token on an enemy?")
    help = _("On an enemy within 12 inches of the Commander's unit; whoever destroys it scores 1 more.")

    unit: str
    out_of_turn: str = ""

    def waits_for(self, g: Table) -> Iterable[str]:
        seat = g.units[self.unit].player if self.unit in g.units else ""
        is_asked = seat and g.tracks("conditions") and any(True for _unit in _enemies(g, seat))
        return (seat,) if is_asked else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        for unit in _enemies(g, seat):
            if (
                destruction.counted(unit, destruction.POINT_TOKEN)
                < destruction.COUNTERS[destruction.POINT_TOKEN]
            ):
                yield Offer(f"token:{unit.key}", say(_("On %(unit)s"), unit=unit.name))
        yield Offer("leave", say(_("Skip")), style="quiet")

    @answer
    def token(self, g: Table, seat: str, unit: Unit) -> None:
        destruction.count(g, unit, destruction.POINT_TOKEN, 1)
        self.go_on(g)

    @answer
    def leave(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s puts no token on an enemy."), player=name_of(g, seat))
        self.go_on(g)

    def go_on(self, g: Table) -> None:
        if self.out_of_turn:
            g.end()
        else:
            g.goto(activation_phase.Companions(self.unit))


def _places_token(unit: Unit) -> bool:
    return unit.commander and unit.is_combat


def _enemies(g: Table, seat: str) -> Iterator[Unit]:
    return (unit for unit in g.combat_units(g.rival(seat)) if unit.is_on_table)


def _marked(g: Table, seat: str) -> int:
    return sum(unit.marked for unit in g.combat_units(g.rival(seat)))


def _to_mark(g: Table, seat: str) -> list[Unit]:
    return [unit for unit in _enemies(g, seat) if unit.cost and not unit.marked]


def _may_mark(g: Table, seat: str) -> bool:
    return _marked(g, seat) < MARKS and bool(_to_mark(g, seat))


MODE = Mode(
    slug="fire-and-blood",
    title=_("Fire & Blood"),
    summary=_("No objectives: marked units and what destroys them"),
    first=deployment.Muster,
    steps=(MarkEnemies, Turn, PlacePointToken, destruction.ByWhom, clean_up_phase.ScorePoints),
    facts={
        "deployment": 18,
        "set_up": [*deployment.AS_DRAWN, MarkEnemies.name],
        "objectives": [],
        "marks": True,
    },
)
