"""More small points that only whole matches held before: each test fails for one line."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.pieces import Place
from games.systems.tmg.rules import activation_phase, destruction, tactics_cards
from games.systems.tmg.rules.missions import MISSIONS
from games.systems.tmg.tests.correcting import duel, fixed, offer
from games.systems.tmg.tests.tables import answers, clean_up, infantry, lobby, ncu, play, table
from games.systems.tmg.tests.test_decks import dealt
from tests.positions import asks, offered, said

CLASH, FIRE, SECTORS, WINGS = "a-clash-of-kings", "fire-and-blood", "here-we-stand", "dark-wings-dark-words"
READY = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")


def checked(*seen):
    """The check of victory in Dark Wings, Dark Words, all activated; of the missions seen three lie open."""
    g = table([infantry("wolves", activated=True)], [infantry("lions", activated=True)], mode=WINGS)
    g.facts = {**g.facts, "missions": list(seen)}
    for key in seen[-3:]:
        g.objectives[key] = Place(key, name=MISSIONS[key], kind="mission")
    g.flow = ()
    g.call(SYSTEM.step_named(g, "check-victory"))
    engine.advance(g)
    return g


# --- turns and the end of the phase ------------------------------------------------------------------


@pytest.mark.rule("TMG-15")
@pytest.mark.rule("TMG-18")
def test_whoever_has_a_unit_to_activate_is_asked_to():
    g = table([infantry("wolves")], [infantry("lions"), infantry("knights")])
    assert str(engine.step_of(g).asking(g, "red")) == "Activate a unit"


@pytest.mark.rule("TMG-18")
def test_nobody_acts_any_more_once_a_turn_was_passed():
    g = table([infantry("wolves")], [infantry("lions"), infantry("knights"), infantry("guards")])
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert g.acting == "lions"
    assert play(g, "red pass").acting is None


@pytest.mark.rule("TMG-19")
@pytest.mark.rule("TMG-70")
def test_what_falls_after_its_player_passed_asks_whether_it_deploys():
    red = [infantry("wolves"), infantry("bears", barred=True), infantry("crows", place="reserve")]
    g = table(red, [infantry("lions"), infantry("knights")], mode=CLASH, round=2)
    g = play(g, "red activate:wolves", "blue activate:lions", "red pass")
    g = fixed(g, "unit/bears destroy:bears")
    g = play(g, "blue activate:knights")
    assert (asks(g), answers(g, "red")) == ("turn red", ["deploy:bears", "deploy:crows", "pass"])


@pytest.mark.rule("TMG-23")
@pytest.mark.rule("TMG-30")
def test_a_companion_acts_alone_while_a_full_board_skips_its_master():
    g = table([infantry("bear", linked_to="jorah"), ncu("jorah")], full_board=activation_phase.SKIPPED)
    assert offered(g, "red") == ["activate:jorah"]
    for zone in g.zones():
        zone.claimed_by = "lions"
    assert [unit.key for unit in activation_phase.activatable(g, "red")] == ["bear"]


# --- scoring and the clean-up ------------------------------------------------------------------------


@pytest.mark.rule("TMG-62")
@pytest.mark.rule("TMG-75")
def test_the_same_score_is_agreed_to_again_in_the_next_round():
    g = play(clean_up(claims={"token-b": "wolves"}), "red agree", "blue agree", "red resolve:token-b")
    g = play(g, "red keep", "blue keep", "blue activate:lions", "red activate:wolves", "all done")
    assert (g.round, asks(g)) == (3, "score-points red blue")


@pytest.mark.rule("TMG-95")
@pytest.mark.rule("TMG-77")
def test_what_was_activated_is_fresh_again_after_a_mission_was_replaced():
    g = play(checked("m01", "m02", "m03"), "red drawn:m04", "red replace:m02")
    assert asks(g) == "discard red blue"
    assert not any(unit.activated for unit in g.units.values())


@pytest.mark.rule("TMG-95")
def test_once_every_mission_was_seen_none_is_replaced():
    assert asks(checked(*MISSIONS)) == "discard red blue"


# --- destruction -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-96")
@pytest.mark.rule("TMG-47")
def test_a_mark_pays_only_whoever_destroyed_its_unit():
    g = table(blue=[infantry("lions", marked=True), infantry("knights")], mode=FIRE)
    destruction.destroy(g, g.units["lions"], None)
    assert [(row.points, row.seat) for row in g.scores.values()] == [(1, "red")]


@pytest.mark.rule("TMG-96")
@pytest.mark.rule("TMG-37")
def test_nobody_is_asked_who_destroyed_an_ncu():
    g = table([infantry("wolves", marked=True)], [infantry("lions"), ncu("tyrion")], mode=FIRE)
    assert asks(fixed(g, "unit/tyrion destroy:tyrion")) == "turn red"


@pytest.mark.rule("TMG-96")
def test_a_unit_with_as_many_point_tokens_as_it_can_hold_gets_no_more():
    most = (("Victory Point token", 20),)
    red, blue = [infantry("wolves", commander=True)], [infantry("lions", counters=most), infantry("knights")]
    g = play(table(red, blue, mode=FIRE), "red activate:wolves")
    assert offered(g, "red") == ["leave", "token:knights"]


@pytest.mark.rule("TMG-10")
@pytest.mark.rule("TMG-49")
def test_what_an_enemy_attachment_adds_is_paid_with_the_unit_that_it_joined():
    g = play(lobby(), *READY[:3])
    g.armies["red"].captives = (("Hostage", "", 1, 1),)
    g = play(g, "blue ready", "red join:lannister-crossbowmen")
    joined = g.units["lannister-crossbowmen"]
    assert (joined.extra_vp, joined.attachments[-1]) == (1, ("Hostage", "", 1, "red"))


@pytest.mark.rule("TMG-85")
def test_whoever_plays_on_is_not_asked_again_because_something_else_was_corrected():
    g = fixed(table([infantry("wolves")], [infantry("lions")]), "unit/wolves destroy:wolves", seat="blue")
    g = play(g, "red play-on")
    assert asks(g) == "turn red"
    assert asks(fixed(g, "unit/lions gain:lions:panicked")) == "turn red"


# --- where a unit is ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-35")
def test_an_ncu_that_moves_to_the_reserve_influences_nobody():
    g = fixed(duel(), "unit/sansa influence:sansa:lions", "unit/sansa withdraw:sansa")
    assert g.units["sansa"].influences is None


@pytest.mark.rule("TMG-36")
def test_an_ncu_that_left_its_zone_is_not_kept_there():
    g = fixed(duel(), "unit/sansa occupy:sansa:crown", "unit/sansa on:sansa:kept")
    assert not fixed(g, "unit/sansa vacate:sansa:crown").units["sansa"].kept


@pytest.mark.rule("TMG-97")
def test_what_waits_in_reserve_adds_no_points_to_a_sector():
    g = table([infantry("wolves", place="reserve", sector="red-west"), infantry("bears")], mode=SECTORS)
    assert tactics_cards.sector_points(g, Place("red-west", kind="sector"), "red") == 0


# --- what is said and kept ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-61")
def test_the_card_beside_a_token_stands_in_the_log():
    g = play(lobby(ruleset=2024), *READY, "blue card:centre:mend")
    assert said(g) == "Centre: Mend."


@pytest.mark.rule("TMG-64")
def test_only_effects_that_are_put_aside_are_forgotten():
    g = play(clean_up(claims={"centre": "wolves"}), "red agree", "blue agree")
    assert asks(fixed(g, "table keep-aside:notes")) == "scoring-effects red"


@pytest.mark.rule("TMG-43")
def test_a_limited_pool_of_tokens_may_be_used_up():
    g = fixed(duel(), "unit/sansa pool:sansa:2")
    assert offer(g, "unit/sansa", "pool:sansa").minimum == -2


@pytest.mark.rule("TMG-39")
def test_what_becomes_infantry_has_the_wounds_of_infantry():
    g = fixed(duel(), "unit/sansa kind:sansa:infantry")
    assert (g.units["sansa"].wounds, g.units["sansa"].rank_size) == (12, 4)


def test_what_is_corrected_to_one_is_told_as_one():
    assert said(fixed(duel(), "unit/sansa pool:sansa:1")) == "Sansa has 1 order token left."
    assert said(fixed(duel(), "unit/sansa cost:sansa:-4")) == "Sansa costs 1 army point."
    assert said(fixed(duel(), "unit/wolves wounds-total:wolves:-11")) == "Wolves has 1 wound in total."


@pytest.mark.rule("TMG-03")
def test_who_won_the_roll_for_a_zone_stands_in_the_log():
    g = play(lobby(CLASH), *READY, "red rolled:1", "blue rolled:6")
    assert said(g).endswith("Blue wins the roll.")


@pytest.mark.rule("TMG-62")
@pytest.mark.parametrize(
    ("round", "taps", "is_told"), [(1, (), True), (2, ("red agree", "blue agree"), False)]
)
def test_only_round_one_is_told_that_objectives_score_later(round, taps, is_told):
    g = table([infantry("wolves", activated=True)], [infantry("lions", activated=True)], round=round)
    g = play(g, "all done", *taps)
    assert ("Objectives score from round 2." in said(g)) == is_told


def test_a_sub_title_given_and_taken_away_stands_in_the_log():
    g = fixed(duel(), "unit/wolves retitle:wolves", note="The Pack")
    assert said(g) == "Wolves has the subtitle The Pack."
    assert said(fixed(g, "unit/wolves retitle:wolves")) == "Wolves has no subtitle."


@pytest.mark.rule("TMG-59")
def test_either_way_of_a_switch_of_the_list_entry_stands_in_the_log():
    g = fixed(duel(), "unit/wolves on:wolves:cannot-control")
    assert said(g) == "Wolves cannot control objectives."
    assert said(fixed(g, "unit/wolves off:wolves:cannot-control")) == "Wolves can control objectives."


@pytest.mark.rule("TMG-90")
def test_of_two_cards_on_a_unit_only_the_one_whose_time_is_over_ends():
    g = table(decks=1)
    g.units["lions"].cards = (("c01", "red", tactics_cards.TURN), ("c02", "red", tactics_cards.GAME))
    tactics_cards.expire(g, tactics_cards.TURN)
    assert (g.units["lions"].cards, g.armies["red"].discards) == (
        (("c02", "red", tactics_cards.GAME),),
        ("c01",),
    )


@pytest.mark.rule("TMG-88")
def test_a_card_that_is_being_played_is_not_lost():
    g = dealt(table())
    assert tactics_cards.in_all(g, "red") == tactics_cards.in_all(play(g, "red lay:c01"), "red")


@pytest.mark.rule("TMG-89")
def test_on_a_shared_device_nobody_reads_which_cards_may_be_discarded():
    g = dealt(clean_up())
    cards = [offer for offer in engine.offers(g, "red") if offer.action != "keep"]
    assert cards
    assert all(offer.is_secret for offer in cards)
