"""The manifest, the service worker and the page for no connection: right types, and nothing secret."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation

from config import web_app

LANGUAGES = [code for code, _name in settings.LANGUAGES]


def icon(name: str) -> Path:
    return Path(finders.find(name.removeprefix("/static/")))


def test_the_manifest_says_what_a_home_screen_needs() -> None:
    answer = Client().get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    facts = answer.json()
    assert facts["start_url"] == "/"
    assert facts["display"] == "standalone"
    assert {entry["purpose"] for entry in facts["icons"]} == {"any", "maskable"}
    for entry in facts["icons"]:
        data = icon(entry["src"]).read_bytes()
        assert len(data) < 8 * 1024
        width, height = struct.unpack(">II", data[16:24])
        assert entry["sizes"] == f"{width}x{height}"


def test_the_worker_names_its_version_and_what_it_keeps() -> None:
    answer = Client().get("/worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    source = answer.content.decode()
    assert re.match(r'const VERSION = "roundtable-[0-9a-f]{12}";', source)
    kept = json.loads(re.search(r"const KEPT = (\[.*\]);", source)[1])
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline"]
    assert {Client().get(path).status_code for path in kept[1:]} == {200}
    assert {path.rpartition(".")[2] for path in kept[1:]} == {"css", "js", "png"}


def test_what_is_known_outside_keeps_its_address() -> None:
    """Home screens and browser tabs request these by the addresses that they once got."""
    assert reverse("worker") == "/worker.js"
    assert reverse("manifest") == "/manifest.webmanifest"
    icons = {entry["src"] for entry in Client().get(reverse("manifest")).json()["icons"]}
    assert icons == {"/static/icon-192.png", "/static/icon-512.png"}
    assert finders.find("favicon.svg")


def test_another_program_is_another_worker() -> None:
    web_app._version.cache_clear()
    before = web_app._version()
    web_app._version.cache_clear()
    with override_settings(VERSION=settings.VERSION + ".1"):
        after = web_app._version()
    web_app._version.cache_clear()
    assert before != after == after.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_without_a_connection_knows_nobody(db, language: str) -> None:
    phone = Client()
    phone.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    with translation.override("en"):
        answer = phone.get("/offline")
    page = answer.content.decode()
    assert answer["Content-Language"] == language
    assert ("No connection" in page) == (language == "en")
    assert "csrf" not in page
    assert "<form" not in page
    assert not answer.cookies


def test_without_encryption_no_page_asks_for_the_worker(db) -> None:
    assert 'data-worker="/worker.js"' in Client().get("/").content.decode()
    with override_settings(LAN=True):
        assert 'data-worker=""' in Client().get("/").content.decode()
