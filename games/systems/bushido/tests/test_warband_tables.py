"""Tables with a column for each figure, as people copy them from spreadsheets, pages and chats."""

import pytest

from games.systems.bushido.lists.warband_grammar import Card, read, read_each
from games.systems.bushido.lists.warband_lines import rows_in
from games.systems.bushido.tests.test_warband_forms import said
from games.systems.bushido.tests.warbands import MODELS

RYU = "Prefecture of Ryu"
FIGURES = [("Hiromasa", 16, "2", "6", "4"), ("Kizoko", 17, "3", "9", "6")]


def stated(text):
    warband = read(f"{RYU}\n{text}", MODELS)
    assert said(warband) == []
    return [(one.name, one.rice, one.ki, one.cap, one.wounds) for one in warband.models]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "|Name|Ki|Wounds|Rice|\n|-|:-:|-|--:|\n| **Hiromasa** | 2/6 | 4 | 16 |\n| Kizoko | 3/9 | 6 | 17 |",
        "Name,Ki,Wounds,Rice\nHiromasa,2/6,4,16\nKizoko,3/9,6,17",
        'Model,Ki,Wounds,Cost,Note\n"Hiromasa",2/6,4,(16),"old, wise"\nKizoko,3 / 9,6,17 Rice,',
        "Rice\tWounds\tName\tKi\n16\t4\tHiromasa\t2/6\n17\t6\tKizoko\t3/9",
        "Name;Rice;Ki;Cap;Wounds\nHiromasa;16;2;6;4\nKizoko;17;3;9;6",
        "#|Model|Ki/Cap|Wounds|Points\n1|Hiromasa|2/6|4|16\n2|Kizoko|3/9|6|17",
        "Name       Rice   Ki    Wounds\nHiromasa   16     2/6   4\nKizoko     17     3/9   6",
        "\tKi\tKi cap\tWounds\tRice\nHiromasa\t2\t6\t4\t16\nKizoko\t3\t9\t6\t17",
        "Modell\tReis\tKi\tWunden\nHiromasa\t16\t2/6\t4\nKizoko\t17\t3/9\t6",
        "名称｜米｜气｜伤\nHiromasa｜１６｜2/6｜4\nKizoko｜17米｜3/9｜6",
        "Hiromasa,16,2/6,4\nKizoko, 17, 3/9, 6",
        "Hiromasa\t16\t2/6\t4\t1\nKizoko\t17\t3/9\t6\t1",
        "Name\tRice\tKi\tWounds\nHiromasa\t16\t2/6\t4\n\tKizoko\t17\t3/9\t6",
        "Hiromasa\t16\t2/6\t4\n\tKizoko\t17\t3/9\t6",
        "Hiromasa,16,2⁄6,4\nKizoko,17,3∕9,6",
        "Name;Rice;Ki;Wounds\nHiromasa;16;2⁄6;4\nKizoko;17;3∕9;6",
        "Hiromasa;16;2⁄6;4\nKizoko;17;3∕9;6",
    ],
)
def test_a_column_of_a_table_holds_what_its_heading_says(text):
    """Its figures became names and prices, or nothing was read at all."""
    assert stated(text) == FIGURES


@pytest.mark.rule("BUSH-26")
def test_a_table_without_a_cap_leaves_it_to_the_catalogue():
    assert stated("Name,Ki,Rice\nHiromasa,1,16") == [("Hiromasa", 16, "1", "6", "6")]
    assert stated("Name;Rice;Ki\nHiromasa;16;1/") == [("Hiromasa", 16, "1", "", "6")]


@pytest.mark.rule("BUSH-26")
def test_sections_and_sums_stand_in_a_table_too():
    text = (
        "Name | Ki | Wounds | Rice | Qty\nModels | | | |\nHiromasa | 2/6 | 4 | 16 | 1\n"
        "Scout | 0/0 | 2 | 5 | 2\nEvents | | | |\nSudden Rain | - | - | 1 |\nTotal | | 8 | 22 |"
    )
    warband = read(f"{RYU}\n{text}", MODELS)
    assert [(one.name, one.rice, one.count) for one in warband.models] == [
        ("Hiromasa", 16, 1),
        ("Scout", 5, 2),
    ]
    assert warband.held == (Card("Sudden Rain", "event", 1, 0),)
    assert (warband.total, said(warband)) == (22, [])


@pytest.mark.rule("BUSH-26")
def test_a_row_that_does_not_fit_its_table_is_read_as_any_other_line():
    text = "Name,Ki,Wounds,Rice\nHiromasa,2/6,4,16\nKizoko, 17\nIsamu (14), Lantern, of, paper"
    warband = read(f"{RYU}\n{text}", MODELS)
    assert [(one.name, one.rice) for one in warband.models] == [
        ("Hiromasa", 16),
        ("Kizoko", 17),
        ("Isamu", 14),
    ]
    bad = read(f"{RYU}\nName,Rice\nHiromasa,16\nBob,cheap", MODELS)
    assert said(bad) == ["Line 4 was not understood: “Bob,cheap”."], "it keeps its number"


@pytest.mark.rule("BUSH-26")
def test_a_column_says_what_each_model_carries():
    text = "Name|Rice|Wounds|Equipment\nHiromasa|17|5|Lantern\nKizoko|17|6|-\nIsamu|14|6|Rope, Fan"
    warband = read(f"{RYU}\n{text}", MODELS)
    assert [(one.name, one.rice) for one in warband.models] == [
        ("Hiromasa", 16),
        ("Kizoko", 17),
        ("Isamu", 14),
    ]
    assert [(card.name, card.rice, card.bearer) for card in warband.held] == [
        ("Lantern", 1, "Hiromasa"),
        ("Rope", 0, "Isamu"),
        ("Fan", 0, "Isamu"),
    ]
    assert said(warband) == []


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (("Model", "Event", "Terrain", "Theme"), "Type,Name,Ki,Wounds,Rice"),
        (("Profile Card", "Event Cards", "Terrain Card", "Theme Card"), "Kind,Name,Ki,Wounds,Rice"),
        (("Modell", "Ereignisse", "Gelände", "Themenkarte"), "Typ,Name,Ki,Wunden,Reis"),
        (("模型", "事件", "地形", "主题卡"), "类型,名称,气,伤,米"),
    ],
)
def test_a_column_says_what_kind_each_card_is(kinds, names):
    """Events stood on the battlefield."""
    model, event, terrain, theme = kinds
    rows = (f"{theme},Oath,,,", f"{event},Sudden Rain,,,1", f"{terrain},Shrine,,,2")
    text = "\n".join((names, *rows, f"{model},Hiromasa,2/6,4,16", f"{event},Old Debt,-,-,1"))
    warband = read(f"{RYU}\n{text}", MODELS)
    assert [(one.name, one.wounds) for one in warband.models] == [("Hiromasa", "4")]
    assert (warband.theme, [(card.name, card.kind, card.rice) for card in warband.held]) == (
        "Oath",
        [("Sudden Rain", "event", 1), ("Shrine", "terrain", 2), ("Old Debt", "event", 1)],
    )
    assert said(warband) == []


@pytest.mark.rule("BUSH-26")
def test_each_of_two_lists_may_be_a_table():
    one = f"{RYU}\nName,Ki,Wounds,Rice\nHiromasa,2/6,4,16"
    other = "Ito Clan\nName|Rice|Ki|Wounds\nYanki|10|X/6|7"
    found = read_each(f"{one}\n\n{other}", MODELS)
    assert [(each.faction, each.rice, each.models[0].wounds) for _text, each in found] == [
        (RYU, 16, "4"),
        ("Ito Clan", 10, "7"),
    ]
    assert [read(text, MODELS) for text, _each in found] == [each for _text, each in found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hiromasa, 16",
        "Name: Friday | Limit: 70",
        "Hiromasa;16;2/6;4;1",
        "Model, big",
        "Kizoko (17) w/ fan",
    ],
)
def test_what_is_no_table_stays_as_it_is(text):
    assert [row.text for row in rows_in([(1, text)]) if row.text] == [text] * bool(text)


def test_what_hangs_on_a_row_stays_below_it():
    warband = read(f"{RYU}\nName;Rice;Ki;Wounds;Count\nHiromasa;16;2/6;4;1\n  Lantern;1;;;", MODELS)
    assert [(card.name, card.rice, card.bearer) for card in warband.held] == [("Lantern", 1, "Hiromasa")]
