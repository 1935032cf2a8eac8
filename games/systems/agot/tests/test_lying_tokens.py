"""With the map alone orders lie on the board: what a house cannot have laid neither counts nor is offered."""

import pytest

from games.core import engine
from games.systems.agot.map import combat
from games.systems.agot.tests.tables import at, field, goes, marching, ordered, play, sent
from tests.positions import offered


def assault(*, level=5, stark="blackwater:KF", **others):
    """Stark marches from Blackwater on the neutral force in King's Landing."""
    g = field(stark=stark, **others)
    g.objectives["kings-landing"].neutral = level
    return g


def battle(g):
    """What the question of a combat in Karhold says of the support beside it."""
    g = sent(marching(g, "stark", "winterfell"), "stark", "karhold footman 1")
    return str(engine.step_of(g).helping(g, None)).partition("near: ")[2]


@pytest.mark.rule("BASE-05")
def test_a_card_that_forbids_support_leaves_none_near():
    g = field(stark="winterfell:FF", greyjoy="karhold:F castle-black:K")
    assert battle(g) == "Castle Black 2."
    g.barred = "web-of-lies"
    assert battle(g) == "none."


@pytest.mark.rule("AGOT-84")
@pytest.mark.rule("BASE-05")
def test_a_card_that_forbids_support_keeps_a_weak_march_from_a_neutral_force():
    g = assault(lannister="kingswood:K")
    assert "kings-landing" in goes(marching(g, "stark", "blackwater"), "stark")
    g.barred = "web-of-lies"
    assert "kings-landing" not in goes(marching(g, "stark", "blackwater"), "stark")


@pytest.mark.rule("AGOT-82")
def test_an_area_that_has_marched_had_no_support_order():
    g = field(stark="winterfell:FF", greyjoy="karhold:F castle-black:KK")
    g = at(g, "marches", "greyjoy", marched=(), moving=())
    g = play(g, "greyjoy march:castle-black:zero", "greyjoy go")
    g = play(at(g, "marches", "stark", marched=g.marched), "stark march:winterfell:zero")
    g = sent(g, "stark", "karhold footman 1")
    assert str(engine.step_of(g).helping(g, None)).endswith("Support near: none.")


@pytest.mark.rule("AGOT-82")
@pytest.mark.rule("AGOT-84")
def test_each_house_near_a_neutral_force_may_have_a_special_support_order():
    """Own 3, two ships and footmen of two houses 2, the stars of both 2: seven are enough, eight are not."""
    others = {"lannister": "blackwater-bay:S", "baratheon": "kingswood:F"}
    near = marching(assault(level=7, **others), "stark", "blackwater")
    assert combat.most_support(near, "stark", "blackwater", "kings-landing") == 4
    assert "kings-landing" in goes(near, "stark")
    assert "kings-landing" not in goes(marching(assault(level=8, **others), "stark", "blackwater"), "stark")
    assert near.track("kings-court")[4:] == ("tyrell", "greyjoy")
    none = marching(assault(greyjoy="blackwater-bay:S", tyrell="kingswood:F"), "stark", "blackwater")
    assert combat.most_support(none, "stark", "blackwater", "kings-landing") == 2, "they have no star"


@pytest.mark.rule("AGOT-84")
def test_units_that_the_march_brings_to_an_empty_area_find_no_order_there():
    g = marching(assault(), "stark", "blackwater")
    g = play(g, "stark to:crackclaw-point", "stark take:footman-1", "stark enough")
    assert combat.most_support(g, "stark", "blackwater", "kings-landing") == 0


@pytest.mark.rule("AGOT-84")
def test_a_march_is_not_supported_from_where_it_starts():
    """A correction has turned the order that is being resolved into a Support order."""
    g = ordered(field(mode="orders", stark="blackwater:KF"), blackwater="march-plus")
    g = play(at(g, "marches", "stark", marched=(), moving=()), "stark march:blackwater:plus")
    g = ordered(g, blackwater="support")
    assert combat.support_of(g, "kings-landing") == {"blackwater": 3}
    assert combat.most_support(g, "stark", "blackwater", "kings-landing") == 0


@pytest.mark.rule("BASE-06")
@pytest.mark.parametrize(("seat", "key", "may"), [("greyjoy", "pyke", False), ("stark", "winterfell", True)])
def test_whom_the_kings_court_allows_no_special_order_has_none(seat, key, may):
    """Of four houses Greyjoy is the last on that track."""
    g = field(4, greyjoy="pyke:F", stark="winterfell:F")
    marches = at(g, "marches", seat, marched=(), moving=())
    assert (f"march:{key}:plus" in offered(marches, seat)) == may
    assert f"march:{key}:zero" in offered(marches, seat)
    assert (f"special:{key}" in offered(at(g, "consolidation", seat), seat)) == may


@pytest.mark.rule("BASE-06")
def test_special_orders_that_were_placed_outlast_a_fall_at_the_kings_court():
    """A house card sends Stark to the last place after orders were revealed."""
    g = at(field(4, stark="winterfell:F"), "planning")
    g = play(g, *(f"{seat} placed" for seat in g.seats))
    while g.place("kings-court", "stark") < 4:
        last = g.track("kings-court")[g.place("kings-court", "stark")]
        g = engine.adjust(g, "stark", f"army/{last}", f"up:{last}:kings-court")
    assert "march:winterfell:plus" in offered(at(g, "marches", "stark"), "stark")
    assert "special:winterfell" in offered(at(g, "consolidation", "stark"), "stark")
    assert "march:winterfell:plus" not in offered(at(g, "marches", "stark", court=()), "stark")
    assert at(g, "realms").court == ()


@pytest.mark.rule("BASE-06")
def test_a_house_musters_with_one_special_order_a_round():
    g = at(field(3, stark="winterfell:F white-harbor:F karhold:F"), "consolidation", "stark")
    assert "special:white-harbor" in offered(g, "stark")
    g = play(g, "stark special:winterfell", "stark enough")
    assert offered(g, "stark") == ["gather:karhold", "gather:white-harbor", "none"]
    g = play(g, "stark none")
    assert "special:winterfell" in offered(at(g, "consolidation", "stark"), "stark"), "it is back next round"


@pytest.mark.rule("BASE-12")
@pytest.mark.parametrize(("houses", "seat", "most"), [(3, "stark", 3), (4, "greyjoy", 2)])
def test_a_house_has_no_more_consolidate_power_orders_than_tokens(houses, seat, most):
    lands = "karhold:F castle-black:F the-stony-shore:F widows-watch:F"
    g, given = at(field(houses, **{seat: lands}), "consolidation", seat), 0
    while g.question.step == "consolidation" and given < 4:
        (offer, *_rest) = offered(g, seat)
        g, given = play(g, f"{seat} {offer}"), given + 1
    assert given == most
