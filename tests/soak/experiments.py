"""What there is to try, how much of it in long and short runs, and the table of findings."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from django.db import connection

from games.management.commands.fuzz import own_database
from tests.soak import (
    chaos,
    evening,
    faults,
    floods,
    forms,
    kills,
    moved,
    power,
    random_taps,
    requests,
    rules,
    stale,
    tournaments,
    twins,
    undoing,
    views,
)
from tests.soak.report import Report


class Experiment(NamedTuple):
    """`run` takes how much to try; `is_control` marks one that is broken on purpose and must be caught."""

    run: Callable[[int], Report]
    full: int
    short: int
    """How much to try in a short run; 0: only in long runs."""
    tried: tuple[str, ...] = ("taps confirmed",)
    """Figures that must not be 0."""
    databases: tuple[str, ...] = ("sqlite", "postgresql")
    is_control: bool = False

    @property
    def why_not(self) -> str:
        """Why it cannot be tried here; "" if it can."""
        return "" if connection.vendor in self.databases else f"about {' and '.join(self.databases)} alone"


ALL = {
    "kills": Experiment(kills.run, 500, 3),
    "kills-slow": Experiment(partial(kills.run, variant="slow"), 100, 2, databases=("sqlite",)),
    "kills-early": Experiment(partial(kills.run, variant="early"), 10, 0, is_control=True),
    "power": Experiment(power.run, 20_000, 100, databases=("sqlite",)),
    "power-older": Experiment(partial(power.run, journal="older"), 20_000, 0, databases=("sqlite",)),
    "power-journal": Experiment(
        partial(power.run, journal="unsynced journal"), 1000, 80, is_control=True, databases=("sqlite",)
    ),
    "chaos": Experiment(chaos.run, 10_000, 100, tried=("accepted", "repeated", "refused")),
    "chaos-twice": Experiment(partial(chaos.run, broken="twice"), 500, 0, tried=(), is_control=True),
    "chaos-late": Experiment(partial(chaos.run, broken="late"), 500, 0, tried=(), is_control=True),
    "taps": Experiment(random_taps.run, 1_000_000, 100, ("modes", "taps"), ("sqlite",)),
    "taps-forgets": Experiment(
        partial(random_taps.run, broken="forgets"), 100, 100, (), ("sqlite",), is_control=True
    ),
    "stale": Experiment(stale.run, 400, 4, ("taps", "phones")),
    "stale-deaf": Experiment(partial(stale.run, broken="deaf"), 2, 0, (), is_control=True),
    "twins": Experiment(twins.run, 6, 0, ("looks", "pairs", "frames"), ("sqlite",)),
    "twins-leak": Experiment(partial(twins.run, broken="leak"), 6, 0, (), ("sqlite",), True),
    "rules": Experiment(rules.run, 5000, 6, ("modes", "taps mirrored", "wrong taps"), ("sqlite",)),
    **{
        f"rules-{broken}": Experiment(partial(rules.run, broken=broken), 20, 3, (), ("sqlite",), True)
        for broken in (*rules.UNFAIR, *rules.LAX)
    },
    "requests": Experiment(requests.run, 20_000, 60, ("answered", "refused")),
    "requests-lax": Experiment(partial(requests.run, broken="lax"), 300, 200, (), ("sqlite",), True),
    "forms": Experiment(forms.run, 5000, 10, ("answered", "refused", "pages")),
    "forms-lax": Experiment(partial(forms.run, broken="lax"), 500, 0, (), ("sqlite",), True),
    "undo": Experiment(undoing.run, 3000, 30, ("taps", "corrections", "edits", "armies", "draws")),
    "undo-forgets": Experiment(partial(undoing.run, broken="forgets"), 20, 3, (), is_control=True),
    "undo-draws": Experiment(partial(undoing.run, broken="draws"), 100, 0, (), is_control=True),
    "moved": Experiment(moved.run, 1500, 14, ("matches", "sealed", "requests open", "guests", "ends")),
    "moved-masks": Experiment(partial(moved.run, broken="masks"), 30, 0, (), is_control=True),
    "moved-forgets": Experiment(partial(moved.run, broken="forgets"), 10, 2, (), is_control=True),
    "views": Experiment(views.run, 2000, 16, ("places", "boards", "pages")),
    "views-missing": Experiment(partial(views.run, broken="missing"), 20, 2, (), is_control=True),
    "views-leak": Experiment(partial(views.run, broken="leak"), 100, 0, (), is_control=True),
    "events": Experiment(tournaments.run, 1000, 6, ("actions", "refused", "undone", "tables over")),
    "evening": Experiment(evening.run, 64, 10, ("incidents",)),
    "events-counts": Experiment(partial(tournaments.run, broken="counts"), 6, 1, (), is_control=True),
    "events-forgets": Experiment(partial(tournaments.run, broken="forgets"), 6, 1, (), is_control=True),
    "events-deaf": Experiment(partial(tournaments.run, broken="deaf"), 6, 1, (), is_control=True),
    "faults": Experiment(faults.run, 100, 2, tried=("taps confirmed", "taps refused", "saved all the same")),
    "faults-sure": Experiment(partial(faults.run, broken="sure"), 1, 1, (), is_control=True),
    "floods": Experiment(floods.run, 5, 0, ("taps confirmed", "attacks"), ("sqlite",)),
    "power-log": Experiment(
        partial(power.run, journal="unsynced log"), 1000, 0, is_control=True, databases=("sqlite",)
    ),
}


def table(names: list[str], *, is_short: bool, is_first: bool) -> int:
    """Print a line for each experiment; returns how many did not come out as they must."""
    bad = 0
    if is_first:
        print(f"{'experiment':16}{'database':12}{'seconds':>8}  {'':7}found", flush=True)
    with own_database():
        for name in names or ALL:
            one = ALL[name]
            if is_short and not one.short:
                continue
            if one.why_not:
                print(f"{name:16}{connection.vendor:12}{'':8}  {one.why_not}", flush=True)
            else:
                bad += not line(name, one, one.short if is_short else one.full)
    return bad


def line(name: str, one: Experiment, size: int) -> bool:
    """Try it, and print what was found; returns whether that is as it must be."""
    began = time.monotonic()
    report = one.run(size)
    seconds = time.monotonic() - began
    is_well = bool(report.wrong) == one.is_control
    verdict = ("caught" if one.is_control else "well") if is_well else "NOT SO"
    print(f"{name:16}{connection.vendor:12}{seconds:8,.0f}  {verdict:7}{report}", flush=True)
    print("".join(f"    {row}\n" for row in report.lines), end="", flush=True)
    if not is_well:
        print("".join(f"    {sentence}\n" for sentence in report.wrong[:10]), end="", flush=True)
    return is_well
