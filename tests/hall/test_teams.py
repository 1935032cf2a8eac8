"""Team events: registration, rounds of teams, their score and standings, and what goes wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.hall import commands, event_undo
from games.hall.models import Event
from games.hall.rules import standings, team_rounds, teams
from games.hall.rules.event_state import ENTERED, EventState, Pairing, Player, Round, Team, TeamMatch
from tests.hall.halls import ANNA, refused, state
from tests.hall.team_events import begun, captain, end_round, match_of, opened, play_round, put_up_all

pytestmark = pytest.mark.django_db


def played(*results: tuple[int, int], **settings: object) -> tuple[EventState, TeamMatch]:
    """Two teams whose tables ended like this, in victory points."""
    g = EventState(system="tmg", team_size=len(results), **settings)  # type: ignore[arg-type]
    g.rounds["1"] = Round("1", 1, "", state="open")
    match = g.team_matches["1-1"] = TeamMatch("1-1", 1, 1, ("a", "b"))
    for team in "ab":
        g.teams[team] = Team(team, 1, team)
    for at, (one, other) in enumerate(results):
        for team in "ab":
            g.players[f"{team}{at}"] = Player(f"{team}{at}", at, f"{team}{at}", team=team)
        winner = f"a{at}" if one > other else f"b{at}" if other > one else ""
        points = {f"a{at}": {"vp": one}, f"b{at}": {"vp": other}}
        g.pairings[f"1-{at}"] = Pairing(
            f"1-{at}",
            1,
            at,
            (f"a{at}", f"b{at}"),
            state=ENTERED,
            results=points,
            winner=winner,
            how="finished",
            team_match="1-1",
        )
    return g, match


def team_line(g: EventState, team: str) -> standings.Standing:
    """A team in the standings of teams."""
    return next(one for one in standings.standings(team_rounds.of_teams(g)) if one.player == team)


def first_team(code: str) -> str:
    """The team that registered first."""
    return next(iter(state(code).teams))


def test_tables_won_make_the_team_score():
    g, match = played((5, 3), (4, 4), (9, 2))
    assert team_rounds.score(g, match) == {"a": Fraction(5, 2), "b": Fraction(1, 2)}
    assert team_line(g, "a").values["points"] == 2
    assert team_line(g, "b").values["points"] == 0


def test_sums_make_the_team_score_and_a_small_lead_is_a_draw():
    g, match = played((5, 3), (3, 5), (4, 3), scoring="twenty", team_scale="sum", team_margin=2)
    assert team_rounds.score(g, match) == {"a": 31, "b": 29}
    assert team_line(g, "a").values["points"] == team_line(g, "b").values["points"] == 1
    g.team_margin = 1
    assert team_line(g, "a").values["points"] == 2


def test_a_sum_is_capped_and_the_other_team_gets_the_rest():
    g, match = played((20, 0), (20, 0), (20, 0), scoring="twenty", team_scale="total", team_cap=45)
    assert team_rounds.score(g, match) == {"a": 45, "b": 15}
    assert team_line(g, "a").values["points"] == 45


def test_twenty_points_are_shared_by_the_difference():
    g, _match = played((5, 3), (0, 30), (1, 1), scoring="twenty")
    told = [standings.points(g, one, one.players[0]) for one in g.pairings.values()]
    assert told == [12, 0, 10]


def test_a_whole_event_of_eight_teams():
    code = opened(8, 5)
    for number in (1, 2, 3):
        play_round(code, seed=number)
    commands.finish(code, ANNA)
    g = state(code)
    met = [frozenset(one.teams) for one in g.team_matches.values()]
    assert len(met) == 12
    assert len(set(met)) == 12, "no two teams meet twice"
    assert len(g.pairings) == 60
    lines = standings.standings(team_rounds.of_teams(g))
    assert sorted(line.rank for line in lines) == list(range(1, 9))
    assert sum(line.values["points"] for line in lines) == 2 * 12
    assert sum(line.values["vp"] for line in lines) == 60, "each table gives one in all"
    for number in (2, 3):
        before = {
            line.player: line.values["points"]
            for line in standings.standings(team_rounds.of_teams(g), number - 1)
        }
        leads = [abs(before[m.teams[0]] - before[m.teams[1]]) for m in g.matches_at(number)]
        assert max(leads) <= 2, "teams meet their like"


def test_players_have_standings_of_their_own():
    code = opened(2, 3, length=1)
    play_round(code)
    assert len(standings.standings(state(code))) == 6


def test_a_team_without_opponent_has_a_bye_as_its_players_have():
    code = begun(3, 3)
    g = state(code)
    bye = next(one for one in g.team_matches.values() if one.is_bye)
    alone = [one for one in g.pairings.values() if one.team_match == bye.key]
    assert len(alone) == 3
    put_up_all(code)
    end_round(code)
    line = team_line(state(code), bye.teams[0])
    assert line.values["points"] == 2
    assert line.byes == 1
    play_round(code, 2)
    second = next(one for one in state(code).matches_at(2) if one.is_bye)
    assert second.teams != bye.teams, "nobody has two byes before all have had one"


def test_a_missing_player_is_a_table_lost():
    code = opened(2, 3, scoring="twenty", team_scale="sum", bye={"points": 20}, team_tables="order")
    missing = state(code).members(first_team(code))[-1]
    commands.drop(code, ANNA, missing.key)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = state(code)
    assert sorted(len(one.players) for one in g.at(1)) == [1, 2, 2]
    rival = next(one.players[0] for one in g.at(1) if one.is_bye)
    assert g.players[rival].team != missing.team
    end_round(code)
    g = state(code)
    had = team_rounds.score(g, match_of(code))
    assert sum(had.values()) == 60, "the empty place gives what a bye is worth"


def test_somebody_who_leaves_during_the_put_up_is_missing_at_the_table():
    code = begun(2, 3)
    match = match_of(code)
    gone = match.line_ups[match.teams[0]][1]
    commands.drop(code, ANNA, gone)
    put_up_all(code)
    g = state(code)
    assert all(gone not in one.players for one in g.pairings.values())
    assert len(g.pairings) == 3


def test_a_reserve_plays_for_somebody_missing():
    code = opened(2, 3)
    team = first_team(code)
    commands.add_to_team(code, ANNA, team, ["Reserve"])
    commands.check_in_all(code, ANNA)
    first = state(code).members(team)[0]
    commands.drop(code, ANNA, first.key)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    names = [state(code).players[key].name for key in match_of(code).line_ups[team]]
    assert names[-1] == "Reserve"


def test_teams_change_places_in_a_draft():
    code = opened(4, 3)
    assert refused(commands.swap, code, ANNA, *list(state(code).teams)[:2]).status == 409
    commands.pair(code, ANNA)
    one, other = state(code).matches_at(1)
    commands.swap(code, ANNA, one.teams[0], other.teams[0])
    now = state(code).matches_at(1)
    assert now[0].teams == (other.teams[0], one.teams[1])
    commands.by_hand(code, ANNA, [one.teams, other.teams])
    assert [m.teams for m in state(code).matches_at(1)] == [one.teams, other.teams]
    commands.open_round(code, ANNA)
    assert refused(commands.swap, code, ANNA, one.teams[0], other.teams[0]).status == 409


def test_players_change_places_only_within_their_team():
    code = begun(2, 3, team_tables="order")
    one, other, _third = state(code).at(1)
    assert refused(commands.swap, code, ANNA, one.players[0], other.players[1]).status == 409
    commands.swap(code, ANNA, one.players[0], other.players[0])
    assert state(code).pairings[one.key].players[0] == other.players[0]
    assert state(code).pairings[one.key].match


def test_a_round_of_teams_is_not_closed_before_all_are_paired():
    code = begun()
    assert refused(commands.close_round, code, ANNA).status == 409


def test_a_round_of_teams_is_called_off_and_drawn_again():
    code = begun()
    put_up_all(code)
    commands.call_off(code, ANNA)
    assert state(code).team_matches == {}
    assert state(code).pairings == {}
    commands.pair(code, ANNA)
    assert len(state(code).team_matches) == 1


def test_a_result_that_changes_makes_the_next_draw_of_teams_stale():
    code = opened(4, 3, team_tables="order")
    play_round(code)
    commands.pair(code, ANNA)
    g = state(code)
    table = next(iter(g.at(1)))
    loser = next(key for key in table.players if key != table.winner)
    before = [one.teams for one in g.matches_at(2)]
    for one in g.at(1):
        if one.team_match == table.team_match:
            loser_here = one.players[0] if one.winner == one.players[1] else one.players[1]
            told = {key: {"vp": 9 if key == loser_here else 0} for key in one.players}
            commands.rule(code, ANNA, one.key, {"scores": told}, "typed wrong")
    assert loser
    stale = refused(commands.open_round, code, ANNA)
    assert stale.status == 409
    commands.repair(code, ANNA)
    commands.open_round(code, ANNA)
    assert [one.teams for one in state(code).matches_at(2)] != before


# --- who plays for whom --------------------------------------------------------------------------------


def test_a_pasted_table_with_a_column_of_teams_makes_them():
    code = opened(0, 3)
    commands.import_table(code, ANNA, "name,team\nAda,Lions\nBea,Wolves\nCal,Lions")
    g = state(code)
    lions = teams.named(g, "lions")
    assert [one.name for one in g.members(lions.key)] == ["Ada", "Cal"]
    assert g.players[lions.captain].name == "Ada"
    assert g.players[lions.captain].club == "Lions"


def test_two_teams_of_one_name_are_refused():
    code = opened(1)
    assert refused(commands.register_team, code, ANNA, "LIONS", ["New"]).status == 409


def test_a_team_has_at_most_twice_its_players():
    code = opened(0, 3)
    assert refused(commands.register_team, code, ANNA, "Lions", []).status == 409
    assert refused(commands.register_team, code, ANNA, "Lions", [f"P{n}" for n in range(7)]).status == 409


def test_a_team_that_loses_its_captain_has_another_and_an_empty_one_goes():
    code = opened(1)
    g = state(code)
    team = next(iter(g.teams))
    commands.remove(code, ANNA, captain(code, team).key)
    assert state(code).teams[team].captain == state(code).members(team)[0].key
    commands.remove(code, ANNA, *[one.key for one in state(code).members(team)])
    assert state(code).teams == {}


def test_who_is_being_paired_is_not_taken_off_the_list():
    code = begun()
    key = match_of(code).line_ups[match_of(code).teams[0]][2]
    assert refused(commands.remove, code, ANNA, key).status == 409


def test_a_player_does_not_change_teams_alone():
    code = opened(2)
    g = state(code)
    player = next(iter(g.players.values()))
    other = next(one.name for one in g.teams.values() if one.key != player.team)
    commands.amend(code, captain(code, player.team), player.key, club=other)
    assert state(code).players[player.key].team == player.team
    commands.amend(code, ANNA, player.key, club=other)
    assert state(code).players[player.key].club == other


def test_a_captain_is_a_player_of_the_team():
    code = opened(2, 3)
    team = first_team(code)
    second = state(code).members(team)[1].key
    commands.amend_team(code, ANNA, team, captain=second)
    assert state(code).captain_of(team) == second
    other = next(key for key, one in state(code).players.items() if one.team != team)
    assert refused(commands.amend_team, code, ANNA, team, captain=other).status == 409


def test_a_team_that_is_renamed_keeps_its_players():
    code = opened(2)
    team = next(iter(state(code).teams))
    commands.amend_team(code, ANNA, team, name="Lionesses")
    assert {one.club for one in state(code).members(team)} == {"Lionesses"}
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    assert {one.club for one in state(code).members(team)} == {"Lions"}


def test_a_captain_checks_the_whole_team_in():
    code = opened(2)
    commands.add_to_team(code, ANNA, first_team(code), ["Reserve"])
    own = captain(code, first_team(code))
    other = next(key for key in state(code).teams if key != first_team(code))
    commands.check_in_team(code, own, first_team(code))
    assert all(one.checked_in for one in state(code).members(first_team(code)))
    assert refused(commands.check_in_team, code, own, other).status == 403


def test_divisions_are_those_of_the_event():
    code = opened(2, divisions=["Open", "Beginners"])
    team = next(iter(state(code).teams))
    commands.amend_team(code, ANNA, team, division="Beginners")
    assert refused(commands.amend_team, code, ANNA, team, division="Other").status == 409
    g = state(code)
    assert {g.division_of(one) for one in g.members(team)} == {"Beginners"}


@pytest.mark.parametrize(
    "settings", [{"team_size": 6}, {"divisions": ["A", "A"]}, {"system": "agot", "size": 6}]
)
def test_settings_that_teams_cannot_play_by(settings):
    code = opened(0)
    assert refused(commands.change_settings, code, ANNA, settings).status == 409


def test_a_put_up_is_over_with_its_tables():
    code = begun(2, 8)
    put_up_all(code)
    match = match_of(code)
    assert match.question == ""
    assert [one.table for one in state(code).at(1)] == list(range(1, 9))
