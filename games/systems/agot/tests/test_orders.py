"""Orders on the phones: placed in secret, turned over together, and resolved one by one."""

import pytest

from games.core import IllegalAction, engine
from games.systems.agot import pieces
from games.systems.agot.map import combat
from games.systems.agot.orders import open_orders, order_tokens, secret_orders
from games.systems.agot.tests.tables import asks, at, field, marching, ordered, play, sent, table
from tests.positions import offered, said

START = ("winterfell", "white-harbor", "the-shivering-sea")
"""Where Stark has units when the game begins."""


def planning(**fields):
    """Three houses before their first orders."""
    return at(table(3, "orders"), "planning", **fields)


def tokens(g, seat):
    """The order tokens that a house is offered for the area that it is busy with."""
    return {action.partition(":")[2] for action in offered(g, seat) if action.startswith("order:")}


def placed(g, seat, *given):
    """The same table after a house has placed these orders, area after area."""
    return play(g, *(f"{seat} order:{order}" for order in given))


# --- placing -------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-46")
def test_area_after_area_gets_its_order():
    g = planning()
    for key in START:
        assert str(engine.step_of(g).asking(g, "stark")) == f"Which order for {pieces.printed(key)['name']}?"
        assert "placed" not in offered(g, "stark")
        g = placed(g, "stark", {"winterfell": "march-plus", "white-harbor": "support"}.get(key, "raid"))
    assert g.armies["stark"].hidden["orders"] == dict(
        zip(START, ("march-plus", "support", "raid"), strict=True)
    )
    assert (tokens(g, "stark"), "placed" in offered(g, "stark")) == (set(), True)


@pytest.mark.rule("AGOT-74")
def test_nobody_else_learns_more_than_how_many_orders_lie():
    g = placed(planning(), "stark", "march-plus")
    seen = engine.view(g, "lannister")
    assert (seen.armies["stark"].hidden, seen.armies["stark"].face_down) == (
        {"orders": None, "area": None},
        1,
    )
    assert {area.order_token for area in seen.objectives.values()} == {""}
    assert [line.to for line in g.lines] == ["stark"]
    assert all(offer.is_secret for offer in engine.offers(g, "stark") if offer.action != "placed")
    assert "1 of 3 placed" in str(engine.step_of(g).helping(g, "stark"))


def test_an_order_is_exchanged_or_taken_back_until_all_are_placed():
    g = placed(planning(), "stark", "march-plus", "support", "raid")
    g = play(g, "stark placed", "stark not-yet", "stark at:winterfell")
    assert "march-plus" not in tokens(g, "stark")
    assert "march-zero" in tokens(g, "stark")
    g = placed(g, "stark", "defense")
    assert g.armies["stark"].hidden["orders"]["winterfell"] == "defense"
    g = play(g, "stark at:white-harbor", "stark lift")
    assert g.armies["stark"].face_down == 2
    assert "placed" not in offered(g, "stark")


@pytest.mark.rule("BASE-06")
def test_stars_and_tokens_are_limited():
    """With three houses the King's Court allows three, two and one special orders."""
    g = planning(kings_court=("baratheon", "lannister", "stark"))
    assert {order for order in tokens(g, "stark") if order_tokens.has_star(order)} == {
        "march-plus", "defense-star", "support-star", "raid-star", "consolidate-star",
    }  # fmt: skip
    g = placed(g, "stark", "march-plus")
    assert not any(map(order_tokens.has_star, tokens(g, "stark")))
    assert "march-zero" in tokens(placed(g, "stark", "support"), "stark")
    assert "march-zero" not in tokens(placed(g, "stark", "march-zero"), "stark")


@pytest.mark.rule("BASE-05")
@pytest.mark.parametrize(
    ("card", "gone"),
    [
        ("rains-of-autumn", {"march-plus"}),
        ("storm-of-swords", {"defense", "defense-star"}),
        ("sea-of-storms", {"raid", "raid-star"}),
        ("web-of-lies", {"support", "support-star"}),
        ("feast-for-crows", {"consolidate", "consolidate-star"}),
    ],
)
def test_a_forbidden_order_cannot_be_placed(card, gone):
    assert set(order_tokens.ORDERS) - tokens(planning(barred=card), "stark") == gone


def test_a_house_without_tokens_enough_leaves_areas_without_orders():
    """The last of six on the King's Court has ten orders; eleven areas want one."""
    lands = "winterfell karhold white-harbor widows-watch moat-cailin castle-black the-stony-shore"
    names = f"{lands} flints-finger greywater-watch seagard the-twins".split()
    g = at(field(6, "orders", stark=" ".join(f"{name}:F" for name in names)), "planning")
    g.kings_court = ("martell", "tyrell", "greyjoy", "baratheon", "lannister", "stark")
    for order in ("march-minus", "march-zero", *("defense", "support", "raid", "consolidate") * 2):
        g = placed(g, "stark", order)
    assert (tokens(g, "stark"), "placed" in offered(g, "stark")) == (set(), True)
    g = play(g, *(f"{seat} placed" for seat in g.seats))
    assert (len(names), len(order_tokens.lying(g, "stark"))) == (11, 10)


@pytest.mark.rule("AGOT-47")
def test_a_defense_order_in_a_port_is_remarked_upon():
    g = at(field(3, "orders", lannister="port-of-lannisport:S"), "planning")
    (offer,) = (offer for offer in engine.offers(g, "lannister") if offer.action == "order:defense")
    assert str(offer.detail) == "A port cannot be attacked: no effect"
    assert placed(g, "lannister", "defense").armies["lannister"].face_down == 1


@pytest.mark.rule("AGOT-47")
@pytest.mark.rule("AGOT-52")
@pytest.mark.parametrize(
    ("area", "order", "told"),
    [
        ("lannisport", "defense", "None"),
        ("lannisport", "consolidate", "+2 power"),
        ("lannisport", "consolidate-star", "+2 power, or muster"),
        ("port-of-lannisport", "consolidate-star", "+2 power"),
    ],
)
def test_what_an_order_is_worth_is_said_where_it_is_so(area, order, told):
    assert str(secret_orders.remark(area, order, 2)) == told


def test_all_orders_are_turned_over_together():
    g = at(field(3, "orders", stark="winterfell:F", lannister="lannisport:F"), "planning")
    g = placed(placed(g, "stark", "support"), "lannister", "raid")
    g = play(g, "stark placed", "lannister placed")
    assert order_tokens.lying(g, "stark") == {}
    g = play(g, "baratheon placed")
    assert (order_tokens.lying(g, "stark"), order_tokens.lying(g, "lannister")) == (
        {"winterfell": "support"},
        {"lannisport": "raid"},
    )
    assert "Stark: Support in Winterfell." in said(g)
    assert g.armies["stark"].hidden == {}
    assert g.armies["stark"].face_down == 0


def question(g, seat):
    return str(engine.step_of(g).asking(g, seat))


@pytest.mark.rule("BASE-06")
def test_the_raven_exchanges_an_open_order():
    g = ordered(
        field(3, "orders", lannister="lannisport:F harrenhal:F"), lannisport="raid", harrenhal="support"
    )
    g = play(at(g, "raven"), "lannister swap")
    assert asks(play(g, "lannister back")) == "raven lannister"
    assert offered(g, "lannister") == ["back", "swap:harrenhal", "swap:lannisport"]
    assert question(g, "lannister") == "Which order do you swap?"
    g = play(g, "lannister swap:lannisport")
    assert question(g, "lannister") == "Which order for Lannisport?"
    assert "Lannisport" not in question(g, "stark")
    assert "raid" not in tokens(g, "lannister")
    assert "march-plus" in tokens(g, "lannister")
    g = play(g, "lannister order:defense")
    assert "Lannister: Defense +1 in Lannisport." in said(g)
    assert g.question.step != "swap"


def test_without_orders_there_is_nothing_to_swap():
    assert "swap" not in offered(at(field(3, "orders", lannister="lannisport:F"), "raven"), "lannister")


# --- raids ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-50")
def test_ports_and_their_seas_raid_each_other_and_land_only_land():
    g = field(
        3,
        "orders",
        stark="the-golden-sound:S riverrun:F",
        lannister="port-of-lannisport:S lannisport:F stoney-sept:F",
    )
    g = ordered(g, the_golden_sound="raid", riverrun="raid", port_of_lannisport="raid")
    g = ordered(g, lannisport="support", stoney_sept="consolidate")
    assert open_orders.targets(g, "the-golden-sound") == ["lannisport", "port-of-lannisport"]
    assert open_orders.targets(g, "riverrun") == ["lannisport", "stoney-sept"]
    assert open_orders.targets(g, "port-of-lannisport") == ["the-golden-sound"]


def test_only_a_special_raid_removes_a_defense():
    g = field(3, "orders", stark="riverrun:F", lannister="lannisport:F stoney-sept:F")
    g = ordered(g, riverrun="raid", lannisport="defense", stoney_sept="march-zero")
    assert open_orders.targets(g, "riverrun") == []
    assert open_orders.targets(ordered(g, riverrun="raid-star"), "riverrun") == ["lannisport"]


def test_a_raid_takes_a_power_from_who_consolidates():
    g = field(3, "orders", stark="riverrun:F", lannister="lannisport:F")
    g = at(ordered(g, riverrun="raid", lannisport="consolidate-star"), "raids")
    g = play(g, "stark raid:riverrun:lannisport")
    assert (g.armies["stark"].power, g.armies["lannister"].power) == (6, 4)
    assert order_tokens.lying(g, "stark") == order_tokens.lying(g, "lannister") == {}
    poor = at(ordered(g, riverrun="raid", lannisport="consolidate"), "raids")
    poor.armies["lannister"].power = 0
    poor = play(poor, "stark raid:riverrun:lannisport")
    assert (poor.armies["stark"].power, poor.armies["lannister"].power) == (7, 0)


@pytest.mark.rule("BASE-07")
def test_houses_raid_one_order_at_a_time_in_turn_order():
    g = field(3, "orders", stark="riverrun:F seagard:F", lannister="lannisport:F", baratheon="harrenhal:F")
    g = at(ordered(g, riverrun="raid", seagard="raid", lannisport="raid", harrenhal="raid"), "raids")
    assert g.turn_order == ("baratheon", "lannister", "stark")
    assert asks(g) == "raids baratheon"
    g = play(g, "baratheon waste:harrenhal")
    assert asks(g) == "raids lannister"
    g = play(g, "lannister raid:lannisport:riverrun")
    assert g.question.step != "raids", "what was raided raids no one, and Seagard reaches nothing"


@pytest.mark.rule("BASE-07")
def test_a_raid_is_spent_once_and_the_next_house_follows():
    g = field(3, "orders", lannister="lannisport:F harrenhal:F", stark="riverrun:F stoney-sept:F")
    g = ordered(g, lannisport="raid", harrenhal="raid", riverrun="support", stoney_sept="raid")
    g = play(at(g, "raids"), "lannister raid:lannisport:riverrun")
    assert order_tokens.lying(g, "lannister") == {"harrenhal": "raid"}
    assert order_tokens.lying(g, "stark") == {"stoney-sept": "raid"}
    assert asks(g) == "raids stark", "Lannister's other raid waits for its turn"


@pytest.mark.rule("AGOT-50")
@pytest.mark.parametrize(
    ("raid", "why"),
    [
        ("pyke:lannisport", "You have no Raid order in Pyke"),
        ("atlantis:pyke", "There is no such area on the map"),
        ("riverrun:the-mountains-of-the-moon", "A river without a bridge lies before"),
        ("riverrun:pyke", "Pyke is not adjacent"),
        ("riverrun:the-golden-sound", "Land units raid no sea, and ships in a port only their sea"),
        ("port-of-white-harbor:white-harbor", "Land units raid no sea, and ships in a port only their sea"),
        ("riverrun:stoney-sept", "This raid removes no order in Stoney Sept"),
    ],
)
def test_a_raid_that_cannot_be_is_told_why(raid, why):
    g = field(3, "orders", stark="riverrun:F port-of-white-harbor:S", lannister="lannisport:F stoney-sept:F")
    g = ordered(g, riverrun="raid", port_of_white_harbor="raid", lannisport="support", stoney_sept="defense")
    with pytest.raises(IllegalAction, match=why):
        engine.play(at(g, "raids"), "stark", f"raid:{raid}")


def test_a_raid_that_reaches_nothing_costs_no_tap():
    g = at(ordered(field(3, "orders", stark="karhold:F"), karhold="raid"), "raids")
    assert (g.question.step, order_tokens.lying(g, "stark")) != ("raids", {"karhold": "raid"})
    assert order_tokens.lying(g, "stark") == {}


# --- marches, support, consolidation ---------------------------------------------------------------


def test_only_houses_with_open_march_orders_are_asked():
    g = field(3, "orders", stark="winterfell:F", lannister="lannisport:F stoney-sept:F")
    g = at(ordered(g, winterfell="march-plus", lannisport="march-zero", stoney_sept="support"), "marches")
    assert (asks(g), offered(g, "lannister")) == ("marches lannister", ["march:lannisport:zero"])
    g = play(g, "lannister march:lannisport:zero", "lannister go")
    assert (asks(g), offered(g, "stark")) == ("marches stark", ["march:winterfell:plus"])
    g = play(g, "stark march:winterfell:plus", "stark to:karhold", "stark go")
    assert order_tokens.lying(g, "stark") == {}
    assert g.round == 2


def test_a_house_is_asked_which_march_comes_first_where_it_has_several():
    g = field(3, "orders", stark="winterfell:F karhold:F")
    g = at(ordered(g, winterfell="march-plus", karhold="march-zero"), "marches")
    assert str(engine.step_of(g).asking(g, "stark")) == "Which March order comes first?"
    assert str(engine.step_of(g).asking(g, "lannister")) == "Stark marches"
    g = play(g, "stark march:winterfell:plus", "stark go")
    assert str(engine.step_of(g).asking(g, "stark")) == "Your March order"


@pytest.mark.rule("AGOT-82")
def test_open_support_orders_are_the_only_support():
    g = field(
        3,
        "orders",
        lannister="blackwater:K",
        baratheon="kingswood:F shipbreaker-bay:S",
        stark="crackclaw-point:F",
    )
    assert combat.support_of(ordered(g, blackwater="support"), "kings-landing") == {"blackwater": 2}
    assert combat.support_of(ordered(g, blackwater="support-star"), "kings-landing") == {"blackwater": 3}
    assert combat.support_of(ordered(g, crackclaw_point="defense"), "kings-landing") == {}


def test_an_open_defense_order_counts():
    g = field(3, "orders", stark="riverrun:KF", lannister="lannisport:F")
    g = ordered(g, riverrun="march-plus", lannisport="defense-star")
    g = sent(play(at(g, "marches"), "stark march:riverrun:plus"), "stark", "lannisport knight 1")
    assert "Stark 3 with its order, Lannister 3" in str(engine.step_of(g).helping(g, None))


def test_units_that_leave_or_fall_take_their_order_along():
    g = ordered(field(3, "orders", stark="riverrun:KF", lannister="lannisport:F"), lannisport="support")
    g = ordered(g, riverrun="march-zero")
    g = sent(play(at(g, "marches"), "stark march:riverrun:zero"), "stark", "lannisport knight 1")
    g = play(g, "stark wins:attacker", "lannister lose:footman")
    assert (g.objectives["lannisport"].house, order_tokens.lying(g, "stark")) == ("stark", {})


@pytest.mark.rule("AGOT-51")
@pytest.mark.parametrize(("enemy", "power"), [("stoney-sept:F", 6), ("the-golden-sound:S", 5)])
def test_consolidate_orders_bring_power_by_themselves_unless_blockaded(enemy, power):
    g = field(3, "orders", lannister="port-of-lannisport:S", stark=enemy)
    g = at(ordered(g, port_of_lannisport="consolidate"), "consolidation")
    assert (g.armies["lannister"].power, order_tokens.lying(g, "lannister"), g.round) == (power, {}, 2)


@pytest.mark.rule("AGOT-52")
def test_a_special_order_musters_in_a_castle_and_nowhere_else():
    g = field(3, "orders", lannister="lannisport:F port-of-lannisport:S stoney-sept:F")
    lying = dict.fromkeys(("lannisport", "port_of_lannisport", "stoney_sept"), "consolidate-star")
    g = at(ordered(g, **lying), "consolidation")
    assert offered(g, "lannister") == [
        "gather:lannisport",
        "gather:port-of-lannisport",
        "gather:stoney-sept",
        "special:lannisport",
    ]
    g = play(g, "lannister special:lannisport", "lannister muster:knight:lannisport")
    assert (g.objectives["lannisport"].knights, g.armies["lannister"].power) == (1, 5 + 1 + 2)


@pytest.mark.rule("BASE-07")
def test_open_consolidate_orders_are_resolved_in_turn():
    """Stark comes after Lannister: a ship that it musters blockades no port that has brought its power."""
    g = field(3, "orders", lannister="port-of-pyke:S pyke:F", stark="riverrun:F winterfell:F")
    star = "consolidate-star"
    g = at(ordered(g, port_of_pyke="consolidate", riverrun=star, winterfell="consolidate"), "consolidation")
    assert (asks(g), g.armies["lannister"].power) == ("consolidation stark", 6)
    assert offered(g, "stark") == ["gather:riverrun", "gather:winterfell", "special:riverrun"]
    g = play(g, "stark special:riverrun", "stark muster:ship:ironmans-bay")
    assert g.armies["stark"].power == 5, "its other order waits for the end of the muster"
    assert play(g, "stark enough").armies["stark"].power == 5 + 2


@pytest.mark.rule("AGOT-51")
def test_of_two_orders_that_leave_no_choice_that_of_a_port_comes_first():
    """A ship that Stark musters afterwards blockades the port, but no land."""
    g = field(3, "orders", lannister="lannisport:F port-of-lannisport:S", stark="riverrun:F")
    lying = dict.fromkeys(("lannisport", "port_of_lannisport"), "consolidate")
    g = at(ordered(g, **lying, riverrun="consolidate-star"), "consolidation")
    assert (asks(g), g.armies["lannister"].power) == ("consolidation stark", 6)
    g = play(g, "stark special:riverrun", "stark muster:ship:the-golden-sound", "stark enough")
    assert g.armies["lannister"].power == 5 + 1 + 1


def test_a_correction_takes_an_open_order_off_or_lays_another():
    g = ordered(field(3, "orders", stark="winterfell:F"), winterfell="support")
    g = engine.adjust(at(g, "raven"), "stark", "objective/winterfell", "order:winterfell:raid")
    assert order_tokens.lying(g, "stark") == {"winterfell": "raid"}
    g = engine.adjust(g, "stark", "objective/winterfell", "recall:winterfell")
    assert order_tokens.lying(g, "stark") == {}
    hidden = placed(planning(), "stark", "march-plus")
    for g in (hidden, engine.adjust(hidden, "stark", "table", "time-out")):
        assert not any(o.action.startswith("order") for o in engine.corrections(g, "objective/winterfell"))


def test_a_token_that_is_not_there_is_refused():
    g = placed(planning(), "stark", "march-plus", "march-zero")
    with pytest.raises(IllegalAction, match="No token of this kind is left"):
        engine.play(g, "stark", "order:march-plus")


def test_with_orders_on_the_board_the_value_is_tapped():
    g = marching(field(3, stark="winterfell:F"), "stark", "winterfell", "plus")
    assert g.marched == (("stark", "winterfell", "plus"),)


@pytest.mark.rule("BASE-07")
def test_houses_take_turns_while_they_have_open_orders_left():
    g = field(3, "orders", stark="winterfell:F karhold:F", lannister="lannisport:F harrenhal:F")
    plus = dict.fromkeys(("winterfell", "lannisport"), "march-plus")
    zero = dict.fromkeys(("karhold", "harrenhal"), "march-zero")
    g = at(ordered(g, **plus, **zero), "marches")
    asked = []
    for _order in range(4):
        (seat,) = engine.to_act(g)
        asked.append(seat)
        g = play(g, f"{seat} {offered(g, seat)[0]}", f"{seat} go")
    first, second = (seat for seat in g.turn_order if seat in ("stark", "lannister"))
    assert asked == [first, second, first, second]
