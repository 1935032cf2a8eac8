"""The put-up of two teams: its questions, what each makes, and that nobody learns an answer early."""

from __future__ import annotations

import json
import random

import pytest

from games.core import IllegalAction
from games.hall import commands, event_actions, event_api, event_file, event_undo
from games.hall.models import Event
from games.hall.rules import put_up
from games.hall.rules.event_state import CHOICE, DEFENDER, EventState, Player, Team, TeamMatch
from tests.hall.halls import ANNA, refused, state
from tests.hall.places import ask, card, phone
from tests.hall.team_events import answer, begun, captain, match_of, opened, put_up_all


def meeting(size: int, missing: int = 0) -> tuple[EventState, TeamMatch]:
    """Two teams without rows, "a" with a1, a2 … and "b"; b is short of `missing` players."""
    g = EventState(system="tmg", seed="seed", team_size=size)
    for team in "ab":
        g.teams[team] = Team(team, 1, f"Team {team}", f"{team}1")
        for n in range(1, size + 1):
            g.players[f"{team}{n}"] = Player(f"{team}{n}", n, f"{team}{n}", team=team)
    line_ups = {team: [f"{team}{n}" for n in range(1, size + 1)] for team in "ab"}
    for at in range(size - missing, size):
        line_ups["b"][at] = f"-b-{at}"
    return g, TeamMatch("1-1", 1, 1, ("a", "b"), line_ups)


def asked(g: EventState, match: TeamMatch, a: str, b: str) -> None:
    """Both answer: a and b are players, or two of them with a space between."""
    told = {"a": a.split(), "b": b.split()}
    put_up.reveal(g, match, {}) if not match.waits_for else None
    for team, names in told.items():
        for name in names:
            assert put_up.team_of(g, match, name) == team
            put_up.seal(g, match, team, f"fingerprint of {name}")
    put_up.reveal(g, match, told)


def test_three_players_put_up_one_and_choose_one_of_the_two_others():
    g, match = meeting(3)
    asked(g, match, "a2", "b1")
    assert match.question == CHOICE, "with three players the offer follows by itself"
    told = {"a": ["b3"], "b": ["a1"]}
    for team in "ab":
        put_up.seal(g, match, team, "f")
    put_up.reveal(g, match, told)
    assert match.pairs == (("a2", "b3"), ("a1", "b1"), ("a3", "b2")), "the refused ones play each other"
    assert match.question == ""


def test_four_players_leave_the_refused_and_those_never_offered():
    g, match = meeting(4)
    asked(g, match, "a1", "b1")
    asked(g, match, "a2 a3", "b2 b3")
    for team in "ab":
        put_up.seal(g, match, team, "f")
    put_up.reveal(g, match, {"a": ["b2"], "b": ["a3"]})
    assert match.pairs == (("a1", "b2"), ("a3", "b1"), ("a2", "b3"), ("a4", "b4"))


@pytest.mark.parametrize(("size", "steps"), [(3, 1), (4, 1), (5, 2), (8, 3)])
def test_every_player_gets_one_opponent(size, steps):
    chance = random.Random(size)
    for _time in range(30):
        g, match = meeting(size)
        defended = 0
        while asked_now := match.question:
            defended += asked_now == DEFENDER
            told = {team: chance.sample(match.offers(team), match.needed) for team in "ab"}
            for team in match.waits_for:
                for name in told[team]:
                    put_up.seal(g, match, team, name)
            put_up.reveal(g, match, told)
        assert sorted(one for one, _other in match.pairs) == sorted(match.line_ups["a"])
        assert sorted(other for _one, other in match.pairs) == sorted(match.line_ups["b"])
        assert defended == steps


def test_an_empty_place_is_named_only_once_nobody_else_is_left():
    g, match = meeting(5, missing=2)
    assert match.offers("b") == ["b1", "b2", "b3"]
    asked(g, match, "a1", "b1")
    assert match.offers("b") == ["b2", "b3"]
    assert match.waits_for == ["a"], "who could name nobody else is not asked"


def test_a_team_short_of_nearly_everybody_is_paired_to_the_end():
    for missing in range(1, 5):
        g, match = meeting(5, missing)
        while match.question:
            told = {team: match.offers(team)[: match.needed] for team in "ab"}
            for team in match.waits_for:
                for name in told[team]:
                    put_up.seal(g, match, team, name)
            put_up.reveal(g, match, told)
        assert len(match.pairs) == 5


def test_only_who_is_asked_for_can_be_named():
    g, match = meeting(4)
    with pytest.raises(IllegalAction):
        put_up.team_of(g, match, "nobody")
    asked(g, match, "a1", "b1")
    with pytest.raises(IllegalAction):
        put_up.team_of(g, match, "a1")


def test_lots_pair_whoever_is_left():
    g, match = meeting(8)
    asked(g, match, "a1", "b1")
    put_up.by_lot(g, match)
    assert len(match.pairs) == 8
    assert match.question == ""
    with pytest.raises(IllegalAction):
        put_up.by_lot(g, match)


# --- at an event -------------------------------------------------------------------------------------


def everything_about(code: str) -> str:
    """All that people and programs can read of an event, apart from the file that moves it elsewhere."""
    event = Event.objects.get(code=code)
    told = [
        json.dumps(event_api.public(event_actions.load_rows(event), 0)),
        json.dumps(event_file.history(event)),
        ask(phone(code), code).content.decode(),
    ]
    return "".join(told)


@pytest.mark.django_db
def test_an_answer_stays_secret_until_both_have_answered():
    worlds = []
    for which in (0, 1):
        code = begun(2, 5, seed="same")
        match = match_of(code)
        one, other = match.teams
        answer(code, match.key, one, match.offers(one)[which])
        rival = card(phone(code, captain(code, other).key), code)
        public = json.dumps(
            event_api.public(event_actions.load_rows(Event.objects.get(code=code)), 0)["team_matches"]
        )
        worlds.append((rival, public.replace(code, "")))
        named = match.offers(one)[which]
        last = Event.objects.get(code=code).entries.last()
        assert f'"{named}"' not in json.dumps([last.before, last.after, last.lines])
    assert worlds[0] == worlds[1]


@pytest.mark.django_db
def test_both_answers_are_revealed_together():
    code = begun(2, 5)
    match = match_of(code)
    one, other = match.teams
    first, second = (match.offers(team)[2] for team in match.teams)
    answer(code, match.key, one, first)
    assert match_of(code).defenders == {}
    answer(code, match.key, other, second)
    assert match_of(code).defenders == {one: first, other: second}
    assert match_of(code).sealed == {}


@pytest.mark.django_db
def test_only_the_captain_answers():
    code = begun()
    match = match_of(code)
    own, rival = (captain(code, team) for team in match.teams)
    mine = match.offers(match.teams[0])
    assert refused(commands.propose, code, rival, match.key, mine[1]).status == 403
    commands.propose(code, own, match.key, mine[1])
    assert refused(commands.propose, code, own, match.key, mine[2]).status == 409


@pytest.mark.django_db
def test_an_answer_is_taken_back_while_the_other_has_not_answered():
    code = begun()
    match = match_of(code)
    one, other = match.teams
    answer(code, match.key, one, match.line_ups[one][0])
    commands.take_back(code, captain(code, one), match.key, one)
    answer(code, match.key, one, match.line_ups[one][1])
    answer(code, match.key, other, match.line_ups[other][0])
    assert match_of(code).defenders[one] == match.line_ups[one][1]
    assert refused(commands.take_back, code, captain(code, one), match.key, one).status == 409


@pytest.mark.django_db
def test_an_answer_to_an_older_question_is_refused():
    code = begun(2, 5)
    match = match_of(code)
    seen = match.mark
    one, other = match.teams
    for team in (one, other):
        answer(code, match.key, team, match.line_ups[team][0])
    late = refused(commands.propose, code, captain(code, one), match.key, match.line_ups[one][1], seen=seen)
    assert late.status == 409
    assert match_of(code).sealed == {}


@pytest.mark.django_db
def test_the_same_tap_twice_counts_once():
    code = begun(2, 5)
    match = match_of(code)
    team = match.teams[0]
    for _time in range(2):
        commands.propose(code, captain(code, team), match.key, match.line_ups[team][0], key="a-key-of-a-tap")
    assert len(match_of(code).sealed[team]) == 1


@pytest.mark.django_db
def test_nobody_is_offered_twice():
    code = begun(2, 5)
    match = match_of(code)
    for team in match.teams:
        answer(code, match.key, team, match.line_ups[team][0])
    team = match.teams[0]
    answer(code, match.key, team, match.line_ups[team][1])
    again = refused(commands.propose, code, captain(code, team), match.key, match.line_ups[team][1])
    assert again.status == 409


@pytest.mark.django_db
def test_a_judge_or_another_member_answers_for_a_captain_who_is_gone():
    code = begun(2, 5)
    match = match_of(code)
    one, other = match.teams
    commands.propose(code, ANNA, match.key, match.line_ups[one][0])
    heir = match.line_ups[other][3]
    commands.amend_team(code, ANNA, other, captain=heir)
    assert captain(code, other).key == heir
    answer(code, match.key, other, match.line_ups[other][1])
    assert match_of(code).defenders


@pytest.mark.django_db
def test_a_captain_who_leaves_is_followed_by_the_next_player():
    code = begun(2, 5)
    match = match_of(code)
    team = match.teams[0]
    commands.drop(code, ANNA, captain(code, team).key)
    answer(code, match.key, team, match.line_ups[team][1])
    assert len(match_of(code).sealed[team]) == 1


@pytest.mark.django_db
def test_the_rest_of_a_put_up_goes_by_lot():
    code = begun(2, 5)
    match = match_of(code)
    answer(code, match.key, match.teams[0], match.line_ups[match.teams[0]][0])
    commands.rest_by_lot(code, ANNA, match.key)
    tables = list(state(code).at(1))
    assert len(tables) == 5
    assert all(one.match for one in tables), "each table is open"


@pytest.mark.django_db
def test_a_put_up_is_begun_anew_until_a_table_has_a_result():
    code = begun()
    put_up_all(code)
    match = match_of(code)
    commands.pair_anew(code, ANNA, match.key)
    assert list(state(code).at(1)) == []
    assert match_of(code).question == DEFENDER
    put_up_all(code)
    table = next(iter(state(code).at(1)))
    commands.enter_result(code, ANNA, table.key, {"scores": {key: {"vp": 5} for key in table.players}})
    assert refused(commands.pair_anew, code, ANNA, match.key).status == 409


@pytest.mark.django_db
def test_opening_a_round_is_not_undone_once_a_captain_has_answered():
    code = begun()
    match = match_of(code)
    opening = Event.objects.get(code=code).entries.get(action="open_round")
    answer(code, match.key, match.teams[0], match.line_ups[match.teams[0]][0])
    assert refused(event_undo.undo, code, opening.version, ANNA).status == 409
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    event_undo.undo(code, opening.version, ANNA)
    assert match_of(code).line_ups == {}


@pytest.mark.django_db
def test_an_event_in_the_middle_of_a_put_up_moves_to_another_server():
    code = begun(2, 5)
    match = match_of(code)
    for team in match.teams:
        answer(code, match.key, team, match.line_ups[team][0])
    one, other = match.teams
    answer(code, match.key, one, match.line_ups[one][1], match.line_ups[one][2])
    file = json.loads(json.dumps(event_file.export_event(Event.objects.get(code=code))))
    Event.objects.get(code=code).delete()
    event_file.import_event(file, lambda event: None)
    answer(code, match.key, other, match.line_ups[other][1], match.line_ups[other][2])
    assert sorted(match_of(code).attackers[one]) == sorted(match.line_ups[one][1:3])


@pytest.mark.django_db
@pytest.mark.parametrize("way", ["lot", "order"])
def test_tables_are_made_at_once_by_lot_or_in_order(way):
    code = begun(2, 4, team_tables=way)
    g = state(code)
    match = match_of(code)
    assert [one.table for one in g.at(1)] == [1, 2, 3, 4]
    if way == "order":
        one, other = match.teams
        assert [list(p.players) for p in g.at(1)] == [
            list(pair) for pair in zip(match.line_ups[one], match.line_ups[other], strict=True)
        ]


@pytest.mark.django_db
def test_a_team_event_without_a_put_up_answers_no_captain():
    code = opened()
    assert refused(commands.propose, code, ANNA, "1-1", "p1").status == 409


@pytest.mark.django_db
def test_two_captains_who_tap_at_once_are_both_heard():
    code = begun(2, 5)
    match = match_of(code)
    seen = match.mark
    for team in match.teams:
        commands.propose(code, captain(code, team), match.key, match.line_ups[team][0], seen=seen)
    assert match_of(code).defenders == {team: match.line_ups[team][0] for team in match.teams}


@pytest.mark.django_db
def test_a_restart_in_the_middle_of_a_put_up_loses_nothing():
    code = begun(2, 5)
    match = match_of(code)
    one, other = match.teams
    answer(code, match.key, one, match.line_ups[one][2])
    event_actions.POSITIONS.clear()
    assert state(code).players[match.line_ups[one][2]].name in card(phone(code, captain(code, one).key), code)
    answer(code, match.key, other, match.line_ups[other][3])
    assert match_of(code).defenders == {one: match.line_ups[one][2], other: match.line_ups[other][3]}
