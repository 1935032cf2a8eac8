"""Exactly one commander, one attachment a unit, and an army that costs what its list says."""

from dataclasses import replace

import pytest

from games.core import engine, system
from games.match import random_play
from games.systems.tmg.lists import army_rows
from games.systems.tmg.lists.army_cards import ATTACHMENT, ENEMY, NCU, UNIT, Catalogue, Fact
from games.systems.tmg.lists.army_grammar import read_roster
from games.systems.tmg.rules import destruction, end_of_match
from games.systems.tmg.tests.correcting import duel, fixed
from games.systems.tmg.tests.reading import REAL, read, said
from games.systems.tmg.tests.tables import infantry, table


@pytest.fixture
def lobby():
    return random_play.fresh_state(system("tmg"), "a-game-of-thrones", 1).copy()


def brought(g, text):
    """The army of Red after pasting a list."""
    system("tmg").bring(g, "red", text)
    return list(g.units_of("red"))


def remarks(g):
    return [str(line) for _number, line in army_rows.roster(g, "red").warnings]


# --- the commander's line ----------------------------------------------------------------------------

MAG = "Mag the Mighty - Mag Mar Tun Doh Weg"
GIANTS = "Faction: Free Folk\nCommander: " + MAG + "\n"


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("unit", [f"• {MAG} (5)", f"• {MAG} (9)", "• Mag the Mighty (5)", "• Mag the Mighty"])
def test_an_unknown_sub_title_means_the_only_commander_of_that_name(unit):
    (mag,) = read(GIANTS + unit).entries
    assert mag.fact.commander
    assert mag.commander


@pytest.mark.rule("TMG-11")
def test_where_a_list_is_led_by_another_its_namesake_is_no_commander():
    roster = read(
        "Faction: Free Folk\nCommander: Mance Rayder - King-Beyond-the-Wall\n"
        "• Thenn Warriors (5)\n  Mance Rayder - King-Beyond-the-Wall (0)\n• Mag the Mighty (9)"
    )
    assert [entry.commander for entry in roster.entries] == [True, False]
    assert not roster.entries[1].fact.commander


STANNIS = "Faction: Baratheon\nCommander: {}\n• Stannis' Crownland Scouts (6)\n  {} (0)"


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("called", ["Stannis Baratheon", "Stannis Baratheon - Lord of Dragonstone"])
def test_where_several_commanders_fit_the_player_is_asked_which(lobby, called):
    brought(lobby, STANNIS.format(called, called))
    asked = "Line 2: the Commander could be Stannis Baratheon - The Rightful Heir, "
    assert any(line.startswith(asked) for line in remarks(lobby))
    assert not any("more than one card" in line for line in remarks(lobby))
    (row,) = [row for row in army_rows.roster(lobby, "red").rows if row.asks]
    assert row.leader
    assert row.titles == ("The Rightful Heir", "The One True King", "King at the Wall")


@pytest.mark.rule("TMG-11")
def test_a_commander_whose_card_is_sure_is_not_asked_about(lobby):
    called = "Stannis Baratheon - The One True King"
    brought(lobby, STANNIS.format("Stannis Baratheon - Lord of Dragonstone", called))
    assert not any(row.asks for row in army_rows.roster(lobby, "red").rows)
    assert [unit.commander for unit in lobby.units_of("red")] == [True]
    assert lobby.armies["red"].commander == called


@pytest.mark.rule("TMG-11")
def test_where_several_lines_fit_each_of_them_asks(lobby):
    text = STANNIS.format("Stannis Baratheon", "Stannis Baratheon - The One True King")
    brought(lobby, text + "\n• Rose Knights (7)\n  Stannis Baratheon - King at the Wall (0)")
    asking = [row.title for row in army_rows.roster(lobby, "red").rows if row.asks]
    assert asking == ["The One True King", "King at the Wall"]
    assert sum(unit.commander for unit in lobby.units_of("red")) == 1


@pytest.mark.rule("TMG-11")
def test_who_has_chosen_is_asked_no_more(lobby):
    brought(lobby, STANNIS.format("Stannis Baratheon", "Stannis Baratheon"))
    army_rows.amend(lobby, "red", list(army_rows.roster(lobby, "red").rows))
    assert not any(row.asks for row in army_rows.roster(lobby, "red").rows)
    assert [row.leader for row in army_rows.roster(lobby, "red").rows] == [False, True]


# --- a piece marked with a C -------------------------------------------------------------------------

BY_HAND = """Veterans of the Watch (7)
Jon Snow ({})
Sworn Brothers (7)
Watch Captain (3)
Ranger Trackers (6)
Ghost (3)
Aemon (4)"""


def leaders(roster):
    """The units that command, each with those of their attachments that do."""
    return [
        (entry.full_name, [one.full_name for one in entry.attachments if one.commander])
        for entry in roster.entries
        if entry.commander
    ]


@pytest.mark.rule("TMG-11")
@pytest.mark.rule("TMG-09")
def test_who_is_marked_with_a_c_is_the_commander_of_that_name_and_of_this_faction():
    roster = read(BY_HAND.format("C"))
    assert leaders(roster) == [("Veterans of the Watch", ["Jon Snow - 998th Lord Commander"])]
    assert (roster.faction, roster.commander) == ("nightswatch", "Jon Snow - 998th Lord Commander")
    assert said(roster) == []


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("line", ["Robb Stark [c]", "  Robb Stark (C)", "with Robb Stark (C)"])
def test_neither_a_namesake_nor_another_kind_of_card_goes_before_it(line):
    roster = read(f"Stark Sworn Swords (5)\n{line}\nStark Bowmen (6)")
    assert leaders(roster) == [("Stark Sworn Swords", ["Robb Stark - The Wolf Lord"])]
    assert (roster.points, said(roster)) == (11, [])


@pytest.mark.rule("TMG-11")
def test_a_commander_marked_under_the_ncus_is_the_commander_of_that_name_all_the_same():
    roster = read("Faction: Lannister\nNCUs\n• High Sparrow (C)\nCombat Units\n• Poor Fellows (4)")
    assert leaders(roster) == [("Poor Fellows", ["The High Sparrow - His High Holiness"])]


@pytest.mark.rule("TMG-11")
def test_a_commander_whose_card_costs_points_costs_them_where_a_c_stands():
    (mag,) = read("Faction: Free Folk\n• Mag the Mighty (C)").entries
    assert (mag.fact.commander, mag.cost, mag.commander) == (True, 5, True)
    (axes,) = read("Faction: Stark\n• Umber Greataxes (C)").entries
    assert (axes.cost, axes.commander) == (0, True)


@pytest.mark.rule("TMG-11")
def test_a_c_means_the_commander_whatever_its_card_costs():
    guard = Fact("1", "stark", UNIT, "Guard", cost=5)
    lord, lady = Fact("2", "stark", NCU, "Lyra"), Fact("3", "stark", ATTACHMENT, "Lyra", cost=2)
    cards = Catalogue([guard, lord, replace(lady, commander=True)])
    (entry,) = read_roster("Guard (5)\nLyra (C)", cards).entries
    assert [(one.fact.id, one.cost, one.commander) for one in entry.attachments] == [("3", 2, True)]


@pytest.mark.rule("TMG-11")
def test_an_unknown_commander_is_known_by_its_c():
    text = "Faction: Stark\n• Stark Bowmen (6)\n  with Jory the Bold (C)\n• Umber Greataxes (7)\n  {}"
    roster = read(text.format("with Greatjon Umber - Lord of Last Hearth (0)"))
    assert leaders(roster) == [("Stark Bowmen", ["Jory the Bold"])]
    assert "Greatjon Umber - Lord of Last Hearth is a second Commander" in " ".join(said(roster))


@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize(
    "line",
    [
        "Robb Stark - The Wolf Lord (Commander)",
        "Robb Stark - The Wolf Lord (Commander) (0)",
        "Robb Stark [Commander] (0)",
        "Robb Stark (0) - Commander",
        "Robb Stark, Commander",
        "(Commander) Robb Stark",
        "[C] Robb Stark (0)",
    ],
)
def test_who_is_called_commander_behind_or_before_the_name_leads(line):
    text = "Faction: Stark\n• Umber Greataxes (7)\n  Greatjon Umber (0)\n• Stark Bowmen (6)\n  {}"
    roster = read(text.format(line))
    assert leaders(roster) == [("Stark Bowmen", ["Robb Stark - The Wolf Lord"])]
    assert roster.commander == "Robb Stark - The Wolf Lord"


@pytest.mark.rule("TMG-11")
def test_a_unit_that_is_called_commander_leads_by_whoever_is_attached():
    text = "Faction: Stark\n• Umber Greataxes (7)\n  Greatjon Umber\n• Stark Bowmen (6) (Commander)\n  {}"
    roster = read(text.format("Robb Stark - The Wolf Lord"))
    assert roster.commander == "Robb Stark - The Wolf Lord"
    assert leaders(roster) == [("Stark Bowmen", ["Robb Stark - The Wolf Lord"])]


@pytest.mark.rule("TMG-11")
def test_whom_the_commander_line_names_leads_and_no_other_c():
    text = "Commander: Robb Stark\n• Stark Bowmen (6)\n  with Robb Stark (0)\n• Umber Greataxes (7)\n  {}"
    roster = read(text.format("with Greatjon Umber (C)"))
    assert leaders(roster) == [("Stark Bowmen", ["Robb Stark - The Wolf Lord"])]
    assert roster.entries[1].attachments[0].title == "Lord of Last Hearth"
    assert leaders(read(text.format("with Glory Seeker (C)").replace("Robb Stark\n", "Jon Snow\n", 1))) == []


@pytest.mark.rule("TMG-11")
def test_who_is_typed_with_a_c_in_play_commands_nothing_by_it():
    g = fixed(led(), "army/red add:red", note="Mag the Mighty (C)")
    assert [unit.key for unit in g.units_of("red") if unit.commander] == ["wolves"]


WATCH = "Faction: Night's Watch\n{}Sworn Brothers (7)\n{}"


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "title", "is_attached"),
    [
        (WATCH.format("", "Jon Snow (3)"), '"Lord Snow"', True),
        (WATCH.format("", "Jon Snow (4)"), '"Lord Snow"', True),
        (WATCH.format("Combat Units\n• ", "• Jon Snow (4)"), '"Lord Snow"', True),
        (WATCH.format("Combat Units\n• ", "NCUs\n• Jon Snow (4)"), "Turncloak Crow", False),
        ("Faction: Stark\nStark Bowmen (6)\nJaqen H'ghar", "Follower of the Red God", False),
    ],
)
def test_another_factions_card_is_taken_only_where_no_other_fits(text, title, is_attached):
    roster = read(text)
    found = roster.entries[0].attachments if is_attached else roster.entries[1:]
    assert [one.title for one in found] == [title]


# --- the commander in play ---------------------------------------------------------------------------

EDDARD = "Eddard Stark - Lord of Winterfell"


def led(name="Eddard Stark", title="Lord of Winterfell"):
    """A duel in which an attachment of the wolves commands the red army."""
    g = duel()
    g.armies["red"].faction, g.armies["red"].commander = "stark", EDDARD
    g.units["wolves"].attachments = ((name, title, 0, "red"),)
    return g


@pytest.mark.rule("TMG-11")
def test_a_commander_who_is_detached_takes_the_command_along():
    g = fixed(led(), "unit/wolves detach:wolves:eddard-stark")
    assert not g.units["wolves"].commander
    assert g.armies["red"].commander == ""
    assert "The army of Red has 0 Commanders." in map(str, engine.problems(g))


@pytest.mark.rule("TMG-11")
def test_whoever_else_is_detached_leaves_the_commander_where_he_is():
    g = led()
    g.units["wolves"].attachments += (("Glory Seeker", "", 1, "red"),)
    g = fixed(g, "unit/wolves detach:wolves:glory-seeker")
    assert g.units["wolves"].commander
    assert g.armies["red"].commander == EDDARD


@pytest.mark.rule("TMG-11")
def test_a_commander_who_is_attached_elsewhere_commands_from_there():
    g = fixed(led(), "unit/wolves detach:wolves:eddard-stark")
    g = fixed(g, "unit/bears attach:bears", note=f"{EDDARD} (0)")
    assert [unit.key for unit in g.units_of("red") if unit.commander] == ["bears"]
    assert g.armies["red"].commander == EDDARD


@pytest.mark.rule("TMG-11")
def test_a_second_commander_who_is_attached_does_not_take_over():
    g = fixed(led(), "unit/bears attach:bears", note="Robb Stark - The Wolf Lord (0)")
    assert [unit.key for unit in g.units_of("red") if unit.commander] == ["wolves"]
    assert g.armies["red"].commander == EDDARD


@pytest.mark.rule("TMG-11")
def test_a_commanders_unit_that_leaves_the_match_leaves_the_army_without_one():
    g = fixed(led(), "unit/wolves remove:wolves")
    assert g.armies["red"].commander == ""


@pytest.mark.rule("TMG-11")
def test_who_is_given_the_command_is_named_as_leader():
    g = fixed(led(), "unit/bears command:bears")
    assert g.armies["red"].commander == "Bears"
    g = fixed(g, "unit/wolves command:wolves")
    assert g.armies["red"].commander == EDDARD
    assert fixed(g, "unit/wolves stand-down:wolves").armies["red"].commander == ""


# --- one attachment a unit ---------------------------------------------------------------------------

BOWMEN = "Faction: Stark\nCommander: Robb Stark - The Wolf Lord\n• Stark Bowmen (6)\n  {}\n  {}"


@pytest.mark.rule("TMG-10")
def test_more_than_one_attachment_is_remarked_on(lobby):
    brought(lobby, BOWMEN.format("Robb Stark - The Wolf Lord (0)", "Sworn Sword Captain (1)"))
    remark = "Stark Bowmen has more than one attachment: Robb Stark - The Wolf Lord, Sworn Sword Captain."
    assert remarks(lobby) == [remark]


@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize("slug", REAL)
def test_no_real_list_is_remarked_on_for_its_attachments_or_its_price(lobby, slug):
    brought(lobby, REAL[slug])
    assert not any("attachment" in line or "less" in line for line in remarks(lobby))


@pytest.mark.rule("TMG-10")
def test_an_enemy_attachment_takes_nobodys_place(lobby):
    brought(lobby, REAL["lannister"] + "\nEnemy Attachments\n • Turncoat ( 1 )\n")
    assert not any("attachment" in line for line in remarks(lobby))
    brought(lobby, BOWMEN.format("Robb Stark - The Wolf Lord (0)", "Turncoat (1)"))
    assert not any("attachment" in line for line in remarks(lobby))


@pytest.mark.rule("TMG-10")
def test_a_second_attachment_in_play_is_odd_unless_it_may_join_or_is_the_enemys():
    g = table([infantry("wolves", commander=True)], [infantry("lions", commander=True)])
    wolves = g.units["wolves"]
    wolves.attachments = (("Sworn Sword Captain", "", 1, "red"), ("Stranger", "", 1, "blue"))
    assert list(engine.problems(g)) == []
    wolves.attachments += (("Umber Champion", "", 1, "red"),)
    assert len(list(engine.problems(g))) == 1
    wolves.attachments = (*wolves.attachments[:2], ("Theon Greyjoy", "Reek", 0, "red"))
    assert list(engine.problems(g)) == []
    wolves.attachments += (("Umber Champion", "", 1, "red"),)
    (line,) = engine.problems(g)
    assert str(line) == "Wolves has more than one attachment: Sworn Sword Captain, Umber Champion."


# --- what an army costs ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-84")
@pytest.mark.parametrize("slug", REAL)
def test_an_army_on_the_table_counts_what_its_list_says_it_costs(lobby, slug):
    units = brought(lobby, REAL[slug])
    for unit in units:
        unit.place = "table"
    stated = int(REAL[slug].split("Points: ")[1].split(" /")[0])
    assert end_of_match.army_points(lobby, "red") == stated


@pytest.mark.rule("TMG-84")
def test_the_discount_is_that_of_the_unit_which_gives_it(lobby):
    units = {unit.name: unit for unit in brought(lobby, REAL["martell"])}
    assert units["Stormcrow Mercenaries"].attachments == (("Spearmen Captain", "", 0, "red"),)
    assert units["Starfall Outriders"].attachments == (("Glory Seeker", "", 1, "red"),)
    units["Stormcrow Mercenaries"].place = "destroyed"
    assert destruction.destroyed_points(lobby, "red") == 5


@pytest.mark.rule("TMG-84")
def test_a_discount_of_unknown_origin_is_said(lobby):
    stated = "Points: 7 / 40\n" + BOWMEN.format("Umber Champion (1)", "Sworn Sword Captain (1)")
    brought(lobby, stated)
    assert "The list costs 7 points: 1 less was counted for Umber Champion." in remarks(lobby)
    assert [row.cost for row in army_rows.roster(lobby, "red").rows] == [6, 0, 1]


@pytest.mark.rule("TMG-84")
def test_a_list_whose_lines_cost_far_more_than_it_states_is_left_as_it_is(lobby):
    brought(lobby, "Points: 5 / 40\n" + BOWMEN.format("Umber Champion (1)", "Sworn Sword Captain (1)"))
    assert [row.cost for row in army_rows.roster(lobby, "red").rows] == [6, 1, 1]


@pytest.mark.rule("TMG-84")
def test_an_enemy_attachment_is_part_of_what_a_corrected_list_costs(lobby):
    text = REAL["lannister"].replace("Points: 40", "Points: 41") + "\nEnemy Attachments\n • Turncoat ( 1 )\n"
    brought(lobby, text)
    rows = list(army_rows.roster(lobby, "red").rows)
    army_rows.amend(lobby, "red", rows)
    assert lobby.armies["red"].points == 41
    assert list(army_rows.roster(lobby, "red").rows) == rows
    assert [row.kind for row in rows if row.kind == ENEMY] == [ENEMY]


@pytest.mark.rule("TMG-11")
def test_a_list_without_doubt_says_nothing_of_commanders():
    assert said(read(REAL["stark"])) == []


# --- a list that two bring ----------------------------------------------------------------------------


def test_two_players_with_one_list_have_units_of_their_own_in_its_order(lobby):
    ours = brought(lobby, REAL["stark"])
    system("tmg").bring(lobby, "blue", REAL["stark"])
    theirs = list(lobby.units_of("blue"))
    assert [unit.order for unit in ours] == [unit.order for unit in theirs] == list(range(len(ours)))
    assert len({unit.key for unit in (*ours, *theirs)}) == 2 * len(ours)
    assert [unit.wounds for unit in ours] == [unit.wounds for unit in theirs]
    before, ours[0].wounds = theirs[0].wounds, 0
    assert theirs[0].wounds == before
