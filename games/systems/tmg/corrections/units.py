"""Corrections of a unit in play: wounds, conditions, position, engagements."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.corrections import refuse_same, stepper, switch
from games.core.steps import Offer, answer
from games.core.words import Line, Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.activation import ActivationCorrections
from games.systems.tmg.corrections.headings import CONDITIONS, POSITION, WOUNDS
from games.systems.tmg.corrections.notes import NoteCorrections
from games.systems.tmg.pieces import WALL, Place, Table, Unit
from games.systems.tmg.rules import activation_phase, sectors
from games.systems.tmg.rules import clean_up_phase as end_of_round
from games.systems.tmg.rules import destruction as wounds
from games.systems.tmg.rules import objective_tokens as carrying
from games.systems.tmg.rules import objective_tokens as control
from games.systems.tmg.rules import objective_tokens as layout
from games.systems.tmg.rules.destruction import panic_wounds


class UnitCorrections(NoteCorrections, ActivationCorrections):
    """Everything about a unit that the table may have noted wrongly, or that a card changes."""

    def play_of(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """The corrections of a unit in play."""
        yield from self._wounds(g, unit)
        yield from self._places(g, unit)
        yield from self.notes_of(unit)
        if not unit.is_on_table:
            return
        yield from self._conditions(g, unit)
        yield from self.activation_of(g, unit)
        yield from self.counters_of(unit)
        if unit.is_combat:
            yield from positions(g, unit)
        else:
            yield from self._board(g, unit)

    # --- wounds and destruction ----------------------------------------------------------------------

    def _wounds(self, g: Table, unit: Unit) -> Iterator[Offer]:
        if unit.is_combat:
            yield from wounds_of(g, unit)
        if unit.is_on_table and g.round:
            if unit.is_combat and unit.wounds and unit.kind != WALL:
                label, detail = say(_("Failed panic test: roll the wounds")), wounds.panic_words(g)
                yield Offer(f"panic:{unit.key}", label, detail=detail, group=WOUNDS)
            if (token := carrying.carried(g, unit)) is not None:
                label = say(_("Failed panic test: it loses %(token)s"), token=Term(token.name))
                detail = say(_("If you roll or enter its wounds yourselves."))
                yield Offer(f"lose-token:{unit.key}", label, detail=detail, group=WOUNDS)
            yield Offer(f"destroy:{unit.key}", say(_("Destroy the unit")), style="apart", group=WOUNDS)
        yield from returns_of(g, unit)

    @answer
    def wounds(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        if wounds.can_be_given_back(unit):
            wounds.give_back(g, unit, change)
        elif change < 0:
            wounds.wound(g, unit, -change, g.rival(unit.army))
        else:
            wounds.restore(g, unit, change)

    @answer
    def panic(self, g: Table, seat: str, unit: Unit) -> None:
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        wounds.wound(g, unit, panic_wounds(g), g.rival(unit.army))
        if unit.is_on_table:
            carrying.lose(g, unit)

    @answer
    def lose_token(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-91, TMG-92: a unit that fails a panic test loses what it carries."""
        g.say(_("%(unit)s fails its panic test."), unit=unit.name)
        carrying.lose(g, unit)

    @answer
    def destroy(self, g: Table, seat: str, unit: Unit) -> None:
        wounds.destroy(g, unit, g.rival(unit.army))

    @answer
    def not_destroyed(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-40: a destruction is taken back even where no wounds are counted that could be given back."""
        wounds.give_back(g, unit, unit.wounds_total)

    @answer
    def bring_back(self, g: Table, seat: str, unit: Unit) -> None:
        wounds.bring_back(g, unit)

    # --- conditions ----------------------------------------------------------------------------------

    def _conditions(self, g: Table, unit: Unit) -> Iterator[Offer]:
        for condition, called in wounds.CONDITION_NAMES.items():
            has = condition in unit.conditions
            if unit.is_combat and (has or not wounds.gains_none(g, unit)):
                on, off = f"gain:{unit.key}:{condition}", f"lose:{unit.key}:{condition}"
                yield switch(has, on, off, Line(called), CONDITIONS)

    @answer
    def gain(self, g: Table, seat: str, unit: Unit, condition: str) -> None:
        wounds.gain(g, unit, condition)

    @answer
    def lose(self, g: Table, seat: str, unit: Unit, condition: str) -> None:
        wounds.lose(g, unit, condition)

    # --- where it is, whom it fights -----------------------------------------------------------------

    def _places(self, g: Table, unit: Unit) -> Iterator[Offer]:
        if g.round and unit.is_on_table and unit.kind != WALL:
            yield Offer(f"withdraw:{unit.key}", say(_("Move to Reserve")), group=POSITION)
        elif g.round and unit.place in ("reserve", "unplaced"):
            yield Offer(f"arrive:{unit.key}", say(_("Put on the battlefield")), group=POSITION)

    @answer
    def arrive(self, g: Table, seat: str, unit: Unit) -> None:
        activation_phase.come_to_table(g, unit)
        g.say(_("%(unit)s is put on the battlefield."), unit=unit.name)

    @answer
    def withdraw(self, g: Table, seat: str, unit: Unit) -> None:
        with control.watching(g):
            control.withdraw(g, unit)
            unit.place, unit.kept = "reserve", False
            for other in g.units.values():
                if unit is other or other.influences == unit.key:
                    other.influences = None
            g.say(_("%(unit)s moves to Reserve."), unit=unit.name)

    @answer
    def engage(self, g: Table, seat: str, unit: Unit, rival: Unit) -> None:
        control.engage(g, unit, rival)

    @answer
    def disengage(self, g: Table, seat: str, unit: Unit, rival: Unit) -> None:
        control.disengage(g, unit, rival)

    @answer
    def claim(self, g: Table, seat: str, unit: Unit, token: Place) -> None:
        carrying.claim(g, unit, token)

    @answer
    def leave(self, g: Table, seat: str, unit: Unit, token: Place) -> None:
        control.leave(g, unit)

    @answer
    def enter(self, g: Table, seat: str, unit: Unit, sector: Place) -> None:
        sectors.enter(g, unit, sector)

    @answer
    def exit(self, g: Table, seat: str, unit: Unit, sector: Place) -> None:
        sectors.leave(g, unit)

    # --- the tactics board ---------------------------------------------------------------------------

    def _board(self, g: Table, unit: Unit) -> Iterator[Offer]:
        is_cleared = end_of_round.is_cleared(g)
        for zone in g.zones():
            if zone.claimed_by == unit.key or (zone.claimed_by is None and not is_cleared):
                on, off = f"occupy:{unit.key}:{zone.key}", f"vacate:{unit.key}:{zone.key}"
                label = say(_("On %(place)s"), place=Term(zone.name))
                yield switch(zone.claimed_by == unit.key, on, off, label, POSITION)
        yield from _sectors(g, unit)
        for other in g.units.values():
            is_open = other.is_combat and other.is_on_table and not is_cleared
            if is_open or unit.influences == other.key:
                on, off = f"influence:{unit.key}:{other.key}", f"release:{unit.key}:{other.key}"
                label = say(_("Influences %(unit)s"), unit=other.name)
                yield switch(unit.influences == other.key, on, off, label, POSITION)

    @answer
    def occupy(self, g: Table, seat: str, unit: Unit, zone: Place) -> None:
        """Only moves the NCU; the players see to the zone's effect."""
        control.withdraw(g, unit)
        zone.claimed_by = unit.key
        g.say(_("%(unit)s stands on %(zone)s."), unit=unit.name, zone=Term(zone.name))

    @answer
    def vacate(self, g: Table, seat: str, unit: Unit, zone: Place) -> None:
        zone.claimed_by = None
        unit.kept = False
        g.say(_("%(unit)s leaves %(zone)s."), unit=unit.name, zone=Term(zone.name))

    @answer
    def influence(self, g: Table, seat: str, unit: Unit, target: Unit) -> None:
        unit.influences = target.key
        g.say(_("%(unit)s influences %(target)s."), unit=unit.name, target=target.name)

    @answer
    def release(self, g: Table, seat: str, unit: Unit, target: Unit) -> None:
        unit.influences = None
        line = _("%(unit)s no longer influences %(target)s.")
        g.say(line, unit=unit.name, target=target.name)


def wounds_of(g: Table, unit: Unit) -> Iterator[Offer]:
    """The stepper of a Combat Unit's wounds (TMG-40)."""
    called = Line(WOUNDS)
    if wounds.can_be_given_back(unit):
        detail = say(_("It was not destroyed: its points are undone."))
        if unit.wounds_total:
            yield Offer(
                f"wounds:{unit.key}", called, 1, unit.wounds_total, detail=detail, value=0, group=WOUNDS
            )
        return
    least = 0 if unit.is_on_table and g.round else min(1, unit.wounds)
    yield from stepper(f"wounds:{unit.key}", called, unit.wounds, least, unit.wounds_total, WOUNDS)


def returns_of(g: Table, unit: Unit) -> Iterator[Offer]:
    """How what was destroyed comes back: it was not destroyed after all, or a card returns it.

    Where wounds are counted, whoever takes a destruction back says how many are left (`wounds_of`).
    """
    is_counted = unit.is_combat and unit.wounds_total and g.tracks("wounds")
    if wounds.can_be_given_back(unit) and not is_counted:
        label, detail = say(_("It was not destroyed")), say(_("Its points are undone."))
        yield Offer(f"not-destroyed:{unit.key}", label, detail=detail, group=WOUNDS)
    if unit.place == "destroyed":
        of_unit = _("By a card or ability, with all its wounds; what it scored stays.")
        detail = Line(of_unit if unit.is_combat else _("By a card or ability; its army points stay lost."))
        yield Offer(f"bring-back:{unit.key}", say(_("Return to play")), detail=detail, group=WOUNDS)


def positions(g: Table, unit: Unit) -> Iterator[Offer]:
    """The tokens that a Combat Unit may stand on, and the enemies that it may fight."""
    for token in g.tokens():
        stands = token.claimed_by == unit.key
        if stands or control.can_claim(unit):
            on, off = f"claim:{unit.key}:{token.key}", f"leave:{unit.key}:{token.key}"
            carries = layout.are_carried(g)
            if carries and not stands and carrying.carried(g, unit) is not None:
                continue
            label = say(_("Carries %(place)s") if carries else _("On %(place)s"), place=Term(token.name))
            yield switch(stands, on, off, label, POSITION, leaving(g) if stands else None)
    yield from _sectors(g, unit)
    for rival in g.units.values():
        fights = rival.key in unit.engaged_with
        if fights or (rival.army != unit.army and rival.is_combat and rival.is_on_table):
            on, off = f"engage:{unit.key}:{rival.key}", f"disengage:{unit.key}:{rival.key}"
            label = say(_("Engaged with %(unit)s"), unit=rival.name)
            yield switch(fights, on, off, label, POSITION)


def _sectors(g: Table, unit: Unit) -> Iterator[Offer]:
    for sector in sectors.of(g):
        if unit.sector == sector.key or may_enter(g, unit):
            yield standing_in(unit, sector, say(_("In %(place)s"), place=Term(sector.name)))


def may_enter(g: Table, unit: Unit) -> bool:
    """Whether a unit may be put into a sector: an NCU leaves it with the tactics board (TMG-97)."""
    return unit.is_on_table and (unit.is_combat or not end_of_round.is_cleared(g))


def standing_in(unit: Unit, sector: Place, label: Line) -> Offer:
    """The switch that puts a unit into a sector or takes it out."""
    on, off = f"enter:{unit.key}:{sector.key}", f"exit:{unit.key}:{sector.key}"
    return switch(unit.sector == sector.key, on, off, label, POSITION)


def leaving(g: Table) -> Line:
    """When a unit loses the token that it has, as this mode and this table play it (TMG-52, TMG-58)."""
    if carrying.is_at_pile(g):
        return say(_("It drops the token once an action ends away from its corpse pile."))
    if layout.are_carried(g):
        return say(_("It loses the token when it fails a panic test or is destroyed."))
    if g.rules.get("fixes_strict"):
        return say(_("It keeps the token only while its tray covers all of it."))
    if g.rules["strict"]:
        return say(_("Strict overlap: it leaves once its tray no longer covers the whole token."))
    return say(_("It keeps the token as long as its tray touches it."))
