"""The ranking of an event, worked out from its decided pairings alone: the same rows give the same ranking.

Criteria apply in the order that the event has chosen; the lot breaks any remaining tie. A bye, and a game
whose rival had left, give what a bye is worth; nobody was met there, so they add nothing to the strength of
schedule. Tournament points are what a game is worth in addition to its victory points: where a pack is silent
the organiser decides, and each scoring says what it assumes until then.

All values are exact: whole numbers, and fractions where something is halved or shared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from msgspec.structs import replace

from games import core
from games.core import Record, TournamentPoints, remembered, system
from games.core import gettext_noop as _
from games.hall.rules import knockout
from games.hall.rules.event_state import (
    BYE,
    DRAFTED,
    LEFT,
    LOSS,
    NO_GAME,
    EventState,
    Pairing,
    Player,
    Team,
)

Exact = int | Fraction
HALF = Fraction(1, 2)
LEAST_WINS = Fraction(1, 3)
"""The share of games won by which the weakest opponent still counts."""

CRITERIA = {
    "points": _("Tournament points"),
    "wins": _("Games won"),
    "vp": _("Victory points"),
    "difference": _("Difference of victory points"),
    "destroyed": _("Points destroyed"),
    "strength": _("Strength of schedule (Buchholz)"),
    "strength-virtual": _("Buchholz with virtual opponents"),
    "strength-cut": _("Buchholz cut 1"),
    "sonneborn-berger": _("Sonneborn-Berger"),
    "opponents-wins": _("Opponents’ match-win percentage"),
    "scenario": _("Scenario points"),
    "vim": _("Earliest removal of a VIM"),
    "head": _("Head to head"),
    "lot": _("Random tiebreak"),
}
"""What can decide the ranking."""

MOST_CRITERIA = 7
"""How many criteria forms let people choose."""

USUAL = ("wins", "vp", "difference", "destroyed", "strength", "head", "lot")
"""What decides if neither the event nor its game says otherwise."""

SUMMED = ("points", "wins", "vp", "difference", "destroyed", "scenario")
"""The criteria that add up over the games."""

AVERAGED = ("vp", "difference", "destroyed", "scenario")
"""Of these a bye is worth the average of its round unless the event says: nobody ranks last for it."""

WINS_OF_OTHERS = "opponents-wins"
NEVER = 99
UNSEEDED = 1000
"""Stands for the turn of a removal that never happened."""


@dataclass
class Totals:
    """What a player has collected by criterion, and from whom.

    `games` has for each opponent met what the game against them was: 1 for a win, ½ for a draw, 0;
    `from_rival` the tournament points; `unplayed` counts the rounds without a game.
    """

    values: dict[str, Exact] = field(default_factory=lambda: dict.fromkeys(SUMMED, 0))
    games: list[tuple[str, Exact]] = field(default_factory=list)
    from_rival: dict[str, Exact] = field(default_factory=lambda: defaultdict(int))
    unplayed: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    vim: int = NEVER


class Standing(Record):
    """One player in the standings: the rank, the values of the criteria, and which of them decided the place.

    `decided` is the criterion that separates this player from the next one ("" for the last, and where the
    knock-out does); `left` says that they no longer play.
    """

    rank: int
    player: str
    values: dict[str, Exact]
    won: int
    drawn: int
    lost: int
    byes: int
    decided: str = ""
    left: bool = False


@remembered
def standings(g: EventState, through: int | None = None) -> tuple[Standing, ...]:
    """Everybody in ranking order, after a round (None: after all rounds)."""
    totals = collected(g, through)
    order, decided = (ladder(g, through), {}) if g.is_ladder else _ranked(g, totals)
    far = knockout.reached(g, through)
    beside, nobodys = set(pairwise(order)), annulled(g)
    order = sorted(order, key=lambda player: (player in nobodys, -far.get(player, 0)))
    is_bracket = bool(far) and not _has_main(g)
    for above, below in pairwise(order):
        if is_bracket or far.get(above) != far.get(below) or (above, below) not in beside:
            decided.pop(above, None)
    levels = [far.get(player, 0) for player in order]
    # Nothing but the bracket decides here: who got equally far shares the place.
    ranks = [1 + levels.index(level) for level in levels] if is_bracket else range(1, 1 + len(order))
    return tuple(
        _standing(g, totals, rank, player, decided) for rank, player in zip(ranks, order, strict=True)
    )


def ladder(g: EventState, through: int | None = None) -> list[str]:
    """Everybody in the order of a ladder; who has left comes last.

    It begins with the seeds, then as people were entered, latecomers at the bottom. Whoever wins against
    somebody above takes their place, and those between move down by one. Challenges at the same time have
    no player in common, so it does not matter which of them ends first.
    """
    order = sorted(g.players, key=lambda key: (g.players[key].seed or UNSEEDED, g.players[key].order))
    for pairing in sorted(g.pairings.values(), key=lambda pairing: pairing.round):
        is_counted = (
            pairing.is_decided and not pairing.is_bye and (through is None or pairing.round <= through)
        )
        if (
            is_counted
            and pairing.winner in g.players
            and (loser := pairing.rivals(pairing.winner)[0]) in g.players
        ):
            here, above = order.index(pairing.winner), order.index(loser)
            if here > above:
                order.insert(above, order.pop(here))
    return sorted(order, key=lambda key: g.players[key].dropped is not None)


def among(g: EventState, lines: Iterable[Standing], players: Collection[str]) -> tuple[Standing, ...]:
    """The standings of some players alone, with the criterion that puts each above the next of them."""
    order, made, before = ("", *criteria(g)), list[Standing](), 0
    for line in lines:
        if line.player in players:
            rank = made[-1].rank if made and line.rank == before else 1 + len(made)
            before = line.rank
            made.append(replace(line, rank=rank))
        elif made:
            made[-1] = replace(made[-1], decided=min(made[-1].decided, line.decided, key=order.index))
    return tuple(made)


def _has_main(g: EventState) -> bool:
    """Whether there are rounds for everybody, and not a knock-out from the first one on."""
    return any(not g.in_cut(event_round.number) for event_round in g.rounds.values())


@remembered
def mark(g: EventState, through: int | None = None) -> str:
    """The fingerprint of the results that count after a round; a round that a latecomer missed is none."""
    nobodys, begun = annulled(g), _begun(g, through)
    facts: list[list[Any]] = [
        [
            pairing.key,
            pairing.players,
            _whole(pairing.results) if g.is_of_teams else pairing.results,
            pairing.winner,
            pairing.how,
        ]
        for pairing in sorted(g.pairings.values(), key=lambda pairing: pairing.key)
        if pairing.round in begun
        and pairing.is_decided
        and pairing.how != LOSS
        and not nobodys.intersection(pairing.players)
    ]
    facts += [
        [competitor.key, penalties]
        for everybody in (g.players, g.teams)
        for competitor in everybody.values()
        if (penalties := _penalties(competitor, through))
    ]
    return core.fingerprint(facts)[:8]


def _whole(results: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The results of teams with their fractions as text."""
    return {
        key: {name: value if isinstance(value, int) else str(value) for name, value in numbers.items()}
        for key, numbers in results.items()
    }


def usual(game: str) -> tuple[str, ...]:
    """The usual criteria of a game's events, in order."""
    kinds = system(game).events
    return kinds[0].settings.get("criteria", USUAL) if kinds else USUAL


def criteria(g: EventState) -> tuple[str, ...]:
    """The criteria that decide, in order, the lot last of all."""
    if g.is_ladder:
        return ("wins",)
    chosen = tuple(name for name in g.criteria if name in CRITERIA) or usual(g.system)
    return chosen if "lot" in chosen else (*chosen, "lot")


def collected(g: EventState, through: int | None = None) -> dict[str, Totals]:
    """What every player has collected in the rounds before the knock-out, or in it if there are none."""
    is_main = _has_main(g)
    begun = {
        event_round.number
        for event_round in g.rounds.values()
        if g.in_cut(event_round.number) != is_main
        and event_round.state != DRAFTED
        and (through is None or event_round.number <= through)
    }
    totals = {player: Totals(unplayed=len(begun)) for player in g.players}
    gains: dict[int, list[dict[str, Exact]]] = defaultdict(list)
    byes = []
    for pairing in _counted(g, through):
        is_unplayed, is_decided = pairing.how in (LOSS, BYE, LEFT), pairing.is_decided
        for player in pairing.players:
            if player not in totals:
                continue
            totals[player].unplayed -= pairing.round in begun
            if is_decided and is_unplayed:
                totals[player].unplayed += 1
                totals[player].lost += pairing.winner != player
                if pairing.winner == player:
                    byes.append((player, pairing.round))
            elif is_decided:
                gains[pairing.round].append(_collect(g, totals[player], pairing, player))
    worth = bye_of(g)
    averages = {number: _average(gains[number]) for _player, number in byes}
    for player, number in byes:
        totals[player].byes += 1
        for name, value in worth.items():
            totals[player].values[name] += averages[number][name] if value is None else value
    _add_tie_breaks(g, totals)
    _penalise(g, totals, through)
    return totals


def _penalise(g: EventState, totals: dict[str, Totals], through: int | None) -> None:
    """Take penalty points from who has them; their opponents have no weaker schedule for it."""
    names = {"points", penalised(g)}
    for player, own in totals.items():
        for _round, points, _why in _penalties(g.players[player], through):
            for name in names:
                own.values[name] -= points


def penalised(g: EventState) -> str:
    """The criterion from which penalty points are taken: the first one, if it is a sum."""
    first = criteria(g)[0]
    return first if first in SUMMED else "points"


def _penalties(competitor: Player | Team, through: int | None) -> list[list[Any]]:
    """The penalties of a player or a team, each with its round, points and reason."""
    return [list(penalty) for penalty in competitor.penalties if through is None or penalty[0] <= through]


def _begun(g: EventState, through: int | None) -> set[int]:
    """The rounds of pairings that have begun, up to this one: a bye in a draft counts later."""
    drafted = {each.number for each in g.rounds.values() if each.state == DRAFTED}
    numbers = {pairing.round for pairing in g.pairings.values()} - drafted
    return {number for number in numbers if through is None or number <= through}


def _counted(g: EventState, through: int | None) -> Iterator[Pairing]:
    """The pairings that the ranking adds up, which ends with the knock-out."""
    nobodys, is_main = annulled(g), _has_main(g)
    counted = {number for number in _begun(g, through) if not (is_main and g.in_cut(number))}
    for pairing in g.pairings.values():
        is_counted = pairing.round in counted and pairing.how != NO_GAME
        if is_counted and not nobodys.intersection(pairing.players):
            yield pairing


def _average(gains: list[dict[str, Exact]]) -> dict[str, Exact]:
    """What a player got from a game of a round on average; nothing while none of its games has ended."""
    return {name: Fraction(added([gain[name] for gain in gains]), len(gains) or 1) for name in AVERAGED}


def added(numbers: Sequence[Exact]) -> Exact:
    """The sum of exact numbers, over the denominator that all of them have in common."""
    whole = lcm(*[each.denominator for each in numbers])
    total = sum([each.numerator * (whole // each.denominator) for each in numbers])
    return total if whole == 1 else Fraction(total, whole)


def _add_tie_breaks(g: EventState, totals: dict[str, Totals]) -> None:
    """Add what follows from the opponents to what everybody has collected, as far as it decides here."""
    chosen = criteria(g)
    shares = {player: _share_won(own) for player, own in totals.items()} if WINS_OF_OTHERS in chosen else {}
    for own in totals.values():
        games = [(rival, share) for rival, share in own.games if rival in totals]
        met = [totals[rival].values["points"] for rival, _share in games]
        # A virtual opponent ends with as many points as the player has.
        all_met = [*met, *[own.values["points"]] * own.unplayed]
        for name in chosen:
            if name == "strength":
                own.values[name] = added(met)
            elif name == "strength-virtual":
                own.values[name] = added(all_met)
            elif name == "strength-cut":
                own.values[name] = added(sorted(all_met)[1:])
            elif name == "sonneborn-berger":
                own.values[name] = added([points * games[at][1] for at, points in enumerate(met)])
            elif name == WINS_OF_OTHERS:
                own.values[name] = Fraction(
                    added([shares[rival] for rival, _share in games]), len(games) or 1
                )
            elif name == "vim":
                own.values[name] = -own.vim


def _share_won(totals: Totals) -> Fraction:
    """How much of their rounds somebody has won, byes among them and draws as halves; at least a third."""
    rounds = totals.won + totals.drawn + totals.lost + totals.byes
    return max(LEAST_WINS, Fraction(2 * (totals.won + totals.byes) + totals.drawn, 2 * rounds or 1))


def annulled(g: EventState) -> frozenset[str]:
    """Who has left a round robin before half of their games, where these then count for nobody."""
    if not (g.annuls and g.is_round_robin):
        return frozenset()
    met: dict[str, int] = dict.fromkeys(
        (key for pairing in g.pairings.values() for key in pairing.players), 0
    )
    for pairing in g.pairings.values():
        for key in pairing.players if pairing.is_decided and pairing.is_played else ():
            met[key] += 1
    games = g.legs * (len(met) - 1)
    return frozenset(key for key, count in met.items() if _has_left(g, key) and 2 * count < games)


def _has_left(g: EventState, key: str) -> bool:
    return key in g.players and g.players[key].dropped is not None


def _collect(g: EventState, totals: Totals, pairing: Pairing, player: str) -> dict[str, Exact]:
    """Add what a game at a table gave to one of its players; returns it."""
    is_won, is_drawn = pairing.winner == player, pairing.is_drawn_for(player)
    totals.won += is_won
    totals.drawn += is_drawn
    totals.lost += not is_won and not is_drawn
    own = pairing.results.get(player, {})
    totals.vim = min(totals.vim, own.get("vim", NEVER))
    vp, best = _score(pairing, player)
    won = _won(pairing, player)
    gains: dict[str, Exact] = {
        "points": points(g, pairing, player),
        "wins": won,
        "vp": vp,
        "difference": vp - best,
        "destroyed": own.get("destroyed", 0),
        "scenario": own.get("scenario", 0),
    }
    for name, value in gains.items():
        totals.values[name] += value
    for rival in pairing.rivals(player):
        # By place where there are places.
        place, other = own.get("place", 0), pairing.results.get(rival, {}).get("place", 0)
        share = won if not (place and other) else HALF if place == other else int(place < other)
        totals.games.append((rival, share))
        totals.from_rival[rival] += gains["points"]
    return gains


def _won(pairing: Pairing, player: str) -> Exact:
    """How many wins a player gets from a pairing: a draw is half a win."""
    return HALF if pairing.is_drawn_for(player) else int(pairing.winner == player)


def _ranked(g: EventState, totals: dict[str, Totals]) -> tuple[list[str], dict[str, str]]:
    """The players in order, and by player the criterion that separates them from the next."""
    decided: dict[str, str] = {}

    def part(group: list[str], names: tuple[str, ...]) -> list[str]:
        if len(group) < 2 or not names:
            return group
        value = _values(g, totals, group, names[0])
        ordered: list[str] = []
        for _same, tied in _by_value(group, value):
            placed = part(tied, names[1:])
            if ordered:
                decided[ordered[-1]] = names[0]
            ordered += placed
        return ordered

    return part(list(totals), criteria(g)), decided


def _by_value(group: Iterable[str], value: Callable[[str], Exact]) -> list[tuple[Exact, list[str]]]:
    """The players grouped by the value that they share, the best first."""
    groups: dict[Exact, list[str]] = defaultdict(list)
    for player in group:
        groups[value(player)].append(player)
    return sorted(groups.items(), reverse=True)


def _values(g: EventState, totals: dict[str, Totals], group: list[str], name: str) -> Callable[[str], Exact]:
    if name == "lot":
        return lambda player: -g.players[player].lot
    if name == "head":
        return _head_to_head(totals, group)
    return lambda player: totals[player].values[name]


def _head_to_head(totals: dict[str, Totals], group: list[str]) -> Callable[[str], Exact]:
    """Points from the games among those who are level; decides nothing unless each has met all the others."""
    among = set(group)
    if any(among - {player} - totals[player].from_rival.keys() for player in group):
        return lambda _player: 0
    return lambda player: sum(totals[player].from_rival[rival] for rival in among - {player})


def _standing(
    g: EventState, totals: dict[str, Totals], rank: int, player: str, decided: dict[str, str]
) -> Standing:
    own_totals = totals[player]
    return Standing(
        rank,
        player,
        {**own_totals.values, "lot": g.players[player].lot},
        own_totals.won,
        own_totals.drawn,
        own_totals.lost,
        own_totals.byes,
        decided.get(player, ""),
        g.players[player].dropped is not None,
    )


# --- tournament points -------------------------------------------------------------------------------


PLACES = (6, 5, 4, 3, 2, 1)
"""Points of the winner, the second and so on at a table of several, unless the event sets others."""


@dataclass(frozen=True)
class Scoring:
    """A way to give tournament points: its name, what it gives, what a bye is worth unless the event says."""

    title: str
    summary: str
    points: Callable[[EventState, Pairing, str], Exact]
    bye: dict[str, Exact]


def exact(number: float | Fraction) -> Exact:
    """A number as it is written: 0.1 is a tenth."""
    return number if isinstance(number, int) else Fraction(str(number))


def _wins(g: EventState, pairing: Pairing, player: str) -> Exact:
    return _won(pairing, player)


def _strict(g: EventState, pairing: Pairing, player: str) -> Exact:
    return int(pairing.winner == player)


def _truncated(g: EventState, pairing: Pairing, player: str) -> Exact:
    own, other = _score(pairing, player)
    return 3 + max(-2, min(2, own - other))


def _twenty(g: EventState, pairing: Pairing, player: str) -> Exact:
    own, other = _score(pairing, player)
    return max(0, min(20, 10 + own - other))


def _places(g: EventState, pairing: Pairing, player: str) -> Exact:
    """Points by place; players who share a place share the points of all the places they take up."""
    scale, seats = by_place(g, len(pairing.players)), len(pairing.players)
    places = [numbers.get("place", seats) for numbers in pairing.results.values()]
    place = pairing.results.get(player, {}).get("place", seats)
    shared = range(place, min(seats, place + max(1, places.count(place)) - 1) + 1)
    return Fraction(sum(scale[rank - 1] for rank in shared), len(shared))


def by_place(g: EventState, players: int) -> tuple[Exact, ...]:
    """The points of each place at a table with so many players.

    From the first to the last they take the same steps as at a table of the event's size: place p of n counts
    as place 1 + (p − 1) · (size − 1) / (n − 1), between two places in proportion.
    """
    scale = [*(g.places or PLACES), *[0] * g.size]

    def worth(place: Fraction) -> Exact:
        above, part = divmod(place - 1, 1)
        return scale[above] + part * (scale[above + 1] - scale[above])

    return tuple(worth(1 + Fraction(at * (g.size - 1), max(1, players - 1))) for at in range(players))


def _score(pairing: Pairing, player: str) -> tuple[int, int]:
    points = {key: pairing.results[key].get("vp", 0) for key in pairing.players if key in pairing.results}
    return points.pop(player, 0), max(points.values(), default=0)


SCORINGS: dict[str, Scoring] = {
    "wins": Scoring(_("Wins"), _("1 for a win, ½ for a draw"), _wins, {"points": 1, "wins": 1}),
    "win-or-nothing": Scoring(
        _("Strict Swiss"), _("1 for a win, 0 otherwise"), _strict, {"points": 1, "wins": 1}
    ),
    "truncated": Scoring(
        _("Truncated points"),
        _("5 for a win by two or more, 4 by one, 3 for a draw, 2 and 1 for the losers"),
        _truncated,
        {"points": 4},
    ),
    "twenty": Scoring(
        _("20–0"),
        _("20 shared: 10 and the difference of victory points, from 20 to 0"),
        _twenty,
        {"points": 15},
    ),
    "places": Scoring(_("Places"), _("points by the place at the table"), _places, {"points": 0}),
}


def ways(game: str) -> dict[str, Scoring]:
    """Every way to give tournament points in events of a game: those of all games, and its own."""
    own = {name: _of_a_game(way) for name, way in system(game).scorings.items()}
    return {**SCORINGS, **own}


def _of_a_game(way: TournamentPoints) -> Scoring:
    def points(g: EventState, pairing: Pairing, player: str) -> Exact:
        return exact(way.points(*_score(pairing, player)))

    return Scoring(way.title, way.summary, points, {"points": exact(way.bye)})


def usual_bye(g: EventState) -> dict[str, Exact | None]:
    """What a bye is worth by criterion unless the event says; None is the average of its round."""
    return {**dict.fromkeys(AVERAGED), **ways(g.system)[g.scoring].bye}


def bye_of(g: EventState) -> dict[str, Exact | None]:
    """What a bye, or a game whose opponent left, is worth in an event, by criterion."""
    return {**usual_bye(g), **{name: exact(value) for name, value in g.bye.items()}}


def points(g: EventState, pairing: Pairing, player: str) -> Exact:
    """The tournament points of a player from a decided pairing, less what they have bid for their seat.

    A judge's ruling comes first.
    """
    ruled: Any = pairing.results.get(player, {}).get("points")
    if ruled is not None:
        return ruled
    bid = pairing.bids.get(player)
    return _scoring(g).points(g, pairing, player) - (bid if isinstance(bid, int) else 0)


@remembered
def _scoring(g: EventState) -> Scoring:
    return ways(g.system)[g.scoring]
