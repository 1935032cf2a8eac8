"""Images: what an action changed, applied and reverted."""

import json
from dataclasses import dataclass

import pytest

from games.core import (
    ABSENT,
    Army,
    Objective,
    Question,
    State,
    Unit,
    apply,
    diff,
    in_order,
    overlaps,
    without,
)


@pytest.fixture
def table():
    return State(
        armies={"red": Army("red", "Ada"), "blue": Army("blue", "Bo")},
        units={"wolves": Unit("wolves", "red", "Wolves", wounds=12)},
        objectives={"centre": Objective("centre", "Centre")},
        flow=(Question("turn", 1),),
        asked=1,
    )


def test_only_what_changed_stands_in_the_image(table):
    after = table.copy()
    after.units["wolves"].wounds = 9
    after.round = 1
    assert diff(table, after) == (
        {"unit/wolves/wounds": 12, "round": 0},
        {"unit/wolves/wounds": 9, "round": 1},
    )
    before_image, after_image = diff(table, after)
    assert apply(table, after_image) == after
    assert apply(after, before_image) == table
    assert table.units["wolves"].wounds == 12


def test_an_image_leaves_out_the_fields_that_are_named():
    assert without({"seed": "x", "round": 1, "unit/seed": None}, frozenset({"seed"})) == {
        "round": 1,
        "unit/seed": None,
    }


def test_hidden_values_have_paths_of_their_own(table):
    after = table.copy()
    after.hide("red", "bid", 3)
    assert diff(table, after) == ({"army/red/hidden/bid": ABSENT}, {"army/red/hidden/bid": 3})
    more = after.copy()
    more.hide("red", "hand", ["c01"])
    assert diff(after, more)[1] == {"army/red/hidden/hand": ["c01"]}


def test_a_hidden_nothing_is_not_the_absence_of_a_value(table):
    sealed = table.copy()
    sealed.hide("red", "bid", None)
    before, after = diff(table, sealed)
    assert apply(table, after).armies["red"].hidden == {"bid": None}
    assert apply(sealed, before).armies["red"].hidden == {}


def test_pieces_come_and_go_whole(table):
    after = table.copy()
    del after.units["wolves"]
    after.units["raiders"] = Unit("raiders", "blue", "Raiders", wounds=5)
    before_image, after_image = diff(table, after)
    assert before_image["unit/raiders"] is None
    assert after_image["unit/wolves"] is None
    assert apply(table, after_image) == after
    assert apply(after, before_image) == table


def test_putting_on_and_taking_off_meet_again(table):
    after = table.copy()
    after.flow = (Question("clean-up", 9, ("red",)),)
    after.begin_round("red")
    after.score("red", 2, "centre")
    before_image, after_image = diff(table, after)
    assert apply(table, after_image) == after
    assert apply(after, before_image) == table


def test_images_overlap_on_a_field_or_on_its_piece():
    assert overlaps({"unit/a/wounds": 1}, {"unit/a/wounds": 2})
    assert overlaps({"unit/a": None}, {"unit/a/wounds": 2})
    assert overlaps({"unit/a/wounds": 2}, {"unit/a": None})
    assert not overlaps({"unit/a/wounds": 1}, {"unit/a/name": 2, "unit/ab": None})
    assert not overlaps({"army/red/hidden/bid": 1}, {"army/blue/hidden/bid": 1})
    assert overlaps({"army/red": None}, {"army/red/hidden/bid": 1})
    assert overlaps({"army/red/hidden/bid": 1}, {"army/red": None})
    assert overlaps({"flow": 1}, {"flow": 2})
    assert not overlaps({"flow": 1}, {"flow/a": 1, "unit/flow": None})
    assert overlaps({"unit/a/wounds": 1}, {"unit/b/wounds": 1, "unit/a/wounds": 2}), "one place is enough"


def test_of_some_kinds_of_piece_any_two_fields_overlap():
    area, other = {"objective/a/house": ""}, {"objective/a/knights": 1}
    assert overlaps(area, other, {"objective"})
    assert not overlaps(area, other, {"unit"})
    assert not overlaps(area, {"objective/b/knights": 1}, {"objective"})
    assert not overlaps({"unit/a/wounds": 1} | area, {"unit/a/name": ""}, {"objective"})


def test_a_position_survives_json(table):
    table.score("red", 2, "centre")
    table.begin_round("red")
    assert State.from_json(table.to_json()) == table


@dataclass
class Scout(Unit):
    """A unit with a set and a list of pairs."""

    marks: frozenset[str] = frozenset()
    path: tuple[tuple[str, int], ...] = ()


@dataclass
class Woods(State[Army, Scout, Objective]):
    """A table of scouts."""


def test_a_set_stays_a_set_and_pairs_stay_pairs_wherever_they_are_stored():
    before = Woods(units={"grey": Scout("grey", "red")}, flow=(Question("turn", 1),))
    after = before.copy()
    after.units["grey"].marks = frozenset({"tired", "lost"})
    after.units["grey"].path = (("ford", 1), ("hill", 2))
    after.flow = (Question("turn", 1, ("grey",)),)
    _old, image = diff(before, after)
    assert apply(before, json.loads(json.dumps(image))) == after
    assert Woods.from_json(json.loads(json.dumps(after.to_json()))) == after
    assert image == json.loads(json.dumps(image)), "an image is the same before it is stored"


def test_new_pieces_come_in_the_order_in_which_they_came_to_the_table():
    image = {
        "army/blue": {"name": "Bo"},
        "army/red": {"name": "Ada"},
        "round": 1,
        "unit/bears": {"order": 2},
        "unit/wolves": {"order": 1},
        "unit/wolves/wounds": {"order": 9},
        "army/gone": {"order": 3},
    }
    assert list(in_order(image, ("red", "blue"))) == [
        "army/red",
        "round",
        "unit/wolves/wounds",
        "army/blue",
        "unit/wolves",
        "unit/bears",
        "army/gone",
    ]


def test_only_new_pieces_have_an_order_and_only_armies_have_that_of_the_seats():
    image = {
        "unit/blue": {"order": 3},
        "unit/spare": {},
        "unit/gone": None,
        "rules": {"order": 9},
        "army/blue": {"order": 9},
    }
    assert list(in_order(image, ("red", "blue"))) == [
        "unit/spare",
        "unit/gone",
        "rules",
        "army/blue",
        "unit/blue",
    ]
    assert list(in_order({"unit/a": {"order": 1}, "unit/b": {}}, ())) == ["unit/b", "unit/a"]


def test_a_piece_overlaps_with_whatever_is_hidden_in_it():
    assert overlaps({"army/red": ABSENT}, {"army/red/hidden/bid": 3})
    assert overlaps({"army/red/hidden/bid": 3}, {"army/red": ABSENT})
    assert not overlaps({"army/red": ABSENT}, {"army/blue/hidden/bid": 3})
    assert not overlaps({"army/red/hidden/bid": 3}, {"army/red/hidden/sum": 3})
