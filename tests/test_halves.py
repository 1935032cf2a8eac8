"""A device that two share: both are asked at once, each on their half, and answers say whose they are."""

from __future__ import annotations

import pytest
from django.test import Client

from games.match import board as boards
from games.match import play
from games.models import Match
from tests.browser import driving
from tests.test_start import opened, shared, shown

pytestmark = pytest.mark.django_db

ROLLS = "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n"


def asked(client: Client, match: Match) -> dict[str, list[str]]:
    """What each half asks beside the bar: the answers by side."""
    return {
        side.key: [offer.action for group in side.asked.groups for offer in group.offers]
        for side in shown(client, match).sides
        if side.asked
    }


def answers(client: Client, match: Match, action: str) -> int:
    """A tap without scripts; the status of its answer."""
    board = shown(client, match)
    form = {"action": action, "seen": str(board.version), "seat": board.seat, "key": play.new_key()}
    return client.post(f"/t/{match.code}/act", form).status_code


def test_both_roll_at_once_and_each_on_their_own_half(client: Client) -> None:
    match = shared(client, ROLLS)
    board = shown(client, match)
    other = "red" if board.seat == "blue" else "blue"
    assert asked(client, match) == {other: [f"{other} roll", f"{other} rolled"]}
    choices = next(side.asked for side in board.sides if side.asked).groups[0].offers[1].choices
    assert [choice.action for choice in choices[:2]] == [f"{other} rolled:1", f"{other} rolled:2"]
    assert answers(client, match, f"{other} rolled:5") == 302
    assert shown(client, match).seat == board.seat
    assert asked(client, match) == {}


def test_an_answer_counts_for_whoever_signs_it(client: Client) -> None:
    match = shared(client, "red demo:stark\nblue demo:lannister\n")
    assert answers(client, match, "red ready") == 302
    armies = boards.load(Match.objects.get(pk=match.pk)).state.armies
    assert (armies["red"].ready, armies["blue"].ready) == (True, False)
    assert asked(client, match) == {"red": ["red unready"]}, "who has answered may still change it"
    assert shown(client, match).hand_over == ()


def test_a_list_can_be_pasted_from_either_half(client: Client) -> None:
    match = shared(client, "")
    ways = {
        side.key: [way.url for way in side.asked.ways] for side in shown(client, match).sides if side.asked
    }
    assert len(ways) == 1
    (half, urls) = ways.popitem()
    assert urls == [f"/t/{match.code}/army/{half}"]


def test_nobody_signs_for_a_seat_of_another_phone(client: Client) -> None:
    match = opened(client)
    driving.do(match, "red demo:stark\nblue demo:lannister\n")
    held = shown(client, match).seat
    other = "red" if held == "blue" else "blue"
    assert answers(client, match, f"{other} ready") == 403
    assert not any(army.ready for army in boards.load(Match.objects.get(pk=match.pk)).state.armies.values())
    assert asked(client, match) == {}


def test_nothing_secret_stands_on_a_half(client: Client) -> None:
    match = shared(
        client, "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n", mode="tmg/winds-of-winter"
    )
    assert asked(client, match) == {}
    assert [link.label for link in shown(client, match).hand_over] == ["Play as Bo", "Play as Ada"]


def test_whoever_said_who_they_are_is_asked_alone(client: Client) -> None:
    match = shared(client, ROLLS)
    assert all(side.asked is None for side in shown(client, match, seat="red").sides)
