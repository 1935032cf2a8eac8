"""Random taps in every mode of every game, by the rules alone: every game comes to its end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import count, groupby
from typing import Any
from unittest import mock

from games.core import Image, State, diff
from games.management.commands import fuzz
from games.management.commands.fuzz import _cases, _play_core
from tests.soak.report import Report


def _forgetting(before: State, after: State) -> tuple[Image, Image]:
    old, new = diff(before, after)
    return old, new if after.result is not None else dict(list(new.items())[1:])


BREAKS: dict[str, Callable[[], Any]] = {"forgets": lambda: mock.patch.object(fuzz, "diff", _forgetting)}
"""Broken on purpose: the images of taps lack a value, except the last of a game."""


def run(taps: int, broken: str = "") -> Report:
    """Make at least this many taps per mode, taking its numbers of seats and options by turns.

    `broken` is a key of `BREAKS`.
    """
    with BREAKS.get(broken, nullcontext)():
        return _played(taps)


def _played(taps: int) -> Report:
    report = Report()
    for (_system, mode), cases in groupby(_cases(None, None), lambda one: (one.game.slug, one.mode)):
        kinds, played = list(cases), 0
        for seed in count():
            case = kinds[seed % len(kinds)]
            try:
                played += _play_core(case, seed)
            except Exception as problem:
                report.wrong.append(f"{case}: seed {seed} broke: {problem!r}")
                break
            report.count("games")
            if played >= taps:
                break
        report.count("modes", bool(mode))
        report.count("taps", played)
    return report
