"""The page made for watching: what it shows, whom it is for, and how it hears news."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.urls import reverse
from django.utils.translation import override

from games.core import Line, say, systems
from games.live import audiences as view
from games.live import hub
from games.live.hub import Audience
from games.match import play, undoing
from games.models import Entry, Match
from games.pages.table.loaded import Table
from games.pages.watching import watch
from games.web.program import origin, program
from tests.browser import driving
from tests.playing import Playing
from tests.trust import cast
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

GAMES = [(game.slug, mode.slug, game.seat_range) for game in systems() for mode in game.modes]


@pytest.fixture
def match() -> Match:
    return driving.opened(driving.SET_UP)


def shown(match: Match, language: str = "en") -> str:
    return watch.html(Table(match), Audience((), language, "watch"))


def asked(match: Match, name: str = "watch", phone: Phone | None = None, **query: str):  # type: ignore[no-untyped-def]
    path = reverse(name, args=[match.code]) + "?" + "&".join(f"{key}={value}" for key, value in query.items())
    return (phone or Phone()).ask("GET", path)


def test_it_says_who_acts_and_since_when(match: Match) -> None:
    found = watch.watched(Table(match))
    entry = Entry.objects.get(match=match, version=match.since)
    assert (found.asked, found.mark, found.about) == ("Ada", 1, "Ada activates a unit")
    assert found.since is not None
    assert found.since.seconds == int(entry.created_at.timestamp())
    assert f'data-since="{found.since.seconds}"' in shown(match)


def test_since_when_is_that_of_the_question_and_not_of_the_last_entry(match: Match) -> None:
    before = watch.watched(Table(match)).since
    Entry.objects.filter(match=match, version__gt=1).update(created_at="2001-01-01T00:00:00Z")
    Playing(match).adjust("red", "army/red", "points:red:1", "a card")
    match.refresh_from_db()
    Entry.objects.filter(match=match, version=match.version).update(created_at="2030-01-01T00:00:00Z")
    after = watch.watched(Table(Match.objects.get(pk=match.pk))).since
    assert before is not None
    assert after is not None
    assert after.iso.startswith("2001"), "a correction asks nobody again"


def test_it_tells_what_just_happened_and_not_what_was_taken_back(match: Match) -> None:
    driving.do(match, "red activate:arya-stark")
    first = watch.watched(Table(Match.objects.get(pk=match.pk))).happenings[0]
    assert (first.mark, first.lines) == (1, (watch.FeedLine("Arya Stark is about to choose a zone."),))
    newest = Entry.objects.filter(match=match).latest("version")
    undoing.ask(match.code, "red", newest.version, play.new_key())
    told = watch.watched(Table(Match.objects.get(pk=match.pk))).happenings
    texts = [line.text for one in told for line in one.lines]
    assert "Arya Stark is about to choose a zone." not in texts


def test_an_answer_that_completes_a_tap_is_told_with_it_as_one(match: Match) -> None:
    begun = watch.watched(Table(match)).happenings
    driving.do(match, "red activate:arya-stark\nred claim:letters")
    told = watch.watched(Table(Match.objects.get(pk=match.pk))).happenings
    assert len(told) == min(len(begun) + 1, watch.HAPPENINGS)
    assert "Letters" in told[0].lines[0].text
    assert told[1:] == begun[: len(told) - 1]


def test_where_all_of_many_are_asked_it_says_everybody() -> None:
    pair = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    three = play.open_match("agot", "light", dict.fromkeys(("stark", "lannister", "baratheon"), ""))
    assert watch.watched(Table(pair)).asked == "Ada, Bo"
    assert watch.watched(Table(three)).asked == "Everyone"


def test_what_is_told_at_length_has_a_line_for_each_house() -> None:
    match = play.open_match("agot", "orders", dict.fromkeys(("stark", "lannister", "baratheon"), ""))
    playing, luck = Playing(match), random.Random(1)
    while playing.state.question.step != "raven":
        playing.at_random(luck, 1)
    told = watch.watched(Table(Match.objects.get(pk=match.pk))).happenings
    assert [len(one.lines) for one in told[:2]] == [5, 1]
    marked = [(line.mark, line.text.partition(":")[0]) for line in told[0].lines[2:]]
    assert marked == [(5, "Baratheon"), (4, "Lannister"), (3, "Stark")]


@pytest.mark.parametrize(
    ("said", "mark"), [({"player": "Bo"}, 2), ({"card": "Bo-Peep"}, 0), ({"count": 2}, 0)]
)
def test_a_line_about_a_named_player_has_their_mark(said: dict[str, Any], mark: int) -> None:
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    seen = Table(Match.objects.get(pk=match.pk))
    lines = [say("%(player)s", player="Ada"), *[Line("x", said)] * watch.IN_A_ROW]
    assert [one.mark for one in watch._feed_lines(lines, seen)] == [1, *[mark] * watch.IN_A_ROW]


def test_the_sides_are_counted(match: Match) -> None:
    red, blue = watch.watched(Table(match)).sides
    assert re.fullmatch(r"(\d+) of \1 left", red.counted)
    assert red.to_act
    assert not blue.to_act
    leading = [piece.name for piece in red.pieces if piece.leads]
    assert len(leading) == 1
    whole = next(piece for piece in red.pieces if piece.full is not None)
    assert whole.full == 100


def test_units_are_named_before_the_game_begins() -> None:
    match = driving.opened("red demo:stark\nblue demo:lannister")
    side = watch.watched(Table(match)).sides[0]
    units = [unit.name for unit in match.units.filter(army__key=side.key)]
    assert [piece.name for piece in side.pieces] == units
    assert {piece.full for piece in side.pieces} == {100, None}


def test_facts_of_a_house_say_themselves() -> None:
    match = play.open_match("agot", "light", dict.fromkeys(("stark", "lannister", "baratheon"), ""))
    Playing(match).at_random(random.Random(1), 30)
    match.refresh_from_db()
    names = [piece.name for piece in watch.watched(Table(match)).sides[0].pieces]
    assert re.fullmatch(r"\d+ power", names[0])
    assert re.fullmatch(r"Supply \d", names[1])


def test_a_side_is_on_its_way_to_the_points_that_win(match: Match) -> None:
    Playing(match).adjust("red", "army/red", "points:red:3", "a card")
    red, blue = watch.watched(Table(Match.objects.get(pk=match.pk))).sides
    assert (red.score, red.target, red.toward) == (3, 10, 30)
    assert blue.toward == 0


def test_an_ended_match_asks_nobody(match: Match) -> None:
    assert "The graph begins" in shown(match)
    driving.do(match, "red army/red concede:red\nred end-match")
    found = watch.watched(Table(Match.objects.get(pk=match.pk)))
    assert (found.asked, found.since) == ("", None)
    assert found.result is not None
    assert [side.wins for side in found.sides] == [False, True]
    assert "The graph begins" not in shown(Match.objects.get(pk=match.pk)), "there will be no points"


@pytest.mark.parametrize(("slug", "mode", "counts"), GAMES)
def test_every_game_can_be_watched(slug: str, mode: str, counts: tuple[int, int]) -> None:
    game = next(one for one in systems() if one.slug == slug)
    names = dict(list(game.seat_names.items())[: counts[1]])
    match = play.open_match(slug, mode, names, seed="a seed")
    Playing(match).at_random(random.Random(4), 60)
    match.refresh_from_db()
    for language, _name in settings.LANGUAGES:
        with override(language):
            region = shown(match, language)
        assert region.startswith('<div id="region"')
        assert region.count("data-seat=") == counts[1]
    answer = asked(match)
    assert answer.status_code == 200
    assert answer.content.decode().count("<h1") == 1


def test_a_seat_sees_what_a_spectator_sees(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    region = re.compile(r'<div id="region".*?<nav', re.S)
    pages = [asked(match, phone=phone).content.decode() for phone in (red, Phone())]
    first, second = (region.search(page) for page in pages)
    assert first is not None
    assert second is not None
    assert first.group() == second.group()
    assert "Your seat" in pages[0]
    assert reverse("join", args=[match.code]) in pages[1]


def test_who_watches_without_scripts_is_shown_news(match: Match) -> None:
    page = asked(match).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page


def test_the_table_leads_to_it(match: Match) -> None:
    page = Phone().ask("GET", reverse("table", args=[match.code])).content.decode()
    assert page.count(f'href="{reverse("watch", args=[match.code])}"') == 2, "in the menu and in the bar"


def test_news_are_given_once(match: Match) -> None:
    assert asked(match, "watch-news", seen=str(match.version), view="watch").status_code == 204
    fresh = asked(match, "watch-news", seen="1", view="watch")
    assert fresh.content.decode() == shown(match)
    assert asked(match, "watch-news", seen=str(match.version + 1)).status_code == 410


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 40, "²"])
def test_nonsense_is_a_page_that_has_nothing(match: Match, seen: str) -> None:
    answer = asked(match, "watch-news", seen=seen)
    assert answer.status_code == 200
    assert answer.content.decode() == shown(match)


@pytest.mark.parametrize("name", ["watch-news", "watch-stream"])
def test_a_page_of_another_program_is_loaded_again(match: Match, name: str) -> None:
    assert asked(match, name, program=origin()).status_code == 200
    assert asked(match, name, program="another").status_code == 410


def test_another_version_is_another_program() -> None:
    mine = program()
    program.cache_clear()
    with override_settings(VERSION="99"):
        assert program() != mine
    program.cache_clear()
    assert program() == mine


@pytest.mark.parametrize("name", ["watch", "watch-news", "watch-stream"])
def test_no_such_table(name: str) -> None:
    assert Phone().ask("GET", reverse(name, args=["ZZZZZZ"])).status_code == 404


def test_its_stream_is_a_spectators(match: Match) -> None:
    red = Phone()
    cast.sit(red, match, "red")
    url = json.loads(asked(match, "watch-stream", red, view="watch", lang="zh-hans").content)["url"]
    ticket = hub.read_stream_token(url.removeprefix("/live/").partition("?")[0])
    assert ticket is not None
    assert ticket.audience == Audience((), "zh-hans", "watch")
    match.refresh_from_db()
    assert view.snapshot(match.code, ticket.audience) == (match.version, shown(match, "zh-hans"))


def test_an_unknown_view_or_language_is_the_usual_one(match: Match) -> None:
    url = json.loads(asked(match, "watch-stream", view="../etc", lang="xx").content)["url"]
    ticket = hub.read_stream_token(url.removeprefix("/live/").partition("?")[0])
    assert ticket is not None
    assert ticket.audience == Audience((), "en", "watch")
