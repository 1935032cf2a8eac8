"""What a mode fixes for its matches: how long a token is held, and where the tokens lie."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.correcting import actions, fixed, offer
from games.systems.tmg.tests.tables import agreed, infantry, lobby, play, table
from tests.positions import asks, said

CLASH, THRONES = "a-clash-of-kings", "a-game-of-thrones"
READY = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")
SEATS = {"red": "", "blue": ""}
PICKED = tuple(f"{seat} pick:m{n:02}" for seat in ("red", "blue") for n in (1, 2, 3, 4))


@pytest.mark.rule("TMG-52")
@pytest.mark.parametrize("chosen", [{}, {"strict": 0}, {"strict": 1}])
def test_in_a_clash_of_kings_a_token_is_held_by_full_overlap_only(chosen):
    g = SYSTEM.open(CLASH, SEATS, "seed", chosen)
    assert g.rules["strict"] == 1
    assert [action for action in actions(g, "table") if action in ("strict", "touching")] == []


@pytest.mark.rule("TMG-52")
@pytest.mark.parametrize("mode", ["fire-and-blood", "here-we-stand"])
def test_where_no_tokens_lie_nobody_is_told_of_overlap(mode):
    g = SYSTEM.open(mode, SEATS, "seed", {"strict": 1})
    assert [action for action in actions(g, "table") if action in ("strict", "touching")] == []
    g.first, g.turn, g.flow = "red", "blue", ()
    g.call(SYSTEM.step_named(g, "deploy"))
    assert "overlap" not in str(engine.step_of(g).helping(g, "blue"))


@pytest.mark.rule("TMG-52")
@pytest.mark.parametrize(("chosen", "switch"), [({}, "strict"), ({"strict": 1}, "touching")])
def test_a_game_of_thrones_leaves_it_to_its_table(chosen, switch):
    g = SYSTEM.open(THRONES, SEATS, "seed", chosen)
    assert g.rules["strict"] == chosen.get("strict", 0)
    assert switch in actions(g, "table")


@pytest.mark.rule("TMG-52")
def test_a_clash_that_was_opened_before_keeps_what_its_table_plays():
    g = SYSTEM.open(CLASH, SEATS, "seed", {})
    g.rules = {name: fact for name, fact in g.rules.items() if name not in ("fixes_strict", "lying")}
    g.rules["strict"] = 0
    assert "strict" in actions(g, "table")
    g = play(g, *READY, "red rolled:1", "blue rolled:6", "blue pick-zone")
    assert "A unit keeps a token only" not in str(engine.step_of(g).helping(g, "blue"))


@pytest.mark.rule("TMG-58")
@pytest.mark.parametrize("path", ["unit/wolves", "objective/centre"])
def test_a_clash_says_how_long_a_token_is_held(path):
    g = fixed(table(mode=CLASH), "unit/wolves claim:wolves:centre")
    assert str(offer(g, path, "leave:wolves:centre").detail) == (
        "It keeps the token only while its tray covers all of it."
    )


@pytest.mark.rule("TMG-58")
def test_the_deployment_of_a_clash_says_how_tokens_are_held():
    g = play(lobby(CLASH), *READY, "red rolled:1", "blue rolled:6", "blue pick-zone")
    assert str(engine.step_of(g).helping(g, "blue")) == (
        "Within 12 inches of your battlefield edge; the other Combat Units wait in Reserve. "
        "A unit keeps a token only while its tray covers all of it."
    )


@pytest.mark.rule("TMG-67")
@pytest.mark.parametrize("year", [2020, 2024])
def test_the_set_up_of_a_clash_says_where_the_outer_tokens_lie(year):
    where = (
        "Lay one token in the centre of the battlefield, West and East at Long Range (12 inches) "
        "to its left and right."
    )
    g = play(lobby(CLASH, ruleset=year), *READY)
    assert where not in said(g), "the question says it"
    assert str(engine.step_of(g).helping(g, "red")).startswith(where)


@pytest.mark.rule("TMG-04")
@pytest.mark.rule("TMG-61")
@pytest.mark.parametrize(
    ("mode", "taps", "step"),
    [(THRONES, (), "deal-cards"), ("winds-of-winter", PICKED, "terrain-roll")],
)
def test_the_set_up_of_season_four_says_once_where_its_five_tokens_lie(mode, taps, step):
    where = (
        "Lay one token in the centre of the battlefield and four more, each 18 inches from a player's "
        "battlefield edge and 6 inches from a flank."
    )
    g = play(lobby(mode, ruleset=2024), *READY)
    assert where not in said(g), "the question says it"
    g = play(g, *taps)
    helped = str(engine.step_of(g).helping(g, "red"))
    assert (g.question.step, helped.startswith(where), helped) == (step, True, helped)
    assert len(helped) > len(where)
    g = play(g, *(["red draw"] if mode == THRONES else ["red rolled:1", "blue rolled:2"]))
    assert where not in str(engine.step_of(g).helping(g, "red"))


@pytest.mark.rule("TMG-61")
@pytest.mark.parametrize("mode", [THRONES, "winds-of-winter"])
def test_the_rules_of_2020_say_of_no_token_that_it_lies_at_a_fixed_place(mode):
    g = play(lobby(mode), *READY)
    assert "18 inches" not in said(g) + str(engine.step_of(g).helping(g, "red"))


@pytest.mark.rule("TMG-61")
def test_where_players_place_the_tokens_nothing_says_where_they_lie():
    g = play(lobby("here-we-stand"), *READY)
    assert "Long Range" not in said(g) + str(engine.step_of(g).helping(g, "red"))


# --- who acts now ------------------------------------------------------------------------------------------


def acting(g):
    """The unit that the header names, as every seat and a spectator are shown it."""
    shown = TmgPage(engine.view(g, None), None, (), str, str).acting()
    found = derived_facts(g, None)["acting"]
    assert (shown and shown.title) == (found and f"Acting: {g.units[found].name}")
    return found


@pytest.mark.rule("TMG-69")
@pytest.mark.parametrize("where", ["own-zone", "east"])
def test_after_an_arrival_nobody_is_still_said_to_act(where):
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = table(red, [infantry("lions"), infantry("knights")], mode=CLASH, round=2, first="blue")
    g.objectives["west"].claimed_by = "wolves"
    g = play(g, "blue activate:lions")
    assert acting(g) == "lions"
    g = play(g, "red deploy:bears")
    assert acting(g) == "lions", "it has not arrived yet"
    assert acting(play(g, "red back")) == "lions"
    assert acting(play(g, f"red arrive:{where}")) is None


@pytest.mark.rule("TMG-15")
@pytest.mark.parametrize("mode", [CLASH, THRONES])
def test_a_unit_that_died_while_it_acted_acts_no_more(mode):
    g = table([infantry("wolves"), infantry("bears")], mode=mode, round=2)
    g = play(g, "red activate:wolves")
    assert acting(g) == "wolves"
    dead = fixed(g, "unit/wolves destroy:wolves", seat="blue")
    assert acting(dead) is None
    assert acting(fixed(dead, "unit/wolves wounds:wolves:3")) == "wolves", "it was not destroyed after all"


@pytest.mark.rule("TMG-80")
def test_the_first_player_put_right_before_the_first_turn_begins_it():
    g = fixed(table([infantry("wolves")], [infantry("lions")]), "table first:blue")
    assert (g.first, g.turn, g.rounds["1"].first, engine.to_act(g)) == ("blue", "blue", "blue", ("blue",))
    assert said(g) == "Blue is First Player.\nIt is the turn of Blue."


@pytest.mark.rule("TMG-80")
def test_the_first_player_put_right_after_the_turn_leads_the_round_in_its_row_too():
    g = fixed(table([infantry("wolves")], [infantry("lions")]), "table turn:blue", "table first:blue")
    assert (g.first, g.turn, g.rounds["1"].first, asks(g)) == ("blue", "blue", "blue", "turn blue")
    assert said(g) == "Blue is First Player."


@pytest.mark.rule("TMG-80")
def test_the_first_player_put_right_later_leaves_the_turn_alone():
    g = table([infantry("wolves"), infantry("bears")], [infantry("lions"), infantry("knights")])
    for taps in (["red activate:wolves"], ["red activate:wolves", "blue activate:lions"]):
        later = play(g, *taps)
        put = fixed(later, "table first:blue")
        assert (put.first, put.turn, put.rounds["1"].first) == ("blue", later.turn, "red")


@pytest.mark.rule("TMG-80")
def test_a_turn_that_only_deployed_was_the_first():
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = play(table(red, mode=CLASH, round=2), "red deploy:bears", "red arrive:own-zone")
    g = fixed(g, "table first:blue")
    assert (g.first, g.turn, g.rounds["2"].first) == ("blue", "blue", "red")


@pytest.mark.rule("TMG-80")
def test_where_both_have_only_deployed_the_first_turn_is_over_all_the_same():
    g = table(
        [infantry("wolves"), infantry("bears", place="reserve")],
        [infantry("lions"), infantry("knights", place="reserve")],
        mode=CLASH,
        round=2,
    )
    g = play(g, "red deploy:bears", "red arrive:own-zone", "blue deploy:knights", "blue arrive:own-zone")
    assert (g.turn, [unit.key for unit in g.units.values() if unit.activated]) == ("red", [])
    g = fixed(g, "table first:blue")
    assert (g.first, g.turn, g.rounds["2"].first) == ("blue", "red", "red")
    g = play(g, "red activate:wolves", "blue activate:lions", "red activate:bears", "blue activate:knights")
    g = play(agreed(play(g, "all done")), "red keep", "blue keep")
    assert (g.round, g.first, asks(fixed(g, "table first:blue"))) == (3, "red", "turn blue")


@pytest.mark.rule("TMG-80")
@pytest.mark.rule("TMG-24")
def test_a_unit_that_acts_out_of_turn_takes_no_first_turn():
    g = table([infantry("wolves"), infantry("bears")], [infantry("lions"), infantry("knights")])
    g = fixed(g, "unit/lions activate:lions", "table first:blue")
    assert (asks(g), g.rounds["1"].first) == ("turn blue", "blue")


@pytest.mark.rule("TMG-80")
def test_the_first_player_put_right_in_a_window_before_the_first_turn_begins_it_too():
    reminded = infantry("wolves", reminders=frozenset({"start-of-turn"}))
    g = table([reminded], [infantry("lions")], step="start-of-turn")
    assert g.question.step == "start-of-turn"
    g = fixed(g, "table first:blue")
    assert (g.question.step, g.turn) == ("start-of-turn", "blue")


@pytest.mark.rule("TMG-80")
@pytest.mark.rule("E8")
@pytest.mark.parametrize("mode", ["a-game-of-thrones", "winds-of-winter"])
def test_whom_an_effect_of_the_start_makes_first_player_leads_the_round_in_its_row_too(mode):
    note = {"note": "Jeyne", "reminders": frozenset({"start-of-round"})}
    g = table([infantry("wolves", **note)], [infantry("lions")], mode=mode, round=2)
    assert asks(g) == "start-of-round red"
    g = play(fixed(g, "table first:blue"), "red done")
    assert (asks(g), g.rounds["2"].first, g.rounds["1"].first) == ("turn blue", "blue", "red")
