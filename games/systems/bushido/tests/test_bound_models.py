"""Models that their state binds: what a Prone or a Held one may still do, and how it gets free."""

import pytest

from games.systems.bushido.pieces import HELD, IMMOBILISED, ON_FIRE, PRONE, STUNNED
from games.systems.bushido.tests.tables import left, model, play, table
from tests.positions import asks, offered, said

FREE = {"walk", "wait", "focus", "melee:oni", "charge:oni", "pray:objective-a", "shoot", "run-on"}


def bound(*found, **fields):
    """Two models of Red of which the first is in these states."""
    unit = model("goshi", markers=tuple((state, 1) for state in found), **fields)
    return table([unit, model("ima", markers=(("on-fire", 1),))])


def may(g):
    return set(offered(play(g, "red act:goshi"), "red")) - {"cannot", "back"}


@pytest.mark.rule("BUSH-33")
@pytest.mark.parametrize("others", [(), (HELD,), (STUNNED, ON_FIRE)])
def test_a_prone_model_only_stands_up(others):
    g = bound(PRONE, *others)
    assert [one for one in offered(g, "red") if one.endswith("goshi")] == ["act:goshi", "simple:goshi"]
    assert may(g) == {"stand-up"}
    g = play(g, "red act:goshi", "red stand-up")
    assert (g.units["goshi"].has(PRONE), left(g)["goshi"], asks(g)) == (False, 1, "turn blue")


@pytest.mark.rule("BUSH-33")
def test_the_one_simple_action_of_a_prone_model_is_to_stand_up():
    """It had acted, and lay there all the same."""
    g = play(bound(PRONE), "red simple:goshi")
    assert not g.units["goshi"].has(PRONE)
    assert said(g) == "Goshi stands up.\nGoshi takes a simple action. Counters left: 1."


@pytest.mark.rule("BUSH-33")
def test_a_held_model_gets_free_or_uses_a_feat():
    g = bound(HELD, STUNNED)
    assert "complex:goshi" in offered(g, "red")
    assert may(g) == {"disengage", "stay-held", "simple-feat", "complex-feat"}
    assert may(bound(HELD, counters=1)) == {"disengage", "stay-held", "simple-feat"}


@pytest.mark.rule("BUSH-33")
def test_a_model_is_held_until_it_gets_free():
    """Whoever tried to disengage was held no longer, however the fight went."""
    g = play(bound(HELD), "red act:goshi")
    free, held = play(g, "red disengage"), play(g, "red stay-held")
    assert not free.units["goshi"].has(HELD)
    assert held.units["goshi"].has(HELD)
    assert said(held) == "Goshi fails to break free and stays Held."
    assert left(free) == left(held) == {"goshi": 1, "ima": 2, "oni": 2}
    assert asks(free) == asks(held) == "turn blue"


@pytest.mark.rule("BUSH-33")
@pytest.mark.parametrize("state", ["", STUNNED, IMMOBILISED])
def test_any_other_model_may_do_whatever_its_table_lets_it(state):
    found = may(bound(*filter(None, [state])))
    assert found > FREE | {"disengage"}
    assert not found & {"stand-up", "stay-held"}
