"""The contract for the rows: they follow the game, go all the way back, and the log alone rebuilds them."""

import random

import pytest
from django.db import connection, transaction
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from games import catalogue
from games.core import KINDS, Piece, State, engine
from games.history import commits
from games.management.commands import replay
from games.match import play, random_play, storage, undoing
from games.models import Match
from tests.contract.conftest import cases

pytestmark = pytest.mark.django_db

TAPS = 40


def opened(played, seed):
    game, mode, seats, options = played
    names = dict(list(game.seat_names.items())[:seats])
    match = play.open_match(game.slug, mode, names, options, seed=f"seed-{seed}")
    return match.code, random.Random(seed)


def state_of(code):
    return storage.load(Match.objects.get(code=code)).state


def action(code, state, luck, version):
    """Make one random tap or correction through the rows; the position by the rules, and the version."""
    corrected = random_play.correction(state, luck) if luck.random() < 0.2 else None
    if corrected is None:
        seat, tapped = random_play.tap(state, luck)
        version = play.tap(code, seat, tapped, version, play.new_key()).version
        return engine.play(state, seat, tapped), version
    try:
        version = play.adjust(code, *corrected, play.new_key(), note="a reason").version
    except play.RequestRefused:
        return state, version
    return engine.adjust(state, *corrected, "a reason"), version


def differing(match, state):
    """What differs from this position: the rows as read, or what the process keeps of them."""
    read, known = storage.load(match), storage.recall(match)
    if read.state != state:
        yield "rows"
    if looks(known.state) != looks(read.state) or known.state.entries is not read.state.entries:
        yield "kept"
    if known.ids != read.ids:
        yield "numbers of rows"


def looks(value):
    """What a rule may see of a position: values, their types, and the order of the pieces.

    Only the names within a field may come in another order, if a database stores JSON by values.
    """
    if isinstance(value, State):
        fields = {name: looks(getattr(value, name)) for name in value.field_names()}
        return fields, [list(getattr(value, mapping)) for mapping in KINDS.values()]
    if isinstance(value, Piece):
        return type(value), {name: looks(getattr(value, name)) for name in value.field_names()}
    if isinstance(value, dict):
        return {key: looks(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [looks(each) for each in value]
    return type(value), value


@pytest.fixture(scope="module")
def _recorded(played, django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        code, luck = opened(played, 2)
        start = state = state_of(code)
        state.entries = catalogue.current(state.system)
        version, astray = 1, []
        for _count in range(TAPS):
            if state.result is not None:
                break
            with TestCase.captureOnCommitCallbacks(execute=True):
                state, version = action(code, state, luck, version)
            astray += [(version, what) for what in differing(Match.objects.get(code=code), state)]
        yield code, start, astray
        transaction.set_rollback(True)


@pytest.fixture
def recorded(_recorded, db):
    """A match of random taps and corrections, played once for all tests of a case, and its first position."""
    code, start, _astray = _recorded
    return Match.objects.get(code=code), start


@pytest.fixture
def astray(_recorded):
    """What differed from the position that the rules alone come to, and at which versions."""
    return _recorded[2]


def test_rows_follow_the_game_and_so_does_what_the_process_keeps(astray):
    assert astray == []


def test_undo_goes_all_the_way_back(recorded):
    match, start = recorded
    while actions := undoing.undoable(match, 1):
        undoing.ask(match.code, "", actions[0].version, play.new_key(), "Organiser")
    assert facts(state_of(match.code)) == facts(start)


def facts(state):
    stored = state.to_json()
    return {
        name: [[step, about] for step, _number, about in value] if name == "flow" else value
        for name, value in stored.items()
        if name not in undoing.COUNTERS
    }


def test_the_log_alone_rebuilds_the_match(recorded):
    match, _start = recorded
    for actions in range(3):
        standing = undoing.undoable(match, 3)
        if len(standing) > actions:
            undoing.ask(match.code, "", standing[actions].version, play.new_key(), "Organiser")
    match.refresh_from_db()
    assert storage.final_position(match) == storage.load(match).state


def test_the_rules_say_today_what_the_log_says(recorded):
    match, _start = recorded
    assert list(replay.drifts(match)) == []


def test_versions_count_every_entry_once(recorded):
    match, _start = recorded
    versions = list(match.entries.values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))


@pytest.mark.parametrize("played", {case[0].slug: case for case in cases().values()}.values())
def test_a_tap_reads_no_more_late_than_early(played, django_capture_on_commit_callbacks):
    """Reading does not depend on the mode: one of each game will do."""
    code, luck = opened(played, 6)
    read, version = [], 1
    for _count in range(TAPS):
        state = state_of(code)
        if state.result is not None:
            break
        seat, action = random_play.tap(state, luck)
        with CaptureQueriesContext(connection) as queries, django_capture_on_commit_callbacks(execute=True):
            version = play.tap(code, seat, action, version, play.new_key()).version
        read.append(sum(query["sql"].startswith("SELECT") for query in queries))
    # The match in two parts, one statement for each kind of piece, what the log committed to, and whether it
    # is an event's: then the first part of the match alone.
    assert read[0] == 2 + len(KINDS) + 2
    assert set(read[1:][-10:]) == {1}


def test_no_secret_stands_in_the_public_part_of_an_entry(recorded):
    match, _start = recorded
    for entry in match.entries.all():
        for image in (entry.before, entry.after):
            assert all(value == commits.SEALED for path, value in image.items() if "/hidden/" in path)
        if any("action" in part for part in entry.sealed.values()):
            assert ":" not in entry.action


def test_boards_that_are_read_together_are_what_they_are_alone():
    """From several games: one read of three boards after one of two, and one of none."""
    some = list({case[0].slug: case for case in cases().values()}.values())[:3]
    matches = [Match.objects.get(code=opened(case, number)[0]) for number, case in enumerate(some)]
    alone = [storage.load(match) for match in matches]
    for count in (2, 3, 0):
        together = storage.load_many(matches[:count])
        assert [(one.state, one.ids) for one in together] == [(one.state, one.ids) for one in alone[:count]]
