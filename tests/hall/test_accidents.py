"""What goes wrong in a hall: a sentence each and nothing lost, also if the server restarts in the middle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from games.core import RequestRefused
from games.hall import commands, event_actions, event_tables
from games.hall.pages import rounds_and_standings
from games.hall.rules import event_rounds
from games.hall.rules.event_state import AGREED, ENTERED
from games.match import play, storage
from games.models import Match
from games.web import clock
from tests.hall import team_events
from tests.hall.halls import ANNA, begun, end, refused, scores, state
from tests.hall.places import ask, card, do, phone
from tests.waiting import in_one_moment

Restart = Callable[[], None]


@pytest.fixture(params=["runs", "restarted"])
def meanwhile(request: pytest.FixtureRequest) -> Restart:
    """What happens to the server in the middle: nothing, or it forgets all that a process keeps."""

    def forget() -> None:
        event_actions.POSITIONS.clear()
        event_tables.opened_by.cache_clear()
        storage.COMMITS.clear()

    return forget if request.param == "restarted" else lambda: None


def said(command: Callable[[], object]) -> str:
    """The sentence with which a command is refused; "" if it is not."""
    try:
        command()
    except RequestRefused as refusal:
        return str(refusal)
    return ""


def tap(match: str) -> None:
    play.edit(match, lambda g: g.score(g.seats[0], 1, "points"), "Anna", "as played")


@pytest.mark.django_db(transaction=True)
def test_two_organisers_mend_the_same_round_at_once(meanwhile: Restart) -> None:
    code = begun(6)
    one, other, third = state(code).at(1)
    seen = event_rounds.mark(state(code))
    meanwhile()
    told = in_one_moment(
        lambda: said(lambda: commands.swap(code, ANNA, one.players[0], other.players[0], seen=seen)),
        lambda: said(lambda: commands.swap(code, ANNA, one.players[0], third.players[0], seen=seen)),
    )
    assert told == ("", "This page was out of date. Check the rounds again.")
    players = [set(found.players) for found in state(code).at(1)]
    assert players == [
        {other.players[0], one.players[1]},
        {one.players[0], other.players[1]},
        set(third.players),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_player_is_swapped_while_somebody_taps_at_their_table(meanwhile: Restart) -> None:
    code = begun(4)
    one, other = state(code).at(1)
    meanwhile()
    in_one_moment(lambda: tap(one.match), lambda: commands.swap(code, ANNA, one.players[0], other.players[0]))
    assert Match.objects.get(code=one.match).version == 2, "the tap stays"
    now = {found.match for found in state(code).at(1)}
    assert one.match not in now
    assert len(now) == 2
    for key in (*one.players, *other.players):
        assert (
            f'data-goes="{state(code).pairing_of(key, 1).match}"'
            in ask(phone(code, key), code).content.decode()
        )


@pytest.mark.django_db(transaction=True)
def test_a_tap_at_a_table_that_a_swap_has_just_taken_away_gets_a_sentence(meanwhile: Restart) -> None:
    code = begun(4)
    one, other = state(code).at(1)
    _done, told = in_one_moment(
        lambda: commands.swap(code, ANNA, one.players[0], other.players[0]),
        lambda: said(lambda: tap(one.match)),
    )
    meanwhile()
    assert told == "There is no table with this code."
    assert len(Match.objects.all()) == 2


@pytest.mark.django_db
def test_a_result_arrives_for_a_table_that_was_called_off(meanwhile: Restart) -> None:
    code = begun(4)
    one, other = state(code).at(1)
    device = phone(code, one.players[0])
    tap(one.match)
    commands.call_off_table(code, ANNA, one.key)
    meanwhile()
    end(one.match, 9, 2)
    result = scores(one, 9, 2)
    for command in (
        lambda: commands.enter_result(code, ANNA, one.key, result),
        lambda: commands.report(code, ANNA, one.key, one.players[0], result),
        lambda: commands.rule(code, ANNA, one.key, result, "seen"),
    ):
        assert said(command) == "There is no such table in this event."
    assert do(device, code, f"agree-{one.key}").status_code in (409, 422)
    g = state(code)
    assert [found.state for found in g.at(1) if found.key == other.key] == ["open"]
    assert not any(found.results for found in g.at(1))
    assert Match.objects.get(code=one.match).result is not None, "what was played there can still be read"


@pytest.mark.django_db
def test_a_ruling_during_the_cut(meanwhile: Restart) -> None:
    code = begun(4, kind="knock-out")
    one, other = state(code).at(1)
    for table in (one, other):
        commands.enter_result(code, ANNA, table.key, scores(table, 5, 3))
    commands.rule(code, ANNA, one.key, scores(one, 5, 7), "miscounted")
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    meanwhile()
    assert finalists(code) == {one.players[1], other.players[0]}, "the ruling has sent them on"
    commands.rule(code, ANNA, one.key, scores(one, 9, 7), "counted once more")
    assert "Pair again" in str(refused(commands.open_round, code, ANNA))
    commands.repair(code, ANNA)
    assert finalists(code) == {one.players[0], other.players[0]}
    commands.open_round(code, ANNA)
    meanwhile()
    before = event_actions.event_of(code).version
    assert refused(commands.rule, code, ANNA, one.key, scores(one, 5, 7), "no, they were right").status == 409
    assert event_actions.event_of(code).version == before


def finalists(code: str) -> set[str]:
    return {key for found in state(code).at(2) for key in found.players}


@pytest.mark.django_db
def test_a_team_that_is_short_of_a_player_plays_with_an_empty_place(meanwhile: Restart) -> None:
    code = team_events.opened(2, 3)
    missing = next(key for key, one in state(code).players.items() if one.name.endswith("3"))
    commands.drop(code, ANNA, missing)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    meanwhile()
    team_events.put_up_all(code)
    g = state(code)
    byes = [one for one in g.at(1) if one.is_bye]
    assert len([one for one in g.at(1) if not one.is_bye]) == 2
    assert len(byes) == 1
    assert byes[0].state in (AGREED, ENTERED)
    assert missing not in byes[0].players


@pytest.mark.django_db
def test_a_captain_disappears_during_the_put_up(meanwhile: Restart) -> None:
    code = team_events.begun(2, 5)
    match = team_events.match_of(code)
    one, other = match.teams
    gone = team_events.captain(code, one)
    team_events.answer(code, match.key, one, match.line_ups[one][2])
    commands.drop(code, ANNA, gone.key)
    meanwhile()
    team_events.answer(code, match.key, other, match.line_ups[other][1])
    now = team_events.match_of(code)
    assert now.defenders == {one: match.line_ups[one][2], other: match.line_ups[other][1]}, (
        "the answer stands"
    )
    heir = team_events.captain(code, one)
    assert heir.key != gone.key
    assert refused(commands.propose, code, gone, match.key, now.offers(one)[0])
    team_events.put_up_all(code)
    assert not team_events.match_of(code).question


@pytest.mark.django_db
def test_summer_time_begins_during_a_round(meanwhile: Restart, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Berlin 01:59 was followed by 03:00 on 29 March 2026."""

    def at(hour: int, minute: int) -> None:
        moment = datetime(2026, 3, 29, hour, minute, tzinfo=UTC).timestamp()
        monkeypatch.setattr(clock, "seconds", lambda: moment)

    at(0, 30)
    code = begun(4, zone="Europe/Berlin", minutes=60)
    commands.start_clock(code, ANNA)
    at(0, 50)
    commands.announce(code, ANNA, "before")
    meanwhile()
    at(1, 10)
    commands.announce(code, ANNA, "after")
    g = state(code)
    assert rounds_and_standings.clock_of(g, g.last).text == "20:00"
    told = [one.at.text for one in rounds_and_standings.announcements(g)]
    assert ["03:10" in told[0], "01:50" in told[1]] == [True, True], told
    assert "20:00" in ask(phone(code), code).content.decode()
    assert card(phone(code, next(iter(g.players))), code)


@pytest.mark.django_db
def test_a_league_keeps_its_last_minute_across_summer_time(
    meanwhile: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime(2026, 3, 27, 19, 0, tzinfo=UTC).timestamp()
    monkeypatch.setattr(clock, "seconds", lambda: moment)
    code = begun(4, kind="round-robin", zone="Europe/Berlin", days=7)
    meanwhile()
    until = clock.at_home(datetime.fromtimestamp(state(code).last.until, UTC), "Europe/Berlin")
    assert f"{until:%d %H:%M}" == "03 20:00"
