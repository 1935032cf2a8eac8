"""The last window of an activation belongs to whoever acted, though the opponent is asked at once."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.tests.tables import model, play, table
from tests.positions import asks, offered, said

LAST = {"counters": 1}
AFTER = {"note": "Curse", "reminders": frozenset({"feats-after"})}


@pytest.mark.rule("BUSH-14")
@pytest.mark.rule("BUSH-15")
@pytest.mark.parametrize(
    "correction", ["wounds:oni:-5", "fights-back:oni", "counters:oni:-1", "elsewhere:oni"]
)
def test_who_acted_has_the_last_window_if_what_it_did_leaves_the_opponent_no_model(correction):
    """On the row an action hands over at once; the wound is entered beside it."""
    g = play(table([model("goshi", **LAST)], [model("oni", **LAST)]), "red simple:goshi")
    assert asks(g) == "turn blue"
    g = play(g, f"red unit/oni {correction}")
    assert (asks(g), offered(g, "red"), offered(g, "blue")) == ("feats-after red", ["done"], [])
    assert g.active == "red"
    g = play(g, "red unit/goshi feat:goshi:0", "red done")
    assert "The End Phase begins." in said(g)


@pytest.mark.rule("BUSH-14")
def test_by_name_it_is_the_same():
    g = table([model("goshi", **LAST)], [model("oni", **LAST)])
    assert asks(play(g, "red act:goshi", "red melee:oni")) == "feats-after red"


@pytest.mark.rule("BUSH-14")
def test_a_seat_that_has_not_acted_is_not_reminded_of_what_follows_its_action():
    g = table([model("goshi"), model("ima")], [model("oni", **LAST), model("imp", counters=0, **AFTER)])
    g = play(g, "red simple:goshi", "red unit/oni fights-back:oni")
    assert (asks(g), offered(g, "blue")) == ("turn red", [])
    g = table([model("goshi", **LAST)], [model("oni", **LAST), model("imp", counters=0, **AFTER)])
    g = play(g, "red unit/goshi counters:goshi:-1", "red unit/oni counters:oni:-1")
    assert (asks(g), offered(g, "blue")) == ("feats-after blue", ["done"]), "nobody has acted"


@pytest.mark.rule("BUSH-14")
def test_what_was_resolved_after_the_action_is_not_asked_for_again():
    g = table([model("goshi", **LAST, **AFTER)], [model("oni", **LAST)])
    g = play(g, "red simple:goshi", "red resolve:goshi", "red unit/oni wounds:oni:-5")
    assert (asks(g), offered(g, "red")) == ("feats-after red", ["done"])


@pytest.mark.rule("BUSH-15")
def test_a_model_that_comes_back_into_the_fight_is_activated_by_its_player():
    g = play(table([model("goshi", **LAST)], [model("oni", **LAST)]), "red simple:goshi")
    g = play(g, "red unit/oni counters:oni:-1", "blue unit/oni counters:oni:1")
    assert asks(g) == "turn blue"


@pytest.mark.rule("BUSH-18")
def test_who_acted_last_says_in_which_order_fire_and_poison_kill():
    burning = {"wounds": 1, "markers": (("on-fire", 2), ("poisoned", 2))}
    g = table([model("goshi", **LAST)], [model("oni", **LAST), model("imp", counters=0, **burning)])
    g = play(g, "red simple:goshi", "red unit/oni wounds:oni:-5", "red done")
    assert asks(g) == "damage-states red"


@pytest.mark.rule("BUSH-14")
def test_who_is_wiped_out_does_not_close_the_window_of_who_did_it():
    g = play(
        table([model("goshi", **LAST)], [model("oni")]), "red simple:goshi", "red unit/oni wounds:oni:-5"
    )
    assert str(engine.step_of(g).helping(g, "red")).startswith("No model can act any more.")
    with pytest.raises(IllegalAction):
        play(g, "blue done")
