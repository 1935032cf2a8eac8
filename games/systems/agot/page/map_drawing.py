"""The map as a drawing: where every area lies, and what it shows and says.

The outlines are data of our own (`data/atlas.toml`). `ground` is what never changes, and is in a page once;
`draw` is what lies on it now, for the fragment sent after every tap. Both return finished values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from games.core import Line, Term, ViewModel, read_toml, say, say_count
from games.core import gettext_noop as _
from games.systems.agot import pieces
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import FOOTMAN, KNIGHT, PACKAGE, SIEGE, UNITS

Words = Callable[[Line], str]
Point = tuple[int, int]


# --- what an area shows ------------------------------------------------------------------------------

FROM, CAN, CANNOT = "from", "can", "cannot"
"""What an area is to the answer being given: where it begins, where it may go, where it may not go."""

KINDS = {"land": _("land"), "sea": _("sea"), "port": _("port")}
HIDDEN = "hidden"
"""An order that lies face down."""


class Appearance(ViewModel):
    """What an area shows. `mark` is the seat whose units or control it shows, `house` its name.

    `units` are the kinds with the number of each, `token` is the seat of a power token, `order` one of
    order_tokens.ORDERS or HIDDEN, `action` is what a tap does ("" for nothing) and `more` says so in the
    reader's words, or why the march may not go there.
    """

    mark: int = 0
    house: str | Term = ""
    units: tuple[tuple[str, int], ...] = ()
    routed: bool = False
    order: str = ""
    token: int = 0
    garrison: int = 0
    neutral: int = 0
    closed: bool = False
    state: str = ""
    action: str = ""
    more: str = ""


def of_area(area: Mapping[str, Any], marks: Mapping[str, int], names: Mapping[str, str]) -> Appearance:
    """What an area shows, from the facts of `board_page.facts_of_area`; `replace` may add a tap."""
    house = area["house"] or area["controller"]
    return Appearance(
        mark=marks.get(house, 0),
        house=Term(names[house]) if house in names else "",
        units=tuple(area["units"].items()),
        routed=bool(area["routed"]),
        token=marks.get(area["token"], 0),
        garrison=area.get("garrison", 0),
        neutral=area.get("neutral", 0),
        closed=area["closed"],
        order=area["order"],
    )


# --- in words ------------------------------------------------------------------------------------


def spoken(key: str, shown: Appearance) -> Line:
    """An area as it is read out: "Winterfell, stronghold, Stark: 2 footmen, 1 knight"."""
    printed = pieces.printed(key)
    kind = pieces.FORTS.get(printed.get("fort", "")) or KINDS[printed["kind"]]
    place = (Term(printed["name"]), Term(kind), *((shown.house,) if shown.house else ()))
    things = tuple(_things(shown))
    sentence = (
        say(_("%(place)s: %(things)s"), place=place, things=things)
        if things
        else say("%(place)s", place=place)
    )
    return say(_("%(place)s. %(more)s"), place=sentence, more=shown.more) if shown.more else sentence


def _things(shown: Appearance) -> Iterator[Line]:
    for unit, number in shown.units:
        yield counted(unit, number)
    if shown.routed:
        yield say(_("routed"))
    if shown.order:
        yield Line(_("order face down") if shown.order == HIDDEN else order_tokens.ORDERS[shown.order])
    if shown.token:
        yield say(_("power token"))
    if shown.garrison:
        yield say(_("garrison %(strength)s"), strength=shown.garrison)
    if shown.neutral:
        yield say(_("neutral force %(strength)s"), strength=shown.neutral)
    if shown.closed:
        yield say(_("closed"))


def counted(unit: str, number: int) -> Line:
    if unit == FOOTMAN:
        return say_count("%(count)s footman", "%(count)s footmen", number)
    if unit == KNIGHT:
        return say_count("%(count)s knight", "%(count)s knights", number)
    if unit == SIEGE:
        return say_count("%(count)s siege engine", "%(count)s siege engines", number)
    return say_count("%(count)s ship", "%(count)s ships", number)


# --- what a drawing is made of -----------------------------------------------------------------------

SIGNS = {
    **UNITS,
    "castle": _("Castle"),
    "stronghold": _("Stronghold"),
    "anchor": _("Port"),
    "supply": _("Supply"),
    "power": _("Power"),
    "token": _("Power token"),
    "crest": _("Crest of the home area"),
    "ring": _("Power token below units"),
    "garrison": _("Garrison, with its strength"),
    "neutral": _("Neutral force, with its strength"),
    "routed": _("Routed"),
    "order-hidden": _("Order face down"),
    "order-march": _("March"),
    "order-defense": _("Defense"),
    "order-support": _("Support"),
    "order-raid": _("Raid"),
    "order-consolidate": _("Consolidate Power"),
}
"""The signs on the map and what they mean."""
BOX, BOXES = "-2 -2 28 28", {"anchor": "-2 -2 52 52", "garrison": "-6 -7 36 38", "neutral": "-6 -7 36 38"}

LINE, ICON, GLYPH, PIECE, PORT, ROOM, VALUE, GAP, BASE = 27, 24, 27, 46, 24, 34, 20, 8, 11
"""In units of the drawing: from one line of a name to the next, an icon, a unit without and with its number,
half a port, the room for an order or marker, a character of an order's value, the gap after it, and how far
below the middle of pieces the line is that their figures stand on."""

SOFT_HYPHEN = "\xad"
"""Where a word may be divided at the end of a line."""


class Glyph(ViewModel):
    """One sign and its position, with a text or a seat's mark at `at`, a point in or beside the sign."""

    sign: str
    x: int
    y: int
    text: str = ""
    at: Point = (0, 0)
    mark: int = 0


class Row(ViewModel):
    """Units of a house on a stroke of its colour, from `x` over `length`, with the house's mark first."""

    x: int
    length: int
    mark: int
    glyphs: tuple[Glyph, ...]


class Shape(ViewModel):
    """An area as it is now: its accessible name, the classes of its cell, and the pieces in it.

    `middle` is the middle of its pieces, `harbour` the position of a port's anchor.
    """

    key: str
    name: str
    classes: str = ""
    state: str = ""
    mark: int = 0
    row: Row | None = None
    glyphs: tuple[Glyph, ...] = ()
    action: str = ""
    middle: Point = (0, 0)
    harbour: Point | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """The name of an area, line by line, and the icons printed below it."""

    lines: tuple[tuple[str, int, int], ...]
    icons: tuple[Glyph, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Cell:
    key: str
    path: str


@dataclass(frozen=True, slots=True)
class Ground:
    """What never changes: outlines, rivers, bridges, the Wall, ports, names and printed icons."""

    width: int
    height: int
    lands: tuple[Cell, ...]
    seas: tuple[Cell, ...]
    rivers: tuple[str, ...]
    bridges: tuple[str, ...]
    wall: str
    ports: tuple[Glyph, ...]
    labels: tuple[Label, ...]
    signs: tuple[tuple[str, str, str], ...]
    """Every sign, the box that it is drawn in, and what it means."""


class Drawing(ViewModel):
    width: int
    height: int
    shapes: tuple[Shape, ...]
    outlined: tuple[Shape, ...]
    """The areas that a tap may go to, then the one where it begins, so that its outline lies over theirs."""


# --- outlines ------------------------------------------------------------------------------------


def sheet() -> dict[str, Any]:
    return read_toml(PACKAGE, "data/atlas.toml")


# --- what never changes --------------------------------------------------------------------------


def ground(words: Words) -> Ground:
    """The map without pieces, with its names in the reader's language."""
    cells = {"land": [], "sea": []}  # type: dict[str, list[Cell]]
    ports, labels = [], []
    for key in pieces.areas():
        printed = pieces.printed(key)
        place = sheet()["areas"][key]
        if printed["kind"] == "port":
            x, y = place["at"]
            ports.append(Glyph("anchor", x - PORT, y - PORT))
            continue
        cells[printed["kind"]].append(Cell(key, place["path"]))
        labels.append(_label(words(Line(printed["name"])), printed, place))
    return Ground(
        sheet()["width"],
        sheet()["height"],
        tuple(cells["land"]),
        tuple(cells["sea"]),
        tuple(sheet()["rivers"]),
        tuple(sheet()["bridges"]),
        sheet()["wall"],
        tuple(ports),
        tuple(labels),
        tuple((sign, BOXES.get(sign, BOX), words(Line(meaning))) for sign, meaning in SIGNS.items()),
    )


def _label(name: str, printed: dict[str, Any], place: dict[str, Any]) -> Label:
    x, y = place["at"]
    written = lines(name, place["wide"])
    rows = tuple((line, x, y - LINE * (len(written) - 1 - at)) for at, line in enumerate(written))
    signs = [printed["fort"]] if printed.get("fort") else []
    signs += ["supply"] * printed.get("supply", 0) + ["power"] * printed.get("power", 0)
    left = x - ICON * len(signs) // 2
    icons = tuple(Glyph(sign, left + ICON * at, y + 8) for at, sign in enumerate(signs))
    return Label(rows, icons, printed["kind"])


def lines(name: str, wide: int) -> tuple[str, ...]:
    """A name in lines of at most `wide` letters; a word may be divided at a translator's soft hyphen.

    A name of one word may be half as wide again. Without a soft hyphen, as in Chinese, it is halved if it
    must be.
    """
    if " " not in name:
        wide = wide * 3 // 2
        if SOFT_HYPHEN not in name and breadth(name) > wide:
            middle = (len(name) + 1) // 2
            return (name[:middle], name[middle:])
    rows: list[str] = []
    for word in name.split():
        for at, piece in enumerate(word.split(SOFT_HYPHEN)):
            joined = f"{rows[-1]}{'' if at else ' '}{piece}" if rows else piece
            if breadth(joined) <= wide or not rows:
                rows[-1:] = [joined]
                continue
            rows[-1] += "-" if at else ""
            rows.append(piece)
    return tuple(rows)


def breadth(text: str) -> int:
    """How wide a text is, in Latin letters: a Chinese character takes two."""
    return sum(1 if ord(letter) < 0x2E80 else 2 for letter in text)


# --- what lies there now -------------------------------------------------------------------------


def draw(areas: Mapping[str, Appearance], words: Words) -> Drawing:
    """The pieces on the map: every area once, with what it says in words; ports lie over their seas.

    A tap on an area counts as a tap on the control for its action elsewhere in the page.
    """
    drawn = tuple(_shape(key, areas.get(key, NOTHING), words) for key in _order_of_drawing())
    outlined = sorted((shape for shape in drawn if shape.state), key=lambda shape: shape.state == FROM)
    return Drawing(sheet()["width"], sheet()["height"], drawn, tuple(outlined))


NOTHING = Appearance()


@cache
def _order_of_drawing() -> tuple[str, ...]:
    return tuple(sorted(pieces.areas(), key=lambda key: pieces.kind(key) == pieces.PORT))


@lru_cache(maxsize=8192)
def _shape(key: str, shown: Appearance, words: Words) -> Shape:
    """An area as it is drawn, shared by every reader, tap and table with the same appearance there."""
    place, printed = sheet()["areas"][key], pieces.printed(key)
    row, glyphs = _pieces(shown, printed["kind"], is_after=place.get("after", False))
    return Shape(
        key,
        words(spoken(key, shown)),
        " ".join(_classes(shown, printed["kind"])),
        shown.state if shown.state in (FROM, CAN) else "",
        shown.mark,
        row,
        glyphs,
        shown.action,
        _middle(place, printed),
        tuple(place["at"]) if printed["kind"] == "port" else None,
    )


def _classes(shown: Appearance, kind: str) -> Iterator[str]:
    """The classes that fill a cell. Nobody controls a sea (AGOT-58), so only land shows whose it is."""
    if shown.mark and kind == "land":
        yield f"held s{shown.mark}"
    if shown.closed:
        yield "closed"
    if shown.state == CANNOT:
        yield CANNOT


def _middle(place: dict[str, Any], printed: dict[str, Any]) -> Point:
    """Where the pieces of an area go: below its icons or its name, on a port's anchor, or where it says."""
    x, y = place["at"]
    has_icons = printed.keys() & {"fort", "supply", "power"}
    below = 0 if printed["kind"] == "port" else 52 if has_icons else 27
    x, y = place.get("pieces", (x, y + below))
    return x, y


def _pieces(shown: Appearance, kind: str, *, is_after: bool) -> tuple[Row | None, tuple[Glyph, ...]]:
    """Units in a row, with the order before them and the markers after them, centred on the middle.

    In a port only the units are centred, since an order is hard to read on an anchor; it `is_after` them
    where there is no room before.
    """
    units = shown.units
    length = 24 + sum(PIECE if count > 1 else GLYPH for _unit, count in units) if units else 0
    behind = list(_markers(shown, can_bear=kind == "land" and not units))
    value = order_value(shown.order)
    before = (ROOM + VALUE * len(value) + GAP * bool(value)) if shown.order else 0
    begins = -length // 2 if kind == "port" else before - (length + before + ROOM * len(behind)) // 2
    ends = begins + length
    glyphs = [_order(shown.order, value, ends + GAP if is_after else begins - before)] if shown.order else []
    row = _row(shown, begins, length) if units else None
    left = ends + 4 + before * is_after
    for at, (sign, text, mark) in enumerate(behind):
        centre = (left + ROOM * at + 14, BASE) if text else (left + ROOM * at + 6, -8)
        glyphs.append(Glyph(sign, left + ROOM * at + 2, -12, text, centre, mark))
    return row, tuple(glyphs)


def order_value(order: str) -> str:
    """What is written beside the sign of an order: its value, or its star if it has no value."""
    if order in ("", HIDDEN):
        return ""
    value = order_tokens.value(order)
    return f"{value:+d}".replace("-", "\u2212") if value else "\u2605" * order_tokens.has_star(order)


def _order(order: str, value: str, left: int) -> Glyph:
    sign = f"order-{order_tokens.kind(order) or order}"
    return Glyph(sign, left + 2, -12, value, (left + ROOM - 6 + VALUE * len(value) // 2, BASE))


def _markers(shown: Appearance, *, can_bear: bool) -> Iterator[tuple[str, str, int]]:
    """What follows the units. Land without units shows a token or crest; under units a token is a ring."""
    if shown.routed:
        yield "routed", "", 0
    if shown.mark and can_bear:
        yield "token" if shown.token else "crest", "", shown.mark
    if shown.garrison:
        yield "garrison", str(shown.garrison), 0
    if shown.neutral:
        yield "neutral", str(shown.neutral), 0


def _row(shown: Appearance, left: int, length: int) -> Row:
    glyphs, at = [], left + 20
    for unit, count in shown.units:
        text = str(count) if count > 1 else ""
        glyphs.append(Glyph(unit, at, -12, text, (at + GLYPH + 7, BASE)))
        at += PIECE if text else GLYPH
    if shown.token:
        glyphs.append(Glyph("ring", left, -12))
    return Row(left - 4, length + 8, left + 2, tuple(glyphs))
