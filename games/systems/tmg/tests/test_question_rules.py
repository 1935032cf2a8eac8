"""Which rule a question shows: the one that it rests on at this moment."""

import pytest

from games.core import engine
from games.systems.tmg.tests.tables import infantry, play, table
from games.systems.tmg.tests.test_ending import checked, corrected


def rule(g):
    """The rule that the open question shows."""
    return engine.step_of(g).resting_on(g)


@pytest.mark.rule("TMG-15")
def test_who_has_a_unit_to_activate_reads_which_ones_can_be_selected():
    assert rule(table()) == "TMG-15"


@pytest.mark.rule("TMG-18")
def test_who_has_no_unit_to_activate_reads_that_it_passes():
    g = table([infantry("wolves", activated=True)], [infantry("lions")], turn="red")
    assert rule(g) == "TMG-18"


@pytest.mark.rule("TMG-86")
@pytest.mark.parametrize("noted", ["army/red concede:red", "table time-out", "table adjudicate:red"])
def test_an_end_by_hand_shows_the_rule_of_ends_by_hand(noted):
    path, action = noted.split()
    assert rule(engine.adjust(table(), "red", path, action)) == "TMG-86"


@pytest.mark.rule("TMG-82")
def test_points_of_a_correction_show_the_rule_of_the_target():
    assert rule(corrected(checked(9, 3), "army/red points:red:1")) == "TMG-82"


@pytest.mark.rule("TMG-85")
def test_a_side_without_combat_units_shows_the_rule_of_elimination():
    g = engine.adjust(table(), "red", "unit/lions", "destroy:lions")
    assert rule(play(g)) == "TMG-85"


@pytest.mark.rule("TMG-73")
def test_a_side_with_its_reserve_left_shows_the_rule_of_the_reserve():
    g = table(blue=[infantry("lions"), infantry("knights", place="reserve")], mode="a-clash-of-kings")
    assert rule(engine.adjust(g, "red", "unit/lions", "destroy:lions")) == "TMG-73"
