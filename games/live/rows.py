"""What the rows say about matches with listeners: versions, seats, guests."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from django.db import close_old_connections, connection

from games.hall import rooms
from games.models import Match, SeatRequest
from games.web import clock, program


class Known(NamedTuple):
    """One match by its rows: its version, the epoch of each seat, and a mark of each request for a seat."""

    version: int = 0
    epochs: dict[str, int] = {}
    guests: frozenset[tuple[object, ...]] = frozenset()


def look(codes: Collection[str]) -> dict[str, Known]:
    """A regular look at PostgreSQL: at its clock, at whether a backup was restored, and at these rows."""
    close_old_connections()
    agree_on_the_time()
    program.look_at_data()
    return read_rows(codes)


def read_rows(codes: Collection[str]) -> dict[str, Known]:
    """What the rows say about these matches and rooms of events; one that is missing no longer exists."""
    versions: dict[str, int] = {}
    epochs: defaultdict[str, dict[str, int]] = defaultdict(dict)
    guests: defaultdict[str, set[tuple[object, ...]]] = defaultdict(set)
    found = Match.objects.filter(code__in=codes).order_by()
    for code, version, seat, epoch in found.values_list("code", "version", "seats__key", "seats__epoch"):
        versions[code] = version
        epochs[code][seat] = epoch
    asking = SeatRequest.objects.filter(seat__match__code__in=codes).order_by()
    for code, *mark in asking.values_list(
        "seat__match__code", "pk", "created_at", "granted_at", "declined_at"
    ):
        guests[code].add(tuple(mark))
    matches = {
        code: Known(version, epochs[code], frozenset(guests[code])) for code, version in versions.items()
    }
    events = rooms.read_rooms([code for code in codes if rooms.is_room(code)])
    return matches | {room: Known(version, held) for room, (version, held) in events.items()}


def notify(channel: str, payload: str) -> None:
    """Tell the other processes something."""
    close_old_connections()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, payload])


def agree_on_the_time() -> None:
    """Ask PostgreSQL for the time, for everything that is compared by the common clock."""
    asked = time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        clock.agree(cursor.fetchone()[0], asked)
