"""Fingerprints: the hash chain of a history, and commitments to answers that are still secret.

All are SHA-256 (hexadecimal) over the canonical text of a value, so that any program can compute them again.
A commitment has a long random salt: without it anybody could try the few possible bids.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

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
