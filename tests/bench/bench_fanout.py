"""From a published version to the last byte on every phone: the hub beside a bare fan-out."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("ROUNDTABLE_TEST", "1")

import uvloop  # noqa: E402 - the path comes first

from games.live.hub import stream_token  # noqa: E402
from tests.bench import printer  # noqa: E402
from tests.bench.listeners import Phones  # noqa: E402
from tests.hubs import WATCHER  # noqa: E402

SIZE = 16_000
ROUNDS = 40
PAUSE = 0.05
CROWDS = (1, 100, 1000)


class Server:
    """A server process that publishes when it is told to."""

    def __init__(self, module: str) -> None:
        environment = {**os.environ, "ROUNDTABLE_STREAMS_PER_ADDRESS": "5000", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"tests.bench.{module}"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(self._answer())

    def publish(self, version: int) -> float:
        """The moment at which the server began."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{version} {SIZE}\n")
        self.process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def resident(self) -> int:
        """Kilobytes of memory."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


class Figures(NamedTuple):
    """Milliseconds from publishing to each arrival, and the kilobytes that each phone costs the server."""

    watchers: list[float]
    player: list[float]
    memory: float


async def measure(module: str, count: int) -> Figures:
    """A crowd of spectators and, with them, one player."""
    server = Server(module)
    try:
        crowd, player, before = Phones(server.port), Phones(server.port), server.resident()
        # A seat's token must be younger than the server, to the second.
        await asyncio.sleep(1)
        await crowd.join(count, f"/live/{stream_token('M', (), WATCHER)}")
        await player.join(1, f"/live/{stream_token('M', (('red', 1),), WATCHER)}")
        await asyncio.sleep(0.3)
        figures = Figures([], [], (server.resident() - before) / count)
        for version in range(1, ROUNDS + 1):
            began = await asyncio.to_thread(server.publish, version)
            for phones, expected, taken in ((crowd, count, figures.watchers), (player, 1, figures.player)):
                taken += [(moment - began) * 1000 for moment in await phones.have(version, expected)]
            await asyncio.sleep(PAUSE)
        for phones in (crowd, player):
            phones.close()
        await asyncio.sleep(0.3)
        return figures
    finally:
        server.stop()


async def main() -> None:
    printer.title(f"A version of {SIZE:,} bytes on every phone, milliseconds")
    for count in CROWDS:
        floor = await measure("floor", count)
        served = await measure("served", count)
        printer.line(f"bare fan-out, {count} watching", floor.watchers)
        printer.line(f"the hub, {count} watching", served.watchers, floor.watchers)
        printer.line(f"the hub, a player beside {count}", served.player, floor.player)
    printer.figure("memory a stream", served.memory, "KB")


if __name__ == "__main__":
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    uvloop.run(main())
