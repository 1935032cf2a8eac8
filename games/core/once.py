"""What is worked out once for a position that stands: offers, who is asked, what rules count on the board.

A position stands while the engine asks it something, and for good once `engine.keep` has promised that
nobody changes it any more. While rules change it nothing is remembered but what is `lasting`.
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
        return look(rule, g, about) if g.known is None else remembered(g, *about)

    return looked  # type: ignore[return-value]


def lasting(mapping: str) -> Callable[[Rule], Rule]:
    """Mark a `glance` at the pieces of one mapping ("objectives") and at what never changes in a match.

    It holds for every position that follows until one of these pieces is reached for.
    """

    def mark(rule: Rule) -> Rule:
        @wraps(rule)
        def looked(g: Any, *about: Any) -> Any:
            lasts = g.lasting(mapping)
            if lasts is None:
                return look(rule, g, about)
            key = rule, about
            if key not in lasts:
                lasts[key] = look(rule, g, about)
            return lasts[key]

        return looked  # type: ignore[return-value]

    return mark


def cache_of(g: Any, piece: Any) -> dict[Any, Any] | None:
    """What was worked out of one piece alone, by whatever key; None where rules may change it.

    Positions that follow share the piece until one of them changes it, and so what is known of it.
    """
    if g.known is None:
        return None
    try:
        found: dict[Any, Any] = piece.remembered
    except AttributeError:
        found = piece.remembered = {}
    return found


def look(rule: Callable[..., Any], g: Any, about: tuple[Any, ...] = ()) -> Any:
    """Ask a rule that only looks, whether the position is read or changed just now: no piece is copied."""
    if g.known is not None or not g.lent:
        return rule(g, *about)
    g.read()
    try:
        return rule(g, *about)
    finally:
        g.write()
