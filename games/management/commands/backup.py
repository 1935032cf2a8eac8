"""`manage.py backup`: save everything that this server keeps in one file, while the tables go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.data import backups


class Command(BaseCommand):
    help = "Save everything that this server keeps in one file, while the tables go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--folder",
            type=Path,
            default=backups.folder(),
            help="where to (default: backups, in the folder of the data)",
        )
        parser.add_argument("--keep", type=int, default=0, help="the newest so many stay (default: all)")

    def handle(self, *args: Any, folder: Path, keep: int, **options: Any) -> None:
        try:
            file = backups.save(folder)
        except backups.Unusable as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"Everything is saved in {file} ({file.stat().st_size / 1024:,.0f} KB).")
        if gone := backups.thin(folder, keep, file):
            self.stdout.write(f"{gone} older ones are gone.")
        self.stdout.write("It unlocks every seat and secret, so keep it safe.")
