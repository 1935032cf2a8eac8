"""Houses that answer in the same instant: nothing is lost or doubled, and everything is revealed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from games.core import engine
from games.match import play, storage
from games.models import Entry, Match
from games.systems.agot.pieces import Table
from tests.conftest import Server
from tests.trust.sockets import Answer, Browser
from tests.trust.test_races import at_once, seated
from tests.trust.test_secret_bids import play_to_the_clash
from tests.trust.twins import HOUSES, tap

ORDERS = {
    "stark": {"winterfell": "march-plus", "white-harbor": "support", "the-shivering-sea": "raid"},
    "baratheon": {"dragonstone": "march-zero", "kingswood": "support", "shipbreaker-bay": "raid-star"},
    "lannister": {
        "lannisport": "march-minus",
        "stoney-sept": "support",
        "the-golden-sound": "raid",
        "port-of-lannisport": "consolidate",
    },
}
"""What each house places; in the end all of it has to lie open."""


def act(phone: Browser, match: Match, action: str, amount: int | None = None) -> Answer:
    """A tap as the page sends it. All send the same key, since keys are separate for every house."""
    number = {} if amount is None else {f"number:{action}": str(amount)}
    form = {"action": action, "seen": str(match.version), "key": "in-one-instant", **number}
    return phone.post(f"/t/{match.code}/act", form, HX_Request="true")


def taps_of(match: Match, verb: str) -> Iterator[Entry]:
    """The entries of taps that begin with this verb."""
    return (
        one for one in Entry.objects.filter(match=match, kind=Entry.Kind.TAP) if one.action.startswith(verb)
    )


def said(match: Match) -> Counter[str]:
    """How often each public sentence is in the log, by its message."""
    entries = Entry.objects.filter(match=match)
    return Counter(line["message"] for entry in entries for line in entry.lines)


def standing(match: Match) -> Table:
    """The position as it is now."""
    match.refresh_from_db()
    return storage.load(match).state


def is_whole(match: Match) -> None:
    """Fail unless every version of a match has exactly one entry."""
    match.refresh_from_db()
    versions = Entry.objects.filter(match=match).order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, match.version + 1))


def placed(match: Match, confirmed: tuple[str, ...]) -> None:
    """All orders lie face down, and these houses have said so."""
    for house in HOUSES:
        tap(match, house, "ready")
    for house, given in ORDERS.items():
        for area, order in given.items():
            if any(offer.action == f"at:{area}" for offer in engine.offers(standing(match), house)):
                tap(match, house, f"at:{area}")
            tap(match, house, f"order:{order}")
    for house in confirmed:
        tap(match, house, "placed")


@pytest.mark.parametrize("confirmed", [(), ("baratheon",)], ids=["three", "two"])
def test_orders_confirmed_in_one_instant_are_turned_over_once(server: Server, confirmed: tuple[str, ...]):
    match = play.open_match("agot", "orders", HOUSES)
    placed(match, confirmed)
    last = [house for house in HOUSES if house not in confirmed]
    phones = {house: seated(server, match, house) for house in last}
    match.refresh_from_db()
    answers = at_once([lambda phone=phone: act(phone, match, "placed") for phone in phones.values()])
    assert [answer.status for answer in answers] == [200] * len(last)
    assert sorted(entry.seat for entry in taps_of(match, "placed")) == sorted(HOUSES)
    is_whole(match)
    told = said(match)
    assert (told["All orders are revealed."], told["%(house)s: %(orders)s."]) == (1, 3)
    state = standing(match)
    lying = {key: area.order_token for key, area in state.objectives.items() if area.order_token}
    assert lying == {area: order for given in ORDERS.values() for area, order in given.items()}
    assert {(army.face_down, tuple(army.hidden)) for army in state.armies.values()} == {(0, ())}
    assert state.question.step == "raven"


def against(match: Match, what: str) -> None:
    """Lead from the round's first bids to the bids for this."""
    if what == "wildlings":
        for track in ("iron-throne", "fiefdoms", "kings-court"):
            for house, amount in (("stark", 1), ("lannister", 0), ("baratheon", 0)):
                tap(match, house, f"bid:{track}:{amount}")
            holder = engine.to_act(standing(match))
            tap(match, *holder, "place:baratheon")


@pytest.mark.parametrize("sealed", [(), ("stark",)], ids=["three", "two"])
@pytest.mark.parametrize("what", ["iron-throne", "wildlings"])
@pytest.mark.parametrize("mode", ["light", "orders"])
def test_last_bids_of_one_instant_are_all_paid_once(
    server: Server, mode: str, what: str, sealed: tuple[str, ...]
):
    match = play.open_match("agot", mode, HOUSES)
    play_to_the_clash(match, mode)
    against(match, what)
    amounts = {"stark": 2, "lannister": 3, "baratheon": 1}
    for house in sealed:
        tap(match, house, f"bid:{what}:{amounts[house]}")
    phones = {house: seated(server, match, house) for house in HOUSES if house not in sealed}
    before, earlier = standing(match), said(match)
    answers = at_once(
        [
            lambda phone=phone, house=house: act(phone, match, f"bid:{what}", amounts[house])
            for house, phone in phones.items()
        ]
    )
    assert [answer.status for answer in answers] == [200] * len(phones)
    is_whole(match)
    told = said(match) - earlier
    assert (told["%(house)s has bid."], told["%(house)s bid %(amount)s."]) == (len(phones), 3)
    state = standing(match)
    assert {house: before.armies[house].power - state.armies[house].power for house in HOUSES} == amounts
    assert {tuple(army.hidden) for army in state.armies.values()} == {()}
    assert state.question.step == {"iron-throne": "bid", "wildlings": "wildling-card"}[what]
