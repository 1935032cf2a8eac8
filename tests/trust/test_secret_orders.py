"""An order that lies face down reaches nobody else: pages, streams, the log, every byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.match import play
from games.models import Match
from tests.conftest import Server
from tests.trust.twins import (
    HOUSES,
    Transcript,
    Where,
    differences,
    everywhere,
    first_pages,
    opened_alike,
    tap,
    told_to,
    transcript,
)

START = FIRST, SECOND, THIRD = ("winterfell", "white-harbor", "the-shivering-sea")
"""Where Stark has units when the game begins."""

WORLDS: dict[str, dict[str, str]] = {
    "marching": {FIRST: "march-plus", SECOND: "march-zero", THIRD: "march-minus"},
    "tokens changed about": {FIRST: "march-minus", SECOND: "march-plus", THIRD: "march-zero"},
    "at home": {FIRST: "consolidate-star", SECOND: "defense", THIRD: "raid"},
    "the last area first": {THIRD: "support", SECOND: "raid", FIRST: "march-plus"},
}
"""What Stark places, and in which order of areas: every world takes the same number of taps."""

EXCHANGED = {"marching": "support", "tokens changed about": "raid", "at home": "march-minus"}
"""What the first area has in the end."""

STOPS = ("looking", "exchanged", "confirmed", "reopened", "corrected", "given up")
"""The stops at which the places that a leak would reach first are compared."""


def planning(match: Match) -> None:
    """Get to the first orders; Lannister places its own, the same in every world."""
    for house in HOUSES:
        tap(match, house, "ready")
    for order in ("march-zero", "march-minus", "raid", "support"):
        tap(match, "lannister", f"order:{order}")
    tap(match, "lannister", "placed")


def actions(world: str) -> Iterator[tuple[str, str]]:
    """What Stark taps in a world, each with the stop where the script may halt after it."""
    placed: list[str] = []
    for area, order in WORLDS[world].items():
        yield from going_to(area, placed)
        yield f"order:{order}", "" if placed else "placing"
        placed.append(area)
    yield from going_to(placed[0], placed)
    yield f"order:{EXCHANGED.get(world, 'defense')}", "exchanged"
    yield from going_to(placed[-1], placed)
    yield "lift", "lifted"
    yield f"order:{WORLDS[world][placed[-1]]}", ""
    yield "placed", "confirmed"
    yield "not-yet", "reopened"


def going_to(area: str, placed: list[str]) -> Iterator[tuple[str, str]]:
    """Two taps to an area from wherever the house is, since the area it is busy with is not offered."""
    busy = next((key for key in START if key not in placed), "")
    yield f"at:{next(key for key in START if key not in (busy, area))}", ""
    yield f"at:{area}", "" if placed else "looking"


def orders(world: str, stops: tuple[str, ...], where: Where = first_pages, *, undone: int = 0) -> Transcript:
    """Everything that others see at these stops in a world."""

    def script(match: Match) -> Iterator[str]:
        planning(match)
        for action, stop in actions(world):
            tap(match, "stark", action)
            if stop in stops:
                yield "stark"
        if not undone:
            yield from beside(match, stops)

    return transcript(("agot", "orders"), HOUSES, script, where, undone=undone)


def beside(match: Match, stops: tuple[str, ...]) -> Iterator[str]:
    """What others do while orders lie face down: correct units, tell the app to keep less."""
    action = f"footman:{FIRST}-of-stark:1"
    play.adjust(match.code, "baratheon", f"objective/{FIRST}", action, "a-correction-of-units")
    if "corrected" in stops:
        yield "stark"
    play.adjust(match.code, "baratheon", "table", "keep:full", "another-mode-for-all")
    if "given up" in stops:
        yield "stark"


def is_told_alike(worlds: dict[str, Transcript]) -> None:
    """Fail unless others see the same in all worlds, and something at all."""
    first, *others = worlds.values()
    assert [differences(first, other) for other in others] == [[]] * len(others)
    assert len({role for role, _path, _seen in first}) == 6


@pytest.mark.django_db
def test_no_address_tells_where_an_order_lies():
    stops = ("lifted",)
    is_told_alike({world: orders(world, stops, everywhere) for world in list(WORLDS)[:3:2]})


@pytest.mark.django_db
def test_the_pages_of_others_are_the_same_whatever_is_placed():
    """Every stop of two worlds, the second of which visits the areas in reverse."""
    is_told_alike({world: orders(world, STOPS) for world in ("marching", "the last area first")})


@pytest.mark.django_db
def test_no_order_can_be_told_from_another_by_what_others_take_back():
    """Two worlds whose orders are confirmed and reopened, each action taken back by everybody."""
    worlds = list(WORLDS)[1:3]
    is_told_alike({world: orders(world, ("confirmed",), undone=1) for world in worlds})


@pytest.mark.django_db
def test_worlds_differ_once_all_are_turned_over():
    """A check on the tests above: what they compare does hold the orders afterwards."""

    def script(match: Match, world: str) -> Iterator[str]:
        planning(match)
        for action, _stop in actions(world):
            if action != "not-yet":
                tap(match, "stark", action)
        for order in ("raid", "support", "defense"):
            tap(match, "baratheon", f"order:{order}")
        tap(match, "baratheon", "placed")
        yield "stark"

    told = [
        transcript(("agot", "orders"), HOUSES, lambda match, world=world: script(match, world), first_pages)
        for world in ("marching", "at home")
    ]
    found = differences(*told)
    assert {address.split()[-1].split("/")[1] for address in found} == {"t", "api"}


@pytest.mark.django_db(transaction=True)
def test_no_stream_tells_an_order_before_all_are_turned_over(server: Server):
    told = {world: frames_of_orders(server, world) for world in WORLDS}
    first, *others = told.values()
    assert len(first) == 6 * (len(list(actions("marching"))) + 1)
    assert others == [first] * len(others)


def frames_of_orders(server: Server, world: str) -> list[object]:
    """All that Lannister's stream and a spectator's carry while Stark places, exchanges and confirms."""
    match = opened_alike("agot", "orders", HOUSES)
    planning(match)
    return told_to(server, match, "lannister", [f"stark {action}" for action, _stop in actions(world)])
