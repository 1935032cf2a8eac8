"""Names that are a unit's and an attachment's too, where neither a price nor the form of the line tells.

They are taken for units at first. Once the whole list is read, what it states decides: its points, the number
of its activations, its size; else the size of a usual army, or that its other units all have a price.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from games.systems.tmg.lists.catalogue import UNIT
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.roster import ENEMY, Attachment, RosterEntry

MOST = 8
"""More such names than an army has are not weighed against each other."""
_SIZES = (30, 40, 50)


@dataclass(frozen=True, slots=True, eq=False)
class Twofold:
    """A unit as it was read, and the attachment that it may be; `marked` is whether it had a bullet."""

    unit: RosterEntry
    attachment: Attachment
    marked: bool


def settle(draft: Draft, found: Sequence[Twofold], unpriced: set[int]) -> None:
    """Attach those that are attachments; `unpriced` are the lines of units that state no price."""
    may = [one for one in found if _home(draft, one) is not None]
    may.sort(key=lambda one: len(_attached_above(draft, one)))
    chosen = _by_numbers(draft, may[:MOST])
    if chosen is None and not _states_any(draft):
        chosen = _by_form(draft, may, unpriced)
    for one in chosen or ():
        _join(draft, one)


def _by_numbers(draft: Draft, may: Sequence[Twofold]) -> tuple[Twofold, ...] | None:
    """The fewest that are attachments if the list's numbers are right, or None if they never are."""
    for number in range(len(may) + 1):
        for chosen in combinations(may, number):
            if _agrees(draft, chosen) and not any(id(_home(draft, one)) in _units(chosen) for one in chosen):
                return chosen
    return None


def _by_form(draft: Draft, may: Sequence[Twofold], unpriced: set[int]) -> tuple[Twofold, ...]:
    """All without a bullet, if each unit that is surely one has a price."""
    doubtful = _units(may)
    sure = [entry for entry in draft.entries if entry.kind == UNIT and id(entry) not in doubtful]
    if not sure or any(entry.line in unpriced for entry in sure):
        return ()
    return tuple(one for one in may if not one.marked and id(_home(draft, one)) not in doubtful)


def _agrees(draft: Draft, chosen: Sequence[Twofold]) -> bool:
    points = sum(entry.points for entry in draft.entries)
    points -= sum(one.unit.cost - one.attachment.cost for one in chosen)
    activations = sum(entry.kind != ENEMY for entry in draft.entries) - len(chosen)
    if draft.activations not in (None, activations):
        return False
    if draft.points is not None:
        return points == draft.points
    if draft.limit is not None:
        return points <= draft.limit
    return draft.activations is not None or points in _SIZES


def _states_any(draft: Draft) -> bool:
    return any(stated is not None for stated in (draft.points, draft.limit, draft.activations))


def _units(found: Sequence[Twofold]) -> set[int]:
    """Which entries they are: two of the same name are equal, but not the same."""
    return {id(one.unit) for one in found}


def _at(draft: Draft, one: Twofold) -> int | None:
    """Where the unit stands in the list; None once something is attached to it, as then it is one."""
    return next((at for at, entry in enumerate(draft.entries) if entry is one.unit), None)


def _home(draft: Draft, one: Twofold) -> RosterEntry | None:
    """The unit above it, if one stands there."""
    at = _at(draft, one)
    above = draft.entries[at - 1] if at else None
    return above if above and above.kind == UNIT else None


def _attached_above(draft: Draft, one: Twofold) -> tuple[Attachment, ...]:
    home = _home(draft, one)
    return home.attachments if home else ()


def _join(draft: Draft, one: Twofold) -> None:
    at = _at(draft, one)
    if at:
        home = draft.entries[at - 1]
        draft.entries[at - 1 : at + 1] = [replace(home, attachments=(*home.attachments, one.attachment))]
