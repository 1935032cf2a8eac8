"""A table or an event in a frame on another page: what it shows and does not hold, who may frame what."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.urls import reverse

from games.hall import commands
from games.match import delay
from games.models import Match
from games.pages.watching.elsewhere import EmbedStyle
from games.people import seats
from tests.browser import driving
from tests.hall.halls import ANNA, opened, play_round, scores
from tests.trust.cast import Phone, addresses

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return driving.opened(driving.SET_UP)


def policy(answer: HttpResponse) -> str:
    """Who may show an answer in a frame."""
    (said,) = re.findall(r"frame-ancestors ([^;]+)", answer["Content-Security-Policy"])
    return said


def is_open_to_frames(answer: HttpResponse) -> bool:
    return policy(answer) == "*" and "X-Frame-Options" not in answer


def region(path: str, phone: Phone | None = None, **headers: str) -> str:
    """What the live part of a page holds."""
    body = (phone or Phone()).ask("GET", path, **headers).content.decode()
    return body[body.index('<div id="region"') : body.index("<footer>")]


class Tags(HTMLParser):
    """Every tag of a page."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(answer.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_only_the_frames_may_be_framed(match: Match) -> None:
    """Every address that takes a code: whatever it answers, only four names let another site show it."""
    event = opened(4)
    found = {}
    for address in addresses():
        if address.converters == ("code",) and address.route.startswith(("t/", "e/")):
            code = event if address.route.startswith("e/") else match.code
            found[address.name] = Phone().ask("GET", reverse(address.name, args=[code]))
    assert len(found) > 40
    assert {name for name, answer in found.items() if is_open_to_frames(answer)} == {"embed", "event-embed"}
    for name, answer in found.items():
        if name not in ("embed", "event-embed", "overlay"):
            assert policy(answer) == "'none'", name
    for path in ("/", "/new", "/events", "/admin/login/", "/api/systems"):
        assert not is_open_to_frames(Phone().ask("GET", path))


def test_a_refusal_can_be_read_in_the_frame() -> None:
    for path in ("/t/ZZZZZZ/embed", "/e/ZZZZZZ/embed"):
        answer = Phone().ask("GET", path)
        assert answer.status_code == 404
        assert is_open_to_frames(answer)
        assert "watching/embed" in answer.content.decode()


def test_nothing_in_a_frame_acts(match: Match) -> None:
    """For a player, too: their own phone may be made to open the frame on another's page."""
    player, event = Phone(), opened(4)
    seat = match.seats.select_related("match").get(key="red")
    seats.revoke(seat)
    seat.refresh_from_db()
    link = reverse("claim", args=[match.code, "red", seats.link_secret(seat)])
    assert player.ask("POST", link, {"name": "Ada"}).status_code == 302
    for path in (reverse("embed", args=[match.code]), reverse("event-embed", args=[event])):
        answer = player.ask("GET", path)
        tags = Tags(answer).found
        assert not [tag for tag, _ in tags if tag in ("form", "button", "input", "select", "textarea")]
        assert ("base", {"target": "_blank"}) in tags
        links = [attrs for tag, attrs in tags if tag == "a"]
        assert links
        assert all(attrs.get("rel") == "noopener" for attrs in links)
        assert answer.cookies == {}
    assert region(reverse("embed", args=[match.code]), player) == region(reverse("embed", args=[match.code]))


def test_it_shows_the_score_and_hears_of_news(match: Match) -> None:
    driving.do(match, 'red army/red points:red:3 "a card"')
    path = reverse("embed", args=[match.code])
    answer = Phone().ask("GET", path)
    assert "<b>3</b>" in region(path)
    news = html.unescape(re.search(r'data-news="([^"]+)" data-now', answer.content.decode())[1])  # type: ignore[index]
    assert Phone().ask("GET", f"{news}&seen={answer.context['watched'].version}").status_code == 204
    driving.do(match, 'red army/red points:red:1 "a card"')
    fresh = Phone().ask("GET", f"{news}&seen={answer.context['watched'].version}")
    assert "<b>4</b>" in fresh.content.decode()
    assert answer.context["page"].feed.stream_url.startswith("/live/")


def test_it_is_as_late_as_the_watchers_page(match: Match) -> None:
    delay.choose(match.code, "red", 15)
    driving.do(match, 'red army/red points:red:3 "a card"')
    answer = Phone().ask("GET", reverse("embed", args=[match.code]))
    assert answer.context["watched"].version == 1
    assert "<b>3</b>" not in answer.content.decode()
    assert answer.context["page"].feed.stream_url == ""
    assert "Delayed by 15 minutes" in answer.content.decode()


def test_an_event_shows_its_pairings_and_standings() -> None:
    code = opened(6, length=3)
    path = reverse("event-embed", args=[code])
    assert "Player <b>6</b>" in region(path)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    commands.pair(code, ANNA)
    shown = region(path)
    assert re.findall(r'data-sheet="(\w+)-1"', shown) == ["pairings", "standings"]
    assert " hidden" not in shown
    assert shown.count("<tr data-players") == 6


def test_what_an_address_says_of_the_look() -> None:
    assert EmbedStyle.of({"theme": "dark", "size": "large", "show": "standings", "lang": "en"}) == EmbedStyle(
        "dark", "large", "standings", "en"
    )
    odd = {"theme": "'>", "size": "9", "show": "x", "lang": "tlh", "other": "1"}
    assert EmbedStyle.of(odd) == EmbedStyle()
    assert EmbedStyle("dark", "small", "pairings").style == "dark small only-pairings"


def test_it_speaks_and_looks_as_its_address_says(match: Match) -> None:
    body = Phone().ask("GET", f"/t/{match.code}/embed?lang=zh-hans&theme=dark&size=large").content.decode()
    assert 'lang="zh-hans" class="embed dark large only-all"' in body
    assert (
        'class="embed auto medium only-all"' in Phone().ask("GET", f"/t/{match.code}/embed").content.decode()
    )
