"""What a single line of a list says: its words, its rice, how many, and what hangs on it."""

import pytest

from games.core.army_lists import DASHES
from games.systems.bushido.lists.warband_grammar import read
from games.systems.bushido.lists.warband_lines import MAX_LENGTH, joined, price_in, row_of, worth_in
from games.systems.bushido.tests.warbands import MODELS


def one(text):
    row = row_of(1, text)
    return row.card(row.text)[0]


def options(text):
    row = row_of(1, text)
    return list(joined(1, row.card(row.text)[1]))


@pytest.mark.parametrize(
    ("text", "words", "rice"),
    [
        ("Kizoko [17 Rice]", "Kizoko", 17),
        ("Kizoko （17）", "Kizoko", 17),
        ("Kizoko 17 pts", "Kizoko", 17),
        ("Kizoko: 17 rice", "Kizoko", 17),
        ("Kizoko - 17", "Kizoko", 17),
        ("| **Kizoko** (17) |", "Kizoko", 17),
        ("Kizoko (0)", "Kizoko", 0),
        ("Kizoko (99)", "Kizoko", 99),
        ("Kizoko", "Kizoko", None),
        ("Kizoko 17", "Kizoko", 17),
        ("Kizoko  17", "Kizoko", 17),
        ("Lady Fox 14", "Lady Fox", 14),
        ("Kizoko 170", "Kizoko 170", None),
        ("(17) Kizoko", "Kizoko", 17),
        ("[17 Rice] Kizoko", "Kizoko", 17),
        ("17 rice Kizoko", "Kizoko", 17),
        ("17r: Kizoko", "Kizoko", 17),
        ("17 - Kizoko", "Kizoko", 17),
        ("17 Kizoko", "Kizoko", 17),
        ("5 Kizoko", "5 Kizoko", None),
        ("17 Kizoko (16)", "17 Kizoko", 16),
    ],
)
def test_rice_stands_in_brackets_or_by_its_name_or_behind_a_dash(text, words, rice):
    line = one(text)
    assert (line.words, line.rice, line.odd) == (words, rice, "")


@pytest.mark.parametrize(
    "unit",
    ["rice", "Reis", "米", "pt", "pts", "point", "points", "Pkt", "Pkte", "Punkt", "Punkte", "分", "点"],
)
def test_rice_has_many_names(unit):
    for text in (f"Kizoko (7 {unit})", f"Kizoko [7{unit}]", f"Kizoko 7 {unit}", f"Kizoko (7 {unit}.)"):
        assert (one(text).words, one(text).rice) == ("Kizoko", 7)
    assert one(f"Kizoko 7 {unit}x").rice is None


@pytest.mark.parametrize("sign", [*DASHES, ":", "="])
def test_rice_stands_behind_any_sign(sign):
    for text in (f"Kizoko {sign} 7", f"Kizoko {sign} 7 rice", f"Kizoko {sign}7 rice"):
        assert (one(text).words, one(text).rice, price_in(text).is_loose) == ("Kizoko", 7, False)


@pytest.mark.parametrize(
    ("text", "rice", "limit"),
    [
        ("(7 r)", 7, None),
        ("[7/9 Rice]", 7, 9),
        ("[123456 / 654321 Rice]", 123456, 654321),
        ("(17.00)", 17, None),
        ("(17,0 Rice)", 17, None),
        ("Kizoko 123456 rice", 123456, None),
    ],
)
def test_a_sum_of_rice_may_have_a_limit_and_nothing_behind_a_comma(text, rice, limit):
    worth = worth_in(text)
    assert (worth.rice, worth.limit) == (rice, limit)


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Kizoko (100)", "rice"),
        ("Kizoko (-1)", "negative"),
        ("Kizoko (−1)", "negative"),
        ("Kizoko;−1", "negative"),
        ("Kizoko;17x", "rice"),
        ("Kizoko;x17", "rice"),
        ("21x Kizoko", "count"),
        ("Kizoko;many", "rice"),
        ("Kizoko;17;2/8;6;0000002", "count"),
        ("Kizoko;17;2/8;6;٣", "count"),
    ],
)
def test_a_number_that_cannot_be_is_dropped_and_named(text, odd):
    line = one(text)
    assert (line.words, line.odd) == ("Kizoko", odd)
    assert line.rice is None or odd == "count"
    assert line.count == (20 if text.startswith("21x") else 1)


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("Kizoko (17): Lantern [2], Rope", [("Lantern", 2), ("Rope", None)]),
        ("Kizoko (17) + Lantern", [("Lantern", None)]),
        ("Kizoko (17) with Lantern, Rope, -", [("Lantern", None), ("Rope", None)]),
        ("Kizoko (17): Lantern x2", [("Lantern", None)]),
        ("Kizoko (17) Lantern (1) (painted)", [("Lantern", 1)]),
        ("Kizoko (17) and friends", []),
        ("Kizoko (17) (2/8)", []),
    ],
)
def test_what_stands_behind_the_rice_hangs_on_the_line_if_a_sign_says_so(text, behind):
    line = one(text)
    assert (line.words, line.count) == ("Kizoko", 1)
    assert [(option.words, option.rice) for option in options(text)] == behind


@pytest.mark.parametrize(
    ("text", "words", "count", "odd"),
    [
        ("2 × Kizoko (17)", "Kizoko", 2, ""),
        ("Kizoko ×2 (17)", "Kizoko", 2, ""),
        ("Kizoko (17) x2;", "Kizoko", 2, ""),
        ("Kizoko (17) x2 ;", "Kizoko", 2, ""),
        ("Kizoko [17] (painted) x2", "Kizoko", 2, ""),
        (".  2x Kizoko", "Kizoko", 2, ""),
        ("999999x Kizoko", "Kizoko", 20, "count"),
        ("1000000x Kizoko", "1000000x Kizoko", 1, ""),
        ("Kizoko x999999", "Kizoko", 20, "count"),
        ("Kizoko x1000000", "Kizoko x1000000", 1, ""),
        ("x Kizoko (17)", "x Kizoko", 1, ""),
        ("Kizoko x (17)", "Kizoko x", 1, ""),
        ("2xKizoko", "2xKizoko", 1, ""),
        ("Room 2x big (3)", "Room 2x big", 1, ""),
        ("Room x2 big (3)", "Room x2 big", 1, ""),
    ],
)
def test_a_number_of_copies_stands_before_or_behind(text, words, count, odd):
    line = one(text)
    assert (line.words, line.count, line.odd) == (words, count, odd)


def test_an_option_may_have_a_number_of_its_own():
    (rope, lanterns) = options("Kizoko (17): Rope, 2x Lantern")
    assert (rope.count, lanterns.words, lanterns.count) == (1, "Lantern", 2)


def test_of_two_counts_the_one_before_the_name_is_meant():
    line = one("2x Spearmen x3 [8 Rice]")
    assert (line.words, line.count) == ("Spearmen x3", 2)


@pytest.mark.parametrize(
    ("text", "figures", "rice", "count"),
    [
        ("Kizoko;17", None, 17, 1),
        ("Kizoko;17;2/8", ("2/8", ""), 17, 1),
        ("Kizoko ; 17 ; 2/8 ; 6 ; 2", ("2/8", "6"), 17, 2),
        ("Kizoko;;;;", ("", ""), None, 1),
        ("Kizoko;17;2/8;6;1;7;8", ("2/8", "6"), 17, 1),
    ],
)
def test_the_plain_form_needs_no_more_than_a_name(text, figures, rice, count):
    line = one(text)
    assert (line.words, line.is_plain, line.odd) == ("Kizoko", True, "")
    assert (line.figures, line.rice, line.count) == (figures, rice, count)


def test_a_name_of_the_plain_form_may_hold_a_number_in_brackets():
    line = one("Guard (2);5;2/6;4")
    assert (line.words, line.rice, line.figures) == ("Guard (2)", 5, ("2/6", "4"))
    for text in ("Guard (2);", "Guard (2);;", "Guard (2); ;"):
        assert (one(text).words, one(text).rice, one(text).is_plain) == ("Guard", 2, False)


@pytest.mark.parametrize("text", ["> Kizoko (17)", "`Kizoko (17)`", "|Kizoko (17)|", ">` - Kizoko 17 pts`"])
def test_what_frames_a_line_in_a_chat_is_none_of_its_words(text):
    assert (one(text).words, one(text).rice) == ("Kizoko", 17)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-----",
        "CREATED WITH BattleScribe",
        "> **Made with** love",
        "Built with a builder",
        "Exported with care",
        "https://x.example",
        "http://x.example",
    ],
)
def test_rules_and_a_builder_s_advertisement_say_nothing(text):
    assert row_of(1, text).text == ""


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("+ Models +", "+"),
        ("++ Models", "++"),
        ("# Models", "#"),
        ("> ## + Models +", "+"),
        ("+ Models", ""),
        ("Models", ""),
    ],
)
def test_a_heading_is_framed_by_plus_signs_or_comes_after_a_hash(text, frame):
    assert (row_of(1, text).frame, row_of(1, text).text.strip("+ ")) == (frame, "Models")


def test_a_point_before_a_line_sets_it_below_the_one_above():
    row = row_of(1, ".  Silverback A")
    assert (row.text, row.is_below) == ("Silverback A", True)
    assert not row_of(1, "Silverback A").is_below


@pytest.mark.parametrize("length", [MAX_LENGTH, MAX_LENGTH + 1])
def test_of_a_line_beyond_all_measure_only_the_beginning_is_kept(length):
    row = row_of(1, "x" * length)
    assert len(row.text) == MAX_LENGTH
    assert (row.indent, row.is_marked, row.is_below) == (0, False, False)


def test_a_list_is_read_up_to_its_five_hundredth_line():
    rows = ["Faction: Prefecture of Ryu", "Hiromasa (16)", *[""] * 497, "Kizoko (17)"]
    assert len(rows) == 500
    whole = read("\n".join(rows), MODELS)
    assert ([model.name for model in whole.models], whole.warnings) == (["Hiromasa", "Kizoko"], ())
    longer = read("\n".join([*rows[:499], "", "Kizoko (17)"]), MODELS)
    assert [model.name for model in longer.models] == ["Hiromasa"]
    ((number, line),) = longer.warnings
    assert (number, str(line)) == (500, "The list is too long. Nothing after line 500 was read.")


def test_what_a_builder_says_of_its_own_switches_is_no_card():
    text = "Faction: Prefecture of Ryu\n+ Configuration +\nShow everything\n+ Models +\nKizoko (17)\n- (5)"
    warband = read(text, MODELS)
    assert ([model.name for model in warband.models], warband.held) == (["Kizoko"], ())
    assert warband.warnings == ()


def test_a_sum_of_nothing_does_not_take_the_place_of_one_that_was_stated():
    assert read("Faction: Prefecture of Ryu\nTotal: 17\nKizoko (17)\nTotal: 0", MODELS).total == 17
