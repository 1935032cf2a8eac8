"""Kami: their Ki stands in for wounds, so they do not spend the last of it."""

from dataclasses import replace

import pytest

from games.systems.bushido.pieces import STATES
from games.systems.bushido.tests.tables import chosen, model, play, starting, table
from games.systems.bushido.tests.test_correction_limits import ways
from tests.positions import offered, said


def kami(ki, **fields):
    figures = {"wounds_stat": "Kami", "wounds": 0, "wounds_total": 0, "ki": ki, "ki_cap": "4"}
    return replace(model("kami"), **figures | fields)


def feat(g, key="kami"):
    return ways(g, f"unit/{key}")[f"feat:{key}"]


@pytest.mark.rule("BUSH-34")
@pytest.mark.parametrize(("ki", "most"), [(3, 2), (1, 0), (0, 0)])
def test_a_kami_keeps_its_last_ki_when_it_uses_a_feat(ki, most):
    assert feat(table([kami(ki)])) == (0, most)


@pytest.mark.rule("BUSH-34")
def test_another_model_and_a_kami_that_shares_its_ki_spend_all_of_it():
    assert feat(table([model("goshi", ki=3)]), "goshi") == (0, 3)
    g = table([kami(0, ki_cap="*")])
    g.armies["red"].communal = 3
    assert feat(g) == (0, 3)
    assert play(g, "red unit/kami ki:kami:-3").units["kami"].place == "table"


@pytest.mark.rule("BUSH-34")
@pytest.mark.parametrize(("ki", "pays"), [(3, True), (2, False)])
def test_nor_does_it_pay_its_last_three_to_be_rid_of_a_death_sentence(ki, pays):
    """It gains 1 before that: 4 are enough, 3 are not."""
    g = starting([kami(ki, ki_stat="1", markers=(("death-sentence", 1),)), model("ima")])
    g = play(g, "red rolled:4", "blue rolled:2", "red first:red")
    assert ("pay:kami" in offered(g, "red")) == pays
    assert "endure:kami" in offered(g, "red")


@pytest.mark.rule("BUSH-34")
def test_a_kami_that_a_correction_leaves_without_ki_is_out_and_comes_back_with_one():
    g = play(table([kami(2), model("ima")]), "red unit/kami ki:kami:-2")
    assert g.units["kami"].place == "removed"
    assert said(g) == "Kami: 0 Ki.\nKami is out of the match."
    g = play(g, "red unit/kami on-table:kami")
    assert (g.units["kami"].place, g.units["kami"].ki) == ("table", 1)
    g = play(table([kami(2), model("ima", ki=1)]), "red unit/kami ki:kami:-1", "red unit/ima ki:ima:-1")
    assert {unit.place for unit in g.units.values()} == {"table"}


@pytest.mark.rule("BUSH-34")
def test_a_hit_that_wounds_nobody_leaves_a_kami_whose_ki_is_shared_in_play():
    shared = kami(0, ki_cap="*")
    g = play(table([shared, model("ima")]), "red unit/kami hit:kami:0", "red rolled:2")
    assert g.units["kami"].place == "table"


@pytest.mark.rule("BUSH-33")
def test_a_kami_is_immune_and_nobody_is_prone_twice():
    """Fire took a Kami off the table, whose wounds are its Ki."""

    def gains(g, key):
        found = ways(g, f"unit/{key}")
        return {name for name in STATES if f"put-on:{key}:{name}" in found or f"{name}:{key}" in found}

    g = table([kami(3), model("goshi"), model("ima", markers=(("prone", 1), ("on-fire", 2)))])
    assert STATES.keys() - gains(g, "kami") == {"on-fire", "bleeding", "poisoned", "diseased"}
    assert gains(g, "goshi") == STATES.keys()
    assert STATES.keys() - gains(g, "ima") == {"prone"}


@pytest.mark.rule("BUSH-34")
def test_a_kami_begins_with_all_the_ki_of_its_corrected_cap():
    g = chosen("keii")
    g.units["kizoko"] = kami(4, key="kizoko", army="red", place="unplaced")
    corrected = play(g, "red unit/kizoko cap:kizoko:3")
    assert corrected.units["kizoko"].ki == 7
    assert play(table([kami(2)]), "red unit/kami cap:kami:3").units["kami"].ki == 2, "in play it gains none"
