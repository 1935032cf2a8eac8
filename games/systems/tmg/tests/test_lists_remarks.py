"""What is odd about a pasted list is remarked on by line; what comes from outside is read with care."""

import time

import pytest

from games.core import Unreadable
from games.systems.tmg import SYSTEM
from games.systems.tmg.lists.army_cards import Catalogue
from games.systems.tmg.lists.army_grammar import read_entry, read_pasted
from games.systems.tmg.lists.army_roster import MOST_COMPARED, MOST_REMARKS
from games.systems.tmg.tests.reading import CARDS, REAL, read, said
from games.systems.tmg.tests.tables import lobby

# --- remarks ------------------------------------------------------------------------------------

STARK = "Faction: Stark\nCommander: Robb Stark - The Wolf Lord\n"
LED = STARK + "• Stark Bowmen (6)\n  with Robb Stark - The Wolf Lord (0)\n"


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (
            LED + "• Winterfel Guard (7)",
            "Line 5: “Winterfel Guard” is not in the catalogue; read as Winterfell Guard.",
        ),
        (
            LED + "• Dragons of Doom (9)",
            "Line 5: “Dragons of Doom” is not in the catalogue. Check its numbers.",
        ),
        (
            LED + "• Winterfell Guard (35)\nPoints: 41 / 40",
            "Line 6: the list costs 41 army points and was built for 40.",
        ),
        (
            LED + "Points: 3 / 40",
            "Line 5: the list states 3 army points, but its units add up to 6.",
        ),
        (
            LED + "Points: 40 / 40",
            "Line 5: the list states 40 army points, but its units add up to 6.",
        ),
        (
            LED + "Activations: 4",
            "Line 5: the list states 4 activations, but 1 were read.",
        ),
        (
            STARK + "• Stark Bowmen (6)",
            "Line 2: the Commander “Robb Stark - The Wolf Lord” is in no unit of this list.",
        ),
        (
            "Faction: Stark\n• Stark Bowmen (6)",
            "This list has no Commander.",
        ),
        (
            LED + "• Stark Sworn Swords (5)\n  with Rodrik Cassel - Master-at-Arms (0)",
            "Line 6: Rodrik Cassel - Master-at-Arms is a second Commander; an army has one.",
        ),
        (
            LED + "• Stark Sworn Swords (5)\n  with Robb Stark - The Young Wolf (2)",
            "Line 6: Robb Stark is already in this army (line 4).",
        ),
        (
            LED + "• Lannister Guardsmen (5)",
            "Line 5: Lannister Guardsmen belongs to another faction: Lannister.",
        ),
        (
            LED + "• Catelyn Stark - Queen of Cats (4)",
            "Line 5: “Catelyn Stark - Queen of Cats” is not in the catalogue by that title; "
            "read as Catelyn Stark - Lady of Winterfell.",
        ),
        (
            LED + "Non Combat Units\n• Eddard Stark (9)",
            "Line 6: “Eddard Stark” could be more than one card; read as Eddard Stark - Warden of the North.",
        ),
        (
            LED + "good luck",
            "Line 5 was not understood: “good luck”.",
        ),
        (
            LED + "• a" + "\u0301" * 30 + " (5)",
            "Line 5 was not understood: “a" + "\u0301" * 30 + " (5)”.",
        ),
        (
            LED + "• " + "x" * 300,
            "Line 5 was not understood: “• " + "x" * 77 + "…”.",
        ),
        (
            "with Umber Champion (1)\n" + LED,
            "Line 1: “Umber Champion” is not listed under a Combat Unit and was added to Stark Bowmen.",
        ),
        (
            "Faction: Klingons\n" + LED,
            "Line 1: there is no faction “Klingons”.",
        ),
    ],
    ids=lambda value: value[-40:],
)
def test_what_is_odd_is_remarked_on_and_kept(text, remark):
    roster = read(text)
    assert said(roster) == [remark]
    assert roster.entries


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("heading", ["", "Points: 40\n"])
def test_an_army_of_neutral_cards_alone_is_neutral_though_nothing_says_so(heading):
    g = lobby()
    text = REAL["neutral"].partition("\n\n")[2]
    SYSTEM.bring(g, "red", heading + text)
    assert g.armies["red"].faction == "neutral"
    assert not any("are Neutral" in str(line) for _number, line in SYSTEM.roster(g, "red").warnings)
    assert read_pasted(f"• Riders of my own (5)\n{text}", CARDS).faction == ""


@pytest.mark.rule("TMG-09")
def test_an_unknown_unit_is_an_entry_with_plain_figures():
    entry = read(LED + "• Dragons of Doom (9)").entries[-1]
    assert (entry.name, entry.cost, entry.fact) == ("Dragons of Doom", 9, None)
    assert (entry.figures.wounds_total, entry.figures.ranks) == (12, 3)


def test_a_cost_that_is_not_the_seasons_is_the_lists_own_business():
    roster = read(LED + "• Stark Sworn Swords (8)")
    assert roster.entries[-1].cost == 8
    assert said(roster) == []


def test_a_line_without_a_cost_takes_the_catalogues():
    assert read(LED + "• Stark Sworn Swords").entries[-1].cost == 5


@pytest.mark.rule("TMG-11")
def test_an_ncu_may_command_while_another_stands_in_for_him_on_the_field():
    roster = read(
        "Faction: Martell\nCommander: Doran Martell - Lord of Sunspear\n"
        "Combat Units\n• Martell Spearmen (5)\n"
        "  Areo Hotah - Captain of the Guard (0)\nNon Combat Units\n• Doran Martell (4)\n"
    )
    (commander,) = [entry for entry in roster.entries if entry.commander]
    assert commander.full_name == "Doran Martell - Lord of Sunspear"
    assert said(roster) == []


@pytest.mark.rule("TMG-10")
def test_attachments_count_with_their_unit():
    roster = read(
        "Faction: Targaryen\n• Unsullied Pikemen (7)\n"
        "  with Daenerys Targaryen - Mother of Dragons (0)\n"
        "  with Marselen - Unsullied Captain (2)\n"
        "NCUs\n• Daenerys Targaryen (4)"
    )
    unit = roster.entries[0]
    assert (unit.points, unit.extra_vp, unit.hand_bonus) == (9, 2, 0)
    assert roster.activations == 2
    assert read("Faction: Lannister\n• Tyrion Lannister (5)").entries[0].hand_bonus == 1


def test_too_many_units_are_cut_with_a_remark():
    roster = read(LED + "• Stark Bowmen (6)\n" * 80)
    assert len(roster.entries) == 60
    assert said(roster) == ["The list has too many units; those after line 63 were left out."]


def test_too_many_lines_are_cut_with_a_remark():
    roster = read(LED + "\n" * 300 + "• Stark Bowmen (6)\n")
    assert len(roster.entries) == 1
    assert said(roster) == ["The list is too long. Nothing after line 200 was read."]


def test_trailing_blank_lines_are_no_more_of_a_list():
    assert said(read(LED + "\n" * 300)) == []


# --- from outside -------------------------------------------------------------------------------


def test_a_pasted_list_passes_the_gate_first():
    windows = "\ufeff" + REAL["stark"].replace("\n", "\r\n")
    assert read_pasted(windows, CARDS) == read(REAL["stark"])
    page = REAL["stark"].replace("'", "&#39;").replace("\n", "<br>")
    assert read_pasted(page, CARDS) == read(REAL["stark"])
    spaced = REAL["stark"].replace(" ", "\u00a0")
    assert read_pasted(spaced, CARDS) == read(REAL["stark"])


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ("hello world", 422),
        ("Faction: Stark\nPoints: 40 / 40", 422),
        ('{"faction": "stark"}', 422),
        ("[" * 5_000, 422),
        ("", 422),
        ("x" * 1024 * 1024, 413),
        (b"PK\x03\x04", 415),
        ("https://example.org/list/7", 422),
        ("• a\u202e (1)", 422),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_no_list_is_refused_with_a_sentence(raw, status):
    with pytest.raises(Unreadable) as refusal:
        read_pasted(raw, CARDS)
    assert refusal.value.status == status


@pytest.mark.parametrize(
    ("typed", "name", "cost", "attachments"),
    [
        ("Stark Sworn Swords (5)", "Stark Sworn Swords", 5, []),
        ("stark sworn swords", "Stark Sworn Swords", 5, []),
        ("• Stark Sworn Swords with Sworn Sword Captain", "Stark Sworn Swords", 5, ["Sworn Sword Captain"]),
        (
            "Stark Bowmen (6) with Robb Stark – The Wolf Lord",
            "Stark Bowmen",
            6,
            ["Robb Stark - The Wolf Lord"],
        ),
        ("Sansa Stark", "Sansa Stark", 4, []),
        ("My own riders (7)", "My own riders", 7, []),
        ("Combat Units", "Combat Units", 0, []),
        ("维斯特洛", "维斯特洛", 0, []),
    ],
)
@pytest.mark.rule("TMG-09")
def test_a_unit_typed_by_hand(typed, name, cost, attachments):
    entry, _remarks = read_entry(typed, CARDS, "stark")
    assert (entry.name, entry.cost, [a.full_name for a in entry.attachments]) == (name, cost, attachments)


def test_a_misspelt_unit_typed_by_hand_is_remarked_on():
    entry, (remark,) = read_entry("Sansa", CARDS, "stark")
    assert entry.fact is None
    assert str(remark).endswith("Is it one of these: Sansa Stark - Little Bird?")


@pytest.mark.parametrize(
    "typed", ["", "   ", "...", None, 7, "a\nb", "\u202e", "Sworn Sword Captain", "x" * 201]
)
def test_what_is_no_unit_is_refused_with_a_sentence(typed):
    with pytest.raises(Unreadable):
        read_entry(typed, CARDS, "stark")


@pytest.mark.parametrize(
    "text",
    [
        " " * 1_000_000,
        "(" * 1_000_000,
        "( " * 500_000,
        "\n" * 1_000_000,
        "\t" * 1_000_000,
        "a - " * 250_000,
        "with " * 200_000,
        ("( " * 99 + "\n") * 5_000,
        ("  " * 99 + "x\n") * 5_000,
        ("(" + "a" * 96 + " " * 98 + "!\n") * 30,
        ("x" + " " * 198 + "y\n") * 200,
        ("x(cost" + "\t" * 190 + "y\n") * 30,
        ("x (1)" + "\t" * 190 + "-\n") * 30,
        ("x" + "\t" * 190 + "/\n") * 30,
    ],
    ids=lambda text: repr(text[:5]),
)
def test_reading_takes_linear_time(text):
    spent = []
    for _again in range(3):
        start = time.process_time()
        read(text)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.2


@pytest.mark.rule("TMG-09")
def test_a_text_of_five_thousand_unknown_names_is_neither_compared_nor_remarked_on_in_full(monkeypatch):
    """It kept the server busy for seconds, and its remarks weighed ten times as much as the text."""
    compared, likely = [], Catalogue._likely
    monkeypatch.setattr(
        Catalogue, "_likely", lambda *told, **more: compared.append(1) or likely(*told, **more)
    )
    roster = read(
        "Faction: Stark\n• Stark Bowmen (6)\n" + ("a 1 " * 3 + "w/ " + "with a 1 " * 20 + "\n") * 200
    )
    assert len(compared) <= 2 * MOST_COMPARED
    assert len(roster.warnings) == MOST_REMARKS


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("heading", ["Commander", "Commander:", "**Commander:**", "## Commander"])
@pytest.mark.parametrize("name", ["Robb Stark - The Wolf Lord", "• Robb Stark - The Wolf Lord (0)"])
def test_a_commander_named_below_a_heading_and_in_his_unit_is_one(heading, name):
    text = "Faction: Stark\n{}\n{}\nCombat Units\n• Stark Bowmen (6)\n  with Robb Stark (0)\n"
    roster = read(text.format(heading, name))
    assert said(roster) == []
    assert [one.full_name for one in roster.entries[0].attachments] == ["Robb Stark - The Wolf Lord"]
    assert (len(roster.entries), roster.commander) == (1, "Robb Stark - The Wolf Lord")


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("unit", ["• Stark Bowmen (6)", "Stark Bowmen - 6", "• Stark Bowmen"])
def test_a_commander_s_line_that_is_indented_below_a_unit_is_of_that_unit(unit):
    robb = "Robb Stark - The Wolf Lord"
    roster = read(
        f"Faction: Stark\n• Umber Greataxes (7)\n{unit}\n   Commander: {robb} (0)\n• Sansa Stark (4)"
    )
    assert said(roster) == []
    assert [one.full_name for one in roster.entries[1].attachments] == [robb]
    roster = read(f"  Faction: Stark\n  • Stark Bowmen (6)\n  Commander: {robb}")
    assert said(roster) == [f"Line 3: the Commander “{robb}” is in no unit of this list."]


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("unit", ["Umber Greataxes (7)", "• Umber Greataxes"])
def test_a_unit_with_a_bullet_or_a_price_may_have_a_commander_s_line(unit):
    roster = read(f"Faction: Stark\n{unit}\n  Commander: Robb Stark - The Wolf Lord")
    assert [one.full_name for one in roster.entries[0].attachments] == ["Robb Stark - The Wolf Lord"]


@pytest.mark.rule("TMG-11")
def test_whom_a_heading_names_leads_and_nobody_else():
    text = "Commander\nRobb Stark - The Wolf Lord\n• Umber Greataxes (7)\n  Greatjon Umber (0)\n"
    roster = read(text + "• Stark Bowmen (6)\n  Robb Stark (0)")
    assert (roster.commander, said(roster)) == ("Robb Stark - The Wolf Lord", [])
    assert [entry.commander for entry in roster.entries] == [False, True]


@pytest.mark.rule("TMG-09")
def test_a_number_beside_a_name_is_a_price_where_most_fit():
    half = "Faction: Stark\nStark Bowmen 6\nUmber Greataxes 9\n"
    assert [entry.cost for entry in read(half + "Stark Sworn Swords 5").entries] == [6, 9, 5]
    assert read(half).entries == ()


@pytest.mark.rule("TMG-11")
def test_a_commander_named_below_a_heading_alone_is_kept():
    (mag,) = read("Faction: Free Folk\nCommander\nMag the Mighty (5)").entries
    assert mag.commander
    roster = read("Faction: Stark\nCommander:\nRobb Stark - The Wolf Lord\nUnits\n• Stark Bowmen (6)")
    assert roster.commander == "Robb Stark - The Wolf Lord"
    assert roster.entries[0].commander
    assert said(read("Faction: Stark\nCommander:\n• Stark Bowmen (6)")) == ["This list has no Commander."]


@pytest.mark.rule("TMG-11")
def test_without_a_commander_s_line_one_in_battle_goes_before_one_at_court():
    roster = read(
        "Faction: Martell\nNon Combat Units\n• Doran Martell - Lord of Sunspear (4)\n"
        "Combat Units\n• Sunspear Royal Guard (7)\n  Areo Hotah - Captain of the Guard (0)\n"
    )
    assert roster.commander == "Areo Hotah - Captain of the Guard"
    assert said(roster) == []
    alone = read("Faction: Martell\nNon Combat Units\n• Doran Martell - Lord of Sunspear (4)\n")
    assert alone.commander == "Doran Martell - Lord of Sunspear"


@pytest.mark.rule("TMG-11")
def test_beside_a_commander_who_is_a_unit_a_second_one_is_remarked_on():
    (remark,) = said(
        read(
            "Faction: Free Folk\nCommander: Mag the Mighty\n• Mag the Mighty (5)\n"
            "• Free Folk Raiders (5)\n  Mance Rayder - King Beyond the Wall (0)\n"
        )
    )
    assert remark.endswith("is a second Commander; an army has one.")


@pytest.mark.rule("TMG-19")
def test_an_attachment_for_nothing_discounts_nothing():
    remarks = said(read(LED + "Points: 5 / 40\n"))
    assert "Line 5: the list states 5 army points, but its units add up to 6." in remarks


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "costs"),
    [
        ("House Stark (10 pts)\n• Stark Bowmen (6)\n• Stark Sworn Swords (5)", 11),
        ("Wolves (20 pts)\n• Dragons of Doom (19)\n  with Sworn Sword Captain (2)", 21),
        ("House Stark (11 pts)\n• Stark Bowmen (6)\n• Stark Sworn Swords (5)", None),
        ("House Stark (10 pts)\nPoints: 11\n• Stark Bowmen (6)\n• Stark Sworn Swords (5)", 11),
        ("Points: 11\nHouse Stark (10 pts)\n• Stark Bowmen (6)\n• Stark Sworn Swords (5)", 11),
        ("House Stark (10 pts)\nStark (12 pts)\n• Stark Bowmen (6)\n• Stark Sworn Swords (5)", 11),
        ("House Stark (5 pts)\n• Stormcrow Mercenaries (5)\n  with Sworn Sword Captain (1)", None),
        ("House Stark (4 pts)\n• Stormcrow Mercenaries (5)", 5),
        ("House Stark (4 pts)\n• Stormcrow Mercenaries (5)\n  with Robb Stark (C)", 5),
    ],
)
def test_an_army_over_the_size_in_its_title_is_remarked_on(text, costs):
    found = [line for line in said(read(text)) if "was built for" in line]
    limit = text.partition("(")[2].partition(" ")[0]
    line = 2 if "\nPoints" in text else 1
    told = f"Line {line}: the list costs {costs} army points and was built for {limit}."
    assert found == ([] if costs is None else [told])
