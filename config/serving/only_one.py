"""One server a data folder: a second one would not tell the first one's phones of its taps.

A transaction on a small database of its own is held open while the server runs: every platform's SQLite
locks its file, and the system lets go of it however the server ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.core.management.base import CommandError

_held: list[sqlite3.Connection] = []


def claim(folder: Path) -> bool:
    """Be the one server of this folder until this process ends; False where another one is."""
    try:
        connection = sqlite3.connect(folder / "serving.sqlite3", timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            return False
        raise CommandError(
            f"The folder {folder} cannot be written ({problem}). Choose another one: --data names it."
        ) from problem
    _held.append(connection)
    return True


def remember(folder: Path, url: str) -> None:
    """Leave word for a second start of where the first one's page is; only its owner can read it."""
    file = folder / "serving"
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(url, encoding="utf-8")


def where(folder: Path) -> str:
    """The address that the server of this folder left; "" for none."""
    file = folder / "serving"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""
