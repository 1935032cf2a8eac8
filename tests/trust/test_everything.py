"""Everything leaves a server as open JSON and arrives at another one, to be played on there."""

from __future__ import annotations

import errno
import json
import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.hall import event_actions as events
from games.hall import event_file as exchange
from games.history import commits as chain
from games.match import play, random_play, storage
from games.models import CatalogueEntry, Match
from tests.trust.twins import HOUSES, tap

pytestmark = pytest.mark.django_db


def command(name: str, path: Path) -> tuple[str, str]:
    """What a command prints, and its errors."""
    out, errors = StringIO(), StringIO()
    try:
        call_command(name, str(path), stdout=out, stderr=errors)
    except CommandError as refused:
        errors.write(str(refused))
    return out.getvalue(), errors.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of two matches in play, one with a sealed bid, and a changed catalogue entry; all now gone."""
    auction = play.open_match("auction", "tracks", HOUSES)
    tap(auction, "stark", "bid:throne:3")
    play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    CatalogueEntry.objects.create(system="tmg", kind="card", slug="mine", facts={"name": "My card"})
    CatalogueEntry.objects.create(system="tmg", kind="card", slug="planted", facts={}, version=0)
    path = tmp_path / "everything.jsonl"
    assert "3 matches, events and catalogue entries are in" in command("export", path)[0]
    Match.objects.all().delete()
    CatalogueEntry.objects.all().delete()
    return path


def test_everything_comes_to_an_empty_server_and_is_played_on(file: Path) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    codes = [json.loads(line)["match"]["code"] for line in file.read_text().splitlines()[1:3]]
    assert command("import", file) == ("3 are here now, 0 were here before.\n", "")
    assert CatalogueEntry.objects.get().facts == {"name": "My card"}
    for code in codes:
        match, luck = Match.objects.get(code=code), random.Random(2)
        assert chain.faults(match, chain.entries_of(match)) == []
        state = storage.load(match).state
        assert list(match.seats.values_list("key", flat=True)) == list(state.armies)
        play.tap(code, *random_play.tap(state, luck), match.version, play.new_key())
    assert storage.load(Match.objects.get(code=codes[0])).state.armies["stark"].hidden == {"bid": 3}


def test_what_is_there_already_stays(file: Path) -> None:
    command("import", file)
    assert command("import", file) == ("0 are here now, 3 were here before.\n", "")
    assert Match.objects.count() == 2


def test_a_code_that_somebody_has_is_not_taken(file: Path) -> None:
    lines = file.read_text().splitlines()
    mine = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    Match.objects.filter(pk=mine.pk).update(code=json.loads(lines[1])["match"]["code"])
    assert "3 are here now" in command("import", file)[0]
    assert Match.objects.get(pk=mine.pk).system == "rps"
    assert len(set(Match.objects.values_list("code", flat=True))) == 3


def test_a_changed_entry_of_the_catalogue_is_brought_up_to_date(file: Path) -> None:
    CatalogueEntry.objects.create(system="tmg", kind="card", slug="mine", facts={"name": "Old"})
    command("import", file)
    entry = CatalogueEntry.objects.get()
    assert (entry.facts, entry.version) == ({"name": "My card"}, 2)


def entry(**fields: Any) -> str:
    """A line with a catalogue entry."""
    return json.dumps({"catalogue_entry": {"system": "tmg", "kind": "card", "slug": "77", **fields}})


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "{}",
        "[]",
        '{"match": {}}',
        '{"match": 7}',
        '{"army": {}}',
        '{"catalogue_entry": {"system": "tmg"}}',
        '{"catalogue_entry": 7}',
        entry(),
        entry(facts=None),
        entry(facts=["name"]),
        entry(facts={"name": 7}),
        entry(facts={"name": "a\u202eb"}),
        entry(facts={}, version=-3),
        entry(facts={}, id=1),
        entry(facts={}, slug="<b>"),
        entry(facts={}, slug="s" * 65),
        entry(facts={}, slug=None),
        '{"match": {}, "catalogue_entry": {}}',
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_the_others_come(file: Path, line: str) -> None:
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], line, *lines[2:]]))
    out, errors = command("import", file)
    assert "3 are here now" in out
    assert errors.startswith("Line 3: ")
    assert errors.endswith("1 lines were left out.")
    assert CatalogueEntry.objects.count() == 1


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"format": "roundtable-match"}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd"
    path.write_text(text)
    assert command("import", path)[1]
    assert "cannot be read" in command("import", tmp_path / "missing")[1]


def test_no_file_is_written_over(file: Path) -> None:
    before = file.read_bytes()
    assert "cannot be written" in command("export", file)[1]
    assert file.read_bytes() == before


def test_what_could_not_be_written_whole_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(event: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    events.open_event({"system": "rps", "name": "Cup", "mode": "plain"}, events.Actor())
    path = tmp_path / "everything.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr(exchange, "export_event", full)
        assert command("export", path)[1] == f"{path} cannot be written: No space left on device."
    assert list(tmp_path.iterdir()) == []
    assert "2 matches, events and catalogue entries are in" in command("export", path)[0]


def test_a_file_that_came_meanwhile_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "everything.jsonl"

    def comes(event: object) -> dict[str, Any]:
        path.write_text("of somebody else")
        return {}

    events.open_event({"system": "rps", "name": "Cup", "mode": "plain"}, events.Actor())
    monkeypatch.setattr(exchange, "export_event", comes)
    assert command("export", path)[1] == f"{path} cannot be written: it is there already."
    assert [file.read_text() for file in tmp_path.iterdir()] == ["of somebody else"]


def test_a_forged_match_is_left_out(file: Path) -> None:
    lines: list[Any] = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["match"]["entries"][0]["author"] = "Mallory"
    file.write_text("\n".join(map(json.dumps, lines)))
    assert "its checksum does not match" in command("import", file)[1]
    assert Match.objects.count() == 1


def gone(match: Match) -> str:
    """Make this match's game one that is no longer installed; returns the match's code."""
    Match.objects.filter(pk=match.pk).update(system="lanterns")
    return match.code


def test_a_match_of_a_game_that_is_gone_keeps_nothing_else_here(tmp_path: Path) -> None:
    code = gone(play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}))
    kept = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    path = tmp_path / "everything.jsonl"
    out, errors = command("export", path)
    assert "1 matches, events and catalogue entries are in" in out
    assert errors == f"{code}: the game lanterns is not installed here.\n1 matches and events were left out."
    assert json.loads(path.read_text().splitlines()[1])["match"]["code"] == kept.code


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("export", "--match", "CODE"), "CODE: the game lanterns is not installed here."),
        (("replay", "CODE", "--check"), "Not every match and event came out as it was."),
        (("replay", "--all", "--check"), "Not every match and event came out as it was."),
    ],
)
def test_commands_say_that_the_game_of_a_match_is_gone(words: tuple[str, ...], why: str) -> None:
    code = gone(play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}))
    said = [word.replace("CODE", code) for word in words]
    with pytest.raises(CommandError) as refused:
        call_command(*said, stdout=StringIO(), stderr=StringIO())
    assert str(refused.value) == why.replace("CODE", code)


def test_a_table_is_shown_as_late_as_where_it_comes_from(tmp_path: Path) -> None:
    """Spectators must not see a match's present just because it moved."""
    match = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"})
    Match.objects.filter(pk=match.pk).update(watch_delay=15, is_practice=True)
    command("export", tmp_path / "everything.jsonl")
    match.delete()
    assert command("import", tmp_path / "everything.jsonl")[0].startswith("1 are here now")
    there = Match.objects.get(code=match.code)
    assert (there.watch_delay, there.is_practice, there.is_listed) == (15, True, False)


def test_a_match_that_is_over_is_listed_again(tmp_path: Path) -> None:
    match, luck = play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}), random.Random(1)
    while (state := storage.load(Match.objects.get(pk=match.pk)).state).result is None:
        play.tap(
            match.code, *random_play.tap(state, luck), Match.objects.get(pk=match.pk).version, play.new_key()
        )
    command("export", tmp_path / "everything.jsonl")
    match.delete()
    command("import", tmp_path / "everything.jsonl")
    assert Match.objects.get(code=match.code).is_listed


@pytest.mark.parametrize(
    ("version", "why"), [(2, "A newer version"), (0, "not what"), ("1", "not what"), (1.0, "not what")]
)
def test_a_file_of_another_version_is_refused_before_anything_of_it_comes(
    file: Path, version: object, why: str
) -> None:
    first, *others = file.read_text().splitlines()
    file.write_text("\n".join([json.dumps({**json.loads(first), "format_version": version}), *others]))
    out, errors = command("import", file)
    assert (out, why in errors) == ("", True)
    assert Match.objects.count() == 0


@pytest.mark.parametrize("table", [None, {}, 7, {"watch_delay": 3}, {"watch_delay": 15, "is_listed": 1}])
def test_a_match_whose_table_cannot_be_shown_is_left_out(file: Path, table: object) -> None:
    lines: list[Any] = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["table"] = table
    file.write_text("\n".join(map(json.dumps, lines)))
    assert "1 lines were left out" in command("import", file)[1]
    assert Match.objects.count() == 1


@pytest.mark.parametrize("kept", [1, 2, 4])
def test_a_file_that_was_cut_off_between_two_lines_is_known(file: Path, kept: int) -> None:
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:kept]))
    out, errors = command("import", file)
    assert out == f"{kept - 1} are here now, 0 were here before.\n"
    assert errors == f"{file} was cut off, or lines of it are missing."


def test_a_file_in_which_a_line_is_missing_is_known(file: Path) -> None:
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], *lines[3:]]))
    assert "was cut off, or lines" in command("import", file)[1]
    assert Match.objects.count() == 1
