"""A hand of tactics cards that the app keeps reaches nobody else before a card is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest

from games.core import ABSENT, Line, Offer, chance
from games.history.commits import SEALED
from games.match import match_file
from games.models import Match
from tests.trust.twins import (
    PLAYERS,
    Transcript,
    Where,
    a_world,
    differences,
    everywhere,
    first_pages,
    sheets,
    tap,
    transcript,
)

SET_UP = (
    *("red demo:stark", "blue demo:greyjoy", "red ready", "blue ready", "red tokens:0"),
    *("red rolled:6", "blue rolled:1", "red pick-zone", "red deployed", "blue deployed"),
)
RED_DRAWS = (0, 1, 2, 6, 7)
"""The draws of red's own cards: its first hand, before blue's, and the two that letters bring."""


def hands(shift: int, where: Where = everywhere, *, undone: int = 0) -> Transcript:
    """The app keeps the tactics decks; chance deals red different cards in each world, and red plays none."""
    draw, dealt = chance.draw, set()

    def drawn(seed: str, counter: int, outcomes: int) -> int:
        value = draw(seed, counter, outcomes)
        return (value + shift) % outcomes if counter in RED_DRAWS else value

    def script(match: Match) -> Iterator[str]:
        for action in SET_UP:
            tap(match, *action.split())
        if undone:
            yield "red"
        for action in ("blue activate:ironmakers", "red activate:arya-stark", "red claim:letters"):
            tap(match, *action.split())
        dealt.update(match.armies.get(key="red").hidden["hand"])
        yield "red"

    with mock.patch("games.core.chance.draw", drawn), mock.patch("games.core.draw", drawn):
        told = transcript(("tmg", "manual-scoring"), PLAYERS, script, where, {"decks": 1}, undone=undone)
    HANDS[shift] = dealt
    return told


HANDS: dict[int, set[str]] = {}


@pytest.mark.django_db
def test_no_hand_can_be_told_from_another_before_it_is_played():
    first, second = hands(0), hands(7)
    assert HANDS[0] != HANDS[7]
    assert differences(first, second) == []
    assert {role for role, _path, _seen in first} == {"anon", "organiser", "blue", "robot blue"}


@pytest.mark.django_db
def test_no_hand_can_be_told_from_another_by_what_others_take_back():
    assert differences(*(hands(shift, first_pages, undone=1) for shift in (0, 7))) == []


@pytest.mark.django_db
def test_a_whole_export_tells_no_hand_of_any_moment():
    with a_world(("tmg", "manual-scoring"), PLAYERS, {"decks": 1}) as match:
        for action in (*SET_UP, "blue activate:ironmakers", "red activate:arya-stark", "red claim:letters"):
            tap(match, *action.split())
        entries = match_file.whole(match)["entries"]
    parts = [part for entry in entries for part in entry["sealed"].values()]
    hands = [
        image["army/red/hidden/hand"]
        for part in parts
        for image in (part.get("before", {}), part.get("after", {}))
        if "army/red/hidden/hand" in image
    ]
    assert len(hands) > 2
    assert all(hand in (SEALED, ABSENT) for hand in hands)


def names_what_is_drawn(g: Any, seat: str, cards: int) -> Line:
    return Line(f"{seat} draws {g.armies[seat].hidden['hand']}")


def offers_it_to_all(step: Any, g: Any, path: str) -> Iterator[Offer]:
    yield from (Offer(f"lose:{key}", Line(key)) for key in g.armies["red"].hidden.get("hand") or ())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("place", "leak", "where"),
    [
        ("games.systems.tmg.rules.tactics_cards.drawn", names_what_is_drawn, first_pages),
        ("games.systems.tmg.tmg_corrections.TmgCorrections.of", offers_it_to_all, sheets),
    ],
)
def test_a_hand_that_leaks_would_show(
    place: str, leak: Callable[..., Any], where: Where, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(place, leak)
    assert differences(hands(0, where), hands(7, where)) != []
