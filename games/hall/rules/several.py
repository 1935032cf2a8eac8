"""Tables of three to six: who sits together and on which seats, repeating both as rarely as possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations

from games.hall.rules.pairing import Entrant, Impossible, Pairs

LEAST, MOST = 3, 6
TOGETHER, SPREAD = "together", "spread"
MEETING, CLUB = 1000, 100
"""How much a second meeting, and two of one club in the first round, weigh against a step in the ranking."""


def sizes(players: int, size: int) -> list[int]:
    """How many sit at each table, larger tables first: as many as `size` asks for, none below three players.

    Raises `Impossible` for a number that cannot be seated.
    """
    tables = min(-(-players // size), players // LEAST)
    if tables < 1:
        raise Impossible
    return [players // tables + (at < players % tables) for at in range(tables)]


def seated(field: Sequence[Entrant], size: int, mix: str, *, apart: bool = False) -> Pairs:
    """The tables: the best together (or spread over all), with few who have met before.

    The field comes in the order of the ranking, or drawn. From there, players of different tables change
    places while that makes it better.
    """
    tables = _dealt(list(field), sizes(len(field), size), mix)
    meetings = {entrant.key: entrant.met for entrant in field}
    clubs = {entrant.key: entrant.club for entrant in field if apart and entrant.club}
    level = {entrant.key: at for at, entrant in enumerate(field)}
    home = {entrant.key: at for at, table in enumerate(tables) for entrant in table}
    found = [[entrant.key for entrant in table] for table in tables]

    def cost(at: int) -> int:
        table = found[at]
        pairs = list(combinations(table, 2))
        met = sum(other in meetings[one] for one, other in pairs)
        same = sum(one in clubs and clubs[one] == clubs.get(other) for one, other in pairs)
        moved = sum(abs(home[key] - at) for key in table)
        return MEETING * met + CLUB * same + moved

    _improve(found, cost)
    return [tuple(sorted(table, key=level.__getitem__)) for table in found]


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


def _dealt(field: list[Entrant], numbers: list[int], mix: str) -> list[list[Entrant]]:
    if mix == SPREAD:
        return [field[at :: len(numbers)] for at in range(len(numbers))]
    found, begin = [], 0
    for number in numbers:
        found.append(field[begin : begin + number])
        begin += number
    return found


def _improve(tables: list[list[str]], cost: Callable[[int], int]) -> None:
    """Let two players of different tables change places as long as that lowers the two tables' total cost."""
    better = True
    while better:
        better = False
        for one, other in combinations(range(len(tables)), 2):
            better = _swap(tables, one, other, cost) or better


def _swap(tables: list[list[str]], one: int, other: int, cost: Callable[[int], int]) -> bool:
    before = cost(one) + cost(other)
    for at in range(len(tables[one])):
        for there in range(len(tables[other])):
            tables[one][at], tables[other][there] = tables[other][there], tables[one][at]
            if cost(one) + cost(other) < before:
                return True
            tables[one][at], tables[other][there] = tables[other][there], tables[one][at]
    return False
