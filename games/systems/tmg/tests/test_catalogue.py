"""The catalogue's figures are those of the cards, and names are found however they are written."""

import time
from collections import Counter

import pytest

from games.systems.tmg.lists.army_cards import (
    ATTACHMENT,
    FACTIONS,
    NCU,
    UNIT,
    Catalogue,
    catalogue,
    faction_key,
    plain,
    unlisted,
)

CARDS = catalogue()


def card(name, kind=UNIT, faction="", **more):
    return CARDS.find(name, kind=kind, faction=faction, **more).fact


FIGURES = [
    # name, wounds in all, models, models a rank, ranks
    ("Stark Sworn Swords", 12, 12, 4, 3),
    ("Golden Company Crossbowmen", 12, 12, 4, 3),
    ("Ironmakers", 12, 12, 4, 3),
    ("Kingsguard", 8, 8, 4, 2),
    ("Rainbow Guard", 8, 8, 4, 2),
    ("House Tully Cavaliers", 12, 4, 2, 2),
    ("Dothraki Screamers", 12, 4, 2, 2),
    ("Flayed Men", 12, 4, 2, 2),
    ("Frozen Shore Bear Riders", 16, 4, 2, 2),
    ("Gregor Clegane", 4, 1, 1, 1),
    ("Drowned Men", 3, 1, 1, 1),
    ("Freedmen", 6, 1, 1, 1),
    ("Savage Giant", 6, 1, 1, 1),
    ("Drogon", 8, 1, 1, 1),
    ("Wolf Pack", 3, 1, 1, 1),
    ("Builder Scorpion Crew", 6, 1, 1, 1),
    ("War Mammoth", 8, 1, 1, 1),
]


@pytest.mark.parametrize(("name", "wounds", "models", "rank_size", "ranks"), FIGURES, ids=str)
def test_wounds_and_ranks(name, wounds, models, rank_size, ranks):
    fact = card(name)
    assert (fact.wounds_total, fact.models, fact.rank_size, fact.ranks) == (wounds, models, rank_size, ranks)


@pytest.mark.rule("TMG-39")
@pytest.mark.parametrize(
    ("name", "by_wounds"),
    [
        ("Stark Sworn Swords", [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]),
        ("House Tully Cavaliers", [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]),
        ("Frozen Shore Bear Riders", [0, *[1] * 8, *[2] * 8]),
        ("Kingsguard", [0, 1, 1, 1, 1, 2, 2, 2, 2]),
        ("Builder Stone Thrower", [0, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_ranks_fall_with_the_wounds(name, by_wounds):
    fact = card(name)
    assert [fact.ranks_left(wounds) for wounds in range(fact.wounds_total + 1)] == by_wounds


def test_what_counts_wounds_as_ranks_stands_alone_on_its_tray():
    assert card("Grey Wind").tray == "solo"
    assert card("Builder Scorpion Crew").tray != "solo"
    assert card("Stark Bowmen").tray != "solo"


@pytest.mark.rule("E5")
@pytest.mark.rule("TMG-59")
def test_some_units_cannot_control():
    barred = {fact.name for fact in CARDS.facts if fact.cannot_control}
    assert barred == {
        "Bear",
        "Builder Scorpion Crew",
        "Builder Stone Thrower",
        "Freedmen",
        "Golden Company War Elephant",
        "Shadowcat",
        "War Mammoth",
        "Wolf Pack",
    }


@pytest.mark.rule("TMG-48")
def test_pets_and_masses_grant_no_victory_points():
    granting_none = {fact.name for fact in CARDS.facts if fact.grants_no_vp}
    assert granting_none == {"Bear", "Borroq's Boar", "Freedmen", "Shadowcat", "Wolf Pack"}


@pytest.mark.rule("TMG-49")
def test_some_characters_give_more_when_they_fall():
    dearer = {(fact.name, fact.extra_vp) for fact in CARDS.facts if fact.extra_vp}
    assert dearer == {
        ("Daenerys Targaryen", 2),
        ("Mance Rayder", 2),
        ("Jaime Lannister", 1),
        ("Rickon Stark", 1),
    }


@pytest.mark.rule("TMG-79")
def test_some_characters_raise_the_hand():
    raising = {fact.full_name for fact in CARDS.facts if fact.hand_bonus}
    assert raising == {
        "Cortnay Penrose - Castellan of Storm's End",
        "Jorah Mormont - The Wandering Knight",
        "Samwell Tarly - Craven Scholar",
        "Samwell Tarly - Sam the Slayer",
        "Tyrion Lannister - The Imp",
    }


@pytest.mark.rule("TMG-23")
def test_pets_follow_their_masters():
    assert {fact.name: fact.follows for fact in CARDS.facts if fact.follows} == {
        "Bear": "Skinchanger",
        "Borroq's Boar": "Borroq",
        "Ghost": "Jon Snow",
    }


@pytest.mark.rule("TMG-42")
def test_war_machines_gain_no_conditions():
    assert card("Builder Scorpion Crew").gains_no_conditions
    assert not card("War Mammoth").gains_no_conditions


@pytest.mark.rule("TMG-10")
def test_four_attachments_join_the_enemy():
    joining = {fact.full_name for fact in CARDS.facts if fact.joins_enemy}
    assert joining == {
        "Jaime Lannister - Maimed Hostage",
        "Jaqen H'ghar - Mysterious Prisoner",
        "Mance Rayder - Abel the Bard",
        "Turncoat",
    }


def test_a_commander_costs_nothing_unless_a_cost_is_printed():
    dear = {fact.name: fact.cost for fact in CARDS.facts if fact.commander and fact.cost}
    assert dear == {"Doran Martell": 4, "Mag the Mighty": 5, "Varamyr Sixskins": 2}


def test_a_character_is_unique_and_an_officer_is_not():
    assert card("Jaqen H'ghar", NCU).unique
    assert card("Grey Wind").unique
    assert not card("Sworn Sword Captain", ATTACHMENT).unique
    assert not card("Scorpion Modifications", ATTACHMENT).unique


def test_every_card_is_of_a_faction_and_a_kind_and_has_its_own_number():
    assert len(CARDS.facts) == len(CARDS.by_id) == 521
    assert {fact.faction for fact in CARDS.facts} == set(FACTIONS)
    assert Counter(fact.kind for fact in CARDS.facts) == {UNIT: 148, ATTACHMENT: 278, NCU: 95}
    assert all(fact.wounds_total > 0 for fact in CARDS.facts if fact.kind == UNIT)


def test_normalising_never_makes_two_names_one():
    spellings = {}
    for fact in CARDS.facts:
        assert spellings.setdefault(plain(fact.full_name), fact.full_name) == fact.full_name


def test_every_card_is_found_by_its_full_name():
    for fact in CARDS.facts:
        found = CARDS.find(
            fact.name,
            fact.title,
            kind=fact.kind,
            faction=fact.faction,
            cost=fact.cost,
            commander=fact.full_name if fact.commander else "",
        )
        assert (found.fact, found.exact, found.alone) == (fact, True, True)


@pytest.mark.parametrize(
    "written",
    [
        "Kings Men",
        "KING’S MEN",
        "king's men",
        " the  King`s-Men ",
        "Kíng's Men",
    ],
)
def test_spelling_does_not_matter(written):
    assert card(written).name == "King's Men"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Umber Ravagers", "House Umber Ravagers"),
        ("Bonelord's Chosen", "The Bonelord's Chosen"),
        ("Giant Spear Thrower", "Giant Spear Throwers"),
        ("R’hllor Queen’s Men", "R'hllor Queen's Men"),
    ],
)
def test_names_that_changed_between_seasons_are_still_found(written, name):
    assert card(written).name == name


def test_the_lists_own_faction_goes_before_neutral_and_neutral_before_the_rest():
    assert card("Stone Crows", faction="lannister").faction == "lannister"
    assert card("Stone Crows", faction="stark").faction == "neutral"
    assert card("Craster", NCU, "nightswatch").title == "Ally of the Watch"
    assert card("Stark Bowmen", faction="lannister").faction == "stark"


@pytest.mark.parametrize(
    ("name", "faction", "cost", "title"),
    [
        ("Mance Rayder", "freefolk", 4, "Artful Tactician"),
        ("Mance Rayder", "freefolk", 5, "Deceptive Bard"),
        ("Eddard Stark", "stark", 5, "Hand of the King"),
        ("Daenerys Targaryen", "targaryen", 5, "The Unburnt"),
    ],
)
def test_the_cost_tells_namesakes_apart(name, faction, cost, title):
    found = CARDS.find(name, kind=NCU, faction=faction, cost=cost)
    assert (found.fact.title, found.alone) == (title, True)


def test_the_commander_line_tells_the_last_namesakes_apart():
    doran = {"kind": NCU, "faction": "martell", "cost": 4}
    assert CARDS.find("Doran Martell", **doran, commander="Oberyn Martell").fact.title == "Prince of Dorne"
    led = CARDS.find("Doran Martell", **doran, commander="Doran Martell – Lord of Sunspear")
    assert (led.fact.title, led.alone) == ("Lord of Sunspear", True)
    varamyr = {"kind": UNIT, "faction": "freefolk", "cost": 7}
    assert card("Varamyr Sixskins", **varamyr, commander="Varamyr Sixskins").commander
    assert not card("Varamyr Sixskins", **varamyr, commander="Styr").commander


def test_namesakes_that_nothing_tells_apart_are_said_to_be_more_than_one():
    assert not CARDS.find("Eddard Stark", kind=NCU, faction="stark", cost=9).alone


def test_an_unknown_title_is_not_an_exact_hit():
    found = CARDS.find("Robb Stark", "Lord of the Moon", kind=ATTACHMENT, faction="stark")
    assert (found.fact.name, found.exact) == ("Robb Stark", False)


def test_an_unknown_name_is_nothing():
    assert CARDS.find("Dragons of Doom", kind=UNIT) is None
    assert CARDS.find("", kind=UNIT) is None


def test_a_misspelt_name_has_near_ones():
    assert CARDS.near("Stark Sworn Sord", kinds={UNIT}, faction="stark")[0] == "Stark Sworn Swords"
    assert CARDS.near("Umber Berzerker", kinds={UNIT}, faction="stark")[0] == "House Umber Berserkers"
    assert CARDS.near("Kal Drogo", kinds={ATTACHMENT}, faction="targaryen") == (
        "Khal Drogo - The Great Khal",
    )
    assert CARDS.near("Xyzzy", kinds={UNIT}) == ()
    assert len(CARDS.near("Stark", kinds={ATTACHMENT, NCU})) <= 3


def test_a_very_long_name_is_not_compared():
    assert CARDS.near("Stark Sworn Swords" * 3, kinds={UNIT}) == ()
    start = time.process_time()
    CARDS.near("Golden Compny Crosbowmen of the seventh", kinds={UNIT, NCU, ATTACHMENT})
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("Stark", "stark"),
        ("House Stark", "stark"),
        ("Night's Watch", "nightswatch"),
        ("Nights Watch", "nightswatch"),
        ("The Night’s Watch", "nightswatch"),
        ("FREE FOLK", "freefolk"),
        ("Brotherhood without Banners", "brotherhood"),
        ("Brotherhood", "brotherhood"),
        ("Neutrals", "neutral"),
        ("Klingons", None),
        ("", None),
    ],
)
def test_factions_in_their_usual_spellings(words, key):
    assert faction_key(words) == key


@pytest.mark.rule("TMG-09")
def test_an_unlisted_unit_is_taken_for_infantry():
    fact = unlisted(UNIT, "Dragons of Doom", cost=9)
    assert (fact.wounds_total, fact.ranks, fact.rank_size, fact.cost) == (12, 3, 4, 9)
    assert unlisted(NCU, "Somebody").wounds_total == 0


def test_a_catalogue_can_be_built_from_any_table_of_the_same_columns():
    table = (
        "id,faction,kind,name,title,tray,cost,wounds,commander,version,follows,flags\n"
        "1,stark,unit,Own Riders,,cavalry,5,2,,mine,,vp-1 no-control\n"
    )
    (fact,) = Catalogue.from_csv(table).facts
    assert (fact.wounds_total, fact.ranks, fact.extra_vp, fact.cannot_control) == (8, 2, 1, True)


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    ("words", "cards"),
    [
        ("Roose Bolton - The Leech Lord", {"Roose Bolton - The Leech Lord"}),
        ("roose bolton", {"Roose Bolton - The Leech Lord", "Roose Bolton - Lord of the Dreadfort"}),
        (
            "Roose Bolton - Of No Card",
            {"Roose Bolton - The Leech Lord", "Roose Bolton - Lord of the Dreadfort"},
        ),
        ("Styr of nowhere", {"Styr - Magnar of Thenn"}),
        ("Nobody", set()),
        ("", set()),
    ],
)
def test_a_commander_is_meant_by_full_name_else_by_name_of_however_few_words(words, cards):
    assert {card.full_name for card in CARDS.commanders(words)} == cards


@pytest.mark.rule("TMG-09")
def test_only_own_and_neutral_cards_are_guessed_at_and_offered():
    wrong, units = "Lannister Crosbowmen", frozenset({UNIT})
    for faction in ("lannister", ""):
        assert CARDS.guess(wrong, kinds=units, faction=faction).fact.name == "Lannister Crossbowmen"
        assert "Lannister Crossbowmen" in CARDS.near(wrong, kinds=units, faction=faction)
    assert CARDS.guess(wrong, kinds=units, faction="stark") is None
    assert "Lannister Crossbowmen" not in CARDS.near(wrong, kinds=units, faction="stark")
    assert CARDS.guess(wrong, kinds=frozenset({NCU}), faction="lannister") is None
    assert CARDS.guess("Stormcrow Mercenarys", kinds=units, faction="stark").fact.faction == "neutral"
