"""What has changed between two views: stretches of the old one and new text, which join to the new one."""

from __future__ import annotations

import json
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.live.frames import Change, View, change

PIECES = st.sampled_from(
    (
        "<li>wolf</li>",
        "<li>wolf 活</li>",
        "<a href='#x'>",
        "<b>7</b>",
        "<b>17</b>",
        "<g/>",
        "plain",
        "</ul>",
        "é",
    )
)
VIEWS = st.lists(PIECES, max_size=40).map("".join)
CARDS = [
    f'<li id="card-{number}"><b>{number}</b><a href="/piece/{number}">Correct</a></li>' for number in range(9)
]


def joined(found: Change, before: str) -> str:
    """Join it as a script does, from what it was sent, counting places in UTF-16."""
    old = before.encode("utf-16-le")
    told = json.loads(msgspec.json.encode(found))
    parts = (
        one if isinstance(one, str) else old[2 * one[0] : 2 * one[1]].decode("utf-16-le") for one in told
    )
    return "".join(parts)


@given(VIEWS, VIEWS)
def test_whatever_was_shown_before_the_new_view_comes_out(before: str, after: str) -> None:
    found = change(View(before), View(after))
    assert found is not None
    assert joined(found, before) == after


@given(VIEWS, VIEWS)
def test_nothing_is_told_twice(before: str, after: str) -> None:
    found = change(View(before), View(after)) or []
    assert all(one if isinstance(one, str) else one[0] < one[1] for one in found)
    for one, following in pairwise(found):
        assert not (isinstance(one, str) and isinstance(following, str))
        assert isinstance(one, str) or isinstance(following, str) or one[1] != following[0]


def test_what_stays_is_one_stretch() -> None:
    view = "".join(CARDS)
    assert change(View(view), View(view)) == [(0, len(view))]


def test_of_a_piece_that_changes_only_the_difference_is_told() -> None:
    before = "".join(CARDS)
    after = before.replace("<b>4</b>", "<b>14</b>")
    place = before.index("<b>4</b>") + 3
    assert change(View(before), View(after)) == [(0, place), "1", (place, len(before))]


def test_a_piece_that_comes_or_goes_is_told_alone() -> None:
    before, new = "".join(CARDS), "<li>new</li>"
    place = before.index(CARDS[5])
    assert change(View(before), View(before[:place] + new + before[place:])) == [
        *((0, place), new, (place, len(before))),
    ]
    end = place + len(CARDS[5])
    assert change(View(before), View(before[:place] + before[end:])) == [(0, place), (end, len(before))]


def test_a_piece_that_moves_is_not_told_again() -> None:
    before, after = "".join(CARDS), "".join([*CARDS[1:], CARDS[0]])
    end = len(CARDS[0])
    assert change(View(before), View(after)) == [(end, len(before)), (0, end)]


def test_of_pieces_that_are_alike_the_next_one_serves() -> None:
    before = "<li>" * 6
    assert change(View(before), View(before)) == [(0, len(before))]
    assert change(View(before + "<b>1</b>" + before), View("<b>1</b>" + before)) == [(24, 56)]
    half = "<li>" * 3
    assert change(View(before), View(f"{half}<b>1</b>{half}")) == [(0, 12), "<b>1</b>", (12, 24)]


def test_a_letter_that_a_script_counts_twice_is_told_by_no_place() -> None:
    plain, broad = "".join(CARDS), "".join(CARDS) + "\U0001f43a"
    assert change(View(plain), View(broad)) is None
    assert change(View(broad), View(plain)) is None
    assert change(View(plain), View(plain + "活")) == [(0, len(plain)), "活"]
