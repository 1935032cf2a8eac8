"""Who left, came late or was not there in time, when rounds are drawn afterwards."""

from __future__ import annotations

import pytest

from games.core import IllegalAction
from games.hall.rules import event_results, event_rounds, registration, round_draw
from games.hall.rules.event_state import KNOCKOUT, ROUND_ROBIN, EventState
from tests.hall.halls import gathering, scores


def paired(g: EventState, number: int) -> set[str]:
    return {key for one in g.at(number) for key in one.players}


def test_who_left_with_a_bye_is_not_drawn_again_when_the_round_is_called_off() -> None:
    g = gathering(5)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    (bye,) = (one.players[0] for one in g.at(1) if one.is_bye)
    registration.drop(g, bye)
    event_rounds.call_off(g, 0)
    event_rounds.pair(g)
    assert paired(g, 1) == set(g.players) - {bye}


def test_who_left_while_a_round_is_drawn_up_without_them_is_not_drawn_again() -> None:
    g = gathering(5)
    event_rounds.pair(g)
    event_rounds.by_hand(g, [["p1", "p2"], ["p3", "p4"]])
    registration.drop(g, "p5")
    event_rounds.repair(g)
    assert paired(g, 1) == {"p1", "p2", "p3", "p4"}


def play_on(g: EventState) -> None:
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    for one in g.at(g.last.number):
        if not one.is_decided:
            event_results.enter(g, one.key, scores(one, 9, 3))
    event_rounds.close_round(g, 0)


def meetings(g: EventState) -> list[frozenset[str]]:
    return [frozenset(one.players) for one in g.pairings.values() if not one.is_bye]


def test_everybody_who_is_there_meets_everybody_else_who_is() -> None:
    g = gathering(8, kind=ROUND_ROBIN, length=0)
    for key in ("p2", "p5", "p6"):
        g.players[key].checked_in = False
    play_on(g)
    assert round_draw.rounds_in_all(g) == 5
    registration.remove(g, "p5")
    while g.last.number < round_draw.rounds_in_all(g):
        play_on(g)
    assert (len(meetings(g)), len(set(meetings(g)))) == (10, 10)
    assert set(round_draw.byes_of(g).values()) == {1}


def test_the_circle_keeps_the_places_of_those_who_leave_it() -> None:
    g = gathering(6, kind=ROUND_ROBIN, length=0)
    play_on(g)
    registration.drop(g, "p3")
    for _round in range(4):
        play_on(g)
    assert round_draw.rounds_in_all(g) == 5
    assert len(meetings(g)) == len(set(meetings(g))) == 11


def test_a_knock_out_follows_when_everybody_has_met_everybody() -> None:
    g = gathering(4, kind=ROUND_ROBIN, length=0, cut=2)
    for _round in range(round_draw.rounds_in_all(g)):
        play_on(g)
    assert [one.stage for one in g.rounds.values()] == ["main", "main", "main", "cut"]
    event_rounds.finish(g)


def test_a_knock_out_waits_until_somebody_says_after_how_many_rounds() -> None:
    g = gathering(8, length=0, cut=2, days=7)
    play_on(g)
    assert (g.last.stage, round_draw.rounds_in_all(g)) == ("main", 0)
    g.length = 1
    play_on(g)
    assert (g.last.stage, round_draw.rounds_in_all(g)) == ("cut", 2)


def test_who_is_here_when_a_knock_out_begins_is_in_it() -> None:
    """Nobody can enter it once it has begun."""
    g = gathering(6, kind=KNOCKOUT)
    for key in ("p5", "p6"):
        g.players[key].checked_in = False
    event_rounds.pair(g)
    for key in ("p5", "p6"):
        registration.check_in(g, key)
    with pytest.raises(IllegalAction, match=r"Not paired in this round: Player 5, Player 6\."):
        event_rounds.open_round(g, 0)
    event_rounds.repair(g)
    for _round in range(3):
        event_rounds.open_round(g, 0)
        for one in g.at(g.last.number):
            if not one.is_bye:
                event_results.enter(g, one.key, scores(one, 9, 3))
        event_rounds.close_round(g, 0)
        if g.last.number < 3:
            event_rounds.pair(g)
    assert paired(g, 1) == set(g.players)


def test_the_players_when_a_round_opens_count_not_those_when_it_was_drawn_up() -> None:
    """With 20 of them there were three rounds if only seven were there at first."""
    g = gathering(7, length=0)
    event_rounds.pair(g)
    for n in range(8, 21):
        registration.register(g, f"Player {n}")
    registration.check_in_all(g)
    event_rounds.repair(g)
    event_rounds.open_round(g, 0)
    assert (g.length, round_draw.rounds_in_all(g)) == (4, 4)


def test_who_is_paired_is_here_until_the_pairings_are_changed() -> None:
    g = gathering(5)
    event_rounds.pair(g)
    with pytest.raises(IllegalAction, match="The organisers must cancel that round first"):
        registration.check_in(g, "p1", here=False)
    registration.check_in(g, "p1")
    event_rounds.by_hand(g, [["p2", "p3"], ["p4", "p5"]])
    registration.check_in(g, "p1", here=False)
    event_rounds.open_round(g, 0)


def test_every_game_in_play_of_who_leaves_a_league_is_their_opponents() -> None:
    g = gathering(4, kind=ROUND_ROBIN, length=3, days=7)
    for _round in range(2):
        event_rounds.pair(g)
        event_rounds.open_round(g, 0)
    registration.drop(g, "p1")
    for number in (1, 2):
        one = g.pairing_of("p1", number)
        assert one is not None
        assert (one.how, one.winner) == ("left", one.rivals("p1")[0])


@pytest.mark.parametrize(("players", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3)])
def test_how_often_all_meet_all_is_open_until_somebody_is_there(players: int, rounds: int) -> None:
    """The page of the event said that it had -1 rounds."""
    assert round_draw.rounds_in_all(gathering(players, kind=ROUND_ROBIN, length=0)) == rounds
