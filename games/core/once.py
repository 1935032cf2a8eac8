"""Memoization: what is computed once for a position (offers, who is asked, what rules count on the board).

Results are remembered while the position cannot change: during a question of the engine, and for good after
`engine.keep`. While rules change it, only `lasting` results are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Rule = TypeVar("Rule", bound=Callable[..., Any])


def once(rule: Rule) -> Rule:
    """Remember what a function of a position, and of texts or numbers, returns while the position stands.

    The result is shared: nobody may change it, and it may be no iterator.

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
    """Like `once`, for a function that only reads the position and returns texts and numbers, never a piece.

    Called while rules change the position, it does not make copies of borrowed pieces (`games.core.lending`).
    """
    remembered = once(rule)

    @wraps(rule)
    def looked(g: Any, *about: Any) -> Any:
        return look(rule, g, about) if g.known is None else remembered(g, *about)

    return looked  # type: ignore[return-value]


def lasting(mapping: str) -> Callable[[Rule], Rule]:
    """Like `glance`, for a function of the pieces of one mapping ("objectives") and of what never changes.

    The result is kept by the positions that follow, until rules reach for one of these pieces.
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
    """The cache of what follows from one piece alone, by any key; None while rules may change it.

    Positions that follow share the piece, and so its cache, until one of them changes it.
    """
    if g.known is None:
        return None
    try:
        found: dict[Any, Any] = piece.remembered
    except AttributeError:
        found = piece.remembered = {}
    return found


def look(rule: Callable[..., Any], g: Any, about: tuple[Any, ...] = ()) -> Any:
    """Call a function that only reads the position, at any time, without copying borrowed pieces."""
    if g.known is not None or not g.lent:
        return rule(g, *about)
    g.read()
    try:
        return rule(g, *about)
    finally:
        g.write()
