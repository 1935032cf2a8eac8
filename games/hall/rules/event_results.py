"""The result of a pairing: what may be said about a game, and whose word counts.

Players report it, tables are asked for it, scorekeepers enter it, judges rule.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

from games import core
from games.core import IllegalAction, Line, Term, clean_note, say, system
from games.core import gettext_noop as _
from games.hall.rules import knockout
from games.hall.rules.event_state import (
    ADJUDICATED,
    AGREED,
    ALL_LOST,
    CLOSED,
    CONCEDED,
    CONTESTED,
    DRAFTED,
    ENTERED,
    FINISHED,
    LEFT,
    OPEN,
    REPORTED,
    TIME,
    EventState,
    Pairing,
)

HOWS = {
    FINISHED: _("played to the end"),
    CONCEDED: _("conceded"),
    TIME: _("time was up"),
    ADJUDICATED: _("adjudicated"),
    ALL_LOST: _("everyone lost"),
    LEFT: _("a player had dropped out or not come"),
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
    facts = [pairing.state, Result.of(pairing).to_json(), pairing.claims]
    return core.secret_hash("", pairing.key, facts)[:16]


def claim_mark(claim: Mapping[str, Any]) -> str:
    """A short text that differs as soon as somebody reports another result."""
    return core.secret_hash("", "claim", dict(claim))[:8]


def asked(g: EventState) -> tuple[str, ...]:
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
            for player, numbers in self.scores.items()
            for name, value in numbers.items()
            if name in counted
        )

    def with_numbers_of(self, other: Result) -> Result:
        """The same result with the numbers that only the other one states."""
        scores = {player: {**other.scores[player], **numbers} for player, numbers in self.scores.items()}
        return Result(scores, self.winner, self.how)

    def as_reported(self) -> Result:
        """The result as players and scorekeepers state it: only a judge rules on tournament points."""
        scores = {
            player: {name: number for name, number in numbers.items() if name != "points"}
            for player, numbers in self.scores.items()
        }
        return Result(scores, self.winner, self.how)

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


def checked(g: EventState, pairing: Pairing, stated: Mapping[str, Any]) -> Result:
    """A result as somebody says it: {"scores": {player: {"vp": 5}}, "winner": player, "how": "finished"}.

    Without a winner the victory points (or the places) say who won. Raises `IllegalAction` for anything that
    cannot be a result of this pairing.
    """
    if pairing.is_bye:
        raise IllegalAction(say(_("A bye has no opponent, so it has no score.")))
    scores = {player: _numbers(g, player, stated.get("scores", {}).get(player)) for player in pairing.players}
    if g.size > 2:
        _place_last(scores, [player for player in scores if "vp" not in stated["scores"].get(player, {})])
    if set(stated.get("scores", {})) - set(pairing.players):
        raise IllegalAction(say(_("A player in this result is not at this table.")))
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
        _refuse_order(g, scores, winner, how, stated)
    return Result(scores, winner or "", how)


def _refuse_order(
    g: EventState, scores: dict[str, dict[str, int]], winner: str, how: str, stated: Mapping[str, Any]
) -> None:
    """Refuse places at a table of several that the winner, or the points of a game played out, contradict."""
    if winner and scores[winner]["place"] != 1:
        line = _("The winner is in place 1: %(name)s.")
        raise IllegalAction(say(line, name=g.players[winner].name))
    if how == FINISHED and system(g.system).places_by_points:
        _refuse_places_against_points(g, scores, stated.get("winner", ""))
    if how in (FINISHED, TIME):
        _refuse_tie(g, scores, stated["scores"])


def _refuse_draw(g: EventState, pairing: Pairing, result: Result) -> None:
    """Refuse a draw in the knockout from whoever can say at once who advances."""
    if not result.winner and g.in_cut(pairing.round):
        raise knockout.refused_draw(pairing)


def in_words(g: EventState, result: Result) -> Line:
    """A result as half a sentence."""
    if result.how == ALL_LOST:
        return say(_("%(score)s, everyone lost"), score=score(g, result))
    if not result.winner or result.winner not in g.players:
        return say(_("%(score)s, a draw"), score=score(g, result))
    if not result.scores:
        return say(_("%(name)s wins"), name=g.players[result.winner].name)
    return say(_("%(score)s, %(winner)s wins"), score=score(g, result), winner=g.players[result.winner].name)


def score(g: EventState, result: Result) -> tuple[Line, ...]:
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


def in_order(g: EventState, players: Collection[str]) -> tuple[str, ...]:
    """The players of a result in the order in which they are paired: a database may turn JSON round."""
    paired = (pairing.players for pairing in g.pairings.values() if set(pairing.players) == set(players))
    return next(paired, tuple(players))


def _numbers(g: EventState, player: str, numbers: Any) -> dict[str, int]:
    if not numbers and needs_no_points(g, player):
        return {"vp": 0}
    if not isinstance(numbers, Mapping) or "vp" not in numbers:
        line = _("The points of %(player)s are missing.")
        raise IllegalAction(say(line, player=g.players[player].name))
    accepted = {}
    for name, value in numbers.items():
        if name not in NUMBERS or value is None:
            continue
        least, most = NUMBERS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            line = _("Please enter a whole number from %(minimum)d to %(maximum)d.")
            raise IllegalAction(say(line, minimum=least, maximum=most))
        accepted[name] = value
    return accepted


def needs_no_points(g: EventState, player: str) -> bool:
    """Whether somebody at a table of several has left, so that nobody has to say what they had."""
    return g.size > 2 and g.players[player].dropped is not None


def _place_last(scores: dict[str, dict[str, int]], gone: list[str]) -> None:
    """Give those of whom nothing is said the last place, where the others have places."""
    if any("place" in numbers for numbers in scores.values()):
        for player in gone:
            scores[player]["place"] = 1 + len(scores) - len(gone)


def _refuse_tie(g: EventState, scores: dict[str, dict[str, int]], stated: Mapping[str, Any]) -> None:
    """Refuse equal points without places, where the game itself says who is ahead."""
    order = system(g.system).tie_order
    if not order or any("place" in numbers for numbers in stated.values()):
        return
    for player, other in combinations(scores, 2):
        if scores[player]["place"] == scores[other]["place"] and not needs_no_points(g, other):
            line = _("%(name)s and %(other)s have equal points. Enter the places: %(order)s decide.")
            names = {"name": g.players[player].name, "other": g.players[other].name}
            raise IllegalAction(say(line, **names, order=Term(order)))


def winner_by(scores: Mapping[str, Mapping[str, int]]) -> str:
    """The player who is first by place, or has the most victory points; "" for a draw."""
    if all("place" in numbers for numbers in scores.values()):
        first = [player for player, numbers in scores.items() if numbers["place"] == 1]
    else:
        best = max(numbers["vp"] for numbers in scores.values())
        first = [player for player, numbers in scores.items() if numbers["vp"] == best]
    return first[0] if len(first) == 1 else ""


def _placed(scores: dict[str, dict[str, int]], winner: str) -> dict[str, dict[str, int]]:
    """The scores, everybody with a place: as stated, or else by victory points with the winner first."""
    said = [numbers["place"] for numbers in scores.values() if "place" in numbers]
    if said:
        _refuse_places(said, len(scores))
        return scores

    def rank(player: str) -> tuple[bool, int]:
        return player == winner, scores[player]["vp"]

    return {
        player: {**numbers, "place": 1 + sum(rank(other) > rank(player) for other in scores)}
        for player, numbers in scores.items()
    }


def _refuse_places(said: list[int], players: int) -> None:
    """Refuse places that are no ranking: some are missing, or there is a gap that no tie explains."""
    if len(said) < players:
        raise IllegalAction(say(_("Give everyone at this table a place, or no one.")))
    if any(place != 1 + sum(other < place for other in said) for place in said):
        raise IllegalAction(say(_("These places leave a gap. After two players in place 1 comes place 3.")))


def _refuse_places_against_points(g: EventState, scores: dict[str, dict[str, int]], named: str) -> None:
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
        player: {
            name: value for name, value in numbers.items() if value and name in ("vp", "place", "points")
        }
        for player, numbers in result.scores.items()
    }


# --- whose word counts -------------------------------------------------------------------------------


def report(g: EventState, key: str, player: str, stated: Mapping[str, Any]) -> None:
    """Note how a player says their game went; it counts once everybody at the table says the same."""
    pairing = open_pairing(g, key, player)
    result = checked(g, pairing, stated).as_reported()
    _refuse_draw(g, pairing, result)
    if pairing.is_decided:
        if result.is_like(Result.of(pairing)):
            return
        raise _contradiction(g, result, Result.of(pairing))
    pairing.claims = {**pairing.claims, player: result.to_json()}
    others = [_result(claim) for who, claim in pairing.claims.items() if who != player]
    name, table, sentence = g.players[player].name, pairing.table or 0, in_words(g, result)
    # Once somebody contests a result, a judge decides, whatever the players say afterwards.
    is_contested = pairing.state == CONTESTED and bool(pairing.results)
    is_alike = all(result.agrees_with(other, asked(g)) for other in others)
    if is_contested or (is_alike and still_to_report(g, pairing)):
        pairing.state = CONTESTED if is_contested else REPORTED
        g.say(_("%(name)s reports table %(table)s: %(result)s."), name=name, table=table, result=sentence)
    elif is_alike:
        for other in others:
            result = result.with_numbers_of(other)
        _decide(pairing, result, AGREED)
        g.say(_("Table %(table)s is agreed: %(result)s."), table=table, result=sentence)
    else:
        pairing.state = CONTESTED
        line = _("Table %(table)s is disputed. %(name)s reports: %(result)s.")
        g.say(line, table=table, name=name, result=sentence)


def still_to_report(g: EventState, pairing: Pairing) -> tuple[str, ...]:
    """Who has not said yet how the game at a table went; whoever has left is not asked."""
    return tuple(
        key for key in pairing.players if key not in pairing.claims and g.players[key].dropped is None
    )


def contest(g: EventState, key: str, player: str, reason: str) -> None:
    """Contest a table's result for one of its players; it then waits for a judge, whose ruling stands."""
    pairing = open_pairing(g, key, player)
    if not pairing.is_decided or pairing.is_bye:
        raise IllegalAction(say(_("This table has no result yet.")))
    if pairing.how == LEFT:
        left = next(key for key in pairing.players if key != pairing.winner)
        has_left = g.players[left].dropped is not None
        line = _("%(name)s has dropped out.") if has_left else _("%(name)s was not there.")
        raise IllegalAction(say(line, name=g.players[left].name))
    if pairing.ruled:
        raise IllegalAction(say(_("A judge has ruled on this result. Call a judge if something is wrong.")))
    pairing.state = CONTESTED
    name = g.players[player].name
    g.say(
        _("%(name)s disputes table %(table)s: %(reason)s"), name=name, table=pairing.table or 0, reason=reason
    )


def enter(g: EventState, key: str, stated: Mapping[str, Any], *, is_judge: bool = True) -> None:
    """Enter a result. It does not overwrite one that is there already: a judge rules.

    After a draw in the knockout the organisers are asked who advances (`go_on`). Somebody who is no judge
    cannot state tournament points.
    """
    pairing = open_pairing(g, key)
    result = checked(g, pairing, stated)
    if not is_judge:
        result = result.as_reported()
    if pairing.state in (AGREED, ENTERED, CONTESTED) and pairing.how:
        if result.is_like(Result.of(pairing)) and pairing.state != CONTESTED:
            return
        raise _contradiction(g, result, Result.of(pairing))
    for claim in pairing.claims.values():
        if not result.is_like(_result(claim)):
            raise _contradiction(g, result, _result(claim))
    _decide(pairing, result, ENTERED)
    g.say(
        _("Table %(table)s is entered: %(result)s."),
        table=pairing.table or 0,
        result=in_words(g, result),
    )


def rule(g: EventState, key: str, stated: Mapping[str, Any], reason: str, seen: str = "") -> None:
    """Set the result that a judge rules, whatever was there before, even in a closed round.

    Whoever has won stays the winner once the next round of the knock-out is open, with them in it.
    `seen` is the `mark` of what the judge has read; a ruling on anything else is refused.
    """
    pairing = pairing_of(g, key)
    if seen and seen != mark(pairing):
        line = _("Table %(table)s has changed. Check the current result, then rule.")
        raise IllegalAction(say(line, table=pairing.table or 0))
    this_round = g.rounds[str(pairing.round)]
    if this_round.state == DRAFTED:
        raise IllegalAction(say(_("This round is not open.")))
    reason = clean_note(reason)
    if not reason:
        raise IllegalAction(say(_("Please give a reason.")))
    result = checked(g, pairing, stated)
    _refuse_draw(g, pairing, result)
    if result.winner != pairing.winner:
        knockout.refuse_gone_on(g, pairing)
    _decide(pairing, result, ENTERED)
    pairing.ruled = True
    g.say(
        _("Ruling on table %(table)s: %(result)s. %(reason)s"),
        table=pairing.table or 0,
        result=in_words(g, result),
        reason=reason,
    )


def go_on(g: EventState, key: str, winner: str, player: str = "") -> None:
    """Say who goes on after a draw in the knock-out: the organisers, or both players alike.

    If the players name each other's rival, a judge decides.
    """
    pairing = open_pairing(g, key, player or None)
    if not g.is_level(pairing):
        raise IllegalAction(say(_("This game was not a draw, or someone advances already.")))
    if winner not in pairing.players:
        raise IllegalAction(say(_("The winner does not play at this table.")))
    table, name = pairing.table or 0, g.players[winner].name
    if player:
        said = Result(pairing.results, winner, pairing.how).to_json()
        pairing.claims = {**pairing.claims, player: said}
        if len(pairing.claims) < len(pairing.players):
            line = _("Table %(table)s was a draw. %(who)s says that %(name)s advances.")
            g.say(line, table=table, who=g.players[player].name, name=name)
            return
        if len({claim["winner"] for claim in pairing.claims.values()}) > 1:
            pairing.state = CONTESTED
            g.say(_("Table %(table)s was a draw. Its players disagree on who advances."), table=table)
            return
    pairing.winner, pairing.claims = winner, {}
    g.say(_("Table %(table)s was a draw. %(name)s advances."), table=table, name=name)


def take_over(g: EventState, tables: Mapping[str, Result | None]) -> bool:
    """Take over what the tables say, by their matches' codes: None for one that is not over.

    Both sides have agreed to the end of a match, so its result counts at once; if they had agreed on another
    report, a judge decides between the two. What an organiser has entered, what is contested, and closed
    rounds stay as they are. Returns whether anything changed.
    """
    changed = False
    for pairing in g.pairings.values():
        if pairing.match is not None and pairing.match in tables:
            changed = _take_over(g, pairing, tables[pairing.match]) or changed
    return changed


def _take_over(g: EventState, pairing: Pairing, result: Result | None) -> bool:
    has, table = Result.of(pairing), pairing.table or 0
    is_waiting = pairing.state in (OPEN, REPORTED)
    may_change = pairing.state == AGREED and g.rounds[str(pairing.round)].state != CLOSED
    is_by_word = len(pairing.claims) > 1  # of the players, and not of their table
    if result is None:
        # The match goes on again; what people have entered by hand stays.
        if not may_change or is_by_word:
            return False
        if g.is_level(pairing):
            pairing.claims = {}
        _decide(pairing, Result(how=""), REPORTED if pairing.claims else OPEN)
        g.say(_("Table %(table)s is played on."), table=table)
        return True
    if has.winner and not result.winner and g.in_cut(pairing.round):
        # The table says that it was a draw; who goes on has been said.
        result = Result(result.scores, has.winner, result.how) if _scored(result) == _scored(has) else result
    is_same = bool(pairing.results) and result.is_like(has)
    if may_change and is_by_word and not is_same:
        pairing.state = CONTESTED
        line = _(
            "Table %(table)s is disputed. Its players agreed on %(stands)s, but the table shows %(said)s."
        )
        g.say(line, table=table, stands=in_words(g, has), said=in_words(g, result))
        return True
    # A correction at the table may change what is counted beyond its points.
    is_corrected = may_change and not is_by_word and not (is_same and result.scores == has.scores)
    if is_waiting or is_corrected:
        _decide(pairing, result, AGREED)
        g.say(_("Table %(table)s is over: %(result)s."), table=table, result=in_words(g, result))
    return is_waiting or is_corrected


def pairing_of(g: EventState, key: str) -> Pairing:
    """The pairing with this key; `IllegalAction` if there is none."""
    if key not in g.pairings:
        raise IllegalAction(say(_("There is no such table in this event.")))
    return g.pairings[key]


def open_pairing(g: EventState, key: str, player: str | None = None) -> Pairing:
    """The same, of a round that is open, and with this player if one is named."""
    pairing = pairing_of(g, key)
    if player is not None and player not in pairing.players:
        raise IllegalAction(say(_("You do not play at this table.")))
    if g.rounds[str(pairing.round)].state != OPEN:
        raise IllegalAction(say(_("This round is not open.")))
    return pairing


def _decide(pairing: Pairing, result: Result, state: str) -> None:
    pairing.results, pairing.winner, pairing.how = result.scores, result.winner, result.how
    pairing.state = state


def _result(claim: Mapping[str, Any]) -> Result:
    return Result(claim["scores"], claim["winner"], claim["how"])


def _contradiction(g: EventState, said: Result, stands: Result) -> IllegalAction:
    line = _("You entered %(said)s, but the table shows %(stands)s. A judge must decide.")
    return IllegalAction(say(line, said=in_words(g, said), stands=in_words(g, stands)))
