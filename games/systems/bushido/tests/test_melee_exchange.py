"""A Melee Exchange in the app: pools, the secret split, success levels, special attacks, damage rolls."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.pieces import HELD, PRONE, STUNNED, Table
from games.systems.bushido.rules import melee_exchange
from games.systems.bushido.tests.tables import model, play, table


@pytest.fixture
def dice(monkeypatch):
    """The dice that the app rolls next."""
    faces = []
    monkeypatch.setattr(Table, "die", lambda g, sides=6: faces.pop(0))
    return faces.extend


def card(key, pool=4, **melee):
    """A model with this Melee Pool, and what else its card says of melee."""
    fields = {name: melee.pop(name) for name in ("wounds", "markers", "counters", "tough") if name in melee}
    numbers = {"melee-pool": pool, **{name.replace("_", "-"): number for name, number in melee.items()}}
    return model(
        key, melee=tuple(sorted((name, number) for name, number in numbers.items() if number)), **fields
    )


def fight(goshi=None, oni=None, verb="melee"):
    """Goshi of Red has fought Oni of Blue, and the exchange begins here."""
    g = table([goshi or card("goshi"), model("kappa")], [oni or card("oni"), model("tengu")])
    return play(g, "red act:goshi", f"red {verb}:oni", "red table begin-exchange")


def split(g, red, blue):
    """Both seal: the attack dice, or a special attack or defence and those."""
    return play(g, *(f"{seat} split:{what if ':' in what else 'plain:' + what}"
                     for seat, what in (("red", red), ("blue", blue))))  # fmt: skip


def said(g):
    return [str(line) for line in g.lines]


def asked(g):
    return str(engine.step_of(g).asking(g, "red"))


def offered(g, seat="red"):
    return {offer.action: offer for offer in engine.offers(g, seat)}


def before():
    return play(table([card("goshi"), model("kappa")], [card("oni"), model("tengu")]),
                "red act:goshi", "red melee:oni")  # fmt: skip


def is_over(g):
    return melee_exchange.current(g) is None and g.question.step == before().question.step


# --- the secret split ----------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-37")
def test_nothing_is_known_of_a_split_until_both_have_sealed_theirs():
    one, other = (play(fight(), f"red split:plain:{attack}") for attack in (1, 3))
    assert engine.view(one, "blue") == engine.view(other, "blue")
    assert [str(line) for line in one.lines] == [str(line) for line in other.lines]
    assert engine.awaited(one) == ("blue",)
    assert engine.view(one, "red") != engine.view(other, "red")


@pytest.mark.rule("BUSH-37")
def test_attack_and_defence_are_the_whole_pool_and_all_is_rolled_once_both_are_in(dice):
    dice([2, 2, 2, 2, 3, 3, 3, 3])
    g = split(fight(), "3", "0")
    assert g.exchange[6] == (((2, 2, 2), (2,)), ((), (3, 3, 3, 3)))
    assert not any(army.hidden for army in g.armies.values())


@pytest.mark.rule("BUSH-37")
def test_a_split_may_be_changed_by_its_owner_alone_and_nobody_learns_it(dice):
    g = play(fight(), "red split:plain:4")
    assert list(offered(g)) == ["unseal"]
    assert "unseal" not in offered(g, "blue")
    g = play(g, "red unseal")
    assert (engine.awaited(g), g.armies["red"].hidden) == (("red", "blue"), {})
    assert "4" not in " ".join(said(g))
    dice([2] * 8)
    assert len(split(g, "1", "2").exchange[6][0][0]) == 1


@pytest.mark.rule("BUSH-37")
def test_a_pool_that_changes_asks_its_side_again():
    g = play(fight(), "red split:plain:4", "blue unit/goshi melee-dice:goshi:-1")
    assert engine.awaited(g) == ("red", "blue")
    assert (offered(g)["split:plain"].minimum, offered(g)["split:plain"].maximum) == (0, 3)


@pytest.mark.rule("BUSH-37")
def test_the_pool_of_a_card_is_asked_for_once_and_kept():
    g = fight(goshi=card("goshi", 0))
    assert list(offered(g)) == ["pool"]
    g = play(g, "red pool:3")
    assert offered(g)["split:plain"].maximum == 3
    assert g.units["goshi"].fights("melee-pool") == 3


@pytest.mark.rule("BUSH-37")
def test_real_dice_may_be_used_instead_and_nothing_stays_hidden():
    g = play(fight(), "red split:plain:2", "blue table end-exchange")
    assert is_over(g)
    assert not g.armies["red"].hidden
    assert said(g)[-1] == "The exchange continues at the table."


@pytest.mark.rule("BUSH-37")
def test_a_model_that_is_gone_ends_the_exchange():
    g = play(fight(), "red split:plain:2", "blue unit/oni removed:oni")
    assert is_over(g)
    assert not g.armies["red"].hidden


# --- dice and pools ------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-38")
@pytest.mark.parametrize(
    ("faces", "more", "expected"),
    [([4, 2], 0, 5), ([4], 0, 4), ([6, 5, 4, 3], 0, 8), ([], 0, 0), ([], 2, 0), ([4, 2], 2, 7)],
)
def test_what_dice_come_to(faces, more, expected):
    assert melee_exchange.result(faces, more) == expected


@pytest.mark.rule("BUSH-38")
@pytest.mark.parametrize(
    ("red", "blue", "faces", "hits"),
    [
        # 5 against 5, three dice left against two.
        ("1", "1", [5, 2, 2, 5, 1, 5, 1, 1], "Goshi hits Oni, success level 0: how many wounds?"),
        # As many dice left: the model that acted wins.
        ("1", "1", [5, 1, 1, 1, 1, 5, 1, 1], "Goshi hits Oni, success level 0: how many wounds?"),
        ("1", "1", [2, 6, 6, 6, 2, 6, 6, 6], "No one hits"),
    ],
)
def test_tied_dice_are_decided_by_those_left_then_by_who_acted(dice, red, blue, faces, hits):
    dice(faces)
    assert asked(split(fight(), red, blue)) == hits


@pytest.mark.rule("BUSH-39")
def test_both_may_hit_one_after_the_other(dice):
    dice([4, 2, 5, 1, 5, 3, 4, 1])
    g = split(fight(), "2", "2")
    assert said(g)[-2:] == ["Goshi: attack 4 2, defence 5 1.", "Oni: attack 5 3, defence 4 1."]
    assert asked(g) == "Goshi hits Oni, success level 1: how many wounds?"
    g = play(g, "blue rolled:9")
    assert asked(g) == "Oni hits Goshi, success level 1: how many wounds?"
    g = play(g, "red rolled:7")
    assert (g.units["oni"].wounds, g.units["goshi"].wounds, is_over(g)) == (3, 4, True)
    assert said(g)[0] == "Goshi fights Oni: Goshi hits, 2 wounds, Oni hits, 1 wound."


@pytest.mark.rule("BUSH-39")
def test_who_is_killed_does_not_hit_back(dice):
    dice([6, 5, 5, 5, 5, 3, 2, 1])
    g = play(split(fight(oni=card("oni", wounds=1)), "2", "2"), "blue rolled:12")
    assert (g.units["oni"].place, is_over(g)) == ("removed", True)


@pytest.mark.rule("BUSH-39")
def test_without_attack_dice_nobody_is_hit(dice):
    dice([3, 3, 3, 3, 1, 1, 1, 1])
    g = split(fight(), "0", "0")
    assert (asked(g), list(offered(g))) == ("No one hits", ["go-on"])
    assert is_over(play(g, "blue go-on"))


@pytest.mark.rule("BUSH-39")
def test_the_players_may_say_who_attacks_first(dice):
    dice([5, 1, 1, 1, 5, 1, 1, 1])
    g = play(fight(), "blue table swap-order")
    assert said(g)[-1] == "Oni attacks first."
    g = split(g, "1", "1")
    assert asked(g) == "Oni hits Goshi, success level 5: how many wounds?"


@pytest.mark.rule("BUSH-40")
def test_a_pool_below_one_die_gives_both_as_many_more():
    # Pool 1, Exhausted and Stunned, is −1 against 3: both get two more.
    oni = card("oni", 1, counters=0, markers=((STUNNED, 1),))
    assert melee_exchange.pools(fight(card("goshi", 3), oni)) == {"red": 5, "blue": 1}


@pytest.mark.rule("BUSH-40")
def test_who_fights_with_its_last_counter_is_not_exhausted():
    assert melee_exchange.pools(fight(oni=card("oni", counters=1)))["blue"] == 4


@pytest.mark.rule("BUSH-40")
def test_what_is_added_to_the_damage_dice(dice):
    # A charge adds 2 to the first damage roll: 6 gives 8 and 7 gives 9, one wound or two at level 1.
    for rolled, left in ((6, 4), (7, 3)):
        dice([6, 1, 1, 1, 1, 1, 5, 1])
        g = play(split(fight(verb="charge"), "2", "1"), f"blue rolled:{rolled}")
        assert g.units["oni"].wounds == left
    # Success level 3, 8 on the dice, strength 1 and armour 1: 3 wounds; toughness 1 instead: 3 of 4.
    for own, its, left in (
        ((1, 0), (1, 0), 2),
        ((1, 0), (0, 1), 2),
        ((1, 1), (1, 0), 1),
        ((1, 0), (0, 0), 1),
    ):
        dice([6, 1, 1, 1, 1, 1, 3, 1])
        goshi, oni = card("goshi", strength=own[0], pierce=own[1]), card("oni", armour=its[0], tough=its[1])
        assert play(split(fight(goshi, oni), "2", "1"), "blue rolled:8").units["oni"].wounds == left


@pytest.mark.rule("BUSH-40")
def test_a_charge_counts_for_one_damage_roll_of_all_that_its_model_makes(dice):
    # Goshi hits at level 1, then strikes back at the attack that misses it by 3: 9 and 7 on the dice.
    dice([6, 5, 2, 5, 1])
    g = fight(card("goshi", 3, counterstrike_defence=1), card("oni", 3, wounds=9), verb="charge")
    g = play(split(g, "counterstrike-defence:1", "1"), "blue rolled:7")
    assert (asked(g), g.units["oni"].wounds) == ("Goshi hits Oni, success level 1: how many wounds?", 7)
    assert play(g, "blue rolled:7").units["oni"].wounds == 6


@pytest.mark.rule("BUSH-40")
@pytest.mark.parametrize(("trait", "sum_"), [("strong", "12"), ("weak", "3"), ("plain", "6")])
def test_strong_and_weak_models_choose_among_three_damage_dice(dice, trait, sum_):
    traits = {} if trait == "plain" else {trait: 1}
    dice([6, 1, 1, 1, 1, 1, 3, 1, *([6, 2, 1] if trait == "weak" else [6, 6, 1] if traits else [3, 3])])
    g = play(split(fight(card("goshi", **traits)), "2", "1"), "red roll")
    assert f"Success level 3, dice {sum_}." in said(g)


# --- special attacks, defences and traits --------------------------------------------------------------


@pytest.mark.rule("BUSH-41")
def test_a_special_costs_dice_and_is_sealed_with_the_split(dice):
    g = fight(card("goshi", combo_attack=1))
    assert {action: offer.maximum for action, offer in offered(g).items()} == {
        "split:combo-attack": 3, "split:plain": 4,
    }  # fmt: skip
    dice([2] * 7)
    g = split(g, "combo-attack:2", "2")
    assert g.exchange[6][0] == ((2, 2), (2,))
    assert said(g)[3] == "Goshi, Combo Attack: attack 2 2, defence 2."


@pytest.mark.rule("BUSH-41")
def test_a_special_needs_a_die_that_is_left_and_a_model_that_stands():
    assert list(offered(fight(card("goshi", 1, combo_attack=1)))) == ["split:plain"]
    prone = card("oni", combo_attack=1, markers=((PRONE, 1),))
    assert list(offered(fight(oni=prone), "blue")) == ["split:plain"]


@pytest.mark.rule("BUSH-41")
@pytest.mark.parametrize(
    ("traits", "bounds"),
    [
        ({}, (0, 5)),
        ({"aggressive": 1}, (3, 5)),
        ({"defensive": 1}, (0, 2)),
        ({"aggressive": 1, "defensive": 1}, (0, 5)),
    ],
)
def test_aggressive_and_defensive_models_split_as_they_must(traits, bounds):
    offer = offered(fight(card("goshi", 5, **traits)))["split:plain"]
    assert (offer.minimum, offer.maximum) == bounds


@pytest.mark.rule("BUSH-41")
@pytest.mark.parametrize(
    ("faces", "rolls", "left"), [([6, 5, 4, 1, 4], (7, 5, 9), 4), ([4, 1, 1, 1, 3], (7, 7), 9)]
)
def test_a_combo_attack_rolls_damage_again(dice, faces, rolls, left):
    # Success level 4: at 4, 2 and 0, with 7, 5 and 9: 4, 1 and 1 wounds. Level 1: at 1 and once more at 0.
    dice([*faces[:4], *faces[4:], 1, 1, 1])
    g = split(fight(card("goshi", 5, combo_attack=1), card("oni", wounds=10)), "combo-attack:4", "0")
    for number in rolls:
        g = play(g, f"red rolled:{number}")
    assert (g.units["oni"].wounds, is_over(g)) == (left, True)


@pytest.mark.rule("BUSH-41")
@pytest.mark.parametrize(("faces", "place"), [((4, 4), "removed"), ((4, 3), "table")])
def test_a_critical_attack_kills_with_equal_damage_dice(dice, faces, place):
    dice([6, 1, 1, 6, 1, 1, 1, *faces])
    g = split(fight(card("goshi", critical_attack=1), card("oni", wounds=12)), "critical-attack:3", "0")
    assert play(g, "red roll").units["oni"].place == place
    assert play(g, "red equal").units["oni"].place == "removed"


@pytest.mark.rule("BUSH-41")
def test_a_powerful_attack_adds_three_to_the_damage_dice(dice):
    dice([6, 1, 1, 6, 1, 1, 1])
    g = split(fight(card("goshi", powerful_attack=1)), "powerful-attack:3", "0")
    assert play(g, "red rolled:8").units["oni"].wounds == 3


@pytest.mark.rule("BUSH-41")
def test_a_grapple_makes_no_damage_roll_and_the_held_do_not_attack_back(dice):
    dice([6, 1, 1, 6, 6, 6, 1])
    g = split(fight(card("goshi", grapple_attack=1)), "grapple-attack:3", "3")
    assert asked(g) == "Goshi succeeds: Grapple Attack"
    g = play(g, "red go-on")
    assert (g.units["oni"].has(HELD), g.units["goshi"].wounds, is_over(g)) == (True, 5, True)


@pytest.mark.rule("BUSH-41")
def test_a_sweep_halves_the_wounds_and_ends_the_exchange(dice):
    dice([6, 1, 1, 6, 6, 6, 1])
    g = split(fight(card("goshi", sweep_attack=1)), "sweep-attack:3", "3")
    g = play(g, "red rolled:7")
    assert (g.units["oni"].wounds, g.units["oni"].has(PRONE), is_over(g)) == (2, True, True)


@pytest.mark.rule("BUSH-41")
def test_who_lies_there_is_not_put_down_again(dice):
    dice([6, 1, 1, 6, 1, 1])
    oni = card("oni", markers=((PRONE, 1),))
    g = play(split(fight(card("goshi", sweep_attack=1), oni), "sweep-attack:3", "0"), "red rolled:7")
    assert g.units["oni"].markers == ((PRONE, 1),)


@pytest.mark.rule("BUSH-41")
@pytest.mark.parametrize(("faces", "level"), [((2, 6), 2), ((5, 6), None)])
def test_a_counterstrike_hits_whoever_missed(dice, faces, level):
    dice([faces[0], 1, 1, 1, faces[1], 1, 1])
    g = split(fight(oni=card("oni", counterstrike_defence=1)), "1", "counterstrike-defence:0")
    if level is None:
        assert asked(g) == "No one hits"
    else:
        assert asked(g) == f"Oni hits Goshi, success level {level}: how many wounds?"
        assert is_over(play(g, "red rolled:7"))


@pytest.mark.rule("BUSH-41")
def test_a_sidestep_defence_ends_the_exchange(dice):
    dice([2, 1, 1, 1, 6, 6, 1])
    g = split(fight(oni=card("oni", sidestep_defence=1)), "1", "sidestep-defence:1")
    assert asked(g) == "Oni succeeds: Sidestep Defence"
    assert is_over(play(g, "blue go-on"))


@pytest.mark.rule("BUSH-42")
def test_brutal_and_parry_add_to_dice_that_are_left(dice):
    for brutal, parry, level in ((2, 0, 3), (2, 1, 2), (0, 0, 1)):
        dice([5, 1, 1, 1, 1, 4, 1, 1])
        g = fight(card("goshi", brutal=brutal), card("oni", parry=parry))
        assert asked(split(g, "1", "1")) == f"Goshi hits Oni, success level {level}: how many wounds?"


@pytest.mark.rule("BUSH-42")
def test_unblockable_takes_the_best_defence_dice_and_durable_suffers_one_wound(dice):
    # 8 against 3, success level 5; 11 on the damage dice gives 7.
    dice([6, 5, 4, 1, 6, 3])
    g = split(fight(card("goshi", unblockable=1), card("oni", 2, wounds=9, durable=1)), "4", "0")
    assert asked(g) == "Goshi hits Oni, success level 5: how many wounds?"
    assert play(g, "red rolled:11").units["oni"].wounds == 8


@pytest.mark.rule("BUSH-42")
def test_an_impenetrable_defence_takes_the_best_attack_die_and_kata_keeps_ones(dice):
    dice([6, 4, 1, 1, 1, 1])
    g = split(fight(card("goshi", kata=1), card("oni", 2, impenetrable_defence=1)), "4", "0")
    assert asked(g) == "Goshi hits Oni, success level 6: how many wounds?"


@pytest.mark.rule("BUSH-42")
def test_dice_are_rolled_again_before_the_first_damage_roll(dice):
    dice([2, 2, 1, 1, 1, 6, 6, 1, 6])
    g = split(fight(), "1", "1")
    assert asked(g) == "No one hits"
    g = play(g, "blue table again:1")
    assert (g.exchange[6][0][0], asked(g)) == ((6,), "No one hits")
    dice([2, 2])
    g = play(g, "red table again:6", "red table again:7")
    assert asked(g) == "Goshi hits Oni, success level 3: how many wounds?"
    g = play(g, "red rolled:7")
    with pytest.raises(IllegalAction):
        play(g, "red table again:1")
