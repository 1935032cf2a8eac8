"""A table or an event in a frame on another page: what it shows and does not hold, who may frame what."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.urls import reverse

from games.events import commands
from games.match import delay
from games.models import Match
from games.people import seats
from games.views.watching.embeds import EmbedStyle
from tests.browser import driving
from tests.events.halls import ANNA, opened, play_round, scores
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
        assert "watching/embed.css" in answer.content.decode()


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
    assert "15 minutes late" in answer.content.decode()
    assert Phone().ask("GET", reverse("embed-help", args=[match.code])).status_code == 200


def test_an_event_shows_its_pairings_and_standings() -> None:
    code = opened(6, length=3)
    path = reverse("event-embed", args=[code])
    assert "Player 6" in region(path)
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
    assert EmbedStyle.of(odd).query() == ""
    assert EmbedStyle.of({"size": "small", "theme": "light"}).query() == "?theme=light&size=small"
    assert EmbedStyle("dark", "small", "pairings").style == "dark small only-pairings"


def test_it_speaks_and_looks_as_its_address_says(match: Match) -> None:
    body = Phone().ask("GET", f"/t/{match.code}/embed?lang=zh-hans&theme=dark&size=large").content.decode()
    assert 'lang="zh-hans" class="embed dark large only-all"' in body
    assert (
        'class="embed auto medium only-all"' in Phone().ask("GET", f"/t/{match.code}/embed").content.decode()
    )


def test_the_frame_to_copy_shows_what_was_chosen(match: Match) -> None:
    answer = Phone().ask("GET", f"/t/{match.code}/embed/help?theme=dark&size=large&lang=nonsense")
    snippet = answer.context["page"].snippet
    assert "&lt;iframe src=&#34;" in answer.content.decode()
    (source,) = re.findall(r'src="([^"]+)"', snippet)
    assert html.unescape(source) == f"http://testserver/t/{match.code}/embed?theme=dark&size=large"
    assert is_open_to_frames(Phone().ask("GET", html.unescape(source).removeprefix("http://testserver")))
    taller = re.findall(r'height="(\d+)"', snippet)
    assert int(taller[0]) > int(re.findall(r'height="(\d+)"', help_of(match))[0])


def test_only_an_event_has_parts_to_choose_from(match: Match) -> None:
    asked = {}
    for path in (f"/t/{match.code}/embed/help", f"/e/{opened(4)}/embed/help"):
        choices = Phone().ask("GET", path).context["page"].choices
        asked[path[1]] = [one.name for one in choices]
        assert all([option.selected for option in one.options].count(True) == 1 for one in choices)
    assert asked == {"t": ["theme", "size", "lang"], "e": ["show", "theme", "size", "lang"]}


def help_of(match: Match) -> str:
    answer = Phone().ask("GET", f"/t/{match.code}/embed/help")
    return str(answer.context["page"].snippet)


def test_a_name_cannot_break_out_of_the_frame_to_copy() -> None:
    code = opened(4, name='"><script>')
    snippet = Phone().ask("GET", f"/e/{code}/embed/help?show=standings").context["page"].snippet
    assert 'title="&quot;&gt;&lt;script&gt;"' in snippet
    assert "show=standings" in snippet


def test_the_ways_lead_to_the_frame(match: Match) -> None:
    page = Phone().ask("GET", reverse("watch", args=[match.code])).content.decode()
    assert f'href="/t/{match.code}/embed/help"' in page
