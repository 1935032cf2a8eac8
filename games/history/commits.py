"""The transaction of every action on a match or an event: lock, load, play, save what changed, log, tell.

    rows ──load──▶ position ──rules──▶ position' ──diff──▶ changed rows + one entry

A refusal writes nothing and gives a person one sentence. The same key again gets the first answer.

Every action is one entry of the log, which is never changed and is tied to the one before. Its fingerprint
covers it and the fingerprint before it: anyone who noted the last one can tell later whether anything was
changed, removed or added. Sealed values are covered by salted commitments only; the salt is stored with the
secret. docs/exports.md has the formulas.

The rows of a log's owner and of its entries are `games.models.LogOwner` and `games.models.LogEntry`.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Model, QuerySet

from games import core, prepared
from games.core import (
    ABSENT,
    IllegalAction,
    Image,
    Line,
    Malformed,
    NotServed,
    Position,
    PositionT,
    RequestRefused,
    Unreadable,
    apply,
    in_order,
    joined,
    plain,
    say,
)
from games.core import gettext_noop as _
from games.models import LogEntry, LogOwner
from games.monitoring import answer_times
from games.monitoring.measures import ACTIONS
from games.prepared import Prepared
from games.web import begin_saving, clock

EntryT = TypeVar("EntryT", bound=LogEntry)

SEALED = "\u2022"
"""Stands in a public image for a hidden value; the value itself is in the entry's sealed part."""

REST, DRAWS = "", "draws"
"""Names for what is not a hidden value: the salt of all the rest, the commitment to random results."""

Moment: TypeAlias = tuple[datetime, Image]
"""When an entry was made, and its image after it."""

CHANGED, MISSING, ADDED, UNSEALED = "changed", "missing", "added", "unsealed"


@dataclass(frozen=True)
class Fault:
    """An entry that does not fit the chain: its version, and what is wrong (`CHANGED`, `MISSING` …)."""

    version: int
    how: str


@dataclass(frozen=True)
class ChainLink:
    """What a fingerprint is made of, from a row or from a file."""

    content: dict[str, Any]
    sealed: dict[str, Any]
    draws: list[list[int]]
    commitments: dict[str, str]
    hash: str


@dataclass(frozen=True)
class SealedAnswer:
    """A value that a seat sealed in the entry `version`; `salt` and `value` only once it is revealed."""

    version: int
    place: str
    commitment: str
    salt: str = ""
    value: Any = None

    @property
    def seat(self) -> str:
        return self.place.split("/")[1]

    @property
    def text(self) -> str:
        """The text whose SHA-256 is the commitment; "" while it is secret."""
        return self.salt and self.salt + core.canonical([self.place, self.value])


# --- writing ---------------------------------------------------------------------------------------


def write(row: Any, after: Position, command: Any, old: Image, new: Image, **own: Any) -> Any:
    """Write the entry of a command that has led to the position `after`; `own` are fields of its own kind.

    The row learns the fingerprint of its new last entry; the caller saves it.
    """
    entry: Any = row.entries.model(
        **{row.entries.field.name: row},
        version=row.version,
        author=command.author,
        note=command.note,
        lines=[line.to_json() for line in after.lines if line.to is None],
        before=public(old),
        after=public(new),
        draws=[[draw.counter, draw.outcomes, draw.value] for draw in after.draws],
        undoes=command.undoes,
        key=command.key,
        payload=fingerprint(row, command.payload) if command.key else "",
        created_at=clock.now(),
        **own,
    )
    join(row, entry)
    prepared.insert(entry)
    return entry


def fingerprint(row: LogOwner, payload: str) -> str:
    """A keyed hash of a request: it recognises a repeated one, and a sealed answer cannot be guessed."""
    return hmac.digest(row.seed.encode(), payload.encode(), "sha256").hex()


def join(row: Any, entry: Any) -> None:
    """Append a new entry to the chain of its match or event; neither is saved."""
    if entry.sealed:
        draws = core.draws_hash(row.seed, entry.version, entry.draws)
        entry.commitments = {**commitments_of(entry.sealed), DRAWS: draws}
    row.chain = entry.hash = link_hash(row.chain or beginning(row), of_row(entry))


def beginning(row: LogOwner) -> str:
    """The fingerprint that the first entry of a match or event follows."""
    return core.beginning(row.first_in_chain, core.commitment(row.seed))


def public(image: Image) -> Image:
    """An image as everybody may read it: hidden values are masked, an army's hidden part is emptied.

    The seed stays with the server: it would tell what is drawn next.
    """
    public: Image = {}
    for path, value in image.items():
        if owner_of_secret(path, value):
            public[path] = SEALED if "/hidden/" in path else {**value, "hidden": {}}
        elif path != "seed":
            public[path] = plain(value)
    return public


def owner_of_secret(path: str, value: Any) -> str:
    """Whose secret this is: a hidden value ("army/red/hidden/bid") or an army with any; "" for nobody's."""
    kind, _slash, rest = path.partition("/")
    seat, _slash, name = rest.partition("/")
    if kind != "army":
        return ""
    return seat if name.startswith("hidden/") or (not name and value and value.get("hidden")) else ""


def salted(sealed: dict[str, Any]) -> dict[str, Any]:
    """Sealed parts with a fresh salt for each hidden value and one for the rest."""
    return {
        seat: {**part, "salts": {name: new_salt() for name in (REST, *values(part))}}
        for seat, part in sealed.items()
    }


def new_salt() -> str:
    """128 random bits, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def commitments_of(sealed: dict[str, Any]) -> dict[str, str]:
    """The commitments to salted parts: to each hidden value by its path, to the rest by its seat."""
    commitments: dict[str, str] = {}
    for seat, part in sealed.items():
        salts = part["salts"]
        commitments |= {
            path: core.secret_hash(salts[path], path, value) for path, value in values(part).items()
        }
        commitments[seat] = core.secret_hash(salts[REST], seat, _rest(part))
    return commitments


# --- reading ---------------------------------------------------------------------------------------


def entries_of(row: Any) -> QuerySet[Any]:
    """The entries of a match or event in order, with all that their fingerprints cover."""
    entries: QuerySet[Any] = row.entries.select_related("undoes").order_by("version")
    return entries


def public_content(entry: LogEntry) -> dict[str, Any]:
    """The fields of an entry that everybody may read and its fingerprint covers, as plain JSON values."""
    return {
        **{name: getattr(entry, name) for name in entry.PUBLIC},
        "undoes": entry.undoes.version if entry.undoes else None,
        "at": entry.created_at.astimezone(UTC).isoformat(),
    }


def lines_for(entry: LogEntry, seat: str | None = None) -> list[Line]:
    """The sentences of an entry that this seat (None: a spectator) may read."""
    own = entry.sealed.get(seat, {}).get("lines", []) if seat else []
    return [Line.from_json(stored) for stored in (*entry.lines, *own)]


def full_image(entry: LogEntry, name: str) -> Image:
    """The whole image ("before" or "after") with what is sealed put back: for replay and undo only."""
    image = dict(getattr(entry, name))
    for part in entry.sealed.values():
        image |= part.get(name, {})
    return image


def positions(
    entries: Iterable[EntryT], state: PositionT, seats: tuple[str, ...] = ()
) -> Iterator[tuple[EntryT, PositionT]]:
    """Every entry with the position after it, rebuilt from the blank `state` and the images alone."""
    for entry in entries:
        state = apply(state, in_order(full_image(entry, "after"), seats))
        yield entry, state


def last_position(entries: Iterable[LogEntry], state: PositionT, seats: tuple[str, ...] = ()) -> PositionT:
    """The position after the last of these entries, the images joined into one and applied once."""
    images = [full_image(entry, "after") for entry in entries]
    return apply(state, joined(reversed(images), seats))


def misfits(entries: Iterable[LogEntry], state: Position, seats: tuple[str, ...] = ()) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    for entry, after in positions(entries, state, seats):
        before = full_image(entry, "before")
        follows = all(_is_still(value_at(state, path), value) for path, value in before.items())
        # What was sealed and revealed at once never stood.
        if not follows or any(before.get(path, value) != value for path, value in entry.opens.items()):
            yield entry.version
        state = after


def _is_still(value: Any, logged: Any) -> bool:
    """Whether a value is the logged one. A field that a later version has added to a piece is empty there."""
    if isinstance(value, dict) and isinstance(logged, dict):
        logged = {**{name: each for name, each in value.items() if not each}, **logged}
    return bool(value == logged)


def value_at(state: Position, path: str) -> Any:
    """The plain value at a path; KeyError or AttributeError if there can be none."""
    kind, _slash, rest = path.partition("/")
    if not rest:
        return plain(getattr(state, kind))
    key, _slash, name = rest.partition("/")
    piece = getattr(state, state.kinds[kind]).get(key)
    if not name:
        return None if piece is None else piece.to_json()
    if name.startswith("hidden/"):
        return plain(piece.hidden.get(name.removeprefix("hidden/"), ABSENT))
    return plain(getattr(piece, name))


# --- checking --------------------------------------------------------------------------------------


def faults(row: Any, entries: Iterable[LogEntry] | None = None) -> list[Fault]:
    """Every entry that does not fit the chain, is missing, or exceeds the number in the row."""
    links = map(of_row, entries_of(row) if entries is None else entries)
    problems = list(faults_of(links, beginning(row), row.chain, row.seed))
    count = row.version if problems else row.entries.count()
    if count != row.version:
        problems.append(Fault(min(count, row.version) + 1, MISSING if count < row.version else ADDED))
    return problems


def faults_of(
    links: Iterable[ChainLink], first: str, last: str, seed: str, version: int = 0
) -> Iterator[Fault]:
    """The faults of a chain from the fingerprint `first`, that of a `version`, to `last`.

    `seed` checks draws behind secrets.
    """
    previous, end = first, 0
    for link in links:
        version += 1
        while version < link.content["version"]:
            yield Fault(version, MISSING)
            version += 1
        if how := _misfit(previous, link, seed):
            yield Fault(version, how)
        previous = link.hash
        end = version if previous == last else end
    if previous != last:
        yield Fault(end + 1, ADDED) if end else Fault(version + 1, MISSING)


def is_dated(opened_at: datetime, finished_at: datetime | None, entries: Iterable[Moment]) -> bool:
    """Whether a match has the times of the entries that opened and ended it: these the fingerprints cover."""
    begun = ended = None
    for at, after in entries:
        begun = begun or at
        if "result" in after:
            ended = None if after["result"] is None else ended or at
    return (opened_at, finished_at) == (begun, ended)


def sealed_answers(entries: Iterable[LogEntry], kept: set[tuple[str, str]] | None) -> list[SealedAnswer]:
    """Every sealed answer of a match in order, with its value if that is public.

    An answer is public if a later entry revealed it (`opened`). Once the match is over all are, except what
    stays hidden for good: `kept` holds its seats and names, None while the match goes on.
    """
    entries = list(entries)
    revealed = opened(entries)
    places = (
        (entry, part, path)
        for entry in entries
        for part in entry.sealed.values()
        for path, value in values(part).items()
        if value != ABSENT
    )
    return [
        _answer(entry, part, path, is_known=(entry.version, path) in revealed or _is_over(kept, path))
        for entry, part, path in places
    ]


def opened(entries: Iterable[LogEntry]) -> set[tuple[int, str]]:
    """The sealed answers that were revealed, by the version that sealed each and its path."""
    revealed: set[tuple[int, str]] = set()
    standing: dict[str, int] = {}
    for entry in entries:
        revealed |= {(standing[path], path) for path in entry.opens if path in standing}
        for part in entry.sealed.values():
            standing |= dict.fromkeys(values(part), entry.version)
    return revealed


def _is_over(kept: set[tuple[str, str]] | None, path: str) -> bool:
    """Whether the match is over and the value at this path does not stay hidden."""
    return kept is not None and _owner_and_name(path) not in kept


def _owner_and_name(path: str) -> tuple[str, str]:
    _army, seat, _hidden, name = path.split("/")
    return seat, name


def _answer(entry: LogEntry, part: dict[str, Any], path: str, *, is_known: bool) -> SealedAnswer:
    salt = part.get("salts", {}).get(path, "") if is_known else ""
    value = part["after"][path] if salt else None
    return SealedAnswer(entry.version, path, entry.commitments.get(path, ""), salt, value)


# --- one entry -----------------------------------------------------------------------------------


def values(part: dict[str, Any]) -> dict[str, Any]:
    """The hidden values that a sealed part sets, by path; those inside a whole army do not count."""
    return {path: value for path, value in part.get("after", {}).items() if path.count("/") == _DEEP}


_DEEP = "army/red/hidden/bid".count("/")


def of_row(entry: LogEntry) -> ChainLink:
    """What an entry's fingerprint is made of."""
    return ChainLink(public_content(entry), entry.sealed, entry.draws, entry.commitments, entry.hash)


def link_hash(previous: str, link: ChainLink) -> str:
    """An entry's fingerprint; if it seals something, its draws are covered by their commitment."""
    draws = None if link.sealed else link.draws
    return core.link(previous, {**link.content, "commitments": link.commitments, "draws": draws})


def _misfit(previous: str, link: ChainLink, seed: str) -> str:
    """What is wrong with a link ("" for nothing); a value of a wrong type counts as changed."""
    how = CHANGED
    try:
        if link.hash != link_hash(previous, link):
            return how
        how = UNSEALED
        return "" if _fits_seals(link, seed) else how
    except (AttributeError, LookupError, TypeError, ValueError):
        return how


def _fits_seals(link: ChainLink, seed: str) -> bool:
    """Whether sealed values match their commitments; a value without its salt must be masked."""
    if not link.sealed:
        return not link.commitments
    places = {place for seat, part in link.sealed.items() for place in (seat, *values(part))}
    if link.commitments.keys() != {DRAWS, *places}:
        return False
    if link.commitments.get(DRAWS) != core.draws_hash(seed, link.content["version"], link.draws):
        return False
    return all(_fits_seal(link, seat, part) for seat, part in link.sealed.items())


def _fits_seal(link: ChainLink, seat: str, part: dict[str, Any]) -> bool:
    salts, promised = part.get("salts", {}), link.commitments
    for path, value in values(part).items():
        if path not in salts:
            fits = value == SEALED
        else:
            fits = promised.get(path) == core.secret_hash(salts[path], path, value)
        if not fits:
            return False
    if REST not in salts:
        return _has_mask(part)
    return promised.get(seat) == core.secret_hash(salts[REST], seat, _rest(part))


def _rest(part: dict[str, Any]) -> dict[str, Any]:
    """A sealed part without its salts and without the values that have commitments of their own."""
    bare = {name: kept for name, kept in part.items() if name not in ("salts", "after")}
    apart = values(part)
    return {
        **bare,
        "after": {path: kept for path, kept in part.get("after", {}).items() if path not in apart},
    }


def _has_mask(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_mask, value.values()))
    return value == SEALED


logger = logging.getLogger(__name__)
Played = TypeVar("Played")
RowT = TypeVar("RowT", bound=Model)

STALE = _("Something changed. Check the table, then tap again.")

UNREADABLE = _("This saved data cannot be read. Please tell whoever runs the server.")
CANNOT_BE_READ = "what is stored of it cannot be read."
"""What commands say after the code of a match or an event."""

CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""Anything else in an address need not be looked up in the database."""

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""31 letters and digits that are hard to misread."""


@dataclass(frozen=True)
class Verdict:
    """What became of an action: its version, whether it was a repeat, and the entry that it made, if any.

    `loaded` is the match or event afterwards, `made` what a change of an event returned, such as the key of a
    new player.
    """

    version: int
    is_replay: bool = False
    loaded: Any = field(default=None, compare=False, repr=False)
    entry: Any = field(default=None, compare=False, repr=False)
    made: Any = None


def random_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(6))


def fresh_code(*tables: type[Model]) -> str:
    """A code that no row of these tables has."""
    while True:
        code = random_code()
        if not any(table._default_manager.filter(code=code).exists() for table in tables):
            return code


def by_code(rows: Prepared[RowT], code: str, unknown: str) -> RowT:
    """The row with this code; `RequestRefused` (404) with the sentence `unknown` if there is none."""
    matching = rows(code) if CODE.fullmatch(code) else []
    if not matching:
        raise RequestRefused(say(unknown), 404, "unknown")
    return matching[0]


def commit_action(
    kind: str, carry_out: Callable[[], Verdict], earlier: Callable[[], Verdict | None]
) -> Verdict:
    """Carry out an action in one transaction; `earlier` is the answer that its key got before, if any.

    The key is looked up only if there is a reason to: the action is refused, changes nothing, or the log
    rejects a second entry with this key.
    """
    try:
        verdict = _in_one_transaction(carry_out)
    except (RequestRefused, IntegrityError) as refused:
        repeated = earlier()
        if repeated is None:
            ACTIONS.labels(kind, getattr(refused, "error", "conflict")).inc()
            raise
        verdict = repeated
    if verdict.entry is None:
        verdict = earlier() or verdict
    ACTIONS.labels(kind, "repeated" if verdict.is_replay else "done").inc()
    return verdict


def _in_one_transaction(carry_out: Callable[[], Verdict]) -> Verdict:
    with transaction.atomic():
        verdict = carry_out()
        saving = time.perf_counter()
    answer_times.spend(answer_times.SAVING, saving)
    return verdict


def earlier_verdict(entries: QuerySet[Any], of: str, key: str, payload: str) -> Verdict | None:
    """The verdict that this key got before among `entries` of a match or event (field `of`), if it was used.

    `RequestRefused` (422) if it was used for something else.
    """
    rows = entries.filter(key=key).select_related(of).only("version", "payload", f"{of}__seed") if key else ()
    entry: LogEntry | None = next(iter(rows), None)
    if entry is None:
        return None
    if not hmac.compare_digest(entry.payload, fingerprint(getattr(entry, of), payload)):
        raise RequestRefused(
            say(_("This button was already used for something else. Please tap again.")), 422, "key_reused"
        )
    return Verdict(entry.version, is_replay=True)


def apply_rules(carry_out: Callable[[], Played]) -> Played:
    """What the rules make of an action; if they forbid it or cannot read it, their sentence refuses it."""
    try:
        return carry_out()
    except IllegalAction as refusal:
        raise RequestRefused(refusal.line, 409, "not_offered", refusal.rule) from refusal
    except Malformed as malformed:
        raise RequestRefused(say(_("This game has no such action.")), 422, "malformed") from malformed
    except Unreadable as unreadable:
        raise RequestRefused(unreadable.line, unreadable.status, "unreadable") from unreadable


def finish(row: Any, columns: Collection[str], tell: Callable[[], object]) -> None:
    """Save the row of a match or event with its new version; `tell` those who listen once it is committed."""
    prepared.save_columns(row, (*columns, "version", "chain"), clock.now())
    # What is saved stays saved, even if a listener fails.
    transaction.on_commit(tell, robust=True)
    begin_saving()


class UnreadableRow(RequestRefused):
    """What is stored of a match or an event cannot be read."""

    def __init__(self) -> None:
        super().__init__(say(UNREADABLE), 409, "unreadable")


@contextmanager
def reading(row: object) -> Iterator[None]:
    """Inside this block, a failure that does not say why itself is logged, and becomes `UnreadableRow`.

    Rows are read as the program wrote them, so a value that somebody altered may fail anywhere in the code
    that shows it; where many rows are shown, it must not hide the others. A request about one match or event
    is refused in one place (`games.pages.altered_rows`).
    """
    try:
        yield
    except (RequestRefused, NotServed, DatabaseError, OSError):
        raise
    except Exception as fault:
        logger.warning("what is stored of %s cannot be read", row, exc_info=fault)
        raise UnreadableRow from fault
