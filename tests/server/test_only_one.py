"""One server per data folder, for as long as it runs; and where a second start finds its page."""

from __future__ import annotations

import gc
import os
import sqlite3
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from config.server import starting


@pytest.fixture(autouse=True)
def _held(monkeypatch):
    held = []
    monkeypatch.setattr(starting, "_held", held)
    yield
    for connection in held:
        connection.close()


def test_a_folder_is_claimed_until_its_server_ends(tmp_path):
    assert starting.claim(tmp_path)
    # Whatever is cleaned up in between.
    gc.collect()
    assert not starting.claim(tmp_path)
    starting._held.pop().close()
    assert starting.claim(tmp_path)


def test_servers_of_two_folders_do_not_meet(tmp_path):
    for name in ("club", "home"):
        (tmp_path / name).mkdir()
        assert starting.claim(tmp_path / name)


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path):
    with pytest.raises(
        CommandError, match=r"cannot be written .*ROUNDTABLE_DATA names it, unless DATABASE_URL"
    ):
        starting.claim(tmp_path / "missing")


def test_a_database_in_the_folder_one_stands_in_names_that_folder(tmp_path, monkeypatch):
    """`DATABASE_URL=sqlite:///club.sqlite3` has no folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(starting.sqlite3, "connect", cannot_open)
    with pytest.raises(CommandError, match=f"The folder {tmp_path} cannot be written"):
        starting.claim(Path("club.sqlite3").parent)


def cannot_open(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("unable to open database file")


@pytest.mark.skipif(os.name != "posix", reason="about POSIX permissions")
def test_the_address_is_left_for_the_owner_alone(tmp_path):
    """It opens the organiser's pages; an older file may have been readable by everybody."""
    file = tmp_path / "serving"
    assert starting.where(tmp_path) == ""
    file.write_text("http://127.0.0.1:1/")
    file.chmod(0o644)
    starting.remember(tmp_path, "http://127.0.0.1:8000/\n")
    assert file.stat().st_mode & 0o777 == 0o600
    assert starting.where(tmp_path) == "http://127.0.0.1:8000/"
