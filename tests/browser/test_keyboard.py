"""Without a thumb and without a screen: set-up and a round by keyboard, and what is read out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import SET_UP, Screen, do, opened, until

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
FARTHEST = 90
"""More presses of the tabulator than any control is away."""


def focused(screen: Screen) -> str:
    """The action of the button that has the focus, "" for anything else."""
    return screen.page.evaluate(
        "(one => one.name === 'action' && one.form?.id === 'table' ? one.value : '')(document.activeElement)"
    )


def walk_to(screen: Screen, wanted: Callable[[str], bool]) -> int:
    """Press Tab until a wanted answer has the focus; how often it took."""
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
    """Whether an answer leads on, and not back or round in circles."""
    return bool(action) and action not in ("back", "decline", "another", "unready")


def test_set_up_and_a_round_by_keyboard(screen: Screens, capsys) -> None:
    match = opened("red demo:stark\nblue demo:lannister\n")
    players = {key: screen().sit_down(match, key) for key in ("red", "blue")}
    presses = []
    while not players["red"].says("#tab-middle").startswith("Round 2"):
        asked = next(one for one in players.values() if any(map(goes_on, one.offers)))
        presses.append(answer(asked, goes_on))
        for other in players.values():
            other.reaches(asked.version)
    assert len(presses) > 30
    each = sum(presses) / len(presses)
    with capsys.disabled():
        print(f"\nSet-up and a round by keyboard: {len(presses)} answers, {each:.1f} tabs each")


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
    assert phone.page.evaluate("window.heard") == [heard]
    assert phone.page.get_attribute("#said", "aria-live") == "polite"
