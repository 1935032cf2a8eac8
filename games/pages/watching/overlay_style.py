"""How a stream's overlay looks: what its address says, read with care, and the style sheet made from it.

Any address gives an overlay: a value that cannot be used is replaced by the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

PLACES = (
    "top-left", "top", "top-right",
    "left", "right",
    "bottom-left", "bottom", "bottom-right",
)  # fmt: skip
SHAPES = ("row", "column")
PARTS = ("names", "round", "turn", "clock", "track")
COLOUR = re.compile(r"#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})")
LARGEST_SIZE, LEAST_SIZE, LARGEST_EDGE = 300, 50, 20
GROUND, INK = "121518", "f4f1e9"
SEATS = ("ff8f66", "7cc4ff", "edde5a", "b874fb", "c8f9e7", "adadad")
"""The usual colours: those of pages in dark mode."""
SHEET = ("size", "edge", "veil", "ground", "ink")
"""The fields that the style sheet needs, beside the colours of the seats."""


@dataclass(frozen=True)
class OverlayStyle:
    """How an overlay looks, each field as the address says it.

    `size` is in percent; `edge` is the distance from the edge of the picture, in percent of its width;
    `veil` is how opaque the ground is, in percent. Colours are six hexadecimal digits.
    """

    place: str = "bottom"
    shape: str = "row"
    size: int = 100
    edge: int = 2
    veil: int = 85
    ground: str = GROUND
    ink: str = INK
    seats: tuple[str, ...] = SEATS
    parts: tuple[str, ...] = PARTS

    def query(self) -> dict[str, str]:
        """The query of the style sheet's address; usual values are left out."""
        usual = OverlayStyle()
        values = {
            name: str(getattr(self, name)) for name in SHEET if getattr(self, name) != getattr(usual, name)
        }
        seats = enumerate(zip(self.seats, SEATS, strict=True), 1)
        return values | {f"seat{number}": colour for number, (colour, own) in seats if colour != own}


def read(query: Mapping[str, str]) -> OverlayStyle:
    """The look that an address asks for."""
    return OverlayStyle(
        _choice(query, "place", PLACES, OverlayStyle.place),
        _choice(query, "shape", SHAPES, OverlayStyle.shape),
        _number(query, "size", range(LEAST_SIZE, LARGEST_SIZE + 1), OverlayStyle.size),
        _number(query, "edge", range(LARGEST_EDGE + 1), OverlayStyle.edge),
        _number(query, "veil", range(101), OverlayStyle.veil),
        _colour(query, "ground", GROUND),
        _colour(query, "ink", INK),
        tuple(_colour(query, f"seat{number}", usual) for number, usual in enumerate(SEATS, 1)),
        _parts(query),
    )


def _choice(query: Mapping[str, str], name: str, choices: tuple[str, ...], usual: str) -> str:
    value = query.get(name, "").strip().lower()
    return value if value in choices else usual


def _number(query: Mapping[str, str], name: str, allowed: range, usual: int) -> int:
    value = query.get(name, "").strip()
    is_number = re.fullmatch(r"\d{1,4}", value, re.ASCII)
    return int(value) if is_number and int(value) in allowed else usual


def _colour(query: Mapping[str, str], name: str, usual: str) -> str:
    match = COLOUR.fullmatch(query.get(name, "").strip())
    if match is None:
        return usual
    digits = match[1].lower()
    return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)


def _parts(query: Mapping[str, str]) -> tuple[str, ...]:
    if "show" not in query:
        return PARTS
    names = {part.strip().lower() for part in query["show"].split(",")}
    return tuple(part for part in PARTS if part in names)


def style(look: OverlayStyle) -> str:
    """The look as a style sheet: only numbers and hexadecimal digits from the address get into it."""
    rules = [f"--size: {look.size / 100:g}", f"--edge: {look.edge}vw", f"--veil: {look.veil}%"]
    rules += [f"--ground: #{look.ground}", f"--ink: #{look.ink}"]
    seats = [f".overlay .s{number} {{ --seat: #{colour} }}" for number, colour in enumerate(look.seats, 1)]
    return "\n".join((f".overlay {{ {'; '.join(rules)} }}", *seats, ""))
