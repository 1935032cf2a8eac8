"""After the organiser's limit no name is left in any table, in any byte of the database, or in any backup."""

from __future__ import annotations

import json
import os
import re
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config.data import tidying
from config.data.sqlite import driver
from games.core import say
from games.hall import commands
from games.hall.models import Event, EventEntry
from games.live import bus
from games.match import match_file, play
from games.models import Entry, Match
from games.web import clock
from tests.hall.halls import ANNA, opened
from tests.trust.places import Place, places
from tests.waiting import in_one_moment

NOBODY = {"Allowance", "CatalogueEntry", "ContentType", "Permission", "Group"}
"""Models that hold facts about games and the program, and at most a keyed hash of any person."""
ACCOUNTS = {"User", "TOTPDevice", "StaticDevice", "StaticToken"}
"""Organisers' accounts and their second factors: they stay until somebody deletes them."""

SEEDED = """
import datetime, json
import django
django.setup()
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone
from games.hall import models as models_of
from games.hall import event_actions as events
from games.match import play
from games.models import Entry, Match, Objective, Round, Score, Seat, SeatRequest, Unit
from games.webhooks.models import Delivery, Knowledge, Webhook

LONG_AGO = timezone.now() - datetime.timedelta(days=100)
TEXTS = (models.CharField, models.TextField, models.JSONField)
old = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
play.bring(old.code, "red", "Faction: Stark\\n- Umber Berserkers (7)", "key-bring-0001")
play.rename(old.code, "red", "zqrenamed1")
play.rename(old.code, "red", "zqrenamed2")
play.remark(old.code, play.say("%(who)s talks.", who="zqtalks"), "zqauthor")
play.remark(old.code, play.say("Bye."))
army = old.armies.first()
Objective.objects.create(match=old, key="tower", name="Tower")
Round.objects.create(match=old, number=99)
Score.objects.create(match=old, army=army, number=99, round=1, points=1, reason="gift")
seat = Seat.objects.filter(match=old).first()
SeatRequest.objects.create(seat=seat, name="Guest", asker_hash="x")
cup = events.open_event({"system": "tmg", "name": "Cup"}, events.Actor())
models_of.Team.objects.create(event=cup, key="t1")
models_of.TeamMatch.objects.create(event=cup, key="m1", round=1)
player = models_of.Player.objects.create(event=cup, key="p1", name="Ada")
models_of.ArmyList.objects.create(event=cup, player=player, fingerprint="x", salt="x", text="x")
models_of.Round.objects.create(event=cup, number=1, mode="manual-scoring")
models_of.Pairing.objects.create(event=cup, key="1-1", round=1)
models_of.Call.objects.create(event=cup, number=1, pairing="1-1", asked_at=0)
models_of.Announcement.objects.create(event=cup, number=1, text="x", said_at=0)
models_of.Helper.objects.create(event=cup, role="judge")
models_of.Season.objects.create(code="zqseason", name="Season").events.add(cup)
webhook = Webhook.objects.create(event=cup, address="https://example.org/")
Knowledge.objects.create(webhook=webhook, code=old.code)
Delivery.objects.create(webhook=webhook, code=old.code)
Entry.objects.filter(match=old).update(created_at=LONG_AGO)
models_of.EventEntry.objects.filter(event=cup).update(created_at=LONG_AGO)
young = play.open_match("tmg", "manual-scoring", {"red": "zqyoungred", "blue": "Bo"})
young_cup = events.open_event({"system": "tmg", "name": "zqyoungcup"}, events.Actor())
organiser = get_user_model().objects.create_superuser("organiser", password="p" * 12)
LogEntry.objects.create(user=organiser, content_type=ContentType.objects.first(), action_flag=1)
Session.objects.create(session_key="x", expire_date=LONG_AGO)

marks = {}
for model in apps.get_models():
    if model.__name__ in NOBODY | ACCOUNTS:
        continue
    rows = model._default_manager.all()
    if any(field.name == "event" for field in model._meta.fields):
        rows = rows.filter(event=cup)
    elif any(field.name == "match" for field in model._meta.fields):
        rows = rows.filter(match=old)
    elif model in (Match, models_of.Event):
        rows = rows.filter(pk__in=[old.pk] if model is Match else [cup.pk])
    for field in model._meta.fields:
        if not isinstance(field, TEXTS) or field.choices:
            continue
        mark = f"zq{len(marks):03}m"
        first = rows.order_by("pk").last()
        value = {"name": mark} if isinstance(field, models.JSONField) else mark
        assert first is not None, model
        pk = first.pk
        changed = rows.filter(pk=pk).update(**{field.attname: value})
        assert changed == 1
        marks[mark] = f"{model.__name__}.{field.name}"
Match.objects.filter(pk=old.pk).update(changed_at=LONG_AGO)
models_of.Event.objects.filter(pk=cup.pk).update(changed_at=LONG_AGO)
LogEntry.objects.update(action_time=LONG_AGO)
free = Seat.objects.filter(match=young).first()
SeatRequest.objects.create(seat=free, name="zqguest", asker_hash="long ago", created_at=LONG_AGO)
SeatRequest.objects.create(seat=free, name="zqyoungguest", asker_hash="today")
for _match in range(5):
    play.open_match("tmg", "manual-scoring", {"red": "zqdeleted", "blue": "Bo"})
Match.objects.filter(armies__name="zqdeleted").delete()
print(json.dumps(marks))
""".replace("NOBODY | ACCOUNTS", repr(NOBODY | ACCOUNTS))

MARK = re.compile(rb"zq(?:\d{3}m|renamed\d|guest|deleted|talks|author|young(?:red|guest|cup))")


@pytest.fixture(scope="module")
def seeded(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None
) -> Iterator[tuple[Place, dict[str, str]]]:
    """A server with marks in all texts of an old table, by what they stand for; another table is new."""
    with places(tmp_path_factory.mktemp("tidy")) as of:
        place = of("old")
        place.prepare()
        yield place, json.loads(place.script(SEEDED))


def everything(place: Place) -> bytes:
    """Everything that the database holds, as bytes: SQLite's own files, or a dump."""
    (file,) = (place.manage("backup", "--folder", place.folder / "look"), place.folder / "look")[1].glob("*")
    with zipfile.ZipFile(file) as archive:
        (name,) = (name for name in archive.namelist() if name.startswith("database"))
        held = archive.read(name)
    file.unlink()
    if connection.vendor == "sqlite":
        return b"".join(path.read_bytes() for path in place.folder.glob("roundtable.sqlite3*"))
    return place.dump(held)


@contextmanager
def served(place: Place) -> Iterator[None]:
    """A server has the database open: the files that SQLite writes next to it stay."""
    if connection.vendor != "sqlite":
        yield
        return
    with closing(driver.connect(place.folder / "roundtable.sqlite3")) as database:
        database.execute("SELECT count(*) FROM games_match").fetchall()
        yield
        assert (place.folder / "roundtable.sqlite3-wal").exists()


@pytest.mark.django_db
def test_all_is_kept_up_to_the_limit_and_no_name_after_it(
    seeded: tuple[Place, dict[str, str]],
) -> None:
    place, marks = seeded
    assert len(marks) > 50
    assert {of.partition(".")[0] for of in marks.values()} == {
        model.__name__ for model in apps.get_models() if model.__name__ not in NOBODY | ACCOUNTS
    }
    before = set(MARK.findall(everything(place)))
    assert {mark.encode() for mark in marks} <= before
    assert {b"zqrenamed1", b"zqrenamed2", b"zqtalks", b"zqauthor", b"zqguest"} <= before
    told = place.manage("tidy", "--days", "101")
    assert " 0 tables, 0 events, 0 requests for seats, 0 entries of the admin" in told
    assert b"zqrenamed2" in everything(place)
    with served(place):
        assert "Removed what is older than 90 days: 1 tables, 1 events" in place.manage(
            "tidy", "--days", "90"
        )
        assert set(MARK.findall(everything(place))) == {b"zqyoungred", b"zqyoungguest", b"zqyoungcup"}
    assert set(MARK.findall(everything(place))) == {b"zqyoungred", b"zqyoungguest", b"zqyoungcup"}
    if connection.vendor == "sqlite":
        with closing(driver.connect(place.folder / "roundtable.sqlite3")) as database:
            assert database.execute("PRAGMA freelist_count").fetchone() == (0,), "no forgotten page is left"
    print(f"PROMISE P16: {len(marks)} marks in every text of an old table, residual names 0")


@pytest.mark.django_db
def test_old_backups_go_and_nothing_else(seeded: tuple[Place, dict[str, str]]) -> None:
    place, _marks = seeded
    folder = place.folder / "backups"
    for _backup in range(2):
        place.manage("backup")
    old, young = place.backups()
    other = folder / "notes.zip"
    other.write_text("of somebody else")
    for file in (old, other):
        os.utime(file, (time.time() - 102 * 86400,) * 2)
    assert " 1 backups." in place.manage("tidy", "--days", "101")
    assert sorted(folder.iterdir()) == sorted([young, other])


def played(days_ago: float) -> Match:
    """A table opened this long ago by the clock."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    _said(match, days_ago)
    return match


def tapped(match: Match, days_ago: float) -> None:
    """Tap at a table, this long ago by the clock."""
    play.remark(match.code, say("Hm."))
    _said(match, days_ago)


def _said(match: Match, days_ago: float) -> None:
    at = timezone.now() - timedelta(days=days_ago)
    Entry.objects.filter(pk=match.entries.order_by("pk").last().pk).update(created_at=at)
    Match.objects.filter(pk=match.pk).update(changed_at=at)


def left(folder: Path) -> set[str]:
    tidying.tidy(90, folder)
    return set(Match.objects.values_list("code", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_somebody_else_removes_meanwhile_stops_nothing(tmp_path: Path) -> None:
    match = played(100)
    (tmp_path / "roundtable-1.zip").symlink_to("just removed")
    assert match.code not in left(tmp_path)


@pytest.mark.django_db(transaction=True)
def test_what_was_played_while_the_clock_was_behind_is_young(tmp_path: Path) -> None:
    old, long_lived = played(100), played(100)
    today = played(1)
    behind = played(20_000)
    tapped(long_lived, 20_000)
    assert left(tmp_path) == {each.code for each in (today, behind, long_lived)}
    assert old.code not in left(tmp_path)


@pytest.mark.django_db(transaction=True)
def test_what_was_played_while_the_clock_was_ahead_makes_nothing_young(tmp_path: Path) -> None:
    ahead, old = played(-3000), played(100)
    assert left(tmp_path) == {ahead.code}
    assert old.code != ahead.code


@pytest.mark.django_db(transaction=True)
def test_the_dates_in_a_file_keep_no_table_young(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever brings a match chooses them: with one every few weeks no name would ever go."""
    monkeypatch.setattr(bus, "agree_on_the_time", lambda: None)
    monkeypatch.setattr(clock, "_ahead", 50 * tidying.DAY_SECONDS)
    file = match_file.whole(play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}))
    Match.objects.all().delete()
    monkeypatch.setattr(clock, "_ahead", 0.0)
    match_file.import_match(file, str)
    play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    monkeypatch.setattr(clock, "_ahead", 100 * tidying.DAY_SECONDS)
    assert left(tmp_path) == set()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("years", [-1990, -56, -1, 1])
def test_no_clock_makes_it_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, years: int) -> None:
    match = played(1)
    (tmp_path / "roundtable-20260101-000000-000000.zip").touch()
    monkeypatch.setattr(clock, "_ahead", years * 365.2425 * tidying.DAY_SECONDS)
    monkeypatch.setattr(bus, "agree_on_the_time", lambda: None)
    assert (match.code in left(tmp_path)) == (years < 0)


@pytest.mark.django_db(transaction=True)
def test_the_clock_that_counts_is_the_common_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine may be years ahead of the database's; beside an SQLite there is no other clock."""
    match = played(1)
    monkeypatch.setattr(clock, "_ahead", 0.0)  # No later test may keep what is agreed here.
    monkeypatch.setattr(time, "time", lambda really=time.time: really() + 400 * tidying.DAY_SECONDS)
    assert left(tmp_path) == ({match.code} if connection.vendor == "postgresql" else set())


@pytest.mark.django_db(transaction=True)
def test_a_session_stays_until_it_has_run_out(tmp_path: Path) -> None:
    """A phone that loses its session has lost its seats."""
    for key, days in (("gone", -1), ("good", 1)):
        Session.objects.create(session_key=key, expire_date=timezone.now() + timedelta(days=days))
    assert tidying.tidy(90, tmp_path).sessions == 1
    assert Session.objects.get().session_key == "good"


@pytest.mark.django_db(transaction=True)
def test_a_table_that_is_tapped_at_meanwhile_stays(tmp_path: Path) -> None:
    match = played(100)
    in_one_moment(lambda: play.remark(match.code, say("Hm.")), lambda: tidying.tidy(90, tmp_path))
    assert Match.objects.get().version == 2


@pytest.mark.django_db(transaction=True)
def test_an_event_at_which_something_is_done_meanwhile_stays(tmp_path: Path) -> None:
    code = opened(2)
    long_ago = timezone.now() - timedelta(days=100)
    EventEntry.objects.update(created_at=long_ago)
    Event.objects.update(changed_at=long_ago)
    in_one_moment(lambda: commands.drop(code, ANNA, "p1"), lambda: tidying.tidy(90, tmp_path))
    assert Event.objects.get().code == code


KILLED = """
import django, os, signal
django.setup()
from config.data import backups
backups._check = backups.subprocess.run = lambda *told, **more: os.kill(os.getpid(), signal.SIGKILL)
backups.save(backups.folder())
"""


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("tidy", "--days", "101"), ("backup",)])
def test_what_a_killed_backup_has_left_goes_when_no_backup_is_being_made(
    seeded: tuple[Place, dict[str, str]], command: tuple[str, ...]
) -> None:
    place, _marks = seeded
    place.start("-c", KILLED).communicate(timeout=60)
    (left,) = (place.folder / "backups").glob("unfinished-*")
    place.manage(*command)
    assert left.exists(), "somebody may be at it"
    os.utime(left, (time.time() - 2 * 86400,) * 2)
    place.manage(*command)
    assert not left.exists()


KILLED_AT_UNPACKING = """
import django, os, signal, sys
django.setup()
from django.core.management import call_command
from config.data import backups
backups._unpack = lambda file, place: os.kill(os.getpid(), signal.SIGKILL)
call_command("restore", sys.argv[1], "--yes")
"""


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("tidy", "--days", "101"), ("backup",)])
def test_what_a_killed_restore_has_left_is_where_others_look(
    seeded: tuple[Place, dict[str, str]], command: tuple[str, ...], tmp_path: Path
) -> None:
    place, _marks = seeded
    place.environment["TMPDIR"] = str(tmp_path)
    place.manage("backup")
    place.start("-c", KILLED_AT_UNPACKING, str(place.backups()[0])).communicate(timeout=60)
    (left,) = (place.folder / "backups").glob("unfinished-*")
    os.utime(left, (time.time() - 2 * 86400,) * 2)
    place.manage(*command)
    assert not left.exists()


@pytest.mark.parametrize("days", ["0", "-1"])
def test_without_a_limit_nothing_goes(days: str) -> None:
    with pytest.raises(CommandError, match="Say after how many days"):
        call_command("tidy", "--days", days)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("days", ["999999", "99999999", "9" * 30])
def test_a_limit_beyond_every_calendar_removes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], days: str
) -> None:
    call_command("tidy", "--days", days, "--folder", str(tmp_path))
    assert f"older than {days} days: 0 tables" in capsys.readouterr().out
