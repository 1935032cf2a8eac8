"""A round for newcomers: a practice table, and what to tap next at each of its questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.core import engine, steps
from games.core.state import State
from games.core.steps import Action, Offer
from games.core.system import Hint, system
from games.core.words import gettext_noop as _
from games.core.words import say
from games.match import play
from games.models import Match


@dataclass(frozen=True)
class Suggestion:
    """What a newcomer is told: a sentence (a message id), and the `action` to tap.

    With a `path` the action corrects that piece. Without a `text` the question says enough; without an
    `action` the choice is the player's.
    """

    text: str = ""
    action: str = ""
    path: str = ""

    def controls(self, seat: str) -> frozenset[str]:
        """The values of the controls that do this, on any device."""
        if not self.action:
            return frozenset()
        stem = steps.parse(self.action).stem
        before = (f"{self.path} ",) if self.path else ("", f"{seat} ")
        return frozenset(f"{start}{action}" for start in before for action in (self.action, stem))


def open_practice(slug: str, opened_from: str = "") -> Match:
    """A practice table of this game at the beginning of its round for newcomers.

    `opened_from` is a hash of the opener's address.
    """
    match = Match(is_listed=False, is_practice=True, is_guided=True, opened_from=opened_from)
    return play.create_match(match, beginning(slug), say(_("A practice round: one player plays all sides.")))


def beginning(slug: str) -> State:
    """The position at which the round begins."""
    game, first = system(slug), system(slug).first_steps
    names = dict.fromkeys(list(game.seat_names)[: first.seats or game.seat_range[0]], "")
    state = play.initial_state(slug, first.mode or game.modes[0].slug, names, first.options)
    for seat, text in first.armies.items():
        state = play.with_army(state, seat, "bring", text)
    for line in filter(None, map(str.split, first.opening.splitlines())):
        seat, *path, action = line
        state = engine.adjust(state, seat, path[0], action) if path else engine.play(state, seat, action)
    return state


def is_over(g: State) -> bool:
    """Whether the round for newcomers has been played."""
    return g.result is not None or g.round > system(g.system).first_steps.last_round


def suggestion(g: State, seat: str) -> Suggestion | None:
    """What this seat is told at the open question; None once the round is over."""
    step = engine.step_of(g)
    if step is None or is_over(g):
        return None
    for hint in system(g.system).first_steps.hints:
        if hint.step == step.name and hint.when(g) and _is_offered(g, seat, hint):
            return Suggestion(hint.text, hint.action, hint.path)
    return Suggestion(action=_expected(engine.answers(g, seat)))


def _is_offered(g: State, seat: str, hint: Hint) -> bool:
    offered = engine.corrections(g, hint.path) if hint.path else engine.offers(g, seat)
    return engine.is_among(offered, steps.parse(hint.action))


def _expected(offers: Iterable[Offer]) -> str:
    """The expected answer, or else the first that is not a way out; secret ones do not count, "" for none."""
    order = {"main": 0, "plain": 1}
    open_ones = [offer for offer in offers if offer.style in order and not offer.is_secret]
    first = min(open_ones, key=lambda offer: order[offer.style], default=None)
    if first is None:
        return ""
    verb, *nouns = first.action.split(":")
    return str(Action(verb, tuple(nouns), first.minimum))
