"""What if: a practice table that goes on from a moment of another match, which is only read.

It begins with public knowledge. If a seat keeps something sealed at that moment, the table begins at the last
moment before it was sealed, and the seat is asked again. Hidden values dealt at random from public ones
(`dealt`, such as a hand) are dealt again. Once a match is over, what it has revealed is no secret. The new
table has its own seed and no players' names.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import transaction

from games import catalogue
from games.core import engine
from games.core.diff import ABSENT
from games.core.state import State
from games.core.system import system
from games.core.words import gettext_noop as _
from games.core.words import say
from games.history.verdict import RequestRefused
from games.match import committing, moments, play, storage
from games.match.match_file import still_hidden
from games.models import Entry, Match


def beginning(match: Match, state: State, version: int) -> int:
    """The version at which a practice table begins that continues from `version` (position `state`).

    0 if there is none: the match is over at `version`, or something was sealed from the beginning.
    """
    if state.result is not None:
        return 0
    return _before_sealing(match, version) if is_sealed(match, state) else version


def is_sealed(match: Match, state: State) -> bool:
    """Whether a position of a match holds sealed values that a practice table must not copy."""
    hidden = still_hidden(state)
    return bool(hidden) and any(map(_secret(match), hidden))


@transaction.atomic
def open_practice(match: Match, version: int, opened_from: str = "") -> Match:
    """A practice table that goes on from a version; `RequestRefused` (409) if none can.

    `opened_from` is a hash of the opener's address.
    """
    # Nobody taps while it is read.
    match = committing.lock_match(match.code)
    state = moments.position(match, version)
    start = beginning(match, state, version)
    if not start:
        raise RequestRefused(say(_("There is nothing to play on with. Choose another entry.")), 409, "over")
    if start != version:
        state = moments.position(match, start)
    new = Match(is_listed=False, is_practice=True, opened_from=opened_from)
    line = _("Practice: it goes on from entry %(version)s of table %(code)s.")
    return play.create_match(new, _unplayed(state), say(line, version=start, code=match.code))


def _unplayed(state: State) -> State:
    """A copy of a position to begin a new match with: no names, a new seed, no draws so far."""
    g = state.copy()
    g.own()
    g.seed, g.drawn = secrets.token_hex(16), 0
    for army in g.armies.values():
        army.name = ""
    g.scores = {key: replace(score, author="") for key, score in g.scores.items()}
    g.entries = catalogue.current(g.system)
    system(g.system).redeal(g)
    try:
        engine.settle(g)
    except Exception as error:
        line = say(_("The rules cannot continue from there. Nothing was changed."))
        raise RequestRefused(line, 409, "impossible") from error
    return g


Secret = Callable[[tuple[str, str]], bool]
"""Whether a hidden value, given by seat and name, must stay secret."""


def _secret(match: Match) -> Secret:
    """Which hidden values are secret: not those dealt again; after the end, only those still hidden."""
    dealt = system(match.system).dealt
    kept = still_hidden(storage.current(match).state) if match.result is not None else None
    return lambda hidden: hidden[1] not in dealt and (kept is None or hidden in kept)


def _before_sealing(match: Match, version: int) -> int:
    """The last version, up to this one, at which nothing secret was sealed; 0 for none."""
    secret = _secret(match)
    sealed: set[tuple[str, str]] = set()
    found = 0
    entries = Entry.objects.filter(match=match, version__lte=version).exclude(sealed={}).order_by("version")
    for at, parts in entries.values_list("version", "sealed"):
        if not any(map(secret, sealed)):
            found = at - 1
        for seat, part in parts.items():
            for path, value in part.get("after", {}).items():
                sealed = _with(sealed, seat, path, value)
    return found


def _with(sealed: set[tuple[str, str]], seat: str, path: str, value: Any) -> set[tuple[str, str]]:
    """The seats and names that are sealed after a value of a sealed image: of one name, or a whole army."""
    name = path.partition("/hidden/")[2]
    if not name:
        return sealed | {(seat, each) for each in (value or {}).get("hidden", {})}
    return sealed - {(seat, name)} if value == ABSENT else sealed | {(seat, name)}
