"""The contract of the rows: they follow the game, go all the way back, and the log alone rebuilds them."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.core import engine
from games.core.state import KINDS
from games.match import board, fuzz, log, play, replay, take_back
from games.models import Entry, Match

pytestmark = pytest.mark.django_db

TAPS = 60


def opened(played, seed):
    game, mode, seats, options = played
    names = dict(list(game.seat_names.items())[:seats])
    match = play.open_match(game.slug, mode, names, options, seed=f"seed-{seed}")
    return match.code, random.Random(seed)


def state_of(code):
    return board.load(Match.objects.get(code=code)).state


def action(code, luck, version, corrections=0.0):
    """One random tap or correction through the rows; answers the new version."""
    state = state_of(code)
    if luck.random() < corrections and (corrected := fuzz.correction(state, luck)):
        try:
            return play.adjust(code, *corrected, play.new_key(), note="a reason").version
        except play.RequestRefused:
            return version
    return play.tap(code, *fuzz.tap(state, luck), version, play.new_key()).version


def some_actions(code, luck, count=TAPS, corrections=0.0):
    version = Match.objects.get(code=code).version
    for _count in range(count):
        if state_of(code).result is not None:
            break
        version = action(code, luck, version, corrections)


def test_rows_follow_the_game(played):
    code, luck = opened(played, 1)
    state, version = state_of(code), 1
    for _count in range(TAPS):
        if state.result is not None:
            break
        seat, action = fuzz.tap(state, luck)
        state = engine.play(state, seat, action)
        version = play.tap(code, seat, action, version, play.new_key()).version
        assert state_of(code) == state


def test_undo_goes_all_the_way_back(played):
    code, luck = opened(played, 2)
    start = state_of(code)
    some_actions(code, luck, corrections=0.2)
    while actions := take_back.standing(Match.objects.get(code=code), 1):
        take_back.ask(code, "", actions[0].version, play.new_key(), "Organiser")
    assert facts(state_of(code)) == facts(start)


def facts(state):
    stored = state.to_json()
    return {
        name: [[step, about] for step, _number, about in value] if name == "flow" else value
        for name, value in stored.items()
        if name not in take_back.COUNTERS
    }


def test_the_log_alone_rebuilds_the_match(played):
    code, luck = opened(played, 3)
    some_actions(code, luck, corrections=0.2)
    match = Match.objects.get(code=code)
    for actions in range(3):
        standing = take_back.standing(match, 3)
        if len(standing) > actions:
            take_back.ask(code, "", standing[actions].version, play.new_key(), "Organiser")
    match.refresh_from_db()
    assert replay.final_position(match) == board.load(match).state


def test_the_rules_say_today_what_the_log_says(played):
    code, luck = opened(played, 4)
    some_actions(code, luck, corrections=0.2)
    assert list(replay.drifts(Match.objects.get(code=code))) == []


def test_versions_count_every_entry_once(played):
    code, luck = opened(played, 5)
    some_actions(code, luck)
    match = Match.objects.get(code=code)
    versions = list(match.entries.values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))


def test_a_tap_reads_no_more_late_than_early(played):
    code, luck = opened(played, 6)
    read, version = [], 1
    for _count in range(TAPS):
        state = state_of(code)
        if state.result is not None:
            break
        seat, action = fuzz.tap(state, luck)
        with CaptureQueriesContext(connection) as queries:
            version = play.tap(code, seat, action, version, play.new_key()).version
        read.append(sum(query["sql"].startswith("SELECT") for query in queries))
    # The match, the key, and one statement for each kind of piece.
    assert set(read[-10:]) == {2 + len(KINDS)}


def test_no_secret_stands_in_the_public_part_of_an_entry(played):
    code, luck = opened(played, 7)
    some_actions(code, luck, 20)
    for entry in Entry.objects.filter(match__code=code):
        for image in (entry.before, entry.after):
            assert all(value == log.SEALED for path, value in image.items() if "/hidden/" in path)
        if any("action" in part for part in entry.sealed.values()):
            assert ":" not in entry.action
