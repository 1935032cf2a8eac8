"""Results of events that were entered by hand are in the statistics, each game once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import statistics
from games.hall import commands
from games.hall.models import Event
from games.models import Match
from games.statistics import OTHERS, Asked, Tally, count
from tests.hall.halls import ANNA, begun, end, opened, scores, state

pytestmark = pytest.mark.django_db

TMG = Asked("tmg")


def event_with(*factions: str, **settings) -> str:
    """The code of an event whose first round is open, each player with a faction as somebody typed it."""
    code = opened(0, mode="manual-scoring", **settings)
    for number, faction in enumerate(factions, 1):
        commands.register(code, ANNA, f"Player {number}", "", faction)
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def enter(code: str, key: str, *points: int, **more) -> None:
    commands.enter_result(code, ANNA, key, scores(state(code).pairings[key], *points, **more))


def test_an_entered_result_counts_for_its_factions_its_mode_and_its_end():
    code = event_with("史塔克", "free FOLK", "stark", "Anna’s own")
    for one in state(code).at(1):
        by_key = {
            key: 9 if state(code).players[key].faction in ("Haus Stark", "stark") else 2
            for key in one.players
        }
        enter(code, one.key, *by_key.values())
    found = count(TMG)
    assert (found.matches, found.finished, found.sides) == (2, 2, 2.0)
    assert [(line.mode, line.matches) for line in found.modes] == [("manual-scoring", 2)]
    assert found.ends == {"played": 2}
    assert found.factions["stark"].matches == 2
    assert sum(tally.matches for tally in found.factions.values()) == 4
    assert found.factions["freefolk"].matches == found.factions[OTHERS].matches == 1
    assert {slug: rest for slug, *rest in statistics.overview()}["tmg"] == [2, 2]


def test_who_won_who_lost_and_against_whom():
    code = event_with("stark", "freefolk")
    (one,) = state(code).at(1)
    first = state(code).players[one.players[0]].faction
    enter(code, one.key, 3, 3, winner=one.players[1])
    found = count(TMG)
    assert (found.factions[first].losses, found.factions[first].wins) == (1, 0)
    (pair,) = found.pairings
    assert (pair.one, pair.other, pair.matches) == ("freefolk", "stark", 1)
    assert (pair.wins, pair.losses) == ((0, 1) if first == "freefolk" else (1, 0))


def test_a_draw_is_half_a_win_and_a_game_that_all_lost_is_none():
    code = event_with("stark", "stark")
    enter(code, "1-1", 4, 4)
    assert count(TMG).factions["stark"] == Tally(2, 0, 2)
    commands.rule(code, ANNA, "1-1", {**scores(state(code).pairings["1-1"], 4, 4), "how": "all-lost"}, "late")
    assert count(TMG).factions["stark"] == Tally(2, 0, 0)
    commands.rule(code, ANNA, "1-1", {**scores(state(code).pairings["1-1"], 4, 4), "how": "conceded"}, "left")
    assert count(TMG).ends == {"conceded": 1}


def test_each_game_counts_once_however_its_result_was_known():
    code = begun(4)
    by_table, by_hand = (one for one in state(code).at(1))
    end(by_table.match, 5, 2)
    assert (count(TMG).matches, count(TMG).finished) == (1, 1)
    enter(code, by_hand.key, 7, 1)
    assert (count(TMG).matches, count(TMG).finished) == (2, 2)
    # A table that was begun and then entered is one match among all, also while nothing has ended it.
    end(by_hand.match, 7, 1)
    assert (count(TMG).matches, count(Asked("tmg", is_any=True)).matches) == (2, 2)


def test_a_table_on_which_play_began_is_not_counted_twice_among_all():
    code = begun(2)
    (one,) = state(code).at(1)
    Match.objects.filter(code=one.match).update(round=2)
    assert (count(TMG).matches, count(Asked("tmg", is_any=True)).matches) == (0, 1)
    commands.rule(code, ANNA, one.key, scores(one, 7, 1), "played elsewhere")
    assert (count(TMG).matches, count(TMG).finished) == (1, 1)
    every = count(Asked("tmg", is_any=True))
    assert (every.matches, every.finished) == (1, 1)
    assert {slug: rest for slug, *rest in statistics.overview()}["tmg"] == [1, 1]


@pytest.mark.parametrize("hidden", [{"is_demo": True}, {"is_listed": False}])
def test_demo_and_unlisted_events_byes_and_no_shows_are_left_out(hidden):
    code = begun(3)
    byes = [one for one in state(code).at(1) if one.is_bye]
    assert (len(byes), count(TMG).matches) == (1, 0)
    (one,) = [one for one in state(code).at(1) if not one.is_bye]
    commands.no_show(code, ANNA, one.key, one.players[0])
    assert count(TMG).matches == 0
    other = begun(2)
    enter(other, "1-1", 5, 1)
    Event.objects.filter(code=other).update(**hidden)
    assert count(TMG).matches == 0


def test_narrowed_by_mode_faction_and_day():
    code = event_with("stark", "freefolk")
    enter(code, "1-1", 5, 1)
    today = timezone.localdate()

    def matches(**narrowed) -> int:
        return count(Asked("tmg", **narrowed)).matches

    assert matches(mode="manual-scoring", faction="stark", since=today, until=today) == 1
    assert matches(mode="a-game-of-thrones") == matches(faction="bolton") == 0
    assert matches(since=today + timedelta(1)) == matches(until=today - timedelta(1)) == 0


def test_houses_of_the_board_game_count_by_their_seat():
    code = opened(3, system="agot", size=3)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    (one,) = state(code).at(1)
    enter(code, one.key, 7, 3, 1)
    found = count(Asked("agot"))
    assert found.matches == 1
    assert found.factions[one.seats[0]] == Tally(1, 1, 0)
    assert len(found.pairings) == 3
