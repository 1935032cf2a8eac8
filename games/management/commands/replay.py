"""Rebuilds matches and events from their logs alone, and checks whether today's rules say the same."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games import core
from games.core import IllegalAction, NotServed, State, diff, system
from games.hall import comparing, event_actions
from games.hall.models import Event
from games.history import commits
from games.management.commands.export import Row, each
from games.match import play, storage
from games.models import Entry, Match
from games.web import one_moment

Check: TypeAlias = Callable[[Row], bool]

HOW = {
    commits.CHANGED: "the entry, or the one before it, is not what was written",
    commits.MISSING: "the entry is missing",
    commits.ADDED: "the entry was added behind the last one",
    commits.UNSEALED: "what is sealed in the entry is not what was sealed",
}


@dataclass(frozen=True)
class Drift:
    """An action whose outcome by today's rules differs from what was logged."""

    version: int
    action: str
    paths: tuple[str, ...]


class Command(BaseCommand):
    help = "Rebuild a match or an event from the images of its log and compare it with its rows."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unchecked: set[str] = set()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "code", nargs="?", help="the code of a match, which is told action by action, or of an event"
        )
        parser.add_argument("--all", action="store_true", help="every match and event, each in one line")
        parser.add_argument(
            "--check", action="store_true", help="check the fingerprints, and run the rules of today again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay; an error if a match does not come out like its rows, or its rules have drifted."""
        if bool(options["code"]) == options["all"]:
            raise CommandError("Name the code of a match, or --all.")
        checks: list[Check[Match]] = [self._is_whole]
        if options["code"]:
            checks.insert(0, self._tell)
        if options["check"]:
            checks += [self._is_chained, self._is_dated, self._follows, self._is_current]
        of_events: list[Check[Event]] = [self._is_whole_event]
        if options["check"]:
            of_events += [self._is_chained, self._follows]
        code = (options["code"] or "").upper()
        if code and not any(model.objects.filter(code=code) for model in (Match, Event)):
            raise CommandError(f"There is no table or event with the code {options['code']}.")
        wrong = sum(not self._is_so(check, match) for match in each(Match, code) for check in checks)
        wrong += sum(not self._is_so(check, event) for event in each(Event, code) for check in of_events)
        if wrong:
            raise CommandError("Not every match and event came out as it was.")

    def _is_so(self, check: Check[Row], row: Row) -> bool:
        try:
            return check(row)
        except NotServed:
            self._complain_once(row, f"the game {row.system} is not installed here.")
        except ObjectDoesNotExist:
            # It was deleted meanwhile, so there is nothing to check.
            return True
        except DatabaseError:
            raise
        except Exception as broken:
            self._complain_once(row, f"what is stored of it cannot be read ({broken!r}).")
        return False

    def _complain_once(self, row: Match | Event, why: str) -> None:
        """Write why a row cannot be checked, once: its other checks fail for the same reason."""
        if row.code not in self.unchecked:
            self.unchecked.add(row.code)
            self.stderr.write(f"{row.code}: {why}")

    def _tell(self, match: Match) -> bool:
        """Print the match as its public log reads."""
        for entry in Entry.objects.filter(match=match).order_by("version"):
            words = " ".join(str(line) for line in commits.lines_for(entry, None))
            self.stdout.write(f"{entry.version:4} {entry.seat or '-':8} {entry.action:32} {words}".rstrip())
        return True

    def _is_whole(self, match: Match) -> bool:
        with one_moment():
            match.refresh_from_db()
            position, rows = storage.final_position(match), storage.load(match).state
        if position != rows:
            self.stderr.write(f"{match.code}: the log does not lead to the rows.")
            return False
        summary = system(match.system).summary(position)
        self.stdout.write(f"{match.code}: {match.version} entries lead to the rows. {summary}")
        return True

    def _is_chained(self, row: Match | Event) -> bool:
        with one_moment():
            row.refresh_from_db()
            faults = commits.faults(row, commits.entries_of(row).iterator())
        for fault in faults:
            self.stderr.write(f"{row.code} {fault.version}: {HOW[fault.how]}.")
        if not faults:
            self.stdout.write(f"{row.code}: every entry fits its fingerprint; the last is {row.chain}.")
        return not faults

    def _is_dated(self, match: Match) -> bool:
        with one_moment():
            match.refresh_from_db()
            times = match.entries.order_by("version").values_list("created_at", "after")
            is_dated = commits.is_dated(match.created_at, match.finished_at, times.iterator())
        if not is_dated:
            self.stderr.write(f"{match.code}: it was not opened and ended when its entries say.")
        return is_dated

    def _follows(self, row: Match | Event) -> bool:
        misfits = list(storage.misfits(row) if isinstance(row, Match) else event_actions.misfits(row))
        for version in misfits:
            self.stderr.write(f"{row.code} {version}: it does not follow from the entries before.")
        return not misfits

    def _is_current(self, match: Match) -> bool:
        differing = list(drifts(match))
        for difference in differing:
            paths = ", ".join(difference.paths)
            self.stderr.write(
                f"{match.code} {difference.version} {difference.action}: differs today in {paths}."
            )
        if not differing:
            self.stdout.write(f"{match.code}: the rules of today say the same.")
        return not differing

    # --- events ------------------------------------------------------------------------------------

    def _is_whole_event(self, event: Event) -> bool:
        with one_moment():
            event.refresh_from_db()
            comparison = comparing.compare(event)
        if comparison.differences:
            paths = ", ".join(difference.path for difference in comparison.differences[: comparing.NAMED])
            self.stderr.write(f"{event.code}: the log does not lead to the rows: {paths}.")
            return False
        self.stdout.write(f"{event.code}: {event.version} entries of the event lead to the rows.")
        return True


# --- the rules of today -----------------------------------------------------------------------------


def drifts(match: Match) -> Iterator[Drift]:
    """Run the rules again over every action of a seat; yields those with another outcome today."""
    before: State | None = None
    named: set[str] = set()
    for entry, after in storage.positions(match):
        named |= entry.after.keys()
        if before is not None and entry.kind in (Entry.Kind.TAP, Entry.Kind.ADJUST, Entry.Kind.BRING):
            difference = drift(before, entry, after)
            # A field of the table that no entry has named so far may come from a later version of the game.
            if difference is not None and not all(
                "/" not in path and path not in named for path in difference.paths
            ):
                yield difference
        before = after


def drift(before: State, entry: Entry, after: State) -> Drift | None:
    """How today's rules differ from what an action led to; None if they lead there as well."""
    try:
        now = _again(before, entry)
    except (IllegalAction, ValueError, LookupError, RuntimeError):
        return Drift(entry.version, entry.action, ("refused",))
    different, _values = diff(after, now)
    if not different:
        return None
    return Drift(entry.version, entry.action, tuple(sorted(different)))


def _again(before: State, entry: Entry) -> State:
    if entry.kind == Entry.Kind.BRING:
        return play.with_army(before, entry.seat, entry.action, entry.note)
    if entry.kind == Entry.Kind.ADJUST:
        return core.adjust(before, entry.seat, entry.path, entry.action, entry.note)
    return core.play(before, entry.seat, storage.full_action(entry))
