"""A server that is stopped ends its streams and itself at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.db import connection

from config.data.sqlite import driver
from games.live.hub import stream_token
from tests.hubs import WATCHER
from tests.live.test_stream import Stream
from tests.serving import Served
from tests.several.phones import within

ROOT = Path(__file__).parents[2]

SERVER = """
    import os, sys, threading
    import uvicorn
    from config.asgi import Connection, application

    application.hub.snapshots = lambda match, audience: (1, "board")
    config = uvicorn.Config(application, port=0, log_level="warning", timeout_graceful_shutdown=30)
    server = uvicorn.Server(config)

    def say_port():
        while not server.started:
            pass
        print(server.servers[0].sockets[0].getsockname()[1], flush=True)

    threading.Thread(target=say_port, daemon=True).start()
    try:
        server.run()
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_ends_its_streams_at_once(number, tmp_path):
    """Were they not ended, the server would wait for them for half a minute."""
    environment = {**os.environ, "ROUNDTABLE_TEST": "1", "DATABASE_URL": f"sqlite:///{tmp_path}/db"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SERVER)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        port = int(process.stdout.readline())
        phones = [Stream(port, f"/live/{stream_token('M', (), WATCHER)}") for _ in range(10)]
        assert all(phone.board() for phone in phones)
        began = time.monotonic()
        process.send_signal(number)
        assert all(phone.board() is None for phone in phones)
        process.wait(timeout=5)
        assert time.monotonic() - began < 3
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file is copied")
def test_the_file_of_a_stopped_server_is_whole_by_itself(tmp_path):
    """Somebody who copies it may not know about the log next to it."""
    file, server = tmp_path / "roundtable.sqlite3", Served()
    try:
        server.start(url=f"sqlite:///{file}")
        # Its port is open before it serves: only an answer says that a stop will be an orderly one.
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as line:
            line.request("GET", "/healthz")
            line.getresponse()
        within(20, (tmp_path / "roundtable.sqlite3-shm").exists)
        with closing(driver.connect(file)) as other:
            other.execute("CREATE TABLE kept AS SELECT 'a tap' AS it")
            assert (tmp_path / "roundtable.sqlite3-wal").stat().st_size
            server.stop()
            copied = shutil.copy(file, tmp_path / "copied")
        with closing(driver.connect(copied)) as copy:
            assert copy.execute("SELECT it FROM kept").fetchall() == [("a tap",)]
    finally:
        server.close()
