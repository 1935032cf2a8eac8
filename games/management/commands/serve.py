"""`manage.py serve`: the production server, behind a proxy that speaks TLS."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.server import open_door, serve


class Command(BaseCommand):
    help = "Serve with the same options and limits as `play`; prepares nothing and prints nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1", help="default: this machine only, for its proxy")
        parser.add_argument("--processes", type=int, default=1, help="one a core; needs PostgreSQL")

    def handle(self, *args: Any, host: str, port: int, processes: int, **options: Any) -> None:
        if processes < 1:
            raise CommandError("At least one process must serve.")
        if processes > 1 and connection.vendor != "postgresql":
            raise CommandError(
                "Several processes need PostgreSQL, which tells each of them what the others do. "
                "Set DATABASE_URL, or leave --processes out."
            )
        serve(open_door(host, port), processes)
