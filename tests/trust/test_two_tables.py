"""What is done at one table changes nothing at another: every view of it, and every answer there, stays.

The tables are as alike as possible (one game, the same names and seeds), so that a query that forgets whose
rows it asks for finds the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from games import confirming
from games.history import commits as chain
from games.live.bus import read_rows
from games.live.hub import Audience
from games.match import delay, match_file, play, storage, undoing
from games.models import Match, Seat, SeatRequest
from games.pages.table.boards import html
from games.pages.table.loaded import table_of
from games.people import seats
from tests.trust.twins import (
    HOUSES,
    NOW,
    PLAYERS,
    SEED,
    Transcript,
    a_world,
    differences,
    everywhere,
    is_robot,
    looks,
    others_than,
    tap,
    undos,
)

pytestmark = pytest.mark.django_db


def of_the_table(match: Match, role: str) -> list[str]:
    """The addresses about this table; lists of tables also show the others."""
    return [path for path in everywhere(match, role) if match.code in path]


def correct(match: Match, seat: str, house: str, change: int) -> int:
    return play.adjust(match.code, seat, f"army/{house}", f"power:{house}:{change}", play.new_key()).version


def ask_for(match: Match, key: str, name: str) -> None:
    seat = match.seats.get(key=key)
    SeatRequest.objects.create(seat=seat, name=name, asker_hash=name, created_at=timezone.now())


def a_round(match: Match, bids: dict[str, int]) -> None:
    for seat, amount in bids.items():
        tap(match, seat, f"bid:throne:{amount}")


def little(match: Match) -> None:
    """The table under test: a correction, a secret, a guest who asks."""
    correct(match, "lannister", "stark", -1)
    correct(match, "stark", "lannister", 1)
    tap(match, "stark", "bid:throne:2")
    ask_for(match, "baratheon", "Guest")


def much(match: Match) -> None:
    """What goes on elsewhere: more of everything, and some of it different."""
    correct(match, "stark", "baratheon", -2)
    play.rename(match.code, "stark", "Robb")
    a_round(match, {"stark": 1, "lannister": 0, "baratheon": 2})
    version = correct(match, "lannister", "lannister", 1)
    undoing.ask(match.code, "stark", version, play.new_key())
    delay.choose(match.code, "stark", 15)
    seats.occupy(match, "baratheon", 1)
    for key in ("stark", "lannister"):
        ask_for(match, key, f"Stranger at {key}")


def shown(match: Match, minutes: int) -> int:
    """The version that watchers would see in an hour, with a delay of this many minutes."""
    match.watch_delay = minutes
    with mock.patch("games.web.clock.now", return_value=NOW + timedelta(hours=1)):
        return delay.shown_version(match)


def known(match: Match) -> Iterator[tuple[str, str, object]]:
    """What the modules behind the pages say about a table."""
    match.refresh_from_db()
    state = storage.current(match).state
    asked = {
        "standing": [entry.version for entry in undoing.undoable(match)],
        "newest": getattr(undoing.newest(match), "version", None),
        "outline": storage.outline(match),
        "replayed": storage.final_position(match),
        "confirmed": confirming.confirmed(match, state),
        "is late": delay.is_late(match.code),
        "shown": [shown(match, minutes) for minutes in delay.CHOICES],
        "asking": [one.name for one in seats.open_requests(match)],
        "blind": [one.key for one in seats.blind(match)],
        "faults": chain.faults(match, chain.entries_of(match)),
        "answers": chain.sealed_answers(chain.entries_of(match), None),
        "exported": match_file.whole(match),
        "sealed": [seats.has_sealed(one) for one in match.seats.order_by("pk")],
    }
    asked |= {f"at {version}": storage.position(match, version) for version in range(1, match.version + 1)}
    match.refresh_from_db()
    yield from (("module", name, answer) for name, answer in asked.items())


def everything(match: Match, phones: dict) -> Transcript:
    """Everything that can be asked of a table, and what becomes of it if any of its actions is taken back."""
    storage.COMMITS.clear()
    storage._outline.cache_clear()
    return [*known(match), *looks(match, phones, of_the_table), *undos(match, phones, 2)]


def test_what_happens_at_other_tables_changes_nothing_at_this_one() -> None:
    older = play.open_match("auction", "tracks", HOUSES, seed=SEED)
    with a_world(("auction", "tracks"), HOUSES) as match:
        phones = others_than("stark", match)
        little(match)
        alone = everything(match, phones)
        younger = play.open_match("auction", "tracks", HOUSES, seed=SEED)
        for other in (older, younger):
            much(other)
        assert differences(alone, everything(match, phones)) == []
    assert ("module", "sealed", [True, False, False]) in alone
    roles = {role for role, _path, _seen in alone}
    assert len(roles) == 7
    assert all(is_robot(role) or sum(row[0] == role for row in alone) > 12 for role in roles)


def test_a_key_is_known_to_one_seat_of_one_table_only() -> None:
    here, elsewhere = (play.open_match("auction", "tracks", HOUSES, seed=SEED) for _table in range(2))
    key, bid = play.new_key(), "bid:throne:1"
    first = play.tap(here.code, "stark", bid, 1, key)
    for match, seat in ((here, "lannister"), (elsewhere, "stark")):
        with pytest.raises(play.RequestRefused) as refused:
            play.tap(match.code, seat, bid, 99, key)
        assert refused.value.error == "stale"
        assert not play.tap(match.code, seat, bid, 1, key).is_replay
    again = play.tap(here.code, "stark", bid, 99, key)
    assert (again.version, again.is_replay) == (first.version, True)


def rows() -> dict[tuple[str, str], object]:
    """By table and seat: everything stored about a seat, and about who asks for it."""
    asked: dict[int, list[tuple]] = {}
    for pk, *request in SeatRequest.objects.order_by("pk").values_list(
        "seat_id", "granted_at", "declined_at"
    ):
        asked.setdefault(pk, []).append(tuple(request))
    return {(row["match_id"], row["key"]): (row, asked.get(row["id"])) for row in Seat.objects.values()}


ACTIONS: dict[str, Callable[[Seat], object]] = {
    "its token plays it": lambda seat: seats.occupy(seat.match, seat.key, seat.epoch),
    "it is freed": seats.revoke,
    "what is sealed is shown": seats.show_sealed,
    "it gets a moving code": seats.moving_code,
    "its guest is let in": lambda seat: seats.grant(seat.requests.get()),
    "its guest is turned away": lambda seat: seats.decline(seat.requests.get()),
}


@pytest.mark.parametrize("action", ACTIONS)
def test_what_is_done_to_a_seat_is_done_to_it_alone(action: str) -> None:
    tables = [play.open_match("auction", "tracks", HOUSES, seed=SEED) for _table in range(2)]
    for table in tables:
        for key in HOUSES:
            ask_for(table, key, "Guest")
    Seat.objects.update(blind_at=1)
    before = rows()
    seat = Seat.objects.select_related("match").get(match=tables[0], key="lannister")
    ACTIONS[action](seat)
    after = rows()
    assert {place for place in before if before[place] != after[place]} == {(seat.match_id, seat.key)}


def test_a_look_at_the_rows_of_one_table_tells_of_no_other() -> None:
    one, other = (play.open_match("agot", "light", HOUSES, seed=SEED) for _table in range(2))
    assert set(read_rows([one.code])) == {one.code}
    assert read_rows([one.code, other.code]).keys() == {one.code, other.code}


def test_a_claim_can_be_repeated_for_its_own_seat_only() -> None:
    here, elsewhere = (play.open_match("auction", "tracks", HOUSES, seed=SEED) for _table in range(2))
    key, claimed = seats.new_key(), {"claim_hash": "", "claimed_at": timezone.now()}
    mine = here.seats.get(key="stark")
    claimed["claim_hash"] = seats._claim_hash(key)
    Seat.objects.filter(pk=mine.pk).update(is_taken=True, **claimed)
    found = [
        seat for table in (here, elsewhere) for seat in table.seats.all() if seats.is_repeated(seat, key)
    ]
    assert found == [mine]
    assert (seats.claimed(here, key), seats.claimed(elsewhere, key)) == ((mine, key), None)
    found = [seats.taken_by(key, match) for match in (None, here, elsewhere)]
    assert found == [[mine], [mine], []]


def test_points_are_confirmed_at_one_table_only() -> None:
    tables = [play.open_match("rps", "plain", PLAYERS, seed=SEED) for _table in range(2)]
    for match in tables:
        tap(match, "red", "throw:rock")
        tap(match, "blue", "throw:scissors")
    here, elsewhere = (storage.current(Match.objects.get(pk=match.pk)) for match in tables)
    (number,) = confirming.confirmable(here.state)
    seen = confirming.fingerprint(here.state, number)
    assert seen == confirming.fingerprint(elsewhere.state, number)
    for seat in PLAYERS:
        confirming.confirm(here.match.code, seat, number, seen, play.new_key())
    assert confirming.confirmed(here.match, here.state) == {number: frozenset(PLAYERS)}
    assert confirming.confirmed(elsewhere.match, elsewhere.state) == {}


def test_what_is_asked_to_be_undone_here_is_read_out_of_this_log() -> None:
    here, there = (play.open_match("auction", "tracks", HOUSES, seed=SEED) for _table in range(2))
    version = correct(here, "lannister", "stark", -1)
    undoing.ask(here.code, "stark", version, play.new_key())
    stark = Audience(("stark",), "en", "table")
    before = html(table_of(here.code), stark)
    correct(there, "lannister", "baratheon", -2)
    assert html(table_of(here.code), stark) == before
