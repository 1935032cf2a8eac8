"""Every page for every audience, at tables at different steps: sound, and true to the rules.

Boards are drawn for each seat, for nobody, for a device of all seats and for one of its players who holds it.
Their controls are what the rules offer: none is missing, none is dead, none is somebody else's. Pages are
requested as phones do: no fault; each id is there once, and every reference finds its id; every control and
link has a name, every link leads somewhere; nothing is left over from a template; no hidden value of a seat
shows; the score is that of the position, and drawing without the cache gives the same.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import lru_cache
from itertools import islice
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import Resolver404, resolve

from config.joined_files import ADDRESS
from games import catalogue, templating
from games.core import Offer, RequestRefused, State, engine, parse_action
from games.live.hub import Audience
from games.match import play, storage, undoing
from games.models import Match, Seat
from games.pages.common import signed
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.people.seats import SESSION_SEATS, api_token
from games.view_models.game_page import Page as GamePage
from tests.holding import holding
from tests.soak.markup import Markup
from tests.soak.report import Report
from tests.soak.stops import Stop, table_at, tried_at
from tests.trust.cast import Phone

CANARY = "winter-is-coming"
"""What every seat keeps hidden from the start, followed by its name."""
BOARDS, PAGES = 4, 2
"""How many boards and pages are checked at each place; the next place gets different ones."""
MOST = 3
"""How many faults of one page are reported."""
BREAKS: dict[str, Callable[[], Any]] = {
    "missing": lambda: mock.patch.object(GamePage, "groups", lambda page: _groups(page)[1:]),
    "leak": lambda: mock.patch("games.core.view", lambda state, seat: state),
}
"""Broken on purpose: a group of answers is left out; everybody sees what is hidden."""
_groups = GamePage.groups


def run(places: int, broken: str = "") -> Report:
    """Check tables at a number of different places. `broken` names what is broken on purpose."""
    report = Report()
    with BREAKS.get(broken, nullcontext)():
        tried_at(places, looked_at, "places", report)
    return report


def looked_at(stop: Stop, number: int, report: Report) -> Iterator[str]:
    """What is wrong with what anybody sees of a table at this stop."""
    luck = random.Random(str(stop))
    match = table_at(stop, hidden=CANARY)
    asked_back(match, number, luck)
    taken = match.seats.order_by("pk")
    if number % 3 == 0:
        taken = taken.exclude(key=stop.state.seats[-1])
    Seat.objects.filter(pk__in=list(taken.values_list("pk", flat=True))).update(is_taken=True)
    state = storage.load(match).state
    seats = tuple(seat for seat in state.seats if taken.filter(key=seat).exists())
    language = settings.LANGUAGES[number % len(settings.LANGUAGES)][0]
    for audience in some(audiences(match, seats, language), BOARDS, luck):
        report.count("boards")
        yield from (f"{say(audience)}: {what}" for what in islice(wrong_board(match, state, audience), MOST))
    yield from drawn_alike(match, audiences(match, seats, language)[number % (len(seats) + 1)])
    looks = list(pages(match, state, seats, luck))
    for role, path in some(looks, PAGES, luck):
        report.count("pages")
        found = islice(wrong_page(match, state, role, path, luck), MOST)
        yield from (f"{role or 'nobody'} {path}: {what}" for what in found)


def asked_back(match: Match, number: int, luck: random.Random) -> None:
    """At every fourth place, somebody asks for the newest action back."""
    standing = undoing.undoable(match, 1)
    if number % 4 == 3 and standing and match.result is None:
        seat = luck.choice(match.armies.values_list("key", flat=True))
        with suppress(RequestRefused):
            undoing.ask(match.code, seat, standing[0].version, play.new_key())
        match.refresh_from_db()


def audiences(match: Match, seats: tuple[str, ...], language: str) -> list[Audience]:
    """Nobody, each seat alone, and a device of all seats, whose one player holds it or opens their half."""
    found = [Audience((), language, "table")]
    found += [Audience((seat,), language, "table") for seat in seats]
    if len(seats) > 1:
        number = match.asked
        found += [Audience(seats, language, "table"), Audience(seats, language, "table", seats[-1])]
        found += [Audience(seats, language, "table", "", f"{number}.{seats[0]}")]
    return found


def some(found: list[Any], most: int, luck: random.Random) -> list[Any]:
    """At most this many of them, chosen at random."""
    return luck.sample(found, min(most, len(found)))


def say(audience: Audience) -> str:
    return " ".join((",".join(audience.seats) or "nobody", audience.speaker, audience.opened)).strip()


# --- a board --------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def is_there(path: str) -> bool:
    if asked := ADDRESS.fullmatch(path):
        return all(finders.find(f"{part}.{asked[3]}") for part in asked[1].split("+"))
    if path.startswith("/static/"):
        return finders.find(path.removeprefix("/static/")) is not None
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def wrong_board(match: Match, state: State, audience: Audience) -> Iterator[str]:
    """What is wrong with the board as an audience sees it."""
    source = boards.html(Table(Match.objects.get(pk=match.pk)), audience)
    page = Markup(source)
    yield from page.faults(labels(state))
    yield from leaks(source, state, audience.speaker or (audience.seats if len(audience.seats) == 1 else ()))
    yield from wrong_numbers(source, state)
    seat = next((one.told["value"] for one in page.of("table", "seat")), (audience.seats or ("",))[0])
    yield from wrong_controls(page, state, audience, seat)
    yield from wrong_changes(page, state)
    yield from wrong_undo(page, match, audience)


def labels(state: State) -> frozenset[str]:
    """The labels of answers: one of them may be "None"."""
    return frozenset(str(offer.label) for seat in state.seats for offer in engine.offers(state, seat))


def leaks(source: str, state: State, own: Any) -> Iterator[str]:
    """Seats whose hidden value is shown to others."""
    yield from (
        f"shows what {seat} hides" for seat in state.seats if seat not in own and f"{CANARY}-{seat}" in source
    )


def wrong_numbers(source: str, state: State) -> Iterator[str]:
    """Points in the score header that are not the sum of the scores."""
    points = dict(re.findall(r'id="tab-([\w-]+)">.*?class="points"><b>(-?\d+)</b>', source))
    for seat in state.seats:
        total = sum(score.points for score in state.scores.values() if score.seat == seat)
        if points.get(seat) != str(total):
            yield f"{seat} has {total} points, not {points.get(seat)}"


def wrong_controls(page: Markup, state: State, audience: Audience, seat: str) -> Iterator[str]:
    """Answers without a control, and buttons that give no answer."""
    posted = Counter(posts(page, "table", "action", seat))
    own = (audience.speaker,) if audience.speaker else audience.seats
    offered = {
        (one, action): offer
        for one in own
        for offer in engine.offers(state, one)
        for action in actions(offer)
    }
    yield from (f"a dead control: {one}" for one in posted if one not in offered)
    closed = set(own) - set(audience.opened.split(".")) if len(own) > 1 else set()
    for one in posted:
        if one[0] in closed and one in offered and offered[one].is_secret:
            yield f"not for everybody's eyes: {one}"
    yield from (f"twice: {one}" for one, number in posted.items() if number > 1)
    if not audience.seats:
        yield from (f"a control for nobody: {one}" for one in page.elements if "form" in one.told)
    links = " ".join(one.told.get("href", "") for one in page.elements)
    for one, action in sorted(offered.keys() - posted.keys()):
        # A shared device links to what is one player's alone: to that player's view, or to the open half.
        if len(own) == 1 or not re.search(rf"\?(?:seat={one}|open=[\w.]*\b{one})\b", links):
            yield f"no control for {one} {action}"


def actions(offer: Offer) -> Iterator[str]:
    """Every action that an offer covers."""
    if offer.minimum is None or offer.maximum is None:
        yield offer.action
    else:
        yield from (f"{offer.action}:{number}" for number in range(offer.minimum, offer.maximum + 1))


def posts(page: Markup, form: str, name: str, seat: str) -> Iterator[tuple[str, str]]:
    """The seat and action of everything that a form's controls can send."""
    numbers = {
        one.told["name"].removeprefix("number:"): range(int(one.told["min"]), int(one.told["max"]) + 1)
        for one in page.elements
        if one.told.get("name", "").startswith("number:") and one.told.get("form") == form
    }
    for one in page.of(form, name):
        value = one.told["value"]
        signer, action = signed(value) if name == "action" else ("", value)
        for number in numbers.get(value, [""]):
            yield signer or seat, f"{action}:{number}" if value in numbers else action


def wrong_changes(page: Markup, state: State) -> Iterator[str]:
    """Corrections on a board or a sheet that the game does not offer."""
    state.entries = catalogue.current(state.system)
    for _seat, change in set(posts(page, "adjust", "change", "")):
        path, _space, action = change.partition(" ")
        if not engine.is_among(engine.corrections(state, path), parse_action(action)):
            yield f"a dead correction: {change}"


def wrong_undo(page: Markup, match: Match, audience: Audience) -> Iterator[str]:
    """Undo controls that lead nowhere."""
    for one in page.of("undo", "undo"):
        value = one.told["value"]
        if value in ("agree", "decline"):
            if match.undo_request is None:
                yield f"nothing was asked for: {value}"
        elif int(value) not in {entry.version for entry in undoing.undoable(match)}:
            yield f"cannot be undone: {value}"


def drawn_alike(match: Match, audience: Audience) -> Iterator[str]:
    """Where a board differs when nothing is cached."""
    once = boards.html(Table(Match.objects.get(pk=match.pk)), audience)
    templating._cached.cache_clear()
    read = storage.load(Match.objects.get(pk=match.pk))
    if boards.html(Table(read.match, read), audience) != once:
        yield f"{say(audience)}: drawn again it differs"


# --- pages ----------------------------------------------------------------------------------------


def pages(
    match: Match, state: State, seats: tuple[str, ...], luck: random.Random
) -> Iterator[tuple[str, str]]:
    """Who looks ("" for a spectator, "all" for a device of all seats), and where."""
    table = f"/t/{match.code}/"
    for role in ("", "all", *seats):
        for page in (
            "",
            "history",
            "score",
            "print",
            "watch",
            "tv",
            "replay",
            "seats",
            "verify",
            "result.json",
        ):
            yield role, table + page
        yield role, f"{table}replay/{luck.randint(1, match.version)}"
        yield role, f"{table}board?seen=0"
        if role and match.result is None:
            for path in sorted(engine.system(state.system).corrections_step.paths(state)):
                yield role, f"{table}piece/{path}"
    for page in (
        "watch/news",
        "overlay",
        "embed",
        "embed/help",
        "overlay/help",
        "rules",
        "join",
        "score.png",
    ):
        yield "", table + page
    if len(seats) > 1:
        yield from (("all", f"{table}?seat={seat}") for seat in seats)
        yield from (("all", f"{table}?open={match.asked}.{seat}") for seat in seats)
    for role in ("", *seats):
        yield role, f"/api/matches/{match.code}"
        yield role, f"/api/matches/{match.code}/export"


def phone_of(match: Match, role: str) -> Phone:
    """A phone that holds a seat, all of them ("all"), or none."""
    phone, chairs = Phone(), match.seats.filter(is_taken=True)
    if role:
        session = phone.session
        mine = chairs if role == "all" else chairs.filter(key=role)
        session[SESSION_SEATS] = holding(match.code, *mine.values_list("key", flat=True))
        session.save()
    return phone


def wrong_page(match: Match, state: State, role: str, path: str, luck: random.Random) -> Iterator[str]:
    """What is wrong with a page as somebody sees it."""
    phone = phone_of(match, role)
    if path.startswith("/api/") and role:
        phone.token = api_token(match.seats.select_related("match").get(key=role))
    answer = phone.ask("GET", path)
    if answer.status_code == 302:
        answer = phone.ask("GET", path := answer["Location"])
    if answer.status_code != 200:
        yield f"answers {answer.status_code}"
        return
    if not answer["Content-Type"].startswith(("text/html", "application/json")):
        return
    source = answer.content.decode()
    yield from leaks(source, state, (role,))
    if path.startswith("/api/") or answer["Content-Type"].startswith("application/json"):
        yield from wrong_answer(answer, state, role) if path.endswith(match.code) else ()
        return
    page = Markup(source)
    yield from page.faults(labels(state))
    if source.startswith("<!"):
        # The page of an earlier moment has no forms for its board to post to, since nothing on it acts.
        yield from page.strays(has_forms="/replay" not in path)
    if "/piece/" in path:
        yield from wrong_sheet(page, state, path.partition("/piece/")[2])
    named = page.addresses(path)
    yield from (f"leads to {one}, which is no address" for one in named if not is_there(urlsplit(one).path))
    yield from leads_astray(phone, named, luck)


def leads_astray(phone: Phone, named: set[str], luck: random.Random) -> Iterator[str]:
    """A link of the page that cannot be opened."""
    ours = sorted(one for one in named if one.startswith("/t/") and not urlsplit(one).path.endswith(NO_PAGES))
    if ours:
        one = luck.choice(ours)
        if (status := phone.ask("GET", one).status_code) not in (200, 204, 302):
            yield f"leads to {one}, which answers {status}"


NO_PAGES = (
    "/act",
    "/adjust",
    "/undo",
    "/guests",
    "/practice",
    "/facing",
    "/guide",
    "/delay",
    "/move",
    "/take",
    "/free",
)
"""Addresses that only take forms."""


def wrong_answer(answer: Any, state: State, role: str) -> Iterator[str]:
    """What the API tells a program that differs from the rules."""
    told = answer.json()
    if [one["action"] for one in told["offers"]] != [one.action for one in engine.offers(state, role)]:
        yield "is offered something else"
    if told["to_act"] != list(engine.awaited(state)) or told["round"] != state.round:
        yield "is told of another question"


def wrong_sheet(page: Markup, state: State, path: str) -> Iterator[str]:
    """Corrections without a control, and controls that correct nothing."""
    yield from wrong_changes(page, state)
    posted = {change for _seat, change in posts(page, "adjust", "change", "")}
    for offer in engine.corrections(state, path):
        if not any(f"{path} {action}" in posted for action in actions(offer)):
            yield f"no control for {offer.action}"
