"""Which of several installed PostgreSQL programs copies a database, or restores it."""

from __future__ import annotations

from pathlib import Path

import pytest

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
