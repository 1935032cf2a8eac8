"""What an experiment found: how much it tried, and everything that was not as promised."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core import diff
from games.history import commits as chain
from games.management.commands import replay
from games.match import storage
from games.models import Match


@dataclass
class Report:
    """Figures by what they count; `wrong` holds a sentence for everything that happened but must not."""

    figures: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """A table of its own, where figures do not say it."""

    def __str__(self) -> str:
        told = [f"{number:,} {what}" for what, number in self.figures.items()]
        return " · ".join([*told, f"{len(self.wrong):,} wrong"])

    def count(self, what: str, number: int = 1) -> None:
        """Count this many more."""
        self.figures[what] = self.figures.get(what, 0) + number

    def unless(self, is_so: object, wrong: str) -> None:
        """Add a sentence if something is not as it should be."""
        if not is_so:
            self.wrong.append(wrong)


def faults(match: Match) -> list[str]:
    """Everything wrong with a match: gaps, a broken chain, rows or rules that do not follow from the log."""
    match.refresh_from_db()
    versions = list(match.entries.order_by("version").values_list("version", flat=True))
    if versions != list(range(1, match.version + 1)):
        return [f"{match.code}: versions {versions[-3:]} of {match.version}"]
    found = [f"{match.code} {one.version}: {one.how}" for one in chain.faults(match, chain.entries_of(match))]
    found += [f"{match.code} {version}: does not follow" for version in storage.misfits(match)]
    found += [f"{match.code} {one.version}: the rules say {one.paths}" for one in replay.drifts(match)]
    half, _values = diff(storage.final_position(match), storage.load(match).state)
    return found + [f"{match.code}: the log does not lead to {path}" for path in half]
