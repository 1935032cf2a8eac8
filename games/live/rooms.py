"""The rooms of the live path that belong to an event, and the version of each.

"e-CODE" is the event: it changes with every action on it. "w-CODE" is the wall, for pages that show all
tables: it also changes with every tap at a table of the event. A match's room is named by its code alone,
which holds no hyphen.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Sum

from games.hall.models import Event, Helper, Player
from games.models import Match

EVENT, WALL = "e-", "w-"
STEP = 1_000_000
"""More than all taps at an event's tables: the wall's version grows with both, and never goes back."""


def is_room(name: str) -> bool:
    """Whether a room is an event's."""
    return name.startswith((EVENT, WALL))


def code_of(room: str) -> str:
    """The event whose room this is."""
    return room[len(EVENT) :]


def version(room: str, event: Event) -> int:
    if room.startswith(EVENT):
        return event.version
    played = Match.objects.filter(pairings__event=event).aggregate(sum=Sum("version"))["sum"] or 0
    return event.version * STEP + played


def read_rooms(names: Collection[str]) -> dict[str, tuple[int, dict[str, int]]]:
    """By room, its version and the epochs of all who hold a link; a missing room no longer exists."""
    rooms: dict[str, tuple[int, dict[str, int]]] = {}
    wanted = {code_of(name) for name in names}
    for event in Event.objects.filter(code__in=wanted).order_by() if wanted else ():
        epochs = {
            f"{letter}{pk}": epoch
            for letter, holders in (("p", Player), ("h", Helper))
            for pk, epoch in holders._default_manager.filter(event=event).values_list("pk", "epoch")
        }
        for room in (EVENT + event.code, WALL + event.code):
            if room in names:
                rooms[room] = (version(room, event), epochs)
    return rooms
