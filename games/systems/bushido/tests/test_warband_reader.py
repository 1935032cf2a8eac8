"""Which lines of a list stand below which, and what of that is looked up in the catalogue."""

import pytest

from games.systems.bushido.lists.warband_cards import Catalogue, Found, Profile
from games.systems.bushido.lists.warband_grammar import Reader, read
from games.systems.bushido.lists.warband_lines import Entry
from games.systems.bushido.tests.warbands import MODELS

RYU, ITO = "Prefecture of Ryu", "Ito Clan"


def draft(text, catalogue=MODELS):
    reader = Reader(catalogue, list(enumerate(text.split("\n"), start=1)))
    reader.read()
    return reader


def blocks(text):
    """Every block's words, with those below it."""
    return [(one.words, [below.words for below in one.below]) for one in draft(text).blocks]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hiromasa (16)\n  Katana", [("Hiromasa", ["Katana"])]),
        ("Hiromasa (16)\n Katana", [("Hiromasa", []), ("Katana", [])]),
        ("Hiromasa (16)\n- Katana", [("Hiromasa", ["Katana"])]),
        ("- Hiromasa (16)\n- Katana", [("Hiromasa", []), ("Katana", [])]),
        ("Hiromasa (16)\n- Kizoko;17;2/8;6", [("Hiromasa", []), ("Kizoko", [])]),
        ("Hiromasa (16)\n  Katana (1): Oil (1), Silk (2)", [("Hiromasa", ["Katana", "Oil", "Silk"])]),
        ("Hiromasa (16): Oil (1), Silk (2)", [("Hiromasa", ["Oil", "Silk"])]),
        # What nobody knows takes lines below it where it is written as cards are.
        ("Nobody at all\n  Katana", [("Nobody at all", []), ("Katana", [])]),
        ("+ Profile Cards +\nNobody at all\n  Katana", [("Nobody at all", ["Katana"])]),
    ],
)
def test_a_line_stands_below_the_card_that_its_form_belongs_to(text, found):
    assert blocks(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa (16)\n+ Profile Cards +\n  Kizoko (17)",
        "+ Event Cards +\nSudden Rain (1)\n  Old Debt (2)",
    ],
)
def test_nothing_stands_below_across_a_heading_or_below_what_is_no_model(text):
    assert [below for _words, below in blocks(text)] == [[], []]


def test_a_heading_that_names_no_section_leaves_the_section_as_it_is():
    found = draft("+ Event Cards +\nLimit: 70\nSudden Rain (1)")
    assert [one.section for one in found.blocks] == ["event"]


def test_only_models_are_looked_up():
    found = draft("+ Event Cards +\nHiromasa (1)")
    assert (found.blocks[0].found, found.faction) == (None, "")


def test_what_stands_below_tells_the_faction_too():
    assert draft("Nobody (3)\n  Hiromasa\n  Kizoko").faction == RYU


def namesakes(*of):
    return Catalogue(
        [Profile(f"kenta-{rice}", faction, "Kenta", rice, "1", "2", "5") for faction, rice in of]
    )


@pytest.mark.parametrize(
    ("of", "text", "rice"),
    [
        (((RYU, 5), (ITO, 5)), f"Faction: {ITO}\nKenta (5)", (ITO, 5)),
        (((RYU, 5), (ITO, 5)), f"Faction: {RYU}\nKenta (5)", (RYU, 5)),
        (((ITO, 5), (ITO, 7)), f"Faction: {ITO}\nKenta (7)", (ITO, 7)),
        (((ITO, 5), (ITO, 7)), f"Faction: {ITO}\nKenta (5)", (ITO, 5)),
    ],
)
def test_among_namesakes_the_faction_decides_and_then_the_rice(of, text, rice):
    (block,) = draft(text, namesakes(*of)).blocks
    assert (block.found.profile.faction, block.found.profile.rice) == rice


def test_what_is_found_by_likeness_is_not_yet_a_model():
    profile = MODELS.profiles[0]
    assert Entry(1, "Hiromasa", "Hiromasa", found=Found(profile)).is_model
    assert not Entry(1, "Hiromasa", "Hiromasa", found=Found(profile, guessed=True)).is_model


@pytest.mark.parametrize(
    ("below", "kept"),
    [(1, [(100, 1)]), (3, [(50, 3)]), (2, [(66, 2), (1, 1)]), (0, [(200, 0)])],
)
def test_two_hundred_cards_are_kept_whether_they_stand_below_or_not(below, kept):
    """`kept` are numbers of cards, each with how many below it."""
    text = "\n".join("Hiromasa (16)" + "\n  Katana" * below for _card in range(240 // (1 + below)))
    found = draft(text)
    counts = [len(block.below) for block in found.blocks]
    assert counts == [each for number, each in kept for _card in range(number)]
    told = [line for _number, line in found.remarks if "the rest was left out" in line.message]
    assert len(told) == 1


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa, Kizoko",
        "Hiromasa、Kizoko (17)",
        "Hiromasa, Kizoko (33)",
        "Prefecture of Ryu: Hiromasa, Kizoko",
        "Models: Hiromasa, Kizoko 17",
    ],
)
def test_a_line_may_name_several_models_with_one_price_or_none(text):
    """They were one model that nobody knows, or not understood at all."""
    warband = read(text, MODELS)
    assert [(one.name, one.rice) for one in warband.models] == [("Hiromasa", 16), ("Kizoko", 17)]
    assert (warband.faction, warband.held, warband.warnings) == ("Prefecture of Ryu", (), ())


@pytest.mark.rule("BUSH-26")
def test_names_that_are_not_all_of_models_stay_one():
    warband = read("Hiromasa (16)\nKizoko, the Elder (17)\nEvents:\nHiromasa, Kizoko [1]", MODELS)
    assert [one.name for one in warband.models] == ["Hiromasa", "Kizoko, the Elder"]
    assert [card.name for card in warband.held] == ["Hiromasa, Kizoko"]
