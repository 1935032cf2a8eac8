"""Threads that keep their database connections as long as they live."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connections


class Pool(ThreadPoolExecutor):
    """A fixed number of threads; closing it closes their database connections too."""

    def __init__(self, threads: int, name: str) -> None:
        self.kept: list[Any] = []
        super().__init__(threads, thread_name_prefix=name, initializer=self._keep)

    def _keep(self) -> None:
        for connection in connections.all():
            # So that the thread that closes the pool may close this connection.
            connection.inc_thread_sharing()
            self.kept.append(connection)

    def close(self) -> None:
        """Wait for running work, cancel what still waits for a thread, and close the connections."""
        self.shutdown(cancel_futures=True)
        for connection in self.kept:
            connection.close()
