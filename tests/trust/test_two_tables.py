"""What is done at one table changes nothing at another: every look at it, and every answer there, stays.

The tables are as like as two can be (one game, the same names and seeds), so that a query that forgets whose
rows it asks for finds the other's.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.match import confirming, delay, kept, moments, play, replay, take_back
from games.models import Match, SeatRequest
from games.people import seats
from tests.trust.twins import (
    HOUSES,
    SEED,
    Transcript,
    a_world,
    differences,
    everywhere,
    is_robot,
    looks,
    others_than,
    take_backs,
    tap,
)

pytestmark = pytest.mark.django_db


def of_the_table(match: Match, role: str) -> list[str]:
    """The addresses that are about this table: lists of tables show the others, too."""
    return [path for path in everywhere(match, role) if match.code in path]


def correct(match: Match, seat: str, house: str, change: int) -> int:
    return play.adjust(match.code, seat, f"army/{house}", f"power:{house}:{change}", play.new_key()).version


def ask_for(match: Match, key: str, name: str) -> None:
    seat = match.seats.get(key=key)
    SeatRequest.objects.create(seat=seat, name=name, asker_hash=name, created_at=play.timezone.now())


def a_round(match: Match, bids: dict[str, int]) -> None:
    for seat, amount in bids.items():
        tap(match, seat, f"bid:throne:{amount}")


def little(match: Match) -> None:
    """The table that is looked at: a correction, a secret, a guest who asks."""
    correct(match, "lannister", "stark", -1)
    correct(match, "stark", "lannister", 1)
    tap(match, "stark", "bid:throne:2")
    ask_for(match, "baratheon", "Guest")


def much(match: Match) -> None:
    """What goes on elsewhere: more of everything, and some of it otherwise."""
    correct(match, "stark", "baratheon", -2)
    play.rename(match.code, "stark", "Robb")
    a_round(match, {"stark": 1, "lannister": 0, "baratheon": 2})
    version = correct(match, "lannister", "lannister", 1)
    take_back.ask(match.code, "stark", version, play.new_key())
    delay.choose(match.code, "stark", 15)
    seats.occupy(match, "baratheon")
    for key in ("stark", "lannister"):
        ask_for(match, key, f"Stranger at {key}")


def known(match: Match) -> Iterator[tuple[str, str, object]]:
    """What the modules that pages are made of say of a table."""
    match.refresh_from_db()
    state = play.loaded(match).state
    asked = {
        "standing": [entry.version for entry in take_back.standing(match)],
        "newest": getattr(take_back.newest(match), "version", None),
        "outline": moments.outline(match),
        "replayed": replay.final_position(match),
        "confirmed": confirming.confirmed(match, state),
        "shown": (delay.is_late(match.code), delay.shown_version(match)),
        "asking": [one.name for one in seats.open_requests(match)],
        "blind": [one.key for one in seats.blind(match)],
        "sealed": [seats.has_sealed(one) for one in match.seats.order_by("pk")],
    }
    asked |= {f"at {version}": moments.position(match, version) for version in range(1, match.version + 1)}
    yield from (("module", name, answer) for name, answer in asked.items())


def everything(match: Match, phones: dict) -> Transcript:
    """All that can be asked of a table, and what becomes of it if any of its actions is taken back."""
    kept._commits.clear()
    moments._outline.cache_clear()
    return [*known(match), *looks(match, phones, of_the_table), *take_backs(match, phones, 2)]


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
