"""Corrections of a list entry: what the list or the catalogue says and the players know better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

from games.core import (
    PIECE_GRAPHEMES,
    Button,
    Choice,
    Counter,
    Flag,
    IllegalAction,
    Line,
    Switches,
    Term,
    Unreadable,
    key_of,
    name_of,
    refuse_same,
    say,
    say_count,
    written,
)
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_cards import ATTACHMENT, Fact, catalogue
from games.systems.tmg.lists.army_grammar import read_entries, read_entry
from games.systems.tmg.lists.army_roster import Attachment, RosterEntry
from games.systems.tmg.lists.army_rows import FIGURES, KINDS
from games.systems.tmg.pieces import COMBAT_KINDS, WALL, Side, Table, Unit
from games.systems.tmg.rules import army_muster, objective_tokens, tactics_cards

MOST_UNITS, MOST_ATTACHMENTS = 40, 8
TYPE_BELOW = _("Type it in the field below.")

Labels = Iterator[tuple[str, Line]]
Named = tuple[Any, ...]
"""An attachment as a unit keeps it: its name, its sub-title, its cost, the army it counts for."""


def noun(words: str) -> str:
    """A name as the noun of an action; one outside ASCII gets a checksum too."""
    plain = key_of(words, ())
    return plain if words.isascii() else f"{plain}-{crc32(words.encode()):08x}"


def _fights(_g: Table, unit: Unit) -> bool:
    return unit.is_combat


def _rename(g: Table, unit: Unit) -> None:
    called = written(g, _("Please type the name in the field below."), PIECE_GRAPHEMES)
    refuse_same(unit.name == called)
    g.say(_("%(unit)s is now called %(name)s."), unit=unit.name, name=called)
    unit.name = called


def _retitle(g: Table, unit: Unit) -> None:
    title = written(g, "", PIECE_GRAPHEMES) if g.note.strip() else ""
    refuse_same(unit.title == title)
    unit.title = title
    if title:
        g.say(_("%(unit)s has the subtitle %(title)s."), unit=unit.name, title=title)
    else:
        g.say(_("%(unit)s has no subtitle."), unit=unit.name)


def _change_total(_g: Table, unit: Unit, change: int) -> None:
    """A unit that has lost no wounds stays at full wounds."""
    is_whole = unit.wounds == unit.wounds_total
    unit.wounds_total += change
    unit.wounds = unit.wounds_total if is_whole else min(unit.wounds, unit.wounds_total)


def _kinds(_g: Table, unit: Unit) -> Labels:
    for kind, called in KINDS.items():
        if unit.kind != WALL and (kind == "ncu" or kind in COMBAT_KINDS):
            yield kind, say(_("Kind: %(kind)s"), kind=Term(called))


def _change_kind(g: Table, unit: Unit, kind: str) -> None:
    """The unit leaves its place and its fights; one without figures gets those of its new kind."""
    unit.kind = kind
    objective_tokens.withdraw(g, unit)
    if not unit.is_combat:
        unit.conditions = frozenset()
        return
    unit.lent_to, unit.kept, unit.influences = None, False, None
    total, unit.rank_size = FIGURES[kind]
    if not unit.wounds_total:
        unit.wounds_total = total
        unit.wounds = 0 if unit.place == "destroyed" else total


def _command(g: Table, unit: Unit, is_on: bool) -> None:
    """TMG-11: a side has one commander."""
    if not is_on:
        _stand_down(g, unit)
        g.say(_("%(unit)s is not the Commander."), unit=unit.name)
        return
    for other in g.units_of(unit.army):
        other.commander = other is unit
    g.armies[unit.army].commander = _leader_of(g, unit)
    g.say(_("%(unit)s is %(player)s’s Commander."), unit=unit.name, player=name_of(g, unit.army))


def _stand_down(g: Table, unit: Unit) -> None:
    """Leave this unit's army without a commander."""
    unit.commander, g.armies[unit.army].commander = False, ""


def _leader_of(g: Table, unit: Unit) -> str:
    """The commander in a unit: the attachment whose card says so, else the unit itself."""
    for attachment in unit.attachments:
        fact = card_of(g, attachment)
        if fact is not None and fact.commander:
            return full_name(attachment)
    return f"{unit.name} - {unit.title}" if unit.title else unit.name


def _take_command(g: Table, unit: Unit, piece: RosterEntry | Attachment) -> None:
    """A Commander who joins an army without one leads it, from this unit (TMG-11)."""
    can_lead = piece.fact is not None and piece.fact.commander
    if can_lead and not any(other.commander for other in g.units_of(unit.army)):
        unit.commander, g.armies[unit.army].commander = True, piece.full_name


def _masters(g: Table, unit: Unit) -> Labels:
    """A solo may belong to a unit of its side that itself follows nobody (TMG-23)."""
    for other in g.units_of(unit.army):
        may_follow = unit.kind == "solo" and other is not unit and other.linked_to is None
        if unit.linked_to == other.key or may_follow:
            yield other.key, say(_("Activates with %(unit)s"), unit=other.name)


def link_to(g: Table, unit: Unit, master: str) -> None:
    unit.linked_to = master
    g.say(_("%(unit)s is linked to %(master)s."), unit=unit.name, master=g.units[master].name)


def _remove(g: Table, unit: Unit) -> None:
    """The unit leaves the match as if it had never been listed; nothing scores."""
    if unit.commander:
        _stand_down(g, unit)
    objective_tokens.withdraw(g, unit)
    tactics_cards.fall(g, unit)
    for other in g.units.values():
        other.influences = None if other.influences == unit.key else other.influences
        other.linked_to = None if other.linked_to == unit.key else other.linked_to
    g.units = {other: kept for other, kept in g.units.items() if other != unit.key}
    g.acting = None if g.acting == unit.key else g.acting
    for side in g.armies.values():
        side.acted = None if side.acted == unit.key else side.acted


# --- attachments -----------------------------------------------------------------------------------


def full_name(attachment: Named) -> str:
    """Name and sub-title of an attachment, as lists write them."""
    name, title, *_rest = attachment
    return f"{name} - {title}" if title else name


def card_of(g: Table, attachment: Named) -> Fact | None:
    """An attachment's card, if the catalogue has it."""
    name, title, cost, owner = attachment
    side = g.armies[owner]
    entry = catalogue(g.entries).find(
        name, title, kind=ATTACHMENT, faction=side.faction, cost=cost, commander=side.commander
    )
    return entry.fact if entry else None


def take_off(g: Table, unit: Unit, gone: Named) -> None:
    """A unit loses an attachment and what its card adds to the unit's figures."""
    left = list(unit.attachments)
    left.remove(gone)
    unit.attachments = tuple(left)
    fact = card_of(g, gone)
    if fact is not None:
        unit.extra_vp = max(0, unit.extra_vp - fact.extra_vp)
        unit.hand_bonus = max(0, unit.hand_bonus - fact.hand_bonus)


def _attach(g: Table, unit: Unit) -> None:
    text = written(g, _("Please type the attachment in the field below."), 80)
    try:
        entry, _warnings = read_entry(f"Unit with {text}", catalogue(g.entries), g.armies[unit.army].faction)
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line) from unreadable
    for attachment in entry.attachments[: MOST_ATTACHMENTS - len(unit.attachments)]:
        # One that joins enemies counts for the other army (TMG-10).
        joins_enemy = attachment.fact is not None and attachment.fact.joins_enemy
        owner = g.rival(unit.army) if joins_enemy else unit.army
        unit.attachments = (*unit.attachments, (attachment.name, attachment.title, attachment.cost, owner))
        if attachment.fact is not None:
            unit.extra_vp += attachment.fact.extra_vp
            unit.hand_bonus += attachment.fact.hand_bonus
            _take_command(g, unit, attachment)
        g.say(_("%(attachment)s joins %(unit)s."), attachment=attachment.name, unit=unit.name)


def _attached(_g: Table, unit: Unit) -> Labels:
    names = {noun(attachment[0]): attachment[0] for attachment in reversed(unit.attachments)}
    return ((key, say(_("Detach %(attachment)s"), attachment=name)) for key, name in names.items())


def detach(g: Table, unit: Unit, attachment: str) -> None:
    """TMG-11: a Commander who is detached takes the command along."""
    gone = next(joined for joined in unit.attachments if noun(joined[0]) == attachment)
    take_off(g, unit, gone)
    if unit.commander and full_name(gone) == g.armies[unit.army].commander:
        _stand_down(g, unit)


# --- joining an army -----------------------------------------------------------------------------------


def _has_room(g: Table, side: Side) -> bool:
    return sum(1 for _unit in g.units_of(side.key)) < MOST_UNITS


def add_units(g: Table, side: Side) -> None:
    """TMG-25: a unit that joins mid-round has not activated; its switch says otherwise.

    Several units, or a number of the same, join one after another as far as there is room.
    """
    text = written(g, _("Please type the unit in the field below, such as “Stark Sworn Swords (5)”."), 200)
    try:
        entries = read_entries(text, catalogue(g.entries), side.faction, side.commander)
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line) from unreadable
    for entry in entries[: MOST_UNITS - sum(1 for _unit in g.units_of(side.key))]:
        _join(g, side, entry)


def _join(g: Table, side: Side, entry: RosterEntry) -> None:
    unit = army_muster.enlist(g, side.key, entry)
    unit.place = "table" if g.round else "unplaced"
    _take_command(g, unit, entry)
    for attachment in entry.attachments:
        _take_command(g, unit, attachment)
    if entry.figures.follows:
        army_muster.link(g, unit, entry.figures.follows)
    if all(brought.ready for brought in g.armies.values()):
        army_muster.tell_armies_apart(g)
    g.say(_("%(unit)s joins the army of %(player)s."), unit=unit.name, player=name_of(g, side.key))


# --- the rows --------------------------------------------------------------------------------------

# fmt: off
OF_UNIT = (
    Button("rename", _("Change the name"), _rename, detail=TYPE_BELOW),
    Button("retitle", _("Change the subtitle"), _retitle, detail=TYPE_BELOW),
    Counter("cost", _("Cost in army points"), 0, 30,
            say_count("%(unit)s costs %(count)s army point.", "%(unit)s costs %(count)s army points.", 0)),
    Counter("wounds-total", _("Total wounds"), 1, 40, within=objective_tokens.watching, when=_fights,
            said=say_count("%(unit)s has %(count)s wound in total.",
                         "%(unit)s has %(count)s wounds in total.", 0), write=_change_total),
    Counter("rank-size", _("Wounds per rank"), 1, 20, within=objective_tokens.watching,
            said=(_("%(unit)s has 1 wound in a rank."), _("%(unit)s has %(count)s wounds in a rank.")),
            when=lambda g, unit: unit.kind in ("infantry", "cavalry")),
    Counter("extra-points", _("More points when destroyed"), 0, 5, field="extra_vp", when=_fights,
            said=_("%(unit)s gives %(count)s more when destroyed.")),
    Counter("raises-hand", _("Adds to hand limit"), 0, 5, field="hand_bonus",
            said=_("%(unit)s adds %(count)s to the hand limit.")),
    Flag("on:cannot-control", "off:cannot-control", _("Cannot control objectives"),
         _("%(unit)s cannot control objectives."), _("%(unit)s can control objectives."),
         within=objective_tokens.watching, when=_fights),
    Flag("on:no-conditions", "off:no-conditions", _("Gains no conditions"),
         _("%(unit)s gains no conditions."), _("%(unit)s can gain conditions."), "gains_no_conditions",
         within=objective_tokens.watching, when=_fights),
    Flag("on:no-points", "off:no-points", _("Gives no points when destroyed"),
         _("%(unit)s gives no points when destroyed."), _("%(unit)s gives points when destroyed."),
         "grants_no_vp", within=objective_tokens.watching, when=_fights),
    Flag("on:never-activates", "off:never-activates", _("Never activates"),
         _("%(unit)s never activates."), _("%(unit)s activates like others."),
         within=objective_tokens.watching),
    Flag("command", "stand-down", _("Commander"), field="commander", write=_command),
    Choice("kind", _kinds, _change_kind, lambda g, unit: unit.kind,
           _("%(unit)s is now %(kind)s."), within=objective_tokens.watching),
    Button("attach", _("Attach"), _attach, when=lambda g, unit: len(unit.attachments) < MOST_ATTACHMENTS,
           detail=_("Type its name, and its cost in brackets, in the field below.")),
    Choice("detach", _attached, detach, said=_("%(attachment)s leaves %(unit)s.")),
    Switches("link", "unlink", _masters, "linked_to", no=_("%(unit)s activates in a turn of its own."),
             put=link_to),
    Button("remove", _("Remove from the match"), _remove, _("%(unit)s is removed from the match."),
           style="apart", within=objective_tokens.watching),
)
OF_SIDE = (
    Button("add", _("Add a unit"), add_units, when=_has_room,
           detail=_("Type it in the field below: its name, and its cost in brackets.")),
)
# fmt: on
