"""A file gets its name only once it is whole, and what a killed run leaves is removed by a later one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from config.data import unfinished

ROOT = Path(__file__).resolve().parents[2]

KILLED = """
import os, pathlib, signal, sys
from config.data import unfinished
with unfinished.named_when_whole(pathlib.Path(sys.argv[1])) as opened:
    opened.write("a secret")
    opened.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def wrote(file: Path, meanwhile: Callable[[], object] = lambda: None) -> None:
    with unfinished.named_when_whole(file) as opened:
        opened.write("all of it")
        meanwhile()


def test_a_whole_file_is_there_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "file"
    wrote(file, lambda: file.exists() and pytest.fail("it has its name before it is whole"))
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("all of it", 0o600)
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_beside_which_one_stands_is_named_without_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrote(Path("file"))
    assert (tmp_path / "file").read_text() == "all of it"


def test_nothing_is_written_over_whenever_it_came(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with pytest.raises(FileExistsError):
        wrote(file, lambda: file.write_text("of somebody else"))
    with pytest.raises(FileExistsError):
        wrote(file, lambda: pytest.fail("it was there before"))
    assert file.read_text() == "of somebody else"
    assert list(tmp_path.iterdir()) == [file]
    os.symlink(tmp_path / "nowhere", tmp_path / "link")
    with pytest.raises(FileExistsError):
        wrote(tmp_path / "link")


def full(*_arguments: object, **_more: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("fails", ["fsync", "link"])
def test_where_the_disk_is_full_nothing_is_left(
    tmp_path: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, fails, full)
    with pytest.raises(OSError, match="No space left"):
        wrote(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_where_no_file_has_two_names_it_is_moved_into_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_arguments: object, **_more: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    file = tmp_path / "file"
    wrote(file)
    assert (file.read_text(), list(tmp_path.iterdir())) == ("all of it", [file])
    other = tmp_path / "other"
    with pytest.raises(FileExistsError):
        wrote(other, lambda: other.write_text("of somebody else"))
    assert other.read_text() == "of somebody else"


def test_of_a_killed_run_nothing_has_a_name_or_a_later_one_removes_it(tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED, str(tmp_path / "file")]
    assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    left = list(tmp_path.iterdir())
    assert len(left) == 1
    wrote(tmp_path / "other")
    assert set(left) <= set(tmp_path.iterdir()), "somebody may be at it"
    for folder in left:
        os.utime(folder, (time.time() - 2 * 86400,) * 2)
    unfinished.clear(tmp_path)
    assert list(tmp_path.iterdir()) == [tmp_path / "other"]


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that all programs share."""
    folder = tmp_path / "shared"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_who_may_write_nowhere_else_works_in_the_shared_folder(tmp_path: Path, shared: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    assert unfinished.first_of(tmp_path / "taken") == shared
    assert unfinished.first_of(tmp_path / "taken", tmp_path / "new" / "folder") == tmp_path / "new" / "folder"
    with unfinished.place(shared) as made:
        assert made.name.startswith("roundtable-unfinished-")
    old, of_others = shared / "roundtable-unfinished-old", shared / "unfinished-old"
    for folder in (old, of_others):
        folder.mkdir()
        os.utime(folder, (time.time() - 2 * 86400,) * 2)
    unfinished.clear(tmp_path)
    assert list(shared.iterdir()) == [of_others]
