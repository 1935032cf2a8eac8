"""The numbers of this process for Prometheus: what they are called and what they count.

No label holds a name, a code, an address or anything else that people have typed. If several processes serve,
the library adds up their numbers in the folder that `PROMETHEUS_MULTIPROC_DIR` names.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

registry = CollectorRegistry()

ACTIONS = Counter(
    "roundtable_actions",
    "What was asked of tables, by kind (tap, undo …) and outcome (done, repeated, why refused)",
    ("kind", "outcome"),
    registry=registry,
)
ANSWERS = Histogram(
    "roundtable_answer_seconds",
    "Time from the whole request to its answer, by page and class of status",
    ("page", "status"),
    buckets=SECONDS,
    registry=registry,
)
WAITS = Histogram(
    "roundtable_thread_wait_seconds",
    "Time that a whole request waited for a thread",
    buckets=SECONDS,
    registry=registry,
)
REFUSALS = Counter(
    "roundtable_refusals", "Requests that were refused, by status", ("status",), registry=registry
)
STREAMS = Gauge(
    "roundtable_streams",
    "Open streams, by who listens (player, spectator)",
    ("listener",),
    registry=registry,
    multiprocess_mode="livesum",
)
FRAMES = Counter("roundtable_frames", "Boards handed to streams", registry=registry)
DRAWN = Histogram(
    "roundtable_draw_seconds",
    "Time to draw a board for one audience of the streams",
    buckets=SECONDS,
    registry=registry,
)


def count_refusal(status: int) -> None:
    """Count a refusal, wherever it was made."""
    REFUSALS.labels(str(status)).inc()


def streams(seats: Collection[str]) -> Gauge:
    """The gauge of players' streams, or of spectators', who have no seats."""
    return _streams("player" if seats else "spectator")


@cache
def _streams(listener: str) -> Gauge:
    return STREAMS.labels(listener)


def exposition() -> bytes:
    """All numbers in Prometheus' text format; those of all processes if several serve."""
    if not os.environ.get(FOLDER):
        return generate_latest(registry)
    _forget_the_dead(Path(os.environ[FOLDER]))
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return generate_latest(together)


def _forget_the_dead(folder: Path) -> None:
    """Drop the streams of killed processes; what they have counted stays."""
    for file in folder.glob("gauge_live*_*.db"):
        number = int(file.stem.rpartition("_")[2])
        try:
            os.kill(number, 0)
        except (ProcessLookupError, PermissionError):  # Gone, or somebody else's process by now.
            mark_process_dead(number)
