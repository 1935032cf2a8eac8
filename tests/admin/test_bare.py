"""A table or an event whose game is gone, or a table that was altered: it is found, looked at and deleted."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from games.hall import event_actions as events
from games.hall.models import Event, EventEntry, Player
from games.match import play
from games.models import Army, Entry, Match
from games.pages.altered_rows import is_altered
from tests.admin.in_admin import change_url, taken

pytestmark = pytest.mark.django_db

MATCHES, EVENTS = reverse("admin:games_match_changelist"), reverse("admin:events_event_changelist")


@pytest.fixture
def gone(rps: Match) -> Match:
    """A table in its first round whose game is not installed any more; one side has no name."""
    taken(rps, "red")
    taken(play.open_match("rps", "plain", {"red": "Cleo", "blue": "Dan"}), "blue")
    Army.objects.filter(match=rps, key="blue").update(name="")
    Match.objects.filter(pk=rps.pk).update(system="lanterns", mode="evening", round=2)
    return Match.objects.get(pk=rps.pk)


@pytest.fixture
def cup(db: None) -> Event:
    """An event of a game that is not installed any more."""
    event = events.open_event({"system": "rps", "name": "Lantern Cup", "mode": "plain"}, events.Actor())
    Player.objects.create(event=event, key="p1", name="Ada", club="North")
    Event.objects.filter(pk=event.pk).update(system="lanterns")
    return Event.objects.get(pk=event.pk)


def event_url(event: Event, what: str = "change") -> str:
    return reverse(f"admin:events_event_{what}", args=[event.pk])


def test_a_table_says_what_it_is_without_its_game(admin_client, gone: Match) -> None:
    answer = admin_client.get(change_url(gone))
    assert answer.status_code == 200
    page = answer.content.decode()
    told = (gone.code, "lanterns", "evening", "Round 2", "Ada", "red: taken", "blue: free")
    assert not [word for word in told if word not in page]
    assert "The game “lanterns” is not installed here." in page
    assert reverse("admin:games_match_delete", args=[gone.pk]) in page
    assert 'name="_save"' not in page


def test_the_list_shows_it_beside_the_others(admin_client, gone: Match, auction: Match) -> None:
    page = admin_client.get(MATCHES).content.decode()
    assert gone.code in page
    assert auction.code in page
    assert "The game “lanterns” is not installed here." in page


@pytest.mark.parametrize("way", ["page", "list"])
def test_a_table_is_deleted_after_a_question(admin_client, gone: Match, way: str) -> None:
    """Nobody can end it, so that it is being played protects it from nothing."""
    url = reverse("admin:games_match_delete", args=[gone.pk]) if way == "page" else MATCHES
    sent = {} if way == "page" else {"action": "delete_selected", "_selected_action": [gone.pk]}
    asked = admin_client.get(url) if way == "page" else admin_client.post(url, sent)
    assert asked.status_code == 200
    assert "Are you sure" in asked.content.decode()
    assert admin_client.post(url, {**sent, "post": "yes"}).status_code == 302
    assert not Match.objects.filter(pk=gone.pk).exists()
    assert not Army.objects.filter(match_id=gone.pk).exists()
    assert LogEntry.objects.get().object_repr == gone.code


@pytest.mark.parametrize("action", ["adjudicate", "time_out", "export"])
def test_what_needs_the_game_is_refused_in_a_sentence(admin_client, gone: Match, action: str) -> None:
    sent = {"action": action, "_selected_action": [gone.pk]}
    decided = {"decided": "yes", "winner": "red", "reason": "A ruling."}
    answer = admin_client.post(MATCHES, {**sent, **decided}, follow=True)
    assert answer.status_code == 200
    assert f"{gone.code}: The game “lanterns” is not installed here." in answer.content.decode()


@pytest.mark.parametrize("action", ["free_seats", "show_listed", "take_off_list"])
def test_what_needs_no_game_is_done(admin_client, gone: Match, action: str) -> None:
    answer = admin_client.post(MATCHES, {"action": action, "_selected_action": [gone.pk]})
    assert answer.status_code == 302
    assert gone.seats.filter(is_taken=True).exists() is (action != "free_seats")


def test_a_button_of_its_old_page_is_answered_in_a_sentence(admin_client, gone: Match) -> None:
    url = reverse("admin:games_match_do", args=[gone.pk])
    answer = admin_client.post(url, {"command": "undo", "version": "1"})
    assert answer.status_code in (302, 503)
    assert admin_client.post(change_url(gone), {"reason": "x"}).status_code == 403


def test_who_may_only_look_is_offered_no_deletion(client, gone: Match, cup: Event) -> None:
    user = User.objects.create_user("varys", password="little-birds-sing", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_match", "view_event"]))
    client.force_login(user)
    for url, delete in (
        (change_url(gone), reverse("admin:games_match_delete", args=[gone.pk])),
        (event_url(cup), event_url(cup, "delete")),
    ):
        page = client.get(url)
        assert page.status_code == 200
        assert delete not in page.content.decode()
        assert client.post(delete, {"post": "yes"}).status_code == 403
    user.user_permissions.clear()
    for url in (change_url(gone), event_url(cup)):
        assert client.get(url).status_code == 403


def test_an_event_says_what_it_is_without_its_game(admin_client, cup: Event) -> None:
    assert "Lantern Cup" in admin_client.get(EVENTS).content.decode()
    answer = admin_client.get(event_url(cup))
    assert answer.status_code == 200
    page = answer.content.decode()
    told = (cup.code, "lanterns", "Lantern Cup", "Ada · North", "is not installed here", "being prepared")
    assert not [word for word in told if word not in page]
    assert event_url(cup, "delete") in page


@pytest.mark.parametrize("way", ["page", "list"])
def test_an_event_is_deleted_after_a_question(admin_client, cup: Event, way: str) -> None:
    url = event_url(cup, "delete") if way == "page" else EVENTS
    sent = {} if way == "page" else {"action": "delete_selected", "_selected_action": [cup.pk]}
    asked = admin_client.get(url) if way == "page" else admin_client.post(url, sent)
    assert "Are you sure" in asked.content.decode()
    assert admin_client.post(url, {**sent, "post": "yes"}).status_code == 302
    assert not Event.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_names_in_it_go_when_their_time_has_come(tmp_path: Path) -> None:
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": ""})
    event = events.open_event({"system": "rps", "name": "Cup", "mode": "plain"}, events.Actor())
    long_ago = timezone.now() - timedelta(days=100)
    Match.objects.filter(pk=match.pk).update(system="lanterns", changed_at=long_ago)
    Event.objects.filter(pk=event.pk).update(system="lanterns", changed_at=long_ago)
    for entries in (Entry.objects.all(), EventEntry.objects.all()):
        entries.update(created_at=long_ago)
    out = StringIO()
    call_command("tidy", "--days", "90", "--folder", str(tmp_path), stdout=out)
    assert "1 tables, 1 events" in out.getvalue()
    assert not Match.objects.exists()
    assert not Army.objects.exists()
    assert not Event.objects.exists()


# --- a table that was altered ------------------------------------------------------------------------


PLAYED_ON = {
    "a name": lambda match: match.armies.update(name="Mallory"),
    "what its page in the admin shows": lambda match: Match.objects.filter(pk=match.pk).update(rules=[[0]]),
}


@pytest.mark.parametrize("what", PLAYED_ON)
def test_a_table_that_was_altered_and_is_played_on_is_ended_first(
    admin_client, rps: Match, what: str
) -> None:
    """Whoever wrote into its rows has not stopped its players."""
    Match.objects.filter(pk=rps.pk).update(round=1)
    PLAYED_ON[what](rps)
    assert is_altered(Match.objects.get(pk=rps.pk))
    url = reverse("admin:games_match_delete", args=[rps.pk])
    assert f"{rps.code} is being played; end it first." in admin_client.get(url).content.decode()
    admin_client.post(url, {"post": "yes"})
    rps.refresh_from_db()
    assert (rps.result, rps.version) == (None, rps.entries.count())
    end = {"action": "time_out", "_selected_action": [rps.pk], "decided": "1", "reason": "they went home"}
    admin_client.post(MATCHES, end)
    assert admin_client.post(url, {"post": "yes"}).status_code == 302
    assert not Match.objects.filter(pk=rps.pk).exists()
