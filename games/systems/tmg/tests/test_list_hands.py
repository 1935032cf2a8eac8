"""Lists as people write them: by hand, in a chat, in a table, on a Chinese or a German keyboard."""

import pytest

from games.systems.tmg.lists.army_cards import ENEMY
from games.systems.tmg.lists.army_grammar import read_each, read_pasted
from games.systems.tmg.lists.army_lines import parts_of
from games.systems.tmg.tests.reading import CARDS, REAL, names, read, said

ALONE = "This list has no Commander."
LED = """Faction: Stark
Commander: Robb Stark - The Wolf Lord
• Stark Bowmen (6)
  with Robb Stark - The Wolf Lord (0)
"""


def pieces(roster):
    """Each entry by its name and cost, with the names and costs of what it has attached."""
    return [(one.name, one.cost, [(a.name, a.cost) for a in one.attachments]) for one in roster.entries]


BOTH = [("Stark Bowmen", 6, []), ("Stark Sworn Swords", 5, [])]
WITH_ROBB = [("Stark Bowmen", 6, [("Robb Stark", 0)])]

# --- signs of other keyboards ---------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("slug", REAL)
def test_a_real_list_is_the_same_army_in_full_width_signs(slug):
    wide = REAL[slug].translate({code: code + 0xFEE0 for code in map(ord, ":()0123456789/")})
    assert "：" in wide
    assert "（" in wide
    assert read_pasted(wide, CARDS) == read(REAL[slug])
    assert said(read_pasted(wide, CARDS)) == said(read(REAL[slug]))


@pytest.mark.rule("TMG-06")
def test_lists_with_full_width_headings_are_told_apart():
    text = "阵容\nFaction：Stark\n• Stark Bowmen（6）\n\nFaction：Greyjoy\n• Ironmakers（7）"
    assert [roster.faction for _text, roster in read_each(text, CARDS)] == ["stark", "greyjoy"]


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "text",
    [
        "1、Stark Bowmen（6分）\n2、Stark Sworn Swords 5点",
        "1.Stark Bowmen (6 Punkte)\n2)Stark Sworn Swords 5 Pkt.",
        "1) Stark Bowmen (6 Pkte)\n2. Stark Sworn Swords (5 Punkt)",
        "»Stark Bowmen« (6)\n„Stark Sworn Swords“ (5)",
    ],
    ids=["Chinese", "German", "German, spaced", "German quotes"],
)
def test_numbers_points_and_quotes_of_other_languages(text):
    roster = read(text)
    assert pieces(roster) == BOTH
    assert said(roster) == [ALONE]


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "text",
    [
        "Stark Bowmen\t6\nStark Sworn Swords\t5",
        "Stark Bowmen \t 6 \nStark Sworn Swords\t5",
        "Stark Bowmen,6\nStark Sworn Swords,5",
        "Stark Bowmen: 6\nStark Sworn Swords = 5",
        "| Stark Bowmen | 6 |\n|---|---|\n| Stark Sworn Swords | 5 |",
    ],
    ids=["tabs", "tabs and spaces", "commas", "colons", "bars"],
)
def test_a_table_of_names_and_points(text):
    roster = read(text)
    assert pieces(roster) == BOTH
    assert said(roster) == [ALONE]


@pytest.mark.rule("TMG-06")
def test_a_number_right_behind_a_colon_makes_no_unit_of_an_unknown_name():
    """Where one stands apart, it does; and what has a bullet is a unit anyhow."""
    roster = read("Friday: 12\nStark Bowmen (6)\nDragons of Doom (9)\n")
    assert names(roster) == ["Stark Bowmen", "Dragons of Doom"]
    assert said(roster)[1] == "Line 1 was not understood: “Friday: 12”."
    assert names(read("• Friday: 12")) == ["Friday"]
    assert names(read("Friday : 12")) == ["Friday"]
    assert len(parts_of("Friday: 12\n" + REAL["stark"])) == 1


# --- how many -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "line",
    [
        "2x Stark Sworn Swords (5)",
        "2 × Stark Sworn Swords (5)",
        "x2 Stark Sworn Swords (5)",
        "Stark Sworn Swords x2 (5)",
        "Stark Sworn Swords (5) x2",
        "Stark Sworn Swords (5) (X 2)",
        "Stark Sworn Swords [5] [2x]",
        "2x Stark Sworn Swords (10)",
        "2x Stark Sworn Swords",
    ],
)
def test_a_number_of_copies_is_so_many_units(line):
    roster = read(f"{LED}• {line}")
    assert pieces(roster)[1:] == [("Stark Sworn Swords", 5, [])] * 2
    assert (roster.points, roster.activations, said(roster)) == (16, 3, [])


@pytest.mark.rule("TMG-06")
def test_what_is_attached_to_copies_is_attached_to_the_last_and_unknown_ones_cost_what_is_said():
    roster = read(f"{LED}• 2x Dragons of Doom (9)\n  with 2x Sworn Sword Captain (1)")
    captains = [("Sworn Sword Captain", 1)] * 2
    assert pieces(roster)[1:] == [("Dragons of Doom", 9, []), ("Dragons of Doom", 9, captains)]
    assert said(roster) == ["Line 5: “Dragons of Doom” is not in the catalogue. Check its numbers."]
    assert read("Stark\n• 12x Stark Bowmen").activations == 12


@pytest.mark.rule("TMG-09")
def test_copies_are_kept_as_far_as_an_army_goes():
    roster = read(f"{LED}• 99x Stark Sworn Swords (5)")
    assert len(roster.entries) == 60
    assert said(roster) == ["The list has too many units; those after line 5 were left out."]


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (LED + "• 2x Eddard's Honor Guard (6) with Eddard Stark - Lord of Winterfell (0) x2", 5),
        ("stark;10201,20201,10201,20201", 1),
    ],
    ids=["copies", "numbers"],
)
def test_a_hero_twice_on_one_line_is_remarked_on(text, line):
    assert any(f"is already in this army (line {line})" in remark for remark in said(read(text)))


# --- several pieces on a line ---------------------------------------------------------------------


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "line",
    [
        "Stark Bowmen (6), Robb Stark - The Wolf Lord (0)",
        "Stark Bowmen (6); Robb Stark, The Wolf Lord (C).",
        "Stark Bowmen [6] & Robb Stark – The Wolf Lord [0]",
        "Stark Bowmen (6): Robb Stark - The Wolf Lord",
        "Stark Bowmen (6) with: Robb Stark - The Wolf Lord",
        "Stark Bowmen (6) - Robb Stark - The Wolf Lord (0)",
    ],
)
@pytest.mark.parametrize("bullet", ["• ", ""])
def test_an_attachment_on_the_line_of_its_unit(bullet, line):
    roster = read(f"Faction: Stark\n{bullet}{line}")
    assert pieces(roster) == WITH_ROBB
    assert said(roster) == []


@pytest.mark.rule("TMG-06")
def test_a_list_of_three_lines():
    roster = read(
        "Faction: Stark (40)\n"
        "Combat Units: Stark Bowmen (6) with Robb Stark - The Wolf Lord (0), Stark Sworn Swords (5)\n"
        "Non-Combat Units: Sansa Stark (4), Catelyn Stark (4)\n"
        "Enemy Attachments: Turncoat (1)\n"
    )
    assert pieces(roster)[:2] == [*WITH_ROBB, ("Stark Sworn Swords", 5, [])]
    assert names(roster, "ncu") == [
        "Sansa Stark - Little Bird", "Catelyn Stark - Lady of Winterfell",
    ]  # fmt: skip
    assert names(roster, ENEMY) == ["Turncoat"]


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("line", ["• Stark Sworn Swords (5),", "• Stark Sworn Swords (5) (painted)"])
def test_signs_and_remarks_behind_a_cost_do_not_hide_it(line):
    roster = read(LED + line)
    assert pieces(roster)[-1] == ("Stark Sworn Swords", 5, [])
    assert said(roster) == []


@pytest.mark.rule("TMG-06")
def test_a_number_behind_a_section_s_name_is_no_unit():
    roster = read(f"{LED}NCUs: 2\n• Sansa Stark (4)\nCatelyn Stark (4)\nTactics Cards: none\n")
    assert names(roster, "ncu") == [
        "Sansa Stark - Little Bird", "Catelyn Stark - Lady of Winterfell",
    ]  # fmt: skip
    assert len(roster.of_kind("unit")) == 1


@pytest.mark.rule("TMG-88")
def test_tactics_cards_are_named_once_whatever_their_number():
    roster = read(f"{LED}Tactics Cards\n2x Winter's Might\nHonour x2\nDuty (x3)\nDuty\n")
    assert roster.cards == ("Winter's Might", "Honour", "Duty")


# --- headings -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("title", "limit"),
    [
        ("House Stark (40 points)", 40),
        ("Stark: 40", 40),
        ("stark:40", 40),
        ("STARK - 40", 40),
        ("Stark [40]", 40),
        ("Stark", None),
    ],
)
def test_a_faction_and_a_size_are_a_title(title, limit):
    """Neither a unit of that price nor a code of that number."""
    roster = read_pasted(f"{title}\n• Stark Bowmen (6)", CARDS)
    assert (roster.faction, roster.limit, roster.points) == ("stark", limit, 6)
    assert names(roster) == ["Stark Bowmen"]
    assert said(roster) == [ALONE]
    both = f"{title}\nFaction: Stark\n• Stark Bowmen (6)"
    assert len(parts_of(both)) == 1


@pytest.mark.rule("TMG-05")
def test_points_of_another_faction_are_no_unit():
    roster = read(LED + "Neutral (8 points)\n• Stark Sworn Swords (5)")
    assert len(roster.entries) == 2
    assert said(roster) == ["Line 5 was not understood: “Neutral (8 points)”."]


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    "headings",
    [
        "Faction: Stark (40)\nCommander: Robb Stark - The Wolf Lord (0)",
        "Faction: House Stark - 40 pts\nCommander: _Robb Stark - The Wolf Lord_",
        "• Faction: *Stark*\n• Commander: `Robb Stark - The Wolf Lord`",
    ],
    ids=["points", "points and italics", "bullets"],
)
def test_headings_are_read_without_frills_and_points(headings):
    roster = read(f"{headings}\n• Stark Bowmen (6)\n  Robb Stark - The Wolf Lord (0)")
    assert (roster.faction, roster.commander) == ("stark", "Robb Stark - The Wolf Lord")
    assert said(roster) == []


@pytest.mark.rule("TMG-05")
def test_a_commander_s_line_of_italics_names_him_as_he_is_called():
    roster = read("Faction: Stark\nCommander: _Nobody of Nowhere_\n• Stark Bowmen (6)")
    assert said(roster) == ["Line 2: the Commander “Nobody of Nowhere” is in no unit of this list."]


@pytest.mark.rule("TMG-06")
def test_no_number_of_copies_makes_more_attachments_than_units():
    many = "  99x Sworn Sword Captain (1)\n"
    roster = read("Faction: Stark\n• Stark Bowmen (6)\n  with Sworn Sword Captain (1)\n" + many * 2)
    assert len(roster.entries[0].attachments) == 60
    told = "Line %s: the list has too many attachments; the first were kept."
    assert [line for line in said(roster) if "attachments;" in line] == [told % 4, told % 5]
    # Exactly as many as there is room for are no remark.
    whole = read("Faction: Stark\n• Stark Bowmen (6)\n  60x Sworn Sword Captain (1)\n")
    assert len(whole.entries[0].attachments) == 60
    assert not any("attachments;" in line for line in said(whole))


# --- one price for a unit and what is attached ------------------------------------------------------

STARKS = "Faction: Stark\nCommander: Robb Stark\n• Umber Greataxes (7)\n  with Robb Stark (0)\n"
WHOLE = "Line 5: {} was read as the price of {} with its attachments."


@pytest.mark.rule("TMG-06")
@pytest.mark.rule("TMG-50")
@pytest.mark.parametrize(
    ("line", "costs"),
    [
        ("• Stark Sworn Swords with Sworn Sword Captain (6)", [5, 1]),
        ("• Stark Sworn Swords (5) + Sworn Sword Captain (6)", [5, 1]),
        ("• Stark Sworn Swords (4) with Sworn Sword Captain (5)", [4, 1]),
        ("• Stark Sworn Swords (5)\n    Sworn Sword Captain (6)", [5, 1]),
        ("• Stark Sworn Swords with 2x Sworn Sword Captain (7)", [5, 1, 1]),
        ("• Stark Sworn Swords with Sworn Sword Captain (1) with Glory Seeker (7)", [5, 1, 1]),
        ("• Stark Sworn Swords with Greatjon Umber, Lord of Last Hearth (5)", [5, 0]),
        ("• Stormcrow Mercenaries with Sworn Sword Captain (5)", [5, 0]),
        ("• Stark Sworn Swords (5) with Sworn Sword Captain (4)", [5, 4]),
        ("• Stark Sworn Swords (5) with Greatjon Umber, Fierce Bannerman (4)", [5, 4]),
        ("• Grey Wind (0) with Sworn Sword Captain (2)", [0, 2]),
    ],
)
def test_what_an_attachment_costs_with_its_unit_is_no_price_of_its_own(line, costs):
    roster = read(STARKS + line)
    unit = roster.entries[1]
    assert [unit.cost, *(one.cost for one in unit.attachments)] == costs
    assert roster.points == 7 + sum(costs)
    assert not any("price" in remark for remark in said(roster))


@pytest.mark.rule("TMG-09")
@pytest.mark.rule("TMG-84")
@pytest.mark.parametrize(
    ("line", "costs", "total"),
    [
        ("• Stark Sworn Swords with Sworn Sword Captain (7)", [5, 2], 7),
        ("• Stark Sworn Swords with Sworn Sword Captain (5)", [5, 0], 5),
        ("• Stark Sworn Swords (5) + Robb Stark, The Young Wolf (8)", [5, 3], 8),
    ],
)
def test_a_price_of_the_whole_that_is_not_the_cards_is_remarked_on(line, costs, total):
    roster = read(STARKS + line)
    unit = roster.entries[1]
    assert [unit.cost, *(one.cost for one in unit.attachments)] == costs
    assert WHOLE.format(total, "Stark Sworn Swords") in said(roster)


@pytest.mark.rule("TMG-06")
def test_an_attachment_without_a_unit_or_without_a_card_costs_what_is_said():
    roster = read(f"{LED}• Stark Sworn Swords with Jory the Bold (9)")
    assert pieces(roster)[1] == ("Stark Sworn Swords", 5, [("Jory the Bold", 9)])
    (swords,) = read("Sworn Sword Captain (6)\nStark Sworn Swords (5)").entries
    assert [one.cost for one in swords.attachments] == [6]


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize(
    "line",
    [
        "- Stark Sworn Swords (5pts) + Robb Stark (The Young Wolf, 3pts) (8pts)",
        "- Stark Sworn Swords (5pts) + Robb Stark (The Young Wolf, 3 Pts.)",
        "- Stark Sworn Swords [5 points] + Robb Stark [The Young Wolf 3 points] [8 points]",
    ],
)
def test_a_price_in_one_bracket_with_the_sub_title_is_the_pieces_own(line):
    roster = read(f"Faction: Stark\n{line}")
    (swords,) = roster.entries
    assert [(one.full_name, one.cost) for one in swords.attachments] == [("Robb Stark - The Young Wolf", 3)]
    assert (swords.cost, said(roster)) == (5, [ALONE])
