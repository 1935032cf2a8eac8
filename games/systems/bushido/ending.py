"""How a match ends: only in the End phase, and never without a tap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.system import ENDINGS as USUAL
from games.core.system import Offer, Step, name_of
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.bushido import scenarios, scoring
from games.systems.bushido.pieces import Table

LAST_TURN, ALL_SCORED, WIPED_OUT, BOTH_OUT = "last-turn", "all-scored", "wiped-out", "both-out"
NEITHER = "neither"
CONCESSION, TIME_OUT, ADJUDICATION, CLOCK = "concession", "time-out", "adjudication", "clock"

ENDINGS = {
    **USUAL,
    LAST_TURN: _("by Victory Points after the last turn"),
    ALL_SCORED: _("by Victory Points, all of them scored"),
    WIPED_OUT: _("by Victory Points, one warband wiped out"),
    BOTH_OUT: _("by Victory Points, both warbands wiped out"),
    NEITHER: _("no VIM was slain, which is a loss for both"),
    CONCESSION: _("by concession"),
    CLOCK: _("by the clock"),
}
"""The ways a match can end, as half sentences after "Red wins" or "A draw"."""


def wiped_out(g: Table) -> list[str]:
    """The seats without a model left on the table."""
    return [seat for seat in g.seats if not any(True for _unit in g.on_table(seat))]


def waits(g: Table, seat: str) -> bool:
    """Whether a seat without models on the table may yet get some: Elsewhere, or controlled by the enemy."""
    own = any(unit.is_in_play and unit.army == seat for unit in g.units.values())
    return own or any(True for _unit in g.warband(seat))


def reason(g: Table) -> str:
    """Why the match would end in this End phase; "" if it goes on."""
    if g.is_final:
        return LAST_TURN
    if scoring.scored(g) >= scoring.available(g):
        return ALL_SCORED
    gone = wiped_out(g)
    if gone and g.facts.get("played_on") != [g.round, *gone]:
        return BOTH_OUT if len(gone) == len(g.seats) else WIPED_OUT
    return ""


class Closing(Step):
    """BUSH-21, BUSH-22, BUSH-23: the match ends with its final turn, with its last Victory Point, or with
    a side that has no model on the table; always here, after what was due has been scored.

    What waits Elsewhere is not on the table: the players say whether that is the end. A concession,
    time and adjudication wait here as well.
    """

    rule = "BUSH-21"
    title = _("The match ends")
    help = _("Look at the score once more; then it is sealed.")

    def asked(self, g: Table) -> Iterable[str]:
        about = g.question.about
        if about:
            return about[1:] if about[0] == CONCESSION else g.seats
        return g.seats if reason(g) else ()

    def offers(self, g: Table, seat: str) -> Iterator[Offer]:
        yield Offer("end-match", say(_("End the match")), style="main", detail=_score(g))
        if g.question.about or self._may_go_on(g):
            yield Offer("play-on", say(_("Play on")), style="quiet")

    def _may_go_on(self, g: Table) -> bool:
        is_wiped = reason(g) in (WIPED_OUT, BOTH_OUT)
        return is_wiped and any(waits(g, seat) for seat in wiped_out(g))

    def end_match(self, g: Table, seat: str) -> None:
        about = g.question.about
        if about and about[0] == CONCESSION:
            conclude(g, g.rival(about[1]), CONCESSION)
        elif about and about[0] == CLOCK:
            _run_out(g, about[1])
        elif about and about[0] == ADJUDICATION:
            conclude(g, about[1] if len(about) > 1 else None, ADJUDICATION)
        elif _is_duel(g) and not scoring.scored(g):
            conclude(g, None, NEITHER)
        else:
            conclude(g, leader(g), about[0] if about else reason(g))

    def play_on(self, g: Table, seat: str) -> None:
        g.say(_("%(player)s: play on."), player=name_of(g, seat))
        if g.question.about:
            g.end()
        else:
            g.facts = {**g.facts, "played_on": [g.round, *wiped_out(g)]}

    def run(self, g: Table) -> None:
        if g.question.about:
            g.end()
        else:
            g.goto("discard-passes")

    def asking(self, g: Table, seat: str | None) -> Line:
        about = g.question.about
        if about and about[0] == CONCESSION:
            return say(_("%(player)s concedes?"), player=name_of(g, about[1]))
        if about and about[0] == CLOCK:
            return say(_("Has the time of %(player)s run out?"), player=name_of(g, about[1]))
        if about or self._may_go_on(g):
            return Line(_("Is this the end of the match?"))
        return Line(self.title)

    def helping(self, g: Table, seat: str | None) -> Line:
        if self._may_go_on(g):
            return Line(
                _("A warband has no model on the table, but some Elsewhere. Only those on the table count.")
            )
        return Line(self.help)


def _is_duel(g: Table) -> bool:
    """Whether the scenario knows nothing but the death of a VIM: any other end is a loss for both."""
    return all(check.by == scenarios.SLAIN for check in scenarios.of(g).checks)


def _run_out(g: Table, seat: str) -> None:
    """BUSH-36: whose death clock has run out leaves the Victory Points that remain to the opponent."""
    rival = g.rival(seat)
    for _point in range(scoring.available(g) - scoring.scored(g)):
        g.score(rival, 1, _("the enemy's time ran out"))
    conclude(g, leader(g), CLOCK)


def _score(g: Table) -> Line:
    first, second = g.seats
    return say(
        _("%(one)s %(mine)s, %(other)s %(theirs)s"),
        one=name_of(g, first),
        mine=g.points(first),
        other=name_of(g, second),
        theirs=g.points(second),
    )


def leader(g: Table) -> str | None:
    """Who has more Victory Points; level is a draw."""
    first, second = sorted(g.seats, key=g.points, reverse=True)
    return first if g.points(first) > g.points(second) else None


def conclude(g: Table, winner: str | None, how: str) -> None:
    """The match is over: secrets are shown, and who won is written down."""
    scoring.reveal_vims(g)
    for seat in g.seats:
        for key in [key for key in g.armies[seat].hidden if key.startswith("flank-")]:
            g.reveal(seat, key)
    g.result = {"winner": winner, "how": how, "points": {seat: g.points(seat) for seat in g.seats}}
    if winner is None:
        g.say(_("The match ends in a draw."))
    else:
        g.say(_("%(player)s wins the match."), player=name_of(g, winner))
