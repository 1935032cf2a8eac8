"""What prices in a list tell: which of several cards is meant, wherever people write them."""

import pytest

from games.systems.tmg.lists.army_cards import NCU
from games.systems.tmg.tests.reading import REAL, names, read, said

ALONE = "This list has no Commander."


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    ("faction", "name", "cost", "title"),
    [
        ("Stark", "Robb Stark", 2, "The Young Wolf"),
        ("Night's Watch", "Watch Marshal", 1, ""),
        ("Lannister", "Gregor Clegane", 3, "Mounted Behemoth"),
    ],
)
@pytest.mark.parametrize("joined", ["\n• ", ", "])
def test_below_the_heading_of_combat_units_its_cost_tells_an_attachment_from_a_namesake(
    faction, name, cost, title, joined
):
    roster = read(f"Faction: {faction}\nCombat Units\n• Men of Note (5){joined}{name} ({cost})")
    assert [each.title for entry in roster.entries for each in entry.attachments] == [title]
    assert (len(roster.entries), roster.points) == (1, 5 + cost)


@pytest.mark.rule("TMG-05")
def test_below_the_heading_of_combat_units_a_namesake_at_any_other_price_is_a_unit():
    for cost in ("", "(4)", "(5)"):
        roster = read(f"Faction: Night's Watch\nCombat Units\n• Men of Note (5)\n• Watch Marshal {cost}")
        assert [entry.name for entry in roster.entries] == ["Men of Note", "Watch Marshal"]


# --- prices without a sign of their own ------------------------------------------------------------


def written(roster, line):
    """A list whose pieces are written in this form."""
    text = [f"Faction: {roster.faction}", f"Commander: {roster.commander}", "Combat Units"]
    for entry in roster.entries:
        text += ["NCUs"] if entry.kind == NCU and "NCUs" not in text else []
        text += [line.format(entry.full_name, entry.cost)]
        text += ["  " + line.format(one.full_name, one.cost) for one in entry.attachments]
    return "\n".join(text)


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("slug", REAL)
@pytest.mark.parametrize(
    "line",
    [
        "{0} {1}", "- {0} {1}", "{0} ..... {1}", "{1} {0}", "- {1} {0}", "({1}) {0}", "[{1}] {0}",
        "{1}: {0}", "{1} - {0}", "{1} pts {0}", "{1}p - {0}", "({1} Punkte) {0}", "{1}分 {0}", "{1}\t{0}",
    ],
)  # fmt: skip
def test_a_real_list_is_the_same_army_with_bare_prices_behind_or_before_its_names(line, slug):
    real = read(REAL[slug])
    bare = read(written(real, line))
    assert bare.entries == real.entries
    assert not any("not understood" in told or "not in the catalogue" in told for told in said(bare))


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("slug", ["targaryen", "bolton"])
def test_a_commander_may_have_a_bare_c(slug):
    real = read(REAL[slug])
    text = written(real, "{0} {1}").replace(f"  {real.commander} 0", f"  {real.commander} C")
    assert read(text).entries == real.entries
    assert read(text.replace("Commander: ", "Version: ")).commander == real.commander


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    "text",
    [
        "2 Stark Sworn Swords\n1 Stark Bowmen\n1 Sworn Sword Captain\n1 Sansa Stark",
        "1 - Stark Sworn Swords\n2 - Stark Bowmen\n3 - Sansa Stark",
        "(1) Stark Sworn Swords\n(2) Stark Bowmen\n(3) Sansa Stark",
    ],
    ids=["counts", "places", "places in brackets"],
)
def test_numbers_that_are_not_what_most_cards_cost_are_no_prices(text):
    roster = read(f"Faction: Stark\n{text}\n• Stark Outriders (7)")
    assert (names(roster), roster.points) == (["Stark Outriders"], 7)
    assert len(said(roster)) == 1 + len(text.split("\n"))


@pytest.mark.rule("TMG-09")
def test_bare_numbers_make_no_units_of_unknown_names_and_a_number_of_copies_counts():
    roster = read("Faction: Stark\nStark Bowmen 6\n2x Stark Sworn Swords 10\nSee you at 10\nRound 3\n")
    assert names(roster) == ["Stark Bowmen", "Stark Sworn Swords", "Stark Sworn Swords"]
    assert roster.points == 16
    assert said(roster)[1:] == [
        "Line 4 was not understood: “See you at 10”.",
        "Line 5 was not understood: “Round 3”.",
    ]


@pytest.mark.rule("TMG-06")
def test_bare_prices_stand_on_both_sides_of_what_joins():
    roster = read("Faction: Stark\n6 Stark Bowmen with 1 Sworn Sword Captain\n5 Stark Sworn Swords")
    assert [(entry.cost, [one.cost for one in entry.attachments]) for entry in roster.entries] == [
        (6, [1]), (5, []),
    ]  # fmt: skip
    assert said(roster) == [ALONE]


@pytest.mark.rule("TMG-09")
def test_a_unit_that_is_called_by_its_number_has_the_cost_of_its_card():
    roster = read("Faction: Stark\n• Stark Sworn Swords\n• Stark Sworn Swords 2")
    assert [entry.cost for entry in roster.entries] == [5, 5]


# --- what only Commanders cost -----------------------------------------------------------------------


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    ("text", "commander"),
    [
        ("Stark\n• Stark Bowmen (6)\n    Robb Stark (0)", "Robb Stark - The Wolf Lord"),
        ("Stark\nStark Bowmen (6)\nRobb Stark (0)", "Robb Stark - The Wolf Lord"),
        ("Free Folk\n• Varamyr Sixskins (2)", "Varamyr Sixskins - Master Skinchanger"),
        ("Stark\n• Stark Bowmen (6)\n    Robb Stark (2)", ""),
        ("Stark\n• Stark Bowmen (6)\n    Robb Stark", ""),
        ("Targaryen\n• Unsullied Pikemen (7)\n    Jorah Mormont (0)", ""),
        ("Martell\nNCUs\n• Doran Martell (4)", ""),
    ],
)
def test_a_list_that_names_no_commander_has_one_where_only_a_commanders_card_has_the_cost(text, commander):
    assert read(f"Faction: {text}").commander == commander


@pytest.mark.rule("TMG-11")
def test_a_list_that_names_its_commander_has_no_other_by_a_cost():
    roster = read(
        "Faction: Stark\nCommander: Eddard Stark\n• Stark Bowmen (6)\n    Robb Stark (0)\n"
        "• Stark Sworn Swords (5)\n    Eddard Stark (0)"
    )
    assert roster.commander == "Eddard Stark - Lord of Winterfell"
    assert [one.title for entry in roster.entries for one in entry.attachments] == [
        "The Young Wolf", "Lord of Winterfell",
    ]  # fmt: skip


# --- prices of a unit with its attachments -----------------------------------------------------------

WHOLE = """Faction: Stark{}
• Stark Sworn Swords ({})
    Sworn Sword Captain (1)
• Stark Bowmen (8)
    Robb Stark - The Young Wolf (2)
• Stark Outriders (7)
"""
APART = "Line {}: {} was read as the price of {} with its attachments."


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("points", ["", "\nPoints: 21"])
def test_a_price_of_a_unit_with_its_attachments_is_taken_apart(points):
    at = 2 + bool(points)
    roster = read(WHOLE.format(points, 6))
    assert [entry.cost for entry in roster.entries] == [5, 6, 7]
    assert roster.points == 21
    assert said(roster)[1:] == [
        APART.format(at, 6, "Stark Sworn Swords"),
        APART.format(at + 2, 8, "Stark Bowmen"),
    ]


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "costs"),
    [
        (WHOLE.format("", 5), [5, 8, 7]),
        (WHOLE.format("\nPoints: 24", 6), [6, 8, 7]),
        (WHOLE.format("\nPoints: 22", 6), [6, 8, 7]),
        ("Stark\n• Stark Sworn Swords (6)\n    Sworn Sword Captain (1)", [6]),
        ("Stark\n• Dragons of Doom (6)\n    Sworn Sword Captain (1)", [6]),
    ],
    ids=["one of two", "as it stands", "as neither", "one alone", "no card"],
)
def test_where_a_unit_may_cost_more_by_now_its_price_is_its_own(text, costs):
    roster = read(text)
    assert [entry.cost for entry in roster.entries] == costs
    assert not any("was read as the price" in told for told in said(roster))


@pytest.mark.rule("TMG-09")
def test_the_price_of_a_single_unit_is_taken_apart_where_the_points_say_so():
    roster = read("Stark\nPoints: 6\n• Stark Sworn Swords (6)\n    Sworn Sword Captain (1)")
    assert [entry.cost for entry in roster.entries] == [5]


# --- brackets around prices ----------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("slug", REAL)
@pytest.mark.parametrize(
    "line", ["{}【{}】", "• {} 【{}分】", "{} (Cost: {})", "{} [cost {}]", "- {} (Kosten: {})"]
)
def test_a_real_list_is_the_same_army_with_prices_in_other_brackets(line, slug):
    real = read(REAL[slug])
    assert read(written(real, line)).entries == real.entries


# --- no price at all -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    ("line", "title"), [("", "The Wolf Lord"), (" (0)", "The Wolf Lord"), (" (4)", "King in the North")]
)
def test_a_name_without_a_price_means_the_commander_whom_the_list_names(line, title):
    roster = read(f"Faction: Stark\nCommander: Robb Stark\nStark Bowmen (6)\nRobb Stark{line}\n")
    found = [*roster.entries[0].attachments, *roster.entries[1:]]
    assert [one.title for one in found] == [title]
    assert any("in no unit of this list" in told for told in said(roster)) == ("Wolf" not in title)
