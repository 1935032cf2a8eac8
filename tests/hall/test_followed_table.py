"""Screens that follow one table of an event: what is played there, between rounds what was and what comes."""

from __future__ import annotations

import re

import pytest

from games.hall import commands
from games.hall.models import Event
from games.hall.pages import event_screens
from games.live import audiences, rooms
from games.live.hub import Audience
from games.models import Army, Match, Score
from games.pages.watching.watch import Watched
from tests.hall.halls import ANNA, end, opened, play_round, scores, state
from tests.hall.places import ask
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def at(code: str, table: int = 1) -> Watched:
    return event_screens.at_table(Event.objects.get(code=code), table)


def sides(shown: Watched) -> list[tuple[str, int, str]]:
    return [(side.name, side.score, side.record) for side in shown.sides]


def test_one_address_shows_the_table_from_the_first_round_to_the_last() -> None:
    code = opened(4, length=2)
    assert at(code).round_label == "The event has not begun yet"
    assert at(code).sides == ()
    seen = []
    for number in (1, 2):
        commands.pair(code, ANNA)
        assert f"round {number}" in at(code).asked
        commands.open_round(code, ANNA)
        shown = at(code)
        here = next(state(code).at(number))
        assert [side.name for side in shown.sides] == [state(code).called(key) for key in here.players]
        assert shown.event.name == "Cup"
        assert shown.event.title == f"Round {number} of 2 · Table 1"
        seen.append(shown.url)
        for pairing in state(code).at(number):
            commands.enter_result(code, ANNA, pairing.key, scores(pairing, 7, 5))
        commands.close_round(code, ANNA)
        done = at(code)
        assert done.asked == ("Next: round 2" if number == 1 else "")
        assert [side.score for side in done.sides] == [7, 5]
        assert [side.wins for side in done.sides] == [True, False]
    assert len(set(seen)) == 2
    assert [record for _name, _score, record in sides(at(code))] == ["2–0–0", "1–0–1"]


def test_it_names_the_factions_and_what_each_has_won_so_far() -> None:
    code = opened(0, length=3)
    commands.import_table(code, ANNA, "Ada;Leeds;Stark\nBen;York;Lannister\nCy;;\nDi;;")
    commands.check_in_all(code, ANNA)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    g = state(code)
    told = {g.players[key].name: record for key, record in ((one.key, "") for one in g.players.values())}
    for table in (1, 2):
        told |= {name: record for name, _points, record in sides(at(code, table))}
    won = {g.called(one.winner) for one in g.at(1)}
    for name, faction in (("Ada", "Stark · "), ("Ben", "Lannister · "), ("Cy", ""), ("Di", "")):
        assert told[name] == faction + ("1–0–0" if name in won else "0–0–1")


def test_it_has_the_clock_of_the_hall_with_what_this_table_got_more() -> None:
    code = opened(4, minutes=60)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    commands.extend(code, ANNA, 5, next(state(code).at(1)).key)
    assert at(code).event.clock.text == "65:00"
    assert at(code, 2).event.clock.text == "60:00"


@pytest.mark.parametrize("view", [event_screens.TABLE, event_screens.OVERLAY])
def test_every_tap_at_the_table_is_seen(view: str) -> None:
    code = opened(4)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    room, audience = rooms.WALL + code, Audience((), "en", view, "2")
    before, _html = audiences.snapshot(room, audience)
    match = Match.objects.get(code=next(one.match for one in state(code).at(1) if one.table == 2))
    army = Army.objects.filter(match=match).order_by("pk")[0]
    Score.objects.create(match=match, army=army, number=1, round=1, points=3, reason="gift")
    match.version += 1
    match.save()
    after, html = audiences.snapshot(room, audience)
    assert after > before
    assert re.search(r"<b[^>]*>3</b>", html)
    assert f'data-version="{after}"' in html


@pytest.mark.parametrize("name", ["event-tv", "event-overlay"])
@pytest.mark.parametrize("table", ["1", "9", "x", ""])
def test_any_address_gives_a_screen_that_asks_for_news(name: str, table: str) -> None:
    code = opened(4)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    answer = ask(Phone(), code, name, table=table)
    assert answer.status_code == 200
    body = answer.content.decode()
    url = re.search(r'data-news="(/e/[^"]+)"', body)[1].replace("&amp;", "&")
    fresh = Phone().get(url)
    assert fresh.status_code == 200
    seen = re.search(r'data-version="(\d+)"', fresh.content.decode())[1]
    assert Phone().get(f"{url}&seen={seen}").status_code == 204


def test_a_game_that_ends_in_the_app_is_followed_by_what_comes_next() -> None:
    code = opened(4, mode="manual-scoring", length=2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for pairing in list(state(code).at(1)):
        end(pairing.match, 9, 4)
    assert at(code).result is not None
    commands.close_round(code, ANNA)
    assert at(code).result is None
    assert [side.score for side in at(code).sides] == [9, 4]
