"""The result of a pairing: what may be said about a game, and whether two results say the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from games.core import chance
from games.core.steps import IllegalAction
from games.core.system import system
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.hall.rules.pieces import (
    ADJUDICATED,
    ALL_LOST,
    CONCEDED,
    FINISHED,
    LEFT,
    TIME,
    Gathering,
    Pairing,
)

HOWS = {
    FINISHED: _("played to the end"),
    CONCEDED: _("conceded"),
    TIME: _("time was up"),
    ADJUDICATED: _("adjudicated"),
    ALL_LOST: _("everybody lost"),
    LEFT: _("somebody had left"),
}
"""How a game may have ended."""

NUMBERS = {
    "vp": (-99, 999),
    "destroyed": (0, 999),
    "scenario": (0, 999),
    "vim": (1, 99),
    "place": (1, 6),
    "points": (0, 99),
}
"""What is counted for each player, from the least to the most that is believed."""
RANKED = frozenset(("destroyed", "scenario", "vim"))
"""Numbers that are counted only if the ranking has a criterion of this name."""


def mark(pairing: Pairing) -> str:
    """A short text that differs as soon as anything that is known of a pairing's result does."""
    known = [pairing.state, Result.of(pairing).to_json(), pairing.claims]
    return chance.secret_hash("", pairing.key, known)[:16]


def claim_mark(claim: Mapping[str, Any]) -> str:
    """A short text that differs as soon as somebody reports another result."""
    return chance.secret_hash("", "claim", dict(claim))[:8]


def asked(g: Gathering) -> tuple[str, ...]:
    """The numbers that a form asks for each player: victory points, and what the ranking needs."""
    wanted = {"vp", *RANKED.intersection(g.criteria), *(("place",) if g.size > 2 else ())}
    return tuple(name for name in NUMBERS if name in wanted)


@dataclass(frozen=True)
class Result:
    """Numbers by player, who won ("" for a draw), and how it ended."""

    scores: dict[str, dict[str, int]] = field(default_factory=dict)
    winner: str = ""
    how: str = FINISHED

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return {"scores": self.scores, "winner": self.winner, "how": self.how}

    def agrees_with(self, other: Result, counted: Collection[str]) -> bool:
        """Whether two reports say the same, also of the `counted` numbers that both state."""
        return self.is_like(other) and all(
            other.scores[player].get(name, value) == value
            for player, told in self.scores.items()
            for name, value in told.items()
            if name in counted
        )

    def with_numbers_of(self, other: Result) -> Result:
        """The same result with the numbers that only the other one states."""
        told = {player: {**other.scores[player], **numbers} for player, numbers in self.scores.items()}
        return Result(told, self.winner, self.how)

    def as_reported(self) -> Result:
        """The result as players and scorekeepers state it: only a judge rules on tournament points."""
        told = {
            player: {name: number for name, number in numbers.items() if name != "points"}
            for player, numbers in self.scores.items()
        }
        return Result(told, self.winner, self.how)

    @classmethod
    def of(cls, pairing: Pairing) -> Result:
        """The result that a pairing has."""
        return cls(pairing.results, pairing.winner, pairing.how)

    def is_like(self, other: Result) -> bool:
        """Whether both name the same score and winner; they may differ in how the game ended.

        Only a game that everybody lost is not like a draw.
        """
        is_alike = self.winner == other.winner and _scored(self) == _scored(other)
        return is_alike and (self.how == ALL_LOST) == (other.how == ALL_LOST)


def checked(g: Gathering, pairing: Pairing, stated: Mapping[str, Any]) -> Result:
    """A result as somebody says it: {"scores": {player: {"vp": 5}}, "winner": player, "how": "finished"}.

    Without a winner the victory points (or the places) say who won. Raises `IllegalAction` for anything that
    cannot be a result of this pairing.
    """
    if pairing.is_bye:
        raise IllegalAction(say(_("Nobody sits opposite: a bye has no score.")))
    scores = {player: _numbers(g, player, stated.get("scores", {}).get(player)) for player in pairing.players}
    if set(stated.get("scores", {})) - set(pairing.players):
        raise IllegalAction(say(_("Somebody in this result does not play at this table.")))
    how = stated.get("how") or FINISHED
    if how not in HOWS or how == LEFT:
        raise IllegalAction(say(_("A game does not end like this.")))
    winner = stated["winner"] if "winner" in stated else winner_by(scores)
    if how == ALL_LOST:
        winner = ""
    if winner and winner not in pairing.players:
        raise IllegalAction(say(_("The winner does not play at this table.")))
    if g.size > 2:
        scores = _placed(scores, winner)
        if winner and scores[winner]["place"] != 1:
            line = _("The winner is in place 1: %(name)s.")
            raise IllegalAction(say(line, name=g.players[winner].name))
        if how == FINISHED and system(g.system).places_by_points:
            _refuse_places_against_points(g, scores, stated.get("winner", ""))
    return Result(scores, winner or "", how)


def in_words(g: Gathering, result: Result) -> Line:
    """A result as half a sentence."""
    if result.how == ALL_LOST:
        return say(_("%(score)s, everybody lost"), score=score(g, result))
    if not result.winner or result.winner not in g.players:
        return say(_("%(score)s, a draw"), score=score(g, result))
    if not result.scores:
        return say(_("%(name)s wins"), name=g.players[result.winner].name)
    return say(_("%(score)s, %(winner)s wins"), score=score(g, result), winner=g.players[result.winner].name)


def score(g: Gathering, result: Result) -> tuple[Line, ...]:
    """The victory points of a result, in the order in which its players are paired."""
    return tuple(
        say(
            _("%(player)s %(points)s"),
            player=g.players[player].name,
            points=result.scores[player].get("vp", 0),
        )
        for player in in_order(g, result.scores)
        if player in g.players
    )


def in_order(g: Gathering, players: Collection[str]) -> tuple[str, ...]:
    """The players of a result in the order in which they are paired: a database may turn JSON round."""
    paired = (one.players for one in g.pairings.values() if set(one.players) == set(players))
    return next(paired, tuple(players))


def _numbers(g: Gathering, player: str, numbers: Any) -> dict[str, int]:
    if not isinstance(numbers, Mapping) or "vp" not in numbers:
        line = _("The points of %(player)s are missing.")
        raise IllegalAction(say(line, player=g.players[player].name))
    found = {}
    for name, value in numbers.items():
        if name not in NUMBERS or value is None:
            continue
        least, most = NUMBERS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            line = _("Please enter a whole number from %(minimum)d to %(maximum)d.")
            raise IllegalAction(say(line, minimum=least, maximum=most))
        found[name] = value
    return found


def winner_by(scores: Mapping[str, Mapping[str, int]]) -> str:
    """The player who is first by place, or has the most victory points; "" for a draw."""
    if all("place" in told for told in scores.values()):
        first = [player for player, told in scores.items() if told["place"] == 1]
    else:
        best = max(told["vp"] for told in scores.values())
        first = [player for player, told in scores.items() if told["vp"] == best]
    return first[0] if len(first) == 1 else ""


def _placed(scores: dict[str, dict[str, int]], winner: str) -> dict[str, dict[str, int]]:
    """The scores, everybody with a place: as stated, or else by victory points with the winner first."""
    said = [told["place"] for told in scores.values() if "place" in told]
    if said:
        _refuse_places(said, len(scores))
        return scores

    def rank(player: str) -> tuple[bool, int]:
        return player == winner, scores[player]["vp"]

    return {
        player: {**told, "place": 1 + sum(rank(other) > rank(player) for other in scores)}
        for player, told in scores.items()
    }


def _refuse_places(said: list[int], players: int) -> None:
    """Refuse places that are no ranking: some are missing, or there is a gap that no tie explains."""
    if len(said) < players:
        raise IllegalAction(say(_("Give everybody at this table a place, or give none.")))
    if any(place != 1 + sum(other < place for other in said) for place in said):
        raise IllegalAction(say(_("These places leave a gap: after two on place 1 comes place 3.")))


def _refuse_places_against_points(g: Gathering, scores: dict[str, dict[str, int]], named: str) -> None:
    """Refuse a better place with fewer points, except for a winner whom somebody named against the points."""
    for player, other in permutations(scores, 2):
        is_better = scores[player]["place"] < scores[other]["place"]
        if is_better and scores[player]["vp"] < scores[other]["vp"] and player != named:
            line = _(
                "%(name)s has fewer points than %(other)s but a better place. "
                "In a game played to its end that cannot be."
            )
            raise IllegalAction(say(line, name=g.players[player].name, other=g.players[other].name))


def _scored(result: Result) -> dict[str, dict[str, int]]:
    """The numbers on which two results must agree; a number that is not stated is 0."""
    return {
        player: {name: value for name, value in told.items() if value and name in ("vp", "place", "points")}
        for player, told in result.scores.items()
    }
