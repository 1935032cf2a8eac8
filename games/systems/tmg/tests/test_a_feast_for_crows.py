"""The mode A Feast for Crows: corpse piles, and tokens that are bound to them."""

import pytest

from games.core import engine
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import objective_tokens
from games.systems.tmg.tests.correcting import fixed
from games.systems.tmg.tests.tables import agreed, cavalry, clean_up, infantry, lobby, play, solo, table
from tests.positions import asks, offered, said

MODE = "a-feast-for-crows"


def feast(red=(), blue=(), **rest):
    red = red or [infantry("wolves"), infantry("bears"), infantry("boars"), cavalry("riders")]
    blue = blue or [infantry("lions"), infantry("knights"), solo("mountain")]
    return table(red, blue, mode=MODE, **rest)


def carrying(g, **tokens):
    for unit, token in tokens.items():
        g.objectives[token].claimed_by = unit
    return g


def destroyed(g, key):
    return fixed(g, f"unit/{key} destroy:{key}", seat="blue")


def piles(g):
    return [token.key for token in g.tokens()]


@pytest.mark.rule("TMG-92")
@pytest.mark.rule("TMG-04")
def test_two_tokens_lie_on_corpse_piles_near_the_flanks():
    g = play(lobby(MODE), "red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    assert piles(g) == ["west", "east"]
    assert "two corpse piles on the centre line" in str(engine.step_of(g).helping(g, "red"))
    g = play(g, "red rolled:1", "blue rolled:2", "blue pick-zone")
    assert "12 inches" in str(engine.step_of(g).helping(g, "blue"))


@pytest.mark.rule("TMG-92")
def test_the_owner_of_destroyed_infantry_places_another_pile_with_a_token():
    g = destroyed(feast(), "wolves")
    assert (asks(g), offered(g, "red")) == ("place-pile red", ["no-room", "placed"])
    assert piles(g) == ["west", "east"]
    g = play(g, "red placed")
    assert said(g) == "Red places a corpse pile with Third token near Wolves."
    assert (piles(g), g.units["wolves"].pile, asks(g)) == (["west", "east", "third"], "third", "turn red")
    assert "claim:bears:third" in [offer.action for offer in engine.corrections(g, "unit/bears")]


@pytest.mark.rule("TMG-92")
def test_there_are_never_more_than_four_piles():
    g = play(destroyed(feast(), "wolves"), "red placed")
    g = play(destroyed(g, "bears"), "red placed")
    assert piles(g) == ["west", "east", "third", "fourth"]
    assert asks(destroyed(g, "boars")) == "turn red"
    assert piles(destroyed(g, "boars")) == ["west", "east", "third", "fourth"]


@pytest.mark.rule("TMG-92")
@pytest.mark.parametrize("key", ["riders", "mountain"])
def test_cavalry_and_solo_units_leave_no_pile(key):
    assert asks(destroyed(feast(), key)) == "turn red"


@pytest.mark.rule("TMG-92")
def test_a_pile_that_finds_no_room_is_not_placed_and_the_next_one_may_be():
    g = play(destroyed(feast(), "wolves"), "red no-room")
    assert (piles(g), asks(g)) == (["west", "east"], "turn red")
    assert asks(destroyed(g, "bears")) == "place-pile red"


@pytest.mark.rule("TMG-92")
@pytest.mark.rule("TMG-40")
def test_a_destruction_undone_takes_the_pile_away_with_its_token():
    g = carrying(play(destroyed(feast(), "wolves"), "red placed"), lions="third")
    g = fixed(g, "unit/wolves wounds:wolves:4")
    assert (piles(g), g.units["wolves"].pile) == (["west", "east"], None)
    assert "Third token and its corpse pile are removed." in said(g)
    asked = fixed(destroyed(feast(), "wolves"), "unit/wolves wounds:wolves:4")
    assert (asks(asked), piles(asked)) == ("turn red", ["west", "east"])


@pytest.mark.rule("TMG-92")
def test_the_next_pile_takes_the_place_of_one_that_is_gone():
    g = play(destroyed(feast(), "wolves"), "red placed")
    g = play(destroyed(g, "bears"), "red placed")
    g = play(destroyed(fixed(g, "unit/wolves wounds:wolves:4"), "boars"), "red placed")
    assert sorted(piles(g)) == ["east", "fourth", "third", "west"]
    assert (g.units["boars"].pile, g.units["bears"].pile) == ("third", "fourth")


@pytest.mark.rule("TMG-92")
def test_a_unit_that_a_card_returns_leaves_its_pile_there_and_another_when_it_falls_again():
    g = play(destroyed(feast(), "wolves"), "red placed")
    g = fixed(g, "unit/wolves bring-back:wolves")
    assert (piles(g), g.units["wolves"].pile) == (["west", "east", "third"], None)
    assert asks(destroyed(g, "wolves")) == "place-pile red"


@pytest.mark.rule("TMG-92")
def test_a_carrier_that_falls_loses_its_token_to_any_enemy_at_the_pile():
    """The pile comes first, as it is placed before the tray is removed; engagements do not matter."""
    g = fixed(carrying(feast(), wolves="west", lions="east"), "unit/wolves engage:wolves:lions")
    g = destroyed(g, "wolves")
    assert asks(g) == "place-pile red"
    g = play(g, "red placed")
    assert (asks(g), offered(g, "blue")) == ("take-token blue", ["place", "take:knights", "take:mountain"])
    assert "corpse pile" in str(engine.step_of(g).helping(g, "blue"))
    assert play(g, "blue take:mountain").objectives["west"].claimed_by == "mountain"
    placed = play(g, "blue place")
    assert said(placed) == "Blue places West token at its corpse pile."
    assert asks(placed) == "turn red"


@pytest.mark.rule("TMG-92")
def test_so_does_one_that_fails_a_panic_test():
    g = fixed(carrying(feast(), wolves="west"), "unit/wolves lose-token:wolves")
    assert (asks(g), g.objectives["west"].claimed_by) == ("take-token blue", None)


@pytest.mark.rule("TMG-92")
def test_a_token_dropped_away_from_its_pile_asks_nobody():
    g = carrying(feast(), wolves="west")
    leaving = next(o for o in engine.corrections(g, "unit/wolves") if o.action == "leave:wolves:west")
    assert "away from its corpse pile" in str(leaving.detail)
    g = fixed(g, "unit/wolves leave:wolves:west")
    assert said(g) == "Wolves drops West token.\nRed no longer controls West token."
    assert asks(g) == "turn red"


@pytest.mark.rule("TMG-92")
def test_a_carrier_holds_one_token_uncontested_and_keeps_its_speed():
    g = carrying(feast(), riders="west")
    g = fixed(g, "unit/riders engage:riders:lions")
    assert objective_tokens.controller(g, g.objectives["west"]) == "red"
    assert "claim:riders:east" not in [offer.action for offer in engine.corrections(g, "unit/riders")]
    badges = TmgPage(g, "red", (), str, lambda path: path).card(g.units["riders"]).badges
    assert [badge.text for badge in badges] == ["West token", "Lions"]


@pytest.mark.rule("TMG-92")
def test_from_round_two_each_token_scores_one_the_commanders_too():
    red = [infantry("wolves", commander=True), infantry("bears")]
    g = agreed(clean_up(red, mode=MODE, claims={"west": "wolves", "east": "bears"}))
    assert [(row.seat, row.points) for row in g.scores.values()] == [("red", 1), ("red", 1)]
    assert g.points("red") == 2
    assert agreed(clean_up(red, mode=MODE, round=1, claims={"west": "wolves"})).scores == {}


@pytest.mark.rule("TMG-92")
def test_a_later_pile_scores_like_the_others():
    g = feast(round=2, step="score-points")
    g = play(destroyed(g, "wolves"), "red placed")
    g = agreed(fixed(g, "unit/bears claim:bears:third"))
    assert (g.points("red"), g.points("blue")) == (1, 1)
