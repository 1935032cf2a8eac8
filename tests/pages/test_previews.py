"""What a chat shows of a page whose address is posted: public facts, in the reader's language."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from games.hall import commands
from games.match import delay
from games.models import Match
from games.pictures import poster
from tests.browser import driving
from tests.hall.halls import ANNA, opened, play_round, scores
from tests.hall.places import link, phone
from tests.pages.test_score_card import played, seated
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db
LARGE = "summary_large_image"


def said(path: str, by: Phone | None = None, **headers: str) -> dict[str, str]:
    """What the page at this address says about itself."""
    page = (by or Phone()).ask("GET", path, **headers).content.decode()
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


def test_the_home_page_says_what_this_is() -> None:
    found = said("/")
    assert (found["og:title"], found["twitter:card"]) == ("Your phones around one table", "summary")
    assert found["og:url"] == "http://testserver/"
    assert found["og:image"].startswith("http://testserver/static/icon-512")
    assert said("/", Accept_Language="de")["og:title"] != found["og:title"]


@pytest.mark.parametrize(
    ("name", "more", "title"),
    [
        ("event", (), "Cup"),
        ("event-standings", (), "Standings · Cup"),
        ("event-round", (1,), "Round 1 of 3 · Cup"),
    ],
)
def test_an_event_says_its_name_and_how_far_it_is(name: str, more: tuple[int, ...], title: str) -> None:
    code = opened(4, length=3)
    play_round(code, lambda g, pairing: scores(pairing, 5, 3))
    path = reverse(name, args=[code, *more])
    found = said(path)
    assert found["og:title"] == title
    assert "Round 1 of 3: finished · A Song of Ice and Fire" in found["og:description"]
    assert found["og:url"] == f"http://testserver{path}"
    assert said(path, phone(code, "p1")) == found, "nothing of the player's own"


def test_a_league_says_how_long_its_rounds_are() -> None:
    found = said(reverse("event", args=[opened(4, length=3, days=7)]))
    assert "The event has not begun yet" in found["og:description"]
    assert "7 days a round" in found["og:description"]


def test_where_players_register_the_event_is_named_and_a_players_own_link_says_nothing() -> None:
    code = opened(0)
    commands.import_table(code, ANNA, "Ada")
    assert said(reverse("event-register", args=[code]))["og:title"] == "Register · Cup"
    assert said(link(code, "p1")) == {}


def test_a_moment_of_a_replay_does_not_say_how_the_match_ends() -> None:
    match = played("tmg", "a-game-of-thrones", 2, 200)
    path = reverse("replay-moment", args=[match.code, 3])
    red, found = seated(match, "red"), said(path)
    names = " – ".join(match.armies.order_by("pk").values_list("name", flat=True))
    assert found["og:title"] == f"Replay · {names}"
    match.refresh_from_db()
    assert found["og:description"].endswith(f" · 3/{match.version}")
    assert (found["og:url"], found["twitter:card"]) == (f"http://testserver{path}", "summary")
    assert said(path, red) == found, "nothing that only a seat saw"


def test_a_score_card_is_shown_with_the_picture_of_the_score() -> None:
    match = played("rps", "plain", 2)
    found = said(reverse("score", args=[match.code]))
    assert "/score.png?v=" in found["og:image"]
    assert (found["og:image:width"], found["og:image:height"]) == tuple(map(str, poster.SIZE))
    assert found["twitter:card"] == LARGE
    assert found["og:url"] == f"http://testserver/t/{match.code}/score"


def test_a_match_that_is_shown_late_names_no_picture_that_watchers_may_not_fetch() -> None:
    match: Match = driving.opened(driving.SET_UP)
    path = reverse("watch", args=[match.code])
    assert "/score.png" in said(path)["og:image"]
    delay.choose(match.code, "red", next(choice for choice in delay.CHOICES if choice > 0))
    image = said(path)["og:image"]
    assert "/static/icon-512" in image
