"""A match at any of its versions, from the images of its log alone, without the rules.

It starts from the nearer end, the current rows or the opening. The images between are read in one query,
joined into one and applied once, however many there are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from operator import or_

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from games.core import KINDS, Image, State, apply, in_order, is_piece, joined, system
from games.history import logbook
from games.match import storage
from games.models import Army, Entry, Match


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry in the outline of a match; nothing of it is secret.

    `round` and `points` (in seating order) are those after it. `undone`: it was undone later; `undoing`: it
    is part of an undo.
    """

    version: int
    seat: str
    round: int
    points: tuple[int, ...]
    undone: bool = False
    undoing: bool = False


def outline(match: Match) -> tuple[OutlineEntry, ...]:
    """All moments of a match, from its opening on."""
    return _outline(match.pk, match.chain, match.version, match.round)


@lru_cache(maxsize=32)
def _outline(pk: int, chain: str, last: int, round_now: int) -> tuple[OutlineEntry, ...]:
    """The outline, cached by the fingerprint of the history (`chain`)."""
    keys = tuple(Army.objects.filter(match=pk).order_by("pk").values_list("key", flat=True))
    entries = Entry.objects.filter(match=pk).order_by("version")
    rows = list(entries.values_list("version", "seat", "kind", "round", "pk", "undoes_id"))
    rounds = [*(row[3] for row in rows[1:]), round_now]
    gone = {undoes for *_rest, undoes in rows}
    scored = _scored(pk)
    standing: dict[str, tuple[str, int]] = {}
    points = (0,) * len(keys)
    found = []
    for (version, seat, kind, _round, number, _undoes), round_after in zip(rows, rounds, strict=True):
        if version in scored:
            _lay_scores(standing, scored[version])
            points = tuple(sum(n for owner, n in standing.values() if owner == key) for key in keys)
        is_undoing = kind == Entry.Kind.UNDO
        found.append(OutlineEntry(version, seat, round_after, points, number in gone, is_undoing))
    return tuple(found)


def position(match: Match, version: int) -> State:
    """The whole position after a version, hidden values included: show it through `engine.view`."""
    if 2 * version < match.version:
        return _from_the_opening(match, version)
    return rewound(storage.current(match).state, match, version)


def rewound(state: State, match: Match, version: int) -> State:
    """The position after a version, by undoing everything since then on the current `state`."""
    image = joined(_images(match, "before", version + 1, match.version))
    earlier = apply(state, image)
    left = {path.partition("/")[0] for path, value in image.items() if value and is_piece(path)}
    if left:
        _put_in_order(earlier, left, _arrivals(match, left, version))
    return earlier


def _put_in_order(state: State, kinds: set[str], arrivals: list[str]) -> None:
    """Order pieces as they came to the table: pieces that have left since then return to their places."""
    place = {path: number for number, path in enumerate(arrivals)}
    for kind in kinds:
        pieces = getattr(state, KINDS[kind])
        order = sorted(pieces, key=partial(_place, place, kind))
        setattr(state, KINDS[kind], {key: pieces[key] for key in order})


def _place(places: dict[str, int], kind: str, key: str) -> int:
    return places[f"{kind}/{key}"]


def _arrivals(match: Match, kinds: set[str], version: int) -> list[str]:
    """Paths of pieces in the order in which they came to the table; for one that came back, the last time."""
    entries = Entry.objects.filter(match=match, version__lte=version).annotate(
        text=Cast("before", TextField())
    )
    spoken_of = reduce(or_, (Q(text__contains=f'"{kind}/') for kind in kinds))
    # SQLite keeps the texts as they were written, with or without a space; PostgreSQL formats its own.
    was_not_there = Q(text__contains=":null") | Q(text__contains=": null")
    came = entries.filter(Q(kind=Entry.Kind.OPEN) | spoken_of & was_not_there).order_by("version")
    texts = came.values_list(Cast("after", TextField()), flat=True)
    seats = _seats(match)
    found: dict[str, None] = {}
    for image in json.loads(f"[{','.join(texts)}]"):
        for path in in_order({path: image[path] for path in image if image[path] and is_piece(path)}, seats):
            found.pop(path, None)
            found[path] = None
    return list(found)


def _from_the_opening(match: Match, version: int) -> State:
    latest_first = reversed(_images(match, "after", 1, version))
    return apply(_blank(match), joined(latest_first, _seats(match)))


def final_position(match: Match) -> State:
    """The position after the last entry."""
    return logbook.last_position(match.entries.order_by("version"), _blank(match), _seats(match))


def positions(match: Match) -> Iterator[tuple[Entry, State]]:
    """Every entry with the position after it."""
    return logbook.positions(match.entries.order_by("version"), _blank(match), _seats(match))


def misfits(match: Match) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    return logbook.misfits(match.entries.order_by("version"), _blank(match), _seats(match))


def _blank(match: Match) -> State:
    return system(match.system).state(system=match.system, mode=match.mode, seed=match.seed)


def _seats(match: Match) -> tuple[str, ...]:
    return tuple(system(match.system).seat_names)


def _images(match: Match, name: str, first: int, last: int) -> list[Image]:
    """The whole images of these entries, oldest first; decoded as one text, which is faster."""
    entries = Entry.objects.filter(match=match, version__range=(first, last)).order_by("version")
    texts = entries.values_list(Cast(name, TextField()), Cast("sealed", TextField()))
    found: list[Image] = []
    for public, sealed in json.loads(f"[{','.join(f'[{image},{sealed}]' for image, sealed in texts)}]"):
        for part in sealed.values():
            public.update(part.get(name, {}))
        found.append(public)
    return found


def _scored(pk: int) -> dict[int, Image]:
    """The score values after every entry that changed points, by the entry's version."""
    entries = Entry.objects.filter(match=pk).annotate(text=Cast("after", TextField()))
    found = entries.filter(text__contains='"score/').values_list("version", "after").order_by("version")
    return {
        version: {path: value for path, value in after.items() if path.startswith("score/")}
        for version, after in found
    }


def _lay_scores(standing: dict[str, tuple[str, int]], image: Image) -> None:
    """Apply a change of points to `standing`: the seat and points of each score row, by key."""
    for path, value in image.items():
        _kind, key, *name = path.split("/")
        if not name and value is None:
            standing.pop(key, None)
        elif not name:
            standing[key] = (value["seat"], value["points"])
        elif name == ["points"]:
            standing[key] = (standing[key][0], value)
        elif name == ["seat"]:
            standing[key] = (value, standing[key][1])
