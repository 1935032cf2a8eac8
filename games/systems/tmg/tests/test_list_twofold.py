"""Names that are a unit's and an attachment's too: what the rest of the list says decides."""

import pytest

from games.systems.tmg.lists.army_grammar import read_entries
from games.systems.tmg.tests.reading import CARDS, read, said

ALONE = "This list has no Commander."
TRACKERS, MARSHAL, HUNTERS = "Ranger Trackers", "Watch Marshal", "Ranger Hunters"
"""6 points; 4 points, or 1 as an attachment; 7 points."""

pytestmark = [pytest.mark.rule("TMG-05"), pytest.mark.rule("TMG-10")]


def shape(roster):
    return [(one.name, [a.name for a in one.attachments]) for one in roster.entries]


APART = [(TRACKERS, []), (MARSHAL, []), (HUNTERS, [])]
JOINED = [(TRACKERS, [MARSHAL]), (HUNTERS, [])]


@pytest.mark.parametrize("bullet", ["", "• "])
@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("Points: 14", JOINED),
        ("Points: 14 / 40", JOINED),
        ("Points: 17", APART),
        ("Activations: 2", JOINED),
        ("Activations: 3", APART),
        ("Points: 14\nActivations: 2", JOINED),
        ("Points: 14\nActivations: 3", APART),
        ("Points: 15", APART),
        ("Army: Watch", APART),
    ],
)
def test_the_numbers_of_a_list_tell_a_unit_from_an_attachment(bullet, stated, found):
    roster = read(
        f"Faction: Night's Watch\n{stated}\n{bullet}" + f"\n{bullet}".join((TRACKERS, MARSHAL, HUNTERS))
    )
    assert shape(roster) == found
    if found == JOINED:
        assert (roster.points, roster.activations, said(roster)) == (14, 2, [ALONE])


@pytest.mark.parametrize(("rest", "is_joined"), [(26, True), (23, False), (20, False)])
def test_an_army_of_a_usual_size_tells_where_nothing_is_stated(rest, is_joined):
    text = f"Faction: Night's Watch\n{TRACKERS}\n{MARSHAL}\n{HUNTERS}\n• Riders of my own ({rest})"
    assert shape(read(text))[:2] == (JOINED if is_joined else APART)[:2]


@pytest.mark.parametrize(("size", "is_joined"), [(40, True), (45, False)])
def test_a_list_over_its_size_has_the_attachment(size, is_joined):
    text = f"Night's Watch ({size})\n{TRACKERS}\n{MARSHAL}\n{HUNTERS}\n• Riders of my own (24)"
    assert shape(read(text))[:2] == (JOINED if is_joined else APART)[:2]


def test_where_each_unit_has_a_price_what_has_none_is_attached():
    assert shape(read(f"Night's Watch\n{TRACKERS} (6)\n{MARSHAL}\n{HUNTERS} (7)")) == JOINED
    assert shape(read(f"Night's Watch\n{TRACKERS} (6)\n{MARSHAL}\n{HUNTERS}")) == APART
    assert shape(read(f"Night's Watch\n• {TRACKERS} (6)\n• {MARSHAL}\n• {HUNTERS} (7)")) == APART


def test_the_fewest_are_attached_and_those_first_whose_unit_has_nobody():
    built = f"{TRACKERS}\n  Senior Builder"
    text = f"Night's Watch\nActivations: 4\n{built}\n{MARSHAL}\n{HUNTERS}\n{MARSHAL}\n{HUNTERS}"
    assert shape(read(text)) == [
        (TRACKERS, ["Senior Builder"]), (MARSHAL, []), (HUNTERS, [MARSHAL]), (HUNTERS, []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [f"{MARSHAL}\n{TRACKERS}", f"Othell Yarwyck\n{MARSHAL}", f"{TRACKERS}\n{MARSHAL}\n  with Senior Builder"],
    ids=["first", "below an NCU", "with an attachment of its own"],
)
def test_what_stands_below_no_unit_or_has_an_attachment_is_a_unit(lines):
    roster = read(f"Night's Watch\nPoints: 7\nActivations: 1\n{lines}")
    assert MARSHAL in [one.name for one in roster.entries]


def test_a_unit_that_somebody_types_alone_stays_one():
    assert [one.name for one in read_entries(MARSHAL, CARDS, "nightswatch")] == [MARSHAL]


def test_the_attachment_of_a_hero_s_name_keeps_its_own_sub_title():
    roster = read("Lannister\nPoints: 7\nLannister Guardsmen\nGregor Clegane")
    (unit,) = roster.entries
    assert [one.full_name for one in unit.attachments] == ["Gregor Clegane - Lord Tywin's Mad Dog"]
