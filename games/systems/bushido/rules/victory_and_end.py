"""Victory Points and Very Important Models, and how a match ends with them.

It ends only in the End phase, and never without a tap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from games.core import (
    ADJUDICATION,
    BY_HAND,
    CONCESSION,
    TIME_OUT,
    HandEnd,
    Line,
    Offer,
    Together,
    answer,
    name_of,
    others,
    result_fields,
    say,
)
from games.core import ENDINGS as USUAL
from games.core import gettext_noop as _
from games.systems.bushido.pieces import REMOVED, Table
from games.systems.bushido.rules import scenarios, turn_sequence, wounds_and_ki
from games.systems.bushido.rules.scenarios import CHECKS, FRIENDLY, NOMINATED, POINTS, SLAIN, Check

# --- Victory Points ----------------------------------------------------------------------------------

NOBODY = "nobody"


def due(g: Table) -> list[tuple[int, Check]]:
    checks = enumerate(scenarios.of(g).checks)
    due_now = (each for each in checks if each[1].is_due(g.round, is_final=g.is_final))
    return [(at, check) for at, check in due_now if not _is_given(g, check)]


def _is_given(g: Table, check: Check) -> bool:
    """BUSH-22: whether a check of any turn has given its one Victory Point."""
    return check.turn == "any" and any(score.reason == CHECKS[check.by] for score in g.scores.values())


def next_check(g: Table) -> str:
    """What the next Victory Point is given for; "" if none is to come."""
    for check in scenarios.of(g).checks:
        is_to_come = int(check.turn) >= g.round if check.turn.isdigit() else not _is_given(g, check)
        if is_to_come:
            return check.by
    return ""


def available(g: Table) -> int:
    return len(scenarios.of(g).checks)


def scored(g: Table) -> int:
    return sum(g.points(seat) for seat in g.seats)


def is_all_given(g: Table) -> bool:
    """Whether no Victory Point is left to be given, after corrections perhaps before the last check."""
    return scored(g) >= available(g)


def by_hand(g: Table, seats: Iterable[str]) -> int:
    """How many Victory Points corrections have given these seats, less those that they have taken."""
    by_hand = (score for score in g.scores.values() if score.reason == BY_HAND)
    return sum(score.points for score in by_hand if score.seat in seats)


def given_as_last(g: Table) -> list[tuple[str, str]]:
    """Who was given what in this turn because it is the last: a seat and what the check is for, each."""
    made = [check.by for at, check in _last_checks(g) if (g.round, at) in g.checked]
    return [
        given
        for by in dict.fromkeys(made)
        for seat in g.seats
        for given in [(seat, by)] * min(made.count(by), _given_now(g, seat, by))
    ]


def take_back_last(g: Table) -> None:
    """BUSH-20: this turn is not the last, so what the last turn gives is taken back and checked again."""
    for seat, by in given_as_last(g):
        g.score(seat, -1, CHECKS[by])
        line = _("%(player)s loses the Victory Point of the last turn. The match continues.")
        g.say(line, player=name_of(g, seat))
    again = {(g.round, at) for at, _check in _last_checks(g)}
    g.checked = tuple(made for made in g.checked if made not in again)


def _last_checks(g: Table) -> list[tuple[int, Check]]:
    return [(at, check) for at, check in enumerate(scenarios.of(g).checks) if check.turn == "last"]


def _given_now(g: Table, seat: str, by: str) -> int:
    now = (g.round, seat, CHECKS[by])
    return sum(score.points for score in g.scores.values() if (score.round, score.seat, score.reason) == now)


def reset_points(g: Table) -> None:
    """BUSH-31: Scenario Points start over; those scored before still break the ties of a tournament."""
    g.reset_points = tuple((seat, scenario_points_scored(g, seat)) for seat in g.seats)
    for army in g.armies.values():
        army.scenario_points = 0


def scenario_points_scored(g: Table, seat: str) -> int:
    """The Scenario Points that a seat has scored in this match, also those that resets have taken."""
    return g.armies[seat].scenario_points + dict(g.reset_points).get(seat, 0)


def ahead(g: Table, by: str) -> str:
    """Who is ahead in a check: a seat, `NOBODY`, or "" for what only players can see.

    BUSH-23: once a warband has no model on the battlefield, only the other's VIM can be nearest to anything.
    """
    if by in (POINTS, FRIENDLY):
        counts = {seat: count(g, seat, by) for seat in g.seats}
        first, second = sorted(g.seats, key=lambda seat: counts[seat], reverse=True)
        return first if counts[first] > counts[second] else NOBODY
    if by == SLAIN:
        fallen = slain(g)
        return g.rival(fallen[0]) if len(fallen) == 1 else NOBODY
    left = [seat for seat in g.seats if g.on_table(seat)]
    return "" if len(left) == len(g.seats) else next((seat for seat in left if _has_vim(g, seat)), NOBODY)


def _has_vim(g: Table, seat: str) -> bool:
    vim = g.units.get(g.armies[seat].vim)
    return vim is not None and vim.is_on_table


def count(g: Table, seat: str, by: str) -> int:
    return g.armies[seat].scenario_points if by == POINTS else scenarios.friendly(g, seat)


def slain(g: Table) -> list[str]:
    vims = {seat: g.units.get(g.armies[seat].vim) for seat in g.seats}
    return [seat for seat, unit in vims.items() if unit is not None and unit.place == REMOVED]


def tallied(g: Table, seat: str) -> dict[str, int]:
    """What a tournament ranks a seat by: points, and the turn in which the enemy's VIM fell, if it has."""
    numbers = {"vp": g.points(seat), "scenario": scenario_points_scored(g, seat)}
    fell = dict(g.fallen).get(g.armies[g.rival(seat)].vim)
    return numbers if fell is None else {**numbers, "vim": max(1, fell)}


# --- Very Important Models ---------------------------------------------------------------------------


def kind_of_vim(g: Table) -> str:
    """How this match names its VIMs; "" if there are none."""
    return g.rules.get("vim") or scenarios.of(g).vim


def known_vim(g: Table, seat: str) -> str:
    """The key of a side's VIM, "?" while that is hidden, "" for none, as after it has left and returned."""
    key = g.armies[seat].vim
    return "" if key in g.units and wounds_and_ki.has_returned(g, g.units[key]) else key


def vim_owner(g: Table, seat: str) -> str:
    return g.rival(seat) if kind_of_vim(g) == NOMINATED else seat


def reveal_vims(g: Table) -> None:
    for seat in g.seats:
        if "vim" in g.armies[seat].hidden:
            reveal_vim(g, seat)


def reveal_vim(g: Table, seat: str) -> None:
    key = g.reveal(seat, "vim")
    g.armies[seat].vim = key
    called = g.units[key].name if key in g.units else key
    g.say(_("%(model)s is the VIM of %(player)s."), model=called, player=name_of(g, seat))


# --- the end of the match ----------------------------------------------------------------------------

LAST_TURN, ALL_SCORED, WIPED_OUT, BOTH_OUT = "last-turn", "all-scored", "wiped-out", "both-out"
NEITHER = "neither"
CLOCK = "clock"
ENDINGS = {
    **USUAL,
    LAST_TURN: _("by Victory Points after the last turn"),
    ALL_SCORED: _("by Victory Points, all of them scored"),
    WIPED_OUT: _("by Victory Points, one warband wiped out"),
    BOTH_OUT: _("by Victory Points, both warbands wiped out"),
    NEITHER: _("neither VIM was slain first, which is a loss for both"),
    CONCESSION: _("by concession"),
    CLOCK: _("by the clock"),
}
"""The ways a match can end, as half sentences after "Red wins", "A draw" or "Both lose"."""


def wiped_out(g: Table) -> list[str]:
    return [seat for seat in g.seats if not any(True for _unit in g.on_table(seat))]


def waits(g: Table, seat: str) -> bool:
    """Whether a seat without models on the table may yet get some: Elsewhere, or controlled by the enemy."""
    own = any(unit.is_in_play and unit.army == seat for unit in g.units.values())
    return own or any(True for _unit in g.warband(seat))


def reason(g: Table) -> str:
    """Why the match would end in this End phase; "" if it goes on.

    An end that only a correction has brought takes the place of no other.
    """
    reasons = list(_reasons(g))
    return next((why for why in reasons if not _is_called(g, why)), reasons[0] if reasons else "")


def _reasons(g: Table) -> Iterator[str]:
    if g.is_final:
        yield LAST_TURN
    if is_all_given(g):
        yield ALL_SCORED
    if scenarios.of(g).is_duel and slain(g):
        yield NEITHER
    if g.time_is_up:
        yield TIME_OUT
    gone = wiped_out(g)
    if gone and g.played_on != (g.round, *gone):
        yield BOTH_OUT if len(gone) == len(g.seats) else WIPED_OUT


def plays_turn_out(g: Table) -> bool:
    """Whether the turn is played to its end once time is up; the duel, which lasts an hour, ends at once."""
    return not scenarios.of(g).is_duel


def decide_last(g: Table, is_last: bool) -> None:
    """BUSH-02: the die, or the number of turns, has decided whether this turn is the last."""
    g.is_final = g.is_last_by_rule = is_last


def is_by_hand(g: Table) -> bool:
    """Whether only a correction has brought the end: a turn called the last, Victory Points by hand."""
    return _is_called(g, reason(g))


def _is_called(g: Table, why: str) -> bool:
    if why == ALL_SCORED:
        called = 0 if g.is_last_by_rule else len(given_as_last(g))
        return scored(g) - by_hand(g, g.seats) - called < available(g)
    return why == LAST_TURN and not g.is_last_by_rule


def is_called_off(g: Table) -> bool:
    """Whether only a correction says that this turn, the last by its die or its number, is not the last."""
    return g.is_last_by_rule and not g.is_final


class StillLast(Together[Table]):
    """BUSH-21: a correction takes nobody's last turn away: both agree that it is not the last, or it is."""

    rule = "BUSH-21"
    title = _("Is this the last turn?")
    help = _(
        "The die or turn number says yes; a correction says no. It stays the last turn unless both agree."
    )

    def waiting(self, g: Table) -> tuple[str, ...]:
        return super().waiting(g) if is_called_off(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("last", say(_("This is the last turn")), style="main")
        yield Offer("agree", say(_("The match continues after it")))

    @answer
    def last(self, g: Table, seat: str) -> None:
        g.is_final = True
        g.say(_("This is the last turn."))

    @answer
    def agree(self, g: Table, seat: str) -> None:
        g.mark_answered(seat)
        g.say(_("%(player)s agrees."), player=name_of(g, seat))

    def go_on(self, g: Table) -> None:
        g.is_last_by_rule = g.is_final
        g.goto(turn_sequence.Checks)


class Closing(HandEnd[Table]):
    """BUSH-21, BUSH-22, BUSH-23: the match ends with its final turn, with its last Victory Point, or with
    a side that has no model on the table; always here, after what was due has been scored.

    Either player ends a match that the rules have ended, so nobody holds that up. Models Elsewhere or
    Controlled by the opponent are not on the table for their warband: if there are any, both players together
    may play on. Who would lose agrees to an end that only a correction has brought, and where corrected
    points decide who wins. BUSH-36: a clock that somebody says has run out,
    a time-out and an adjudication need the other player's consent, a concession that of who concedes. After a
    time-out the turn is played to its end: matches end in the End phase. If there is time again by then, both
    may play on.

    `how` is the end that somebody has proposed, "" for the one that is due; `who` is the seat that it is
    about: the one that concedes, whose clock it is, or that wins an adjudication.
    """

    how: str = ""
    who: str = ""

    rule = "BUSH-21"
    title = _("The match ends")
    help = _("Check the score once more. Then it is final.")

    def voters(self, g: Table) -> Iterable[str]:
        if self.how == CONCESSION:
            return (self.who,)
        if not self.how and self._is_asked(g):
            return others(g, leader(g))
        return g.seats if self.how or reason(g) else ()

    def outcome(self, g: Table) -> dict[str, Any]:
        if self.how == CONCESSION:
            return result_fields(g, g.rival(self.who), CONCESSION)
        if self.how == CLOCK:
            return _run_out(g, self.who)
        if self.how == ADJUDICATION:
            return result_fields(g, self.who or None, ADJUDICATION)
        if scenarios.of(g).is_duel and not scored(g):
            return result_fields(g, None, NEITHER)
        return result_fields(g, leader(g), self.how or reason(g))

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        if self.how or is_by_hand(g):
            yield from super().offers(g, seat)
        else:
            yield Offer("end-match", say(_("End the match")), style="main", detail=both(g, g.points))
            if self._may_go_on(g) and g.armies[seat].ends != PLAY_ON.action:
                yield PLAY_ON

    def _is_asked(self, g: Table) -> bool:
        """Whether those who would lose agree to the end; one by the rules comes with anybody's tap."""
        return bool(reason(g)) and (is_by_hand(g) or _is_decided_by_hand(g))

    def _may_go_on(self, g: Table) -> bool:
        """Whether all who are asked may play on together: after a time-out, or if models may return."""
        return not self.how and (reason(g) == TIME_OUT or _may_return(g))

    @answer
    def end_match(self, g: Table, seat: str) -> None:
        if self.how or self._is_asked(g):
            super().end_match(g, seat)
        else:
            self.finish(g)

    def conclude(self, g: Table) -> None:
        if self.how == TIME_OUT and plays_turn_out(g):
            g.time_is_up = True
            g.say(_("The match ends with this turn."))
            g.end()
            return
        outcome = self.outcome(g)
        for seat, points in outcome["points"].items():
            for _point in range(points - g.points(seat)):
                g.score(seat, 1, _("the opponent's time ran out"))
        conclude(g, outcome["winner"], outcome["how"])

    @answer
    def play_on(self, g: Table, seat: str) -> None:
        if self.how or is_by_hand(g):
            super().play_on(g, seat)
            return
        g.armies[seat].ends = PLAY_ON.action
        g.say(_("%(player)s would play on."), player=name_of(g, seat))
        if all(g.armies[voter].ends == PLAY_ON.action for voter in self.voters(g)):
            self._go_on(g)

    def _go_on(self, g: Table) -> None:
        """All would play on: what ended the match ends it no more, and whatever else does is asked anew."""
        for army in g.armies.values():
            army.ends = ""
        if reason(g) == TIME_OUT:
            g.time_is_up = False
        else:
            g.played_on = (g.round, *wiped_out(g))

    def run(self, g: Table) -> None:
        if is_called_off(g) and not self.how:
            g.goto(turn_sequence.Checks)
        else:
            super().run(g)

    def close(self, g: Table) -> None:
        super().close(g)
        if not self.how:
            take_back_last(g)
            g.call(turn_sequence.DiscardPasses)

    def consequence(self, g: Table) -> Line:
        if self.outcome(g)["how"] == NEITHER:
            return Line(_("Both would lose: neither VIM was slain first."))
        return super().consequence(g)

    def cause(self, g: Table) -> Line:
        if self.how == CONCESSION:
            return say(_("%(player)s concedes. End the match?"), player=name_of(g, self.who))
        if self.how == CLOCK:
            return say(_("Has the time of %(player)s run out?"), player=name_of(g, self.who))
        if self.how == TIME_OUT and plays_turn_out(g):
            return Line(_("Time is up. End the match with this turn?"))
        if self.how == TIME_OUT:
            return Line(_("Time is up. End the match with this score?"))
        if self.how == ADJUDICATION:
            words = say(_("%(player)s wins"), player=name_of(g, self.who)) if self.who else Line(_("A draw"))
            return say(_("Adjudication: %(result)s. End the match?"), result=words)
        if _is_wipe_out(g):
            gone = tuple(name_of(g, seat) for seat in wiped_out(g))
            return say(_("No model left on the battlefield: %(players)s. The match ends."), players=gone)
        return Line(_("End the match?") if self._is_asked(g) else self.title)

    def asking(self, g: Table, seat: str | None) -> Line:
        return super().asking(g, seat) if self.how or self._is_asked(g) else self.cause(g)

    def resting_on(self, g: Table) -> str:
        if self.how:
            return "BUSH-36" if self.how == CLOCK else ""
        if _is_wipe_out(g):
            return "BUSH-23"
        return "BUSH-22" if reason(g) == ALL_SCORED else self.rule

    def helping(self, g: Table, seat: str | None) -> Line:
        if self.how == TIME_OUT and plays_turn_out(g):
            line = _("Finish this turn and score it. Currently: %(result)s")
            return say(line, result=self.consequence(g))
        if self.how:
            return super().helping(g, seat)
        if is_by_hand(g):
            return say(
                _("A correction alone caused this ending. %(result)s"), result=super().helping(g, seat)
            )
        if _is_decided_by_hand(g):
            line = _("Corrected Victory Points decide who wins. %(result)s")
            return say(line, result=super().helping(g, seat))
        sentence = self._of_wipe_out(g) if _is_wipe_out(g) else Line(self.help)
        willing = tuple(name_of(g, each) for each in g.seats if g.armies[each].ends == PLAY_ON.action)
        return (
            say(_("%(players)s would play on. %(help)s"), players=willing, help=sentence)
            if willing
            else sentence
        )

    def _of_wipe_out(self, g: Table) -> Line:
        line = _("If a model still stands there, put it back in its details. %(result)s")
        if _may_return(g):
            line = _(
                "Models Elsewhere or Controlled by the opponent do not count. Either player ends the match; "
                "together you may play on. %(result)s"
            )
        return say(line, result=self.consequence(g))


PLAY_ON = Offer("play-on", say(_("Play on")))


def _is_decided_by_hand(g: Table) -> bool:
    """Whether the result would be another without the points that corrections have brought and taken."""
    called = [] if g.is_last_by_rule else [seat for seat, _by in given_as_last(g)]
    corrected = {seat: by_hand(g, (seat,)) + called.count(seat) for seat in g.seats}
    return leader(g) != _most({seat: g.points(seat) - corrected[seat] for seat in g.seats})


def _is_wipe_out(g: Table) -> bool:
    """Whether the match ends because a warband, or both, have no model left on the battlefield."""
    return reason(g) in (WIPED_OUT, BOTH_OUT)


def _may_return(g: Table) -> bool:
    """Whether the match ends by a wipe-out, and a warband that is wiped out may get models back."""
    return _is_wipe_out(g) and any(waits(g, seat) for seat in wiped_out(g))


def _run_out(g: Table, seat: str) -> dict[str, Any]:
    """BUSH-36: a player whose death clock has run out leaves the remaining Victory Points to the opponent."""
    left = g.copy()
    for _point in range(available(g) - scored(g)):
        left.score(g.rival(seat), 1, _("the opponent's time ran out"))
    return result_fields(left, leader(left), CLOCK)


def both(g: Table, counted: Callable[[str], int]) -> Line:
    """A number of each player."""
    first, other = g.seats
    line, names = (
        _("%(one)s %(mine)s, %(other)s %(theirs)s"),
        {"one": name_of(g, first), "other": name_of(g, other)},
    )
    return say(line, mine=counted(first), theirs=counted(other), **names)


def leader(g: Table) -> str | None:
    """Who has more Victory Points; None if level, which is a draw."""
    return _most({seat: g.points(seat) for seat in g.seats})


def _most(points: dict[str, int]) -> str | None:
    first, second = sorted(points, key=lambda seat: points[seat], reverse=True)
    return first if points[first] > points[second] else None


def conclude(g: Table, winner: str | None, how: str) -> None:
    """The match is over: reveal the secrets, and write down who won."""
    reveal_vims(g)
    for seat in g.seats:
        for key in [key for key in g.armies[seat].hidden if key.startswith("flank-")]:
            g.reveal(seat, key)
    g.result = result_fields(g, winner, how)
    if how == NEITHER:
        g.say(_("The match ends with a loss for both: neither VIM was slain first."))
    elif winner is None:
        g.say(_("The match ends in a draw."))
    else:
        g.say(_("%(player)s wins the match."), player=name_of(g, winner))
