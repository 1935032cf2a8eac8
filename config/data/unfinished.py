"""Temporary files, which may hold secrets: what a killed run leaves behind, a later run removes.

They are in a folder whose name later runs know: a run in the same place removes those out of use.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

NAME, OLD_SECONDS = "unfinished-", 24 * 60 * 60
"""How the names of such folders begin, and the age after which one is certainly out of use."""
OF_OURS = "roundtable-"
"""A prefix of the name in the temporary folder that all programs share."""
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
"""What a file system without hard links answers."""


@contextmanager
def place(beside: Path) -> Iterator[Path]:
    """A folder to work in, inside another one; removed afterwards, as is what killed runs have left."""
    clear(beside)
    with tempfile.TemporaryDirectory(dir=beside, prefix=_name(beside)) as made:
        yield Path(made)


def first_of(*folders: Path) -> Path:
    """The first folder that can be made and written to, or else the one that all programs share."""
    return next(filter(_can_be_written, folders), _shared())


def clear(folder: Path) -> None:
    """Remove what killed runs have left, here or in the shared folder; it may be as large as a whole file."""
    for left in {*folder.glob(f"{_name(folder)}*"), *_shared().glob(f"{_name(_shared())}*")}:
        try:
            is_old = time.time() - left.lstat().st_mtime > OLD_SECONDS
        except FileNotFoundError:
            continue
        if is_old:
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def named_when_whole(file: Path) -> Iterator[TextIO]:
    """A new file to write, for its owner alone, which gets its name only when all of it is on the disk.

    Raises `FileExistsError` where the name is taken, at the start or by the end, and `OSError` for anything
    else that fails; then nothing is left behind.
    """
    if os.path.lexists(file):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    with place(file.parent) as folder:
        whole = folder / "whole"
        with whole.open("x", encoding="utf-8") as opened:
            whole.chmod(0o600)
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        _name_once(whole, file)


def _name_once(whole: Path, file: Path) -> None:
    """Give a file its name, unless it is taken."""
    try:
        os.link(whole, file)
    except OSError as problem:
        if problem.errno not in _NO_LINKS:
            raise
        # Until the move the name belongs to an empty file, so nobody else can take it.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        whole.replace(file)


def _shared() -> Path:
    return Path(tempfile.gettempdir())


def _name(folder: Path) -> str:
    return f"{OF_OURS}{NAME}" if folder == _shared() else NAME


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
