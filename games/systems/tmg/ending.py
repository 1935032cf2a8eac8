"""How a match ends, and that it never ends by accident: what was not scored is asked first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from games.core import engine
from games.core.system import Offer, Step, name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg import reserve
from games.systems.tmg.pieces import COMBAT_KINDS, Table, Unit

POINTS, LAST_ROUND, ON_TABLE, DRAW = "points", "last-round", "points-on-table", "draw"
ELIMINATION, CONCESSION, TIME_OUT, ADJUDICATION = "elimination", "concession", "time-out", "adjudication"

ENDINGS = {
    POINTS: _("by Victory Points"),
    LAST_ROUND: _("by Victory Points after the last round"),
    ON_TABLE: _("by army points on the table after the last round"),
    DRAW: _("level in everything after the last round"),
    ELIMINATION: _("with no enemy Combat Unit left on the table"),
    CONCESSION: _("by concession"),
    TIME_OUT: _("as it stood when time was up"),
    ADJUDICATION: _("by adjudication"),
}
"""The ways a match can end, as half sentences after "Red wins" or "A draw"."""


def army_points(g: Table, seat: str, place: str) -> int:
    """The points of a seat's army that are at a place ("table", "destroyed"), attachments included.

    An attachment counts for the army that brought it, whichever unit it has joined.
    """
    return sum(points_of(unit, seat) for unit in g.units.values() if unit.place == place)


def points_of(unit: Unit, seat: str) -> int:
    """What a unit counts for a seat: its own cost, and that of every attachment that the seat brought."""
    attached = sum(cost for _name, _title, cost, owner in unit.attachments if owner == seat)
    return attached + (unit.cost if unit.army == seat else 0)


# --- points ------------------------------------------------------------------------------------------


def check_victory(g: Table) -> None:
    """TMG-82: whoever has reached the target and is ahead has won. TMG-83: level, the match goes on."""
    winner = _at_target(g)
    if winner is not None:
        conclude(g, winner, POINTS)


def after_last_round(g: Table) -> None:
    """TMG-84: most Victory Points, then most army points on the table, then a draw."""
    conclude(g, *_as_it_stands(g))


def conclude(g: Table, winner: str | None, how: str) -> None:
    """The match is over: write down who won, how, and the points as they stand."""
    g.result = _stated(g, winner, how)
    if winner is None:
        g.say(_("The match ends in a draw."))
    else:
        g.say(_("%(player)s wins the match."), player=name_of(g, winner))


def _stated(g: Table, winner: str | None, how: str) -> dict[str, Any]:
    return {"winner": winner, "how": how, "points": {seat: g.points(seat) for seat in g.seats}}


def _at_target(g: Table) -> str | None:
    winner = _ahead(g, g.points)
    return winner if winner is not None and g.points(winner) >= g.rules["target"] else None


def _as_it_stands(g: Table) -> tuple[str | None, str]:
    winner = _ahead(g, g.points)
    if winner is not None:
        return winner, LAST_ROUND
    winner = _ahead(g, lambda seat: army_points(g, seat, "table"))
    return winner, ON_TABLE if winner else DRAW


def _ahead(g: Table, measure: Callable[[str], int]) -> str | None:
    first, second = sorted(g.seats, key=measure, reverse=True)[:2]
    return first if measure(first) > measure(second) else None


# --- the question before the end -----------------------------------------------------------------------


def eliminated(g: Table) -> tuple[str, ...]:
    """The seats that have no Combat Unit on the table (TMG-85)."""
    standing = {unit.army for unit in g.units.values() if unit.place == "table" and unit.is_combat}
    return tuple(seat for seat in g.seats if seat not in standing)


def pending(g: Table) -> bool:
    """Whether the table has to be asked if this is the end: not twice for the same sides."""
    if g.round == 0 or g.result is not None:
        return False
    left = set(g.armies)
    for unit in g.units.values():
        if unit.army in left and unit.place == "table" and unit.kind in COMBAT_KINDS:
            left.discard(unit.army)
            if not left:
                return False
    return sorted(left) != g.facts.get("played_on")


def forget_play_on(g: Table) -> None:
    """A side that has Combat Units again will be asked about anew."""
    if "played_on" in g.facts and sorted(eliminated(g)) != g.facts["played_on"]:
        g.facts = {key: value for key, value in g.facts.items() if key != "played_on"}


def ask_first(g: Table) -> None:
    """A correction ends nothing by itself: if points would end the match after it, that is asked first."""
    if g.result is None and g.flow and g.question.about[:1] != (POINTS,) and (_is_late(g) or _ends_now(g)):
        g.call(Ending, POINTS)


def _is_late(g: Table) -> bool:
    """Whether somebody has reached the target after this round's check, and nobody has let that pass yet."""
    if not any(question.step == "discard" for question in g.flow):
        return False
    winner = _at_target(g)
    return winner is not None and g.facts.get("let_pass") != [g.round, winner]


def _ends_now(g: Table) -> bool:
    """Whether nothing keeps the match from ending before anybody is asked again."""
    if engine.to_act(g):
        return False
    ahead = g.copy()
    engine.settle(ahead)
    return ahead.result is not None


class Ending(Step):
    """TMG-85: a side without a Combat Unit on the table has lost whatever the points; the table is asked.

    With both sides gone at once the players say who has won. TMG-86: a concession, time-out or
    adjudication that somebody noted waits here to be confirmed, a concession by the seat that concedes.
    TMG-82: so do points that only a correction has brought so far.
    """

    rule = "TMG-85"
    title = _("Is this the end of the match?")

    def asked(self, g: Table) -> Iterable[str]:
        about = g.question.about
        if about == (POINTS,):
            return g.seats if _is_late(g) or _ends_now(_without_question(g)) else ()
        if about:
            return about[1:] if about[0] == CONCESSION else g.seats
        return g.seats if pending(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not g.question.about and len(eliminated(g)) == len(g.seats):
            for winner in g.seats:
                yield Offer(f"wins:{winner}", say(_("%(player)s wins"), player=name_of(g, winner)))
            yield Offer("drawn", say(_("A draw")))
        else:
            style = "plain" if _waits_in_reserve(g) else "main"
            yield Offer("end-match", say(_("End the match")), style=style)
        if g.question.about != (POINTS,) or _is_late(g):
            style = "main" if _waits_in_reserve(g) else "quiet"
            yield Offer("play-on", say(_("Play on")), style=style)

    def end_match(self, g: Table, seat: str) -> None:
        how, *who = g.question.about or (ELIMINATION,)
        if how == POINTS:
            self._points_end(g)
            return
        if how == TIME_OUT:
            winner, _decided = _as_it_stands(g)
        elif how == ADJUDICATION:
            winner = who[0] if who else None
        else:
            winner = _survivor(g, who or eliminated(g))
        conclude(g, winner, how)

    def wins(self, g: Table, seat: str, winner: str) -> None:
        conclude(g, winner, ELIMINATION)

    def drawn(self, g: Table, seat: str) -> None:
        conclude(g, None, ELIMINATION)

    def play_on(self, g: Table, seat: str) -> None:
        if not g.question.about:
            g.facts = {**g.facts, "played_on": sorted(eliminated(g))}
        elif g.question.about == (POINTS,):
            g.facts = {**g.facts, "let_pass": [g.round, _at_target(g)]}
        g.say(_("%(player)s plays on."), player=name_of(g, seat))
        g.end()

    def run(self, g: Table) -> None:
        g.end()

    def asking(self, g: Table, seat: str | None) -> Line:
        how, *who = g.question.about or (ELIMINATION, *eliminated(g))
        if how == POINTS:
            winner = _at_target(g)
            line = _("%(player)s has reached the target: is this the end?")
            return say(line, player=name_of(g, winner)) if winner else Line(self.title)
        names = tuple(name_of(g, seat) for seat in who)
        if how == CONCESSION:
            return say(_("%(player)s concedes: is this the end?"), player=names)
        if how == TIME_OUT:
            return Line(_("Time is up: does the match end as it stands?"))
        if how == ADJUDICATION:
            words = say(_("%(player)s wins"), player=names) if who else Line(_("A draw"))
            return say(_("Adjudication: %(result)s. Is this the end?"), result=words)
        return say(_("No Combat Unit left on the table: %(players)s. Is this the end?"), players=names)

    def helping(self, g: Table, seat: str | None) -> Line:
        if _waits_in_reserve(g):
            return Line(_("Units still wait in Reserve; the rules leave it open whether that is enough."))
        return super().helping(g, seat)

    def _points_end(self, g: Table) -> None:
        """After the check they decide at once, before it the match goes on and ends by itself."""
        g.end()
        if _is_late(g):
            conclude(g, _at_target(g), POINTS)


def _waits_in_reserve(g: Table) -> bool:
    """TMG-73: a side without Combat Units on the table may have its Reserve left."""
    return not g.question.about and any(reserve.waiting(g, seat) for seat in eliminated(g))


def _without_question(g: Table) -> Table:
    outer = g.copy()
    outer.end()
    return outer


def _survivor(g: Table, out: Iterable[str]) -> str | None:
    left = [seat for seat in g.seats if seat not in tuple(out)]
    return left[0] if len(left) == 1 else None


# --- after the end -------------------------------------------------------------------------------------


def recompute(g: Table) -> None:
    """TMG-87: after an organiser's correction of a finished match its result is worked out again.

    What points decided may also turn out undecided, and then the match goes on where it
    stopped; what the players declared stays declared, with the points of now.
    """
    if g.result is None:
        return
    anew = _decided_anew(g, g.result["winner"], g.result["how"])
    if anew != g.result:
        g.result = anew
        g.say(_("The result is worked out again."))


def _decided_anew(g: Table, winner: str | None, how: str) -> dict[str, Any] | None:
    if how in (CONCESSION, ADJUDICATION):
        return _stated(g, winner, how)
    if how == TIME_OUT:
        return _stated(g, _as_it_stands(g)[0], how)
    if how == ELIMINATION:
        out = eliminated(g)
        left = winner if len(out) == len(g.seats) else _survivor(g, out)
        return _stated(g, left, how) if out else None
    ahead = _at_target(g)
    if ahead is not None:
        return _stated(g, ahead, POINTS)
    return _stated(g, *_as_it_stands(g)) if g.round >= g.rules["rounds"] else None
