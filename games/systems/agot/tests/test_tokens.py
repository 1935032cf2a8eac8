"""The grid of order tokens: each in its place, a spent one drawn and no control."""

import html
import re

import pytest

from games.core import engine
from games.systems.agot.orders import order_tokens
from games.systems.agot.page import board_page
from games.systems.agot.page.board_page import AgotPage
from games.systems.agot.tests.tables import at, field, ordered, play, table
from games.templating import part
from tests.positions import offered, said


def planning():
    return at(table(3, "orders"), "planning")


def grid(g, seat="stark"):
    """The grid on a house's page, and the groups after it."""
    page = AgotPage(engine.view(g, seat), seat, engine.offers(g, seat), str, lambda path: "")
    first, *rest = page.groups()
    return first, rest


@pytest.mark.rule("BASE-06")
@pytest.mark.rule("BASE-12")
def test_an_order_whose_units_are_corrected_away_gives_its_token_back():
    """Its area cannot be tapped any more, so nobody could lift it either."""
    g = at(field(3, "orders", stark="winterfell:F karhold:F", lannister="lannisport:F"), "planning")
    g = play(g, "stark order:march-plus", "stark order:support-star")
    g = engine.adjust(g, "stark", "objective/karhold", "footman:karhold-of-stark:-1")
    told = str(engine.step_of(g).helping(g, "stark"))
    assert told == "1 of 1 placed in secret, at most 2 special."
    g = play(g, "stark at:winterfell")
    assert "order:march-plus" in offered(g, "stark")


def drawn(group):
    return part("parts/group.html", group=group)


def places(group):
    return [[token.order for token in row] for row in group.rows]


@pytest.mark.rule("BASE-12")
@pytest.mark.parametrize(
    ("mode", "area", "places"),
    [("orders", "karhold", True), ("orders", "winterfell", False), ("full", "karhold", False)],
)
def test_a_house_that_gets_units_after_it_has_placed_its_orders_places_one_more(mode, area, places):
    """Not where it stands already; and orders on the board are nobody's business here."""
    g = at(field(3, mode, stark="winterfell:F"), "planning")
    g = play(g, *(["stark order:raid"] if mode == "orders" else []), "stark placed")
    g = engine.adjust(g, "lannister", f"objective/{area}", f"footman:{area}-of-stark:1")
    assert ("stark" in engine.awaited(g)) == places
    assert ("Stark chooses again." in said(g)) == places


def test_every_token_has_one_place_which_no_area_changes():
    assert sorted(order for row in board_page.ROWS for order in row) == sorted(order_tokens.ORDERS)
    g = planning()
    before = places(grid(g)[0])
    for order in ("march-plus", "raid", "raid"):
        assert places(grid(g)[0]) == before
        g = play(g, f"stark order:{order}")


@pytest.mark.rule("BASE-06")
def test_what_is_spent_or_lies_here_is_drawn_and_is_no_control():
    g = play(planning(), "stark order:march-plus", "stark order:support", "stark at:winterfell")
    group, rest = grid(g)
    spent = {token.order for row in group.rows for token in row if token.offer is None}
    assert spent == {"march-plus"}
    assert [token.order for row in group.rows for token in row if token.is_here] == ["march-plus"]
    other = play(g, "stark at:the-shivering-sea")
    none_left = {token.order for row in grid(other)[0].rows for token in row if token.offer is None}
    assert "march-plus" in none_left
    assert not any(token.is_here for row in grid(other)[0].rows for token in row)
    controls = re.findall(r'name="action" value="([^"]+)"', drawn(group) + "".join(map(drawn, rest)))
    assert sorted(controls) == offered(g, "stark")
    assert drawn(group).count("<svg") == len(order_tokens.ORDERS)
    assert drawn(group).count('class="spent here"') == 1


def test_a_token_shows_its_number_and_is_called_by_its_name():
    group, _rest = grid(planning())
    found = {token.order: (token.sign, token.value) for row in group.rows for token in row}
    assert found["march-minus"] == ("order-march", "−1")
    assert found["march-zero"] == ("order-march", "+0")
    assert found["defense-star"] == ("order-defense", "+2★")
    assert found["raid"] == ("order-raid", "")
    assert found["consolidate"] == ("order-consolidate", "+2")
    assert 'aria-label="March −1"' in html.unescape(drawn(group))
    assert group.note == "Consolidate Power ★: +2 power, or muster"


def test_the_raven_swaps_by_the_same_grid():
    g = at(ordered(table(3, "orders"), winterfell="raid"), "raven")
    holder = engine.to_act(g)[0]
    if holder != "stark":
        g.set_track("kings-court", ("stark", *(seat for seat in g.seats if seat != "stark")))
    g = play(g, "stark swap", "stark swap:winterfell")
    group, _rest = grid(g)
    assert [token.order for row in group.rows for token in row if token.is_here] == ["raid"]
    assert "order:march-plus" in [offer.action for offer in group.offers]


def test_what_two_tokens_share_is_said_once():
    g = play(planning(), "lannister at:port-of-lannisport")
    assert grid(g, "lannister")[0].note == (
        "Consolidate Power ★: +1 power · Defense +1 / Defense +2 ★: A port cannot be attacked: no effect"
    )
