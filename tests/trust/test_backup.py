"""A backup is made while people tap, and comes back whole: to an empty server, or in place of another."""

from __future__ import annotations

import errno
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from config.data import backups
from config.data.sqlite import driver
from games.match import play
from tests.conftest import Server
from tests.trust.places import Place, places
from tests.trust.sockets import Browser, Listener

TAPPING = """
import django, random
django.setup()
from games.match import (storage, play)
from games.match import random_play
from games.models import Match
match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="a-backup")
print(match.code, flush=True)
state, version, luck = storage.load(match).state, match.version, random.Random(5)
while state.result is None and version < 80:
    verdict = play.tap(match.code, *random_play.tap(state, luck), version, play.new_key())
    state, version = verdict.loaded.state, verdict.version
    print(version, flush=True)
"""


@pytest.fixture
def place(tmp_path: Path, db: None) -> Iterator[Callable[[str], Place]]:
    """A place by its name."""
    with places(tmp_path) as of:
        yield of


def test_nothing_is_no_backup_and_pushes_out_none(place: Callable[[str], Place], tmp_path: Path) -> None:
    """With a mistyped folder one would hear that all is saved, and lose old backups to empty ones."""
    old, wrong, kept = place("old"), place("wrong"), tmp_path / "kept"
    old.prepare()
    old.manage("backup", "--folder", str(kept))
    assert "never prepared" in wrong.manage("backup", "--folder", str(kept), "--keep", "1")
    (file,) = kept.iterdir()
    assert "tables are back" in old.manage("restore", str(file))


def test_what_was_tapped_before_a_backup_is_in_it_and_comes_back(place: Callable[[str], Place]) -> None:
    old, new = place("old"), place("new")
    old.prepare()
    tapping = old.start("-c", TAPPING)
    assert tapping.stdout is not None
    code = tapping.stdout.readline().strip()
    before = int([tapping.stdout.readline() for _tap in range(30)][-1])
    assert "Everything is saved in" in old.manage("backup")
    rest, _errors = tapping.communicate(timeout=120)
    assert "1 tables are back" in new.manage("restore", *old.backups())
    told = json.loads(new.manage("export", "--match", code))
    assert before <= told["version"] <= int(rest.split()[-1])
    assert "the rules of today say the same" in new.manage("replay", "--all", "--check")


def test_a_backup_takes_the_place_of_what_is_there_only_when_told_to(place: Callable[[str], Place]) -> None:
    here = place("here")
    here.prepare()
    here.script(TAPPING.replace("80", "3"))
    here.manage("backup")
    (saved,) = here.backups()
    assert "Give --yes to replace them" in here.manage("restore", saved)
    assert here.backups() == [saved]
    assert "tables are back" in here.manage("restore", saved, "--yes")
    assert len(here.backups()) == 2, "what was here is saved first"
    assert {path.stat().st_mode & 0o777 for path in here.backups()} == {0o600}


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(place: Callable[[str], Place]) -> None:
    """Tables that the backup does not know exist here already, and point at those that it brings."""
    old, here = place("old"), place("here")
    for one in (old, here):
        one.prepare()
    old.script(TAPPING.replace("80", "3"))
    for app, version in (("webhooks", "zero"), ("events", "zero"), ("games", "0010")):
        old.manage("migrate", app, version, "--verbosity", "0")
    old.manage("backup")
    assert "1 tables are back" in here.manage("restore", *old.backups())
    assert "[ ]" not in here.manage("showmigrations")
    assert "the rules of today say the same" in here.manage("replay", "--all", "--check")


PREPARED = """
import django
django.setup()
from games.hall import event_actions
from games.models import CatalogueEntry
event_actions.open_event({"system": "tmg", "name": "Winter Cup"}, event_actions.Actor())
CatalogueEntry.objects.create(system="tmg", kind="card", slug="77", facts={"name": "My card"})
"""


def test_what_was_prepared_before_any_table_is_replaced_only_when_told_to(
    place: Callable[[str], Place],
) -> None:
    empty, here = place("empty"), place("here")
    for one in (empty, here):
        one.prepare()
    empty.manage("backup")
    here.script(PREPARED)
    told = here.manage("restore", *empty.backups())
    assert "keeps 1 events, 1 changed catalogue entries. Give --yes to replace them." in told
    assert not here.backups()
    assert "What was here is saved" in here.manage("restore", *empty.backups(), "--yes")
    assert "0 tables are back" in here.manage("restore", *here.backups())
    assert "keeps 1 events" in here.manage("restore", *here.backups())


@pytest.mark.parametrize("is_missing", [True, False])
def test_without_a_folder_of_its_own_a_server_gets_its_backup_all_the_same(
    place: Callable[[str], Place], is_missing: bool
) -> None:
    """The database is elsewhere, and the user who restores may not be the one who serves."""
    old, here = place("old"), place("here")
    for one in (old, here):
        one.prepare()
    old.script(TAPPING.replace("80", "3"))
    old.manage("backup")
    folder = here.folder / "none yet"
    if not is_missing:
        folder.write_text("a file where a folder should be")
    with_another = Place(here.folder / "another", here.environment["DATABASE_URL"])
    with_another.environment["ROUNDTABLE_DATA"] = str(folder)
    told = with_another.manage("restore", *old.backups())
    with_another.close()
    assert "1 tables are back" in told
    is_told = is_missing or connection.vendor == "postgresql"
    assert ("could not be told" in told) is not is_told
    assert "3 entries lead to the rows" in here.manage("replay", "--all")


OF_A_NEWER_VERSION = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
MigrationRecorder(connection).record_applied("games", "9999_moods")
"""


def test_a_backup_of_a_newer_version_changes_nothing(place: Callable[[str], Place]) -> None:
    """Today's program would write rows that the newer tables do not accept."""
    newer, here = place("newer"), place("here")
    for one in (newer, here):
        one.prepare()
    newer.script(OF_A_NEWER_VERSION)
    newer.manage("backup")
    told = here.manage("restore", *newer.backups())
    assert "bring that up to date first. Nothing was changed." in told
    assert "9999_moods" not in here.manage("showmigrations", "games")


@pytest.mark.parametrize(
    ("name", "about", "why"),
    [
        ("missing", None, "There is no file"),
        ("nonsense", b"PK no zip at all", "is no backup, or is damaged"),
        ("empty", {}, "is no backup, or is damaged"),
        ("foreign", {"format": 1, "database": "oracle"}, "on a server with oracle can be imported here"),
        ("newer", {"format": 2, "database": "sqlite"}, "made by a newer version"),
    ],
)
def test_what_is_no_backup_is_refused_in_a_sentence(
    tmp_path: Path, name: str, about: object, why: str
) -> None:
    file = tmp_path / f"{name}.zip"
    if isinstance(about, bytes):
        file.write_bytes(about)
    elif about is not None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("about.json", json.dumps(about))
    with pytest.raises(backups.Unusable, match=why):
        backups.load(file)


def packed(file: Path, **about: object) -> bytes:
    """The bytes of a backup whose database is not one."""
    told = about or {"format": 1, "database": connection.vendor, "at": "today"}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("about.json", json.dumps(told))
        archive.writestr(backups.DATABASES[connection.vendor], b"a database " * 999 + bytes(range(256)))
    return file.read_bytes()


def spoiled(whole: bytes) -> Iterator[bytes]:
    """The file with one byte changed, for every byte in turn."""
    for at in range(len(whole)):
        yield whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What would replace the database, which stays as it is."""
    found: list[bytes] = []
    monkeypatch.setattr(backups, "tell_servers", lambda: None)
    monkeypatch.setattr(backups.connections, "close_all", lambda: None)
    monkeypatch.setitem(backups._APPLIED, connection.vendor, lambda kept: [("games", "0001_initial")])
    monkeypatch.setitem(backups._RESTORE, connection.vendor, lambda kept: found.append(kept.read_bytes()))
    return found


def refusal(file: Path) -> str:
    """Why a file is refused, "" if it is not."""
    try:
        backups.load(file)
    except backups.Unusable as unusable:
        return str(unusable)
    return ""


def test_whatever_byte_is_damaged_a_sentence_says_so(tmp_path: Path, brought: list[bytes]) -> None:
    file = tmp_path / "some.zip"
    whole = packed(file)
    said = [refusal(file) for damaged in spoiled(whole) if file.write_bytes(damaged)]
    # The time of packing may differ; what was packed may not.
    assert set(said) == {"", f"{file} is no backup, or is damaged."}
    assert len(set(brought)) == 1
    assert said.count("") < len(whole) / 2


def test_a_backup_that_does_not_say_of_when_it_is_changes_nothing(
    tmp_path: Path, brought: list[bytes]
) -> None:
    packed(tmp_path / "undated.zip", format=1, database=connection.vendor)
    assert "is no backup" in refusal(tmp_path / "undated.zip")
    assert not brought


def test_a_full_disk_is_not_a_damaged_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_files: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    packed(tmp_path / "whole.zip")
    monkeypatch.setattr(backups.shutil, "copyfileobj", full)
    with pytest.raises(backups.Unusable, match=r"cannot be unpacked into .*: No space left on device\."):
        backups.load(tmp_path / "whole.zip")
    with pytest.raises(backups.Unusable, match="Is a directory"):
        backups.load(tmp_path)


def scribbled(path: Path) -> bytes:
    """A database that opens, with a page in the middle overwritten."""
    with driver.connect(path) as database:
        database.execute("CREATE TABLE taps (number INTEGER PRIMARY KEY, words TEXT)")
        database.executemany("INSERT INTO taps (words) VALUES (?)", [("a tap " * 20,)] * 500)
    database.close()
    found = path.read_bytes()
    return found[:8192] + b"\xff" * 4096 + found[12288:]


def test_a_damaged_database_changes_nothing(place: Callable[[str], Place], tmp_path: Path) -> None:
    here, damaged = place("here"), tmp_path / "damaged.zip"
    here.prepare()
    for kept in (scribbled(tmp_path / "whole"), b"no database at all" * 100):
        with zipfile.ZipFile(damaged, "w") as archive:
            archive.writestr("about.json", json.dumps({"format": 1, "database": connection.vendor}))
            archive.writestr(backups.DATABASES[connection.vendor], kept)
        assert "Nothing was changed." in here.manage("restore", damaged)


def of_another_program(path: Path) -> None:
    with driver.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()


def of_another_site(path: Path) -> None:
    """Kept by Django as well, but not by this program."""
    with driver.connect(path) as database:
        database.execute("CREATE TABLE django_migrations (id INTEGER, app TEXT, name TEXT, applied TEXT)")
        database.execute("INSERT INTO django_migrations VALUES (1, 'auth', '0001_initial', '')")
    database.close()


def of_a_newer_one(path: Path) -> None:
    """It does not say so in its description."""
    of_another_site(path)
    with driver.connect(path) as database:
        for name in ("0001_initial", "9999_moods"):
            database.execute("INSERT INTO django_migrations VALUES (2, 'games', ?, '')", (name,))
    database.close()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="these files are SQLite's")
@pytest.mark.parametrize("made", [of_another_program, of_another_site, of_a_newer_one, scribbled, None])
def test_what_cannot_be_brought_back_costs_no_backup_of_what_is_here(
    place: Callable[[str], Place], tmp_path: Path, made: Callable[[Path], object] | None
) -> None:
    """A mistyped file must not push the good backups out of their folder, one each time."""
    here, file = place("here"), tmp_path / "given.zip"
    here.prepare()
    here.script(TAPPING.replace("80", "3"))
    database = tmp_path / "some.sqlite3"
    if made is not None:
        bytes_of = made(database) or database.read_bytes()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("about.json", json.dumps({"format": 1, "database": "sqlite", "at": "today"}))
            archive.writestr(backups.DATABASES["sqlite"], bytes_of)
    assert "Nothing was changed." in here.manage("restore", file, "--yes")
    assert not here.backups()
    assert "3 entries lead to the rows" in here.manage("replay", "--all")


def test_a_backup_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    with pytest.raises(backups.Unusable, match="could not be written"):
        backups.save(tmp_path / "taken")


@pytest.mark.django_db(transaction=True)
def test_a_running_server_forgets_what_it_showed_when_a_backup_is_brought_back(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    saved = backups.save(tmp_path)
    play.tap(match.code, "red", "throw:rock", 1, play.new_key())
    browser = Browser(server.port)
    with Listener(server.port, browser.stream_of(match.code), seconds=10) as stream:
        assert stream.board(2)
        assert browser.get(f"/t/{match.code}/board?seen=2").status == 204
        backups.load(saved)
        assert stream.board(3) is None, "the stream has ended"
    assert browser.get(f"/t/{match.code}/board?seen=2").status == 410
    found = None
    # A server may hear twice, from the touched file and from its database: then streams end once more.
    for _stream in range(2):
        with Listener(server.port, browser.stream_of(match.code) + "&seen=2") as stream:
            found = found or stream.board()
    assert found
    assert found["id"] == "1", "the board as it was goes also to who has seen a later one"


@pytest.mark.django_db
@pytest.mark.parametrize("seen", ["", "x", "-1", "1", "1.5", "\u0662", "9" * 30])
def test_only_a_later_version_loads_a_page_again(client: Client, seen: str) -> None:
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    answer = client.get(f"/t/{match.code}/board", {"seen": seen})
    assert answer.status_code == (204 if seen == "1" else 200)
    assert client.get(f"/t/{match.code}/board", {"seen": "2"}).status_code == 410


def test_only_the_newest_backups_of_a_folder_stay(tmp_path: Path) -> None:
    days = [f"roundtable-2026010{day}-040000-000000.zip" for day in (3, 1, 2)]
    for name in (*days, "holiday.zip"):
        (tmp_path / name).touch()
    made = tmp_path / days[0]
    assert backups.thin(tmp_path, 0, made) == 0
    assert backups.thin(tmp_path, 2, made) == 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["holiday.zip", days[2], days[0]]
    assert backups.thin(tmp_path, 9, made) == 0


@pytest.mark.django_db(transaction=True)
def test_a_backup_stays_though_others_seem_to_be_of_a_later_time(tmp_path: Path) -> None:
    """The clock was once years ahead, or is behind now: what was just made counts as the newest."""
    ahead = [f"roundtable-209901{day}-040000-000000.zip" for day in range(10, 14)]
    for name in ahead:
        (tmp_path / name).touch()
    for kept in ([ahead[-1]], []):
        call_command("backup", "--folder", str(tmp_path), "--keep", "2")
        names = sorted(file.name for file in tmp_path.iterdir())
        assert len(names) == 2
        assert [name for name in names if name in ahead] == kept


@pytest.mark.django_db(transaction=True)
def test_the_key_by_which_phones_have_their_seats_comes_along(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P15, on a laptop: another key would take everybody's seat; a server's key is never in a file."""
    settings.DATA_DIR, settings.KEY_FILE = tmp_path, tmp_path / "secret-key"
    key, copies = tmp_path / backups.KEY, tmp_path / "copies" / "of tonight"
    monkeypatch.setitem(backups._RESTORE, connection.vendor, lambda source: None)

    def brought_back(file: Path, present: str) -> tuple[object, str]:
        key.write_text(present)
        settings.SECRET_KEY = present
        return backups.load(file).get("is_another_key"), key.read_text()

    settings.OWNS_KEY = False
    without = backups.save(copies)
    settings.OWNS_KEY = True
    key.write_text(tonight := "tonight" * 8)
    made = backups.save(copies)
    assert brought_back(made, tonight) == (False, tonight)
    assert brought_back(made, "another") == (True, tonight)
    assert brought_back(without, "another") == (None, "another")
    assert [oct(path.stat().st_mode & 0o777) for path in (copies, made)] == ["0o700", "0o600"]
    settings.OWNS_KEY = False
    assert brought_back(made, "another") == (None, "another")
    key.unlink()
    assert ("is_another_key" in backups.load(made), key.exists()) == (False, False)
    with zipfile.ZipFile(backups.save(copies)) as archive:
        assert backups.KEY not in archive.namelist()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump answers for its own copies")
def test_a_copy_that_is_damaged_is_no_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P15: a file that has a backup's name has been checked."""

    def damaged(copy: driver.Connection) -> None:
        raise driver.DatabaseError("the copy is damaged")

    monkeypatch.setattr(backups, "_check", damaged)
    with pytest.raises(backups.Unusable, match="the copy is damaged"):
        backups.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump says so in its own words")
def test_a_disk_that_is_full_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    opened = driver.connect

    def small(file: Path) -> driver.Connection:
        copy = opened(file)
        copy.execute("PRAGMA max_page_count = 2")
        return copy

    monkeypatch.setattr(backups.driver, "connect", small)
    with pytest.raises(backups.Unusable, match=r"could not be copied: the disk is full\."):
        backups.save(tmp_path)
    assert list(tmp_path.iterdir()) == []
