"""Random taps of every mode of every game, by the rules alone: every game comes to its end."""

from __future__ import annotations

from itertools import count, groupby

from games.management.commands.fuzz import _cases, _play_core
from tests.soak.report import Report


def run(taps: int) -> Report:
    """At least so many taps a mode, its numbers of seats and its options by turns."""
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
