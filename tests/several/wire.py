"""The wire between a server and its database, which can be cut, and held up."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from urllib.parse import urlsplit, urlunsplit


class Wire:
    """Carries bytes both ways between its own port and the database's."""

    def __init__(self, url: str) -> None:
        told = urlsplit(url)
        self.there = (told.hostname or "127.0.0.1", told.port or 5432)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        user = told.netloc.rpartition("@")[0]
        self.url = urlunsplit(told._replace(netloc=f"{user}@127.0.0.1:{self.port}"))
        self.is_cut = self.is_held = self.is_over = False
        self.ends: dict[socket.socket, socket.socket] = {}
        self.lock = threading.Lock()
        for work in (self._accept, self._carry):
            threading.Thread(target=work, daemon=True).start()

    def cut(self) -> None:
        """The database is gone: every connection breaks, and no new one succeeds."""
        self.is_cut = True
        with self.lock:
            for end in list(self.ends):
                self._drop(end)

    def mend(self) -> None:
        """The database is back, and answers."""
        self.is_cut = self.is_held = False

    def hold(self) -> None:
        """Nothing gets through, and there is no error."""
        self.is_held = True

    def close(self) -> None:
        self.is_over = True
        self.cut()
        self.door.close()

    def _accept(self) -> None:
        while not self.is_over:
            try:
                near, _address = self.door.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            far = socket.create_connection(self.there)
            with self.lock:
                self.ends[near], self.ends[far] = far, near

    def _carry(self) -> None:
        while not self.is_over:
            with self.lock:
                ends = [] if self.is_held else list(self.ends)
            if not ends:
                time.sleep(0.005)
                continue
            with selectors.DefaultSelector() as ready:
                for end in ends:
                    with contextlib.suppress(ValueError, KeyError):
                        ready.register(end, selectors.EVENT_READ)
                for key, _events in ready.select(0.005):
                    self._pass_on(key.fileobj)  # type: ignore[arg-type]

    def _pass_on(self, end: socket.socket) -> None:
        with self.lock:
            other = self.ends.get(end)
            if other is None:
                return
            try:
                data = end.recv(65536)
                if not data:
                    raise OSError
                other.sendall(data)
            except OSError:
                self._drop(end)

    def _drop(self, end: socket.socket) -> None:
        other = self.ends.pop(end, None)
        for one in (end, other):
            if one is not None:
                self.ends.pop(one, None)
                one.close()
