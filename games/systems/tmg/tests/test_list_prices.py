"""What prices in a list tell: which of several cards is meant, wherever people write them."""

import pytest

from games.systems.tmg.tests.reading import read


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
