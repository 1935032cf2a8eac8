"""How the program is made ready and served: its files, the one server of a data folder, sockets, uvicorn."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import socket
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import uvicorn
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import CommandError
from uvicorn.supervisors import Multiprocess

from config.https.certificates import Encryption
from config.https.doors import EncryptedServer, PlainApplication
from games.monitoring import measures
from games.webhooks import worker


def prepare() -> bool:
    """Bring the database up to date and plant what a new one needs; whether static files had changed."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("plant", verbosity=0)
    return build_static()


def build_static() -> bool:
    """Collect, hash and compress the static files if they have changed; whether there was anything to do."""
    folder = Path(settings.STATIC_ROOT or "")
    if is_ready(folder):
        return False
    try:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
        (folder / STAMP).write_text(source_digest())
    except OSError as problem:
        sentence = f"The static files cannot be written to {folder}: {problem.strerror}. "
        raise CommandError(sentence + "ROUNDTABLE_STATIC names another folder.") from problem
    return True


def refuse_unready() -> None:
    """Refuse to serve pages whose styles and scripts are not there: each page would be a fault."""
    folder = settings.STATIC_ROOT
    if folder is not None and not is_ready(Path(folder)):
        raise CommandError(
            f"The static files in {folder} are not those of this version, or cannot be read. "
            "`manage.py prepare` makes them ready; ROUNDTABLE_STATIC names another folder."
        )


STAMP = ".sources"


def is_ready(folder: Path) -> bool:
    """Whether a folder can be read and has the static files of exactly this program."""
    try:
        stamp = (folder / STAMP).read_text()
    except OSError:
        return False
    return stamp == source_digest()


def source_digest() -> str:
    """A digest that changes whenever a static file does, and not when it is copied."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda entry: entry[0]):
            with storage.open(path) as file:
                digest.update(f"{path} {hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return digest.hexdigest()


_held: list[sqlite3.Connection] = []


def claim(folder: Path) -> bool:
    """Become the one server of this folder until this process ends; False where another one is running."""
    try:
        connection = sqlite3.connect(folder / "serving.sqlite3", timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            return False
        raise CommandError(
            f"The folder {folder.absolute()} cannot be written ({problem}). "
            "Choose another one: ROUNDTABLE_DATA names it, unless DATABASE_URL does."
        ) from problem
    _held.append(connection)
    return True


def remember(folder: Path, url: str) -> None:
    """Write down where this server's page is, for a second start to find; only its owner can read it."""
    file = folder / "serving"
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(url, encoding="utf-8")


def where(folder: Path) -> str:
    """The address that this folder's server wrote down; "" for none."""
    file = folder / "serving"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


FIRST_PORT, FIRST_SECURE_PORT, PORTS = 8000, 8443, 20
SEND_BUFFER = 256 * 1024
"""Bytes the system may hold for a phone that does not read; more would hide from the hub that it has gone."""
HUNG_SECONDS = 30
"""How long one of several processes may leave the one that started it unanswered before it is replaced."""
BACKLOG = 8192
"""Connections that may wait to be accepted; the system has a limit of its own (on Linux usually 4096).

A phone that finds no place waits a whole second, and after a restart a whole hall comes back at once.
"""
UNANSWERED_MILLISECONDS = 20_000
"""How long a phone may fail to acknowledge what it was sent before its connection is given up."""


def listening_socket(host: str, port: int | None, first: int = FIRST_PORT) -> socket.socket:
    """A listening socket at the port asked for, or at the first free one from `first`; a sentence if none."""
    ports = range(first, first + PORTS) if port is None else [port]
    for candidate in ports:
        try:
            return listen(host, candidate)
        except (PermissionError, OverflowError) as problem:
            raise CommandError(f"Port {candidate} may not be used. Choose one above 1023.") from problem
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE:
                sentence = f"Cannot listen on {host}: it is no address of this computer."
                raise CommandError(sentence) from problem
    if port is not None:
        raise CommandError(f"Port {port} is in use. Choose another one with --port.")
    raise CommandError(f"The ports {first} to {first + PORTS - 1} are all in use. Choose one with --port.")


def listen(host: str, port: int) -> socket.socket:
    """A socket that phones can connect to, and that soon notices when one is gone."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # All addresses of this computer: those of phones without IPv6, too.
    is_both = host == "::" and socket.has_dualstack_ipv6()
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=is_both)
    # Accepted connections inherit both: a phone out of reach is noticed in seconds, not in a quarter hour.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MILLISECONDS)
    return listening


def configuration(
    application: str | Any = "config.asgi:application", processes: int = 1, **encryption: Any
) -> uvicorn.Config:
    """How the program is served, here and in the tests."""
    return uvicorn.Config(
        application,
        # Imported through the application, which sets Django up: several processes each load this first.
        http="config.asgi:Connection",
        lifespan="on",
        backlog=BACKLOG,
        ws="none",
        # ROUNDTABLE_TRUSTED_PROXY_HOPS decides which proxies are believed about an address.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=2,
        workers=processes,
        timeout_worker_healthcheck=HUNG_SECONDS,
        **encryption,
    )


def serve_encrypted(listening: socket.socket, plain: socket.socket, encryption: Encryption) -> None:
    """Serve https until Ctrl-C or SIGTERM, and explain the certificate over http on the socket `plain`."""
    from config.asgi import application

    explains = encryption.signer is not None
    unencrypted = configuration(PlainApplication(application, listening.getsockname()[1], explains=explains))
    unencrypted.lifespan = "off"
    encrypted = configuration(ssl_certfile=encryption.certificate, ssl_keyfile=encryption.key)
    with worker.at_work(), contextlib.suppress(KeyboardInterrupt):
        EncryptedServer(encrypted, unencrypted, plain).run(sockets=[listening])


class Processes(Multiprocess):
    """uvicorn's processes; one that dies while it is asked is replaced at once, not treated as hung."""

    def keep_subprocess_alive(self) -> None:
        for process in self.processes:
            # While this process also has that end open, the pipe of a dead process looks merely slow.
            process.child_conn.close()
        super().keep_subprocess_alive()


def serve(listening: socket.socket, processes: int = 1) -> None:
    """Serve until Ctrl-C or SIGTERM: in this process, or in several that accept from one socket.

    One of several that dies or hangs is replaced; SIGHUP replaces them one after the other.
    """
    with worker.at_work(), contextlib.suppress(KeyboardInterrupt):
        if processes == 1:
            uvicorn.Server(configuration()).run(sockets=[listening])
            return
        # A request for the numbers reaches one of them, but wants those of all.
        with tempfile.TemporaryDirectory(prefix="roundtable-numbers-") as folder:
            os.environ[measures.FOLDER] = folder
            Processes(configuration(processes=processes), sockets=[listening]).run()
