"""Small points of the rules that a transcript alone would not hold: each test fails for one line."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.rules import clean_up_phase, destruction, end_of_match, moments_of_play, tactics_cards
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.correcting import fixed, offer
from games.systems.tmg.tests.tables import agreed, all_done, clean_up, infantry, lobby, ncu, play, table
from games.systems.tmg.tests.test_beside import at_hand
from tests.positions import asks, offered, said

CLASH, FIRE = "a-clash-of-kings", "fire-and-blood"


@pytest.mark.rule("TMG-49")
@pytest.mark.parametrize(("mode", "points"), [("a-game-of-thrones", [3, 6]), (CLASH, [3, 4])])
def test_further_points_are_given_once_only_where_the_destroyed_return_by_themselves(mode, points):
    g = table(blue=[infantry("queen", extra_vp=2), infantry("lions")], mode=mode, round=2)
    found = []
    for _time in points:
        destruction.destroy(g, g.units["queen"], "red")
        found.append(g.points("red"))
        destruction.bring_back(g, g.units["queen"])
    assert found == points


@pytest.mark.rule("TMG-68")
def test_an_ncu_that_was_set_aside_does_not_deploy_from_the_reserve():
    red = [infantry("wolves"), infantry("bears", place="reserve"), ncu("sansa", place="reserve")]
    g = table(red, mode=CLASH, round=2)
    assert [unit.key for unit in g.reserve("red")] == ["bears"]
    assert "deploy:bears" in offered(g, "red")
    assert "deploy:sansa" not in offered(g, "red")


@pytest.mark.rule("TMG-68")
def test_an_ncu_in_reserve_does_not_keep_the_phase_open():
    g = table([infantry("wolves"), ncu("sansa", place="reserve")], mode=CLASH, round=2)
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert asks(g) == "score-points red blue"


@pytest.mark.rule("TMG-84")
def test_the_army_points_that_break_a_tie_count_ncus():
    """Blue's Combat Units cost more; with its NCU, Red has more army points on the table."""
    red, blue = [infantry("wolves", cost=5), ncu("sansa", cost=4)], [infantry("lions", cost=7)]
    for unit in (*red, *blue):
        unit.activated = True
    g = table(red, blue, round=6, step="end-of-turn")
    assert [end_of_match.army_points(g, seat) for seat in g.seats] == [9, 7]
    g = agreed(all_done(g))
    assert (g.result["winner"], g.result["how"]) == ("red", "points-on-table")


@pytest.mark.rule("TMG-82")
@pytest.mark.rule("TMG-84")
@pytest.mark.parametrize(("points", "how"), [(10, "points"), (9, "last-round")])
def test_in_the_last_round_the_target_is_checked_first(points, how):
    wolves, lions = infantry("wolves", activated=True), infantry("lions", activated=True)
    g = table([wolves], [lions], round=6, step="end-of-turn", target=10)
    g.score("red", points, "test")
    g = agreed(all_done(g))
    assert (g.result["winner"], g.result["how"]) == ("red", how)


@pytest.mark.rule("TMG-70")
@pytest.mark.rule("TMG-72")
def test_once_a_unit_has_arrived_its_destruction_stands():
    """Held back again by a correction, it was not "not destroyed after all": its point stays."""
    g = table(blue=[infantry("lions"), infantry("knights")], mode=CLASH, round=2)
    g = fixed(g, "unit/lions destroy:lions")
    assert "Undoes its destruction" in str(offer(g, "unit/lions", "wounds:lions").detail)
    g = play(g, "red activate:wolves", "blue deploy:lions", "blue arrive:own-zone")
    g = fixed(g, "unit/lions withdraw:lions")
    assert (g.units["lions"].place, g.points("red")) == ("reserve", 1)
    assert offer(g, "unit/lions", "wounds:lions").detail is None


@pytest.mark.rule("TMG-64")
@pytest.mark.parametrize("first", ["red", "blue"])
@pytest.mark.parametrize("last", ["red", "blue"])
def test_effects_begin_with_the_first_player_whoever_had_the_last_turn(first, last):
    wolves, lions = infantry("wolves", activated=True), infantry("lions", activated=True)
    g = table([wolves], [lions], round=2, step="end-of-turn", first=first)
    g.turn = last
    g.objectives["token-a"].claimed_by, g.objectives["token-b"].claimed_by = "wolves", "lions"
    assert asks(agreed(all_done(g))) == f"scoring-effects {first}"


def asked(g, seat):
    """The sentence with which the open question turns to a seat, None for a spectator."""
    return str(engine.step_of(g).asking(g, seat))


@pytest.mark.rule("TMG-15")
@pytest.mark.rule("TMG-18")
def test_each_seat_reads_whose_turn_it_is_and_that_nothing_is_left():
    g = table([infantry("wolves")], [infantry("lions"), infantry("knights")])
    mine = asked(g, "red")
    assert asked(g, "blue") == asked(g, None) == "Red activates a unit" != mine
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert (asks(g), asked(g, "red")) == ("turn red", "Nothing left to activate: pass")
    assert asked(g, "blue") == asked(g, None) == "It is the turn of Red"


@pytest.mark.rule("E6")
@pytest.mark.rule("TMG-68")
def test_who_may_deploy_reads_so_and_nobody_else_does():
    red = [infantry("wolves"), infantry("bears", place="reserve")]
    g = table(red, [infantry("lions"), infantry("knights")], mode=CLASH, round=2)
    assert asked(g, "red") == "Activate or deploy a unit"
    assert asked(g, "blue") == "Red activates a unit"
    g = play(g, "red activate:wolves")
    assert asked(g, "blue") not in ("Activate or deploy a unit", "Deploy a unit, or pass")
    g = play(g, "blue activate:lions")
    assert asked(g, "red") == "Deploy a unit, or pass"


@pytest.mark.rule("TMG-33")
@pytest.mark.rule("E11")
def test_who_counted_as_controlling_a_zone_does_so_until_the_clean_up_only():
    g = table([infantry("wolves", activated=True)], [infantry("lions", activated=True)], step="end-of-turn")
    g.objectives["crown"].counts_for = "red"
    g = all_done(g)
    assert tactics_cards.holders(g, g.objectives["crown"]) == ()


@pytest.mark.rule("TMG-32")
def test_the_extra_zone_that_was_asked_for_is_added():
    g = table()
    tactics_cards.add(g, "house-of-the-undying")
    assert [entry["key"] for entry in tactics_cards.missing(g)] == ["water-gardens"]
    assert "house-of-the-undying" in g.objectives


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_fell_is_kept_on_no_zone_when_it_returns():
    g = table([infantry("wolves"), ncu("sansa", kept=True)])
    destruction.destroy(g, g.units["sansa"], "blue")
    destruction.bring_back(g, g.units["sansa"])
    assert not g.units["sansa"].kept


@pytest.mark.rule("TMG-79")
@pytest.mark.rule("E14")
def test_only_the_objective_that_says_so_raises_the_hand():
    g = table()
    usual = clean_up_phase.hand_limit(g, "red")
    g.objectives["centre"].claimed_by = "wolves"
    assert clean_up_phase.hand_limit(g, "red") == usual == 3


@pytest.mark.rule("TMG-63")
def test_a_token_without_a_card_scores_its_point_and_no_more():
    g = clean_up(claims={"token-a": "wolves"})
    g.objectives["token-a"].card = None
    assert agreed(g).points("red") == 1


@pytest.mark.rule("TMG-71")
def test_the_log_says_that_the_commander_brought_the_further_point():
    g = clean_up([infantry("wolves", commander=True)], claims={"west": "wolves"}, mode=CLASH)
    g = play(g, "red agree", "blue agree")
    assert "Red scores 2 Victory Points: West (controlled by the Commander: 1)." in said(g)


@pytest.mark.rule("TMG-64")
def test_the_first_player_comes_first_whichever_seat_it_has():
    g = table()
    assert moments_of_play.in_order(g) == ("red", "blue")
    g.first = "blue"
    assert moments_of_play.in_order(g) == ("blue", "red")
    g.first = ""
    assert moments_of_play.in_order(g) == g.seats


@pytest.mark.rule("TMG-14")
def test_programs_read_whose_turn_it_is_and_what_each_unit_does():
    red = [infantry("wolves"), infantry("bears", barred=True), infantry("crows")]
    g = play(table(red), "red activate:wolves")
    facts = derived_facts(g, None)
    assert (facts["turn"], facts["first"], facts["acting"]) == ("blue", "red", "wolves")
    assert facts["units"] == {"wolves": "acting", "bears": "barred", "crows": "ready", "lions": "ready"}
    facts = derived_facts(play(g, "blue activate:lions"), None)
    assert (facts["turn"], facts["units"]["wolves"], facts["units"]["lions"]) == ("red", "done", "acting")
    assert derived_facts(lobby(), None)["turn"] is None


@pytest.mark.rule("TMG-20")
@pytest.mark.parametrize("place", ["reserve", "destroyed", "unplaced"])
def test_programs_read_where_a_unit_is_that_is_not_on_the_battlefield(place):
    g = table([infantry("wolves"), infantry("bears", place=place)])
    assert derived_facts(g, None)["units"]["bears"] == place


@pytest.mark.rule("TMG-54")
def test_programs_read_which_token_is_contested():
    g = table()
    g.objectives["centre"].claimed_by = "wolves"
    assert not derived_facts(g, None)["tokens"]["centre"]["contested"]
    assert not derived_facts(g, None)["tokens"]["token-a"]["contested"]
    g.units["wolves"].wounds, g.units["wolves"].engaged_with = 4, frozenset({"lions"})
    token = derived_facts(g, None)["tokens"]["centre"]
    assert (token["claimed_by"], token["controller"], token["contested"]) == ("wolves", None, True)


@pytest.mark.rule("TMG-87")
def test_a_match_that_stays_over_is_worked_out_again_and_asks_nobody():
    wolves, lions = infantry("wolves", activated=True), infantry("lions", activated=True)
    g = table([wolves], [lions], round=6, step="end-of-turn")
    g.score("red", 2, "test")
    g = agreed(all_done(g)).copy()
    assert (g.result["winner"], g.result["how"]) == ("red", "last-round")
    assert derived_facts(g, None)["guide"] is None
    flow, g.lines = g.flow, []
    g.score("blue", 3, "correction")
    end_of_match.recompute(g)
    end_of_match.ask_first(g)
    assert (g.result["winner"], g.flow, said(g)) == ("blue", flow, "The result is worked out again.")


@pytest.mark.rule("TMG-61")
def test_each_seat_reads_who_places_which_token():
    g = play(lobby(), "red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    g = play(g, "red rolled:5", "blue rolled:2")
    assert asked(g, "red") == "Place token 2 of 5"
    assert asked(g, "blue") == asked(g, None) == "Red places token 2 of 5"


@pytest.mark.rule("TMG-10")
def test_only_who_brought_an_enemy_attachment_is_asked_which_unit_it_joins():
    g = table()
    g.armies["red"].captives = (("Turncoat", "Spy", 1, 0), ("Abel", "Bard", 1, 0))
    join = SYSTEM.step_named(g, "join-enemy")()
    assert str(join.asking(g, "red")) == str(join.asking(g, None)) == "Which enemy unit does Turncoat join?"


@pytest.mark.rule("TMG-03")
def test_a_real_die_and_the_first_player_stand_in_the_log():
    g = play(lobby(), "red demo:stark", "blue demo:lannister", "red ready")
    assert said(play(lobby(), "red demo:stark", "red ready")).endswith("Red is ready.")
    g = play(g, "blue ready", "red rolled:5")
    assert said(g) == "Red rolled 5 with real dice."


@pytest.mark.rule("TMG-96")
def test_who_destroyed_it_is_asked_by_name_of_who_fell_only_where_a_marked_unit_may_have():
    g = table([infantry("wolves", marked=True)], [infantry("lions"), infantry("knights")], mode=FIRE)
    g = fixed(g, "unit/lions destroy:lions")
    assert (asks(g), asked(g, "red")) == ("by-whom red", "Which unit destroyed Lions?")
    assert said(play(g, "red by-another")) == "No marked unit destroyed Lions."
    g = table([infantry("wolves")], [infantry("lions"), infantry("knights")], mode=FIRE)
    assert asks(fixed(g, "unit/lions destroy:lions")) == "turn red"


@pytest.mark.rule("TMG-98")
def test_nobody_left_to_be_shot_at_stands_in_the_log():
    g = clean_up(claims={"token-a": "wolves"}, mode="honed-and-ready")
    g = fixed(agreed(g), "unit/wolves destroy:wolves", seat="blue")
    if asks(g).startswith("ending"):
        g = play(g, f"{engine.to_act(g)[0]} play-on")
    assert said(play(g, "red resolve:token-a")).startswith("Token A: no unit left to hit.")


@pytest.mark.rule("TMG-78")
@pytest.mark.rule("TMG-79")
def test_what_is_discarded_is_counted_and_a_full_hand_draws_no_card():
    g = play(clean_up(), "red discard:2")
    assert said(g) == "Red discards 2 cards."
    g = play(g, "blue keep")
    assert "Red draws 2 cards" in said(g)
    assert "Blue draws" not in said(g)


@pytest.mark.rule("TMG-97")
def test_the_quartered_battlefield_stands_in_the_log():
    g = play(lobby("here-we-stand"), "red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    assert "The battlefield has four sectors, two on either side." in said(g)


@pytest.mark.rule("TMG-23")
@pytest.mark.rule("E10")
def test_a_companion_acts_alone_while_its_master_is_barred():
    g = table([infantry("bear", linked_to="raiders"), infantry("raiders", barred=True)])
    assert offered(g, "red") == ["activate:bear"]
    g.units["raiders"].barred = False
    assert offered(g, "red") == ["activate:raiders"]


@pytest.mark.rule("TMG-46")
def test_only_the_points_of_this_destruction_can_be_taken_back():
    g = table()
    g.units["lions"].paid = (("red", 5),)
    destruction.destroy(g, g.units["lions"], "red")
    assert g.units["lions"].paid == (("red", 1),)


@pytest.mark.rule("TMG-20")
def test_the_acting_unit_hits_nobody_who_is_off_the_battlefield():
    g = table([infantry("wolves")], [infantry("lions"), infantry("knights", place="destroyed")])
    g = play(g, "red activate:wolves")
    assert "knights" not in at_hand(g)
    assert "lions" in at_hand(g)
