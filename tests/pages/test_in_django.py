"""The peer of the benchmarks draws what we draw: our parts, translated into Django's template language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games import view_models
from games.templating import part
from tests.bench import in_django
from tests.pages.samples import boards

BOARDS = [make for name, make in vars(boards).items() if name.startswith("board_")]


@pytest.mark.parametrize("make", BOARDS, ids=lambda make: make.__name__)
def test_a_board_says_the_same_in_djangos_language(make: Callable[[], view_models.Board]) -> None:
    ours, theirs = (draw("table/board.html", board=make()) for draw in (part, in_django.drawn))
    assert len(theirs) > 1000
    assert in_django.same(ours, theirs)


def test_what_people_write_stays_words_in_djangos_language() -> None:
    name = "<img src=x onerror=alert(1)>\"'"
    ours, theirs = (
        draw("parts/pencil.html", url="/t/K7QWXM/", name=name) for draw in (part, in_django.drawn)
    )
    assert "<img" not in theirs
    assert in_django.same(ours, theirs)
