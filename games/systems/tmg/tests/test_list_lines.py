"""Where a line of a list belongs: headings, units, what is attached to them, and what finds no place."""

import pytest

from games.systems.tmg.lists.army_cards import ATTACHMENT, ENEMY, NCU, UNIT, Catalogue, Fact
from games.systems.tmg.lists.army_grammar import read_entry, read_roster
from games.systems.tmg.tests.reading import CARDS, read, said

COURT = "Non Combat Units\n• Catelyn Stark (4)\n  with Syrio Forel (3)"
HOMELESS = "“Syrio Forel - First Blade of Braavos” is not listed under a Combat Unit and was added to {}."


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


def kinds(roster):
    return [(entry.name, entry.kind) for entry in roster.entries]


# --- sections ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Units", UNIT),
        ("Combat Units:", UNIT),
        ("NCU", NCU),
        ("NCUs (4)", NCU),
        ("Non-Combat Units", NCU),
        ("Enemy Attachments", ENEMY),
        ("", UNIT),
    ],
)
def test_an_unknown_name_is_what_its_section_says(heading, kind):
    roster = read(f"Faction: Stark\n{heading}\n• Nobody of Note (4)")
    assert kinds(roster) == [("Nobody of Note", kind)]


@pytest.mark.rule("TMG-88")
@pytest.mark.parametrize("heading", ["Tactics Cards", "Tactics Deck:", "战术牌"])
def test_the_names_of_tactics_cards_are_no_units(heading):
    cards = f"with honour\nIce and Fire\nFire with Blood\n{'x' * 81}"
    roster = read(f"Faction: Stark\n• Stark Bowmen (6)\n{heading}\n{cards}")
    assert roster.cards == ("honour", "Ice and Fire", "Fire with Blood")
    assert (kinds(roster), said(roster)) == ([("Stark Bowmen", UNIT)], ["This list has no Commander."])


@pytest.mark.rule("TMG-09")
def test_a_misspelt_name_is_looked_for_where_its_section_says():
    assert kinds(read("Faction: Stark\n• Sanssa Stark (4)")) == [("Sansa Stark", NCU)]
    below = read("Faction: Stark\nCombat Units\n• Sanssa Stark - Little Bird (4)")
    assert kinds(below) == [("Sanssa Stark", UNIT)]
    (turncoat,) = read("Faction: Lannister\nEnemy Attachments\n• Turncoatt (1)").entries
    assert (turncoat.name, turncoat.kind, turncoat.fact.kind) == ("Turncoat", ENEMY, ATTACHMENT)


@pytest.mark.rule("TMG-10")
def test_below_enemy_attachments_every_card_is_one():
    roster = read("Faction: Stark\n• Stark Bowmen (6)\nEnemy Attachments\n• Sworn Sword Captain (1)")
    assert kinds(roster) == [("Stark Bowmen", UNIT), ("Sworn Sword Captain", ENEMY)]


# --- bullets and indentation ------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    ("text", "are_attached"),
    [
        ("• Stark Bowmen (6)\nSomebody New (1)", True),
        ("• Stark Bowmen (6)\n  • Somebody New (1)", True),
        ("• Stark Bowmen (6)\n • Somebody New (1)", False),
        ("  • Stark Bowmen (6)\n  • Somebody New (1)", False),
        ("Stark Bowmen (6)\n Somebody New (1)", True),
        ("Stark Bowmen (6)\nSomebody New (1)", False),
        ("  Stark Bowmen (6)\n  Somebody New (1)", False),
        ("NCUs\nSansa Stark (4)\n  Somebody New (1)", False),
    ],
)
def test_an_unknown_name_is_attached_if_its_form_says_so(text, are_attached):
    roster = read(f"Faction: Stark\n{text}")
    assert len(roster.entries) == 2 - are_attached
    assert [a.name for e in roster.entries for a in e.attachments] == ["Somebody New"] * are_attached


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    "hanging", ["  Sworn Sword Captian", "  • Sworn Sword Captian", "  Sworn Sword Captian 1"]
)
def test_a_misspelt_attachment_without_a_cost_is_no_noise(hanging):
    roster = read(f"Faction: Stark\n• Stark Bowmen (6)\n{hanging}\n  paint them soon")
    assert attached(roster) == {"Stark Bowmen": ["Sworn Sword Captain"]}
    assert any("read as Sworn Sword Captain" in line for line in said(roster))
    assert "Line 4 was not understood: “paint them soon”." in said(roster)


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("indentation", ["    ", "    • "])
def test_the_first_line_hangs_on_none(indentation):
    roster = read(f"Faction: Stark\n{indentation}Dragons of Doom (9)")
    assert kinds(roster) == [("Dragons of Doom", UNIT)]


@pytest.mark.rule("TMG-05")
def test_a_namesake_below_a_unit_is_the_attachment_although_no_cost_tells():
    roster = read("Faction: Night's Watch\n• Ranger Trackers\n    Watch Marshal")
    assert attached(roster) == {"Ranger Trackers": ["Watch Marshal"]}


@pytest.mark.rule("TMG-09")
def test_a_list_of_attachments_alone_is_of_no_unit():
    roster = read("Faction: Stark\nwith Umber Champion (1)")
    assert (roster.entries, roster.points, roster.activations) == ((), 0, 0)


# --- headings ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("stated", "points", "limit"),
    [
        ("6", 6, None),
        ("6/8", 6, 8),
        ("about 6 / 40 points", 6, 40),
        ("1234 / 4321", 1234, 4321),
        ("none", 0, None),
    ],
)
def test_points_and_the_size_of_a_list(stated, points, limit):
    roster = read(f"Faction: Stark\nPoints: {stated}\n• Nobody (0)")
    assert (roster.points, roster.limit) == (points, limit)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("stated", ["1", "all 1", "1 / 9", "one"])
def test_activations_are_the_first_number(stated):
    assert not any("activations" in line for line in said(read(f"Activations: {stated}\n• Nobody (5)")))
    other = said(read(f"Activations: {stated.replace('1', '3')}\n• Nobody (5)"))
    told = "Line 1: the list states 3 activations, but 1 were read."
    assert (told in other) == (stated != "one")


@pytest.mark.rule("TMG-05")
def test_a_title_says_whose_army_it_is_whatever_it_holds():
    assert read("Lannister\n• Stark Bowmen (6)").faction == "lannister"
    nameless = read("Faction: Klingons\n• Nobody (5)")
    assert (nameless.faction, nameless.commander, nameless.name) == ("", "", "")
    assert read("• Stark Bowmen (6)\n• Lannister Guardsmen (5)\n• Stark Sworn Swords (5)").faction == "stark"


# --- names ------------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-09")
def test_a_known_name_is_known_with_any_accents_and_none_is_no_name():
    roster = read("Faction: Stark\n• Stark Bowme" + "\u0301" * 6 + "n (6)\n• (5)")
    assert kinds(roster) == [("Stark Bowmen", UNIT)]
    assert said(roster)[-1] == "Line 3 was not understood: “(5)”."


@pytest.mark.rule("TMG-09")
def test_the_name_behind_a_section_is_quoted_as_it_stands():
    remarks = said(read("Faction: Stark\nUnits:  Dragons of Doom (9)"))
    assert "Line 2: “Dragons of Doom” is not in the catalogue. Check its numbers." in remarks


@pytest.mark.rule("TMG-09")
def test_what_somebody_types_is_a_name_even_if_it_is_a_faction_s():
    entry, _remarks = read_entry("Stark (5)", CARDS, "stark")
    assert (entry.name, entry.kind, entry.cost) == ("Stark", UNIT, 5)


@pytest.mark.rule("TMG-11")
def test_the_army_s_commander_is_meant_by_a_name_that_somebody_types():
    for title in ("King at the Wall", "The One True King"):
        called = f"Stannis Baratheon - {title}"
        entry, _remarks = read_entry("Rose Knights with Stannis Baratheon", CARDS, "baratheon", called)
        assert [one.full_name for one in entry.attachments] == [called]


TWINS = Catalogue((Fact("10201", "stark", UNIT, "Twin", cost=5), Fact("30201", "stark", NCU, "Twin", cost=4)))


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Combat Units\n• Twin (4)", UNIT),
        ("NCUs\n• Twin (5)", NCU),
        ("Combat Units\nTwin", UNIT),
        ("NCUs\nTwin", NCU),
        ("Combat Units\nTwin (4)", NCU),
        ("NCUs\nTwin (5)", UNIT),
        ("• Twin (4)", NCU),
        ("• Twin (5)", UNIT),
    ],
)
def test_of_two_kinds_of_one_name_the_section_is_believed_before_a_bullet_and_else_the_cost(text, kind):
    assert [entry.kind for entry in read_roster(text, TWINS).entries] == [kind]


ROBB = "Robb Stark - The Wolf Lord"


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "text",
    [
        f"Combat Units\n- Stark Bowmen (6)\n - {ROBB} (0)",
        f"Combat Units\n• Stark Bowmen (6)\nAttachments\n• {ROBB} (0)",
        f"Stark Bowmen\n{ROBB}",
    ],
)
def test_the_card_of_the_very_sub_title_is_meant_and_no_namesake_of_another_kind(text):
    roster = read(f"Faction: Stark\n{text}")
    assert [each.full_name for entry in roster.entries for each in entry.attachments] == [ROBB]
    assert len(roster.entries) == 1


@pytest.mark.rule("TMG-05")
def test_below_the_heading_of_ncus_a_namesake_is_one_whatever_its_sub_title():
    roster = read(f"Faction: Stark\n• Stark Bowmen (6)\nNCUs\n• {ROBB} (4)")
    assert kinds(roster) == [("Stark Bowmen", UNIT), ("Robb Stark", NCU)]


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("cost", [5, 7])
def test_of_two_cards_of_one_name_the_cost_tells_which(cost):
    seasons = Catalogue(Fact(f"1020{price}", "stark", UNIT, "Twin", cost=price) for price in (5, 7))
    (twin,) = read_roster(f"• Twin ({cost})", seasons).entries
    assert twin.fact.id == f"1020{cost}"


@pytest.mark.rule("TMG-09")
def test_names_are_guessed_and_offered_among_the_army_s_own_cards_of_that_kind():
    assert read("Faction: Stark\n• Lannister Guardsmenn (5)").entries[0].fact is None
    remarks = said(
        read("Faction: Stark\n• Lannister Guards of Men (5)\n• Stark Bowmen (6) with Sworn Captain")
    )
    assert "Line 2: “Lannister Guards of Men” is not in the catalogue. Check its numbers." in remarks
    assert any("Is it one of these: Sworn Sword Captain, " in line for line in remarks)


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(("length", "quoted"), [(80, "x" * 80), (81, "x" * 79 + "…")])
def test_a_line_is_quoted_up_to_a_length(length, quoted):
    assert f"Line 2 was not understood: “{quoted}”." in said(read(f"• Stark Bowmen (6)\n{'x' * length}"))


@pytest.mark.rule("TMG-09")
def test_sixty_units_are_an_army_and_one_of_no_known_cost_costs_nothing():
    roster = read("• Nobody\n" * 60)
    assert (len(roster.entries), roster.points) == (60, 0)
    assert not any("too many" in line for line in said(roster))


# --- a name with the size of the army ---------------------------------------------------------------

SWORDS = "Commander: Robb Stark\n- Stark Sworn Swords (5)\n  Robb Stark (0)"


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("title", "name", "limit"),
    [
        ("Wolves of Winter (40 pts)", "Wolves of Winter", 40),
        ("WINTER IS COMING(60 pts)", "WINTER IS COMING", 60),
        ("**Wolves of Winter** – 20 points", "Wolves of Winter", 20),
        ("Stark Sworn Sworts (40)", "Stark Sworn Sworts", 40),
        ("Wolves of Winter (40 pts)\nList: Pack", "Pack", 40),
        ("List: Pack\nWolves of Winter (40 pts)", "Pack", 40),
        ("Stark (30)\nWolves of Winter (40 pts)", "Wolves of Winter", 30),
    ],
)
def test_a_number_above_any_cards_cost_makes_a_first_line_the_title(title, name, limit):
    roster = read(f"{title}\n{SWORDS}")
    assert kinds(roster) == [("Stark Sworn Swords", UNIT)]
    assert (roster.name, roster.limit, roster.points, said(roster)) == (name, limit, 5, [])


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Wolves of Winter (19)\n" + SWORDS, 2),
        ("• Wolves of Winter (40)\n" + SWORDS, 2),
        ("Combat Units\nWolves of Winter (40)\n" + SWORDS, 2),
        ("Stark Sworn Swords (5)\nWolves of Winter (40)", 2),
        ("Stark Sworn Swords (40)\n" + SWORDS, 2),
    ],
)
def test_any_other_line_with_so_large_a_number_is_a_unit(text, number):
    roster = read(text)
    assert (len(roster.entries), roster.name, roster.limit) == (number, "", None)


@pytest.mark.rule("TMG-09")
def test_a_list_has_one_title():
    roster = read(f"Wolves of Winter (40)\nDragons of Doom (90)\n{SWORDS}")
    assert kinds(roster) == [("Dragons of Doom", UNIT), ("Stark Sworn Swords", UNIT)]
    assert (roster.name, roster.limit) == ("Wolves of Winter", 40)


@pytest.mark.rule("TMG-09")
def test_what_is_typed_by_hand_is_no_title():
    entry, _remarks = read_entry("Wolves of Winter (40)", CARDS, "stark")
    assert (entry.name, entry.cost) == ("Wolves of Winter", 40)
