"""What is deleted at the admin is forgotten by its log, too: names of players, and reasons."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.urls import reverse

from games.hall.models import Event, Player
from games.models import Army, Match
from tests.admin.in_admin import filled
from tests.hall.halls import opened

pytestmark = pytest.mark.django_db


def page_of(row, what: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{what}", args=[row.pk])


def rename(client, row, name: str, **more: str) -> None:
    sent = {**filled(client.get(page_of(row, "change"))).dict(), "name": name, **more}
    assert client.post(page_of(row, "change"), sent).status_code == 302


def remembered() -> list[str]:
    return list(LogEntry.objects.exclude(action_flag=DELETION).values_list("object_repr", flat=True))


def test_with_a_table_go_the_names_and_reasons_about_it_and_no_others(
    admin_client, rps: Match, auction: Match
) -> None:
    for match in (rps, auction):
        rename(admin_client, Army.objects.filter(match=match).first(), "Olenna", reason="She asked for it.")
    assert remembered() == ["Stark", "Ada"]
    admin_client.post(page_of(rps, "delete"), {"post": "yes"})
    assert remembered() == ["Stark"]
    kept = LogEntry.objects.get(action_flag=DELETION)
    assert (kept.object_repr, kept.change_message) == (rps.code, "")


def test_with_an_event_go_the_names_of_its_people(admin_client) -> None:
    event = Event.objects.get(code=opened(4))
    rename(admin_client, Player.objects.filter(event=event).first(), "Olenna")
    assert remembered() == ["Olenna"]
    admin_client.post(page_of(event, "delete"), {"post": "yes"})
    assert remembered() == []
