"""The board game on four phones: sealed bids, ties that one phone breaks, and the wildlings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.match import play
from games.models import Match
from tests.browser.driving import Screen, do

pytestmark = pytest.mark.browser

HOUSES = ("stark", "lannister", "baratheon", "greyjoy")
READY = "\n".join(f"{house} ready" for house in HOUSES)
TO_THE_CARDS = "\n".join(
    [
        *(f"{house} placed" for house in HOUSES),
        "lannister rest",
        "stark resolved",
        "stark resolved",
        *(f"{house} none" for house in HOUSES),
        *(f"{house} same" for house in HOUSES),
        "stark card:last-days-of-summer",
        "stark card:clash-of-kings",
        "stark card:wildlings-attack",
    ]
)


@pytest.fixture
def four(screen: Callable[..., Screen]) -> tuple[Match, dict[str, Screen]]:
    """Four phones at the first sealed bid."""
    names = dict(zip(HOUSES, ("Ada", "Bo", "Cy", "Di"), strict=True))
    match = play.open_match("agot", "light", names, seed="browser")
    do(match, READY)
    do(match, TO_THE_CARDS)
    return match, {house: screen().sit_down(match, house) for house in HOUSES}


def bid(phones: dict[str, Screen], what: str, **amounts: int) -> None:
    """Each phone seals its bid, one after another; every phone hears about each."""
    for house, amount in amounts.items():
        version = phones[house].tap(f"bid:{what}:{amount}")
        for phone in phones.values():
            phone.reaches(version)


def all_reach(phones: dict[str, Screen], version: int) -> None:
    for phone in phones.values():
        phone.reaches(version)


def test_a_clash_with_ties_and_an_attack(four: tuple[Match, dict[str, Screen]]) -> None:
    match, phones = four
    assert all(phone.state == "ask" for phone in phones.values())
    bid(phones, "iron-throne", stark=2, lannister=2)
    assert phones["stark"].offers == ["unseal"]
    assert "You bid 2" in phones["stark"].says(".bar")
    expect(phones["greyjoy"].page.locator("body")).not_to_contain_text("bid 2", use_inner_text=True)
    all_reach(phones, phones["stark"].tap("unseal"))
    bid(phones, "iron-throne", stark=1, baratheon=1, greyjoy=0)

    assert "Stark, Baratheon bid 1 each" in phones["baratheon"].says(".bar")
    assert phones["baratheon"].offers == ["place:baratheon", "place:stark"]
    assert phones["stark"].state == "wait"
    all_reach(phones, phones["baratheon"].tap("place:stark"))
    assert "Lannister holds" not in phones["stark"].says(".bar")

    bid(phones, "fiefdoms", stark=0, lannister=0, baratheon=0, greyjoy=1)
    assert phones["lannister"].offers == ["place:baratheon", "place:lannister", "place:stark"]
    all_reach(phones, phones["lannister"].tap("place:stark"))
    all_reach(phones, phones["lannister"].tap("place:lannister"))
    bid(phones, "kings-court", stark=3, lannister=1, baratheon=2, greyjoy=0)

    assert "strength 4" in phones["greyjoy"].says(".bar")
    bid(phones, "wildlings", stark=0, lannister=0, baratheon=0, greyjoy=3)
    assert phones["lannister"].offers == ["pick:baratheon", "pick:lannister", "pick:stark"]
    all_reach(phones, phones["lannister"].tap("pick:stark"))
    all_reach(phones, phones["greyjoy"].tap("wildling:skinchanger-scout"))

    match.refresh_from_db()
    assert match.extra["threat"] == 0
    assert all("Place your orders" in phone.says(".bar") for phone in phones.values())
    assert [phone.faults for phone in phones.values()] == [[]] * 4
