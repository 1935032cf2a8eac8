"""A phone's first visit of a table, where the program is served as on a club's laptop."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

from games.core import system
from games.match import play, random_play, storage
from games.models import Match, Seat
from games.people import seats
from games.people.sessions import SessionStore
from tests.holding import holding
from tests.playing import played_on
from tests.serving import ROOT, Served, database_url

COOKIE, CSRF_COOKIE = "roundtable-lan-session", "roundtable-lan-csrf"
SECRET = "b" * 32
PLAYED = 80
"""Taps of the match that is visited."""
MOST = {
    ("tmg", "a-game-of-thrones", 2): 40_000,
    ("bushido", "risen-sun", 2): 40_000,
    ("agot", "light", 3): 40_000,
    ("agot", "orders", 6): 50_500,
}
"""The most bytes on the wire by game, mode and players; the last brings its map."""
REQUESTS = 6
"""The page, a style sheet, a script, htmx, the stream, and what asks again for a script that was lost."""


@contextmanager
def club(folder: Path) -> Iterator[Served]:
    """The server of a laptop in a club, on the tests' database."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("ROUNDTABLE_TEST", "PYTEST_VERSION")
    }
    data = {"ROUNDTABLE_DATA": str(folder), "DATABASE_URL": database_url()}
    environment = {**kept, **data, "ROUNDTABLE_LAN": "1", "ROUNDTABLE_SECRET_KEY": settings.SECRET_KEY}
    command = [sys.executable, "manage.py"]
    subprocess.run([*command, "prepare", "--static-only"], cwd=ROOT, env=environment, check=True, stdout=-3)
    served = Served()
    served.process = process = subprocess.Popen(
        [*command, "serve", "--port", str(served.port)], cwd=ROOT, env=environment
    )
    try:
        served.wait_for_answers(lambda: process.poll() is None)
        yield served
    finally:
        served.close()


def midway(game: str, mode: str, count: int) -> Match:
    """A match of this game in its middle."""
    names = dict(list(system(game).seat_names.items())[:count])
    match = play.open_match(game, mode, names, seed="visit")
    Seat.objects.filter(match=match).update(is_taken=True)
    return played_on(match, PLAYED)


def seated(browser: Any, served: Served, match: Match, *keys: str) -> Any:
    """A new phone that holds these seats of a match, or all."""
    session = SessionStore()
    session[seats.SESSION_SEATS] = holding(match.code, *keys)
    session.save()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    cookies = {COOKIE: session.session_key, CSRF_COOKIE: SECRET}
    context.add_cookies(
        [{"name": name, "value": value, "url": served.url} for name, value in cookies.items()]
    )
    return context.new_page()


def tap_at_random(phone: Any, served: Served, match: Match, luck: random.Random) -> int:
    """Send a tap as a phone of all seats would; returns the version after it, 0 if the match is over."""
    match.refresh_from_db()
    state = storage.load(match).state
    if state.result is not None:
        return 0
    seat, action = random_play.tap(state, luck)
    form = {"action": action, "seat": seat, "seen": match.version, "key": play.new_key()}
    headers = {"HX-Request": "true", "X-CSRFToken": SECRET}
    answer = phone.context.request.post(f"{served.url}/t/{match.code}/act", form=form, headers=headers)
    assert answer.status == 200, answer.text()[:300]
    return match.version + 1


def first_seat(match: Match) -> str:
    return str(match.seats.order_by("pk").values_list("key", flat=True)[0])


def phone_at(browser: Any, served: Served, match: Match) -> Any:
    """A new phone at the table, with its stream open."""
    page = seated(browser, served, match, first_seat(match))
    page.goto(f"{served.url}/t/{match.code}/")
    page.wait_for_selector("#link[data-link=live]", state="attached")
    return page


def first_visit(browser: Any, served: Served, match: Match) -> dict[str, int]:
    """The bytes on the wire of all that a phone loads with a table's page, headers included, by address."""
    page = seated(browser, served, match, first_seat(match))
    context = page.context
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def answered(event: Any) -> None:
        sizes[asked[event["requestId"]]] = event["response"]["encodedDataLength"]

    def arrived(event: Any) -> None:
        sizes[asked[event["requestId"]]] = event["encodedDataLength"]

    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on(
        "Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]})
    )
    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", arrived)
    page.goto(f"{served.url}/t/{match.code}/")
    page.wait_for_selector("#link[data-link=live]", state="attached")
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)
    context.close()
    return sizes
