"""An event by programs alone: who may do what, what a repeated request gets, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.hall import commands, event_actions, event_links
from games.hall.models import Event, Helper, Player
from games.hall.rules import event_settings
from games.web import limits
from tests.hall.halls import ANNA, begun, by_chance, first_table, opened, play_round, scores, state

pytestmark = pytest.mark.django_db

KEY = "key-of-a-program"


def send(path: str, body: dict[str, Any], token: str = "") -> HttpResponse:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().post(f"/api/events{path}", json.dumps(body), "application/json", headers=headers)


def do(code: str, token: str, action: str, key: str = KEY, **said: Any) -> HttpResponse:
    return send(f"/{code}/do", {"action": action, "key": key, **said}, token)


def organiser(code: str) -> str:
    """The token of a further organiser."""
    made = commands.appoint(code, ANNA, "organiser", "Olenna").made
    return event_links.secret(Helper.objects.select_related("event").get(pk=made))


def player(code: str, key: str = "p1") -> str:
    return event_links.secret(Player.objects.select_related("event").get(event__code=code, key=key))


def test_without_a_token_nothing_is_done():
    code = opened(2)
    version = Event.objects.get(code=code).version
    answer = do(code, "", "pair")
    assert (answer.status_code, answer.json()["error"]) == (401, "no_token")
    assert answer["WWW-Authenticate"] == 'Bearer realm="Roundtable"'
    answer = do(code, "1.0", "pair")
    assert (answer.status_code, answer.json()["error"]) == (403, "bad_token")
    assert do(code, player(code), "pair").status_code == 403
    assert Event.objects.get(code=code).version == version


def test_a_token_of_another_event_opens_nothing_here():
    code, other = opened(2), opened(2)
    assert do(code, organiser(other), "pair").status_code == 403
    assert do(code, organiser(code), "pair").status_code == 200


def test_a_command_that_there_is_not_is_told_so():
    code = opened(2)
    answer = do(code, organiser(code), "explode")
    assert (answer.status_code, answer.json()["error"]) == (422, "unknown_choice")
    assert "no such command" in answer.json()["message"]


def test_a_repeated_request_does_nothing_and_says_so():
    code = opened(4)
    token = organiser(code)
    first = do(code, token, "pair")
    again = do(code, token, "pair")
    assert first.json() == {**again.json(), "replayed": False, "made": first.json()["made"]}
    assert again.json()["replayed"] is again.json()["accepted"] is True
    assert "Idempotent-Replay" not in first
    assert again["Idempotent-Replay"] == "1"
    assert len(state(code).rounds) == 1


def test_a_helper_who_is_appointed_gets_a_token_and_nobody_else_does():
    code = opened(2)
    made = do(code, organiser(code), "appoint", role="organiser", name="Ben").json()
    assert do(code, made["token"], "check-in-all", key="key-of-ben-1").json().get("token") is None
    again = do(code, organiser(code), "appoint", role="organiser", name="Ben", key="key-of-ben-2")
    assert again.json()["token"] not in (made["token"], None)
    # A link is given once: whoever asks again did not lose it to somebody else.
    do(code, made["token"], "appoint", role="organiser", name="Dag", key="key-of-dag")
    repeated = do(code, made["token"], "appoint", role="organiser", name="Dag", key="key-of-dag")
    assert (repeated.status_code, repeated.json()["replayed"]) == (200, True)
    assert repeated.json().get("token") is None
    entered = send(f"/{code}/players", {"name": "Cleo", "key": "a-long-key-of-cleo"}, made["token"])
    assert state(code).players[entered.json()["player"]].name == "Cleo"


def test_a_program_that_does_too_much_waits_and_slows_no_other():
    code = opened(2)
    hurried, calm = player(code), player(code, "p2")
    while not limits.TAPS.take(f"{code}/p1"):
        pass
    assert do(code, hurried, "check-in", player="p1").status_code == 429
    assert do(code, calm, "check-in", player="p2").status_code == 200


def test_a_program_hands_in_only_so_many_lists():
    code = opened(2)
    while not limits.LISTS.take(f"{code}/p1"):
        pass
    assert do(code, player(code), "hand-in", player="p1", lists=["Robb Stark"]).status_code == 429
    assert do(code, player(code), "choose", player="p1", number=1).status_code == 429
    assert do(code, player(code), "check-in", player="p1").status_code == 200
    assert do(code, player(code, "p2"), "hand-in", player="p2", lists=["Robb Stark"]).status_code == 200


def test_who_guesses_at_codes_or_tokens_waits():
    code = opened(2)
    while not limits.CODES.take("127.0.0.1"):
        pass
    assert Client().get("/api/events/ZZZZZZ").status_code == 429
    assert do(code, "1.0", "pair").status_code == 429
    assert Client().get(f"/api/events/{code}").status_code == 200


def test_only_so_many_events_and_guests_come_from_one_address():
    code = opened(0, is_open=True)
    token = organiser(code)
    while not limits.OPENINGS.take("127.0.0.1"):
        pass
    while not limits.REGISTRATIONS.take(f"{code} 127.0.0.1"):
        pass
    assert send("", {"system": "tmg", "organiser": "Anna", "settings": {"name": "Cup"}}).status_code == 429
    guest = {"name": "Cleo", "key": "a-long-key-of-cleo"}
    assert send(f"/{code}/players", guest).status_code == 429
    assert send(f"/{code}/players", guest, token).status_code == 201


def test_the_key_of_a_guest_is_too_long_to_be_guessed():
    """Whoever sends it again gets the token; the name that goes with it is on everybody's screen."""
    code = opened(0)
    for key in ("player-1", "fifteen-letters"):
        refused = send(f"/{code}/players", {"name": "Cleo", "key": key})
        assert (refused.status_code, refused.json()["error"]) == (422, "unreadable")
    assert send(f"/{code}/players", {"name": "Cleo", "key": "sixteen-letters-"}).status_code == 201


def test_guests_enter_themselves_only_where_the_event_is_open_for_that():
    code = opened(2, is_open=False)
    # Another event whose third player is somebody else.
    opened(3)
    guest = {"name": "Cleo", "club": "Dice", "key": "a-long-key-of-cleo"}
    for token in ("", player(code)):
        refused = send(f"/{code}/players", guest, token)
        assert (refused.status_code, len(state(code).players)) == (409, 2)
    token = organiser(code)
    made = send(f"/{code}/players", guest, token).json()
    assert (made["player"], made["token"]) == ("p3", player(code, "p3"))
    # Whoever did not hear the answer asks again, and gets the same place.
    assert send(f"/{code}/players", guest, token).json() == made
    assert len(state(code).players) == 3


def test_a_result_says_who_won_and_how():
    code = begun(2)
    table = first_table(code)
    said = scores(table, 3, 5)
    answer = do(
        code, organiser(code), "enter", pairing=table.key, winner=table.players[0], how="conceded", **said
    )
    assert answer.status_code == 200, answer.content
    kept = first_table(code)
    assert (kept.winner, kept.how) == (table.players[0], "conceded")
    ruled = {"pairing": table.key, "note": "counted again", **said}
    answer = do(code, organiser(code), "rule", winner="", key="key-of-a-draw", **ruled)
    assert answer.status_code == 200, answer.content
    assert (first_table(code).winner, first_table(code).how) == ("", "finished")
    answer = do(code, organiser(code), "rule", key="key-of-points", **ruled)
    assert (answer.status_code, first_table(code).winner) == (200, table.players[1])


def test_a_helper_with_a_long_number_is_dismissed_like_any_other():
    code = opened(2)
    token = organiser(code)
    made = do(code, token, "appoint", role="judge", name="Ben").json()["made"]
    Helper.objects.filter(pk=made).update(id=1_000_000)
    assert do(code, token, "dismiss", number=1_000_000, key="key-of-the-end").status_code == 200
    assert not Helper.objects.filter(pk=1_000_000).exists()


NUMBERED = ("dismiss", "choose", "close-round", "extend", "answer-call", "close-call", "take-down", "undo")


@pytest.mark.parametrize("number", [10**15 - 1, -(10**14) + 1])
@pytest.mark.parametrize("action", NUMBERED)
def test_a_number_that_nothing_has_is_told_so(action: str, number: int):
    code = begun()
    answer = do(code, organiser(code), action, number=number, player="p1", note="x")
    assert answer.status_code == 409, answer.content
    too_long = do(code, organiser(code), action, number=1e15, player="p1", note="x")
    assert too_long.status_code == 422
    assert "whole number" in too_long.json()["message"]


def test_a_round_is_ended_by_its_number_or_as_the_newest():
    code = begun(4, kind="round-robin", length=3, days=14)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    token = organiser(code)
    assert do(code, token, "close-round", number=7).status_code == 409
    for pairing in state(code).pairings.values():
        commands.enter_result(code, ANNA, pairing.key, scores(pairing, 1, 2))
    assert do(code, token, "close-round", number=1, key="key-of-the-first").status_code == 200
    assert [one.state for one in state(code).rounds.values()] == ["closed", "open"]
    assert do(code, token, "close-round", key="key-of-the-newest").status_code == 200
    assert [one.state for one in state(code).rounds.values()] == ["closed", "closed"]


def test_a_table_of_players_is_entered_or_told_what_is_wrong_with_it():
    code = opened(0)
    assert do(code, organiser(code), "import").status_code == 422
    answer = do(code, organiser(code), "import", text="name,club\nAda,Dice\nBo,\n", key="key-of-a-table")
    assert answer.status_code == 200, answer.content
    assert [one.name for one in state(code).players.values()] == ["Ada", "Bo"]


def test_what_there_is_of_an_event_is_asked_for_by_name():
    code = opened(2)
    answer = Client().get(f"/api/events/{code}/tables/secrets")
    assert (answer.status_code, answer.json()["error"]) == (404, "unknown")
    table = Client().get(f"/api/events/{code}/tables/players")
    assert table["Content-Disposition"] == f'attachment; filename="{code}-players.csv"'
    assert "no-store" in table["Cache-Control"]
    assert event_actions.event_of(code).code == code


@pytest.mark.parametrize(
    ("name", "status"), [("", 201), ("\u0928\u093f" * 40, 201), ("x" * 41, 422), ("\u0928\u093f" * 200, 422)]
)
def test_an_organiser_has_a_name_like_anybody_else(name: str, status: int):
    """A longer one would have no room in the history of the event."""
    opening = {"system": "tmg", "settings": {"name": "Cup"}, "organiser": name}
    assert send("", opening).status_code == status


SHAPES: tuple[object, ...] = ([], ["x"], [{}], [[1]], {}, {"x": 1}, "x", -1, 10**30, 1.5, None)


@pytest.mark.parametrize("name", ["system", *event_settings._READ])
def test_a_setting_of_any_shape_is_taken_or_refused_in_a_sentence(name: str):
    code = opened(0)
    token = organiser(code)
    for number, value in enumerate(SHAPES):
        changed = do(code, token, "settings", f"key-{name}-{number:02}", settings={name: value})
        limits.OPENINGS.forget()
        new = send("", {"system": "rps", "settings": {"mode": "plain", name: value}})
        for answer in (changed, new):
            assert answer.status_code in (200, 201, 409, 422)
            assert answer.status_code < 400 or answer.json()["message"]


def test_only_helpers_know_the_pairings_of_a_round_that_is_drawn_up():
    code = opened(4)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)

    def seen(token: str) -> tuple[list[int], set[str]]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        told = Client().get(f"/api/events/{code}", headers=headers).json()["rounds"]
        table = Client().get(f"/api/events/{code}/tables/pairings", headers=headers).content.decode()
        numbers = {line.partition(",")[0] for line in table.splitlines()[1:]}
        return [len(one["pairings"]) for one in told], numbers

    assert seen("") == seen(player(code)) == ([2, 0], {"1"})
    assert seen(organiser(code)) == ([2, 2], {"1", "2"})
    commands.open_round(code, ANNA)
    assert seen("") == ([2, 2], {"1", "2"})


def test_only_helpers_know_what_a_judge_was_asked():
    code = begun(2)
    commands.call_judge(code, ANNA, first_table(code).key, question="Does my opponent stall?")
    for token, question in (("", ""), (player(code), ""), (organiser(code), "Does my opponent stall?")):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        (call,) = Client().get(f"/api/events/{code}", headers=headers).json()["calls"]
        assert (call["question"], call["is_open"]) == (question, True)
