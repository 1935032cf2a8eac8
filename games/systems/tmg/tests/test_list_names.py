"""Several names without prices on one line, below or behind a heading that says what they are."""

import pytest

from games.systems.tmg.lists.army_cards import NCU, UNIT
from games.systems.tmg.tests.reading import names, read, said

TOP = "Faction: Stark\nCombat Units\n• Stark Bowmen (6)\n  with Robb Stark - The Wolf Lord (0)\n"
THREE = ["Sansa Stark - Little Bird", "Catelyn Stark - Lady of Winterfell", "Lord Varys - The Spider"]


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "lines",
    [
        "NCUs: Sansa Stark, Catelyn Stark, Lord Varys",
        "NCU's: Sansa Stark & Catelyn Stark & Lord Varys",
        "Non-Combat Units\nSansa Stark; Catelyn Stark and Lord Varys",
        "Non-Combat Units\n• Sansa Stark, Catelyn Stark, and Lord Varys",
        "NCUs: Sansa Stark, Catelyn Stark und Lord Varys",
        "NCUs: Sansa Stark (4), Catelyn Stark, Lord Varys",
        "NCUs: Sansa Stark - Little Bird, Catelyn Stark – Lady of Winterfell,Lord Varys",
    ],
)
def test_each_name_of_a_line_is_a_piece(lines):
    roster = read(TOP + lines)
    assert (names(roster, NCU), said(roster)) == (THREE, [])
    assert (roster.points, roster.activations) == (18, 4)


@pytest.mark.rule("TMG-05")
def test_names_under_the_heading_of_combat_units_are_combat_units():
    roster = read("Faction: Stark\nCommander: Robb Stark\nUnits: Stark Bowmen, Stark Outriders")
    assert names(roster, UNIT) == ["Stark Bowmen", "Stark Outriders"]


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("faction", "line", "found"),
    [
        ("Baratheon", "Selyse & Shireen", ["Selyse & Shireen - Queen and Princess"]),
        (
            "Baratheon",
            "Selyse & Shireen, Lord Varys",
            ["Selyse & Shireen - Queen and Princess", "Lord Varys - The Spider"],
        ),
        (
            "Martell",
            "Ellaria Sand and Tyene Sand",
            ["Ellaria Sand - Viper's Paramour", "Tyene Sand - Septa's Daughter"],
        ),
        ("Stark", "Sansa Stark, Little Bird", ["Sansa Stark - Little Bird"]),
        ("Stark", "Sansa Stark, Lady of Nowhere", ["Sansa Stark - Little Bird"]),
        ("Stark", "Sansa Stark & Nobody of Note", ["Sansa Stark - Little Bird"]),
        ("Stark", "Sansa Stark, Stark Bowmen", ["Sansa Stark - Little Bird"]),
        (
            "Stark",
            "2x Sansa Stark, Catelyn Stark",
            [*["Sansa Stark - Little Bird"] * 2, "Catelyn Stark - Lady of Winterfell"],
        ),
        (
            "Stark",
            "Sansa Stark, Catelyn Stark (8)",
            ["Sansa Stark - Little Bird", "Catelyn Stark - Lady of Winterfell"],
        ),
    ],
)
def test_what_is_one_name_or_holds_another_stays_one_line(faction, line, found):
    roster = read(f"Faction: {faction}\nUnits\n• Nobody (5)\nNCUs\n{line}")
    assert names(roster, NCU) == found


SWORN = ("Stark Bowmen", ["Sworn Sword Captain"])
BOWMEN = ("Stark Bowmen", [])


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("heading", ["", "Units\n", "Units: ", "• "])
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Stark Bowmen & Sworn Sword Captain", [SWORN]),
        ("Stark Bowmen and Sworn Sword Captain", [SWORN]),
        ("Stark Bowmen und Sworn Sword Captain (1)", [SWORN]),
        ("Stark Bowmen & Sworn Sword Captain (7)", [SWORN]),
        ("Stark Bowmen, Sworn Sword Captain", [SWORN]),
        ("Stark Bowmen & Stark Outriders", [("Stark Bowmen", []), ("Stark Outriders", [])]),
        ("Stark Bowmen & Sworn Sword Captain, Stark Outriders", [SWORN, ("Stark Outriders", [])]),
        ("Stark Outriders, Stark Bowmen and Sworn Sword Captain", [("Stark Outriders", []), SWORN]),
    ],
)
def test_a_unit_and_its_attachment_are_named_on_one_line(heading, line, found):
    roster = read(f"Faction: Stark\n{heading}{line}")
    assert [(one.name, [a.name for a in one.attachments]) for one in roster.entries] == found
    assert said(roster) == ["This list has no Commander."]


@pytest.mark.rule("TMG-06")
@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize("sign", [" with ", "\n  ", "\n  + ", "\n"])
@pytest.mark.parametrize("names", ["Ser Gregor Clegane & Guard Captain", "Guard Captain and Gregor Clegane"])
def test_each_of_several_names_below_a_unit_is_attached_to_it(sign, names):
    roster = read(f"Faction: Lannister\n• Lannister Guardsmen{sign}{names}")
    assert [len(one.attachments) for one in roster.entries] == [2]
    assert not any("not understood" in told or "not in the catalogue" in told for told in said(roster))


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Ranger Trackers & Watch Marshal", 1),
        ("Ranger Trackers and Watch Marshal (7)", 1),
        ("Ranger Trackers, Watch Marshal", 2),
        ("Ranger Trackers, Ranger Hunters and Watch Marshal", 3),
    ],
)
def test_what_may_be_a_unit_too_is_attached_where_it_makes_a_pair(line, number):
    assert len(read(f"Faction: Night's Watch\n{line}").entries) == number


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Sworn Sword Captain & Stark Bowmen", [("Stark Outriders", ["Sworn Sword Captain"]), BOWMEN]),
        ("Stark Bowmen & Nobody of Note", [("Stark Outriders", []), BOWMEN]),
        ("Stark Bowmen & Sansa Stark", [("Stark Outriders", []), BOWMEN, ("Sansa Stark", [])]),
    ],
)
def test_each_card_that_a_line_plainly_names_is_read_whatever_stands_before_or_behind_it(line, found):
    roster = read(f"Faction: Stark\n• Stark Outriders (7)\nUnits\n{line}")
    assert [(one.name, [a.name for a in one.attachments]) for one in roster.entries] == found
    told = "Line 4 was not understood: “Nobody of Note”."
    assert (told in said(roster)) == ("Nobody" in line)


@pytest.mark.rule("TMG-11")
def test_the_mark_of_a_commander_behind_two_names_is_the_attachment_s():
    roster = read("Faction: Stark\n• Stark Bowmen & Robb Stark (C)")
    assert (roster.commander, roster.points, said(roster)) == ("Robb Stark - The Wolf Lord", 6, [])


@pytest.mark.rule("TMG-05")
def test_without_a_heading_a_comma_parts_names_too():
    roster = read(TOP.replace("Combat Units\n", "") + "\nSansa Stark, Catelyn Stark")
    assert names(roster, NCU) == THREE[:2]


STARK_NCUS = ["Catelyn Stark - Lady of Winterfell", "Arya Stark - The Wolf Girl"]


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("bullet", ["", "• "])
@pytest.mark.parametrize("heading", ["", "NCUs\n"])
@pytest.mark.parametrize("price", ["", " (4)", " (8)"])
def test_ncus_are_joined_on_one_line_with_or_without_their_heading(bullet, heading, price):
    roster = read(f"{TOP.replace('Combat Units', '')}{heading}{bullet}Catelyn Stark & Arya Stark{price}")
    assert (names(roster, NCU), said(roster)) == (STARK_NCUS, [])
    assert roster.points == 14


@pytest.mark.rule("TMG-05")
def test_units_and_ncus_are_joined_on_one_line_without_a_heading():
    roster = read("Stark\nStark Bowmen, Stark Outriders, Catelyn Stark & Arya Stark")
    assert (names(roster), names(roster, NCU)) == (["Stark Bowmen", "Stark Outriders"], STARK_NCUS)


@pytest.mark.rule("TMG-09")
def test_a_price_behind_joined_ncus_that_is_not_that_of_all_is_that_of_the_last():
    roster = read("Stark\n• Stark Bowmen (6)\n• Catelyn Stark & Arya Stark (7)")
    assert (names(roster, NCU), [entry.cost for entry in roster.entries]) == (STARK_NCUS, [6, 4, 7])


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("price", ["", " (4)"])
def test_an_ncu_below_a_unit_is_not_taken_for_an_attachment_of_another_faction(price):
    roster = read(f"Stark\n• Stark Bowmen (6)\nCatelyn Stark{price}")
    assert (names(roster, NCU), roster.entries[0].attachments) == (STARK_NCUS[:1], ())


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "line",
    [
        "Selyse & Shireen & Lord Varys",
        "Selyse & Shireen and Lord Varys (4)",
        "Lord Varys & Selyse & Shireen (9)",
        "Selyse & Shireen, Lord Varys",
    ],
)
def test_a_name_that_holds_the_sign_between_names_stays_whole(line):
    """“Selyse” and “Shireen” were two names that nobody has."""
    roster = read(f"Baratheon\nUnits\n• Baratheon Sentinels (6)\nNCUs\n{line}")
    assert set(names(roster, NCU)) == {"Selyse & Shireen - Queen and Princess", "Lord Varys - The Spider"}
    assert said(roster) == ["This list has no Commander."]
