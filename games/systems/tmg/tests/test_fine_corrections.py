"""Small points of corrections, most of them about what stays as it was: each test fails for one line."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.lists.army_cards import catalogue
from games.systems.tmg.rules import objective_tokens, table_facts, tactics_cards
from games.systems.tmg.tests.correcting import actions, duel, fixed, offer, refused
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from tests.positions import said


@pytest.mark.rule("TMG-53")
@pytest.mark.rule("TMG-58")
def test_who_claims_another_token_has_left_its_fights():
    g = table()
    wolves, lions = g.units["wolves"], g.units["lions"]
    objective_tokens.claim(g, wolves, g.objectives["centre"])
    objective_tokens.engage(g, wolves, lions)
    objective_tokens.claim(g, wolves, g.objectives["centre"])
    assert wolves.engaged_with == {"lions"}
    objective_tokens.claim(g, wolves, g.objectives["token-a"])
    assert (wolves.engaged_with, lions.engaged_with) == (frozenset(), frozenset())


@pytest.mark.rule("TMG-54")
def test_an_enemy_that_is_no_longer_in_the_match_contests_nothing():
    g = table([infantry("wolves", engaged_with=frozenset({"ghosts"}))])
    objective_tokens.claim(g, g.units["wolves"], g.objectives["centre"])
    assert objective_tokens.controller(g, g.objectives["centre"]) == "red"
    assert any("not in the match" in str(line) for line in table_facts.problems(g))


@pytest.mark.rule("TMG-15")
def test_only_the_acting_units_own_switch_ends_its_activation():
    g = play(duel(), "red activate:wolves")
    g.units["bears"].activated = True
    assert fixed(g, "unit/bears off:bears:activated").acting == "wolves"
    assert fixed(g, "unit/wolves on:wolves:order").acting == "wolves"
    assert fixed(g, "unit/bears off:bears:activated", "unit/wolves on:wolves:barred").acting == "wolves"
    assert fixed(g, "unit/wolves off:wolves:activated").acting is None


@pytest.mark.rule("TMG-37")
def test_what_becomes_an_ncu_keeps_nothing_of_the_battlefield():
    g = duel()
    g.units["bears"].conditions = frozenset({"panicked"})
    g.units["bears"].engaged_with, g.units["lions"].engaged_with = frozenset({"lions"}), frozenset({"bears"})
    g = fixed(g, "unit/bears kind:bears:ncu")
    assert (g.units["bears"].conditions, g.units["lions"].engaged_with) == (frozenset(), frozenset())


@pytest.mark.rule("TMG-39")
def test_all_wounds_of_a_unit_follow_its_card_and_the_log_says_how_many():
    g = fixed(duel(), "unit/wolves wounds-total:wolves:-2")
    assert (g.units["wolves"].wounds, said(g)) == (10, "Wolves has 10 wounds in total.")


@pytest.mark.rule("TMG-49")
def test_an_attachment_brings_its_points_and_takes_only_its_own_away():
    dearer = next(fact for fact in catalogue().facts if fact.kind == "attachment" and fact.extra_vp)
    g = duel()
    g.armies["red"].faction = dearer.faction
    g.units["wolves"].extra_vp = 1
    g = fixed(g, "unit/wolves attach:wolves", note=dearer.full_name)
    assert g.units["wolves"].extra_vp == 1 + dearer.extra_vp
    (detach,) = actions(g, "unit/wolves", "detach")
    assert fixed(g, f"unit/wolves {detach}").units["wolves"].extra_vp == 1


@pytest.mark.rule("E14")
@pytest.mark.rule("TMG-79")
def test_who_leaves_takes_only_what_it_added_to_the_hand():
    raiser = next(fact for fact in catalogue().facts if fact.kind == "attachment" and fact.hand_bonus)
    g = duel()
    g.armies["red"].faction = raiser.faction
    g.units["wolves"].hand_bonus = 1
    g = fixed(g, "unit/wolves attach:wolves", note=raiser.full_name)
    (detach,) = actions(g, "unit/wolves", "detach")
    assert fixed(g, f"unit/wolves {detach}").units["wolves"].hand_bonus == 1


@pytest.mark.rule("TMG-51")
def test_no_quantity_is_corrected_by_nothing():
    g, tried = duel(), 0
    for path in SYSTEM.corrections_step.paths(g):
        for found in engine.corrections(g, path):
            if found.value is not None and found.minimum is not None:
                tried += 1
                assert (
                    refused(g, f"{path} {found.action}:0", note="why")
                    == "No change: it is already set to that."
                )
    assert tried > 30


@pytest.mark.rule("TMG-79")
@pytest.mark.parametrize(
    ("path", "action", "span"),
    [
        ("army/red", "hand-bonus:red", (-3, 5)),
        ("unit/sansa", "raises-hand:sansa", (0, 5)),
        ("unit/lions", "extra-points:lions", (-2, 3)),
        ("unit/lions", "rank-size:lions", (-3, 16)),
        ("unit/lions", "wounds-total:lions", (-11, 28)),
        ("unit/lions", "cost:lions", (-5, 25)),
        ("army/red", "hand:red", (-3, 17)),
        ("army/red", "deck:red", (-17, 3)),
    ],
)
def test_how_far_a_figure_may_be_corrected(path, action, span):
    g = duel()
    g.units["lions"].extra_vp = 2
    found = offer(g, path, action)
    assert (found.minimum, found.maximum) == span


@pytest.mark.rule("TMG-35")
def test_influence_can_be_released_from_whoever_left_the_battlefield():
    g = fixed(duel(), "unit/sansa influence:sansa:lions")
    assert offer(g, "unit/sansa", "release:sansa:lions")
    g.units["lions"].place = "destroyed"
    assert offer(g, "unit/sansa", "release:sansa:lions")
    assert not offer(g, "unit/sansa", "influence:sansa:lions")
    assert not offer(g, "unit/sansa", "release:sansa:knights")
    g.units["knights"].place = "destroyed"
    assert not offer(g, "unit/sansa", "influence:sansa:knights")


@pytest.mark.rule("TMG-28")
def test_a_zone_offers_the_ncus_of_the_table_while_it_is_free():
    g = duel()
    both = fixed(g, "objective/crown occupy:sansa:crown")
    assert actions(both, "objective/crown", "occupy") == []
    g.units["tyrion"].place = "destroyed"
    assert actions(g, "objective/crown", "occupy") == ["occupy:sansa:crown"]
    g = fixed(g, "objective/crown occupy:sansa:crown")
    assert actions(g, "objective/crown", "vacate") == ["vacate:sansa:crown"]
    assert actions(g, "objective/wealth", "occupy") == ["occupy:sansa:wealth"]


@pytest.mark.rule("TMG-11")
def test_the_card_that_commands_names_the_leader_not_the_one_beside_it():
    facts = [fact for fact in catalogue().facts if fact.kind == "attachment" and fact.faction == "stark"]
    plain = next(fact for fact in facts if not fact.commander)
    leader = next(fact for fact in facts if fact.commander)
    g = duel()
    g.armies["red"].faction = "stark"
    g.units["bears"].attachments = tuple((fact.name, fact.title, 1, "red") for fact in (plain, leader))
    g = fixed(g, "unit/bears command:bears")
    assert g.armies["red"].commander == leader.full_name


@pytest.mark.rule("TMG-89")
def test_a_hand_that_is_dealt_again_loses_no_card():
    g = table([infantry("wolves"), ncu("sansa")], decks=1)
    tactics_cards.build(g, "red")
    tactics_cards.draw(g, "red", 3)
    hands = set()
    for _time in range(8):
        tactics_cards.redeal(g, "red")
        assert sorted(tactics_cards.hand(g, "red") + g.armies["red"].hidden["deck"]) == sorted(
            tactics_cards.keys(g) * 2
        )
        assert (g.armies["red"].hand, g.armies["red"].deck) == (3, 17)
        hands.add(tuple(tactics_cards.hand(g, "red")))
    assert len(hands) > 1


@pytest.mark.rule("TMG-85")
@pytest.mark.rule("TMG-86")
def test_who_said_how_it_ended_stands_in_the_log():
    g = duel()
    for unit in g.units.values():
        if unit.is_combat:
            unit.place = "destroyed"
    g = fixed(g, "unit/sansa on:sansa:barred")
    assert engine.step_of(g).name == "ending"
    assert said(play(g, "red drawn")).startswith("A draw, says Red.")
    assert said(play(g, "red wins:blue")).startswith("Blue wins, says Red.")


@pytest.mark.rule("TMG-40")
def test_a_panic_test_is_offered_for_who_fights_in_a_round():
    assert offer(duel(), "unit/wolves", "panic:wolves")
    assert not offer(duel(), "unit/sansa", "panic:sansa")
    assert offer(duel(), "unit/sansa", "destroy:sansa")
    g = duel()
    g.units["wolves"].place = "reserve"
    assert not offer(g, "unit/wolves", "panic:wolves")
    assert not offer(g, "unit/wolves", "destroy:wolves")
    g = duel()
    g.round = 0
    assert not offer(g, "unit/wolves", "panic:wolves")


@pytest.mark.rule("TMG-43")
def test_a_note_that_is_taken_away_leaves_a_line():
    g = fixed(duel(), "unit/wolves note:wolves", note="Vicious")
    assert said(g) == "Note on Wolves: Vicious"
    assert said(fixed(g, "unit/wolves note:wolves")) == "Note removed from Wolves."


@pytest.mark.rule("TMG-89")
def test_cards_that_the_app_keeps_are_not_left_to_the_players():
    assert offer(duel(), "table", "keep-aside:cards")
    assert not offer(duel(decks=1), "table", "keep-aside:cards")
    assert offer(duel(decks=1), "table", "keep-aside:wounds")


@pytest.mark.rule("TMG-59")
def test_who_stands_on_a_token_can_be_taken_off_it_even_if_it_cannot_control():
    g = duel()
    g.units["wolves"].cannot_control = True
    assert not offer(g, "objective/centre", "claim:wolves:centre")
    g.objectives["centre"].claimed_by = "wolves"
    assert offer(g, "objective/centre", "leave:wolves:centre")


@pytest.mark.rule("TMG-20")
def test_in_set_up_nobody_is_moved_to_the_reserve_or_onto_the_battlefield():
    g = duel()
    assert offer(g, "unit/wolves", "withdraw:wolves")
    g.units["bears"].place = "reserve"
    assert offer(g, "unit/bears", "arrive:bears")
    g.round = 0
    assert not offer(g, "unit/wolves", "withdraw:wolves")
    assert not offer(g, "unit/bears", "arrive:bears")


@pytest.mark.rule("TMG-11")
def test_a_new_commander_stands_in_the_log():
    assert said(fixed(duel(), "unit/bears command:bears")) == "Bears is Red’s Commander."


@pytest.mark.rule("TMG-37")
def test_an_ncu_has_no_switches_of_the_battlefield():
    assert offer(duel(), "unit/wolves", "on:wolves:no-points")
    assert not offer(duel(), "unit/sansa", "on:sansa:no-points")
    assert offer(duel(), "unit/sansa", "on:sansa:never-activates")


@pytest.mark.rule("TMG-44")
def test_the_counter_that_was_named_is_the_one_that_changes():
    g = duel()
    g.units["wolves"].counters = (("Faith", 2), ("Pillage", 1))
    g = fixed(g, "unit/wolves more:wolves:pillage")
    assert dict(g.units["wolves"].counters) == {"Faith": 2, "Pillage": 2}
