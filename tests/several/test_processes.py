"""Two processes, one database: a table is played through both, and what one does counts in the other."""

from __future__ import annotations

import random
import signal
import time

import pytest
from django.db import connection

from games.core import engine, say
from games.match import play, storage
from games.models import Match, Seat
from games.people import seats
from tests.several.phones import PATIENCE_SECONDS, Player, table, within

GAME = ("tmg", "a-game-of-thrones")
TAPS = 60


def played_on(players: dict[str, Player], ports: list[int], luck: random.Random) -> int:
    """One tap through one of the processes; returns the version it made, 0 if the match is over."""
    match = Match.objects.get(code=next(iter(players.values())).code)
    if match.result is not None:
        return 0
    asked = play_seats(match)
    status, told = players[luck.choice(asked)].tap(luck.choice(ports), luck)
    assert status == 200, told
    return told["version"]


def play_seats(match: Match) -> list[str]:
    return list(engine.to_act(storage.load(match).state))


def remark(match: Match) -> int:
    """Make a new version in a process that serves nobody; returns the version."""
    return play.remark(match.code, say("Hello")).version


def test_a_table_is_played_through_both_and_everybody_sees_all_of_it(two, listen):
    ports, luck = [one.port for one in two], random.Random(13)
    match, players = table(*GAME)
    crowd = [listen(port, match.code) for port in ports]
    for player, port in zip(players.values(), ports, strict=True):
        crowd.append(listen(port, match.code, [(player.key, player.epoch)]))
    within(20, lambda: all(one.versions for one in crowd))
    last = match.version
    for _tap in range(TAPS):
        last = played_on(players, ports, luck) or last
    within(PATIENCE_SECONDS, lambda: all(one.has(last) for one in crowd))
    match.refresh_from_db()
    assert last == match.version > TAPS / 2
    for one in crowd:
        assert one.versions == sorted(set(one.versions)), "an older board came after a newer one"
        assert len(one.versions) > TAPS / 4, "hardly anything was told before the end"
        assert f'data-version="{last}"' in one.boards[-1]
    assert storage.final_position(match).to_json() == storage.load(match).state.to_json()
    # The same board, whichever process drew it.
    assert crowd[0].boards[-1] == crowd[1].boards[-1]


def test_a_hint_is_faster_than_the_look_at_the_rows(two, listen):
    _one, other = two
    match, _players = table(*GAME)
    phone = listen(other.port, match.code)
    within(20, lambda: phone.has(1))
    waits = []
    for version in range(2, 8):
        assert remark(match) == version
        waits.append(within(20, lambda v=version: phone.has(v)))
    assert sorted(waits)[len(waits) // 2] < 1.0, waits


def test_a_seat_that_is_taken_away_in_one_ends_its_streams_in_the_other(two, listen):
    one, other = two
    match, players = table(*GAME)
    red = players["red"]
    phone = listen(other.port, match.code, [("red", red.epoch)])
    watcher = listen(other.port, match.code)
    within(20, lambda: phone.versions and watcher.versions)
    seats.revoke(Seat.objects.select_related("match").get(match=match, key="red"))
    within(PATIENCE_SECONDS, lambda: phone.has_ended)
    assert not watcher.has_ended
    for port in (one.port, other.port):
        assert listen(port, match.code, [("red", red.epoch)]).status == 403
        assert listen(port, match.code, [("red", red.epoch + 1)]).status == 200
        assert red.ask(port)[0] == 403


def test_streams_of_a_deleted_match_end_everywhere(two, listen):
    match, _players = table(*GAME)
    phones = [listen(one.port, match.code) for one in two]
    within(20, lambda: all(phone.versions for phone in phones))
    Match.objects.filter(pk=match.pk).delete()
    within(PATIENCE_SECONDS, lambda: all(phone.has_ended for phone in phones))


def triggers(state: str) -> None:
    with connection.cursor() as cursor:
        for row in ("match", "seat", "seatrequest"):
            cursor.execute(f"ALTER TABLE games_{row} {state} TRIGGER USER")


@pytest.fixture
def silence(transactional_db):
    """Announce nothing, as if every announcement were lost on its way."""
    triggers("DISABLE")
    yield
    triggers("ENABLE")


def test_what_nobody_announced_is_seen_within_five_seconds(two, listen, silence):
    match, _players = table(*GAME)
    phones = [listen(one.port, match.code) for one in two]
    red = listen(two[1].port, match.code, [("red", 1)])
    within(20, lambda: all(phone.versions for phone in (*phones, red)))
    remark(match)
    within(PATIENCE_SECONDS, lambda: all(phone.has(2) for phone in (*phones, red)))
    seats.revoke(Seat.objects.select_related("match").get(match=match, key="red"))
    within(PATIENCE_SECONDS, lambda: red.has_ended)
    Match.objects.filter(pk=match.pk).delete()
    within(PATIENCE_SECONDS, lambda: all(phone.has_ended for phone in phones))


def test_a_phone_that_comes_from_the_process_that_knows_more_is_shown_nothing_older(two, listen, silence):
    _one, other = two
    match, _players = table(*GAME)
    early = listen(other.port, match.code)
    within(20, lambda: early.has(1))
    remark(match)
    moved = listen(other.port, match.code, seen=2)
    within(PATIENCE_SECONDS, lambda: early.has(2))
    boasting = listen(other.port, match.code, seen=999)
    within(PATIENCE_SECONDS, lambda: boasting.versions)
    assert (moved.versions, boasting.versions) == ([], [2])


def test_a_process_that_dies_takes_nothing_with_it(two, listen):
    one, other = two
    match, players = table(*GAME)
    phone, luck = listen(other.port, match.code), random.Random(5)
    within(20, lambda: phone.has(1))
    seat = players[play_seats(match)[0]]
    status, told = seat.tap(one.port, luck)
    one.kill()
    assert status == 200, told
    within(PATIENCE_SECONDS, lambda: phone.has(told["version"]))
    status, more = players[play_seats(Match.objects.get(pk=match.pk))[0]].tap(other.port, luck)
    assert (status, more["version"]) == (200, told["version"] + 1)
    within(PATIENCE_SECONDS, lambda: phone.has(more["version"]))


NONSENSE = (
    *("nonsense", "[]", "{}", "[1, 2, 3, 4, 5]", "x" * 7000, '["", {"address 192.0.2.1": "many"}]'),
    '["version", "%s", 1e9, "", "x"]',
    '["version", "%s", 999999, "", "x"]',
    '["version", "NOSUCH", 5, "", "x"]',
    '["drop", "%s", "red", 1, "x"]',
    '["explode", "%s", 1, "", "x"]',
)


def test_what_is_announced_wrongly_changes_nothing(two, listen):
    match, _players = table(*GAME)
    phone = listen(two[1].port, match.code)
    within(20, lambda: phone.has(1))
    for told in NONSENSE:
        for channel in ("roundtable", "roundtable_streams"):
            announce(told.replace("%s", match.code), channel)
        before = remark(match)
        within(PATIENCE_SECONDS, lambda version=before: phone.has(version))
    assert phone.versions == list(range(1, len(NONSENSE) + 2))
    assert not phone.has_ended


def announce(told: str, channel: str = "roundtable") -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, told])


def test_announcements_come_late_twice_and_in_disorder(two, listen, silence):
    match, _players = table(*GAME)
    phone = listen(two[1].port, match.code)
    within(20, lambda: phone.has(1))
    for _remark in range(3):
        remark(match)
    for version in (4, 2, 3, 4, 1, 4):
        announce(f'["version", "{match.code}", {version}, "", "x"]')
    within(PATIENCE_SECONDS, lambda: phone.has(4))
    time.sleep(0.5)
    assert phone.versions == [1, 4]


def test_one_who_sleeps_through_it_all_catches_up(two, listen):
    _one, other = two
    match, _players = table(*GAME)
    phone = listen(other.port, match.code)
    within(20, lambda: phone.has(1))
    other.send(signal.SIGSTOP)
    for _remark in range(3):
        remark(match)
    time.sleep(1)
    other.send(signal.SIGCONT)
    within(PATIENCE_SECONDS, lambda: phone.has(4))
    assert phone.versions == sorted(set(phone.versions))
