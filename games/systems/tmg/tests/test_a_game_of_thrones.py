"""The mode A Game of Thrones: what its objectives score, and what happens then."""

import pytest

from games import rulebook
from games.core import engine
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import clean_up, infantry, play, table
from tests.positions import asks, offered, said

AGREE = ("red agree", "blue agree")


@pytest.mark.rule("TMG-62")
def test_nothing_scores_in_round_one():
    g = clean_up(round=1, claims={"centre": "wolves", "token-a": "lions"})
    assert asks(g) == "discard red blue"
    assert not g.scores
    assert "Objectives score from round 2." in said(g)


@pytest.mark.rule("TMG-62")
@pytest.mark.rule("TMG-46")
def test_what_is_destroyed_in_round_one_scores_and_the_rule_does_not_deny_it():
    """It said that nothing scores in round 1."""
    g = engine.adjust(table(round=1), "blue", "unit/lions", "wounds:lions:-12")
    assert [score.round for score in g.scores.values()] == [1]
    assert rulebook.rules("tmg")["TMG-62"].text.startswith("No token scores in round 1; from round 2 each")


@pytest.mark.rule("TMG-62")
def test_from_round_two_each_controlled_token_scores_one():
    claims = {"token-c": "wolves", "token-d": "wolves", "token-b": "lions"}
    g = play(clean_up(claims=claims), *AGREE)
    assert (g.points("red"), g.points("blue")) == (2, 1)
    assert [(row.seat, row.points, row.source) for row in g.scores.values()] == [
        ("blue", 1, "Token B"),
        ("red", 1, "Token C"),
        ("red", 1, "Token D"),
    ]


@pytest.mark.rule("TMG-63")
def test_the_centre_scores_two():
    g = play(clean_up(claims={"centre": "wolves"}), *AGREE)
    assert g.points("red") == 2


@pytest.mark.rule("TMG-63")
def test_where_the_centre_scores_more_whatever_its_card_no_other_token_does():
    both = {"centre": "wolves", "token-c": "bears"}
    g = clean_up([infantry("wolves"), infantry("bears")], claims=both, centre_bonus=1)
    g.objectives["centre"].card = "counsel"
    assert play(g, *AGREE).points("red") == 3


@pytest.mark.rule("TMG-64")
def test_both_sides_score_before_any_effect():
    g = play(clean_up(claims={"token-a": "wolves", "token-b": "lions"}), *AGREE)
    assert (g.points("red"), g.points("blue")) == (1, 1)
    assert asks(g) == "scoring-effects red"


@pytest.mark.rule("E1")
@pytest.mark.rule("TMG-64")
def test_effects_alternate_from_the_first_player_who_picks_one_of_his():
    cards = {"token-a": "wolves", "token-b": "bears", "token-c": "lions"}
    g = clean_up([infantry("wolves"), infantry("bears")], claims=cards)
    g.objectives["token-c"].card = "panic"
    g = play(g, *AGREE)
    assert offered(g, "red") == ["resolve:token-a", "resolve:token-b"]
    g = play(g, "red resolve:token-b")
    assert offered(g, "blue") == ["resolve:token-c"]
    assert offered(g, "red") == []
    g = play(g, "blue resolve:token-c")
    assert offered(g, "red") == ["resolve:token-a"]
    assert asks(play(g, "red resolve:token-a")) == "discard red blue"


@pytest.mark.rule("TMG-64")
def test_a_side_without_effects_is_skipped():
    g = clean_up(
        [infantry("wolves"), infantry("bears")],
        first="blue",
        claims={"token-a": "wolves", "token-b": "bears"},
    )
    g = play(g, *AGREE)
    assert asks(g) == "scoring-effects red"
    assert asks(play(g, "red resolve:token-a")) == "scoring-effects red"


@pytest.mark.rule("TMG-64")
def test_a_card_that_works_while_controlled_asks_nothing_when_scoring():
    g = play(clean_up(claims={"token-c": "wolves"}), *AGREE)
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-64")
def test_the_centre_asks_for_a_panic_test():
    g = play(clean_up(claims={"centre": "wolves"}), *AGREE)
    assert offered(g, "red") == ["failed:centre", "hurt:centre 1-12", "passed:centre"]
    passed = play(g, "red passed:centre")
    assert passed.units["wolves"].wounds == 12
    hurt = play(g, "red hurt:centre:3")
    assert hurt.units["wolves"].wounds == 9
    rolled = play(g, "red failed:centre")
    assert rolled.units["wolves"].wounds in (8, 9, 10)
    assert len(rolled.draws) == 1


@pytest.mark.rule("TMG-64")
def test_the_unit_of_the_side_that_did_not_score_takes_no_panic_test():
    g = clean_up(claims={"centre": "wolves"})
    g = engine.adjust(g, "blue", "objective/centre", "controller:centre:blue")
    g = play(g, *AGREE)
    assert g.points("blue") == 2
    assert offered(g, "blue") == ["resolve:centre"]


@pytest.mark.rule("TMG-64")
def test_an_effect_stands_on_its_button():
    g = play(clean_up(claims={"token-a": "wolves", "token-b": "wolves", "centre": "lions"}), *AGREE)
    details = {offer.action: str(offer.detail) for offer in engine.offers(g, "red")}
    assert "restores 1 wound" in details["resolve:token-a"]
    assert details["resolve:token-a"] != details["resolve:token-b"]
    assert "restores 1 wound" in said(play(g, "red resolve:token-a"))


@pytest.mark.rule("TMG-65")
def test_a_card_that_works_while_controlled_is_active_only_then():
    g = clean_up(claims={"token-c": "wolves", "token-a": "wolves"})
    shown = derived_facts(g, None)["tokens"]
    assert shown["token-c"]["active"]
    assert not shown["token-d"]["active"]
    assert not shown["token-a"]["active"]


@pytest.mark.rule("E2")
@pytest.mark.rule("TMG-66")
def test_what_the_centre_destroys_scores_before_the_victory_check():
    wolves = infantry("wolves", wounds=2)
    g = clean_up([wolves, infantry("bears")], claims={"centre": "wolves"}, target=2)
    g.score("blue", 1, "earlier")
    g = play(g, *AGREE, "red hurt:centre:2")
    assert g.units["wolves"].place == "destroyed"
    assert (g.points("red"), g.points("blue")) == (2, 2)
    assert g.result is None
    assert asks(g) == "discard red blue"


@pytest.mark.rule("TMG-61")
def test_five_tokens_lie_on_the_table():
    assert [token.key for token in table().tokens()] == ["centre", "token-a", "token-b", "token-c", "token-d"]
