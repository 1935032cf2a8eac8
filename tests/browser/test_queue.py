"""Taps made out of reach wait visibly and merge on return; those that no longer count are explained."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright import sync_api
from playwright.sync_api import expect

from games.models import Entry, Match, Seat
from games.people import seats
from tests.browser.driving import SET_UP, Screen, do, opened, until
from tests.serving import Served

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]

ENGAGED = (
    SET_UP
    + """
red activate:crannogman-trackers
red unit/crannogman-trackers engage:crannogman-trackers:lannister-crossbowmen
"""
)
STRIKE = "unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1"


def out_of_reach(phone: Screen) -> None:
    phone.page.context.set_offline(True)


def back(phone: Screen) -> None:
    phone.page.context.set_offline(False)


def waiting(phone: Screen) -> list[str]:
    """What the list of waiting taps says, line by line."""
    return phone.page.eval_on_selector_all("#unsent li", "all => all.map(one => one.innerText)")


def counts(phone: Screen, words: str) -> None:
    """Wait until the heading of the list says this."""
    phone.page.wait_for_selector(f"#unsent:not([hidden]) b:text-is('{words}')")


def stored(phone: Screen) -> list[dict[str, Any]]:
    """What the phone keeps to survive a reload."""
    kept = dict(phone.page.evaluate("Object.entries({ ...localStorage, ...sessionStorage })"))
    return [json.loads(tap) for name, tap in kept.items() if name.startswith("unsent ")]


def actions(match: Match, kind: str) -> list[str]:
    return list(
        match.entries.filter(kind=kind, key__gt="").order_by("version").values_list("action", flat=True)
    )


def unit(phone: Screen) -> str:
    return next(offer for offer in phone.offers if offer.startswith("activate:"))


def struck(screen: Screens, times: int = 3) -> tuple[Match, Screen]:
    """A table, and a phone that noted wounds while it was out of reach."""
    match = opened(ENGAGED)
    phone = screen().sit_down(match, "red")
    out_of_reach(phone)
    strike(phone, times)
    return match, phone


def strike(phone: Screen, times: int) -> None:
    """Note a number of wounds, which have to wait."""
    for _each in range(times):
        phone.press(STRIKE)
    counts(phone, f"{times} taps waiting" if times > 1 else "1 tap waiting")


def test_corrections_wait_in_sight_and_all_of_them_count(screen: Screens) -> None:
    match, phone = struck(screen)
    lines = waiting(phone)
    expect(phone.page.locator("#link.waits")).to_have_count(1)
    assert len(lines) == 3
    assert len(set(lines)) == 1
    assert phone.says("#card-lannister-crossbowmen .left") == "12/12"
    version = do(match, "blue unit/gregor-clegane wounds:gregor-clegane:-1")
    back(phone)
    phone.reaches(version + 3, 10)
    phone.page.wait_for_selector("#unsent", state="hidden")
    assert phone.says("#card-lannister-crossbowmen .left") == "9/12"
    expect(phone.page.locator("[data-pending], #link.waits")).to_have_count(0)


def swallowed(route) -> None:  # type: ignore[no-untyped-def]
    """Let a request arrive and its answer be lost."""
    route.fetch()
    # A phone that gave up waiting has already closed the connection.
    with suppress(sync_api.Error):
        route.abort()


def test_a_tap_that_had_arrived_before_its_answer_was_lost_counts_once(screen: Screens) -> None:
    match = opened(ENGAGED)
    phone = screen().sit_down(match, "red")
    phone.page.route("**/adjust", swallowed)
    phone.press(STRIKE)
    counts(phone, "1 tap waiting")
    phone.page.unroute("**/adjust")
    phone.page.wait_for_selector("#unsent", state="hidden")
    phone.reaches(match.version + 1)
    assert phone.says("#card-lannister-crossbowmen .left") == "11/12"


def test_the_queue_survives_a_reload_and_holds_no_token(screen: Screens) -> None:
    match, phone = struck(screen)
    assert len(stored(phone)) == 3
    kept = json.dumps(stored(phone))
    token = phone.page.get_attribute("#adjust input[name=csrfmiddlewaretoken]", "value")
    assert token not in kept
    assert "csrf" not in kept
    phone.page.route("**/adjust", lambda route: route.abort())
    back(phone)
    phone.page.reload()
    phone.live()
    counts(phone, "3 taps waiting")
    phone.page.unroute("**/adjust")
    phone.reaches(match.version + 3)
    assert phone.says("#card-lannister-crossbowmen .left") == "9/12"
    assert stored(phone) == []


def test_of_the_answers_to_a_question_the_last_one_goes(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    first, second = [offer for offer in phone.offers if offer.startswith("activate:")][:2]
    out_of_reach(phone)
    phone.press(first)
    counts(phone, "1 tap waiting")
    phone.press(second)
    phone.page.wait_for_selector("#unsent li >> nth=1")
    assert phone.says("#unsent p") == "1 tap waiting"
    assert waiting(phone)[1].endswith("Replaced by your later answer.")
    back(phone)
    phone.reaches(match.version + 1, 10)
    assert [action for action in actions(match, Entry.Kind.TAP) if action.startswith("activate:")] == [second]
    counts(phone, "Not sent")
    phone.page.tap("[data-unsent=read]")
    phone.page.wait_for_selector("#unsent", state="hidden")


def test_an_answer_that_had_arrived_is_not_called_replaced(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    first, second = [offer for offer in phone.offers if offer.startswith("activate:")][:2]
    for news in ("**/board?*", "**/live/**"):
        phone.page.route(news, lambda route: route.abort())
    phone.page.reload()
    phone.page.route("**/act", swallowed)
    phone.press(first)
    counts(phone, "1 tap waiting")
    out_of_reach(phone)
    phone.press(second)
    phone.page.wait_for_selector("#unsent li >> nth=1")
    phone.page.unroute_all(behavior="ignoreErrors")
    back(phone)
    counts(phone, "Not sent")
    phone.reaches(match.version + 1, 10)
    [line] = waiting(phone)
    assert line.endswith("Your earlier answer arrived and counts. Check the table.")
    assert [action for action in actions(match, Entry.Kind.TAP) if action.startswith("activate:")] == [first]


def test_an_answer_is_explained_when_the_table_has_moved_on(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    wanted = unit(phone)
    out_of_reach(phone)
    phone.press(wanted)
    counts(phone, "1 tap waiting")
    other = next(offer for offer in phone.offers if offer.startswith("activate:") and offer != wanted)
    version = do(match, f"red {other}")
    back(phone)
    counts(phone, "Not sent")
    assert waiting(phone)[0].endswith("Something changed. Check the table, then tap again.")
    phone.reaches(version)
    assert wanted not in actions(match, Entry.Kind.TAP)


def test_taking_back_is_not_sent_to_another_board(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    phone.tap(unit(phone))
    out_of_reach(phone)
    phone.page.tap("button[name=undo]")
    counts(phone, "1 tap waiting")
    version = do(match, "blue unit/gregor-clegane wounds:gregor-clegane:-1")
    back(phone)
    phone.reaches(version, 10)
    counts(phone, "Not sent")
    assert not match.entries.filter(kind=Entry.Kind.UNDO).exists()


def test_of_an_answer_nothing_is_stored_but_that_there_was_one(screen: Screens) -> None:
    """It may be a sealed bid, and the phone may be passed on."""
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    wanted = unit(phone)
    out_of_reach(phone)
    phone.press(wanted)
    counts(phone, "1 tap waiting")
    assert stored(phone) == [{"form": "table", "seat": "red"}]
    phone.page.route("**/act", lambda route: route.abort())
    back(phone)
    phone.page.reload()
    counts(phone, "Not sent")
    assert waiting(phone)[0].startswith("Unsent answer")
    assert stored(phone) == []
    phone.page.unroute("**/act")
    phone.live()
    assert actions(match, Entry.Kind.TAP)[-1] == "deployed"
    phone.tap(wanted)


def test_a_phone_that_lost_its_seat_sends_nothing_and_says_so(screen: Screens) -> None:
    match, phone = struck(screen)
    seats.revoke(Seat.objects.get(match=match, key="red"))
    back(phone)
    counts(phone, "Not sent")
    phone.page.wait_for_selector("body.watching")
    assert len(waiting(phone)) == 3
    assert all(line.endswith("This device no longer has the seat.") for line in waiting(phone))
    assert stored(phone) == []
    assert not match.entries.filter(action__startswith="wounds:").exists()


def test_what_was_refused_for_a_lost_seat_is_told_on_the_page_that_comes(screen: Screens) -> None:
    """The taps may be heard of before the board that sends the page away: it took their list along."""
    match, phone = struck(screen)
    seats.revoke(Seat.objects.get(match=match, key="red"))
    for address in ("**/board*", "**/live/**"):
        phone.page.route(address, lambda route: route.abort())
    with phone.page.expect_response("**/adjust"):
        back(phone)
        phone.page.evaluate("document.dispatchEvent(new Event('table:heard'))")
    for address in ("**/board*", "**/live/**"):
        phone.page.unroute(address)
    phone.page.wait_for_selector("body.watching")
    counts(phone, "Not sent")
    assert len(waiting(phone)) == 3
    assert stored(phone) == []


def test_a_tap_that_a_lost_seat_refused_is_told_on_the_page_that_comes(screen: Screens) -> None:
    """Its answer is a spectator's board with the reason, which a reload soon takes away."""
    match = opened(ENGAGED)
    phone = screen().sit_down(match, "red")
    for address in ("**/board*", "**/live/**"):
        phone.page.route(address, lambda route: route.abort())
    seats.revoke(Seat.objects.get(match=match, key="red"))
    phone.press(STRIKE)
    phone.page.wait_for_selector("body.watching")
    counts(phone, "Not sent")
    assert waiting(phone)[0].endswith("This device no longer has the seat.")
    assert stored(phone) == []


def test_what_waits_can_be_dropped(screen: Screens) -> None:
    match, phone = struck(screen, 1)
    phone.page.tap("[data-unsent=drop]")
    phone.page.wait_for_selector("#unsent", state="hidden")
    assert stored(phone) == []
    back(phone)
    phone.page.wait_for_timeout(2500)
    assert not match.entries.filter(action__startswith="wounds:").exists()


def test_in_a_sheet_the_list_is_in_sight_too(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    phone.page.tap(".side.mine .cards .pencil >> nth=0")
    phone.page.wait_for_selector("#sheet[open]")
    out_of_reach(phone)
    phone.page.tap("#sheet button[name=change][value$=':-1'] >> nth=0")
    counts(phone, "1 tap waiting")
    expect(phone.page.locator("#sheet #unsent")).to_have_count(1)
    assert waiting(phone)[0].count(" · ") == 2
    phone.page.tap("#sheet [data-close]")
    phone.page.wait_for_selector("body > #unsent")
    phone.page.tap(".side.mine .cards .pencil >> nth=0")
    phone.page.wait_for_selector("#unsent li >> nth=1")
    assert waiting(phone)[1].endswith("Open this again when you are connected.")
    expect(phone.page.locator("#board")).to_have_count(1)
    back(phone)
    phone.reaches(match.version + 1, 10)


def test_a_server_that_is_away_while_both_sides_play_on(screen: Screens, served: Served) -> None:
    """Taps made blind come after what others did meanwhile; none is lost, and none counts twice."""
    match = opened(ENGAGED)
    phone = screen(base_url=served.url).sit_down(match, "red")
    served.stop()
    phone.press(STRIKE)
    counts(phone, "1 tap waiting")
    until(lambda: phone.page.get_attribute("#link", "data-link") == "off", 6, screen=phone)
    phone.press(STRIKE)
    counts(phone, "2 taps waiting")
    version = do(match, "blue activate:gregor-clegane")
    served.start()
    phone.reaches(version + 2, 15)
    assert phone.says("#card-lannister-crossbowmen .left") == "10/12"
    phone.page.wait_for_selector("#unsent", state="hidden")


def test_a_table_that_can_be_heard_but_not_save_is_not_stormed(screen: Screens) -> None:
    """Each look at the board would otherwise send the tap again, and each tap ask for the board."""
    match = opened(ENGAGED)
    phone = screen().sit_down(match, "red")
    sent: list[str] = []

    def refuse(route: sync_api.Route) -> None:
        sent.append(route.request.url)
        route.fulfill(status=503, body="Full.", headers={"Cross-Origin-Resource-Policy": "same-origin"})

    phone.page.route("**/adjust", refuse)
    strike(phone, 1)
    phone.page.wait_for_timeout(3500)
    assert 2 <= len(sent) <= 4
    with phone.page.expect_request("**/adjust", timeout=1000):
        phone.page.tap("[data-unsent=retry]")
    phone.page.unroute("**/adjust")
    phone.reaches(match.version + 1, 10)
