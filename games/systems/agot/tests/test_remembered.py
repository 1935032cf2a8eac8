"""What is worked out once of the map follows what lies on it: after a tap, after a correction."""

from games.core import engine
from games.systems.agot.map import area_control, round_on_map
from games.systems.agot.orders import order_tokens
from games.systems.agot.pieces import SHIP
from games.systems.agot.tests.tables import at, field, goes, marching, ordered, play, table
from tests.positions import offered


def corrected(g, area, action):
    return asked(engine.adjust(g, "stark", f"objective/{area}", action))


def asked(g):
    """The same position, of which everything has been worked out."""
    for seat in g.seats:
        engine.offers(engine.keep(g), seat)
        (
            area_control.occupied(g, seat),
            area_control.castles(g),
            g.laid(seat),
            area_control.pool(g, seat, SHIP),
        )
    return g


def test_an_area_needs_an_order_as_soon_as_units_are_put_there_and_no_longer():
    g = asked(table(mode="orders"))
    assert "karhold" not in round_on_map.needing_orders(g, "stark")
    more = corrected(g, "karhold", "footman:karhold-of-stark:1")
    assert "karhold" in round_on_map.needing_orders(more, "stark")
    assert "at:karhold" in offered(play(more, "stark at:winterfell"), "stark")
    less = corrected(more, "karhold", "footman:karhold-of-stark:-1")
    assert "karhold" not in round_on_map.needing_orders(less, "stark")
    assert "karhold" not in round_on_map.needing_orders(g, "stark"), "the position before stays as it was"


def test_ships_that_are_put_right_carry_and_ships_that_are_gone_do_not():
    g = marching(field(stark="white-harbor:F"), "stark", "white-harbor")
    g = asked(g)
    assert "the-eyrie" not in goes(g, "stark")
    there = corrected(g, "the-narrow-sea", "ship:the-narrow-sea-of-stark:1")
    assert "the-eyrie" in goes(there, "stark")
    again = asked(play(there, "stark to:the-eyrie", "stark back"))
    assert "the-eyrie" in goes(again, "stark")
    gone = corrected(again, "the-narrow-sea", "ship:the-narrow-sea-of-stark:-1")
    assert "the-eyrie" not in goes(gone, "stark")


def test_a_march_is_counted_among_what_a_house_has():
    g = asked(marching(field(stark="white-harbor:F"), "stark", "white-harbor"))
    before = area_control.castles(g)["stark"]
    g = play(g, "stark to:winterfell", "stark go")
    assert area_control.occupied(g, "stark") == ["white-harbor"]
    g = play(g, "stark keep")
    assert area_control.occupied(g, "stark") == ["winterfell"]
    assert area_control.castles(g)["stark"] == before - 1


def test_tokens_and_pools_are_counted_again():
    g = asked(at(field(stark="winterfell:F"), "planning"))
    assert (g.laid("stark"), area_control.pool(g, "stark", SHIP)) == (0, 6)
    g = corrected(g, "karhold", "token:karhold:stark")
    g = corrected(g, "the-narrow-sea", "ship:the-narrow-sea-of-stark:2")
    assert (g.laid("stark"), area_control.pool(g, "stark", SHIP)) == (1, 4)
    g = corrected(g, "karhold", "token:karhold:stark")
    assert g.laid("stark") == 0


def test_orders_that_are_removed_lie_no_more():
    g = at(ordered(field(mode="orders", stark="winterfell:F"), winterfell="march-plus"), "marches")
    g = asked(g)
    assert order_tokens.lying(g, "stark") == {"winterfell": "march-plus"}
    g = play(g, "stark march:winterfell:plus")
    assert order_tokens.lying(g, "stark") == {}
