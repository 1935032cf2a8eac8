"""A match from its log alone: image by image without rules, or by the rules to find drift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.core import engine
from games.core.diff import apply, diff, in_order
from games.core.state import State
from games.core.steps import IllegalAction
from games.core.system import system
from games.match import log, play
from games.match.exchange.images import standing
from games.models import Entry, Match


@dataclass(frozen=True)
class Drift:
    """An action whose outcome by today's rules differs from what was logged."""

    version: int
    action: str
    paths: tuple[str, ...]


def positions(match: Match) -> Iterator[tuple[Entry, State]]:
    """Every entry with the position after it, rebuilt from the images alone."""
    game = system(match.system)
    state = game.state(system=match.system, mode=match.mode, seed=match.seed)
    for entry in match.entries.order_by("version"):
        state = apply(state, in_order(log.full_image(entry, "after"), tuple(game.seat_names)))
        yield entry, state


def misfits(match: Match) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    game = system(match.system)
    state = game.state(system=match.system, mode=match.mode, seed=match.seed)
    for entry, after in positions(match):
        before = log.full_image(entry, "before")
        follows = all(standing(state, path) == value for path, value in before.items())
        # What was sealed and revealed at once never stood.
        if not follows or any(before.get(path, value) != value for path, value in entry.opens.items()):
            yield entry.version
        state = after


def final_position(match: Match) -> State:
    """The position after the last entry."""
    state: State = State()
    for _entry, position in positions(match):
        state = position
    return state


def drifts(match: Match) -> Iterator[Drift]:
    """Run the rules again over every action of a seat; yields those with another outcome today."""
    before: State | None = None
    for entry, after in positions(match):
        if before is not None and entry.kind in (Entry.Kind.TAP, Entry.Kind.ADJUST, Entry.Kind.BRING):
            found = drift(before, entry, after)
            if found is not None:
                yield found
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
        return engine.adjust(before, entry.seat, entry.path, entry.action, entry.note)
    return engine.play(before, entry.seat, log.full_action(entry))
