"""The modes as a whole: each states its set-up in full, and any of them comes to an end."""

import pytest

from games.core import engine
from games.systems.tmg import SYSTEM
from games.systems.tmg.rules import deployment
from games.systems.tmg.rules.table_facts import derived_facts
from games.systems.tmg.tests.tables import lobby, play, table
from tests.positions import asks, offered, said

MODES = [mode.slug for mode in SYSTEM.modes]


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_says_in_a_few_words_what_it_is(mode):
    assert SYSTEM.mode(mode).summary


@pytest.mark.rule("TMG-04")
@pytest.mark.parametrize("mode", MODES)
def test_the_guide_walks_through_the_modes_own_set_up(mode):
    g = lobby(mode)
    steps = [step["name"] for step in derived_facts(g, None)["guide"]["steps"]]
    assert steps == deployment.order(g)
    assert (steps[0], "deploy" in steps) == ("muster", True)


@pytest.mark.rule("TMG-04")
@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("a-game-of-thrones", "6 inches"),
        ("a-clash-of-kings", "12 inches"),
        ("fire-and-blood", "18 inches"),
        ("honed-and-ready", "10 inches"),
        ("a-dance-with-dragons", "12 inches"),
        ("a-feast-for-crows", "12 inches"),
        ("manual-scoring", "map says"),
    ],
)
def test_deployment_states_the_modes_depth(mode, words):
    g = lobby(mode)
    g.first, g.turn, g.flow = "red", "blue", ()
    g.call(SYSTEM.step_named(g, "deploy"))
    assert words in str(engine.step_of(g).helping(g, "blue"))


# --- manual scoring ----------------------------------------------------------------------------------


def manual(**rest):
    return table(mode="manual-scoring", step="score-points", round=2, **rest)


@pytest.mark.rule("TMG-100")
def test_any_mode_lays_as_many_tokens_as_its_map_shows():
    ready = ("red demo:stark", "blue demo:lannister", "red ready", "blue ready")
    g = play(lobby("manual-scoring"), *ready)
    assert asks(g) == "lay-tokens red blue"
    assert offered(g, "red") == ["tokens 0-6"]
    g = play(g, "blue tokens:3")
    assert said(g) == "3 objective tokens lie on the battlefield."
    assert ([token.key for token in g.tokens()], g.question.step) == (
        ["token-a", "token-b", "token-c"],
        "zone-roll",
    )
    assert play(lobby("manual-scoring"), *ready, "red tokens:0").question.step == "zone-roll"


@pytest.mark.rule("TMG-100")
def test_the_players_enter_the_rounds_points_source_by_source():
    g = manual()
    assert asks(g) == "score-points red blue"
    assert offered(g, "red") == [
        "done",
        *sorted(f"enter:{s} 1-9" for s in ("objectives", "missions", "combat", "mode")),
    ]
    g = play(g, "red enter:objectives:3", "blue enter:mode:2", "red enter:combat:1")
    assert [(row.seat, row.points, row.reason, row.source) for row in g.scores.values()] == [
        ("red", 3, "set by its players", "Objectives"),
        ("blue", 2, "set by its players", "Another rule of the mode"),
        ("red", 1, "set by its players", "Combat (extra points)"),
    ]
    assert "enter:objectives 1-9" not in offered(g, "red")
    assert "enter:objectives 1-9" in offered(g, "blue")


@pytest.mark.rule("TMG-100")
def test_the_clean_up_goes_on_when_both_have_entered_their_points():
    g = play(manual(), "red done")
    assert asks(g) == "score-points blue"
    g = play(g, "blue enter:missions:9", "blue enter:mode:1", "blue done")
    assert g.result is not None
    assert (g.result["winner"], g.result["how"]) == ("blue", "points")
    assert asks(play(manual(), "red done", "blue done")) == "discard red blue"


@pytest.mark.rule("TMG-100")
def test_more_tokens_may_come_during_the_match():
    g = engine.adjust(table(mode="manual-scoring"), "red", "table", "another-token")
    assert said(g) == "Token A is added to the battlefield."
    g = engine.adjust(g, "red", "unit/wolves", "claim:wolves:token-a")
    assert g.objectives["token-a"].claimed_by == "wolves"
    actions = [offer.action for offer in engine.corrections(table(), "table")]
    assert "another-token" not in actions


@pytest.mark.rule("TMG-46")
@pytest.mark.parametrize("mode", MODES)
def test_an_enemy_destroyed_gives_its_point_in_any_mode(mode):
    g = table(mode=mode)
    g = engine.adjust(g, "red", "unit/lions", "destroy:lions")
    assert g.points("red") == 1
