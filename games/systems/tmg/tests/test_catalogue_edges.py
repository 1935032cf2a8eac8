"""Where the catalogue's readings end: names nearly the same, figures that nobody stated, limits of cells."""

from dataclasses import replace

import pytest

from games.core import Unreadable
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    NCU,
    UNIT,
    Catalogue,
    card,
    catalogue,
    faction_key,
    plain,
    unlisted,
)
from games.systems.tmg.lists.army_roster import RosterEntry
from games.systems.tmg.tests.tables import solo

STATED = {"faction": "stark", "kind": "unit", "name": "Men of Skagos", "tray": "infantry", "cost": "5"}
STATS = {
    "name": "Men of Skagos",
    "speed": "5",
    "attack1_name": "Axe",
    "attack1_hit": "3+",
    "attack1_dice": "6.5.4",
    "defence": "4+",
    "morale": "7+",
}


def facts(*cards):
    """A catalogue of cards that are given as (name, kind, faction)."""
    return Catalogue(replace(unlisted(kind, name), faction=faction) for name, kind, faction in cards)


def test_names_that_are_equally_near_stand_in_the_order_of_the_alphabet():
    cards = facts(("Wolf Riders B", UNIT, "stark"), ("Wolf Riders A", UNIT, "stark"))
    assert cards.near("Wolf Riders C", kinds={UNIT}) == ("Wolf Riders A", "Wolf Riders B")


def test_a_guess_is_of_the_asked_kind_and_of_the_nearest_faction():
    cards = facts(
        ("Karl Tanner", NCU, "stark"),
        ("Karl Tanner", ATTACHMENT, "neutral"),
        ("Karl Tanner", ATTACHMENT, "stark"),
    )
    guessed = cards.guess("Karl Taner", kinds={ATTACHMENT}, faction="stark").fact
    assert (guessed.kind, guessed.faction) == (ATTACHMENT, "stark")
    assert cards.guess("Karl Taner", kinds={NCU, ATTACHMENT}, faction="greyjoy").fact.faction == "neutral"


def test_a_sub_title_that_no_card_has_hides_no_misspelt_name():
    found = catalogue().guess("Lannister Crosbowmen", "Of the Utterly Unknown Shore", kinds={UNIT})
    assert found.fact.name == "Lannister Crossbowmen"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ser Gregor Clegane", "gregor clegane"), ("The House Umbers", "Umber")],
)
def test_what_people_leave_out_tells_no_names_apart(one, other):
    assert plain(one) == plain(other)


def test_a_name_of_three_letters_keeps_all_of_them():
    assert plain("Ros") != plain("Ro")


def test_only_numbers_of_five_digits_tell_a_faction():
    men = replace(unlisted(UNIT, "Men of Skagos"), faction="stark")
    assert Catalogue([replace(men, id="7"), replace(men, id="10201")]).factions_by_number == {2: "stark"}


def test_wildlings_are_free_folk():
    assert faction_key("Wildlings") == "freefolk"


def test_only_a_unit_has_wounds():
    assert unlisted(ATTACHMENT, "Champion").wounds_total == 0
    assert [fact.id for fact in catalogue().facts if fact.wounds_total and fact.kind != UNIT] == []


def test_a_unit_that_no_catalogue_knows_keeps_what_its_list_says():
    figures = RosterEntry(1, "Men of Skagos", "The Unicorns", 7, UNIT).figures
    assert (figures.full_name, figures.cost, figures.ranks) == ("Men of Skagos - The Unicorns", 7, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "ncu"},
        {"cost": "100"},
        {"wounds": "0"},
        {"follows": "x" * 81},
        {"flags": "vp-100"},
    ],
    ids=str,
)
def test_a_card_within_its_limits_is_read_and_one_beyond_is_not(wrong):
    most = {"cost": "99", "wounds": "99", "follows": "x" * 80, "flags": "vp-99"}
    assert card("9" * 12, STATED | most).extra_vp == 99
    with pytest.raises(Unreadable):
        card("9" * 12, STATED | most | wrong)
    with pytest.raises(Unreadable):
        card("9" * 13, STATED | most)


@pytest.mark.parametrize(
    ("cell", "most", "beyond"),
    [
        ("defence", "12+", "13+"),
        ("attack1_dice", "8.6.5.4", "8.6.5.4.3"),
        ("attack1_name", "x" * 80, "x" * 81),
        ("abilities", "x" * 240, "x" * 241),
    ],
)
def test_numbers_within_their_limits_are_read_and_those_beyond_are_not(cell, most, beyond):
    assert army_cards.stats_of("1", STATS | {cell: most})
    with pytest.raises(Unreadable):
        army_cards.stats_of("1", STATS | {cell: beyond})


@pytest.mark.rule("TMG-39")
def test_after_its_last_rank_a_unit_keeps_its_last_dice():
    attack = army_cards.Attack("melee", "Axe", "3+", (6, 5, 4))
    assert [attack.at(lost) for lost in range(5)] == [0, 1, 2, 2, 2]


@pytest.mark.rule("TMG-39")
def test_a_model_alone_on_its_tray_loses_no_rank():
    assert army_cards.lost_ranks(solo("giant", wounds_total=6, rank_size=4, wounds=1)) == 0
