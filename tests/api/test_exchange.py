"""A match leaves as a file and arrives as the same match; a file that was changed arrives nowhere."""

import copy
import http.client
import json
import random
import time

import pytest
from django.core.management import CommandError, call_command

from games.api import matches
from games.core import say
from games.history import commits as chain
from games.management.commands import replay
from games.match import match_file, play, storage, undoing
from games.match.match_file import checksum
from games.models import Entry, Match, Seat
from tests.api.robots import Caller, Table
from tests.files import fitted
from tests.playing import Playing, played_on

pytestmark = pytest.mark.django_db


def finished(client):
    table = Table(client)
    table.play_on(random.Random(3))
    return table


def exported(table):
    answer = table.watcher.get(f"matches/{table.code}/export")
    assert answer.status_code == 200
    return answer.json()


def imported(client, file):
    return Caller(client).post("import", file)


def but_code(file):
    return {name: value for name, value in file.items() if name != "code"}


def begun(played, taps=25):
    """A match of any game, some taps into it."""
    game, mode, seats, options = played
    names = dict(list(game.seat_names.items())[:seats])
    return played_on(play.open_match(game.slug, mode, names, options), taps)


def test_a_file_arrives_as_the_same_match(played, client):
    old = begun(played)
    file = match_file.whole(old, with_secrets=True)
    arrived = imported(client, file)
    assert arrived.status_code == 201, arrived.content
    new = Match.objects.get(code=arrived.json()["code"])
    assert new.code != old.code
    assert but_code(match_file.whole(new, with_secrets=True)) == but_code(file)
    assert storage.load(new).state == storage.load(old).state == storage.final_position(new)
    assert (new.version, new.since, new.finished_at) == (old.version, old.since, old.finished_at)
    assert list(replay.drifts(new)) == []


def test_a_match_with_corrections_and_undo_arrives_whole(client, quick):
    table = Table(client, "auction", "tracks", 3)
    luck = random.Random(8)
    table.play_on(luck, 4)
    table.do("stark", "adjust", {"path": "army/stark", "action": "power:stark:2", "note": "counted again"})
    actions = undoing.undoable(Match.objects.get(code=table.code), 2)
    undoing.ask(table.code, "", actions[1].version, play.new_key(), "Organiser")
    table.play_on(luck)
    file = exported(table)
    code = imported(client, file).json()["code"]
    assert but_code(Caller(client).get(f"matches/{code}/export").json()) == but_code(file)
    undone = Entry.objects.get(match__code=code, undoes__isnull=False)
    assert undone.undoes.match.code == code


def test_the_new_match_has_no_seats_and_is_not_listed(client, quick):
    code = imported(client, exported(finished(client))).json()["code"]
    assert not Seat.objects.filter(match__code=code).exists()
    assert not Match.objects.get(code=code).is_listed
    for page in ("", "history", "verify", "seats"):
        assert client.get(f"/t/{code}/{page}").status_code == 200


def test_the_same_export_twice_is_one_match(client, quick):
    file = exported(finished(client))
    first, second = imported(client, file), imported(client, file)
    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {**first.json(), "replayed": True}


def test_before_the_end_an_export_is_ones_own_view(client):
    table = Table(client)
    table.tap("red", "throw:rock")
    red = table.seats["red"].get(f"matches/{table.code}/export").json()
    blue = table.seats["blue"].get(f"matches/{table.code}/export").json()
    assert red["format"] == blue["format"] == "roundtable-view"
    assert red["entries"][1]["sealed"]["red"]["action"] == "throw:rock"
    assert blue["entries"][1]["sealed"] == {}
    assert "rock" not in json.dumps(blue)
    refused = imported(client, red)
    assert refused.status_code == 422
    assert "Only a whole match" in refused.json()["message"]


def test_an_export_is_a_file_of_our_naming(client, quick):
    table = finished(client)
    answer = table.watcher.get(f"matches/{table.code}/export")
    assert answer["Content-Disposition"] == f'attachment; filename="roundtable-{table.code}.json"'


# --- what was changed ----------------------------------------------------------------------------


def changed(file, path, value):
    """The file with another value at a path, and fingerprints and a checksum that fit it again.

    What these show of a change, other checks have to see, too.
    """
    other = copy.deepcopy(file)
    place = other
    *way, last = path
    for step in way:
        place = place[step]
    if value is DELETED:
        del place[last]
    else:
        place[last] = value
    return fitted(other)


DELETED = object()

CHANGES = [
    (("format",), "chess"),
    (("format_version",), 0),
    (("format_version",), 2),
    (("system",), "chess"),
    (("mode",), "fancy"),
    (("version",), 99),
    (("seed",), "0" * 32),
    (("commitment",), "0" * 64),
    (("opened_at",), "yesterday"),
    (("opened_at",), "2026-11-21T10:00:00"),
    (("opened_at",), "2026-01-01T00:00:00+00:00"),
    (("finished_at",), 7),
    (("finished_at",), None),
    (("position",), {}),
    (("position", "round"), 9),
    (("position", "result"), {"winner": None, "how": "points"}),
    (("position", "armies", "red", "name"), "Mallory"),
    (("position", "scores", "1", "points"), 5),
    (("entries",), []),
    (("entries",), {}),
    (("entries", -1), DELETED),
    (("entries", 1, "version"), 1),
    (("entries", 1, "kind"), "open"),
    (("entries", 1, "kind"), "cheat"),
    (("entries", 1, "seat"), "green"),
    (("entries", 1, "after", "army/red/hidden/throw"), DELETED),
    (("entries", 1, "sealed"), {}),
    (("entries", 1, "sealed", "red", "after", "army/red/hidden/throw"), "well"),
    (("entries", 1, "sealed", "green"), {"lines": []}),
    (("entries", 1, "sealed", "red", "surplus"), 1),
    (("entries", 0, "before"), {"round": 0}),
    (("entries", 0, "after", "army/red"), DELETED),
    (("entries", 0, "after", "army/red"), {"key": "blue"}),
    (("entries", 0, "after", "army/red"), {"key": "red", "name": 7}),
    (("entries", 0, "after", "army/red", "name"), "x" * 999),
    (("entries", 0, "after", "__class__"), "State"),
    (("entries", 0, "after", "armies"), {}),
    (("entries", 0, "after", "seed"), "other"),
    (("entries", 0, "after", "flow"), [["throw", "1", []]]),
    (("entries", 0, "after", "flow"), [["nothing", 1, []]]),
    (("entries", 0, "after", "round"), "one"),
    (("entries", 0, "after", "unit/x"), {"key": "x"}),
    (("entries", 0, "after", "unit/x"), {"key": "x", "army": "green"}),
    (("entries", 0, "after", "dragon/x"), {"key": "x"}),
    (("entries", 2, "undoes"), 2),
    (("entries", 2, "undoes"), 99),
    (("entries", 1, "draws"), [[0, 6, 9]]),
    (("entries", 1, "draws"), [[0, 0, 0]]),
    (("entries", 1, "lines"), [{"message": "%(a)s"}, {"message": "%(a)s", "arguments": {"b": 1}}]),
    (("entries", 1, "lines"), [{"message": "%(a)999999999s", "arguments": {"a": "x"}}]),
    (("entries", 1, "lines"), [{"message": "%(a)d", "arguments": {"a": "x"}}]),
    (("entries", 1, "lines"), [{"message": "a", "plural": "%", "count": 1}]),
    (("entries", 1, "lines"), [{"message": 7}]),
    (("entries", 1, "lines"), "said"),
    (("entries", 1, "author"), "a\u202eb"),
    (("entries", 1, "note"), "a\u0000b"),
    (("entries", 1, "author"), "x" * 999),
    (("entries", 1, "at"), "noon"),
    (("entries", 1, "is_final"), 1),
    (("entries", 1, "surplus"), 1),
    (("surplus",), 1),
]


@pytest.fixture
def short_file(client, quick):
    """The export of a short finished match, made once: it is a file, no rows."""
    if not _made:
        _made.update(exported(finished(client)))
        Match.objects.all().delete()
    return copy.deepcopy(_made)


_made = {}


@pytest.mark.parametrize(("path", "value"), CHANGES, ids=[f"{path}" for path, _value in CHANGES])
def test_a_changed_export_is_refused_and_writes_nothing(client, short_file, path, value):
    before = (Match.objects.count(), Entry.objects.count())
    answer = imported(client, changed(short_file, path, value))
    assert answer.status_code == 422, answer.content
    assert set(answer.json()) == {"error", "message", "rule"}
    assert (Match.objects.count(), Entry.objects.count()) == before
    assert "match its fingerprint" not in answer.json()["message"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_file_in_which_an_entry_is_missing_is_refused(client, short_file, number):
    assert imported(client, changed(short_file, ("entries", number), DELETED)).status_code == 422
    assert Match.objects.count() == 0


FORGED = [
    ("chain", "0" * 64),
    ("chain", DELETED),
    ("hash", "0" * 64),
    ("hash", DELETED),
    ("opens", {"army/red/hidden/throw": "rock"}),
    ("opens", DELETED),
    ("commitments", {"red": "0" * 64}),
    ("commitments", DELETED),
    ("author", "Mallory"),
    ("note", "a reason"),
    ("at", "2026-11-21T10:00:00+00:00"),
    ("is_final", True),
    ("lines", []),
    ("sealed", {"red": {"salts": {"": "0" * 32}}}),
    ("sealed", {"red": {}}),
]


@pytest.mark.parametrize(("name", "value"), FORGED)
def test_what_does_not_fit_the_fingerprints_is_refused(client, short_file, name, value):
    place = short_file if name == "chain" else short_file["entries"][1]
    if value is DELETED:
        del place[name]
    else:
        place[name] = value
    refused = imported(client, {**short_file, "checksum": checksum(short_file)})
    assert refused.status_code == 422
    assert "match its fingerprint" in refused.json()["message"] or value is DELETED


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_other_zones_cannot_tell_is_refused(client, short_file, at):
    short_file["entries"][1]["at"] = at
    refused = imported(client, {**short_file, "checksum": checksum(short_file)})
    assert (refused.status_code, "entries.1.at" in refused.json()["message"]) == (422, True)


def test_a_match_that_arrived_has_the_history_of_its_file(client, short_file):
    arrived = imported(client, short_file)
    assert arrived.status_code == 201
    match = Match.objects.get(code=arrived.json()["code"])
    assert chain.faults(match, chain.entries_of(match)) == []
    assert match.chain == short_file["chain"]


def test_the_checksum_alone_shows_a_change(client, short_file):
    short_file["entries"][0]["author"] = "Mallory"
    refused = imported(client, short_file)
    assert refused.status_code == 422
    assert "checksum" in refused.json()["message"]


def test_what_cannot_be_shown_is_not_kept(client, quick):
    """Types that fit but make no sense to the game's page: the look at the end refuses them."""
    Table(client, "tmg", "a-game-of-thrones")
    file = match_file.whole(Match.objects.get())
    entry = next(entry for entry in file["entries"] if any(p.startswith("unit/") for p in entry["after"]))
    path = next(path for path in entry["after"] if path.startswith("unit/") and path.count("/") == 1)
    key = path.partition("/")[2]
    entry["after"][path]["attachments"] = [7]
    for one in file["entries"]:
        if path in one["before"] and one["before"][path] is not None:
            one["before"][path]["attachments"] = [7]
    file["position"]["units"].get(key, {})["attachments"] = [7]
    answer = imported(client, fitted(file))
    assert answer.status_code == 422
    assert Match.objects.count() == 1


# --- long matches --------------------------------------------------------------------------------


def long_match(entries):
    """A match of miniatures with so many entries: taps, and remarks of people who talk a lot."""
    names = {"red": "Ada", "blue": "Bo"}
    match, luck = play.open_match("tmg", "a-game-of-thrones", names, seed="a long match"), random.Random(3)
    playing = Playing(match)
    for version in range(match.version, entries):
        if version % 7 and playing.state.result is None:
            playing.at_random(luck, 1)
        else:
            playing.remark(say("Somebody talks."), "Ada", f"talk:{version}")
    match.refresh_from_db()
    return match


def test_a_match_of_800_entries_leaves_and_arrives(client, quick):
    match = long_match(800)
    began = time.perf_counter()
    file = match_file.whole(match, with_secrets=True)
    left = time.perf_counter()
    answer = imported(client, file)
    assert answer.status_code == 201, answer.content
    arrived = time.perf_counter()
    new = Match.objects.get(code=answer.json()["code"])
    assert new.version == new.entries.count() == 800
    assert but_code(match_file.whole(new, with_secrets=True)) == but_code(file)
    print(f"800 entries: left in {left - began:.1f} s, arrived in {arrived - left:.1f} s")


def test_one_import_is_read_at_a_time(client, short_file, monkeypatch):
    monkeypatch.setattr(matches, "PATIENCE_SECONDS", 0.01)
    with matches.IMPORTING:
        refused = imported(client, short_file)
    assert refused.status_code == 503
    assert "Another match is being imported" in refused.json()["message"]
    assert imported(client, short_file).status_code == 201
    assert imported(client, {**short_file, "system": 7}).status_code == 422
    assert not matches.IMPORTING.locked()


# --- the commands --------------------------------------------------------------------------------


def test_the_commands_take_a_match_in_play_along(client, tmp_path, capsys):
    table = Table(client)
    table.tap("red", "throw:rock")
    call_command("export", match=table.code.lower())
    file = tmp_path / "match.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    call_command("import", str(file))
    code = capsys.readouterr().out.partition(":")[0]
    old, new = (storage.load(Match.objects.get(code=one)).state for one in (table.code, code))
    assert new == old
    assert new.armies["red"].hidden == {"throw": "rock"}
    call_command("import", str(file))
    assert "since before" in capsys.readouterr().out


def test_the_commands_refuse_with_a_sentence(tmp_path):
    with pytest.raises(CommandError, match="no table"):
        call_command("export", match="ZZZZZZ")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import", str(tmp_path / "nothing.json"))
    file = tmp_path / "odd.json"
    file.write_text("[]")
    with pytest.raises(CommandError, match="JSON object"):
        call_command("import", str(file))
    file.write_text("{}")
    with pytest.raises(CommandError, match="not the export of a match"):
        call_command("import", str(file))


def test_a_masked_secret_arrives_masked(client, quick):
    """What a seat never revealed stays sealed in the whole export, and such a file still replays."""
    table = Table(client, "auction", "tracks", 3)
    table.tap("stark", "bid:throne:4")
    match = Match.objects.get(code=table.code)
    file = match_file.whole(match)
    assert "4" not in json.dumps(file["entries"][1]["sealed"])
    assert file["position"]["armies"]["stark"]["hidden"] == {"bid": "\u2022"}
    code = imported(client, file).json()["code"]
    assert storage.load(Match.objects.get(code=code)).state.armies["stark"].hidden == {"bid": "\u2022"}


@pytest.mark.django_db(transaction=True)
def test_a_long_match_arrives_over_the_real_server(server, short_file):
    """An import may be longer than any other request, up to its own limit."""
    for entry in short_file["entries"][:4]:
        entry["note"] = "a long list " * 4000
    whole = json.dumps(fitted(short_file)).encode()
    assert len(whole) > 128 * 1024
    assert sent(server, "/api/import", whole) == 201
    assert sent(server, "/api/import", whole + b" " * 7 * 1024 * 1024) == 413
    assert sent(server, "/api/matches", whole) == 413


def sent(server, path, body):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    status = connection.getresponse().status
    connection.close()
    return status
