"""The rows of a match ⇄ its position: the only module that knows both.

`load` reads the rows of a match as a position; `save` writes back only what an image says has changed. Fields
that the core does not know live in the row's `extra`, typed by the system's dataclass.

A process keeps the positions of its own last commits: the next tap need not read the pieces again. Each
belongs to the version and the log's fingerprint in the match's row, which every action reads under its lock.

Its log stands here too: what an entry says beside its images, and what of it is sealed. A position that is
read is compared with the log before anybody acts on it: each hidden value with its newest commitment, the
seed with the fingerprint that the first entry follows. If something differs, nobody may act until somebody
decides (`play.restore_secrets`). From the images alone comes the match at any of its versions, without the
rules: from the nearer end, the current rows or the opening.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial, reduce
from operator import or_
from typing import Any, NamedTuple, TypedDict

from django.db import models
from django.db.models import Case, Q, TextField, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from games import core
from games.core import (
    ABSENT,
    KINDS,
    NONE,
    Clock,
    Image,
    Line,
    RequestRefused,
    State,
    Thought,
    Timed,
    apply,
    clocks,
    diff,
    in_order,
    is_final,
    is_piece,
    joined,
    name_of,
    plain,
    say,
    system,
)
from games.core import gettext_noop as _
from games.history import commits
from games.history.position_rows import Ids, Kept, Rows, set_columns
from games.models import Army, Entry, Match, Objective, Round, Score, Unit
from games.web import clock as common_clock

ROWS: dict[str, type[models.Model]] = {
    "army": Army,
    "unit": Unit,
    "objective": Objective,
    "round": Round,
    "score": Score,
}

COLUMNS: dict[str, dict[str, str]] = {
    "army": {"key": "key", "name": "name", "faction": "faction", "ready": "ready", "hidden": "hidden"},
    "unit": {
        "key": "key",
        "army": "army_id",
        "name": "name",
        "kind": "kind",
        "order": "order",
        "cost": "cost",
        "place": "place",
        "activated": "activated",
        "wounds": "wounds",
    },
    "objective": {
        "key": "key",
        "name": "name",
        "kind": "kind",
        "claimed_by": "claimed_by_id",
        "override": "override_id",
    },
    "round": {"number": "number", "first": "first_id"},
    "score": {
        "number": "number",
        "round": "round",
        "seat": "army_id",
        "points": "points",
        "reason": "reason",
        "source": "source",
        "author": "author",
    },
}
"""By kind of piece: the piece's field → the row's column."""

REFERENCES = {"army_id": "army", "first_id": "army", "override_id": "army", "claimed_by_id": "unit"}
"""Columns that hold a row's primary key where the piece holds a piece's key → the kind of that row."""

PIECES = Rows("match_id", ROWS, COLUMNS, REFERENCES, by_number=("round", "score"))

MATCH_COLUMNS = ("mode", "rules", "round", "flow", "asked", "seed", "drawn", "result")
"""Fields of the position that are columns of the match."""

UNASKED = ("rules", "flow", "extra", "opened_from", "opening_hash", "created_at", "changed_at")
"""Columns of the match that are not needed by those that have its position."""


class Altered(TypedDict):
    """What was changed outside the game, as the match's row keeps it.

    `places` are those of hidden values ("army/red/hidden/bid"), and "seed"; `restorable` are those whose
    value the log still has; `agreed` are the seats that agree to go on with what is stored.
    """

    places: list[str]
    restorable: list[str]
    agreed: list[str]


@dataclass
class LoadedMatch:
    """A match's row and its position, with the primary keys needed to write it back."""

    match: Match
    state: State
    ids: Ids = field(default_factory=dict)
    altered: Altered | None = field(default=None, compare=False)
    """What of it is not what its log committed to, until somebody decides."""
    newest: Entry | None = field(default=None, compare=False, repr=False)
    """What the log says of the action that has just left it so."""
    drawn: dict[Any, str] = field(default_factory=dict, compare=False, repr=False)
    """What was rendered of this version, by what decides how it looks; kept here by the renderers."""


def load(match: Match) -> LoadedMatch:
    """The position that the rows of a match make up, in five queries."""
    return load_many([match])[0]


def load_many(matches: Iterable[Match]) -> list[LoadedMatch]:
    """The positions of several matches, in five queries for all of them."""
    loaded_matches = [_bare(match) for match in matches]
    PIECES.read({loaded.match.pk: (loaded.state, loaded.ids) for loaded in loaded_matches})
    return loaded_matches


def create(match: Match, state: State) -> Image:
    """Write a fresh position's rows; returns the image of everything."""
    blank = type(state)(system=state.system)
    _before, after = diff(blank, state)
    save(LoadedMatch(match, blank, {kind: {} for kind in KINDS}), state, after)
    return after


def save(loaded: LoadedMatch, state: State, after: Image) -> list[str]:
    """Write the rows whose values are in `after`; the match row's fields are set but not saved.

    Returns the columns of the match that were set: the caller saves it once, with its new version.
    """
    columns = set_columns(loaded.match, state, MATCH_COLUMNS, after)
    PIECES.write(loaded.match.pk, state, loaded.ids, after)
    loaded.state, loaded.drawn = state, {}
    return columns


# --- kept positions --------------------------------------------------------------------------------


class Commit(NamedTuple):
    """A commit of this process: its version and fingerprint, and the position that it left."""

    version: int
    chain: str
    state: State
    ids: Ids


COMMITS: Kept[Commit] = Kept(256)
"""Those of the tables tapped last, about a tenth of a megabyte each.

A match that was deleted and comes back as a file has the same code and the same log, but other rows.
"""


def keep(loaded: LoadedMatch) -> None:
    """Remember a position that was just committed; not one in which something secret was altered."""
    match = loaded.match
    if loaded.altered:
        return
    commit = Commit(match.version, match.chain, core.keep(loaded.state), loaded.ids)
    COMMITS.put((match.pk, match.code), (match.version, match.chain), commit)


def latest(match: Match) -> Commit | None:
    """The last commit that this process made to the match of a row; others may have come after it."""
    return COMMITS.latest((match.pk, match.code))


def recall(match: Match) -> LoadedMatch | None:
    """The match of a row as it was committed here; None if another commit, or none, is kept."""
    commit = COMMITS.find((match.pk, match.code), (match.version, match.chain))
    if commit is None or commit.state.seed != match.seed:
        return None
    # A position of its own that borrows every piece: an action copies those that it changes.
    state = commit.state.copy()
    state.entries = NONE
    return LoadedMatch(match, core.keep(state), {kind: dict(ids) for kind, ids in commit.ids.items()})


def current(match: Match) -> LoadedMatch:
    """The match of a row with its position, as the last commit left it."""
    return recall(match) or load(match)


def _bare(match: Match) -> LoadedMatch:
    """A match without any pieces yet."""
    if missing := match.get_deferred_fields():
        match.refresh_from_db(fields=missing)
    game = system(match.system)
    stored: dict[str, Any] = {name: getattr(match, name) for name in MATCH_COLUMNS}
    stored |= {"system": match.system, **match.extra}
    return LoadedMatch(match, game.state.from_json(stored))


@dataclass(frozen=True)
class Command:
    """What is written into the log as well as the images."""

    kind: Entry.Kind
    seat: str = ""
    author: str = ""
    path: str = ""
    action: str = ""
    note: str = ""
    key: str = ""
    payload: str = ""
    undoes: Entry | None = None
    undo_request: dict[str, Any] | None = None
    """Of an `UNDO`: the undo that the others are asked for from now on, if any."""


def write(match: Match, before: State, after: State, command: Command, old: Image, new: Image) -> Entry:
    """The entry of a command: its public part, and by seat what only that seat may read."""
    sealed = sealed_part(after, command, old, new)
    is_secret = "action" in sealed.get(command.seat, {})
    open_question = before.flow[-1] if before.flow else None
    entry: Entry = commits.write(
        match,
        after,
        command,
        old,
        new,
        kind=command.kind.value,
        seat=command.seat,
        step=open_question.step if open_question else "",
        round=before.round,
        path=command.path,
        action=command.action.partition(":")[0] if is_secret else command.action,
        sealed=commits.salted(sealed) if sealed else {},
        opens={f"army/{seat}/hidden/{key}": plain(value) for seat, key, value in after.opened},
        is_final=is_final(before, after),
    )
    return entry


def sealed_part(after: State, command: Command, old: Image, new: Image) -> dict[str, Any]:
    """By seat, what only it may read of an entry: hidden values, sentences, an action that hides a value."""
    sealed: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, image in (("before", old), ("after", new)):
        for path, value in image.items():
            if seat := commits.owner_of_secret(path, value):
                sealed[seat].setdefault(name, {})[path] = value
    for line in after.lines:
        if line.to is not None:
            sealed[line.to].setdefault("lines", []).append(line.to_json())
    if command.kind == Entry.Kind.TAP and command.seat in after.hid:
        sealed[command.seat]["action"] = command.action
    return dict(sealed)


def readable_lines(entry: Entry, seat: str | None) -> list[Line]:
    """The sentences of an entry for this reader; "Done in secret." if all are for another seat.

    An action that says nothing, such as one step back, has changed nothing that lies on the table.
    """
    unsaid = _("Done in secret.") if entry.sealed else _("Nothing changed on the table.")
    return commits.lines_for(entry, seat) or [Line(unsaid)]


def full_action(entry: Entry) -> str:
    """The action as it was tapped, sealed or not: for replay only."""
    return entry.sealed.get(entry.seat, {}).get("action", entry.action)


# --- thinking time ---------------------------------------------------------------------------------


def thought(match: Match, clock: Clock, until: Entry | None = None) -> Thought:
    """Everybody's thinking time by the log of a match, now or when an entry was made."""
    rows = Entry.objects.filter(match=match).order_by("version")
    rows = rows.filter(version__lte=until.version) if until else rows
    turn = KeyTextTransform(clock.turn, "before")
    rows = rows.annotate(turn=Case(When(kind=Entry.Kind.ADJUST, then=turn), output_field=TextField()))
    names = ("version", "created_at", "kind", "step", "seat", "action", "undoes__version", "turn")
    now = until.created_at if until else common_clock.now()
    timed = (_timed(match, clock, *row) for row in rows.values_list(*names))
    return clocks.thought(timed, clock, now.timestamp())


def _timed(
    match: Match,
    clock: Clock,
    version: int,
    at: datetime,
    kind: str,
    step: str,
    seat: str,
    action: str,
    undoes: int | None,
    turn: str | None,
) -> Timed:
    verb = action.partition(":")[0]
    passes = kind == Entry.Kind.ADJUST and (bool(turn) or verb in clock.passing)
    whose = (turn or _turn_at(match, clock, version)) if passes else seat
    return Timed(version, at.timestamp(), kind, step, whose, verb, undoes, passes)


def _turn_at(match: Match, clock: Clock, version: int) -> str:
    """Whose turn it was at a version that has not changed that: whose an earlier entry has made it."""
    turned = Entry.objects.filter(match=match, version__lt=version)
    turned = turned.annotate(turn=KeyTextTransform(clock.turn, "after")).filter(turn__isnull=False)
    return turned.order_by("-version").values_list("turn", flat=True).first() or ""


# --- whether secrets are what was committed to -----------------------------------------------------

SEED = "seed"
"""The place of the seed among those that were altered."""

ERROR = "altered"
HALTED = _("Something secret was changed outside the game. First decide at the table what counts.")


class Seal(NamedTuple):
    """A hidden value by the log; the commitment is None for a value that came with a whole army."""

    value: Any
    salt: str = ""
    commitment: str | None = None

    def fits(self, place: str, value: Any) -> bool:
        """Whether a value at this place is the one that was committed to."""
        if self.commitment is None:
            return bool(value == self.value)
        return core.secret_hash(self.salt, place, value) == self.commitment


NOTHING = Seal(ABSENT)

Seals = dict[str, Seal]


class Book(NamedTuple):
    """What the log of a match says about its secrets."""

    seals: Seals
    is_seed: bool
    """Whether the seed of the match's row is the one that chance was committed to."""

    def seal(self, place: str) -> Seal:
        """What the log says of a place."""
        return self.seals.get(place, NOTHING)


def check_secrets(loaded: LoadedMatch) -> None:
    """Note in `loaded.altered` what of a match read from its rows is not what its log committed to."""
    book, stands = book_of(loaded.match), hidden_values(loaded.state)
    places = sorted(book.seals.keys() | stands.keys())
    places = [place for place in places if not book.seal(place).fits(place, stands.get(place, ABSENT))]
    restorable = [place for place in places if book.seal(place).fits(place, book.seal(place).value)]
    if not book.is_seed:
        places.append(SEED)
    before = loaded.match.altered or {}
    agreed = before["agreed"] if before.get("places") == places else []
    loaded.altered = Altered(places=places, restorable=restorable, agreed=agreed) if places else None


def halted() -> RequestRefused:
    """The refusal (409) to act at a table where something secret was altered and nobody has decided yet."""
    return RequestRefused(say(HALTED), 409, ERROR)


def as_logged(loaded: LoadedMatch, places: Iterable[str]) -> State:
    """The position with the values that the log has at these places of hidden values."""
    book = book_of(loaded.match)
    return apply(loaded.state, {place: book.seal(place).value for place in places})


def seats_of(places: Iterable[str]) -> list[str]:
    """The seats whose secrets are at these places, each once."""
    return list(dict.fromkeys(place.split("/")[1] for place in places if place != SEED))


def altered_sentences(state: State, altered: Altered) -> Iterator[Line]:
    """What was altered, for everybody at the table: whose secret, never which value."""
    if seats := seats_of(altered["places"]):
        players = tuple(name_of(state, seat) for seat in seats)
        line = _("The sealed answers of %(players)s were changed outside the game.")
        yield say(line, players=players)
    if SEED in altered["places"]:
        yield say(
            _("The seed of chance is not the one whose fingerprint was shown when the table was opened.")
        )


def altered_news(match: Match, loaded: LoadedMatch, state: State) -> Iterator[Line]:
    """What an entry says as well if it is the first one after something was altered."""
    noted = match.altered or {}
    if loaded.altered and noted.get("places") != loaded.altered["places"]:
        yield from altered_sentences(state, loaded.altered)


def hidden_values(state: State) -> dict[str, Any]:
    """Every hidden value of a position, by its place."""
    return {
        f"army/{seat}/hidden/{name}": plain(value)
        for seat, army in state.armies.items()
        for name, value in army.hidden.items()
    }


def book_of(match: Match) -> Book:
    """What the log says, read since the last commit of this process if the log still holds it."""
    if (commit := latest(match)) is not None:
        since = list(_entries(match, commit.version))
        if since and (since[0].version, since[0].hash) == (commit.version, commit.chain):
            seals = {place: Seal(value) for place, value in hidden_values(commit.state).items()}
            return _book(match, seals, since[1:], commit.state.seed == match.seed)
    entries = list(_entries(match, 1))
    return _book(match, {}, entries, bool(entries) and _is_opening(match, entries[0]))


def _entries(match: Match, version: int) -> Iterator[Entry]:
    """The entry of this version, and every later one that seals something or says which seed counts."""
    sealing = Q(version=version) | ~Q(sealed={}) | Q(path=SEED)
    entries = Entry.objects.filter(match=match, version__gte=version).filter(sealing)
    return iter(entries.order_by("version"))


def _is_opening(match: Match, first: Entry) -> bool:
    """Whether the first entry follows from the seed of the match's row."""
    return first.hash == commits.link_hash(commits.beginning(match), commits.of_row(first))


def _book(match: Match, seals: Seals, entries: Iterable[Entry], is_seed: bool) -> Book:
    for entry in entries:
        for part in entry.sealed.values():
            _lay(seals, part, entry.commitments)
        if entry.path == SEED:
            is_seed = entry.note == core.commitment(match.seed)
    return Book({place: seal for place, seal in seals.items() if seal.value != ABSENT}, is_seed)


def _lay(seals: Seals, part: dict[str, Any], commitments: dict[str, str]) -> None:
    """Bring the seals up to date with a sealed part: single values, or those of a whole army."""
    salts, apart = part.get("salts", {}), commits.values(part)
    for path, value in part.get("after", {}).items():
        if path in apart:
            seals[path] = Seal(value, salts.get(path, ""), commitments.get(path, ""))
        else:
            for place in [place for place in seals if place.startswith(f"{path}/")]:
                del seals[place]
            named = (value or {}).get("hidden", {})
            seals |= {f"{path}/hidden/{name}": Seal(each) for name, each in named.items()}


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One entry in the outline of a match; nothing of it is secret.

    `round` and `points` (in seating order) are those after it. `undone`: it was undone later; `undoing`: it
    is part of an undo.
    """

    version: int
    seat: str
    round: int
    points: tuple[int, ...]
    undone: bool = False
    undoing: bool = False


def outline(match: Match) -> tuple[OutlineEntry, ...]:
    """All moments of a match, from its opening on."""
    return _outline(match.pk, match.chain, match.version, match.round)


@lru_cache(maxsize=32)
def _outline(pk: int, chain: str, last: int, round_now: int) -> tuple[OutlineEntry, ...]:
    """The outline, cached by the fingerprint of the history (`chain`)."""
    keys = tuple(Army.objects.filter(match=pk).order_by("pk").values_list("key", flat=True))
    entries = Entry.objects.filter(match=pk).order_by("version")
    rows = list(entries.values_list("version", "seat", "kind", "round", "pk", "undoes_id"))
    rounds = [*(row[3] for row in rows[1:]), round_now]
    gone = {undoes for *_rest, undoes in rows}
    scored = _scored(pk)
    standing: dict[str, tuple[str, int]] = {}
    points = (0,) * len(keys)
    moments = []
    for (version, seat, kind, _round, number, _undoes), round_after in zip(rows, rounds, strict=True):
        if version in scored:
            _lay_scores(standing, scored[version])
            points = tuple(sum(n for owner, n in standing.values() if owner == key) for key in keys)
        is_undoing = kind == Entry.Kind.UNDO
        moments.append(OutlineEntry(version, seat, round_after, points, number in gone, is_undoing))
    return tuple(moments)


def position(match: Match, version: int) -> State:
    """The whole position after a version, hidden values included: show it through `engine.view`."""
    if 2 * version < match.version:
        return _from_the_opening(match, version)
    return rewound(current(match).state, match, version)


def rewound(state: State, match: Match, version: int) -> State:
    """The position after a version, by undoing everything since then on the current `state`."""
    image = joined(_images(match, "before", version + 1, match.version))
    earlier = apply(state, image)
    left = {path.partition("/")[0] for path, value in image.items() if value and is_piece(path)}
    if left:
        _put_in_order(earlier, left, _arrivals(match, left, version))
    return earlier


def _put_in_order(state: State, kinds: set[str], arrivals: list[str]) -> None:
    """Order pieces as they came to the table: pieces that have left since then return to their places."""
    place = {path: number for number, path in enumerate(arrivals)}
    for kind in kinds:
        pieces = getattr(state, KINDS[kind])
        order = sorted(pieces, key=partial(_place, place, kind))
        setattr(state, KINDS[kind], {key: pieces[key] for key in order})


def _place(places: dict[str, int], kind: str, key: str) -> int:
    return places[f"{kind}/{key}"]


def _arrivals(match: Match, kinds: set[str], version: int) -> list[str]:
    """Paths of pieces in the order in which they came to the table; for one that came back, the last time."""
    entries = Entry.objects.filter(match=match, version__lte=version).annotate(
        text=Cast("before", TextField())
    )
    spoken_of = reduce(or_, (Q(text__contains=f'"{kind}/') for kind in kinds))
    # SQLite keeps the texts as they were written, with or without a space; PostgreSQL formats its own.
    was_not_there = Q(text__contains=":null") | Q(text__contains=": null")
    came = entries.filter(Q(kind=Entry.Kind.OPEN) | spoken_of & was_not_there).order_by("version")
    texts = came.values_list(Cast("after", TextField()), flat=True)
    seats = _seats(match)
    paths: dict[str, None] = {}
    for image in json.loads(f"[{','.join(texts)}]"):
        for path in in_order({path: image[path] for path in image if image[path] and is_piece(path)}, seats):
            paths.pop(path, None)
            paths[path] = None
    return list(paths)


def _from_the_opening(match: Match, version: int) -> State:
    latest_first = reversed(_images(match, "after", 1, version))
    return apply(_blank(match), joined(latest_first, _seats(match)))


def final_position(match: Match) -> State:
    """The position after the last entry."""
    return commits.last_position(match.entries.order_by("version"), _blank(match), _seats(match))


def positions(match: Match) -> Iterator[tuple[Entry, State]]:
    """Every entry with the position after it."""
    return commits.positions(match.entries.order_by("version"), _blank(match), _seats(match))


def misfits(match: Match) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    return commits.misfits(match.entries.order_by("version"), _blank(match), _seats(match))


def _blank(match: Match) -> State:
    return system(match.system).state(system=match.system, mode=match.mode, seed=match.seed)


def _seats(match: Match) -> tuple[str, ...]:
    return tuple(system(match.system).seat_names)


def _images(match: Match, name: str, first: int, last: int) -> list[Image]:
    """The whole images of these entries, oldest first; decoded as one text, which is faster."""
    entries = Entry.objects.filter(match=match, version__range=(first, last)).order_by("version")
    texts = entries.values_list(Cast(name, TextField()), Cast("sealed", TextField()))
    images: list[Image] = []
    for public, sealed in json.loads(f"[{','.join(f'[{image},{sealed}]' for image, sealed in texts)}]"):
        for part in sealed.values():
            public.update(part.get(name, {}))
        images.append(public)
    return images


def _scored(pk: int) -> dict[int, Image]:
    """The score values after every entry that changed points, by the entry's version."""
    entries = Entry.objects.filter(match=pk).annotate(text=Cast("after", TextField()))
    rows = entries.filter(text__contains='"score/').values_list("version", "after").order_by("version")
    return {
        version: {path: value for path, value in after.items() if path.startswith("score/")}
        for version, after in rows
    }


def _lay_scores(standing: dict[str, tuple[str, int]], image: Image) -> None:
    """Apply a change of points to `standing`: the seat and points of each score row, by key."""
    for path, value in image.items():
        _kind, key, *name = path.split("/")
        if not name and value is None:
            standing.pop(key, None)
        elif not name:
            standing[key] = (value["seat"], value["points"])
        elif name == ["points"]:
            standing[key] = (standing[key][0], value)
        elif name == ["seat"]:
            standing[key] = (value, standing[key][1])
