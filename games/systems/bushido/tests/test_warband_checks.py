"""Remarks on a whole warband: its game, its faction, copies, and how many models and how much rice it has."""

import pytest

from games.systems.bushido.lists.warband_grammar import MAX_MODELS, over, read
from games.systems.bushido.tests.test_warband_forms import said
from games.systems.bushido.tests.warbands import MODELS


def band(*lines):
    return read("\n".join(lines), MODELS)


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("counts", "kept"),
    [
        ((20,) * 10, (20,) * 10),
        ((20,) * 10 + (1,), (20,) * 9 + (19, 1)),
        ((20,) * 12, (20,) * 9 + (18, 1, 1)),
        ((20,) * 9 + (18, 4, 1), (20,) * 9 + (18, 1, 1)),
    ],
)
def test_of_more_models_than_any_table_holds_the_last_are_cut(counts, kept):
    warband = band(*(f"Nobody {at};1;2/6;5;{count}" for at, count in enumerate(counts)))
    assert tuple(one.count for one in warband.models) == kept
    assert warband.size == min(sum(counts), MAX_MODELS)
    told = [f"Line {len(counts)}: this warband has more than 200 models; some were left out."]
    assert said(warband) == (told if sum(counts) > 200 else [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("total", "limit", "remarks"),
    [
        ("", "", []),
        ("Total: 16", "Limit: 16", []),
        ("", "Limit: 16", []),
        ("", "Limit: 15", ["Line 5: the list costs 16 rice and was built for 15."]),
        ("Total: 16", "Limit: 15", ["Line 5: the list costs 16 rice and was built for 15."]),
        ("Total: 17", "Limit: 17", ["Line 4: the list states 17 rice, but its cards add up to 16."]),
        ("Total: 0", "Limit: 16", ["Line 4: the list states 0 rice, but its cards add up to 16."]),
        (
            "Total: 17",
            "Limit: 16",
            [
                "Line 4: the list states 17 rice, but its cards add up to 16.",
                "Line 5: the list costs 17 rice and was built for 16.",
            ],
        ),
        (
            "Total: 9",
            "Limit: 15",
            [
                "Line 4: the list states 9 rice, but its cards add up to 16.",
                "Line 5: the list costs 16 rice and was built for 15.",
            ],
        ),
    ],
)
def test_rice_is_what_all_cards_cost_and_what_the_list_says(total, limit, remarks):
    cards = ("Nobody;15;2/6;5", "Equipment: Lantern (1)", "Events: Rain (0)")
    assert said(band(*cards, total, limit)) == remarks


@pytest.mark.rule("BUSH-26")
def test_an_army_of_no_rice_may_be_built_for_any_size():
    assert said(band("Nobody;0;2/6;5", "Limit: 1")) == []


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(("rice", "is_over"), [(99, False), (100, False), (101, True)])
def test_too_much_rice_for_a_match_is_told_of_the_whole(rice, is_over):
    told = [(number, str(line)) for number, line in over(rice, 100)]
    assert told == ([(0, "101 rice, in a match of 100.")] if is_over else [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("line", "remarks"),
    [
        ("", []),
        ("Faction: Prefecture of Ryu", []),
        ("Faction: Ronin", ["Line 2: Ronin are hired; a warband has a faction of its own."]),
        ("Faction: Wolves", ["Line 2: there is no faction “Wolves”."]),
        ("Game: " + "x" * 81, [f"Line 2: this is a list of another game: {'x' * 80}."]),
    ],
    ids=["none", "one", "hired", "unknown", "another game"],
)
def test_a_warband_is_of_this_game_and_of_a_faction_of_it(line, remarks):
    assert said(band("Nobody;1;2/6;5", line)) == remarks


@pytest.mark.rule("BUSH-26")
def test_one_card_of_each_name_and_the_other_faces_of_cards_aside():
    cards = "Equipment: Lantern (1)", "Events: LANTERN (1)", "References: Nobody", "Events: Nobody (0)"
    assert said(band("Nobody;1;2/6;5", "nobody;1;2/6;5", *cards)) == [
        "Line 2: nobody is already in this warband (line 1).",
        "Line 4: LANTERN is already in this warband (line 3).",
        "Line 6: Nobody is already in this warband (line 1).",
    ]
