"""`manage.py serve`: the production server, behind a proxy that speaks TLS."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, connections

from config.data import tidying
from config.server import starting
from config.server.starting import listening_socket, serve

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Serve on a server, behind a proxy, with the limits of `play`; speaks in the log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1", help="default: this machine only, for its proxy")
        parser.add_argument("--prepare", action="store_true", help="do first what `manage.py prepare` does")
        parser.add_argument("--processes", type=int, default=1, help="one a core; needs PostgreSQL")

    def handle(self, *args: Any, host: str, port: int, processes: int, prepare: bool, **options: Any) -> None:
        if processes < 1:
            raise CommandError("At least one process must serve.")
        if processes > 1 and connection.vendor != "postgresql":
            raise CommandError(
                "Several processes need PostgreSQL, which tells each of them what the others do. "
                "Set DATABASE_URL, or leave --processes out."
            )
        # Tests start several, each with a database of its own.
        if connection.vendor == "sqlite" and not settings.TEST:
            claim(Path(connection.settings_dict["NAME"]).parent)
        if not prepare:
            starting.refuse_unready()
        listening = listening_socket(host, port)
        if prepare:
            starting.prepare()
        host, port = listening.getsockname()[:2]
        logger.info("Roundtable %s is served at %s, port %d", settings.VERSION, host, port)
        # Processes that are forked or spawned open connections of their own.
        connections.close_all()
        tidying.tidy_daily()
        serve(listening, processes)


def claim(folder: Path) -> None:
    """Become the one server of an SQLite database; a sentence if another one is running."""
    if not starting.claim(folder):
        raise CommandError(
            f"Roundtable is running with the data in {folder} already. "
            "Stop it first, or name another folder: ROUNDTABLE_DATA."
        )
