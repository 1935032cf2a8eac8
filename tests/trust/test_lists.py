"""A pasted text with several lists: a form like any other asks which of them to bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse

from games.core import system
from games.match import storage
from games.models import Match
from games.systems import tmg
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

FOLDER = Path(tmg.__file__).parent / "tests" / "lists"
STARK, GREYJOY = ((FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in ("stark", "greyjoy"))
BOTH = f"{GREYJOY}\n\n{STARK}"


def brought(match: Match) -> str:
    return storage.load(Match.objects.get(pk=match.pk)).state.armies["red"].commander


def paste(red: Phone, match: Match, text: str, **pressed: str):
    return red.ask("POST", reverse("army", args=[match.code, "red"]), {"text": text, **pressed})


def test_several_lists_are_offered_and_nothing_is_brought_yet(mustered: tuple[Match, Phone]):
    match, red = mustered
    before, version = brought(match), match.version
    answer = paste(red, match, BOTH, do="read")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert re.findall(r'name="choice" value="(\d)"', page) == ["0", "1"]
    assert "Eddard Stark - Lord of Winterfell" in page
    assert "Activations: 7" in page, "the text stays to be chosen from"
    assert brought(match) == before
    assert Match.objects.get(pk=match.pk).version == version


@pytest.mark.parametrize(("choice", "text"), [("0", GREYJOY), ("1", STARK)])
def test_the_chosen_list_is_brought(mustered: tuple[Match, Phone], choice: str, text: str):
    match, red = mustered
    assert paste(red, match, BOTH, choice=choice).status_code == 302
    assert f"Commander: {brought(match)}\n" in text
    roster = system("tmg").roster(storage.load(Match.objects.get(pk=match.pk)).state, "red")
    assert [str(line) for _number, line in roster.warnings] == []
    assert roster.text.count("Faction:") == 1


@pytest.mark.parametrize("choice", ["2", "-1", "x", "9" * 40, "²"])
def test_a_list_that_is_not_there_is_refused_with_a_sentence(mustered: tuple[Match, Phone], choice: str):
    match, red = mustered
    before = brought(match)
    answer = paste(red, match, BOTH, choice=choice)
    assert answer.status_code == 422
    assert "whole number" in answer.content.decode()
    assert brought(match) == before


def test_one_list_is_brought_at_once(mustered: tuple[Match, Phone]):
    match, red = mustered
    assert paste(red, match, STARK, do="read").status_code == 302
    assert brought(match).startswith("Eddard Stark")
