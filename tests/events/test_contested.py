"""What two say differently, or one does not accept: it waits until they agree, or for a judge."""

from __future__ import annotations

import pytest

from games.events import commands, play
from games.events.play import Actor
from games.events.rules.pieces import Pairing
from games.match.verdict import RequestRefused
from tests.events.halls import ANNA, begun, end, first_table, scores, state

pytestmark = pytest.mark.django_db


def says(code: str, table: Pairing, player: str, *points: int) -> Pairing:
    """A player reports these points, and the event asks its tables; the pairing after it."""
    commands.report(code, Actor(player, player, "player"), table.key, player, scores(table, *points))
    play.settle(code)
    return state(code).pairings[table.key]


def test_what_a_table_says_and_a_player_contests_waits_for_a_judge_whatever_is_reported() -> None:
    code = begun()
    table = first_table(code)
    end(table.match, 5, 2)
    play.settle(code)
    one = table.players[0]
    commands.contest(code, Actor(one, "", "player"), table.key, one, "It was 5-4.")
    for player in table.players:
        found = says(code, table, player, 5, 4)
        assert (found.state, found.results[table.players[1]]["vp"]) == ("contested", 2)
    with pytest.raises(RequestRefused, match="A judge has to rule"):
        commands.enter_result(code, ANNA, table.key, scores(table, 1, 1))
    commands.rule(code, ANNA, table.key, scores(table, 5, 4), "Counted again.")
    assert state(code).pairings[table.key].state == "entered"


def test_two_who_said_different_things_may_still_agree() -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    assert says(code, table, one, 5, 2).state == "reported"
    assert says(code, table, other, 5, 4).state == "contested"
    assert says(code, table, one, 5, 3).state == "contested"
    assert says(code, table, one, 5, 4).state == "agreed"
