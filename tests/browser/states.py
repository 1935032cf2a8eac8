"""States of pages that come up now and then: refusals, notices, moved seats, long names, large text.

All are played with the miniatures game; `tests.browser.scenes` lists them among its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.match import play, undoing
from games.models import Entry, Match, Seat
from games.people import seats
from tests.browser import driving
from tests.browser.driving import SET_UP, link, opened
from tests.browser.ways import Scene, Way, at, clicking, seated, then, unfolded

LONG = ("Konstantinopolitanische Dudelsackpfeifer", "欢迎来到维斯特洛的七大王国与长城之外的荒野大地之上")
"""A name of forty letters, and a Chinese one that is as wide."""


def rare() -> Iterator[Scene]:
    """All of them."""
    yield from of_new_tables()
    yield from of_seats()
    yield from of_notices()
    yield from of_modes()
    yield from of_sheets()
    yield from of_large_things()


# --- the way in ------------------------------------------------------------------------------------------


def of_new_tables() -> Iterator[Scene]:
    """The form of a new table for each game, unfolded and refused; a rematch; text pages."""
    for game in ("tmg", "bushido", "agot"):
        yield f"new-{game}", then(at(f"/new?game={game}"), unfolded)
        yield f"rules-{game}", at(f"/rules/{game}")
    yield "new-refused", then(at("/new"), filled_in_badly)
    yield "new-again", once_more
    yield "home-yours", then(once_more, at("/"))
    yield "message-no-page", at("/nothing/here")
    yield "message-no-table", at("/t/ZZZZZZ/")
    yield "message-old-link", at(link(opened(), "red") + "x")


def filled_in_badly(page: Any) -> None:
    """A name that is not a name, and more points than any army has."""
    page.eval_on_selector("#target", "one => one.removeAttribute('max')")
    page.fill("#name", "\u202e")
    page.fill("#target", "77")
    page.click("form.form button.main")


def once_more(page: Any) -> None:
    """A new table like the one just opened."""
    page.goto("/new")
    page.fill("#name", "Ada")
    page.select_option("#army", "stark")
    page.click("form.form button.main")
    page.wait_for_selector("#board")
    page.goto("/")
    page.click(".door > .button:not(.main)")


def of_seats() -> Iterator[Scene]:
    """Asking for a seat, being let in, moving a seat, a seat that is taken."""
    asked = opened("red demo:stark")
    Seat.objects.filter(match=asked, key="red").update(is_taken=True)
    yield "seat-ask", then(at(f"/t/{asked.code}/join"), asks)
    yield "seat-asked", seated(asked, "red", "seats")
    yield "seat-asked-lobby", seated(asked, "red")
    yield "seat-way-in", at(f"/t/{asked.code}/")
    yield "seat-granted", let_in
    yield "seat-move", seated(opened(SET_UP), "red", "seats", clicking(".seat.s1 form:first-of-type button"))
    yield "seat-move-here", at(f"/t/{both_sit(opened(SET_UP)).code}/join")
    yield "seat-moving", at(f"/t/{both_sit(opened(SET_UP)).code}/join/move?code=ABC234")
    yield "seat-move-wrong", then(at(f"/t/{both_sit(opened(SET_UP)).code}/join"), wrong_code)
    yield "seat-taken", seat_taken
    yield "seat-two", seated(opened(SET_UP), "red", also=sits_twice)
    yield "seat-facing", then(seated(opened(SET_UP), "red", also=sits_twice), faces)


def both_sit(match: Match) -> Match:
    Seat.objects.filter(match=match).update(is_taken=True)
    return match


def asks(page: Any) -> None:
    page.check("input[value=blue]")
    page.fill("#name", "Bo")
    page.click("form button.main")


def let_in(page: Any) -> None:
    """A request for a seat, granted."""
    match = opened("red demo:stark")
    page.goto(f"/t/{match.code}/join")
    asks(page)
    seat = Seat.objects.select_related("match").get(match=match, key="blue")
    for asked in seat.requests.all():
        seats.grant(asked)
    page.goto(f"/t/{match.code}/join")


def wrong_code(page: Any) -> None:
    page.fill("input[name=code]", "AAAA")
    page.click("form:has(input[name=code]) button")


def seat_taken(page: Any) -> None:
    """A second phone opens a used link."""
    match = opened(SET_UP)
    address = link(match, "red")
    page.goto(address)
    page.click("button.main")
    page.wait_for_url(lambda url: "/claim/" not in url)
    page.context.clear_cookies()
    page.goto(address)


def sits_twice(page: Any) -> None:
    """The other seat is on this device, too."""
    code = page.url.rstrip("/").rsplit("/", 1)[1]
    page.goto(f"/t/{code}/seats")
    page.click(".seat.s2 form:last-of-type button")
    page.wait_for_selector("#link[data-link=live]", state="attached")


def faces(page: Any) -> None:
    page.click(".menu summary")
    page.click(".menu form[action$=facing] button")
    page.wait_for_selector("body.facing")
    page.wait_for_selector("#link[data-link=live]", state="attached")


# --- at the table ----------------------------------------------------------------------------------------


def of_notices() -> Iterator[Scene]:
    """What a phone says when a tap did not count or waits, or when the match is over."""
    yield "notice-stale", seated(opened(SET_UP), "red", also=stale)
    yield "notice-refused", seated(opened(SET_UP), "red", also=refused)
    yield "notice-waiting", seated(opened(SET_UP + FIGHT), "red", also=waiting)
    yield "notice-away", seated(opened(SET_UP), "blue", also=away)
    yield "over", seated(ended(opened(SET_UP)), "red")
    yield "over-drawn-asked", seated(asked_for(opened(SET_UP + FIGHT)), "blue")
    yield "over-picture", picture(ended(opened(SET_UP)))


FIGHT = (
    "red activate:crannogman-trackers\n"
    "red unit/crannogman-trackers engage:crannogman-trackers:lannister-crossbowmen\n"
    "red unit/lannister-crossbowmen wounds:lannister-crossbowmen:-3\n"
)


def stale(page: Any) -> None:
    """The table has moved on behind this phone's back."""
    page.route("**/stream", lambda route: route.abort())
    page.route("**/board?*", lambda route: route.abort())
    page.route("**/live/**", lambda route: route.abort())
    page.reload()
    code = page.url.rstrip("/").rsplit("/", 1)[1]
    driving.do(Match.objects.get(code=code), "red activate:arya-stark")
    page.locator("button[value^='activate:']:visible").first.click()
    page.wait_for_selector(".notice.bad")
    page.unroute_all(behavior="ignoreErrors")


def refused(page: Any) -> None:
    """A tap that the rules do not offer."""
    button = page.locator("button[value^='activate:']:visible").first
    button.evaluate("button => button.value = 'activate:gregor-clegane'")
    page.click("button[value='activate:gregor-clegane']")
    page.wait_for_selector(".notice.bad")


def waiting(page: Any) -> None:
    """Out of reach, with taps that wait."""
    page.context.set_offline(True)
    for _each in range(3):
        page.locator("button[value='unit/lannister-crossbowmen wounds:lannister-crossbowmen:-1']").click()
    page.wait_for_selector("#unsent:not([hidden])")
    page.wait_for_timeout(6000)


def away(page: Any) -> None:
    """Out of reach, with nothing to send."""
    for pattern in ("**/stream", "**/board?*", "**/live/**"):
        page.route(pattern, lambda route: route.abort())
    page.reload()
    page.wait_for_selector("#link[data-link=off]", state="attached", timeout=30_000)


def ended(match: Match) -> Match:
    """Played to its end."""
    driving.play_until(match, lambda state: state.result is not None)
    return match


def asked_for(match: Match) -> Match:
    """Blue asks to take back what Red did."""
    mine = Entry.objects.filter(match=match, kind="tap", seat="red").last()
    assert mine is not None
    undoing.ask(match.code, "blue", mine.version, "askingkey2")
    return match


def picture(match: Match) -> Way:
    return lambda page: page.goto(f"/t/{match.code}/score.png")


def of_modes() -> Iterator[Scene]:
    """The other modes and rulesets, in play and in clean-up."""
    brought = "red demo:stark\nblue demo:lannister\nred ready\nblue ready\n"
    clash = brought + "red rolled:5\nblue rolled:2\nred pick-zone\n"
    yield "clash-setup", seated(opened(brought, "a-clash-of-kings"), "red")
    yield "clash-deploy", seated(opened(clash, "a-clash-of-kings"), "red")
    match = opened(clash, "a-clash-of-kings")
    driving.play_until(match, lambda state: state.round == 2)
    yield "clash-round-two", seated(match, "red")
    yield "clash-print", at(f"/t/{match.code}/print")
    yield "clash-paper", then(at(f"/t/{match.code}/print"), on_paper)
    yield "mode-manual-scoring", seated(driven(opened("", "manual-scoring"), brought), "red")
    for mode in (
        "a-storm-of-swords",
        "a-feast-for-crows",
        "a-dance-with-dragons",
        "fire-and-blood",
        "here-we-stand",
        "honed-and-ready",
        "winds-of-winter",
        "dark-wings-dark-words",
    ):
        match = opened("", mode)
        driving.play_until(driven(match, brought), lambda state: state.round == 2)
        yield f"mode-{mode}", seated(match, "red")
        yield f"mode-{mode}-middle", seated(match, "red", also=clicking("#tab-middle"))
    season = driven(opened(ruleset=2024), brought)
    driving.play_until(season, lambda state: state.round == 1)
    yield "season-four", seated(season, "red")
    driving.play_until(season, lambda state: state.round == 2 and state.question.step == "score-points")
    yield "season-four-clean-up", seated(season, "red")


def on_paper(page: Any) -> None:
    """The page as printed; a tablet has about the shape of the paper."""
    page.emulate_media(media="print")


def driven(match: Match, actions: str) -> Match:
    driving.do(match, actions)
    return match


def of_sheets() -> Iterator[Scene]:
    """The correction sheets: a unit, an army, an objective, the table; over the board and as pages."""
    fight = opened(SET_UP + FIGHT)
    for path in ("unit/crannogman-trackers", "army/red", "objective/token-a", "objective/centre", "table"):
        yield f"piece-{path.replace('/', '-')}", seated(fight, "red", f"piece/{path}")
    yield "piece-over-board", seated(fight, "red", also=over_board)
    yield "piece-over-board-end", seated(fight, "red", also=then(over_board, to_the_end))


def over_board(page: Any) -> None:
    page.locator("#side-red .cards .pencil").first.click()
    page.wait_for_selector("#sheet[open]")
    page.wait_for_timeout(200)


def to_the_end(page: Any) -> None:
    page.eval_on_selector("#sheet", "one => one.scrollTo(0, one.scrollHeight)")


# --- large things ----------------------------------------------------------------------------------------


def of_large_things() -> Iterator[Scene]:
    """Long names, pages at 200 % (`large`, with half the screen), right-to-left text."""
    match = play.open_match(
        "tmg", "a-game-of-thrones", dict(zip(("red", "blue"), LONG, strict=True)), {}, seed="long"
    )
    driving.do(match, SET_UP + FIGHT)
    for path in ("", "history", "score", "seats", "print"):
        yield f"long-{path or 'table'}", seated(match, "red", path)
    yield "long-watch", at(f"/t/{match.code}/")
    large = opened(SET_UP + FIGHT)
    for path in ("", "score", "seats", "army/red", "piece/unit/crannogman-trackers"):
        name = path.split("/")[-1] or "table"
        yield f"large-{name}", seated(large, "red", path)
        yield f"rtl-{name}", seated(large, "red", path, mirrored)
    yield "large-new", at("/new")
    yield "large-home", at("/")
    yield "rtl-new", then(at("/new"), mirrored)


def mirrored(page: Any) -> None:
    page.evaluate("document.documentElement.dir = 'rtl'")
