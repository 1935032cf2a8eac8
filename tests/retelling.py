"""Transcripts told anew by the rules of today, for the tests of whole matches and demo tables."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.state import State
from games.core.system import system
from games.match import transcript
from games.match.transcript import Action

SEAT, ACTION = 6, 38
"""The widths of the columns."""


def retell(text: str) -> str:
    """The transcript as the rules of today tell it."""
    lines, stage = [text.splitlines()[0]], None
    for told, state in transcript.positions(text):
        if told is not None:
            lines += _action(told, state)
        if stage != (stage := _stage(state)):
            lines.append(f"= {system(state.system).summary(state)}")
    return "\n".join(lines) + "\n"


def written(told: Action) -> str:
    """An action as a transcript writes it."""
    note = f'"{told.note}"' if told.note else ""
    return " ".join(word for word in (told.path, told.action, note) if word)


def _action(told: Action, state: State) -> Iterator[str]:
    first, *others = [str(line) for line in state.lines] or [""]
    seat = max(SEAT, *(len(key) + 1 for key in state.seats))
    yield f"{told.seat:{seat}}{written(told):{ACTION - 1}} {first}".rstrip()
    yield from (f"{'':{seat + ACTION}}{line}" for line in others)


def _stage(state: State) -> tuple[object, ...]:
    """What is worth a line of its own when it changes: the round, the phase, the end."""
    phase = system(state.system).derived_facts(state, None).get("phase")
    return state.round, phase, state.result is not None
