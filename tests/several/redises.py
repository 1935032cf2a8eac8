"""The tests' own Redis, which can be killed and started again."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.serving import answers, free_port
from tests.trust.sockets import until

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")


class RedisServer:
    """A Redis on its own port, which keeps nothing."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = tempfile.TemporaryDirectory(prefix="roundtable-redis-")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> RedisServer:
        assert PROGRAM
        told = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder.name]
        with (Path(self.folder.name) / "log").open("ab") as log:
            self.process = subprocess.Popen([PROGRAM, *told], stdout=log, stderr=log)
        until(lambda: answers(self.port), 20)
        return self

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        self.kill()
        self.folder.cleanup()
