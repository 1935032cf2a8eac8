"""What is worked out once for a position that stands: offers, who is asked, what rules count on the board.

A position stands while the engine asks it something, and for good once `engine.keep` has promised that
nobody changes it any more. While rules change it nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

_UNKNOWN = object()

Rule = TypeVar("Rule", bound=Callable[..., Any])


def once(rule: Rule) -> Rule:
    """Mark what follows from a position and from texts or numbers alone; no iterator, and nobody changes it.

    @once
    def lying(g: Table, seat: str) -> dict[str, str]: ...
    """

    @wraps(rule)
    def asked(g: Any, *about: Any) -> Any:
        known = g.known
        if known is None:
            return rule(g, *about)
        key = (rule, *about)
        found = known.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = known[key] = rule(g, *about)
        return found

    return asked  # type: ignore[return-value]
