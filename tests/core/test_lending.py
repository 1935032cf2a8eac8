"""A finished position lends its pieces: none of them changes in the position that lent it."""

from dataclasses import replace

import pytest

from games.core import engine
from games.core.lending import Lent
from games.core.once import glance, lasting
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


def test_pieces_that_are_lent_equal_those_that_are_not_until_one_changes(units):
    lent = Lent(units)
    assert lent == units
    assert lent == Lent(units)
    lent["wolves"].wounds = 5
    assert lent != units
    assert lent != Lent(units)


def test_what_is_put_in_or_taken_out_changes_nobody_else(units):
    lent = Lent(units)
    lent["hounds"] = Unit("hounds", "red")
    del lent["bears"]
    assert list(lent) == ["wolves", "crows", "hounds"]
    assert list(units) == ["wolves", "bears", "crows"]
    assert (len(lent), "bears" in lent, lent.get("bears"), lent.get("bears", 1)) == (3, False, None, 1)
    assert "hounds" in lent


def test_a_copy_of_a_kept_position_is_changed_alone(rps):
    twin = rps.copy()
    twin.armies["red"].ready = True
    for army in twin.armies.values():
        army.answered = 1
    assert not any(army.ready or army.answered for army in rps.armies.values())
    assert twin.to_json() != rps.to_json()


def test_what_is_settled_from_it_and_not_kept_is_its_own(rps):
    """Code that has settled a copy may change it again, and reads its changes."""
    twin = rps.copy()
    engine.settle(twin)
    assert (type(twin.armies), twin.lent) == (dict, ())
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
    assert engine.play(rps, "red", "throw:rock").lent == ()
    assert isinstance(engine.play(rps, "red", "throw:rock").armies, dict)
    assert engine.keep(rps.copy()).lent == ()


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


# --- what lasts -----------------------------------------------------------------------------------

looks = []


@lasting("armies")
def named(g):
    looks.append(g)
    return {key: army.name for key, army in g.armies.items()}


@pytest.fixture
def looked():
    """How often the armies were looked at since the last call."""
    looks.clear()

    def count():
        found = len(looks)
        looks.clear()
        return found

    return count


NOBODY_ELSE = {"red": "Ada", "blue": "Ben"}
RENAMED = {
    "reached for": lambda g: setattr(g.armies["red"], "name", "Zoe"),
    "reached for among all": lambda g: setattr(next(iter(g.armies.values())), "name", "Zoe"),
    "replaced": lambda g: g.armies.update(red=replace(g.armies["red"], name="Zoe")),
    "in another mapping": lambda g: setattr(
        g, "armies", {**g.armies.lender, "red": replace(g.armies.lender["red"], name="Zoe")}
    ),
}


def test_what_lasts_is_looked_for_once_while_no_piece_is_reached_for(rps, looked):
    assert named(rps) == named(rps) == NOBODY_ELSE
    twin = rps.copy()
    twin.round = 7
    assert named(twin) == named(engine.keep(twin)) == named(twin.copy()) == NOBODY_ELSE
    assert looked() == 1


@pytest.mark.parametrize("rename", RENAMED.values(), ids=RENAMED)
def test_what_lasts_is_looked_for_again_once_a_piece_is_another(rps, looked, rename):
    twin = rps.copy()
    assert named(twin) == NOBODY_ELSE
    rename(twin)
    assert named(twin) == {"red": "Zoe", "blue": "Ben"}
    assert named(engine.keep(twin)) == named(twin) == {"red": "Zoe", "blue": "Ben"}
    assert looked() == 3, "before, after, and once for good"
    assert named(rps) == NOBODY_ELSE
    assert looked() == 0


def test_what_lasts_forgets_who_was_taken_out_and_learns_who_was_put_in(rps, looked):
    twin = rps.copy()
    assert named(twin) == NOBODY_ELSE
    del twin.armies["red"]
    assert named(twin) == {"blue": "Ben"}
    twin.armies["green"] = replace(rps.armies["blue"], name="Cem")
    assert named(twin) == named(engine.keep(twin)) == {"blue": "Ben", "green": "Cem"}
    assert named(rps) == NOBODY_ELSE


def test_nothing_lasts_of_a_position_that_nobody_keeps(rps):
    g = system("rps").open("plain", NOBODY_ELSE, "seed", {})
    for name in ("Zoe", "Yan"):
        g.read()
        named(g)
        g.write()
        g.armies["red"].name = name
        assert named(g)["red"] == name
    g.read()
    assert named(g)["red"] == "Yan"


@lasting("armies")
def thrown(g):
    return {key: army.hidden.get("throw", "none") for key, army in g.armies.items()}


def test_what_lasts_is_not_told_to_who_may_not_see_it(rps):
    after = engine.play(rps, "red", "throw:rock")
    assert thrown(after) == {"red": "rock", "blue": "none"}
    assert thrown(engine.view(after, "blue")) == {"red": None, "blue": "none"}
    assert thrown(engine.view(after, "red"))["red"] == "rock"
    assert thrown(rps)["red"] == "none"


# --- what a reader is shown -----------------------------------------------------------------------


@lasting("objectives")
def places(g):
    looks.append(g)
    return tuple(g.objectives)


def test_a_view_shares_what_is_known_of_the_pieces_that_it_shares(rps, looked):
    """Every reader of a version sees the same places: they are worked out once for all readers."""
    engine.keep(rps)
    places(rps)
    for seat in (*rps.seats, None):
        places(engine.view(rps, seat))
    assert looked() == 1


def test_a_view_knows_of_armies_only_what_its_reader_sees(rps, looked):
    thrown = engine.play(engine.keep(rps), "red", "throw:rock")
    assert sealed(thrown)["red"] == {"throw": "rock"}
    assert sealed(engine.view(thrown, "blue"))["red"] == {"throw": None}
    assert sealed(engine.view(thrown, "red"))["red"] == {"throw": "rock"}


@lasting("armies")
def sealed(g):
    return {key: army.hidden for key, army in g.armies.items()}
