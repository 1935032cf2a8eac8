"""One English word may be two words in two games: a page of each game shows its own."""

import os
import re
from datetime import datetime, timedelta

import polib
import pytest
from django.test import Client
from django.utils.timesince import timesince
from django.utils.translation import get_language, override

from games import translation
from games.core import Line, Term, say, say_count, systems
from games.management.commands import words
from games.models import Entry
from games.translation import gettext
from games.translation import words as read
from tests.serving import ROOT
from tests.words.test_words import planted, reader, seeds, shown


def catalogues(language="zh_Hans"):
    """By game, its own words in a language."""
    folders = [folder for folder, _sources in words.catalogues() if folder.parent.name == "systems"]
    paths = {folder.name: folder / "locale" / language / "LC_MESSAGES" / "django.po" for folder in folders}
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
    with translation.override_game(game, "zh-hans"):
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
    with translation.override_game("agot", "zh-hans"):
        assert gettext("Round %(number)s") == "第 %(number)s 轮"


@pytest.mark.parametrize(
    ("language", "called"), [("de", ("Reihenfolge", "Zahl")), ("zh-hans", ("顺序", "数量"))]
)
def test_places_of_the_miniatures_game_have_an_order_and_counters_a_number(language, called):
    """In the board game an order is one for troops; a number on a card is another thing than how many."""
    with translation.override_game("tmg", language):
        assert (gettext("order"), gettext("number")) == called


SAID = re.compile(r"""\b(?:_|noop)\(\s*"([^"]+)"\s*\)""")
SAME = {"Destroyed", "Round"}
"""What a game says in other words than the shared pages, and means the same by."""


def said_on_shared_pages():
    """The words of pages that are the same for all games, except the one that is in no game's words."""
    for folder in (
        "games/pages",
        "games/hall/pages",
        "games/hall/organiser",
        "games/view_models",
        "templates",
    ):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in (".py", ".html") and path.name != "embeds.py":
                yield from SAID.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", ["de", "zh_Hans"])
def test_no_game_puts_another_word_on_a_shared_page(language):
    """A unit's speed is no replay's, and an event in a warband's list is none that is organised."""
    shared = polib.pofile(str(ROOT / f"games/locale/{language}/LC_MESSAGES/django.po"))
    told = {entry.msgid: entry.msgstr for entry in shared}
    said = {*said_on_shared_pages()} & {*told} - SAME
    wrong = [
        (game, word, own[word], told[word])
        for game, own in catalogues(language).items()
        for word in said & {*own}
        if own[word] != told[word]
    ]
    assert len(said) > 500
    assert wrong == []


@pytest.mark.django_db
def test_the_size_of_a_frame_is_no_models():
    match = planted(seeds("bushido")[0])
    page = shown(reader().get(f"/t/{match.code}/elsewhere"))
    assert "大小" in page
    assert "体型" not in page


@pytest.mark.django_db
def test_one_games_words_do_not_stay_for_the_next_page():
    match = planted(seeds("bushido")[0])
    client = Client(headers={"Accept-Language": "zh-hans"})
    client.get(f"/t/{match.code}/")
    client.get("/")
    assert translation.active() is None


def test_what_was_active_before_is_active_after():
    with override("zh-hans"):
        with translation.override_game("tmg"):
            inner = gettext("End of the round")
        assert inner == OWN["tmg"]["End of the round"]
        assert (translation.active(), get_language()) == (None, "zh-hans")
    with translation.override_game("rps", "en"):
        assert gettext("End of the round") == "End of the round"


@pytest.fixture
def source(tmp_path):
    """A folder with a translation that nobody has compiled."""
    source = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    po = polib.POFile()
    po.append(polib.POEntry(msgid="Influence", msgstr="Einfluss"))
    po.save(str(source))
    return source


def test_translations_are_compiled_where_they_are_newer(tmp_path, source):
    (made,) = translation.compile_catalogues(tmp_path)
    assert [entry.msgstr for entry in polib.mofile(str(made))] == ["Einfluss"]
    assert translation.compile_catalogues(tmp_path) == []
    os.utime(source, (made.stat().st_mtime + 1,) * 2)
    assert translation.compile_catalogues(tmp_path) == [made]


def test_a_folder_that_cannot_be_written_costs_the_translation_only(tmp_path, source, monkeypatch, caplog):
    def refused(self, path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(polib.POFile, "save_as_mofile", refused)
    assert translation.compile_catalogues(tmp_path) == []
    assert "its words stay English: Permission denied" in caplog.text


BIDS = say("%(house)s bid %(amount)s", house=Term("Stark"), amount=3)
ALIKE = [
    BIDS,
    say("%(house)s bid %(amount)s", house=Term("Stark"), amount=4),
    say("%(house)s bid %(amount)s", house="Stark", amount=3),
    say("%(house)s bid %(amount)s", house=Term("Lannister"), amount=3),
    say("%(amount)s: %(house)s", house=Term("Stark"), amount=3),
    say_count("%(count)s point", "%(count)s points", 1),
    say_count("%(count)s point", "%(count)s points", 2),
    say_count("%(count)s point", "%(count)s marks", 2),
    say_count("%(count)s point for %(house)s", "%(count)s points for %(house)s", 2, house=Term("Stark")),
    say("%(one)s beats %(other)s", one="Anna", other="Ben"),
    say("%(one)s beats %(other)s", other="Anna", one="Ben"),
    say("%(names)s", names=("Anna", Term("Stark"))),
    say("%(what)s!", what=BIDS),
    say("%(what)s!", what=say("%(house)s bid %(amount)s", house=Term("Stark"), amount=4)),
]


@pytest.mark.parametrize("language", ["en", "zh-hans", "de"])
def test_a_sentence_is_what_it_was_the_first_time_and_no_other(language):
    words = translation.GameTranslation(language)
    fresh = [line.render(words.gettext, words.ngettext) for line in ALIKE]
    for _again in range(3):
        assert [words.words(line) for line in ALIKE] == fresh
    assert len(set(fresh)) > 8


def test_german_tells_a_time_ago_without_a_case():
    """Django's “2 Tage” is a nominative, which stands after no “vor”."""
    now = datetime(2026, 5, 31)
    with override("de"):
        ago = gettext("%(time)s ago") % {"time": timesince(now - timedelta(days=2), now, depth=1)}
    assert ago.replace("\xa0", " ") == "2 Tage her"
