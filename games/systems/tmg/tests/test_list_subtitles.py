"""Sub-titles of characters that a list writes behind the price."""

import pytest

from games.systems.tmg.lists.army_cards import NCU
from games.systems.tmg.lists.army_grammar import read_entry
from games.systems.tmg.tests.reading import CARDS, names, read, said


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "row",
    [
        "{} (0) - The Wolf Lord",
        "{} (0) – The Wolf Lord",
        "{} (0) The Wolf Lord",
        "{} (0), The Wolf Lord",
        "{} (0): The Wolf Lord",
        "{} (0) (The Wolf Lord)",
        "{} 0 pts (The Wolf Lord)",
        "{} 0 pts, The Wolf Lord",
        "{}, 0 pts, The Wolf Lord",
        "{} - 0 points: The Wolf Lord",
        "{} – 0pts – The Wolf Lord",
        "{} [C] - The Wolf Lord // mine",
    ],
)
def test_a_sub_title_behind_the_price_is_a_part_of_the_name(row):
    wolf_lord = row.format("Robb Stark")
    roster = read(f"Faction: Stark\nCombat Units\n• Stark Bowmen (6)\n  {wolf_lord}")
    assert [one.full_name for one in roster.entries[0].attachments] == ["Robb Stark - The Wolf Lord"]
    assert said(roster) == []
    king = "Robb Stark (4) - King in the North"
    assert names(read(f"Stark\n• Stark Bowmen (6)\n• {king}"), NCU) == ["Robb Stark - King in the North"]


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("title", [" (0) - {}", " (0) ({})", ", 0 pts, {}"])
def test_a_commander_s_sub_title_behind_his_price_is_used_too(title):
    called = f"Mance Rayder{title.format('King Beyond the Wall')}"
    roster = read(f"Faction: Free Folk\nCommander: {called}\n• Free Folk Raiders (4)")
    assert roster.commander == "Mance Rayder - King Beyond the Wall"


def test_words_behind_a_price_that_are_no_card_s_sub_title_are_no_part_of_the_name():
    roster = read("Stark\n• Stark Bowmen (6) - painted red\n• Stark Sworn Swords (5) (red)")
    assert names(roster) == ["Stark Bowmen", "Stark Sworn Swords"]
    assert "Line 2 was not understood: “painted red”." in said(roster)
    (entry, remarks) = read_entry("Stark Bowmen (6) with Robb Stark (0) - The Wolf Lord", CARDS, "stark")
    assert [one.full_name for one in entry.attachments] == ["Robb Stark - The Wolf Lord"]
    assert remarks == ()


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("sign", [",", " &"])
def test_a_price_without_brackets_ends_a_piece_before_the_next(sign):
    roster = read(f"Stark\nStark Bowmen 6 pts{sign} Stark Outriders 7 pts x2\nSansa Stark 4 pts Little Bird")
    assert names(roster) == ["Stark Bowmen", "Stark Outriders", "Stark Outriders"]
    assert (names(roster, NCU), roster.points) == (["Sansa Stark - Little Bird"], 24)
    assert said(roster) == ["This list has no Commander."]
