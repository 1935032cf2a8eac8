"""What a designer noticed at a table: folds look like buttons, nothing is cut off, nothing is stretched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from games.match import play
from games.systems.tmg.pieces import Table
from tests.browser.driving import BROKEN, SET_UP, Screen, at_sizes, do, opened

pytestmark = pytest.mark.browser

ACTING = SET_UP + "red activate:eddards-honor-guard\n"
SIGN = "one => getComputedStyle(one, '::after').content"
LINES = "one => one.clientHeight / parseFloat(getComputedStyle(one).fontSize)"


def test_a_fold_looks_like_a_button_and_what_is_in_it_as_before(screen: Callable[..., Screen]) -> None:
    phone = screen().sit_down(opened(ACTING), "red")
    fold = phone.page.locator(".note .folded > summary").first
    assert fold.evaluate("one => getComputedStyle(one).borderTopStyle") == "solid"
    assert "+" in fold.evaluate(SIGN)
    fold.tap()
    assert phone.page.locator(".note .folded .tile > summary").first.evaluate(SIGN) == "none"


def test_what_is_opened_stretches_nothing_beside_it(screen: Callable[..., Screen]) -> None:
    phone = screen(viewport={"width": 1100, "height": 900}).sit_down(opened(ACTING), "red")
    tiles = phone.page.locator(".note .tile")
    before = tiles.nth(1).bounding_box()["height"]
    tiles.first.locator("> summary").tap()
    phone.page.wait_for_selector(".note .tile[open]")
    assert tiles.first.bounding_box()["height"] > before
    assert tiles.nth(1).bounding_box()["height"] == before


def test_points_of_two_digits_stand_in_one_line_for_who_watches(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    do(match, 'red army/red points:red:3 "a card"\n' * 4)
    eye = screen().page
    eye.goto(f"/t/{match.code}/watch")
    points = eye.locator(".tally .points").first
    assert points.inner_text().split() == ["12", "/10"]
    assert points.locator("b").evaluate(LINES) < 1.5


@pytest.mark.parametrize("size", [(820, 1180), (1180, 820), (1440, 900)])
def test_each_army_stands_below_its_score_whoever_looks(
    screen: Callable[..., Screen], size: tuple[int, int]
) -> None:
    """On a tablet that two share the armies would change places at every turn."""
    match = opened(SET_UP)
    viewport = {"width": size[0], "height": size[1]}
    for page in (screen(viewport=viewport).sit_down(match, seat).page for seat in ("red", "blue")):
        for one in ("red", "blue"):
            score, army = (page.locator(f"#{part}-{one}").bounding_box() for part in ("tab", "side"))
            middle = page.locator("#tab-middle").bounding_box()
            assert (score["x"] < middle["x"]) == (army["x"] < middle["x"]), one


def test_a_laptop_shows_the_sides_of_a_die_in_one_row(screen: Callable[..., Screen]) -> None:
    before = SET_UP.splitlines()[: SET_UP.splitlines().index("red   rolled:5")]
    laptop = screen(viewport={"width": 1440, "height": 900}).sit_down(opened("\n".join(before)), "red")
    sides = laptop.page.locator(".bar .range button")
    expect(sides).to_have_count(6)
    assert len({one.bounding_box()["y"] for one in sides.all()}) == 1


def test_a_long_title_stands_whole_and_its_code_gives_way(screen: Callable[..., Screen]) -> None:
    phone = screen(locale="de-DE").page
    phone.goto("/")
    phone.tap(".rounds form[action*=tmg] button")
    title = phone.locator(".site h1 span")
    assert title.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


def test_the_main_answer_spans_its_row_and_words_stand_in_the_middle(screen: Callable[..., Screen]) -> None:
    cards = SET_UP.splitlines()[: SET_UP.splitlines().index("red   card:token-a:counsel")]
    phone = screen().sit_down(opened("\n".join(cards)), "red")
    main, other = (
        phone.page.locator(f".bar button[value='{value}']") for value in ("draw", "card:token-a:counsel")
    )
    assert main.bounding_box()["width"] > 2 * other.bounding_box()["width"]
    assert other.evaluate("one => getComputedStyle(one).textAlign") == "center"


RELABELLED = """(all, labels) => all.map((button, number) => {
  const label = labels[number % labels.length], span = button.querySelector("span");
  span.textContent = label;
  const lines = label.split("，").map(part => {
    const words = document.createRange(), at = label.indexOf(part);
    words.setStart(span.firstChild, at);
    words.setEnd(span.firstChild, at + part.length);
    return words.getClientRects().length;
  });
  return [label, Math.max(...lines), span.offsetWidth > button.offsetWidth];
})"""
"""Gives buttons other labels; returns for each the most lines of a part of it, and whether it overflows."""


@pytest.mark.parametrize("labels", [["不占据区域", "返回", "谋略"], ["战舰，破船湾", "谋略", "不占据区域"]])
def test_a_chinese_label_breaks_between_its_parts(screen: Callable[..., Screen], labels: list[str]) -> None:
    phone = screen(locale="zh-CN").sit_down(opened(ACTING), "red")
    offers = phone.page.locator(".note .answers:has(> .offer:nth-of-type(5)) > .offer")
    for width in at_sizes(phone.page, 390, 360):
        shown = offers.evaluate_all(RELABELLED, labels)
        assert len(shown) > 4
        assert [label for label, lines, runs_out in shown if lines > 1 or runs_out] == [], width


def test_a_chinese_question_breaks_between_its_words(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    play.edit(match.code, lambda g: setattr(g.units["arya-stark"], "name", "Jon Snow (Ada)"), "Olga", "")
    do(match, "red activate:arya-stark\n")
    phone = screen(locale="zh-CN").sit_down(match, "red")
    question = phone.page.locator("#question")
    assert question.evaluate(LINES) > 1.5
    assert question.evaluate_all(BROKEN) == []


LINE_STARTS = """(question, words) => {
  const text = question.lastChild, letter = document.createRange();
  text.data = words;
  const tops = [...words].map((_one, at) => {
    letter.setStart(text, at);
    letter.setEnd(text, at + 1);
    return letter.getClientRects()[0].top;
  });
  return [...words].filter((_one, at) => at && tops[at] > tops[at - 1]);
}"""
"""Asks something else; returns the first letter of each further line."""


@pytest.mark.parametrize("words", ["没有目标受到控制：0 比 0？", "哪个单位消灭了它？", "有多少个目标标记？"])
def test_no_line_of_a_chinese_question_begins_with_its_mark(
    screen: Callable[..., Screen], words: str
) -> None:
    phone = screen(locale="zh-CN", viewport={"width": 844, "height": 390}).sit_down(opened(SET_UP), "red")
    starts = phone.page.locator("#question").evaluate(LINE_STARTS, words)
    assert len(starts) == 1
    assert starts[0] not in "：？"


def test_no_line_of_a_long_chinese_question_begins_with_its_mark(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    play.edit(match.code, lambda g: setattr(g.units["arya-stark"], "name", "艾莉亚史塔克"), "Olga", "")
    do(match, "red activate:arya-stark\n")
    phone = screen(locale="zh-CN").sit_down(match, "red")
    question = phone.page.locator("#question")
    asked = question.inner_text()
    assert asked.endswith("？")
    widths = at_sizes(phone.page, *range(300, 420, 8))
    starts = {width: "".join(question.evaluate(LINE_STARTS, asked)) for width in widths}
    assert any(starts.values())
    assert {width: letters for width, letters in starts.items() if set(letters) & set("：，。？")} == {}


LAST_LINES = """all => all.map(one => {
  const letters = document.createRange(), text = one.firstChild, said = text.data.trimEnd();
  letters.setStart(text, said.length - 1);
  letters.setEnd(text, said.length);
  const end = letters.getBoundingClientRect();
  return [(end.right - one.getBoundingClientRect().left) / end.height, said];
})"""
"""How broad the last line of each text is, in letters."""


def test_no_last_line_of_a_chinese_card_is_a_number_with_its_stop(screen: Callable[..., Screen]) -> None:
    phone = screen(locale="zh-CN", viewport={"width": 820, "height": 1180}).sit_down(opened(SET_UP), "red")
    texts = phone.page.locator(".places .text")
    assert texts.count() >= 5
    for width in at_sizes(phone.page, 820, 768):
        assert [text for letters, text in texts.evaluate_all(LAST_LINES) if letters < 1.5] == [], width


PARTED = """all => all.map(one => one.firstChild).filter(text => {
  const range = document.createRange();
  const [part] = text.data.matchAll(/\\d+\\s点/g);
  range.setStart(text, part.index);
  range.setEnd(text, part.index + part[0].length);
  return new Set([...range.getClientRects()].map(box => box.top)).size > 1;
}).map(text => text.data)"""
"""The texts whose number of points stands on another line than its unit."""


def test_no_sample_army_has_its_points_on_another_line_than_their_number(
    screen: Callable[..., Screen],
) -> None:
    phone = screen(locale="zh-CN", viewport={"width": 820, "height": 1180}).sit_down(opened(), "red")
    phone.page.goto(f"{phone.page.url}army/red")
    samples = phone.page.locator(".offer small")
    assert samples.count() > 3
    assert samples.evaluate_all(PARTED) == []


def test_a_long_chinese_sentence_stays_within_its_button(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP + "red activate:arya-stark\n")
    phone = screen(locale="zh-CN").sit_down(match, "red")
    offers = phone.page.locator(".bar .answers > .offer:has(small)")
    beyond = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
    expect(offers).to_have_count(5)
    assert offers.evaluate_all(beyond) == []


def test_a_count_of_two_digits_stands_in_one_line(screen: Callable[..., Screen]) -> None:
    phone = screen()
    match = opened(SET_UP)
    play.edit(match.code, lambda g: setattr(g.armies["red"], "deck", 15), "Organiser", "two more drawn")
    phone.sit_down(match, "red").page.goto(f"/t/{match.code}/piece/army/red")
    counts = phone.page.locator(".steps output")
    assert "15" in counts.all_inner_texts()
    for width in at_sizes(phone.page, 390, 360, 320):
        assert counts.evaluate_all(BROKEN) == [], width
        assert phone.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width


def test_an_undo_tells_whole_sentences(screen: Callable[..., Screen]) -> None:
    match = opened(ACTING)
    do(match, 'red unit/eddards-honor-guard note:eddards-honor-guard "no order"\n')
    phone = screen(locale="de-DE").sit_down(match, "blue")
    undo = phone.page.locator(".bar .undo span")
    assert undo.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_an_undo_is_told_to_its_end_however_long_the_names(
    screen: Callable[..., Screen], size: tuple[int, int]
) -> None:
    names = dict.fromkeys(("red", "blue"), "Maximiliana von Hohenstein-Wartenfels")
    match = play.open_match("tmg", "a-game-of-thrones", names, seed="browser")
    do(match, ACTING)
    phone = screen(viewport={"width": size[0], "height": size[1]}, locale="de-DE").sit_down(match, "blue")
    undo = phone.page.locator(".bar .undo span")
    assert undo.evaluate(LINES) > 4
    assert undo.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


def test_who_holds_a_zone_is_named_in_whole_words(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)

    def hold(g: Table) -> None:
        for zone, unit, name in zip(g.zones(), g.ncus("red"), ("Wendamyr", "Erik Ironmaker"), strict=False):
            zone.claimed_by, unit.name = unit.key, name

    play.edit(match.code, hold, "Organiser", "long names")
    shown = screen().sit_down(match, "red").page
    expect(shown.locator(".tiles")).to_contain_text("Ironmaker", use_inner_text=True)
    for size in at_sizes(shown, (390, 844), (844, 390), (820, 1180), (1440, 900)):
        assert shown.locator(".tiles .tile").evaluate_all(BROKEN) == [], size


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_a_quotation_mark_is_no_broader_than_a_letter(screen: Callable[..., Screen], locale: str) -> None:
    """A heading may be set in a Chinese font, whose quotation marks are as broad as its characters."""
    page = screen(locale=locale).page
    page.goto("/")
    heading = page.locator("h1").first
    heading.evaluate("one => one.innerHTML = '<span>“</span> <span>M</span>'")
    mark, letter = (one.bounding_box()["width"] for one in heading.locator("span").all())
    assert mark < letter * 0.7


def test_a_table_is_printed_in_its_whole_length(screen: Callable[..., Screen]) -> None:
    page = screen(viewport={"width": 390, "height": 400}).sit_down(opened(SET_UP), "red").page
    page.emulate_media(media="print")
    assert page.evaluate("document.body.offsetHeight") > 400
