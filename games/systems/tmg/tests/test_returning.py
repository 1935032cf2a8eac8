"""The mode A Clash of Kings: the destroyed return to the Reserve, and are counted all the same."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import activation_phase, destruction
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from games.systems.tmg.tests.test_a_clash_of_kings import clash, with_reserve
from tests.positions import offered, said


@pytest.mark.rule("TMG-70")
def test_the_destroyed_return_to_the_reserve_whole_and_without_conditions():
    g = clash([infantry("wolves", conditions=frozenset({"panicked"}), commander=True), infantry("bears")])
    destruction.destroy(g, g.units["wolves"], "blue")
    wolves = g.units["wolves"]
    assert (wolves.place, wolves.wounds, wolves.conditions) == ("reserve", 12, frozenset())
    assert (wolves.commander, g.points("blue")) == (True, 1)


ON_ITS_TRAY = (
    "more:lions:pillage",
    "more:lions:victory-point-token",
    "gain:lions:weakened",
    "on:lions:order",
    "on:lions:barred",
    "pool:lions:3",
    "engage:lions:wolves",
    "claim:lions:west",
)
ITS_OWN = ("remind:lions:end-of-turn", "extra-points:lions:2", "on:lions:activated", "command:lions")


def after(g, *actions):
    for action in actions:
        g = engine.adjust(g, "red", "unit/lions", action)
    return g


@pytest.mark.rule("TMG-70")
@pytest.mark.parametrize("on_tray", ON_ITS_TRAY)
def test_whatever_lay_on_a_destroyed_unit_s_tray_is_gone_when_it_comes_back(on_tray):
    blue = [infantry("lions", attachments=(("Jaime", "", 2, "blue"),)), infantry("knights")]
    g = after(clash(blue=blue), *ITS_OWN)
    bare, laden = after(g, "destroy:lions"), after(g, on_tray, "destroy:lions")
    assert (after(g, on_tray).units, after(g, on_tray).objectives) != (g.units, g.objectives)
    assert laden.units["lions"] == bare.units["lions"]
    assert laden.objectives == bare.objectives
    came = after(laden, "arrive:lions").units["lions"]
    assert (came.activated, came.commander, came.attachments) == (True, True, blue[0].attachments)
    assert (came.reminders, came.extra_vp, came.falls) == ({"end-of-turn"}, 2, 1)


@pytest.mark.rule("E12")
@pytest.mark.parametrize("on_tray", [action for action in ON_ITS_TRAY if "claim" not in action])
def test_so_it_is_where_a_card_returns_a_unit(on_tray):
    g = table(blue=[infantry("lions"), infantry("knights")])
    bare, laden = (after(g, *lay, "destroy:lions", "bring-back:lions") for lay in ((), (on_tray,)))
    assert laden.units["lions"] == bare.units["lions"]


@pytest.mark.rule("TMG-70")
@pytest.mark.parametrize(("activated", "again"), [(False, True), (True, False)])
def test_it_redeploys_in_the_same_round_only_if_it_had_not_activated(activated, again):
    g = clash([infantry("wolves", activated=activated), infantry("bears")])
    destruction.destroy(g, g.units["wolves"], "blue")
    assert ("deploy:wolves" in offered(g, "red")) is again
    assert ("next round" in said(g)) is not again


@pytest.mark.rule("TMG-70")
@pytest.mark.parametrize(
    ("round", "activated", "promised"),
    [(1, False, True), (1, True, True), (2, False, False), (5, True, True), (6, True, False)],
)
def test_the_next_round_is_promised_where_the_unit_has_to_wait_for_it_and_there_is_one(
    round, activated, promised
):
    g = clash([infantry("wolves", activated=activated), infantry("bears")], round=round)
    destruction.destroy(g, g.units["wolves"], "blue")
    assert ("may deploy next round" in said(g)) is promised
    assert "Wolves returns to the Reserve" in said(g)


@pytest.mark.rule("TMG-70")
def test_what_fell_after_a_flank_arrival_waits_for_the_next_round():
    g = with_reserve()
    g.objectives["west"].claimed_by = "wolves"
    g = play(g, "red deploy:bears", "red arrive:east")
    g = engine.adjust(g, "blue", "unit/bears", "destroy:bears")
    assert "deploy:bears" not in offered(play(g, "blue activate:lions"), "red")
    g = play(g, "blue activate:lions", "red activate:wolves", "blue activate:knights", "all done")
    g = play(g, "red agree", "blue agree", "red keep", "blue keep")
    assert g.round == 3
    assert "deploy:bears" in offered(play(g, "blue activate:lions"), "red")


@pytest.mark.rule("TMG-70")
def test_what_falls_in_round_one_waits_for_round_two():
    g = clash([infantry("wolves"), infantry("bears")], round=1)
    destruction.destroy(g, g.units["wolves"], "blue")
    assert offered(g, "red") == ["activate:bears"]


@pytest.mark.rule("TMG-70")
def test_a_destroyed_ncu_does_not_return():
    g = clash([infantry("wolves"), ncu("sansa")])
    destruction.destroy(g, g.units["sansa"], "blue")
    assert g.units["sansa"].place == "destroyed"


@pytest.mark.rule("TMG-70")
def test_a_destruction_that_was_none_is_taken_back_from_the_reserve():
    g = clash(blue=[infantry("lions"), infantry("knights")])
    g = engine.adjust(g, "red", "unit/lions", "destroy:lions")
    g = engine.adjust(g, "red", "unit/lions", "wounds:lions:3")
    assert (g.units["lions"].place, g.units["lions"].wounds, g.points("red")) == ("table", 3, 0)


@pytest.mark.rule("TMG-70")
def test_a_destruction_is_taken_back_once_even_if_the_unit_moves_to_the_reserve_later():
    g = clash(blue=[infantry("lions"), infantry("knights")])
    for action in ("destroy:lions", "wounds:lions:3", "withdraw:lions", "wounds:lions:1"):
        g = engine.adjust(g, "red", "unit/lions", action)
    assert (g.units["lions"].place, g.units["lions"].wounds, g.points("red")) == ("reserve", 4, 0)


@pytest.mark.rule("TMG-70")
@pytest.mark.rule("TMG-48")
def test_so_is_that_of_a_unit_that_grants_no_points():
    g = clash(blue=[infantry("rabble", grants_no_vp=True), infantry("knights")])
    g = engine.adjust(g, "red", "unit/rabble", "destroy:rabble")
    g = engine.adjust(g, "red", "unit/rabble", "wounds:rabble:3")
    assert (g.units["rabble"].place, g.units["rabble"].wounds, g.scores) == ("table", 3, {})
    assert destruction.destroyed_points(g, "blue") == 0
    assert "Victory Point" not in said(g)


@pytest.mark.rule("TMG-49")
def test_further_points_for_a_destruction_are_given_the_first_time_only():
    g = clash(blue=[infantry("queen", extra_vp=2), infantry("lions")])
    points = []
    for _time in range(3):
        destruction.destroy(g, g.units["queen"], "red")
        activation_phase.come_to_table(g, g.units["queen"])
        points.append(g.points("red"))
    assert points == [3, 4, 5]


@pytest.mark.rule("TMG-49")
def test_a_destruction_taken_back_was_not_the_first():
    g = clash(blue=[infantry("queen", extra_vp=2), infantry("lions")])
    destruction.destroy(g, g.units["queen"], "red")
    destruction.give_back(g, g.units["queen"], 1)
    destruction.destroy(g, g.units["queen"], "red")
    assert g.points("red") == 3


@pytest.mark.rule("TMG-72")
def test_a_redeployed_unit_destroyed_again_gives_its_point_again():
    g = clash(blue=[infantry("lions"), infantry("knights")])
    destruction.destroy(g, g.units["lions"], "red")
    g = play(g, "red activate:wolves", "blue deploy:lions", "blue arrive:own-zone")
    g = engine.adjust(g, "red", "unit/lions", "destroy:lions")
    assert g.points("red") == 2


@pytest.mark.rule("TMG-50")
def test_destroyed_points_are_counted_each_time_though_the_unit_waits_in_reserve():
    g = clash(blue=[infantry("lions", attachments=(("Jaime", "", 2, "blue"),)), infantry("knights")])
    for _time in range(2):
        destruction.destroy(g, g.units["lions"], "red")
        activation_phase.come_to_table(g, g.units["lions"])
    assert destruction.destroyed_points(g, "blue") == 14


@pytest.mark.rule("TMG-50")
def test_tournaments_read_the_destroyed_points_that_the_table_shows():
    g = clash(blue=[infantry("lions"), infantry("knights")])
    g = engine.adjust(g, "red", "unit/lions", "destroy:lions")
    assert SYSTEM.tally(g)["red"]["destroyed"] == 5
    assert SYSTEM.tie_breaks(g, "red") == {"points_destroyed": 5, "points_on_table": 5}


@pytest.mark.rule("TMG-50")
def test_the_score_card_counts_the_destroyed_that_wait_in_reserve():
    g = engine.adjust(
        clash(blue=[infantry("lions"), infantry("knights")]), "red", "unit/lions", "destroy:lions"
    )
    rows = dict(TmgPage(g, "red", (), str, lambda path: path).tallies())
    assert (rows["Units destroyed"], rows["Wounds missing"]) == ((0, 1), (0, 0))
