"""Kinds of event: Bushido, a league over weeks, the board game; the clock, phones and streams."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client, RequestFactory

from games.core import IllegalAction, RequestRefused
from games.hall import commands, event_actions, event_links
from games.hall.models import Event, Helper, Player
from games.hall.pages import rounds_and_standings
from games.hall.rules import event_results, event_rounds, seating_changes, standings
from games.hall.rules.event_state import Pairing, Round
from games.live import audiences, rooms
from games.live.hub import Audience, hub
from games.models import Match
from games.people.sessions import SessionStore
from games.web import clock
from tests.hall.halls import ANNA, gathering, opened, refused, scores, state

pytestmark = pytest.mark.django_db


def test_bushido_is_run_to_its_ranking():
    """Nine players, three rounds of Monrad: 7 for the bye, 7 and 2 for a game, ranked by the sums."""
    code = opened(9, system="bushido", length=3)
    for number in range(1, 4):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        for one in state(code).at(number):
            if not one.is_bye:
                better = min(one.players, key=lambda key: int(key[1:]))
                vp = (2, 1) if one.players[0] == better else (1, 2)
                commands.enter_result(code, ANNA, one.key, scores(one, *vp))
        commands.close_round(code, ANNA)
    g = state(code)
    points = {line.player: line.values["points"] for line in standings.standings(g)}
    expected = dict.fromkeys(g.players, 0)
    for one in g.pairings.values():
        for key in one.players:
            expected[key] += 7 if one.is_bye or one.winner == key else 2
    assert points == expected
    # Who had the bye may have as many points as the best player, and stand above by the tie-breaks.
    ranked = [points[line.player] for line in standings.standings(g)]
    assert ranked == sorted(ranked, reverse=True)
    assert points["p1"] == ranked[0] == 21
    assert Match.objects.filter(system="bushido").count() == 12


def test_a_round_of_bushido_lasts_as_long_as_a_game_of_its_size():
    g = state(opened(8, system="bushido"))
    assert (g.options["points"], g.minutes) == (100, 120)


def test_a_league_lasts_for_weeks_and_has_no_hall_clock():
    code = opened(4, kind="round-robin", length=3, days=14)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = state(code)
    assert g.rounds["1"].until - 14 * 24 * 3600 > 1_700_000_000
    with pytest.raises(RequestRefused, match="no round clock"):
        commands.start_clock(code, ANNA)
    # The next round may begin while games of this one are still to be played.
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for number in (2, 1):
        for one in state(code).at(number):
            commands.enter_result(code, ANNA, one.key, scores(one, 3, 1))
        commands.close_round(code, ANNA, number)
    commands.pair(code, ANNA)
    met = {frozenset(one.players) for one in state(code).pairings.values()}
    assert len(met) == 6


def test_tables_of_six_play_the_board_game_for_places():
    code = opened(12, system="agot", length=2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = state(code)
    assert [len(one.players) for one in g.at(1)] == [6, 6]
    for one in g.at(1):
        match = Match.objects.get(code=one.match)
        names = {army.key: army.name for army in match.armies.all()}
        assert names == {seat: g.players[key].name for seat, key in zip(one.seats, one.players, strict=True)}
        tied = scores(one, 7, 5, 4, 4, 3, 1)
        assert "land areas, supply and the Iron Throne track decide" in str(
            refused(commands.enter_result, code, ANNA, one.key, tied)
        )
        for key, place in zip(one.players, (1, 2, 4, 3, 5, 6), strict=True):
            tied["scores"][key]["place"] = place
        commands.enter_result(code, ANNA, one.key, tied)
    commands.close_round(code, ANNA)
    points = sorted(line.values["points"] for line in standings.standings(state(code)))
    assert points == sorted([6, 5, 4, 3, 2, 1] * 2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    had = [
        (key, seat)
        for one in state(code).pairings.values()
        for key, seat in zip(one.players, one.seats, strict=True)
    ]
    assert len(set(had)) == 24


@pytest.mark.parametrize("seconds", [-300, -60, 0, 4 * 3600 + 60])
def test_time_is_added_and_never_taken_from_people_who_play(seconds):
    g = gathering(4)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    for table in ("", "1-1"):
        with pytest.raises(IllegalAction, match="between one minute and four hours"):
            event_rounds.extend(g, seconds, table)


def test_a_table_crosses_the_end_of_its_round():
    g = gathering(4, minutes=90)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    event_rounds.start_clock(g, 1000)
    found = g.rounds["1"]
    assert found.left(1000 + 60) == 89 * 60
    event_rounds.pause_clock(g, 1000 + 600)
    assert found.left(99_999) == 80 * 60
    event_rounds.start_clock(g, 2000)
    event_rounds.extend(g, 300)
    assert found.left(2000) == 85 * 60
    event_rounds.extend(g, 600, "1-1")
    assert found.left(2000, g.pairings["1-1"].extended) == 95 * 60
    # Time is long up: nothing ends by itself, and the round waits for its results.
    assert found.left(2000 + 6 * 3600) < 0
    # The server's clock was set back by an hour.
    assert found.left(2000 - 3600) == 85 * 60
    with pytest.raises(Exception, match="Results are missing"):
        event_rounds.close_round(g, 0)


def test_a_round_lasts_as_long_as_the_event_says_when_it_is_opened():
    g = gathering(4, minutes=90)
    event_rounds.pair(g)
    g.minutes, g.overtime = 75, 5
    event_rounds.open_round(g, 0)
    assert (g.rounds["1"].minutes, g.rounds["1"].overtime) == (75, 5)


def test_players_who_swap_into_a_second_meeting_are_named():
    g = gathering(4)
    first, second = [("p1", "p2"), ("p3", "p4")], [("p1", "p3"), ("p2", "p4")]
    for number, pairs in enumerate((first, second), 1):
        g.rounds[str(number)] = Round(str(number), number, "", state="closed" if number == 1 else "drafted")
        for at, players in enumerate(pairs, 1):
            one = Pairing(f"{number}-{at}", number, at, players)
            one.state, one.how, one.winner = (
                ("entered", "finished", players[0]) if number == 1 else ("open", "", "")
            )
            g.pairings[one.key] = one
    seating_changes.swap(g, "p3", "p4")
    assert "met before" not in " ".join(map(str, g.lines))
    seating_changes.swap(g, "p4", "p2")
    assert [str(line) for line in g.lines if "met before" in str(line)] == [
        "Player 1 and Player 2 have met before.", "Player 3 and Player 4 have met before.",
    ]  # fmt: skip


def test_what_a_page_showed_differs_once_players_have_swapped():
    g = gathering(4)
    event_rounds.pair(g)
    before = event_rounds.mark(g)
    one, other = g.at(1)
    seating_changes.swap(g, one.players[0], other.players[0])
    assert event_rounds.mark(g) != before


def test_a_round_that_is_opened_again_has_the_time_left_that_it_had():
    g = gathering(4, minutes=90)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    event_rounds.start_clock(g, 1000)
    for one in g.at(1):
        event_results.enter(g, one.key, scores(one, 1, 0))
    event_rounds.close_round(g, 1000 + 3600)
    event_rounds.reopen(g)
    assert g.rounds["1"].left(99_999) == 30 * 60
    event_rounds.close_round(g, 99_999)
    assert g.rounds["1"].left(99_999) == 30 * 60


def request(event: Event | None = None):
    made = RequestFactory().get("/")
    made.session = SessionStore()
    made.user = None
    return made


def test_a_phone_is_in_two_events():
    first, second = (
        event_actions.open_event({"system": "tmg", "name": name}, ANNA) for name in ("Cup", "League")
    )
    phone = request()
    for event in (first, second):
        key = commands.register(event.code, ANNA, "Ada").made
        event_links.take(phone, Player.objects.select_related("event").get(event=event, key=key))
    judge = Helper.objects.create(event=first, role="judge", name="Ben")
    assert [event_links.actor(phone, event).role for event in (first, second)] == ["player", "player"]
    event_links.take(phone, judge)
    assert [event_links.actor(phone, event).role for event in (first, second)] == ["judge", "player"]
    assert event_links.codes(phone) == [first.code, second.code]
    event_links.revoke(judge)
    assert event_links.actor(phone, first).role == ""


def test_a_link_opens_its_own_event_and_only_while_it_is_worth_something():
    first, second = (
        event_actions.open_event({"system": "tmg", "name": name}, ANNA) for name in ("Cup", "League")
    )
    key = commands.register(first.code, ANNA, "Ada").made
    player = Player.objects.select_related("event").get(event=first, key=key)
    told = event_links.secret(player)
    assert event_links.holder_of(first, told) == player
    for event, link in (
        (second, told),
        (first, told[:-1]),
        (first, "p1"),
        (first, "x1.a"),
        (first, "p²." + told),
    ):
        with pytest.raises(RequestRefused, match="no longer works"):
            event_links.holder_of(event, link)
    commands.new_link(first.code, ANNA, key)
    with pytest.raises(RequestRefused):
        event_links.holder_of(first, told)


def test_the_rooms_of_an_event_follow_it_and_its_tables(monkeypatch):
    code = opened(4, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    event = Event.objects.get(code=code)
    names = [rooms.EVENT + code, rooms.WALL + code]
    before = rooms.read_rooms([*names, "e-NONE"])
    assert set(before) == set(names)
    assert before[names[0]][0] == event.version
    match = Match.objects.filter(pairings__event=event).first()
    Match.objects.filter(pk=match.pk).update(version=match.version + 1)
    after = rooms.read_rooms(names)
    assert after[names[0]] == before[names[0]]
    assert after[names[1]][0] == before[names[1]][0] + 1
    commands.announce(code, ANNA, "Lunch.")
    assert rooms.read_rooms(names)[names[1]][0] > after[names[1]][0]
    assert set(before[names[0]][1]) == {f"p{pk}" for pk in event.players.values_list("pk", flat=True)}
    monkeypatch.setitem(audiences.EVENT_VIEWS, "plain", lambda code, audience: f"{code} for {audience.view}")
    version, shown = audiences.snapshot(names[0], Audience((), "en", "plain"))
    assert (version, shown) == (event.version + 1, f"{code} for plain")
    told = []
    monkeypatch.setattr(hub, "publish", lambda room, version, render: told.append((room, version)))
    audiences.announce_event(code, 7)
    assert told == [(names[0], 7)]
    monkeypatch.setitem(hub.rooms, names[1], object())
    audiences.announce_table(code)
    of_wall = names[1], rooms.version(names[1], Event.objects.get(code=code))
    assert told[1] == of_wall
    audiences.announce_event(code, 8)
    assert told[2:] == [(names[0], 8), of_wall]


def test_an_unknown_event_is_told_to_programs():
    for path in ("", "/history", "/tables/standings"):
        answer = Client().get(f"/api/events/ZZZZZZ{path}")
        assert (answer.status_code, answer.json()["message"]) == (404, "There is no event with this code.")
    code = opened(2)
    assert Client().get(f"/api/events/{code}/tables/nothing").status_code == 404
    assert Client().get(f"/api/events/{code.lower()}/tables/players").content.startswith(b"\xef\xbb\xbfkey")


def test_a_player_of_a_league_chooses_a_list_for_the_older_open_game_first():
    code = opened(4, kind="round-robin", length=3, days=14)
    for key in ("p1", "p2", "p3", "p4"):
        commands.hand_in(code, ANNA, key, [f"{key} one", f"{key} two"])
    for _round in range(2):
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
    older = state(code).pairing_of("p1", 1)
    for key in older.players:
        commands.choose(code, ANNA, key, 2)
    g = state(code)
    assert set(g.pairing_of("p1", 1).chosen) == set(older.players)
    assert not set(g.pairing_of("p1", 2).chosen)
    commands.choose(code, ANNA, "p1", 1)
    assert set(state(code).pairing_of("p1", 2).chosen) == {"p1"}


@pytest.mark.parametrize(
    ("zone", "opened_at", "day"),
    [
        # The clocks go back, forward, or forward at midnight, in between.
        ("Europe/Berlin", "2026-10-20T00:10:00+02:00", "Oct. 27, 2026"),
        ("Europe/Berlin", "2026-03-25T23:40:00+01:00", "April 1, 2026"),
        ("America/New_York", "2026-10-28T00:30:00-04:00", "Nov. 4, 2026"),
        ("Australia/Lord_Howe", "2026-04-01T00:10:00+11:00", "April 8, 2026"),
        ("America/Santiago", "2026-08-30T00:30:00-04:00", "Sept. 6, 2026"),
        ("UTC", "2026-10-20T00:10:00+00:00", "Oct. 27, 2026"),
    ],
)
def test_a_league_is_played_for_whole_days_when_the_clocks_change(
    zone: str, opened_at: str, day: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TIME_ZONE = zone
    now = datetime.fromisoformat(opened_at).timestamp()
    code = opened(2, kind="round-robin", length=1, days=7)
    monkeypatch.setattr(clock, "seconds", lambda: now)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    assert rounds_and_standings.until(state(code), state(code).rounds["1"]) == f"To be played until {day}"
