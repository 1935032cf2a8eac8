"""`manage.py check`: Django's own, with a sentence for a word that it does not know."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import check


class Command(check.Command):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Check everything, or only the applications with these labels."""
        for label in app_labels:
            if label not in apps.app_configs:
                raise CommandError(f"There is no application called {label}. Did you mean --{label}?")
        super().handle(*app_labels, **options)
