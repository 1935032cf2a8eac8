"""Three verbs: what may be done (`offers`), doing it (`play`), and seeing it (`view`).

Legal means "in offers": there is no second path. A correction (`adjust`) goes the
same way, over the system's corrections.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, TypeVar

from games.core.state import AnyState, Position, remembered
from games.core.steps import Action, IllegalAction, Offer, Step, parse_action, system
from games.core.words import Line
from games.core.words import gettext_noop as _

KeptT = TypeVar("KeptT", bound=Position)

BY_ACTION = attrgetter("action")
"""The order of offers."""

LONGEST_RUN = 200
"""More steps in a row without a question than any rulebook has."""


@remembered
def step_of(state: AnyState) -> Step[Any] | None:
    """The step that the open question belongs to; None when no question is open."""
    if not state.flow or state.result is not None:
        return None
    return system(state.system).step(state)


def keep(state: KeptT) -> KeptT:
    """Promise that nobody changes this position any more, nor one that is played from it.

    From then on everything asked about it is computed once, however often and by whomever it is asked.
    """
    if state.memory is None:
        state.memory = {}
    return state


@remembered
def offers(state: AnyState, seat: str) -> tuple[Offer, ...]:
    """What this seat may tap now, sorted by action, each once."""
    return _sorted((*answers(state, seat), *_free_offers(state, seat)))


@remembered
def answers(state: AnyState, seat: str) -> tuple[Offer, ...]:
    """What the open question offers this seat, in the step's order; nothing if the seat is not asked."""
    step = step_of(state)
    return tuple(step.offers(state, seat)) if step is not None and seat in asked(state) else ()


def free_actions(state: AnyState, seat: str) -> tuple[Offer, ...]:
    """What this seat may do beside the open question; also part of `offers`."""
    return _sorted(_free_offers(state, seat))


@remembered
def asked(state: AnyState) -> tuple[str, ...]:
    """The seats that the open question is put to, whether they can answer or not."""
    step = step_of(state)
    return () if step is None else tuple(step.asked(state))


def to_act(state: AnyState) -> tuple[str, ...]:
    """The seats that the open question waits for."""
    return tuple(seat for seat in asked(state) if answers(state, seat))


def awaited(state: AnyState) -> tuple[str, ...]:
    """The seats that have yet to answer. One whose offers are all quiet can only change its answer."""
    waiting = to_act(state)
    out = tuple(seat for seat in waiting if has_to_answer(state, seat))
    return out or waiting


def has_to_answer(state: AnyState, seat: str) -> bool:
    """Whether this seat has yet to answer, and is not merely free to change its answer."""
    return any(offer.style != "quiet" for offer in answers(state, seat))


def play(state: AnyState, seat: str, action: str) -> AnyState:
    """The position after this tap, with the action's `lines` and `draws`; the given one stays as it was.

    Raises `IllegalAction` for what is not offered and `steps.Malformed` for what is no action.
    """
    meant = parse_action(action)
    step = step_of(state)
    if step is None:
        raise IllegalAction(Line(_("The match is over.")))
    if not is_among(answers(state, seat), meant):
        if not is_among(_free_offers(state, seat), meant):
            raise IllegalAction(step.refusing(state, seat, meant) or _why_not(state, seat, meant), step.rule)
        step = system(state.system).free_actions_step
    g = state.copy()
    g.author = seat
    step.carry_out(g, seat, meant)
    advance(g, is_kept=state.memory is not None)
    return g


def corrections(state: AnyState, path: str) -> tuple[Offer, ...]:
    """What may be corrected of one piece ("unit/wolves", "army/red") or of the table ("table")."""
    return _sorted(system(state.system).corrections_step.of(state, path))


def adjust(state: AnyState, seat: str, path: str, action: str, note: str = "") -> AnyState:
    """The position after a correction; `seat` is the author, `note` a reason or a name.

    A correction never ends the match and never scores by itself; it may make the open question pointless, and
    then the game goes on.
    """
    meant = parse_action(action)
    if not is_among(corrections(state, path), meant):
        raise IllegalAction(Line(_("You cannot make that correction right now.")))
    g = state.copy()
    g.author, g.note = seat, note
    step = system(state.system).corrections_step
    step.carry_out(g, seat, meant)
    step.follow(g)
    advance(g, is_kept=state.memory is not None)
    return g


def advance(g: AnyState, *, is_kept: bool = False) -> None:
    """Go on until somebody is asked something that they can answer, or the match is over.

    With `is_kept` nobody changes the position afterwards, so it keeps what was computed on the way.
    """
    for _turn in range(LONGEST_RUN):
        g.memory = {}
        step = step_of(g)
        is_waiting = step is None or bool(to_act(g))
        if not (is_waiting and is_kept):
            g.memory = None
        if step is None or is_waiting:
            return
        step.run(g)
    raise RuntimeError(f"{g.system}: the step {g.question.step} goes round in circles")


def is_among(offered: Iterable[Offer], action: Action) -> bool:
    """Whether an offer covers this action, its number included."""
    stem = action.stem
    return any(offer.action == stem and _takes(offer, action.number) for offer in offered)


def view(state: AnyState, seat: str | None) -> AnyState:
    """The position as this seat (None: a spectator) may see it: the only way a position leaves the engine.

    Others' hidden values are blanked, their names kept ("has bid"); the random seed is withheld until the
    match has ended. All other pieces are the position's own: read only.
    """
    seen = state.copy(["armies"])
    for key, army in seen.armies.items():
        if key != seat:
            army.hidden = dict.fromkeys(army.hidden)
    if state.result is None:
        seen.seed = ""
    return seen if state.memory is None else keep(seen)


def is_final(before: AnyState, after: AnyState) -> bool:
    """Whether an action used chance, revealed a secret or ended the match: undoing it asks the others."""
    if after.drawn != before.drawn or (before.result is None) != (after.result is None):
        return True
    if after.revealed:
        return True
    return any(before.armies[key].hidden.keys() - army.hidden.keys() for key, army in after.armies.items())


def problems(state: AnyState) -> tuple[Line, ...]:
    """What is odd about this position, in words."""
    return tuple(system(state.system).problems(state))


def _free_offers(state: AnyState, seat: str) -> Iterable[Offer]:
    if seat not in state.armies or step_of(state) is None:
        return ()
    return system(state.system).free_actions_step.offers(state, seat)


def _takes(offer: Offer, number: int | None) -> bool:
    if offer.minimum is None or offer.maximum is None:
        return number is None
    return number is not None and offer.minimum <= number <= offer.maximum


def _sorted(offered: Iterable[Offer]) -> tuple[Offer, ...]:
    return tuple(sorted(offered, key=BY_ACTION))


def _why_not(state: AnyState, seat: str, action: Action) -> Line:
    waiting = to_act(state)
    if seat not in waiting:
        return Line(_("It is not your turn. Another player must answer first."))
    meant = next((offer for offer in offers(state, seat) if offer.action == action.stem), None)
    if meant is not None and meant.minimum is not None and meant.maximum is not None:
        line = _("Please enter a whole number from %(minimum)d to %(maximum)d.")
        return Line(line, {"minimum": meant.minimum, "maximum": meant.maximum})
    return Line(_("You cannot do that now."))
