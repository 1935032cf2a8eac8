"""Who left, came late or was not there in time, when rounds are drawn afterwards."""

from __future__ import annotations

from games.events.rules import entering, running
from games.events.rules.pieces import Gathering
from tests.events.halls import gathering


def paired(g: Gathering, number: int) -> set[str]:
    return {key for one in g.at(number) for key in one.players}


def test_who_left_with_a_bye_is_not_drawn_again_when_the_round_is_called_off() -> None:
    g = gathering(5)
    running.pair(g)
    running.open_round(g, 0)
    (bye,) = (one.players[0] for one in g.at(1) if one.is_bye)
    entering.drop(g, bye)
    running.call_off(g, 0)
    running.pair(g)
    assert paired(g, 1) == set(g.players) - {bye}


def test_who_left_while_a_round_is_drawn_up_without_them_is_not_drawn_again() -> None:
    g = gathering(5)
    running.pair(g)
    running.by_hand(g, [["p1", "p2"], ["p3", "p4"]])
    entering.drop(g, "p5")
    running.repair(g)
    assert paired(g, 1) == {"p1", "p2", "p3", "p4"}
