"""`manage.py serve`: the production server, behind a proxy that speaks TLS."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.server import open_door, serve


class Command(BaseCommand):
    help = "Serve with the same options and limits as `play`; prepares nothing and prints nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1", help="default: this machine only, for its proxy")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        serve(open_door(host, port))
