"""What a cluster would carry: `python -m tests.bench.simulate`, with a queue for each process.

Every figure below was measured on one machine (`docs/scaling.md` says how); give your own by name, as in
`python -m tests.bench.simulate tap=8 delivery=0.02`. The simulation knows only queues: no slow network, no
proxy, no garbage collection.
"""

from __future__ import annotations

import heapq
import itertools
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from tests.bench import printer

SECONDS = 30.0


@dataclass(frozen=True)
class Figures:
    """Milliseconds of a core, unless a field says otherwise."""

    tap: float = 4.3
    """A tap in the process that answers it, including the boards of everybody who listens there."""
    database: float = 1.7
    """The same tap in the database."""
    render: float = 2.0
    """A board that another process renders from the rows, for one audience."""
    reading: float = 3.0
    """The same board in the database."""
    delivery: float = 0.017
    """Sending one board to one listener."""
    look: float = 0.015
    """A look at one table's rows, every two seconds, in the process; it costs the database half as much."""
    stream_kilobytes: float = 10.0
    """How much of a process's memory an open stream takes."""
    update_bytes: float = 300.0
    """What goes over the network to one listener for one tap, including packet headers."""
    core_month: float = 8.0
    """What a core with 4 GB costs per month, in euros: an assumption, not a measurement."""


class Core:
    """Something that does one piece of work after another, the most urgent first."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.waiting: list[tuple[int, int, float, Callable[[], None]]] = []
        self.is_busy = False
        self.worked = 0.0

    def do(self, urgency: int, milliseconds: float, then: Callable[[], None]) -> None:
        """Do this when its turn comes; `then` is called when it is done."""
        heapq.heappush(self.waiting, (urgency, next(self.world.numbers), milliseconds, then))
        self._next()

    def _next(self) -> None:
        if self.is_busy or not self.waiting:
            return
        _urgency, _number, milliseconds, then = heapq.heappop(self.waiting)
        self.is_busy = True
        self.worked += milliseconds

        def done() -> None:
            self.is_busy = False
            then()
            self._next()

        self.world.after(milliseconds, done)


class World:
    """The clock and what is still to happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.numbers = itertools.count()
        self.events: list[tuple[float, int, Callable[[], None]]] = []

    def after(self, milliseconds: float, do: Callable[[], None]) -> None:
        heapq.heappush(self.events, (self.now + milliseconds, next(self.numbers), do))

    def run(self, milliseconds: float) -> None:
        while self.events and self.events[0][0] <= milliseconds:
            self.now, _number, do = heapq.heappop(self.events)
            do()


@dataclass(frozen=True)
class Cluster:
    """What is simulated: tables with their taps and listeners, on a number of processes."""

    name: str
    processes: int
    database_cores: int
    tables: int
    taps_a_second: float
    """At each table."""
    players: int = 2
    watchers: int = 2
    """At each table."""
    is_sticky: bool = False
    """Whether the proxy sends all of a table's phones to one process."""


class Run:
    """A simulation of one cluster, and what came of it."""

    def __init__(self, cluster: Cluster, figures: Figures, seed: int = 1) -> None:
        self.cluster, self.figures, self.luck = cluster, figures, random.Random(seed)
        self.world = World()
        self.processes = [Core(self.world) for _process in range(cluster.processes)]
        self.database = [Core(self.world) for _core in range(cluster.database_cores)]
        self.answered: list[float] = []
        self.seen: list[float] = []
        self.newest: defaultdict[int, int] = defaultdict(int)
        for table in range(cluster.tables):
            self._seat(table)
        for core in self.processes:
            core.worked += (
                figures.look * cluster.tables * SECONDS / 2 / (cluster.processes if cluster.is_sticky else 1)
            )
        self.world.run(SECONDS * 1000)

    def _seat(self, table: int) -> None:
        """Spread a table's listeners over the processes, and schedule its first tap at a random time."""
        cluster = self.cluster
        home = self.luck.randrange(cluster.processes)
        players: defaultdict[int, int] = defaultdict(int)
        for _player in range(cluster.players):
            players[home if cluster.is_sticky else self.luck.randrange(cluster.processes)] += 1
        if cluster.is_sticky:
            watchers = {home: cluster.watchers}
        elif cluster.watchers < 50:
            watchers = defaultdict(int)
            for _watcher in range(cluster.watchers):
                watchers[self.luck.randrange(cluster.processes)] += 1
        else:
            share, rest = divmod(cluster.watchers, cluster.processes)
            watchers = {number: share + (number < rest) for number in range(cluster.processes)}
        homes = list(players)
        self._later(lambda: self._tap(table, homes, players, watchers))

    def _later(self, do: Callable[[], None]) -> None:
        self.world.after(self.luck.expovariate(self.cluster.taps_a_second) * 1000, do)

    def _tap(self, table: int, homes: list[int], players: dict[int, int], watchers: dict[int, int]) -> None:
        began, figures = self.world.now, self.figures
        process = self.luck.choice(homes)
        self.newest[table] += 1
        version = self.newest[table]

        def saved() -> None:
            self.processes[process].do(0, figures.tap, answered)

        def answered() -> None:
            self.answered.append(self.world.now - began)
            for number in {*players, *watchers}:
                self._show(
                    table,
                    version,
                    number,
                    number == process,
                    players.get(number, 0),
                    watchers.get(number, 0),
                    began,
                )

        self._in_database(0, figures.database, saved)
        self._later(lambda: self._tap(table, homes, players, watchers))

    def _show(
        self, table: int, version: int, number: int, is_own: bool, players: int, watchers: int, began: float
    ) -> None:
        """A process shows a version to its listeners, unless a newer one has overtaken it."""
        core, figures = self.processes[number], self.figures

        def send(urgency: int, count: int) -> None:
            if count and self.newest[table] == version:
                core.do(urgency, figures.delivery * count, lambda: self.seen.append(self.world.now - began))

        for urgency, count in ((1, players), (2, watchers)):
            if not count:
                continue
            if is_own:
                send(urgency, count)
            else:
                audiences = min(count, self.cluster.players if urgency == 1 else 1)
                self._in_database(
                    urgency,
                    figures.reading * audiences,
                    lambda urgency=urgency, count=count, audiences=audiences: core.do(  # type: ignore[misc]
                        urgency, figures.render * audiences, lambda: send(urgency, count)
                    ),
                )

    def _in_database(self, urgency: int, milliseconds: float, then: Callable[[], None]) -> None:
        min(self.database, key=lambda core: len(core.waiting) + core.is_busy).do(urgency, milliseconds, then)

    def tell(self) -> None:
        """Print one line on the outcome, and one on what the cluster needs."""
        cluster, figures = self.cluster, self.figures
        whole = SECONDS * 1000
        web = max(core.worked for core in self.processes) / whole
        stored = sum(core.worked for core in self.database) / whole / len(self.database)
        rate = len(self.answered) / SECONDS
        streams = cluster.tables * (cluster.players + cluster.watchers)
        print(f"\n  {cluster.name}")
        printer.line("  from a tap to its answer", self.answered)
        printer.line("  from a tap to the last of a process", self.seen)
        print(
            f"    {rate:.1f} taps/s; the busiest process works {web:.0%}, the database {stored:.0%}"
            f" of {len(self.database)} cores;"
            f" {streams / cluster.processes * figures.stream_kilobytes / 1e6:.1f} GB of streams a process;"
            f" {rate / cluster.tables * streams * figures.update_bytes * 8 / 1e9:.2f} Gbit/s;"
            f" {11 * cluster.processes} connections;"
            f" {(cluster.processes + len(self.database)) * figures.core_month:.0f} euros a month"
        )


CLUSTERS = (
    Cluster("what was measured: 1,000 watch, 1 process", 1, 1, 1, 2.0, watchers=1000),
    Cluster("a hall: 100 tables, 2 processes", 2, 1, 100, 0.25),
    Cluster("1,000 tables, 8 processes, phones anywhere", 8, 4, 1000, 0.25),
    Cluster("1,000 tables, 4 processes, tables kept together", 4, 2, 1000, 0.25, is_sticky=True),
    Cluster("a final: 10,000 watch, 2 processes", 2, 1, 1, 0.5, watchers=10_000),
    Cluster("a final: 100,000 watch, 12 processes", 12, 1, 1, 0.5, watchers=100_000),
    Cluster("a final: a million watch, 100 processes", 100, 2, 1, 0.5, watchers=1_000_000),
    Cluster("a final: a million watch, 200 processes", 200, 2, 1, 0.5, watchers=1_000_000),
)


def main() -> None:
    given = dict(word.split("=", 1) for word in sys.argv[1:])
    if unknown := given.keys() - {field.name for field in fields(Figures)}:
        sys.exit(f"There is no figure {', '.join(sorted(unknown))}.")
    figures = replace(Figures(), **{name: float(value) for name, value in given.items()})
    printer.title(f"Simulated for {SECONDS:.0f} seconds, milliseconds")
    for cluster in CLUSTERS:
        Run(cluster, figures).tell()


if __name__ == "__main__":
    main()
