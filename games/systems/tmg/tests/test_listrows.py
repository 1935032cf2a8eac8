"""A brought army as rows: what was read, corrected, and read again."""

from dataclasses import replace

import pytest

from games.core import IllegalAction, RosterRow, clean_name, system
from games.match import random_play
from games.models import NAME_LENGTH
from games.systems.tmg.lists import army_rows
from games.systems.tmg.lists.army_grammar import demo_rosters, demo_text
from games.systems.tmg.tests.tables import play


@pytest.fixture
def lobby():
    g = random_play.fresh_state(system("tmg"), "a-game-of-thrones", 1).copy()
    system("tmg").bring(g, "red", demo_text("stark"))
    return g


def rows_of(g):
    return list(army_rows.roster(g, "red").rows)


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("slug", sorted(demo_rosters()))
def test_rows_that_nobody_changed_are_the_same_army(lobby, slug):
    system("tmg").bring(lobby, "red", demo_text(slug))
    units = {unit.key: unit.to_json() for unit in lobby.units_of("red")}
    before = rows_of(lobby)
    army_rows.amend(lobby, "red", before)
    assert rows_of(lobby) == before
    assert {unit.key: unit.to_json() for unit in lobby.units_of("red")} == units


@pytest.mark.rule("TMG-09")
def test_two_units_of_one_name_are_told_apart_at_the_table_and_not_in_the_list(lobby):
    system("tmg").bring(lobby, "red", demo_text("nights-watch"))
    units = [unit.name for unit in lobby.units_of("red") if unit.name.startswith("Ranger Trackers")]
    assert units == ["Ranger Trackers", "Ranger Trackers 2"]
    rows = [row.name for row in rows_of(lobby) if row.name.startswith("Ranger Trackers")]
    assert rows == ["Ranger Trackers", "Ranger Trackers"]


@pytest.mark.rule("TMG-11")
def test_the_commander_is_the_marked_row(lobby):
    rows = [replace(row, leader=row.name == "Glory Seeker") for row in rows_of(lobby)]
    army_rows.amend(lobby, "red", rows)
    assert lobby.armies["red"].commander == "Glory Seeker"
    assert [unit.name for unit in lobby.units_of("red") if unit.commander] == ["House Tully Cavaliers"]


@pytest.mark.rule("TMG-09")
def test_a_typed_row_becomes_a_unit_with_plain_figures(lobby):
    army_rows.amend(lobby, "red", [*rows_of(lobby), RosterRow("Men of Nowhere", kind="infantry", cost=5)])
    unit = next(unit for unit in lobby.units_of("red") if unit.name == "Men of Nowhere")
    assert (unit.kind, unit.wounds, unit.ranks, unit.cost) == ("infantry", 12, 3, 5)
    assert lobby.armies["red"].points == 45


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("kind", "wounds", "ranks"), [("cavalry", 12, 2), ("solo", 6, 6), ("war-machine", 6, 1)]
)
def test_a_typed_row_without_wounds_has_those_that_are_usual_for_its_kind(lobby, kind, wounds, ranks):
    typed = [RosterRow(name, kind=kind, cost=5) for name in ("Thing of Nowhere", "Varys")]
    army_rows.amend(lobby, "red", [*rows_of(lobby), *typed])
    for name in ("Thing of Nowhere", "Varys"):
        unit = next(unit for unit in lobby.units_of("red") if unit.name == name)
        assert (unit.kind, unit.wounds, unit.wounds_total, unit.ranks) == (kind, wounds, wounds, ranks)


@pytest.mark.rule("TMG-09")
def test_what_a_row_says_of_kind_and_wounds_wins(lobby):
    rows = rows_of(lobby)
    rows[0] = replace(rows[0], kind="solo", wounds=6)
    army_rows.amend(lobby, "red", rows)
    unit = lobby.units["eddards-honor-guard"]
    assert (unit.kind, unit.wounds_total, unit.ranks) == ("solo", 6, 6)


@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize(("joins", "home"), [(None, "Men"), (2, "Men"), (9, "Men"), (0, "Varys"), (1, "Men")])
def test_an_attachment_that_joins_no_unit_joins_the_first_combat_unit(lobby, joins, home):
    """Also where an NCU stands before it in the list; another attachment is no unit."""
    rows = [
        RosterRow("Varys", kind="ncu", cost=4),
        RosterRow("Men", kind="infantry", cost=5, leader=True),
        RosterRow("Sergeant", kind="attachment", cost=1, joins=joins),
        RosterRow("More Men", kind="infantry", cost=5),
    ]
    army_rows.amend(lobby, "red", rows)
    assert [unit.name for unit in lobby.units_of("red") if unit.attachments] == [home]


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("kind", "wounds", "ranks"), [("cavalry", 12, 2), ("infantry", 12, 3), ("infantry", 9, 3), ("solo", 4, 4)]
)
def test_a_row_of_another_kind_has_the_ranks_of_that_kind(lobby, kind, wounds, ranks):
    """Grey Wind has a card of its own: a lone wolf of no ranks."""
    rows = [RosterRow("Grey Wind", kind=kind, cost=0, wounds=wounds)]
    army_rows.amend(lobby, "red", rows)
    (unit,) = lobby.units_of("red")
    assert (unit.kind, unit.wounds, unit.wounds_total, unit.ranks) == (kind, wounds, wounds, ranks)


@pytest.mark.rule("TMG-11")
def test_of_two_units_of_one_name_only_the_marked_one_leads(lobby):
    men = RosterRow("Men", kind="infantry", cost=5)
    captain = RosterRow("Captain", kind="attachment", cost=1)
    for leader in range(5):
        rows = [men, men, men, replace(captain, joins=0), replace(captain, joins=1)]
        rows[leader] = replace(rows[leader], leader=True)
        army_rows.amend(lobby, "red", rows)
        led = [(row.name, row.leader) for row in rows_of(lobby)]
        names = ["Men", "Captain", "Men", "Captain", "Men"]
        assert led == [(name, at == (0, 2, 4, 1, 3)[leader]) for at, name in enumerate(names)]


def test_names_that_both_players_crowd_with_accents_still_fit_into_a_row(lobby):
    """A name counts as people count; its row counts every accent. Rows that are too long break PostgreSQL."""
    called, mark = "z\u0301\u0302\u0303", "\u0301\u0302\u0303"
    for seat in lobby.seats:
        system("tmg").bring(lobby, seat, demo_text("stark"))
        lobby.armies[seat].name = clean_name(called * 39 + seat[0])
        rows = [RosterRow(clean_name(f"q{mark}" * 80, 80), kind="infantry", cost=5)] * 2
        army_rows.amend(lobby, seat, rows)
    g = play(lobby, "red ready", "blue ready")
    names = [unit.name for unit in g.units.values()]
    assert len(set(names)) == 4
    assert max(map(len, names)) <= NAME_LENGTH


@pytest.mark.rule("TMG-11")
def test_an_army_in_which_no_row_is_marked_says_so(lobby):
    def remarks(g):
        return [str(line) for _number, line in army_rows.roster(g, "red").warnings]

    rows = rows_of(lobby)
    assert sum(row.leader for row in rows) == 1
    army_rows.amend(lobby, "red", rows)
    assert "No Commander is marked in this army." not in remarks(lobby)
    army_rows.amend(lobby, "red", [replace(row, leader=False) for row in rows])
    assert "No Commander is marked in this army." in remarks(lobby)


@pytest.mark.rule("TMG-09")
def test_corrected_rows_get_the_remarks_of_a_list(lobby):
    def remarks():
        return [str(line) for _number, line in army_rows.roster(lobby, "red").warnings]

    rows = rows_of(lobby)
    odd = [
        RosterRow("Robb Stark", "The Young Wolf", kind="attachment", cost=2),
        RosterRow("Robb Stark", "King in the North", kind="ncu", cost=4),
        RosterRow("Lannister Guardsmen", kind="infantry", cost=5),
    ]
    army_rows.amend(lobby, "red", rows)
    assert not any("more than once" in line or "another faction" in line for line in remarks())
    army_rows.amend(lobby, "red", [*rows, *odd])
    assert "Robb Stark is more than once in this army." in remarks()
    assert "Lannister Guardsmen belongs to another faction: Lannister." in remarks()
    second = RosterRow("Robb Stark", "The Wolf Lord", kind="attachment", joins=1)
    assert not any("second Commander" in line for line in remarks())
    army_rows.amend(lobby, "red", [*rows, second])
    assert "Robb Stark - The Wolf Lord is a second Commander; an army has one." in remarks()
    army_rows.amend(
        lobby, "red", [*(replace(row, leader=False) for row in rows), replace(second, leader=True)]
    )
    assert "Eddard Stark - Lord of Winterfell is a second Commander; an army has one." in remarks()


def test_the_rows_stand_as_the_list_does_in_whatever_order_the_units_are_stored(lobby):
    rows = rows_of(lobby)
    lobby.units = dict(sorted(lobby.units.items(), reverse=True))
    assert rows_of(lobby) == rows
    changed = [replace(row, wounds=7 if row.kind == "infantry" else row.wounds) for row in rows]
    army_rows.amend(lobby, "red", changed)
    assert {unit.wounds for unit in lobby.units_of("red") if unit.kind == "infantry"} == {7}


def test_who_has_brought_nothing_has_no_rows(lobby):
    assert army_rows.roster(random_play.fresh_state(system("tmg"), "a-game-of-thrones", 1), "red") is None


@pytest.mark.rule("TMG-09")
def test_a_row_of_no_kind_is_refused(lobby):
    with pytest.raises(IllegalAction, match="Choose what kind of unit each line is") as refusal:
        army_rows.amend(lobby, "red", [*rows_of(lobby), RosterRow("Dragons", kind="dragon", cost=4)])
    assert refusal.value.rule == "TMG-09"


@pytest.mark.rule("TMG-09")
def test_an_army_without_a_combat_unit_is_refused(lobby):
    with pytest.raises(IllegalAction, match="at least one Combat Unit") as refusal:
        army_rows.amend(lobby, "red", [RosterRow("Varys", kind="ncu", cost=4)])
    assert refusal.value.rule == "TMG-09"


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("kind", "wounds", "of_a_rank"),
    [("infantry", 12, 4), ("cavalry", 12, 6), ("war-machine", 6, 0)],
)
def test_a_lone_wolf_that_becomes_a_unit_has_the_usual_figures_of_one(lobby, kind, wounds, of_a_rank):
    army_rows.amend(lobby, "red", [RosterRow("Grey Wind", kind=kind, cost=0)])
    (unit,) = lobby.units_of("red")
    assert (unit.wounds, unit.wounds_total, unit.rank_size) == (wounds, wounds, of_a_rank)
    army_rows.amend(lobby, "red", [RosterRow("Stark Bowmen", kind="solo", cost=0)])
    (unit,) = lobby.units_of("red")
    assert (unit.wounds, unit.wounds_total, unit.rank_size) == (6, 6, 0)


def test_nobody_corrects_a_list_after_being_ready(lobby):
    rows = rows_of(lobby)
    lobby.armies["red"].ready = True
    with pytest.raises(IllegalAction, match="until you are ready"):
        army_rows.amend(lobby, "red", rows)


def test_nobody_corrects_a_list_once_the_lobby_is_behind_them(lobby):
    rows = rows_of(lobby)
    g = play(lobby, "red ready", "blue demo:lannister", "blue ready")
    g.armies["red"].ready = False
    with pytest.raises(IllegalAction, match="until you are ready"):
        army_rows.amend(g, "red", rows)
