"""The picture that goes with a shared link: players, points and rounds, drawn from the public score only.

Two bundled fonts cover Latin, Greek, Cyrillic and common Chinese. What neither can draw (emoji, scripts that
need shaping) is left out; if nothing of a name is left, its seat's colour and shape stand for it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from games import view_models
from games.core import ViewModel


class Poster(ViewModel):
    """What the shared picture shows: the public score, and nothing else.

    `armies` say below each name what that side plays, or who plays it; `winner` is the winner's mark, and
    `won` is written beside that name.
    """

    title: str
    subtitle: str
    detail: str
    seats: tuple[view_models.SeatScore, ...]
    winner: int = 0
    armies: tuple[str, ...] = ()
    won: str = ""


SIZE = WIDTH, HEIGHT = 1200, 630
EDGE, GAP = 64, 72
PAPER, INK, MUTED, LINE = "#f4f1e9", "#1d1b18", "#5f5b52", "#d9d3c5"
HOUSES = ("#5c6772", "#a5121f", "#705800", "#16191c", "#24682b", "#a64b00")
SEATS = ("#5f5b52", "#b34700", "#0b5fa5", *HOUSES)
"""The colours of words and edges by mark, as on a page in daylight."""
FILLS = (*SEATS[:3], "#e6e9ec", "#a5121f", "#f7cf2e", "#16191c", "#2f7d4a", "#ea7317")
"""The colours of shapes: those of houses as they are printed."""
CORNERS = {2: 3, 4: 3, 5: 4, 6: 4, 7: 5}
"""The corners of the seats' shapes; the first of a table is a circle, the sixth a star."""
FONTS = tuple(Path(__file__).parent / "fonts" / name for name in ("letters.woff2", "chinese.woff2"))


@lru_cache(maxsize=64)
def png(poster: Poster) -> bytes:
    """The picture as a PNG file; the same score is drawn only once."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 12), FILLS[poster.winner])
    _write(draw, (EDGE, 48), poster.title, 54, INK)
    _write(draw, (EDGE, 122), poster.subtitle, 30, MUTED)
    _seats(draw, poster)
    draw.line((EDGE, 540, WIDTH - EDGE, 540), LINE, 3)
    _write(draw, (EDGE, 562), poster.detail, 32, INK, WIDTH - 2 * EDGE - 240)
    _write(draw, (WIDTH - EDGE, 564), "Roundtable", 28, MUTED, anchor="right")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _seats(draw: ImageDraw.ImageDraw, poster: Poster) -> None:
    """Two seats side by side in large figures; more in two columns."""
    columns, count = 2, len(poster.seats)
    rows = math.ceil(count / columns)
    height, width = 350 // rows, (WIDTH - 2 * EDGE + GAP) // columns
    armies = (*poster.armies, *("" for _seat in range(count - len(poster.armies))))
    for place, (seat, army) in enumerate(zip(poster.seats, armies, strict=True)):
        column, row = divmod(place, rows)
        box = Box(EDGE + column * width, 180 + row * height, width - GAP, height)
        won = poster.won if poster.winner == seat.mark else ""
        (_large if rows == 1 else _small)(draw, seat, army, won, box)


class Box(NamedTuple):
    x: int
    y: int
    width: int
    height: int


def _large(draw: ImageDraw.ImageDraw, seat: view_models.SeatScore, army: str, won: str, box: Box) -> None:
    """One of two seats: its name, what it plays, its points below."""
    taken = _badge(draw, won, (box.x + box.width, box.y + 30), 28, SEATS[seat.mark])
    _shape(draw, seat.mark, (box.x + 22, box.y + 50), 22)
    _write(draw, (box.x + 60, box.y + 24), _name(seat), 44, INK, box.width - 60 - taken)
    _write(draw, (box.x + 60, box.y + 80), army, 28, MUTED, box.width - 60)
    _write(draw, (box.x, box.y + 150), _points(seat), 130, SEATS[seat.mark], box.width)


def _small(draw: ImageDraw.ImageDraw, seat: view_models.SeatScore, army: str, won: str, box: Box) -> None:
    """One of several seats: its name, what it plays, its points beside them."""
    middle, right = box.y + box.height // 2, box.x + box.width
    _shape(draw, seat.mark, (box.x + 18, middle), 16)
    taken = _write(draw, (right, middle - 36), _points(seat), 56, SEATS[seat.mark], anchor="right")
    lift = 20 if readable(army) else 0
    room = box.width - 64 - taken
    badge = _badge(draw, won, (right - taken - 16, middle - 17), 22, SEATS[seat.mark])
    _write(draw, (box.x + 48, middle - 24 - lift), _name(seat), 36, INK, room - badge)
    _write(draw, (box.x + 48, middle + 8), army, 24, MUTED, room - badge)


def _badge(draw: ImageDraw.ImageDraw, text: str, at: tuple[int, int], size: int, colour: str) -> int:
    """A word on a coloured ground with its top right corner `at` a place; returns its width with the gap."""
    if not text:
        return 0
    width, (right, y) = math.ceil(_width(text, size)) + size, at
    draw.rounded_rectangle((right - width, y, right, y + round(size * 1.55)), size // 2, colour)
    _write(draw, (right - width + size // 2, y + size // 8), text, size, PAPER)
    return width + 16


def _name(seat: view_models.SeatScore) -> str:
    return readable(seat.name) or readable(seat.colour)


def _points(seat: view_models.SeatScore) -> str:
    return str(seat.score) + (f"/{seat.target}" if seat.target else "")


def _shape(draw: ImageDraw.ImageDraw, mark: int, centre: tuple[int, int], radius: int) -> None:
    """The seat's own shape, so that seats differ in more than colour."""
    x, y = centre
    fill, edge = FILLS[mark], SEATS[mark]
    if mark == 8:
        points = [(radius * (1 if k % 2 == 0 else 0.45), -math.pi / 2 + k * math.pi / 5) for k in range(10)]
        draw.polygon([(x + r * math.cos(a), y + r * math.sin(a)) for r, a in points], fill, edge, 2)
    elif corners := CORNERS.get(mark):
        draw.regular_polygon((x, y, radius), corners, 45 if mark == 6 else 0, fill, edge)
    else:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill, edge, 2)


# --- text ----------------------------------------------------------------------------------------


def readable(text: str) -> str:
    """The part of a text that can be drawn, with single spaces."""
    return " ".join("".join(char for char in text if char.isspace() or _font_of(char) is not None).split())


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    size: int,
    colour: str,
    room: int = WIDTH - 2 * EDGE,
    anchor: str = "left",
) -> int:
    """Write one line, cut short with "…" if it exceeds the `room`; returns its width."""
    text = _cut(readable(text), size, room)
    width = math.ceil(_width(text, size))
    x = float(at[0] - width if anchor == "right" else at[0])
    for font, run in _runs(text, size):
        # All fonts share one baseline, whatever their height.
        draw.text((x, at[1] + size), run, colour, font, anchor="ls")
        x += font.getlength(run)
    return width


def _cut(text: str, size: int, room: int) -> str:
    if _width(text, size) <= room:
        return text
    while text and _width(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def _width(text: str, size: int) -> float:
    return sum(font.getlength(run) for font, run in _runs(text, size))


def _runs(text: str, size: int) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """A text in pieces of one font each; spaces come from the first font, as the other's are too wide."""
    run, current = "", 0
    for char in text:
        number = 0 if char.isspace() else _font_of(char)
        number = current if number is None else number
        if run and number != current:
            yield _font(current, size), run
            run = ""
        run, current = run + char, number
    if run:
        yield _font(current, size), run


@lru_cache(maxsize=8192)
def _font_of(char: str) -> int | None:
    """The first font that has a character; None if none has."""
    return next((n for n in range(len(FONTS)) if _font(n, 32).getmask(char).getbbox()), None)


@cache
def _font(number: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS[number], size, layout_engine=ImageFont.Layout.BASIC)
