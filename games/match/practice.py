"""Practice tables: what if, and a round for newcomers.

A what-if table goes on from a moment of another match, which is only read. It begins with public knowledge.
If a seat keeps something sealed at that moment, the table begins at the last moment before it was sealed, and
the seat is asked again. Hidden values dealt at random from public ones (`dealt`, such as a hand) are dealt
again. Once a match is over, what it has revealed is no secret. The new table has its own seed and no players'
names.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from games import catalogue, core
from games.core import ABSENT, Action, Hint, Offer, RequestRefused, State, parse_action, say, system
from games.core import gettext_noop as _
from games.match import play, storage
from games.match.match_file import still_hidden
from games.models import Entry, Match


def beginning(match: Match, state: State, version: int) -> int:
    """The version at which a practice table begins that continues from `version` (position `state`).

    0 if there is none: the match is over at `version`, or something was sealed from the beginning.
    """
    if state.result is not None:
        return 0
    return _before_sealing(match, version) if is_sealed(match, state) else version


def is_sealed(match: Match, state: State) -> bool:
    """Whether a position of a match holds sealed values that a practice table must not copy."""
    hidden = still_hidden(state)
    return bool(hidden) and any(map(_secret(match), hidden))


@transaction.atomic
def open_practice(match: Match, version: int, opened_from: str = "") -> Match:
    """A practice table that goes on from a version; `RequestRefused` (409) if none can.

    `opened_from` is a hash of the opener's address.
    """
    # Nobody taps while it is read.
    match = play.lock_match(match.code)
    state = storage.position(match, version)
    start = beginning(match, state, version)
    if not start:
        raise RequestRefused(say(_("You cannot continue from this entry. Choose another one.")), 409, "over")
    if start != version:
        state = storage.position(match, start)
    new = Match(is_listed=False, is_practice=True, opened_from=opened_from)
    line = _("Practice table, continued from entry %(version)s of table %(code)s.")
    return play.create_match(new, _unplayed(state), say(line, version=start, code=match.code))


def _unplayed(state: State) -> State:
    """A copy of a position to begin a new match with: no names, a new seed, no draws so far."""
    g = state.copy()
    g.seed, g.drawn = secrets.token_hex(16), 0
    for army in g.armies.values():
        army.name = ""
    g.scores = {key: replace(score, author="") for key, score in g.scores.items()}
    g.entries = catalogue.current(g.system)
    system(g.system).redeal(g)
    try:
        core.advance(g)
    except Exception as error:
        line = say(_("The rules cannot continue from there. Nothing was changed."))
        raise RequestRefused(line, 409, "impossible") from error
    return g


Secret = Callable[[tuple[str, str]], bool]
"""Whether a hidden value, given by seat and name, must stay secret."""


def _secret(match: Match) -> Secret:
    """Which hidden values are secret: not those dealt again; after the end, only those still hidden."""
    dealt = system(match.system).dealt
    kept = still_hidden(storage.current(match).state) if match.result is not None else None
    return lambda hidden: hidden[1] not in dealt and (kept is None or hidden in kept)


def _before_sealing(match: Match, version: int) -> int:
    """The last version, up to this one, at which nothing secret was sealed; 0 for none."""
    secret = _secret(match)
    sealed: set[tuple[str, str]] = set()
    last = 0
    entries = Entry.objects.filter(match=match, version__lte=version).exclude(sealed={}).order_by("version")
    for at, parts in entries.values_list("version", "sealed"):
        if not any(map(secret, sealed)):
            last = at - 1
        for seat, part in parts.items():
            for path, value in part.get("after", {}).items():
                sealed = _with(sealed, seat, path, value)
    return last


def _with(sealed: set[tuple[str, str]], seat: str, path: str, value: Any) -> set[tuple[str, str]]:
    """The seats and names that are sealed after a value of a sealed image: of one name, or a whole army."""
    name = path.partition("/hidden/")[2]
    if not name:
        return sealed | {(seat, each) for each in (value or {}).get("hidden", {})}
    return sealed - {(seat, name)} if value == ABSENT else sealed | {(seat, name)}


# --- a round for newcomers, and what to tap next at each of its questions --------------------------


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
        stem = parse_action(self.action).stem
        before = (f"{self.path} ",) if self.path else ("", f"{seat} ")
        return frozenset(f"{start}{action}" for start in before for action in (self.action, stem))


def open_first_steps(slug: str, opened_from: str = "") -> Match:
    """A practice table of this game at the beginning of its round for newcomers.

    `opened_from` is a hash of the opener's address.
    """
    match = Match(is_listed=False, is_practice=True, is_guided=True, opened_from=opened_from)
    return play.create_match(
        match, first_position(slug), say(_("A practice round: one player plays all sides."))
    )


def first_position(slug: str) -> State:
    """The position at which the round begins."""
    game, first = system(slug), system(slug).first_steps
    names = dict.fromkeys(list(game.seat_names)[: first.seats or game.seat_range[0]], "")
    state = play.initial_state(slug, first.mode or game.modes[0].slug, names, first.options)
    for seat, text in first.armies.items():
        state = play.with_army(state, seat, "bring", text)
    for line in filter(None, map(str.split, first.opening.splitlines())):
        seat, *path, action = line
        state = core.adjust(state, seat, path[0], action) if path else core.play(state, seat, action)
    return state


def is_over(g: State) -> bool:
    """Whether the round for newcomers has been played."""
    return g.result is not None or g.round > system(g.system).first_steps.last_round


def suggestion(g: State, seat: str) -> Suggestion | None:
    """What this seat is told at the open question; None once the round is over."""
    step = core.step_of(g)
    if step is None or is_over(g):
        return None
    for hint in system(g.system).first_steps.hints:
        if hint.step == step.name and hint.when(g) and _is_offered(g, seat, hint):
            return Suggestion(hint.text, hint.action, hint.path)
    return Suggestion(action=_expected(core.answers(g, seat)))


def _is_offered(g: State, seat: str, hint: Hint) -> bool:
    offered = core.corrections_of(g, hint.path) if hint.path else core.offers(g, seat)
    return core.is_among(offered, parse_action(hint.action))


def _expected(offers: Iterable[Offer]) -> str:
    """The expected answer, or else the first that is not a way out; secret ones do not count, "" for none."""
    order = {"main": 0, "plain": 1}
    open_ones = [offer for offer in offers if offer.style in order and not offer.is_secret]
    first = min(open_ones, key=lambda offer: order[offer.style], default=None)
    if first is None:
        return ""
    verb, *nouns = first.action.split(":")
    return str(Action(verb, tuple(nouns), first.minimum))
