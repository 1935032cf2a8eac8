"""Verifiable random results: each can be recomputed from the match's seed and its number in the sequence.

The commitment (SHA-256 of the seed) is shown when the match opens, the seed when it has ended.
"""

from __future__ import annotations

import hashlib
import hmac

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
