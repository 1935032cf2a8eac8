"""The history of a match as a hash chain: an entry's fingerprint covers it and the fingerprint before it.

Anyone who noted the last fingerprint can tell later whether anything was changed, removed or added. Sealed
values are covered by salted commitments only; the salt is stored with the secret. docs/exports.md has the
formulas.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from django.db.models import QuerySet

from games.core import chance
from games.core.diff import ABSENT, Image
from games.models import Entry, Match

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
        """The seat that sealed it."""
        return self.place.split("/")[1]

    @property
    def text(self) -> str:
        """The text whose SHA-256 is the commitment; "" while it is secret."""
        return self.salt and self.salt + chance.canonical([self.place, self.value])


def public_content(entry: Entry) -> dict[str, Any]:
    """The fields of an entry that everybody may read, as plain JSON values."""
    return {
        "version": entry.version,
        "kind": str(entry.kind),
        "seat": entry.seat,
        "author": entry.author,
        "step": entry.step,
        "round": entry.round,
        "path": entry.path,
        "action": entry.action,
        "note": entry.note,
        "lines": entry.lines,
        "before": entry.before,
        "after": entry.after,
        "opens": entry.opens,
        "is_final": entry.is_final,
        "undoes": entry.undoes.version if entry.undoes else None,
        "at": entry.created_at.astimezone(UTC).isoformat(),
    }


def salted(sealed: dict[str, Any]) -> dict[str, Any]:
    """Sealed parts with a fresh salt for each hidden value and one for the rest."""
    return {
        seat: {**part, "salts": {name: new_salt() for name in (REST, *values(part))}}
        for seat, part in sealed.items()
    }


def new_salt() -> str:
    """128 random bits, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def join(match: Match, entry: Entry) -> None:
    """Append a new entry to its match's chain; neither is saved."""
    entry.commitments = commitments_of(entry.sealed)
    if entry.sealed:
        entry.commitments[DRAWS] = chance.draws_hash(match.seed, entry.version, entry.draws)
    match.chain = entry.hash = link_hash(match.chain or beginning(match), of_row(entry))


def beginning(match: Match) -> str:
    """The fingerprint that the first entry of a match follows."""
    return chance.beginning(match.system, chance.commitment(match.seed))


def commitments_of(sealed: dict[str, Any]) -> dict[str, str]:
    """The commitments to salted parts: to each hidden value by its path, to the rest by its seat."""
    found: dict[str, str] = {}
    for seat, part in sealed.items():
        salts = part["salts"]
        found |= {path: chance.secret_hash(salts[path], path, value) for path, value in values(part).items()}
        found[seat] = chance.secret_hash(salts[REST], seat, _rest(part))
    return found


def entries_of(match: Match) -> QuerySet[Entry]:
    """The entries of a match in order, with all that their fingerprints cover."""
    return Entry.objects.filter(match=match).select_related("undoes").order_by("version")


def faults(match: Match, entries: Iterable[Entry]) -> list[Fault]:
    """Every entry of a match that does not fit the chain, is missing, or exceeds the number in its row."""
    found = list(faults_of(map(of_row, entries), beginning(match), match.chain, match.seed))
    count = match.version if found else match.entries.count()
    if count != match.version:
        found.append(Fault(min(count, match.version) + 1, MISSING if count < match.version else ADDED))
    return found


def faults_of(links: Iterable[ChainLink], first: str, last: str, seed: str) -> Iterator[Fault]:
    """The faults of a chain from the fingerprint `first` to `last`; `seed` checks draws behind secrets."""
    previous, version, end = first, 0, 0
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


def sealed_answers(entries: Iterable[Entry], kept: set[tuple[str, str]] | None) -> list[SealedAnswer]:
    """Every sealed answer of a match in order, with its value if that is public.

    An answer is public if a later entry revealed it (`opened`). Once the match is over all are, except what
    stays hidden for good: `kept` holds its seats and names, None while the match goes on.
    """
    entries = list(entries)
    revealed = opened(entries)
    found = (
        (entry, part, path)
        for entry in entries
        for part in entry.sealed.values()
        for path, value in values(part).items()
        if value != ABSENT
    )
    return [
        _answer(entry, part, path, is_known=(entry.version, path) in revealed or _is_over(kept, path))
        for entry, part, path in found
    ]


def opened(entries: Iterable[Entry]) -> set[tuple[int, str]]:
    """The sealed answers that were revealed, by the version that sealed each and its path."""
    found: set[tuple[int, str]] = set()
    standing: dict[str, int] = {}
    for entry in entries:
        found |= {(standing[path], path) for path in entry.opens if path in standing}
        for part in entry.sealed.values():
            standing |= dict.fromkeys(values(part), entry.version)
    return found


def _is_over(kept: set[tuple[str, str]] | None, path: str) -> bool:
    """Whether the match is over and the value at this path does not stay hidden."""
    return kept is not None and _owner_and_name(path) not in kept


def _owner_and_name(path: str) -> tuple[str, str]:
    _army, seat, _hidden, name = path.split("/")
    return seat, name


def _answer(entry: Entry, part: dict[str, Any], path: str, *, is_known: bool) -> SealedAnswer:
    salt = part.get("salts", {}).get(path, "") if is_known else ""
    value = part["after"][path] if salt else None
    return SealedAnswer(entry.version, path, entry.commitments.get(path, ""), salt, value)


# --- one entry -----------------------------------------------------------------------------------


def values(part: dict[str, Any]) -> dict[str, Any]:
    """The hidden values that a sealed part sets, by path; those inside a whole army do not count."""
    return {path: value for path, value in part.get("after", {}).items() if path.count("/") == _DEEP}


_DEEP = "army/red/hidden/bid".count("/")


def of_row(entry: Entry) -> ChainLink:
    return ChainLink(public_content(entry), entry.sealed, entry.draws, entry.commitments, entry.hash)


def link_hash(previous: str, link: ChainLink) -> str:
    """An entry's fingerprint; if it seals something, its draws are covered by their commitment."""
    draws = None if link.sealed else link.draws
    return chance.link(previous, {**link.content, "commitments": link.commitments, "draws": draws})


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
    if link.commitments.get(DRAWS) != chance.draws_hash(seed, link.content["version"], link.draws):
        return False
    return all(_fits_seal(link, seat, part) for seat, part in link.sealed.items())


def _fits_seal(link: ChainLink, seat: str, part: dict[str, Any]) -> bool:
    salts, promised = part.get("salts", {}), link.commitments
    for path, value in values(part).items():
        if path not in salts:
            fits = value == SEALED
        else:
            fits = promised.get(path) == chance.secret_hash(salts[path], path, value)
        if not fits:
            return False
    if REST not in salts:
        return _has_mask(part)
    return promised.get(seat) == chance.secret_hash(salts[REST], seat, _rest(part))


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
