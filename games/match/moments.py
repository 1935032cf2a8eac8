"""A match at any of its versions, from the images of its log and from no rules.

Going there takes one query and one laying-on, however many entries lie between: images are joined to one
before anything is laid on. The nearer end is where it begins: the present rows, or the opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import TextField
from django.db.models.functions import Cast

from games.core.diff import Image, apply, in_order
from games.core.state import State
from games.core.system import system
from games.match import play
from games.models import Entry, Match


@dataclass(frozen=True, slots=True)
class Moment:
    """What an entry is to those who look for it, as everybody may know it.

    `round` and `points` (in seating order) are those after it. `undone` says that it was taken back later,
    `undoing` that it belongs to a taking back.
    """

    version: int
    seat: str
    round: int
    points: tuple[int, ...]
    undone: bool = False
    undoing: bool = False


def outline(match: Match) -> tuple[Moment, ...]:
    """All moments of a match, from its opening on."""
    keys = tuple(match.armies.order_by("pk").values_list("key", flat=True))
    entries = Entry.objects.filter(match=match).order_by("version")
    rows = list(entries.values_list("version", "seat", "kind", "round", "undone_by__version"))
    rounds = [*(row[3] for row in rows[1:]), match.round]
    scored = _scored(match)
    standing: dict[str, tuple[str, int]] = {}
    points = (0,) * len(keys)
    found = []
    for (version, seat, kind, _round, undone_by), round_after in zip(rows, rounds, strict=True):
        if version in scored:
            _lay_scores(standing, scored[version])
            points = tuple(sum(n for owner, n in standing.values() if owner == key) for key in keys)
        is_undoing = kind == Entry.Kind.UNDO
        found.append(Moment(version, seat, round_after, points, undone_by is not None, is_undoing))
    return tuple(found)


def position(match: Match, version: int) -> State:
    """The position after the entry of this version; what is hidden in it is still to be kept from others."""
    if 2 * version >= match.version:
        state = play.loaded(match).state
        image = _joined(_images(match, "before", version + 1, match.version))
        # What has left the table since stood somewhere between the others, and only the opening knows where.
        if not any(value is not None and _piece_of(path) == path for path, value in image.items()):
            return apply(state, image)
    return _from_the_opening(match, version)


def rewound(state: State, match: Match, version: int) -> State:
    """An earlier position: what was done since that version is taken off the present one."""
    return apply(state, _joined(_images(match, "before", version + 1, match.version)))


def _from_the_opening(match: Match, version: int) -> State:
    game = system(match.system)
    blank = game.state(system=match.system, mode=match.mode, seed=match.seed)
    latest_first = list(_images(match, "after", 1, version))[::-1]
    return apply(blank, _joined(in_order(image, tuple(game.seat_names)) for image in latest_first))


def _images(match: Match, name: str, first: int, last: int) -> Iterator[Image]:
    """The whole images of these entries, oldest first, in the names of today."""
    upgraded = system(match.system).state.upgraded_image
    entries = Entry.objects.filter(match=match, version__range=(first, last)).order_by("version")
    for public, sealed in entries.values_list(name, "sealed"):
        hidden = (part.get(name, {}) for part in sealed.values())
        yield upgraded(reduce(or_, hidden, public))


def _joined(images: Iterable[Image]) -> Image:
    """One image that leads where all of them do; of those that name a place the first one counts.

    A whole piece goes before its fields. Pieces stand in the order in which they came to the table, if the
    images come latest first.
    """
    pieces: list[Image] = []
    known: set[str] = set()
    fields: Image = {}
    for image in images:
        whole: Image = {}
        for path, value in image.items():
            piece = _piece_of(path)
            if piece in known:
                continue
            if piece == path:
                whole[path] = value
            elif path not in fields:
                fields[path] = value
        known |= whole.keys()
        pieces.append(whole)
    joined: Image = {}
    for whole in reversed(pieces):
        joined |= whole
    gone = {path for path, value in joined.items() if value is None}
    return joined | {path: value for path, value in fields.items() if _piece_of(path) not in gone}


def _piece_of(path: str) -> str:
    """The piece that a place belongs to ("unit/wolves"); "" for a field of the position."""
    kind, slash, rest = path.partition("/")
    return f"{kind}/{rest.partition('/')[0]}" if slash else ""


def _scored(match: Match) -> dict[int, Image]:
    """What every entry that changed points made of them, by its version."""
    entries = Entry.objects.filter(match=match).annotate(text=Cast("after", TextField()))
    found = entries.filter(text__contains='"score/').values_list("version", "after").order_by("version")
    upgraded = system(match.system).state.upgraded_image
    return {
        version: {path: value for path, value in upgraded(after).items() if path.startswith("score/")}
        for version, after in found
    }


def _lay_scores(standing: dict[str, tuple[str, int]], image: Image) -> None:
    """Put a change of points onto those that stand: whose, and how many, by the key of the score."""
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
