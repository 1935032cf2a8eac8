"""Webhooks at the admin: registered, tried, seen, sent again; and gone with what they told of."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.admin import match_commands
from games.hall import admin as events
from games.hall.models import Event
from games.webhooks import webhook_news
from games.webhooks.models import Delivery, Knowledge, Webhook
from tests.browser import driving
from tests.hall.halls import opened
from tests.webhooks.receiver import Receiver

pytestmark = pytest.mark.django_db
KINDS = dict.fromkeys(("on_score", "on_finish", "on_agreed", "on_round", "is_active"), "on")


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("olenna", password="thorns-and-roses"))
    return client


def add(client: Client, address: str) -> object:
    return client.post(reverse("admin:webhooks_webhook_add"), {"address": address, **KINDS})


def test_an_address_is_registered_and_its_secret_is_shown(organiser: Client, receiver: Receiver) -> None:
    assert add(organiser, receiver.url).status_code == 302  # type: ignore[attr-defined]
    webhook = Webhook.objects.get()
    page = organiser.get(reverse("admin:webhooks_webhook_change", args=[webhook.pk])).content.decode()
    assert webhook.secret in page
    assert webhook.secret.startswith("whsec_")
    assert receiver.url.replace("&", "&amp;") in organiser.get("/admin/webhooks/webhook/").content.decode()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("http://example.org/", "must begin with https://"),
        ("https://127.0.0.1/hook", "private network"),
        ("https://[::1]/", "private network"),
        ("https://me:word@example.org/", "name or a password"),
        ("https://nobody.invalid/", "no such host"),
    ],
)
def test_an_address_that_cannot_be_is_refused_with_a_sentence(
    organiser: Client, address: str, sentence: str
) -> None:
    answer = add(organiser, address)
    assert sentence in answer.content.decode()  # type: ignore[attr-defined]
    assert Webhook.objects.count() == 0


def test_a_test_message_is_sent_and_what_was_given_up_again(organiser: Client) -> None:
    webhook = Webhook.objects.create(address="https://example.org/")
    chosen = {"action": "test", "_selected_action": [webhook.pk]}
    assert organiser.post("/admin/webhooks/webhook/", chosen).status_code == 302
    delivery = Delivery.objects.get()
    assert delivery.kind == "webhook.test"
    Delivery.objects.update(state="dead", attempts=8, answer="a fault")
    assert "a fault" in organiser.get("/admin/webhooks/delivery/").content.decode()
    page = organiser.get(reverse("admin:webhooks_delivery_change", args=[delivery.pk]))
    assert page.status_code == 200
    again = {"action": "again", "_selected_action": [delivery.pk]}
    assert organiser.post("/admin/webhooks/delivery/", again).status_code == 302
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("waiting", 0)
    before = webhook.secret
    organiser.post("/admin/webhooks/webhook/", {"action": "replace_secret", "_selected_action": [webhook.pk]})
    webhook.refresh_from_db()
    assert webhook.secret != before


def test_one_that_is_not_active_is_sent_no_test_message(organiser: Client) -> None:
    """Its organiser would wait for an answer in vain."""
    asleep, awake = (
        Webhook.objects.create(address=f"https://example.org/{name}", is_active=name == "awake")
        for name in ("asleep", "awake")
    )
    chosen = {"action": "test", "_selected_action": [asleep.pk, awake.pk]}
    page = organiser.post("/admin/webhooks/webhook/", chosen, follow=True).content.decode()
    assert f"Nothing is sent to {asleep}: it is not active." in page
    assert "Test message sent." in page
    assert [one.webhook for one in Delivery.objects.all()] == [awake]
    chosen["_selected_action"] = [asleep.pk]
    page = organiser.post("/admin/webhooks/webhook/", chosen, follow=True).content.decode()
    assert "on its way" not in page


def test_what_waits_for_one_that_is_not_active_is_not_said_to_be_sent(organiser: Client) -> None:
    asleep, awake = (
        Webhook.objects.create(address=f"https://example.org/{name}", is_active=name == "awake")
        for name in ("asleep", "awake")
    )
    dead = [webhook_news.test_message(one, timezone.now()).pk for one in (asleep, awake)]
    Delivery.objects.update(state="dead")
    chosen = {"action": "again", "_selected_action": dead}
    page = organiser.post("/admin/webhooks/delivery/", chosen, follow=True).content.decode()
    assert f"Nothing is sent to {asleep}: it is not active." in page
    assert "1 message is sent again." in page
    assert dict(Delivery.objects.values_list("webhook", "state")) == {asleep.pk: "dead", awake.pk: "waiting"}
    chosen["_selected_action"] = dead[:1]
    page = organiser.post("/admin/webhooks/delivery/", chosen, follow=True).content.decode()
    assert "sent again" not in page


def test_who_may_only_read_sends_nothing(client: Client) -> None:
    reader = User.objects.create_user("reader", password="thorns-and-roses", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_delivery"))
    client.force_login(reader)
    webhook = Webhook.objects.create(address="https://example.org/")
    delivery = webhook_news.test_message(webhook, timezone.now())
    Delivery.objects.update(state="dead")
    client.post("/admin/webhooks/delivery/", {"action": "again", "_selected_action": [delivery.pk]})
    delivery.refresh_from_db()
    assert delivery.state == "dead"
    assert client.get("/admin/webhooks/webhook/").status_code == 403


@pytest.mark.parametrize("action", ["test", "replace_secret"])
def test_who_may_only_look_at_webhooks_uses_none(client: Client, action: str) -> None:
    reader = User.objects.create_user("reader", password="thorns-and-roses", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_webhook"))
    client.force_login(reader)
    webhook = Webhook.objects.create(address="https://example.org/")
    client.post("/admin/webhooks/webhook/", {"action": action, "_selected_action": [webhook.pk]})
    assert Webhook.objects.get().secret == webhook.secret
    assert not Delivery.objects.exists()
    page = client.get(reverse("admin:webhooks_webhook_change", args=[webhook.pk])).content.decode()
    assert "example.org" in page
    assert webhook.secret not in page, "with it they could sign messages of their own"
    for guess in (webhook.secret[:8], "nonsense"):
        found = client.get("/admin/webhooks/webhook/", {"secret__startswith": guess})
        assert found.status_code == 400, "nor can they find it out letter by letter"


def test_what_is_deleted_is_not_told_of_any_more() -> None:
    webhook = Webhook.objects.create(address="https://example.org/")
    match = driving.opened(driving.SET_UP + '\nred army/red points:red:2 "a card"')
    code = opened(4)
    webhook_news.gather(webhook, timezone.now())
    assert Delivery.objects.filter(code=match.code).count() == 1
    assert set(Knowledge.objects.values_list("code", flat=True)) == {match.code, code}
    match_commands.delete(match)
    assert not Delivery.objects.exists()
    events.delete(Event.objects.get(code=code))
    assert not Knowledge.objects.exists()
