"""Many who register from one address: the rest wait, and an organiser takes them off in one go."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.urls import reverse

from games.hall import commands, event_undo
from games.hall.models import EventEntry, Player
from games.match.play import new_key
from tests.hall.halls import ANNA, opened, state
from tests.hall.places import card
from tests.hall.test_organiser import phone_of
from tests.trust.cast import Phone, rest

pytestmark = pytest.mark.django_db

STRANGER, CLUB = "203.0.113.9", "198.51.100.4"


@pytest.fixture
def code() -> str:
    rest()
    return opened(0)


def register(code: str, name: str, address: str = STRANGER, device: Phone | None = None) -> HttpResponse:
    """Somebody registers with a form, with all limits as they are."""
    path = reverse("event-register", args=[code])
    return (device or Phone()).post(path, {"name": name, "key": new_key()}, REMOTE_ADDR=address)


def crowd(code: str, count: int, address: str = STRANGER) -> list[int]:
    return [register(code, f"Stranger {number}", address).status_code for number in range(count)]


def names(code: str) -> list[str]:
    return [one.name for one in state(code).players.values()]


def test_a_flood_from_one_address_waits_and_a_club_elsewhere_does_not(code: str) -> None:
    statuses = crowd(code, 60)
    assert statuses[:40] == [302] * 40, "a whole club registers from one phone"
    assert set(statuses[41:]) == {429}
    assert int(register(code, "One more")["Retry-After"]) <= 6
    assert register(code, "Anna", CLUB).status_code == 302
    assert register(opened(0), "Anna", STRANGER).status_code == 302, "each event counts by itself"


def test_programs_are_counted_with_the_forms(code: str) -> None:
    path = reverse("api:hall-players", args=[code])
    statuses = [
        Phone()
        .post(
            path,
            {"name": f"Robot {number}", "key": new_key()},
            content_type="application/json",
            REMOTE_ADDR=STRANGER,
        )
        .status_code
        for number in range(45)
    ]
    assert (statuses.count(201), statuses.count(429)) == (40, 5)
    assert register(code, "Anna").status_code == 429
    assert len({one.registered_from for one in Player.objects.all()} - {""}) == 1


def test_where_somebody_registered_is_kept_as_a_hash_of_this_event(code: str) -> None:
    other = opened(0)
    for event, name, address in ((code, "Anna", CLUB), (code, "Ben", CLUB), (other, "Cy", CLUB)):
        register(event, name, address)
    found = dict(Player.objects.values_list("name", "registered_from"))
    assert found["Anna"] == found["Ben"] != found["Cy"]
    assert all(len(one) == 64 and CLUB not in one for one in found.values())
    commands.register(code, ANNA, "Entered by an organiser")
    assert Player.objects.get(name__startswith="Entered").registered_from == ""


# --- all of them are taken off --------------------------------------------------------------------


def picks(answer: HttpResponse) -> dict[str, bool]:
    """Who can be picked on a page, and whether they are."""
    boxes = re.findall(r'name="pick" value="(\w+)"( checked)?', answer.content.decode())
    return {key: bool(checked) for key, checked in boxes}


def keys(code: str) -> dict[str, str]:
    return {one.name: key for key, one in state(code).players.items()}


@pytest.fixture
def filled(code: str) -> str:
    """Strangers of one address among a club's players."""
    crowd(code, 12)
    for name in ("Anna", "Ben"):
        register(code, name, CLUB)
    commands.register(code, ANNA, "Cleo")
    return code


def test_all_of_one_address_are_picked_seen_taken_off_and_brought_back(filled: str) -> None:
    phone, strangers = phone_of(filled), {key for name, key in keys(filled).items() if "Stranger" in name}
    page = phone.get(reverse("organise-removing", args=[filled]))
    assert not any(picks(page).values())
    assert set(picks(page)) == set(keys(filled).values())
    way = re.search(r'href="([^"]+\?with=\w+)"', page.content.decode())[1]
    chosen = picks(phone.get(way))
    assert {key for key, is_picked in chosen.items() if is_picked} == strangers, "the largest group is first"
    before = EventEntry.objects.count()
    seen = phone.post(
        reverse("organise-picked", args=[filled]), {"pick": sorted(strangers), "key": new_key()}
    )
    assert set(picks(seen)) == strangers
    assert "Stranger 11" in seen.content.decode()
    assert (EventEntry.objects.count(), len(names(filled))) == (before, 15), "nobody is gone yet"
    form = {"do": "remove_picked", "pick": sorted(strangers), "key": new_key(), "at": "removing"}
    for _time in range(2):
        assert phone.post(reverse("organise-do", args=[filled]), form).status_code == 302
    assert names(filled) == ["Anna", "Ben", "Cleo"]
    entry = EventEntry.objects.latest("pk")
    assert EventEntry.objects.count() == before + 1
    assert "12 players" in phone.get(reverse("organise-log", args=[filled])).content.decode()
    event_undo.undo(filled, entry.version, ANNA)
    assert len(names(filled)) == 15


def test_some_are_ticked_one_by_one(filled: str) -> None:
    phone, gone = phone_of(filled), [keys(filled)[name] for name in ("Anna", "Stranger 3")]
    form = {"do": "remove_picked", "pick": gone, "key": new_key(), "at": "removing"}
    assert phone.post(reverse("organise-do", args=[filled]), form).status_code == 302
    assert not {"Anna", "Stranger 3"} & set(names(filled))
    assert len(names(filled)) == 13


def test_nobody_is_taken_off_if_one_of_them_cannot_be(filled: str) -> None:
    phone = phone_of(filled)
    commands.check_in(filled, ANNA, keys(filled)["Anna"])
    commands.check_in(filled, ANNA, keys(filled)["Ben"])
    commands.pair(filled, ANNA)
    page = phone.get(reverse("organise-removing", args=[filled]))
    assert not {keys(filled)["Anna"], keys(filled)["Ben"]} & set(picks(page)), (
        "who is paired cannot be picked"
    )
    for wanted in ([keys(filled)["Cleo"], keys(filled)["Anna"]], [keys(filled)["Cleo"], "p999"], []):
        form = {"do": "remove_picked", "pick": wanted, "key": new_key(), "at": "removing"}
        answer = phone.post(reverse("organise-do", args=[filled]), form)
        assert answer.status_code in (409, 422)
        assert 'role="alert"' in answer.content.decode()
        assert len(names(filled)) == 15


def test_only_organisers_pick_and_take_off(filled: str) -> None:
    gone = {"pick": list(keys(filled).values()), "key": new_key(), "at": "removing"}
    for phone in (Phone(), phone_of(filled, "judge")):
        assert phone.get(reverse("organise-removing", args=[filled])).status_code == 403
        assert phone.post(reverse("organise-picked", args=[filled]), gone).status_code == 403
        form = {**gone, "do": "remove_picked"}
        assert phone.post(reverse("organise-do", args=[filled]), form).status_code == 403
    assert len(names(filled)) == 15


# --- a registration whose answer was lost ---------------------------------------------------------


def test_who_never_heard_of_their_place_opens_the_page_again_and_has_it(code: str) -> None:
    """They scanned the event's code again; today's form has another key, and the name is taken."""
    device = Phone()
    path = reverse("event-register", args=[code])
    key = re.search(r'name="key" value="([\w-]+)"', device.get(path).content.decode())[1]
    device.twin().post(path, {"name": "Anna", "club": "North", "key": key})
    again = device.get(path).content.decode()
    assert 'value="Anna"' in again
    assert register(code, "anna", device=device).status_code == 302
    assert "Anna" in card(device, code)
    assert names(code) == ["Anna"]


def test_another_device_gets_nobodys_place_by_the_same_name(code: str) -> None:
    device, other = Phone(), Phone()
    path = reverse("event-register", args=[code])
    key = re.search(r'name="key" value="([\w-]+)"', device.get(path).content.decode())[1]
    device.post(path, {"name": "Anna", "key": key})
    other.get(path)
    assert other.post(path, {"name": "Anna", "key": new_key()}).status_code == 422
    assert 'value="Anna"' not in other.get(path).content.decode()
