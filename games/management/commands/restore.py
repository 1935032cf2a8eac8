"""`manage.py restore`: replace what this server keeps with a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.data import backups
from games.hall.models import Event
from games.models import CatalogueEntry, Match


class Command(BaseCommand):
    help = "Bring a backup back in place of what this server keeps, which is saved first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--yes", action="store_true", help="replace the tables that are here")

    def handle(self, *args: Any, file: Path, yes: bool, **options: Any) -> None:
        try:
            # What cannot be brought back costs this server nothing, not even a backup of its own.
            with backups.looked_at(file) as backup:
                about = self._bring(backup, yes)
        except backups.Unusable as refused:
            raise CommandError(f"{refused} Nothing was changed.") from None
        # The backup may come from an earlier version.
        call_command("migrate", verbosity=0, interactive=False)
        self.stdout.write(f"{Match.objects.count()} tables are back as they were at {about['at']}.")
        # Again: what was shown meanwhile may have been only half of it.
        is_told = backups.tell_servers()
        if not is_told:
            self.stdout.write("A server that is running could not be told: start it again.")
        elif about.get("is_another_key"):
            self.stdout.write("A server that is running has another key: start it again.")
        else:
            self.stdout.write("A server that is running shows them in some seconds; its phones reload.")

    def _bring(self, backup: backups.Backup, yes: bool) -> dict[str, Any]:
        call_command("migrate", verbosity=0, interactive=False)
        if here := _here():
            if not yes:
                raise CommandError(f"This server keeps {here}. Give --yes to replace them.")
            self.stdout.write(f"What was here is saved in {backups.save(backups.folder())}.")
        return backups.bring(backup)


def _here() -> str:
    """What people have made on this server, in words; "" for nothing."""
    counts = {
        "tables": Match.objects.count(),
        "events": Event.objects.count(),
        "changed catalogue entries": CatalogueEntry.objects.filter(version__gt=0).count(),
    }
    return ", ".join(f"{count} {of}" for of, count in counts.items() if count)
