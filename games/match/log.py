"""The log of a match: what an entry says beside its images, what of it is sealed, and how that is checked.

Admin, API, export and history read the public part of an entry; `logbook.lines_for` adds what is sealed for
the reader's own seat. A position that is read from its rows is compared with the log before anybody acts on
it: each hidden value with the newest commitment to it, the seed with the fingerprint that the first entry
follows. If something differs, nobody may act until somebody decides (`play.restore_secrets`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, Q, TextField, When
from django.db.models.fields.json import KeyTextTransform

from games import core
from games.core import (
    ABSENT,
    Clock,
    Image,
    Line,
    RequestRefused,
    State,
    Thought,
    Timed,
    apply,
    clocks,
    is_final,
    name_of,
    plain,
    say,
)
from games.core import gettext_noop as _
from games.history import logbook
from games.match import storage
from games.match.storage import Altered, LoadedMatch
from games.models import Entry, Match
from games.web import clock as common_clock


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
    entry: Entry = logbook.write(
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
        sealed=logbook.salted(sealed) if sealed else {},
        opens={f"army/{seat}/hidden/{key}": plain(value) for seat, key, value in after.opened},
        is_final=is_final(before, after),
    )
    return entry


def sealed_part(after: State, command: Command, old: Image, new: Image) -> dict[str, Any]:
    """By seat, what only it may read of an entry: hidden values, sentences, an action that hides a value."""
    sealed: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, image in (("before", old), ("after", new)):
        for path, value in image.items():
            if seat := logbook.owner_of_secret(path, value):
                sealed[seat].setdefault(name, {})[path] = value
    for line in after.lines:
        if line.to is not None:
            sealed[line.to].setdefault("lines", []).append(line.to_json())
    if command.kind == Entry.Kind.TAP and command.seat in after.hid:
        sealed[command.seat]["action"] = command.action
    return dict(sealed)


def readable_lines(entry: Entry, seat: str | None) -> list[Line]:
    """The sentences of an entry for this reader; "Done in secret." if all are for another seat."""
    return logbook.lines_for(entry, seat) or [Line(_("Done in secret.") if entry.sealed else entry.action)]


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
    known = match.altered or {}
    if loaded.altered and known.get("places") != loaded.altered["places"]:
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
    if (known := storage.latest(match)) is not None:
        since = list(_entries(match, known.version))
        if since and (since[0].version, since[0].hash) == (known.version, known.chain):
            seals = {place: Seal(value) for place, value in hidden_values(known.state).items()}
            return _book(match, seals, since[1:], known.state.seed == match.seed)
    entries = list(_entries(match, 1))
    return _book(match, {}, entries, bool(entries) and _is_opening(match, entries[0]))


def _entries(match: Match, version: int) -> Iterator[Entry]:
    """The entry of this version, and every later one that seals something or says which seed counts."""
    sealing = Q(version=version) | ~Q(sealed={}) | Q(path=SEED)
    found = Entry.objects.filter(match=match, version__gte=version).filter(sealing)
    return iter(found.order_by("version"))


def _is_opening(match: Match, first: Entry) -> bool:
    """Whether the first entry follows from the seed of the match's row."""
    return first.hash == logbook.link_hash(logbook.beginning(match), logbook.of_row(first))


def _book(match: Match, seals: Seals, entries: Iterable[Entry], is_seed: bool) -> Book:
    for entry in entries:
        for part in entry.sealed.values():
            _lay(seals, part, entry.commitments)
        if entry.path == SEED:
            is_seed = entry.note == core.commitment(match.seed)
    return Book({place: seal for place, seal in seals.items() if seal.value != ABSENT}, is_seed)


def _lay(seals: Seals, part: dict[str, Any], commitments: dict[str, str]) -> None:
    """Bring the seals up to date with a sealed part: single values, or those of a whole army."""
    salts, apart = part.get("salts", {}), logbook.values(part)
    for path, value in part.get("after", {}).items():
        if path in apart:
            seals[path] = Seal(value, salts.get(path, ""), commitments.get(path, ""))
        else:
            for place in [place for place in seals if place.startswith(f"{path}/")]:
                del seals[place]
            named = (value or {}).get("hidden", {})
            seals |= {f"{path}/hidden/{name}": Seal(each) for name, each in named.items()}
