"""Corrections of what a list says of a unit, and those that stand beside the board."""

import pytest

from games.core import engine
from games.systems.tmg.lists.army_cards import catalogue
from games.systems.tmg.rules import destruction
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
    assert refused(g, "unit/wolves rename:wolves", "Direwolves") == "No change: it is already set to that."
    assert refused(g, "unit/wolves retitle:wolves", "of the North") == "No change: it is already set to that."


@pytest.mark.rule("TMG-39")
def test_wounds_in_all_and_ranks_are_corrected():
    g = fixed(duel(), "unit/wolves wounds-total:wolves:-4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total, g.units["wolves"].ranks) == (8, 8, 2)
    g = fixed(g, "unit/wolves rank-size:wolves:-2")
    assert g.units["wolves"].ranks == 4
    g = fixed(g, "unit/wolves wounds:wolves:-3", "unit/wolves wounds-total:wolves:4")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total) == (5, 12)
    g = fixed(g, "unit/wolves wounds-total:wolves:-8")
    assert (g.units["wolves"].wounds, g.units["wolves"].wounds_total) == (4, 4)


@pytest.mark.rule("TMG-57")
def test_another_rank_size_compares_again_at_once():
    g = fixed(duel(), "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    g = fixed(g, "unit/wolves rank-size:wolves:2")
    assert said(g) == "Wolves has 6 wounds in a rank.\nRed no longer controls Centre."
    assert said(fixed(g, "unit/wolves rank-size:wolves:-5")).startswith("Wolves has 1 wound in a rank.")


def test_another_kind_brings_its_figures_where_there_are_none():
    g = fixed(duel(), "unit/sansa kind:sansa:solo", "unit/bears kind:bears:cavalry")
    assert (g.units["sansa"].is_combat, g.units["sansa"].wounds) == (True, 6)
    assert (g.units["bears"].kind, g.units["bears"].ranks) == ("cavalry", 2)
    alone = fixed(g, "unit/bears kind:bears:solo").units["bears"]
    assert (alone.wounds, alone.wounds_total) == (12, 12), "it has figures of its own"
    kinds = {kind.split(":")[2] for kind in actions(g, "unit/bears", "kind:")}
    assert kinds == {"infantry", "ncu", "solo", "war-machine"}
    g = fixed(g, "unit/bears claim:bears:centre", "unit/bears kind:bears:ncu")
    assert g.objectives["centre"].claimed_by is None


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_becomes_a_combat_unit_is_kept_on_no_zone_and_the_destroyed_stay_so():
    g = fixed(duel(), "unit/sansa on:sansa:kept", "unit/sansa kind:sansa:infantry")
    assert (g.units["sansa"].kept, g.units["sansa"].wounds, g.units["sansa"].ranks) == (False, 12, 3)
    gone = fixed(duel(), "unit/sansa destroy:sansa", "unit/sansa kind:sansa:solo").units["sansa"]
    assert (gone.wounds, gone.wounds_total) == (0, 6)


@pytest.mark.rule("E14")
def test_a_unit_adds_to_the_hand_limit_by_correction():
    g = fixed(duel(), "unit/wolves raises-hand:wolves:2")
    assert (g.units["wolves"].hand_bonus, said(g)) == (2, "Wolves adds 2 to the hand limit.")


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


@pytest.mark.rule("TMG-10")
@pytest.mark.rule("TMG-50")
def test_an_attachment_that_joins_enemies_stays_its_players_and_is_lost_by_them():
    """Red's turncoat is moved from one unit of Blue's to another, whose destruction loses Red its point."""
    g = duel()
    g.units["lions"].attachments = (("Turncoat", "", 1, "red"),)
    g = fixed(g, "unit/lions detach:lions:turncoat")
    g = fixed(g, "unit/knights attach:knights", note="Turncoat (1)")
    assert g.units["knights"].attachments == (("Turncoat", "", 1, "red"),)
    g = fixed(g, "unit/knights destroy:knights")
    assert [destruction.destroyed_points(g, seat) for seat in g.seats] == [1, 5]


def test_an_attachment_that_raises_the_hand_does_so_while_it_is_attached():
    raiser = next(fact for fact in catalogue().facts if fact.kind == "attachment" and fact.hand_bonus)
    g = duel()
    g.armies["red"].faction = raiser.faction
    g = fixed(g, "unit/wolves attach:wolves", note=raiser.full_name)
    assert g.units["wolves"].hand_bonus == raiser.hand_bonus
    (detach,) = actions(g, "unit/wolves", "detach")
    assert fixed(g, f"unit/wolves {detach}").units["wolves"].hand_bonus == 0


@pytest.mark.rule("TMG-10")
def test_a_unit_has_room_for_eight_attachments():
    g = duel()
    g.units["wolves"].attachments = tuple((f"Sworn {number}", "", 1, "red") for number in range(7))
    full = fixed(g, "unit/wolves attach:wolves", note="Somebody Else (1) with Another One (1)")
    assert len(full.units["wolves"].attachments) == 8
    assert "attach:wolves" not in actions(full, "unit/wolves")
    assert "attach:wolves" in actions(g, "unit/wolves")
    again = fixed(full, "unit/wolves stand-down:wolves", "unit/wolves command:wolves")
    assert again.armies["red"].commander == "Wolves"
    left = fixed(full, "unit/wolves detach:wolves:somebody-else")
    assert (len(left.units["wolves"].attachments), left.units["wolves"].commander) == (7, True)


@pytest.mark.rule("TMG-11")
def test_whose_card_is_no_commander_s_leads_no_army_that_has_none():
    g = duel()
    g.units["wolves"].commander = False
    g = fixed(g, "unit/bears attach:bears", note="Syrio Forel (3)")
    assert not any(unit.commander for unit in g.units_of("red"))
    g = fixed(g, "unit/bears retitle:bears", note="of the Isle")
    assert fixed(g, "unit/bears command:bears").armies["red"].commander == "Bears - of the Isle"


@pytest.mark.rule("TMG-25")
def test_a_unit_that_is_added_before_the_first_round_is_deployed_with_the_others():
    g = duel()
    g.round = 0
    g = fixed(g, "army/red add:red", note="Umber Berserkers (6)")
    assert g.units["house-umber-berserkers"].place == "unplaced"
    assert said(g) == "House Umber Berserkers joins the army of Red."


def test_an_army_has_room_for_forty_units():
    g = table([infantry(f"wolves-{number}") for number in range(40)])
    assert "add:red" not in actions(g, "army/red")
    del g.units["wolves-0"]
    assert "add:red" in actions(g, "army/red")


@pytest.mark.rule("E12")
@pytest.mark.rule("TMG-25")
def test_a_unit_is_added_by_what_is_typed_and_counts_at_once():
    g = play(table(), "red activate:wolves", "blue activate:lions")
    g = fixed(g, "army/red add:red", note="Umber Berserkers (6)")
    recruits = g.units["house-umber-berserkers"]
    assert (recruits.army, recruits.cost, recruits.place, recruits.activated) == ("red", 6, "table", False)
    assert asks(g) == "turn red"
    g = fixed(g, "unit/house-umber-berserkers on:house-umber-berserkers:activated")
    assert asks(g) == "end-of-turn red blue"


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


@pytest.mark.rule("TMG-25")
def test_units_that_both_sides_add_again_are_numbered():
    g = duel()
    for _time in range(3):
        g = fixed(g, "army/red add:red", "army/blue add:blue", note="Conscripts (0)")
    assert [unit.name for unit in g.units_of("red") if "Conscripts" in unit.name] == [
        "Conscripts (Red)",
        "Conscripts (Red) 2",
        "Conscripts (Red) 3",
    ]


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    ("note", "leader"),
    [
        ("Stark Bowmen (6) with Eddard Stark - Lord of Winterfell (0)", "Eddard Stark - Lord of Winterfell"),
        ("Mag the Mighty (C)", "Mag the Mighty"),
        ("Stark Bowmen (6)", ""),
    ],
)
def test_a_commander_who_is_added_to_an_army_without_one_leads_it(note, leader):
    g = fixed(duel(), "unit/wolves remove:wolves", "army/red add:red", note=note)
    assert (g.armies["red"].commander.partition(" - Mag")[0], len(list(_leaders(g)))) == (
        leader,
        bool(leader),
    )
    g = fixed(duel(), "army/red add:red", note=note)
    assert [unit.key for unit in _leaders(g)] == ["wolves"]


def _leaders(g):
    return (unit for unit in g.units_of("red") if unit.commander)


@pytest.mark.rule("TMG-25")
@pytest.mark.parametrize("note", ["2x Bear (0)", "Bear (0) x2", "Bear (0), Bear (0)"])
def test_several_units_are_added_at_once(note):
    g = fixed(duel(), "army/red add:red", note=note)
    assert {"bear", "bear-2"} < set(g.units)
    assert said(g) == "Bear joins the army of Red.\nBear 2 joins the army of Red."


def test_as_many_units_are_added_as_there_is_room_for():
    g = table([infantry(f"wolves-{number}") for number in range(38)])
    g = fixed(g, "army/red add:red", note="9x Bear (0)")
    assert sum(1 for _unit in g.units_of("red")) == 40


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


@pytest.mark.rule("TMG-90")
def test_what_spoke_of_others_stays_when_a_unit_is_removed_and_its_cards_are_discarded():
    g = duel(decks=1)
    g.units["bears"].cards = (("c01", "blue", "game"),)
    g.units["sansa"].influences, g.units["lions"].linked_to = "lions", "knights"
    g = fixed(g, "unit/wolves activate:wolves", "unit/lions activate:lions", "unit/bears remove:bears")
    assert (g.units["sansa"].influences, g.units["lions"].linked_to) == ("lions", "knights")
    assert (g.acting, g.armies["red"].acted, g.armies["blue"].acted) == ("lions", "wolves", "lions")
    assert g.armies["blue"].discards == ("c01",)
    assert g.units["wolves"].commander
    g = fixed(g, "unit/wolves remove:wolves")
    assert (g.acting, g.armies["red"].acted, g.armies["blue"].acted) == ("lions", None, "lions")


@pytest.mark.rule("TMG-23")
def test_a_link_to_what_is_linked_itself_can_be_taken_off():
    g = table([infantry("wolves"), solo("bear"), solo("boar")])
    g.units["bear"].linked_to, g.units["boar"].linked_to = "wolves", "bear"
    assert "unlink:boar:bear" in actions(g, "unit/boar")


def test_an_ncu_that_is_removed_while_it_picks_a_zone_gives_the_turn_back():
    g = fixed(play(duel(), "red activate:sansa"), "unit/sansa remove:sansa")
    assert asks(g) == "turn red"
