"""Memoization: what is computed once for a position (offers, who is asked, what rules count on the table).

Results are remembered while the position cannot change: during a query of the engine, and for good after
`engine.keep`. While rules change the position, only `lasting` results are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

Rule = TypeVar("Rule", bound=Callable[..., Any])

UNKNOWN = object()
"""Stands for a result that has not been computed yet."""


def once(rule: Rule) -> Rule:
    """Remember what a function of a position (and of texts or numbers) returns until the position changes.

    The result is shared: nobody may change it, and it must not be an iterator.

    @once
    def lying(g: Table, seat: str) -> dict[str, str]: ...
    """
    return _remembering(rule, _call)


def glance(rule: Rule) -> Rule:
    """Like `once`, for a function that only reads the position and returns texts and numbers, never a piece.

    Called while rules change the position, it does not make copies of borrowed pieces (`games.core.lending`).
    """
    return _remembering(rule, look)


def _remembering(rule: Rule, meanwhile: Callable[..., Any]) -> Rule:
    """A rule whose results are remembered; `meanwhile` calls it while the position may change."""
    taken = signature(rule).parameters.values()
    is_plain = all(one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty for one in taken)
    # A tap asks dozens of these, nearly all about the position alone or one thing in it: these two cases need
    # no tuple of arguments.
    makers = {1: _of_position, 2: _of_one_thing}
    make = makers.get(len(taken), _of_several) if is_plain else _of_several
    return wraps(rule)(make(rule, meanwhile))  # type: ignore[return-value]


def _of_position(rule: Rule, meanwhile: Callable[..., Any]) -> Callable[..., Any]:
    def asked(g: Any) -> Any:
        known = g.known
        if known is None:
            return meanwhile(rule, g, ())
        if rule in known:
            return known[rule]
        found = known[rule] = rule(g)
        return found

    return asked


def _of_one_thing(rule: Rule, meanwhile: Callable[..., Any]) -> Callable[..., Any]:
    def asked(g: Any, thing: Any) -> Any:
        known = g.known
        if known is None:
            return meanwhile(rule, g, (thing,))
        found = known.get(key := (rule, thing), UNKNOWN)
        if found is UNKNOWN:
            found = known[key] = rule(g, thing)
        return found

    return asked


def _of_several(rule: Rule, meanwhile: Callable[..., Any]) -> Callable[..., Any]:
    def asked(g: Any, *things: Any) -> Any:
        known = g.known
        if known is None:
            return meanwhile(rule, g, things)
        found = known.get(key := (rule, *things), UNKNOWN)
        if found is UNKNOWN:
            found = known[key] = rule(g, *things)
        return found

    return asked


def _call(rule: Callable[..., Any], g: Any, about: tuple[Any, ...]) -> Any:
    return rule(g, *about)


def lasting(mapping: str) -> Callable[[Rule], Rule]:
    """Like `glance`, for a function of the pieces of one mapping ("objectives") and of what never changes.

    Later positions keep the result until rules reach for one of these pieces.
    """

    def mark(rule: Rule) -> Rule:
        @wraps(rule)
        def looked(g: Any, *about: Any) -> Any:
            if g.known is None and not g.lends_all(mapping):
                return look(rule, g, about)
            lasts = g.lasting[mapping]
            key = (rule, *about) if about else rule
            found = lasts.get(key, UNKNOWN)
            if found is UNKNOWN:
                found = lasts[key] = look(rule, g, about)
            return found

        return looked  # type: ignore[return-value]

    return mark


def cache_of(g: Any, piece: Any) -> dict[Any, Any] | None:
    """The cache of what follows from one piece alone, by any key; None while rules may change it.

    Later positions share the piece, and so its cache, until one of them changes it.
    """
    if g.known is None:
        return None
    try:
        found: dict[Any, Any] = piece.remembered
    except AttributeError:
        found = piece.remembered = {}
    return found


def cache_of_all(g: Any, mapping: str) -> dict[Any, Any] | None:
    """The same for what follows from all pieces of one mapping ("objectives"), until one of them changes."""
    if g.known is None:
        return None
    found: dict[Any, Any] = g.lasting[mapping].setdefault(cache_of_all, {})
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
