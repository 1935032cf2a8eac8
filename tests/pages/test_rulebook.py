"""The rules on demand: what a question rests on, and the page of all of a game's rules."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.test import Client

from games import rulebook
from games.core import systems
from games.match import play
from tests.positions import all_steps

OURS = [game for game in systems() if rulebook.rules(game.slug)]
FOLDERS = {path.parent.name for path in Path(rulebook.__file__).parent.glob("systems/*/README.md")}


def table(mode: str = "a-game-of-thrones") -> str:
    return play.open_match("tmg", mode, {"red": "Anna", "blue": "Ben"}, seed="winter").code


def test_every_game_of_the_package_has_its_rules():
    assert FOLDERS
    assert {game.slug for game in OURS} >= FOLDERS


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.slug)
def test_what_a_step_rests_on_can_be_read(game):
    named = {step.rule for step in all_steps(game) if step.rule}
    assert named
    assert named - rulebook.rules(game.slug).keys() == set()


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.slug)
def test_a_rule_is_a_sentence_for_players_without_markup(game):
    for rule in rulebook.rules(game.slug).values():
        assert rule.chapter, rule
        assert re.fullmatch(r"[A-Z0-9][^`|\[\]]+[.?]", rule.text), rule
        assert not re.search(r"\*\w", rule.text), rule


def test_a_rule_stands_in_the_chapter_of_its_heading():
    assert rulebook.rules("tmg")["TMG-17"].chapter == "Round and turns"
    assert rulebook.rules("tmg")["TMG-91"].chapter == "A Dance with Dragons"


def test_a_game_without_a_readme_has_no_rules():
    assert dict(rulebook.rules("rps")) == {}


def test_a_table_leaves_out_the_chapters_of_other_modes():
    titles = [title for title, _rules in rulebook.chapters("tmg", "a-clash-of-kings")]
    assert "A Clash of Kings" in titles
    assert "A Game of Thrones" not in titles
    assert len(rulebook.chapters("tmg")) > len(titles)


@pytest.mark.django_db
def test_the_question_tells_its_rule_to_everybody():
    code = table()
    page = Client().get(f"/t/{code}/").content.decode()
    assert f'href="/t/{code}/rules#TMG-05"' in page
    assert rulebook.rules("tmg")["TMG-05"].text.split(":")[0].partition("'")[0] in page


@pytest.mark.django_db
def test_a_rule_begins_with_its_sentence_and_ends_small_with_its_id():
    page = Client().get(f"/t/{table()}/").content.decode()
    told = re.search(r'<details class="rule">.*?<p>(.*?)</p></details>', page, re.S)
    assert re.fullmatch(
        r"A pasted list[^<]+ <small><a [^>]+>[^<]+ · TMG-05</a></small>", html.unescape(told[1])
    )


@pytest.mark.django_db
def test_the_page_of_a_table_has_each_rule_once_and_names_the_edition():
    page = Client().get(f"/t/{table()}/rules").content.decode()
    shown = re.findall(r'<dt id="([\w-]+)">', page)
    assert len(shown) == len(set(shown)) > 90
    assert "TMG-63" in shown
    assert "TMG-68" not in shown
    assert "Rules of 2020 (1.6)" in page


@pytest.mark.django_db
def test_the_page_of_a_game_has_the_rules_of_all_modes():
    page = Client().get("/rules/tmg").content.decode()
    assert re.findall(r'<dt id="([\w-]+)">', page) == list(rulebook.rules("tmg"))
    answer = Client().get("/rules/chess")
    assert answer.status_code == 404
    assert "There is no game of this name here." in answer.content.decode()
