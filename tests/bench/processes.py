"""What the measurements of the live path start alongside: a server, a bare loop and a crowd in C.

If there are two cores, the server gets one and the crowd the other: neither takes time from the other.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple, Self

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
SERVER_CORE, CROWD_CORE = CORES[0], CORES[-1]
TICK = os.sysconf("SC_CLK_TCK")


@cache
def compiled(name: str) -> str:
    """The path of a program whose C source is next to this file."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("The fan-out is measured with two small C programs: a C compiler (cc) is needed.")
    path = Path(tempfile.mkdtemp(prefix="roundtable-bench-")) / name
    subprocess.run([compiler, "-O2", "-o", str(path), str(HERE / f"{name}.c")], check=True)
    return str(path)


class Process:
    """A program on one core that takes orders on its input, and answers line by line."""

    def __init__(self, command: list[str], core: int) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self.process.pid, {core})

    def _pipe(self, pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe

    def say(self, line: str) -> None:
        pipe = self._pipe(self.process.stdin)
        pipe.write(line + "\n")
        pipe.flush()

    def hear(self) -> str:
        line = self._pipe(self.process.stdout).readline()
        assert line, "the program ended"
        return line.rstrip("\n")

    def resident(self) -> int:
        """Its memory in kilobytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    def worked(self) -> float:
        """Seconds of a core that it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.kill()


class Arrivals(NamedTuple):
    """When an update had reached 50, 95 and 99 per cent and the last of a group; the bytes for each."""

    half: float
    most: float
    nearly: float
    last: float
    size: float


class Crowd(Process):
    """Phones that listen on a port, in named groups."""

    def __init__(self, port: int) -> None:
        super().__init__([compiled("crowd"), str(port)], CROWD_CORE)
        self.arrivals: dict[str, list[Arrivals]] = {}

    def join(self, name: str, count: int, path: str, *, packed: bool = True) -> tuple[float, float, float]:
        """Open streams; returns when the first and the last had a board, and its bytes."""
        self.say(f"join {name} {count} {int(packed)} {path}")
        return self.joined(name)

    def joined(self, name: str) -> tuple[float, float, float]:
        """When the first and the last of a group had a board, and its bytes."""
        first, last, size = self._next(name, "joined")
        return first, last, size

    def hears(self, name: str) -> Arrivals:
        """The next update that reaches all of a group."""
        while not self.arrivals.get(name):
            self._note(self.hear())
        return self.arrivals[name].pop(0)

    def _next(self, name: str, verb: str) -> list[float]:
        while not (line := self.hear()).startswith(f"{name} {verb}"):
            self._note(line)
        return [float(word) for word in line.split()[2:]]

    def _note(self, line: str) -> None:
        name, verb, *numbers = line.split()
        if verb == "told":
            self.arrivals.setdefault(name, []).append(Arrivals(*map(float, numbers)))


class Loop(Process):
    """The floor: whole boards of a fixed size, written by a loop in C."""

    def __init__(self, size: int) -> None:
        super().__init__([compiled("loop"), str(size)], SERVER_CORE)
        self.port = int(self.hear())


class Server(Process):
    """The real server, `manage.py serve`, on the database that the environment names."""

    def __init__(self, port: int) -> None:
        self.port, self.began = port, time.monotonic()
        super().__init__([sys.executable, "manage.py", "serve", "--port", str(port)], SERVER_CORE)

    def wait(self) -> None:
        """Wait until it answers."""
        answers(self)


class Peer(Process):
    """Channels on Daphne, notified through Redis, run by an interpreter that has them."""

    def __init__(self, python: str, port: int) -> None:
        self.port = port
        super().__init__([python, "tests/bench/peer.py", str(port)], SERVER_CORE)
        answers(self)


def answers(server: Server | Peer) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + 30
    with socket.socket() as door:
        while door.connect_ex(("127.0.0.1", server.port)):
            assert server.process.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server did not start in time"
            time.sleep(0.05)
