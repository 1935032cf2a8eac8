"""What the board game does not allow: one sentence each, the right status, and nothing written."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from games.core import State, Step
from games.match import play, storage
from games.models import Entry, Match, Seat
from games.people import seats
from games.systems.agot.map.march import March
from games.systems.agot.map.westeros_on_map import Muster
from games.systems.agot.orders.open_orders import Raids
from games.systems.agot.tracks.westeros_phase import RAINS, STORM
from tests.trust import cast
from tests.trust.cast import Phone
from tests.trust.test_secret_bids import play_to_the_clash
from tests.trust.twins import HOUSES, tap


def planning(match: Match) -> None:
    for house in HOUSES:
        tap(match, house, "ready")


def placing(match: Match) -> None:
    """Stark has placed two of its three orders."""
    planning(match)
    for order in ("march-plus", "support"):
        tap(match, "stark", f"order:{order}")


def starred(match: Match) -> None:
    """As many of Stark's orders have a star as are allowed."""
    planning(match)
    for order in ("march-plus", "support-star"):
        tap(match, "stark", f"order:{order}")


def confirmed(match: Match) -> None:
    placing(match)
    tap(match, "stark", "order:support")
    tap(match, "stark", "placed")


def bidding(match: Match) -> None:
    play_to_the_clash(match, "orders")


def sealed(match: Match) -> None:
    bidding(match)
    tap(match, "stark", "bid:iron-throne:2")


def paid(match: Match) -> None:
    """The bids for the Iron Throne are revealed; the houses are asked for those for the Fiefdoms."""
    sealed(match)
    tap(match, "lannister", "bid:iron-throne:1")
    tap(match, "baratheon", "bid:iron-throne:0")


def changed(change: Callable[[Any], None]) -> Callable[[Match], None]:
    """The position at the first orders, with something changed as an organiser may change it."""

    def prepare(match: Match) -> None:
        planning(match)
        play.edit(match.code, change, "Organiser", "for a test")

    return prepare


def forbidden(card: str) -> Callable[[Match], None]:
    """A Westeros card forbids an order this round."""
    return changed(lambda g: setattr(g, "barred", card))


def asks(g: State, step: Step) -> None:
    """Another question is open."""
    g.flow = ()
    g.call(step)


def at_a_full_port(g: Any) -> None:
    """Stark marches from a sea next to its port, which holds three ships."""
    port, sea = g.objectives["port-of-white-harbor"], g.objectives["the-narrow-sea"]
    port.house, port.ships, sea.house, sea.ships = "stark", 3, "stark", 1
    asks(g, March("stark", "the-narrow-sea", "zero"))


def mustering(g: Any) -> None:
    at_a_full_port(g)
    asks(g, Muster("stark", "white-harbor", 1))


def at_a_river(g: Any) -> None:
    asks(g, March("stark", "winterfell", "zero"))


def raiding(g: Any) -> None:
    """Stark has a Raid order at Greywater Watch, with orders that it could remove all around."""
    for key, house, order in (
        ("greywater-watch", "stark", "raid"),
        ("winterfell", "lannister", "support"),
        ("flints-finger", "lannister", "support"),
        ("moat-cailin", "lannister", "defense"),
        ("bay-of-ice", "lannister", "support"),
        ("karhold", "lannister", "raid"),
    ):
        area = g.objectives[key]
        area.footmen = area.knights = area.ships = 0
        area.house, area.order_token = house, order
        area.add("ship" if key == "bay-of-ice" else "footman", 1)
    asks(g, Raids())


def surveying(match: Match) -> None:
    """Stark enters what it has in Winterfell."""
    planning(match)
    play.adjust(match.code, "stark", "table", "keep:light", play.new_key())
    play.adjust(match.code, "stark", "table", "keep:full", play.new_key())
    tap(match, "stark", "at:winterfell")


def surveying_a_port(match: Match) -> None:
    surveying(match)
    tap(match, "stark", "leave")
    tap(match, "stark", "at:port-of-white-harbor")


NOT_NOW = "You cannot do that now."
NO_AREA = "There is no such area on the map."
MALFORMED = "This game has no such action."
SEALED = "Your bid is sealed. To change it, tap “Change my bid”."


def numbers(least: int, most: int) -> str:
    return f"Please enter a whole number from {least} to {most}."


BAD: dict[str, tuple[Callable[[Match], None], str, int, str]] = {
    "a bid over the power": (bidding, "bid:iron-throne:6", 409, numbers(0, 5)),
    "a negative bid": (bidding, "bid:iron-throne:-1", 409, numbers(0, 5)),
    "no bid at all": (bidding, "bid:iron-throne", 409, numbers(0, 5)),
    "a bid for another track": (bidding, "bid:fiefdoms:1", 409, NOT_NOW),
    "a second bid": (sealed, "bid:iron-throne:3", 409, SEALED),
    "the same bid again": (sealed, "bid:iron-throne:2", 409, SEALED),
    "a bid after the reveal": (paid, "bid:iron-throne:2", 409, NOT_NOW),
    "a bid over what was paid": (paid, "bid:fiefdoms:4", 409, numbers(0, 3)),
    "taken back after the reveal": (paid, "unseal", 409, NOT_NOW),
    "a fourth ship marches into a port": (
        changed(at_a_full_port), "to:port-of-white-harbor", 409,
        "Port of White Harbor holds three ships already.",
    ),
    "a fourth ship is mustered into a port": (
        changed(mustering), "muster:ship:port-of-white-harbor", 409, NOT_NOW,
    ),
    "a fourth ship is surveyed in a port": (surveying_a_port, "has:ship:4", 409, numbers(0, 3)),
    "a march over a river": (
        changed(at_a_river), "to:greywater-watch", 409,
        "A river without a bridge lies before Greywater Watch.",
    ),
    "a march by land to sea": (
        changed(at_a_river), "to:bay-of-ice", 409, "Land units stand neither in seas nor in ports.",
    ),
    "a march to nowhere": (changed(at_a_river), "to:atlantis", 409, NO_AREA),
    "an order for nowhere": (planning, "at:atlantis", 409, NO_AREA),
    "an order for no area": (planning, "at", 409, NO_AREA),
    "an order for a rival's area": (planning, "at:lannisport", 409, "You have no units in Lannisport."),
    "an order for an empty area": (planning, "at:karhold", 409, "You have no units in Karhold."),
    "a used up order": (placing, "order:march-plus", 409, "No token of this kind is left: March +1 ★."),
    "a star too many": (starred, "order:raid-star", 409, "You may place at most 2 special orders."),
    "a forbidden march": (
        forbidden(RAINS), "order:march-plus", 409, "A Westeros card forbids it this round: March +1 ★.",
    ),
    "a forbidden kind": (
        forbidden(STORM), "order:defense-star", 409, "A Westeros card forbids it this round: Defense +2 ★.",
    ),
    "an order that is none": (placing, "order:surrender", 409, NOT_NOW),
    "an order for two": (placing, "order:raid:winterfell", 409, NOT_NOW),
    "confirmed before all lie": (placing, "placed", 409, NOT_NOW),
    "an order after the last word": (
        confirmed, "order:raid", 409,
        "Your orders are confirmed. To change them, tap “Change my orders” first.",
    ),
    "a raid over a river": (
        changed(raiding), "raid:greywater-watch:winterfell", 409,
        "A river without a bridge lies before Winterfell.",
    ),
    "a raid by land to sea": (
        changed(raiding), "raid:greywater-watch:bay-of-ice", 409,
        "Land units raid no sea, and ships in a port only their sea.",
    ),
    "a raid far away": (
        changed(raiding), "raid:greywater-watch:karhold", 409, "Karhold is not adjacent.",
    ),
    "a raid on a defence": (
        changed(raiding), "raid:greywater-watch:moat-cailin", 409,
        "This raid removes no order in Moat Cailin.",
    ),
    "somebody else's raid": (
        changed(raiding), "raid:karhold:winterfell", 409, "You have no Raid order in Karhold.",
    ),
    "a raid from nowhere": (changed(raiding), "raid:atlantis:winterfell", 409, NO_AREA),
    "more units than there are": (surveying, "has:footman:11", 409, numbers(0, 6)),
    "fewer units than none": (surveying, "has:footman:-1", 409, numbers(0, 6)),
    "ships on land": (surveying, "has:ship:1", 409, NOT_NOW),
    "units that are none": (surveying, "has:dragon:1", 409, NOT_NOW),
    "a number of 5000 digits": (surveying, "has:footman:" + "9" * 5000, 422, MALFORMED),
}  # fmt: skip
"""By title: how the table gets there, what Stark sends, and the status and sentence of the answer."""


def robot(match: Match, house: str) -> Phone:
    """A program with the token of a seat."""
    phone = Phone()
    phone.token = seats.api_token(Seat.objects.select_related("match").get(match=match, key=house))
    return phone


def stored(match: Match) -> object:
    """Everything that a refusal must leave as it is."""
    match.refresh_from_db()
    return storage.load(match).state.to_json(), match.version, Entry.objects.filter(match=match).count()


@pytest.mark.django_db
@pytest.mark.parametrize("title", BAD)
def test_what_the_rules_do_not_allow_is_said_and_changes_nothing(title: str):
    """From a program, and from a form with the same action and number."""
    prepare, action, status, sentence = BAD[title]
    match = play.open_match("agot", "orders", HOUSES)
    prepare(match)
    before = stored(match)

    body = {"action": action, "seen": match.version, "key": "a-key-of-its-own"}
    answer = robot(match, "stark").ask("POST", f"/api/matches/{match.code}/act", body)
    told = answer.json()
    assert (answer.status_code, told.get("message", "").removeprefix("action: ")) == (status, sentence), told
    assert stored(match) == before

    phone = Phone()
    cast.sit(phone, match, "stark")
    match.refresh_from_db()
    before = stored(match)
    form = {"action": action, "seen": match.version, "key": "another-key-of-its-own"}
    page = phone.ask("POST", f"/t/{match.code}/act", form, HX_Request="true")
    text = page.content.decode()
    notices = re.findall(r'<p[^>]*class="notice[^"]*"[^>]*>(.*?)</p>', text, re.DOTALL)
    assert (page.status_code, sum(sentence in unescape(notice) for notice in notices)) == (status, 1), notices
    assert 'id="board"' in text
    assert stored(match) == before


@pytest.mark.django_db
def test_a_tap_that_was_made_before_the_reveal_comes_too_late():
    match = play.open_match("agot", "orders", HOUSES)
    sealed(match)
    seen = match.version
    tap(match, "lannister", "bid:iron-throne:1")
    tap(match, "baratheon", "bid:iron-throne:0")
    before = stored(match)
    body = {"action": "unseal", "seen": seen, "key": "a-key-of-its-own"}
    answer = robot(match, "stark").ask("POST", f"/api/matches/{match.code}/act", body)
    told = answer.json()
    assert (answer.status_code, told["message"]) == (
        409,
        "Something changed. Check the table, then tap again.",
    )
    assert stored(match) == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "action", "status", "sentence"),
    [
        ("table", "keep:legacy", 409, "You cannot make that correction right now."),
        ("table", "keep:orders", 409, "You cannot make that correction right now."),
        ("table", "keep:", 422, MALFORMED),
        (
            "objective/atlantis",
            "footman:atlantis-of-stark:1",
            409,
            "You cannot make that correction right now.",
        ),
        ("objective/winterfell", "order:winterfell:raid", 409, "You cannot make that correction right now."),
    ],
)
def test_a_correction_that_cannot_be_is_refused(path: str, action: str, status: int, sentence: str):
    """A mode that does not exist or is already on; no such area; an order while some lie face down."""
    match = play.open_match("agot", "orders", HOUSES)
    placing(match)
    before = stored(match)
    body = {"path": path, "action": action, "key": "a-key-of-its-own"}
    answer = robot(match, "stark").ask("POST", f"/api/matches/{match.code}/adjust", body)
    told = answer.json()
    assert (answer.status_code, told.get("message", "").removeprefix("action: ")) == (status, sentence), told
    assert stored(match) == before


@pytest.mark.django_db
@pytest.mark.parametrize(("count", "status"), [(2, 422), (6, 201), (7, 422)])
def test_three_to_six_play(count: int, status: int):
    """From a program, and from the form of a new table."""
    body = {"system": "agot", "mode": "orders", "seats": [{"name": f"P{one}"} for one in range(count)]}
    answer = Phone().ask("POST", "/api/matches", body)
    assert (answer.status_code, Match.objects.count()) == (status, int(status == 201)), answer.content
    Match.objects.all().delete()
    form = {"mode": "agot/orders", "name": "Ada", "seat": "stark", "seats": str(count)}
    page = Phone().ask("POST", "/new", form)
    assert (page.status_code, Match.objects.count()) == ((302, 1) if status == 201 else (422, 0))
    if status == 422:
        sentence = "This game is played by 3 to 6 players."
        assert answer.json()["message"] == sentence
        assert page.content.decode().count(sentence) == 1


@pytest.mark.django_db
def test_a_program_sees_no_order_of_another_house():
    """It does see its own house's orders, which shows that the others would be there too."""
    match = play.open_match("agot", "orders", HOUSES)
    placing(match)
    answers = [
        phone.ask("GET", f"/api/matches/{match.code}")
        for phone in (robot(match, "stark"), robot(match, "lannister"), Phone())
    ]
    texts = [answer.content.decode() for answer in answers]
    told = [len(re.findall("march-plus|support", text)) for text in texts]
    assert told[0] > told[1] >= told[2]
    own, *others = (answer.json()["table"]["armies"]["stark"]["hidden"] for answer in answers)
    assert own["orders"]["winterfell"] == "march-plus"
    assert others == [{"orders": None, "area": None}] * 2
