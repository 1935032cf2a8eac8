"""Attacks, step by step: the sheet's numbers, the dice, wounds and the panic test."""

import random

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg.page import attack_sheet
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import attacks
from games.systems.tmg.tests.tables import cavalry, clean_up, infantry, ncu, play, solo, table
from tests.positions import said

GUARDSMEN, HALBERDIERS, MOUNTAINS_MEN, CROSSBOWMEN = "10101", "10102", "10103", "10106"
SAVAGE_GIANT, BERSERKERS = "10301", "10203"


def duel(attacker=None, target=None, **rules):
    """Wolves of red against lions of blue, whose cards have printed numbers."""
    own = attacker or infantry("wolves", card=HALBERDIERS, engaged_with=frozenset({"lions"}))
    its = target or infantry("lions", card=GUARDSMEN, engaged_with=frozenset({"wolves"}))
    return table([own], [its], step="turn", **rules)


def attack(g, *changes):
    """Wolves attack lions; then these corrections of the table."""
    g = engine.adjust(g, "red", "unit/wolves", "attack:wolves:lions")
    return change(g, *changes)


def change(g, *changes):
    for each in changes:
        g = engine.adjust(g, "red", "table", each)
    return g


def sheet(g):
    return attacks.Attack(*g.attack)


def offered(g, path="table"):
    return {offer.action: offer for offer in engine.corrections(g, path)}


@pytest.fixture
def dice(monkeypatch):
    """The dice that the app rolls next."""
    faces = []
    monkeypatch.setattr(Table, "die", lambda g, sides=6: faces.pop(0))
    return faces.extend


def wounds_left(g, key="lions"):
    return g.units[key].wounds


# --- the sheet -----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-102")
def test_an_attack_leaves_others_who_fight_alone():
    others = [infantry("lions", card=GUARDSMEN), infantry("cubs", card=GUARDSMEN)]
    g = table([infantry("wolves", card=HALBERDIERS, engaged_with=frozenset({"lions", "cubs"}))], others)
    g = attack(g, "hits:3", "blocks:0", "panics:0")
    assert (wounds_left(g), wounds_left(g, "cubs"), g.attack) == (9, 12, ())


@pytest.mark.rule("TMG-102")
def test_only_enemies_on_the_battlefield_are_attacked():
    g = duel(infantry("wolves"), infantry("lions", place="reserve"))
    assert [action for action in offered(g, "unit/wolves") if action.startswith("attack:")] == []


@pytest.mark.rule("TMG-103")
@pytest.mark.parametrize(("engaged", "weapon"), [(frozenset(), "Crossbow"), ({"lions"}, "Short Sword")])
def test_who_is_engaged_fights_and_who_is_not_shoots(engaged, weapon):
    g = attack(duel(infantry("wolves", card=CROSSBOWMEN, engaged_with=frozenset(engaged))))
    assert attacks.weapon_of(g, sheet(g)).name == weapon
    g = change(g, "weapon:second" if weapon == "Crossbow" else "weapon:first")
    assert attacks.weapon_of(g, sheet(g)).name != weapon


@pytest.mark.rule("TMG-104")
@pytest.mark.parametrize(("left", "number"), [(12, 7), (9, 7), (8, 5), (5, 5), (4, 4), (1, 4)])
def test_the_dice_are_those_of_the_ranks_that_are_left(left, number):
    g = attack(duel(infantry("wolves", card=MOUNTAINS_MEN, wounds=left)))
    assert sheet(g).dice == number


@pytest.mark.rule("TMG-104")
def test_dice_do_not_change_once_the_attack_has_begun():
    g = attack(duel(infantry("wolves", card=MOUNTAINS_MEN)))
    g = engine.adjust(g, "blue", "unit/wolves", "wounds:wolves:-8")
    assert sheet(g).dice == 7


@pytest.mark.rule("TMG-115")
def test_every_number_can_be_changed():
    g = attack(duel(), "dice:2", "to-hit:-1", "to-save:1", "to-stand:2", "more-panic:1")
    assert sheet(g)[5:10] == (9, 3, 5, 9, 1)
    assert said(g).startswith("Wolves attacks Lions.")


@pytest.mark.rule("TMG-115")
def test_without_printed_numbers_dice_are_entered_or_the_numbers_are():
    g = attack(duel(infantry("wolves"), infantry("lions")))
    assert "roll-dice" not in offered(g)
    assert "roll-dice" in offered(change(g, "dice:5", "to-hit:4"))
    assert wounds_left(change(g, "hits:4", "blocks:1", "panics:2")) == 7


# --- dice ----------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-105")
@pytest.mark.parametrize(
    ("face", "least", "expected"), [(4, 4, True), (3, 4, False), (6, 7, True), (1, 1, False), (5, 7, False)]
)
def test_a_die_reaches_its_number(face, least, expected):
    assert attacks.succeeds(face, least, six=True, one=True) is expected


@pytest.mark.rule("TMG-105")
@pytest.mark.parametrize(("switch", "wounds"), [(True, 1), (False, 3)])
def test_the_ruleset_says_whether_a_six_always_blocks(dice, switch, wounds):
    g = attack(duel(six_blocks=switch), "to-save:3", "hits:3")
    dice([6, 6, 5])
    g = change(g, "roll-dice")
    assert (sheet(g).defence, attacks.wounds_of(sheet(g), sheet(g).blocked)) == (7, wounds)


@pytest.mark.rule("TMG-105")
def test_a_six_hits_in_a_match_whose_rules_do_not_say_it(dice):
    g = attack(duel(), "dice:-6", "to-hit:4")
    dice([6])
    g.rules = {name: rule for name, rule in g.rules.items() if name != "six_hits"}
    assert sheet(change(g, "roll-dice")).hits == 1


@pytest.mark.rule("TMG-106")
def test_critical_blow_and_precision_on_the_same_six(dice):
    g = attack(duel(), "dice:-3", "count:critical-blow", "count:precision")
    dice([6, 6, 4, 1])
    g = change(g, "roll-dice")
    assert (sheet(g).hits, sheet(g).sure) == (5, 2)


@pytest.mark.rule("TMG-106")
def test_what_was_rolled_again_is_no_six_any_more(dice):
    g = attack(duel(), "count:critical-blow")
    dice([6, 5, 4, 2, 2, 1, 1])
    g = change(g, "roll-dice")
    assert sheet(g).hits == 4
    dice([2])
    assert sheet(change(g, "again:1")).hits == 2


@pytest.mark.rule("TMG-107")
def test_added_hits_may_be_saved_and_sure_ones_have_no_die(dice):
    g = attack(duel(), "hits:3", "more-hits:2", "sure-hits:1")
    dice([4, 4, 1, 1])
    g = change(g, "roll-dice")
    assert sheet(g).rolled == (4, 4, 1, 1)
    assert attacks.wounds_of(sheet(g), sheet(g).blocked) == 3


@pytest.mark.rule("TMG-108")
def test_sundering_in_the_flank(dice):
    target = infantry("lions", card=MOUNTAINS_MEN, engaged_with=frozenset({"wolves"}))
    g = attack(duel(target=target), "count:flank", "hits:4")
    assert (sheet(g).defence, sheet(g).morale) == (6, 7)
    dice([6, 5, 4, 3, 3, 3, 1])
    g = change(g, "roll-dice", "roll-dice")
    assert wounds_left(g) == 9
    assert attacks.is_failed(sheet(g))


@pytest.mark.rule("TMG-108")
def test_no_change_counts_twice_and_all_of_it_goes_again():
    g = attack(duel())
    assert sheet(g).changes == ("sundering",)
    with pytest.raises(IllegalAction):
        change(g, "count:sundering")
    g = change(g, "count:rear", "count:vicious", "ignore:sundering", "ignore:rear", "ignore:vicious")
    assert (sheet(g).defence, sheet(g).morale) == (3, 7)


@pytest.mark.rule("TMG-108")
def test_an_attack_comes_from_one_side():
    g = attack(duel(), "ignore:sundering", "count:flank", "count:rear")
    assert (sheet(g).defence, sheet(g).morale) == (5, 9)
    g = change(g, "count:flank")
    assert (sheet(g).defence, sheet(g).morale) == (4, 8)


@pytest.mark.rule("TMG-109")
def test_misses_are_rolled_again_and_then_what_the_enemy_picks(dice):
    g = attack(duel())
    dice([6, 5, 4, 2, 2, 1, 1])
    g = change(g, "roll-dice")
    dice([5, 3, 4, 1])
    g = change(g, "again-misses")
    assert (sheet(g).rolled, sheet(g).hits) == ((6, 5, 4, 5, 3, 4, 1), 5)
    dice([2, 4])
    g = change(g, "again:1", "again:2")
    assert sheet(g).hits == 4


@pytest.mark.rule("TMG-109")
def test_a_condition_is_expended_at_once():
    target = infantry("lions", card=GUARDSMEN, conditions=frozenset({"vulnerable", "panicked"}))
    g = attack(duel(target=target), "hits:2", "expend:vulnerable")
    assert g.units["lions"].conditions == {"panicked"}
    assert "expend:vulnerable" not in offered(g)


@pytest.mark.rule("TMG-110")
def test_a_giant_suffers_one_wound_for_two_hits_and_two_from_panic(dice):
    giant = solo("lions", card=SAVAGE_GIANT, wounds=6, wounds_total=6)
    g = attack(duel(target=giant), "hits:5", "blocks:0")
    assert wounds_left(g) == 4
    dice([1, 1, 3])
    assert attacks.panic_wounds(g, sheet(change(g, "roll-dice"))) == 2


# --- wounds and panic ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-111")
def test_wounds_count_at_once_with_the_ranks_they_cost():
    g = attack(duel(), "hits:5", "blocks:1")
    assert (wounds_left(g), g.units["lions"].standing_ranks) == (8, 2)
    assert said(g) == "Wolves attacks Lions: 5 hits, 4 wounds.\nLions has 2 ranks left."


@pytest.mark.rule("TMG-111")
def test_the_last_wound_scores_and_what_is_left_over_is_lost():
    g = attack(duel(target=infantry("lions", card=GUARDSMEN, wounds=2)), "hits:3", "blocks:0")
    assert (g.units["lions"].place, g.points("red"), g.attack) == ("destroyed", 1, ())
    assert said(g).startswith("Wolves attacks Lions: 3 hits, 2 wounds.\nLions is destroyed.")


@pytest.mark.rule("TMG-112")
def test_a_wound_that_costs_no_model_is_tested_all_the_same():
    g = attack(duel(target=cavalry("lions", card="10105")), "hits:1", "blocks:0")
    assert (wounds_left(g), g.units["lions"].standing_ranks, sheet(g).step) == (11, 2, attacks.PANIC)
    g = change(g, "panics:0")
    assert said(g) == "Wolves attacks Lions: 1 hit, 1 wound, panic test passed."


@pytest.mark.rule("TMG-113")
@pytest.mark.parametrize("steps", [["hits:0"], ["hits:3", "blocks:3"]])
def test_without_a_wound_there_is_no_panic_test(steps):
    g = attack(duel(), *steps)
    assert g.attack == ()
    assert said(g) == f"Wolves attacks Lions: {steps[0][5]} hits, 0 wounds."


@pytest.mark.rule("TMG-114")
@pytest.mark.parametrize(("fixed", "left"), [(1, 7), (0, 8)])
def test_a_whole_attack_with_the_apps_dice(dice, fixed, left):
    own = infantry("wolves", card=MOUNTAINS_MEN, wounds=9)
    its = infantry("lions", card=GUARDSMEN)
    g = attack(duel(own, its, panic_wounds=fixed), "count:critical-blow")
    dice([6, 5, 4, 4, 3, 2, 1])
    g = change(g, "roll-dice")
    assert sheet(g).hits == 5
    dice([3, 4, 1, 2, 6, 3, 3, 2])
    g = change(g, "roll-dice", "roll-dice")
    assert wounds_left(g) == 10
    g = change(g, f"panics:{attacks.panic_wounds(g, sheet(g))}")
    assert (wounds_left(g), g.units["lions"].standing_ranks, g.attack) == (left, 2, ())


@pytest.mark.rule("TMG-114")
@pytest.mark.parametrize(("place", "sides"), [(1, 6), (2, 6), (3, 3)])
def test_the_dice_of_a_panic_test_are_rolled_again_as_what_they_are(monkeypatch, place, sides):
    rolled = []
    monkeypatch.setattr(Table, "die", lambda g, sides=6: rolled.append(sides) or 1)
    change(attack(duel(), "hits:1", "blocks:0"), "roll-dice", f"again:{place}")
    assert rolled == [6, 6, 3, sides]


@pytest.mark.rule("TMG-91")
@pytest.mark.parametrize(("wounds", "holder"), [(0, "lions"), (1, None)])
def test_who_fails_a_panic_test_drops_what_it_carries(wounds, holder):
    g = table([own(HALBERDIERS)], [fought(GUARDSMEN)], step="turn", mode="a-dance-with-dragons")
    token = next(iter(g.tokens()))
    token.claimed_by = "lions"
    g = attack(g, "hits:1", "blocks:0", f"panics:{wounds}")
    assert g.objectives[token.key].claimed_by == holder


@pytest.mark.rule("TMG-114")
def test_what_abilities_add_to_a_failed_test(dice):
    g = attack(duel(), "more-panic:2", "hits:1", "blocks:0")
    dice([3, 3, 1])
    g = change(g, "roll-dice")
    assert attacks.panic_wounds(g, sheet(g)) == 4
    g = change(g, "more-panic:-5")
    assert attacks.panic_wounds(g, sheet(g)) == 0
    assert said(change(g, "panics:0")).startswith("Wolves attacks Lions: 1 hit, 1 wound, panic test failed")


@pytest.mark.rule("TMG-114")
def test_a_panic_test_without_an_attack(dice):
    g = engine.adjust(duel(), "blue", "unit/lions", "test-panic:lions")
    assert said(g) == "Lions takes a panic test."
    g = change(g, "to-stand:2")
    dice([4, 4, 3])
    g = change(g, "roll-dice")
    assert said(change(g, "panics:4")) == "Lions: panic test failed, 4 wounds.\nLions has 2 ranks left."


@pytest.mark.rule("TMG-64")
@pytest.mark.parametrize(("faces", "left"), [([4, 4, 1], 10), ([4, 5], 12)])
def test_the_panic_test_of_the_centre_can_be_rolled(dice, faces, left):
    g = clean_up([infantry("wolves", card=GUARDSMEN)], claims={"centre": "wolves"})
    g = play(g, "red agree", "blue agree")
    dice(faces)
    g = play(g, "red roll-test:centre")
    assert wounds_left(g, "wolves") == left


@pytest.mark.rule("TMG-64")
def test_the_panic_test_of_the_centre_counts_what_the_unit_is(dice):
    giant = solo("wolves", card=SAVAGE_GIANT, wounds=6, wounds_total=6)
    g = clean_up([giant], claims={"centre": "wolves"})
    g = play(g, "red agree", "blue agree")
    dice([1, 1, 3])
    assert wounds_left(play(g, "red roll-test:centre"), "wolves") == 4


@pytest.mark.rule("TMG-45")
def test_a_test_that_failed_at_the_table_counts_what_the_unit_is(dice):
    dice([3, 3])
    g = duel(target=infantry("lions", card=PIT_FIGHTERS, wounds=8))
    assert wounds_left(engine.adjust(g, "blue", "unit/lions", "panic:lions")) == 5
    g = duel(target=infantry("lions", card=GUARDSMEN, wounds=8))
    assert wounds_left(engine.adjust(g, "blue", "unit/lions", "panic:lions")) == 4


# --- abilities ------------------------------------------------------------------------------------------

BLACKGUARDS, WARDENS, PYROMANCERS, KNIGHTS, SCREAMERS, SHAGGYDOG = (
    "10404", "10602", "10104", "10105", "10701", "10210",
)  # fmt: skip
BRUISERS, PIT_FIGHTERS, ARCHERS, FREEDMEN, OUTRIDERS, REAPERS, FLAYED, SWORN_SWORDS = (
    "10216", "10717", "10407", "10714", "10202", "10803", "10403", "10201",
)  # fmt: skip


def fought(card, **fields):
    """Lions with this card, in melee with the wolves."""
    return infantry("lions", card=card, engaged_with=frozenset({"wolves"}), **fields)


def own(card, **fields):
    return infantry("wolves", card=card, engaged_with=frozenset({"lions"}), **fields)


@pytest.mark.rule("TMG-118")
@pytest.mark.parametrize(("fixed", "left"), [(1, 6), (0, 7)])
def test_horrific_visage_tests_whoever_attacks_first(dice, fixed, left):
    g = attack(duel(own(MOUNTAINS_MEN, wounds=9), fought(BLACKGUARDS), panic_wounds=fixed))
    assert (sheet(g).attacker, sheet(g).target, sheet(g).morale) == ("", "wolves", 9)
    dice([4, 4, 2])
    g = change(g, "roll-dice")
    assert attacks.panic_wounds(g, sheet(g)) == 2 + fixed
    g = change(g, f"panics:{2 + fixed}")
    assert (wounds_left(g, "wolves"), sheet(g).step, sheet(g).dice) == (left, attacks.HITS, 5)
    assert said(g).startswith("Wolves attacks Lions.\nWolves: panic test failed")


@pytest.mark.rule("TMG-118")
def test_an_attacker_that_its_test_destroys_does_not_attack_and_shots_are_not_tested():
    g = attack(duel(own(MOUNTAINS_MEN, wounds=1), fought(BLACKGUARDS)), "panics:1")
    assert (g.units["wolves"].place, g.attack, g.points("blue")) == ("destroyed", (), 1)
    g = attack(duel(infantry("wolves", card=CROSSBOWMEN), infantry("lions", card=BLACKGUARDS)))
    assert sheet(g).step == attacks.HITS


@pytest.mark.rule("TMG-118")
def test_a_passed_test_is_taken_and_the_attack_rolled_with_one_tap(dice):
    g = attack(duel(own(MOUNTAINS_MEN), fought(BLACKGUARDS)))
    dice([6, 6, 1, *[1] * 7])
    g = change(g, "roll-dice", "roll-dice")
    assert (sheet(g).step, len(sheet(g).rolled)) == (attacks.SAVES, 7)


@pytest.mark.rule("TMG-119")
def test_counterstrike_hits_back_for_each_miss_and_causes_no_panic(dice):
    g = attack(duel(own(MOUNTAINS_MEN), fought(WARDENS)))
    dice([4, 4, 4, 4, 3, 2, 1])
    g = change(g, "roll-dice", "blocks:4")
    assert (sheet(g).strikes_back, sheet(g).target, sheet(g).hits) == (True, "wolves", 3)
    dice([4, 3, 1])
    g = change(g, "roll-dice")
    assert len(sheet(g).rolled) == 3
    g = change(g, "blocks:1")
    assert (wounds_left(g, "wolves"), wounds_left(g), g.attack) == (10, 12, ())
    assert said(g).startswith("Lions strikes back at Wolves: 3 hits, 2 wounds.")


@pytest.mark.rule("TMG-119")
def test_counterstrike_counts_misses_of_dice_at_the_table_in_melee_and_can_be_ignored():
    g = attack(duel(own(MOUNTAINS_MEN), fought(WARDENS)), "hits:5", "blocks:5")
    assert sheet(g).hits == 2
    assert (
        attack(duel(own(MOUNTAINS_MEN), fought(WARDENS)), "ignore:counterstrike", "hits:5", "blocks:5").attack
        == ()
    )
    shot = duel(infantry("wolves", card=CROSSBOWMEN), infantry("lions", card=WARDENS))
    assert attack(shot, "hits:2", "blocks:2").attack == ()


@pytest.mark.rule("TMG-119")
def test_counterstrike_halves_the_wounds_of_a_giant():
    giant = solo("wolves", card=SAVAGE_GIANT, wounds=6, wounds_total=6, engaged_with=frozenset({"lions"}))
    g = attack(duel(giant, fought(WARDENS)), "dice:1", "hits:0")
    assert sheet(g).hits == 5
    assert wounds_left(change(g, "blocks:0"), "wolves") == 4


@pytest.mark.rule("TMG-118")
def test_horrific_visage_tests_whoever_draws_its_sword_later():
    g = attack(duel(infantry("wolves", card=CROSSBOWMEN), infantry("lions", card=BLACKGUARDS)))
    g = change(g, "weapon:second")
    assert (sheet(g).step, sheet(g).target) == (attacks.PANIC, "wolves")
    assert attacks.weapon_of(g, sheet(change(g, "panics:0"))).name == "Short Sword"


@pytest.mark.rule("TMG-120")
def test_hits_that_are_added_have_no_defence_dice_either(dice):
    dice([6, 1, 1, 1, 1, 1, 1])
    g = change(attack(duel(own(PYROMANCERS))), "roll-dice", "more-hits:2")
    assert (sheet(g).hits, sheet(g).sure) == (3, 3)


@pytest.mark.rule("TMG-120")
def test_without_defence_dice_hits_are_wounds(dice):
    g = attack(duel(own(PYROMANCERS)), "hits:3")
    assert (wounds_left(g), sheet(g).step) == (9, attacks.PANIC)
    g = attack(duel(own(PYROMANCERS)))
    dice([6, 3, 2, 1, 1, 1, 1, 3, 3, 1])
    g = change(g, "roll-dice")
    assert (sheet(g).hits, sheet(g).sure) == (2, 2)
    g = change(g, "roll-dice")
    assert (wounds_left(g), sheet(g).step) == (10, attacks.PANICKED)


@pytest.mark.rule("TMG-121")
def test_a_charge_adds_dice_or_conditions_as_its_ability_says():
    g = attack(duel(own(KNIGHTS)), "count:charging")
    assert sheet(g).dice == sheet(change(g, "ignore:charging")).dice + 6
    g = attack(duel(own(SCREAMERS)), "count:charging")
    assert g.units["lions"].conditions == {"vulnerable"}
    g = attack(duel(own(OUTRIDERS)), "count:charging")
    assert g.units["lions"].conditions == frozenset()
    assert change(g, "count:flank").units["lions"].conditions == {"panicked", "weakened"}
    assert "critical-blow" in sheet(attack(duel(own(FLAYED)), "count:charging")).changes


@pytest.mark.rule("TMG-121")
def test_what_counts_later_repeats_no_condition_of_a_charge():
    g = attack(duel(own(SCREAMERS)), "count:charging", "expend:vulnerable", "count:vicious", "count:flank")
    assert g.units["lions"].conditions == frozenset()


@pytest.mark.rule("TMG-122")
def test_abilities_that_change_a_number():
    # Disrupt: harder to hit in melee. Winter's Bite: surer once a rank is lost.
    assert sheet(attack(duel(own(MOUNTAINS_MEN), fought(BRUISERS)))).hit == 5
    assert [sheet(attack(duel(own(SWORN_SWORDS, wounds=left)))).hit for left in (12, 8)] == [4, 3]
    # Vicious Mauling: a die more for each wound suffered.
    assert [sheet(attack(duel(solo("wolves", card=SHAGGYDOG, wounds=left)))).dice for left in (3, 1)] == [
        4,
        6,
    ]
    # Unyielding: a wound less for each rank lost.
    g = attack(duel(target=fought(PIT_FIGHTERS, wounds=8)))
    assert (sheet(g).more, sheet(change(g, "hits:4", "blocks:0")).more) == (-1, -2)


@pytest.mark.rule("TMG-122")
def test_who_frightens_has_to_be_in_melee_with_whoever_tests():
    horror = cavalry("wolves", card=FLAYED, engaged_with=frozenset({"lions"}))
    afraid = sheet(attack(duel(horror)))
    assert (afraid.morale, afraid.more) == (10, 1)  # Its War Flail is Vicious as well.
    # A shot at who fights it, or a test without an attack: as afraid. A shot of a friend of it: not.
    friend = infantry("archers", card=CROSSBOWMEN)
    g = table([horror, friend], [fought(GUARDSMEN)], step="turn")
    shot = engine.adjust(g, "red", "unit/archers", "attack:archers:lions")
    test = engine.adjust(g, "blue", "unit/lions", "test-panic:lions")
    assert [(sheet(at).morale, sheet(at).more) for at in (shot, test)] == [(8, 1)] * 2
    g = table([cavalry("wolves", card=FLAYED), friend], [infantry("lions", card=GUARDSMEN)], step="turn")
    shot = engine.adjust(g, "red", "unit/archers", "attack:archers:lions")
    assert (sheet(shot).morale, sheet(shot).more) == (7, 0)


@pytest.mark.rule("TMG-122")
def test_friends_gang_up_and_coin_buys_steadiness():
    friends = frozenset({"wolves", "crowd"})
    crowd = infantry("crowd", card=FREEDMEN, engaged_with=frozenset({"lions"}))
    lions = infantry("lions", card=GUARDSMEN, engaged_with=friends)
    alone = sheet(attack(duel(own(MOUNTAINS_MEN))))
    g = attack(table([own(MOUNTAINS_MEN), crowd], [lions], step="turn"))
    assert (sheet(g).dice, sheet(g).hit) == (alone.dice + 1, alone.hit - 1)
    g = duel(target=fought(ARCHERS))
    before = sheet(attack(g))
    sansa = ncu("sansa", activated=True)
    g = table([own(HALBERDIERS)], [fought(ARCHERS), sansa], step="turn")
    g = engine.adjust(g, "blue", "objective/wealth", "occupy:sansa:wealth")
    after = sheet(attack(g))
    assert (after.defence, after.morale) == (before.defence - 1, before.morale - 1)


@pytest.mark.rule("TMG-122")
def test_prey_on_fear_restores_wounds_when_an_engaged_enemy_panics():
    g = attack(duel(own(REAPERS, wounds=6)), "hits:1", "blocks:0", "panics:2")
    assert wounds_left(g, "wolves") == 8
    g = attack(duel(own(REAPERS, wounds=6), fought(GUARDSMEN, wounds=2)), "hits:1", "blocks:0", "panics:1")
    assert (g.units["lions"].place, wounds_left(g, "wolves")) == ("destroyed", 8)


# --- beside everything else ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-116")
def test_an_attack_that_ends_midway_keeps_what_it_has_done():
    g = attack(duel(), "hits:3", "blocks:1", "end-attack")
    assert (wounds_left(g), g.attack) == (10, ())
    assert said(g) == "Wolves attacks Lions: 3 hits, 2 wounds.\nThe attack ends here."


@pytest.mark.rule("TMG-116")
def test_an_open_attack_holds_nothing_up_and_goes_with_the_round():
    g = attack(duel(), "hits:3")
    before = engine.offers(g, "red")
    assert before == engine.offers(duel(), "red")
    g = play(g, "red activate:wolves", "blue activate:lions", "all done")
    assert g.attack == ()


@pytest.mark.rule("TMG-116")
def test_the_next_attack_takes_the_place_of_one_that_was_left_open():
    g = attack(attack(duel(), "hits:3"))
    assert (sheet(g).number, sheet(g).step) == (2, attacks.HITS)


@pytest.mark.rule("TMG-116")
def test_a_target_that_is_gone_takes_the_sheet_with_it():
    g = engine.adjust(attack(duel()), "blue", "unit/lions", "withdraw:lions")
    assert not [action for action in offered(g) if action in ("hits", "end-attack")]


@pytest.mark.rule("TMG-117")
def test_an_attack_uses_no_activation():
    g = duel()
    after = attack(g, "hits:2", "blocks:1", "panics:0")
    assert (after.units["wolves"].activated, after.acting, after.turn) == (False, g.acting, g.turn)


# --- the sheet on the page -----------------------------------------------------------------------------


def shown(g, seat="red"):
    """The sheet as this seat reads it, in the words of the rules."""
    return attack_sheet.attack(
        TmgPage(g, seat, engine.offers(g, seat) if seat else (), str, lambda path: path)
    )


def ways(g):
    return [(offer.action, offer.label) for offer in shown(g).ways]


@pytest.mark.rule("TMG-104")
def test_the_sheet_shows_the_numbers_of_both_units_and_who_only_watches_has_no_controls():
    g = attack(duel())
    wolves, lions = shown(g).fighters
    assert [number for _name, number in wolves.numbers] == ["Halberd", "7", "4+"]
    assert [number for _name, number in lions.numbers] == ["4+", "7+"]
    assert "Halberd" in wolves.abilities
    assert (shown(g).title, shown(g).end.tone) == ("Wolves attacks Lions", "quiet")
    watched = shown(g, None)
    assert (watched.ways, watched.entered, watched.end) == ((), None, None)
    unknown = shown(attack(duel(infantry("wolves"), infantry("lions"))))
    assert [number for _name, number in unknown.fighters[0].numbers] == ["?", "?"]


@pytest.mark.rule("TMG-102")
@pytest.mark.parametrize(
    ("steps", "prompt", "owner", "so_far"),
    [
        ([], "Red: how many hits?", "red", ""),
        (["hits:3"], "Blue: how many hits are blocked?", "blue", "3 hits"),
        (["hits:3", "sure-hits:1"], "Blue: how many hits are blocked?", "blue", "3 hits · 1 without a save"),
        (["hits:3", "blocks:1"], "Blue: panic test, how many wounds?", "blue",
         "3 hits · 1 blocked · 2 wounds"),
    ],
)  # fmt: skip
def test_the_sheet_says_whose_dice_are_due_and_what_has_come_of_it(steps, prompt, owner, so_far):
    g = attack(duel(), *steps)
    sheet_ = shown(g)
    marks = TmgPage(g, "red", (), str, lambda path: path).marks
    assert (sheet_.prompt, sheet_.mark, sheet_.so_far) == (prompt, marks[owner], so_far)


@pytest.mark.rule("TMG-114")
def test_the_sheet_has_a_button_for_each_number_that_a_step_can_come_to():
    g = attack(duel())
    assert [choice.label for choice in shown(g).entered.choices][-1] == "7"
    g = change(g, "hits:3")
    assert [choice.label for choice in shown(g).entered.choices] == ["0", "1", "2", "3"]
    g = change(g, "blocks:2", "more-panic:1")
    assert [choice.label for choice in shown(g).entered.choices][-1] == "5"


@pytest.mark.rule("TMG-114")
@pytest.mark.parametrize(
    ("faces", "action", "label"),
    [((3, 3, 2), "table panics:3", "Failed: take 3 wounds"), ((4, 5, 2), "table panics:0", "Passed")],
)
def test_the_sheet_takes_what_the_dice_of_a_panic_test_come_to(dice, faces, action, label):
    dice(faces)
    g = change(attack(duel(), "hits:1", "blocks:0"), "roll-dice")
    assert ways(g)[0] == (action, label)
    assert [choice.label for choice in shown(g).dice] == [str(faces[0]), str(faces[1]), f"D3 {faces[2]}"]


@pytest.mark.rule("TMG-110")
def test_the_sheet_takes_what_the_saves_leave(dice):
    dice([6, 6, 1])
    g = change(attack(duel(), "hits:3"), "roll-dice")
    assert ways(g)[:2] == [("table blocks:2", "Take 1 wound"),
                           ("table roll-dice", "Take the wounds and roll the panic test")]  # fmt: skip


@pytest.mark.rule("TMG-120")
def test_the_sheet_takes_hits_without_defence_dice_at_once(dice):
    assert ways(attack(duel(), "hits:3"))[0] == ("table roll-dice", "Roll 3 dice here")
    dice([6, 3, 2, 1, 1, 1, 1])
    g = change(attack(duel(own(PYROMANCERS))), "roll-dice")
    assert (ways(g)[0], shown(g).entered) == (("table blocks:0", "Take 2 wounds"), None)


@pytest.mark.rule("TMG-115")
def test_what_a_card_changes_folds_away_with_what_counts_already_marked():
    changes = {offer.action: offer for offer in shown(attack(duel())).changes.offers}
    assert {action.split()[1].partition(":")[0] for action in changes} == {
        "dice", "to-hit", "to-save", "to-stand", "more-panic", "count", "ignore",
    }  # fmt: skip
    assert (changes["table ignore:sundering"].icon, changes["table count:flank"].icon) == ("check", "")
    assert changes["table dice"].choices


@pytest.mark.rule("TMG-103")
def test_the_sheet_warns_of_what_is_against_the_rules():
    assert shown(attack(duel())).hint == ""
    archers = infantry("wolves", card=CROSSBOWMEN, engaged_with=frozenset({"lions"}))
    shot = change(attack(duel(archers)), "weapon:first")
    assert shown(shot).hint == "A unit that is engaged does not attack at range."
    others = [infantry("lions", card=GUARDSMEN), infantry("cubs", card=GUARDSMEN)]
    busy = infantry("wolves", card=HALBERDIERS, engaged_with=frozenset({"cubs"}))
    g = attack(table([busy], others, step="turn"))
    assert shown(g).hint == "It is engaged with another enemy."
    g = attack(duel(own(MOUNTAINS_MEN), fought(BLACKGUARDS)))
    assert (shown(g).title, shown(g).hint) == (
        "Panic test of Wolves", "Horrific Visage: the attacker tests first.",
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_tapped_an_attack_comes_to_an_end(seed):
    luck, g = random.Random(seed), attack(duel())
    for _tap in range(300):
        if not g.attack:
            return
        ways = [offer for offer in engine.corrections(g, "table") if offer.group == attacks.ATTACK]
        offer = luck.choice(ways)
        ends = [end for end in (offer.minimum, offer.maximum) if end or offer.value is None]
        number = "" if offer.minimum is None else luck.choice(ends)
        before = g
        g = engine.adjust(g, luck.choice(g.seats), "table", f"{offer.action}:{number}".rstrip(":"))
        assert (g.attack, g.drawn) != (before.attack, before.drawn)
    raise AssertionError("it did not end")
