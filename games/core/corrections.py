"""Parts of the corrections of any game: steppers, switches, points, controllers, and ends by hand.

Whoever ends a match by hand (concession, time, adjudication) asks the others: nobody wins by one tap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, cast

from msgspec.structs import replace

from games.core import engine
from games.core.pieces import Army, Objective
from games.core.state import AnyState, StateT
from games.core.steps import Corrections, IllegalAction, Offer, Step, answer
from games.core.system import author_of, name_of, system
from games.core.validation import NAME_GRAPHEMES, NOTE_GRAPHEMES, Unreadable, clean_name
from games.core.words import Argument, Line, say
from games.core.words import gettext_noop as _

BY_HAND = _("correction")
"""The reason of points that somebody gives by hand."""
NEEDS_A_REASON = say(_("Needs a reason."))
NOBODY, COMPUTED = "nobody", "computed"
"""Who controls a place if no seat was chosen: nobody, or whoever the rules say."""


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
    choosable = tuple(offers)
    now = next((offer.label for offer in choosable if offer.on), None)
    return (replace(offer, on=None, instead_of=now) for offer in choosable if not offer.on)


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


def points_offer(g: AnyState, key: str, least: int, most: int, group: str) -> Iterator[Offer]:
    """Victory Points of a side and the changes that keep them between `least` and `most`."""
    label, value = say(_("Victory Points")), g.points(key)
    yield from stepper(f"points:{key}", label, value, least, most, group, NEEDS_A_REASON)


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
    g: AnyState, place: Objective, uncontrolled: bool, computed: Line, group: str
) -> Iterator[Offer]:
    """Who else may control a place: a seat, nobody, or whoever the rules say (`computed` in words)."""
    return choices(_controllers(g, place, uncontrolled, computed, group))


def _controllers(
    g: AnyState, place: Objective, uncontrolled: bool, computed: Line, group: str
) -> Iterator[Offer]:
    for seat in g.seats:
        label = say(_("%(player)s controls it"), player=name_of(g, seat))
        yield Offer(f"controller:{place.key}:{seat}", label, on=place.override == seat, group=group)
    action, is_computed = f"controller:{place.key}", place.override is None and not uncontrolled
    yield Offer(f"{action}:{NOBODY}", say(_("Nobody controls it")), on=uncontrolled, group=group)
    yield Offer(f"{action}:{COMPUTED}", computed, on=is_computed, group=group)


def chosen_controller(place: Objective, uncontrolled: bool, who: str) -> str | None:
    """The seat that is to control a place, None for nobody; a choice that changes nothing is refused."""
    chosen = None if who == NOBODY else who
    refuse_same((place.override, uncontrolled) == (chosen, chosen is None))
    return chosen


CONCESSION, TIME_OUT, ADJUDICATION = "concession", "time-out", "adjudication"
"""How a match ends by hand (`result["how"]`)."""


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
        line = _("%(players)s would end it here. %(result)s")
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
