"""Import: a file becomes a match if its images replay to the position that it states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import QuerySet
from pydantic import ValidationError as FormError

from games.core import chance, validation
from games.core.chance import beginning
from games.core.diff import Image, apply, in_order
from games.core.state import State
from games.core.system import System, system
from games.core.words import gettext_noop as _
from games.core.words import say
from games.history import logbook as chain
from games.history.file_form import MatchForm, time_of
from games.history.verdict import RequestRefused
from games.match import codes, storage
from games.match.exchange import images
from games.match.exchange.exporting import VIEW_FORMAT, checksum
from games.match.undoing import UNDOABLE_KINDS
from games.models import Army, Entry, Match, Round, Seat
from games.web.database import in_turn

Data = dict[str, Any]


def import_match(
    file: Data, look: Callable[[Match], object], *, to_play_on: bool = False, opened_from: str = ""
) -> tuple[Match, bool]:
    """The match of a file, and whether it was imported before; `RequestRefused` (422) writes nothing.

    The new match gets a new code and no seats, and is not listed. With `to_play_on` it keeps its code if that
    is free here, and gets free seats, whose links an organiser can hand out. `look` renders it as its pages
    will; if that raises anything, the file is refused. `opened_from` is a hash of a stranger's address.
    """
    _check_form(file)
    if known := _imported(file):
        return known, True
    state = _replayed(file)
    try:
        with transaction.atomic():
            in_turn(f"import {file['checksum']}")
            if known := _imported(file):  # Somebody imported the same file at the same moment.
                return known, True
            match = _written(file, state, opened_from)
            if to_play_on:
                _make_playable(match, file["code"])
            match.refresh_from_db()
            look(match)
    except OperationalError:
        raise
    except Exception as broken:
        raise _refused(_("This match does not hold together.")) from broken
    return match, False


def openings() -> QuerySet[Entry]:
    """The first entries of matches that came as a file, whose checksum stands where a request's would."""
    return Entry.objects.filter(kind=Entry.Kind.OPEN, key="").exclude(payload="")


def _imported(file: Data) -> Match | None:
    opening = openings().filter(payload=file["checksum"]).select_related("match")
    return next((entry.match for entry in opening), None)


_BROKEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What applying an image raises if it does not fit the position."""


def _check_form(file: Data) -> None:
    if file.get("format") == VIEW_FORMAT:
        raise _refused(_("This is one reader's view of a match. Only a whole match can be imported."))
    try:
        MatchForm.model_validate(file)
    except FormError as error:
        field = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise _refused(_("This is not the export of a match: see %(field)s."), field=field) from error
    # Most texts of a long match occur many times.
    if not all(map(validation.is_clean, set(texts(file)))):
        raise _refused(_("This export holds characters that no phone can show."))
    if file["checksum"] != checksum(file):
        raise _refused(_("This export was changed: its checksum does not match."))


def texts(value: Any) -> Iterator[str]:
    """Every text of a file, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


# --- replaying -----------------------------------------------------------------------------------


def _replayed(file: Data) -> State:
    """The position that the images lead to, each applied to the result of the one before."""
    game = _game(file)
    if file["commitment"] != chance.commitment(file["seed"]):
        raise _refused(_("This export was changed: its seed is not the one that was promised."))
    state = game.state(system=file["system"], mode=file["mode"], seed=file["seed"])
    stated = _stated(game, file["position"])
    _check_chain(file)
    undone: set[int] = set()
    for version, entry in enumerate(file["entries"], 1):
        try:
            state = _next(state, file, entry, version, undone)
        except _BROKEN as broken:
            raise _broken_at(version) from broken
    _check_end(file, state, stated)
    return state


def _check_end(file: Data, state: State, stated: Data) -> None:
    """Refuse a file whose entries lead elsewhere than it states."""
    led_to = (len(file["entries"]), state.mode, state.to_json())
    if led_to != (file["version"], file["mode"], stated):
        raise _refused(_("This export was changed: its history does not lead to its position."))
    if (state.result is None) != (file["finished_at"] is None):
        raise _refused(_("This export was changed: it ends without a result, or has one without an end."))
    if not _is_dated(file):
        raise _refused(_("This export was changed: its times are not those of its entries."))


def _is_dated(file: Data) -> bool:
    finished_at = file["finished_at"] and time_of(file["finished_at"])
    moments = ((time_of(entry["at"]), entry["after"]) for entry in file["entries"])
    return chain.is_dated(time_of(file["opened_at"]), finished_at, moments)


def _check_chain(file: Data) -> None:
    first = beginning(file["system"], file["commitment"])
    for fault in chain.faults_of(map(_link, file["entries"]), first, file["chain"], file["seed"]):
        raise _refused(
            _("This export was changed: entry %(version)s does not match its fingerprint."),
            version=fault.version,
        )


def _link(entry: Data) -> chain.ChainLink:
    content = {name: value for name, value in entry.items() if name not in _APART}
    content["at"] = time_of(entry["at"]).astimezone(UTC).isoformat()
    return chain.ChainLink(content, *(entry[name] for name in _APART))


_APART = ("sealed", "draws", "commitments", "hash")
"""Parts of an entry beside its public content."""


def _game(file: Data) -> System:
    try:
        game = system(file["system"])
        game.mode(file["mode"])
    except KeyError:
        raise _refused(_("This server knows no such game.")) from None
    return game


def _stated(game: System, position: Data) -> Data:
    """The position that a file states, with every field."""
    try:
        return game.state.from_json(position).to_json()
    except _BROKEN as broken:
        raise _refused(_("This export was changed: its history does not lead to its position.")) from broken


def _next(state: State, file: Data, entry: Data, version: int, undone: set[int]) -> State:
    """The position after an entry that follows from the one before; raises one of `_BROKEN` otherwise."""
    is_opening = version == 1
    _require(entry["version"] == version and (entry["kind"] == Entry.Kind.OPEN) == is_opening)
    game = system(file["system"])
    state = apply(state, in_order(_fitting(state, entry, is_opening=is_opening), tuple(game.seat_names)))
    game.mode(state.mode)
    _require({entry["seat"], *entry["sealed"]} <= {"", *state.armies})
    for counter, outcomes, value in entry["draws"]:
        _require(chance.draw(file["seed"], counter, outcomes) == value)
    if (target := entry["undoes"]) is not None:
        _require(0 < target < version and target not in undone)
        _require(entry["kind"] == Entry.Kind.UNDO and file["entries"][target - 1]["kind"] in UNDOABLE_KINDS)
        undone.add(target)
    return state


def _fitting(state: State, entry: Data, *, is_opening: bool) -> Image:
    """What an entry sets, if both its images fit the position before it."""
    before, after = (images.full(entry, name) for name in ("before", "after"))
    _require(before.keys() == (set() if is_opening else after.keys()))
    _require(before.keys() == entry["before"].keys() and after.keys() == entry["after"].keys())
    _require(all(images.standing(state, path) == value for path, value in before.items()))
    # What was sealed and revealed at once never stood.
    _require(all(before.get(path, value) == value for path, value in entry["opens"].items()))
    _require(all(images.fits(type(state), path, value) for path, value in after.items()))
    return after


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError("an image that does not fit")


# --- writing -------------------------------------------------------------------------------------


def _written(file: Data, state: State, opened_from: str) -> Match:
    match = Match(
        code=codes.fresh_code(),
        system=file["system"],
        mode=file["mode"],
        is_listed=False,
        opened_from=opened_from,
        version=file["version"],
        since=max(entry["version"] for entry in file["entries"] if "asked" in entry["after"]),
        seed=file["seed"],
        chain=file["chain"],
        finished_at=time_of(file["finished_at"]) if file["finished_at"] else None,
    )
    match.save()
    storage.create(match, state)
    _date_rounds(match, file)
    _write_entries(match, file)
    match.save()
    Match.objects.filter(pk=match.pk).update(created_at=time_of(file["opened_at"]))
    return match


def _date_rounds(match: Match, file: Data) -> None:
    """Date each round by the entry that began it."""
    for entry in file["entries"]:
        for path, value in entry["after"].items():
            kind, _slash, number = path.partition("/")
            if kind == "round" and number.isdigit() and value is not None:
                Round.objects.filter(match=match, number=number).update(begun_at=time_of(entry["at"]))


def _make_playable(match: Match, code: str) -> None:
    for army in Army.objects.filter(match=match):
        Seat.objects.create(match=match, army=army, key=army.key)
    if codes.CODE.fullmatch(code) and not Match.objects.filter(code=code).exists():
        Match.objects.filter(pk=match.pk).update(code=code)


BATCH = 100
"""Rows per statement."""

_PUBLIC = ("version", "kind", "seat", "author", "step", "round", "path", "action", "note", "lines")
COPIED = (*_PUBLIC, "before", "after", "sealed", "draws", "is_final", "opens", "commitments", "hash")
"""Fields of an entry that are the same in the file and in the row."""


def _write_entries(match: Match, file: Data) -> None:
    rows = [_row(match, entry) for entry in file["entries"]]
    rows[0].payload = file["checksum"]
    Entry.objects.bulk_create(rows, batch_size=BATCH)
    undoing = [entry for entry in file["entries"] if entry["undoes"]]
    for entry in undoing:
        rows[entry["version"] - 1].undoes = rows[entry["undoes"] - 1]
    Entry.objects.bulk_update([rows[entry["version"] - 1] for entry in undoing], ["undoes"], batch_size=BATCH)


def _row(match: Match, entry: Data) -> Entry:
    return Entry(match=match, created_at=time_of(entry["at"]), **{name: entry[name] for name in COPIED})


# --- refusals ------------------------------------------------------------------------------------


def _refused(sentence: str, **arguments: str | int) -> RequestRefused:
    return RequestRefused(say(sentence, **arguments), 422, "unreadable")


def _broken_at(version: int) -> RequestRefused:
    return _refused(
        _("This export was changed: entry %(version)s does not follow from the ones before."), version=version
    )
