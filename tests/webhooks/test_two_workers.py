"""Two workers over one database, as two servers have them: what one tells, the other does not."""

from __future__ import annotations

from collections import Counter
from threading import Barrier, Thread

import pytest
from django.db import connections
from django.utils import timezone

from games.webhooks import sending, webhook_news, worker
from games.webhooks.models import Delivery, Webhook
from tests.browser import driving
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)

MESSAGES = 12


def test_nothing_is_told_twice(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    # A machine that stands still for some seconds is no receiver that does not answer.
    monkeypatch.setattr(sending, "PAUSE_SECONDS", 60)
    monkeypatch.setattr(sending, "MOST_SECONDS", 60)
    webhook = Webhook.objects.create(address=receiver.url)
    for _message in range(MESSAGES):
        webhook_news.test_message(webhook, timezone.now())
    match = driving.opened(driving.SET_UP)
    driving.do(match, 'red army/red points:red:2 "a card"')
    start, faults = Barrier(2), []

    def work() -> None:
        try:
            start.wait()
            worker.work()
        except Exception as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    both = [Thread(target=work) for _worker in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    unsent = Delivery.objects.exclude(state=Delivery.State.SENT).values_list("state", "status", "answer")
    assert (faults, list(unsent)) == ([], [])
    times = Counter(headers["webhook-id"] for headers, _body in receiver.got)
    assert (len(times), set(times.values())) == (MESSAGES + 1, {1})
    assert set(Delivery.objects.values_list("attempts", flat=True)) == {1}
