"""Allows one server per data folder: a second one would not tell the first one's phones about its taps.

While the server runs, it holds a transaction open on a small database kept for this. SQLite locks the file
on every platform, and the system releases the lock however the server ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.core.management.base import CommandError

_held: list[sqlite3.Connection] = []


def claim(folder: Path) -> bool:
    """Become the one server of this folder until this process ends; False where another one is running."""
    try:
        connection = sqlite3.connect(folder / "serving.sqlite3", timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            return False
        raise CommandError(
            f"The folder {folder.absolute()} cannot be written ({problem}). "
            "Choose another one: ROUNDTABLE_DATA names it, unless DATABASE_URL does."
        ) from problem
    _held.append(connection)
    return True


def remember(folder: Path, url: str) -> None:
    """Write down where this server's page is, for a second start to find; only its owner can read it."""
    file = folder / "serving"
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(url, encoding="utf-8")


def where(folder: Path) -> str:
    """The address that this folder's server wrote down; "" for none."""
    file = folder / "serving"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""
