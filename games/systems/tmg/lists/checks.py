"""Remarks on a whole list once it is read: its commander, size, checksum and duplicate heroes.

They never refuse anything: points only warn, and the number of activations
that a builder states serves as a checksum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games.core.words import gettext_noop as _
from games.systems.tmg.lists.catalogue import NCU, plain
from games.systems.tmg.lists.draft import Draft
from games.systems.tmg.lists.roster import ENEMY, Attachment, Roster, RosterEntry

Piece = RosterEntry | Attachment

MORE_THAN_ONE = _("Line %(line)d: “%(name)s” could be more than one card; taken as %(card)s.")
"""The remark on a name that fits several cards; for a commander's, the player is asked instead."""

WHICH_COMMANDER = _("Line %(line)d: the Commander could be %(cards)s. Please choose.")
"""The remark that asks which card the commander is; `cards` are the full names that fit."""

WHOLE_PRICE = _("Line %(line)d: %(cost)d was taken as the price of %(unit)s with its attachments.")
"""The remark on a price that a list states for a unit and its attachments together."""


MOST_REMARKS = 200
"""More than any list of an army needs: they are kept with the match."""


def checked(draft: Draft) -> Roster:
    """The finished roster: one commander marked, and the remarks in the order of the lines."""
    _mark_commander(draft)
    _part_prices(draft)
    _check_points(draft)
    _check_activations(draft)
    _check_heroes(draft)
    remarks = sorted(draft.remarks, key=lambda remark: remark[0])[:MOST_REMARKS]
    return Roster(
        draft.faction,
        draft.commander,
        _points(draft),
        draft.limit,
        _activations(draft),
        tuple(draft.entries),
        tuple(line for _number, line in remarks),
        draft.name,
        tuple(draft.cards),
    )


def _mark_commander(draft: Draft) -> None:
    """Mark exactly one commander, if there is any: as the list says, else by the card (TMG-11).

    Until then whoever has a C for a cost, or is called Commander, is marked.
    """
    stated = [_leader(piece) for piece in pieces_of(draft.entries) if piece.commander]
    born = [piece for piece in pieces_of(draft.entries) if piece.fact and piece.fact.commander]
    fighting = [piece for piece in born if not _is_ncu(piece)]
    chosen = _named_commander(draft) if draft.commander else next(iter(stated + fighting + born), None)
    others = [*seconds(draft.entries, chosen)] if chosen else []
    draft.entries = [_marked(entry, chosen) for entry in draft.entries]
    if chosen is None:
        _remark_missing(draft)
        return
    _ask_which(draft, chosen)
    draft.commander = chosen.full_name
    for piece in others:
        message = _("Line %(line)d: %(name)s is a second Commander; an army has one.")
        draft.remark(piece.line, message, name=piece.full_name)


def seconds(entries: Iterable[RosterEntry], chosen: Piece) -> Iterator[Piece]:
    """The Commanders beside the chosen one; an NCU of that kind may be in an army without leading it."""
    if not _is_ncu(chosen):
        born = (piece for piece in pieces_of(entries) if piece.fact and piece.fact.commander)
        yield from (piece for piece in born if piece is not chosen and not _is_ncu(piece))


def _is_ncu(piece: Piece) -> bool:
    return isinstance(piece, RosterEntry) and piece.kind == NCU


def _leader(piece: Piece) -> Piece:
    """Whom a mark means: a unit is marked for the Commander attached to it, if there is one."""
    attached = piece.attachments if isinstance(piece, RosterEntry) else ()
    return next((one for one in attached if one.fact and one.fact.commander), piece)


def _named_commander(draft: Draft) -> Piece | None:
    """The piece that the list's commander line means: by full name, else a commander of that name."""
    named = plain(draft.commander)
    found = list(pieces_of(draft.entries))
    for piece in found:
        if plain(piece.full_name) == named:
            return piece
    return next((piece for piece in found if piece.fact in draft.leaders), None)


def _ask_which(draft: Draft, chosen: Piece) -> None:
    """TMG-11: if the commander's name fits several cards, the player says which of them leads."""
    cards = (piece.fact for piece in pieces_of(draft.entries))
    present = tuple(card for card in cards if card and card in draft.leaders)
    fitting = draft.doubts.get(chosen.line, present)
    if len(fitting) > 1:
        asked = (chosen.line, MORE_THAN_ONE)
        draft.remarks = [(at, line) for at, line in draft.remarks if (at, line.message) != asked]
        names = tuple(card.full_name for card in fitting)
        draft.remark(draft.commander_line or chosen.line, WHICH_COMMANDER, cards=names)


def _remark_missing(draft: Draft) -> None:
    if draft.commander:
        message = _("Line %(line)d: the Commander “%(name)s” is in no unit of this list.")
        draft.remark(draft.commander_line, message, name=draft.commander)
    else:
        draft.remark(0, _("This list has no Commander."))


def _marked(entry: RosterEntry, chosen: Piece | None) -> RosterEntry:
    """The entry, marked if it is the commander or has him attached, and not otherwise."""
    attachments = tuple(replace(one, commander=one is chosen) for one in entry.attachments)
    leads = entry is chosen or any(one.commander for one in attachments)
    return replace(entry, attachments=attachments, commander=leads)


def _part_prices(draft: Draft) -> None:
    """Take the price of a unit with its attachments apart, where each such unit of the list has that price.

    The points that the list states must agree; where it states none, one unit alone may cost more by now.
    """
    units = [entry for entry in draft.entries if entry.fact and entry.points > entry.cost]
    whole = [entry for entry in units if entry.points == 2 * entry.cost - entry.figures.cost]
    over = sum(entry.points - entry.cost for entry in whole)
    is_agreed = len(whole) > 1 if draft.points is None else _sum(draft) - over == draft.points
    if not whole or len(whole) < len(units) or not is_agreed:
        return
    for entry in whole:
        draft.remark(entry.line, WHOLE_PRICE, cost=entry.cost, unit=entry.full_name)
    own = {id(entry): entry.figures.cost for entry in whole}
    draft.entries = [
        replace(entry, cost=own[id(entry)]) if id(entry) in own else entry for entry in draft.entries
    ]


def _check_points(draft: Draft) -> None:
    """Less than is stated is a list cut short; more may be a discount, as builders print none."""
    costs = _sum(draft) - _discounts(draft) if draft.points is None else draft.points
    if draft.limit is not None and costs > draft.limit:
        message = _("Line %(line)d: the list costs %(points)d army points and was built for %(limit)d.")
        draft.remark(draft.points_line, message, points=costs, limit=draft.limit)
    if draft.points is None:
        return
    discounts = sum(attachment.cost > 0 for entry in draft.entries for attachment in entry.attachments)
    if not draft.points <= _sum(draft) <= draft.points + discounts:
        message = _("Line %(line)d: the list states %(points)d army points, but its units add up to %(sum)d.")
        draft.remark(draft.points_line, message, points=draft.points, sum=_sum(draft))


def _discounts(draft: Draft) -> int:
    """The points that the cards of this list's units take off their attachments."""
    units = [entry for entry in draft.entries if entry.figures.discounts]
    return sum(attachment.cost > 0 for entry in units for attachment in entry.attachments)


def _check_activations(draft: Draft) -> None:
    if draft.activations is not None and draft.activations != _activations(draft):
        message = _("Line %(line)d: the list states %(stated)d activations, but %(read)d were read.")
        draft.remark(draft.activations_line, message, stated=draft.activations, read=_activations(draft))


def _check_heroes(draft: Draft) -> None:
    """A character may be in an army only once, under any sub-title."""
    for piece, first in twice(draft.entries):
        message = _("Line %(line)d: %(name)s is already in this army (line %(first)d).")
        draft.remark(piece.line, message, name=piece.name, first=first.line)


def twice(entries: Iterable[RosterEntry]) -> Iterator[tuple[Piece, Piece]]:
    """Each piece whose character the army has already, and the first one of that name."""
    first: dict[str, Piece] = {}
    for piece in pieces_of(entries):
        if piece.fact is not None and piece.fact.unique:
            if plain(piece.name) in first:
                yield piece, first[plain(piece.name)]
            first.setdefault(plain(piece.name), piece)


def pieces_of(entries: Iterable[RosterEntry]) -> Iterator[Piece]:
    """Everything that has a name of its own, in the order of the list."""
    for entry in entries:
        yield entry
        yield from entry.attachments


def _points(draft: Draft) -> int:
    return _sum(draft) if draft.points is None else draft.points


def _sum(draft: Draft) -> int:
    return sum(entry.points for entry in draft.entries)


def _activations(draft: Draft) -> int:
    return sum(entry.kind != ENEMY for entry in draft.entries)
