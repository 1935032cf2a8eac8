"""Both sides say that a round's score is right: a remark in the log about the very points that stood there.

Nothing on the table changes. A confirmation names the round and a print of its score rows, and counts as
long as the rows are still those: whatever is added afterwards leaves the round to be confirmed again, and
taking that back brings the old confirmation back with the old points. Where a game's own question has had
everybody agree to the points of a round, or the app has counted them, nobody is asked to confirm them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from games.core.diff import apply
from games.core.state import State
from games.core.system import system
from games.core.words import gettext_noop as _
from games.core.words import say
from games.match.board import Board
from games.match.committing import author_of, commit, once
from games.match.log import Command
from games.match.verdict import RequestRefused, Verdict
from games.models import Entry, Match

VERB = "confirm"
CHANGING = frozenset(Entry.Kind) - {Entry.Kind.REMARK}


def confirm(code: str, seat: str, number: int, seen: str, key: str) -> Verdict:
    """A seat confirms the points of a round as its phone has `seen` them; 409 if they are others by now."""
    payload = f"{VERB} {seat} {number} {seen}"

    def carry_out(board: Board) -> Verdict:
        if number not in settled(board.state):
            raise RequestRefused(say(_("This round has no score to confirm yet.")), 409, "not_scored")
        if seen != print_of(board.state, number):
            raise RequestRefused(
                say(_("These points have changed. Look again before you confirm.")), 409, "stale"
            )
        if seat in confirmed(board.match, board.state).get(number, ()):
            return Verdict(board.match.version)
        after, name = board.state.copy(), author_of(board, seat)
        after.say(_("%(name)s confirms the score of round %(number)s."), name=name, number=number)
        action = f"{VERB}:{number}:{seen}"
        return commit(board, after, Command(Entry.Kind.REMARK, seat, name, "", action, "", key, payload))

    return once(code, seat, key, payload, carry_out)


def confirmed(match: Match, state: State) -> dict[int, frozenset[str]]:
    """By round: the seats that have agreed to the points as they stand, at the table or on the card."""
    today = {f"{VERB}:{number}:{print_of(state, number)}": number for number in settled(state)}
    said = Entry.objects.filter(match=match, kind=Entry.Kind.REMARK, action__in=today)
    found = dict.fromkeys(_agreed(match, state), frozenset(state.seats))
    for seat, action in said.values_list("seat", "action"):
        found[today[action]] = found.get(today[action], frozenset()) | {seat}
    return found


def _agreed(match: Match, state: State) -> Iterator[int]:
    """The rounds whose points are still those that everybody agreed to at the game's own question.

    From the newest entry back each is taken off the points, so that they stand as the question left them.
    """
    questions, then = _questions(state), state
    entries = Entry.objects.filter(match=match, kind__in=CHANGING).order_by("-version")
    for entry in entries if questions else ():
        is_last_word = entry.kind == Entry.Kind.TAP and entry.step in questions and "flow" in entry.after
        if is_last_word and print_of(then, entry.round) == print_of(state, entry.round):
            yield entry.round
        points = {path: value for path, value in entry.before.items() if path.startswith("score/")}
        then = apply(then, points) if points else then


def _questions(state: State) -> frozenset[str]:
    """The questions at which everybody agrees to the points of a round."""
    steps = system(state.system).steps_of(state.mode)
    return frozenset(step.name for step in steps if step.settles_score)


def scored(state: State) -> tuple[int, ...]:
    """The rounds of the score card: those that were begun, and whatever else points were given in."""
    begun = range(1, state.round + 1)
    return tuple(sorted({*begun, *(score.round for score in state.scores.values())}))


def settled(state: State) -> tuple[int, ...]:
    """The rounds whose score can be confirmed: their points were said, and no question of it is to come."""
    to_come = state.round if state.result is None and _questions(state) else None
    given = {score.round for score in state.scores.values()} - {to_come}
    return tuple(number for number in sorted(given) if not system(state.system).counts(state, number))


def print_of(state: State, number: int) -> str:
    """What a confirmation of this round stands for: its score rows, in a few letters."""
    rows = [score.to_json() for score in state.scores.values() if score.round == number]
    rows.sort(key=lambda row: int(row["key"]))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
