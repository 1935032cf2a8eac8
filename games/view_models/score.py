"""The score away from the board: the score card with its charts, the printed sheet, the shared picture."""

from __future__ import annotations

from games.core.words import ViewModel
from games.view_models.board import Board, SeatScore
from games.view_models.frame import Link, Notice, Share


class Mark(ViewModel):
    """A seat's shape in a drawing, placed by its corner; `label` is written beside it."""

    mark: int
    x: float
    y: float
    label: str = ""


class Stroke(ViewModel):
    """One seat's line in a drawing; its dashes follow from its `mark`."""

    mark: int
    path: str


class Tick(ViewModel):
    """A number beside an axis, at `x`, `y` in the drawing's own units."""

    x: float
    y: float
    label: str


class ChartRow(ViewModel):
    """One row of the table that says the same as a drawing."""

    label: str
    values: tuple[str, ...]


class Chart(ViewModel):
    """A drawing of numbers by round, and the table of these numbers.

    `text` says in a sentence what it shows. `heading`, what the game calls a round, and `columns`
    head the table; each column is a seat's mark and its name.
    """

    key: str
    title: str
    text: str
    heading: str
    columns: tuple[tuple[int, str], ...]
    rows: tuple[ChartRow, ...]
    width: int
    height: int
    grid: tuple[Stroke, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    marks: tuple[Mark, ...] = ()
    across: tuple[Tick, ...] = ()
    upwards: tuple[Tick, ...] = ()


class Confirmation(ViewModel):
    """One seat's points in a round. `key` is the form's idempotency key if this phone may confirm them."""

    seat: str
    mark: int
    name: str
    points: str
    total: str
    confirmed: bool = False
    key: str = ""


class ScoreRound(ViewModel):
    """A round of the score card. `seen` is the fingerprint of the points that a confirmation confirms."""

    number: int
    label: str
    seats: tuple[Confirmation, ...]
    reasons: tuple[str, ...] = ()
    seen: str = ""
    all_confirmed: bool = False

    @property
    def has_more(self) -> bool:
        """Whether anything comes below the points: why they were given, who has confirmed them or may."""
        return bool(self.reasons) or any(seat.confirmed or seat.key for seat in self.seats)


class ScorePage(ViewModel):
    """The score card of a table: its chart, then one table, newest round last.

    `heading` is what the game calls a round. `tallies` are rows of numbers that the game counts, seat by seat
    ("Units destroyed"). `several`: this phone holds more than one seat.
    """

    title: str
    code: str
    back: Link
    post_url: str
    print_url: str
    seats: tuple[SeatScore, ...]
    rounds: tuple[ScoreRound, ...]
    heading: str
    charts: tuple[Chart, ...] = ()
    tallies: tuple[ChartRow, ...] = ()
    minutes: str = ""
    result: str = ""
    several: bool = False
    notice: Notice | None = None
    result_url: str = ""
    replay_url: str = ""
    share: Share | None = None


class PrintPage(ViewModel):
    """The whole position on one sheet of paper, as everybody may read it.

    `density` is 1 to 5: the more there is to say, the smaller the print. `at` is when the match last
    changed; `asked` says whose turn it is.
    """

    title: str
    code: str
    back: Link
    board: Board
    asked: str
    at: str
    address: str
    density: int = 1


class Poster(ViewModel):
    """What the shared picture shows: the public score, and nothing else.

    `armies` say below each name what that side plays, or who plays it; `winner` is the winner's mark, and
    `won` is written beside that name.
    """

    title: str
    subtitle: str
    detail: str
    seats: tuple[SeatScore, ...]
    winner: int = 0
    armies: tuple[str, ...] = ()
    won: str = ""
