"""Fingerprints: how a history is tied together, and how somebody is tied to an answer that is still secret.

All are SHA-256 over one text for one value, so that any program can work them out again. What a fingerprint
hides is mixed with a long random salt: without it nobody can try the few bids that there are.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

_JSON = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(value: Any) -> str:
    """The one text of a plain value: JSON with sorted names and without spaces."""
    return _JSON.encode(value)


def beginning(system: str, commitment: str) -> str:
    """What the first entry of a match follows: the game, and the fingerprint of its seed."""
    return _hash(canonical([system, commitment]))


def link(previous: str, told: dict[str, Any]) -> str:
    """The fingerprint of an entry that follows the one with the fingerprint `previous`."""
    return _hash(canonical({**told, "previous": previous}))


def secret_hash(salt: str, place: str, value: Any) -> str:
    """The fingerprint of a secret value at its place; nobody can guess the value without the salt."""
    return _hash(salt + canonical([place, value]))


def draws_hash(seed: str, version: int, draws: list[list[int]]) -> str:
    """The fingerprint of the random results behind a secret; the seed of the match is its salt."""
    return hmac.new(seed.encode(), canonical([version, draws]).encode(), hashlib.sha256).hexdigest()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
