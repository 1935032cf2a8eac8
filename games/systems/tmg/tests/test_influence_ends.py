"""Influence lasts until the end of its round, whoever's NCU has it."""

import pytest

from games.systems.tmg.tests.tables import infantry, ncu, table
from tests.positions import said


@pytest.mark.rule("TMG-35")
@pytest.mark.rule("TMG-74")
@pytest.mark.parametrize("first", ["red", "blue"])
def test_the_influence_of_both_sides_ends(first):
    red = [infantry("wolves"), ncu("sansa", influences="lions"), ncu("catelyn", influences="sansa")]
    blue = [infantry("lions"), ncu("tyrion", influences="wolves")]
    g = table(red, blue, first=first, step="remove-influence")
    assert {unit.key: unit.influences for unit in g.units.values()} == dict.fromkeys(g.units)
    assert "Influence ends." in said(g)


@pytest.mark.rule("TMG-35")
def test_nothing_is_told_where_nobody_has_influence():
    assert "Influence ends." not in said(table(step="remove-influence"))
