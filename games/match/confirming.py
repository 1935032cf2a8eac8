"""Both sides say that a round's score is right: a remark in the log about the very points that stood there.

Nothing on the table changes. A confirmation names the round and a print of its score rows, and counts as
long as the rows are still those: whatever is added afterwards leaves the round to be confirmed again, and
taking that back brings the old confirmation back with the old points.
"""

from __future__ import annotations

import hashlib
import json

from games.core.state import State
from games.core.words import gettext_noop as _
from games.core.words import say
from games.match.board import Board
from games.match.log import Command
from games.match.play import RequestRefused, Verdict, author_of, commit, once
from games.models import Entry, Match

VERB = "confirm"


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
    """By round: the seats that have confirmed the points as they stand."""
    today = {f"{VERB}:{number}:{print_of(state, number)}": number for number in settled(state)}
    said = Entry.objects.filter(match=match, kind=Entry.Kind.REMARK, action__in=today)
    found: dict[int, frozenset[str]] = {}
    for seat, action in said.values_list("seat", "action"):
        found[today[action]] = found.get(today[action], frozenset()) | {seat}
    return found


def scored(state: State) -> tuple[int, ...]:
    """The rounds of the score card: those that were begun, and whatever else points were given in."""
    begun = range(1, state.round + 1)
    return tuple(sorted({*begun, *(score.round for score in state.scores.values())}))


def settled(state: State) -> tuple[int, ...]:
    """The rounds whose score can be confirmed: they are over, or have given points."""
    given = {score.round for score in state.scores.values()}
    return tuple(
        number
        for number in scored(state)
        if number < state.round or number in given or state.result is not None
    )


def print_of(state: State, number: int) -> str:
    """What a confirmation of this round stands for: its score rows, in a few letters."""
    rows = [score.to_json() for score in state.scores.values() if score.round == number]
    rows.sort(key=lambda row: int(row["key"]))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
