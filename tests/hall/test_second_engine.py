"""Whole random events beside other engines: pairings, floats, byes and order, round by round.

`pairing_core` pairs each round again, `cardarena_tournament_core` counts points and the opponents' share of
wins, and a plain implementation below works out every criterion and the order.
"""

from __future__ import annotations

import random
from contextlib import suppress
from fractions import Fraction

import pytest
from cardarena_tournament_core import Matchup, MatchupOutcome, PokemonTCG, Round
from cardarena_tournament_core import Player as Other
from cardarena_tournament_core.utils import owp
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_core import ImpossiblePairingError

from games.core import IllegalAction
from games.hall.rules import event_results, event_rounds, registration, round_draw, standings
from games.hall.rules.event_state import BYE, LEFT, LOSS, MONRAD, RANDOM, SWISS, EventState, Pairing
from games.hall.rules.pairing import Entrant
from games.hall.rules.standings import Exact
from tests.hall.halls import gathering, scores
from tests.hall.test_pairing import play_on, theirs

ROUNDS = 4
RANKED = tuple(name for name in standings.CRITERIA if name not in ("head", "lot", "vim", "scenario"))


@pytest.mark.parametrize("players", [10, 11, 12, 13])
def test_another_library_pairs_whole_events_alike(players: int) -> None:
    """From the standings, meetings, floats and byes that the event itself has; it gives up on some."""
    same = 0
    for seed in range(4):
        g, luck = gathering(players, length=ROUNDS, seed=str(seed)), random.Random(seed)
        play_on(g, luck)
        for number in range(2, ROUNDS + 1):
            ranked = [line.player for line in standings.standings(g)]
            field = sorted(round_draw.entrants(g, number, ranked), key=lambda one: -one.points)
            play_on(g, luck)
            pairs = {frozenset(one.players) for one in g.at(number) if not one.is_bye}
            playing = {key for pair in pairs for key in pair}
            (out,) = [one for one in field if one.key not in playing] or [None]
            if out is not None:
                assert out.byes == min(one.byes for one in field)
                assert not any(one.byes <= out.byes and one.points < out.points for one in field)
            with suppress(ImpossiblePairingError):
                other = theirs([one for one in field if one.key in playing], number)
                # Two rounds of a hundred it pairs further across the score groups than needs be.
                assert pairs == other or apart(field, pairs) < apart(field, other), (players, seed, number)
                same += pairs == other
    assert same >= 8


def apart(field: list[Entrant], pairs: set[frozenset[str]]) -> Exact:
    """How far apart in points the players of these pairs are."""
    points = {one.key: one.points for one in field}
    return sum((points[one] - points[other]) ** 2 for one, other in map(tuple, pairs))


def test_another_library_counts_points_and_the_opponents_share_of_wins_alike() -> None:
    for seed in range(6):
        g = gathering(12, length=ROUNDS, seed=str(seed), criteria=("opponents-wins",))
        luck = random.Random(seed)
        for _round in range(ROUNDS):
            play_on(g, luck)
        known = {key: Other(id=key, name=key) for key in g.players}
        rounds = [
            Round(round_number=number, matchups=[_matchup(known, one) for one in g.at(number)])
            for number in range(1, ROUNDS + 1)
        ]
        points = {line.player.id: line.points for line in PokemonTCG().calculate(rounds)}
        for line in standings.standings(g):
            assert points[line.player] == 3 * line.won + line.drawn
            share = owp(line.player, rounds, min_win_pct=1 / 3)
            assert float(line.values["opponents-wins"]) == pytest.approx(share), (seed, line)


def _matchup(known: dict[str, Other], one: Pairing) -> Matchup:
    first, second = one.players
    outcome = {first: MatchupOutcome.PLAYER1_WINS, second: MatchupOutcome.PLAYER2_WINS}
    result = outcome.get(one.winner, MatchupOutcome.DRAW)
    return Matchup(player1=known[first], player2=known[second], outcome=result)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(5, 16),
    st.sampled_from((SWISS, MONRAD, RANDOM)),
    st.permutations(RANKED).map(tuple),
    st.integers(0, 10_000),
)
def test_a_plain_implementation_ranks_random_events_alike(
    players: int, kind: str, criteria: tuple[str, ...], seed: int
) -> None:
    g, luck = (
        gathering(players, kind=kind, length=ROUNDS, criteria=criteria, seed=str(seed)),
        random.Random(seed),
    )
    for _round in range(ROUNDS):
        try:
            event_rounds.pair(g)
        except IllegalAction:
            break  # All have met.
        event_rounds.open_round(g, 0)
        if luck.random() < 0.3:
            with suppress(IllegalAction):
                registration.drop(g, luck.choice(sorted(g.players)))
        if luck.random() < 0.3:
            registration.come_late(g, f"Late {len(g.players)}", "", "", luck.choice((BYE, LOSS)))
        for one in g.at(g.last.number):
            if not one.is_decided:
                told = scores(one, *(luck.randint(0, 4) for _player in one.players))
                for numbers in told["scores"].values():
                    numbers["destroyed"] = luck.randint(0, 9)
                event_results.enter(g, one.key, told)
        event_rounds.close_round(g, 0)
    plain = {key: Plain(g, key) for key in g.players}
    lines = standings.standings(g)
    for line in lines:
        assert {name: line.values[name] for name in RANKED} == plain[line.player].values(plain), line.player
    order = sorted(
        g.players,
        key=lambda key: ([-plain[key].values(plain)[name] for name in criteria], g.players[key].lot),
    )
    assert [line.player for line in lines] == order


class Plain:
    """One player's event, read round by round."""

    def __init__(self, g: EventState, key: str) -> None:
        self.g, self.key = g, key
        self.rounds = [g.pairing_of(key, number) for number in range(1, 1 + len(g.rounds))]
        self.games = [one for one in self.rounds if one is not None and one.how not in (BYE, LOSS, LEFT)]
        self.free = [
            one for one in self.rounds if one is not None and one.how in (BYE, LEFT) and one.winner == key
        ]
        absent = [one for one in self.rounds if one is not None and one not in (*self.games, *self.free)]
        self.absences = len(absent)

    def share(self, one: Pairing) -> Fraction:
        return Fraction(1, 2) if not one.winner else Fraction(one.winner == self.key)

    def vp(self, one: Pairing) -> int:
        return one.results[self.key]["vp"]

    @property
    def wins(self) -> Fraction:
        return sum(map(self.share, self.games), Fraction(len(self.free)))

    def average(self, number: int, name: str) -> Fraction:
        told = [
            one.results[player][name]
            for one in self.g.at(number)
            if one.how not in (BYE, LOSS, LEFT)
            for player in one.players
        ]
        return Fraction(sum(told), len(told) or 1)

    def opponents(self, every: dict[str, Plain]) -> list[Plain]:
        return [every[player] for one in self.games for player in one.players if player != self.key]

    def percentage(self) -> Fraction:
        counted = len(self.games) + len(self.free) + self.absences
        return max(Fraction(1, 3), self.wins / (counted or 1))

    def values(self, every: dict[str, Plain]) -> dict[str, Fraction]:
        rivals = self.opponents(every)
        met = [one.wins for one in rivals]
        virtual = [*met, *[self.wins] * (len(self.rounds) - len(self.games))]
        shares = [one.percentage() for one in rivals]
        return {
            "points": self.wins,
            "wins": self.wins,
            "vp": sum(map(self.vp, self.games)) + sum(self.average(one.round, "vp") for one in self.free),
            "difference": Fraction(sum(2 * self.vp(one) - self.both(one) for one in self.games)),
            "destroyed": sum(one.results[self.key]["destroyed"] for one in self.games)
            + sum(self.average(one.round, "destroyed") for one in self.free),
            "strength": sum(met),
            "strength-virtual": sum(virtual),
            "strength-cut": sum(virtual) - min(virtual, default=0),
            "sonneborn-berger": sum(
                own * points for own, points in zip(map(self.share, self.games), met, strict=True)
            ),
            "opponents-wins": sum(shares) / Fraction(len(shares) or 1),
        }

    @staticmethod
    def both(one: Pairing) -> int:
        return sum(numbers["vp"] for numbers in one.results.values())
