"""A table on paper: all that everybody may read, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.models import Army
from tests.pages.test_score_card import GAMES, played, seated
from tests.trust.cast import Phone


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "mode", "count"), GAMES)
def test_every_game_has_its_sheet(slug: str, mode: str, count: int):
    match = played(slug, mode, count, 60)
    path = reverse("print", args=[match.code])
    page = Phone().ask("GET", path).content.decode()
    for name in (*match.armies.values_list("name", flat=True), match.code, f"#{match.version}"):
        assert name in page
    for unit in match.units.all():
        assert f"<b>{unit.name}" in page
    assert page.count("<button") == 2, "the two languages"


@pytest.mark.django_db
def test_a_sheet_shows_no_secret_even_to_its_owner():
    match = played("rps", "plain", 2, 0)
    red = seated(match, "red")
    Army.objects.filter(match=match, key="red").update(hidden={"throw": "canary"})
    page = red.ask("GET", reverse("print", args=[match.code])).content.decode()
    assert "canary" not in page
    assert "has answered" in page


def test_more_pieces_are_printed_smaller():
    from games.views.paper import density
    from tests.pages.samples import board_ask

    board = board_ask()
    many = replace(board, sides=board.sides * 4)
    assert 1 <= density(board) < density(many) <= 5
