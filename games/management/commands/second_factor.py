"""`manage.py second_factor NAME`: say whether somebody has one; `--reset` removes it, for a lost phone."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.admin import one_time_codes


class Command(BaseCommand):
    help = "Say whether an organiser has a second factor, or take it away (--reset)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the organiser's name")
        parser.add_argument("--reset", action="store_true", help="take it away; the next log-in sets one up")

    def handle(self, *args: Any, name: str, reset: bool, **options: Any) -> None:
        users = get_user_model()
        user = users.objects.filter(**{users.USERNAME_FIELD: name}).first()
        if user is None:
            raise CommandError(f"Nobody here is called {name}.")
        has_one = one_time_codes.has_device(user)
        if reset:
            one_time_codes.remove(user)
            self.stdout.write(f"{name} sets a second factor up with the next log-in.")
        else:
            self.stdout.write(f"{name} has {'a' if has_one else 'no'} second factor.")
