"""Taps from pages that were overtaken: the question is open, but no longer asks what the page shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.core import RequestRefused, State, say
from games.match import play
from games.models import Match
from games.systems.bushido.rules.end_phase import NextCheck, ScoreZones
from games.systems.bushido.tests.tables import model, starting, table
from games.systems.tmg.tests import tables as miniatures
from games.systems.tmg.tests.test_missions import winds
from tests.playing import Playing, state_of

pytestmark = pytest.mark.django_db


def put(state: State) -> Match:
    return play.create_match(Match(), state, say("A table."))


def tap(match: Match, seat: str, action: str, seen: int) -> int:
    return play.tap(match.code, seat, action, seen, play.new_key()).version


def is_stale(late: Callable[[], object]) -> bool:
    with pytest.raises(RequestRefused) as refused:
        late()
    return (refused.value.status, refused.value.error) == (409, "stale")


def test_two_phones_of_a_seat_that_enter_one_die_enter_it_once():
    match = put(starting([model("goshi")]))
    shown = tap(match, "red", "dice:2", match.version)
    tap(match, "red", "rolled:4", shown)
    assert is_stale(lambda: tap(match, "red", "rolled:4", shown))
    assert state_of(match).armies["red"].rolled == (4,)


def test_the_opponent_may_answer_from_the_page_before():
    match = put(starting([model("goshi")]))
    shown = tap(match, "red", "dice:2", match.version)
    tap(match, "red", "rolled:4", shown)
    tap(match, "blue", "rolled:3", shown)
    assert state_of(match).armies["blue"].rolled == (3,)


def test_nobody_agrees_to_a_victory_point_that_the_page_gave_to_somebody_else():
    match = put(table(turn=2, step=NextCheck))
    Playing(match).adjust("red", "army/red", "scenario-points:red:1")
    shown = Match.objects.get(pk=match.pk).version
    tap(match, "blue", "award:blue", shown)
    assert is_stale(lambda: tap(match, "red", "agree", shown))
    assert state_of(match).points("blue") == 0


def test_nor_to_numbers_that_a_correction_has_changed():
    match = put(table(turn=2, step=NextCheck))
    shown = match.version
    Playing(match).adjust("red", "army/red", "scenario-points:red:1")
    assert is_stale(lambda: tap(match, "blue", "agree", shown))


def test_but_a_correction_of_something_else_overtakes_nobody():
    match = put(table(turn=2, step=NextCheck))
    shown = match.version
    Playing(match).adjust("red", "unit/goshi", "wounds:goshi:-1")
    tap(match, "red", "agree", shown)
    assert tap(match, "blue", "agree", shown) == match.version + 3


def test_nor_to_zones_that_somebody_else_has_given_away():
    match = put(table(scenario="seikyu", step=ScoreZones))
    shown = match.version
    tap(match, "blue", "control:zone-a:blue", shown)
    assert is_stale(lambda: tap(match, "red", "agree", shown))


def test_nobody_ends_a_match_with_another_result_than_the_page_showed():
    match = put(table())
    Playing(match).adjust("red", "table", "time-out")
    shown = Match.objects.get(pk=match.pk).version
    Playing(match).adjust("red", "army/red", "points:red:1", "a card")
    assert is_stale(lambda: tap(match, "blue", "end-match", shown))
    assert state_of(match).result is None


def test_a_mission_that_both_revealed_counts_once_for_each_card_that_a_player_enters():
    chosen = "red choose:m11", "red reveal", "blue choose:m11", "blue reveal"
    match = put(miniatures.play(winds(), *chosen, "red activate:wolves", "blue activate:lions"))
    shown = match.version
    tap(match, "red", "enter:m11:2", shown)
    assert is_stale(lambda: tap(match, "red", "enter:m11:2", shown))
    tap(match, "blue", "enter:m11:1", shown)
    assert [state_of(match).points(seat) for seat in ("red", "blue")] == [2, 1]


def test_nobody_agrees_to_a_round_s_score_that_the_page_did_not_show():
    match = put(miniatures.clean_up(mode="a-game-of-thrones", claims={"centre": "wolves"}))
    shown = match.version
    Playing(match).adjust("blue", "objective/centre", "controller:centre:blue")
    assert is_stale(lambda: tap(match, "red", "agree", shown))
