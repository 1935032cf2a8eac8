"""Imports what `export` wrote: one match to look at, or everything to go on with, under the same codes.

A file whose name ends in .csv is a table of the cards of a later season: all of it goes into a catalogue, or
nothing.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DataError, transaction

from games import catalogue
from games.api.matches import show
from games.api.reading import read_object
from games.core import RequestRefused, Unreadable, system, usual
from games.hall import event_file as events
from games.history import file_form
from games.live.audiences import draw_event
from games.management.commands.export import END, FORMAT, FORMAT_VERSION
from games.match import match_file

MOST_BYTES = 16 * 1024 * 1024
"""The longest match that is read."""
DEEPER = 1
"""A match is nested one level deeper in a line than in a file of its own."""


class Command(BaseCommand):
    help = (
        "Import a match, which is checked by replaying every action and gets a new code and no seats, or all "
        "that `export` wrote, or a table (CSV) into the catalogue of a game. Matches and events that are "
        "here already stay; what cannot be read is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file; - for the standard input")
        parser.add_argument("--system", help="a table's game (the one that forms begin with)")
        parser.add_argument("--kind", help="a table's kind of entries (the first that the game keeps)")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Import the file; an error says how many lines were left out, or that some are missing."""
        try:
            if file.endswith(".csv"):
                self._table(Path(file), options["system"] or usual().slug, options["kind"])
                return
            with Path(file).open("rb") if file != "-" else nullcontext(sys.stdin.buffer) as opened:
                first = opened.readline()
                if f'"{FORMAT}"'.encode() in first:
                    self._all(file, chain([first], opened))
                else:
                    self._one(first + opened.read())
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from None

    def _table(self, file: Path, slug: str, kind: str | None) -> None:
        """Import a table and say what became of its rows."""
        try:
            kept = system(slug).entry_kinds
            text = file.read_text(encoding="utf-8")
            kind = kind or next(iter(kept), "")
            if kind not in kept:
                raise CommandError(f"{slug} keeps no catalogue entries{f' called {kind}' if kind else ''}.")
            imported = catalogue.import_table(slug, kind, text)
        except KeyError:
            raise CommandError(f"There is no game called {slug}.") from None
        except UnicodeError:
            raise CommandError(f"{file} cannot be read: it is not UTF-8 text.") from None
        except catalogue.BadTable as bad:
            faults = "\n".join(f"Line {number}: {line}" for number, line in bad.faults)
            raise CommandError(f"{faults}\nNothing was imported.") from None
        self.stdout.write(f"{imported.new} new, {imported.changed} changed, {imported.same} as before.")

    def _one(self, raw: bytes) -> None:
        try:
            match, is_replay = match_file.import_match(read_object(raw, MOST_BYTES, file_form.DEEPEST), show)
        except (RequestRefused, Unreadable) as refused:
            raise CommandError(str(refused.line)) from None
        self.stdout.write(f"{match.code}: {'has been here since before' if is_replay else 'is here'}.")

    def _all(self, file: str, lines: Iterable[bytes]) -> None:
        counts = Counter(self._line(number, raw) for number, raw in enumerate(lines, 1))
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
            raise CommandError(f"This is not what `export` wrote: {why}")
        self.stderr.write(f"Line {number}: {why}")
        return "bad"


def _check_head(line: dict[str, Any]) -> None:
    version = line.get("format_version")
    if line.get("format") != FORMAT or type(version) is not int or version < 1:
        raise CommandError("This is not what `export` wrote.")
    if version > FORMAT_VERSION:
        raise CommandError("A newer version of the program wrote this: bring this one up to date first.")


def _import_line(line: dict[str, Any]) -> bool:
    """Import the match, event or catalogue entry of a line; whether it was here already."""
    if "match" in line:
        return _import_match(**line)
    ((kind, what),) = line.items()
    if kind == "event":
        return events.import_event(what, draw_event)
    if kind != "catalogue_entry":
        raise ValueError(kind)
    return catalogue.import_entry(what)


@transaction.atomic
def _import_match(match: Any, table: Any) -> bool:
    """Import a match and how its table is shown; whether it was here already."""
    imported, is_known = match_file.import_match(match, show, to_play_on=True)
    if not is_known:
        match_file.show(imported, table)
    return is_known
