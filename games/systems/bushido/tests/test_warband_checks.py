"""Remarks on a whole warband: its game, its faction, copies, and how many models and how much rice it has."""

import pytest

from games.systems.bushido.lists.warband_cards import RONIN
from games.systems.bushido.lists.warband_grammar import MAX_MODELS, Card, Draft, Model, checked, over
from games.systems.bushido.tests.test_warband_forms import said

RYU = "Prefecture of Ryu"


def model(name, rice=0, count=1, line=1):
    return Model(name, rice, "2", "6", "5", count, line)


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("counts", "kept"),
    [
        ((200,), (200,)),
        ((201,), (200,)),
        ((100, 100), (100, 100)),
        ((150, 60), (150, 50)),
        ((300, 60, 2), (198, 1, 1)),
        ((100, 101, 1), (100, 99, 1)),
    ],
)
def test_of_more_models_than_any_table_holds_the_last_are_cut(counts, kept):
    models = [model(f"Nobody {at}", count=count, line=at + 3) for at, count in enumerate(counts)]
    warband = checked(Draft(models=models))
    assert tuple(one.count for one in warband.models) == kept
    assert warband.size == min(sum(counts), MAX_MODELS)
    told = [f"Line {len(counts) + 2}: this warband has more than 200 models; some were left out."]
    assert said(warband) == (told if sum(counts) > 200 else [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("total", "limit", "remarks"),
    [
        (None, None, []),
        (16, 16, []),
        (None, 16, []),
        (None, 15, ["Line 8: the list costs 16 rice and was built for 15."]),
        (16, 15, ["Line 8: the list costs 16 rice and was built for 15."]),
        (17, 17, ["Line 7: the list states 17 rice, but its cards add up to 16."]),
        (0, 16, ["Line 7: the list states 0 rice, but its cards add up to 16."]),
        (
            17,
            16,
            [
                "Line 7: the list states 17 rice, but its cards add up to 16.",
                "Line 8: the list costs 17 rice and was built for 16.",
            ],
        ),
        (
            9,
            15,
            [
                "Line 7: the list states 9 rice, but its cards add up to 16.",
                "Line 8: the list costs 16 rice and was built for 15.",
            ],
        ),
    ],
)
def test_rice_is_what_all_cards_cost_and_what_the_list_says(total, limit, remarks):
    held = [Card("Lantern", "equipment", 1, 2), Card("Rain", "event", 0, 3)]
    draft = Draft(
        models=[model("Nobody", 15)], held=held, total=total, limit=limit, total_line=7, limit_line=8
    )
    assert said(checked(draft)) == remarks


@pytest.mark.rule("BUSH-26")
def test_an_army_of_no_rice_may_be_built_for_any_size():
    assert said(checked(Draft(models=[model("Nobody", 0)], limit=1))) == []


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(("rice", "is_over"), [(99, False), (100, False), (101, True)])
def test_too_much_rice_for_a_match_is_told_of_the_whole(rice, is_over):
    told = [(number, str(line)) for number, line in over(rice, 100)]
    assert told == ([(0, "101 rice, in a match of 100.")] if is_over else [])


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("faction", "remarks"),
    [
        ("", []),
        (RYU, []),
        (RONIN, ["Line 4: Ronin are hired; a warband has a faction of its own."]),
        ("Wolves", ["Line 4: there is no faction “Wolves”."]),
    ],
)
def test_a_warband_is_of_a_faction_of_the_game(faction, remarks):
    draft = Draft(faction=faction, faction_line=4, models=[model("Nobody")])
    assert said(checked(draft)) == remarks


@pytest.mark.rule("BUSH-26")
def test_the_name_of_another_game_is_quoted_up_to_a_length():
    draft = Draft(game="x" * 81, game_line=2, models=[model("Nobody")])
    assert said(checked(draft)) == [f"Line 2: this is a list of another game: {'x' * 80}."]


@pytest.mark.rule("BUSH-26")
def test_one_card_of_each_name_and_the_other_faces_of_cards_aside():
    held = [
        Card("Lantern", "equipment", 1, 3),
        Card("LANTERN", "event", 1, 4),
        Card("Nobody", "reference", 0, 5),
        Card("Nobody", "event", 0, 6),
    ]
    draft = Draft(models=[model("Nobody", line=1), model("nobody", line=2)], held=held)
    assert said(checked(draft)) == [
        "Line 2: nobody is already in this warband (line 1).",
        "Line 4: LANTERN is already in this warband (line 3).",
        "Line 6: Nobody is already in this warband (line 1).",
    ]
