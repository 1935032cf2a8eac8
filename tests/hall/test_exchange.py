"""An event leaves a server, comes to another one and is run on there; its tables for spreadsheets."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.core.management import call_command

from config.data import tidying
from games.core import Line, RequestRefused, Unreadable
from games.hall import commands, event_actions, event_api, event_file, pasted_players
from games.hall.models import ArmyList, Event, Helper
from games.history import commits
from games.live import bus
from games.live.audiences import draw_event
from games.models import Match
from games.web import clock
from tests.hall.halls import ANNA, begun, by_chance, gathering, opened, play_round, state

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    code = opened(6, length=2, mode="manual-scoring")
    commands.hand_in(code, ANNA, "p1", ["Faction: Stark\n- Umber Berserkers (7)"])
    commands.appoint(code, ANNA, "judge", "Ben")
    play_round(code, by_chance(1))
    return code


def test_an_event_comes_to_another_server_and_is_run_on(code):
    told, before = event_file.export_event(Event.objects.get(code=code)), state(code)
    Event.objects.all().delete()
    assert event_file.import_event(told, draw_event) is False
    assert state(code) == before
    event = Event.objects.get(code=code)
    assert commits.faults(event) == []
    assert ArmyList.objects.get(event=event).text.startswith("Faction: Stark")
    assert Helper.objects.get(event=event).role == "judge"
    play_round(code, by_chance(2))
    assert len(state(code).rounds) == 2
    assert event_file.import_event(event_file.export_event(Event.objects.get(code=code)), draw_event) is True


@pytest.mark.django_db(transaction=True)
def test_the_dates_in_a_file_keep_no_other_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "agree_on_the_time", lambda: None)
    monkeypatch.setattr(clock, "_ahead", 50 * tidying.DAY_SECONDS)
    brought = Event.objects.get(code=opened(2))
    file = event_file.export_event(brought)
    brought.delete()
    monkeypatch.setattr(clock, "_ahead", 0.0)
    event_file.import_event(file, draw_event)
    opened(2)
    monkeypatch.setattr(clock, "_ahead", 100 * tidying.DAY_SECONDS)
    tidying.tidy(90, tmp_path)
    assert not Event.objects.exists()


def test_an_event_that_comes_leaves_those_that_are_here_alone(code):
    told, other = event_file.export_event(Event.objects.get(code=code)), begun()
    before = state(other)
    Event.objects.filter(code=code).delete()
    event_file.import_event(told, draw_event)
    assert state(other) == before


def test_everything_of_a_server_has_its_events(code, tmp_path):
    file, before = tmp_path / "everything.jsonl", state(code)
    call_command("export", str(file), stdout=io.StringIO())
    Event.objects.all().delete()
    Match.objects.all().delete()
    out = io.StringIO()
    call_command("import", str(file), stdout=out)
    assert out.getvalue().startswith("4 are here now, 0 were")
    assert state(code) == before
    here = set(Match.objects.values_list("code", flat=True))
    assert {one.match for one in state(code).pairings.values()} == here


def test_without_its_tables_an_event_still_comes(code):
    told = event_file.export_event(Event.objects.get(code=code))
    Event.objects.all().delete()
    Match.objects.all().delete()
    event_file.import_event(told, draw_event)
    assert {one.match for one in state(code).pairings.values()} == {None}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda told: told["entries"].pop(1),
        lambda told: told["position"].update(name="Another"),
        lambda told: told["entries"][2].update(author="Nobody"),
        lambda told: told["lists"][0].update(text="Faction: Lannister"),
        lambda told: told["helpers"][0].update(role="king"),
        lambda told: told.update(position=[]),
    ],
)
def test_what_does_not_hold_together_is_not_taken(code, spoil):
    told = event_file.export_event(Event.objects.get(code=code))
    Event.objects.all().delete()
    spoil(told)
    with pytest.raises(RequestRefused):
        event_file.import_event(told, draw_event)
    assert not Event.objects.exists()


def forged(code, path="name", value="Cup", **changed):
    """The event with another value at a path, said in its newest entry, as somebody would forge it."""
    event = Event.objects.get(code=code)
    newest = commits.entries_of(event).last()
    kept = newest.before.get(path, value)
    before, after = {**newest.before, path: kept}, {**newest.after, path: value}
    for name, it in {"before": before, "after": after, **changed}.items():
        setattr(newest, name, it)
    newest.save()
    event.chain = ""
    for entry in commits.entries_of(event):
        event.chain = entry.hash = commits.link_hash(
            event.chain or commits.beginning(event), commits.of_row(entry)
        )
        entry.save()
    told = event_file.export_event(event)
    told |= {
        "chain": event.chain,
        "position": event_actions.replayed(event, commits.entries_of(event)).to_json(),
    }
    Event.objects.all().delete()
    return told


def test_what_an_organiser_could_have_done_is_taken(code):
    assert event_file.import_event(forged(code, "name", "Cup of the North"), draw_event) is False
    assert Event.objects.get().name == "Cup of the North"


@pytest.mark.parametrize(
    "change",
    [
        {"path": "system", "value": "nosuch"},
        {"path": "mode", "value": "nosuch"},
        {"path": "scoring", "value": "nosuch"},
        {"path": "status", "value": "nosuch"},
        {"path": "name", "value": "x" * 999},
        {"path": "name", "value": "a\u202eb"},
        {"path": "minutes", "value": "ninety"},
        {"path": "bye", "value": {"points": "x"}},
        {"path": "player/p1/dropped", "value": "x"},
        {"path": "pairing/1-1/state", "value": "nosuch"},
        {"path": "pairing/1-1/results", "value": {"p1": 7}},
        {"path": "round/1/mode", "value": "nosuch"},
        {"lines": [7]},
        {"lines": {}},
        {"lines": [{"message": "%(a)s and %(b)s", "arguments": {"a": "x"}}]},
        {"note": "\u0007"},
    ],
)
def test_what_no_page_could_show_is_not_taken(code, change):
    """The fingerprints of a file fit whoever has worked them out again: what they are over is looked at."""
    told = forged(code, **change)
    with pytest.raises(RequestRefused, match=r"data is inconsistent|knows no such game"):
        event_file.import_event(told, draw_event)
    assert not Event.objects.exists()


def test_a_code_that_somebody_has_is_not_taken(code):
    told = event_file.export_event(Event.objects.get(code=code))
    commands.announce(code, ANNA, "Lunch.")
    with pytest.raises(RequestRefused, match="Another event has this code"):
        event_file.import_event(told, draw_event)


def test_the_tables_of_an_event_are_read_by_spreadsheets(code):
    commands.amend(code, ANNA, "p2", "=SUM(A1)", "Club; one", "")
    g = event_actions.load_rows(Event.objects.get(code=code)).state
    tables = {
        name: list(csv.reader(io.StringIO(of(g).removeprefix("\ufeff"))))
        for name, of in event_api.TABLES.items()
    }
    assert tables["players"][2][1:3] == ["'=SUM(A1)", "Club; one"]
    first = dict(zip(*tables["players"][:2], strict=True))
    assert (first["name"], first["lists"], first["checked_in"]) == ("Player 1", "1", "1")
    assert len(tables["pairings"]) == 1 + 6
    assert tables["standings"][0][:6] == ["rank", "name", "club", "won", "drawn", "lost"]
    assert [row[0] for row in tables["standings"][1:]] == ["1", "2", "3", "4", "5", "6"]
    assert event_api.players_csv(g).startswith("\ufeff")


# --- players from a table --------------------------------------------------------------------------

TWO = [("Ada Byron", "North", "Stark"), ("Bo", "", "")]


@pytest.mark.parametrize(
    "text",
    [
        "name,club,faction\nAda Byron,North,Stark\nBo,,\n",
        '\ufeffName;Club;Faction\r\n"Ada Byron";North;Stark\r\nBo;;\r\n',
        "Ada Byron\tNorth\tStark\nBo\n",
        "faction;player;club\nStark;  Ada   Byron ;North\n;Bo;\n\n;;\n",
        b"\xef\xbb\xbfAda Byron,North,Stark\r\nBo",
    ],
)
def test_players_come_from_a_table_however_it_is_written(text):
    assert list(pasted_players.read(text, gathering(0)).players) == TWO


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("First Name,Last Name,Team\nAda,Byron,North\nBo,,South", ["Ada Byron", "Bo"]),
        ("Nachname;Vorname;Verein\nByron;Ada;Nord\nMeyer;Bo;", ["Ada Byron", "Bo Meyer"]),
        ("Name;Vorname\nByron;Ada", ["Ada Byron"]),
        ("姓,名,战队\n王,小明,北京\nByron,Ada,", ["王小明", "Ada Byron"]),
        ("名字,俱乐部\n王小明,北京", ["王小明"]),
        ("选手\n李雷", ["李雷"]),
        ("Name\nByron, Ada", ["Byron, Ada"]),
    ],
)
def test_names_in_two_columns_are_put_together(text: str, names: list[str]) -> None:
    assert [name for name, _club, _faction in pasted_players.read(text, gathering(0)).players] == names


@pytest.mark.parametrize("nothing", ["", " \n\n", b"", b"\r\n", ";;\n"])
def test_an_empty_table_is_told_from_an_army_list(nothing):
    with pytest.raises(Unreadable) as told:
        pasted_players.read(nothing, gathering(0))
    assert str(told.value) == "There are no players in this table."


def test_a_quoted_name_keeps_its_comma():
    found = pasted_players.read('name,club\n"Byron, Ada",North\n"Bo ""the Brave""",South\n', gathering(0))
    assert found.players == (("Byron, Ada", "North", ""), ('Bo "the Brave"', "South", ""))


def test_a_first_line_for_spreadsheets_is_no_player():
    assert list(pasted_players.read("sep=;\nAda Byron;North;Stark\nBo", gathering(0)).players) == TWO
    assert (
        list(
            pasted_players.read('"sep=,"\nname,club,faction\nAda Byron,North,Stark\nBo', gathering(0)).players
        )
        == TWO
    )
    assert list(pasted_players.read("SEP=\t\nAda Byron\tNorth\tStark\nBo", gathering(0)).players) == TWO


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_the_first_player_of_a_list_may_have_only_a_name(mark: str) -> None:
    """Every other line was read as a single name then, its commas and all."""
    text = f"Bo\nAda Byron{mark}North{mark}Stark"
    assert set(pasted_players.read(text, gathering(0)).players) == set(TWO)


def test_a_quotation_mark_that_is_not_closed_takes_no_other_line_along():
    found = pasted_players.read('Ada;North\n"Bo;South\nCy;"East\nDi;West', gathering(0))
    assert [number for number, _line in found.wrong] == [2, 3]
    assert "quotation mark" in str(found.wrong[0][1])


def test_every_line_that_is_wrong_gets_a_sentence_and_nothing_is_entered():
    event = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA)
    commands.register(event.code, ANNA, "Zoe", "South")
    text = f"name;club\nAda;North\n;North\nada;NORTH\n{'x' * 60};\nZOE;south\nBo;{'x' * 60}\n"
    with pytest.raises(RequestRefused) as told:
        commands.import_table(event.code, ANNA, text)
    said = str(told.value)
    assert told.value.status == 422
    assert "Line 3: Please enter a name." in said
    assert "Line 4: There is a player called ada already" in said
    assert "Line 5: This is too long" in said
    assert "Line 6: There is a player called ZOE already" in said
    assert "Line 7: Club: This is too long" in said
    assert "Line 2" not in said
    assert [player.name for player in state(event.code).players.values()] == ["Zoe"]


def test_two_hundred_lines_and_a_repeated_button():
    event = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA)
    text = "name;club\n" + "\n".join(f"Player {n};Club {n % 9}" for n in range(200))
    commands.import_table(event.code, ANNA, text, "key-of-a-button")
    assert commands.import_table(event.code, ANNA, text, "key-of-a-button").is_replay
    assert len(state(event.code).players) == 200


@pytest.mark.parametrize(
    ("names", "told"),
    [("Ada", "Ada is registered."), ("Ada\nBo", "2 players are entered from a list.")],
)
def test_a_list_of_one_names_the_player(names, told):
    event = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA)
    commands.import_table(event.code, ANNA, names)
    assert str(Line.from_json(event.entries.last().lines[0])) == told


@pytest.mark.parametrize("text", ["", "   \n", "name;club\n", "\x00", "PK\x03\x04rest", "x" * 70_000])
def test_what_is_no_table_is_refused(text):
    event = event_actions.open_event({"system": "tmg", "name": "Cup"}, ANNA)
    with pytest.raises(RequestRefused):
        commands.import_table(event.code, ANNA, text)
