"""What stands beside the board while a unit acts: whom it hits, where it stands, whom it fights."""

import pytest

from games.core import engine
from games.systems.tmg.page import miniatures_page
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import destruction
from games.systems.tmg.tests.correcting import duel, fixed
from games.systems.tmg.tests.tables import cavalry, infantry, play, solo, table
from tests.positions import said


def beside(g, seat="red"):
    """Where the acting unit stands and whom it fights, each "path action"."""
    unit = miniatures_page.acting_unit(g, seat)
    return [f"unit/{unit.key} {offer.action}" for offer in miniatures_page.acting_corrections(g, seat)]


def at_hand(g, seat="red"):
    """The units that may be hit; a star for those that are open at once."""
    return [f"{key_of(target)}{'*' * target.open}" for target in targets(g, seat)]


def targets(g, seat="red"):
    """What a seat may hit, in the order in which it is shown."""
    return [target for group in miniatures_page.targets(page(g, seat)) for target in group.targets]


def key_of(target):
    """The unit of a target; its key also names whose activation it belongs to."""
    return target.key.rpartition("-")[0]


def page(g, seat="red"):
    """The page as this seat (None: a spectator) reads it."""
    return TmgPage(g, seat, engine.offers(g, seat) if seat else (), str, lambda path: path)


# --- where it stands, whom it fights -----------------------------------------------------------------


def test_nothing_stands_beside_the_board_before_a_unit_acts():
    assert beside(duel()) == at_hand(duel()) == []


def test_the_acting_unit_claims_free_tokens_and_engages():
    g = fixed(duel(), "unit/lions claim:lions:token-a")
    g = play(g, "red activate:wolves")
    assert beside(g) == [
        "unit/wolves claim:wolves:centre",
        "unit/wolves claim:wolves:token-b",
        "unit/wolves claim:wolves:token-c",
        "unit/wolves claim:wolves:token-d",
        "unit/wolves engage:wolves:lions",
        "unit/wolves engage:wolves:knights",
    ]
    assert beside(g, "blue") == []


def test_a_unit_on_a_token_is_offered_to_leave_it():
    g = play(duel(), "red activate:wolves")
    g = fixed(g, "unit/wolves claim:wolves:centre", "unit/wolves engage:wolves:lions")
    assert beside(g) == [
        "unit/wolves leave:wolves:centre",
        "unit/wolves disengage:wolves:lions",
        "unit/wolves engage:wolves:knights",
    ]


CHANGES_AROUND = {
    "another unit leaves": lambda g: setattr(g.units["knights"], "place", "reserve"),
    "another unit is called otherwise": lambda g: setattr(g.units["lions"], "name", "Guards"),
    "another unit is the own side's": lambda g: setattr(g.units["lions"], "army", "red"),
    "another unit is hurt": lambda g: setattr(g.units["lions"], "wounds", 5),
    "another unit stands on a token": lambda g: setattr(g.objectives["token-a"], "claimed_by", "lions"),
    "a token is called otherwise": lambda g: setattr(g.objectives["token-a"], "name", "Gate"),
    "who fights is kept on the table": lambda g: setattr(g, "untracked", frozenset({"engagements"})),
    "wounds are kept on the table": lambda g: setattr(g, "untracked", frozenset({"wounds"})),
}


@pytest.mark.parametrize("change", CHANGES_AROUND)
def test_what_is_shown_beside_the_board_follows_every_change_around(change):
    before = engine.keep(play(duel(), "red activate:wolves"))
    earlier = page(before)
    drawn = miniatures_page.notes(earlier), miniatures_page.targets(earlier)
    after = before.copy()
    CHANGES_AROUND[change](after)
    later, fresh = page(engine.keep(after)), page(type(after).from_json(after.to_json()))
    assert after.units["wolves"] == before.units["wolves"]
    shown = miniatures_page.notes(later), miniatures_page.targets(later)
    assert shown == (miniatures_page.notes(fresh), miniatures_page.targets(fresh))
    assert shown != drawn


def test_what_stands_beside_the_board_can_be_done():
    g = play(table([infantry("wolves", wounds=5), cavalry("riders")]), "red activate:wolves")
    choices = [choice.action for target in targets(g) for choice in (*target.choices, target.last)]
    for path, action in map(str.split, [*beside(g), *choices]):
        assert engine.adjust(g, "red", path, action) is not None


def test_a_unit_that_is_destroyed_while_it_acts_has_nothing_more_to_note():
    g = play(duel(), "red activate:wolves").copy()
    destruction.destroy(g, g.units["wolves"], "blue")
    assert beside(g) == at_hand(g) == []


# --- until one's next --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-14")
def test_the_last_activation_of_a_side_stays_until_its_next():
    g = play(duel(), "red activate:wolves", "blue activate:lions")
    assert (g.acting, g.armies["red"].acted, g.armies["blue"].acted) == ("lions", "wolves", "lions")
    assert page(g, "red").acting().title == "Just acted: Wolves"
    assert page(g, "red").acting().targets
    assert page(g, "red").acting().hint == ""
    assert page(g, "blue").acting().title == "Acting: Lions"
    assert page(g, "blue").acting().hint.startswith("Enter what it did")
    g = play(g, "red activate:bears")
    assert page(g, "red").acting().title == "Acting: Bears"
    assert page(g, "blue").acting().title == "Just acted: Lions"


@pytest.mark.rule("TMG-17")
def test_what_acted_before_folds_away_while_the_next_unit_is_chosen():
    g = play(duel(), "red activate:wolves")
    assert (page(g, "red").acting().folded, page(g, "blue").acting().folded) == (False, False)
    g = play(g, "blue activate:lions")
    assert (page(g, "red").acting().folded, page(g, "blue").acting().folded) == (True, False)
    g = play(g, "red activate:bears")
    assert (page(g, "red").acting().folded, page(g, "blue").acting().folded) == (False, True)


def test_the_numbers_of_an_enemy_belong_to_one_activation():
    g = play(duel(), "red activate:wolves", "blue activate:lions")
    before = [target.key for target in page(g).acting().targets[0].targets]
    after = [target.key for target in page(play(g, "red activate:bears")).acting().targets[0].targets]
    assert len(before) == len(after) == len(set(before + after)) / 2


def test_who_only_looks_on_is_shown_who_acts_and_no_control():
    g = play(duel(), "red activate:wolves")
    shown = page(g, None).acting()
    assert (shown.title, shown.groups, shown.targets) == ("Acting: Wolves", (), ())
    assert page(g, "blue").acting() == shown


def test_a_phone_whose_rival_acts_is_told_who():
    g = play(duel(), "red activate:wolves")
    assert page(g, None).doing() == ("Red: Wolves is acting", 1)
    assert page(g, "blue").doing() == ("When Red is done with Wolves", 1)
    assert page(g, "red").doing() == ("Enter what Wolves did", 1)
    assert page(duel(), "blue").doing() == ("", 0)


def test_whoever_has_begun_to_activate_waits_for_nobody():
    begun = play(duel(), "red activate:wolves", "blue activate:lions", "red activate:sansa")
    assert page(begun, "red").doing() == ("", 0)
    assert page(begun, None).doing()[0] == "Blue: Lions is acting"


def test_the_help_to_pick_a_unit_gives_way_to_who_acts():
    turn = engine.step_of(duel())
    assert str(turn.helping(duel(), "red")).startswith("Pick one of your units")
    assert str(turn.helping(play(duel(), "red activate:wolves"), "blue")) == ""


@pytest.mark.rule("TMG-77")
def test_a_new_round_forgets_who_acted():
    g = play(
        table([infantry("wolves")], [infantry("lions")]),
        "red activate:wolves",
        "blue activate:lions",
        "all done",
    )
    assert [side.acted for side in g.armies.values()] == [None, None]


def test_a_unit_that_leaves_the_match_acts_no_more():
    g = fixed(play(duel(), "red activate:wolves"), "unit/wolves remove:wolves")
    assert (g.acting, g.armies["red"].acted) == (None, None)


# --- whose wounds? -----------------------------------------------------------------------------------


def test_any_unit_may_be_hit_enemies_first():
    g = play(duel(), "red activate:wolves")
    assert at_hand(g) == ["lions", "knights", "wolves", "bears"]
    enemies, own = page(g).acting().targets
    assert enemies.title == "Enter wounds"
    assert [target.name for target in enemies.targets] == ["Lions", "Knights"]
    assert (own.title, own.folded, [target.name for target in own.targets]) == (
        "Your other units",
        True,
        ["Wolves", "Bears"],
    )


def test_who_fights_it_and_itself_are_open_at_once():
    g = fixed(play(duel(), "red activate:wolves"), "unit/wolves engage:wolves:knights")
    assert at_hand(g) == ["knights*", "wolves*", "lions", "bears"]
    assert [target.open for target in page(g).acting().targets[0].targets] == [True, True, False]


def test_a_unit_has_a_number_for_each_wound_that_it_has_left():
    g = table(blue=[infantry("lions", wounds=4)])
    lions = page(play(g, "red activate:wolves")).acting().targets[0].targets[0]
    assert [choice.label for choice in lions.choices] == [*["−1", "−2", "−3"], *["+1", "+2", "+3"]]
    assert lions.choices[2].action == "unit/lions wounds:lions:-3"
    assert (lions.last.label, lions.last.action) == ("Destroyed", "unit/lions destroy:lions")
    assert lions.gauge.left == 4


@pytest.mark.parametrize(("zone", "near"), [("crown", []), ("wealth", ["bears*"]), ("horse", [])])
def test_what_the_zone_of_an_ncu_restores_is_open_at_once(zone, near):
    g = duel()
    g.units["bears"].wounds = 5
    g.units["lions"].wounds = 5
    g = play(g, "red activate:sansa", f"red claim:{zone}")
    assert at_hand(g)[: len(near)] == near
    assert sum(target.open for target in targets(g)) == len(near)


@pytest.mark.rule("TMG-39")
@pytest.mark.parametrize(
    ("unit", "hit", "line"),
    [
        (infantry("lions"), 4, "Lions has 2 ranks left."),
        (infantry("lions"), 9, "Lions has 1 rank left."),
        (infantry("lions"), 3, None),
        (cavalry("lions"), 6, "Lions has 1 rank left."),
        (solo("lions"), 2, None),
    ],
)
def test_a_wound_tells_of_the_ranks_that_went_with_it(unit, hit, line):
    g = fixed(table(blue=[unit]), f"unit/lions wounds:lions:-{hit}")
    told = [one for one in map(str, g.lines) if "left" in one]
    assert told == ([line] if line else [])
    assert f"suffers {hit} wound" in said(g)


@pytest.mark.rule("TMG-39")
def test_a_single_model_shows_one_rank_whatever_its_wounds():
    g = table([infantry("wolves")], [solo("lions", rank_size=3)])
    for left in (3, 1):
        g.units["lions"].wounds = left
        gauge = page(g).gauge(g.units["lions"])
        assert gauge.label == f"{left} of 3 wounds left, 1 rank"
        assert gauge.pips == (True,)
    assert g.units["lions"].ranks == 1
