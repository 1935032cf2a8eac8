"""Draws up a round: from the event as it stands to the pairings of its next round, with tables and seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from games.hall.rules import knockout, pairing
from games.hall.rules.event_state import (
    AS_DRAWN,
    BYE,
    CUT,
    DRAFTED,
    ENTERED,
    FREE,
    FRESH,
    KNOCKOUT,
    LEFT,
    MAIN,
    MOST_SEEDS,
    NEAR,
    NO_GAME,
    OPEN,
    RANDOM,
    ROUND_ROBIN,
    SWISS,
    EventState,
    Pairing,
)
from games.hall.rules.pairing import Entrant, Impossible, Pairs
from games.hall.rules.standings import Exact, collected, standings


def stage_of(g: EventState, number: int) -> str:
    """The stage a round belongs to: `CUT`, the knock-out, or `MAIN`, the rounds before it."""
    return CUT if g.kind == KNOCKOUT or (g.cut and 0 < _before_the_cut(g) < number) else MAIN


def rounds_in_all(g: EventState) -> int:
    """How many rounds the event has, including its knock-out; 0 if that is still open."""
    if g.kind == KNOCKOUT:
        return knockout.rounds_of(in_the_bracket(g) or len(g.present(1)))
    main = _before_the_cut(g)
    return main + knockout.rounds_of(in_the_bracket(g) or g.cut) if main else 0


def is_beyond(g: EventState, number: int) -> bool:
    """Whether a round would come after all that the event has; paired by hand, it may have any number."""
    return number > rounds_in_all(g) > 0 and g.kind != FREE


def _before_the_cut(g: EventState) -> int:
    """How many rounds everybody plays; 0 if that is still open."""
    if g.is_ladder:
        return 0
    if g.kind != ROUND_ROBIN or g.length:
        return g.length
    if any(g.pairings) and (left := _left_to_play(g)) and _has_latecomers(g):
        drawn = max(game.round for game in g.pairings.values())
        return drawn + max(
            Counter(key for pair in left for key in pair for _game in range(left[pair])).values()
        )
    players = len(_in_the_circle(g))
    return g.legs * (players - 1 + players % 2) if players > 1 else 0


def _has_latecomers(g: EventState) -> bool:
    """Whether somebody plays in a round robin who was not in its first round: Berger's tables lack them."""
    return not set(g.present(MOST_SEEDS)) <= set(_in_the_circle(g))


def _left_to_play(g: EventState) -> dict[frozenset[str], int]:
    """How often two of those who are there still have to meet, for each pair that has to."""
    met = Counter(frozenset(game.players) for game in g.pairings.values() if game.is_played)
    pairs = map(frozenset, combinations(g.present(MOST_SEEDS), 2))
    return {pair: g.legs - met[pair] for pair in pairs if met[pair] < g.legs}


def _in_the_circle(g: EventState) -> list[str]:
    """Who meets everybody, by lot: who plays in the first round, or would play in it now."""
    first = g.rounds.get("1")
    is_begun = first is not None and first.state != DRAFTED
    keys = [key for game in g.at(1) for key in game.players] if is_begun else g.present(1)
    return sorted(keys, key=lambda key: g.players[key].lot)


def in_the_bracket(g: EventState) -> int:
    """How many players the knock-out began with; 0 before it has."""
    first = min(
        (event_round.number for event_round in g.rounds.values() if event_round.stage == CUT), default=0
    )
    return sum(len(game.players) for game in g.at(first))


def in_the_knockout(g: EventState, number: int) -> list[str]:
    """Who plays in a round of the knock-out: the winners of the one before; in its first, who qualifies."""
    return [*knockout.went_on(g, number), *knockout.for_third(g, number)] or _seeds(g, number)


def seeds_of(g: EventState) -> dict[str, int]:
    """The seeds of the knock-out that has begun: the places before a cut, or those that were given."""
    first = min(
        (event_round.number for event_round in g.rounds.values() if event_round.stage == CUT), default=0
    )
    among = {player for game in g.at(first) for player in game.players}
    if g.kind == KNOCKOUT:
        return {key: seed for key in among if (seed := g.players[key].seed)}
    ranked = [line.player for line in standings(g, first - 1) if line.player in among]
    return {player: at for at, player in enumerate(ranked, 1)}


def draw_up(g: EventState, number: int) -> list[Pairing]:
    """The pairings of a round; any chance in them is drawn from the event. Raises `Impossible`."""
    groups = _groups(g, number)
    pairs = [group for group in groups if len(group) > 1]
    alone = [group for group in groups if len(group) == 1]
    tables = table_numbers(g, pairs)
    firsts = _firsts(g)
    made = []
    for at, group in enumerate(pairs, 1):
        players = _in_seat_order(g, group, firsts)
        made.append(Pairing(f"{number}-{at}", number, tables[at - 1], players))
    if stage_of(g, number) == CUT:
        for game in made:
            decide_unplayed(g, game)
        # The key holds the place in the bracket, even for a player who goes on unplayed.
        return _bracketed(number, groups, made)
    how = NO_GAME if g.kind == ROUND_ROBIN and (g.annuls or _has_latecomers(g)) else BYE
    return made + [
        bye(f"{number}-{len(pairs) + at}", number, group[0], how) for at, group in enumerate(alone, 1)
    ]


def bye(key: str, number: int, player: str, how: str = BYE) -> Pairing:
    """A round in which a player sits out."""
    return Pairing(key, number, None, (player,), state=ENTERED, winner=player if how == BYE else "", how=how)


def entrants(g: EventState, number: int, order: Sequence[str]) -> list[Entrant]:
    """The players to be paired, in this order, with what their earlier rounds say."""
    points = {key: own.values["points"] for key, own in collected(g).items()}
    met, byes = meetings(g), byes_of(g)
    floats = _floats(g, number)
    return [
        Entrant(key, points[key], g.players[key].club, met.get(key, ()), byes.get(key, 0), floats[key])
        for key in order
    ]


def meetings(g: EventState) -> dict[str, tuple[str, ...]]:
    """By player, everybody they have met, as often as they have."""
    met: dict[str, tuple[str, ...]] = {}
    for game in g.pairings.values():
        if game.is_played:
            for player in game.players:
                met[player] = met.get(player, ()) + game.rivals(player)
    return met


def byes_of(g: EventState) -> dict[str, int]:
    """By player, how often they had points without a game: from a bye, or because somebody left."""
    return Counter(game.winner for game in g.pairings.values() if game.how in (BYE, LEFT))


def shuffled(g: EventState, keys: Sequence[str]) -> list[str]:
    """These players in a randomly drawn order."""
    left, order = list(keys), []
    while left:
        order.append(left.pop(g.chance(len(left))))
    return order


# --- who with whom ---------------------------------------------------------------------------------


def _groups(g: EventState, number: int) -> Pairs:
    keys = g.present(number)
    if stage_of(g, number) == CUT:
        return knockout.next_pairs(g, _seeds(g, number), number)
    if g.size > 2:
        return _tables_of_several(g, number, keys)
    if g.kind == ROUND_ROBIN and g.pairings and _has_latecomers(g):
        return pairing.as_many(keys, _left_to_play(g))
    if g.kind == ROUND_ROBIN:
        by_lot = _in_the_circle(g)
        size = len(by_lot) + len(by_lot) % 2
        pairs = pairing.berger(by_lot, (number - 1) % max(1, size - 1) + 1)
        return _without_absent(pairs, set(keys))
    if number == 1:
        return _pairs(pairing.drawn, entrants(g, number, shuffled(g, keys)), apart=g.apart)
    if g.kind == RANDOM:
        return _pairs(pairing.within_groups, _drawn_within(g, number, keys))
    ranked = [line.player for line in standings(g) if line.player in set(keys)]
    order = entrants(g, number, ranked)
    if g.kind == SWISS:
        order.sort(key=lambda entrant: -entrant.points)
        return _pairs(pairing.dutch, order, number=number, rounds=max(number, g.length))
    return _pairs(pairing.monrad, order)


def _pairs(method: Callable[..., Pairs], field: Sequence[Entrant], **how: Any) -> Pairs:
    """What a method makes of a field. Raises `Impossible`."""
    pairs = _worked_out(method, tuple(field), tuple(how.items()))
    if pairs is None:
        raise Impossible
    return list(pairs)


@lru_cache(maxsize=8)
def _worked_out(
    method: Callable[..., Pairs], field: tuple[Entrant, ...], how: tuple[tuple[str, Any], ...]
) -> Pairs | None:
    """The same for the last fields that were asked for: a large one takes a second (`play.act`, `ahead`)."""
    way = partial(method, **dict(how))
    try:
        return way(field) if method is pairing.seated else pairing.with_bye(field, way)
    except Impossible:
        return None


def _seeds(g: EventState, number: int) -> list[str]:
    ranked = [line.player for line in standings(g, number - 1)]
    among = set(g.present(number))
    if g.kind == KNOCKOUT:
        last = 1 + MOST_SEEDS
        return sorted(among, key=lambda key: (g.players[key].seed or last, g.players[key].lot))
    return [player for player in ranked if player in among][: g.cut]


def _tables_of_several(g: EventState, number: int, keys: list[str]) -> Pairs:
    if number == 1:
        drawn = entrants(g, number, shuffled(g, keys))
        return _pairs(pairing.seated, drawn, size=g.size, mix=g.mix, least=g.least, apart=g.apart)
    ranked = [line.player for line in standings(g) if line.player in set(keys)]
    return _pairs(pairing.seated, entrants(g, number, ranked), size=g.size, mix=g.mix, least=g.least)


def _drawn_within(g: EventState, number: int, keys: list[str]) -> list[Entrant]:
    order = entrants(g, number, shuffled(g, keys))
    return sorted(order, key=lambda entrant: -entrant.points)


def _without_absent(pairs: Pairs, here: set[str]) -> Pairs:
    """Berger's pairs without those who left: the players who were to meet them sit out."""
    kept = [tuple(key for key in pair if key in here) for pair in pairs]
    return sorted((pair for pair in kept if pair), key=lambda pair: len(pair) == 1)


def _floats(g: EventState, number: int) -> dict[str, tuple[str, ...]]:
    """By player and round, how they were paired: see `Entrant.floats`."""
    floats: dict[str, list[str]] = {key: [] for key in g.players}
    for earlier in range(1, number):
        before = {key: own.values["points"] for key, own in collected(g, earlier - 1).items()}
        here = {key: game for game in g.at(earlier) for key in game.players}
        for key in g.players:
            game = here.get(key)
            if game is not None and game.how in (BYE, LEFT) and game.winner == key:
                floats[key].append("bye")
                continue
            rival = game.rivals(key)[0] if game is not None and len(game.players) == 2 else None
            floats[key].append(_float(before[key], before.get(rival or key, 0)))
    return {key: tuple(directions) for key, directions in floats.items()}


def _float(own: Exact, other: Exact) -> str:
    if own == other:
        return "none"
    return "down" if own > other else "up"


# --- where -----------------------------------------------------------------------------------------


HOW_NEAR = 3
"""Of so many free tables the first one that is new to both players is taken."""


def table_numbers(g: EventState, groups: Pairs) -> list[int]:
    """A table for each group, the best first, as the event chooses; who has a table of their own has it."""
    assigned: dict[int, int] = {}
    taken: set[int] = set()
    for at, group in enumerate(groups if g.tables != AS_DRAWN else ()):
        own = (g.players[key].table for key in group)
        table = next((number for number in own if number and number not in taken), None)
        if table is not None:
            assigned[at] = table
            taken.add(table)
    rest = [at for at in range(len(groups)) if at not in assigned]
    numbers = range(g.first_table, g.first_table + len(groups))
    free = [number for number in numbers if number not in taken][: len(rest)]
    had: dict[str, set[int]] = {}
    for game in g.pairings.values():
        for player in game.players:
            had.setdefault(player, set()).add(game.table or 0)
    seen = {at: set[int]().union(*(had.get(key, ()) for key in groups[at])) for at in rest}
    if g.tables == FRESH:
        assigned |= _all_new({at: [number for number in free if number not in seen[at]] for at in rest})
        taken.update(assigned.values())
    left = [number for number in free if number not in taken]
    for at in rest:
        if at not in assigned:
            near = left[: HOW_NEAR if g.tables == NEAR else 0]
            assigned[at] = next((number for number in near if number not in seen[at]), left[0])
            left.remove(assigned[at])
    return [assigned[at] for at in range(len(groups))]


def _all_new(new: dict[int, list[int]]) -> dict[int, int]:
    """A table that is new to it for as many groups as possible, the lowest for the first; by group."""
    taken: dict[int, int] = {}

    def place(group: int, tried: set[int]) -> bool:
        """Give a group a table, moving one behind it to another if need be; False if that is impossible."""
        for table in sorted(new[group], key=lambda table: -taken.get(table, len(new))):
            if table in tried:
                continue
            tried.add(table)
            if table not in taken or place(taken[table], tried):
                taken[table] = group
                return True
        return False

    for group in new:
        place(group, set())
    return {group: table for table, group in taken.items()}


def _in_seat_order(g: EventState, group: tuple[str, ...], firsts: Counter[str]) -> tuple[str, ...]:
    """Of two players, the one who had the first seat less often gets it; chance decides between equals."""
    if len(group) != 2:
        return group
    first, second = group
    balance = firsts[first] - firsts[second]
    is_turned = balance > 0 or (balance == 0 and g.chance(2) == 1)
    return (second, first) if is_turned else group


def _firsts(g: EventState) -> Counter[str]:
    """How often each player had the first seat."""
    return Counter(game.players[0] for game in g.pairings.values() if game.is_played)


def decide_unplayed(g: EventState, drawn: Pairing) -> None:
    """Let somebody go on who has nobody opposite, or whose rival has left; of two who left, the first."""
    here = g.present(drawn.round)
    staying = [key for key in drawn.players if key in here]
    if drawn.is_bye:
        drawn.winner = drawn.players[0]
    elif len(staying) < len(drawn.players):
        drawn.state, drawn.how, drawn.winner = ENTERED, LEFT, (staying or drawn.players)[0]
    else:
        drawn.state, drawn.how, drawn.winner = OPEN, "", ""


def _bracketed(number: int, groups: Pairs, made: list[Pairing]) -> list[Pairing]:
    by_players = {frozenset(game.players): game for game in made}
    ordered = []
    for at, group in enumerate(groups, 1):
        game = by_players.get(frozenset(group)) or bye("", number, group[0])
        game.key = f"{number}-{at}"
        ordered.append(game)
    return ordered
