"""What a single line of a list says: its words, its cost, how many, what joins it, what it heads."""

import pytest

from games.systems.tmg.lists.army_cards import Catalogue
from games.systems.tmg.lists.army_lines import (
    MAX_LENGTH,
    ListLine,
    bare_faction,
    headers,
    lines_in,
    rows_of,
    split_title,
)
from games.systems.tmg.tests.reading import read, said

UNKNOWN = Catalogue(())


def lines_of(text):
    rows, beyond = rows_of(text, UNKNOWN)
    return tuple(lines_in(rows, UNKNOWN)), beyond


def one(text):
    ((line,), _beyond) = lines_of(text)
    return line


def words(text):
    return [(line.words, line.cost, line.joined) for line in lines_of(text)[0]]


# --- costs ----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    ("text", "cost", "is_loose"),
    [
        ("Bowmen (6)", 6, False),
        ("Bowmen ( 6 )", 6, False),
        ("Bowmen(6)", 6, False),
        ("Bowmen [6]", 6, False),
        ("Bowmen (6p)", 6, False),
        ("Bowmen (6 p.)", 6, False),
        ("Bowmen (6 pt)", 6, False),
        ("Bowmen ( 6 pts )", 6, False),
        ("Bowmen (6 Pts.)", 6, False),
        ("Bowmen (1 point)", 1, False),
        ("Bowmen (6 POINTS)", 6, False),
        ("Bowmen (6 Pkt.)", 6, False),
        ("Bowmen (6 Punkte)", 6, False),
        ("Bowmen 6 pt", 6, False),
        ("Bowmen 6points", 6, False),
        ("Bowmen 123 pts", 123, False),
        ("Bowmen (123)", 123, False),
        ("Bowmen (c)", 0, False),
        ("Bowmen ( C )", 0, False),
        ("Bowmen - 6", 6, False),
        ("Bowmen – 12", 12, False),
        ("Bowmen : 6", 6, False),
        ("Bowmen = 6", 6, False),
        ("Bowmen: 6", 6, True),
        ("Bowmen:6", 6, True),
        ("Bowmen, 12", 12, True),
        ("Bowmen=6", 6, True),
        ("Bowmen|6", 6, True),
        ("Bowmen (6) (painted in red)", 6, False),
        ("Bowmen 6 pts (new)", 6, False),
    ],
)
def test_a_cost_stands_in_brackets_or_by_its_name_or_behind_a_sign(text, cost, is_loose):
    line = one(text)
    assert (line.words, line.cost, line.is_loose) == ("Bowmen", cost, is_loose)
    assert line.is_priced != is_loose
    assert not line.is_negative


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "text",
    [
        "Bowmen 6",
        "Bowmen 6p",
        "Bowmen (1234)",
        "Bowmen - 123",
        "Bowmen: 123",
        "Bowmen (6 men)",
        "Bowmen-6",
        "Bowmen6 pts",
    ],
)
def test_any_other_number_is_a_part_of_the_name(text):
    assert (one(text).words, one(text).cost, one(text).is_priced) == (text, None, False)


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("sign", [" - ", " – ", " -> ", "-- ", " "])
@pytest.mark.parametrize("more", ["painted in red", "painted (in red) by me", "Scouts (5)"])
def test_more_words_behind_a_price_are_a_line_of_their_own(sign, more):
    bowmen, rest = lines_of(f"• Bowmen (6){sign}{more}")[0]
    assert (bowmen.words, bowmen.cost, bowmen.marked, bowmen.aside) == ("Bowmen", 6, True, "")
    assert (rest.words, rest.cost) == (("Scouts", 5) if "Scouts" in more else (more, None))
    assert rest.marked == ("Scouts" in more and sign != " ")


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("text", ["(6) Bowmen", "[6] Bowmen (of red)", "Bowmen (red) - 6", "Robb (Wolf) (6)"])
def test_a_bracket_that_is_no_price_or_no_name_stands_before_ends_no_piece(text):
    assert len(lines_of(text)[0]) == 1


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "note", [" // red", "//red", " # red", " <- red", " <-- red", " ← red", " /* red */", " <!-- red -->"]
)
def test_behind_a_sign_of_notes_stands_none_of_the_piece(note):
    for text, cost in (("Bowmen (6)", 6), ("Bowmen - 6", 6), ("Bowmen 6 pts", 6)):
        if note[0] != " " and text[-1] != ")":
            continue
        bowmen, red = lines_of(text + note)[0]
        assert (bowmen.words, bowmen.cost, bowmen.aside) == ("Bowmen", cost, "")
        assert (red.words.split()[0], red.aside) == ("red", "note")
    assert (one("Bowmen #2 (6)").words, one("Bowmen #2 (6)").cost) == ("Bowmen #2", 6)
    assert headers(one("List: Friday # 2").text) == {"name": "Friday # 2"}


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("text", ["Bowmen (-5)", "Bowmen (−5 pts)", "Bowmen [-500]"])
def test_a_cost_below_zero_counts_as_none(text):
    assert (one(text).words, one(text).cost, one(text).is_negative) == ("Bowmen", None, True)


# --- what frames a line ---------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "text",
    [
        "> Bowmen (6)",
        "`Bowmen (6)`",
        "# Bowmen (6)",
        "*Bowmen* (6)",
        "_Bowmen_ (6)",
        "| Bowmen | 6 |",
        "Bowmen: (6)",
    ],
)
def test_what_frames_a_line_in_a_chat_is_none_of_its_words(text):
    assert (one(text).words.strip("*_"), one(text).cost) == ("Bowmen", 6)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "-----",
        "• ,",
        "Built on a site",
        "BUILT WITH a builder",
        "> Made with ASOIAFBuilder.com",
        "Created with care",
        "Find list at this address",
        "http://example.org",
        "https://example.org",
    ],
)
def test_rules_and_a_builder_s_advertisement_say_nothing(text):
    assert lines_of(text)[0] == ()


@pytest.mark.rule("TMG-09")
def test_of_a_line_beyond_all_measure_only_the_beginning_is_quoted():
    assert MAX_LENGTH == 200
    assert one(" " * 50 + "x" * 200 + " " * 50).words == "x" * 200
    assert one("x" * 201) == ListLine(1, "x" * 200)
    line = one("• x" + "x" * 200)
    assert (line.words, line.cost, line.indent, line.marked, line.joined) == ("", None, 0, False, False)
    assert (line.count, line.is_negative, line.is_loose) == (1, False, False)


# --- how many, and what joins ---------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("2x Bowmen", "Bowmen", 2),
        ("99 X Bowmen", "Bowmen", 99),
        ("×3 Bowmen", "Bowmen", 3),
        ("Bowmen x10", "Bowmen", 10),
        ("Bowmen 2×", "Bowmen", 2),
        ("Bowmen [x2]", "Bowmen", 2),
        ("2x Bowmen (6)", "Bowmen", 2),
        ("Bowmen 3x (6)", "Bowmen", 3),
        ("2x Bowmen x3 (6)", "Bowmen", 3),
        ("0x Bowmen", "0x Bowmen", 1),
        ("100x Bowmen", "100x Bowmen", 1),
        ("2xBowmen", "2xBowmen", 1),
        ("Bowmenx2", "Bowmenx2", 1),
        ("Room 2x big", "Room 2x big", 1),
    ],
)
def test_a_number_of_copies_stands_before_or_behind(text, name, count):
    line = one(text)
    assert (line.words, line.count) == (name, count)


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Bowmen (6) with Robb (0)", [("Bowmen", 6, False), ("Robb", 0, True)]),
        (
            "Bowmen WITH Robb + Jon w/ Arya",
            [("Bowmen", None, False), *[(n, None, True) for n in ("Robb", "Jon", "Arya")]],
        ),
        ("with Robb (0)", [("Robb", 0, True)]),
        ("w/ Robb", [("Robb", None, True)]),
        ("w/Robb", [("Robb", None, True)]),
        ("+ Robb", [("Robb", None, True)]),
        ("+Robb", [("Robb", None, True)]),
        ("without Robb", [("without Robb", None, False)]),
        ("Bowmen+Robb", [("Bowmen+Robb", None, False)]),
        ("Bowmen (6): Robb", [("Bowmen", 6, False), ("Robb", None, True)]),
        ("Bowmen (6), Robb (0); Jon (4).", [("Bowmen", 6, False), ("Robb", 0, False), ("Jon", 4, False)]),
        ("Bowmen (6) & Robb", [("Bowmen", 6, False), ("Robb", None, False)]),
        ("Bowmen (6) - Robb (0)", [("Bowmen", 6, False), ("Robb", 0, False)]),
        ("Robb, Lord - Wolf (4)", [("Robb, Lord - Wolf", 4, False)]),
    ],
)
def test_a_line_may_hold_several_pieces(text, parts):
    assert words(text) == parts


@pytest.mark.rule("TMG-06")
def test_only_the_first_piece_behind_a_bullet_is_marked():
    lines = lines_of("  • Bowmen (6) with Robb (0)")[0]
    assert [(line.marked, line.indent) for line in lines] == [(True, 2), (False, 2)]


# --- headings -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Faction: Stark", {"faction": "Stark"}),
        ("FACTION : House Stark ", {"faction": "House Stark"}),
        ("**Commander:** _Robb_", {"commander": "Robb"}),
        ("Point: 7", {"points": "7"}),
        ("Points: 39 / 40", {"points": "39 / 40"}),
        ("Total Points: 39", {"points": "39"}),
        ("Total: 39", {"points": "39"}),
        ("Activation: 1", {"activations": "1"}),
        ("Total Activations: 7", {"activations": "7"}),
        ("List: Friday", {"name": "Friday"}),
        ("List name: Friday: the night", {"name": "Friday: the night"}),
        ("Name: Friday", {"name": "Friday"}),
        ("Army: Friday", {"name": "Friday"}),
        ("Army name: Friday", {"name": "Friday"}),
        ("Player: Somebody", {}),
        ("Mode: A Clash of Kings", {}),
        ("Version: 3", {}),
        ("Season: 4", {}),
        ("Faction:", {}),
        ("Faction: **", {}),
        ("Faction: Stark | Points: 39/40 | Robb", {"faction": "Stark", "points": "39/40"}),
        ("Player: Somebody | Faction: Stark", {"faction": "Stark"}),
        ("Faction: Stark | Robb: 4 | Points", {"faction": "Stark"}),
        ("Robb: 4 | Faction: Stark", None),
        ("Faction", None),
        ("Season", None),
        ("Stark Bowmen (6)", None),
        ("", None),
    ],
)
def test_a_heading_states_what_stands_behind_its_key(text, stated):
    assert headers(text) == stated


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("text", "faction"),
    [("House Stark", "stark"), ("Stark (40)", "stark"), ("• Stark", None), ("Stark Bowmen", None)],
)
def test_a_faction_alone_on_its_line_is_a_title(text, faction):
    assert bare_faction(one(text)) == faction


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Robb Stark - The Wolf Lord", ("Robb Stark", "The Wolf Lord")),
        ("Robb Stark  –  The Wolf Lord", ("Robb Stark", "The Wolf Lord")),
        ("Robb Stark—The Wolf Lord", ("Robb Stark", "The Wolf Lord")),
        ("Robb Stark,  The Wolf Lord", ("Robb Stark", "The Wolf Lord")),
        ("Jeyne Poole - Arya Stark, Bride of Bolton", ("Jeyne Poole", "Arya Stark, Bride of Bolton")),
        ("Master-at-Arms", ("Master-at-Arms", "")),
        ("Robb Stark, ", ("Robb Stark, ", "")),
    ],
)
def test_a_sub_title_stands_behind_a_dash_or_a_comma(name, parts):
    assert split_title(name) == parts


@pytest.mark.rule("TMG-05")
def test_what_a_list_calls_itself_and_who_plays_it_are_no_units():
    roster = read(
        "Army name: Friday\nPlayer: Bob (3)\nSeason: 4\nFaction: Stark\nTotal: 6/40\n• Stark Bowmen (6)"
    )
    assert (roster.name, roster.points, roster.limit, roster.activations) == ("Friday", 6, 40, 1)
    assert said(roster) == ["This list has no Commander."]
