"""A demo event is for show: marked, listed last, and deleted with all its tables."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.hall import admin, commands, event_actions, event_file
from games.hall.models import Event
from games.models import Match
from games.pages.opening import home
from games.webhooks import webhook_news
from games.webhooks.models import Webhook
from tests.hall.halls import ANNA

pytestmark = pytest.mark.django_db


def opened(name: str, *, is_demo: bool) -> Event:
    """An event whose first round is open, with two tables."""
    event = event_actions.open_event({"system": "rps", "name": name, "mode": "plain"}, ANNA, is_demo=is_demo)
    commands.import_table(event.code, ANNA, "Ada\nBo\nCy\nDi")
    commands.check_in_all(event.code, ANNA)
    commands.pair(event.code, ANNA)
    commands.open_round(event.code, ANNA)
    return event


@pytest.fixture
def real() -> Event:
    return opened("Real cup", is_demo=False)


@pytest.fixture
def demo(real: Event) -> Event:
    """Opened last, so that it would be the first in every list."""
    return opened("Demo cup", is_demo=True)


def tables_of(event: Event) -> list[Match]:
    return list(Match.objects.filter(pairings__event=event))


def test_it_is_marked_and_comes_after_real_events(client: Client, real: Event, demo: Event) -> None:
    rows = client.get("/").context["page"].events
    assert [(row.name, bool(row.demo)) for row in rows] == [("Real cup", False), ("Demo cup", True)]
    sections = dict(client.get(reverse("events")).context["page"].sections)
    assert [row.name for row in sections["Being played now"]] == ["Real cup"]
    assert [row.name for row in sections["Demo events"]] == ["Demo cup"]


def test_its_tables_are_demo_tables_and_are_listed_on_its_own_pages_only(client, real, demo) -> None:
    assert [match.is_demo for match in tables_of(demo)] == [True, True]
    assert [match.is_demo for match in tables_of(real)] == [False, False]
    shown = {row.url for _title, rows in client.get("/").context["page"].sections for row in rows}
    assert shown == {f"/t/{match.code}/" for match in tables_of(real)}
    Match.objects.filter(pairings__event=real).delete()
    assert not home.being_played()


def test_deleting_it_deletes_its_tables_and_those_of_a_real_event_stay(real: Event, demo: Event) -> None:
    kept, gone = tables_of(real), tables_of(demo)
    admin.delete(demo)
    admin.delete(real)
    assert not Event.objects.exists()
    assert set(Match.objects.all()) == set(kept)
    assert len(gone) == 2


def test_programs_are_not_told_of_it(real: Event, demo: Event) -> None:
    assert list(webhook_news._events(Webhook())) == [real]


def test_it_stays_a_demo_on_another_server(demo: Event) -> None:
    file = event_file.export_event(demo)
    admin.delete(demo)
    assert event_file.import_event(file, lambda event: None) is False
    assert Event.objects.get(code=demo.code).is_demo
