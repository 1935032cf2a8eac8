"""A warband as plain lines, letter by letter: what a document is kept as, and what reads it back."""

import pytest

from games.systems.bushido.lists.warband_cards import CARDS
from games.systems.bushido.lists.warband_grammar import Card, Model, Warband, read
from games.systems.bushido.tests.warbands import MODELS, written

HIROMASA = Model("Hiromasa", 16, "2", "6", "6", 1, 0)
NOBODY = Model("Nobody; at all", 5, "", "", "", 2, 0)


@pytest.mark.rule("BUSH-26")
def test_everything_that_a_warband_holds_is_written():
    held = (
        Card("Lantern", "equipment", 1, 0, "Hiromasa"),
        Card("Rope", "equipment", 2, 0),
        Card("Rice; cooked", "equipment", 3, 0, "Somebody else"),
        Card("Blessed", "enhancement", 1, 0),
        Card("Rain", "event", 0, 0),
        Card("Shrine", "terrain", 1, 0),
        Card("Shared", "communal", 1, 0),
        Card("Doom", "curse", 1, 0),
        Card("Fox Form", "reference", 0, 0, "Hiromasa"),
        Card("Whatever", "card", 4, 0),
    )
    band = Warband("Prefecture of Ryu", "Oath", 100, None, (HIROMASA, NOBODY), held, (), "Friday")
    assert (
        written(band)
        == """Faction: Prefecture of Ryu
Theme: Oath
Name: Friday
Limit: 100

+ Models +
Hiromasa;16;2/6;6;1
  Lantern;1
Nobody, at all;5;–;;2

+ Equipment Cards +
Rope;2
Rice, cooked;3

+ Enhancement Cards +
Blessed;1

+ Event Cards +
Rain;0

+ Terrain Cards +
Shrine;1

+ Communal Cards +
Shared;1

+ Curse Cards +
Doom;1

+ Reference Cards +
Fox Form;0

+ Other Cards +
Whatever;4
"""
    )


@pytest.mark.rule("BUSH-26")
def test_what_a_warband_does_not_hold_is_not_written():
    assert written(Warband("", "", None, None, (HIROMASA,))) == "+ Models +\nHiromasa;16;2/6;6;1\n"


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("kind", CARDS)
def test_a_card_of_every_kind_is_read_back(kind):
    band = Warband("Prefecture of Ryu", "", None, None, (HIROMASA,), (Card("Paper Charm", kind, 2, 0),))
    assert read(written(band), MODELS) == band
