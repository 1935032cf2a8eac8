"""What webhooks are told, and when: scores, ends, agreed results, rounds; and what they are never told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import confirming, results
from games.hall import commands
from games.hall import event_actions as event_play
from games.hall.models import Event, Player
from games.match import delay, play, storage, undoing
from games.models import Army, Match, Score
from games.webhooks import webhook_news, worker
from games.webhooks.models import Delivery, Knowledge, Webhook
from tests.browser import driving
from tests.hall.halls import ANNA, opened, scores, state
from tests.records.json_schema import faults
from tests.trust.twins import PLAYERS, a_world, tap

pytestmark = pytest.mark.django_db

TWO_POINTS = 'red army/red points:red:2 "a card"'
THE_END = "red army/red concede:red\nred end-match"


@pytest.fixture
def webhook() -> Webhook:
    return Webhook.objects.create(address="https://example.org/hook")


@pytest.fixture
def match(webhook: Webhook) -> Match:
    """A table that is opened while somebody wants to be told."""
    return driving.opened(driving.SET_UP)


def news(webhook: Webhook) -> list[dict[str, Any]]:
    """What one look makes."""
    last = Delivery.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    webhook_news.gather(Webhook.objects.get(pk=webhook.pk), timezone.now())
    made = Delivery.objects.filter(webhook=webhook, pk__gt=last).order_by("pk")
    return [json.loads(one.body) for one in made]


def kinds(webhook: Webhook) -> list[str]:
    return [told["type"] for told in news(webhook)]


def confirming_in_turn(match: Match) -> Iterator[str]:
    """Each seat, before it confirms all rounds of the score card."""
    position = storage.current(match).state
    for seat in position.seats:
        yield seat
        for number in confirming.confirmable(position):
            fingerprint = confirming.fingerprint(position, number)
            confirming.confirm(match.code, seat, number, fingerprint, play.new_key())


def test_a_score_is_told_once_with_the_result_so_far(webhook: Webhook, match: Match) -> None:
    assert kinds(webhook) == []
    driving.do(match, TWO_POINTS)
    (told,) = news(webhook)
    assert (told["type"], told["data"]["event"], told["data"]["pairing"]) == ("score.changed", None, None)
    result = told["data"]["result"]
    assert list(faults(result, results.schema())) == []
    assert [side["points"] for side in result["sides"]] == [2, 0]
    assert (result["status"], result["code"]) == ("running", match.code)
    assert kinds(webhook) == []


def test_taps_without_points_are_not_told_and_cost_no_writing(webhook: Webhook, match: Match) -> None:
    driving.do(match, TWO_POINTS)
    news(webhook)
    driving.do(match, "red activate:arya-stark")
    Webhook.objects.filter(pk=webhook.pk).update(looked_at=timezone.now())
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert kinds(webhook) == []
    assert [one["sql"] for one in queries if one["sql"].startswith(("UPDATE", "INSERT"))] == []


def test_a_tap_costs_nothing_more(webhook: Webhook, match: Match) -> None:
    def cost(points: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            play.adjust(match.code, "red", "army/red", f"points:red:{points}", play.new_key(), note="x")
        return len(queries)

    cost(1)
    with_one = cost(2)
    Webhook.objects.all().delete()
    assert cost(3) == with_one


def test_an_end_is_told_and_told_again_when_it_is_another(webhook: Webhook, match: Match) -> None:
    news(webhook)
    driving.do(match, THE_END)
    (told,) = news(webhook)
    assert (told["type"], told["data"]["result"]["end"]["winner"]) == ("match.finished", "blue")
    newest = undoing.newest(match)
    assert newest is not None
    undoing.ask(match.code, "red", newest.version, play.new_key())
    match.refresh_from_db()
    if match.result is not None:
        undoing.answer(match.code, "blue", True, play.new_key())
        match.refresh_from_db()
    assert match.result is None
    (told,) = news(webhook)
    assert (told["type"], told["data"]["result"]["status"]) == ("score.changed", "running")


def test_a_result_that_everybody_confirms_is_told_as_agreed(webhook: Webhook, match: Match) -> None:
    driving.do(match, TWO_POINTS + "\n" + THE_END)
    assert kinds(webhook) == ["score.changed", "match.finished"]
    for _seat in confirming_in_turn(match):
        assert kinds(webhook) == []
    assert kinds(webhook) == ["result.agreed"]
    assert kinds(webhook) == []


def test_a_match_shown_late_is_told_of_when_it_is_over(webhook: Webhook, match: Match) -> None:
    news(webhook)
    delay.choose(match.code, "red", 15)
    driving.do(match, TWO_POINTS)
    assert kinds(webhook) == []
    driving.do(match, THE_END)
    assert kinds(webhook) == ["score.changed", "match.finished"]


def test_a_match_that_is_no_longer_shown_late_is_told_of(webhook: Webhook, match: Match) -> None:
    delay.choose(match.code, "red", 15)
    driving.do(match, TWO_POINTS)
    assert kinds(webhook) == []
    delay.choose(match.code, "red", delay.AT_ONCE)
    assert kinds(webhook) == ["score.changed"]


@pytest.mark.parametrize("column", ["is_demo", "is_practice", "is_listed"])
def test_what_is_not_shown_is_not_told(webhook: Webhook, match: Match, column: str) -> None:
    Match.objects.filter(pk=match.pk).update(**{column: column != "is_listed"})
    driving.do(match, TWO_POINTS)
    assert kinds(webhook) == []


def test_what_was_there_before_is_known(match: Match) -> None:
    driving.do(match, TWO_POINTS)
    later = Webhook.objects.create(address="https://example.org/later")
    assert kinds(later) == []
    driving.do(match, TWO_POINTS)
    assert kinds(later) == ["score.changed"]


def test_only_what_is_wanted_is_told(match: Match) -> None:
    picky = Webhook.objects.create(
        address="https://example.org/end", on_score=False, on_agreed=False, created_at=match.created_at
    )
    driving.do(match, TWO_POINTS + "\n" + THE_END)
    assert kinds(picky) == ["match.finished"]


def test_two_looks_at_once_tell_it_once(webhook: Webhook, match: Match) -> None:
    """As if another process had looked between our reading and our writing."""
    news(webhook)
    driving.do(match, TWO_POINTS)
    known = Knowledge.objects.get(webhook=webhook, code=match.code)
    (told,) = news(webhook)
    again = [("score.changed", told["data"])]
    assert webhook_news._keep(webhook, known, match.version, known.state, again) == 0
    assert Delivery.objects.count() == 1


def test_an_event_tells_of_its_rounds_results_and_tables() -> None:
    code = opened(4, length=3)
    webhook = Webhook.objects.create(address="https://example.org/event", event=Event.objects.get(code=code))
    everywhere = Webhook.objects.create(address="https://example.org/all", on_score=False)
    elsewhere = driving.opened(driving.SET_UP)
    driving.do(elsewhere, TWO_POINTS)
    assert kinds(webhook) == kinds(everywhere) == []
    commands.pair(code, ANNA)
    assert kinds(webhook) == [], "a round that is drawn up is not told"
    commands.open_round(code, ANNA)
    (told,) = news(webhook)
    assert (told["type"], told["data"]["event"]["code"]) == ("round.opened", code)
    assert told["data"]["round"]["number"] == 1
    tables = told["data"]["round"]["pairings"]
    assert sorted(player["name"] for one in tables for player in one["players"]) == [
        f"Player {n}" for n in range(1, 5)
    ]
    table = Match.objects.get(code=tables[0]["match"])
    score(table, "red", 3)
    (told,) = news(webhook)
    assert (told["type"], told["data"]["pairing"]["match"]) == ("score.changed", table.code)
    played, pairing = sorted(state(code).at(1), key=lambda one: one.match != table.code)
    commands.enter_result(code, ANNA, pairing.key, scores(pairing, 7, 5))
    (told,) = news(webhook)
    assert (told["type"], told["data"]["pairing"]["key"]) == ("result.agreed", pairing.key)
    assert [player["result"]["vp"] for player in told["data"]["pairing"]["players"]] == [7, 5]
    assert "round.opened" in kinds(everywhere)
    Event.objects.filter(code=code).update(is_listed=False)
    commands.enter_result(code, ANNA, played.key, scores(played, 3, 0))
    assert kinds(everywhere) == []


def test_a_result_of_an_event_is_not_told_again_when_its_score_card_is_confirmed() -> None:
    code = opened(2, length=3)
    webhook = Webhook.objects.create(address="https://example.org/event", event=Event.objects.get(code=code))
    assert kinds(webhook) == []
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    (pairing,) = state(code).at(1)
    table = Match.objects.get(code=pairing.match)
    driving.do(table, f"{driving.SET_UP}\n{TWO_POINTS}\n{THE_END}")
    event_play.take_over_results(code)
    assert kinds(webhook).count("result.agreed") == 1
    assert len(list(confirming_in_turn(table))) == 2
    assert kinds(webhook) == []


def test_the_results_of_one_event_are_not_told_of_another() -> None:
    here, elsewhere = opened(4, length=3), opened(4, length=3)
    webhook = Webhook.objects.create(address="https://example.org/here", event=Event.objects.get(code=here))
    assert kinds(webhook) == []
    for code in (elsewhere, here):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    for pairing in state(elsewhere).at(1):
        commands.enter_result(elsewhere, ANNA, pairing.key, scores(pairing, 7, 5))
    Player.objects.filter(event__code=elsewhere).update(name="Somebody else")
    (told,) = news(webhook)
    assert (told["type"], told["data"]["event"]["code"]) == ("round.opened", here)
    pairings = told["data"]["round"]["pairings"]
    assert len(pairings) == 2
    score(Match.objects.get(code=pairings[0]["match"]), "red", 3)
    (told,) = news(webhook)
    names = {player["name"] for one in (*pairings, told["data"]["pairing"]) for player in one["players"]}
    assert names == {f"Player {number}" for number in range(1, 5)}


def test_what_is_written_down_of_one_is_of_that_one_alone(webhook: Webhook, match: Match) -> None:
    """Of one webhook, one table, one message: nobody else misses anything by it."""
    other, table = Webhook.objects.create(address="https://example.org/2"), driving.opened(driving.SET_UP)
    for one in (webhook, other):
        assert kinds(one) == []
    driving.do(match, TWO_POINTS)
    driving.do(table, TWO_POINTS)

    def rows(**apart: object) -> list[object]:
        return [list(kind.objects.exclude(**apart).values()) for kind in (Delivery, Knowledge)]

    known = list(Knowledge.objects.filter(webhook=other).values())
    assert kinds(webhook) == ["score.changed"] * 2
    assert list(Knowledge.objects.filter(webhook=other).values()) == known
    assert Webhook.objects.get(pk=other.pk).looked_at == other.looked_at
    assert kinds(other) == ["score.changed"] * 2
    Delivery.objects.update(state=Delivery.State.SENT, attempts=3, sent_at=timezone.now())
    (again,) = Delivery.objects.filter(webhook=other, code=match.code)
    before = rows(pk=again.pk)
    assert worker.send_again([again]) == 1
    assert rows(pk=again.pk) == before
    apart = rows(code=match.code)
    worker.forget(match.code)
    assert rows(code=match.code) == apart
    assert not Knowledge.objects.filter(code=match.code).exists()


def score(match: Match, seat: str, points: int) -> None:
    """Points at a table of whatever game, as an action leaves them."""
    army = Army.objects.get(match=match, key=seat)
    Score.objects.create(match=match, army=army, number=1, round=1, points=points)
    match.refresh_from_db()
    match.version += 1
    match.save()


def test_a_message_tells_nothing_of_what_is_sealed() -> None:
    """In two worlds that differ in one sealed answer alone every message is the same."""
    bodies = []
    for secret in ("rock", "paper"):
        with a_world(("rps", "plain"), PLAYERS) as match:
            # In these worlds no clock ticks, and only there: the model's own defaults are of the present.
            then = dict.fromkeys(("created_at", "looked_at"), match.created_at)
            webhook = Webhook.objects.create(address="https://example.org/", **then)
            tap(match, "red", f"throw:{secret}")
            score(match, "red", 1)
            (told,) = news(webhook)
            # The fingerprint is over what is sealed, salted; nothing is read from it.
            told["data"]["result"]["history"].pop("fingerprint")
            bodies.append({**told["data"]["result"], "times": None})
            Webhook.objects.all().delete()
    assert bodies[0] == bodies[1]
    assert "rock" not in json.dumps(bodies)
