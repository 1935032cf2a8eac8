"""A server in its own process, on the tests' database, which can be stopped and killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection

ROOT = Path(__file__).parents[1]


def free_port() -> int:
    """A port of this computer that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def answers(port: int) -> bool:
    """Whether anybody listens on a port of this computer."""
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0


class Served:
    """The real server on one port, however often it is restarted."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str, url: str = "") -> Served:
        """Start it, and wait until it answers."""
        environment = {**os.environ, "ROUNDTABLE_TEST": "1", "DATABASE_URL": url or database_url()}
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), *options]
        self.process = process = subprocess.Popen(command, cwd=ROOT, env=environment)
        self.wait_for_answers(lambda: process.poll() is None)
        return self

    def wait_for_answers(self, is_alive: Callable[[], bool]) -> None:
        """Wait until it answers; fails if it ends before that, or takes too long."""
        deadline = time.monotonic() + 90
        while not answers(self.port):
            assert is_alive(), "the server did not start"
            assert time.monotonic() < deadline, "the server did not start in time"
            time.sleep(0.02)

    def kill(self) -> None:
        """End it in the middle of whatever it is doing, as a power switch would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> float:
        """Ask it to end, and wait until it has; returns how many seconds that took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(timeout=20)
        return time.monotonic() - began

    def close(self) -> None:
        """Leave nothing behind, whatever state it is in."""
        if self.process is not None and self.process.poll() is None:
            self.kill()


def database_url() -> str:
    """The address of the tests' own database, for another process."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    return f"postgres://{told['USER']}:{told['PASSWORD']}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
