"""Both sides confirm the score of a round: each by a remark in the log, which changes nothing on the table.

A confirmation names the round and a fingerprint of its score rows, and counts while the rows are the same: a
later correction needs a new confirmation, and undoing it makes the old one count again. Nobody is asked if
everybody agreed to the points of a round at a question of the game, or if the app counted them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from games.core import RequestRefused, State, apply, name_of, say, system
from games.core import gettext_noop as _
from games.history.commits import Verdict
from games.match.play import author_of, commit, commit_action
from games.match.storage import Command, LoadedMatch
from games.models import Entry, Match

VERB = "confirm"
CHANGING = frozenset(Entry.Kind) - {Entry.Kind.REMARK}


def confirm(code: str, seat: str, number: int, seen: str, key: str) -> Verdict:
    """A seat confirms the points of a round; `seen` is the fingerprint on its page, 409 once it differs."""
    payload = f"{VERB} {seat} {number} {seen}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        if number not in confirmable(loaded.state):
            raise RequestRefused(say(_("This round has no score to confirm yet.")), 409, "not_scored")
        if seen != fingerprint(loaded.state, number):
            raise RequestRefused(
                say(_("These points have changed. Look again before you confirm.")), 409, "stale"
            )
        if seat in confirmed(loaded.match, loaded.state).get(number, ()):
            return Verdict(loaded.match.version)
        after, author = loaded.state.copy(), author_of(loaded, seat)
        name = name_of(loaded.state, seat)
        after.say(_("%(name)s confirms the score of round %(number)s."), name=name, number=number)
        action = f"{VERB}:{number}:{seen}"
        command = Command(Entry.Kind.REMARK, seat, author, action=action, key=key, payload=payload)
        return commit(loaded, after, command)

    return commit_action(code, seat, key, payload, carry_out)


def confirmed(match: Match, state: State) -> dict[int, frozenset[str]]:
    """By round: the seats that have agreed to its current points, at the table or on the score card."""
    today = {f"{VERB}:{number}:{fingerprint(state, number)}": number for number in confirmable(state)}
    remarks = Entry.objects.filter(match=match, kind=Entry.Kind.REMARK, action__in=today)
    agreed = dict.fromkeys(_agreed(match, state), frozenset(state.seats))
    for seat, action in remarks.values_list("seat", "action"):
        agreed[today[action]] = agreed.get(today[action], frozenset()) | {seat}
    return agreed


def _agreed(match: Match, state: State) -> Iterator[int]:
    """The rounds whose points are still those that everybody agreed to at a question of the game.

    It goes back from the newest entry, taking back each change of points, to the points at that question.
    """
    questions, then = _questions(state), state
    entries = Entry.objects.filter(match=match, kind__in=CHANGING).order_by("-version")
    for entry in entries if questions else ():
        is_last_word = entry.kind == Entry.Kind.TAP and entry.step in questions and "flow" in entry.after
        if is_last_word and fingerprint(then, entry.round) == fingerprint(state, entry.round):
            yield entry.round
        points = {path: value for path, value in entry.before.items() if path.startswith("score/")}
        then = apply(then, points) if points else then


def _questions(state: State) -> frozenset[str]:
    """The questions at which everybody agrees to the points of a round."""
    steps = system(state.system).steps_of(state.mode)
    return frozenset(step.name for step in steps if step.settles_score)


def scored(state: State) -> tuple[int, ...]:
    """The rounds of the score card: those that have begun, and any others in which points were given."""
    begun = range(1, state.round + 1)
    return tuple(sorted({*begun, *(score.round for score in state.scores.values())}))


def confirmable(state: State) -> tuple[int, ...]:
    """The rounds whose score can be confirmed: points were given, and the game will not ask about them."""
    to_come = state.round if state.result is None and _questions(state) else None
    given = {score.round for score in state.scores.values()} - {to_come}
    return tuple(number for number in sorted(given) if not system(state.system).counts(state, number))


def fingerprint(state: State, number: int) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a round's score rows."""
    rows = [score.to_json() for score in state.scores.values() if score.round == number]
    rows.sort(key=lambda row: int(row["key"]))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
