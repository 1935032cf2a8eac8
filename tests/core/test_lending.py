"""A position that stands lends its pieces: none of them changes where it was lent from."""

import pytest

from games.core import engine
from games.core.lending import Lent
from games.core.once import glance
from games.core.pieces import Unit
from games.core.system import system


@pytest.fixture
def units():
    return {key: Unit(key, "red") for key in ("wolves", "bears", "crows")}


@pytest.fixture
def rps():
    g = system("rps").open("plain", {"red": "Ada", "blue": "Ben"}, "seed", {})
    engine.settle(g)
    return engine.keep(g)


def test_who_is_not_reached_for_stays_shared(rps):
    after = engine.play(rps, "red", "throw:rock")
    assert after.armies["red"] is not rps.armies["red"]
    assert after.armies["blue"] is rps.armies["blue"]
    assert rps.armies["red"].hidden == {}


REACHED = {
    "by its key": lambda lent: lent["wolves"],
    "if it is there": lambda lent: lent.get("wolves"),
    "among all": lambda lent: next(unit for unit in lent.values() if unit.key == "wolves"),
    "with its key": lambda lent: next(unit for key, unit in lent.items() if key == "wolves"),
    "taken out": lambda lent: lent.pop("wolves"),
    "in a new mapping": lambda lent: {**lent}["wolves"],
    "in a copy": lambda lent: dict(lent)["wolves"],
    "when all are owned": lambda lent: lent.all()["wolves"],
}


@pytest.mark.parametrize("reach", REACHED.values(), ids=REACHED)
def test_a_piece_is_copied_however_it_is_reached(units, reach):
    reach(Lent(units)).wounds = 5
    assert units["wolves"].wounds == 0
    assert list(units) == ["wolves", "bears", "crows"]


def test_a_piece_is_copied_once(units):
    lent = Lent(units)
    lent["wolves"].wounds = 5
    assert lent["wolves"] is lent.get("wolves") is next(iter(lent.values()))
    assert [unit.wounds for unit in lent.values()] == [5, 0, 0]


def test_what_is_put_in_or_taken_out_changes_nobody_else(units):
    lent = Lent(units)
    lent["hounds"] = Unit("hounds", "red")
    del lent["bears"]
    assert list(lent) == ["wolves", "crows", "hounds"]
    assert list(units) == ["wolves", "bears", "crows"]
    assert (len(lent), "bears" in lent, lent.get("bears"), lent.get("bears", 1)) == (3, False, None, 1)


def test_a_copy_of_a_kept_position_is_changed_alone(rps):
    twin = rps.copy()
    twin.armies["red"].ready = True
    for army in twin.armies.values():
        army.done = True
    assert not any(army.ready or army.done for army in rps.armies.values())
    assert twin.to_json() != rps.to_json()


def test_what_is_settled_from_it_and_not_kept_is_its_own(rps):
    """Who has settled a copy may change it again, and reads what was changed."""
    twin = rps.copy()
    engine.settle(twin)
    twin.armies["red"].hidden = {"throw": "rock"}
    assert rps.armies["red"].hidden == {}
    assert engine.to_act(twin) == ("blue",)
    assert engine.play(twin, "blue", "throw:paper").points("blue") == 1


def test_a_kept_copy_is_read_as_it_was_changed(rps):
    twin = rps.copy()
    twin.armies["red"].hidden = {"throw": "rock"}
    assert engine.to_act(engine.keep(twin)) == ("blue",)
    assert engine.play(twin, "blue", "throw:paper").points("blue") == 1
    assert rps.armies["red"].hidden == {}


def test_nothing_of_the_position_before_is_held_on_to(rps):
    assert engine.play(rps, "red", "throw:rock").lent == {}
    assert isinstance(engine.play(rps, "red", "throw:rock").armies, dict)


@glance
def ready(g):
    return tuple(army.key for army in g.armies.values() if army.ready)


def test_who_is_only_looked_at_is_not_copied_and_is_seen_as_it_is(rps):
    twin = rps.copy()
    assert ready(twin) == ()
    twin.armies["red"].ready = True
    assert ready(twin) == ("red",)
    assert twin.armies.pieces["blue"] is rps.armies["blue"]
    twin.armies["blue"].ready = True
    assert (ready(twin), ready(rps)) == (("red", "blue"), ())


def test_a_glance_is_remembered_while_the_position_stands(rps):
    assert ready(rps) == ()
    assert len(rps.known) == 1
    twin = rps.copy()
    ready(twin)
    assert twin.known is None
