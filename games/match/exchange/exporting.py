"""Export: a match as a file, whole or as one reader may see it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from games.core import chance, engine
from games.core.chance import canonical
from games.core.diff import ABSENT, Image
from games.core.state import State
from games.history import logbook as chain
from games.history.file_form import FORMAT, FORMAT_VERSION
from games.history.logbook import SEALED
from games.match import storage
from games.match.committing import match_of
from games.models import Entry, Match
from games.web.database import one_moment

VIEW_FORMAT = "roundtable-view"
"""The format of what one reader may see of a match in play; it cannot be imported."""

Kept = set[tuple[str, str]]
"""Seats and the names of what they still keep hidden."""

Revealed = set[tuple[int, str]]
"""Answers that were opened, by the version that sealed them and their path."""


def whole(match: Match, *, with_secrets: bool = False) -> dict[str, Any]:
    """Everything about a match, ready to import; `RequestRefused` (404) if it no longer exists.

    What a seat still keeps hidden stays sealed (its values and the actions that set them), unless
    `with_secrets` asks for it: for the organiser's own copy of the server.
    """
    with one_moment():
        file = _whole(match_of(match.code), with_secrets=with_secrets)
    return {**file, "checksum": checksum(file)}


def own_view(match: Match, seat: str | None) -> dict[str, Any]:
    """What a seat (None: a spectator) may know of a match: its position, and the log as it reads it."""
    with one_moment():
        return _own_view(match_of(match.code), seat)


def export(match: Match, seat: str | None) -> dict[str, Any]:
    """The whole match once it is over; before that, what a seat (None: a spectator) may know of it."""
    with one_moment():
        match = match_of(match.code)
        return whole(match) if match.result is not None else own_view(match, seat)


def _whole(match: Match, *, with_secrets: bool) -> dict[str, Any]:
    state = storage.load(match).state
    kept = set() if with_secrets else still_hidden(state)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "code": match.code,
        "system": match.system,
        "mode": match.mode,
        "version": match.version,
        "opened_at": _time(match.created_at),
        "finished_at": _time(match.finished_at),
        "commitment": chance.commitment(match.seed),
        "seed": match.seed,
        "chain": match.chain,
        "position": _masked(state, kept),
        "entries": list(_entries(list(chain.entries_of(match)), kept)),
    }


def _own_view(match: Match, seat: str | None) -> dict[str, Any]:
    entries = list(chain.entries_of(match))
    revealed = chain.opened(entries)
    return {
        "format": VIEW_FORMAT,
        "format_version": FORMAT_VERSION,
        "code": match.code,
        "system": match.system,
        "mode": match.mode,
        "version": match.version,
        "seat": seat,
        "opened_at": _time(match.created_at),
        "finished_at": _time(match.finished_at),
        "commitment": chance.commitment(match.seed),
        "chain": match.chain,
        "position": engine.view(storage.load(match).state, seat).to_json(),
        "entries": [_seen(entry, seat, revealed) for entry in entries],
    }


def checksum(file: dict[str, Any]) -> str:
    """SHA-256 (hexadecimal) of a whole file without `checksum` and `code`, which an import changes."""
    content = {name: value for name, value in file.items() if name not in ("code", "checksum")}
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def _entries(entries: list[Entry], kept: Kept) -> Iterator[dict[str, Any]]:
    """The entries, with values that are still secret masked in each image; revealed ones are in all."""
    revealed = chain.opened(entries)
    standing: dict[str, int] = {}
    for entry in entries:
        before = {place for place, version in standing.items() if (version, place) in revealed}
        after = {place for version, place in revealed if version == entry.version}
        known = {"before": before, "after": after}
        sealed = {seat: _without_kept(part, kept, known) for seat, part in entry.sealed.items()}
        yield {**_open(entry), "sealed": sealed, "draws": entry.draws}
        for part in entry.sealed.values():
            standing |= dict.fromkeys(chain.values(part), entry.version)


def _open(entry: Entry) -> dict[str, Any]:
    return {**chain.public_content(entry), "commitments": entry.commitments, "hash": entry.hash}


def _seen(entry: Entry, seat: str | None, revealed: Revealed) -> dict[str, Any]:
    """An entry as a seat reads it; draws that belong to another seat's secret are left out.

    `revealed` opens every commitment that a later entry revealed, even one to "no value".
    """
    own = {key: part for key, part in entry.sealed.items() if key == seat}
    draws = entry.draws if own == entry.sealed else []
    known = {
        place: {"salt": part["salts"][place], "value": value}
        for part in entry.sealed.values()
        for place, value in chain.values(part).items()
        if (entry.version, place) in revealed and place in part.get("salts", {})
    }
    return {**_open(entry), "sealed": own, "draws": draws, "revealed": known}


def still_hidden(state: State) -> Kept:
    """What every seat keeps hidden at this position."""
    return {(key, name) for key, army in state.armies.items() for name in army.hidden}


def _without_kept(part: dict[str, Any], kept: Kept, known: Mapping[str, set[str]]) -> dict[str, Any]:
    """A sealed part as it is; if a seat still hides one of its values, only its images, masked.

    `known` are, for "before" and "after", the paths whose values were revealed.
    """
    images: dict[str, Any] = {
        name: _masked_image(part[name], kept, known[name]) for name in ("before", "after") if name in part
    }
    if all(part[name] == image for name, image in images.items()):
        return part
    # A salt is exported only with its value: with the salt alone, anybody could guess the value.
    salts = {
        path: part["salts"][path]
        for path, value in chain.values(images).items()
        if value == chain.values(part)[path] and path in part.get("salts", {})
    }
    return {**images, "salts": salts}


def _masked_image(image: Image, kept: Kept, known: set[str]) -> Image:
    masked = dict(image)
    for path, value in image.items():
        if path in known:
            continue
        _kind, seat, *rest = path.split("/")
        if not rest and value is not None:
            masked[path] = {**value, "hidden": _masked_values(seat, value["hidden"], kept)}
        elif rest and value != ABSENT:
            masked[path] = _masked_values(seat, {rest[1]: value}, kept)[rest[1]]
    return masked


def _masked_values(seat: str, hidden: dict[str, Any], kept: Kept) -> dict[str, Any]:
    return {name: SEALED if (seat, name) in kept else value for name, value in hidden.items()}


def _masked(state: State, kept: Kept) -> dict[str, Any]:
    shown = state.copy()
    for key, army in shown.armies.items():
        army.hidden = _masked_values(key, army.hidden, kept)
    return shown.to_json()


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
