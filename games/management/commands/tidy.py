"""`manage.py tidy`: remove old tables, the names in them and old backups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.data import backups, tidying


class Command(BaseCommand):
    help = (
        "Remove tables and events that nobody has tapped on for so many days, every name in them, backups, "
        "requests for seats and entries of the admin of that age, and sessions that have run out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=int, default=settings.KEEP_DAYS, help="instead of ROUNDTABLE_KEEP_DAYS"
        )
        parser.add_argument(
            "--folder", type=Path, default=backups.folder(), help="where the backups are (as for backup)"
        )

    def handle(self, *args: Any, days: int, folder: Path, **options: Any) -> None:
        if days < 1:
            raise CommandError("Say after how many days: --days 90, or set ROUNDTABLE_KEEP_DAYS.")
        unused = tidying.clear_unused(settings.KEEP_UNUSED_DAYS) if settings.KEEP_UNUSED_DAYS else 0
        removed = tidying.tidy(days, folder)
        self.stdout.write(
            f"Removed {unused} tables that nobody played at. "
            f"Removed what is older than {days} days: {removed.tables} tables, {removed.events} events, "
            f"{removed.requests} requests for seats, {removed.admin_entries} entries of the admin, "
            f"{removed.sessions} sessions, {removed.backups} backups."
        )
