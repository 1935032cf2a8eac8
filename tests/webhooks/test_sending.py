"""Messages on their way: signatures, answers, attempts, addresses that nothing is sent to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import socket
import threading
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.web.database import Journal
from games.webhooks import sending, webhook_news, worker
from games.webhooks.models import TEST, Delivery, Webhook
from games.webhooks.sending import Forbidden, is_public, resolve, target_of
from tests.serving import free_port
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db


@pytest.fixture
def delivery(receiver: Receiver) -> Delivery:
    webhook = Webhook.objects.create(address=receiver.url)
    return webhook_news.test_message(webhook, timezone.now())


def after(delivery: Delivery) -> Delivery:
    delivery.refresh_from_db()
    return delivery


def due_again(delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now() - timedelta(seconds=1))


def test_the_signature_is_that_of_the_public_standard() -> None:
    """The example that implementations of Standard Webhooks share."""
    secret, key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    made = sending.signature(secret, key, 1614265330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_message_arrives_signed_and_once(delivery: Delivery, receiver: Receiver) -> None:
    assert worker.send_due() == 1
    assert worker.send_due() == 0
    ((headers, body),) = receiver.got
    assert json.loads(body)["type"] == "webhook.test"
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    secret = base64.b64decode(delivery.webhook.secret.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{wanted}"
    assert headers["webhook-id"] == delivery.key
    assert (after(delivery).state, delivery.status, delivery.answer) == ("sent", 200, "thanks")


def test_what_is_not_taken_is_sent_again_with_the_same_id(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(500, {}, b"a fault"), (204, {}, b"")]
    assert worker.send_due() == 0
    assert (after(delivery).state, delivery.status, delivery.answer) == ("waiting", 500, "a fault")
    assert timedelta(seconds=1) < delivery.due_at - timezone.now() <= worker.BACKOFF[0]
    assert worker.send_due() == 0, "it is not due yet"
    due_again(delivery)
    assert worker.send_due() == 1
    assert len({headers["webhook-id"] for headers, _body in receiver.got}) == 1
    assert (after(delivery).state, delivery.attempts) == ("sent", 2)


def test_in_the_end_it_is_given_up_and_can_be_sent_again(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(503, {}, b"busy")]
    for attempt in range(len(worker.BACKOFF) + 1):
        assert (after(delivery).state, delivery.attempts) == ("waiting", attempt)
        due_again(delivery)
        worker.send_due()
    assert after(delivery).state == "dead"
    due_again(delivery)
    worker.send_due()
    assert len(receiver.got) == len(worker.BACKOFF) + 1
    receiver.answers = [(200, {}, b"")]
    assert worker.send_again([delivery]) == 1
    assert worker.send_due() == 1
    assert after(delivery).state == "sent"


def test_one_that_is_gone_hears_no_more(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(410, {}, b"")]
    other = Webhook.objects.create(address=receiver.url)
    webhook_news.test_message(delivery.webhook, timezone.now() + timedelta(hours=1))
    worker.send_due()
    assert after(delivery).state == "dead"
    assert list(Webhook.objects.filter(is_active=True)) == [other]
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert worker.send_due() == 0


def test_an_inactive_one_is_told_nothing_while_another_is(delivery: Delivery, receiver: Receiver) -> None:
    """Also what was written down before: a backup is tried out with its webhooks inactive."""
    Webhook.objects.update(is_active=False)
    webhook_news.test_message(Webhook.objects.create(address=receiver.url), timezone.now())
    assert worker.work()
    assert (len(receiver.got), after(delivery).attempts, delivery.state) == (1, 0, "waiting")


def test_a_redirection_is_not_followed(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(302, {"Location": receiver.url}, b"")]
    worker.send_due()
    assert len(receiver.got) == 1
    assert after(delivery).status == 302
    assert delivery.answer.startswith("redirects to")


def test_a_long_answer_is_cut(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(500, {}, b"a\x00\n" * 100_000)]
    worker.send_due()
    assert len(after(delivery).answer) == sending.MOST_LETTERS
    assert delivery.answer.isprintable()


def test_of_an_answer_no_more_is_read_than_is_kept(
    delivery: Delivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receiver may answer without end."""
    read, asked = http.client.HTTPResponse.read, []

    def counted(response: http.client.HTTPResponse, amount: int | None = None) -> bytes:
        asked.append(amount)
        return read(response, amount)

    monkeypatch.setattr(http.client.HTTPResponse, "read", counted)
    worker.send_due()
    assert asked == [sending.MOST_BYTES]


def test_what_was_taken_is_sent_whatever_the_answer_says(delivery: Delivery, receiver: Receiver) -> None:
    receiver.answers = [(200, {}, b"\xff\xfe\x00 thanks")]
    assert worker.send_due() == 1
    assert (after(delivery).state, delivery.answer.endswith("thanks")) == ("sent", True)


def test_it_goes_to_the_number_that_was_allowed_whatever_the_name_says_by_now(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "resolve", lambda target: "127.0.0.1")
    address = receiver.url.replace("127.0.0.1", "nobody.invalid")
    assert address != receiver.url
    assert sending.send(address, Webhook().secret, "msg_1", 1, "{}").status == 200
    ((headers, _body),) = receiver.got
    assert headers["host"].startswith("nobody.invalid")


def test_two_processes_do_not_send_it_twice(delivery: Delivery) -> None:
    now = timezone.now()
    assert [one.pk for one in worker._claimed(now)] == [delivery.pk]
    assert list(worker._claimed(now)) == []
    # The first one died: somebody else sends it after a while.
    assert list(worker._claimed(now + worker.LEASE / 2)) == []
    assert len(list(worker._claimed(now + 2 * worker.LEASE))) == 1


@pytest.mark.parametrize("length", [1, 300])
def test_webhooks_with_long_queues_do_not_hold_up_the_others(receiver: Receiver, length: int) -> None:
    """However many messages wait for them, for none of which they may answer."""
    many = [Webhook.objects.create(address=receiver.url) for _webhook in range(2)]
    waiting = [Delivery(webhook=webhook, kind=TEST, body="{}") for webhook in many for _one in range(length)]
    Delivery.objects.bulk_create(waiting)
    one = Webhook.objects.create(address=receiver.url)
    webhook_news.test_message(one, timezone.now())
    taken = Counter(delivery.webhook_id for delivery in worker._claimed(timezone.now()))
    assert taken[one.pk] == 1
    assert max(taken.values()) <= worker.OF_ONE
    assert taken.total() == min(worker.AT_ONCE, 2 * length + 1)


def test_one_webhook_is_sent_a_few_messages_at_the_same_time(delivery: Delivery) -> None:
    for _count in range(worker.OF_ONE + 3):
        webhook_news.test_message(delivery.webhook, timezone.now())
    assert len(list(worker._claimed(timezone.now()))) == worker.OF_ONE


def test_all_that_is_due_is_sent_in_one_look(delivery: Delivery, receiver: Receiver) -> None:
    for _count in range(worker.AT_ONCE + 3):
        webhook_news.test_message(delivery.webhook, timezone.now())
    assert len(list(worker._claimed(timezone.now() - timedelta(hours=1)))) == 0
    assert worker.work()
    assert len(receiver.got) == worker.AT_ONCE + 4
    assert not Delivery.objects.exclude(state="sent").exists()


def test_nobody_listens(delivery: Delivery) -> None:
    port = free_port()
    Webhook.objects.update(address=f"http://127.0.0.1:{port}/")
    worker.send_due()
    assert (after(delivery).state, delivery.status) == ("waiting", None)
    assert "refused" in delivery.answer.lower()


def test_what_answers_in_another_language_is_written_down_and_tried_again(delivery: Delivery) -> None:
    """An encrypted port that is spoken to in the open says so in bytes that PostgreSQL keeps in no text."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def alert() -> None:
            connection, _peer = listening.accept()
            with connection:
                connection.sendall(b"\x15\x03\x03\x00\x02\x02\x46")
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):  # what is closed unread is reset, its answer lost
                    pass

        thread = threading.Thread(target=alert, daemon=True)
        thread.start()
        Webhook.objects.update(address=f"http://127.0.0.1:{listening.getsockname()[1]}/")
        assert worker.send_due() == 0
        thread.join()
    assert (after(delivery).state, delivery.attempts, delivery.status) == ("waiting", 1, None)
    assert delivery.answer == "F", "what can be read of it"
    assert delivery.due_at < timezone.now() + worker.LEASE


REFUSED = [
    "http://example.org/", "ftp://example.org/", "https:///path", "https://", "example.org", "https://a b/",
    "https://user:word@example.org/", "https://example.org:99999/", "https://[::1", "https://ex\u00e4mple.org/",
    "https://example.org/\r\nX: y", "javascript:alert(1)",
]  # fmt: skip


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Forbidden):
        target_of(address)


def test_an_address_in_its_parts() -> None:
    assert target_of("https://Example.org/a?b=c#d") == sending.Target(True, "example.org", 443, "/a?b=c")
    assert target_of("https://example.org:8443").path == "/"


SPECIAL = """
    192.0.0.1 192.0.0.9 192.0.0.170 192.0.0.255 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
    198.18.0.1 198.51.100.1 203.0.113.1 240.0.0.1 255.255.255.255 239.1.1.1
    100::1 100:0:0:1::1 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:20::1 2001:30::1 2001:db8::1
    2620:4f:8000::1 3fff::1 3fff:fff::1 4000::1 5f00::1 64:ff9b:1::1 ff0e::1
    ::ffff:192.88.99.1 64:ff9b::c058:6301 2002:c058:6301::1 ::ffff:192.0.0.9 2002:c000:1::1
"""
"""An address in each network that IANA's registries reserve, and such addresses wrapped in others."""


@pytest.mark.parametrize(
    ("number", "public"),
    [
        ("93.184.216.34", True), ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False), ("10.0.0.1", False), ("192.168.1.7", False), ("172.16.0.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False),
        ("::1", False), ("fe80::1%eth0", False), ("fd00::1", False), ("::ffff:127.0.0.1", False),
        ("fec0::1", False), ("64:ff9b:1::a00:1", False), ("::7f00:1", False), ("::ffff:0:7f00:1", False),
        ("::ffff:93.184.216.34", True), ("64:ff9b::7f00:1", False), ("2002:7f00:1::", False), ("", False),
        ("64:ff9b::5db8:d822", True), ("2002:5db8:d822::1", True), ("2001:0:5db8:d822::1", False),
        *((number, False) for number in SPECIAL.split()),
    ],
)  # fmt: skip
def test_which_numbers_are_of_the_internet(number: str, public: bool) -> None:
    assert is_public(number) is public


def test_a_name_that_leads_inside_is_refused_whenever_it_does(settings, monkeypatch) -> None:
    """Also one of several, and also one that led elsewhere when it was registered."""
    told = [(socket.AF_INET, 1, 6, "", (number, 443)) for number in ("93.184.216.34", "192.168.1.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_more: told)
    with pytest.raises(Forbidden):
        resolve(target_of("https://example.org/"))
    answer = sending.send("https://example.org/", Webhook().secret, "msg_1", 1, "{}")
    assert (answer.status, "private network" in answer.text) == (None, True)
    settings.WEBHOOKS_LOCAL = True
    assert resolve(target_of("https://example.org/")) == "93.184.216.34"


def test_what_is_old_is_forgotten(delivery: Delivery) -> None:
    now = timezone.now()
    worker.send_due()
    waits = webhook_news.test_message(delivery.webhook, now)
    dead = webhook_news.test_message(delivery.webhook, now)
    Delivery.objects.filter(pk=dead.pk).update(state="dead")
    assert worker.purge(now) == 0
    assert worker.purge(now + worker.KEPT_SENT + timedelta(hours=1)) == 1
    assert worker.purge(now + worker.KEPT_DEAD + timedelta(hours=1)) == 1
    assert list(Delivery.objects.all()) == [waits]
    Webhook.objects.update(is_active=False)
    assert worker.purge(now + worker.KEPT_DEAD - timedelta(hours=1)) == 0
    assert worker.purge(now + worker.KEPT_DEAD + timedelta(hours=1)) == 1


def test_a_fault_of_one_webhook_leaves_the_others(delivery: Delivery, monkeypatch) -> None:
    def fails(webhook: Webhook, now: object) -> int:
        raise RuntimeError

    monkeypatch.setattr(webhook_news, "gather", fails)
    assert worker.work()
    assert after(delivery).state == "sent"


def test_the_worker_ends_with_its_server() -> None:
    with worker.at_work():
        (thread,) = (one for one in threading.enumerate() if one.name == "webhooks")
        assert thread.is_alive()
    thread.join(timeout=20)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            OperationalError("no such table: games_webhook"),
            ["nothing can be saved: the tables are not up to date"],
        ),
        (ZeroDivisionError("a fault of ours"), ["webhooks could not be looked after"] * 3),
    ],
)
def test_a_database_that_is_away_is_told_once_in_a_while(
    fault: Exception, told: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The worker looks every two seconds: an hour without a database was eighteen hundred tracebacks."""
    monkeypatch.setattr(worker, "journal", Journal())

    def fails() -> bool:
        raise fault

    monkeypatch.setattr(worker, "work", fails)
    looks = iter([False, False, False, True])
    worker._until(SimpleNamespace(wait=lambda _pause: next(looks)))
    assert [line.partition(", run")[0].partition(";")[0] for line in caplog.messages] == told
