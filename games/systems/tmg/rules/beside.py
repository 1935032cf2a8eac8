"""What is shown beside the board while a unit acts: its targets, where it stands, whom it fights.

Everything here is a correction within reach of the thumb. It stays until its player's next
activation, because a unit's dice are still being rolled while the opponent activates the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import engine
from games.core.steps import Offer
from games.core.words import ViewModel
from games.systems.tmg.corrections.units import positions
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import control, zones
from games.systems.tmg.rules.kept_by_players import is_tracked
from games.systems.tmg.rules.scoring import ScorePoints

MOST_RESTORED = 3
"""More wounds than this are restored on the unit's own sheet."""


class Target(ViewModel):
    """A unit to tap, which may be hit by the one with the key `by`.

    `is_near` says whether it fights the acting unit or the acting NCU's zone works on it; `is_counted`
    whether its wounds are tracked.
    """

    unit: Unit
    by: str
    is_near: bool
    is_counted: bool

    @property
    def path(self) -> str:
        """The path of its corrections."""
        return f"unit/{self.unit.key}"

    @property
    def hits(self) -> tuple[str, ...]:
        """The corrections that take wounds from it, up to all but its last."""
        left = self.unit.wounds if self.is_counted else 0
        return tuple(f"{self.path} wounds:{self.unit.key}:{-amount}" for amount in range(1, left))

    @property
    def restores(self) -> tuple[str, ...]:
        """The corrections that give some wounds back."""
        lost = self.unit.wounds_total - self.unit.wounds if self.is_counted else 0
        most = min(MOST_RESTORED, lost)
        return tuple(f"{self.path} wounds:{self.unit.key}:{amount}" for amount in range(1, most + 1))

    @property
    def destroys(self) -> str:
        """The correction that takes its last wound."""
        return f"{self.path} destroy:{self.unit.key}"


def is_scoring(g: Table) -> bool:
    """Whether the round's score is asked about: the last opportunity to note what its units did (TMG-14)."""
    return isinstance(engine.step_of(g), ScorePoints)


def acting_unit(g: Table, seat: str) -> Unit | None:
    """The unit that this seat activated last, while it is on the table and the match runs.

    While the round's score is asked about, both sides get the unit that acted last.
    """
    unit = g.actor if is_scoring(g) else g.units.get(g.armies[seat].acted or "")
    return unit if unit is not None and unit.is_on_table and g.result is None else None


def acting_corrections(g: Table, seat: str) -> tuple[tuple[str, Offer], ...]:
    """Where a seat's acting unit stands and whom it fights: path and correction of each, only a few.

    On a token, only leaving it; off one, the tokens that are free.
    """
    unit = acting_unit(g, seat)
    if unit is None or not unit.is_combat:
        return ()
    path, place = f"unit/{unit.key}", control.claimed(g, unit)
    taken = {f"claim:{unit.key}:{token.key}" for token in g.tokens() if place or token.claimed_by}
    found = (offer for offer in positions(g, unit) if offer.action not in taken)
    return tuple((path, offer) for offer in found if is_tracked(g, offer))


def targets(g: Table, seat: str) -> tuple[Target, ...]:
    """Every Combat Unit on the table as a target: those near first, then enemies, then own."""
    unit = acting_unit(g, seat)
    if unit is None or not g.round:
        return ()
    near, is_counted = _near(g, unit), g.tracks("wounds")
    found = [
        Target(other, unit.key, other.key in near, is_counted)
        for other in g.units.values()
        if _can_be_hit(other)
    ]
    return tuple(sorted(found, key=lambda target: (not target.is_near, target.unit.player == seat)))


def _can_be_hit(unit: Unit) -> bool:
    return unit.is_combat and unit.is_on_table


def _near(g: Table, unit: Unit) -> frozenset[str]:
    if unit.is_combat:
        return unit.engaged_with | {unit.key} if unit.engaged_with else frozenset()
    return frozenset(_touched(g, unit))


def _touched(g: Table, unit: Unit) -> Iterator[str]:
    """The units that its claimed zone may wound or restore, if those are few; otherwise none is near."""
    if "wealth" in zones.working(g, unit):
        yield from (
            other.key
            for other in g.units.values()
            if _can_be_hit(other) and other.player == unit.player and other.wounds < other.wounds_total
        )
