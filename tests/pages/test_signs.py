"""Every sign that a page draws is on it."""

from __future__ import annotations

import pytest
from django.test import Client

from games.match import play
from games.systems.tmg.pieces import CONDITIONS
from tests.browser import driving
from tests.soak.markup import Markup

pytestmark = pytest.mark.django_db


def test_a_condition_has_a_sign(client: Client) -> None:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Anna", "blue": "Ben"})
    driving.do(match, "red demo:stark\nblue demo:lannister\n")
    play.edit(
        match.code, lambda g: setattr(next(iter(g.units.values())), "conditions", CONDITIONS), "Olga", "x"
    )
    page = Markup(client.get(f"/t/{match.code}/").content.decode())
    assert [one for one in page.elements if one.told.get("href") == "#i-condition"]
    assert list(page.strays()) == []
