"""Who plays whom: the pairing methods, thinly wrapped around the libraries; and tables of three to six.

Berger tables and the Dutch system come from `caissify_pairings`; everything else for two is a least-cost
matching by `networkx`. No method pairs two who have met, and none gives a second bye while somebody has had
none. All chance comes in as an order that the caller has drawn.

Both are imported where they are used: they are a tenth of what the program loads before it can start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

MOST_DUTCH = 64
"""With more players the library's Dutch system takes longer than anybody waits; a matching folds them."""
NEAR = 16
"""How far apart in the ranking two players are usually paired; further only if it has to be."""
PART = 80
"""So many neighbours in the ranking are paired at a time: a matching takes long for many."""

Pairs = list[tuple[str, ...]]
Cost = Callable[[int, int], int]
Places = tuple[int, int]


@dataclass(unsafe_hash=True)
class Entrant:
    """A player to be paired, with what speaks for and against each rival; given in ranking order.

    `met` has everybody they have met, as often as they have.
    `floats` says by round whether they met somebody with more points ("up"), fewer ("down") or neither
    ("none"), or had points without playing ("bye").
    """

    key: str
    points: int | Fraction = 0
    club: str = ""
    met: Collection[str] = ()
    byes: int = 0
    floats: tuple[str, ...] = field(default=())


class Impossible(Exception):
    """There is no pairing like this without a second meeting."""


def with_bye(field: Sequence[Entrant], pair: Callable[[Sequence[Entrant]], Pairs]) -> Pairs:
    """Pair an even number; with an odd one the lowest of those with fewest byes sits out, listed last.

    Raises `Impossible`.
    """
    if len(field) % 2 == 0:
        return pair(field)
    for left_out in sorted(_lowest_first(field), key=lambda entrant: entrant.byes):
        others = [entrant for entrant in field if entrant is not left_out]
        try:
            return [*pair(others), (left_out.key,)]
        except Impossible:
            continue
    raise Impossible


def drawn(field: Sequence[Entrant], *, apart: bool) -> Pairs:
    """Pair neighbours in a drawn order; with `apart`, two of one club meet the nearest two whom they may."""
    pairs = [list(pair) for pair in zip(field[::2], field[1::2], strict=True)]
    for at, (left, right) in enumerate(pairs if apart else ()):
        if _share_club(left, right):
            near = sorted(range(len(pairs)), key=lambda there: abs(there - at))
            for there in near:
                first, second = pairs[there]
                if not _share_club(left, first) and not _share_club(right, second):
                    pairs[at], pairs[there] = [left, first], [right, second]
                    break
    return [(left.key, right.key) for left, right in pairs]


def _share_club(first: Entrant, second: Entrant) -> bool:
    return first.club == second.club != ""


def monrad(field: Sequence[Entrant]) -> Pairs:
    """Pair first against second, third against fourth; past those already met, as near as possible."""
    return matched(field, lambda first, second: (first - second) ** 2)


def within_groups(field: Sequence[Entrant]) -> Pairs:
    """Pair neighbours in an order drawn within each score group; few are paired down, nobody twice.

    The field comes by points, in drawn order among equals.
    """
    group = _groups(field)
    down = len(field) ** 2

    def cost(first: int, second: int) -> int:
        crossed = abs(group[first] - group[second])
        higher = field[min(first, second)]
        again = crossed > 0 and "down" in higher.floats
        return (first - second) ** 2 + down * crossed**2 + 4 * down * again

    return matched(field, cost)


def dutch(field: Sequence[Entrant], number: int, rounds: int) -> Pairs:
    """Pair by the Dutch system (FIDE C.04.3) without colours: in a score group upper half meets lower."""
    from caissify_pairings import generate_pairings

    if len(field) > MOST_DUTCH:
        return folded(field)
    place = {entrant.key: at for at, entrant in enumerate(field, 1)}
    players = [
        {
            "id": at,
            "name": entrant.key,
            "score": float(entrant.points),
            "rating": len(field) - at,
            "starting_number": at,
            "color_hist": ["none"] * len(entrant.floats),
            # Points without playing count as a float downwards (C.04.3).
            "float_history": ["down" if direction == "bye" else direction for direction in entrant.floats],
            "bye_count": 1,
        }
        for at, entrant in enumerate(field, 1)
    ]
    met = {
        (at, place[rival])
        for at, entrant in enumerate(field, 1)
        for rival in entrant.met
        if place.get(rival, 0) > at
    }
    pairings = generate_pairings(
        system="dutch", players=players, previous_pairings=met, round_number=number, total_rounds=rounds
    )
    pairs = [_in_order(pair["white_id"], pair["black_id"]) for pair in pairings]
    if len(pairs) * 2 != len(field) or any(pair in met for pair in pairs):
        # The library has given up on somebody; the matching finds out whether that was necessary.
        return folded(field)
    return [(field[first - 1].key, field[second - 1].key) for first, second in sorted(pairs)]


def folded(field: Sequence[Entrant]) -> Pairs:
    """Pair the upper half of each score group with the lower half, as few as possible outside their group.

    Groups with an even number of players above them are paired without those, which is best unless somebody
    is then paired outside their group who need not be.
    """
    group = _groups(field)
    borders = [group.index(number) for number in range(1, len(set(group)))]
    even = [0, *(at for at in borders if at % 2 == 0), len(field)]
    try:
        pairs = [pair for begin, end in pairwise(even) for pair in _folded(field[begin:end])]
    except Impossible:
        return _folded(field)
    level = {entrant.key: number for entrant, number in zip(field, group, strict=True)}
    # Any solution crosses each border that has an odd number of players above it.
    least = sum(at % 2 for at in borders)
    is_best = sum((level[first] - level[second]) ** 2 for first, second in pairs) == least
    return pairs if is_best else _folded(field)


def _folded(field: Sequence[Entrant]) -> Pairs:
    """The same for groups that are paired together."""
    group = _groups(field)
    half = {number: group.count(number) // 2 for number in set(group)}
    crossing = len(field) ** 3

    def cost(first: int, second: int) -> int:
        crossed = abs(group[first] - group[second])
        return crossing * crossed**2 + (abs(first - second) - half[group[first]]) ** 2

    least = crossing * sum(group.index(number) % 2 for number in set(group))
    for off in OFF_THE_FOLD if len(field) > OFF_THE_FOLD[-1] else ():
        folds = [_about(at + half[number], off) for at, number in enumerate(group)]
        pairs = _matched(field, cost, range(len(field)), folds.__getitem__)
        total = sum(cost(*pair) for pair in pairs)
        # A pair that was left out costs more than all of these, so no other solution is better.
        is_best = total - least <= (off + 1) ** 2
        is_last = off == OFF_THE_FOLD[-1] and len(field) > MOST_TRIED
        if len(pairs) * 2 == len(field) and (is_best or is_last):
            return _keys(field, pairs)
    return matched(field, cost, near=None)


OFF_THE_FOLD = (8, 24)
"""How far from the player of the other half whom the fold gives them others are tried, at first and then."""
MOST_TRIED = 200
"""With more players nothing beyond that is tried, whether or not it is proved that nothing is better."""


def _about(place: int, off: int) -> range:
    return range(place - off, place + off + 1)


def berger(keys: Sequence[str], number: int) -> Pairs:
    """A round of everybody against everybody (FIDE C.05); if the number is odd, somebody is alone."""
    from caissify_pairings.engines.round_robin import berger_round

    size = len(keys) + len(keys) % 2
    pairs = berger_round(size, number)
    return [tuple(keys[place - 1] for place in pair if place <= len(keys)) for pair in pairs]


def as_many(keys: Sequence[str], left: Mapping[frozenset[str], int]) -> Pairs:
    """As many pairs as possible of those who have games `left`, first who has most; the others sit out."""
    import networkx

    most = Counter(key for pair, games in left.items() for key in pair for _game in range(games))
    graph = networkx.Graph()
    for pair in left:
        first, second = sorted(pair, key=keys.index)
        graph.add_edge(first, second, weight=most[first] + most[second])
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs: Pairs = sorted(tuple(sorted(pair, key=keys.index)) for pair in matching)
    playing = {key for pair in pairs for key in pair}
    return [*pairs, *((key,) for key in keys if key not in playing)]


def matched(field: Sequence[Entrant], cost: Cost, near: int | None = NEAR) -> Pairs:
    """Everybody in pairs, nobody with a rival they have met, at the least total cost.

    Tries only players `near` each other in the ranking first, which is much faster (None: all). Raises
    `Impossible`.
    """
    if near is not None and near < len(field):
        pairs = _in_parts(field, cost, near)
        if len(pairs) * 2 == len(field):
            return _keys(field, pairs)
    pairs = _matched(field, cost, range(len(field)), lambda place: range(place + 1, len(field)))
    if len(pairs) * 2 != len(field):
        raise Impossible
    return _keys(field, pairs)


def _in_parts(field: Sequence[Entrant], cost: Cost, near: int) -> list[Places]:
    """Pairs of players near each other: part by part of a long ranking, then again across their borders."""
    rival: dict[int, int] = {}
    for begin in (0, -PART // 2) if len(field) > PART else (0,):
        for first in range(begin, len(field), PART):
            part = range(max(0, first), min(first + PART, len(field)))
            # Whoever is paired with somebody of another part stays so.
            free = [at for at in part if rival.get(at, at) in part]
            for at in free:
                rival.pop(at, None)
            for place, opposite in _matched(
                field, cost, free, lambda place: range(place + 1, place + near + 1)
            ):
                rival |= {place: opposite, opposite: place}
    return sorted((place, opposite) for place, opposite in rival.items() if place < opposite)


def _matched(
    field: Sequence[Entrant], cost: Cost, free: Iterable[int], rivals: Callable[[int], Iterable[int]]
) -> list[Places]:
    """Pairs of the places that are free at the least total cost, as many as there can be of the rivals."""
    import networkx

    among = set(free)
    graph = networkx.Graph()
    for place in among:
        for rival in rivals(place):
            if place < rival and rival in among and field[rival].key not in field[place].met:
                graph.add_edge(place, rival, weight=-cost(place, rival))
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)


def _keys(field: Sequence[Entrant], pairs: Iterable[Places]) -> Pairs:
    return [(field[first].key, field[second].key) for first, second in pairs]


def _groups(field: Sequence[Entrant]) -> list[int]:
    """The number of each entrant's score group, the best first."""
    levels = sorted({entrant.points for entrant in field}, reverse=True)
    return [levels.index(entrant.points) for entrant in field]


def _lowest_first(field: Sequence[Entrant]) -> list[Entrant]:
    return list(reversed(field))


def _in_order(first: int, second: int | None) -> tuple[int, int]:
    return (min(first, second), max(first, second)) if second else (first, first)


# --- tables of three to six --------------------------------------------------------------------------


LEAST, MOST = 3, 6
TOGETHER, SPREAD = "together", "spread"
MEETING, CLUB = 1000, 100
"""How much a meeting (by the square of how often two have met) and two of one club in the first round weigh.

A step in the ranking away from one's own table weighs 1.
"""
BEGINNINGS = 6
"""How many first seatings are tried, each a place further down the ranking."""


def sizes(players: int, size: int, least: int = LEAST) -> list[int]:
    """How many sit at each table, larger tables first: as many tables as `size` asks for, none below `least`.

    Where the number of players allows no such tables, they are smaller, but have three players or more.
    Raises `Impossible` for a number that cannot be seated.
    """
    tables = min(-(-players // size), players // least)
    if tables * MOST < players:
        tables = min(-(-players // MOST), players // LEAST)
    if tables < 1:
        raise Impossible
    return [players // tables + (at < players % tables) for at in range(tables)]


def seated(
    field: Sequence[Entrant], size: int, mix: str, *, least: int = LEAST, apart: bool = False
) -> Pairs:
    """The tables: the best together (or spread over all), with few who have met before.

    The field comes in the order of the ranking, or drawn. From there, players of different tables change
    places while that makes it better; from several such beginnings the best end is taken.
    """
    numbers = sizes(len(field), size, least)
    level = {entrant.key: at for at, entrant in enumerate(field)}
    home = {key: at for at, table in enumerate(_dealt(list(level), numbers, mix)) for key in table}
    costs = _costs(field, apart=apart)

    def total(tables: list[list[str]]) -> tuple[int, int]:
        placed = [(at, table, player) for at, table in enumerate(tables) for player in table]
        again = sum(costs[player].get(other, 0) for _at, table, player in placed for other in table)
        return again, sum(abs(home[player] - at) for at, _table, player in placed)

    # In a large hall the next tables have enough to choose from, and one beginning is as good as six.
    near_first = [(at, at + off) for off in range(1, NEAR + 1) for at in range(len(numbers) - off)]
    best: list[list[str]] = []
    for turn in range(BEGINNINGS if len(numbers) <= NEAR else 1):
        tables = _dealt([*level][turn:] + [*level][:turn], numbers, mix)
        while sum(_swap(tables, *two, costs, home) for two in near_first):
            pass
        best = min(best or tables, tables, key=total)
        if total(best)[0] == 0:
            break
    return [tuple(sorted(table, key=level.__getitem__)) for table in best]


def houses(
    table: Sequence[str], seats: Sequence[str], had: Mapping[str, Sequence[str]], order: Sequence[int]
) -> tuple[str, ...]:
    """Who sits where: the first way, in a drawn order, that gives the fewest players a seat they have had.

    `order` is a drawn order of the seats; the answer lists the seats in the order of the players in `table`.
    """
    drawn = [seats[at] for at in order]

    def again(way: tuple[str, ...]) -> int:
        return sum(had.get(player, ()).count(seat) for player, seat in zip(table, way, strict=True))

    return min(permutations(drawn), key=again)


def _costs(field: Sequence[Entrant], *, apart: bool) -> dict[str, dict[str, int]]:
    """By player, what each other one costs at the same table; nothing is left out."""
    costs = {
        entrant.key: {key: MEETING * n**2 for key, n in Counter(entrant.met).items()} for entrant in field
    }
    for entrant, other in combinations(field, 2) if apart else ():
        if entrant.club and entrant.club == other.club:
            for key, rival in ((entrant.key, other.key), (other.key, entrant.key)):
                costs[key][rival] = costs[key].get(rival, 0) + CLUB
    return costs


def _dealt(keys: list[str], numbers: list[int], mix: str) -> list[list[str]]:
    if mix == SPREAD:
        return [keys[at :: len(numbers)] for at in range(len(numbers))]
    tables, begin = [], 0
    for number in numbers:
        tables.append(keys[begin : begin + number])
        begin += number
    return tables


def _swap(
    tables: list[list[str]], at: int, there: int, costs: dict[str, dict[str, int]], home: dict[str, int]
) -> bool:
    """Let the two players of two tables change places who gain most by it; False if no two gain."""
    here, other = tables[at], tables[there]
    own = {
        player: sum(costs[player].get(two, 0) for two in table) for table in (here, other) for player in table
    }
    if (
        not any(own.values())
        and all(home[player] == at for player in here)
        and all(home[player] == there for player in other)
    ):
        return False
    across = {
        player: sum(costs[player].get(two, 0) for two in table)
        for table, rest in ((here, other), (other, here))
        for player in rest
    }

    def change(two: tuple[str, str]) -> int:
        player, rival = two
        moved = (
            abs(home[player] - there)
            - abs(home[player] - at)
            + abs(home[rival] - at)
            - abs(home[rival] - there)
        )
        return sum(across[key] - own[key] for key in two) - 2 * costs[player].get(rival, 0) + moved

    player, rival = best = min(product(here, other), key=change)
    if change(best) >= 0:
        return False
    here[here.index(player)], other[other.index(rival)] = rival, player
    return True
