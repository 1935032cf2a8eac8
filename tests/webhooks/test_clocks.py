"""Machines whose clocks differ: what happens at one is told by the worker beside another."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.hall import event_actions as play
from games.models import Match
from games.web import clock
from games.webhooks import webhook_news, worker
from games.webhooks.models import Delivery, Webhook
from tests.browser import driving
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db

FAR = (timedelta(hours=-2), timedelta(hours=2))
"""By how much a machine's own clock is wrong; what all share is right."""
SCORE = 'red army/red points:red:2 "a card"'


def wrong_by(monkeypatch: pytest.MonkeyPatch, far: timedelta) -> None:
    """Let this machine's own clock be wrong."""
    right = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: right() + far)


def is_told() -> bool:
    """Whether the next look tells of the score."""
    worker.work()
    return Delivery.objects.get(kind="score.changed").state == Delivery.State.SENT


@pytest.fixture
def match(receiver: Receiver) -> Match:
    """A table that is opened while somebody wants to be told."""
    Webhook.objects.create(address=receiver.url)
    return driving.opened(driving.SET_UP)


@pytest.mark.parametrize("far", FAR)
def test_what_is_tapped_where_the_clock_is_wrong_is_told(
    match: Match, monkeypatch: pytest.MonkeyPatch, far: timedelta
) -> None:
    worker.work()
    with monkeypatch.context() as there:
        wrong_by(there, far)
        driving.do(match, SCORE)
    assert is_told()


@pytest.mark.parametrize("far", FAR)
def test_a_worker_whose_clock_is_wrong_hides_nothing_from_the_others(
    match: Match, monkeypatch: pytest.MonkeyPatch, far: timedelta
) -> None:
    with monkeypatch.context() as there:
        wrong_by(there, far)
        worker.work()
    driving.do(match, SCORE)
    assert is_told()


@pytest.mark.parametrize("far", FAR)
def test_the_first_score_of_a_table_that_is_opened_where_the_clock_is_wrong_is_told(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, far: timedelta
) -> None:
    """A table is new to a webhook that was registered before it, whichever clock opened it."""
    Webhook.objects.create(address=receiver.url)
    with monkeypatch.context() as there:
        wrong_by(there, far)
        match = driving.opened(driving.SET_UP)
    driving.do(match, SCORE)
    worker.work()
    assert is_told()


@pytest.mark.parametrize("far", FAR)
def test_an_event_is_opened_when_all_say_so(monkeypatch: pytest.MonkeyPatch, far: timedelta) -> None:
    before = clock.now()
    wrong_by(monkeypatch, far)
    event = play.open_event({"system": "tmg", "name": "Cup"}, play.Actor("", "Anna"))
    event.refresh_from_db()
    assert before <= event.created_at <= clock.now()


@pytest.mark.parametrize("far", FAR)
def test_a_webhook_that_is_registered_where_the_clock_is_wrong_is_told(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, far: timedelta
) -> None:
    match = driving.opened(driving.SET_UP)
    with monkeypatch.context() as there:
        wrong_by(there, far)
        Webhook.objects.create(address=receiver.url)
    worker.work()
    driving.do(match, SCORE)
    assert is_told()


def test_a_message_is_signed_with_the_time_that_all_share(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook_news.test_message(Webhook.objects.create(address=receiver.url), clock.now())
    monkeypatch.setattr(clock, "_ahead", 7200.0)
    worker.work()
    ((headers, _body),) = receiver.got
    assert int(headers["webhook-timestamp"]) >= int(clock.seconds()) - 60


def test_a_clock_that_was_ahead_and_is_set_right_keeps_nothing_back(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        ahead.setattr(clock, "_ahead", 400 * 86_400.0)
        worker.work()
        webhook_news.gather(Webhook.objects.get(), clock.now())
    worker.work()
    # The next look reaches back to this one, however long the server was away.
    assert Webhook.objects.get().looked_at <= clock.now()
    driving.do(match, SCORE)
    assert is_told()


def test_what_was_written_while_the_clock_was_ahead_is_sent_once_it_is_set_right(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        ahead.setattr(clock, "_ahead", 400 * 86_400.0)
        webhook_news.test_message(Webhook.objects.create(address=receiver.url), clock.now())
    worker.work()
    assert Delivery.objects.get().state == Delivery.State.SENT


def test_what_is_to_be_sent_again_waits_as_long_as_it_may(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The longest of pauses is no sign of a clock that was wrong."""
    message = webhook_news.test_message(Webhook.objects.create(address=receiver.url), clock.now())
    Delivery.objects.filter(pk=message.pk).update(due_at=clock.now() + worker.BACKOFF[-1])
    worker.work()
    assert receiver.got == []
