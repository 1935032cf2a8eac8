"""The dice of a Melee Exchange: pools as they were split, success levels, and the wound tests that follow."""

import pytest

from games.core import engine
from games.systems.bushido.pieces import Table
from games.systems.bushido.rules import melee_exchange
from games.systems.bushido.tests.tables import model, play, table


@pytest.fixture
def dice(monkeypatch):
    """The dice that the app rolls next."""
    faces = []
    monkeypatch.setattr(Table, "die", lambda g, sides=6: faces.pop(0))
    return faces.extend


def fight(**oni):
    """Goshi of Red has fought Oni of Blue."""
    g = table([model("goshi"), model("kappa")], [model("oni", **oni), model("tengu")])
    return play(g, "red act:goshi", "red melee:oni")


def exchange(g, *pools):
    """Attack and defence dice of Goshi, then of Oni."""
    verbs = [
        ("goshi", "attack-dice"),
        ("goshi", "defence-dice"),
        ("oni", "attack-dice"),
        ("oni", "defence-dice"),
    ]
    for (key, verb), number in zip(verbs, pools, strict=False):
        g = engine.adjust(g, "red" if key == "goshi" else "blue", f"unit/{key}", f"{verb}:{key}:{number}")
    return g


def said(g):
    return [str(line) for line in g.lines]


def asks(g):
    return (g.question.step, g.question.about)


@pytest.mark.rule("BUSH-37")
def test_each_side_enters_its_own_dice_and_nothing_is_rolled_before_that():
    g = exchange(fight(), 2, 1, 1)
    assert melee_exchange.missing(g) == [("oni", "defence-dice")]
    assert melee_exchange.pools(g)["oni", "attack-dice"] == 1
    assert asks(g) == asks(fight())


@pytest.mark.rule("BUSH-37")
def test_who_does_not_fight_has_no_dice_and_a_fight_may_go_on_at_the_table():
    g = fight()
    actions = {offer.action for key in g.units for offer in engine.corrections(g, f"unit/{key}")}
    assert {action for action in actions if action.startswith("attack-dice")} == {
        "attack-dice:goshi", "attack-dice:oni",
    }  # fmt: skip
    g = play(exchange(g, 2), "blue table end-exchange")
    assert g.exchange == ()


@pytest.mark.rule("BUSH-38")
@pytest.mark.parametrize(
    ("faces", "expected"),
    [([4, 2], 5), ([4], 4), ([6, 5, 4, 3], 8), ([5, 1], 5), ([1, 1], 0), ([], 0)],
)
def test_what_dice_come_to(faces, expected):
    assert melee_exchange.result(faces) == expected


@pytest.mark.rule("BUSH-38")
@pytest.mark.parametrize(
    ("pools", "faces", "hits"),
    [
        # 5 against 5, three dice left against two.
        ((1, 2, 1, 1), [5, 2, 2, 1, 5], ["Goshi hits, success level 0.", "Oni does not hit."]),
        # As many dice left: the model that acted wins.
        ((1, 0, 0, 1), [5, 5], ["Goshi hits, success level 0.", "Oni does not hit."]),
        ((1, 1, 1, 1), [2, 6, 6, 4], ["Goshi does not hit.", "Oni does not hit."]),
    ],
)
def test_tied_dice_are_decided_by_those_left_then_by_who_acted(dice, pools, faces, hits):
    dice(faces)
    assert said(exchange(fight(), *pools))[-2:] == hits


@pytest.mark.rule("BUSH-39")
def test_both_may_hit_one_after_the_other(dice):
    dice([4, 2, 5, 5, 3, 4])
    g = exchange(fight(), 2, 1, 2, 1)
    assert said(g)[1:3] == ["Goshi: attack 4 2, defence 5.", "Oni: attack 5 3, defence 4."]
    assert asks(g) == ("wound-test", ("oni", "1", "goshi"))
    g = play(g, "blue rolled:7")
    assert asks(g) == ("wound-test", ("goshi", "1", "oni"))
    g = play(g, "red rolled:7")
    assert (g.exchange, g.question.step) == ((), fight().question.step)


@pytest.mark.rule("BUSH-39")
def test_who_is_killed_does_not_hit_back(dice):
    dice([6, 5, 5, 5, 3, 2])
    g = exchange(fight(wounds=1), 2, 1, 2, 1)
    g = play(g, "blue rolled:12")
    assert (g.units["oni"].place, g.question.step) == ("removed", fight().question.step)


@pytest.mark.rule("BUSH-39")
def test_without_attack_dice_nobody_is_hit(dice):
    dice([3, 1])
    g = exchange(fight(), 0, 1, 0, 1)
    assert said(g)[-2:] == ["Goshi does not hit.", "Oni does not hit."]
