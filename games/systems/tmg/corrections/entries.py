"""Corrections of a list entry: a unit's name, cost, figures and attachments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core.corrections import choices, refuse_same, stepper, switch, written
from games.core.steps import Corrections, IllegalAction, Offer, answer
from games.core.system import name_of
from games.core.validation import PIECE_GRAPHEMES, Unreadable
from games.core.words import Term, say
from games.core.words import gettext_noop as _
from games.systems.tmg.corrections.activation import Flag, flagged
from games.systems.tmg.corrections.headings import ENTRY, noun
from games.systems.tmg.lists.army_cards import ATTACHMENT, Fact, catalogue
from games.systems.tmg.lists.army_grammar import read_entries, read_entry
from games.systems.tmg.lists.army_roster import Attachment, RosterEntry
from games.systems.tmg.lists.army_rows import FIGURES, KINDS
from games.systems.tmg.pieces import COMBAT_KINDS, WALL, Side, Table, Unit
from games.systems.tmg.rules import control, decks, muster

MOST_UNITS = 40
MOST_ATTACHMENTS = 8

ENTRY_FLAGS = {
    "cannot-control": Flag(
        "cannot_control",
        _("Cannot control objectives"),
        _("%(unit)s cannot control objectives."),
        _("%(unit)s can control objectives."),
    ),
    "no-conditions": Flag(
        "gains_no_conditions",
        _("Gains no conditions"),
        _("%(unit)s gains no conditions."),
        _("%(unit)s can gain conditions."),
    ),
    "no-points": Flag(
        "grants_no_vp",
        _("Gives no points when destroyed"),
        _("%(unit)s gives no points when destroyed."),
        _("%(unit)s gives points when destroyed."),
    ),
    "never-activates": Flag(
        "never_activates",
        _("Never activates"),
        _("%(unit)s never activates."),
        _("%(unit)s activates like others."),
    ),
}


class EntryCorrections(Corrections[Table]):
    """Corrections of what the list or the catalogue says and the players know better."""

    def entry_of(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """The corrections of a unit's entry in its list."""
        by_note = say(_("Type it in the field below."))
        yield Offer(f"rename:{unit.key}", say(_("Change the name")), detail=by_note, group=ENTRY)
        yield Offer(f"retitle:{unit.key}", say(_("Change the sub-title")), detail=by_note, group=ENTRY)
        yield from stepper(f"cost:{unit.key}", say(_("Cost in army points")), unit.cost, 0, 30, ENTRY)
        if unit.is_combat:
            yield from self._figures(unit)
        yield from self._extras(unit)
        for key, flag in ENTRY_FLAGS.items():
            if unit.is_combat or key == "never-activates":
                yield flagged(unit, key, flag, ENTRY)
        on, off = f"command:{unit.key}", f"stand-down:{unit.key}"
        yield switch(unit.commander, on, off, say(_("Commander")), ENTRY)
        yield from choices(_kinds(unit))
        yield from self._attachments(unit)
        yield from self._masters(g, unit)
        label = say(_("Remove from the match"))
        yield Offer(f"remove:{unit.key}", label, style="apart", group=ENTRY)

    @answer
    def rename(self, g: Table, seat: str, unit: Unit) -> None:
        called = written(g, _("Please type the name in the field below."), PIECE_GRAPHEMES)
        refuse_same(unit.name == called)
        g.say(_("%(unit)s is now called %(name)s."), unit=unit.name, name=called)
        unit.name = called

    @answer
    def retitle(self, g: Table, seat: str, unit: Unit) -> None:
        title = written(g, "", PIECE_GRAPHEMES) if g.note.strip() else ""
        refuse_same(unit.title == title)
        unit.title = title
        if title:
            g.say(_("%(unit)s has the sub-title %(title)s."), unit=unit.name, title=title)
        else:
            g.say(_("%(unit)s has no sub-title."), unit=unit.name)

    # --- figures -------------------------------------------------------------------------------------

    def _figures(self, unit: Unit) -> Iterator[Offer]:
        total, ranks = say(_("Total wounds")), say(_("Wounds per rank"))
        yield from stepper(f"wounds-total:{unit.key}", total, unit.wounds_total, 1, 40, ENTRY)
        if unit.kind in ("infantry", "cavalry"):
            yield from stepper(f"rank-size:{unit.key}", ranks, unit.rank_size, 1, 20, ENTRY)

    def _extras(self, unit: Unit) -> Iterator[Offer]:
        if unit.is_combat:
            label = say(_("More points when destroyed"))
            yield from stepper(f"extra-points:{unit.key}", label, unit.extra_vp, 0, 5, ENTRY)
        label = say(_("Adds to hand limit"))
        yield from stepper(f"raises-hand:{unit.key}", label, unit.hand_bonus, 0, 5, ENTRY)

    @answer
    def cost(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        unit.cost += change
        g.say_count(
            "%(unit)s costs %(count)s army point.",
            "%(unit)s costs %(count)s army points.",
            unit.cost,
            unit=unit.name,
        )

    @answer
    def wounds_total(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        """A unit that has lost no wounds stays at full wounds."""
        refuse_same(change == 0)
        with control.watching(g):
            is_whole = unit.wounds == unit.wounds_total
            unit.wounds_total += change
            unit.wounds = unit.wounds_total if is_whole else min(unit.wounds, unit.wounds_total)
            g.say_count(
                "%(unit)s has %(count)s wound in total.",
                "%(unit)s has %(count)s wounds in total.",
                unit.wounds_total,
                unit=unit.name,
            )

    @answer
    def rank_size(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        with control.watching(g):
            unit.rank_size += change
            one, several = _("%(unit)s has 1 wound in a rank."), _("%(unit)s has %(count)s wounds in a rank.")
            g.say(one if unit.rank_size == 1 else several, unit=unit.name, count=unit.rank_size)

    @answer
    def extra_points(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        unit.extra_vp += change
        g.say(_("%(unit)s gives %(count)s more when destroyed."), unit=unit.name, count=unit.extra_vp)

    @answer
    def raises_hand(self, g: Table, seat: str, unit: Unit, change: int) -> None:
        refuse_same(change == 0)
        unit.hand_bonus += change
        g.say(_("%(unit)s adds %(count)s to the hand limit."), unit=unit.name, count=unit.hand_bonus)

    @answer
    def kind(self, g: Table, seat: str, unit: Unit, kind: str) -> None:
        """The unit leaves its place and its fights; one without figures gets those of its new kind."""
        with control.watching(g):
            unit.kind = kind
            control.withdraw(g, unit)
            if unit.is_combat:
                unit.lent_to, unit.kept, unit.influences = None, False, None
                _complete(unit)
            else:
                unit.conditions = frozenset()
            g.say(_("%(unit)s is of the kind %(kind)s."), unit=unit.name, kind=Term(KINDS[kind]))

    @answer
    def command(self, g: Table, seat: str, unit: Unit) -> None:
        """TMG-11: a side has one commander."""
        for other in g.units_of(unit.army):
            other.commander = other is unit
        g.armies[unit.army].commander = _leader_of(g, unit)
        g.say(_("%(unit)s leads the army of %(player)s."), unit=unit.name, player=name_of(g, unit.army))

    @answer
    def stand_down(self, g: Table, seat: str, unit: Unit) -> None:
        _stand_down(g, unit)
        g.say(_("%(unit)s does not lead the army."), unit=unit.name)

    # --- attachments ---------------------------------------------------------------------------------

    def _attachments(self, unit: Unit) -> Iterator[Offer]:
        if len(unit.attachments) < MOST_ATTACHMENTS:
            detail = say(_("Type its name, and its cost in brackets, in the field below."))
            yield Offer(f"attach:{unit.key}", say(_("Attach")), detail=detail, group=ENTRY)
        for key, (called, *_rest) in attached(unit).items():
            label = say(_("Detach %(attachment)s"), attachment=called)
            yield Offer(f"detach:{unit.key}:{key}", label, group=ENTRY)

    @answer
    def attach(self, g: Table, seat: str, unit: Unit) -> None:
        text = written(g, _("Please type the attachment in the field below."), 80)
        faction = g.armies[unit.army].faction
        try:
            entry, _warnings = read_entry(f"Unit with {text}", catalogue(g.entries), faction)
        except Unreadable as unreadable:
            raise IllegalAction(unreadable.line) from unreadable
        for one in entry.attachments[: MOST_ATTACHMENTS - len(unit.attachments)]:
            unit.attachments = (*unit.attachments, (one.name, one.title, one.cost, _owner(g, unit, one.fact)))
            if one.fact is not None:
                unit.extra_vp += one.fact.extra_vp
                unit.hand_bonus += one.fact.hand_bonus
                _take_command(g, unit, one)
            g.say(_("%(attachment)s joins %(unit)s."), attachment=one.name, unit=unit.name)

    @answer
    def detach(self, g: Table, seat: str, unit: Unit, attachment: str) -> None:
        gone = attached(unit)[attachment]
        take_off(g, unit, gone)
        if unit.commander and full_name(gone) == g.armies[unit.army].commander:
            _stand_down(g, unit)
        g.say(_("%(attachment)s leaves %(unit)s."), attachment=gone[0], unit=unit.name)

    # --- companions ----------------------------------------------------------------------------------

    def _masters(self, g: Table, unit: Unit) -> Iterator[Offer]:
        """A solo may belong to a unit of its side that itself follows nobody (TMG-23)."""
        for other in g.units_of(unit.army):
            is_linked = unit.linked_to == other.key
            if is_linked or (unit.kind == "solo" and other is not unit and other.linked_to is None):
                on, off = f"link:{unit.key}:{other.key}", f"unlink:{unit.key}:{other.key}"
                label = say(_("Activates with %(unit)s"), unit=other.name)
                yield switch(is_linked, on, off, label, ENTRY)

    @answer
    def link(self, g: Table, seat: str, unit: Unit, master: Unit) -> None:
        unit.linked_to = master.key
        line = _("%(unit)s is linked to %(master)s.")
        g.say(line, unit=unit.name, master=master.name)

    @answer
    def unlink(self, g: Table, seat: str, unit: Unit, master: Unit) -> None:
        unit.linked_to = None
        g.say(_("%(unit)s activates in a turn of its own."), unit=unit.name)

    # --- coming and going ----------------------------------------------------------------------------

    @answer
    def add(self, g: Table, seat: str, side: Side) -> None:
        """TMG-25: a unit that joins mid-round has not activated; its switch says otherwise.

        Several units, or a number of the same, join one after another as far as there is room.
        """
        text = written(
            g, _("Please type the unit in the field below, such as “Stark Sworn Swords (5)”."), 200
        )
        try:
            entries = read_entries(text, catalogue(g.entries), side.faction, side.commander)
        except Unreadable as unreadable:
            raise IllegalAction(unreadable.line) from unreadable
        for entry in entries[: MOST_UNITS - sum(1 for _unit in g.units_of(side.key))]:
            self._join(g, side, entry)

    def _join(self, g: Table, side: Side, entry: RosterEntry) -> None:
        unit = muster.enlist(g, side.key, entry)
        unit.place = "table" if g.round else "unplaced"
        _take_command(g, unit, entry)
        for one in entry.attachments:
            _take_command(g, unit, one)
        if entry.figures.follows:
            muster.link(g, unit, entry.figures.follows)
        if all(brought.ready for brought in g.armies.values()):
            muster.tell_armies_apart(g)
        g.say(_("%(unit)s joins the army of %(player)s."), unit=unit.name, player=name_of(g, side.key))

    @answer
    def remove(self, g: Table, seat: str, unit: Unit) -> None:
        """The unit leaves the match as if it had never been listed; nothing scores."""
        with control.watching(g):
            if unit.commander:
                _stand_down(g, unit)
            control.withdraw(g, unit)
            decks.fall(g, unit)
            for other in g.units.values():
                other.influences = None if other.influences == unit.key else other.influences
                other.linked_to = None if other.linked_to == unit.key else other.linked_to
            g.units = {other: kept for other, kept in g.units.items() if other != unit.key}
            g.acting = None if g.acting == unit.key else g.acting
            for side in g.armies.values():
                side.acted = None if side.acted == unit.key else side.acted
            g.say(_("%(unit)s is removed from the match."), unit=unit.name)


def take_off(g: Table, unit: Unit, gone: tuple[Any, ...]) -> None:
    """A unit loses an attachment and what its card adds to the unit's figures."""
    left = list(unit.attachments)
    left.remove(gone)
    unit.attachments = tuple(left)
    fact = card_of(g, gone)
    if fact is not None:
        unit.extra_vp = max(0, unit.extra_vp - fact.extra_vp)
        unit.hand_bonus = max(0, unit.hand_bonus - fact.hand_bonus)


def _kinds(unit: Unit) -> Iterator[Offer]:
    for kind, called in KINDS.items():
        if unit.kind != WALL and (kind == "ncu" or kind in COMBAT_KINDS):
            label = say(_("Kind: %(kind)s"), kind=Term(called))
            yield Offer(f"kind:{unit.key}:{kind}", label, on=unit.kind == kind, group=ENTRY)


def attached(unit: Unit) -> dict[str, tuple[Any, ...]]:
    """A unit's attachments by the noun of their action."""
    found: dict[str, tuple[Any, ...]] = {}
    for one in unit.attachments:
        found.setdefault(noun(one[0]), one)
    return found


def _owner(g: Table, unit: Unit, fact: Fact | None) -> str:
    """The army that a new attachment counts for: one that joins enemies belongs to the other (TMG-10)."""
    return g.rival(unit.army) if fact is not None and fact.joins_enemy else unit.army


def full_name(attachment: tuple[Any, ...]) -> str:
    """Name and sub-title of an attachment, as lists write them."""
    name, title, *_rest = attachment
    return f"{name} - {title}" if title else name


def card_of(g: Table, attachment: tuple[Any, ...]) -> Fact | None:
    """An attachment's card, if the catalogue has it."""
    name, title, cost, owner = attachment
    faction, commander = g.armies[owner].faction, g.armies[owner].commander
    found = catalogue(g.entries).find(
        name, title, kind=ATTACHMENT, faction=faction, cost=cost, commander=commander
    )
    return found.fact if found else None


def _take_command(g: Table, unit: Unit, piece: RosterEntry | Attachment) -> None:
    """A Commander who joins an army without one leads it, from this unit (TMG-11)."""
    can_lead = piece.fact is not None and piece.fact.commander
    if can_lead and not any(other.commander for other in g.units_of(unit.army)):
        unit.commander, g.armies[unit.army].commander = True, piece.full_name


def _leader_of(g: Table, unit: Unit) -> str:
    """The commander in a unit: the attachment whose card says so, else the unit itself."""
    for one in unit.attachments:
        fact = card_of(g, one)
        if fact is not None and fact.commander:
            return full_name(one)
    return f"{unit.name} - {unit.title}" if unit.title else unit.name


def _stand_down(g: Table, unit: Unit) -> None:
    """Leave this unit's army without a commander."""
    unit.commander, g.armies[unit.army].commander = False, ""


def _complete(unit: Unit) -> None:
    total, rank_size = FIGURES[unit.kind]
    unit.rank_size = rank_size
    if not unit.wounds_total:
        unit.wounds_total = total
        unit.wounds = 0 if unit.place == "destroyed" else total
