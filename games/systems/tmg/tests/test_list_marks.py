"""What a list says without stating it: by bullets, arrows and colons, and by whose cards it names."""

import pytest

from games.systems.tmg.lists.army_grammar import read_entries
from games.systems.tmg.lists.army_lines import parts_of
from games.systems.tmg.tests.reading import CARDS, read, said


def attached(roster):
    """Each entry's name with the full names of what it has attached."""
    return [(entry.full_name, [one.full_name for one in entry.attachments]) for entry in roster.entries]


# --- bullets before attachments alone ----------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("heading", ["", "Combat Units (2)\n", "Units\n", "Wolves of the Wall (40 pts)\n"])
@pytest.mark.parametrize("price", [" (1)", " 1", ": 1", ""])
def test_where_only_attachments_have_bullets_a_line_without_one_is_a_unit(heading, price):
    """A Watch Marshal is an attachment for 1 point, or a unit for 4."""
    text = f"Senior Builder{price}\nWatch Marshal{price.replace('1', '4')}"
    roster = read(f"Faction: Night's Watch\n{heading}Ranger Trackers{price.replace('1', '6')}\n   - {text}\n")
    assert attached(roster) == [("Ranger Trackers", ["Senior Builder"]), ("Watch Marshal", [])]
    assert said(roster) == ["This list has no Commander."]


@pytest.mark.rule("TMG-05")
def test_where_units_have_bullets_a_line_without_one_is_attached():
    roster = read("Faction: Night's Watch\nCombat Units (1)\n• Ranger Trackers (6)\nWatch Marshal (4)\n")
    assert attached(roster) == [("Ranger Trackers", ["Watch Marshal"])]


@pytest.mark.rule("TMG-05")
def test_a_heading_with_a_number_or_a_bullet_begins_no_list():
    both = "Units (2)\nFaction: Stark\n• Stark Bowmen (6)\n\n• NCUs\nFaction: Bolton\n• Blackguards (6)\n"
    assert len(parts_of(both)) == 2
    assert len(parts_of("• Units\nFaction: Stark\n• Stark Bowmen (6)")) == 1


# --- a colon behind a sub-title in brackets ----------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("line", ["{} ({}): {}", "{} ({}) : {}", "{} ({})\t{}", "| {} ({}) | {} |"])
def test_a_price_behind_a_sub_title_in_brackets_is_no_piece(line):
    unit = line.format("Gregor Clegane", "The Mountain That Rides", 4)
    queen = line.format("Cersei Lannister", "Queen Regent", 5)
    roster = read(f"Faction: Lannister\n{unit}\n{queen}\n")
    assert attached(roster) == [
        ("Gregor Clegane - The Mountain That Rides", []),
        ("Cersei Lannister - Queen Regent", []),
    ]
    assert [entry.cost for entry in roster.entries] == [4, 5]
    assert said(roster) == ["This list has no Commander."]


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("name", ["Robb Stark - The Wolf Lord", "Robb Stark"])
def test_a_name_behind_the_colon_is_one_as_before(name):
    assert attached(read(f"Stark\nStark Bowmen (6): {name} (0)")) == [
        ("Stark Bowmen", ["Robb Stark - The Wolf Lord"]),
    ]


# --- arrows and hooks --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("mark", ["↳ ", "└ ", "╰─ ", "├── ", "  -> ", "  --> ", "  → ", "  |_ "])
@pytest.mark.parametrize(
    ("unit", "piece"),
    [
        ("Ranger Trackers (6)", "Watch Marshal"),
        ("Ranger Trackers (6)", "Watch Marshal (1)"),
        ("6 Ranger Trackers", "1 Watch Marshal"),
        ("(6) Ranger Trackers", "(1) Watch Marshal"),
    ],
)
def test_an_arrow_or_a_hook_attaches_a_piece_and_is_none_of_its_words(mark, unit, piece):
    roster = read(f"Night's Watch\n{unit}\n{mark}{piece}\n")
    assert attached(roster) == [("Ranger Trackers", ["Watch Marshal"])]
    assert said(roster) == ["This list has no Commander."]


# --- the faction of a list that states none ----------------------------------------------------------


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "faction"),
    [
        ("• Stormcrow Mercenaries (5)\n• Stormcrow Archers (6)\n• Stark Bowmen (6)", "stark"),
        ("• House Bolton Flayed Men (8)\n   Roose Bolton (0)\nNCUs\n• Lord Varys (4)", "neutral"),
        ("• Stormcrow Archers (6)\n• Dothraki Screamers (6)", "targaryen"),
        ("• Dragons of Doom (6)", ""),
    ],
)
def test_names_that_neutral_cards_have_too_tell_no_faction(text, faction):
    roster = read(text)
    assert roster.faction == faction
    assert not any("belongs to another faction" in told for told in said(roster))


# --- notes behind a piece ----------------------------------------------------------------------------

NOTED = """Faction: Stark // for Friday
Commander: Robb Stark # him
Combat Units // three
• Stark Bowmen (6) // my favourites
    Robb Stark (0) # painted
• Stark Outriders (7)
• Stark Sworn Swords // 5 of them
NCUs
• Sansa Stark (4)<- maybe
"""


@pytest.mark.rule("TMG-06")
@pytest.mark.rule("TMG-09")
def test_what_players_note_behind_a_sign_is_neither_read_nor_remarked_on():
    roster = read(NOTED)
    assert attached(roster) == [
        ("Stark Bowmen", ["Robb Stark - The Wolf Lord"]),
        ("Stark Outriders", []),
        ("Stark Sworn Swords", []),
        ("Sansa Stark - Little Bird", []),
    ]
    assert (roster.faction, roster.points, said(roster)) == ("stark", 22, [])


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("sign", [" - ", " "])
def test_what_stands_behind_a_price_without_a_sign_is_remarked_on_by_itself(sign):
    roster = read(f"Stark\n• Stark Bowmen (6){sign}on the hill\n• Stark Outriders (7)")
    assert attached(roster) == [("Stark Bowmen", []), ("Stark Outriders", [])]
    assert said(roster) == ["This list has no Commander.", "Line 2 was not understood: “on the hill”."]


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("sign", [" // ", " # ", " "])
@pytest.mark.parametrize("piece", ["Sworn Sword Captain", "Sworn Sword Captain (1)", "Jory the Bold (1)"])
def test_a_card_or_a_price_behind_a_sign_is_a_piece(sign, piece):
    (unit,) = read(f"Stark\n• Stark Bowmen (6){sign}{piece}").entries
    assert [(one.name, one.cost) for one in unit.attachments] == [(piece.replace(" (1)", ""), 1)]


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("sign", [" // ", " # ", " - ", " "])
def test_a_note_behind_what_somebody_types_is_no_unit(sign):
    (entry,) = read_entries(f"Stark Bowmen (6){sign}on the hill", CARDS, "stark")
    assert (entry.name, entry.cost) == ("Stark Bowmen", 6)
