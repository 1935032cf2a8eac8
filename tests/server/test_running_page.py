"""The page of the admin that says how the server is doing, and the backup that is made there."""

from __future__ import annotations

import os
import time
import zipfile
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import status
from games.live.hub import hub
from games.match import play
from games.models import Match
from games.monitoring.answer_times import FILE, SAVING, SlowAnswers
from games.web import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return play.open_match("rps", "plain", {"red": "Zebulon", "blue": "Bo"}, seed="winter")


def test_the_page_of_the_admin_says_how_the_server_is_doing(admin_client, match, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    play.tap(match.code, "red", "throw:rock", 1, play.new_key())
    shown = admin_client.get("/admin/running/").content.decode()
    facts = _facts(shown)
    assert facts["Tables in play"] == "1"
    assert facts["Taps in the last minute"] == "2"
    assert facts["Last backup"] == "never"
    made = tmp_path / "backups"
    made.mkdir()
    (made / "roundtable-1.zip").write_bytes(b"")
    two_days_ago = time.time() - 2 * 86_400 - 60
    os.utime(made / "roundtable-1.zip", (two_days_ago, two_days_ago))
    assert "2 days ago" in admin_client.get("/admin/running/").content.decode()
    (made / "pictures.zip").write_bytes(b"no backup")
    assert "2 days ago" in admin_client.get("/admin/running/").content.decode()
    (made / "roundtable-2.zip").symlink_to("just removed")
    assert "2 days ago" in admin_client.get("/admin/running/").content.decode()
    assert status.newest_backup(tmp_path / "nowhere") is None


def test_the_page_says_nothing_odd_after_the_clock_was_set_back(
    admin_client, match, tmp_path, settings, monkeypatch
):
    settings.DATA_DIR = tmp_path
    backup = tmp_path / "backups" / "roundtable-1.zip"
    backup.parent.mkdir()
    backup.write_bytes(b"")
    play.tap(match.code, "red", "throw:rock", 1, play.new_key())
    monkeypatch.setattr(clock, "now", lambda now=clock.now: now() - timedelta(hours=3))
    monkeypatch.setattr(timezone, "now", lambda now=timezone.now: now() - timedelta(hours=3))
    facts = _facts(admin_client.get("/admin/running/").content.decode())
    assert (facts["Last backup"], facts["Taps in the last minute"]) == ("today", "0")


def test_the_page_does_not_go_through_streams_that_come_and_go(admin_client, monkeypatch):
    """Those sets change under its thread, and the page was an error."""
    monkeypatch.setattr(hub, "rooms", None)
    monkeypatch.setattr(hub, "players", 3)
    monkeypatch.setattr(hub, "count", 8)
    facts = _facts(admin_client.get("/admin/running/").content.decode())
    assert {name: value for name, value in facts.items() if "Connected" in name} == {
        "Connected players’ devices": "3",
        "Connected spectators": "5",
    }


@pytest.mark.parametrize("bus", [None, object()])
def test_the_page_says_what_it_counts_of_one_process_among_several(admin_client, monkeypatch, bus):
    monkeypatch.setattr(hub, "bus", bus)
    told = "The streams and the slow answers are those of this process: each other one has its own."
    assert (told in admin_client.get("/admin/running/").content.decode()) == (bus is not None)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL knows how long its tables are")
def test_taps_of_the_last_minute_are_counted_without_reading_every_entry(admin_client, match):
    with CaptureQueriesContext(connection) as asked:
        admin_client.get("/admin/running/")
    (counted,) = [one["sql"] for one in asked if 'COUNT(*) AS "__count" FROM "games_entry"' in one["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {counted}")
        plan = [row[-1] for row in cursor.fetchall()]
    assert any(step.startswith("SEARCH games_entry USING INDEX") for step in plan), plan


@pytest.mark.django_db(transaction=True)
def test_an_organiser_makes_a_backup_from_the_page(admin_client, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    answer = admin_client.post("/admin/running/backup/", follow=True)
    (made,) = (tmp_path / "backups").glob("*.zip")
    with zipfile.ZipFile(made) as archive:
        assert archive.testzip() is None
        assert "about.json" in archive.namelist()
    shown = answer.content.decode()
    assert f"Everything is saved in {made} (" in shown
    facts = _facts(shown)
    assert facts["Last backup"] == "today"


def test_what_keeps_a_backup_from_being_made_is_told(admin_client, tmp_path, settings):
    settings.DATA_DIR = tmp_path / "file"
    settings.DATA_DIR.write_text("no folder")
    answer = admin_client.post("/admin/running/backup/", follow=True)
    assert answer.status_code == 200
    assert "No backup was made: The backup could not be written to" in answer.content.decode()


@pytest.fixture
def helper(client, django_user_model):
    """Somebody with an account in the admin and no permission yet."""
    client.user = django_user_model.objects.create_user("helper", password="x", is_staff=True)
    client.force_login(client.user)
    return client


def allow(helper, codename):
    helper.user.user_permissions.add(Permission.objects.get(codename=codename))


@pytest.mark.parametrize("allowed", ["view_match", "view_pairing"])
def test_how_the_server_is_doing_is_for_who_has_to_do_with_tables_or_events(helper, allowed):
    allow(helper, "view_group")
    for path in ("/admin/running/", "/metrics"):
        refused = helper.get(path)
        assert refused.status_code == 403
        assert "These numbers are for the organiser of this server." in refused.content.decode()
    assert "/admin/running/" not in helper.get("/admin/").content.decode()
    allow(helper, allowed)
    assert [helper.get(path).status_code for path in ("/admin/running/", "/metrics")] == [200, 200]
    assert "/admin/running/" in helper.get("/admin/").content.decode()


def test_a_helper_of_the_admin_makes_no_backups(helper, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    allow(helper, "view_match")
    assert "/admin/running/backup/" not in helper.get("/admin/running/").content.decode()
    assert helper.post("/admin/running/backup/").status_code == 403
    assert Client().post("/admin/running/backup/").status_code == 302
    assert not list(tmp_path.iterdir())


def test_a_page_that_is_looked_at_makes_no_backup(admin_client, tmp_path, settings):
    settings.DATA_DIR = tmp_path
    assert admin_client.get("/admin/running/backup/").status_code == 405
    assert not list(tmp_path.iterdir())


def test_the_page_tells_of_slow_answers_in_the_organisers_language(admin_client, monkeypatch):
    monkeypatch.setattr(status, "slow_answers", answers := SlowAnswers())
    assert _facts(admin_client.get("/admin/running/").content.decode())["Slow answers since the start"] == "0"
    answers.note(FILE, 0.812, {SAVING: 0.7})
    shown = admin_client.get("/admin/running/", headers={"Accept-Language": "de"}).content.decode()
    assert _facts(shown)["Langsame Antworten seit dem Start"] == "1"
    for said in ("eine Datei", "812 ms", "auf die Platte speichern"):
        assert said in shown


def test_the_page_is_for_organisers(client):
    assert Client().get("/admin/running/").status_code == 302


def test_the_way_to_it_stands_in_the_admin(admin_client):
    assert 'href="/admin/running/"' in admin_client.get("/admin/").content.decode()


def _facts(shown: str) -> dict[str, str]:
    return dict(zip(_between(shown, "<dt>", "</dt>"), _between(shown, "<b>", "</b>"), strict=True))


def _between(text: str, begin: str, end: str) -> list[str]:
    return [part.partition(end)[0] for part in text.split(begin)[1:]]
