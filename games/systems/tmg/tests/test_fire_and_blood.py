"""The mode Fire & Blood: marks, tokens, and what a destruction pays."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import destruction
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from tests.positions import asks, offered, said

MODE = "fire-and-blood"


def battle(red=(), blue=(), **rest):
    red = red or [infantry("wolves", commander=True), infantry("bears")]
    blue = blue or [infantry("lions"), infantry("knights")]
    return table(red, blue, mode=MODE, **rest)


def marking(**fields):
    return battle(
        blue=[infantry("lions"), infantry("knights"), infantry("rabble", **fields)],
        step="mark-enemies",
        round=0,
    )


def destroyed(g, key):
    return engine.adjust(g, "red", f"unit/{key}", f"destroy:{key}")


def rows(g):
    return [(row.seat, row.points, row.reason) for row in g.scores.values()]


@pytest.mark.rule("TMG-96")
def test_each_marks_two_enemies_in_turns_from_the_first_player():
    g = marking()
    assert asks(g) == "mark-enemies red"
    g = play(g, "red mark:lions")
    assert asks(g) == "mark-enemies blue"
    g = play(g, "blue mark:wolves", "red mark:rabble", "blue mark:bears")
    assert g.round == 1
    assert sorted(unit.key for unit in g.units.values() if unit.marked) == [
        "bears",
        "lions",
        "rabble",
        "wolves",
    ]


@pytest.mark.rule("TMG-96")
def test_what_costs_nothing_is_not_marked_and_who_has_fewer_gets_fewer_marks():
    g = marking(cost=0)
    assert offered(g, "red") == ["mark:knights", "mark:lions"]
    g = battle([infantry("wolves")], step="mark-enemies", round=0)
    g = play(g, "red mark:lions", "blue mark:wolves", "red mark:knights")
    assert g.round == 1


@pytest.mark.rule("TMG-96")
def test_who_has_nothing_left_to_mark_does_not_end_it_for_the_other():
    """Red may mark one unit only; Blue still marks its second."""
    g = battle(blue=[infantry("lions"), infantry("rabble", cost=0)], step="mark-enemies", round=0)
    g = play(g, "red mark:lions", "blue mark:wolves")
    assert (g.round, asks(g), offered(g, "blue")) == (0, "mark-enemies blue", ["mark:bears"])
    assert play(g, "blue mark:bears").round == 1


@pytest.mark.rule("TMG-96")
def test_what_waits_off_the_table_is_not_marked_and_every_mark_is_a_question_of_its_own():
    g = marking(place="reserve")
    assert offered(g, "red") == ["mark:knights", "mark:lions"]
    after = play(play(g, "red mark:lions"), "blue mark:wolves")
    assert after.question.number == g.question.number + 2


@pytest.mark.rule("TMG-96")
def test_who_marks_reads_what_a_mark_gives_to_either_side():
    g = marking()
    assert str(engine.step_of(g).helping(g, "red")) == (
        "A marked unit rolls 2 attack dice more and scores 1 more for what it destroys. "
        "Whoever destroys it scores 2 more."
    )


@pytest.mark.rule("TMG-96")
def test_a_mark_shows_on_its_unit():
    g = play(marking(), "red mark:lions")
    badges = TmgPage(g, "red", (), str, lambda path: path).card(g.units["lions"]).badges
    assert "Marked" in [badge.text for badge in badges]


@pytest.mark.rule("TMG-96")
def test_a_marked_enemy_gives_two_more():
    g = destroyed(battle(blue=[infantry("lions", marked=True), infantry("knights")]), "lions")
    assert rows(g) == [("red", 1, "unit destroyed"), ("red", 2, "it was marked")]
    assert "+3 Victory Points for Lions" in said(g)


@pytest.mark.rule("TMG-96")
def test_a_marked_unit_scores_one_more_for_what_it_destroys():
    g = battle([infantry("wolves", marked=True), infantry("bears")])
    g = destroyed(g, "lions")
    assert asks(g) == "by-whom red"
    assert offered(g, "red") == ["by-another", "by:wolves"]
    other = play(g, "red by-another")
    assert (other.points("red"), asks(other)) == (1, "turn red")
    g = play(g, "red by:wolves")
    assert (rows(g)[1:], asks(g)) == ([("red", 1, "a marked unit destroyed it")], "turn red")


@pytest.mark.rule("TMG-48")
@pytest.mark.rule("TMG-96")
def test_that_one_is_given_even_for_a_unit_that_grants_none():
    g = battle([infantry("wolves", marked=True)], [infantry("rabble", grants_no_vp=True), infantry("lions")])
    g = play(destroyed(g, "rabble"), "red by:wolves")
    assert rows(g) == [("red", 1, "a marked unit destroyed it")]


@pytest.mark.rule("TMG-96")
def test_a_destruction_taken_back_takes_the_mark_s_point_back_too():
    g = battle([infantry("wolves", marked=True)])
    g = play(destroyed(g, "lions"), "red by:wolves")
    g = engine.adjust(g, "blue", "unit/lions", "wounds:lions:4")
    assert g.points("red") == 0


@pytest.mark.rule("TMG-96")
def test_the_question_goes_away_with_the_destruction():
    g = destroyed(battle([infantry("wolves", marked=True)]), "lions")
    g = engine.adjust(g, "blue", "unit/lions", "wounds:lions:4")
    assert asks(g) == "turn red"


@pytest.mark.rule("TMG-96")
def test_the_commanders_unit_may_put_a_token_on_an_enemy_that_its_destruction_pays():
    g = play(battle(), "red activate:wolves")
    assert asks(g) == "place-point-token red"
    assert offered(g, "red") == ["leave", "token:knights", "token:lions"]
    assert asks(play(g, "red leave")) == "turn blue"
    g = play(g, "red token:lions")
    assert (destruction.counted(g.units["lions"], "Victory Point token"), asks(g)) == (1, "turn blue")
    g = engine.adjust(destroyed(g, "lions"), "red", "unit/lions", "bring-back:lions")
    assert rows(g) == [("red", 1, "unit destroyed"), ("red", 1, "Victory Point tokens on it")]
    assert g.units["lions"].counters == ()


@pytest.mark.rule("TMG-24")
@pytest.mark.rule("TMG-96")
def test_the_commanders_unit_is_asked_for_its_token_out_of_turn_too():
    g = engine.adjust(battle(first="blue"), "blue", "unit/wolves", "activate:wolves")
    assert (asks(g), g.acting) == ("place-point-token red", "wolves")
    assert asks(play(g, "red leave")) == "turn blue"
    g = play(g, "red token:lions")
    assert (destruction.counted(g.units["lions"], "Victory Point token"), asks(g)) == (1, "turn blue")
    g = play(g, "blue activate:lions", "red activate:bears", "blue activate:knights")
    assert asks(g) == "end-of-turn blue red"


@pytest.mark.rule("TMG-24")
def test_out_of_turn_another_unit_places_no_token_and_an_ncu_takes_its_zone():
    g = battle([infantry("wolves", commander=True), infantry("bears"), ncu("robb")], first="blue")
    assert asks(engine.adjust(g, "blue", "unit/bears", "activate:bears")) == "turn blue"
    assert asks(engine.adjust(g, "blue", "unit/robb", "activate:robb")) == "claim-zone red"


@pytest.mark.rule("TMG-24")
def test_no_token_is_asked_for_once_the_round_s_activations_are_over():
    g = battle([infantry("wolves", commander=True), infantry("bears")])
    for path, action in (("army/red", "concede:red"), ("unit/wolves", "activate:wolves")):
        g = engine.adjust(g, "red", path, action)
    assert (asks(g), g.units["wolves"].activated) == ("ending red", True)


@pytest.mark.rule("TMG-96")
def test_a_token_goes_on_an_enemy_on_the_table_and_none_once_the_commander_s_unit_has_left_the_match():
    blue = [infantry("lions"), infantry("knights", place="reserve")]
    g = play(battle(blue=blue), "red activate:wolves")
    assert offered(g, "red") == ["leave", "token:lions"]
    assert asks(engine.adjust(g, "red", "unit/wolves", "remove:wolves")) == "turn blue"


@pytest.mark.rule("TMG-96")
def test_another_unit_and_an_ncu_put_no_token():
    g = battle([infantry("wolves"), ncu("robb", commander=True)])
    assert asks(play(g, "red activate:wolves")) == "turn blue"
    assert asks(play(g, "red activate:robb", "red decline")) == "turn blue"


@pytest.mark.rule("TMG-96")
def test_nor_does_an_ncu_that_activates_without_a_zone():
    g = battle([infantry("wolves"), ncu("robb", commander=True)])
    for zone in g.zones():
        zone.claimed_by = "lions"
    assert asks(play(g, "red activate:robb")) == "turn blue"


@pytest.mark.rule("TMG-96")
def test_tokens_that_the_players_keep_on_the_table_are_not_asked_about():
    g = engine.adjust(battle(), "red", "table", "keep-aside:conditions")
    assert asks(play(g, "red activate:wolves")) == "turn blue"


@pytest.mark.rule("TMG-96")
def test_a_destruction_undone_leaves_the_tokens_on_their_unit():
    g = battle(blue=[infantry("lions", counters=(("Victory Point token", 2),)), infantry("knights")])
    g = engine.adjust(destroyed(g, "lions"), "blue", "unit/lions", "wounds:lions:4")
    assert (g.points("red"), destruction.counted(g.units["lions"], "Victory Point token")) == (0, 2)
    assert destroyed(g, "lions").points("red") == 3


@pytest.mark.rule("TMG-96")
@pytest.mark.rule("TMG-85")
def test_the_last_enemy_s_destroyer_is_asked_for_before_the_end():
    g = destroyed(battle([infantry("wolves", marked=True)], [infantry("lions")]), "lions")
    assert asks(g) == "by-whom red"
    g = play(g, "red by:wolves")
    assert asks(g) == "ending blue"
    assert play(g, "blue end-match").result["points"] == {"red": 2, "blue": 0}


@pytest.mark.rule("TMG-96")
def test_a_marked_unit_that_falls_before_its_player_answers_may_still_be_the_destroyer():
    fallen = destroyed(
        destroyed(battle([infantry("wolves", marked=True), infantry("bears")]), "lions"), "wolves"
    )
    assert (asks(fallen), offered(fallen, "red")) == ("by-whom red", ["by-another", "by:wolves"])
    assert play(fallen, "red by:wolves").points("red") == 2
    assert asks(engine.adjust(fallen, "red", "unit/wolves", "remove:wolves")) == "turn red"


@pytest.mark.rule("TMG-96")
def test_nothing_but_destruction_scores():
    g = play(battle(round=2), "red activate:wolves", "red leave", "blue activate:lions", "red activate:bears")
    g = play(g, "blue activate:knights", "all done")
    assert (asks(g), list(g.tokens()), g.scores) == ("discard red blue", [], {})
