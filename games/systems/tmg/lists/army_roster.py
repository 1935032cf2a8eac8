"""An army as its list states it, while it is being read and after, and what is odd about the whole.

Remarks never refuse anything: points only warn, and the number of activations that a builder states
serves as a checksum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise

from games.core import Argument, Ledger, Line, Term, say
from games.core import gettext_noop as _
from games.systems.tmg.lists.army_cards import (
    ENEMY,
    FACTIONS,
    NCU,
    NEUTRAL,
    UNIT,
    Fact,
    Named,
    plain,
    unlisted,
)


@dataclass(frozen=True, slots=True)
class Attachment(Named):
    """A character or officer in a unit. It never activates or scores by itself (TMG-10)."""

    line: int = field(compare=False)
    name: str
    title: str
    cost: int
    fact: Fact | None = None
    commander: bool = False


@dataclass(frozen=True, slots=True)
class RosterEntry(Named):
    """One unit, NCU or enemy attachment of a list.

    `cost` is the list's own, without attachments; `fact` is None if the catalogue
    does not know it; `commander` marks the unit in which (or as which) the commander fights.
    """

    line: int = field(compare=False)
    name: str
    title: str
    cost: int
    kind: str
    attachments: tuple[Attachment, ...] = ()
    fact: Fact | None = None
    commander: bool = False

    @property
    def figures(self) -> Fact:
        """Its wounds, ranks and peculiarities: the catalogue's, or plain ones if it has none."""
        return self.fact or unlisted(self.kind, self.name, self.title, self.cost)

    @property
    def points(self) -> int:
        """Its cost with all attachments, as points for destroyed units count it (TMG-50)."""
        return self.cost + sum(attachment.cost for attachment in self.attachments)

    @property
    def extra_vp(self) -> int:
        """Victory points beyond the first that its destruction gives, attachments included (TMG-49)."""
        return sum(fact.extra_vp for fact in self._facts())

    @property
    def hand_bonus(self) -> int:
        """Cards by which it raises its owner's hand while it lives, attachments included (TMG-79)."""
        return sum(fact.hand_bonus for fact in self._facts())

    def _facts(self) -> tuple[Fact, ...]:
        facts = (self.fact, *(attachment.fact for attachment in self.attachments))
        return tuple(fact for fact in facts if fact is not None)


@dataclass(frozen=True, slots=True)
class Roster:
    """A whole army. Two rosters are equal if the armies are, wherever their lines stood.

    `points` is what the list states (else what it adds up to), `limit` the size it was
    built for if it says so; `activations` counts units and NCUs. `warnings` are sentences
    for the player, in the order of the lines they are about; `name` is what its builder calls it;
    `cards` are the names of its tactics cards, where it gives them; `unused` says which words stand nowhere.
    """

    faction: str
    commander: str
    points: int
    limit: int | None
    activations: int
    entries: tuple[RosterEntry, ...]
    warnings: tuple[Line, ...] = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    cards: tuple[str, ...] = field(default=(), compare=False)
    unused: tuple[Line, ...] = field(default=(), compare=False)

    def of_kind(self, kind: str) -> tuple[RosterEntry, ...]:
        """The entries that are units, NCUs or enemy attachments."""
        return tuple(entry for entry in self.entries if entry.kind == kind)


MAX_ENTRIES = 60
"""The most entries that an army may have, and the most attachments."""
MOST_COMPARED = 250
"""How often an unknown name is compared with all cards: twice for each piece that an army may have."""

Piece = RosterEntry | Attachment
Twofold = tuple[RosterEntry, Attachment, bool]


@dataclass
class Draft:
    """A roster in the making: what its headings state, and the remarks so far by line.

    `leaders` are the cards that its commander line may mean, `doubts`, by line, the commanders that a
    name may mean if there is more than one. `compared` counts the names compared with all cards.
    `homeless` attachments stand under no unit; `twofold` are units that may be attachments too, and
    whether they have a bullet; `unpriced` are the lines of units that state no price.
    """

    faction: str = ""
    commander: str = ""
    commander_line: int = 0
    points: int | None = None
    limit: int | None = None
    points_line: int = 0
    activations: int | None = None
    activations_line: int = 0
    name: str = ""
    cards: list[str] = field(default_factory=list)
    entries: list[RosterEntry] = field(default_factory=list)
    leaders: tuple[Fact, ...] = ()
    doubts: dict[int, tuple[Fact, ...]] = field(default_factory=dict)
    homeless: list[Attachment] = field(default_factory=list)
    twofold: list[Twofold] = field(default_factory=list)
    unpriced: set[int] = field(default_factory=set)
    remarks: list[tuple[int, Line]] = field(default_factory=list)
    ledger: Ledger = field(default_factory=lambda: Ledger(()))
    compared: int = 0

    def may_compare(self) -> bool:
        """Whether one more unknown name is compared with all cards, which takes long."""
        self.compared += 1
        return self.compared <= MOST_COMPARED

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

    def is_foreign(self, card: Fact) -> bool:
        """Whether a card is neither of this army's faction nor Neutral."""
        return bool(self.faction) and card.faction not in (self.faction, NEUTRAL)

    def remark_foreign(self, line: int, card: Fact) -> None:
        """Say so if a card is foreign."""
        if self.is_foreign(card):
            message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
            self.remark(line, message, card=card.full_name, faction=Term(FACTIONS[card.faction]))

    @property
    def above(self) -> RosterEntry | None:
        """The unit that an attachment on the next line joins; None if no unit stands above."""
        own = [entry for entry in self.entries if entry.kind != ENEMY]
        return own[-1] if own and own[-1].kind == UNIT else None

    def attach(self, attachment: Attachment) -> None:
        """Put an attachment into the unit above it; without one it waits for a home."""
        if unit := self.above:
            self._join(unit, attachment)
        else:
            self.homeless.append(attachment)

    def _join(self, unit: RosterEntry, attachment: Attachment) -> None:
        joined = replace(unit, attachments=(*unit.attachments, attachment))
        self.entries = [joined if entry is unit else entry for entry in self.entries]

    @property
    def attached(self) -> int:
        """How many attachments there are, those without a home included."""
        return len(self.homeless) + sum(len(entry.attachments) for entry in self.entries)

    @property
    def sum(self) -> int:
        """What its lines cost together."""
        return sum(entry.points for entry in self.entries)

    @property
    def active(self) -> int:
        """How many of its entries are activated."""
        return sum(entry.kind != ENEMY for entry in self.entries)

    def house(self) -> None:
        """Put attachments under no unit into the first one, so that nothing is lost."""
        at = next((at for at, entry in enumerate(self.entries) if entry.kind == UNIT), 0)
        for lost in self.homeless if self.entries else ():
            home = self.entries[at]
            self.entries[at] = replace(home, attachments=(*home.attachments, lost))
            message = _(
                "Line %(line)d: “%(name)s” is not listed under a Combat Unit and was added to %(unit)s."
            )
            self.remark(lost.line, message, name=lost.full_name, unit=home.full_name)


MOST_TWOFOLD = 8
"""More such names than an army has are not weighed against each other."""
_SIZES = (30, 40, 50)


def attach_units(draft: Draft) -> None:
    """Attach the units that are attachments: the fewest by which the list's numbers are right.

    Where it states none, those without a bullet, if each unit that is surely one has a price. Nothing is
    attached to another of them, nor what has an attachment itself.
    """
    homes = {id(entry): above for above, entry in pairwise(draft.entries) if above.kind == UNIT}
    may = [twofold for twofold in draft.twofold if id(twofold[0]) in homes]
    may.sort(key=lambda twofold: len(homes[id(twofold[0])].attachments))
    some = may[:MOST_TWOFOLD]
    every = (chosen for number in range(len(some) + 1) for chosen in combinations(some, number))
    chosen = next((chosen for chosen in every if _agrees(draft, chosen) and _is_apart(chosen, homes)), None)
    if chosen is None and (draft.points, draft.limit, draft.activations) == (None, None, None):
        doubtful = {id(unit) for unit, _attachment, _marked in may}
        sure = [entry for entry in draft.entries if entry.kind == UNIT and id(entry) not in doubtful]
        if sure and draft.unpriced.isdisjoint(entry.line for entry in sure):
            chosen = tuple(
                twofold for twofold in may if not twofold[2] and id(homes[id(twofold[0])]) not in doubtful
            )
    for unit, attachment, _marked in chosen or ():
        at = next(at for at, entry in enumerate(draft.entries) if entry is unit)
        home = draft.entries[at - 1]
        draft.entries[at - 1 : at + 1] = [replace(home, attachments=(*home.attachments, attachment))]


def _is_apart(chosen: Sequence[Twofold], homes: Mapping[int, RosterEntry]) -> bool:
    """Whether none of these joins another."""
    return {id(twofold[0]) for twofold in chosen}.isdisjoint(id(homes[id(twofold[0])]) for twofold in chosen)


def _agrees(draft: Draft, chosen: Sequence[Twofold]) -> bool:
    """Whether the list's numbers are right if these are attachments."""
    points = draft.sum - sum(unit.cost - attachment.cost for unit, attachment, _marked in chosen)
    if draft.activations not in (None, draft.active - len(chosen)):
        return False
    if draft.points is not None:
        return points == draft.points
    if draft.limit is not None:
        return points <= draft.limit
    return draft.activations is not None or points in _SIZES


MORE_THAN_ONE = _("Line %(line)d: “%(name)s” could be more than one card; read as %(card)s.")
"""The remark on a name that fits several cards; for a commander's, the player is asked instead."""

WHICH_COMMANDER = _("Line %(line)d: the Commander could be %(cards)s. Please choose.")
"""The remark that asks which card the commander is; `cards` are the full names that fit."""

WHOLE_PRICE = _("Line %(line)d: %(cost)d was read as the price of %(unit)s with its attachments.")
"""The remark on a price that a list states for a unit and its attachments together."""


MOST_REMARKS = 200
"""More than any list of an army needs: they are kept with the match."""


def checked(draft: Draft) -> Roster:
    """The finished roster: one commander marked, and the remarks in the order of the lines."""
    _mark_commander(draft)
    _part_prices(draft)
    _check_points(draft)
    if draft.activations not in (None, draft.active):
        message = _("Line %(line)d: the list states %(stated)d activations, but %(read)d were read.")
        draft.remark(draft.activations_line, message, stated=draft.activations or 0, read=draft.active)
    for piece, first in twice(draft.entries):
        message = _("Line %(line)d: %(name)s is already in this army (line %(first)d).")
        draft.remark(piece.line, message, name=piece.name, first=first.line)
    remarks = sorted(draft.remarks, key=lambda remark: remark[0])[:MOST_REMARKS]
    return Roster(
        draft.faction,
        draft.commander,
        draft.sum if draft.points is None else draft.points,
        draft.limit,
        draft.active,
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
        draft.ledger.use(draft.commander_line, draft.commander)
        _remark_missing(draft)
        return
    draft.ledger.use(draft.commander_line, chosen.full_name)
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
    return next(
        (attachment for attachment in attached if attachment.fact and attachment.fact.commander), piece
    )


def _named_commander(draft: Draft) -> Piece | None:
    """The piece that the list's commander line means: by full name, else a commander of that name."""
    named = plain(draft.commander)
    pieces = list(pieces_of(draft.entries))
    for piece in pieces:
        if plain(piece.full_name) == named:
            return piece
    return next((piece for piece in pieces if piece.fact in draft.leaders), None)


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
    attachments = tuple(
        replace(attachment, commander=attachment is chosen) for attachment in entry.attachments
    )
    leads = entry is chosen or any(attachment.commander for attachment in attachments)
    return replace(entry, attachments=attachments, commander=leads)


def _part_prices(draft: Draft) -> None:
    """Take the price of a unit with its attachments apart, where each such unit of the list has that price.

    The points that the list states must agree; where it states none, one unit alone may cost more by now.
    """
    units = [entry for entry in draft.entries if entry.fact and entry.points > entry.cost]
    whole = [entry for entry in units if entry.points == 2 * entry.cost - entry.figures.cost]
    over = sum(entry.points - entry.cost for entry in whole)
    is_agreed = len(whole) > 1 if draft.points is None else draft.sum - over == draft.points
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
    costs = draft.sum - _discounts(draft) if draft.points is None else draft.points
    if draft.limit is not None and costs > draft.limit:
        message = _("Line %(line)d: the list costs %(points)d army points and was built for %(limit)d.")
        draft.remark(draft.points_line, message, points=costs, limit=draft.limit)
    if draft.points is None:
        return
    discounts = sum(attachment.cost > 0 for entry in draft.entries for attachment in entry.attachments)
    if not draft.points <= draft.sum <= draft.points + discounts:
        message = _("Line %(line)d: the list states %(points)d army points, but its units add up to %(sum)d.")
        draft.remark(draft.points_line, message, points=draft.points, sum=draft.sum)


def _discounts(draft: Draft) -> int:
    """The points that the cards of this list's units take off their attachments."""
    units = [entry for entry in draft.entries if entry.figures.discounts]
    return sum(attachment.cost > 0 for entry in units for attachment in entry.attachments)


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
