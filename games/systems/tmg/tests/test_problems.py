"""Odd positions and the words for them; and that no mix of taps and corrections makes one that cannot be."""

import random

import pytest

from games.core import IllegalAction, engine
from games.match import random_play
from games.systems.tmg import SYSTEM
from games.systems.tmg.rules import objective_tokens
from games.systems.tmg.tests.tables import MODE, infantry, ncu, solo, table

NOTES = ("", "Umber Berserkers (6)", "Sansa Stark", "with nobody", "a reason", "旗", "%(player)s", "x" * 300)


def odd(g):
    return [str(line) for line in engine.problems(g)]


def plain():
    """A position with nothing odd about it."""
    return table([infantry("wolves", commander=True)], [infantry("lions", commander=True), ncu("tyrion")])


def test_a_plain_position_has_nothing_odd():
    assert odd(plain()) == []


def test_what_is_only_just_right_is_not_odd():
    g = plain()
    wolves, lions, tyrion = (g.units[key] for key in ("wolves", "lions", "tyrion"))
    wolves.wounds, wolves.counters, wolves.engaged_with = 1, (("Pillage", 1),), frozenset({"lions"})
    lions.engaged_with = frozenset({"wolves"})
    g.objectives["crown"].claimed_by, tyrion.influences = "tyrion", "wolves"
    g.objectives["centre"].claimed_by, g.objectives["token-a"].uncontrolled = "wolves", True
    g.objectives["token-b"].override = "red"
    g.armies["red"].hand = g.armies["red"].deck = 0
    wolves.gains_no_conditions = True
    assert odd(g) == []


@pytest.mark.parametrize("gone", ["wolves", "lions"])
def test_a_fight_with_a_unit_off_the_battlefield_is_odd_on_either_side(gone):
    g = plain()
    g.units["wolves"].engaged_with, g.units["lions"].engaged_with = (
        frozenset({"lions"}),
        frozenset({"wolves"}),
    )
    g.units[gone].place = "reserve"
    assert sum("one of them is not on the battlefield" in line for line in odd(g)) == 2


def test_what_can_be_neither_is_odd():
    g = plain()
    g.units["wolves"].counters = (("Faith", 0),)
    g.objectives["centre"].override, g.objectives["centre"].uncontrolled = "red", True
    assert len(odd(g)) == 2


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("wounds", 13, "Wolves has 13 of 12 wounds left."),
        ("wounds", -1, "Wolves has -1 of 12 wounds left."),
        ("wounds", 0, "Wolves is on the battlefield with no wounds left."),
        ("place", "unplaced", "Wolves has not been deployed."),
        ("place", "destroyed", "Wolves is destroyed and has wounds left."),
        ("influences", "nobody", "Wolves influences a unit that is not in the match."),
        ("counters", (("Pillage", 3),), "Wolves has 3 of the counter Pillage."),
        ("engaged_with", frozenset({"nobody"}), "Wolves is engaged with a unit that is not in the match."),
        ("engaged_with", frozenset({"lions"}), "Wolves is engaged with Lions, but not the other way round."),
        ("commander", False, "The army of Red has 0 Commanders."),
    ],
)
@pytest.mark.rule("TMG-40")
def test_an_odd_unit_is_named(field, value, sentence):
    g = plain()
    setattr(g.units["wolves"], field, value)
    assert sentence in odd(g)


def test_a_condition_on_who_gains_none_is_odd():
    g = plain()
    g.units["wolves"].gains_no_conditions = True
    g.units["wolves"].conditions = frozenset({"panicked"})
    assert odd(g) == ["Wolves has a condition and cannot gain any."]


def test_a_round_without_first_player_is_odd():
    g = plain()
    g.first = ""
    assert odd(g) == ["No one is First Player."]


def test_engagements_with_friends_and_the_absent_are_odd():
    g = table([infantry("wolves", commander=True), infantry("bears")], [infantry("lions", commander=True)])
    for one, other in (("wolves", "bears"), ("bears", "wolves")):
        g.units[one].engaged_with = frozenset({other})
    assert odd(g)[0] == "Wolves is engaged with Bears of its own side."
    g.units["bears"].engaged_with, g.units["lions"].engaged_with = frozenset(), frozenset({"wolves"})
    g.units["wolves"].engaged_with, g.units["wolves"].place = frozenset({"lions"}), "reserve"
    assert "one of them is not on the battlefield" in odd(g)[0]


@pytest.mark.parametrize(
    ("place", "unit", "sentence"),
    [
        ("centre", "nobody", "Centre is claimed by a unit that is not in the match."),
        ("centre", "tyrion", "Tyrion claims Centre and cannot control objectives."),
        ("crown", "wolves", "Wolves claims Crown but is not an NCU."),
    ],
)
@pytest.mark.rule("TMG-53")
def test_an_odd_claim_is_named(place, unit, sentence):
    g = plain()
    g.objectives[place].claimed_by = unit
    assert odd(g) == [sentence]


@pytest.mark.rule("TMG-53")
def test_a_unit_in_two_places_is_odd():
    g = plain()
    g.objectives["centre"].claimed_by = g.objectives["token-a"].claimed_by = "wolves"
    assert odd(g) == ["Wolves stands in more than one place."]


def test_a_token_without_card_and_too_many_cards_are_odd():
    g = plain()
    g.objectives["token-a"].card = None
    g.armies["red"].hand = 5
    assert odd(g) == ["No card lies at Token A.", "Red has 22 cards in hand and deck, of 20."]


def invariants(g):
    """What no action may break."""
    for unit in g.units.values():
        assert 0 <= unit.wounds <= unit.wounds_total
        assert (unit.place == "destroyed") <= (unit.wounds == 0)
        for key in unit.engaged_with:
            assert unit.key in g.units[key].engaged_with
            assert g.units[key].army != unit.army
        standing = [place.key for place in g.objectives.values() if place.claimed_by == unit.key]
        assert len(standing) <= 1
    for place in g.objectives.values():
        assert place.claimed_by is None or g.units[place.claimed_by].is_on_table
        assert objective_tokens.controller(g, place) in (None, *g.seats)
    for seat in g.seats:
        assert g.armies[seat].hand >= 0
        assert g.armies[seat].deck >= 0
        assert g.points(seat) == sum(row.points for row in g.scores.values() if row.seat == seat)
    for row in g.scores.values():
        assert all((row.round, row.reason, row.source, row.author)), row
    assert type(g).from_json(g.to_json()) == g


def mixed(g, luck, count):
    """Random taps and corrections; answers how many corrections were taken."""
    taken = 0
    for _action in range(count):
        if g.result is not None and luck.random() < 0.5:
            break
        corrected = random_play.correction(g, luck) if g.result is not None or luck.random() < 0.6 else None
        try:
            if corrected is None:
                g = engine.play(g, *random_play.tap(g, luck))
            else:
                before, g = g, engine.adjust(g, *corrected, luck.choice(NOTES))
                taken += 1
                assert g.result is None or before.result is not None, corrected
                assert g.lines, corrected
        except IllegalAction:
            continue
        invariants(g)
        assert all(str(line) for line in (*g.lines, *engine.problems(g)))
        assert engine.to_act(g) or g.result is not None
    return taken


@pytest.mark.rule("TMG-51")
def test_no_mix_of_taps_and_corrections_breaks_the_table():
    taken = 0
    for seed in range(30):
        luck = random.Random(seed)
        red = [infantry("wolves"), solo("bear", linked_to="wolves"), ncu("sansa")]
        taken += mixed(table(red, [infantry("lions"), ncu("tyrion")]), luck, 120)
    assert taken > 1000


def test_corrections_in_set_up_break_nothing_either():
    taken = sum(
        mixed(random_play.fresh_state(SYSTEM, MODE, seed), random.Random(seed), 80) for seed in range(20)
    )
    assert taken > 500
