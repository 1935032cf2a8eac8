"""Whose Active feats are open: the last of an activation end when the next player begins (steps 5 and 6)."""

import pytest

from games.core import IllegalAction, engine
from games.systems.bushido.page import BushidoPage
from games.systems.bushido.tests.tables import model, play, table
from tests.positions import asks, said

BLADE = {"note": "Hidden blade", "reminders": frozenset({"feats-before"})}


def acted(**blue):
    """Red has acted, so Blue is the Active Player."""
    return play(table([model("goshi", ki=3)], [model("oni", ki=3, **blue)]), "red simple:goshi")


def may_use(g, model):
    """Whether a model may use an Active feat now."""
    try:
        return bool(play(g, f"red unit/{model} feat:{model}:1"))
    except IllegalAction:
        return False


@pytest.mark.rule("BUSH-14")
@pytest.mark.parametrize(
    "begins",
    [["blue unit/oni feat:oni:1"], ["blue act:oni"], ["blue act:oni", "blue back"], ["blue simple:oni"]],
)
def test_the_last_feats_end_as_soon_as_the_opponent_begins(begins):
    """They were open until it had acted, so that both used feats after each other's."""
    g = acted()
    assert (asks(g), may_use(g, "goshi")) == ("turn blue", True)
    g = play(g, *begins)
    assert (may_use(g, "goshi"), may_use(g, "oni")) == ("blue simple:oni" in begins, True)
    assert play(g, "red unit/goshi ki:goshi:-1").units["goshi"].ki == 2, "an Instant feat is no Active one"


@pytest.mark.rule("BUSH-14")
def test_the_last_feats_end_with_a_reminder_that_the_opponent_uses_before_its_action():
    g = acted(**BLADE)
    assert (asks(g), may_use(g, "goshi")) == ("feats-before blue", True)
    assert not may_use(play(g, "blue resolve:oni"), "goshi")


@pytest.mark.rule("BUSH-09")
@pytest.mark.rule("BUSH-14")
def test_a_feat_is_logged_as_one_before_or_after_the_action():
    g = acted()
    assert said(play(g, "red unit/goshi feat:goshi:1")).startswith("Goshi uses a feat after the action")
    g = play(g, "blue unit/oni feat:oni:1")
    assert said(g).startswith("Oni uses a feat before the action")


@pytest.mark.rule("BUSH-14")
@pytest.mark.rule("BUSH-15")
def test_who_goes_on_alone_may_use_feats_at_any_time():
    g = table([model("goshi", ki=3)], [model("oni", counters=0)])
    g = play(g, "red simple:goshi")
    assert said(play(g, "red unit/goshi feat:goshi:1")).startswith("Goshi uses a feat after the action")
    g = play(g, "red act:goshi")
    assert said(play(g, "red unit/goshi feat:goshi:1")).startswith("Goshi uses a feat before the action")


@pytest.mark.rule("BUSH-13")
@pytest.mark.rule("BUSH-33")
def test_a_fight_is_still_noted_once_the_opponent_has_begun():
    masked = model("goshi", markers=(("disguised", 1),))
    g = play(table([masked], [model("oni"), model("imp")]), "red simple:goshi", "blue act:imp")
    g = play(g, "red unit/oni fights-back:oni")
    assert (g.units["oni"].counters, g.units["goshi"].markers) == (1, ())


@pytest.mark.rule("BUSH-14")
def test_who_acted_closes_the_turn_though_the_opponent_had_begun():
    g = table([model("goshi", counters=1)], [model("oni", counters=1)])
    g = play(g, "red simple:goshi", "blue act:oni", "red unit/oni wounds:oni:-5")
    assert asks(g) == "feats-after red"


@pytest.mark.rule("BUSH-14")
def test_the_page_offers_feats_while_they_are_open_and_wounds_for_longer():
    def beside(g):
        seen = engine.view(g, "red")
        acting = BushidoPage(seen, "red", engine.offers(g, "red"), str, lambda path: path).acting()
        return acting.hint, [offer.action for group in acting.groups for offer in group.offers]

    before, after = beside(acted()), beside(play(acted(), "blue act:oni"))
    assert any("feat:goshi" in action for action in before[1])
    assert not any("feat:goshi" in action for action in after[1])
    assert any("wounds:goshi" in action for action in after[1])
    assert before[0] != after[0]
