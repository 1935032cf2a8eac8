"""An opponent joins by link or by code: at most five taps for both phones together, and nobody waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.history.signals import requests_changed
from games.models import Entry, Match, Seat, SeatRequest
from tests.browser.driving import BROKEN, Screen, at_sizes, opened, until, untroubled

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
TAPS = """
  const count = () => (sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1);
  addEventListener("click", (event) => event.isTrusted && count(), true);
"""
"""Counts every tap that a thumb makes on this page and the ones before it."""


def host(screen: Screens, **options: object) -> Screen:
    """A phone that has just started a table."""
    phone = screen(**options)
    phone.page.goto("/new")
    phone.page.fill("#name", "Ada")
    phone.page.tap("form.form button.main")
    phone.live()
    phone.page.add_init_script(TAPS)
    phone.page.reload()
    return phone.live()


def guest(screen: Screens, **options: object) -> Screen:
    phone = screen(**options)
    phone.page.add_init_script(TAPS)
    return phone


def taps(*phones: Screen) -> int:
    return sum(phone.page.evaluate("Number(sessionStorage.taps ?? 0)") for phone in phones)


def code_of(phone: Screen) -> str:
    return phone.page.inner_text(".invitee .code")


def asks(phone: Screen, code: str, name: str = "") -> None:
    """Go from the home page to waiting for the answer."""
    phone.page.goto("/")
    phone.page.tap("#code")
    phone.page.fill("#code", code.lower())
    phone.page.tap("form[action='/find'] button")
    if name:
        phone.page.fill("#name", name)
    phone.page.tap("button.main")
    phone.page.wait_for_selector("[data-waiting]")


def is_seated(phone: Screen) -> bool:
    return phone.page.url.endswith(("/army/blue", "/army/red"))


def test_by_code_both_phones_need_five_taps_and_the_guest_goes_on_by_itself(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    code = code_of(red)
    asks(blue, code)
    red.page.wait_for_selector(".guests button[name=let_in]")
    assert red.says(".guests b") == "A guest wants Blue"
    bar, score = (red.page.locator(part).bounding_box() for part in (".guests", ".score"))
    assert bar["y"] == 0, "on top of the page"
    assert bar["height"] <= score["y"], "nothing of the match is covered"
    red.page.tap(".guests button[name=let_in]")
    until(lambda: is_seated(blue), screen=blue)
    assert taps(red, blue) <= 5
    red.page.wait_for_selector(".invitee", state="detached")
    assert red.says(".arrived") == "Joined: Blue"
    expect(red.page.locator(".guests")).to_have_count(0)
    untroubled((red, blue), red.page.url.split("/")[2])


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_guest_with_a_long_name_leaves_the_score_and_the_menu_in_sight(
    screen: Screens, locale: str
) -> None:
    red = host(screen, locale=locale)
    asks(guest(screen), code_of(red), "Konstantinopolitanischer Dudelsackpfeif")
    red.page.wait_for_selector(".guests")
    for width in at_sizes(red.page, 390, 360, 320):
        parts = (".guests", ".score", ".menu summary")
        bar, score, menu = (red.page.locator(part).bounding_box() for part in parts)
        assert bar["y"] + bar["height"] < score["y"] + 2, width
        assert bar["x"] + bar["width"] <= menu["x"], width


def test_guests_who_ask_at_once_are_answered_one_by_one_beside_the_score(screen: Screens) -> None:
    red = host(screen)
    match = Match.objects.get(code=code_of(red))
    seat = Seat.objects.get(match=match, key="blue")
    names = ("Konstantin Dudelsack", "Bo", "Cy")
    for name in names:
        SeatRequest.objects.create(seat=seat, name=name, asker_hash=name)
    requests_changed.send(SeatRequest, code=match.code)
    for left, name in zip((3, 2, 1), names, strict=True):
        until(lambda name=name: name in red.says(".guests b"), screen=red)
        assert red.says(".guests b").startswith(f"1/{left}") == (left > 1)
        asked, score = (red.page.locator(part).bounding_box() for part in (".guests", ".score"))
        assert asked["height"] <= score["y"], "nothing of the match is covered"
        red.page.tap(".guests button[name=turn_away]")
    red.page.wait_for_selector(".guests", state="detached")


def test_by_link_both_phones_need_two_taps_and_the_name_takes_the_place_of_the_picture(
    screen: Screens,
) -> None:
    red, blue = host(screen), guest(screen)
    picture = red.page.get_attribute(".invitee img", "src")
    assert red.page.evaluate("url => fetch(url).then(answer => answer.ok)", picture)
    red.page.goto(red.page.url + "seats")
    link = red.page.inner_text(".invitation .address >> nth=0")
    red.page.go_back()
    red.live()
    before = taps(red)
    blue.page.goto(link)
    expect(blue.page.locator("#name"), "a guest by link is asked for a name, too").to_be_visible()
    blue.page.fill("#name", "Bo")
    blue.page.tap("button.main")
    until(lambda: is_seated(blue), screen=blue)
    assert taps(red, blue) - before <= 2
    red.page.wait_for_selector(".arrived")
    assert red.says(".arrived") == "Joined: Bo"


def test_a_device_is_asked_once_for_its_name_which_it_changes(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    asks(blue, code_of(red), "Bo")
    red.page.wait_for_selector(".guests")
    assert red.says(".guests b") == "Bo wants Blue"
    red.page.tap(".guests button[name=let_in]")
    until(lambda: is_seated(blue), screen=blue)
    blue.page.goto("/new")
    assert blue.page.input_value("#name") == "Bo"
    blue.page.goto(red.page.url)
    blue.live().page.tap(".menu summary")
    blue.page.tap(".menu a[href$='/seats']")
    blue.page.tap("a[href$='/name']")
    blue.page.fill("input[name=name]", "Bob")
    blue.page.tap("button.main")
    until(lambda: red.says(".arrived") == "Joined: Bob", screen=red)


def test_a_guest_without_a_stream_goes_on_by_asking(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    blue.page.route("**/live/**", lambda route: route.abort())
    asks(blue, code_of(red))
    red.page.wait_for_selector(".guests")
    red.page.tap(".guests button[name=let_in]")
    until(lambda: is_seated(blue), screen=blue)


def test_a_guest_who_watches_meanwhile_sits_down_by_itself_or_is_told_no(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    for answer, way in (("turn_away", "/watch"), ("let_in", "/")):
        asks(blue, code_of(red))
        blue.page.tap("a.button[href$='/watch']")
        blue.page.wait_for_url("**/watch")
        blue.page.goto(red.page.url.rstrip("/") + way)
        assert blue.says(".notice") == "Request sent. A seated player must now tap “Let in”."
        red.page.tap(f".guests button[name={answer}]")
        if answer == "turn_away":
            blue.page.wait_for_selector("#name-error")
            blue.page.wait_for_url("**/join")
    until(lambda: is_seated(blue), screen=blue)
    untroubled((red, blue), red.page.url.split("/")[2])


def test_a_host_without_a_stream_hears_of_a_guest_by_asking(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    code = code_of(red)
    red.page.route("**/live/**", lambda route: route.abort())
    red.page.reload()
    asks(blue, code)
    red.page.wait_for_selector(".guests", timeout=9000)


def test_who_is_turned_away_hears_it(screen: Screens) -> None:
    red, blue = host(screen), guest(screen)
    asks(blue, code_of(red))
    entries = Entry.objects.count()
    red.page.wait_for_selector(".guests")
    red.page.tap(".guests button[name=turn_away]")
    red.page.wait_for_selector(".guests", state="detached")
    blue.page.wait_for_selector("text=Your request was declined", timeout=7000)
    assert Entry.objects.count() == entries


def test_the_picture_grows_by_a_tap_and_shrinks_by_another(screen: Screens) -> None:
    for script in (True, False):
        red = host(screen) if script else plain_host(screen)
        small = red.page.locator(".invitee img").bounding_box()
        red.page.tap("#qr")
        large = red.page.locator(".invitee img").bounding_box()
        assert large["width"] > 360 > 200 > small["width"]
        assert red.page.evaluate("document.elementFromPoint(195, 20).closest('.invitee') !== null")
        red.page.touchscreen.tap(195, 420)
        assert red.page.locator(".invitee img").bounding_box()["width"] == small["width"]


def plain_host(screen: Screens) -> Screen:
    red = screen(java_script_enabled=False)
    red.page.goto("/new")
    red.page.tap("form.form button.main")
    red.page.wait_for_selector(".invitee img")
    red.page.wait_for_load_state()  # Without its style sheet a page has other measures.
    return red


def test_without_scripts_a_guest_joins_with_one_tap_more(screen: Screens) -> None:
    red, blue = plain_host(screen), screen(java_script_enabled=False)
    code = red.page.inner_text(".invitee .code")
    asks(blue, code)
    red.page.reload()
    red.page.tap(".guests button[name=let_in]")
    blue.page.wait_for_selector("form[data-granted]", timeout=6000)
    blue.page.tap("button.main")
    until(lambda: is_seated(blue), screen=blue)
    assert Match.objects.get().seats.filter(is_taken=True).count() == 2


@pytest.mark.parametrize("locale", ["en", "de"])
def test_the_houses_of_a_new_table_are_whole_words(screen: Screens, locale: str) -> None:
    phone = screen(locale=locale)
    phone.page.goto("/new?game=agot")
    names = phone.page.locator(".two .choice span")
    expect(names).to_have_count(6)
    for size in at_sizes(phone.page, (360, 640), (390, 844), (820, 1180), (1440, 900)):
        assert names.evaluate_all(BROKEN) == [], size


REFUSING = """
  for (const name of ["clipboard", "share"]) delete Navigator.prototype[name];
  window.copied = [];
  document.execCommand = () => { copied.push(String(getSelection()).trim()); return %s; };
"""
"""A browser without encryption: it copies only what is selected, or refuses even that."""


@pytest.mark.parametrize("copies", ["true", "false"])
def test_an_invitation_is_copied_and_shared_without_encryption_too(screen: Screens, copies: str) -> None:
    phone = screen()
    phone.page.add_init_script(REFUSING % copies)
    phone.sit_down(opened(), "red")
    phone.page.goto(phone.page.url + "seats")
    invitation = phone.page.locator(".invitation .to-copy").first
    address = invitation.locator(".address").inner_text()
    for button in invitation.locator("button").all():
        button.click()
        assert phone.page.evaluate("String(getSelection()).trim()") == address
    assert phone.page.evaluate("copied") == [address, address]
    expect(invitation.locator("button", has_text="Copied")).to_have_count(2 if copies == "true" else 0)
