"""Imports a file from export_all: events, matches to play on under their codes, and catalogue entries."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DataError, transaction

from games import catalogue
from games.api.positions import show
from games.api.reading import read_object
from games.core import RequestRefused, Unreadable
from games.hall import event_file as events
from games.history import file_form
from games.live.audiences import look_at_event
from games.management.commands.export_all import END, FORMAT, FORMAT_VERSION
from games.management.commands.import_match import MOST_BYTES
from games.match import match_file

DEEPER = 1
"""A match is nested one level deeper in a line than in a file of its own."""


class Command(BaseCommand):
    help = (
        "Import everything that export_all wrote. What is here already stays; what cannot be read is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("file", type=Path, help="the file")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Import line by line; an error says how many lines were left out, or that some are missing."""
        counts: Counter[str] = Counter()
        try:
            with file.open("rb") as opened:
                for number, raw in enumerate(opened, 1):
                    counts[self._line(number, raw)] += 1
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from None
        if not counts:
            raise CommandError(f"{file} is empty.")
        self.stdout.write(f"{counts['new']} are here now, {counts['known']} were here before.")
        if counts["bad"]:
            raise CommandError(f"{counts['bad']} lines were left out.")
        if not counts["end"]:
            raise CommandError(f"{file} was cut off, or lines of it are missing.")

    def _line(self, number: int, raw: bytes) -> str:
        """Import a line; what it was: "head", "new", "known", "bad", or "end".

        With any other word ("too early an end") the file counts as having no end.
        """
        try:
            line = read_object(raw, MOST_BYTES, file_form.DEEPEST + DEEPER)
            if number == 1:
                _check_head(line)
                return "head"
            if END in line:
                return "end" if int(line[END]) <= number - 2 else "too early an end"
            return "known" if _import_line(line) else "new"
        except (RequestRefused, Unreadable) as refused:
            why = str(refused.line)
        except (AttributeError, DataError, LookupError, TypeError, ValueError):
            why = "This is neither a match, nor an event, nor a catalogue entry."
        if number == 1:
            raise CommandError(f"This is not what export_all wrote: {why}")
        self.stderr.write(f"Line {number}: {why}")
        return "bad"


def _check_head(line: dict[str, Any]) -> None:
    version = line.get("format_version")
    if line.get("format") != FORMAT or type(version) is not int or version < 1:
        raise CommandError("This is not what export_all wrote.")
    if version > FORMAT_VERSION:
        raise CommandError("A newer version of the program wrote this: bring this one up to date first.")


def _import_line(line: dict[str, Any]) -> bool:
    """Import the match, event or catalogue entry of a line; whether it was here already."""
    if "match" in line:
        return _import_match(**line)
    ((kind, what),) = line.items()
    if kind == "event":
        return events.import_event(what, look_at_event)
    if kind != "catalogue_entry":
        raise ValueError(kind)
    return catalogue.import_entry(what)


@transaction.atomic
def _import_match(match: Any, table: Any) -> bool:
    """Import a match and how its table is shown; whether it was here already."""
    found, is_known = match_file.import_match(match, show, to_play_on=True)
    if not is_known:
        match_file.show(found, table)
    return is_known
