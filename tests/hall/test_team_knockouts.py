"""Teams in a knockout: the bracket, seeds, a draw between teams, the places; and penalty points."""

from __future__ import annotations

from html import unescape

import pytest

from games.hall import commands, event_undo
from games.hall.models import Event
from games.hall.pages import bracket
from games.hall.rules import standings, team_rounds
from games.hall.rules.event_state import EventState, TeamMatch
from tests.hall.halls import ANNA, refused, scores, state
from tests.hall.places import page, phone
from tests.hall.team_events import begun, match_of, opened
from tests.hall.test_organiser import page as organised
from tests.hall.test_organiser import phone_of, send

pytestmark = pytest.mark.django_db

CUP = {"kind": "knock-out", "team_tables": "order"}


def enter(code: str, match: TeamMatch, *leads: int) -> None:
    """Enter the tables of a team match: by how much its first team leads at each."""
    g = state(code)
    for one, lead in zip(team_rounds.tables_of(g, match), leads, strict=True):
        first = g.players[one.players[0]].team == match.teams[0]
        points = (5 + lead, 5) if first else (5, 5 + lead)
        commands.enter_result(code, ANNA, one.key, scores(one, *points))


def play(code: str) -> None:
    """Play the next round: the first team of each match wins all its tables."""
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = state(code)
    for match in g.matches_at(g.last.number):
        if not match.is_bye:
            enter(code, match, 3, 2, 1)
    commands.close_round(code, ANNA)


def ranked(g: EventState) -> list[tuple[int, str]]:
    return [(one.rank, g.teams[one.player].name) for one in standings.standings(team_rounds.of_teams(g))]


def test_teams_play_a_knockout_with_seeds_and_a_match_for_third_place():
    code = opened(4, third=True, **CUP)
    g = state(code)
    for number, name in enumerate(("Stags", "Lions", "Krakens", "Wolves"), 1):
        team = next(one for one in g.teams.values() if one.name == name)
        commands.seed(code, ANNA, team.captain, number)
    play(code)
    g = state(code)
    semi = [[g.teams[key].name for key in one.teams] for one in g.matches_at(1)]
    assert [set(one) for one in semi] == [{"Stags", "Wolves"}, {"Lions", "Krakens"}]
    winners, losers = ([one[at] for one in semi] for at in (0, 1))
    shown = bracket.bracket_of(g)
    assert [[player.name for player in one.players] for one in shown.rounds[1].ties] == [winners]
    assert [one.points for one in shown.rounds[0].ties[0].players] == ["3", "0"]
    play(code)
    g = state(code)
    assert [{g.teams[key].name for key in one.teams} for one in g.matches_at(2)] == [{*winners}, {*losers}]
    commands.finish(code, ANNA)
    final, third = ([g.teams[key].name for key in one.teams] for one in state(code).matches_at(2))
    assert ranked(state(code)) == [(1, final[0]), (2, final[1]), (3, third[0]), (4, third[1])]
    told = page(phone(code), code, "event-standings")
    assert "Third place" in told
    assert "Final" in organised(phone_of(code), code, "event-round", 2)


def test_a_cut_takes_the_best_teams_and_the_players_keep_all_their_games():
    code = opened(4, length=2, cut=2, team_tables="order")
    play(code)
    play(code)
    best = [name for _rank, name in ranked(state(code))][:2]
    commands.pair(code, ANNA)
    g = state(code)
    assert [g.teams[key].name for key in match_of(code).teams] in (best, best[::-1])
    commands.open_round(code, ANNA)
    enter(code, match_of(code), 3, 2, -1)
    commands.close_round(code, ANNA)
    assert refused(commands.pair, code, ANNA).status == 409
    g = state(code)
    assert ranked(g)[0][1] == g.teams[match_of(code).teams[0]].name
    played = {line.player: line.won + line.lost for line in standings.standings(g)}
    assert {played[one.key] for one in g.players.values() if g.teams[one.team].name in best} == {3}


def drawn() -> tuple[str, TeamMatch]:
    """A knockout of teams, and a match that ended in a draw although no table did."""
    code = begun(4, 4, **CUP)
    match, other = state(code).matches_at(1)
    enter(code, other, 1, 1, 1, 1)
    enter(code, match, 5, 5, -1, -1)
    return code, match


def test_a_draw_between_teams_asks_who_advances():
    code, match = drawn()
    told = refused(commands.close_round, code, ANNA)
    assert "Choose who advances" in str(told.line)
    olga, team = phone_of(code), match.teams[1]
    assert f'value="go_on {match.key} {team}"' in organised(olga, code)
    assert "A draw" in page(phone(code), code)
    assert send(olga, code, f"go_on {match.key} {team}").status_code == 302
    assert refused(commands.go_on, code, ANNA, match.key, match.teams[0]).status == 409
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    assert team in match_of(code).teams


def test_a_table_of_teams_may_be_a_draw_in_the_knockout():
    code = begun(2, 3, **CUP)
    match = match_of(code)
    enter(code, match, 0, 0, 1)
    commands.close_round(code, ANNA)
    assert ranked(state(code))[0][1] == state(code).teams[match.teams[0]].name


def test_a_team_that_has_gone_on_stays_the_winner():
    code, match = drawn()
    commands.go_on(code, ANNA, match.key, match.teams[0])
    went_on = Event.objects.get(code=code).version
    commands.close_round(code, ANNA)
    table = team_rounds.tables_of(state(code), match)[0]
    turned = dict(
        zip(table.players, (1, 9) if table.players[0] == first_of(code, match) else (9, 1), strict=True)
    )
    stated = {"scores": {key: {"vp": vp} for key, vp in turned.items()}}
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    assert "Cancel round 2 first" in str(refused(commands.rule, code, ANNA, table.key, stated, "Slip").line)
    assert refused(event_undo.undo, code, went_on, ANNA).status == 409
    assert team_rounds.of_teams(state(code)).pairings[match.key].winner == match.teams[0]


def first_of(code: str, match: TeamMatch) -> str:
    """The player of a match's first team at its first table."""
    g = state(code)
    players = team_rounds.tables_of(g, match)[0].players
    return next(key for key in players if g.players[key].team == match.teams[0])


# --- penalty points ----------------------------------------------------------------------------------


def test_penalty_points_are_taken_from_a_player_and_a_team_with_their_reason():
    code = begun(2, 3, team_tables="order")
    match = match_of(code)
    enter(code, match, 1, 1, 1)
    team, player = match.teams[0], first_of(code, match)
    before = standings.mark(state(code))
    commands.penalise(code, ANNA, team, 1, "Late list")
    commands.penalise(code, ANNA, player, 2, "Slow play")
    g = state(code)
    assert standings.mark(g) != before
    values = {one.player: one.values for one in standings.standings(team_rounds.of_teams(g))}
    assert values[team]["points"] == 2 - 1
    assert next(one for one in standings.standings(g) if one.player == player).values["wins"] == 1 - 2
    told = page(phone(code), code, "event-standings")
    assert "Penalty: 1 · Late list" in told
    assert "Penalty: 2 · Slow play" in told
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    assert state(code).players[player].penalties == ()


@pytest.mark.parametrize(("points", "reason"), [(0, "Late"), (100, "Late"), (1, "  ")])
def test_a_penalty_needs_points_and_a_reason(points: int, reason: str):
    code = begun(2, 3, team_tables="order")
    player = next(iter(state(code).players))
    assert refused(commands.penalise, code, ANNA, player, points, reason).status == 409
    assert refused(commands.penalise, code, ANNA, "nobody", 1, "Late").status == 409


def test_a_penalty_counts_from_its_round_on_and_leaves_the_open_draw_alone():
    code = opened(4, 3, length=3, team_tables="order")
    play(code)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    mark = standings.mark(state(code), 1)
    commands.penalise(code, ANNA, next(iter(state(code).teams)), 2, "Late")
    assert standings.mark(state(code), 1) == mark


def test_organisers_and_judges_give_penalties_on_the_pages_of_players_and_teams():
    code = begun(2, 3, team_tables="order")
    g = state(code)
    team, player = next(iter(g.teams)), next(iter(g.players))
    judge = phone_of(code, "judge")
    for about, name in ((team, "organise-team"), (player, "organise-player")):
        assert f'value="penalise {about}"' in organised(judge, code, name, about)
        answer = send(judge, code, f"penalise {about}", penalty="2", reason="Slow play")
        assert answer.status_code == 302
        assert "Penalty: 2 · Slow play" in unescape(organised(judge, code, name, about))
    assert (
        send(phone_of(code, "scorekeeper"), code, f"penalise {team}", penalty="2", reason="x").status_code
        == 403
    )
