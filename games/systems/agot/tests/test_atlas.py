"""The drawing of the map: it says what the board says, names fit and are read out, and it weighs little."""

from itertools import combinations, pairwise
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext
from msgspec.structs import replace

from config.static import small
from games import view_models
from games.core import Term, engine
from games.systems.agot import pieces
from games.systems.agot import pieces as areas
from games.systems.agot.orders import order_tokens
from games.systems.agot.page import map_drawing
from games.systems.agot.page.board_page import AgotPage
from games.systems.agot.page.map_drawing import Appearance
from games.systems.agot.pieces import box
from games.systems.agot.tests.outlines import rings
from games.systems.agot.tests.tables import at, field, gathered, marching, ordered, table, within
from games.templating import part
from tests.pages.test_templates import Page

LANGUAGES = [code for code, _name in settings.LANGUAGES]
HERE = Path(__file__).parents[1]
AREAS = pieces.printed_map()["areas"]
CELLS = [key for key, printed in AREAS.items() if printed["kind"] != "port"]
PORTS = [key for key, printed in AREAS.items() if printed["kind"] == "port"]
PLACES = map_drawing.sheet()["areas"]
LETTER, HIGH = 12.5, 18
"""How broad a letter of a name is and how high, a little less than drawn, in units of the drawing."""
BUTTON = 12
"""How many letters fit side by side on a button, where three stand in a row on a phone."""


def borders(area):
    """The straight pieces of an area's border, each with its two ends."""
    outlines = rings(PLACES[area]["path"])
    return {frozenset(ends) for ring in outlines for ends in zip(ring, (*ring[1:], ring[0]), strict=True)}


def shared(one, other):
    """The pieces of border that two cells have in common."""
    return borders(one) & borders(other)


def holds(path, x, y):
    """Whether a point lies in an outline: as many rims to its right as make an odd number."""
    crossed = 0
    for ring in rings(path):
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            crossed += (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay)
    return crossed % 2 == 1


def extent(ring):
    """The content of a ring."""
    ends = zip(ring, (*ring[1:], ring[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


def pieces_of(line):
    """The straight pieces of a drawn line."""
    points = rings(line)[0]
    return [frozenset(ends) for ends in pairwise(points)]


# --- geometry and adjacency ----------------------------------------------------------------------


def test_every_area_has_its_place():
    assert list(PLACES) == list(AREAS)
    assert all("path" in PLACES[key] for key in CELLS)
    assert not any("path" in PLACES[key] for key in PORTS)
    assert (len(CELLS), len(PORTS)) == (50, 8)


def test_cells_share_a_border_exactly_when_they_are_adjacent_or_a_river_parts_them():
    drawn = {frozenset(pair) for pair in combinations(CELLS, 2) if shared(*pair)}
    printed = {frozenset((key, other)) for key in CELLS for other in AREAS[key]["beside"] if other in CELLS}
    rivers = {frozenset(pair) for pair in pieces.printed_map()["rivers"]}
    assert drawn == printed | rivers
    assert not printed & rivers


def test_cells_fill_the_sheet_and_do_not_overlap():
    """Each piece of border parts two cells or is the frame's, and the contents add up to the sheet."""
    width, height = map_drawing.sheet()["width"], map_drawing.sheet()["height"]
    for key in CELLS:
        for piece in borders(key):
            owners = sum(piece in borders(other) for other in CELLS)
            (ax, ay), (bx, by) = piece
            is_frame = (ax == bx and ax in (0, width)) or (ay == by and ay in (0, height))
            assert owners == (1 if is_frame else 2), (key, piece)
    rims = [[extent(ring) for ring in rings(PLACES[key]["path"])] for key in CELLS]
    assert sum(rim[0] - sum(rim[1:]) for rim in rims) == width * height


def test_rivers_run_on_the_borders_that_they_part():
    drawn = {piece for river in map_drawing.sheet()["rivers"] for piece in pieces_of(river)}
    parted = [*pieces.printed_map()["rivers"], *pieces.printed_map()["bridges"]]
    assert drawn == set().union(*(shared(*pair) for pair in parted))


def test_a_bridge_leads_from_bank_to_bank():
    for bridge, pair in zip(map_drawing.sheet()["bridges"], pieces.printed_map()["bridges"], strict=True):
        start, end = rings(bridge)[0]
        owners = {key for key in CELLS for point in (start, end) if holds(PLACES[key]["path"], *point)}
        assert owners == set(pair)


@pytest.mark.parametrize("port", PORTS)
def test_a_port_lies_on_its_coast(port):
    x, y = PLACES[port]["at"]
    coast = shared(AREAS[port]["port_of"], AREAS[port]["sea"])
    assert holds(PLACES[AREAS[port]["sea"]]["path"], x, y)
    assert min((x - ax) ** 2 + (y - ay) ** 2 for ends in coast for ax, ay in near(*ends)) < 24**2


def near(one, other):
    """Points of a piece of border, close to each other."""
    return [
        (one[0] + (other[0] - one[0]) * part / 8, one[1] + (other[1] - one[1]) * part / 8)
        for part in range(9)
    ]


# --- names ---------------------------------------------------------------------------------------


def words(line):
    """A line in the language of the moment."""
    return line.render(gettext, ngettext)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_lies_in_its_cell(language):
    """The name of an island may reach over the sea around it."""
    with translation.override(language):
        labels = map_drawing.ground(words).labels
    for key, label in zip(CELLS, labels, strict=True):
        seas = [other for other in AREAS[key]["beside"] if AREAS[other]["kind"] == "sea"]
        within = [key, *(seas if key in pieces.printed_map()["islands"] else ())]
        for text, x, y in label.lines:
            half = map_drawing.breadth(text) * LETTER / 2
            for corner in ((x - half, y), (x + half, y), (x - half, y - HIGH), (x + half, y - HIGH)):
                assert any(holds(PLACES[one]["path"], *corner) for one in within), (key, text, corner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_can_be_parted_on_the_narrowest_button(language):
    """Three answers stand beside each other on a phone; a long word needs a soft hyphen to stay inside."""
    with translation.override(language):
        names = [words(areas.label(key)) for key in AREAS]
    pieces = [
        piece for name in names for word in name.split() for piece in word.split(map_drawing.SOFT_HYPHEN)
    ]
    assert [piece for piece in pieces if map_drawing.breadth(piece) > BUTTON] == []


def test_long_names_are_parted_between_words_or_in_their_middle():
    assert map_drawing.lines("The Mountains of the Moon", 13) == ("The Mountains", "of the Moon")
    assert map_drawing.lines("临冬城", 10) == ("临冬城",)
    assert map_drawing.lines("夏日之海东部", 6) == ("夏日之", "海东部")
    assert map_drawing.lines("Schwarz\xadwasser", 8) == ("Schwarz-", "wasser")
    assert map_drawing.lines("Schwarz\xadwasser", 10) == ("Schwarzwasser",)
    assert map_drawing.lines("Meer der Abend\xaddämmerung", 9) == ("Meer der", "Abend-", "dämmerung")


STARK = Appearance(mark=1, house=Term("Stark"), units=(("footman", 2), ("knight", 1)))


def test_an_area_is_read_out_in_words():
    assert (
        str(map_drawing.spoken("winterfell", STARK)) == "Winterfell, stronghold, Stark: 2 footmen, 1 knight"
    )
    assert str(map_drawing.spoken("karhold", Appearance())) == "Karhold, land"
    assert str(map_drawing.spoken("the-eyrie", Appearance(neutral=6))) == "The Eyrie, castle: neutral force 6"
    closed = Appearance(closed=True, state="cannot", more="Nobody may go there.")
    assert str(map_drawing.spoken("pyke", closed)) == "Pyke, stronghold: closed. Nobody may go there."
    ready = replace(STARK, order="hidden", action="to:winterfell", more="March here")
    assert str(map_drawing.spoken("winterfell", ready)).endswith("1 knight, order face down. March here")


def test_an_area_is_read_out_in_chinese():
    with translation.override("zh-hans"):
        assert words(map_drawing.spoken("winterfell", STARK)) == "临冬城、要塞、史塔克：2个步兵、1个骑士"


def test_every_kind_of_order_unit_and_icon_has_its_sign():
    ground = (HERE / "templates/agot/ground.html").read_text(encoding="utf-8")
    signs = [*box()["units"], *areas.FORTS, "order-hidden"]
    signs += {f"order-{order_tokens.kind(order)}" for order in order_tokens.ORDERS}
    signs += ["supply", "power", "token", "crest", "ring", "routed", "garrison", "neutral", "anchor"]
    assert [sign for sign in signs if ground.count(f'id="m-{sign}"') != 1] == []


# --- the drawing ---------------------------------------------------------------------------------


def opening():
    """The six houses as they begin."""
    found = {}
    for mark, house in enumerate(box()["houses"].values(), 1):
        for key, units in house["units"].items():
            found[key] = Appearance(
                mark,
                Term(house["name"]),
                tuple(units.items()),
                garrison=2 if key == house["home"] else 0,
            )
    return {**found, "kings-landing": Appearance(neutral=5), "the-eyrie": Appearance(neutral=6)}


def drawn(seen):
    """The fragment that comes with every tap."""
    return part("agot/map.html", map=map_drawing.draw(seen, str))


def test_every_area_stands_once_on_the_map_with_its_name():
    page = Page(drawn(opening()))
    named = [attrs["aria-label"] for tag, attrs in page.tags if tag == "a" and "aria-label" in attrs]
    assert len(named) == len(AREAS) == len(set(named))
    assert "Winterfell, stronghold, Stark: 1 footman, 1 knight, garrison 2" in named
    goals = [attrs["href"] for tag, attrs in page.tags if tag == "a" and "aria-label" in attrs]
    assert goals == [f"#card-{key}" for key in (*CELLS, *PORTS)]


def reach(key):
    """From where to where an order, units and a garrison reach in an area, and how high they stand."""
    kind, home = AREAS[key]["kind"], AREAS[key].get("home_of")
    units = (("footman", 1), ("knight", 1)) if kind == "land" else (("ship", 2),)
    shown = Appearance(units=units, order="march-plus", mark=1, garrison=2 if home else 0)
    shape = next(shape for shape in map_drawing.draw({key: shown}, str).shapes if shape.key == key)
    x, y = shape.middle
    ends = [shape.row.x + shape.row.length, *(glyph.x + 24 for glyph in shape.glyphs)]
    return x + min(glyph.x for glyph in shape.glyphs), x + max(ends), y


@pytest.mark.parametrize("port", PORTS)
def test_what_lies_in_a_port_covers_no_neighbour_and_leaves_no_sheet(port):
    left, right, height = reach(port)
    assert 0 <= left < right <= map_drawing.sheet()["width"]
    for area in CELLS:
        start, end, other = reach(area)
        assert abs(height - other) > 24 or right <= start or end <= left, area
    for icon in (icon for label in map_drawing.ground(str).labels for icon in label.icons):
        assert abs(height - icon.y - 12) > 24 or right <= icon.x or icon.x + 24 <= left, icon


def test_a_port_is_tapped_on_its_anchor():
    harbours = {shape.key: shape.harbour for shape in map_drawing.draw({}, str).shapes if shape.harbour}
    assert harbours == {port: tuple(PLACES[port]["at"]) for port in PORTS}


def test_a_tap_means_the_control_that_stands_elsewhere():
    """The area is no second control: it says what it does, and leads to its card without scripts."""
    seen = {"karhold": Appearance(state="can", action="to:karhold", more="March here")}
    page = Page(part("agot/map.html", map=map_drawing.draw(seen, str)))
    assert not [attrs for tag, attrs in page.tags if tag == "button" and attrs.get("name")]
    (cell,) = (attrs for tag, attrs in page.tags if attrs.get("data-does"))
    assert (cell["data-does"], cell["href"]) == ("to:karhold", "#card-karhold")
    assert cell["aria-label"] == "Karhold, land. March here"


def test_nobody_holds_a_sea_and_land_shows_whose_it_is():
    shapes = {shape.key: shape for shape in map_drawing.draw(opening(), str).shapes}
    assert shapes["winterfell"].classes == "held s1"
    assert shapes["the-shivering-sea"].classes == ""
    assert shapes["the-shivering-sea"].row is not None


def test_empty_land_bears_a_crest_and_an_empty_port_nothing():
    seen = {
        "winterfell": Appearance(mark=1),
        "karhold": Appearance(mark=1, token=1),
        "port-of-winterfell": Appearance(mark=1),
    }
    signs = {
        shape.key: [glyph.sign for glyph in shape.glyphs] for shape in map_drawing.draw(seen, str).shapes
    }
    assert (signs["winterfell"], signs["karhold"], signs["port-of-winterfell"]) == (["crest"], ["token"], [])
    both = map_drawing.draw({"karhold": replace(STARK, token=1)}, str).shapes
    (row,) = (shape.row for shape in both if shape.key == "karhold")
    assert [glyph.sign for glyph in row.glyphs] == ["footman", "knight", "ring"]


def test_the_area_where_a_tap_begins_lies_over_those_it_may_go_to():
    seen = {
        "castle-black": Appearance(state="from"),
        "karhold": Appearance(state="can"),
        "pyke": Appearance(state="cannot"),
    }
    drawing = map_drawing.draw(seen, str)
    assert [shape.key for shape in drawing.outlined] == ["karhold", "castle-black"]
    assert {shape.key: shape.classes for shape in drawing.shapes}["pyke"] == "cannot"


def test_looks_come_from_the_faces_of_a_position():
    face = {
        "house": "",
        "units": {},
        "routed": [],
        "controller": "stark",
        "token": "stark",
        "closed": False,
        "garrison": 2,
        "order": "march-plus",
    }
    shown = map_drawing.of_area(face, {"stark": 3}, {"stark": "Stark"})
    assert (shown.mark, shown.token, shown.garrison, shown.house) == (3, 3, 2, Term("Stark"))
    assert shown.order == "march-plus"


def test_the_map_stays_small():
    def weight(text):
        return len(brotli.compress(text.encode()))

    ground = part("agot/ground.html", ground=map_drawing.ground(str))
    assert weight(ground) <= 4864
    assert weight(drawn(opening())) <= 1900
    script = (HERE / "static/agot/map.js").read_text(encoding="utf-8")
    assert weight(small("map.js", script)) <= 1536


# --- on the page ---------------------------------------------------------------------------------


def page_of(g, seat):
    """The page of a position as a seat sees it."""
    return AgotPage(g, seat, engine.offers(g, seat), str, lambda path: "")


def test_the_page_shows_where_a_march_begins_and_may_go():
    g = marching(field(stark="winterfell:F"), "stark", "winterfell")
    page = page_of(g, "stark")
    shapes = {shape.key: shape for shape in page.drawing().shapes}
    assert shapes["winterfell"].state == "from"
    assert (shapes["karhold"].state, shapes["karhold"].action) == ("can", "to:karhold")
    assert shapes["karhold"].name == "Karhold, land. March here"
    assert shapes["pyke"].state == ""
    assert "to:karhold" in page.left, "the bar keeps the control"
    assert page.ground() is not None


def test_only_who_marches_is_told_where_it_may_not_go():
    g = marching(field(stark="riverrun:F"), "stark", "riverrun")
    states = {seat: {shape.classes for shape in page_of(g, seat).drawing().shapes} for seat in g.seats}
    assert "cannot" in states["stark"]
    assert not any("cannot" in states[seat] for seat in g.rivals("stark"))


def test_the_page_shows_where_units_are_mustered():
    g = within(table(6, "full"), "muster", "stark", "winterfell", "2")
    shapes = {shape.key: shape for shape in page_of(g, "stark").drawing().shapes}
    assert shapes["winterfell"].state == "from"


def test_a_house_notes_its_power_while_the_table_resolves_orders():
    assert page_of(at(table(3), "raids"), "stark").acting() is not None
    assert page_of(at(table(3), "marches"), "stark").acting() is not None
    assert page_of(table(3), "stark").acting() is None
    known = ordered(field(3, "orders", stark="winterfell:F"), winterfell="march-plus")
    assert page_of(at(known, "marches"), "stark").acting() is None


def test_beside_the_board_there_is_no_map():
    page = page_of(table(3), "stark")
    assert (page.ground(), page.middle().map) == (None, None)


def test_the_invitation_comes_before_a_house_that_has_nothing_yet():
    middle = page_of(gathered(), "stark").middle()
    invitee = view_models.Invitee(2, "Lannister is not here yet", "/qr", "K7QW2M", "/seats")
    assert "guided" not in classes(middle)
    assert "guided" in classes(replace(middle, invitee=invitee))


def classes(middle):
    """What the style sheet knows of the part between the houses: on a phone what is guided comes first."""
    return Page(part("agot/middle.html", middle=middle)).tags[0][1]["class"].split()


def test_a_tap_on_the_map_means_the_one_answer_that_names_the_area():
    g = ordered(field(3, "orders", lannister="lannisport:F harrenhal:F"), lannisport="march-plus")
    assert tapped(at(g, "marches"), "lannister") == {"lannisport": "march:lannisport:plus"}
    g = ordered(field(3, "orders", stark="riverrun:F", lannister="lannisport:F"), riverrun="raid")
    g = at(ordered(g, lannisport="support"), "raids")
    raids = {"lannisport": "raid:riverrun:lannisport", "riverrun": "waste:riverrun"}
    assert tapped(g, "stark") == raids
    on_board = at(field(3, lannister="lannisport:F"), "marches", "lannister")
    assert tapped(on_board, "lannister") == {}, "three values of one area are no one answer"


def tapped(g, seat):
    """What a tap on each area of the map does."""
    return {shape.key: shape.action for shape in page_of(g, seat).drawing().shapes if shape.action}
