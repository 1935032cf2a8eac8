"""Calls for a judge: who calls, who comes, what was ruled, and when a call is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.hall import commands, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event
from games.history.commits import Verdict
from tests.hall.halls import ANNA, begun, first_table, opened, refused, scores, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def test_a_judge_is_called_comes_and_notes_what_was_ruled():
    code = opened(2)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    key = next(state(code).at(1)).key
    scorekeeper, judge = phone_of(code, "scorekeeper"), phone_of(code, "judge", "Jo")
    asker = state(code).pairings[key].players[0]
    commands.call_judge(code, Actor(asker, "", "player"), key, asker, "May I charge?")
    (call,) = state(code).calls.values()
    assert "Table 1 calls a judge" in page(judge, code)
    assert "May I charge?" in page(judge, code, "organise-table", key)
    assert f"answer_call {call.number}" in page(judge, code, "organise-table", key)
    version = commands.answer_call(code, Actor("helper-9", "Jo", "judge"), call.number).version
    assert commands.answer_call(code, Actor("helper-9", "Jo", "judge"), call.number).version == version
    assert "Jo is coming" in page(judge, code)
    assert "Jo is coming" in page(scorekeeper, code, "organise-table", key)
    assert f"answer_call {call.number}" not in page(judge, code, "organise-table", key)
    send(judge, code, f"close_call {call.number}", f"table {key}", ruling="The charge was legal")
    assert "calls a judge" not in page(judge, code).replace("Table 1 calls a judge.", "")
    assert "The charge was legal" in page(judge, code, "organise-table", key)


def test_each_table_has_a_call_of_its_own():
    code = begun(4)
    for one in state(code).at(1):
        commands.call_judge(code, ANNA, one.key, question="Where?")
        assert refused(commands.call_judge, code, ANNA, one.key, question="When?").status == 409
    assert [one.pairing for one in state(code).calls.values()] == [one.key for one in state(code).at(1)]
    number = next(iter(state(code).calls.values())).number
    commands.close_call(code, ANNA, number)
    assert refused(commands.answer_call, code, ANNA, number).status == 409


@pytest.mark.parametrize("command", [commands.answer_call, commands.close_call])
def test_an_older_page_answers_no_call_that_it_never_showed(command: Callable[..., Verdict]):
    code = begun(4)
    first, second = (one.key for one in state(code).at(1))
    version = commands.call_judge(code, ANNA, first, question="Where?").version
    (seen,) = state(code).calls.values()
    event_undo.undo(code, version, ANNA)
    commands.call_judge(code, ANNA, second, question="When?")
    assert "no such call" in str(refused(command, code, ANNA, seen.number))
    assert [(one.comes, one.closed_at) for one in state(code).calls.values()] == [("", None)]


@pytest.mark.parametrize("end", ["close_round", "call_off"])
def test_nobody_waits_for_a_judge_at_a_table_that_others_sit_at_next(end: str):
    code = begun(4)
    phone, waits = phone_of(code), '<section class="call">'
    commands.call_judge(code, ANNA, "1-1", question="Where?")
    assert waits in page(phone, code)
    if end == "close_round":
        for one in state(code).at(1):
            commands.enter_result(code, ANNA, one.key, scores(one, 9, 2))
    send(phone, code, end)
    assert waits not in page(phone, code)
    send(phone, code, f"undo {Event.objects.get().version}")
    assert waits in page(phone, code)


def test_a_judge_is_called_to_people_who_sit_and_play():
    code = begun(5, length=3)
    table = first_table(code)
    bye = next(one for one in state(code).at(1) if one.is_bye)
    assert "no such table" in str(refused(commands.call_judge, code, ANNA, bye.key))
    assert "Call a judge" not in page(phone_of(code), code, "organise-table", bye.key)
    commands.call_judge(code, ANNA, table.key)
    (call,) = state(code).calls.values()
    commands.close_call(code, ANNA, call.number)
    for one in state(code).at(1):
        if not one.is_bye:
            commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
    commands.close_round(code, ANNA)
    asker = table.players[0]
    told = refused(commands.call_judge, code, Actor(asker, "", "player"), table.key, asker, "Late?")
    assert str(told) == "This round is not open."
    shown = page(phone_of(code), code, "organise-table", table.key)
    assert f"call_judge {table.key}" not in shown
    assert f"note_ruling {table.key}" in shown
    commands.note_ruling(code, ANNA, table.key, "It stays.")
