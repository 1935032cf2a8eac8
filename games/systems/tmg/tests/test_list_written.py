"""An army as the text that builders copy, and the sentences for a text that is none."""

import pytest

from games.core import Unreadable
from games.systems.tmg.lists.army_cards import NCU, UNIT, Fact
from games.systems.tmg.lists.army_grammar import read_each, read_entry, read_pasted
from games.systems.tmg.lists.army_roster import Attachment, Roster, RosterEntry
from games.systems.tmg.tests.armies import write_roster as written
from games.systems.tmg.tests.reading import CARDS

BOWMEN = RosterEntry(1, "Bowmen", "of Nowhere", 6, UNIT, (Attachment(2, "Captain", "the First", 1),))
LADY = Fact("30001", "stark", NCU, "Lady", "of Winterfell")
LEADER = Fact("30002", "stark", NCU, "Lady", "the Leader", commander=True)


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("roster", "heading"),
    [
        (Roster("", "", 7, None, 1, (BOWMEN,)), "Points: 7\nActivations: 1"),
        (Roster("stark", "", 7, 40, 1, (BOWMEN,)), "Faction: Stark\nPoints: 7 / 40\nActivations: 1"),
        (
            Roster("nightswatch", "Jon - Snow", 7, 0, 1, (BOWMEN,)),
            "Faction: Nights Watch\nCommander: Jon - Snow\nPoints: 7 / 0\nActivations: 1",
        ),
    ],
)
def test_only_what_is_known_stands_above_the_units(roster, heading):
    units = "Combat Units\n • Bowmen - of Nowhere ( 6 )\n     Captain - the First ( 1 )\n"
    assert written(roster) == f"{heading}\n\n{units}"


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("fact", "leads", "listed"),
    [
        (LADY, False, "Lady"),
        (LEADER, True, "Lady"),
        (LEADER, False, "Lady - the Leader"),
        (None, False, "Lady - the Leader"),
        (None, True, "Lady - the Leader"),
    ],
)
def test_an_ncu_is_listed_by_its_name_unless_that_would_mean_another(fact, leads, listed):
    title = fact.title if fact else "the Leader"
    entry = RosterEntry(1, "Lady", title, 4, NCU, fact=fact, commander=leads)
    text = written(Roster("", "", 4, None, 1, (entry,)))
    assert text == f"Points: 4\nActivations: 1\n\nNon Combat Units\n • {listed} ( 4 )\n"


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n" * 8 + "CgQxMjM0", "share code is damaged"),
        ("\n" * 9 + "CgQxMjM0", "No unit was found"),
        ("hello\nCgQxMjM0", "share code is damaged"),
        ("hello\nfriends", "No unit was found"),
        ("• (5)", "No unit was found"),
    ],
)
def test_what_is_no_army_is_told_apart(text, told):
    with pytest.raises(Unreadable, match=told):
        read_pasted(text, CARDS)


@pytest.mark.rule("TMG-09")
def test_a_part_without_a_unit_is_no_list():
    assert read_each("Faction: Stark\n• (5)", CARDS) == ()


@pytest.mark.rule("TMG-09")
@pytest.mark.parametrize("typed", ["", "...", "-----", None])
def test_who_types_no_name_is_shown_how_to_write_one(typed):
    with pytest.raises(Unreadable, match="Please type the name of a unit"):
        read_entry(typed, CARDS)
