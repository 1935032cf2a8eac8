"""The corrections of a game as a table: a row for each field that may be corrected, read here.

A row says what is offered at the pencil of a piece, and what a tap does and says in the log. `Counter` is a
quantity, `Flag` something that is so or not, `Button` an action, `Choice` one of several values, `Switches`
several things that are each so or not, `Extra` offers that only code can make. A game lists its rows in
`FieldCorrections.rows`; the admin takes the names of fields from them as well.

Functions in a row take the position and the piece; for the rows of the table itself both are the position.
The action names the piece after the verb: `Flag("on:barred", …)` is offered as `on:wolves:barred`.

Whoever ends a match by hand (concession, time, adjudication) asks the others: nobody wins by one tap.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, ClassVar, cast

from msgspec.structs import replace

from games.core import engine
from games.core.state import KINDS, AnyState, Army, Objective, StateT, Unit
from games.core.steps import (
    ADJUDICATION,
    CONCESSION,
    TIME_OUT,
    Action,
    Corrections,
    IllegalAction,
    Offer,
    Step,
    answer,
    author_of,
    name_of,
    system,
)
from games.core.words import (
    NAME_GRAPHEMES,
    NOTE_GRAPHEMES,
    Argument,
    Line,
    Record,
    Term,
    Unreadable,
    clean_name,
    say,
)
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
        declared = self.by_verb.get(f"{action.verb}:{noun}") or self.by_verb.get(action.verb)
        if declared is None:
            super().carry_out(g, seat, action)
            return
        kind, _group, row = declared
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
    values = {"now": value, **(names or {}), **_names(g, piece)}
    if line.plural is None:
        values["count"] = value
    named = _named(line.message) | _named(line.plural or "")
    g.lines.append(replace(line, arguments={name: values[name] for name in values if name in named}))


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
        raise IllegalAction(Line(_("No change: it is already set to that.")))


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
    return written(g, _("Please give a reason for these points."), NOTE_GRAPHEMES)


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
        yield NOBODY, say(_("No one controls it"))
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


# --- ends by hand --------------------------------------------------------------------------------


def ends_now(g: AnyState) -> bool:
    """Whether nothing keeps the match from ending before anybody is asked again."""
    if engine.to_act(g):
        return False
    ahead = g.copy()
    engine.advance(ahead)
    return ahead.result is not None


class HandEnd(Step[StateT]):
    """Each seat that has to agree sees the result and says "end it" or "play on"; one "play on" decides.

    What a seat has agreed to is kept on its own army (`ends`): answers never overwrite each other, and after
    a correction that changes the result every seat is asked again.
    """

    def voters(self, g: StateT) -> Iterable[str]:
        """The seats that have to agree; none once there is nothing left to decide."""
        return tuple(g.seats)

    def outcome(self, g: StateT) -> dict[str, Any]:
        """The result that the match would have: `winner` (None: a draw), `how`, `points` by seat."""
        raise NotImplementedError

    def cause(self, g: StateT) -> Line:
        """Why the match may be over, as a question."""
        return Line(self.title)

    def conclude(self, g: StateT) -> None:
        """All have agreed: write the result down."""
        raise NotImplementedError

    def called(self, g: StateT, seat: str) -> Argument:
        """What sentences call a seat."""
        return name_of(g, seat)

    def asked(self, g: StateT) -> Iterable[str]:
        voters = tuple(self.voters(g))
        if not voters:
            return ()
        sealed = _sealed(self.outcome(g))
        return tuple(seat for seat in voters if g.armies[seat].ends != sealed)

    def at_stake(self, g: StateT) -> str:
        return _sealed(self.outcome(g)) if any(True for _seat in self.voters(g)) else ""

    def offers(self, g: StateT, seat: str) -> Iterator[Offer]:
        yield Offer("end-match", say(_("End the match")), style="main")
        yield Offer("play-on", say(_("Play on")))

    @answer
    def end_match(self, g: StateT, seat: str) -> None:
        g.armies[seat].ends = _sealed(self.outcome(g))
        g.say(_("%(player)s agrees that the match is over."), player=self.called(g, seat))

    @answer
    def play_on(self, g: StateT, seat: str) -> None:
        g.say(_("%(player)s plays on."), player=self.called(g, seat))
        self.close(g)

    def run(self, g: StateT) -> None:
        if any(True for _seat in self.voters(g)):
            self.finish(g)
        else:
            self.close(g)

    def finish(self, g: StateT) -> None:
        """The match ends here; the agreements are cleared."""
        _forget(g)
        self.conclude(g)

    def close(self, g: StateT) -> None:
        """The match does not end here."""
        _forget(g)
        g.end()

    def asking(self, g: StateT, seat: str | None) -> Line:
        if seat in tuple(self.asked(g)):
            return self.cause(g)
        return say(_("%(question)s %(result)s"), question=self.cause(g), result=self.consequence(g))

    def helping(self, g: StateT, seat: str | None) -> Line:
        sealed = _sealed(self.outcome(g))
        agreed = tuple(self.called(g, other) for other in g.seats if g.armies[other].ends == sealed)
        if not agreed:
            return self.consequence(g)
        line = _("Proposed by %(players)s: end the match here. %(result)s")
        return say(line, players=agreed, result=self.consequence(g))

    def consequence(self, g: StateT) -> Line:
        """The result that the match would have, as a sentence."""
        outcome = self.outcome(g)
        score = tuple(
            say(_("%(player)s %(points)s"), player=self.called(g, seat), points=points)
            for seat, points in outcome["points"].items()
        )
        if outcome["winner"] is None:
            return say(_("It would be a draw: %(score)s."), score=score)
        winner = self.called(g, outcome["winner"])
        return say(_("%(player)s would win: %(score)s."), player=winner, score=score)


def propose(g: StateT, step: HandEnd[StateT], agrees: bool = True) -> None:
    """Somebody says that the match is over and so agrees; the organiser needs nobody's agreement."""
    _forget(g)
    g.call(step)
    # The step as the match's mode plays it: a `HandEnd` in every mode.
    asked = cast("HandEnd[StateT]", system(g.system).step(g))
    if g.author not in g.armies:
        asked.finish(g)
    elif agrees:
        g.armies[g.author].ends = _sealed(asked.outcome(g))


class EndCorrections(Corrections[StateT]):
    """The ends by hand: concession, time, adjudication. Each is a question to the others.

    `end_heading` is the heading that they are listed under, `no_winner` the noun of a drawn adjudication.
    """

    end_heading: ClassVar[str]
    no_winner: ClassVar[str] = "draw"

    def proposal(self, how: str, who: str = "") -> HandEnd[StateT]:
        """The question that an end asks: how the match ends, and which seat that is about."""
        raise NotImplementedError

    def can_end(self, g: StateT) -> bool:
        """Whether an end may be proposed: the match runs. A game adds that no other proposal is open."""
        return g.round > 0 and g.result is None

    def concession_of(self, g: StateT, seat: str) -> Iterator[Offer]:
        """A side may concede."""
        if self.can_end(g):
            label = say(_("Concede the match"))
            yield Offer(f"concede:{seat}", label, style="apart", group=self.end_heading)

    def end_on_time(self, g: StateT) -> Iterator[Offer]:
        """Time may be up."""
        if self.can_end(g):
            yield Offer("time-out", say(_("End on time")), style="apart", group=self.end_heading)

    def adjudications(self, g: StateT) -> Iterator[Offer]:
        """Anybody may say who has won, or that nobody has."""
        if self.can_end(g):
            for seat in g.seats:
                label = say(_("Adjudication: %(player)s wins"), player=name_of(g, seat))
                yield Offer(f"adjudicate:{seat}", label, style="apart", group=self.end_heading)
            label = say(_("Adjudication: a draw"))
            yield Offer(f"adjudicate:{self.no_winner}", label, style="apart", group=self.end_heading)

    @answer
    def concede(self, g: StateT, seat: str, side: Army) -> None:
        """A side gives up, and confirms it."""
        g.say(_("%(player)s concedes."), player=name_of(g, side.key))
        propose(g, self.proposal(CONCESSION, side.key), agrees=False)

    @answer
    def time_out(self, g: StateT, seat: str) -> None:
        """The match ends as it stands."""
        g.say(_("Time is up."))
        propose(g, self.proposal(TIME_OUT))

    @answer
    def adjudicate(self, g: StateT, seat: str, who: str) -> None:
        """Somebody has decided the match."""
        if who == self.no_winner:
            g.say(_("Adjudication: a draw."))
            propose(g, self.proposal(ADJUDICATION))
        else:
            g.say(_("Adjudication: %(player)s wins."), player=name_of(g, who))
            propose(g, self.proposal(ADJUDICATION, who))


def others(g: AnyState, winner: str | None) -> tuple[str, ...]:
    """All seats but the one that would win: those that have to agree to an end that nobody proposed."""
    return tuple(seat for seat in g.seats if seat != winner)


def result_fields(g: AnyState, winner: str | None, how: str) -> dict[str, Any]:
    """A result as a position keeps it, with the current points."""
    return {"winner": winner, "how": how, "points": {seat: g.points(seat) for seat in g.seats}}


def _sealed(outcome: dict[str, Any]) -> str:
    return json.dumps(outcome, sort_keys=True)


def _forget(g: AnyState) -> None:
    for army in g.armies.values():
        army.ends = ""
