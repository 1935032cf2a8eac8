"""How a match ends, and never by accident: an end that was not scored is asked about first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from games.core import (
    ADJUDICATION,
    CONCESSION,
    TIME_OUT,
    HandEnd,
    Line,
    Offer,
    Step,
    advance,
    answer,
    ends_now,
    name_of,
    others,
    propose,
    result_fields,
    say,
    step_of,
    system,
)
from games.core import gettext_noop as _
from games.systems.tmg.pieces import Table

POINTS, LAST_ROUND, ON_TABLE, DRAW = "points", "last-round", "points-on-table", "draw"
ELIMINATION, HELD_OUT = "elimination", "held-out"

ENDINGS = {
    POINTS: _("by Victory Points"),
    LAST_ROUND: _("by Victory Points after the last round"),
    ON_TABLE: _("by army points still in play after the last round"),
    DRAW: _("tied in everything after the last round"),
    ELIMINATION: _("with no enemy Combat Unit left on the battlefield"),
    HELD_OUT: _("having held the castle to the end"),
    CONCESSION: _("by concession"),
    TIME_OUT: _("as it stood when time was up"),
    ADJUDICATION: _("by adjudication"),
}
"""The ways a match can end, as half sentences after "Red wins" or "A draw"."""


def army_points(g: Table, seat: str) -> int:
    """The points of a seat's army that are on the table, attachments included.

    An attachment counts for the army that brought it, whichever unit it has joined. So does an NCU
    until it is destroyed: it belongs to the army and stands on the table, though beside the
    battlefield. The rules speak of points on the table and say nothing else of NCUs (TMG-84).
    """
    return sum(unit.worth_to(seat) for unit in g.units.values() if unit.is_on_table)


# --- points ------------------------------------------------------------------------------------------


def check_victory(g: Table) -> None:
    """TMG-82: whoever has reached the target and is ahead has won. TMG-83: if level, the match goes on."""
    winner = _at_target(g)
    if winner is not None:
        conclude(g, winner, POINTS)


def after_last_round(g: Table) -> None:
    """TMG-84: most Victory Points, then most army points on the table, then a draw.

    TMG-99: in a siege the Defender wins.
    """
    conclude(g, *_as_it_stands(g))


def conclude(g: Table, winner: str | None, how: str) -> None:
    """The match is over: write down who won, how, and the points as they stand."""
    g.result = result_fields(g, winner, how)
    if winner is None:
        g.say(_("The match ends in a draw."))
    else:
        g.say(_("%(player)s wins the match."), player=name_of(g, winner))


def _at_target(g: Table) -> str | None:
    winner = _ahead(g, g.points)
    return winner if winner is not None and g.points(winner) >= g.rules["target"] else None


def _as_it_stands(g: Table) -> tuple[str | None, str]:
    if g.defender:
        return g.defender, HELD_OUT
    winner = _ahead(g, g.points)
    if winner is not None:
        return winner, LAST_ROUND
    winner = _ahead(g, lambda seat: army_points(g, seat))
    return winner, ON_TABLE if winner else DRAW


def _ahead(g: Table, measure: Callable[[str], int]) -> str | None:
    first, second = sorted(g.seats, key=measure, reverse=True)[:2]
    return first if measure(first) > measure(second) else None


# --- the question before the end -----------------------------------------------------------------------


def eliminated(g: Table) -> tuple[str, ...]:
    """The seats that have no Combat Unit on the table (TMG-85); the Attacker's come back (TMG-99)."""
    standing = {unit.army for seat in g.seats for unit in g.combat_units(seat) if unit.is_on_table}
    return tuple(seat for seat in g.seats if seat not in standing and seat != g.attacker)


def pending(g: Table) -> bool:
    """Whether the table must be asked if this is the end; not twice for the same sides."""
    if g.round == 0 or g.result is not None:
        return False
    gone = sorted(eliminated(g))
    return bool(gone) and gone != g.facts.get("played_on")


def forget_play_on(g: Table) -> None:
    """A side that has Combat Units again will be asked about again."""
    if "played_on" in g.facts and sorted(eliminated(g)) != g.facts["played_on"]:
        g.facts = {key: value for key, value in g.facts.items() if key != "played_on"}


def ask_first(g: Table) -> None:
    """A correction ends nothing by itself: if points would end the match after it, that is asked first."""
    step = step_of(g)
    is_asked = step is None or (isinstance(step, Ending) and step.how == POINTS)
    if not is_asked and (_is_late(g) or ends_now(g)):
        g.call(Ending(POINTS))


def _is_late(g: Table) -> bool:
    """Whether somebody has reached the target after this round's check, and nobody has let that pass yet."""
    game = system(g.system)
    if not any(issubclass(game.step_named(g, question.step), AfterCheck) for question in g.flow):
        return False
    winner = _at_target(g)
    return winner is not None and g.facts.get("let_pass") != [g.round, winner]


class AfterCheck(Step[Table]):
    """A question of the clean-up that comes after the round's check of victory (TMG-76)."""


class Ending(HandEnd[Table]):
    """TMG-85: a side without a Combat Unit on the table has lost, whatever the points; it is asked itself.

    If both sides are gone at once, the players agree on who has won. TMG-86: a time-out or adjudication
    needs the consent of the player who did not note it, a concession that of the seat which concedes.
    TMG-82: points that only a correction has brought so far need that of the seat which loses.

    `how` is the end that somebody has proposed, "" if a side has no Combat Unit left; `who` is the seat
    that concedes, or that wins an adjudication ("" a draw).
    """

    rule = "TMG-85"
    title = _("End the match?")

    how: str = ""
    who: str = ""

    def voters(self, g: Table) -> Iterable[str]:
        if self.how == CONCESSION:
            return (self.who,)
        if self.how == POINTS:
            is_due = _is_late(g) or ends_now(_without_question(g))
            return others(g, self.outcome(g)["winner"]) if is_due else ()
        if self.how == ELIMINATION:
            return g.seats if _all_gone(g) else ()
        if self.how:
            return g.seats
        return others(g, _survivor(g, eliminated(g))) if pending(g) else ()

    def outcome(self, g: Table) -> dict[str, Any]:
        if self.how == POINTS:
            if _is_late(g):
                return result_fields(g, _at_target(g), POINTS)
            ahead = _without_question(g)
            advance(ahead)
            return ahead.result or result_fields(g, None, POINTS)
        if self.how == TIME_OUT:
            return result_fields(g, _as_it_stands(g)[0], TIME_OUT)
        if self.how == CONCESSION:
            return result_fields(g, _survivor(g, (self.who,)), CONCESSION)
        if self.how:
            return result_fields(g, self.who or None, self.how)
        return result_fields(g, _survivor(g, eliminated(g)), ELIMINATION)

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if not self.how and _all_gone(g):
            for winner in g.seats:
                yield Offer(f"wins:{winner}", say(_("%(player)s wins"), player=name_of(g, winner)))
            yield Offer("drawn", say(_("A draw")))
        else:
            style = "plain" if self.waits_in_reserve(g) else "main"
            yield Offer("end-match", say(_("End the match")), style=style)
        if self.how != POINTS or _is_late(g):
            style = "main" if self.waits_in_reserve(g) else "plain"
            yield Offer("play-on", say(_("Play on")), style=style)

    @answer
    def wins(self, g: Table, seat: str, winner: str) -> None:
        g.say(_("%(player)s wins, says %(author)s."), player=name_of(g, winner), author=name_of(g, seat))
        propose(g, Ending(ELIMINATION, winner))

    @answer
    def drawn(self, g: Table, seat: str) -> None:
        g.say(_("A draw, says %(author)s."), author=name_of(g, seat))
        propose(g, Ending(ELIMINATION))

    @answer
    def play_on(self, g: Table, seat: str) -> None:
        if not self.how:
            g.facts = {**g.facts, "played_on": sorted(eliminated(g))}
        elif self.how == POINTS:
            g.facts = {**g.facts, "let_pass": [g.round, _at_target(g)]}
        super().play_on(g, seat)

    def conclude(self, g: Table) -> None:
        """After the check, points decide at once; before it, the match goes on and ends by itself."""
        if self.how == POINTS and not _is_late(g):
            g.end()
        else:
            outcome = self.outcome(g)
            conclude(g, outcome["winner"], outcome["how"])

    def cause(self, g: Table) -> Line:
        if self.how == POINTS:
            winner = _at_target(g)
            line = _("%(player)s has reached the target. End the match?")
            return say(line, player=name_of(g, winner)) if winner else Line(self.title)
        if self.how == CONCESSION:
            return say(_("%(player)s concedes. End the match?"), player=name_of(g, self.who))
        if self.how == TIME_OUT:
            return Line(_("Time is up. End the match with this score?"))
        words = say(_("%(player)s wins"), player=name_of(g, self.who)) if self.who else Line(_("A draw"))
        if self.how == ADJUDICATION:
            return say(_("Adjudication: %(result)s. End the match?"), result=words)
        if self.how == ELIMINATION:
            return say(_("No side has a Combat Unit left: %(result)s. End the match?"), result=words)
        gone = tuple(name_of(g, seat) for seat in eliminated(g))
        return say(_("No Combat Unit left on the battlefield: %(players)s. End the match?"), players=gone)

    def consequence(self, g: Table) -> Line:
        if not self.how and _all_gone(g):
            return Line(_("Both agree on who has won."))
        outcome = self.outcome(g)
        if outcome["how"] == TIME_OUT and _as_it_stands(g)[1] == ON_TABLE:
            line = _("Tied in Victory Points, %(player)s would win by army points still in play.")
            return say(line, player=name_of(g, outcome["winner"]))
        return super().consequence(g)

    def resting_on(self, g: Table) -> str:
        if self.how in (CONCESSION, TIME_OUT, ADJUDICATION):
            return "TMG-86"
        if self.how == POINTS:
            return "TMG-82"
        return "TMG-73" if self.waits_in_reserve(g) else self.rule

    def helping(self, g: Table, seat: str | None) -> Line:
        if self.waits_in_reserve(g):
            line = _("Units remain in Reserve, so you may play on. %(result)s")
            return say(line, result=self.consequence(g))
        return super().helping(g, seat)

    def waits_in_reserve(self, g: Table) -> bool:
        """TMG-73: a side without Combat Units on the table may have its Reserve left."""
        return not self.how and any(g.reserve(seat) for seat in eliminated(g))


def _all_gone(g: Table) -> bool:
    return len(eliminated(g)) == len(g.seats)


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

    A match decided by points may also turn out undecided, and then goes on where it stopped;
    what the players declared stays declared, with the current points.
    """
    if g.result is None:
        return
    result = _decided_again(g, g.result["winner"], g.result["how"])
    if result != g.result:
        g.result = result
        g.say(_("The result is worked out again."))


def _decided_again(g: Table, winner: str | None, how: str) -> dict[str, Any] | None:
    if how in (CONCESSION, ADJUDICATION):
        return result_fields(g, winner, how)
    if how == TIME_OUT:
        return result_fields(g, _as_it_stands(g)[0], how)
    if how == ELIMINATION:
        out = eliminated(g)
        left = winner if len(out) == len(g.seats) else _survivor(g, out)
        return result_fields(g, left, how) if out else None
    ahead = _at_target(g)
    if ahead is not None:
        return result_fields(g, ahead, POINTS)
    return result_fields(g, *_as_it_stands(g)) if g.round >= g.rules["rounds"] else None
