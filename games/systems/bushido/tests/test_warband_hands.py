"""Warbands as people write them: by hand, in a chat, in a table, on a Chinese or a German keyboard."""

import pytest

from games.systems.bushido.lists.warband_grammar import read
from games.systems.bushido.tests.test_warband_forms import TEXTS, said
from games.systems.bushido.tests.warbands import MODELS, roster, selection

RYU = "Prefecture of Ryu"
BOTH = [("Hiromasa", 16), ("Kizoko", 17)]


def costs(warband):
    return [(model.name, model.rice) for model in warband.models]


def carried(warband):
    return [(card.name, card.rice, card.bearer) for card in warband.held]


# --- signs of other keyboards ---------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("name", ["battlescribe.txt", "newrecruit.txt", "dashes.txt", "plain.txt"])
def test_a_list_is_the_same_warband_in_full_width_signs(name):
    wide = TEXTS[name].translate({code: code + 0xFEE0 for code in map(ord, ":()[]0123456789/+#;|,")})
    assert wide != TEXTS[name]
    assert read(wide, MODELS) == read(TEXTS[name], MODELS)
    assert said(read(wide, MODELS)) == said(read(TEXTS[name], MODELS))


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "1、Hiromasa（16米）\n2、Kizoko 17米",
        "1.Hiromasa (16 Reis)\n2)Kizoko 17 Punkte",
        "1. Hiromasa (16 Pkt.)\n2) Kizoko 17 Pkte",
        "»Hiromasa« (16,0 Rice)\n„Kizoko“ (17.0 Rice)",
    ],
    ids=["Chinese", "German", "German, spaced", "German quotes"],
)
def test_numbers_rice_and_quotes_of_other_languages(text):
    warband = read(text, MODELS)
    assert (costs(warband), said(warband)) == (BOTH, [])


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa\t16\nKizoko\t17",
        "Hiromasa,16\nKizoko,17",
        "Hiromasa: 16\nKizoko:17",
        "Hiromasa = 16\nKizoko=17",
        "| Hiromasa | 16 |\n|---|---|\n| Kizoko | 17 |",
        "Hiromasa;16\nKizoko;17;",
        "- Hiromasa (16),\n- Kizoko (17);",
    ],
    ids=["tabs", "commas", "colons", "equals signs", "bars", "semicolons", "signs behind"],
)
def test_a_table_of_names_and_rice(text):
    warband = read(f"{RYU}\n{text}", MODELS)
    assert (costs(warband), said(warband)) == (BOTH, [])


@pytest.mark.rule("BUSH-26")
def test_a_number_right_behind_a_colon_makes_no_model_of_an_unknown_name():
    """Where one stands apart, it does; and what has a bullet is a model anyhow."""
    warband = read(f"{RYU}\nRound: 3\nHiromasa: 16\n", MODELS)
    assert costs(warband) == BOTH[:1]
    assert said(warband) == ["Line 2 was not understood: “Round: 3”."]
    for line in ("- Round: 3", "Round : 3"):
        assert costs(read(f"{RYU}\n{line}", MODELS)) == [("Round", 3)]


# --- numbers without signs ------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa 16\nKizoko 17",
        "HIROMASA 16\n- kizoko 17",
        "Hiromasa 16, Kizoko 17",
        "16 Hiromasa\n17 Kizoko",
        "16 - Hiromasa\n17: Kizoko",
        "(16) Hiromasa\n[17] Kizoko",
        "16 rice Hiromasa\n- 17米 Kizoko",
    ],
)
def test_a_number_behind_a_name_or_before_it_is_its_rice(text):
    """The plainest list of all was guessed at, or dropped."""
    warband = read(f"{RYU}\n{text}", MODELS)
    assert (costs(warband), said(warband)) == (BOTH, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text", ["Kizoko 17 + Lantern 2", "[17] Kizoko: Lantern [2]", "17 Kizoko with Lantern 2"]
)
def test_what_a_model_carries_stands_behind_such_a_number_too(text):
    warband = read(f"{RYU}\n{text}", MODELS)
    assert (costs(warband), carried(warband)) == (BOTH[1:], [("Lantern", 2, "Kizoko")])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("line", ["Room 17", "7 players came", "12 - the second table"])
def test_a_bare_number_makes_no_model_of_an_unknown_name(line):
    warband = read(f"{RYU}\nHiromasa 16\n{line}", MODELS)
    assert costs(warband) == BOTH[:1]
    assert said(warband) == [f"Line 3 was not understood: “{line}”."]


# --- several cards on a line ----------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text",
    [
        "Hiromasa (16), Kizoko (17)",
        "- Hiromasa [16 Rice] & Kizoko [17 Rice]",
        "Hiromasa (16) - Kizoko (17)",
        "Models: Hiromasa (16), Kizoko (17)",
        "My list: Hiromasa 16, Kizoko 17",
        "List: Hiromasa (16), Kizoko (17)",
        "[12:31, 5.3.2026] Ada: Hiromasa 16\n[12:32, 5.3.2026] Ada: Kizoko 17",
        "Profile Cards: Hiromasa (16)\nKizoko (17)",
    ],
)
def test_models_on_one_line_are_all_read(text):
    """What stands behind the first was dropped without a word."""
    warband = read(f"{RYU}\n{text}", MODELS)
    assert (costs(warband), said(warband)) == (BOTH, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "text", ["Nobody (9), Kizoko (17)", "Nobody 9, Kizoko 17", "Nobody (9)\n. Kizoko (17)"]
)
def test_an_unknown_model_before_another_is_kept(text):
    """As if it named those behind it, it was dropped without a word; it names them if their costs are its."""
    warband = read(text, MODELS)
    assert costs(warband) == [("Nobody", 9), ("Kizoko", 17)]
    assert said(warband) == ["Line 1: “Nobody” is not in the catalogue. Check its numbers."]
    assert costs(read("Somebody (33): Hiromasa (16), Kizoko (17)", MODELS)) == BOTH


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("Kizoko (17) w/ Lantern (1)", [("Lantern", 1, "Kizoko")]),
        ("Kizoko (17), Lantern", [("Lantern", 0, "Kizoko")]),
        ("Kizoko (17) – Lantern (1)", [("Lantern", 1, "Kizoko")]),
        ("Kizoko (17) - my favourite", []),
        ("Kizoko (17) (painted)", []),
    ],
)
def test_what_a_model_carries_may_stand_behind_it(line, held):
    warband = read(f"{RYU}\n- {line}", MODELS)
    assert costs(warband) == [("Kizoko", 17)]
    assert carried(warband) == held
    assert said(warband) == []


LANTERN = ("Lantern", 0, "Kizoko")


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("line", "rice", "held"),
    [
        ("Kizoko w/ Lantern (17)", 17, [LANTERN]),
        ("- Kizoko w/Lantern", 17, [LANTERN]),
        ("Kizoko W/ Lantern 17", 17, [LANTERN]),
        ("Kizoko w/ Lantern (18)", 17, [("Lantern", 1, "Kizoko")]),
        ("Kizoko with Lantern (1)", 17, [("Lantern", 1, "Kizoko")]),
        ("Kizoko w/ Lantern, Rope (17)", 17, [LANTERN, ("Rope", 0, "Kizoko")]),
        ("Kizoko w/ Lantern [1], Rope [2]", 17, [("Lantern", 1, "Kizoko"), ("Rope", 2, "Kizoko")]),
        ("Kizoko + Lantern + Rope", 17, [LANTERN, ("Rope", 0, "Kizoko")]),
        ("Kizoko w Lantern", 17, [LANTERN]),
        ("Kizoko mit Lantern (17)", 17, [LANTERN]),
        ("Kizoko (17) mit Lantern", 17, [LANTERN]),
        ("Kizoko 带 Lantern 17米", 17, [LANTERN]),
        ("Kizoko（17）配Lantern", 17, [LANTERN]),
        ("2x Kizoko w/ Lantern (34)", 34, [LANTERN]),
    ],
)
def test_what_a_model_carries_may_stand_before_the_rice(line, rice, held):
    """“Kizoko w/ Lantern” was a model of its own, which no catalogue knows."""
    warband = read(f"{RYU}\n{line}", MODELS)
    assert (costs(warband), carried(warband)) == ([("Kizoko", rice)], held)
    assert [told for told in said(warband) if "one copy" not in told] == []


@pytest.mark.rule("BUSH-26")
def test_only_a_known_model_or_a_clear_sign_parts_a_name():
    lines = "Bob w/ Lantern (5)\nOld man with a stick (7)\nKizokko w/ Rope (17)\nw/ Nobody (1)"
    warband = read(f"{RYU}\n{lines}", MODELS)
    assert costs(warband)[:3] == [("Bob", 5), ("Old man with a stick", 7), ("Kizoko", 17)]
    assert carried(warband) == [("Lantern", 0, "Bob"), ("Rope", 0, "Kizoko")]


@pytest.mark.rule("BUSH-26")
def test_each_of_two_models_on_a_line_costs_what_it_costs():
    warband = read(f"{RYU}\nKizoko w/ Lantern, Hiromasa w/ Rope", MODELS)
    assert sorted(costs(warband)) == BOTH
    assert sorted(card.name for card in warband.held) == ["Lantern", "Rope"]


@pytest.mark.rule("BUSH-26")
def test_a_section_may_begin_on_its_first_card_s_line():
    warband = read(f"{RYU}\nModels: Hiromasa (16)\nEvents: Sudden Rain (1), Old Debt (2)\nFlood (1)", MODELS)
    assert costs(warband) == BOTH[:1]
    assert [(card.name, card.kind, card.rice) for card in warband.held] == [
        ("Sudden Rain", "event", 1),
        ("Old Debt", "event", 2),
        ("Flood", "event", 1),
    ]


@pytest.mark.rule("BUSH-26")
def test_a_word_without_a_plural_begins_its_section_too():
    """“Terrain: Shrine” was a model on the battlefield."""
    warband = read(f"{RYU}\n- Hiromasa (16)\n- Terrain: Shrine (2)\n- Equipment: Rope (1)", MODELS)
    assert costs(warband) == BOTH[:1]
    assert [(card.name, card.kind) for card in warband.held] == [("Shrine", "terrain"), ("Rope", "equipment")]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("name", ["Curse: Nobody (3)", "Events: 3"])
def test_what_is_no_section_s_first_card_begins_none(name):
    warband = read(f"{RYU}\n- Hiromasa (16)\n- {name}\n- Kizoko (17)", MODELS)
    assert warband.held == ()
    assert "Kizoko" in [model.name for model in warband.models]


# --- a title above --------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("bullet", ["- ", "  ", "    • "])
def test_models_below_a_title_are_not_what_it_carries(bullet):
    """Unknown ones became its equipment, or vanished with it."""
    lines = ("Hiromasa (16)", "Bob the Builder (5)", "Kizokko (17)")
    warband = read("\n".join(["My first warband", RYU, *(bullet + line for line in lines)]), MODELS)
    assert costs(warband) == [("Hiromasa", 16), ("Bob the Builder", 5), ("Kizoko", 17)]
    assert warband.held == ()
    assert said(warband) == [
        "Line 1 was not understood: “My first warband”.",
        "Line 4: “Bob the Builder” is not in the catalogue. Check its numbers.",
        "Line 5: “Kizokko” is not in the catalogue; read as Kizoko.",
    ]


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("above", ["Hiromasa", "Nobody (16)", "Nobody;16", "Nobody x30"])
def test_a_card_above_carries_what_is_below(above):
    warband = read(f"{RYU}\n{above}\n  Lantern (1)", MODELS)
    assert [card.name for card in warband.held] == ["Lantern"]


# --- headings -------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("stated", ["Ryu (33 Rice)", "Prefecture of Ryu [33]", "Ryu - 33 rice", "_Ryu_"])
def test_a_faction_is_known_with_rice_behind_it(stated):
    warband = read(f"Faction: {stated}\n- Hiromasa (16)", MODELS)
    assert (warband.faction, said(warband)) == (RYU, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "line",
    [
        *("Total 33 rice", "- Total (33)", "**Total** = 33", "合计 33米", "Summe: 33 Reis", "Sum - 33"),
        *("Total 33", "33 rice total", "Grand total: 33", "Insgesamt 33 Reis", "总计：33 米", "总共33米"),
    ],
)
def test_the_sum_below_a_list_is_no_model(line):
    """It joined the warband, and doubled what that costs."""
    warband = read(f"{RYU}\n- Hiromasa (16)\n- Kizoko (17)\n{line}", MODELS)
    assert (costs(warband), warband.total, said(warband)) == (BOTH, 33, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "line", ["Remaining: 67 rice", "Unspent (67)", "67 rice left", "Übrig 67 Reis", "剩余67米"]
)
def test_rice_that_is_not_spent_is_no_model(line):
    """It stood on the battlefield as one of 67 rice."""
    warband = read(f"{RYU}\n- Hiromasa (16)\n- Kizoko (17)\n{line}", MODELS)
    assert (costs(warband), warband.total, said(warband)) == (BOTH, None, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    "line", ["Ryu: Hiromasa 16, Kizoko 17, total 33", "Hiromasa (16), Kizoko (17) = Total (33)"]
)
def test_a_list_on_one_line_may_begin_with_its_faction_and_end_with_its_sum(line):
    warband = read(line, MODELS)
    assert (costs(warband), warband.faction, warband.total, said(warband)) == (BOTH, RYU, 33, [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("text", ["Hiromasa：16米\nKizoko:17 rice", "Hiromasa16米\nKizoko17米"])
def test_rice_with_its_unit_needs_no_space_before_it(text):
    assert costs(read(f"{RYU}\n{text}", MODELS)) == BOTH


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("line", ["Total War (5)", "Total;5"])
def test_a_model_may_be_called_like_a_sum(line):
    assert costs(read(f"{RYU}\n- Hiromasa (16)\n{line}", MODELS))[1][1] == 5


GERMAN = """Fraktion: Ryu
Thema: Oath
Limit: 70
Modelle
- Hiromasa (16)
- Kizoko (17)
Ereignisse:
- Sudden Rain (1)
Gelände: Shrine (2)
Ausrüstungskarten
- Rope (1)
Gesamt: 37
"""
CHINESE = """阵营：Ryu
主题：Oath
上限：70
模型
- Hiromasa（16）
- Kizoko（17）
事件：
- Sudden Rain（1）
地形：Shrine（2）
装备卡
- Rope（1）
合计：37
"""


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("text", [GERMAN, CHINESE], ids=["German", "Chinese"])
def test_headings_are_read_in_the_languages_of_the_pages(text):
    """A theme was a model, and events stood on the battlefield."""
    warband = read(text, MODELS)
    assert (warband.faction, warband.theme, warband.limit, warband.total) == (RYU, "Oath", 70, 37)
    assert (costs(warband), said(warband)) == (BOTH, [])
    assert [(card.name, card.kind) for card in warband.held] == [
        ("Sudden Rain", "event"),
        ("Shrine", "terrain"),
        ("Rope", "equipment"),
    ]


# --- rosters --------------------------------------------------------------------------------------


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize("called", ["Ryu | 17 rice | v2", "Friday | Total: 99", "Friday | Faction: Ito Clan"])
def test_a_roster_may_have_a_bar_in_its_name(called):
    """A bar parts headings on one line: such a name became a model, or a total."""
    body = selection("Kizoko", 17, "model", "Faction Profile Cards")
    text = roster(body, RYU).replace('roster name=""', f'roster name="{called}"')
    warband = read(text, MODELS)
    assert (warband.name, warband.faction, costs(warband)) == (called.replace("|", "/"), RYU, BOTH[1:])
    assert said(warband) == []


@pytest.mark.rule("BUSH-26")
def test_a_card_of_a_roster_is_none_of_its_headings():
    body = selection("Kizoko", 17, "model", "Faction Profile Cards")
    body += selection("# Old Debt", 2, "upgrade", "Faction Event Cards")
    warband = read(roster(body, RYU), MODELS)
    assert [(card.name, card.rice) for card in warband.held] == [("Old Debt", 2)]
    assert costs(warband) == [("Kizoko", 17)]
