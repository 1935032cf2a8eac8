"""A match of Bushido on two phones, from pasted rosters to the third Victory Point.

Each answer is tapped the first time; repeats are given behind the screens.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.core import State, engine
from games.match import play
from games.models import Match
from tests.browser.driving import BROKEN, Screen, at_sizes, do, untroubled
from tests.playing import Playing

pytestmark = pytest.mark.browser

Screens = Callable[..., Screen]
SEATS = ("red", "red", "blue", "blue", "red", "red", "blue")
ROLLED = {"red": 5, "blue": 3}
ARMIES = Path(__file__).parents[2] / "seeds/bushido/armies"


class Dojo:
    """Two phones at one table; each tap reaches both without a reload."""

    def __init__(self, screen: Screens) -> None:
        self.players = {"red": screen(), "blue": screen(color_scheme="dark")}
        self.taps = 0

    def tap(self, seat: str, value: str) -> None:
        version = self.players[seat].tap(value)
        for each in self.players.values():
            each.reaches(version)
        self.taps += 1

    def asked(self) -> str:
        """A seat that is asked the question."""
        return next(seat for seat, screen in self.players.items() if screen.state == "ask")

    def go_on(self) -> None:
        """Give the plainest answer to whatever is asked."""
        seat = self.asked()
        self.tap(seat, plainest(seat, self.players[seat].offers))

    def carry_on(self, step: str) -> None:
        """Give plain answers behind the phones' backs until this question is asked; both phones show it."""
        playing = Playing(Match.objects.get())
        while (state := playing.state).question.step != step:
            playing.tap(*plainly(state))
        for each in self.players.values():
            each.reaches(playing.loaded.match.version)

    def until(self, words: str) -> None:
        """Play on until Red's phone says these words in its header or its question."""
        for _count in range(60):
            if words in self.says():
                return
            self.go_on()
        raise AssertionError(f"“{words}” never came: {self.says()}")

    def says(self) -> str:
        red = self.players["red"]
        return f"{red.says('#tab-middle')} {red.says('#question')}"


def plainest(seat: str, offers: list[str]) -> str:
    """One of these answers, chosen to carry a match on: a complex action of a row if there is one."""
    wanted = ("agree", "end-match", "done", "keep", "rolled", "first:", "complex:", "simple:")
    answer = next(offer for start in wanted for offer in offers if offer.startswith(start))
    return f"rolled:{ROLLED[seat]}" if answer.startswith("rolled:") else answer


def answers(state: State) -> tuple[str, list[str]]:
    """A seat that is asked the question, and its answers; a colon ends those that want a number."""
    seat = engine.to_act(state)[0]
    return seat, [offer.action + ":" * offer.is_numeric for offer in engine.offers(state, seat)]


def plainly(state: State) -> tuple[str, str]:
    """A seat that is asked the question, and its plainest answer."""
    seat, offers = answers(state)
    return seat, plainest(seat, offers)


def bring(phone: Screen, warband: str) -> None:
    """Paste a roster, check that it was understood, and be ready."""
    page = phone.page
    page.fill("textarea", (ARMIES / f"{warband}.txt").read_text(encoding="utf-8"))
    page.tap("button:not(.unseen)[value=read]")
    page.wait_for_selector(".rows")
    expect(page.locator(".warnings li")).to_have_count(0)
    page.tap("button[name=do][value=ready]")
    page.wait_for_selector("#board")


def gather(dojo: Dojo) -> None:
    """Go from the home page to two warbands that are ready."""
    red, blue = dojo.players.values()
    red.page.goto("/new?game=bushido")
    red.page.fill("#name", "Ada")
    expect(red.page.locator("#target")).to_have_count(0)
    assert red.page.input_value("#points") == "100"
    red.page.tap("button.main")
    red.live()
    red.page.tap(".bar a[href$='/army/red']")
    bring(red, "ryu")
    red.page.tap(".invitee .more")
    invitation = red.page.inner_text(".invitation .address >> nth=0")
    red.page.tap("a.back")
    red.live()
    blue.page.goto(invitation)
    blue.page.fill("#name", "Bo")
    blue.page.tap("button.main")
    blue.page.wait_for_selector("textarea")
    bring(blue, "ito")
    red.reaches(blue.live().version)


def test_a_match_on_two_phones_to_the_third_victory_point(screen: Screens, server) -> None:
    dojo = Dojo(screen)
    red, blue = dojo.players.values()
    gather(dojo)
    dojo.tap("blue", "scenario:keii")
    dojo.tap("red", "deployed")
    dojo.tap("blue", "deployed")
    dojo.until("Activate a model")
    expect(red.page.locator("#side-red .badge", has_text="Scenario Points 0")).to_be_visible()

    # A prayer at an enemy objective gives Red the lead for the whole match.
    dojo.tap("red", "act:kizoko")
    dojo.tap("red", "pray:objective-e")
    assert "Scenario Points 3" in red.says("#side-red > header")

    # A melee costs both a counter; its wounds are noted next to the rows, here from the app's dice.
    dojo.tap("blue", "act:ito-kinu")
    red.page.evaluate("document.querySelector('#side-red').scrollTop = 999")
    dojo.tap("blue", "melee:hiromasa")
    assert red.says("#side-red .note h3") == "In the fight: Hiromasa"
    heading = red.page.locator("#side-red .note h3").bounding_box()
    assert heading["y"] > red.page.locator(".score").bounding_box()["y"]
    dojo.tap("blue", "unit/hiromasa hit:hiromasa:1")
    assert "Hiromasa, success level 1" in red.says("#question")
    dojo.tap("blue", "roll")
    dojo.tap("red", "unit/hiromasa ki:hiromasa:-1")
    assert "Ki 1/6" in red.says("#card-hiromasa")
    version = red.version
    red.page.tap("button.undo")
    for each in (red, blue):
        each.reaches(version + 1)
    assert "Ki 2/6" in red.says("#card-hiromasa")

    for turn, score in ((2, (1, 0)), (4, (2, 0)), (6, (3, 0))):
        dojo.carry_on("tally")
        assert f"Turn {turn} of 6" in dojo.says()
        dojo.tap("red", "agree")
        dojo.tap("blue", "agree")
        assert red.score == blue.score == score
    dojo.carry_on("closing")
    dojo.tap("blue", "end-match")
    assert [each.says("#question") for each in (red, blue)] == ["Ada wins", "Ada wins"]
    print(f"{dojo.taps} taps")
    untroubled((red, blue), server.url.partition("//")[2])


def test_a_row_fits_the_thumb_on_the_smallest_phone(screen: Screens) -> None:
    dojo = Dojo(screen)
    gather(dojo)
    dojo.tap("red", "scenario:seikyu")
    dojo.tap("red", "deployed")
    dojo.tap("blue", "deployed")
    dojo.until("Activate a model")
    page = dojo.players["red"].page
    page.set_viewport_size({"width": 360, "height": 640})
    sizes = page.eval_on_selector_all(
        ".acts button",
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])",
    )
    assert len(sizes) == 21
    assert all(width >= 44 and height >= 44 for width, height in sizes)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    names = page.eval_on_selector_all(
        ".able > .title b", "all => all.map(one => one.getClientRects().length)"
    )
    assert names == [1] * 7
    heights = page.eval_on_selector_all(".able > .title", "all => all.map(one => one.offsetHeight)")
    assert max(heights) <= 40


def test_what_a_row_counts_is_not_broken_where_words_are_long(screen: Screens) -> None:
    match = deployed("seikyu")
    playing = Playing(match)
    while playing.state.question.step != "turn":
        playing.tap(*plainly(playing.state))
    seat = next(iter(engine.to_act(playing.state)))
    phone = screen(viewport={"width": 320, "height": 640}, locale="de-DE").sit_down(match, seat)
    badges = phone.page.locator(".able .badge")
    assert badges.count() >= 7
    assert badges.evaluate_all(BROKEN) == []


def deployed(scenario: str) -> Match:
    """A table whose warbands are ready for this scenario, at the first Tactical Test."""
    match = play.open_match("bushido", "risen-sun", {"red": "", "blue": ""}, {"points": 100}, seed="maple39")
    set_up = ("demo:ito", "ready", "demo:yurei", "ready", f"scenario:{scenario}", "deployed", "deployed")
    do(match, "\n".join(f"{seat} {told}" for seat, told in zip(SEATS, set_up, strict=True)))
    return match


def test_a_new_question_begins_at_its_top(screen: Screens) -> None:
    match = play.open_match("bushido", "risen-sun", {"red": "", "blue": ""}, {"points": 100}, seed="maple39")
    do(match, "red demo:ito\nred ready\nblue demo:yurei\nblue ready\n")
    phone = screen(viewport={"width": 844, "height": 390}).sit_down(match, "red")
    phone.page.tap(".bar summary >> nth=2")
    phone.page.evaluate("document.querySelector('.bar').scrollTop = 999")
    assert phone.page.evaluate("document.querySelector('.bar').scrollTop") > 0
    phone.reaches(phone.tap("scenario:muzukashi"))
    assert phone.page.evaluate("document.querySelector('.bar').scrollTop") == 0


@pytest.mark.parametrize("language", ["en", "de", "zh-hans"])
def test_what_the_next_check_counts_stays_in_one_line_on_a_tablet(screen: Screens, language: str) -> None:
    page = (
        screen(viewport={"width": 820, "height": 1180}, locale=language)
        .sit_down(deployed("idols"), "red")
        .page
    )
    rows = page.eval_on_selector_all(
        ".score .points small",
        "all => all.map(one => Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))",
    )
    assert rows == [1] * 4
    overflows = page.eval_on_selector_all(
        ".cell", "all => all.map(one => one.scrollWidth > one.clientWidth + 1)"
    )
    assert not any(overflows)


def test_what_the_next_check_counts_stands_apart_from_the_points(screen: Screens) -> None:
    match = deployed("keii")
    page = screen(viewport={"width": 1440, "height": 900}).watch(match).page
    gaps = page.eval_on_selector_all(
        ".points",
        """all => all.map(one => {
          const [target, beside] = one.querySelectorAll("small"), words = new Range();
          words.selectNodeContents(beside);
          words.setStart(beside.firstChild, beside.textContent.search(/\\S/));
          return words.getBoundingClientRect().left - target.getBoundingClientRect().right;
        })""",
    )
    # After the visible target comes what a screen reader says about it.
    heard = ["of", "3", "points"]
    assert page.inner_text(".points >> nth=0").split() == ["0", "/3", *heard, "SP", "0"]
    assert min(gaps) >= 8


def test_whose_vims_they_were_is_read_whole_above_the_check(screen: Screens) -> None:
    match = play.open_match("bushido", "risen-sun", {"red": "Ada", "blue": "Bo"}, {}, seed="maple39")
    warbands = "red demo:ryu\nred ready\nblue demo:ito\nblue ready\nred scenario:muzukashi\n"
    do(match, f"{warbands}red vim:ryuko\nblue vim:ito-kinu\nred deployed\nblue deployed\n")
    playing = Playing(match)
    while not (playing.state.question.step == "tally" and playing.state.is_final):
        playing.tap(*plainly(playing.state))
    last = screen().sit_down(match, "red").page.locator(".bar > .last")
    expect(last).to_contain_text("Ito Kinu is the VIM of Bo.", use_inner_text=True)
    assert last.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_the_buttons_of_a_row_stand_clear_of_its_edges(screen: Screens) -> None:
    match = deployed("keii")
    playing = Playing(match)
    while playing.state.question.step != "turn":
        playing.tap(*plainly(playing.state))
    phone = screen().sit_down(match, next(iter(engine.to_act(playing.state))))
    rows = phone.page.locator(".able")
    for size in at_sizes(phone.page, (390, 844), (844, 390), (820, 1180), (1440, 900)):
        gaps = rows.evaluate_all(
            """all => all.flatMap(one => [...one.querySelectorAll(".acts button")]
              .map(act => one.getBoundingClientRect().bottom - act.getBoundingClientRect().bottom))"""
        )
        assert len(gaps) >= 12, size
        assert min(gaps) >= 5, size
    lines = rows.evaluate_all(
        """all => all.map(one =>
          new Set([...one.querySelectorAll(".acts button")].map(act => Math.round(act.offsetTop))).size)"""
    )
    assert set(lines) == {1}, "a wide screen has room for all in one line"


@pytest.mark.django_db(transaction=True)
def test_the_clock_runs_on_a_phone_that_was_there_from_the_lobby(screen: Screens) -> None:
    match = play.open_match(
        "bushido", "risen-sun", {"red": "Ada", "blue": "Bo"}, {"death": 2, "activation": 3}
    )
    phone = screen().sit_down(match, "red")
    do(match, "red demo:ryu\nblue demo:ito\nred ready\nblue ready\n")
    playing = Playing(match)
    playing.tap(engine.to_act(playing.state)[0], "scenario:keii")
    playing.tap("red", "deployed")
    playing.tap("blue", "deployed")
    while playing.state.question.step != "turn":
        playing.tap(*plainly(playing.state))
    phone.reaches(playing.loaded.match.version)
    phone.page.wait_for_function("() => document.querySelector('[data-runs]').textContent < '1:56'")
    phone.page.wait_for_selector(".badge.bad [data-runs]", state="attached")
    # The same board comes again, with newer figures: they are not counted down twice.
    phone.page.eval_on_selector_all("[data-runs]", "all => all.forEach((one) => (one.dataset.clock = 90))")
    phone.page.wait_for_function("() => document.querySelector('[data-runs]').textContent < '1:31'")
    assert phone.page.text_content("[data-runs]") in ("1:30", "1:29", "1:28")
    # The phone sleeps for a minute, in which only one of its two clocks runs on.
    phone.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 60000; }")
    phone.page.wait_for_function("() => document.querySelector('[data-runs]').textContent < '0:31'")
