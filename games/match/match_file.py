"""Match files: a match leaves as open JSON and comes back as the same match (docs/exports.md).

    entries ──whole──▶ file ──import_match──▶ images replayed one by one ──▶ rows and log of a new match

The file holds the log with the images of every action, the position that they lead to, and a checksum. It is
accepted only if the images replay to that position. An imported match has a new code and no seats, so it can
only be read; `manage.py import` of a file of everything brings matches that can be played on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.db.models import QuerySet
from pydantic import ValidationError as FormError

from games import core
from games.core import (
    ABSENT,
    KINDS,
    Image,
    RequestRefused,
    State,
    System,
    apply,
    beginning,
    canonical,
    in_order,
    is_clean,
    say,
    system,
)
from games.core import gettext_noop as _
from games.history import commits
from games.history.commits import CODE, SEALED, fresh_code
from games.history.file_form import FORMAT, FORMAT_VERSION, Form, MatchForm, stored_as, texts, time_of
from games.match import storage
from games.match.play import match_of
from games.match.undoing import UNDOABLE_KINDS
from games.models import Army, Entry, Match, Round, Seat
from games.web import in_turn, one_moment

VIEW_FORMAT = "roundtable-view"
"""The format of what one reader may see of a match in play; it cannot be imported."""

Data = dict[str, Any]

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
        **_about(match),
        "seed": match.seed,
        "position": _masked(state, kept),
        "entries": list(_entries(list(commits.entries_of(match)), kept)),
    }


def _own_view(match: Match, seat: str | None) -> dict[str, Any]:
    entries = list(commits.entries_of(match))
    revealed = commits.opened(entries)
    return {
        "format": VIEW_FORMAT,
        **_about(match),
        "seat": seat,
        "position": core.view(storage.load(match).state, seat).to_json(),
        "entries": [_seen(entry, seat, revealed) for entry in entries],
    }


def _about(match: Match) -> Data:
    return {
        "format_version": FORMAT_VERSION,
        "code": match.code,
        "system": match.system,
        "mode": match.mode,
        "version": match.version,
        "opened_at": match.created_at.isoformat(),
        "finished_at": match.finished_at and match.finished_at.isoformat(),
        "commitment": core.commitment(match.seed),
        "chain": match.chain,
    }


def checksum(file: dict[str, Any]) -> str:
    """SHA-256 (hexadecimal) of a whole file without `checksum` and `code`, which an import changes."""
    content = {name: value for name, value in file.items() if name not in ("code", "checksum")}
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def _entries(entries: list[Entry], kept: Kept) -> Iterator[dict[str, Any]]:
    """The entries, with values that are still secret masked in each image; revealed ones are in all."""
    revealed = commits.opened(entries)
    standing: dict[str, int] = {}
    for entry in entries:
        before = {place for place, version in standing.items() if (version, place) in revealed}
        after = {place for version, place in revealed if version == entry.version}
        open_paths = {"before": before, "after": after}
        sealed = {seat: _without_kept(part, kept, open_paths) for seat, part in entry.sealed.items()}
        yield {**_open(entry), "sealed": sealed, "draws": entry.draws}
        for part in entry.sealed.values():
            standing |= dict.fromkeys(commits.values(part), entry.version)


def _open(entry: Entry) -> dict[str, Any]:
    return {**commits.public_content(entry), "commitments": entry.commitments, "hash": entry.hash}


def _seen(entry: Entry, seat: str | None, revealed: Revealed) -> dict[str, Any]:
    """An entry as a seat reads it; draws that belong to another seat's secret are left out.

    `revealed` opens every commitment that a later entry revealed, even one to "no value".
    """
    own = {key: part for key, part in entry.sealed.items() if key == seat}
    draws = entry.draws if own == entry.sealed else []
    answers = {
        place: {"salt": part["salts"][place], "value": value}
        for part in entry.sealed.values()
        for place, value in commits.values(part).items()
        if (entry.version, place) in revealed and place in part.get("salts", {})
    }
    return {**_open(entry), "sealed": own, "draws": draws, "revealed": answers}


def still_hidden(state: State) -> Kept:
    """What every seat keeps hidden at this position."""
    return {(key, name) for key, army in state.armies.items() for name in army.hidden}


def _without_kept(part: dict[str, Any], kept: Kept, open_paths: Mapping[str, set[str]]) -> dict[str, Any]:
    """A sealed part as it is; if a seat still hides one of its values, only its images, masked.

    `open_paths` are, for "before" and "after", the paths whose values were revealed.
    """
    images: dict[str, Any] = {
        name: _masked_image(part[name], kept, open_paths[name])
        for name in ("before", "after")
        if name in part
    }
    if all(part[name] == image for name, image in images.items()):
        return part
    # A salt is exported only with its value: with the salt alone, anybody could guess the value.
    salts = {
        path: part["salts"][path]
        for path, value in commits.values(images).items()
        if value == commits.values(part)[path] and path in part.get("salts", {})
    }
    return {**images, "salts": salts}


def _masked_image(image: Image, kept: Kept, open_paths: set[str]) -> Image:
    masked = dict(image)
    for path, value in image.items():
        if path in open_paths:
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


# --- importing -------------------------------------------------------------------------------------


def import_match(
    file: Data, look: Callable[[Match], object], *, to_play_on: bool = False, opened_from: str = ""
) -> tuple[Match, bool]:
    """The match of a file, and whether it was imported before; `RequestRefused` (422) writes nothing.

    The new match gets a new code and no seats, and is not listed. With `to_play_on` it keeps its code if that
    is free here, and gets free seats, whose links an organiser can hand out. `look` renders it as its pages
    will; if that raises anything, the file is refused. `opened_from` is a hash of a stranger's address.
    """
    _check_form(file)
    if imported := _imported(file):
        return imported, True
    state = _replayed(file)
    try:
        with transaction.atomic():
            in_turn(f"import {file['checksum']}")
            if imported := _imported(file):  # Somebody imported the same file at the same moment.
                return imported, True
            match = _written(file, state, opened_from)
            if to_play_on:
                _make_playable(match, file["code"])
            match.refresh_from_db()
            look(match)
    except OperationalError:
        raise
    except Exception as broken:
        raise _refused(_("This match’s data is inconsistent.")) from broken
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
    if not all(map(is_clean, set(texts(file)))):
        raise _refused(_("This export contains characters that no device can show."))
    if file["checksum"] != checksum(file):
        raise _refused(_("This export was changed: its checksum does not match."))


# --- replaying -----------------------------------------------------------------------------------


def _replayed(file: Data) -> State:
    """The position that the images lead to, each applied to the result of the one before."""
    game = _game(file)
    if file["commitment"] != core.commitment(file["seed"]):
        raise _refused(_("This export was changed: its seed does not match the fingerprint."))
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
    return commits.is_dated(time_of(file["opened_at"]), finished_at, moments)


def _check_chain(file: Data) -> None:
    first = beginning(file["system"], file["commitment"])
    for fault in commits.faults_of(map(_link, file["entries"]), first, file["chain"], file["seed"]):
        raise _refused(
            _("This export was changed: entry %(version)s does not match its fingerprint."),
            version=fault.version,
        )


def _link(entry: Data) -> commits.ChainLink:
    content = {name: value for name, value in entry.items() if name not in _APART}
    content["at"] = time_of(entry["at"]).astimezone(UTC).isoformat()
    return commits.ChainLink(content, *(entry[name] for name in _APART))


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
        _require(core.draw(file["seed"], counter, outcomes) == value)
    if (target := entry["undoes"]) is not None:
        _require(0 < target < version and target not in undone)
        _require(entry["kind"] == Entry.Kind.UNDO and file["entries"][target - 1]["kind"] in UNDOABLE_KINDS)
        undone.add(target)
    return state


def _fitting(state: State, entry: Data, *, is_opening: bool) -> Image:
    """What an entry sets, if both its images fit the position before it."""
    before, after = (_full(entry, name) for name in ("before", "after"))
    _require(before.keys() == (set() if is_opening else after.keys()))
    _require(before.keys() == entry["before"].keys() and after.keys() == entry["after"].keys())
    _require(all(commits.value_at(state, path) == value for path, value in before.items()))
    # What was sealed and revealed at once never stood.
    _require(all(before.get(path, value) == value for path, value in entry["opens"].items()))
    _require(all(fits(type(state), path, value) for path, value in after.items()))
    return after


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError("an image that does not fit")


# --- images from outside ---------------------------------------------------------------------------

_FIXED = frozenset({"system", "seed", *KINDS.values()})
"""Fields of a position that no action changes as a whole."""

_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

LARGEST, MOST_ROUNDS = 999_999, 999
"""The largest number that an organiser can type, and the most rounds: pages count up to some of them."""


def _full(entry: dict[str, Any], name: str) -> Image:
    """The whole image ("before" or "after") of an action in a file, with what is sealed put back."""
    image = dict(entry[name])
    for part in entry["sealed"].values():
        image |= part.get(name, {})
    return image


def fits(position: type[State], path: str, value: Any) -> bool:
    """Whether a plain value fits at a path of such a position."""
    kind, _slash, rest = path.partition("/")
    if not _is_small(value, MOST_ROUNDS if path == "round" else LARGEST):
        return False
    if not rest:
        return kind not in _FIXED and stored_as(value, position.type_of(kind))
    key, _slash, name = rest.partition("/")
    if _KEY.fullmatch(key) is None:
        return False
    if not name:
        return value is None or _fits_piece(position, kind, key, value)
    if name.startswith("hidden/"):
        return kind == "army"
    return name != "key" and _fits_field(position, kind, name, value)


def _is_small(value: Any, most: int) -> bool:
    """Whether all numbers in a value are within bounds: a huge one would take all memory once it is shown."""
    if isinstance(value, int | float):
        return -most <= value <= most
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(_is_small(part, most) for part in inner)


def _fits_piece(position: type[State], kind: str, key: str, piece: Any) -> bool:
    if not isinstance(piece, dict) or piece.get("key") != key:
        return False
    return all(_fits_field(position, kind, name, value) for name, value in piece.items())


def _fits_field(position: type[State], kind: str, name: str, value: Any) -> bool:
    if not stored_as(value, position.piece_type(kind).type_of(name)):
        return False
    column = storage.COLUMNS[kind].get(name, "extra")
    row: Any = storage.ROWS[kind]
    if column == "extra" or column in storage.REFERENCES:
        return True
    try:
        row._meta.get_field(column).run_validators(value)
    except ValidationError:
        return False
    return True


# --- writing -------------------------------------------------------------------------------------


def _written(file: Data, state: State, opened_from: str) -> Match:
    match = Match(
        code=fresh_code(Match),
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
    if CODE.fullmatch(code) and not Match.objects.filter(code=code).exists():
        Match.objects.filter(pk=match.pk).update(code=code)


BATCH = 100
"""Rows per statement."""

COPIED = (*Entry.PUBLIC, "sealed", "draws", "commitments", "hash")
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


# --- how its table is shown: not part of its history, but it goes with it to another server ---------


class TableForm(Form):
    """How much later watchers see a match, and what kind of table it is (`games.models.Match`)."""

    watch_delay: Literal[0, 5, 15, -1]
    is_listed: bool
    is_demo: bool
    is_practice: bool
    is_guided: bool


def shown(match: Match) -> dict[str, Any]:
    """How a match's table is shown."""
    return {name: getattr(match, name) for name in TableForm.model_fields}


def show(match: Match, shown: object) -> None:
    """Show an imported match as it was shown on its old server; ValueError for anything impossible.

    While it goes on it is not listed among the live tables: its free seats are for those who get their links.
    """
    fields = TableForm.model_validate(shown).model_dump()
    fields["is_listed"] = fields["is_listed"] and match.result is not None
    Match.objects.filter(pk=match.pk).update(**fields)
