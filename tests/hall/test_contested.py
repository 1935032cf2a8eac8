"""What two say differently, or one does not accept: it waits until they agree, or for a judge."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings

from games.core import RequestRefused, system
from games.hall import commands, event_actions, event_tables
from games.hall.event_actions import Actor
from games.hall.event_undo import undo
from games.hall.models import Event
from games.hall.rules.event_state import Pairing
from games.hall.rules.standings import standings
from games.history import commits
from games.match import play as tables
from games.match import storage, undoing
from games.models import Match
from games.translation import words
from tests.hall import places
from tests.hall.halls import ANNA, begun, end, first_table, opened, refused, scores, state
from tests.hall.test_organiser import page, phone_of

pytestmark = pytest.mark.django_db


def event(code: str) -> Event:
    return Event.objects.get(code=code)


def says(code: str, table: Pairing, player: str, *points: int) -> Pairing:
    """A player reports these points, and the event asks its tables; the pairing after it."""
    commands.report(code, Actor(player, player, "player"), table.key, player, scores(table, *points))
    event_actions.take_over_results(code)
    return state(code).pairings[table.key]


def test_what_a_table_says_and_a_player_contests_waits_for_a_judge_whatever_is_reported() -> None:
    code = begun()
    table = first_table(code)
    end(table.match, 5, 2)
    event_actions.take_over_results(code)
    one = table.players[0]
    commands.contest(code, Actor(one, "", "player"), table.key, one, "It was 5-4.")
    for player in table.players:
        found = says(code, table, player, 5, 4)
        assert (found.state, found.results[table.players[1]]["vp"]) == ("contested", 2)
    with pytest.raises(RequestRefused, match="A judge must decide"):
        commands.enter_result(code, ANNA, table.key, scores(table, 1, 1))
    commands.rule(code, ANNA, table.key, scores(table, 5, 4), "Counted again.")
    assert state(code).pairings[table.key].state == "entered"


def test_the_judge_reads_at_the_table_why_it_is_contested() -> None:
    """What a player had written stood in the history alone."""
    code = begun()
    table = first_table(code)
    one, judge = table.players[0], phone_of(code, "judge")
    end(table.match, 5, 2)
    event_actions.take_over_results(code)
    commands.contest(code, Actor(one, "", "player"), table.key, one, "We forgot a token.")
    says = f"<dt>{state(code).called(one)} says</dt><dd>We forgot a token.</dd>"
    assert says in page(judge, code, "organise-table", table.key)
    undo(code, event(code).version, ANNA)
    assert "We forgot" not in page(judge, code, "organise-table", table.key)


def test_the_judge_types_only_what_two_reports_say_differently() -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    says(code, table, one, 8, 5)
    says(code, table, other, 8, 6)
    shown = page(phone_of(code), code, "organise-table", table.key)
    fields = dict(re.findall(r'name="vp-(\w+)"[^>]*? value="(-?\d*)"', shown))
    assert fields == {one: "8", other: ""}
    card = places.card(places.phone(code, other), code)
    assert card.count(" reports: ") == 2, "and whoever mistyped sees it"


def test_what_a_table_shows_is_listed_as_each_language_lists() -> None:
    code = begun()
    table = first_table(code)
    end(table.match, 5, 2)
    judge = phone_of(code, "judge")
    judge.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert re.search(
        r"<dd>\W*Player \d\W* 5、\W*Player \d\W* 2</dd>", page(judge, code, "organise-table", table.key)
    )


def test_a_ruling_is_contested_no_more_unless_it_is_undone() -> None:
    """The side that had lost could make the table wait for a judge again and again."""
    code = begun()
    table = first_table(code)
    one = table.players[0]
    who, phone = Actor(one, "", "player"), places.phone(code, one)
    commands.enter_result(code, ANNA, table.key, scores(table, 0, 12))
    assert "Dispute the result" in places.card(phone, code)
    commands.contest(code, who, table.key, one, "I doubt it.")
    ruled = commands.rule(code, ANNA, table.key, scores(table, 0, 12), "Counted again.")
    before = state(code).pairings[table.key]
    assert "Dispute the result" not in places.card(phone, code)
    with pytest.raises(RequestRefused, match="A judge has ruled on this result"):
        commands.contest(code, who, table.key, one, "I doubt it still.")
    assert state(code).pairings[table.key] == before
    undo(code, ruled.version, ANNA)
    commands.rule(code, ANNA, table.key, scores(table, 5, 12), "Counted once more.")
    with pytest.raises(RequestRefused, match="A judge has ruled on this result"):
        commands.contest(code, who, table.key, one, "I doubt it still.")


@pytest.mark.parametrize("is_entered", [True, False])
def test_nobody_makes_a_contested_result_a_bye_by_leaving(is_entered: bool) -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    if is_entered:
        commands.enter_result(code, ANNA, table.key, scores(table, 0, 12))
        commands.contest(code, Actor(one, "", "player"), table.key, one, "I doubt it.")
    else:
        says(code, table, one, 3, 2)
        says(code, table, other, 0, 12)
    before = state(code).pairings[table.key]
    phone = places.phone(code, one)
    assert "what a bye is worth" not in places.page(phone, code, "event-leave")
    assert places.post(phone, code, "event-leave").status_code == 302
    found = state(code)
    assert (found.pairings[table.key], found.players[one].dropped) == (before, 1)
    commands.rule(code, ANNA, table.key, scores(table, 0, 12), "Counted again.")
    assert {line.player: line.values["vp"] for line in standings(state(code))}[other] == 12


def test_two_who_said_different_things_may_still_agree() -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    assert says(code, table, one, 5, 2).state == "reported"
    assert says(code, table, other, 5, 4).state == "contested"
    assert says(code, table, one, 5, 3).state == "contested"
    assert says(code, table, one, 5, 4).state == "agreed"


def test_a_table_that_ends_otherwise_than_its_players_agreed_waits_for_a_judge() -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    says(code, table, one, 5, 2)
    assert says(code, table, other, 5, 2).state == "agreed"
    end(table.match, 7, 4)
    for _look in range(2):
        event_actions.take_over_results(code)
        found = state(code).pairings[table.key]
        assert (found.state, found.results[one]["vp"], found.winner) == ("contested", 5, one)
    told = [words(line) for entry in commits.entries_of(event(code)) for line in commits.lines_for(entry)]
    (line,) = [line for line in told if "is disputed" in line]
    assert [points in line for points in (" 5, ", " 2, ", " 7, ", " 4, ")] == [True] * 4
    commands.rule(code, ANNA, table.key, scores(table, 7, 4), "As the table says.")
    event_actions.take_over_results(code)
    found = state(code).pairings[table.key]
    assert (found.state, found.results[one]["vp"]) == ("entered", 7)


def test_a_table_that_ends_as_its_players_agreed_changes_nothing() -> None:
    code = begun()
    table = first_table(code)
    for player in table.players:
        says(code, table, player, 7, 4)
    version = event(code).version
    end(table.match, 7, 4)
    for changed in ("", table.match):
        event_actions.take_over_results(code, changed or "")
        assert (state(code).pairings[table.key].state, event(code).version) == ("agreed", version)


def test_a_table_counts_against_what_one_of_its_players_has_reported_and_may_be_corrected() -> None:
    """Both have agreed to its end, and both to the other one when it ends again."""
    code = begun()
    table = first_table(code)
    one = table.players[0]
    assert says(code, table, one, 7, 0).state == "reported"
    for more, points in ((7, 7), (2, 9)):
        end(table.match, more, 0)
        event_actions.take_over_results(code)
        found = state(code).pairings[table.key]
        assert (found.state, found.results[one]["vp"]) == ("agreed", points)


def test_a_table_that_goes_on_takes_its_result_back_whatever_one_of_its_players_has_reported() -> None:
    code = begun()
    table = first_table(code)
    says(code, table, table.players[0], 7, 0)
    end(table.match, 7, 0)
    event_actions.take_over_results(code)
    newest = Match.objects.get(code=table.match).version
    undoing.ask(table.match, "", newest, tables.new_key(), "Anna")
    event_actions.take_over_results(code)
    found = state(code).pairings[table.key]
    assert (found.state, found.results, list(found.claims)) == ("reported", {}, [table.players[0]])


def test_a_player_gives_nobody_tournament_points_by_reporting_the_same_score() -> None:
    code = begun()
    table = first_table(code)
    one, other = table.players
    says(code, table, one, 5, 2)
    said = scores(table, 5, 2)
    said["scores"][one]["points"] = 0
    commands.report(code, Actor(other, other, "player"), table.key, other, said)
    found = state(code)
    assert found.pairings[table.key].state == "agreed"
    points = {line.player: line.values["points"] for line in standings(found)}
    assert (points[one], points[other]) == (1, 0)


def test_nobody_says_that_a_game_was_not_played_because_somebody_left() -> None:
    """It would be worth a bye, and the two could meet again."""
    code = begun()
    table = first_table(code)
    one = table.players[0]
    for send in (commands.report, commands.enter_result):
        who = (one,) if send is commands.report else ()
        with pytest.raises(RequestRefused, match="A game does not end like this"):
            send(code, ANNA, table.key, *who, scores(table, 5, 2, how="left"))
    assert state(code).pairings[table.key].state == "open"


@pytest.mark.parametrize(("role", "points"), [("scorekeeper", 0), ("judge", 9), ("organiser", 9)])
def test_only_a_judge_says_how_many_tournament_points_a_game_is_worth(role: str, points: int) -> None:
    code = begun()
    table = first_table(code)
    said = scores(table, 0, 5)
    said["scores"][table.players[0]]["points"] = 9
    commands.enter_result(code, Actor("helper-9", "Ben", role), table.key, said)
    found = {line.player: line.values["points"] for line in standings(state(code))}
    assert found[table.players[0]] == points


def test_only_a_judge_rules_on_a_game_whose_player_has_left() -> None:
    code = begun()
    table = first_table(code)
    commands.drop(code, ANNA, table.players[0])
    before = state(code).pairings[table.key]
    keeper = Actor("helper-9", "Ben", "scorekeeper")
    with pytest.raises(RequestRefused, match="A judge must decide"):
        commands.enter_result(code, keeper, table.key, scores(table, 12, 0))
    assert state(code).pairings[table.key] == before
    commands.rule(code, ANNA, table.key, scores(table, 12, 0), "Played to its end.")
    assert state(code).pairings[table.key].winner == table.players[0]


@pytest.mark.parametrize(
    ("counted", "first", "second", "state_then", "destroyed"),
    [
        (True, 12, 20, "contested", None),
        (True, 12, 12, "agreed", 12),
        (True, 12, None, "agreed", 12),
        (True, None, 20, "agreed", 20),
        (False, 12, 20, "agreed", 20),
    ],
)
def test_what_the_ranking_counts_is_agreed_on_as_well(
    counted: bool, first: int | None, second: int | None, state_then: str, destroyed: int | None
) -> None:
    code = begun(criteria=["wins", "vp", *(["destroyed"] if counted else [])])
    table = first_table(code)
    for player, number in zip(table.players, (first, second), strict=True):
        said = scores(table, 5, 2)
        said["scores"][table.players[1]] |= {} if number is None else {"destroyed": number}
        commands.report(code, Actor(player, player, "player"), table.key, player, said)
    found = state(code).pairings[table.key]
    assert (found.state, found.results.get(table.players[1], {}).get("destroyed")) == (state_then, destroyed)
    if state_then == "contested":
        shown = page(phone_of(code), code, "organise-table", table.key)
        loser = state(code).players[table.players[1]].name
        assert all(f"Points destroyed: {loser} {number}" in shown for number in (first, second))


def test_what_an_organiser_corrects_at_a_table_that_has_ended_counts_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Points destroyed decide the ranking, too, and may be corrected without the victory points."""
    code = begun()
    table = first_table(code)
    end(table.match, 7, 4)
    event_actions.take_over_results(code)
    one = table.players[0]
    assert state(code).pairings[table.key].results[one]["destroyed"] == 0
    tally = {"red": {"vp": 7, "destroyed": 20}, "blue": {"vp": 4, "destroyed": 0}}
    monkeypatch.setattr(type(system("tmg")), "tally", lambda game, g: tally)
    event_tables.follow(storage.load(Match.objects.get(code=table.match)))
    found = state(code).pairings[table.key]
    assert (found.state, found.results[one]) == ("agreed", {"vp": 7, "destroyed": 20})
    version = event(code).version
    event_tables.follow(storage.load(Match.objects.get(code=table.match)))
    assert event(code).version == version


def test_a_game_that_both_have_lost_is_no_draw() -> None:
    """As in Honbasho, where neither VIM was slain first: each of them got half a win."""
    code = opened(2, system="bushido", scoring="win-or-nothing")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    table = first_table(code)

    def neither(g: Any) -> None:
        g.result = {"winner": None, "how": "neither", "points": dict.fromkeys(g.seats, 0)}

    tables.edit(table.match, neither, "Anna", "as played")
    event_actions.take_over_results(code)
    found = state(code)
    assert (found.pairings[table.key].state, found.pairings[table.key].how) == ("agreed", "all-lost")
    assert {(line.values["wins"], line.drawn, line.lost) for line in standings(found)} == {(0, 0, 1)}
    told = [words(line) for entry in commits.entries_of(event(code)) for line in commits.lines_for(entry)]
    assert told[-1].endswith(" 0, everyone lost.")
    shown = places.card(places.phone(code, table.players[0]), code)
    assert "You lost" in shown
    with pytest.raises(RequestRefused, match="A judge must decide"):
        commands.enter_result(code, ANNA, table.key, scores(table, 0, 0))


def test_a_judge_may_rule_a_draw_in_a_round_that_is_closed() -> None:
    code = begun(2)
    table = first_table(code)
    commands.enter_result(code, ANNA, table.key, scores(table, 5, 2))
    commands.close_round(code, ANNA)
    commands.rule(code, ANNA, table.key, scores(table, 5, 5), "Three points were counted twice.")
    assert state(code).pairings[table.key].winner == ""


def test_a_judge_may_rule_that_everybody_lost() -> None:
    code = begun()
    table = first_table(code)
    commands.rule(code, ANNA, table.key, scores(table, 5, 2, how="all-lost"), "Both came too late.")
    found = state(code)
    assert found.pairings[table.key].winner == ""
    lines = {line.player: line for line in standings(found)}
    assert [(lines[one].values["points"], lines[one].lost) for one in table.players] == [(0, 1), (0, 1)]


def test_nobody_who_leaves_contests_what_their_opponent_got_for_it() -> None:
    code = begun()
    table = first_table(code)
    gone = Actor(table.players[0], "Gone", "player")
    commands.drop(code, gone, gone.key)
    told = refused(commands.contest, code, gone, table.key, gone.key, "I stay after all")
    assert str(told) == f"{state(code).players[gone.key].name} has dropped out."
    assert first_table(code).state == "entered"
