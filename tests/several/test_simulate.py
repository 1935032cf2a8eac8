"""The simulation of a cluster adds up: the work done, who waits for whom, and what many processes cost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.simulate import CLUSTERS, SECONDS, Cluster, Core, Figures, Run, World

ONE = Cluster("one table", 1, 1, 1, 1.0, players=1, watchers=0)


def test_work_is_done_one_after_the_other_and_the_urgent_first():
    world, done = World(), []
    core = Core(world)
    for urgency, name in ((2, "a"), (2, "b"), (0, "c")):
        core.do(urgency, 10, lambda name=name: done.append((name, world.now)))
    world.run(1000)
    assert done == [("a", 10), ("c", 20), ("b", 30)]
    assert core.worked == 30


def test_a_tap_alone_takes_what_it_costs():
    run = Run(ONE, Figures(tap=10, database=5, delivery=1, look=0))
    assert len(run.answered) == pytest.approx(SECONDS, rel=0.5)
    assert min(run.answered) == 15
    assert min(run.seen) == 16
    assert run.processes[0].worked == pytest.approx(11 * len(run.answered), abs=22)


def test_a_table_whose_phones_are_spread_costs_more_than_one_that_is_kept_together():
    spread = Run(Cluster("", 8, 2, 100, 0.25), Figures())
    together = Run(Cluster("", 8, 2, 100, 0.25, is_sticky=True), Figures())
    work = [sum(core.worked for core in run.processes) / len(run.answered) for run in (spread, together)]
    assert work[0] > 1.3 * work[1]


def test_more_processes_show_a_crowd_a_board_sooner():
    waits = [max(Run(Cluster("", count, 1, 1, 0.2, watchers=20_000), Figures()).seen) for count in (2, 4, 8)]
    assert waits == sorted(waits, reverse=True)


def test_a_process_that_has_too_much_to_do_falls_behind():
    calm, busy = (
        Run(Cluster("", 1, 1, 100, rate, watchers=0), Figures(tap=10, database=1)) for rate in (0.3, 1.2)
    )
    assert max(calm.answered) < 200 < max(busy.answered)


def test_the_command_takes_figures_of_ones_own_and_refuses_others():
    def simulate(*words):
        command = [sys.executable, "-m", "tests.bench.simulate", *words]
        return subprocess.run(
            command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
        )

    told = simulate("tap=8", "database=1")
    assert told.returncode == 0, told.stderr
    assert all(cluster.name in told.stdout for cluster in CLUSTERS)
    assert "There is no figure taps." in simulate("taps=8").stderr
