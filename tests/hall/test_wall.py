"""The wall and the organisers' region: every tap is seen, nothing is drawn twice, no fault leaves halves."""

from __future__ import annotations

import html
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.hall import commands, event_links, event_tables
from games.hall.models import Helper, Round
from games.hall.organiser import hall_tables, overview, rounds_pages
from games.hall.pages import rounds_and_standings
from games.live.hub import read_stream_token
from games.models import Army, Match, Score
from games.web import clock
from tests.hall.halls import ANNA, by_chance, opened, play_round, scores, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def begun(players: int = 4) -> str:
    """An event whose first round is open."""
    code = opened(players)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def tapped(code: str, table: int, points: int, seat: int = 0) -> None:
    """The first seat of a table, or another, scores in the second round of its match."""
    match = Match.objects.get(code=next(one for one in state(code).at(1) if one.table == table).match)
    army = Army.objects.filter(match=match).order_by("pk")[seat]
    number = Score.objects.filter(match=match).count() + 1
    Score.objects.create(match=match, army=army, number=number, round=1, points=points, reason="gift")
    match.round, match.version = 2, match.version + 1
    match.save()


def test_a_tap_at_a_table_is_on_the_wall():
    code = begun()
    phone = phone_of(code)
    before = page(phone, code, "wall")
    assert before.count("Not begun") == 2
    tapped(code, 1, 3)
    after = page(phone, code, "wall")
    assert after.count("Not begun") == 1
    assert "Round 2" in after
    assert '<b class="vp">3</b>' in after
    tapped(code, 1, 2)
    assert '<b class="vp">5</b>' in page(phone, code, "wall")


def test_a_wall_is_drawn_once_for_everybody_who_looks(monkeypatch: pytest.MonkeyPatch):
    code, drawn = begun(), []
    real = overview.part
    monkeypatch.setattr(overview, "part", lambda name, **values: drawn.append(name) or real(name, **values))
    phones = [phone_of(code, role) for role in ("organiser", "judge", "scorekeeper")]
    for phone in phones:
        page(phone, code, "wall")
    assert drawn == ["hall/organiser/wall_region.html"]
    phones[0].get(reverse("wall-news", args=[code]), {"view": "wall", "lang": "zh-hans"})
    assert len(drawn) == 2
    tapped(code, 2, 1)
    for phone in phones:
        page(phone, code, "wall")
    assert len(drawn) == 3


def test_a_large_hall_asks_the_database_no_more_than_a_small_one():
    def asked(players: int) -> int:
        code = begun(players)
        phone = phone_of(code)
        page(phone, code, "wall")
        tapped(code, 1, 1)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(phone, code, "wall")
        return len(queries)

    assert asked(40) == asked(4) < 20


def test_what_needs_somebody_is_first_on_the_wall_and_last_what_is_done():
    code = begun(60)
    found = list(state(code).at(1))
    commands.enter_result(code, ANNA, found[0].key, scores(found[0], 5, 2))
    commands.call_judge(code, ANNA, found[20].key)
    phone = phone_of(code)
    text = page(phone, code, "wall")
    assert text.index('<b class="no">21</b>') < text.index('<b class="no">1</b>')
    assert "1 of 30 tables done" in text
    shown = page(phone, code)
    assert (
        shown.index('<b class="no">21</b>')
        < shown.index('<b class="no">2</b>')
        < shown.index('<b class="no">1</b>')
    )


def test_no_table_of_several_shows_houses_before_they_are_drawn():
    code = opened(5, system="agot", kind="swiss", scoring="places", size=6, houses="choice")
    commands.pair(code, ANNA)
    phone = phone_of(code)
    assert 'class="mark"' not in page(phone, code)
    commands.open_round(code, ANNA)
    commands.draw_houses(code, ANNA, "1-1")
    assert page(phone, code).count('class="mark"') == 5


def test_a_contested_tile_names_each_score_once_and_what_the_table_shows():
    code = begun()
    tapped(code, 1, 3)
    table = next(one for one in state(code).at(1) if one.table == 1)
    phone = phone_of(code)
    for player in table.players:
        actor = commands.Actor(player, "", "player")
        commands.report(code, actor, table.key, player, scores(table, 7, 4))
    commands.contest(code, commands.Actor(table.players[0], "", "player"), table.key, table.players[0], "No")
    label = '<span class="label">Disputed 7:4 {}</span>'
    assert label.format("3:0") in page(phone, code, "wall")
    tapped(code, 1, 4)
    tapped(code, 1, 4, seat=1)
    assert '<span class="label">Disputed 7:4</span>' in page(phone, code, "wall")


def test_a_stream_ends_with_the_link_of_its_helper():
    code = begun()
    phone = phone_of(code, "judge", "Jo")
    url = phone.get(reverse("wall-stream", args=[code]), {"view": "wall"}).json()["url"]
    ticket = read_stream_token(urlsplit(url).path.rpartition("/")[2])
    helper = Helper.objects.get(event__code=code, role="judge")
    assert ticket.match == f"w-{code}"
    assert ticket.epochs == ((event_links.name_of(helper), helper.epoch),)


def test_news_are_told_where_there_are_some():
    code = begun()
    phone = phone_of(code)
    url, seen = reverse("wall-news", args=[code]), overview.hall_of(code).version
    assert phone.get(url, {"view": "organiser", "seen": seen}).status_code == 204
    commands.start_clock(code, ANNA)
    answer = phone.get(url, {"view": "organiser", "seen": seen})
    assert 'id="region"' in answer.content.decode()
    assert 'value="pause_clock ' in answer.content.decode()
    assert phone.get(url, {"seen": "9" * 18}).status_code == 410
    assert phone.get(url, {"program": "another"}).status_code == 410
    assert Client().get(url).status_code == 403


def test_a_region_shows_each_role_its_own_buttons():
    code = opened(4)
    organiser, judge = phone_of(code), phone_of(code, "judge")
    url = reverse("wall-news", args=[code])
    text = organiser.get(url, {"view": "organiser"}).content.decode()
    assert 'value="pair ' in text
    assert 'data-news="4 of 4 checked in"' in text
    text = judge.get(url, {"view": "organiser"}).content.decode()
    assert 'value="pair ' not in text
    assert "Waiting for an organiser: Pair round 1" in text


def test_a_table_that_crosses_the_end_of_its_round_counts_on_and_may_have_more(
    monkeypatch: pytest.MonkeyPatch,
):
    code = begun()
    phone, key = phone_of(code), next(state(code).at(1)).key
    now = 1_000_000_000
    monkeypatch.setattr(clock, "seconds", lambda: now)
    Round.objects.filter(event__code=code).update(running_since=now - 92 * 60)
    send(phone, code, f"extend 10 {key}", f"table {key}")
    text = page(phone, code)
    assert "\N{MINUS SIGN}2:00" in html.unescape(text)
    assert f'data-ends="{now - 120}"' in text
    assert f'data-ends="{now + 480}"' in text
    sent = {f"vp-{player}": "5" for player in state(code).pairings[key].players}
    assert send(phone, code, f"enter {key}", f"table {key}", **sent).status_code == 302


def test_a_fault_in_the_middle_of_opening_leaves_the_round_to_be_opened_again(
    monkeypatch: pytest.MonkeyPatch,
):
    code = opened(8)
    commands.pair(code, ANNA)
    phone, real, made = phone_of(code), event_tables.play.open_match, []

    def breaks(*args, **more):
        if len(made) == 2:
            raise OSError("the power is gone")
        made.append(1)
        return real(*args, **more)

    monkeypatch.setattr(event_tables.play, "open_match", breaks)
    with pytest.raises(OSError, match="power"):
        send(phone, code, "open_round", key="the-same-button-1")
    monkeypatch.undo()
    assert (state(code).rounds["1"].state, Match.objects.count()) == ("drafted", 0)
    assert send(phone, code, "open_round", key="the-same-button-1").status_code == 302
    assert (state(code).rounds["1"].state, Match.objects.count()) == ("open", 4)


def test_a_missed_round_is_no_bye():
    code = opened(5)
    play_round(code, by_chance(1))
    commands.come_late(code, ANNA, "Zoe", "", "", "loss")
    g = state(code)
    out = next(g.players[one.players[0]].name for one in g.at(1) if one.is_bye)
    assert hall_tables.byes(g, g.at(1)) == f"Bye: {out} · Loss: Zoe"


def test_a_round_without_a_time_has_no_clock():
    """The organisers saw 0:00, with a button that starts it; the players saw no clock."""
    code = opened(4, minutes=0)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    hall = hall_tables.hall_of(code)
    assert (overview.overview_of(hall, "organiser").clock, overview.wall_region(hall).clock) == (None, None)
    g = state(begun())
    shown = rounds_and_standings.clock_of(g, g.last)
    assert shown is not None
    assert shown.text == "90:00"


def test_two_of_one_name_are_told_apart_wherever_an_organiser_reads_them():
    code = opened(0)
    commands.import_table(code, ANNA, "Bo;Leeds 1/2\nBo;York\nBo")
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone, told = phone_of(code), {"Bo", "Bo (York)", "Bo (Leeds 1/2)"}
    hall = hall_tables.hall_of(code)
    (table,) = hall_tables.tables(hall, hall.current)
    (alone,) = told - {player.name for player in table.players}
    assert f"Bye: {alone}" in page(phone, code, "organise-pairings")
    at_table = page(phone, code, "organise-table", next(one.key for one in state(code).at(1) if one.table))
    assert [at_table.count(html.escape(name)) > 1 for name in told - {alone}] == [True, True]


def test_a_slash_in_a_club_separates_no_players():
    code = opened(0)
    commands.import_table(code, ANNA, "Bo;Leeds 1/2\nBo;York")
    g = state(code)
    assert rounds_pages.groups_of(g, rounds_pages.groups_as_text(g, [["p1", "p2"]])) == [["p1", "p2"]]
