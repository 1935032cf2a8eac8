"""No word of a warband is lost: each ends in a row, in a remark with its line, or in what is not used."""

import random

import pytest

from games.core import clean_text
from games.core.army_lists import folded
from games.systems.bushido.lists.warband_cards import plain, vocabulary
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_grammar import read
from games.systems.bushido.lists.warband_lines import heading, row_of
from games.systems.bushido.tests.test_warband_forms import TEXTS
from games.systems.bushido.tests.warbands import MODELS
from tests.deforming import DEFORMATIONS, deformed

LISTS = {name: text_of(text) for name, text in TEXTS.items()}
FORM = {"faction", "theme", "name", "total", "limit", "risen", "sun", "cards", "profile", "models", "model"}


def words_in(text):
    return [word for word in folded(text).split() if word.isalpha() and len(word) > 1 and {*word} != {"o"}]


def lost(text, warband):
    """The words of a text that stand nowhere, by line."""
    texts = [warband.faction, warband.theme, warband.name, *(card.name for card in warband.held)]
    texts += [text for model in warband.models for text in (model.name, model.guessed, model.wounds)]
    texts += [str(line.arguments["text"]) for line in warband.unused]
    kept = plain(" ".join(texts))
    remarked = {number for number, _line in warband.warnings}
    for number, row in enumerate(clean_text(text).split("\n"), start=1):
        if heading(row_of(number, row)) or not remarked.isdisjoint((number, number - 1, number - 2)):
            continue
        for word in words_in(row):
            if plain(word) not in kept and word not in vocabulary("needless") and word not in FORM:
                yield number, word


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("change", DEFORMATIONS, ids=lambda change: change.__name__)
def test_no_word_is_lost_however_a_warband_is_deformed(name, change):
    luck, meant = random.Random(f"{name}/{change.__name__}"), read(LISTS[name], MODELS)
    assert list(lost(LISTS[name], meant)) == []
    text = change(LISTS[name], luck)
    warband = read(text, MODELS)
    assert list(lost(text, warband)) == []
    said = " ".join(str(line) for line in (*(line for _number, line in warband.warnings), *warband.unused))
    missing = {plain(model.name) for model in meant.models} - {plain(model.name) for model in warband.models}
    assert [model for model in missing if model not in plain(said)] == []


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("number", range(40))
def test_no_word_of_a_warband_is_lost_by_several_deformations(number):
    luck = random.Random(number)
    text, changes = deformed(LISTS[luck.choice(sorted(LISTS))], luck)
    assert list(lost(text, read(text, MODELS))) == [], changes


@pytest.mark.rule("BUSH-26")
def test_what_of_a_warband_is_not_used_has_its_line():
    text = (
        "++ Risen Sun (Prefecture of Ryu) [33 Rice] ++\n\uf0b7 Hiromasa [16 Rice] painted red\nKizoko [17]\n"
    )
    warband = read(text + "Player: Bob\n~~Kizoko [17 Rice]~~\n", MODELS)
    assert [model.name for model in warband.models] == ["Hiromasa", "Kizoko"]
    assert list(map(str, warband.unused)) == [
        "Line 2: “painted red” was not used.",
        "Line 4: “Player: Bob” was not used.",
        "Line 5: “Kizoko” was not used.",
    ]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Faction: Prefecture of Ryu Profile Cards • Hiromasa [16 Rice] • Kizoko [17 Rice] Created with care",
        "Faction: Prefecture of Ryu\n• Hiromasa\n  [16 Rice]\n🔹 Kizoko {17}",
        """{"roster": {"forces": [{"catalogueName": "Prefecture of Ryu", "selections": [
        {"name": "Hiromasa", "type": "model", "costs": [{"name": "Rice", "value": 16}]},
        {"name": "Kizoko", "type": "model", "costs": [{"name": "Rice", "value": 17}]}]}]}}""",
    ],
    ids=["one line", "wrapped", "saved"],
)
def test_a_warband_is_read_in_forms_of_other_apps(text):
    warband = read(text, MODELS)
    assert (warband.faction, warband.rice) == ("Prefecture of Ryu", 33)
    assert [model.name for model in warband.models] == ["Hiromasa", "Kizoko"]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("figures", [";18;0/6;8;1", " [18 Rice]", " 18"])
def test_a_name_that_an_app_has_broken_is_one(figures):
    text = f"Faction: The Awoken\nMei;19;0/6;10;1\nMio, the Beautiful in the\nUnnatural{figures}\n"
    warband = read(text, MODELS)
    assert [model.name for model in warband.models] == ["Mei", "Mio, the Beautiful in the Unnatural"]
    assert (warband.warnings, warband.unused) == ((), ())


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("between", [" ", ", ", " | "])
@pytest.mark.parametrize("name", ["battlescribe.txt", "newrecruit.txt", "dashes.txt", "roster.ros"])
def test_a_list_on_one_line_has_every_model_of_the_catalogue(name, between):
    text = between.join(filter(None, map(str.strip, LISTS[name].split("\n"))))
    known = [
        model.name
        for model in read(LISTS[name], MODELS).models
        if not model.guessed and MODELS.knows(model.name)
    ]
    assert [model.name for model in read(text, MODELS).models if model.name in known] == known
    assert list(lost(text, read(text, MODELS))) == []


@pytest.mark.rule("BUSH-26")
def test_what_stands_behind_the_figures_of_a_model_is_not_used():
    warband = read("Ito Masunagi;17;2/6;5;1;painted;Yanki", MODELS)
    assert "painted;Yanki" in " ".join(map(str, warband.unused))
