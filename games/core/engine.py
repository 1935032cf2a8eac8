"""Three verbs: what may be done (`offers`), doing it (`play`), and seeing it (`view`).

Legal means "in offers": there is no second path. A correction (`adjust`) goes the
same way, over the system's corrections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from games.core import notation
from games.core.notation import Action
from games.core.state import AnyState
from games.core.steps import IllegalAction, Offer, Step
from games.core.system import system
from games.core.words import Line
from games.core.words import gettext_noop as _

LONGEST_RUN = 200
"""More steps in a row without a question than any rulebook has."""


def step_of(state: AnyState) -> Step | None:
    """The step that the open question belongs to; None when nothing is open."""
    if not state.flow or state.result is not None:
        return None
    return system(state.system).step(state)


def offers(state: AnyState, seat: str) -> tuple[Offer, ...]:
    """What this seat may tap now, sorted by action, each once."""
    step = step_of(state)
    return () if step is None else _sorted((*_offered(step, state, seat), *_beside(state, seat)))


def free_actions(state: AnyState, seat: str) -> tuple[Offer, ...]:
    """What this seat may do beside the open question; `offers` holds it, too."""
    return () if step_of(state) is None else _sorted(_beside(state, seat))


def to_act(state: AnyState) -> tuple[str, ...]:
    """The seats that the open question waits for."""
    step = step_of(state)
    return () if step is None else tuple(_waited_for(step, state))


def awaited(state: AnyState) -> tuple[str, ...]:
    """The seats whose answer is still out: who may only think again (all quiet offers) is not waited for."""
    asked = to_act(state)
    if len(asked) < 2:
        return asked
    step = step_of(state)
    out = [seat for seat in asked if step and any(each.style != "quiet" for each in step.offers(state, seat))]
    return tuple(out) or asked


def play(state: AnyState, seat: str, action: str) -> AnyState:
    """The position after this tap, with the action's `lines` and `draws`; the given one stays as it was.

    Raises `IllegalAction` for what is not offered and `notation.Malformed` for what is no action.
    """
    meant = notation.parse(action)
    step = step_of(state)
    if step is None:
        raise IllegalAction(Line(_("The match is over.")))
    if not is_among(_offered(step, state, seat), meant):
        if not is_among(_beside(state, seat), meant):
            raise IllegalAction(step.refusing(state, seat, meant) or _why_not(state, seat, meant), step.rule)
        step = system(state.system).free_actions_step
    g = state.copy()
    g.author = seat
    step.carry_out(g, seat, meant)
    settle(g)
    return g


def corrections(state: AnyState, path: str) -> tuple[Offer, ...]:
    """What may be corrected of one piece ("unit/wolves", "army/red") or of the table ("table")."""
    return _sorted(system(state.system).corrections_step.of(state, path))


def adjust(state: AnyState, seat: str, path: str, action: str, note: str = "") -> AnyState:
    """The position after a correction; `seat` is the author, `note` a reason or a name.

    A correction never ends the match and never scores by itself; it may answer the
    open question by making it pointless, and then the game goes on.
    """
    meant = notation.parse(action)
    if not is_among(corrections(state, path), meant):
        raise IllegalAction(Line(_("This cannot be corrected like that now.")))
    g = state.copy()
    g.author, g.note = seat, note
    step = system(state.system).corrections_step
    step.carry_out(g, seat, meant)
    step.follow(g)
    settle(g)
    return g


def settle(g: AnyState) -> None:
    """Go on until somebody is asked something that they can answer, or the match is over."""
    for _turn in range(LONGEST_RUN):
        step = step_of(g)
        if step is None or any(_waited_for(step, g)):
            return
        step.run(g)
    raise RuntimeError(f"{g.system}: the step {g.question.step} goes round in circles")


def is_among(offered: Iterable[Offer], action: Action) -> bool:
    """Whether an offer covers this action, its number included."""
    stem = action.stem
    return any(offer.action == stem and _takes(offer, action.number) for offer in offered)


def view(state: AnyState, seat: str | None) -> AnyState:
    """The position as this seat (None: a spectator) may see it: the only way out for a position.

    Others' hidden values are blanked, their names kept ("has bid"); the seed of
    chance stays behind until the match has ended.
    """
    seen = state.copy()
    for key, army in seen.armies.items():
        if key != seat:
            army.hidden = dict.fromkeys(army.hidden)
    if state.result is None:
        seen.seed = ""
    return seen


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


def _offered(step: Step, state: AnyState, seat: str) -> Iterable[Offer]:
    """The offers of a seat one by one, as far as somebody wants to know them."""
    return step.offers(state, seat) if seat in step.asked(state) else ()


def _beside(state: AnyState, seat: str) -> Iterable[Offer]:
    return system(state.system).free_actions_step.offers(state, seat) if seat in state.armies else ()


def _waited_for(step: Step, state: AnyState) -> Iterator[str]:
    """The seats that are asked and have an answer, one by one."""
    return (seat for seat in step.asked(state) if any(step.offers(state, seat)))


def _takes(offer: Offer, number: int | None) -> bool:
    if offer.minimum is None or offer.maximum is None:
        return number is None
    return number is not None and offer.minimum <= number <= offer.maximum


def _sorted(offered: Iterable[Offer]) -> tuple[Offer, ...]:
    return tuple(sorted(offered, key=attrgetter("action")))


def _why_not(state: AnyState, seat: str, action: Action) -> Line:
    waiting = to_act(state)
    if seat not in waiting:
        return Line(_("It is not your turn. Another player must answer first."))
    meant = next((offer for offer in offers(state, seat) if offer.action == action.stem), None)
    if meant is not None and meant.minimum is not None and meant.maximum is not None:
        line = _("Please enter a whole number from %(minimum)d to %(maximum)d.")
        return Line(line, {"minimum": meant.minimum, "maximum": meant.maximum})
    return Line(_("You cannot do that now."))
