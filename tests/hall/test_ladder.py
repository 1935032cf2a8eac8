"""A ladder: who may challenge whom, who takes whose place, and what ends a challenge."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.hall import commands, event_actions, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.hall.rules.challenges import may_challenge
from games.hall.rules.event_state import Pairing
from games.hall.rules.standings import ladder, standings
from games.match import play as tables
from games.match.play import new_key
from games.web import clock
from tests.hall.halls import ANNA, end, opened, refused, scores, state
from tests.hall.test_organiser import page, phone_of, send
from tests.hall.test_programs import do, player
from tests.hall.test_ratings import players_phone

pytestmark = pytest.mark.django_db


def climbing(players: int = 6, **settings) -> str:
    """The code of a ladder, its players in the order of their numbers."""
    return opened(players, kind="ladder", mode="manual-scoring", **settings)


def order(code: str) -> list[str]:
    return [line.player for line in standings(state(code))]


def keys(code: str) -> list[str]:
    """The players as they were entered."""
    return sorted(state(code).players, key=lambda key: state(code).players[key].order)


def challenge(code: str, who: str, whom: str) -> Pairing:
    number = commands.challenge(code, Actor(who, who, "player"), who, whom).made
    return next(state(code).at(number))


def win(code: str, one: Pairing, winner: str) -> None:
    points = (9 if key == winner else 2 for key in one.players)
    commands.enter_result(code, ANNA, one.key, scores(one, *points))


def test_whoever_wins_takes_the_place_and_those_between_move_down():
    code = climbing()
    a, b, c, d, e, f = keys(code)
    assert order(code) == [a, b, c, d, e, f]
    one = challenge(code, d, a)
    assert (one.players, one.match is not None) == ((d, a), True)
    win(code, one, d)
    assert order(code) == [d, a, b, c, e, f]
    # A defence moves nobody.
    win(code, challenge(code, c, b), b)
    assert order(code) == [d, a, b, c, e, f]
    # A draw moves nobody either.
    two = challenge(code, f, e)
    commands.enter_result(code, ANNA, two.key, scores(two, 4, 4))
    assert order(code) == [d, a, b, c, e, f]


def test_a_correction_changes_all_that_came_after_it():
    code = climbing(4)
    a, b, c, d = keys(code)
    one = challenge(code, b, a)
    win(code, one, b)
    win(code, challenge(code, c, a), c)
    assert order(code) == [b, c, a, d]
    assert [line.player for line in standings(state(code), one.round)] == [b, a, c, d]
    turned = scores(one, *(2 if key == b else 9 for key in one.players))
    commands.rule(code, ANNA, one.key, turned, "counted again")
    assert order(code) == [c, a, b, d]


def test_two_challenges_at_once_end_in_any_order():
    for first in (0, 1):
        code = climbing(4)
        a, b, c, d = keys(code)
        made = [challenge(code, c, a), challenge(code, d, b)]
        for one in (made[first], made[1 - first]):
            win(code, one, one.players[0])
        assert order(code) == [c, a, d, b]


def test_who_may_challenge_whom():
    code = climbing(6, reach=2)
    a, b, c, d, *_rest = keys(code)
    for who, whom in ((d, a), (a, b), (b, b), (b, "p0")):
        told = str(refused(commands.challenge, code, ANNA, who, whom))
        assert "at most 2 places above" in told or "no such player" in told
    one = challenge(code, c, a)
    assert "already has an open challenge" in str(refused(commands.challenge, code, ANNA, b, a))
    assert "already has an open challenge" in str(refused(commands.challenge, code, ANNA, c, b))
    win(code, one, a)
    assert challenge(code, c, a).round == 2
    assert state(code).rounds["1"].state == "closed"
    league = opened(4, kind="round-robin", days=7)
    assert "Only in a ladder" in str(refused(commands.challenge, league, ANNA, *keys(league)[1::-1]))
    assert "Nothing is paired in a ladder" in str(refused(commands.pair, code, ANNA))


@pytest.fixture
def in_days(monkeypatch):
    """Lets days pass."""

    def pass_by(days: int) -> None:
        moment = clock.seconds() + days * 86400
        monkeypatch.setattr(clock, "seconds", lambda: moment)

    return pass_by


def test_a_challenge_that_nobody_plays_lapses(in_days):
    code = climbing(3, days=7)
    a, b, c = keys(code)
    one = challenge(code, b, a)
    in_days(6)
    event_actions.seen_now(code)
    assert not state(code).pairings[one.key].is_decided
    in_days(2)
    event_actions.seen_now(code)
    assert state(code).pairings[one.key].how == "no-game"
    assert order(code) == [a, b, c]
    assert challenge(code, b, a).round == 2


def test_whoever_does_not_answer_loses_the_challenge_once_its_time_is_over(in_days):
    code = climbing(3, days=7)
    a, b, c = keys(code)
    one = challenge(code, b, a)
    commands.report_absent(code, Actor(b, "", "player"), one.key, b)
    event_actions.seen_now(code)
    assert order(code) == [a, b, c]
    in_days(8)
    event_actions.seen_now(code)
    assert order(code) == [b, a, c]
    assert state(code).pairings[one.key].how == "left"


@pytest.mark.parametrize("how", ["reported", "tapped", "moved"])
def test_a_challenge_that_is_being_played_does_not_lapse(in_days, how: str):
    code = climbing(3, days=7)
    a, b, _c = keys(code)
    one = challenge(code, b, a)
    if how == "reported":
        commands.report(code, Actor(b, "", "player"), one.key, b, scores(one, 5, 2))
        assert "already has an open challenge" in str(refused(commands.challenge, code, ANNA, b, a))
    elif how == "tapped":
        tables.edit(one.match, lambda g: g.score(one.seats[0], 3, "points"), "Anna", "as played")
    else:
        commands.move_deadline(code, ANNA, 1, int(clock.seconds()) + 30 * 86400)
    in_days(8)
    event_actions.seen_now(code)
    assert not state(code).pairings[one.key].is_decided


def test_a_game_of_a_league_never_lapses(in_days):
    code = opened(2, kind="round-robin", days=7, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    in_days(8)
    event_actions.seen_now(code)
    assert not any(game.is_decided for game in state(code).at(1))


def test_who_leaves_is_passed_and_who_comes_late_begins_at_the_bottom():
    code = climbing(4)
    a, b, c, d = keys(code)
    challenge(code, b, a)
    commands.drop(code, ANNA, a)
    assert order(code) == [b, c, d, a]
    assert may_challenge(state(code), a) == [], "who has left challenges nobody"
    assert "no such player" in str(refused(commands.challenge, code, ANNA, d, a))
    phone = Client()
    sent = {"name": "Late", "club": "", "faction": "", "key": new_key()}
    assert phone.post(reverse("event-register", args=[code]), sent).status_code == 302
    late = keys(code)[-1]
    assert order(code) == [b, c, d, late, a]
    win(code, challenge(code, late, c), late)
    assert order(code) == [b, late, c, d, a]
    organised = commands.come_late(code, ANNA, "Later", "", "", "loss").made
    assert order(code)[-2] == organised
    commands.come_back(code, ANNA, a)
    assert len(order(code)) == 6
    assert not any(one.is_bye for one in state(code).pairings.values())


def test_seeds_give_the_order_at_the_beginning_and_only_then():
    code = climbing(3)
    a, b, c = keys(code)
    commands.seed(code, ANNA, c, 1)
    assert order(code) == [c, a, b]
    challenge(code, a, c)
    assert "cannot change once the event has begun" in str(refused(commands.seed, code, ANNA, b, 1))


def test_a_ladder_ends_and_its_order_is_final():
    code = climbing(3)
    a, b, c = keys(code)
    one = challenge(code, b, a)
    assert "Close every round first" in str(refused(commands.finish, code, ANNA))
    end(one.match, 5, 2)
    event_actions.take_over_results(code)
    commands.finish(code, ANNA)
    assert order(code) == [b, a, c]
    assert may_challenge(state(code), c) == []
    assert "This event is over" in str(refused(commands.challenge, code, ANNA, c, b))


def test_a_challenge_is_undone_while_it_has_no_result():
    code = climbing(3)
    a, b, _c = keys(code)
    version = commands.challenge(code, ANNA, b, a).version
    event_undo.undo(code, version, ANNA)
    assert not state(code).rounds
    assert challenge(code, b, a).match


def test_settings_of_a_ladder():
    code = climbing(0)
    assert state(code).days == 14
    for wrong in ({"team_size": 3}, {"cut": 4}):
        told = str(refused(event_actions.open_event, {"system": "tmg", "kind": "ladder", **wrong}, ANNA))
        assert "A ladder has no teams and no knockout." in told
    several = {"system": "agot", "size": 4, "kind": "ladder"}
    assert refused(event_actions.open_event, several, ANNA).status == 409
    assert 'name="cut"' not in page(phone_of(code), code, "organise-settings")


# --- pages -------------------------------------------------------------------------------------------


def test_a_player_challenges_with_one_tap_and_is_led_to_the_table():
    code = climbing(4, reach=2)
    a, b, c, d = keys(code)
    phone, other = players_phone(code, c), players_phone(code, a)
    text = phone.get(reverse("event", args=[code])).content.decode()
    assert re.findall(r'name="do" value="challenge (\w+)"', text) == [b, a]
    assert "You are at the top" in other.get(reverse("event", args=[code])).content.decode()
    tap = {"do": f"challenge {a}", "key": new_key()}
    assert phone.post(reverse("event-do", args=[code]), tap).status_code == 302
    assert phone.post(reverse("event-do", args=[code]), tap).status_code == 302
    assert len(state(code).pairings) == 1
    for one in (phone, other):
        text = one.get(reverse("event", args=[code])).content.decode()
        assert "Go to your table" in text
        assert 'value="challenge' not in text
    text = players_phone(code, d).get(reverse("event", args=[code])).content.decode()
    assert re.findall(r'name="do" value="challenge (\w+)"', text) == [b]
    (one,) = state(code).pairings.values()
    win(code, one, c)
    text = phone.get(reverse("event", args=[code])).content.decode()
    assert "You are at the top" in text
    assert "Your place: 1 of 4" in text
    refusal = players_phone(code, d).post(
        reverse("event-do", args=[code]), {"do": f"challenge {c}", "key": new_key()}
    )
    assert refusal.status_code == 409


def test_the_ladder_on_the_page_the_television_and_the_organisers_pages():
    code = climbing(4)
    a, b, c, _d = keys(code)
    organiser, anyone = phone_of(code), Client()
    assert "Player 1" in anyone.get(reverse("event-standings", args=[code])).content.decode()
    challenge(code, c, a)
    for address in ("event", "event-tv"):
        text = anyone.get(reverse(address, args=[code])).content.decode()
        assert "1 open challenge" in text
        assert text.index("Player 1") < text.index("Player 4")
    text = anyone.get(reverse("event-standings", args=[code])).content.decode()
    assert "at most 3 places above" in text
    assert "Pair round" not in page(organiser, code)
    assert f'value="challenge {b}' not in page(organiser, code, "organise-player", b)
    commands.no_show(code, ANNA, "1-1", a)
    assert order(code)[0] == c
    assert f"challenge {b} {a}" in page(organiser, code, "organise-player", b)
    send(organiser, code, f"challenge {b} {a}", f"player {b}")
    assert state(code).pairings["2-1"].players == (b, a)
    assert page(organiser, code, "organise-pairings")
    assert send(phone_of(code, "judge"), code, f"challenge {b} {a}").status_code == 403


def test_programs_challenge_for_their_own_player_alone():
    code = climbing(3)
    a, b, c = keys(code)
    assert do(code, player(code, b), "challenge", player=c, other=a).status_code == 403
    assert do(code, player(code, b), "challenge", new_key(), player=b, other=a).status_code == 200
    told = Client().get(f"/api/events/{code}").json()
    assert (told["kind"], told["reach"], told["days"]) == ("ladder", 3, 14)
    assert told["rounds"][0]["pairings"][0]["players"] == [b, a]
    assert [line["player"] for line in told["standings"]] == [a, b, c]
    assert Event.objects.get(code=code).status == "running"
    assert ladder(state(code)) == [a, b, c]
