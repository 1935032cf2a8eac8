"""The log of an event: every action is one entry, which is never changed and is tied to the one before it.

Nothing in it is secret: an army list appears only as a salted fingerprint, so anybody may read all of it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.db.models import QuerySet

from games import prepared
from games.core import chance
from games.core.diff import Image, apply, joined
from games.core.words import Line
from games.hall.models import Event, EventEntry
from games.hall.rules.event_state import Gathering
from games.history.logbook import ChainLink, Fault, faults_of, link_hash
from games.match.exchange.images import standing
from games.web import clock

UNDO, SETTLE = "undo", "settle"
"""The actions that take something back, and take over what the tables say."""


@dataclass(frozen=True)
class Command:
    """What the log keeps as well as the images: the action, who does it, and the key of a repeated tap.

    `by` is the player's key or "helper-3"; "" is an organiser in the admin.
    """

    action: str
    by: str = ""
    author: str = ""
    note: str = ""
    key: str = ""
    payload: str = ""
    undoes: EventEntry | None = None


def write(event: Event, after: Gathering, command: Command, old: Image, new: Image) -> EventEntry:
    """Write a command's entry. The event's row gets the entry's fingerprint; the caller saves that row."""
    entry = EventEntry(
        event=event,
        version=event.version,
        action=command.action,
        by=command.by,
        author=command.author,
        note=command.note,
        lines=[line.to_json() for line in after.lines],
        before=_public(old),
        after=_public(new),
        draws=[[draw.counter, draw.outcomes, draw.value] for draw in after.draws],
        undoes=command.undoes,
        key=command.key,
        payload=fingerprint(event, command.payload) if command.key else "",
        created_at=clock.now(),
    )
    event.chain = entry.hash = link_hash(event.chain or beginning(event), _link(entry))
    prepared.insert(entry)
    return entry


def fingerprint(event: Event, payload: str) -> str:
    """A keyed hash of a request, to tell whether a repeated key asks for the same."""
    return hmac.new(event.seed.encode(), payload.encode(), hashlib.sha256).hexdigest()


def hashed_content(entry: EventEntry) -> dict[str, Any]:
    """What an entry's fingerprint covers."""
    return {
        "version": entry.version,
        "action": entry.action,
        "by": entry.by,
        "author": entry.author,
        "note": entry.note,
        "lines": entry.lines,
        "before": entry.before,
        "after": entry.after,
        "undoes": entry.undoes.version if entry.undoes else None,
        "at": entry.created_at.astimezone(UTC).isoformat(),
    }


def beginning(event: Event) -> str:
    """The fingerprint that an event's first entry follows."""
    return chance.beginning(event.code, chance.commitment(event.seed))


def entries_of(event: Event) -> QuerySet[EventEntry]:
    """The entries of an event, in order."""
    return EventEntry.objects.filter(event=event).select_related("undoes").order_by("version")


def faults(event: Event, entries: Iterable[EventEntry] | None = None) -> list[Fault]:
    """Every entry of an event that does not fit its chain."""
    links = map(_link, entries_of(event) if entries is None else entries)
    return list(faults_of(links, beginning(event), event.chain, event.seed))


def replayed(event: Event, entries: Iterable[EventEntry]) -> Gathering:
    """The position that the images of an event's entries lead to."""
    state = apply(Gathering(), joined(reversed([entry.after for entry in entries])))
    state.seed = event.seed
    return state


def misfits(event: Event) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    state = Gathering(seed=event.seed)
    for entry in entries_of(event).iterator():
        if any(standing(state, path) != value for path, value in entry.before.items()):
            yield entry.version
        state = apply(state, entry.after)


def lines_of(entry: EventEntry) -> list[Line]:
    """The sentences of an entry."""
    return [Line.from_json(stored) for stored in entry.lines]


def _link(entry: EventEntry) -> ChainLink:
    return ChainLink(hashed_content(entry), {}, entry.draws, {}, entry.hash)


def _public(image: Image) -> Image:
    """An image without the seed, which stays with the server: it would tell what is drawn next."""
    return {path: value for path, value in image.items() if path != "seed"}
