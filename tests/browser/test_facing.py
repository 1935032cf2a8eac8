"""One device between two players: nothing on it lies over anything else, whichever way it is held."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import SET_UP, Screen, opened
from tests.browser.states import faces, sits_twice
from tests.browser.ways import seated

pytestmark = pytest.mark.browser

PARTS = "#side-red, #side-blue, .score, .bar"
BOXES = """all => all.map(one => one.getBoundingClientRect())
    .map(box => [box.left, box.top, box.right, box.bottom].map(Math.round))"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (820, 1180), (1440, 900)])
@pytest.mark.django_db(transaction=True)
def test_two_players_face_each_other(screen: Callable[..., Screen], width: int, height: int) -> None:
    page = screen(viewport={"width": width, "height": height}).page
    seated(opened(SET_UP), "red", also=sits_twice)(page)
    faces(page)
    boxes = page.eval_on_selector_all(PARTS, BOXES)
    assert len(boxes) == 4
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert right - left > 100
        assert bottom - top > 40
        assert min(left, top) >= 0
        assert right <= width
        assert bottom <= height
        for other in boxes[number + 1 :]:
            apart = other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top
            assert apart, (boxes[number], other)
