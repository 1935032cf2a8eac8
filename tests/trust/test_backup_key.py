"""A backup with a key that no server could start with changes nothing."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from config.data import backups


@pytest.mark.django_db
@pytest.mark.parametrize("key", [b"", b"cut-short", b"\xff" * 64])
def test_a_backup_whose_key_is_damaged_changes_nothing(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, key: bytes
) -> None:
    file, kept = tmp_path / "some.zip", tmp_path / backups.KEY
    settings.DATA_DIR, settings.KEY_FILE, settings.OWNS_KEY = tmp_path, kept, True
    kept.write_text("tonight" * 8)
    brought: list[Path] = []
    monkeypatch.setitem(backups._RESTORE, connection.vendor, brought.append)
    with zipfile.ZipFile(file, "w") as archive:
        about = {"format": 1, "database": connection.vendor, "at": "today"}
        archive.writestr(backups.ABOUT, json.dumps(about))
        archive.writestr(backups.DATABASES[connection.vendor], b"a database")
        archive.writestr(backups.KEY, key)
    with pytest.raises(backups.Unusable, match=r"is no backup, or is damaged\."):
        backups.load(file)
    assert (brought, kept.read_text()) == ([], "tonight" * 8)
