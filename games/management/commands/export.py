"""Writes matches, events and changed catalogue entries as open JSON with all secrets (docs/exports.md)."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.data import unfinished
from games.core import NotServed, RequestRefused
from games.hall import event_file as events
from games.hall.models import Event
from games.history.commits import CANNOT_BE_READ, UnreadableRow, reading
from games.match import match_file
from games.models import CatalogueEntry, Match

Row = TypeVar("Row", Match, Event)

FORMAT, END = "roundtable-everything", "end"
FORMAT_VERSION = 1


class Command(BaseCommand):
    help = "Write every match and event, secrets included, and every changed catalogue entry as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the file to write; none may be there yet")
        parser.add_argument("--match", metavar="CODE", help="print this match alone, as one JSON object")

    def handle(self, *args: Any, file: Path | None, match: str | None, **options: Any) -> None:
        """Write one match, or everything into a file that only its owner may read."""
        if bool(file) == bool(match):
            raise CommandError("Name the file to write, or --match with the code of one match.")
        if match:
            self.stdout.write(json.dumps(_one(match), ensure_ascii=False, indent=1))
        if file:
            self._all(file)

    def _all(self, file: Path) -> None:
        """Write the file; say how much is in it and what was left out."""
        left_out: list[str] = []
        try:
            with unfinished.named_when_whole(file) as opened:
                count = _write(opened, lines(left_out.append))
        except FileExistsError:
            raise CommandError(f"{file} cannot be written: it is there already.") from None
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem.strerror}.") from None
        self.stdout.write(f"{count} matches, events and catalogue entries are in {file}.")
        self.stdout.write(
            "It holds every secret of matches in play and of events: keep it as you keep a key."
        )
        for sentence in left_out:
            self.stderr.write(sentence)
        if left_out:
            raise CommandError(f"{len(left_out)} matches and events were left out.")


def _one(code: str) -> dict[str, Any]:
    for line in _matches(Match.objects.filter(code=code.upper()), _refuse):
        return line["match"]
    raise CommandError(f"There is no table with the code {code}.")


def _refuse(sentence: str) -> NoReturn:
    raise CommandError(sentence)


def _write(opened: TextIO, lines: Iterator[dict[str, Any]]) -> int:
    """Write the lines, then one with the number of lines between the first and itself; return that number."""
    count = -1
    for line in lines:
        opened.write(json.dumps(line, ensure_ascii=False) + "\n")
        count += 1
    opened.write(json.dumps({END: count}) + "\n")
    return count


def lines(leave_out: Callable[[str], object]) -> Iterator[dict[str, Any]]:
    """All lines of the file but the last: a heading, then each match, event and changed catalogue entry.

    `leave_out` gets a sentence for what cannot be read: its game is not installed, or somebody altered it.
    """
    yield {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "program": settings.VERSION,
        "at": timezone.now().isoformat(),
    }
    yield from _matches(each(Match), leave_out)
    yield from _events(leave_out)
    for entry in CatalogueEntry.objects.filter(version__gt=0).order_by("pk"):
        columns = {"system": entry.system, "kind": entry.kind, "slug": entry.slug, "facts": entry.facts}
        yield {"catalogue_entry": columns}


def _matches(matches: Iterable[Match], leave_out: Callable[[str], object]) -> Iterator[dict[str, Any]]:
    for match in matches:
        try:
            with reading(match):
                line = {"match": match_file.whole(match, with_secrets=True), "table": match_file.shown(match)}
            yield line
        except UnreadableRow:
            leave_out(f"{match.code}: {CANNOT_BE_READ}")
        except RequestRefused:
            continue
        except NotServed:
            leave_out(f"{match.code}: the game {match.system} is not installed here.")


def _events(leave_out: Callable[[str], object]) -> Iterator[dict[str, Any]]:
    for event in each(Event):
        try:
            with reading(event):
                line = {"event": events.export_event(event)}
            yield line
        except UnreadableRow:
            leave_out(f"{event.code}: {CANNOT_BE_READ}")
        except RequestRefused:
            continue


def each(model: type[Row], code: str = "") -> Iterator[Row]:
    """All rows, or that of a code, still there when their turn comes: an open query keeps taps waiting."""
    rows = model._default_manager
    chosen = rows.filter(code=code) if code else rows.order_by("pk")
    for number in list(chosen.values_list("pk", flat=True)):
        with suppress(model.DoesNotExist):
            yield rows.get(pk=number)
