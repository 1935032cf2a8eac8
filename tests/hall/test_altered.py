"""A change of an event's rows without its history is found: by commands, the verifier and organisers."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import verify
from games.core import RequestRefused
from games.hall import commands, comparing, event_actions, event_file, event_undo
from games.hall.models import Announcement, Call, Event, EventEntry, Pairing, Player, Round
from games.history import commits
from games.models import Match
from tests.hall import halls
from tests.hall.halls import ANNA, by_chance, play_round, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    """One round of four players is closed, the second is being played."""
    code = halls.opened(4, mode="manual-scoring")
    commands.hand_in(code, ANNA, "p2", ["Faction: Stark\n- Umber Berserkers (7)"])
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    return code


def of(model: Any, code: str, **named: Any) -> Any:
    return model._default_manager.filter(event__code=code, **named)


def other_result(code: str) -> None:
    pairing = of(Pairing, code, round=1).first()
    results = {key: {**told, "vp": told["vp"] + 50} for key, told in pairing.results.items()}
    of(Pairing, code, pk=pairing.pk).update(results=results)


CHANGES: dict[str, Callable[[str], object]] = {
    "a result": other_result,
    "a winner": lambda code: of(Pairing, code, round=1).update(winner="p1"),
    "a pairing less": lambda code: of(Pairing, code, round=1).first().delete(),
    "a player's name": lambda code: of(Player, code, key="p1").update(name="Mallory"),
    "a player who left": lambda code: of(Player, code, key="p1").update(dropped=1),
    "a player less": lambda code: of(Player, code, key="p2").delete(),
    "a player more": lambda code: Player.objects.create(
        event=Event.objects.get(code=code), key="p9", order=9, name="Mallory", lot=1
    ),
    "a round": lambda code: of(Round, code, number=1).update(mode="a-clash-of-kings"),
    "a round less": lambda code: of(Round, code, number=1).delete(),
    "points of a bye": lambda code: Event.objects.filter(code=code).update(bye={"points": 9}),
    "a setting": lambda code: Event.objects.filter(code=code).update(length=5),
    "a table that it was not": lambda code: of(Pairing, code, round=2).update(match=None),
}


def check(*words: str) -> str:
    """What `replay` complains of."""
    errors = StringIO()
    with pytest.raises(CommandError):
        call_command("replay", *words, "--check", stdout=StringIO(), stderr=errors)
    return errors.getvalue()


def verified(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """How the verifier ends, and what it prints."""
    file = tmp_path / "event.json"
    file.write_text(text, encoding="utf-8")
    return verify.main([str(file)]), capsys.readouterr().out


@pytest.mark.parametrize("how", CHANGES)
def test_replay_names_the_event_and_what_differs(code: str, how: str) -> None:
    out = StringIO()
    call_command("replay", "--all", "--check", stdout=out)
    assert code in out.getvalue()
    CHANGES[how](code)
    for words in (["--all"], [code]):
        assert f"{code}: the log does not lead to the rows" in check(*words)


@pytest.mark.parametrize("how", CHANGES)
def test_the_verifier_finds_it_in_an_exported_event(
    code: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = Event.objects.get(code=code)
    if how == "a table that it was not":
        pytest.skip("in a file alone, it looks like a table that was deleted")
    status, out = verified(tmp_path, json.dumps(event_file.history(event)), capsys)
    assert (status, event.chain in out) == (0, True)
    CHANGES[how](code)
    status, out = verified(tmp_path, json.dumps(event_file.history(event)), capsys)
    assert status == 1
    assert "The position is not the one that the entries lead to" in out


def test_the_verifier_asks_the_history_for_every_setting(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = event_file.history(Event.objects.get(code=code))
    del file["entries"][0]["after"]["bye"]
    assert "see bye" in verified(tmp_path, json.dumps(file), capsys)[1]


def test_the_verifier_finds_it_in_everything_that_a_server_keeps(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "everything.jsonl"
    call_command("export", str(file), stdout=StringIO())
    whole = file.read_text()
    assert verified(tmp_path, whole, capsys)[0] == 0
    cut = "\n".join(whole.splitlines()[:-1])
    assert "cut off" in verified(tmp_path, cut, capsys)[1]
    other_result(code)
    file.unlink()
    call_command("export", str(file), stdout=StringIO())
    status, out = verified(tmp_path, file.read_text(), capsys)
    assert (status, f"{code}: The position is not" in out) == (1, True)


HISTORY: dict[str, Callable[[Any], object]] = {
    "a sentence": lambda entries: entries.filter(version=4).update(lines=[]),
    "a result": lambda entries: entries.filter(version=8).update(after={}),
    "a draw": lambda entries: entries.exclude(draws=[]).update(draws=[[0, 2, 0]]),
    "an entry less": lambda entries: entries.filter(version=5).delete(),
}


@pytest.mark.parametrize("how", HISTORY)
def test_a_history_that_was_altered_itself_is_found(
    code: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    HISTORY[how](EventEntry.objects.filter(event__code=code))
    event = Event.objects.get(code=code)
    assert verified(tmp_path, json.dumps(event_file.history(event)), capsys)[0] == 1
    assert code in check("--all")
    assert "do not match their fingerprints" in page(phone_of(code), code, "organise")


def test_the_seed_of_an_event_is_told_once_it_is_over(code: str) -> None:
    event = Event.objects.get(code=code)
    assert event.seed not in json.dumps(event_file.history(event))
    Event.objects.filter(pk=event.pk).update(seed="another")
    assert check(code)
    Event.objects.filter(pk=event.pk).update(seed=event.seed, status="over")
    assert event_file.history(event)["seed"] == event.seed


# --- the organisers' pages -------------------------------------------------------------------------


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("decision", [comparing.RESTORE, comparing.KEEP])
def test_an_organiser_reads_what_differs_and_decides(code: str, how: str, decision: str) -> None:
    phone, before = phone_of(code), state(code)
    assert "Changed outside the program" not in page(phone, code, "organise")
    # The process has kept what the log leads to, as it does all the time, and reads the rows anew.
    CHANGES[how](code)
    event_actions.POSITIONS.clear()
    changed = state(code)
    assert "Changed outside the program" in page(phone, code, "organise")
    told = page(phone, code, "organise-altered")
    assert told.count("<li>") >= 1
    mark = comparing.compare(Event.objects.get(code=code)).mark
    version = Event.objects.get(code=code).version
    send(phone, code, f"{decision} {mark}")
    event = Event.objects.get(code=code)
    assert event.version == version + 1
    assert EventEntry.objects.get(event=event, version=event.version).action == decision
    assert "Changed outside the program" not in page(phone, code, "organise")
    assert comparing.is_sound(event)
    call_command("replay", code, "--check", stdout=StringIO())
    expected = before if decision == comparing.RESTORE else changed
    if (how, decision) == ("a player less", comparing.RESTORE):
        # The texts went with the row.
        expected.players["p2"].lists = ()
    assert state(code) == expected


def test_the_sentence_says_whose_result_it_was_and_is(code: str) -> None:
    pairing = of(Pairing, code, round=1).first()
    before = [told["vp"] for told in pairing.results.values()]
    other_result(code)
    found = page(phone_of(code), code, "organise-altered")
    for vp in before:
        assert f" {vp}" in found
        assert f" {vp + 50}" in found
    assert all(state(code).players[key].name in found for key in pairing.players)


def test_nobody_decides_about_what_they_have_not_seen(code: str) -> None:
    mark = comparing.compare(Event.objects.get(code=code)).mark
    with pytest.raises(RequestRefused) as refused:
        comparing.keep(code, ANNA, mark)
    assert refused.value.error == "not_altered"
    other_result(code)
    mark = comparing.compare(Event.objects.get(code=code)).mark
    of(Player, code, key="p1").update(name="Mallory")
    for decide in (comparing.keep, comparing.restore):
        with pytest.raises(RequestRefused) as refused:
            decide(code, ANNA, mark)
        assert refused.value.error == "stale"


def test_a_decision_that_is_sent_twice_counts_once(code: str) -> None:
    other_result(code)
    mark = comparing.compare(Event.objects.get(code=code)).mark
    first = comparing.keep(code, ANNA, mark, "key-deciding-1")
    again = comparing.keep(code, ANNA, mark, "key-deciding-1")
    assert (again.version, again.is_replay) == (first.version, True)
    with pytest.raises(RequestRefused):
        event_undo.undo(code, first.version, ANNA)


def test_judges_and_players_do_not_decide(code: str) -> None:
    other_result(code)
    judge = phone_of(code, "judge")
    assert "Changed outside the program" not in page(judge, code, "organise")
    for name in ("organise-altered", "organise-file"):
        assert judge.get(reverse(name, args=[code])).status_code == 403
    mark = comparing.compare(Event.objects.get(code=code)).mark
    assert send(judge, code, f"{comparing.KEEP} {mark}").status_code == 403


def test_a_table_that_was_deleted_is_no_difference(code: str) -> None:
    Match.objects.filter(pairings__event__code=code).delete()
    assert comparing.is_sound(Event.objects.get(code=code))


def test_the_organisers_page_reads_the_history_once_and_no_tap_does(code: str) -> None:
    phone = phone_of(code)
    page(phone, code, "organise")
    with CaptureQueriesContext(connection) as queries:
        comparing.compare(Event.objects.get(code=code))
    assert not any("events_evententry" in query["sql"].casefold() for query in queries)
    with CaptureQueriesContext(connection) as queries:
        commands.check_in(code, ANNA, "p1")
        phone.get(reverse("wall-news", args=[code]), {"seen": "0", "view": "organiser"})
    read = [query["sql"] for query in queries if '"before"' in query["sql"] and "SELECT" in query["sql"]]
    assert read == []


def test_calls_and_announcements_are_compared_too(code: str) -> None:

    commands.announce(code, ANNA, "The kitchen closes at eight")
    commands.call_judge(code, ANNA, halls.first_table(code).key, "", "who is first?")
    of(Announcement, code).update(text="The kitchen is closed")
    of(Call, code).update(ruling="Mallory is")
    found = page(phone_of(code), code, "organise-altered")
    assert found.count("<li>") == 2
    assert commits.faults(Event.objects.get(code=code)) == []
