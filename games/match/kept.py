"""The position of the last commit, kept in the process: a tap reads no piece that it has just written.

What is kept belongs to one commit, told by the version and the fingerprint of the log that stand in the
match's row. That row is read in every transaction that acts, so an action of another process, an
organiser's edit or a restored backup is never answered from here: its row tells of another log, and the
pieces are read anew.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from games.core import engine
from games.core.catalogue import NONE
from games.core.state import State
from games.match.storage import LoadedMatch
from games.models import Match

MOST = 256
"""Tables whose positions are kept: those that were tapped last. One takes about a tenth of a megabyte."""


class _Commit(NamedTuple):
    version: int
    chain: str
    state: State
    ids: dict[str, dict[str, int]]


_commits: OrderedDict[str, _Commit] = OrderedDict()
_lock = Lock()


def keep(loaded: LoadedMatch) -> None:
    """Remember a position that was just committed."""
    match = loaded.match
    commit = _Commit(match.version, match.chain, engine.keep(loaded.state), loaded.ids)
    with _lock:
        _commits[match.code] = commit
        _commits.move_to_end(match.code)
        if len(_commits) > MOST:
            _commits.popitem(last=False)


def recall(match: Match) -> LoadedMatch | None:
    """The match of a row as it was committed here; None where another commit, or none, is known."""
    commit = _commits.get(match.code)
    if commit is None or (commit.version, commit.chain) != (match.version, match.chain):
        return None
    # A position of its own that borrows every piece: an action copies those that it changes.
    state = commit.state.copy()
    state.entries = NONE
    return LoadedMatch(match, engine.keep(state), {kind: dict(ids) for kind, ids in commit.ids.items()})
