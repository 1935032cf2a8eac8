"""A bid in the board game reaches nobody else before the reveal: pages, streams, every byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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

READY = "stark ready, lannister ready, baratheon ready, "

ROUNDS = {
    "light": """stark placed, lannister placed, baratheon placed, lannister rest, stark resolved,
        stark resolved, stark none, lannister none, baratheon none, stark same,
        lannister same, baratheon same""",
    "full": """stark placed, lannister placed, baratheon placed, lannister rest, stark resolved,
        baratheon no-march, lannister no-march, stark no-march, baratheon none, lannister none, stark none""",
    "orders": """stark order:defense, stark order:defense, stark order:support, stark placed,
        lannister order:defense, lannister order:defense, lannister order:support, lannister order:support,
        lannister placed, baratheon order:defense, baratheon order:defense, baratheon order:support,
        baratheon placed, lannister rest""",
}
"""The first round of the board game in each of its modes, with next to nothing happening."""

CARDS = ", stark card:last-days-of-summer, stark card:clash-of-kings, stark card:wildlings-attack"
"""Cards that lead to the first sealed bids; a wildling attack follows them."""


def board_game(mode: str, amount: int, stop: str, where: Where, *, undone: int = 0) -> Transcript:
    """Everything that others see around Stark's bid of this size, at the place in the game called `stop`."""

    def script(match: Match) -> Iterator[str]:
        play_to_the_clash(match, mode)
        if stop == "wildlings":
            for track, ahead in (("iron-throne", 2), ("fiefdoms", 2), ("kings-court", 0)):
                tap(match, "lannister", f"bid:{track}:1")
                tap(match, "stark", f"bid:{track}:0")
                if ahead:
                    tap(match, "baratheon", f"bid:{track}:{ahead}")
            tap(match, "baratheon", "bid:kings-court:0")
            tap(match, "baratheon", "place:stark")
        what = "wildlings" if stop == "wildlings" else "iron-throne"
        tap(match, "lannister", f"bid:{what}:1")
        tap(match, "stark", f"bid:{what}:{amount}")
        yield "stark"
        if not undone and where is not everywhere:
            tap(match, "stark", "unseal")
            yield "stark"

    return transcript(("agot", mode), HOUSES, script, where, undone=undone)


def play_to_the_clash(match: Match, mode: str) -> None:
    """Tap everything that leads to the first sealed bids."""
    for action in " ".join((READY + ROUNDS[mode] + CARDS).split()).split(", "):
        tap(match, *action.split())


@pytest.mark.django_db
@pytest.mark.parametrize(("stop", "mode"), [*(("clash", mode) for mode in ROUNDS), ("wildlings", "orders")])
def test_no_bid_of_the_board_game_can_be_told_from_another(stop: str, mode: str):
    """At the places that a leak would reach first, with the bid sealed and with it taken back again."""
    amounts = (0, 3, 5) if (stop, mode) == ("clash", "light") else (0, 5)
    is_told_alike([board_game(mode, amount, stop, first_pages) for amount in amounts])


@pytest.mark.django_db
def test_no_address_tells_a_bid_of_the_board_game():
    is_told_alike([board_game("light", amount, "clash", everywhere) for amount in (0, 5)])


def is_told_alike(worlds: list[Transcript]) -> None:
    """Fail unless others see the same in all worlds, and something at all."""
    first, *others = worlds
    assert [differences(first, other) for other in others] == [[]] * len(others)
    assert len({role for role, _path, _seen in first}) == 6


@pytest.mark.django_db
def test_no_bid_of_the_board_game_can_be_told_from_another_by_what_others_take_back():
    assert (
        differences(*(board_game("light", amount, "clash", first_pages, undone=1) for amount in (0, 5))) == []
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", ROUNDS)
def test_no_stream_tells_a_bid_of_the_board_game_before_the_reveal(server: Server, mode: str):
    told = {amount: frames_of_a_bid(server, mode, amount) for amount in (0, 3, 5)}
    assert len(told[0]) == 24
    assert told[0] == told[3] == told[5]


def frames_of_a_bid(server: Server, mode: str, amount: int) -> list[object]:
    """Everything that Lannister's stream and a spectator's carry while Stark seals, takes back and seals."""
    match = opened_alike("agot", mode, HOUSES)
    play_to_the_clash(match, mode)
    bid = f"stark bid:iron-throne:{amount}"
    return told_to(server, match, "lannister", [bid, "stark unseal", bid])
