"""What the page of the miniatures game shows of a position."""

import pytest

from games.core import engine
from games.systems.tmg import wounds
from games.systems.tmg.page import TmgPage
from games.systems.tmg.tests.tables import infantry, play, table


def page(g, seat="red"):
    """The page as this seat reads it, in the words of the rules."""
    return TmgPage(g, seat, engine.offers(g, seat), str, lambda path: path)


def facts(g, seat):
    return [badge.text for badge in page(g).facts(seat)]


@pytest.mark.rule("TMG-50")
@pytest.mark.rule("E19")
def test_the_points_that_an_army_has_lost_stand_beside_its_cards():
    g = table(blue=[infantry("lions"), infantry("knights")])
    assert facts(g, "blue") == ["Hand 3, deck 17"]
    wounds.destroy(g, g.units["lions"], "red")
    assert facts(g, "blue") == ["Hand 3, deck 17", "Destroyed: 5 points"]


@pytest.mark.parametrize(("rivals", "is_folded"), [(3, False), (4, True)])
def test_many_places_and_enemies_fold_away_beside_the_acting_unit(rivals, is_folded):
    g = play(table(blue=[infantry(f"lions-{number}") for number in range(rivals)]), "red activate:wolves")
    places, enemies = page(g).acting_groups()
    assert (places.title, len(places.offers), places.folded) == ("Stands on", 5, True)
    assert (enemies.title, len(enemies.offers), enemies.folded) == ("Engaged with", rivals, is_folded)
