"""What an organiser adds is added once, though its form is sent twice: both answers lead to it."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from games.hall.models import Event
from games.webhooks import sending
from games.webhooks.models import Webhook

pytestmark = pytest.mark.django_db

KINDS = dict.fromkeys(("on_score", "on_finish", "on_agreed", "on_round", "is_active"), "on")
FORMS = {
    "event": ("admin:events_event_add", {"system": "bushido", "name": "Ryu Cup"}, Event),
    "webhook": ("admin:webhooks_webhook_add", {"address": "https://example.org/hook", **KINDS}, Webhook),
}


@pytest.fixture(autouse=True)
def every_host_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.admin.webhook_admin.resolve", lambda target: [])
    assert sending.resolve


def key_of(page: str) -> str:
    """The key that a fresh form carries."""
    return re.search(r'name="key" value="([^"]+)"', page)[1]


@pytest.mark.parametrize("what", FORMS)
def test_the_same_form_sent_twice_adds_one(admin_client: Client, what: str) -> None:
    name, fields, model = FORMS[what]
    form = {**fields, "key": key_of(admin_client.get(reverse(name)).content.decode()), "_continue": "1"}
    answers = [admin_client.post(reverse(name), form) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert model.objects.count() == 1
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize("what", FORMS)
def test_another_form_adds_another(admin_client: Client, what: str) -> None:
    name, fields, model = FORMS[what]
    for _form in range(2):
        form = {**fields, "key": key_of(admin_client.get(reverse(name)).content.decode())}
        assert admin_client.post(reverse(name), form).status_code == 302
    assert model.objects.count() == 2


def test_the_form_sent_late_does_not_change_what_was_changed_since(admin_client: Client) -> None:
    name, fields, _model = FORMS["webhook"]
    form = {**fields, "key": "the-key-of-a-form"}
    admin_client.post(reverse(name), form)
    Webhook.objects.update(on_score=False)
    admin_client.post(reverse(name), form)
    assert not Webhook.objects.get().on_score


@pytest.mark.parametrize("what", FORMS)
@pytest.mark.parametrize("key", ["short", "x" * 65, "with a blank in it", "\0" * 9])
def test_a_key_that_none_of_our_pages_has_adds_nothing(admin_client: Client, what: str, key: str) -> None:
    name, fields, model = FORMS[what]
    assert admin_client.post(reverse(name), {**fields, "key": key}).status_code == 200
    assert not model.objects.exists()


@pytest.mark.parametrize("what", FORMS)
def test_what_is_wrong_is_said_and_can_be_sent_again(admin_client: Client, what: str) -> None:
    name, fields, model = FORMS[what]
    form = {**fields, "key": "the-key-of-a-form", "name": "\u202e", "address": "nonsense"}
    answer = admin_client.post(reverse(name), form)
    assert (answer.status_code, model.objects.count()) == (200, 0)
    assert key_of(answer.content.decode()) == "the-key-of-a-form"
    assert admin_client.post(reverse(name), {**form, **fields}).status_code == 302
    assert model.objects.count() == 1
