"""Several lists in one text: where one ends and the next begins."""

import pytest

from games.systems.tmg.lists.army_lines import MAX_LENGTH, MAX_LISTS, MAX_ROWS, parts_of
from games.systems.tmg.tests.reading import REAL
from games.systems.tmg.tests.test_codes import UNIT_OF, sent

STARK = "Faction: Stark\n• Stark Bowmen (6)"
GREYJOY = "Faction: Greyjoy\n• Ironmakers (7)"
CODE = "greyjoy;10808,10807,20803,10801"
SHARED = "EglWaWN0YXJpb24YCCAoKABaAwi4VFoHCLdUEMOiAVoDCLFUWgMIslRaCwi0VBDCogEQyaIBYNPwAWDU8AFgw+0B"


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{STARK}\n{GREYJOY}", [STARK, GREYJOY]),
        (f"{STARK}\n\n{GREYJOY}", [STARK + "\n", GREYJOY]),
        (f"{STARK}\n\nFriday\n{GREYJOY}", [STARK + "\n", f"Friday\n{GREYJOY}"]),
        (f"{STARK}\n\nFriday\nnight\n{GREYJOY}", [STARK + "\n", f"Friday\nnight\n{GREYJOY}"]),
        (f"{STARK}\nFriday\n{GREYJOY}", [f"{STARK}\nFriday", GREYJOY]),
        (f"{STARK}\n\nFriday (40 pts)\n{GREYJOY}", [STARK + "\n", f"Friday (40 pts)\n{GREYJOY}"]),
        (f"Friday (40 pts)\n{GREYJOY}", [f"Friday (40 pts)\n{GREYJOY}"]),
        (f"{STARK}\n  \nFriday\n{GREYJOY}", [f"{STARK}\n  ", f"Friday\n{GREYJOY}"]),
        (f"{STARK}\n{CODE}", [STARK, CODE]),
        (f"{CODE}\n{STARK}", [CODE, STARK]),
        (f"{CODE}\nFriday\n{STARK}", [CODE, f"Friday\n{STARK}"]),
        (f"{STARK}\n{CODE}\n{GREYJOY}", [STARK, CODE, GREYJOY]),
        (f"{CODE}\n  {CODE}  ", [CODE, CODE]),
        (f"{CODE}\n\n{SHARED}\n{CODE}", [CODE, SHARED, CODE]),
        (f"hello\n{CODE}", [CODE]),
        (f"hello\n{STARK}", [f"hello\n{STARK}"]),
        (STARK, [STARK]),
        ("hello\nfriends", ["hello\nfriends"]),
        ("Faction: Stark\nFaction: Greyjoy", ["Faction: Stark\nFaction: Greyjoy"]),
        ("", [""]),
    ],
    ids=lambda value: repr(value)[:60] if isinstance(value, str) else "",
)
def test_a_list_ends_where_another_begins(text, parts):
    assert parts_of(text) == tuple(parts)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "row",
    ["• Stark Bowmen", "Stark Bowmen (6)", "Stark Bowmen 6 pts"],
    ids=["a bullet", "a cost in brackets", "a cost"],
)
def test_a_heading_after_a_unit_begins_another_list(row):
    text = f"Faction: Stark\n{row}\n{GREYJOY}"
    assert parts_of(text) == (f"Faction: Stark\n{row}", GREYJOY)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "row",
    ["hello", "• Points: 40", "Points: 40", "Stark (40)", "Friday: 12", ""],
)
def test_a_heading_after_anything_else_begins_none(row):
    text = f"{row}\n{STARK}"
    assert parts_of(text) == (text,)


COMMANDED = "Commander: Robb Stark\n• Stark Bowmen (6)"


@pytest.mark.rule("TMG-05")
def test_a_second_commander_s_line_begins_another_list_if_the_first_has_one():
    """Some builders name no faction; others name the commander in the middle of a list."""
    assert parts_of(f"{COMMANDED}\n{COMMANDED}") == (COMMANDED, COMMANDED)
    text = f"{STARK}\n{COMMANDED}"
    assert parts_of(text) == (text,)
    text = f"{COMMANDED}\nPoints: 40\n• Stark Bowmen (6)"
    assert parts_of(text) == (text,)
    late = "\n".join(["• Stark Bowmen (6)"] * 11) + f"\n{COMMANDED}"
    assert parts_of(f"{late}\n{COMMANDED}") == (late, COMMANDED)
    later = f"• Stark Bowmen (6)\n{late}\n{COMMANDED}"
    assert parts_of(later) == (later,)


@pytest.mark.rule("TMG-05")
def test_a_line_of_beyond_all_measure_is_no_heading():
    heading = "Faction: " + "x" * (MAX_LENGTH - 9)
    assert parts_of(f"{STARK}\n{heading}\n• Ironmakers (7)") == (STARK, f"{heading}\n• Ironmakers (7)")
    longer = f"{STARK}\n{heading}x\n• Ironmakers (7)"
    assert parts_of(longer) == (longer,)


# --- codes ----------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize("size", [20, 33, 44, 60])
@pytest.mark.parametrize("gap", ["\n", "\n\n", " \n ", "\n \n"])
def test_a_share_code_that_was_broken_into_lines_is_one(size, gap):
    rows = [SHARED[at : at + size] for at in range(0, len(SHARED), size)]
    broken = gap.join(rows)
    assert parts_of(broken) == (SHARED,)
    assert parts_of(f"{STARK}\n{broken}\n{GREYJOY}") == (STARK, SHARED, GREYJOY)


@pytest.mark.rule("TMG-07")
def test_two_share_codes_are_two_lists():
    assert parts_of(f"{SHARED}\n{SHARED}") == (SHARED, SHARED)
    assert parts_of(f"{SHARED}\n{CODE}") == (SHARED, CODE)


@pytest.mark.rule("TMG-07")
def test_a_word_below_a_whole_share_code_is_no_part_of_it():
    assert parts_of(f"  {SHARED}\nAb1c") == (SHARED,)
    assert parts_of(f"{SHARED}\nAb1c\n\n{STARK}") == (SHARED, f"Ab1c\n\n{STARK}")


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize(("length", "size"), [(67, 20), (89, 20), (90, 44), (90, 60)])
def test_the_lines_of_a_share_code_that_breaks_off_are_one_too(length, size):
    cut = SHARED[:length]
    broken = "\n".join(cut[at : at + size] for at in range(0, length, size))
    assert parts_of(f"{STARK}\n{broken}\n{GREYJOY}") == (STARK, cut, GREYJOY)


@pytest.mark.rule("TMG-07")
@pytest.mark.parametrize("field", [(2, b"Name"), (3, 8), (4, 40)], ids=["name", "faction", "size"])
def test_a_share_code_begins_where_it_says_whose_it_is(field):
    code = sent(field, UNIT_OF, UNIT_OF)
    assert parts_of(f"{code}\n{code}\n{code}") == (code, code, code)


@pytest.mark.rule("TMG-08")
@pytest.mark.parametrize("code", [":10808,10807", "|10808,10807", ";10808,10807", "Greyjoy | 10808, 10807"])
def test_numbers_stand_behind_any_of_three_signs(code):
    assert parts_of(f"{STARK}\n{code}\n{GREYJOY}") == (STARK, code, GREYJOY)


@pytest.mark.rule("TMG-07")
def test_a_word_of_mixed_letters_is_no_code():
    text = f"StarkList1\n{STARK}"
    assert parts_of(text) == (text,)
    assert parts_of(f"{STARK}\n\nGreyjoyList2\n{GREYJOY}") == (STARK + "\n", f"GreyjoyList2\n{GREYJOY}")


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("number", [MAX_LISTS - 1, MAX_LISTS, MAX_LISTS + 1])
def test_the_last_of_the_lists_keeps_the_rest(number):
    parts = parts_of("\n".join([STARK] * number))
    assert len(parts) == min(number, MAX_LISTS)
    assert parts[0] == STARK
    assert parts[-1] == "\n".join([STARK] * (1 + max(number - MAX_LISTS, 0)))


@pytest.mark.parametrize(("row", "number"), [(MAX_ROWS - 1, 2), (MAX_ROWS, 1)])
def test_a_text_is_cut_up_as_far_as_its_four_thousandth_line(row, number):
    rows = [*STARK.split("\n"), *[""] * (row - 2), *GREYJOY.split("\n"), *["• Ironmakers (7)"] * 20]
    assert (rows.index("Faction: Greyjoy"), MAX_ROWS) == (row, 4_000)
    assert len(parts_of("\n".join(rows))) == number


@pytest.mark.rule("TMG-05")
def test_all_real_lists_are_found_again():
    assert parts_of("\n".join(REAL.values())) == tuple(REAL.values())
