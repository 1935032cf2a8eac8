"""Rebuilds a match from its log alone, and checks whether today's rules say the same."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.core.system import NotServed, system
from games.match import chain, damage, log, replay, storage
from games.models import Entry, Match
from games.web.database import one_moment

HOW = {
    chain.CHANGED: "the entry, or the one before it, is not what was written",
    chain.MISSING: "the entry is missing",
    chain.ADDED: "the entry was added behind the last one",
    chain.UNSEALED: "what is sealed in the entry is not what was sealed",
}


class Command(BaseCommand):
    help = "Rebuild a match from the images of its log and compare it with its rows."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.complaints: set[str] = set()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The arguments of the command line."""
        parser.add_argument("code", nargs="?", help="the code of a match, which is told action by action")
        parser.add_argument("--all", action="store_true", help="every match, each in one line")
        parser.add_argument(
            "--check", action="store_true", help="check the fingerprints, and run the rules of today again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay; an error if a match does not come out like its rows, or its rules have drifted."""
        if bool(options["code"]) == options["all"]:
            raise CommandError("Name the code of a match, or --all.")
        checks = [self._is_whole]
        if options["code"]:
            checks.insert(0, self._tell)
        if options["check"]:
            checks += [self._is_chained, self._is_dated, self._follows, self._is_current]
        matches = _matches(options["code"])
        if sum(not self._is_so(check, match) for match in matches for check in checks):
            raise CommandError("Not every match came out as it was.")

    def _is_so(self, check: Callable[[Match], bool], match: Match) -> bool:
        try:
            return check(match)
        except NotServed:
            self._complain_once(f"{match.code}: the game {match.system} is not installed here.")
        except Match.DoesNotExist:
            # It was deleted meanwhile, so there is nothing to check.
            return True
        except DatabaseError:
            raise
        except Exception as broken:
            is_damaged = damage.is_damaged(match)
            why = damage.CANNOT_BE_READ if is_damaged else f"the log cannot be replayed ({broken!r})."
            self._complain_once(f"{match.code}: {why}")
        return False

    def _complain_once(self, sentence: str) -> None:
        """Write a complaint once: several checks of a match may fail for the same reason."""
        if sentence not in self.complaints:
            self.complaints.add(sentence)
            self.stderr.write(sentence)

    def _tell(self, match: Match) -> bool:
        """Print the match as its public log reads."""
        for entry in Entry.objects.filter(match=match).order_by("version"):
            words = " ".join(str(line) for line in log.lines_for(entry, None))
            self.stdout.write(f"{entry.version:4} {entry.seat or '-':8} {entry.action:32} {words}".rstrip())
        return True

    def _is_whole(self, match: Match) -> bool:
        with one_moment():
            match.refresh_from_db()
            position, rows = replay.final_position(match), storage.load(match).state
        if position != rows:
            self.stderr.write(f"{match.code}: the log does not lead to the rows.")
            return False
        summary = system(match.system).summary(position)
        self.stdout.write(f"{match.code}: {match.version} entries lead to the rows. {summary}")
        return True

    def _is_chained(self, match: Match) -> bool:
        with one_moment():
            match.refresh_from_db()
            faults = chain.faults(match, chain.entries_of(match).iterator())
        for fault in faults:
            self.stderr.write(f"{match.code} {fault.version}: {HOW[fault.how]}.")
        if not faults:
            self.stdout.write(f"{match.code}: every entry fits its fingerprint; the last is {match.chain}.")
        return not faults

    def _is_dated(self, match: Match) -> bool:
        with one_moment():
            match.refresh_from_db()
            moments = match.entries.order_by("version").values_list("created_at", "after")
            is_dated = chain.is_dated(match.created_at, match.finished_at, moments.iterator())
        if not is_dated:
            self.stderr.write(f"{match.code}: it was not opened and ended when its entries say.")
        return is_dated

    def _follows(self, match: Match) -> bool:
        misfits = list(replay.misfits(match))
        for version in misfits:
            self.stderr.write(f"{match.code} {version}: it does not follow from the entries before.")
        return not misfits

    def _is_current(self, match: Match) -> bool:
        drifts = list(replay.drifts(match))
        for drift in drifts:
            paths = ", ".join(drift.paths)
            self.stderr.write(f"{match.code} {drift.version} {drift.action}: differs today in {paths}.")
        if not drifts:
            self.stdout.write(f"{match.code}: the rules of today say the same.")
        return not drifts


def _matches(code: str | None) -> Iterator[Match]:
    """The matches, each read when its turn comes: a query that stays open would keep taps waiting."""
    found = Match.objects.filter(code=code.upper()) if code else Match.objects.order_by("pk")
    if code and not found:
        raise CommandError(f"There is no table with the code {code}.")
    for number in list(found.values_list("pk", flat=True)):
        with suppress(Match.DoesNotExist):
            yield Match.objects.get(pk=number)
