"""Charts of numbers by round: where lines, marks and figures go; templates and styles do the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games import view_models

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


def lines(about: About, rounds: Sequence[Span], series: Sequence[Series]) -> view_models.Chart:
    """One line for each seat across the rounds, with its own dashes and its shape at each round."""
    scale = Scale.of(series, len(rounds))
    strokes = tuple(view_models.Stroke(one.mark, scale.path(one.values)) for one in series)
    marks = tuple(mark for one in series for mark in scale.marks(one))
    return _chart(about, rounds, series, scale, strokes, marks)


def columns(about: About, rounds: Sequence[Span], series: Sequence[Series]) -> view_models.Chart:
    """One column for each seat in each round, with its shape on top."""
    scale = Scale.of(series, len(rounds))
    step = min(scale.step / (len(series) + 1), MARK * 1.6)
    strokes, marks = [], []
    for place, one in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * step
        for number, value in enumerate(one.values):
            x, y = scale.x(number) + shift, scale.y(value)
            strokes.append(view_models.Stroke(one.mark, f"M{_n(x)} {_n(scale.y(0))}V{_n(y)}"))
            marks.append(_mark(one.mark, x, y))
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
        values = [0, *(value for one in series for value in one.values)]
        lowest = math.floor(min(values))
        return cls(lowest, math.ceil(max(*values, lowest + 1)), count)

    @property
    def step(self) -> float:
        """The distance from one round to the next."""
        return (WIDTH - LEFT - RIGHT) / self.count

    def x(self, place: float) -> float:
        """The horizontal position of a round."""
        return LEFT + (place + 0.5) * self.step

    def y(self, value: float) -> float:
        """The vertical position of a number."""
        part = (value - self.lowest) / (self.highest - self.lowest)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    def path(self, values: Sequence[float]) -> str:
        """The line through the numbers."""
        points = (f"{_n(self.x(place))} {_n(self.y(value))}" for place, value in enumerate(values))
        return "M" + "L".join(points)

    def marks(self, one: Series) -> Iterable[view_models.Mark]:
        """The seat's shape at each of its numbers."""
        return (_mark(one.mark, self.x(place), self.y(value)) for place, value in enumerate(one.values))

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
    strokes: tuple[view_models.Stroke, ...],
    marks: tuple[view_models.Mark, ...],
) -> view_models.Chart:
    levels = scale.levels()
    return view_models.Chart(
        about.key,
        about.title,
        about.text,
        about.heading,
        columns=tuple((one.mark, one.name) for one in series),
        rows=tuple(
            view_models.ChartRow(span.label, tuple(_n(one.values[place]) for one in series))
            for place, span in enumerate(rounds)
        ),
        width=WIDTH,
        height=HEIGHT,
        grid=tuple(
            view_models.Stroke(0, f"M{LEFT} {_n(scale.y(level))}H{WIDTH - RIGHT}") for level in levels
        ),
        strokes=strokes,
        marks=marks,
        across=tuple(_across(scale, rounds)),
        upwards=tuple(
            view_models.Tick(LEFT - 6, round(scale.y(level) + 4, 1), str(level)) for level in levels
        ),
    )


def _across(scale: Scale, rounds: Sequence[Span]) -> Iterable[view_models.Tick]:
    """The names of the rounds below the drawing, some left out if they would touch."""
    every = -(-len(rounds) // 10)
    for place, span in enumerate(rounds):
        if place % every == 0:
            yield view_models.Tick(round(scale.x(place), 1), HEIGHT - 5, span.short)


def _mark(mark: int, x: float, y: float) -> view_models.Mark:
    return view_models.Mark(mark, round(x - MARK / 2, 1), round(y - MARK / 2, 1))


def _n(value: float) -> str:
    return f"{round(value, 1) + 0:.1f}".removesuffix(".0")
