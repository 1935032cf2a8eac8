"""Without thumb or screen: a match by keyboard, and what is read out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.driving import SET_UP, Screen, do, opened, play_until, until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
FARTHEST = 90
"""More presses of Tab than any control is away."""


def focused(screen: Screen) -> str:
    """The answer or correction of the button that has the focus, "" for anything else."""
    return screen.page.evaluate(
        "(one => one.matches('[name=action][form=table], [name=change][form=adjust]') ? one.value : '')"
        "(document.activeElement)"
    )


def walk_to(screen: Screen, wanted: Callable[[str], bool]) -> int:
    """Press Tab until a wanted answer has the focus; returns how many presses it took."""
    for presses in range(1, FARTHEST):
        screen.page.keyboard.press("Tab")
        if wanted(focused(screen)):
            return presses
    raise AssertionError(f"not reached by keyboard; offered were {screen.offers}")


def answer(screen: Screen, wanted: Callable[[str], bool]) -> int:
    """Answer the open question by keyboard, and wait for the board after it."""
    before = screen.version
    screen.page.wait_for_timeout(320)
    presses = walk_to(screen, wanted)
    screen.page.keyboard.press("Enter")
    screen.reaches(before + 1)
    return presses


def goes_on(action: str) -> bool:
    """Whether an answer leads on, not back or round in circles."""
    return bool(action) and action not in ("back", "decline", "another", "unready")


def test_a_match_by_keyboard_from_its_set_up_to_its_end(screen: Screens, capsys) -> None:
    """The turns between the first and the last scoring are played behind the screens."""
    match = opened("red demo:stark\nblue demo:lannister\n", target=2)
    players = {key: screen().sit_down(match, key) for key in ("red", "blue")}
    everyone = tuple(players.values())
    presses, claims = [], 0
    while not any(one.state == "over" for one in everyone):
        asked = next(one for one in everyone if any(map(goes_on, one.offers)))
        # The acting unit's notes come before the question, and never end a match.
        presses.append(answer(asked, list(filter(goes_on, asked.offers)).__contains__))
        claim = next((note for note in asked.notes if " claim:" in note), None)
        if claim and asked is players["red"] and not claims:
            presses.append(answer(asked, claim.__eq__))
            claims += 1
            play_until(match, lambda state: state.round == 2 and state.question.step == "score-points")
        match.refresh_from_db()
        for one in everyone:
            one.reaches(match.version)
    assert claims == 1
    assert len(presses) > 15
    assert all(one.says("#question") == "Ada wins" for one in everyone)
    each = sum(presses) / len(presses)
    with capsys.disabled():
        print(f"\nA match by keyboard: {len(presses)} answers, {each:.1f} tabs each")


def test_after_an_answer_the_focus_is_at_the_question(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    answer(phone, lambda action: action.startswith("activate:"))
    until(lambda: phone.page.evaluate("document.activeElement.id") in ("question", ""), screen=phone)
    assert phone.page.evaluate("document.activeElement !== document.body")


def test_what_changed_is_read_out_once(screen: Screens) -> None:
    match = opened(SET_UP)
    phone, watcher = screen().sit_down(match, "red"), screen().watch(match)
    for each in (phone, watcher):
        each.page.evaluate(
            """() => {
                window.heard = [];
                const said = document.getElementById("said");
                const hear = () => window.heard.push(said.textContent);
                new MutationObserver(hear).observe(said, {childList: true});
            }"""
        )
    version = do(match, "red activate:crannogman-trackers")
    for each in (phone, watcher):
        each.reaches(version)
        until(lambda each=each: each.page.evaluate("window.heard.length") > 0, screen=each)
    (heard,) = watcher.page.evaluate("window.heard")
    assert heard == "Crannogman Trackers activates. Waiting for Bo"
    own = "Crannogman Trackers activates. Enter what Crannogman Trackers did"
    assert phone.page.evaluate("window.heard") == [own]
    assert phone.page.get_attribute("#said", "aria-live") == "polite"


@pytest.mark.parametrize("path", ["", "replay"])
def test_the_menu_covers_nothing_that_has_the_focus(screen: Screens, path: str) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    phone.page.goto(f"/t/{match.code}/{path}")
    phone.page.wait_for_selector("html.js")
    menu, press = phone.page.locator("details.menu"), phone.page.keyboard.press
    menu.locator("summary").focus()
    press("Enter")
    assert menu.get_attribute("open") is not None
    press("Escape")
    assert menu.get_attribute("open") is None
    assert phone.page.evaluate("document.activeElement.closest('summary') !== null")
    press("Enter")
    while phone.page.evaluate("document.activeElement.closest('.menu') !== null"):
        press("Tab")
    assert menu.get_attribute("open") is None
    menu.locator("summary").click()
    phone.page.locator(".score").click(position={"x": 5, "y": 5})
    assert menu.get_attribute("open") is None


def test_a_sheet_keeps_the_focus_that_its_button_took_along(screen: Screens) -> None:
    match = opened(SET_UP)
    phone = screen().sit_down(match, "red")
    wounds = "#sheet button[value$='wounds:eddards-honor-guard:-5']"
    phone.page.locator("#card-eddards-honor-guard .pencil").press("Enter")
    for _tap in range(2):
        before = phone.version
        # A key is pressed at once, also where the button cannot have the focus yet.
        phone.page.wait_for_selector(f"#sheet[open] {wounds.removeprefix('#sheet ')}:not([data-pending])")
        phone.page.locator(wounds).press("Enter")
        phone.reaches(before + 1)
    phone.page.wait_for_selector(wounds, state="detached")
    assert phone.page.evaluate("document.activeElement.id") == "sheet"
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#sheet[open]")).to_have_count(0)
