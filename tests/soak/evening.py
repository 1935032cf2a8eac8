"""A scripted evening in which everything goes wrong: players from the first round to a cut, then teams.

Each incident is done by the commands that pages and API use, and none may be refused. After each of them the
event holds together as random events have to (`tournaments.wrong_with`), who is affected plays where they
should, and results that stand are as they were; at the end the log leads to the rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import transaction

from games.core import RequestRefused
from games.hall import commands, event_actions, event_undo
from games.hall.event_actions import PLAYER, Actor
from games.hall.rules import event_rounds
from games.hall.rules.event_state import DRAFTED, LEFT, EventState, Pairing
from games.history.commits import Verdict
from tests.hall import team_events
from tests.hall.halls import ANNA, end, end_level, opened, scores, state
from tests.soak.report import Report
from tests.soak.tournaments import NUMBERED, wrong_log, wrong_with

MANUAL = {"mode": "manual-scoring", "seed": "evening"}


def run(players: int) -> Report:
    """An evening of so many players (an even number), and of an eighth as many teams, four at least."""
    report = Report()
    for evening in (Singles(players, report), Teams(max(4, players // 8), report)):
        with transaction.atomic():
            evening.play()
            transaction.set_rollback(True)
    return report


class Evening:
    """One event, and what happens there."""

    code = ""

    def __init__(self, size: int, report: Report) -> None:
        self.size, self.report, self.luck = size, report, random.Random(size)

    @property
    def g(self) -> EventState:
        return state(self.code)

    def do(self, what: str, command: Callable[..., Any], *about: Any, **more: Any) -> Any:
        """Something happens; returns what the command made."""
        stands = {key: one.results for key, one in self.g.pairings.items() if one.is_decided}
        try:
            outcome = command(self.code, ANNA, *about, **more)
        except RequestRefused as refused:
            self.report.wrong.append(f"{what}: refused with “{refused.line}”")
            return None
        self.report.count("incidents")
        g = self.g
        if command not in (commands.rule, commands.no_show, commands.drop):
            lost = [
                key
                for key, results in stands.items()
                if key in g.pairings and g.pairings[key].results != results
            ]
            self.report.unless(not lost, f"{what}: results of {lost} are others")
        self.report.wrong += [f"{what}: {wrong}" for wrong in self.wrong(g)]
        return outcome.made

    def wrong(self, g: EventState) -> list[str]:
        return list(wrong_with(g))

    def restart(self) -> None:
        """The server forgets all that it keeps of the event."""
        event_actions.POSITIONS.clear()

    def undone(self, what: str) -> None:
        """The newest action is taken back, and its place is as before."""
        self.do(f"{what}, undone", lambda code, actor: event_undo.undo(code, self.version, actor))

    @property
    def version(self) -> int:
        return event_actions.Event.objects.get(code=self.code).version

    def tables(self) -> list[Pairing]:
        """The tables of the newest round that have no result."""
        g = self.g
        return [one for one in g.at(g.last.number) if not one.is_bye and not one.is_decided]

    def bye(self) -> str:
        """Who has no game in the newest round."""
        g = self.g
        return next(
            one.players[0]
            for one in g.at(g.last.number)
            if one.is_bye and not g.players[one.players[0]].dropped
        )

    def at(self, player: str) -> Pairing:
        found = self.g.pairing_of(player, self.g.last.number)
        assert found is not None
        return found

    def play_out(self) -> None:
        """Every table that is left: some in the app, the others on paper. Nobody draws."""
        for at, one in enumerate(self.tables()):
            own, other = self.luck.sample(range(12), 2)
            if at % 3:
                self.do("a result on paper", commands.enter_result, one.key, scores(one, own, other))
            else:
                end(one.match, max(own, other), min(own, other))

    def close(self) -> None:
        self.play_out()
        self.do("the round is closed", commands.close_round)

    def over(self) -> None:
        self.do("the event is over", commands.finish)
        self.report.wrong += list(wrong_log(self.code))


class Singles(Evening):
    """Three rounds and a cut to four."""

    def play(self) -> None:
        self.code = opened(self.size - 1, length=3, cut=4, criteria=NUMBERED, no_show=10, **MANUAL)
        self.first_round()
        self.corrected()
        self.do("round 2 is opened", commands.open_round)
        self.disputed()
        self.close()
        self.do("round 3 is paired", commands.pair)
        self.do("round 3 is opened", commands.open_round)
        self.close()
        self.cut()
        self.over()

    def first_round(self) -> None:
        """A late comer, a swap, a moved table, one called off, a player replaced, a no-show."""
        self.do("round 1 is paired", commands.pair)
        self.do("round 1 is opened", commands.open_round)
        self.do("the clock starts", commands.start_clock)
        late, alone = self.do("somebody comes late", commands.come_late, "Zoe", "", "", "loss"), self.bye()
        self.do("they play whoever has the bye", commands.seat_together, late, alone)
        self.report.unless(set(self.at(late).players) == {late, alone}, "the late comer does not play")
        one, other, *_more = self.tables()
        self.do("two change places", commands.swap, one.players[0], other.players[0])
        self.report.unless(one.players[0] in self.at(other.players[1]).players, "nobody changed places")
        self.undone("two change places")
        self.report.unless(set(self.at(one.players[0]).players) == set(one.players), "the swap is not undone")
        self.do("a table moves", commands.move, one.key, other.table)
        self.report.unless(self.at(one.players[0]).table == other.table, "the table has not moved")
        self.restart()
        off = self.tables()[0]
        self.do("a table is called off", commands.call_off_table, off.key)
        self.do("its players sit down again", commands.seat_together, *off.players)
        leaving, staying = self.tables()[1].players
        new = self.do("somebody comes for them", commands.come_late, "Yan", "", "", "loss")
        self.do("a player is replaced", commands.swap, leaving, new)
        self.do("who was replaced leaves", commands.drop, leaving)
        self.report.unless(set(self.at(new).players) == {new, staying}, "nobody replaces them")
        gone = self.tables()[2]
        self.do("somebody has not come", commands.report_absent, gone.key, gone.players[0])
        self.do("their table ends", commands.no_show, gone.key, gone.players[1])
        self.report.unless(self.g.pairings[gone.key].how == LEFT, "the no-show has a game")
        self.do("more time", commands.extend, 5, self.tables()[0].key)
        self.close()

    def corrected(self) -> None:
        """Results of round 1 are corrected while round 2 is drawn up: kept once, drawn again once."""
        self.do("round 2 is paired", commands.pair)
        for answer, command in (("kept", commands.keep_draw), ("drawn again", commands.repair)):
            for one in [one for one in self.g.at(1) if one.is_played and one.winner][:4]:
                points = [one.results[key]["vp"] for key in one.players]
                self.do(
                    "a result is corrected", commands.rule, one.key, scores(one, *reversed(points)), "turned"
                )
                if event_rounds.changed(self.g) is not None:
                    break
            self.report.unless(event_rounds.changed(self.g) is not None, "no correction changes the draw")
            self.restart()
            self.do(f"the draw is {answer}", command)
            self.report.unless(event_rounds.changed(self.g) is None, f"{answer}, and stale")

    def disputed(self) -> None:
        """Two players report different results; a judge is called and rules."""
        one = self.tables()[0]
        for player, points in zip(one.players, ((9, 4), (4, 9)), strict=True):
            self.do("a player reports", partial(_reported, player), one.key, player, scores(one, *points))
        self.do("a judge is called", commands.call_judge, one.key, one.players[0], "Who won?", "")
        number = max(call.number for call in self.g.calls.values())
        self.do("the judge comes", commands.answer_call, number)
        self.do("the judge rules", commands.rule, one.key, scores(one, 9, 4), "seen")
        self.do("the call is over", commands.close_call, number, "as reported first")
        self.report.unless(self.g.pairings[one.key].winner == one.players[0], "the ruling does not count")

    def cut(self) -> None:
        """A ruling turns a semi-final round before the final is opened, and a draw is decided."""
        self.do("the cut is paired", commands.pair)
        self.do("the cut is opened", commands.open_round)
        one, other = self.tables()
        self.do("a semi-final", commands.enter_result, one.key, scores(one, 8, 3))
        end_level(other.match)
        self.do("somebody goes on", commands.go_on, other.key, other.players[1])
        self.do("the semi-finals are closed", commands.close_round)
        self.do("the final is paired", commands.pair)
        self.do("a ruling during the cut", commands.rule, one.key, scores(one, 3, 8), "miscounted")
        self.do("the final is paired again", commands.repair)
        finalists = {key for found in self.g.at(self.g.last.number) for key in found.players}
        self.report.unless(finalists == {one.players[1], other.players[1]}, "others are in the final")
        self.do("the final is opened", commands.open_round)
        self.close()


class Teams(Evening):
    """Two rounds of teams of three with a put-up."""

    def wrong(self, g: EventState) -> list[str]:
        return [] if g.last is None or g.last.state == DRAFTED else self.seated_twice(g)

    def seated_twice(self, g: EventState) -> list[str]:
        seated = [key for one in g.at(g.last.number) for key in one.players]
        return [f"{key} sits twice" for key in set(seated) if seated.count(key) > 1]

    def play(self) -> None:
        self.code = team_events.opened(self.size, 3, length=2)
        missing = next(key for key, one in self.g.players.items() if one.name.endswith(" 3"))
        self.do("a team is short of a player", commands.drop, missing)
        for number in (1, 2):
            self.do(f"round {number} is paired", commands.pair)
            self.do(f"round {number} is opened", commands.open_round)
            if number == 1:
                self.put_up()
            team_events.put_up_all(self.code, number)
            self.report.unless(all(one.match for one in self.tables()), "a table is not open")
            self.close()
        self.over()

    def put_up(self) -> None:
        """A captain takes an answer back, disappears, and somebody else answers; one match goes by lot."""
        match = team_events.match_of(self.code)
        one, other = match.teams
        team_events.answer(self.code, match.key, one, match.line_ups[one][0])
        self.do("a captain thinks again", commands.take_back, match.key, one)
        team_events.answer(self.code, match.key, one, match.line_ups[one][1])
        self.restart()
        self.do("a captain disappears", commands.drop, team_events.captain(self.code, other).key)
        team_events.answer(self.code, match.key, other, match.line_ups[other][1])
        self.report.unless(team_events.match_of(self.code).defenders, "the put-up stands still")
        lots = team_events.match_of(self.code, 1)
        self.do("a match goes by lot", commands.rest_by_lot, lots.key)
        self.report.unless(not team_events.match_of(self.code, 1).question, "the lot has paired nobody")


def _reported(player: str, code: str, _actor: Actor, *told: Any) -> Verdict:
    return commands.report(code, Actor(player, player, PLAYER), *told)
