"""A language is only words: one that nobody has heard of is added in a folder, and pages speak it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import to_locale, trans_real

from config import web_app
from games import translation
from games.management.commands import words
from games.match import play

TEMPLATES = words.ROOT / "templates"
CODE, NAME = "x-moss", "Moosisch"
PLACE = re.compile(r"(%\(\w+\)[sd]|%%)")


def mossy(text: str) -> str:
    """A sentence in the language of the moss: each word ends in a leaf, what is filled in stays."""
    return "".join(
        part if PLACE.fullmatch(part) else re.sub(r"(\w+)", r"\1ø", part) for part in PLACE.split(text)
    )


@pytest.fixture
def moss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What docs/words.md says: a line in the settings, `manage.py words`, translating, and again."""
    monkeypatch.setattr(words, "catalogues", lambda: [(tmp_path, sorted(TEMPLATES.rglob("*.html")))])
    before = settings.LANGUAGES
    monkeypatch.setattr(settings, "LANGUAGES", [("en", "English"), (CODE, NAME)])
    call_command("words")
    path = tmp_path / "locale" / to_locale(CODE) / "LC_MESSAGES" / "django.po"
    translate(path)
    call_command("words")
    monkeypatch.setattr(settings, "LANGUAGES", [*before, (CODE, NAME)])
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path / "locale", *settings.LOCALE_PATHS])
    forget()
    yield path
    monkeypatch.undo()
    forget()


def translate(path: Path) -> None:
    po = polib.pofile(str(path))
    for entry in po:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: mossy(entry.msgid), 1: mossy(entry.msgid_plural)}
        else:
            entry.msgstr = mossy(entry.msgid)
    po.save()


def forget() -> None:
    """What a process that starts has not read yet."""
    trans_real.reset_cache(setting="LANGUAGES")
    translation.catalogue.cache_clear()
    web_app._version.cache_clear()
    trans_real._translations.clear()


@pytest.mark.django_db
def test_a_language_more_is_only_words(moss: Path) -> None:
    po = polib.pofile(str(moss))
    assert len(po) > 300
    assert po.untranslated_entries() == []
    assert po.metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    client = Client(headers={"Accept-Language": CODE})
    home = client.get("/").content.decode()
    assert f'<html lang="{CODE}"' in home
    assert re.search(rf'value="{CODE}"[^>]*aria-pressed="true"[^>]*>\s*{NAME}', home), "the switch offers it"
    assert mossy("Start a table") in home
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="winter")
    for page in ("", "seats", "watch", "tv", "history", "print"):
        answer = client.get(f"/t/{match.code}/{page}", follow=True)
        assert (answer.status_code, answer["Content-Language"]) == (200, CODE), page
        assert re.search(r"\wø\b", answer.content.decode()), page
    told = client.get(f"/api/matches/{match.code}")
    assert told["Content-Language"] == CODE
    for language in ("en", "de", "zh-hans"):
        answer = Client(headers={"Accept-Language": language}).get("/")
        assert answer["Content-Language"] == language
        assert "ø" not in answer.content.decode()
