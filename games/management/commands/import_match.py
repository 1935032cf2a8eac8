"""Imports a file from export_match or the API as a match to look at."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.api.positions import show
from games.api.reading import read_object
from games.core import RequestRefused, Unreadable
from games.history import file_form
from games.match import match_file

MOST_BYTES = 16 * 1024 * 1024


class Command(BaseCommand):
    help = "Import a match from a file: a new code, no seats. It is checked by replaying every action."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("file", help="the file; - for the standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file and print the new code."""
        try:
            file = read_object(_read(options["file"]), MOST_BYTES, file_form.DEEPEST)
            match, is_replay = match_file.import_match(file, show)
        except (RequestRefused, Unreadable) as refused:
            raise CommandError(str(refused.line)) from None
        self.stdout.write(f"{match.code}: {'has been here since before' if is_replay else 'is here'}.")


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as problem:
        raise CommandError(f"{name} cannot be read: {problem.strerror}.") from None
