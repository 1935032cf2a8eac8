"""The mode Here We Stand: sectors that army points hold."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.modes.here_we_stand import LaySectors
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.rules import deployment, destruction, tactics_cards
from games.systems.tmg.tests.tables import infantry, ncu, play, table
from tests.positions import asks, offered, said

MODE = "here-we-stand"


def stand(red=(), blue=(), **rest):
    red = red or [infantry("wolves", sector="red-west"), infantry("bears"), ncu("sansa")]
    blue = blue or [infantry("lions"), infantry("knights"), ncu("tyrion")]
    step = rest.pop("step", "start-of-round")
    g = table(red, blue, mode=MODE, **{"round": 2, **rest})
    flow = g.flow
    g.call(LaySectors)
    LaySectors().run(g)
    g.flow = flow
    if step != "start-of-round":
        for unit in g.units.values():
            unit.activated = True
        g.goto(SYSTEM.step_named(g, step))
        engine.advance(g)
    return g


def scoring(red, blue):
    return stand(red, blue, step="score-points")


@pytest.mark.rule("TMG-97")
def test_the_table_is_quartered_in_set_up():
    assert "lay-sectors" in deployment.order(stand())
    assert [sector.key for sector in stand().sectors()] == [
        "red-west",
        "red-east",
        "blue-west",
        "blue-east",
    ]


@pytest.mark.rule("TMG-97")
@pytest.mark.parametrize(
    ("red", "blue", "held"),
    [(5, 0, "red"), (4, 0, None), (6, 5, "red"), (5, 5, None), (5, 6, "blue")],
)
def test_a_sector_takes_five_points_and_more_than_the_opponent(red, blue, held):
    g = stand(
        [infantry("wolves", cost=red, sector="red-west")], [infantry("lions", cost=blue, sector="red-west")]
    )
    assert tactics_cards.sector_controller(g, g.objectives["red-west"]) == held


@pytest.mark.rule("TMG-97")
def test_attachments_count_and_what_is_destroyed_does_not():
    wolves = infantry("wolves", cost=3, attachments=(("Robb", "", 2, "red"),), sector="blue-east")
    g = stand([wolves, infantry("bears")])
    sector = g.objectives["blue-east"]
    assert (tactics_cards.sector_points(g, sector, "red"), tactics_cards.sector_controller(g, sector)) == (
        5,
        "red",
    )
    destruction.destroy(g, g.units["wolves"], "blue")
    assert (tactics_cards.sector_points(g, sector, "red"), g.units["wolves"].sector) == (0, None)


@pytest.mark.rule("TMG-97")
def test_the_own_side_scores_one_and_the_enemys_three():
    g = scoring(
        [infantry("wolves", sector="red-west"), infantry("bears", sector="blue-east")], [infantry("lions")]
    )
    assert str(engine.step_of(g).asking(g, None)) == "This round scores: Red 4, Blue 0"
    g = play(g, "red agree", "blue agree")
    assert [(row.points, row.source) for row in g.scores.values()] == [
        (1, "Red half, west"),
        (3, "Blue half, east"),
    ]


@pytest.mark.rule("TMG-97")
def test_nothing_scores_in_round_one_and_the_log_says_from_when_it_does():
    g = stand(round=1, step="score-points")
    assert g.scores == {}
    assert asks(g) == "discard red blue"
    assert "Sectors score from round 2." in said(g)
    later = stand(step="score-points")
    assert "from round 2" not in said(play(later, "red agree", "blue agree"))


@pytest.mark.rule("TMG-97")
def test_where_a_unit_stands_is_noted_beside_it_and_on_its_sheet():
    g = play(stand(), "red activate:bears")
    g = engine.adjust(g, "red", "unit/bears", "enter:bears:blue-west")
    assert g.units["bears"].sector == "blue-west"
    page = TmgPage(g, "red", (), str, lambda path: path)
    assert "Blue half, west" in [badge.text for badge in page.card(g.units["bears"]).badges]
    cards = {card.key: (card.text, card.mark) for card in page.middle().objectives}
    assert cards["blue-west"] == ("Red 5 · Blue 0", 1)
    assert engine.adjust(g, "red", "unit/bears", "exit:bears:blue-west").units["bears"].sector is None


@pytest.mark.rule("TMG-97")
def test_who_stands_in_a_sector_is_corrected_on_its_sheet_too():
    g = engine.adjust(stand(), "blue", "objective/blue-east", "enter:wolves:blue-east")
    assert g.units["wolves"].sector == "blue-east"
    (inside,) = [each for each in engine.corrections(g, "objective/blue-east") if each.on]
    assert inside.action == "exit:wolves:blue-east"
    g.units["bears"].place = "destroyed"
    there = {each.action for each in engine.corrections(g, "objective/red-west")}
    assert "enter:lions:red-west" in there
    assert "enter:bears:red-west" not in there


@pytest.mark.rule("TMG-97")
def test_an_ncu_may_stand_on_a_sector_and_add_its_points_for_the_round():
    g = play(stand(), "red activate:sansa")
    assert "sector:red-west" in offered(g, "red")
    g = play(g, "red sector:red-west")
    assert (tactics_cards.sector_points(g, g.objectives["red-west"], "red"), asks(g)) == (10, "turn blue")
    assert all(zone.claimed_by is None for zone in g.zones())
    g = play(g, "blue activate:lions", "red activate:wolves", "blue activate:knights", "red activate:bears")
    g = play(g, "blue activate:tyrion", "blue claim:crown", "all done", "red agree", "blue agree")
    assert (g.units["sansa"].sector, g.units["wolves"].sector) == (None, "red-west")


def crowded(**rules):
    """Every zone is claimed, and red has an NCU left."""
    crowd = [ncu(f"spy-{zone}", activated=True) for zone in ("crown", "wealth", "letters", "swords", "horse")]
    g = stand(blue=[infantry("lions"), infantry("knights"), *crowd], **rules)
    for zone in g.zones():
        zone.claimed_by = f"spy-{zone.key}"
    return g


@pytest.mark.rule("TMG-97")
@pytest.mark.rule("TMG-30")
@pytest.mark.parametrize("full_board", ["activates", "skipped"])
def test_an_ncu_may_stand_on_a_sector_even_when_every_zone_is_claimed(full_board):
    g = play(crowded(full_board=full_board), "red activate:sansa")
    assert asks(g) == "claim-zone red"
    assert [action for action in offered(g, "red") if action.startswith("claim:")] == []
    g = play(g, "red sector:blue-east")
    assert (g.units["sansa"].sector, asks(g)) == ("blue-east", "turn blue")


@pytest.mark.rule("TMG-97")
def test_an_ncu_stands_on_a_zone_or_on_a_sector_and_never_on_both():
    g = play(stand(), "red activate:sansa", "red claim:crown")
    g = engine.adjust(g, "red", "unit/sansa", "enter:sansa:red-west")
    assert (g.units["sansa"].sector, g.objectives["crown"].claimed_by) == ("red-west", None)
    g = engine.adjust(stand(), "red", "unit/sansa", "enter:sansa:red-west")
    g = play(g, "red activate:sansa", "red claim:crown")
    assert (g.units["sansa"].sector, g.objectives["crown"].claimed_by) == (None, "sansa")


@pytest.mark.rule("TMG-77")
@pytest.mark.rule("TMG-97")
def test_an_ncu_enters_no_sector_once_the_tactics_board_is_empty():
    def standing(g):
        found = {one.action for one in engine.corrections(g, "objective/red-west")}
        for unit in g.units:
            own = {one.action for one in engine.corrections(g, f"unit/{unit}")}
            assert found & {f"enter:{unit}:red-west", f"exit:{unit}:red-west"} == {
                action for action in own if action.endswith("red-west")
            }
        return found

    lions, tyrion = infantry("lions"), ncu("tyrion")
    g = stand([infantry("wolves", sector="red-west"), ncu("sansa")], [lions, tyrion], step="discard")
    stays = {"exit:wolves:red-west", "enter:lions:red-west"}
    assert (asks(g), standing(g)) == ("discard red blue", stays)
    g.units["sansa"].sector = "red-west"
    assert standing(g) == stays | {"exit:sansa:red-west"}
    g.units["sansa"].place = "destroyed"
    assert standing(g) == stays
    g = play(g, "red keep", "blue keep")
    assert "enter:tyrion:red-west" in standing(g)
