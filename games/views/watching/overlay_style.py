"""How a stream's overlay looks: what its address says, read with care, and the style sheet made from it.

Any address gives an overlay: a value that cannot be used is replaced by the usual one, and reported on the
page that helps to build the address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

from django.utils.translation import gettext as _

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

    def query(self, language: str = "") -> dict[str, str]:
        """The query of an address that looks like this; usual values are left out."""
        usual = OverlayStyle()
        values = {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if field.name not in ("seats", "parts")
            and getattr(self, field.name) != getattr(usual, field.name)
        }
        seats = enumerate(zip(self.seats, SEATS, strict=True), 1)
        values |= {f"seat{number}": colour for number, (colour, own) in seats if colour != own}
        if self.parts != usual.parts:
            values["show"] = ",".join(("score", *self.parts))
        return {**values, **({"lang": language} if language else {})}


def read(asked: Mapping[str, str]) -> tuple[OverlayStyle, tuple[str, ...]]:
    """The look that an address asks for, and a sentence about each value that cannot be used."""
    reading = _Reading(asked)
    look = OverlayStyle(
        reading.choice("place", PLACES, OverlayStyle.place),
        reading.choice("shape", SHAPES, OverlayStyle.shape),
        reading.number("size", LEAST_SIZE, LARGEST_SIZE, OverlayStyle.size),
        reading.number("edge", 0, LARGEST_EDGE, OverlayStyle.edge),
        reading.number("veil", 0, 100, OverlayStyle.veil),
        reading.colour("ground", GROUND),
        reading.colour("ink", INK),
        tuple(reading.colour(f"seat{number}", usual) for number, usual in enumerate(SEATS, 1)),
        reading.parts(),
    )
    return look, tuple(reading.faults)


class _Reading:
    """An address being read, and what was wrong with it."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.asked = asked
        self.faults: list[str] = []

    def choice(self, name: str, choices: tuple[str, ...], usual: str) -> str:
        value = self.asked.get(name, "").strip().lower()
        if value in choices or not value:
            return value or usual
        self.faults.append(
            _("“%(name)s” is one of %(choices)s; %(usual)s is used instead.")
            % {"name": name, "choices": ", ".join(choices), "usual": usual}
        )
        return usual

    def number(self, name: str, least: int, most: int, usual: int) -> int:
        value = self.asked.get(name, "").strip()
        if not value:
            return usual
        if re.fullmatch(r"\d{1,4}", value, re.ASCII) and least <= int(value) <= most:
            return int(value)
        self.faults.append(
            _("“%(name)s” is a whole number from %(least)s to %(most)s; %(usual)s is used instead.")
            % {"name": name, "least": least, "most": most, "usual": usual}
        )
        return usual

    def colour(self, name: str, usual: str) -> str:
        value = self.asked.get(name, "").strip()
        if not value:
            return usual
        if found := COLOUR.fullmatch(value):
            digits = found[1].lower()
            return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        self.faults.append(
            _("“%(name)s” is a colour of six digits like 8c2a4a; the usual one is used instead.")
            % {"name": name}
        )
        return usual

    def parts(self) -> tuple[str, ...]:
        if "show" not in self.asked:
            return PARTS
        names = [part.strip().lower() for part in self.asked["show"].split(",") if part.strip()]
        if any(part not in (*PARTS, "score") for part in names):
            self.faults.append(
                _("“show” names parts, separated by commas: %(parts)s. Others are left out.")
                % {"parts": ", ".join(("score", *PARTS))}
            )
        return tuple(part for part in PARTS if part in names)


def style(look: OverlayStyle) -> str:
    """The look as a style sheet: only numbers and hexadecimal digits from the address get into it."""
    rules = [f"--size: {look.size / 100:g}", f"--edge: {look.edge}vw", f"--veil: {look.veil}%"]
    rules += [f"--ground: #{look.ground}", f"--ink: #{look.ink}"]
    seats = [f".overlay .s{number} {{ --seat: #{colour} }}" for number, colour in enumerate(look.seats, 1)]
    return "\n".join((f".overlay {{ {'; '.join(rules)} }}", *seats, ""))
