"""One English word may be two words in two games: a page of each game shows its own."""

import os

import polib
import pytest
from django.test import Client
from django.utils.translation import get_language, gettext, override

from games import translation
from games.core.system import systems
from games.core.words import Line
from games.management.commands import words
from games.models import Entry
from games.translation import words as read
from tests.test_words import planted, reader, seeds, shown


def catalogues():
    """By game, its own Chinese words."""
    folders = [folder for folder, _sources in words.catalogues() if folder.parent.name == "systems"]
    paths = {folder.name: folder / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po" for folder in folders}
    return {
        game: {entry.msgid: entry.msgstr for entry in polib.pofile(str(path)) if not entry.msgid_plural}
        for game, path in paths.items()
    }


OWN = catalogues()
COLLIDING = sorted(
    message
    for message in set().union(*OWN.values())
    if len({said[message] for said in OWN.values() if message in said}) > 1
)


def test_there_are_words_that_collide():
    assert {"End of the round", "Influence"} <= set(COLLIDING)
    assert {game.slug for game in systems()} >= set(OWN)


@pytest.mark.parametrize("game", OWN)
def test_a_line_is_read_in_the_words_of_its_game(game):
    with translation.speaking(game, "zh-hans"):
        wrong = {
            said: text for said, text in OWN[game].items() if said in COLLIDING and read(Line(said)) != text
        }
        assert (wrong, get_language()) == ({}, "zh-hans")


@pytest.mark.django_db
def test_the_pages_of_two_games_show_each_its_own_word():
    for game, word in (("bushido", OWN["bushido"]["Influence"]), ("agot", OWN["agot"]["Influence"])):
        match = planted(seeds(game)[0])
        Entry.objects.filter(match=match).update(lines=[{"message": "Influence"}])
        page = reader().get(f"/t/{match.code}/history")
        assert f" {word} " in shown(page)


@pytest.mark.django_db
def test_a_round_of_the_board_game_is_no_round_of_an_event():
    match = planted(seeds("agot")[0])
    page = shown(reader().get(f"/t/{match.code}/"))
    assert f"第{match.round}回合，共10回合" in page
    with translation.speaking("agot", "zh-hans"):
        assert gettext("Round %(number)s") == "第 %(number)s 轮"


@pytest.mark.django_db
def test_one_games_words_do_not_stay_for_the_next_page():
    match = planted(seeds("bushido")[0])
    client = Client(headers={"Accept-Language": "zh-hans"})
    client.get(f"/t/{match.code}/")
    client.get("/")
    assert translation.spoken() == ""


def test_what_was_spoken_before_is_spoken_after():
    with override("zh-hans"):
        with translation.speaking("tmg"):
            inner = gettext("End of the round")
        assert inner == OWN["tmg"]["End of the round"]
        assert (translation.spoken(), get_language()) == ("", "zh-hans")
    with translation.speaking("rps", "en"):
        assert gettext("End of the round") == "End of the round"


@pytest.fixture
def tongue(tmp_path):
    """A folder with a translation that nobody has compiled."""
    source = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    po = polib.POFile()
    po.append(polib.POEntry(msgid="Influence", msgstr="Einfluss"))
    po.save(str(source))
    return source


def test_translations_are_compiled_where_they_are_newer(tmp_path, tongue):
    (made,) = translation.compile_catalogues(tmp_path)
    assert [entry.msgstr for entry in polib.mofile(str(made))] == ["Einfluss"]
    assert translation.compile_catalogues(tmp_path) == []
    os.utime(tongue, (made.stat().st_mtime + 1,) * 2)
    assert translation.compile_catalogues(tmp_path) == [made]


def test_a_folder_that_cannot_be_written_costs_the_translation_only(tmp_path, tongue, monkeypatch, caplog):
    def refused(self, path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(polib.POFile, "save_as_mofile", refused)
    assert translation.compile_catalogues(tmp_path) == []
    assert "its words stay English: Permission denied" in caplog.text
