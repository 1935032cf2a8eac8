"""What all readers of lists do with a row before they ask what it means."""

import pytest

from games.core.army_lists import levelled, narrowed, unmarked


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("（６）：＋！～｜", "(6):+!~|"),
        ("Ａz", "Az"),
        ("熊、维斯特洛", "熊、维斯特洛"),
        ("Gyō (9)", "Gyō (9)"),
    ],
)
def test_full_width_signs_are_the_usual_ones_and_all_others_stay(text, meant):
    assert narrowed(text) == meant


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("**Stark** __Bowmen__ （6）  ", "Stark Bowmen (6)"),
        ("\tStark Bowmen", "    Stark Bowmen"),
        ("  Stark Bowmen\t6", "  Stark Bowmen : 6"),
        ("Stark Bowmen \t\t 12", "Stark Bowmen : 12"),
        ("Stark Bowmen\t123", "Stark Bowmen    123"),
        ("Stark\tBowmen", "Stark   Bowmen"),
        ("\t6", "    6"),
    ],
)
def test_a_row_keeps_its_indentation_and_the_price_in_its_last_column(row, meant):
    assert levelled(row) == meant


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("• Bowmen", "Bowmen"),
        ("1. Bowmen", "Bowmen"),
        ("12) Bowmen", "Bowmen"),
        ("1.Bowmen", "Bowmen"),
        ("3、熊", "熊"),
        ("3、 (6)", "(6)"),
        ("2.5 Bowmen", None),
        ("2x Bowmen", None),
        ("123. Bowmen", None),
    ],
)
def test_a_number_before_a_row_is_a_bullet_too(row, meant):
    assert unmarked(row) == ((row, False) if meant is None else (meant, True))
