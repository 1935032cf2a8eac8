"""Transcripts rewritten by today's rules, for the tests of whole matches and demo tables.

A game's golden matches are in the folder `golden` of its tests. After an intended change,
`GOLDEN=rewrite make test` rewrites them, to be reviewed as a diff.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.core import State, system
from games.match import transcript
from games.match.transcript import Action

SEAT, ACTION = 6, 38
"""The widths of the columns."""


def golden(tests: str) -> pytest.MarkDecorator:
    """Each golden match of a game as the argument `path`; `tests` is a file next to their folder."""
    paths = sorted((Path(tests).parent / "golden").glob("*.txt"))
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


def assert_same_today(path: Path) -> None:
    """Assert that a golden match reads as it did, or rewrite it if that is asked for."""
    today = retell(path.read_text(encoding="utf-8"))
    if os.environ.get("GOLDEN") == "rewrite":
        path.write_text(today, encoding="utf-8")
    assert today == path.read_text(encoding="utf-8")


def last_position(path: Path) -> State:
    """The position that a transcript ends with."""
    *_others, (_action, state) = transcript.positions(path.read_text(encoding="utf-8"))
    return state


def retell(text: str) -> str:
    """The transcript as today's rules write it."""
    lines, stage = [text.splitlines()[0]], None
    for action, state in transcript.positions(text):
        if action is not None:
            lines += _action(action, state)
        if stage != (stage := _stage(state)):
            lines.append(f"= {system(state.system).summary(state)}")
    return "\n".join(lines) + "\n"


def written(action: Action) -> str:
    """An action as a transcript writes it."""
    note = f'"{action.note}"' if action.note else ""
    return " ".join(word for word in (action.path, action.action, note) if word)


def _action(action: Action, state: State) -> Iterator[str]:
    first, *others = [str(line) for line in state.lines] or [""]
    seat = max(SEAT, *(len(key) + 1 for key in state.seats))
    yield f"{action.seat:{seat}}{written(action):{ACTION - 1}} {first}".rstrip()
    yield from (f"{'':{seat + ACTION}}{line}" for line in others)


def _stage(state: State) -> tuple[object, ...]:
    """What is worth a line of its own when it changes: the round, the phase, the end."""
    phase = system(state.system).derived_facts(state, None).get("phase")
    return state.round, phase, state.result is not None
