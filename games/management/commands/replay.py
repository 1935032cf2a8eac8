"""A match from its log alone, as it is told; and whether the rules of today say the same."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.core.system import system
from games.match import board, log, replay
from games.models import Entry, Match


class Command(BaseCommand):
    help = "Rebuild a match from the images of its log and compare it with its rows."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("code", nargs="?", help="the code of a match, which is told action by action")
        parser.add_argument("--all", action="store_true", help="every match, each in one line")
        parser.add_argument("--check", action="store_true", help="run the rules of today again as well")

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay; an error if a match does not come out as its rows are, or its rules have drifted."""
        if bool(options["code"]) == options["all"]:
            raise CommandError("Name the code of a match, or --all.")
        wrong = 0
        for match in _matches(options["code"]):
            if options["code"]:
                self._tell(match)
            wrong += not self._is_whole(match)
            wrong += options["check"] and not self._is_current(match)
        if wrong:
            raise CommandError("Not every match came out as it was.")

    def _tell(self, match: Match) -> None:
        """The match as its public log reads, and how it stands in the end."""
        for entry in Entry.objects.filter(match=match).order_by("version"):
            words = " ".join(str(line) for line in log.lines_for(entry, None))
            self.stdout.write(f"{entry.version:4} {entry.seat or '-':8} {entry.action:32} {words}".rstrip())

    def _is_whole(self, match: Match) -> bool:
        try:
            position = replay.final_position(match)
        except (AttributeError, LookupError, TypeError, ValueError) as broken:
            self.stderr.write(f"{match.code}: the log cannot be replayed ({broken!r}).")
            return False
        if position != board.load(match).state:
            self.stderr.write(f"{match.code}: the log does not lead to the rows.")
            return False
        summary = system(match.system).summary(position)
        self.stdout.write(f"{match.code}: {match.version} entries lead to the rows. {summary}")
        return True

    def _is_current(self, match: Match) -> bool:
        drifts = list(replay.drifts(match))
        for drift in drifts:
            paths = ", ".join(drift.paths)
            self.stderr.write(f"{match.code} {drift.version} {drift.action}: differs today in {paths}.")
        if not drifts:
            self.stdout.write(f"{match.code}: the rules of today say the same.")
        return not drifts


def _matches(code: str | None) -> Iterable[Match]:
    if not code:
        return Match.objects.order_by("pk").iterator()
    found = Match.objects.filter(code=code.upper())
    if not found:
        raise CommandError(f"There is no table with the code {code}.")
    return found
