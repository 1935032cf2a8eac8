"""Which programs make a backup: which of several that PostgreSQL has, and none but ours."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from django.db import connection

from config.data import backups


def installed(folder: Path, *versions: str) -> None:
    for version in versions:
        program = folder / version / "bin" / "pg_dump"
        program.parent.mkdir(parents=True)
        program.touch()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a machine with no PostgreSQL program on its path."""
    monkeypatch.setattr(backups, "PROGRAMS", tmp_path)
    monkeypatch.setattr(backups.shutil, "which", lambda _name: None)
    return tmp_path


def test_the_newest_version_is_taken_and_not_the_last_by_its_letters(programs: Path) -> None:
    installed(programs, "9.6", "15", "9.5", "10")
    assert Path(backups._program("pg_dump")).parts[-3] == "15"


def test_what_the_path_names_comes_first(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(programs, "15")
    monkeypatch.setattr(backups.shutil, "which", lambda name: f"/opt/bin/{name}")
    assert backups._program("pg_dump") == "/opt/bin/pg_dump"


def test_a_program_that_is_missing_is_named(programs: Path) -> None:
    with pytest.raises(backups.Unusable, match="The program pg_restore is missing"):
        backups._program("pg_restore")


@pytest.mark.parametrize("kind", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_another_program_has_packed_and_damaged_is_no_backup(tmp_path: Path, kind: int) -> None:
    """Each way to pack has errors of its own."""
    file = tmp_path / "some.zip"
    with zipfile.ZipFile(file, "w", kind) as archive:
        archive.writestr("about.json", json.dumps({"format": 1, "database": connection.vendor, "at": "now"}))
    whole = bytearray(file.read_bytes())
    whole[50:60] = b"\xff" * 10
    file.write_bytes(whole)
    with pytest.raises(backups.Unusable, match="is no backup, or is damaged"):
        backups.load(file)
