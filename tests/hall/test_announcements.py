"""Announcements: where they are read, when they were made, and how they are taken down."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from games.hall import commands, event_links, event_undo
from games.hall.models import Announcement, Event, EventEntry, Helper
from games.hall.pages.rounds_and_standings import latest
from games.web import clock
from tests.hall.halls import ANNA, begun, first_table, refused, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db

NOON = 1_770_030_000
"""When the announcements of these tests are made, in seconds since 1970."""

PAGES = ("event", "event-tv", "wall", "organise")


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch) -> str:
    """An event at which lunch was announced, and then a coat."""
    code = begun(4)
    monkeypatch.setattr(clock, "seconds", lambda: float(NOON))
    commands.announce(code, ANNA, "Lunch is served")
    commands.announce(code, ANNA, "A coat was found")
    return code


def numbers(code: str) -> list[int]:
    """The numbers of the announcements that stand, the older first."""
    return [one.number for one in reversed(state(code).announced())]


def shown(code: str) -> dict[str, str]:
    """What each page of an event shows."""
    organiser = phone_of(code)
    pages = {name: page(organiser, code, name) for name in PAGES}
    return {**pages, "strip": organiser.get(f"/t/{first_table(code).match}/event").content.decode()}


def test_what_is_taken_down_is_shown_nowhere_and_what_it_replaced_is_no_news_again(code: str) -> None:
    assert all("A coat was found" in text for text in shown(code).values())
    commands.take_down(code, ANNA, numbers(code)[-1])
    after = shown(code)
    assert {name for name, text in after.items() if "coat" in text} == {"organise"}
    assert "Announcement removed: A coat was found" in after["organise"]
    # A list of several goes on with those before it.
    assert {name for name, text in after.items() if "Lunch" in text} == {"event", "organise"}
    assert 'data-news="Lunch' not in after["event"]


def test_the_next_announcement_is_shown_after_one_that_was_taken_down(code: str) -> None:
    commands.take_down(code, ANNA, numbers(code)[-1])
    commands.announce(code, ANNA, "Round two")
    assert all("Round two" in text for text in shown(code).values())


def test_an_announcement_says_when_it_was_made(code: str) -> None:
    made = latest(state(code))
    assert made is not None
    for name, text in shown(code).items():
        assert f'datetime="{made.at.iso}"' in text, name
        assert made.at.text in text, name


def test_who_may_announce_takes_down_from_the_organisers_page(code: str) -> None:
    judge, scorekeeper = phone_of(code, "judge"), phone_of(code, "scorekeeper")
    lunch, coat = numbers(code)
    assert f'value="take_down {coat}"' in page(judge, code)
    assert "take_down" not in page(scorekeeper, code)
    assert send(judge, code, f"take_down {lunch}").status_code == 302
    assert numbers(code) == [coat]
    told = send(judge, code, f"take_down {lunch}").content.decode()
    assert "This announcement was already taken down." in told
    assert "There is no such announcement." in send(judge, code, "take_down 9999").content.decode()


def test_taking_down_is_undone_like_any_action(code: str) -> None:
    commands.take_down(code, ANNA, numbers(code)[-1])
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    assert [one.text for one in state(code).announced()] == ["A coat was found", "Lunch is served"]


def test_a_program_takes_an_announcement_down(code: str, client) -> None:
    phone_of(code)
    token = event_links.secret(Helper.objects.select_related("event").get(event__code=code))
    asked = {"action": "take-down", "number": numbers(code)[-1], "key": "program-key-0"}
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    answer = client.post(
        reverse("api:hall-do", args=[code]), asked, content_type="application/json", **bearer
    )
    assert answer.status_code == 200
    told = client.get(reverse("api:hall", args=[code])).json()["announcements"]
    assert [one["down_at"] for one in told] == [None, NOON]


def test_the_admin_takes_announcements_down(code: str, admin_client) -> None:
    rows = Announcement.objects.filter(event__code=code)
    sent = {"action": "take_down", "_selected_action": [row.pk for row in rows]}
    listed = admin_client.get("/admin/events/announcement/").content.decode()
    assert "A coat was found" in listed
    admin_client.post("/admin/events/announcement/", sent)
    assert state(code).announced() == []
    assert EventEntry.objects.filter(event__code=code, action="take_down").count() == 2
    again = admin_client.post("/admin/events/announcement/", sent, follow=True).content.decode()
    assert "This announcement was already taken down." in again


def test_who_may_only_look_in_the_admin_takes_nothing_down(code: str, client) -> None:
    user = User.objects.create_user("podrick", password="loyal-and-true-1", is_staff=True)
    client.force_login(user)
    row = Announcement.objects.get(event__code=code, text="A coat was found")
    sent = {"action": "take_down", "_selected_action": [row.pk]}
    for codename, standing in (("view_announcement", 2), ("change_announcement", 1)):
        user.user_permissions.add(Permission.objects.get(codename=codename))
        client.post("/admin/events/announcement/", sent)
        assert len(state(code).announced()) == standing


def test_an_announcement_made_again_is_not_the_one_that_was_read(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mark() -> str:
        strip = phone_of(code).get(f"/t/{first_table(code).match}/event").content.decode()
        return re.search(r'data-said="(\d+)"', strip)[1]

    read = mark()
    event_undo.undo(code, EventEntry.objects.filter(event__code=code, action="announce").last().version, ANNA)
    monkeypatch.setattr(clock, "seconds", lambda: NOON + 60.0)
    commands.announce(code, ANNA, "A coat was found at table 3")
    assert mark() != read


def test_an_older_page_takes_nothing_down_that_it_never_showed(code: str) -> None:
    version, seen = Event.objects.get(code=code).version, numbers(code)[-1]
    event_undo.undo(code, version, ANNA)
    commands.announce(code, ANNA, "Round two")
    assert "no such announcement" in str(refused(commands.take_down, code, ANNA, seen))
    assert "Round two" in [one.text for one in state(code).announced()]


def test_nothing_is_taken_down_twice(code: str) -> None:
    coat = numbers(code)[-1]
    commands.take_down(code, ANNA, coat)
    assert refused(commands.take_down, code, ANNA, coat).status == 409
