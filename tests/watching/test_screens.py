"""Screens that nobody touches: a television for one table or several, and what stands in for none."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.match import play, storage
from games.models import Match
from games.pages.opening import home
from games.pages.table.loaded import Table, tables_of
from games.pages.watching import screens, watch
from games.web import limits
from tests.browser import driving
from tests.trust.cast import Phone

LANGUAGES = [code for code, _name in settings.LANGUAGES]

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return driving.opened(driving.SET_UP)


def page(path: str, status: int = 200, **headers: str) -> str:
    answer = Phone().ask("GET", path, **headers)
    assert answer.status_code == status
    assert not answer.cookies, "a screen needs no cookie"
    return answer.content.decode()


def tv(match: Match, query: str = "") -> str:
    return page(reverse("tv", args=[match.code]) + query)


def opened(count: int) -> list[Match]:
    names = {"red": "Ada", "blue": "Bo"}
    return [play.open_match("rps", "plain", names, seed="a seed") for _number in range(count)]


def shown(text: str) -> list[str]:
    """The sheets that are not hidden."""
    return [name for name, hidden in re.findall(r'data-sheet="(\w+)"[^>]*?( hidden)?>', text) if not hidden]


def test_it_begins_with_the_score(match: Match) -> None:
    text = tv(match)
    assert shown(text) == ["score"]
    assert 'data-at="score"' in text
    assert f"/t/{match.code}/watch</b>" in text, "where a phone watches"


def test_it_turns_its_sheets_without_scripts(match: Match) -> None:
    seen, query = [], "?lang=zh-hans"
    sheets = [sheet for sheet in screens.SHEETS if sheet != "map"]
    for _turn in range(5):
        text = tv(match, query)
        seen += shown(text)
        assert '<html lang="zh-hans"' in text
        found = re.search(r'<noscript><meta http-equiv="refresh" content="15; url=([^"]+)">', text)
        assert found is not None
        query = found[1].replace("&amp;", "&")
    assert seen == [*sheets, "score"]


def test_a_sheet_that_is_not_there_is_the_first(match: Match) -> None:
    assert shown(tv(match, "?sheet=../etc")) == ["score"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_language_is_that_of_its_address(match: Match, language: str) -> None:
    text = page(
        f"/t/{match.code}/tv?lang={language}", Accept_Language="zh-hans" if language == "en" else "en"
    )
    assert f'<html lang="{language}"' in text
    assert f"lang={language}&" in text, "and so are its news"


def test_a_table_that_is_gone_comes_back_by_itself() -> None:
    for path in ("/t/ZZZZZZ/tv", "/t/ZZZZZZ/overlay", "/tv?tables=ZZZZZZ"):
        text = page(path, 404)
        assert f'content="{screens.AGAIN_SECONDS}"' in text
        assert f'data-seconds="{screens.AGAIN_SECONDS}"' in text
    assert "watching/screen" not in page("/t/ZZZZZZ/overlay", 404), "an overlay stays transparent"


def test_screens_without_a_table_do_not_wait_as_one_who_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour of a screen that lost its table costs its address nothing."""
    now = [0.0]
    codes = limits.Limit(30, 10 / 60, lambda: now[0])
    monkeypatch.setattr(limits, "CODES", codes)
    hall = Phone()
    for _minute in range(60):
        for path in ("/t/ZZZZZZ/tv", "/t/YYYYYY/tv", "/tv?tables=XXXXXX"):
            assert hall.get(path).status_code == 404
        now[0] += screens.AGAIN_SECONDS


def test_codes_cannot_be_guessed_by_the_dozen() -> None:
    codes = ",".join(f"ZZZZ{number:02}" for number in range(24))
    guesser = Phone()
    answers = [guesser.get(f"/tv?tables={codes}").status_code for _try in range(2)]
    assert answers == [404, 429]
    waiting = guesser.get("/tv?tables=ZZZZZZ")
    assert waiting.status_code == 429
    assert 'data-seconds="' in waiting.content.decode(), "this one, too, comes back by itself"


def test_several_tables_stand_side_by_side(match: Match) -> None:
    (other,) = opened(1)
    text = page(f"/tv?tables={other.code},{match.code.lower()},{other.code}")
    assert re.findall(r'<b class="code">(\w+)</b>', text) == [other.code, match.code]


def test_a_table_that_is_gone_is_left_out(match: Match) -> None:
    (other,) = opened(1)
    text = page(f"/tv?tables={other.code},{match.code}")
    other.delete()
    news = news_of(text)
    assert re.findall(r'<b class="code">(\w+)</b>', page(news)) == [match.code]


def news_of(text: str) -> str:
    found = re.search(r'data-news="([^"]+)"', text)
    assert found is not None
    return found[1].replace("&amp;", "&")


def test_many_tables_are_sheets_that_are_turned() -> None:
    codes = [one.code for one in opened(screens.A_PAGE + 1)]
    text = page(f"/tv?tables={','.join(codes)}&sheet=2")
    assert shown(text) == ["2"]
    assert text.count("<article") == screens.A_PAGE + 1


def test_news_of_several_tables_are_given_once(match: Match) -> None:
    text = page(f"/tv?tables={match.code}&lang=zh-hans")
    version = re.search(r'<div id="region" class="many" data-version="([^"]+)"', text)
    assert version is not None
    assert page(f"{news_of(text)}&seen={version[1]}", 204) == ""
    driving.do(match, "red activate:arya-stark")
    assert "data-version" in page(f"{news_of(text)}&seen={version[1]}")


def test_the_list_of_a_screen_is_signed(match: Match) -> None:
    news = news_of(page(f"/tv?tables={match.code}"))
    asked = parse_qs(urlsplit(news).query)
    page(news.replace(asked["list"][0][:6], "abcdef"), 410)
    page(f"{news.partition('program=')[0]}program=another", 410)


def test_all_that_are_listed_and_being_played(match: Match) -> None:
    hidden, demo, over = opened(3)
    Match.objects.filter(pk=hidden.pk).update(is_listed=False)
    Match.objects.filter(pk=demo.pk).update(is_demo=True)
    Match.objects.filter(pk=over.pk).update(finished_at="2026-01-01T00:00:00Z")
    assert re.findall(r'<b class="code">(\w+)</b>', page("/tv")) == [match.code]
    Match.objects.filter(pk=match.pk).delete()
    assert [one.code for one in home.being_played()] == [demo.code], "while there is no other"
    Match.objects.all().delete()
    assert "No tables are being played right now." in page("/tv")


# --- many tables -----------------------------------------------------------------------------------------


def statements(path: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        page(path)
    return len(asked)


@pytest.mark.parametrize("is_kept", [True, False])
def test_many_tables_cost_as_many_statements_as_few(match: Match, is_kept: bool) -> None:
    opened(3)
    counts = []
    for _more in range(2):
        page("/tv")
        if not is_kept:
            storage.COMMITS.clear()
        counts.append(statements("/tv"))
        opened(screens.MOST // 2)
        driving.opened(driving.SET_UP)
    assert counts[0] == counts[1] < 20


def test_tables_that_are_read_together_are_shown_as_each_is_alone(match: Match) -> None:
    Match.objects.filter(pk=opened(2)[0].pk).update(since=0)
    driving.do(match, "red activate:crannogman-trackers")
    matches = list(Match.objects.order_by("pk"))
    for table in tables_of(matches):
        assert watch.watched(table) == watch.watched(Table(table.match))
