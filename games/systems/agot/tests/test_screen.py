"""The map on a television: the north beside the south."""

import re

from django.utils import translation

from games.systems.agot.page import map_drawing
from games.systems.agot.tests.test_atlas import AREAS, HERE, LANGUAGES, PLACES, words


def test_every_area_is_whole_in_one_half_of_a_television():
    """With its name, its icons and its pieces, in every language."""
    styles = (HERE / "static/agot/screen.css").read_text(encoding="utf-8")
    high = int(re.search(r"aspect-ratio: 1000 / (\d+)", styles)[1])
    south = 10 * float(re.search(r"margin-block-start: -([\d.]+)%", styles)[1])
    assert south + high == map_drawing.sheet()["height"]
    for language in LANGUAGES:
        with translation.override(language):
            labels = {label.lines[-1][1:]: label for label in map_drawing.ground(words).labels}
        for key, printed in AREAS.items():
            label = labels.get(tuple(PLACES[key]["at"]))
            middle = map_drawing._middle(PLACES[key], printed)[1]
            top = label.lines[0][2] if label else middle
            assert middle + 24 <= high or top - 24 >= south, (language, key)
