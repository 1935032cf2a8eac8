"""`manage.py serve`: the server behind a proxy that speaks TLS, as `play` is for a laptop."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.server import open_door, serve


class Command(BaseCommand):
    help = "Serve in one process, behind a proxy that speaks TLS; migrate and collectstatic come before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--host", default="127.0.0.1", help="default: this computer alone, for its proxy")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        listening = open_door(host, port)
        self.stdout.write(f"Serving on {host}, port {listening.getsockname()[1]}.")
        self.stdout.flush()
        serve(listening)
