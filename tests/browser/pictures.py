"""Every page of a real match on every size of screen, to look at; and the picture of the README.

`python -m tests.browser.pictures FOLDER [NAME…]` takes the pictures whose names begin so, or all of them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SIZES = {"phone": (390, 844), "small": (360, 640), "tablet": (820, 1180), "wide": (1440, 900)}
SCHEMES = ("light", "dark")


def configure() -> None:
    """A database of its own with the demo tables in it."""
    folder = tempfile.mkdtemp()
    os.environ["ROUNDTABLE_TEST"] = "1"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/pictures.sqlite3"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("plant", verbosity=0)


def scenes() -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Name of a picture and how a page comes to it."""
    from games import seats, take_back
    from games.models import Entry, Match, Seat
    from tests.browser import driving
    from tests.browser.driving import SET_UP, link, opened

    def seated(match: Match, seat: str, path: str = "", also: Callable[[Any], None] | None = None):  # type: ignore[no-untyped-def]
        def go(page: Any) -> None:
            seats.revoke(Seat.objects.select_related("match").get(match=match, key=seat))
            page.goto(link(match, seat))
            page.click("button.main")
            page.wait_for_url(lambda url: "/claim/" not in url)
            page.goto(f"/t/{match.code}/{path}")
            if not path:
                page.wait_for_selector("#link[data-link=live]", state="attached")
            if also:
                also(page)

        return go

    def after(deeds: str, **options: int) -> Match:
        return opened(deeds, **options)

    lines = [line for line in SET_UP.splitlines() if line]

    def set_up(until: str) -> Match:
        index = next(n for n, line in enumerate(lines) if line.split()[1].startswith(until))
        return after("\n".join(lines[:index]))

    yield "home", lambda page: page.goto("/")
    yield "new", lambda page: page.goto("/new")
    yield "list-empty", seated(after(""), "red", "army/red")

    def paste(page: Any) -> None:
        page.fill(
            "textarea", driving.text_of("free-folk").replace("Craster", "Crasterr").replace("( 7 )", "( 9 )")
        )
        page.click("button:not(.unseen)[value=read]")
        page.wait_for_selector(".rows")

    yield "list-warnings", seated(after(""), "red", "army/red", paste)
    yield "seats", seated(after(""), "red", "seats")

    def claim(page: Any) -> None:
        page.goto(link(after(""), "blue"))

    yield "claim", claim
    yield "join", lambda page: page.goto(f"/t/{opened().code}/join")
    yield "lobby-1-no-army", seated(after(""), "red")
    yield "lobby-2-army", seated(after("red demo:stark"), "red")
    yield "lobby-3-ready", seated(after("red demo:stark\nred ready"), "red")
    yield "lobby-4-rival", seated(after("red demo:stark\nred ready\nblue demo:lannister"), "red")
    yield "setup-roll", seated(set_up("rolled"), "red")
    yield "setup-token", seated(set_up("placed"), "red")
    yield "setup-cards", seated(set_up("card"), "red")
    yield "setup-pick", seated(set_up("pick-zone"), "blue")
    yield "setup-deploy", seated(set_up("deployed"), "blue")
    begun = after(SET_UP)
    yield "turn", seated(begun, "red")
    yield "waiting", seated(begun, "blue")
    acting = after(SET_UP + "red activate:crannogman-trackers\n")
    yield "acting", seated(acting, "red")
    fight = (
        "red activate:crannogman-trackers\n"
        "red unit/crannogman-trackers engage:crannogman-trackers:lannister-crossbowmen\n"
        "red unit/lannister-crossbowmen wounds:lannister-crossbowmen:-3\n"
    )
    yield "acting-fight", seated(after(SET_UP + fight), "red")
    yield "zone", seated(after(SET_UP + "red activate:arya-stark\n"), "red")
    asked = after(SET_UP + fight)

    def ask(page: Any) -> None:
        page.wait_for_timeout(100)

    mine = Entry.objects.filter(match=asked, kind="tap", seat="red").last()
    take_back.ask(asked.code, "blue", mine.version, "askingkey1")
    yield "request", seated(asked, "red", also=ask)
    demo = Match.objects.filter(finished_at=None, entries__version__gt=40).distinct().first()
    over = Match.objects.exclude(finished_at=None).first()
    yield "demo-red", seated(demo, "red")
    yield "demo-watch", lambda page: page.goto(f"/t/{demo.code}/")
    yield (
        "demo-middle",
        seated(demo, "red", also=lambda page: (page.click("#tab-middle"), page.wait_for_timeout(500))),
    )
    yield (
        "demo-score",
        seated(
            demo,
            "red",
            also=lambda page: (
                page.click("#tab-middle"),
                page.wait_for_timeout(400),
                page.locator(".sums").first.scroll_into_view_if_needed(),
            ),
        ),
    )
    yield (
        "demo-rival",
        seated(demo, "red", also=lambda page: (page.click("#tab-blue"), page.wait_for_timeout(500))),
    )
    clean = opened(SET_UP)
    driving.play_until(clean, lambda state: state.round == 2 and state.question.step == "score-points")
    yield "clean-up", seated(clean, "red")
    yield "clean-up-watch", lambda page: page.goto(f"/t/{clean.code}/")
    yield "over", seated(over, "red")
    yield "over-watch", lambda page: page.goto(f"/t/{over.code}/")

    def sheet(page: Any) -> None:
        page.locator(".cards .pencil").first.click()
        page.wait_for_selector("#sheet[open]")
        page.wait_for_timeout(200)

    yield "sheet", seated(demo, "red", also=sheet)
    yield "sheet-army", seated(demo, "red", "piece/army/red")
    yield "sheet-table", seated(demo, "red", "piece/table")
    yield "sheet-objective", seated(demo, "red", "piece/objective/centre")
    yield "history", seated(demo, "red", "history")
    yield "verify", lambda page: page.goto(f"/t/{demo.code}/verify")
    yield "verify-over", lambda page: page.goto(f"/t/{over.code}/verify")
    yield "menu", seated(demo, "red", also=lambda page: page.click(".menu summary"))
    yield "not-found", lambda page: page.goto("/find?code=XXXXXX")


def take(folder: Path, wanted: list[str]) -> None:
    """All pictures into `folder`."""
    from playwright.sync_api import sync_playwright

    from tests.conftest import BROWSER_ARGUMENTS, chromium
    from tests.serving import Served

    folder.mkdir(parents=True, exist_ok=True)
    sizes = os.environ.get("SIZES", ",".join(SIZES)).split(",")
    schemes = os.environ.get("SCHEMES", ",".join(SCHEMES)).split(",")
    language = os.environ.get("LANGUAGE_OF_PICTURES", "en-GB")
    served = Served().start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=BROWSER_ARGUMENTS)
            for name, go in scenes():
                if wanted and not name.startswith(tuple(wanted)):
                    continue
                context = browser.new_context(
                    base_url=served.url,
                    locale=language,
                    reduced_motion="reduce",
                    viewport={"width": 390, "height": 844},
                )
                page = context.new_page()
                try:
                    go(page)
                except Exception as problem:
                    print(name, str(problem)[:300])
                for size in sizes:
                    width, height = SIZES[size]
                    page.set_viewport_size({"width": width, "height": height})
                    for scheme in schemes:
                        page.emulate_media(color_scheme=scheme)
                        page.wait_for_timeout(150)
                        is_app = page.locator("body.table").count()
                        page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=not is_app)
                context.close()
            browser.close()
    finally:
        served.close()


if __name__ == "__main__":
    configure()
    take(Path(sys.argv[1]), sys.argv[2:])
