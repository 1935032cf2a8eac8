"""Wounds, conditions, counters, and what a destruction scores."""

import pytest

from games.core import IllegalAction, engine
from games.systems.tmg import ruleset
from games.systems.tmg.rules import clean_up_phase, destruction, end_of_match, table_facts, tactics_cards
from games.systems.tmg.tests.tables import cavalry, clean_up, infantry, ncu, play, solo, table
from tests.positions import said


def scores(g):
    """The score sheet: seat and points of each row."""
    return [(row.seat, row.points) for row in g.scores.values()]


@pytest.mark.rule("TMG-39")
@pytest.mark.parametrize(
    ("unit", "ranks"),
    [
        (infantry("wolves"), {12: 3, 9: 3, 8: 2, 5: 2, 4: 1, 1: 1, 0: 0}),
        (cavalry("riders"), {12: 2, 7: 2, 6: 1, 1: 1, 0: 0}),
        (solo("hodor"), {3: 3, 2: 2, 1: 1, 0: 0}),
        (solo("ballista", kind="war-machine"), {3: 1, 1: 1, 0: 0}),
    ],
)
def test_ranks_follow_wounds(unit, ranks):
    for left, expected in ranks.items():
        unit.wounds = left
        assert unit.ranks == expected


@pytest.mark.rule("TMG-40")
def test_wounds_stay_between_none_and_all():
    g = table([infantry("wolves", wounds=3)])
    wolves = g.units["wolves"]
    destruction.wound(g, wolves, 2, "blue")
    assert (wolves.wounds, said(g)) == (1, "Wolves suffers 2 wounds.")
    destruction.restore(g, wolves, 50)
    assert wolves.wounds == 12
    destruction.restore(g, wolves, 1)
    destruction.wound(g, wolves, 0, "blue")
    assert len(g.lines) == 2


@pytest.mark.rule("TMG-40")
def test_the_last_wound_destroys():
    g = table()
    destruction.wound(g, g.units["lions"], 99, "red")
    assert (g.units["lions"].wounds, g.units["lions"].place) == (0, "destroyed")
    assert [str(line) for line in g.lines] == [
        "Lions suffers 12 wounds.",
        "Lions is destroyed.",
        "Red: +1 Victory Point for Lions.",
    ]


@pytest.mark.rule("TMG-40")
def test_the_destroyed_are_neither_wounded_nor_healed():
    g = table(blue=[infantry("lions", place="destroyed", wounds=0)])
    destruction.wound(g, g.units["lions"], 1)
    destruction.restore(g, g.units["lions"], 1)
    assert (g.units["lions"].wounds, g.lines, scores(g)) == (0, [], [])


@pytest.mark.rule("TMG-41")
def test_a_condition_is_on_or_off_and_never_twice():
    g = table()
    wolves = g.units["wolves"]
    destruction.gain(g, wolves, "panicked")
    destruction.gain(g, wolves, "panicked")
    destruction.gain(g, wolves, "weakened")
    assert wolves.conditions == {"panicked", "weakened"}
    destruction.lose(g, wolves, "panicked")
    destruction.lose(g, wolves, "vulnerable")
    assert wolves.conditions == {"weakened"}
    assert [str(line) for line in g.lines] == [
        "Wolves becomes Panicked.",
        "Wolves becomes Weakened.",
        "Wolves is no longer Panicked.",
    ]


@pytest.mark.rule("TMG-41")
def test_conditions_stay_over_the_clean_up():
    g = clean_up([infantry("wolves", conditions=frozenset({"vulnerable"}))], round=1)
    assert g.question.step == "discard"
    assert g.units["wolves"].conditions == {"vulnerable"}


@pytest.mark.rule("TMG-42")
def test_a_war_machine_gains_no_condition():
    g = table([solo("ballista", kind="war-machine", gains_no_conditions=True)])
    with pytest.raises(IllegalAction, match="cannot gain conditions"):
        destruction.gain(g, g.units["ballista"], "panicked")
    assert g.units["ballista"].conditions == frozenset()


@pytest.mark.rule("TMG-42")
def test_a_ruleset_may_let_war_machines_gain_conditions():
    assert ruleset.read()["war_machines_gain_conditions"] is False
    ballista = solo("ballista", kind="war-machine", gains_no_conditions=True)
    g = table([ballista], war_machines_gain_conditions=True)
    g = engine.adjust(g, "red", "unit/ballista", "gain:ballista:panicked")
    assert g.units["ballista"].conditions == {"panicked"}
    assert not any("cannot gain" in str(line) for line in engine.problems(g))


@pytest.mark.rule("TMG-43")
def test_orders_come_back_in_the_clean_up_and_a_pool_does_not():
    g = clean_up([infantry("wolves", order_used=True), ncu("roose", pool=1)], round=1)
    assert not g.units["wolves"].order_used
    assert g.units["roose"].pool == 1


@pytest.mark.rule("TMG-44")
def test_counters_go_up_and_down_and_away():
    g = table()
    wolves = g.units["wolves"]
    destruction.count(g, wolves, "Pillage", 2)
    destruction.count(g, wolves, "Banner", 1)
    assert wolves.counters == (("Banner", 1), ("Pillage", 2))
    destruction.count(g, wolves, "Pillage", -1)
    assert destruction.counted(wolves, "Pillage") == 1
    destruction.count(g, wolves, "Pillage", -1)
    assert wolves.counters == (("Banner", 1),)
    assert [str(line) for line in g.lines][-1] == "Wolves: Pillage 0."


@pytest.mark.rule("TMG-45")
def test_the_panic_helper_states_the_ruleset():
    assert str(destruction.panic_words(table())) == "A failed panic test costs 1 + D3 wounds."
    assert str(destruction.panic_words(table(panic_wounds=0))) == "A failed panic test costs D3 wounds."


@pytest.mark.rule("TMG-46")
def test_an_enemy_destroyed_scores_one_once():
    g = table()
    destruction.destroy(g, g.units["lions"], "red")
    destruction.destroy(g, g.units["lions"], "red")
    destruction.wound(g, g.units["lions"], 1, "red")
    assert scores(g) == [("red", 1)]
    assert g.scores["1"].reason == "unit destroyed"


@pytest.mark.rule("E21")
@pytest.mark.rule("TMG-47")
@pytest.mark.parametrize("by", ["red", None])
def test_what_its_own_side_or_nobody_destroys_scores_for_the_opponent(by):
    g = table()
    destruction.destroy(g, g.units["wolves"], by)
    assert scores(g) == [("blue", 1)]
    assert "not destroyed by an enemy" in g.scores["1"].reason


@pytest.mark.rule("TMG-48")
def test_a_unit_that_grants_no_points_gives_none():
    g = table(blue=[infantry("rabble", grants_no_vp=True), infantry("lions")])
    destruction.destroy(g, g.units["rabble"], "red")
    assert (g.units["rabble"].place, scores(g)) == ("destroyed", [])


@pytest.mark.rule("TMG-49")
def test_a_unit_that_scores_more_does_so_in_a_row_of_its_own():
    g = table(blue=[infantry("queen", extra_vp=2), infantry("lions")])
    destruction.destroy(g, g.units["queen"], "red")
    assert scores(g) == [("red", 1), ("red", 2)]
    assert said(g).endswith("Red: +3 Victory Points for Queen.")


@pytest.mark.rule("TMG-49")
def test_what_a_unit_that_grants_none_carries_still_scores_more():
    g = table(blue=[infantry("rabble", grants_no_vp=True, extra_vp=1), infantry("lions")])
    destruction.destroy(g, g.units["rabble"], "red")
    assert [(row.points, row.reason) for row in g.scores.values()] == [(1, "its destruction scores more")]
    assert said(g).endswith("Red: +1 Victory Point for Rabble.")
    destruction.give_back(g, g.units["rabble"], 1)
    assert g.points("red") == 0


@pytest.mark.rule("E11")
@pytest.mark.rule("TMG-37")
def test_an_ncu_can_be_destroyed_and_scores_nothing():
    g = table([infantry("wolves"), ncu("sansa")])
    tactics_cards.occupy(g, g.units["sansa"], g.objectives["crown"])
    destruction.destroy(g, g.units["sansa"], "blue")
    assert g.units["sansa"].place == "destroyed"
    assert g.objectives["crown"].claimed_by is None
    assert scores(g) == []


@pytest.mark.rule("TMG-46")
def test_destruction_takes_off_all_that_hung_on_the_unit():
    g = table(
        [infantry("wolves", conditions=frozenset({"panicked"})), solo("bear", linked_to="wolves")],
        [infantry("lions"), ncu("tyrion", influences="wolves")],
    )
    g.objectives["centre"].claimed_by = "wolves"
    g.units["wolves"].engaged_with = frozenset({"lions"})
    g.units["lions"].engaged_with = frozenset({"wolves"})
    destruction.destroy(g, g.units["wolves"], "blue")
    assert g.units["wolves"].conditions == g.units["wolves"].engaged_with == frozenset()
    assert g.units["lions"].engaged_with == frozenset()
    assert g.objectives["centre"].claimed_by is None
    assert g.units["tyrion"].influences is None
    assert g.units["bear"].place == "table"
    assert "Red no longer controls Centre." in said(g)


@pytest.mark.rule("TMG-50")
def test_destroyed_points_count_attachments_for_the_army_that_brought_them():
    wolves = infantry(
        "wolves", cost=6, attachments=(("Robb", "", 2, "red"), ("Turncoat", "", 1, "blue")), place="destroyed"
    )
    g = table([wolves, infantry("bears", cost=5)], [infantry("lions", cost=7)])
    assert destruction.destroyed_points(g, "red") == 8
    assert destruction.destroyed_points(g, "blue") == 1
    assert end_of_match.army_points(g, "red") == 5
    assert table_facts.derived_facts(g, None)["sides"]["red"]["destroyed"] == 8


@pytest.mark.rule("TMG-51")
def test_a_destruction_taken_back_takes_its_points_back_by_further_rows():
    g = table(blue=[infantry("queen", extra_vp=2), infantry("lions")], round=3)
    destruction.destroy(g, g.units["queen"], "red")
    destruction.give_back(g, g.units["queen"], 4)
    queen = g.units["queen"]
    assert (queen.place, queen.wounds, queen.activated) == ("table", 4, False)
    assert scores(g) == [("red", 1), ("red", 2), ("red", -3)]
    assert g.points("red") == 0
    row = g.scores["3"]
    assert (row.round, row.reason, row.source) == (3, "destruction undone", "Queen")


@pytest.mark.rule("TMG-51")
def test_every_row_has_round_reason_source_and_author():
    claims = {"centre": "wolves", "token-c": "lions"}
    g = clean_up([infantry("wolves", wounds=1), infantry("bears")], claims=claims, round=3)
    g = play(g, "red agree", "blue agree", "red hurt:centre:1")
    for seat, path, action in (
        ("blue", "unit/bears", "wounds:bears:-12"),
        ("red", "unit/bears", "wounds:bears:3"),
        ("", "army/red", "points:red:1"),
    ):
        g = engine.adjust(g, seat, path, action, "a captive")
    assert [(row.round, row.points, row.reason, row.source, row.author) for row in g.scores.values()] == [
        (3, 1, "controls an objective", "Centre", "Red"),
        (3, 1, "additional point", "Centre", "Red"),
        (3, 1, "controls an objective", "Token C", "Blue"),
        (3, 1, "unit not destroyed by an enemy", "Wolves", "Red"),
        (3, 1, "unit destroyed", "Bears", "Blue"),
        (3, -1, "destruction undone", "Bears", "Red"),
        (3, 1, "correction", "a captive", "the organiser"),
    ]


@pytest.mark.rule("TMG-72")
def test_a_unit_that_an_effect_returns_scores_again_when_destroyed_again():
    g = table(blue=[infantry("lions"), infantry("knights")])
    destruction.destroy(g, g.units["lions"], "red")
    destruction.bring_back(g, g.units["lions"])
    assert g.units["lions"].wounds == 12
    assert g.points("red") == 1
    destruction.destroy(g, g.units["lions"], "red")
    assert g.points("red") == 2
    destruction.give_back(g, g.units["lions"], 1)
    assert g.points("red") == 1


@pytest.mark.rule("TMG-15")
@pytest.mark.rule("E12")
@pytest.mark.parametrize("back", [destruction.bring_back, lambda g, unit: destruction.give_back(g, unit, 3)])
@pytest.mark.parametrize("activated", [True, False])
def test_what_comes_back_to_the_table_has_activated_if_it_had_before(back, activated):
    g = table(blue=[infantry("lions", activated=activated), infantry("knights")])
    destruction.destroy(g, g.units["lions"], "red")
    back(g, g.units["lions"])
    assert (g.units["lions"].place, g.units["lions"].activated) == ("table", activated)


@pytest.mark.rule("TMG-66")
def test_a_failed_panic_test_of_the_centre_scores_for_the_opponent():
    g = clean_up([infantry("wolves", wounds=2), infantry("bears")], claims={"centre": "wolves"})
    assert clean_up_phase.says_when_scoring(g, g.objectives["centre"])
    g = play(g, "red agree", "blue agree", "red hurt:centre:2")
    assert (g.points("red"), g.points("blue")) == (2, 1)
