"""`manage.py prepare`: make a server ready to serve this version of the program."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.server import starting


class Command(BaseCommand):
    help = "Bring the database up to date, plant catalogues, and make the static files ready."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--static-only", action="store_true", help="leave the database alone")

    def handle(self, *args: Any, static_only: bool, **options: Any) -> None:
        made = starting.build_static() if static_only else starting.prepare()
        self.stdout.write("Static files are ready." if made else "Static files were ready.")
