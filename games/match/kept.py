"""The position of the last commit, kept in the process: the next tap need not read the pieces again.

A kept position belongs to one commit, known by the version and the log's fingerprint in the match's row.
Every transaction that acts reads that row, so after an action of another process, an organiser's edit or a
restored backup nothing stale is used: the row names another log, and the pieces are read again. A match that
was deleted and comes back as a file has the same code and the same log, but other rows.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from games.core import engine
from games.core.state import NONE, State
from games.match.storage import LoadedMatch
from games.models import Match

MOST = 256
"""How many positions are kept: those of the tables tapped last, about a tenth of a megabyte each."""


class Commit(NamedTuple):
    """A commit of this process: its match, version and fingerprint, and the position that it left."""

    match: int
    version: int
    chain: str
    state: State
    ids: dict[str, dict[str, int]]


_commits: OrderedDict[str, Commit] = OrderedDict()
_lock = Lock()


def keep(loaded: LoadedMatch) -> None:
    """Remember a position that was just committed; not one in which something secret was altered."""
    match = loaded.match
    if loaded.altered:
        return
    commit = Commit(match.pk, match.version, match.chain, engine.keep(loaded.state), loaded.ids)
    with _lock:
        _commits[match.code] = commit
        _commits.move_to_end(match.code)
        if len(_commits) > MOST:
            _commits.popitem(last=False)


def latest(match: Match) -> Commit | None:
    """The last commit that this process made to the match of a row; others may have come after it."""
    commit = _commits.get(match.code)
    return commit if commit is not None and commit.match == match.pk else None


def recall(match: Match) -> LoadedMatch | None:
    """The match of a row as it was committed here; None if another commit, or none, is kept."""
    commit = latest(match)
    if commit is None or (commit.version, commit.chain) != (match.version, match.chain):
        return None
    if commit.state.seed != match.seed:
        return None
    # A position of its own with the same pieces: an action changes copies.
    state = commit.state.copy(())
    state.entries = NONE
    return LoadedMatch(match, engine.keep(state), {kind: dict(ids) for kind, ids in commit.ids.items()})
