"""The first page on the organiser's computer, and the one server of a data folder."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.core.management.base import CommandError

from config import web_app
from config.server import starting
from games.management.commands import play

PICTURE = 'src="data:image/svg+xml'
"""How the page shows a QR code; its own icon is a link."""


@pytest.fixture
def started(monkeypatch):
    found = web_app.Started(["http://192.0.2.7:8000/", "http://localhost:8000/"], "abcd-efgh")
    monkeypatch.setattr(web_app, "started", found)
    return found


def test_it_shows_the_code_the_address_and_the_first_password(client, db, started):
    page = client.get(f"/welcome/{started.key}").content.decode()
    assert PICTURE in page
    assert "http://192.0.2.7:8000/" in page
    assert "localhost" not in page
    assert "abcd-efgh" in page


def test_later_starts_have_no_password_to_show(client, db, started):
    started.password = ""
    assert "<dd>organiser</dd>" not in client.get(f"/welcome/{started.key}").content.decode()


def test_without_a_network_it_says_what_to_do(client, db, started):
    del started.urls[0]
    page = client.get(f"/welcome/{started.key}").content.decode()
    assert "This computer is not on a network" in page
    assert PICTURE not in page


def test_nobody_else_finds_it(client, db, started, monkeypatch):
    assert client.get("/welcome/guess").status_code == 404
    assert client.get("/welcome/").status_code == 404
    monkeypatch.setattr(web_app, "started", None)
    assert client.get(f"/welcome/{started.key}").status_code == 404


def test_it_is_opened_at_an_address_of_this_computer(started):
    assert started.welcome_url == f"http://localhost:8000/welcome/{started.key}"
    assert web_app.Started(["http://192.0.2.7:80/"], key="k").welcome_url == "http://192.0.2.7:80/welcome/k"


HOLD = """
import os, sys
from pathlib import Path
import django
os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "ROUNDTABLE_TEST": "1"}
django.setup()
from config.server import starting

print(starting.claim(Path(sys.argv[1])), flush=True)
input()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that serves the data in this folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "True\n"
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def claims(monkeypatch):
    held = []
    monkeypatch.setattr(starting, "_held", held)
    yield
    for connection in held:
        connection.close()


@pytest.mark.usefixtures("claims")
def test_a_folder_has_one_server_until_that_one_ends(tmp_path, other):
    assert not starting.claim(tmp_path)
    other.kill()
    other.wait()
    assert starting.claim(tmp_path)


@pytest.mark.usefixtures("other", "claims")
def test_a_second_start_says_where_the_first_one_is(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    starting.remember(tmp_path, "http://localhost:8000/welcome/secret")
    with pytest.raises(CommandError, match=r"is running .*: http://localhost:8000/\. Stop it") as refused:
        play.Command().handle(host="127.0.0.1", port=0, open=False)
    assert "secret" not in str(refused.value)
    shown = []
    monkeypatch.setattr(play.webbrowser, "open", lambda url: shown.append(url) or True)
    play.Command().handle(host="127.0.0.1", port=0, open=True)
    assert shown == ["http://localhost:8000/welcome/secret"]
    # Where there is no browser nobody would be told anything.
    monkeypatch.setattr(play.webbrowser, "open", lambda _url: False)
    with pytest.raises(CommandError, match="is running"):
        play.Command().handle(host="127.0.0.1", port=0, open=True)


@pytest.mark.usefixtures("claims")
def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        starting.claim(tmp_path / "missing")


def test_only_its_owner_reads_where_the_page_is(tmp_path):
    starting.remember(tmp_path, "http://localhost:8000/welcome/secret")
    starting.remember(tmp_path, "http://localhost:8001/welcome/other")
    assert starting.where(tmp_path) == "http://localhost:8001/welcome/other"
    assert (tmp_path / "serving").stat().st_mode & 0o077 == 0
    assert starting.where(tmp_path / "missing") == ""
