"""Undo: an action is undone by applying its `before` image as a new entry; nothing is deleted.

A seat's own actions that are not final are undone at once. For a range with a final action, one of another
seat, or one that changed whether another seat has answered, the seats concerned have to agree. An answer to a
question that is over goes only with all that came after it, and after every undo somebody can act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet

from games.core import (
    Image,
    Line,
    RequestRefused,
    State,
    System,
    Term,
    apply,
    first_sentence,
    overlaps,
    plain,
    say,
    to_act,
    without,
)
from games.core import gettext_noop as _
from games.history import commits
from games.history.commits import Verdict
from games.match.play import author_of, commit, commit_action, finished, stale, who_acts
from games.match.storage import Command, LoadedMatch
from games.models import Entry, Match
from games.prepared import Prepared

COUNTERS = frozenset({"asked", "drawn"})
"""Counters that never go back: no two questions share a number, and an undone draw is never repeated."""

FARTHEST = 50
"""How many steps can be undone at once."""

ANSWERS = (Entry.Kind.TAP, Entry.Kind.BRING)
"""Kinds of action with which a seat answers the open question."""

UNDOABLE_KINDS = (Entry.Kind.TAP, Entry.Kind.ADJUST, Entry.Kind.EDIT, Entry.Kind.BRING)
"""Kinds of action that can be undone: all but an edit that a player made."""


@dataclass(frozen=True)
class Plan:
    """What undoing the action `target` means: the entries, newest first, and the seats that have to agree."""

    target: int
    entries: tuple[Entry, ...]
    needs: tuple[str, ...]


def undoable(match: Match, limit: int = FARTHEST) -> list[Entry]:
    """The standing actions that can be undone, newest first."""
    return list(_undoable(match.code)[:limit])


def within_reach(match: Match) -> set[int]:
    """The versions of the standing actions that can be undone at once."""
    return set(_undoable(match.code).values_list("version", flat=True)[:FARTHEST])


def newest(match: Match) -> Entry | None:
    """The action that is undone first, without what stood before it."""
    return next(iter(_NEWEST(match.code)), None)


def newest_sequence(state: State, match: Match, entry: Entry) -> tuple[Entry, ...]:
    """The newest action, with all that goes with it when it is undone."""
    is_part = bool(_part_of_sequence(state.sequence, entry)[0])
    return sequences(state.sequence, undoable(match))[0] if is_part else (entry,)


def is_undoable(entry: Entry) -> bool:
    """Whether an entry that nothing has undone can be undone.

    A player's edit stays: who sits where, and under which name, is not a move.
    """
    return entry.kind in UNDOABLE_KINDS and not (entry.kind == Entry.Kind.EDIT and entry.seat)


def _undoable(code: str) -> QuerySet[Entry]:
    actions = Entry.objects.filter(match__code=code, kind__in=UNDOABLE_KINDS, undone_by=None)
    return actions.exclude(~Q(seat=""), kind=Entry.Kind.EDIT).order_by("-version")


_NEWEST = Prepared(lambda code: _undoable(code)[:1], without=("before",))


def plan(loaded: LoadedMatch, seat: str, version: int) -> Plan:
    """What it takes to undo the action that made this version, as this seat ("": an organiser).

    Alone if nothing that came later rests on it and somebody can answer afterwards, otherwise with all that
    came after it, and with as many earlier ones as it takes until somebody can. Raises `RequestRefused` if
    there is nothing to undo, or nobody could act afterwards.
    """
    return plan_of(loaded.state, undoable(loaded.match), seat, version)


def plan_of(state: State, actions: list[Entry], seat: str, version: int) -> Plan:
    """The same, given the position and the standing actions, newest first."""
    target = next((entry for entry in actions if entry.version == version), None)
    if target is None:
        raise RequestRefused(say(_("This can no longer be undone.")), 409, "nothing_to_undo")
    sequence = next(each for each in sequences(state.sequence, actions) if target in each)
    later = [entry for entry in actions if entry.version > sequence[-1].version and entry not in sequence]
    # Who is asked is public in any position, so what goes along tells nobody what is hidden in it.
    ways = chain(_alone(state, sequence, later), _ranges(actions, actions.index(sequence[-1])))
    entries = next((way for way in ways if goes_on(without_all(state, way))), None)
    if entries is None:
        raise RequestRefused(say(_("No one could act after that. Nothing was undone.")), 409, "strands")
    return Plan(version, entries, needs(state.seats, seat, entries))


def sequences(field: str, actions: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """What was done, newest first, each with its entries, newest first: most have one.

    `field` is where the game keeps a sequence of corrections (`State.sequence`); it is as new as its newest.
    """
    out: list[list[Entry]] = []
    numbered: dict[int, list[Entry]] = {}
    for entry in actions:
        number, begins = _part_of_sequence(field, entry)
        if number and number in numbered:
            numbered[number].append(entry)
        else:
            out.append([entry])
            if number:
                numbered[number] = out[-1]
        if begins:
            del numbered[number]
    return [tuple(each) for each in out]


def completed(
    game: System[Any], done: Sequence[tuple[Entry, ...]]
) -> Iterator[tuple[tuple[Entry, ...], int]]:
    """What was done, newest first, each with the version that it begins with.

    An answer that completes the tap before it (`Step.completes`) is one with it, if neither was undone apart.
    """
    at = 0
    while at < len(done):
        entry, older = done[at][0], [earlier for earlier, *_rest in done[at + 1 : at + 2]]
        is_completing = game.completes(entry.step, entry.action) and not entry.is_undone
        is_two = is_completing and [(each.seat, each.kind) for each in older] == [(entry.seat, entry.kind)]
        yield done[at], older[0].version if is_two else entry.version
        at += 1 + is_two


def _part_of_sequence(field: str, entry: Entry) -> tuple[int, bool]:
    """The number of the sequence that an entry is part of, 0 for none, and whether it has begun it.

    A tap that only clears it away is none of its steps.
    """
    if entry.kind not in (Entry.Kind.ADJUST, Entry.Kind.TAP) or field not in entry.after:
        return 0, False
    before, after = entry.before[field][:1], entry.after[field][:1]
    if entry.kind == Entry.Kind.TAP and not after:
        return 0, False
    return (after or before)[0], bool(after) and before != after


def _alone(state: State, sequence: tuple[Entry, ...], later: list[Entry]) -> Iterator[tuple[Entry, ...]]:
    """A sequence alone, unless something that came later rests on it."""
    whole = state.undone_whole()
    if any(_is_rested_on(state, each, later) for each in sequence):
        return
    if not any(
        _clash(each, other, whole) for each in sequence for other in later if other.version > each.version
    ):
        yield sequence


def _ranges(actions: list[Entry], later: int) -> Iterator[tuple[Entry, ...]]:
    """All that came later and the target's first, then one more earlier action each time."""
    return (tuple(actions[: count + 1]) for count in range(later, len(actions)))


def ask(
    code: str,
    seat: str,
    version: int,
    key: str,
    author: str = "",
    *,
    seen: int | None = None,
    held: Callable[[], Iterable[str]] = tuple,
) -> Verdict:
    """Undo an action: at once if nobody else is concerned, otherwise the others are asked.

    `seen` is the only version of the table at which this counts; None: any version. `held` reads which seats
    the same device holds: it is not asked to agree with itself.
    """
    payload = f"undo {seat} {version}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        match = loaded.match
        if seen not in (None, match.version):
            raise stale()
        _refuse_finished(match, seat)
        planned = plan(loaded, seat, version)
        undoes = _command(loaded, seat, author, key, payload)
        if not planned.needs or not {*planned.needs} - {*held()}:
            return _undo(loaded, planned, undoes)
        standing_request = match.undo_request or {}
        if (standing_request.get("by"), standing_request.get("target")) == (seat, version):
            return Verdict(match.version)
        line = say(_("%(name)s asks to undo something."), name=who_acts(loaded, undoes.seat, undoes.author))
        return _note(loaded, undoes, line, _request(seat, planned))

    return commit_action(code, seat, key, payload, carry_out)


def answer(code: str, seat: str, agrees: bool, key: str, author: str = "") -> Verdict:
    """A seat that was asked agrees or declines; an organiser (seat "") answers for all."""
    payload = f"take-back {seat} {agrees}"

    def carry_out(loaded: LoadedMatch) -> Verdict:
        request = loaded.match.undo_request
        if request is None:
            raise RequestRefused(say(_("That undo request is no longer open.")), 409, "no_request")
        if seat and seat not in request["needs"] and (agrees or seat != request["by"]):
            raise RequestRefused(say(_("You are not the player who has to answer.")), 409, "not_asked")
        answers = _command(loaded, seat, author, key, payload)
        name = who_acts(loaded, answers.seat, answers.author)
        if not agrees:
            return _note(loaded, answers, _declined(request, seat, name), None)
        if _others_to_agree(request, seat):
            agreed = {**request, "agreed": [*request["agreed"], seat]}
            return _note(loaded, answers, say(_("%(name)s agrees."), name=name), agreed)
        return _undo(loaded, _as_asked(loaded, request), answers)

    return commit_action(code, seat, key, payload, carry_out)


def _request(seat: str, planned: Plan) -> dict[str, Any]:
    """A request as the match's row stores it."""
    versions = [entry.version for entry in planned.entries]
    needs = list(planned.needs)
    return {"by": seat, "target": planned.target, "versions": versions, "needs": needs, "agreed": []}


def _others_to_agree(request: dict[str, Any], seat: str) -> bool:
    """Whether any seat but this one has yet to agree; an organiser needs nobody."""
    return bool(seat) and bool(set(request["needs"]) - {seat, *request["agreed"]})


def _refuse_finished(match: Match, seat: str) -> None:
    if match.result is None or not seat:
        return
    last = newest(match)
    if last is None or last.kind != Entry.Kind.TAP:
        raise finished()


def _command(loaded: LoadedMatch, seat: str, author: str, key: str, payload: str) -> Command:
    return Command(Entry.Kind.UNDO, seat, author or author_of(loaded, seat), key=key, payload=payload)


def _declined(request: dict, seat: str, name: str | Term) -> Line:
    if seat == request["by"]:
        return say(_("%(name)s withdraws the undo request."), name=name)
    return say(_("%(name)s declines the undo."), name=name)


def _clash(target: Entry, later: Entry, whole: frozenset[str] = frozenset()) -> bool:
    """Whether the target cannot go alone: both wrote to one place, or one names a piece that the other made.

    An answer goes with the action that led to its question, even if they wrote nothing in common. Only public
    parts decide, for everybody sees the number of steps. A sealed value may name any piece.
    """
    if overlaps(without(target.after, COUNTERS), without(later.after, COUNTERS), whole):
        return True
    if later.kind == Entry.Kind.TAP and "flow" in target.after:
        return True
    return _mentions([*later.after.values()], _absent(target.before)) or _mentions(
        [*target.before.values()], _absent(later.after)
    )


def _is_rested_on(state: State, target: Entry, later: list[Entry]) -> bool:
    """Whether what came later rests on an answer, even if it wrote nothing in common.

    If the question is over, everything since rests on it, and what it puts back could be taken for an answer
    to another question. While the question is open, its seat's later answers rest on it.
    """
    if not later or target.kind not in ANSWERS or "flow" in target.after:
        return False
    flows = [entry.before["flow"] for entry in later if "flow" in entry.before] or [plain(state.flow)]
    _step, number, _about = flows[-1][-1]
    is_open = state.result is None and number in [question.number for question in state.flow]
    return not is_open or any(entry.seat == target.seat and entry.kind in ANSWERS for entry in later)


def _absent(image: Image) -> frozenset[str]:
    """The keys of the pieces that do not exist in an image; nothing refers to points and rounds."""
    pieces = (path.split("/") for path, value in image.items() if value is None and path.count("/") == 1)
    return frozenset(key for kind, key in pieces if kind not in ("score", "round"))


def _mentions(value: Any, keys: frozenset[str]) -> bool:
    """Whether a public image names one of these pieces; a sealed value is assumed to."""
    if not keys:
        return False
    if isinstance(value, dict):
        return any(_mentions(item, keys) for pair in value.items() for item in pair)
    if isinstance(value, list):
        return any(_mentions(item, keys) for item in value)
    return isinstance(value, str) and (value == commits.SEALED or value in keys)


def needs(seats: Iterable[str], seat: str, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """The seats that have to agree before these actions go; an organiser (seat "") asks nobody."""
    if not seat:
        return ()
    if any(entry.is_final for entry in entries):
        return tuple(other for other in seats if other != seat)
    concerned = {entry.seat for entry in entries} | {key for entry in entries for key in _answering(entry)}
    return tuple(other for other in seats if other in concerned - {seat})


def _answering(entry: Entry) -> Iterator[str]:
    """The seats whose answer an action has changed: that they have answered, or what they keep hidden."""
    for path in entry.after:
        kind, _slash, rest = path.partition("/")
        key, _slash, name = rest.partition("/")
        if kind == "army" and name.partition("/")[0] in ANSWER:
            yield key


ANSWER = ("answered", "hidden", "ready", "ends")
"""The fields of an army that say whether and what it has answered."""


def _as_asked(loaded: LoadedMatch, request: dict) -> Plan:
    """The plan that was agreed to; refused (409) if the table has changed since."""
    planned = plan(loaded, request["by"], request["target"])
    if [entry.version for entry in planned.entries] != request["versions"]:
        raise RequestRefused(say(_("Something changed. Ask for the undo again.")), 409, "stale")
    return planned


def _undo(loaded: LoadedMatch, planned: Plan, command: Command) -> Verdict:
    """Write one undo entry for each action, newest first; the last one carries the command's key."""
    verdict = Verdict(loaded.match.version)
    for entry in planned.entries:
        after = _without(loaded.state, entry)
        name, action = who_acts(loaded, command.seat, command.author), first_sentence(entry.lines)
        after.say(_("%(name)s undoes: %(action)s"), name=name, action=action)
        undoes = replace(command, undoes=entry)
        if entry is not planned.entries[-1]:
            undoes = replace(undoes, key="", payload="")
        verdict = commit(loaded, after, undoes)
    return verdict


def _without(state: State, entry: Entry) -> State:
    """The position with an entry undone: taps from earlier pages are refused, answers given still count."""
    restored = apply(state, without(commits.full_image(entry, "before"), COUNTERS))
    restored.asked = state.asked + 1
    return restored


def without_all(state: State, entries: Iterable[Entry]) -> State:
    """The position with these entries undone, newest first."""
    for entry in entries:
        state = _without(state, entry)
    return state


def goes_on(state: State) -> bool:
    """Whether the match is over, or somebody can answer the open question."""
    return state.result is not None or bool(to_act(state))


def _note(loaded: LoadedMatch, command: Command, line: Line, request: dict[str, Any] | None) -> Verdict:
    """Log a sentence about a request, and what is requested from now on; the position does not change."""
    after = loaded.state.copy()
    after.lines = [line]
    return commit(loaded, after, replace(command, undo_request=request))
