"""What anybody can verify: random results, the hash chain of a history, commitments to secret answers.

A random result can be recomputed from the match's seed and its number in the sequence. The commitment
(SHA-256 of the seed) is shown when the match opens, the seed when it has ended. A fingerprint is SHA-256
(hexadecimal) over the canonical text of a value, so that any program can compute it again. A commitment to a
secret has a long random salt: without it anybody could try the few possible bids.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

_WORD = 1 << 64


def commitment(seed: str) -> str:
    """SHA-256 of the seed, published before the first draw so that it cannot be changed afterwards."""
    return hashlib.sha256(seed.encode()).hexdigest()


def draw(seed: str, counter: int, outcomes: int) -> int:
    """Draw number `counter` of the match: uniform in 0 … outcomes-1.

    HMAC-SHA256(seed, "counter:attempt"), its first eight bytes; values beyond the
    last whole multiple of `outcomes` are drawn again, so no outcome is favoured.
    """
    if not 0 < outcomes <= _WORD:
        raise ValueError("a draw has one outcome at least, and no more than eight bytes can tell apart")
    limit = _WORD - _WORD % outcomes
    attempt = 0
    while True:
        digest = hmac.digest(seed.encode(), f"{counter}:{attempt}".encode(), "sha256")
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % outcomes
        attempt += 1


_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(value: Any) -> str:
    """The canonical text of a plain JSON value: names sorted, no spaces, only JSON's own escapes."""
    return _JSON.encode(value)


def fingerprint(value: Any) -> str:
    """A short fingerprint of a plain JSON value: the same one however a database orders its names."""
    return _hash(canonical(value))[:16]


def beginning(system: str, commitment: str) -> str:
    """The fingerprint that the first entry follows: of the game and the commitment to its seed."""
    return _hash(canonical([system, commitment]))


def link(previous: str, content: dict[str, Any]) -> str:
    """The fingerprint of an entry that follows the one with the fingerprint `previous`."""
    return _hash(canonical({**content, "previous": previous}))


def secret_hash(salt: str, place: str, value: Any) -> str:
    """The fingerprint of a secret value at its place; nobody can guess the value without the salt."""
    return _hash(salt + canonical([place, value]))


def draws_hash(seed: str, version: int, draws: list[list[int]]) -> str:
    """The fingerprint of the random results behind a secret; the seed of the match is its salt."""
    return hmac.new(seed.encode(), canonical([version, draws]).encode(), hashlib.sha256).hexdigest()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
