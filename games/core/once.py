"""What is worked out once for a position that stands: offers, who is asked, what rules count on the board.

A position stands while the engine asks it something, and for good once `engine.keep` has promised that
nobody changes it any more. While rules change it nothing is remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

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
        key = rule, about
        if key not in known:
            known[key] = rule(g, *about)
        return known[key]

    return asked  # type: ignore[return-value]


def glance(rule: Rule) -> Rule:
    """Mark what is worked out `once` and answers with texts and numbers alone, never with a piece.

    While rules change the position it only looks: no piece is copied because it was looked at.
    """
    remembered = once(rule)

    @wraps(rule)
    def looked(g: Any, *about: Any) -> Any:
        if g.known is not None or not g.lent:
            return remembered(g, *about)
        g.read()
        try:
            return rule(g, *about)
        finally:
            g.write()

    return looked  # type: ignore[return-value]
