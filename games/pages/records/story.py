"""What a match has told: its turning point, its points over time, and who still stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from django.urls import reverse
from msgspec.structs import replace

from games import view_models
from games.core import ViewModel, isolated, together
from games.match import storage
from games.match.storage import OutlineEntry
from games.models import Entry
from games.pages.table.loaded import Table
from games.pictures import charts
from games.pictures.charts import Course
from games.translation import gettext as _
from games.translation import words
from games.view_models.game_page import plain_number

COUNTED = ("ready", "acting", "done", "out", "away")
"""The states of pieces that can be lost; before the game begins a unit has no state."""


class Standing(ViewModel):
    """What is left of a side: `counted` as "5 of 7 left", and the names of the `units` that still stand."""

    mark: int
    name: str
    counted: str
    units: tuple[str, ...]

    @property
    def names(self) -> str:
        return _(", ").join(self.units)


class TurningPoint(ViewModel):
    """The action from which on the result stood: its round, points, sentences, and its moment.

    `at` is how far into the match it was, in per cent.
    """

    url: str
    label: str
    text: str
    mark: int
    at: float


class Story(ViewModel):
    """A finished match on one page: `seats` with their points, the first one first."""

    seats: tuple[view_models.SeatScore, ...]
    recap_url: str
    course: Course | None = None
    turning: TurningPoint | None = None
    left: tuple[Standing, ...] = ()


def of(table: Table, sides: Iterable[view_models.Side]) -> Story:
    """The story of a finished match, as everybody may read it."""
    outline, code = storage.outline(table.match), table.match.code
    scores, winner = table.page.seat_scores(), table.page.g.result["winner"]
    ranked = sorted(scores, key=lambda entry: (entry.key != winner, -entry.score))
    has_points = any(any(entry.points) for entry in outline)
    return Story(
        seats=tuple(_with_player(table, entry) for entry in ranked),
        recap_url=reverse("recap", args=[code]),
        course=course([(entry.mark, entry.name) for entry in scores], outline) if has_points else None,
        turning=_turning_point(table, outline),
        left=tuple(filter(None, map(standing, sides))),
    )


def _with_player(table: Table, seat: view_models.SeatScore) -> view_models.SeatScore:
    """A side by its name, with its player's where that is another."""
    player = table.state.armies[seat.key].name
    name = f"{seat.name} ({isolated(player)})" if player and player != seat.name else seat.name
    return replace(seat, name=name)


def standing(side: view_models.Side) -> Standing | None:
    """What is left of a side; None for one whose pieces cannot be lost."""
    cards = [card for group in side.groups for card in group.cards if card.state in COUNTED]
    left = tuple(card.name for card in cards if card.state != "out")
    counted = _("%(left)s of %(all)s left") % {"left": len(left), "all": len(cards)}
    return Standing(side.mark, side.name, counted, left) if cards else None


def course(seats: Sequence[tuple[int, str]], outline: Sequence[OutlineEntry]) -> Course:
    """The points over the whole match; `seats` are their marks and names in seating order."""
    ends = outline[-1].points
    text = _(", ").join(
        f"{isolated(name)} {points}" for (_mark, name), points in zip(seats, ends, strict=True)
    )
    begun = [
        (entry.version - 1, str(entry.round))
        for before, entry in pairwise(outline)
        if entry.round > before.round
    ]
    return charts.course(text, [mark for mark, _name in seats], [entry.points for entry in outline], begun)


def turned(outline: Sequence[OutlineEntry], winner: int | None) -> OutlineEntry | None:
    """The entry from which on the winner (a place in seating order) was ahead, or all were level in a draw.

    None if the points have decided nothing: nobody had any, or whoever was behind has won.
    """
    counted = [entry for entry in outline if not (entry.undone or entry.undoing)]
    if _ahead(counted[-1].points) != winner:
        return None
    steps = reversed(list(pairwise(counted)))
    return next((entry for before, entry in steps if _ahead(before.points) != winner), None)


def _ahead(points: tuple[int, ...]) -> int | None:
    """Who has the most points; None if several have."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def _turning_point(table: Table, outline: Sequence[OutlineEntry]) -> TurningPoint | None:
    winner = table.page.g.result["winner"]
    turn = turned(outline, table.state.seats.index(winner) if winner else None)
    if turn is None:
        return None
    entry = Entry.objects.get(match=table.match, version=turn.version)
    return TurningPoint(
        reverse("replay-moment", args=[table.match.code, turn.version]),
        " · ".join((words(table.game.round_name(turn.round)), " : ".join(map(plain_number, turn.points)))),
        _what_was_scored(table, entry) or together(map(words, storage.readable_lines(entry, None))),
        table.page.marks[winner] if winner else 0,
        charts.along(turn.version - 1, len(outline)),
    )


def _what_was_scored(table: Table, entry: Entry) -> str:
    """The points that an entry gave, each with its reason; "" if it gave none that still count."""
    given = (path.split("/")[1] for path, value in entry.after.items() if value and path.startswith("score/"))
    scores = [table.state.scores[key] for key in dict.fromkeys(given) if key in table.state.scores]
    return " · ".join(table.page.reason([score]) for score in scores)
