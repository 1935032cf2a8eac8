"""Small points of the rules that a transcript alone would not hold: each test fails for one line."""

import pytest

from games.core import engine
from games.systems.tmg.rules import ending, reserve, wounds
from games.systems.tmg.tests.correcting import fixed, offer
from games.systems.tmg.tests.tables import agreed, infantry, ncu, play, table
from tests.positions import asks, offered

CLASH = "a-clash-of-kings"


@pytest.mark.rule("TMG-49")
@pytest.mark.parametrize(("mode", "points"), [("a-game-of-thrones", [3, 6]), (CLASH, [3, 4])])
def test_further_points_are_given_once_only_where_the_destroyed_return_by_themselves(mode, points):
    g = table(blue=[infantry("queen", extra_vp=2), infantry("lions")], mode=mode, round=2)
    found = []
    for _time in points:
        wounds.destroy(g, g.units["queen"], "red")
        found.append(g.points("red"))
        wounds.bring_back(g, g.units["queen"])
    assert found == points


@pytest.mark.rule("TMG-68")
def test_an_ncu_that_was_set_aside_does_not_deploy_from_the_reserve():
    red = [infantry("wolves"), infantry("bears", place="reserve"), ncu("sansa", place="reserve")]
    g = table(red, mode=CLASH, round=2)
    assert [unit.key for unit in reserve.waiting(g, "red")] == ["bears"]
    assert "deploy:bears" in offered(g, "red")
    assert "deploy:sansa" not in offered(g, "red")


@pytest.mark.rule("TMG-68")
def test_an_ncu_in_reserve_does_not_keep_the_phase_open():
    g = table([infantry("wolves"), ncu("sansa", place="reserve")], mode=CLASH, round=2)
    g = play(g, "red activate:wolves", "blue activate:lions")
    assert asks(g) == "end-of-turn blue"


@pytest.mark.rule("TMG-84")
def test_the_army_points_that_break_a_tie_count_ncus():
    """Blue's Combat Units cost more; with its NCU, Red has more army points on the table."""
    red, blue = [infantry("wolves", cost=5), ncu("sansa", cost=4)], [infantry("lions", cost=7)]
    for unit in (*red, *blue):
        unit.activated = True
    g = table(red, blue, round=6, step="end-of-turn")
    assert [ending.army_points(g, seat, "table") for seat in g.seats] == [9, 7]
    g = agreed(play(g, f"{g.turn} done"))
    assert (g.result["winner"], g.result["how"]) == ("red", "points-on-table")


@pytest.mark.rule("TMG-82")
@pytest.mark.rule("TMG-84")
@pytest.mark.parametrize(("points", "how"), [(10, "points"), (9, "last-round")])
def test_in_the_last_round_the_target_is_checked_first(points, how):
    wolves, lions = infantry("wolves", activated=True), infantry("lions", activated=True)
    g = table([wolves], [lions], round=6, step="end-of-turn", target=10)
    g.score("red", points, "test")
    g = agreed(play(g, f"{g.turn} done"))
    assert (g.result["winner"], g.result["how"]) == ("red", how)


@pytest.mark.rule("TMG-70")
@pytest.mark.rule("TMG-72")
def test_once_a_unit_has_arrived_its_destruction_stands():
    """Held back again by a correction, it was not "not destroyed after all": its point stays."""
    g = table(blue=[infantry("lions"), infantry("knights")], mode=CLASH, round=2)
    g = fixed(g, "unit/lions destroy:lions")
    assert "It was not destroyed" in str(offer(g, "unit/lions", "wounds:lions").detail)
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
    g = play(g, *(f"{seat} done" for seat in engine.to_act(g)))
    assert asks(agreed(g)) == f"scoring-effects {first}"
