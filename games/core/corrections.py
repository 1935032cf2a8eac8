"""The corrections of a game as a table: a row for each field that may be corrected, read here.

A row says what is offered at the pencil of a piece, and what a tap does and says in the log. `Counter` is a
quantity, `Flag` something that is so or not, `Button` an action, `Choice` one of several values, `Switches`
several things that are each so or not, `Extra` offers that only code can make. A game lists its rows in
`FieldCorrections.rows`; the admin takes the names of fields from them as well.

Functions in a row take the position and the piece; for the rows of the table itself both are the position.
The action names the piece after the verb: `Flag("on:barred", …)` is offered as `on:wolves:barred`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, ClassVar

from games.core.notation import Action
from games.core.pieces import Army, Objective, Unit
from games.core.records import Record, replace
from games.core.state import KINDS, AnyState, StateT
from games.core.steps import Corrections, IllegalAction, Offer
from games.core.system import author_of, name_of
from games.core.validation import NAME_GRAPHEMES, NOTE_GRAPHEMES, Unreadable, clean_name
from games.core.words import Argument, Line, Term, say
from games.core.words import gettext_noop as _

BY_HAND = _("correction")
"""The reason of points that somebody gives by hand."""
NEEDS_A_REASON = say(_("Needs a reason."))
NOBODY, COMPUTED = "nobody", "computed"
"""Who controls a place if no seat was chosen: nobody, or whoever the rules say."""

Said = str | tuple[str, str] | Line
"""A sentence of the log: a message, two (for 1 and for other numbers), or a `say_count` to fill in."""
Words = str | Line | Callable[[Any, Any], Line | None]
"""A label or a detail: a message, a line, or a function that makes one."""
Bound = int | Callable[[Any, Any], int]
Labels = Callable[[Any, Any], Iterable[tuple[str, Line]]]
"""A function that says which values may be chosen now: nouns of actions, and their labels."""


class Row(Record, kw_only=True):
    """What every row may have: when it is offered, a smaller sentence below its label, what it happens in."""

    when: Callable[[Any, Any], bool] | None = None
    detail: Words | None = None
    within: Callable[[Any], AbstractContextManager[Any]] = nullcontext

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        """What may be corrected of this piece now, below the heading `group`."""
        raise NotImplementedError

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        """Carry out what was offered."""
        raise NotImplementedError


class Counter(Row):
    """A quantity: signed changes keep it between `low` and `high`, and `said` tells its new value.

    The sentence names the value by its field, or as `now` or `count`. The field is named like the verb
    unless `field` or `value` says otherwise. `write` changes more than
    the field (position, piece, change); `then` follows what was written.
    """

    verb: str
    label: Words
    low: Bound
    high: Bound
    said: Said = ""
    field: str = ""
    value: Callable[[Any, Any], int] | None = None
    write: Callable[[Any, Any, int], None] | None = None
    then: Callable[[Any, Any], None] | None = None

    def current(self, g: Any, piece: Any) -> int:
        """Its value now."""
        return self.value(g, piece) if self.value else getattr(piece, field_of(self)) or 0

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        label, detail = _words(self.label, g, piece), _words(self.detail, g, piece)
        low, high = _bound(self.low, g, piece), _bound(self.high, g, piece)
        yield from stepper(called(self.verb, piece), label, self.current(g, piece), low, high, group, detail)

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        change = action.number or 0
        refuse_same(not change)
        if self.write is not None:
            self.write(g, piece, change)
        else:
            setattr(piece, field_of(self), self.current(g, piece) + change)
        if self.then is not None:
            self.then(g, piece)
        if self.said:
            what, now = Term(_words(self.label, g, piece).message), self.current(g, piece)
            tell(g, piece, self.said, {"what": what, field_of(self): now}, now)


class Flag(Row):
    """Something that is so or not: the actions that switch it on and off, and what the log says of each."""

    on: str
    off: str
    label: Words
    yes: str = ""
    no: str = ""
    field: str = ""
    value: Callable[[Any, Any], bool] | None = None
    write: Callable[[Any, Any, bool], None] | None = None

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        is_on = self.value(g, piece) if self.value else bool(getattr(piece, field_of(self)))
        label, detail = _words(self.label, g, piece), _words(self.detail, g, piece)
        yield switch(is_on, called(self.on, piece), called(self.off, piece), label, group, detail)

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        is_on = action.verb == self.on.partition(":")[0]
        if self.write is not None:
            self.write(g, piece, is_on)
        else:
            setattr(piece, field_of(self), is_on)
        if said := self.yes if is_on else self.no:
            tell(g, piece, said)


class Button(Row):
    """An action with a label, and perhaps a number between `low` and `high`, which `do` gets as well."""

    verb: str
    label: Words
    do: Callable[..., None] | None = None
    said: str = ""
    low: Bound | None = None
    high: Bound | None = None
    style: str = "plain"

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        action, label = called(self.verb, piece), _words(self.label, g, piece)
        detail = _words(self.detail, g, piece)
        if self.low is None or self.high is None:
            yield Offer(action, label, style=self.style, detail=detail, group=group)
        elif (low := _bound(self.low, g, piece)) <= (high := _bound(self.high, g, piece)):
            yield Offer(action, label, low, high, style=self.style, detail=detail, group=group)

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        if self.do is not None:
            self.do(g, piece, *(() if action.number is None else (action.number,)))
        if self.said:
            tell(g, piece, self.said)


class Choice(Row):
    """One of several values, chosen by the last noun. `now` says which holds: that one is not offered.

    `do` makes the choice; without it the field becomes the noun. `said` may name what the label names.
    """

    verb: str
    among: Labels
    do: Callable[[Any, Any, str], None] | None = None
    now: Callable[[Any, Any], str | None] | None = None
    said: str = ""
    field: str = ""

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        now, detail = self.now(g, piece) if self.now else None, _words(self.detail, g, piece)
        return choices(
            Offer(called(self.verb, piece, noun), label, on=noun == now, detail=detail, group=group)
            for noun, label in self.among(g, piece)
        )

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        noun = action.nouns[-1]
        names = dict(self.among(g, piece))[noun].arguments
        if self.do is not None:
            self.do(g, piece, noun)
        else:
            setattr(piece, self.field, noun)
        if self.said:
            tell(g, piece, self.said, names)


class Switches(Row):
    """Several things that are each so or not, by noun: those that may be switched now.

    `field` is a set of nouns, or the one noun that is so. `put` and `take` do more than write it; then
    `is_on` says what is so. `yes` and `no` may name what the label names.
    """

    on: str
    off: str
    among: Labels
    field: str = ""
    yes: str = ""
    no: str = ""
    is_on: Callable[[Any, Any, str], bool] | None = None
    put: Callable[[Any, Any, str], None] | None = None
    take: Callable[[Any, Any, str], None] | None = None

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        for noun, label in self.among(g, piece):
            on, off = called(self.on, piece, noun), called(self.off, piece, noun)
            is_on = self._holds(g, piece, noun)
            detail = _words(self.detail, g, piece) if is_on else None
            yield switch(is_on, on, off, label, group, detail)

    def _holds(self, g: Any, piece: Any, noun: str) -> bool:
        if self.is_on is not None:
            return self.is_on(g, piece, noun)
        held = getattr(piece, self.field)
        return noun in held if isinstance(held, frozenset) else noun == held

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        noun, is_put = action.nouns[-1], action.verb == self.on
        names = dict(self.among(g, piece))[noun].arguments
        change = self.put if is_put else self.take
        if change is not None:
            change(g, piece, noun)
        elif isinstance(held := getattr(piece, self.field), frozenset):
            setattr(piece, self.field, held | {noun} if is_put else held - {noun})
        else:
            setattr(piece, self.field, noun if is_put else None)
        if said := self.yes if is_put else self.no:
            tell(g, piece, said, names)


class Extra(Row):
    """What only code can say: any offers (`made`), and `do`, which carries out those with these verbs.

    It gets the action whole; offers of other rows need none.
    """

    made: Callable[[Any, Any], Iterable[Offer]]
    verbs: tuple[str, ...] = ()
    do: Callable[[Any, Action], None] | None = None

    def offers(self, g: Any, piece: Any, group: str) -> Iterator[Offer]:
        return (offer if offer.group else replace(offer, group=group) for offer in self.made(g, piece))

    def correct(self, g: Any, piece: Any, action: Action) -> None:
        if self.do is not None:
            self.do(g, action)


Rows = Mapping[str, tuple[Row, ...]]
"""Rows by the heading that they are listed under."""


class FieldCorrections(Corrections[StateT]):
    """Corrections that a table of rows says; `@answer`s carry out what no row does."""

    rows: ClassVar[Mapping[str, Rows]] = {}
    """The rows of each kind of piece ("unit"), and of the position itself ("table")."""
    by_verb: ClassVar[Mapping[str, tuple[str, str, Row]]] = {}
    """The row that carries out a verb, with its kind of piece and its heading."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.by_verb = {
            verb: (kind, group, row)
            for kind, table in cls.rows.items()
            for group, rows in table.items()
            for row in rows
            for verb in verbs_of(row)
        }
        cls.answers = {verb.partition(":")[0]: "by_row" for verb in cls.by_verb} | dict(cls.answers)

    def of(self, g: StateT, path: str) -> Iterator[Offer]:
        kind, piece = path.partition("/")[0], _piece_at(g, path)
        if piece is not None:
            for group, rows in self.rows.get(kind, {}).items():
                for row in rows:
                    yield from _offers(row, g, piece, group)

    def only(self, g: StateT, path: str, *verbs: str) -> Iterator[Offer]:
        """The offers of the rows with these verbs alone, in this order."""
        for verb in verbs:
            _kind, group, row = self.by_verb[verb]
            yield from _offers(row, g, _piece_at(g, path), group)

    def carry_out(self, g: StateT, seat: str, action: Action) -> None:
        noun = action.nouns[-1] if action.nouns else ""
        known = self.by_verb.get(f"{action.verb}:{noun}") or self.by_verb.get(action.verb)
        if known is None:
            super().carry_out(g, seat, action)
            return
        kind, _group, row = known
        with row.within(g):
            row.correct(g, _piece_at(g, "/".join((kind, *action.nouns[:1]))), action)

    def by_row(self, g: StateT, seat: str, action: Action) -> None:
        """What `answers` names for the verbs of rows."""
        self.carry_out(g, seat, action)


# --- what rows are read with -----------------------------------------------------------------------


def _piece_at(g: Any, path: str) -> Any:
    """The piece at a path such as "unit/wolves", for the table the position; None if there is none."""
    kind, _slash, key = path.partition("/")
    return g if kind == "table" else getattr(g, KINDS.get(kind, ""), {}).get(key)


def _offers(row: Row, g: Any, piece: Any, group: str) -> Iterator[Offer]:
    return row.offers(g, piece, group) if row.when is None or row.when(g, piece) else iter(())


def verbs_of(row: Row) -> tuple[str, ...]:
    """The verbs that a row carries out, perhaps with a noun of their own ("on:barred")."""
    if isinstance(row, Flag | Switches):
        return row.on, row.off
    return row.verbs if isinstance(row, Extra) else (row.verb,)  # type: ignore[attr-defined]


def called(verb: str, piece: Any, noun: str = "") -> str:
    """The action of a verb on a piece: the verb's own noun, or another, comes last."""
    plain, _colon, own = verb.partition(":")
    return ":".join(part for part in (plain, getattr(piece, "key", ""), own or noun) if part)


def field_of(row: Counter | Flag) -> str:
    """The field that a row is about."""
    verb = row.verb if isinstance(row, Counter) else row.on
    return row.field or verb.rpartition(":")[2].replace("-", "_")


def label_of(corrections: type[Corrections[Any]], kind: str, field: str) -> str:
    """What a game's table calls a field of a kind of piece; "" if it has no row for it."""
    for rows in getattr(corrections, "rows", {}).get(kind, {}).values():
        for row in rows:
            is_named = isinstance(row, Counter | Flag) and isinstance(row.label, str)
            if is_named and field_of(row) == field:
                return str(row.label)
    return ""


def tell(g: Any, piece: Any, said: Said, names: Mapping[str, Argument] | None = None, value: int = 0) -> None:
    """Write a sentence about a piece into the log, with those of these values that it names."""
    if isinstance(said, tuple):
        said = said[0] if value == 1 else said[1]
    line = Line(said) if isinstance(said, str) else replace(said, count=value)
    known = {"now": value, **(names or {}), **_names(g, piece)}
    if line.plural is None:
        known["count"] = value
    named = _named(line.message) | _named(line.plural or "")
    g.lines.append(replace(line, arguments={name: known[name] for name in known if name in named}))


def _names(g: Any, piece: Any) -> dict[str, Argument]:
    """What sentences call a piece, by the placeholders that games use for it."""
    if isinstance(piece, Unit):
        return {"unit": piece.name, "model": piece.name}
    if isinstance(piece, Army):
        return {"player": name_of(g, piece.key)}
    if isinstance(piece, Objective):
        return dict.fromkeys(("place", "token", "zone"), Term(piece.name))
    return {}


@cache
def _named(message: str) -> frozenset[str]:
    return frozenset(re.findall(r"%\((\w+)\)", message))


def _words(words: Words | None, g: Any, piece: Any) -> Any:
    if isinstance(words, str):
        return Line(words)
    return words if words is None or isinstance(words, Line) else words(g, piece)


def _bound(bound: Bound, g: Any, piece: Any) -> int:
    return bound if isinstance(bound, int) else bound(g, piece)


def stepper(
    action: str, label: Line, value: int, least: int, most: int, group: str, detail: Line | None = None
) -> Iterator[Offer]:
    """A quantity and the signed changes that keep it between `least` and `most`, if there are any."""
    low, high = min(least - value, 0), max(most - value, 0)
    if low < high:
        yield Offer(action, label, low, high, detail=detail, value=value, group=group)


def switch(is_on: bool, on: str, off: str, label: Line, group: str, detail: Line | None = None) -> Offer:
    """Something that is so or not; `on` and `off` are the actions that switch it. A second tap is refused."""
    return Offer(off if is_on else on, label, on=is_on, detail=detail, group=group)


def choices(offers: Iterable[Offer]) -> Iterator[Offer]:
    """The choices that would change something: not the one that holds now (`on`), which the others name."""
    every = tuple(offers)
    now = next((offer.label for offer in every if offer.on), None)
    return (replace(offer, on=None, instead_of=now) for offer in every if not offer.on)


def seats(message: str) -> Labels:
    """Every seat, with a label that names its `player`."""
    return lambda g, _piece: ((seat, say(message, player=name_of(g, seat))) for seat in g.seats)


def terms(message: str, name: str, words: Mapping[str, str]) -> Labels:
    """Every key of a mapping, with a label that names its words."""
    return lambda _g, _piece: ((key, say(message, **{name: Term(words[key])})) for key in words)


def refuse_same(is_same: bool) -> None:
    """Refuse a correction that would change nothing."""
    if is_same:
        raise IllegalAction(Line(_("It is like that already.")))


def written(g: AnyState, empty: str, longest: int = NAME_GRAPHEMES) -> str:
    """The text that came with a correction; `empty` is the refusal when there is none."""
    if not g.note.strip():
        raise IllegalAction(Line(empty))
    try:
        return clean_name(g.note, longest)
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line) from unreadable


# --- what games share ------------------------------------------------------------------------------


def points_row(low: Bound, high: Bound, when: Callable[[Any, Any], bool] | None = None) -> Counter:
    """Victory Points of a side: whoever changes them by hand says why."""

    def give(g: AnyState, side: Army, change: int) -> None:
        give_points(g, side.key, change, reason_for_points(g))

    return Counter(
        "points",
        _("Victory Points"),
        low,
        high,
        value=lambda g, side: g.points(side.key),
        write=give,
        when=when,
        detail=NEEDS_A_REASON,
    )


def reason_for_points(g: AnyState) -> str:
    """Why points are given by hand: the text that came with the correction."""
    return written(g, _("Please say why: points need a reason."), NOTE_GRAPHEMES)


def give_points(g: AnyState, key: str, change: int, reason: str) -> None:
    """Write points that somebody gives by hand into the score, with their reason and their author."""
    g.score(key, change, BY_HAND, reason, author_of(g))
    g.say_count(
        "%(player)s: %(change)s Victory Point, %(reason)s.",
        "%(player)s: %(change)s Victory Points, %(reason)s.",
        abs(change),
        player=name_of(g, key),
        change=f"{change:+d}",
        reason=reason,
    )


def controllers(
    computed: str,
    decide: Callable[[Any, Any, str | None], None],
    work_out: Callable[[Any, Any], None],
    when: Callable[[Any, Any], bool] | None = None,
) -> Choice:
    """Who controls a place: a seat, nobody, or whoever the rules say (`computed` in words)."""

    def among(g: AnyState, place: Objective) -> Iterator[tuple[str, Line]]:
        yield from seats(_("%(player)s controls it"))(g, place)
        yield NOBODY, say(_("Nobody controls it"))
        yield COMPUTED, Line(computed)

    def do(g: AnyState, place: Any, who: str) -> None:
        refuse_same(who == now(g, place))
        if who == COMPUTED:
            work_out(g, place)
        else:
            decide(g, place, None if who == NOBODY else who)

    def now(_g: AnyState, place: Any) -> str:
        return NOBODY if place.uncontrolled else place.override or COMPUTED

    return Choice("controller", among, do, now, when=when)
