"""A cached position is used only while the row of its match says that it is the newest."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.history.position_rows import Kept
from games.match import match_file, play, storage
from games.models import Army, Entry, Match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nothing_kept():
    storage.COMMITS.clear()


@pytest.fixture
def match() -> Match:
    return play.open_match("rps", "plain", {"red": "Ada", "blue": "Bo"}, seed="winter")


def tap(match: Match, seat: str, action: str) -> play.Verdict:
    match.refresh_from_db()
    return play.tap(match.code, seat, action, match.version, play.new_key())


def position_read(act) -> tuple[int, int]:
    """How many statements read pieces, and how many read the match's columns that only a position needs."""
    with CaptureQueriesContext(connection) as asked:
        act()
    tables = tuple(f'FROM "{row._meta.db_table}"' for row in storage.ROWS.values())
    columns = tuple(f'"games_match"."{name}"' for name in storage.UNASKED)
    sent = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    return (
        sum(any(table in sql for table in tables) for sql in sent),
        sum(any(column in sql for column in columns) for sql in sent),
    )


def elsewhere(monkeypatch: pytest.MonkeyPatch, act) -> None:
    """Do what another process does: this one keeps what it had."""
    with monkeypatch.context() as patched:
        patched.setattr(storage, "COMMITS", Kept(256))
        act()


def test_a_tap_reads_no_piece_that_the_process_has_just_written(match):
    version = match.version

    def throw(seat: str, action: str) -> None:
        play.tap(match.code, seat, action, version, play.new_key())

    assert position_read(lambda: throw("red", "throw:rock")) == (5, 1)
    assert position_read(lambda: throw("blue", "throw:paper")) == (0, 0)


def test_another_process_is_never_answered_from_here(match, monkeypatch):
    tap(match, "red", "throw:rock")
    elsewhere(monkeypatch, lambda: tap(match, "blue", "throw:paper"))
    elsewhere(monkeypatch, lambda: tap(match, "red", "throw:scissors"))
    verdict = tap(match, "blue", "throw:rock")
    assert verdict.loaded is not None
    match.refresh_from_db()
    assert storage.load(match).state == verdict.loaded.state
    assert verdict.loaded.state.points("blue") == 2


def test_a_restored_backup_that_went_on_to_the_same_version_is_read_again(match, monkeypatch):
    tap(match, "red", "throw:rock")
    match.refresh_from_db()
    version = match.version
    # The same version was reached in another way, and the log says so.
    Match.objects.filter(pk=match.pk).update(chain="f" * 64)
    Army.objects.filter(match=match, key="blue").update(name="Bea")
    match.refresh_from_db()
    assert match.version == version
    assert storage.recall(match) is None
    assert storage.current(match).state.armies["blue"].name == "Bea"


def test_a_match_that_comes_back_under_its_code_is_read_again(match):
    """Its log is the same, but the rows of its pieces are others: those kept here are gone."""
    tap(match, "red", "throw:rock")
    match.refresh_from_db()
    file = json.loads(json.dumps(match_file.whole(match, with_secrets=True)))
    match.delete()
    again, _was_here = match_file.import_match(file, lambda match: None, to_play_on=True)
    assert (again.version, again.code) == (2, file["code"])
    verdict = tap(again, "blue", "throw:paper")
    assert verdict.loaded is not None
    again.refresh_from_db()
    assert storage.load(again).state == verdict.loaded.state


def test_an_organisers_edit_is_the_position_from_then_on(match):
    tap(match, "red", "throw:rock")

    def rename(state):
        state.armies["red"].name = "Cleo"

    play.edit(match.code, rename, "Organiser", "wrong name")
    match.refresh_from_db()
    assert storage.current(match).state == storage.load(match).state
    assert storage.current(match).state.armies["red"].name == "Cleo"


def test_what_was_refused_leaves_no_trace_in_what_is_kept(match):
    tap(match, "red", "throw:rock")

    def spoil(state):
        state.armies["red"].name = "Cleo"
        state.flow = ()
        raise play.RequestRefused(play.say("#"), 409, "no")

    with pytest.raises(play.RequestRefused):
        play.edit(match.code, spoil, "Organiser", "no")
    match.refresh_from_db()
    storage.recall(match).ids["army"].clear()
    assert storage.current(match).state == storage.load(match).state
    assert storage.current(match).ids == storage.load(match).ids


def test_what_was_not_committed_is_not_kept(match, monkeypatch):
    tap(match, "red", "throw:rock")

    def fail(*_args):
        raise RuntimeError("the log is full")

    with monkeypatch.context() as patched:
        patched.setattr("games.match.storage.write", fail)
        with pytest.raises(RuntimeError):
            tap(match, "blue", "throw:paper")
    match.refresh_from_db()
    assert storage.recall(match).state == storage.load(match).state
    assert tap(match, "blue", "throw:paper").version == match.version + 1


def test_only_the_tables_tapped_last_are_kept(monkeypatch):
    monkeypatch.setattr(storage.COMMITS, "most", 2)
    tables = [play.open_match("rps", "plain", {"red": "A", "blue": "B"}) for _count in range(3)]
    for table in (tables[0], tables[1], tables[0], tables[2]):
        play.remark(table.code, play.say("Still here."))
    known = []
    for table in tables:
        table.refresh_from_db()
        known.append(storage.recall(table) is not None)
    assert known == [True, False, True]


def test_a_key_that_is_known_is_told_by_the_log_alone(match):
    """Nothing looks the key up first: the log accepts no second entry with it."""
    match.refresh_from_db()
    key = play.new_key()
    first = play.tap(match.code, "red", "throw:rock", 1, key)
    again = play.tap(match.code, "red", "throw:rock", 1, key)
    assert (again.version, again.is_replay) == (first.version, True)
    play.tap(match.code, "blue", "throw:rock", 1, play.new_key())
    # By now there is another question, to which the same answer would be legal.
    match.refresh_from_db()
    late = play.tap(match.code, "red", "throw:rock", match.version, key)
    assert (late.version, late.is_replay) == (first.version, True)
    assert Entry.objects.filter(match=match, key=key).count() == 1
    assert storage.current(match).state == storage.load(match).state
    with pytest.raises(play.RequestRefused) as refused:
        play.tap(match.code, "red", "throw:paper", match.version, key)
    assert refused.value.error == "key_reused"
