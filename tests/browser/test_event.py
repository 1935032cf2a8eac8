"""An event on phones: the round opens, and everybody lands at their table with their seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.hall import admin, commands, event_actions
from games.hall.models import Event, Round
from games.models import Seat
from tests.browser.driving import Screen
from tests.browser.test_kept_taps import STORAGE
from tests.hall.halls import ANNA, opened, play_round, scores
from tests.hall.places import link, pair_of, table_of

pytestmark = pytest.mark.browser


LINES = """all => all.map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""
"""How many lines the text of each takes."""


def come(screen: Screen, code: str, key: str) -> Screen:
    """A player opens their link and waits on the event's page."""
    screen.page.goto(link(code, key))
    screen.page.tap("button.main")
    screen.page.wait_for_selector("#feed[data-link=live]")
    return screen


def test_a_round_opens_and_both_phones_go_to_their_table(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    phones = {key: come(screen(), code, key) for key in ("p1", "p2")}
    for one in phones.values():
        assert "You are checked in" in one.says(".yours")
    commands.announce(code, ANNA, "We begin in a minute")
    for one in phones.values():
        one.page.wait_for_selector("text=We begin in a minute")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for key, one in phones.items():
        match, seat = table_of(code, key)
        one.page.wait_for_url(f"**/t/{match}/**")
        held = Seat.objects.get(match__code=match, key=seat)
        assert held.is_taken
    assert not Seat.objects.filter(is_taken=False).exists()
    commands.start_clock(code, ANNA)
    commands.announce(code, ANNA, "Water is at the bar")
    first = phones["p1"]
    first.page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    first.page.wait_for_selector("#strip .last:has-text('Water is at the bar')")
    first.page.wait_for_selector("#strip [data-phase='']")
    began = first.says("#strip .hallclock b")
    first.page.wait_for_function(
        "began => document.querySelector('#strip .hallclock b').textContent !== began", arg=began
    )
    first.page.tap("#strip [data-read]")
    expect(first.page.locator("#strip .last")).to_be_hidden()
    first.page.tap(f"#strip a[href='/e/{code}/']")
    first.page.wait_for_selector("#feed[data-link=live]")
    assert "Table 1" in first.says(".yours")
    assert [one.faults for one in phones.values()] == [[], []]


@pytest.mark.parametrize("what", ["forbidden", "none", "full"])
def test_an_announcement_can_be_closed_where_nothing_can_be_stored(
    screen: Callable[..., Screen], what: str
) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.announce(code, ANNA, "Water is at the bar")
    phone = screen()
    phone.page.add_init_script(STORAGE % what)
    phone.page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    phone.page.tap("#strip [data-read]")
    expect(phone.page.locator("#strip .last")).to_be_hidden()
    assert not [fault for fault in phone.faults if fault.startswith("error:")]


def test_a_table_whose_event_is_deleted_stops_asking_for_it(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    page = screen().page
    page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    page.wait_for_selector("#strip")
    admin.delete(Event.objects.get(code=code))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("#strip", state="detached")


def test_players_of_one_table_stand_apart_where_their_clubs_are_long(screen: Callable[..., Screen]) -> None:
    code = opened(0)
    club = "Verein zur Förderung des Tabletopspiels"
    commands.import_table(code, ANNA, f"Li;{club}\nÜmläüt Straße;{club}")
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    page = screen().page
    page.goto(f"/e/{code}/")
    one, other = (player.bounding_box() for player in page.locator(".pairings .player").all())
    assert other["y"] - (one["y"] + one["height"]) >= 5


def test_a_club_stands_beside_its_player_or_below_them_in_one_piece(screen: Callable[..., Screen]) -> None:
    code = opened(0)
    commands.import_table(
        code, ANNA, "Anna Müller 12;北京桌面游戏俱乐部\nBartholomew O’Shaughnessy;Table Ronde\n"
    )
    page = screen().page
    for opens in (False, True):
        if opens:
            commands.check_in_all(code, ANNA)
            commands.pair(code, ANNA)
            commands.open_round(code, ANNA)
        page.goto(f"/e/{code}/")
        lines = page.eval_on_selector_all(".name small", LINES)
        assert lines == [1, 1]


def test_who_is_checked_in_is_said_beside_their_name(screen: Callable[..., Screen]) -> None:
    code = opened(4)
    page = screen(locale="de-DE").page
    page.goto(f"/e/{code}/")
    for here in page.locator(".registered .here").all():
        mark, line = here.locator(".i").bounding_box(), here.bounding_box()
        assert line["height"] < 2 * mark["height"]


def test_a_heading_stands_apart_from_what_can_be_tapped(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    commands.finish(code, ANNA)
    page = screen().page
    page.goto(link(code, "p1"))
    page.tap("button.main")
    heading, way = (
        page.locator(".yours h2").bounding_box(),
        page.locator(".yours .button").first.bounding_box(),
    )
    assert way["y"] - heading["y"] - heading["height"] >= 12


def test_a_result_is_asked_for_player_by_player(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone = come(screen(), code, "p1")
    phone.page.tap("text=Report a result")
    for key, name in (("p1", "Player 1"), ("p2", "Player 2")):
        group = phone.page.get_by_role("group", name=name)
        points, destroyed = (group.locator(f"#{kind}-{key}").bounding_box() for kind in ("vp", "destroyed"))
        assert points["y"] == destroyed["y"]
        assert points["x"] < destroyed["x"]
        expect(group.get_by_label("Victory points", exact=True)).to_have_count(1)


def test_a_report_reaches_the_opponents_phone(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    one, other = pair_of(code)
    first, second = come(screen(), code, one), come(screen(), code, other)
    first.page.tap("text=Report a result")
    first.page.fill(f"#vp-{one}", "7")
    first.page.fill(f"#vp-{other}", "5")
    first.page.tap("button.main")
    second.page.wait_for_selector("button:has-text('Agree')")
    second.page.tap("button:has-text('Agree')")
    first.page.wait_for_selector(".yours:has-text('You won')")
    second.page.wait_for_selector(".yours:has-text('You lost')")
    assert first.faults + second.faults == []


def test_everything_is_there_without_scripts(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    plain = screen(java_script_enabled=False)
    plain.page.goto(link(code, "p1"))
    plain.page.tap("button.main")
    plain.page.wait_for_url(f"**/e/{code}/")
    expect(plain.page.locator("#feed")).to_be_hidden()
    plain.page.tap("text=Go to your table")
    match, _seat = table_of(code, "p1")
    plain.page.wait_for_url(f"**/t/{match}/**")
    plain.page.goto(f"/t/{match}/")
    expect(plain.page.locator(f".menu a[href='/e/{code}/']")).to_have_count(1)


def test_the_television_turns_and_hears_of_the_clock(screen: Callable[..., Screen]) -> None:
    code = opened(4, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    television = screen(viewport={"width": 1920, "height": 1080})
    television.page.goto(f"/e/{code}/tv?turn=3")
    television.page.wait_for_selector("#feed[data-link=live]")
    assert "Player 1" in television.says("#region")
    commands.start_clock(code, ANNA)
    television.page.wait_for_selector(".hallclock[data-phase='']")
    commands.announce(code, ANNA, "Lunch")
    television.page.wait_for_selector("#region .announcement:has-text('Lunch')")
    assert television.faults == []


def test_the_clock_says_when_five_minutes_are_left_and_when_time_is_up(
    screen: Callable[..., Screen],
) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.start_clock(code, ANNA)
    eye = screen()

    def show_after(minutes: int) -> None:
        Round.objects.filter(event__code=code).update(run=60 * minutes)
        event_actions.POSITIONS.clear()
        # A page is kept for as long as the event has the same version.
        commands.announce(code, ANNA, f"{minutes} minutes")
        eye.page.goto(f"/e/{code}/")

    for minutes, phase, said in ((86, "last", "Five minutes left"), (91, "late", "Overtime")):
        show_after(minutes)
        eye.page.wait_for_selector(f".hallclock[data-phase={phase}]")
        assert eye.says(".hallclock .label") == said
    show_after(106)
    eye.page.wait_for_selector(".hallclock[data-phase=done]")
    assert eye.says(".hallclock") == "Time is up 0:00"


@pytest.mark.parametrize("hours", [2, -2])
def test_the_clock_at_a_table_is_right_though_that_of_its_phone_is_set(
    screen: Callable[..., Screen], hours: int
) -> None:
    code = opened(2, length=1)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.start_clock(code, ANNA)
    page = screen().page
    page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    page.wait_for_selector("#strip .hallclock[data-phase='']")
    off = "was => Math.abs(parseInt(document.querySelector('#strip .hallclock b').textContent) - was)"
    was = int(page.inner_text("#strip .hallclock b").split(":")[0])
    page.evaluate(f"{{ const real = Date.now; Date.now = () => real() + {hours} * 3600e3; }}")
    page.wait_for_function(f"{off} > 60", arg=was)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function(f"{off} < 2", arg=was)


def test_a_round_called_off_brings_its_players_back_to_the_event(screen: Callable[..., Screen]) -> None:
    code = opened(2, length=1)
    phone = come(screen(), code, "p1")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone.page.wait_for_url("**/t/**")
    phone.page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    phone.live()
    commands.call_off(code, ANNA)
    phone.page.wait_for_url(f"**/e/{code}/")
    phone.page.wait_for_selector("#feed[data-link=live]")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone.page.wait_for_url(f"**/t/{table_of(code, 'p1')[0]}/**")


def test_the_name_of_an_event_ends_in_an_ellipsis_where_a_table_has_no_room(
    screen: Callable[..., Screen],
) -> None:
    code = opened(2, length=1, name="Winter Cup of the Northern Clubs")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    page = screen().page
    page.goto(f"/t/{table_of(code, 'p1')[0]}/")
    name = page.locator("#strip > a").first.locator(":scope > span")
    assert name.evaluate("one => one.scrollWidth > one.clientWidth")
    assert name.evaluate("one => getComputedStyle(one).textOverflow") == "ellipsis"
    number = page.locator("#strip > a").first.locator(":scope > b")
    expect(number).to_have_text("Table 1", use_inner_text=True)
    assert number.evaluate("one => one.offsetLeft + one.offsetWidth <= innerWidth / 2")
