"""The tests' own PgBouncer, in front of their PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from django.db import connection

from tests.serving import answers, free_port
from tests.trust.sockets import until

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
CONFIGURATION = """
[databases]
* = host={HOST} port={PORT} user={USER}{password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 30
ignore_startup_parameters = options
"""


class Pooler:
    """A PgBouncer on its own port, which pools by "session" or by "transaction"."""

    def __init__(self, mode: str) -> None:
        self.port = free_port()
        told = connection.settings_dict
        self.url = f"postgres://{told['USER']}@127.0.0.1:{self.port}/{told['NAME']}"
        self.folder = tempfile.TemporaryDirectory(prefix="roundtable-pooler-")
        file = Path(self.folder.name) / "pgbouncer.ini"
        password = f" password={told['PASSWORD']}" if told["PASSWORD"] else ""
        file.write_text(CONFIGURATION.format(port=self.port, mode=mode, password=password, **told))
        # Like PostgreSQL it refuses to run as root.
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        Path(self.folder.name).chmod(0o755)
        self.process = subprocess.Popen([*user, str(PROGRAM), "-q", str(file)], stderr=subprocess.DEVNULL)
        until(lambda: answers(self.port), 20)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()
