"""Charts of numbers by round: where lines, marks and figures go; templates and styles do the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.core import ViewModel


class Mark(ViewModel):
    """A seat's shape in a drawing, placed by its corner."""

    mark: int
    x: float
    y: float


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


class Label(ViewModel):
    """A word under a drawing, at `x` per cent of its width."""

    x: float
    text: str


class Course(ViewModel):
    """The points of all seats over the whole match, under a slider: lines in a box of 1000 by 100.

    `rounds` label where each round begins, `text` says in a sentence what the drawing shows.
    """

    text: str
    strokes: tuple[Stroke, ...]
    rounds: tuple[Label, ...] = ()


WIDTH, HEIGHT = 320, 180
LEFT, RIGHT, TOP, BOTTOM = 28, 12, 12, 22
MARK = 9
"""The size of a seat's shape."""


@dataclass(frozen=True)
class Series:
    """The numbers of one seat, one for each round."""

    mark: int
    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Span:
    """A round's name in the table, and a short one for below the drawing."""

    label: str
    short: str


@dataclass(frozen=True)
class About:
    """What a drawing is about: its title, a sentence that says what it shows, the game's word for a round."""

    key: str
    title: str
    text: str
    heading: str


def lines(about: About, rounds: Sequence[Span], series: Sequence[Series]) -> Chart:
    """One line for each seat across the rounds, with its own dashes and its shape at each round."""
    scale = Scale.of(series, len(rounds))
    strokes = tuple(Stroke(seat.mark, scale.path(seat.values)) for seat in series)
    marks = tuple(mark for seat in series for mark in scale.marks(seat))
    return _chart(about, rounds, series, scale, strokes, marks)


def columns(about: About, rounds: Sequence[Span], series: Sequence[Series]) -> Chart:
    """One column for each seat in each round, with its shape on top."""
    scale = Scale.of(series, len(rounds))
    step = min(scale.step / (len(series) + 1), MARK * 1.6)
    strokes, marks = [], []
    for place, seat in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * step
        for number, value in enumerate(seat.values):
            x, y = scale.x(number) + shift, scale.y(value)
            strokes.append(Stroke(seat.mark, f"M{_n(x)} {_n(scale.y(0))}V{_n(y)}"))
            marks.append(_mark(seat.mark, x, y))
    return _chart(about, rounds, series, scale, tuple(strokes), tuple(marks))


@dataclass(frozen=True)
class Scale:
    """Maps rounds and numbers to positions in the drawing."""

    lowest: int
    highest: int
    count: int

    @classmethod
    def of(cls, series: Iterable[Series], count: int) -> Scale:
        """A scale with room for all numbers of these series, and for 0."""
        values = [0, *(value for seat in series for value in seat.values)]
        lowest = math.floor(min(values))
        return cls(lowest, math.ceil(max(*values, lowest + 1)), count)

    @property
    def step(self) -> float:
        return (WIDTH - LEFT - RIGHT) / self.count

    def x(self, place: float) -> float:
        return LEFT + (place + 0.5) * self.step

    def y(self, value: float) -> float:
        part = (value - self.lowest) / (self.highest - self.lowest)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    def path(self, values: Sequence[float]) -> str:
        """The line through the numbers."""
        points = (f"{_n(self.x(place))} {_n(self.y(value))}" for place, value in enumerate(values))
        return "M" + "L".join(points)

    def marks(self, seat: Series) -> Iterable[Mark]:
        return (_mark(seat.mark, self.x(place), self.y(value)) for place, value in enumerate(seat.values))

    def levels(self) -> range:
        """The numbers beside the drawing: at most six, all whole."""
        distance = self.highest - self.lowest
        steps = (n * 10**size for size in range(9) for n in (1, 2, 5))
        step = next(step for step in steps if distance <= 5 * step)
        return range(-(-self.lowest // step) * step, self.highest + 1, step)


def _chart(
    about: About,
    rounds: Sequence[Span],
    series: Sequence[Series],
    scale: Scale,
    strokes: tuple[Stroke, ...],
    marks: tuple[Mark, ...],
) -> Chart:
    levels = scale.levels()
    return Chart(
        about.key,
        about.title,
        about.text,
        about.heading,
        columns=tuple((seat.mark, seat.name) for seat in series),
        rows=tuple(
            ChartRow(span.label, tuple(_n(seat.values[place]) for seat in series))
            for place, span in enumerate(rounds)
        ),
        width=WIDTH,
        height=HEIGHT,
        grid=tuple(Stroke(0, f"M{LEFT} {_n(scale.y(level))}H{WIDTH - RIGHT}") for level in levels),
        strokes=strokes,
        marks=marks,
        across=tuple(_across(scale, rounds)),
        upwards=tuple(Tick(LEFT - 6, round(scale.y(level) + 4, 1), str(level)) for level in levels),
    )


def _across(scale: Scale, rounds: Sequence[Span]) -> Iterable[Tick]:
    """The names of the rounds below the drawing, some left out if they would touch."""
    every = -(-len(rounds) // 10)
    for place, span in enumerate(rounds):
        if place % every == 0:
            yield Tick(round(scale.x(place), 1), HEIGHT - 5, span.short)


def _mark(mark: int, x: float, y: float) -> Mark:
    return Mark(mark, round(x - MARK / 2, 1), round(y - MARK / 2, 1))


def _n(value: float) -> str:
    return f"{round(value, 1) + 0:.1f}".removesuffix(".0")


COURSE_WIDTH, COURSE_HEIGHT = 1000, 100
CLOSEST = 5.0
"""The least distance between the names of two rounds, in per cent of the width."""


def course(
    text: str, marks: Sequence[int], points: Sequence[tuple[int, ...]], rounds: Sequence[tuple[int, str]]
) -> Course:
    """The lines of all seats: the `points` after each entry; `rounds` give where each begins and its name."""
    values = [0, *(value for each in points for value in each)]
    low, high = min(values), max(*values, min(values) + 1)
    strokes = tuple(
        Stroke(mark, _steps([each[place] for each in points], low, high)) for place, mark in enumerate(marks)
    )
    return Course(text, strokes, tuple(_apart(rounds, len(points))))


def along(place: int, count: int) -> float:
    """How far along the slider an entry is, in per cent; the first one is number 0."""
    return round(100 * place / max(count - 1, 1), 2)


def _steps(values: Sequence[int], low: int, high: int) -> str:
    """A line that stays level and steps where the number changes."""

    def up(value: int) -> str:
        return f"{COURSE_HEIGHT - COURSE_HEIGHT * (value - low) / (high - low):.0f}"

    steps = "".join(
        f"H{COURSE_WIDTH / 100 * along(place, len(values)):.0f}V{up(now)}"
        for place, (before, now) in enumerate(pairwise(values), 1)
        if before != now
    )
    return f"M0 {up(values[0])}{steps}H{COURSE_WIDTH}"


def _apart(rounds: Iterable[tuple[int, str]], count: int) -> Iterable[Label]:
    """The names of the rounds, without those that would overlap another."""
    end = -CLOSEST
    for place, name in rounds:
        x = along(place, count)
        if x >= end + CLOSEST:
            yield Label(x, name)
            end = x
