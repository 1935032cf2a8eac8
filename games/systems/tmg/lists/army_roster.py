"""An army as its list states it, while it is being read and after, and what is odd about the whole.

Remarks never refuse anything: points only warn, and the number of activations that a builder states
serves as a checksum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from games.core import Argument, Line, Term, say
from games.core import gettext_noop as _
from games.core.army_lists import Ledger
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
from games.systems.tmg.lists.army_lines import ListLine


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
        known = (self.fact, *(attachment.fact for attachment in self.attachments))
        return tuple(fact for fact in known if fact is not None)


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


@dataclass
class Draft:
    """A roster in the making: what its headings state, and the remarks so far by line.

    `section` is the heading that the lines stand under; `trusting` says that somebody types them himself.
    `bulleted` says that a bullet stands before the first piece, `indent` how far the last entry is indented.
    `leaders` are the cards that its commander line may mean, `doubts`, by line, the commanders
    that a name may mean if there is more than one. `compared` counts the names compared with all cards.
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
    remarks: list[tuple[int, Line]] = field(default_factory=list)
    ledger: Ledger = field(default_factory=lambda: Ledger(()))
    compared: int = 0
    section: str = ""
    trusting: bool = False
    bulleted: bool = False
    indent: int = 0

    def may_compare(self) -> bool:
        """Whether one more unknown name is compared with all cards, which takes long."""
        self.compared += 1
        return self.compared <= MOST_COMPARED

    def use(self, line: ListLine) -> None:
        """Note that a line's words are used, all but those in brackets behind it."""
        self.ledger.use(line.number, line.text, but=line.behind)

    def remark(self, line: int, message: str, **arguments: Argument) -> None:
        """Keep a sentence about a line for the player."""
        self.remarks.append((line, say(message, line=line, **arguments)))

    def remark_foreign(self, line: int, card: Fact) -> None:
        """Say so if a card is neither of this army's faction nor Neutral."""
        if self.faction and card.faction not in (self.faction, NEUTRAL):
            message = _("Line %(line)d: %(card)s belongs to another faction: %(faction)s.")
            self.remark(line, message, card=card.full_name, faction=Term(FACTIONS[card.faction]))

    def hangs(self, line: ListLine) -> bool:
        """Whether a line's form says that it belongs to the unit above it."""
        if line.joined:
            return True
        if not self.entries:
            return False
        if line.marked:
            return line.indent >= self.indent + 2
        return self.section != NCU and (self.bulleted or line.indent > self.indent)

    @property
    def above(self) -> RosterEntry | None:
        """The unit that an attachment on the next line joins; None if no unit stands above."""
        own = [entry for entry in self.entries if entry.kind != ENEMY]
        return own[-1] if own and own[-1].kind == UNIT else None

    def attach(self, attachment: Attachment) -> None:
        """Put an attachment into the unit above it; without one it waits for a home."""
        unit = self.above
        if unit is None:
            self.homeless.append(attachment)
        else:
            joined = replace(unit, attachments=(*unit.attachments, attachment))
            self.entries = [joined if entry is unit else entry for entry in self.entries]

    @property
    def is_neutral(self) -> bool:
        """Whether it is an army of Neutral alone: each unit's card is known, and Neutral."""
        return bool(self.entries) and all(
            entry.fact is not None and entry.fact.faction == NEUTRAL for entry in self.entries
        )

    @property
    def attached(self) -> int:
        """How many attachments there are, those without a home included."""
        return len(self.homeless) + sum(len(entry.attachments) for entry in self.entries)

    def house(self) -> None:
        """Put attachments under no unit into the first one, so that nothing is lost."""
        at = next((at for at, entry in enumerate(self.entries) if entry.kind == UNIT), 0)
        for lost in self.homeless if self.entries else ():
            home = self.entries[at]
            self.entries[at] = replace(home, attachments=(*home.attachments, lost))
            message = _("Line %(line)d: “%(name)s” stands under no combat unit and was put into %(unit)s.")
            self.remark(lost.line, message, name=lost.full_name, unit=home.full_name)


MOST_TWOFOLD = 8
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
    chosen = _by_numbers(draft, may[:MOST_TWOFOLD])
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
