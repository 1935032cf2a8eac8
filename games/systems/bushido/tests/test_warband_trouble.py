"""What comes in broken, hostile or absurd: a sentence, or a warband with numbered warnings."""

import random
import time
from contextlib import suppress

import pytest

from games.core import PIECE_GRAPHEMES, Unreadable
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_grammar import Model, read, read_each
from games.systems.bushido.tests.test_warband_forms import TEXTS, said
from games.systems.bushido.tests.warbands import FORMS, MODELS, made_up, roster, selection

ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
LAUGHS = f'<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY l0 "ha">{ENTITIES}]><roster name="&l9;"/>'
SWOLLEN = '<!DOCTYPE roster [<!ENTITY a "{}">]><roster name="{}"/>'.format("x" * 20_000, "&a;" * 2_000)
OUTSIDE = '<!DOCTYPE roster [<!ENTITY a SYSTEM "file:///etc/hostname">]><roster name="&a;"/>'
REMOTE = '<!DOCTYPE roster SYSTEM "http://127.0.0.1:9/roster.dtd"><roster/>'
PARAMETER = '<!DOCTYPE roster [<!ENTITY % a SYSTEM "file:///etc/hostname"> %a;]><roster/>'


@pytest.mark.parametrize(
    "document",
    [LAUGHS, SWOLLEN, OUTSIDE, REMOTE, PARAMETER, "<!DOCTYPE roster><roster/>"],
    ids=["billion laughs", "quadratic", "a file", "another server", "a parameter", "harmless"],
)
def test_a_document_type_ends_the_reading_at_once(document):
    start = time.process_time()
    with pytest.raises(Unreadable, match="document type"):
        text_of(document)
    with pytest.raises(Unreadable):
        read(document, MODELS)
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("<?xml version='1.0'?><roster>&unknown;</roster>", "damaged or cut off"),
        (TEXTS["roster.ros"][:2_000], "damaged or cut off"),
        ("<roster><<<", "damaged or cut off"),
        ("<?xml version='1.0'?><catalogue/>", "not a roster"),
        ("<?xml version='1.0'?><gameSystem><roster/></gameSystem>", "not a roster"),
        ("<roster/>", "holds no warband"),
        ("<roster>" + "<selections>" * 5_000, "not a valid roster"),
        ("<roster><forces>" + "<x/>" * 120_000 + "</forces></roster>", "not a valid roster"),
        (roster("", "Ito Clan"), "No model"),
    ],
    ids=["entity", "cut off", "no XML", "catalogue", "within", "empty", "deep", "wide", "no models"],
)
def test_a_document_that_is_no_roster_gets_a_sentence(document, told):
    with pytest.raises(Unreadable, match=told):
        read(text_of(document), MODELS)


def test_a_roster_of_another_game_is_said_to_be_one():
    body = selection("Captain", 95, "model")
    warband = read(roster(body, "Imperium", game="Warhammer 40,000"), MODELS)
    assert [model.name for model in warband.models] == ["Captain"]
    assert said(warband)[0] == "Line 1: this is a list of another game: Warhammer 40,000."
    assert "there is no faction “Imperium”" in said(warband)[1]


def test_the_text_of_another_game_is_kept_line_by_line():
    text = "++ Army Roster (Imperium - Marines) [500 pts] ++\n+ HQ +\nCaptain [95 pts]: Power sword\n"
    warband = read(text, MODELS)
    assert [model.name for model in warband.models] == ["Captain"]
    assert said(warband)[0].startswith("Line 1: this is a list of another game")


@pytest.mark.parametrize("heading", ["Faction: {}", "++ Risen Sun ({}) [70 Rice] ++"])
def test_of_a_faction_that_there_is_not_as_much_is_kept_as_a_row_holds(heading):
    warband = read(heading.format("Z" * 400) + "\nHiromasa [16 rice]\n", MODELS)
    assert warband.faction == "Z" * PIECE_GRAPHEMES
    assert f"there is no faction “{'Z' * PIECE_GRAPHEMES}”" in said(warband)[0]


FIRST = "Faction: Prefecture of Ryu\n- Hiromasa (16)\n"


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("- Kizoko (-17)", "Line 3: “Kizoko” has a cost below zero"),
        ("- Kizoko (1700)", "Line 3: “Kizoko” has an impossible cost"),
        ("Kizoko;17;-2/6;5", "Line 3: “-2/6” is not a Ki value such as 2/6"),
        ("Kizoko;17;lots;5", "Line 3: “lots” is not a Ki value such as 2/6"),
        ("Kizoko;17;2/8;-5", "Line 3: “-5” is not a wounds value"),
        ("Kizoko;17;2/8;6;900", "Line 3: too many models for “Kizoko”"),
        ("Kizoko;17;2/8;6;-1", "Line 3: too many models for “Kizoko”"),
        ("- Kizoko (19)", "Line 3: Kizoko costs 17 rice in the catalogue, and 19 in this list."),
        ("- Hiromasa (16)", "Line 3: Hiromasa is already in this warband (line 2)."),
        ("- 2x Kizoko (34)", "Line 3: 2 times Kizoko; a warband has one copy of each card."),
        ("- Akuba (15)", "Line 3: Akuba belongs to another faction: Cult of Yurei."),
        ("- " + "x" * 500 + " (5)", "is too long for a name and was cut"),
        ("Theme: One\n+ Theme Cards +\nAnother", "Line 5: “Another” is a second theme"),
        ("Total: 99", "Line 3: the list states 99 rice, but its cards add up to 16."),
        ("Limit: 10", "Line 3: the list costs 16 rice and was built for 10."),
        ("what a day", "Line 3 was not understood: “what a day”."),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_odd_is_told_by_its_line(line, remark):
    warband = read(FIRST + line, MODELS)
    assert any(remark in told for told in said(warband)), said(warband)
    assert warband.models[0] == Model("Hiromasa", 16, "2", "6", "6", 1, 2)


@pytest.mark.parametrize("line", ["- Giant Eagle A (14)", "- Ying-Jian", "Ronin:\n- Silverback A (12)"])
def test_ronin_may_be_hired(line):
    assert said(read(FIRST + line, MODELS)) == []


def test_a_warband_cannot_be_of_ronin():
    assert "Ronin are hired" in said(read("Faction: Ronin\n- Silverback A (12)", MODELS))[0]


def test_two_hundred_models_are_kept_and_more_are_told_of():
    band = [f"Nobody {number};1;2/6;5" for number in range(240)]
    assert said(read("\n".join(band[:200]), MODELS)) == []
    warband = read("\n".join(band), MODELS)
    assert warband.size == 200
    assert said(warband) == ["Line 201: a warband of more than 200 cards; the rest was left out."]
    crowd = read("\n".join(f"{line};9" for line in band[:100]), MODELS)
    assert (len(crowd.models), crowd.size) == (100, 200)
    assert "more than 200 models" in said(crowd)[0]


def test_any_damage_to_a_list_is_a_warband_or_a_sentence():
    luck = random.Random(9)
    read_count = 0
    for _again in range(300):
        letters = list(luck.choice(FORMS)(made_up(luck), luck))
        for _letter in range(luck.randint(1, 12)):
            letters[luck.randrange(len(letters))] = luck.choice("<>&;:/[](){}+-#*x0\n \"'Oō∞\u202e")
        with suppress(Unreadable):
            warband = read("".join(letters), MODELS)
            read_count += 1
            assert warband.models
            assert all(said(warband))
            assert all(len(model.name) <= 80 and 0 <= model.rice <= 99 * 20 for model in warband.models)
    assert read_count > 100


@pytest.mark.parametrize(
    "text",
    [
        "Kizoko [17 Rice]: " + "Nobdy, " * 9_000,
        "(" * 60_000,
        "[1 " * 20_000,
        ";" * 60_000,
        "A" * 60_000,
        "2x " * 20_000,
        "• Modell nmber (5)\n" * 3_000,
        "\n".join(f"• Modell nmber {number} (5)" for number in range(2_000)),
        "Faction: Ito Clan\nIsas;10\n" * 2_000,
        "++ Risen Sun (Ito Clan) [9 Rice] ++\n" * 1_500,
        "Faction: x | " * 4_500,
        "a(1)" * 16_000,
        "a(1):" * 12_000,
        ("a(1)" * 250 + "\n") * 30,
        ("a(1):" * 200 + "\n") * 30,
        ("a" + " " * 900 + "b\n") * 65,
        ("a 1 +" * 190 + "\n") * 60,
        "Isas;" + "O" * 50_000,
        "Name,Ki,Rice,Wounds\n" + ("a" + " " * 980 + "," + ",1\n") * 65,
        "Name,Rice\n" + ('"a,' * 330 + "\n") * 65,
        "Name  Rice\n" + "a  1\n" * 12_000,
        ("Name|" * 200 + "\n") * 64,
        "," * 60_000,
        ("Kizoko" + " w/ a" * 198 + "\n") * 64,
        ("Kizoko w/" + " w/,a" * 197 + "\n") * 64,
        ("Kizoko + " * 110 + "\n") * 64,
        ("带" * 999 + "\n") * 21,
        ("a带, " * 190 + "\n") * 54,
        "Name,Ki,Rice,Wounds\n" + ("(" + " " * 900 + "," * 3 + "\n") * 65,
        "Isas;1;2/6;" + "O " * 20_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_huge_paste_is_read_in_no_time(text):
    start = time.process_time()
    with suppress(Unreadable):
        read(text, MODELS)
    read_each(text, MODELS)
    assert time.process_time() - start < 2
