"""The worker: gathers what has happened and sends what is due, as long as the server runs.

Several may run, one beside each server: a worker claims what it writes or sends by changing a row that nobody
else has changed meanwhile. So nothing is told twice, unless a process dies while it is sending.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import close_old_connections
from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from games.web import clock, journal, trouble
from games.webhooks import sending, webhook_news
from games.webhooks.models import Delivery, Knowledge, Webhook
from games.webhooks.sending import Receipt

log = logging.getLogger(__name__)

LOOK_SECONDS, IDLE_SECONDS = 2.0, 5.0
"""How often the worker looks, and how often if nobody wants to be told."""
BACKOFF = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 300, 1800, 7200, 18_000, 36_000))
"""The pauses before a message that was not taken is sent again; after the last retry it is given up."""
LEASE = timedelta(seconds=60)
"""How long a message counts as being sent: longer than an attempt may take."""
OF_ONE, AT_ONCE = 4, 8
"""How many messages may be on their way at once: to one webhook, and to all of them."""
KEPT_SENT, KEPT_DEAD = timedelta(days=7), timedelta(days=30)
GONE = 410
"""A receiver that answers this wants no more messages."""


@contextmanager
def at_work() -> Iterator[None]:
    """Run the worker beside the server within the block."""
    over = threading.Event()
    threading.Thread(target=_until, args=(over,), name="webhooks", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _until(over: threading.Event) -> None:
    purged, pause = 0.0, LOOK_SECONDS
    while not over.wait(pause):
        try:
            pause = LOOK_SECONDS if work() else IDLE_SECONDS
            if time.monotonic() - purged > 3600 or not purged:
                purge(clock.now())
                purged = time.monotonic()
        except Exception as fault:
            _note(fault)
        finally:
            close_old_connections()


def _note(fault: Exception) -> None:
    """Log why nobody could be looked after: in one line, now and then, where the database does not work."""
    wrong = trouble(fault)
    if wrong is None:
        log.exception("webhooks could not be looked after; they are tried again")
    else:
        journal.note(wrong, fault)


def work() -> bool:
    """Look once: gather for every webhook, then send what is due; whether anybody wants to be told."""
    webhooks = list(Webhook.objects.filter(is_active=True).select_related("event"))
    for webhook in webhooks:
        try:
            webhook_news.gather(webhook, clock.now())
        except Exception:
            log.exception("nothing could be gathered for webhook %s", webhook.pk)
    while webhooks and send_due():
        pass
    return bool(webhooks)


def send_due() -> int:
    """Send some of what is due, at the same time; how many receivers took theirs."""
    claimed = list(_claimed(clock.now()))
    answers = {delivery.pk: Receipt(None, "not sent") for delivery in claimed}

    def post(delivery: Delivery) -> None:
        answers[delivery.pk] = _sent(delivery)

    # No pool: the program would wait for its threads at the end, and so for a receiver that does not answer.
    threads = [threading.Thread(target=post, args=(delivery,), daemon=True) for delivery in claimed]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for delivery in claimed:
        _note_outcome(delivery, answers[delivery.pk])
    return sum(answer.is_good for answer in answers.values())


def _claimed(now: datetime) -> Iterator[Delivery]:
    """What is due, claimed for this process for a while: the oldest few of every webhook, in turns."""
    # No pause is that long: a clock was ahead, and has been set right since.
    is_due = Q(due_at__lte=now) | Q(due_at__gt=now + BACKOFF[-1] + LEASE)
    due = Delivery.objects.filter(is_due, state=Delivery.State.WAITING, webhook__is_active=True)
    place = Window(RowNumber(), partition_by=[F("webhook")], order_by=["pk"])
    next_ones = due.annotate(place=place).filter(place__lte=OF_ONE).order_by("place", "pk")
    taken = 0
    for delivery in next_ones.select_related("webhook"):
        if taken == AT_ONCE:
            return
        mine = Delivery.objects.filter(
            pk=delivery.pk, state=Delivery.State.WAITING, due_at=delivery.due_at, attempts=delivery.attempts
        )
        if mine.update(attempts=F("attempts") + 1, due_at=now + LEASE):
            taken += 1
            delivery.attempts += 1
            yield delivery


def _sent(delivery: Delivery) -> Receipt:
    webhook = delivery.webhook
    return sending.send(webhook.address, webhook.secret, delivery.key, int(clock.seconds()), delivery.body)


def _note_outcome(delivery: Delivery, answer: Receipt) -> None:
    """Write down what came of an attempt."""
    now, outcome = clock.now(), {"status": answer.status, "answer": answer.text}
    row = Delivery.objects.filter(pk=delivery.pk)
    if answer.is_good:
        row.update(state=Delivery.State.SENT, sent_at=now, **outcome)
        return
    if answer.status == GONE:
        Webhook.objects.filter(pk=delivery.webhook_id).update(is_active=False)
    if answer.status == GONE or delivery.attempts > len(BACKOFF):
        row.update(state=Delivery.State.DEAD, **outcome)
        return
    row.update(due_at=now + BACKOFF[delivery.attempts - 1], **outcome)


def send_again(deliveries: list[Delivery]) -> int:
    """Have these messages sent again with all their attempts, even those that were given up."""
    keys = [delivery.pk for delivery in deliveries]
    return Delivery.objects.filter(pk__in=keys).update(
        state=Delivery.State.WAITING, attempts=0, due_at=clock.now(), sent_at=None
    )


def purge(now: datetime) -> int:
    """Forget messages that were sent or given up long ago: they hold names.

    Those waiting for a webhook that is no longer active count as given up, too.
    """
    old = Q(state=Delivery.State.SENT, sent_at__lt=now - KEPT_SENT)
    is_given_up = Q(state=Delivery.State.DEAD) | Q(state=Delivery.State.WAITING, webhook__is_active=False)
    old |= is_given_up & Q(created_at__lt=now - KEPT_DEAD)
    return Delivery.objects.filter(old).delete()[0]


def forget(code: str) -> None:
    """Forget a table or event that is deleted: nothing more is told about it, and nothing is kept."""
    Delivery.objects.filter(code=code).delete()
    Knowledge.objects.filter(code=code).delete()
