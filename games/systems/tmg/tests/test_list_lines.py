"""Where a line of a list belongs: headings, units, what is attached to them, and what finds no place."""

import pytest

from games.systems.tmg.lists.reading import ENEMY, read_entry
from games.systems.tmg.tests.reading import CARDS, read, said

COURT = "Non Combat Units\n• Catelyn Stark (4)\n  with Syrio Forel (3)"
HOMELESS = "“Syrio Forel - First Blade of Braavos” stands under no combat unit and was put into {}."


def attached(roster):
    """What each entry has attached, by its name."""
    return {entry.name: [one.name for one in entry.attachments] for entry in roster.entries}


@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize(
    "text",
    [
        f"• Stark Sworn Swords (5)\n{COURT}",
        f"{COURT}\nCombat Units\n• Stark Sworn Swords (5)",
    ],
    ids=["after the unit", "before the unit"],
)
def test_what_stands_under_an_ncu_goes_to_the_first_combat_unit(text):
    roster = read(f"Faction: Stark\n{text}")
    assert attached(roster) == {"Stark Sworn Swords": ["Syrio Forel"], "Catelyn Stark": []}
    assert any(line.endswith(HOMELESS.format("Stark Sworn Swords")) for line in said(roster))


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize(
    "text",
    [
        "Lannister\n- Lannister Halberdiers (6 pts)\n- Turncoat (1 pts)\n  with Guard Captain (1 pts)",
        "Lannister\n• Lannister Halberdiers ( 6 )\n     Turncoat ( 1 )\n     Guard Captain ( 1 )",
        "Lannister\n• Lannister Halberdiers (6) with Turncoat (1) with Guard Captain (1)",
        "lannister;10102,20122,20102",
    ],
)
def test_what_joins_the_enemy_stands_apart_wherever_a_list_has_it(text):
    roster = read(text)
    assert attached(roster) == {"Lannister Halberdiers": ["Guard Captain"], "Turncoat": []}
    assert [(entry.name, entry.kind) for entry in roster.of_kind(ENEMY)] == [("Turncoat", ENEMY)]
    assert roster.activations == 1
    assert not any("Turncoat" in line or "Guard Captain" in line for line in said(roster))


@pytest.mark.rule("TMG-10")
def test_what_somebody_types_behind_a_unit_joins_it_even_if_it_is_the_enemys():
    entry, _remarks = read_entry("Stark Sworn Swords (5) with Turncoat (1)", CARDS, "stark")
    assert [one.name for one in entry.attachments] == ["Turncoat"]


@pytest.mark.rule("TMG-10")
def test_what_somebody_types_behind_an_ncu_is_kept_with_it_and_remarked_on():
    entry, remarks = read_entry("Catelyn Stark (4) with Syrio Forel (3)", CARDS, "stark")
    assert (entry.kind, [one.name for one in entry.attachments]) == ("ncu", ["Syrio Forel"])
    assert [str(line) for line in remarks][-1].endswith(HOMELESS.format(entry.full_name))


@pytest.mark.rule("TMG-09")
def test_where_no_faction_is_known_no_card_is_of_another():
    _entry, remarks = read_entry("Stark Sworn Swords (5)", CARDS)
    assert remarks == ()
    _entry, remarks = read_entry("Stark Sworn Swords (5)", CARDS, "lannister")
    assert "belongs to another faction" in str(remarks[0])


@pytest.mark.rule("TMG-09")
def test_who_joins_by_word_is_attached_although_no_catalogue_knows_the_name_and_no_cost_stands_there():
    roster = read("Faction: Stark\n• Stark Sworn Swords (5)\n  with Sir Nobody of Nowhere")
    assert attached(roster) == {"Stark Sworn Swords": ["Sir Nobody of Nowhere"]}


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(("name", "kept"), [("Nobody of Nowhere", True), ("x" * 81, False)])
def test_a_commander_s_line_that_is_no_name_is_not_taken_for_one(name, kept):
    roster = read(f"Faction: Stark\nCommander: {name}\n• Stark Bowmen (6)")
    told = f"Line 2: the Commander “{name}” is in no unit of this list."
    assert said(roster) == [told if kept else "This list has no Commander."]


@pytest.mark.rule("TMG-05")
def test_a_title_of_another_faction_does_not_change_the_one_that_is_stated():
    roster = read("Faction: Stark\nLannister\n• Stark Bowmen (6)")
    assert roster.faction == "stark"
    assert "Line 2 was not understood: “Lannister”." in said(roster)
    assert read("Stark\nLannister\n• Stark Bowmen (6)").faction == "stark"


@pytest.mark.rule("TMG-09")
def test_nothing_is_said_of_lines_beyond_the_last_unit_that_is_kept():
    roster = read("\n".join(f"• Men of Nowhere {number:03}a (5)" for number in range(90)))
    assert len(roster.entries) == 60
    remarks = said(roster)
    assert "The list has too many units; those after line 60 were left out." in remarks
    assert not any(line.startswith("Line 62:") for line in remarks)
