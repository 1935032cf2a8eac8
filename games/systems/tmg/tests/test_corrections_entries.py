"""Corrections of what a list says of a unit, and those that stand beside the board."""

import pytest

from games.core import engine
from games.systems.tmg.lists.armies import catalogue
from games.systems.tmg.tests.correcting import actions, duel, fixed, refused
from games.systems.tmg.tests.tables import infantry, play, solo, table
from tests.positions import asks, said

# --- list entries ------------------------------------------------------------------------------------


def test_a_unit_is_renamed_by_what_is_written():
    g = fixed(duel(), "unit/wolves rename:wolves", note="Direwolves")
    g = fixed(g, "unit/wolves retitle:wolves", note="of the North")
    assert (g.units["wolves"].name, g.units["wolves"].title) == ("Direwolves", "of the North")
    assert fixed(g, "unit/wolves retitle:wolves").units["wolves"].title == ""
    assert refused(g, "unit/wolves rename:wolves") == "Please type the name in the field below."


@pytest.mark.rule("TMG-39")
def test_wounds_in_all_and_ranks_are_corrected():
    g = fixed(duel(), "unit/wolves wounds-total:wolves:-4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total, g.units["wolves"].ranks) == (8, 8, 2)
    g = fixed(g, "unit/wolves rank-size:wolves:-2")
    assert g.units["wolves"].ranks == 4
    g = fixed(g, "unit/wolves wounds:wolves:-3", "unit/wolves wounds-total:wolves:4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total) == (5, 12)


@pytest.mark.rule("TMG-57")
def test_another_rank_size_compares_again_at_once():
    g = fixed(duel(), "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    g = fixed(g, "unit/wolves rank-size:wolves:2")
    assert said(g) == "Wolves has 6 wounds in a rank.\nRed no longer controls Centre."


def test_another_kind_brings_its_figures_where_there_are_none():
    g = fixed(duel(), "unit/sansa kind:sansa:solo", "unit/bears kind:bears:cavalry")
    assert (g.units["sansa"].is_combat, g.units["sansa"].wounds) == (True, 6)
    assert (g.units["bears"].kind, g.units["bears"].ranks) == ("cavalry", 2)
    g = fixed(g, "unit/bears claim:bears:centre", "unit/bears kind:bears:ncu")
    assert g.objectives["centre"].claimed_by is None


@pytest.mark.rule("TMG-11")
def test_a_side_has_one_commander():
    g = fixed(duel(), "unit/bears command:bears")
    assert [unit.key for unit in g.units_of("red") if unit.commander] == ["bears"]
    g = fixed(g, "unit/bears stand-down:bears")
    assert [str(line) for line in engine.problems(g)] == ["The army of Red has 0 Commanders."]


@pytest.mark.rule("TMG-49")
def test_what_a_destruction_scores_is_corrected():
    g = fixed(duel(), "unit/lions extra-points:lions:2", "unit/lions destroy:lions")
    assert g.points("red") == 3
    g = fixed(duel(), "unit/lions on:lions:no-points", "unit/lions destroy:lions")
    assert g.points("red") == 0


@pytest.mark.rule("TMG-10")
def test_attachments_come_and_go_with_what_they_bring():
    g = fixed(duel(), "unit/wolves attach:wolves", note="Syrio Forel (3)")
    assert g.units["wolves"].attachments == (("Syrio Forel", "First Blade of Braavos", 3, "red"),)
    assert said(g) == "Syrio Forel joins Wolves."
    g = fixed(g, "unit/wolves detach:wolves:syrio-forel")
    assert g.units["wolves"].attachments == ()
    assert refused(g, "unit/wolves attach:wolves") == "Please type the attachment in the field below."


def test_an_attachment_that_raises_the_hand_does_so_while_it_is_attached():
    raiser = next(fact for fact in catalogue().facts if fact.kind == "attachment" and fact.hand_bonus)
    g = duel()
    g.armies["red"].faction = raiser.faction
    g = fixed(g, "unit/wolves attach:wolves", note=raiser.full_name)
    assert g.units["wolves"].hand_bonus == raiser.hand_bonus
    (detach,) = actions(g, "unit/wolves", "detach")
    assert fixed(g, f"unit/wolves {detach}").units["wolves"].hand_bonus == 0


@pytest.mark.rule("E12")
@pytest.mark.rule("TMG-25")
def test_a_unit_is_added_by_what_is_typed_and_counts_at_once():
    g = play(table(), "red activate:wolves", "blue activate:lions")
    g = fixed(g, "army/red add:red", note="Umber Berserkers (6)")
    recruits = g.units["house-umber-berserkers"]
    assert (recruits.army, recruits.cost, recruits.place, recruits.activated) == ("red", 6, "table", False)
    assert asks(g) == "turn red"
    g = fixed(g, "unit/house-umber-berserkers on:house-umber-berserkers:activated")
    assert asks(g) == "end-of-turn blue"


@pytest.mark.rule("TMG-23")
@pytest.mark.rule("TMG-25")
def test_a_companion_that_is_added_belongs_to_its_master():
    skinchanger = (("Skinchanger", "", 1, "red"),)
    g = table([infantry("raiders", attachments=skinchanger), infantry("elks", attachments=skinchanger)])
    g.armies["red"].faction = "freefolk"
    g = fixed(g, "army/red add:red", "army/red add:red", note="Bear (0)")
    assert (g.units["bear"].linked_to, g.units["bear-2"].linked_to) == ("raiders", "elks")
    assert "activate:bear" not in [found.action for found in engine.offers(g, "red")]


@pytest.mark.rule("TMG-23")
def test_what_stands_alone_is_linked_to_a_unit_of_its_side_and_freed_again():
    g = table([infantry("wolves"), solo("bear"), solo("boar")])
    assert actions(g, "unit/wolves", "link") == []
    assert actions(g, "unit/bear", "link") == ["link:bear:boar", "link:bear:wolves"]
    g = fixed(g, "unit/bear link:bear:wolves")
    assert actions(g, "unit/boar", "link") == ["link:boar:wolves"]
    assert asks(play(g, "red activate:wolves")) == "companions red"
    g = fixed(g, "unit/bear unlink:bear:wolves")
    assert asks(play(g, "red activate:wolves")) == "turn blue"


@pytest.mark.rule("TMG-25")
def test_a_unit_that_is_added_under_a_name_of_the_rival_says_whose_it_is():
    g = table(blue=[infantry("sworn-swords")])
    g.units["sworn-swords"].name = "Stark Sworn Swords"
    for army in g.armies.values():
        army.ready = True
    g = fixed(g, "army/red add:red", note="Stark Sworn Swords (5)")
    assert [unit.name for unit in g.units.values()] == [
        "Wolves",
        "Stark Sworn Swords (Blue)",
        "Stark Sworn Swords (Red)",
    ]


@pytest.mark.parametrize("note", ["", "with Robb Stark", "x" * 300])
def test_what_is_no_unit_is_not_added(note):
    assert refused(duel(), "army/red add:red", note)


def test_a_unit_is_removed_with_everything_that_spoke_of_it():
    g = duel()
    g.units["bears"].linked_to = "wolves"
    g = fixed(
        play(g, "red activate:wolves", "red leave"),
        "unit/wolves claim:wolves:centre",
        "unit/wolves engage:wolves:lions",
        "unit/tyrion influence:tyrion:wolves",
        "unit/wolves remove:wolves",
    )
    assert "wolves" not in g.units
    assert (g.objectives["centre"].claimed_by, g.units["lions"].engaged_with) == (None, frozenset())
    assert (g.units["tyrion"].influences, g.units["bears"].linked_to, g.acting) == (None, None, None)
    assert g.points("blue") == 0


def test_an_ncu_that_is_removed_while_it_picks_a_zone_gives_the_turn_back():
    g = fixed(play(duel(), "red activate:sansa"), "unit/sansa remove:sansa")
    assert asks(g) == "turn red"
