"""Each kind of event is itself: a knock-out has a bracket, a round robin and a league their own rules."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from games.hall import commands, event_actions
from games.hall.models import Event
from games.hall.pages import bracket, event_screens
from games.hall.rules import event_rounds, round_draw
from games.hall.rules.event_state import CLOSED, DRAFTED, OPEN, EventState, Round
from games.hall.rules.standings import standings
from games.web import clock
from tests.hall.halls import ANNA, drawn, opened, play_round, refused, scores, state
from tests.hall.places import ask, card, phone, said
from tests.hall.test_organiser import page, phone_of, send
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def first_wins(g: EventState, pairing: Any) -> dict[str, Any]:
    return scores(pairing, 7, 5)


def ranks(code: str) -> dict[str, int]:
    return {line.player: line.rank for line in standings(state(code))}


def played(rounds: int, players: int = 8, **settings: Any) -> str:
    code = opened(players, kind="knock-out", **settings)
    for _number in range(rounds):
        play_round(code, first_wins)
    return code


def test_a_knock_out_is_ranked_by_how_far_each_got_and_shares_third_place() -> None:
    code = played(3)
    assert sorted(ranks(code).values()) == [1, 2, 3, 3, 5, 5, 5, 5]
    final = next(state(code).at(3))
    assert ranks(code)[final.winner] == 1
    assert ranks(code)[final.rivals(final.winner)[0]] == 2
    best = standings(state(code))[0]
    assert (best.won, best.values["vp"]) == (3, 21)


def test_the_losers_of_the_semi_finals_play_for_third_place_where_that_is_wanted() -> None:
    code = played(2, third=True)
    losers = {one.rivals(one.winner)[0] for one in state(code).at(2)}
    assert "knockout" not in card(phone(code, min(losers)), code)
    play_round(code, first_wins)
    final, third = sorted(state(code).at(3), key=lambda one: one.key)
    assert set(third.players) == losers
    assert sorted(ranks(code).values()) == [1, 2, 3, 4, 5, 5, 5, 5]
    assert ranks(code)[final.winner] == 1
    assert ranks(code)[third.winner] == 3
    assert "Final" in ask(Phone(), code, "event-round", 3).content.decode()


def test_seeds_meet_late_and_nobody_has_the_same_one() -> None:
    code = opened(8, kind="knock-out")
    keys = list(state(code).players)
    for number in (1, 2):
        commands.seed(code, ANNA, keys[-number], number)
    assert refused(commands.seed, code, ANNA, keys[0], 2).status == 409
    commands.pair(code, ANNA)
    ties = sorted(state(code).at(1), key=lambda one: one.key)
    where = {key: at for at, one in enumerate(ties) for key in one.players}
    assert (where[keys[-1]], where[keys[-2]]) == (0, 2)
    assert refused(commands.seed, code, ANNA, keys[0], 3).status == 409


def test_the_bracket_shows_who_has_won_their_place_before_a_round_is_drawn() -> None:
    code = played(1)
    shown = bracket.bracket_of(state(code))
    assert [len(one.ties) for one in shown.rounds] == [4, 2, 1]
    winners = [one.winner for one in sorted(state(code).at(1), key=lambda one: one.key)]
    assert [player.key for tie in shown.rounds[1].ties for player in tie.players] == winners
    assert shown.rounds[2].ties[0].players == ()
    for name in ("event-standings", "event-print-standings"):
        assert ask(Phone(), code, name).content.decode().count('class="tie ') == 7
    hall = event_screens.hall_of(Event.objects.get(code=code))
    assert [sheet.key for sheet in hall.sheets if sheet.bracket] == ["bracket-1"]


def test_a_screen_shows_three_rounds_of_a_bracket_and_four_pairings() -> None:
    code = played(1, 32)
    parts = bracket.on_screens(bracket.bracket_of(state(code)))
    assert [[len(one.ties) for one in part.rounds] for part in parts] == [[4, 2, 1]] * 2
    play_round(code, first_wins)
    play_round(code, first_wins)
    (last,) = bracket.on_screens(bracket.bracket_of(state(code)))
    assert [len(one.ties) for one in last.rounds] == [4, 2, 1]


def test_a_draw_asks_both_players_at_once_who_advances() -> None:
    code, one = drawn()
    first = one.players[0]
    phones = [phone(code, key) for key in one.players]
    assert "A draw" in card(phones[0], code)
    tap(phones[0], code, f"goes-on-{first} {one.key}")
    assert not state(code).pairings[one.key].winner
    tap(phones[1], code, f"goes-on-{first} {one.key}")
    assert state(code).pairings[one.key].winner == first
    assert "You won" in card(phones[0], code)
    event_actions.take_over_results(code)
    assert state(code).pairings[one.key].winner == first, "the table does not take it back"


def tap(someone: Phone, code: str, do: str) -> None:
    key = re.search(r'name="key" value="([^"]+)"', ask(someone, code).content.decode())[1]
    answer = someone.ask("POST", reverse("event-do", args=[code]), {"do": do, "key": key})
    assert answer.status_code == 302, said(answer)


def test_players_who_differ_on_who_advances_wait_for_a_judge() -> None:
    code, one = drawn()
    for key in one.players:
        commands.go_on(code, ANNA, one.key, key, key)
    assert state(code).pairings[one.key].state == "contested"


def test_organisers_say_who_advances_with_one_tap() -> None:
    code, one = drawn()
    olga = phone_of(code)
    shown = page(olga, code)
    assert f'value="go_on {one.key} {one.players[1]}"' in shown
    assert f'value="go_on {one.key} {one.players[1]}"' in page(olga, code, "organise-table", one.key)
    assert send(olga, code, f"go_on {one.key} {one.players[1]}").status_code == 302
    assert state(code).pairings[one.key].winner == one.players[1]
    assert refused(commands.go_on, code, ANNA, one.key, one.players[0]).status == 409


def test_games_of_who_leaves_a_round_robin_before_half_count_for_nobody() -> None:
    def points(code: str) -> dict[str, int]:
        return {line.player: line.values["wins"] for line in standings(state(code))}

    told = {}
    for annuls in (False, True):
        code = opened(6, kind="round-robin", annuls=annuls, seed="a")
        play_round(code, first_wins)
        gone = next(state(code).at(1)).players[1]
        winner = next(state(code).at(1)).winner
        assert points(code)[winner] == 1
        commands.drop(code, ANNA, gone)
        told[annuls] = points(code)[winner]
        assert not annuls or standings(state(code))[-1].player == gone
        play_round(code, first_wins)
        alone = next(one for one in state(code).at(2) if one.is_bye)
        assert alone.how == ("no-game" if annuls else "bye")
    assert told == {False: 1, True: 0}


def test_games_of_who_leaves_a_swiss_event_stay() -> None:
    code = opened(4, annuls=True)
    play_round(code, first_wins)
    before = {line.player: line.values for line in standings(state(code))}
    commands.drop(code, ANNA, next(state(code).at(1)).players[1])
    assert {line.player: line.values for line in standings(state(code))} == before


def test_who_leaves_a_round_robin_after_half_leaves_the_games_as_they_are() -> None:
    code = opened(4, kind="round-robin", annuls=True)
    for _number in (1, 2):
        play_round(code, first_wins)
    before = {line.player: line.values["wins"] for line in standings(state(code))}
    commands.drop(code, ANNA, next(state(code).at(1)).players[1])
    assert {line.player: line.values["wins"] for line in standings(state(code))} == before


def test_in_two_legs_everybody_meets_everybody_twice() -> None:
    code = opened(4, kind="round-robin", legs=2, length=0)
    for _number in range(6):
        play_round(code, first_wins)
    met: dict[frozenset[str], list[str]] = {}
    for one in state(code).pairings.values():
        met.setdefault(frozenset(one.players), []).append(one.players[0])
    assert [len(firsts) for firsts in met.values()] == [2] * 6
    assert refused(commands.pair, code, ANNA).status == 409


def test_who_comes_late_to_a_league_meets_everybody() -> None:
    code = opened(4, kind="round-robin", days=7, length=0)
    play_round(code, first_wins)
    commands.come_late(code, ANNA, "Late", "", "", "loss")
    while has_more_rounds(code):
        play_round(code, first_wins)
        assert len(state(code).rounds) < 9
    met = [frozenset(one.players) for one in state(code).pairings.values() if not one.is_bye]
    assert len(met) == len(set(met)) == 10
    assert standings(state(code))[0].lost + standings(state(code))[-1].lost <= 4


def has_more_rounds(code: str) -> bool:
    g = state(code)
    return not round_draw.is_beyond(g, g.last.number + 1)


@pytest.fixture
def winter() -> str:
    """A league of four with two rounds open, in Berlin."""
    code = opened(4, kind="round-robin", days=7, length=0, zone="Europe/Berlin", mode="manual-scoring")
    for _number in (1, 2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    return code


def test_a_phone_names_the_opponent_and_the_day_of_every_open_game(winter: str) -> None:
    key = next(iter(state(winter).players))
    told = card(phone(winter, key), winter)
    for number in (1, 2):
        rival = state(winter).pairing_of(key, number).rivals(key)[0]
        assert state(winter).called(rival) in told
    assert told.count("To be played until") == 2


def test_players_agree_on_a_date_with_one_tap(winter: str) -> None:
    one = next(state(winter).at(2))
    ada, ben = (phone(winter, key) for key in one.players)
    url = f"{reverse('event-date', args=[winter])}?table={one.key}"
    form = {"when": "2026-12-05T19:00", "key": "k" * 16}
    assert ada.ask("POST", url, form).status_code == 302
    assert "You propose Dec. 5, 2026, 7 p.m." in card(ada, winter)
    moment = state(winter).pairings[one.key].dates[one.players[0]]
    assert moment == 1796493600, "by the clocks of the hall"
    tap(ben, winter, f"date-{moment} {one.key}")
    assert state(winter).pairings[one.key].agreed_for == moment
    assert "Agreed for Dec. 5, 2026, 7 p.m." in card(ada, winter)
    assert ada.ask("POST", url, {"when": "", "key": "l" * 16}).status_code == 302
    assert state(winter).pairings[one.key].agreed_for is None


@pytest.mark.parametrize("when", ["soon", "2026-13-01T19:00", "9999-01-01T00:00"])
def test_a_date_that_is_none_is_asked_for_again(winter: str, when: str) -> None:
    one = next(state(winter).at(2))
    url = f"{reverse('event-date', args=[winter])}?table={one.key}"
    answer = phone(winter, one.players[0]).ask("POST", url, {"when": when, "key": "k" * 16})
    assert answer.status_code == 422
    assert when in answer.content.decode()


def test_other_days_move_the_deadlines_of_open_rounds(winter: str) -> None:
    before = {one.number: one.until for one in state(winter).rounds.values()}
    commands.change_settings(winter, ANNA, {"days": 10})
    after = {one.number: one.until for one in state(winter).rounds.values()}
    assert {number: after[number] - before[number] for number in before} == dict.fromkeys((1, 2), 3 * 86400)


def test_an_organiser_moves_a_deadline_and_sees_what_is_overdue(
    winter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    olga = phone_of(winter)
    assert "Overdue" not in page(olga, winter)
    assert send(olga, winter, "deadline", "pairings", round="1", until="2027-01-31").status_code == 302
    until = state(winter).rounds["1"].until
    assert clock.at_home(clock.datetime.fromtimestamp(until, clock.UTC), "Europe/Berlin").isoformat() == (
        "2027-01-31T23:59:00+01:00"
    )
    later = until + 1
    monkeypatch.setattr(clock, "seconds", lambda: float(later))
    g = state(winter)
    assert [one.round for one in event_rounds.overdue(g, later)] == [1, 1, 2, 2]
    assert page(olga, winter).count("Overdue") == 4
    assert "Overdue" in card(phone(winter, next(iter(g.players))), winter)


def test_the_rounds_that_are_played_stand_in_their_order() -> None:
    states = {"10": OPEN, "9": OPEN, "11": DRAFTED, "8": CLOSED}
    g = EventState(rounds={key: Round(key, int(key), "swiss", state=each) for key, each in states.items()})
    assert [this_round.number for this_round in g.open_rounds] == [9, 10]
