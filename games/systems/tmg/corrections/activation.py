"""Corrections of a unit's activation: its switches of the round, what it does outside its turn, its side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from games.core import engine
from games.core.corrections import refuse_same, stepper, switch, written
from games.core.steps import Corrections, Offer, answer
from games.core.system import name_of, system
from games.core.validation import NOTE_GRAPHEMES
from games.core.words import Line, say
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.headings import ACTIVATION
from games.systems.tmg.pieces import Table, Unit
from games.systems.tmg.rules import clean_up_phase as end_of_round
from games.systems.tmg.rules.activation_phase import Turn, acted, is_shut_out
from games.systems.tmg.rules.end_of_match import Ending

LARGEST_POOL = 6


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes-or-no fact about a unit: its field, the switch's label, and the log's line for yes and no."""

    field: str
    label: str
    yes: str
    no: str


FLAGS = {
    "activated": Flag(
        "activated",
        _("Activated"),
        _("%(unit)s counts as activated."),
        _("%(unit)s counts as not activated."),
    ),
    "barred": Flag(
        "barred",
        _("Cannot activate this round"),
        _("%(unit)s cannot activate this round."),
        _("%(unit)s may activate again."),
    ),
    "order": Flag(
        "order_used", _("Order used"), _("%(unit)s has used its order."), _("%(unit)s has its order back.")
    ),
    "kept": Flag(
        "kept",
        _("Keep it on its zone"),
        _("%(unit)s will stay on the tactics board."),
        _("%(unit)s will leave the tactics board."),
    ),
}
"""Switches of a unit in play, by the noun of their action."""


class ActivationCorrections(Corrections[Table]):
    """Whether, when and for whom a unit acts."""

    def activation_of(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """Its switches of the round, and what it does outside its turn."""
        is_cleared = end_of_round.is_cleared(g)
        for key, flag in FLAGS.items():
            if getattr(unit, flag.field) or not (is_cleared or (key == "kept" and unit.is_combat)):
                yield flagged(unit, key, flag, ACTIVATION)
        if g.round and _is_fresh(unit) and not is_shut_out(g, unit) and not is_cleared:
            detail = say(_("It activates now; whose turn it is does not change."))
            yield Offer(
                f"activate:{unit.key}", say(_("Activate out of turn")), detail=detail, group=ACTIVATION
            )
        if g.round:
            yield Offer(f"free:{unit.key}", say(_("Take a free action")), group=ACTIVATION)
        if g.acting == unit.key:
            yield Offer(f"waive:{unit.key}", say(_("Take no action")), group=ACTIVATION)
        yield from self._pool(unit)
        if unit.lent_to is not None or not (is_cleared or unit.is_combat):
            on, off = f"lend:{unit.key}", f"take-home:{unit.key}"
            label = say(_("Change its side for this round"))
            yield switch(unit.lent_to is not None, on, off, label, ACTIVATION)

    def _pool(self, unit: Unit) -> Iterator[Offer]:
        label = say(_("Order tokens of a limited pool"))
        yield from stepper(f"pool:{unit.key}", label, unit.pool or 0, 0, LARGEST_POOL, ACTIVATION)

    @answer
    def activate(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-24: an activation outside its turn does not change whose turn it is.

        The unit's choice, a zone or where its token goes, is asked at once, whatever else was open.
        """
        g.say(_("%(unit)s activates out of turn."), unit=unit.name)
        if _is_over(g):
            acted(g, unit)
        else:
            # The turn step of the match's mode knows what a unit chooses.
            turn = cast("type[Turn]", system(g.system).step_named(g, Turn.name))
            turn().out_of_turn(g, unit)

    @answer
    def free(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-21: a free action neither needs nor uses the activation."""
        _say_with_note(
            g, _("%(unit)s takes a free action."), _("%(unit)s takes a free action: %(note)s"), unit
        )

    @answer
    def waive(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-22: a unit may activate and take no action."""
        g.say(_("%(unit)s takes no action."), unit=unit.name)

    @answer
    def pool(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        unit.pool = (unit.pool or 0) + change
        g.say_count(
            "%(unit)s has %(count)s order token left.",
            "%(unit)s has %(count)s order tokens left.",
            unit.pool,
            unit=unit.name,
        )

    @answer
    def lend(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-38: it acts for the opponent this round and comes back in the clean-up."""
        unit.lent_to = g.rival(unit.army)
        line = _("%(unit)s acts for %(player)s this round.")
        g.say(line, unit=unit.name, player=name_of(g, unit.lent_to))

    @answer
    def take_home(self, g: Table, seat: str, unit: Unit) -> None:
        unit.lent_to = None
        g.say(_("%(unit)s is back on its own side."), unit=unit.name)

    @answer
    def on(self, g: Table, seat: str, unit: Unit, flag: str) -> None:
        self.turn_flag(g, unit, flag, True)

    @answer
    def off(self, g: Table, seat: str, unit: Unit, flag: str) -> None:
        self.turn_flag(g, unit, flag, False)

    def turn_flag(self, g: Table, unit: Unit, flag: str, is_on: bool) -> None:
        """Set one of a unit's switches."""
        found = FLAGS[flag]
        setattr(unit, found.field, is_on)
        if flag == "activated" and not is_on and g.acting == unit.key:
            g.acting = None
        g.say(found.yes if is_on else found.no, unit=unit.name)


def _is_over(g: Table) -> bool:
    """Whether the round's activations are over, or the match may be: units have nothing left to choose."""
    is_ending = isinstance(engine.step_of(g), Ending)
    return is_ending or end_of_round.clean_up_at(g) is not None


def _is_fresh(unit: Unit) -> bool:
    return not (unit.activated or unit.barred or unit.never_activates)


def flagged(unit: Unit, key: str, flag: Flag, group: str) -> Offer:
    """The switch for one flag of a unit."""
    is_on = bool(getattr(unit, flag.field))
    return switch(is_on, f"on:{unit.key}:{key}", f"off:{unit.key}:{key}", Line(flag.label), group)


def _say_with_note(g: Table, plain: str, noted: str, unit: Unit) -> None:
    if g.note.strip():
        g.say(noted, unit=unit.name, note=written(g, "", NOTE_GRAPHEMES))
    else:
        g.say(plain, unit=unit.name)
