"""The picture that goes with a posted address: players, points and rounds, drawn from the public score only.

Two bundled fonts cover Latin, Greek, Cyrillic and common Chinese. What neither can draw (emoji, scripts
that need shaping) is left out; a name of which nothing is left is shown by its seat's colour and shape.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from games import view_models

SIZE = WIDTH, HEIGHT = 1200, 630
EDGE = 64
PAPER, INK, MUTED, LINE = "#f4f1e9", "#1d1b18", "#5f5b52", "#d9d3c5"
SEATS = ("#5f5b52", "#b34700", "#0b5fa5", "#4a3600", "#8f24e0", "#0a3d38", "#666666")
"""The colours of the seats by mark, as on a page in daylight."""
CORNERS = {2: 3, 3: 4, 4: 4, 5: 5}
"""The corners of the seats' shapes; the first is round, the sixth a star."""
FONTS = tuple(Path(__file__).parent / "fonts" / name for name in ("letters.woff2", "chinese.woff2"))


@lru_cache(maxsize=64)
def png(poster: view_models.Poster) -> bytes:
    """The picture as a file; the same score is drawn once."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 12), SEATS[poster.winner])
    _write(draw, (EDGE, 48), poster.title, 54, INK)
    _write(draw, (EDGE, 122), poster.subtitle, 30, MUTED)
    _seats(draw, poster)
    draw.line((EDGE, 540, WIDTH - EDGE, 540), LINE, 3)
    _write(draw, (EDGE, 562), poster.detail, 32, INK, WIDTH - 2 * EDGE - 240)
    _write(draw, (WIDTH - EDGE, 564), "Roundtable", 28, MUTED, anchor="right")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _seats(draw: ImageDraw.ImageDraw, poster: view_models.Poster) -> None:
    """Two side by side in large figures; more in two columns."""
    columns, count = 2, len(poster.seats)
    rows = math.ceil(count / columns)
    height, width = 350 // rows, (WIDTH - 2 * EDGE) // columns
    size = 130 if rows == 1 else 64 if rows == 2 else 52
    for place, seat in enumerate(poster.seats):
        column, row = divmod(place, rows)
        x, y = EDGE + column * width, 180 + row * height
        _seat(draw, seat, (x, y), (width - 40, height), size)


def _seat(
    draw: ImageDraw.ImageDraw,
    seat: view_models.SeatScore,
    corner: tuple[int, int],
    room: tuple[int, int],
    size: int,
) -> None:
    (x, y), (width, height), colour = corner, room, SEATS[seat.mark]
    points = str(seat.score) + (f"/{seat.target}" if seat.target else "")
    name, middle = readable(seat.name) or readable(seat.colour), y + height // 2
    if size > 100:
        _shape(draw, seat.mark, (x + 22, y + 50), 22)
        _write(draw, (x + 60, y + 24), name, 44, INK, width - 60)
        _write(draw, (x, y + 110), points, size, colour, width)
        return
    _shape(draw, seat.mark, (x + 18, middle), 16)
    taken = _write(draw, (x + width, middle - size * 5 // 8), points, size, colour, anchor="right")
    _write(draw, (x + 48, middle - 24), name, 36, INK, width - 60 - taken)


def _shape(draw: ImageDraw.ImageDraw, mark: int, centre: tuple[int, int], radius: int) -> None:
    """The seat's own shape, so that colour is not all that tells the seats apart."""
    (x, y), colour = centre, SEATS[mark]
    if mark == 6:
        points = [(radius * (1 if k % 2 == 0 else 0.45), -math.pi / 2 + k * math.pi / 5) for k in range(10)]
        draw.polygon([(x + r * math.cos(a), y + r * math.sin(a)) for r, a in points], colour)
    elif corners := CORNERS.get(mark):
        draw.regular_polygon((x, y, radius), corners, 45 if mark == 4 else 0, colour)
    else:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)


# --- text ----------------------------------------------------------------------------------------


def readable(text: str) -> str:
    """The part of a text that can be drawn, spaces set in order."""
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
    """Write one line into the room there is, cut short with dots; answers how wide it became."""
    text = _cut(readable(text), size, room)
    width = math.ceil(_width(text, size))
    x = float(at[0] - width if anchor == "right" else at[0])
    for font, run in _runs(text, size):
        # Every font stands on one line, whatever its own height.
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
    """A text in pieces of one font each; a space goes with what stands before it."""
    run, current = "", 0
    for char in text:
        number = _font_of(char)
        number = current if number is None or char.isspace() else number
        if run and number != current:
            yield _font(current, size), run
            run = ""
        run, current = run + char, number
    if run:
        yield _font(current, size), run


@lru_cache(maxsize=8192)
def _font_of(char: str) -> int | None:
    """The first font that has a character; None where none has."""
    return next((n for n in range(len(FONTS)) if _font(n, 32).getmask(char).getbbox()), None)


@cache
def _font(number: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS[number], size, layout_engine=ImageFont.Layout.BASIC)
