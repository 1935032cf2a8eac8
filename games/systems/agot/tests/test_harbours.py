"""Ports as they are drawn: their orders are to be read."""

import pytest

from games.systems.agot import pieces
from games.systems.agot.page import map_drawing
from games.systems.agot.page.map_drawing import Appearance

PORTS = [key for key, printed in pieces.printed_map()["areas"].items() if printed["kind"] == "port"]


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("ships", [1, 3])
@pytest.mark.parametrize("order", ["march-plus", "raid"])
def test_the_order_of_a_port_lies_beside_its_anchor_and_on_the_map(port, ships, order):
    shown = Appearance(mark=1, units=(("ship", ships),), order=order)
    shape = next(shape for shape in map_drawing.draw({port: shown}, str).shapes if shape.key == port)
    (sign,) = shape.glyphs
    anchor = (
        *(at - map_drawing.PORT for at in map_drawing.sheet()["areas"][port]["at"]),
        2 * map_drawing.PORT,
        2 * map_drawing.PORT,
    )
    width = 28 + map_drawing.VALUE * len(sign.text)
    lies = (shape.middle[0] + sign.x, shape.middle[1] + sign.y, width, map_drawing.ICON)
    assert not overlap(lies, anchor)
    assert 0 <= lies[0] <= map_drawing.sheet()["width"] - width


def overlap(one, other):
    """Whether two boxes (left, top, width, height) have a point in common."""
    pairs = zip(one[:2], one[2:], other[:2], other[2:], strict=True)
    return all(at < there + size and there < at + wide for at, wide, there, size in pairs)
