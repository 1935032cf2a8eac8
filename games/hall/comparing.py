"""What somebody has changed in an event's rows without its log, and what organisers do about it.

The log leads to one position, the rows hold another: an organiser takes what the history says, or keeps what
is stored, which then is in the history too. Each is an entry of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from games import core, prepared
from games.core import Line, RequestRefused, diff, say
from games.core import gettext_noop as _
from games.hall import event_actions, event_undo
from games.hall.event_actions import Actor, Command, LoadedEvent
from games.hall.models import Event
from games.hall.rules import event_results
from games.hall.rules.event_results import Result
from games.hall.rules.event_state import EventState
from games.history import commits
from games.history.commits import Verdict
from games.history.position_rows import Kept
from games.models import Match
from games.web import clock

RESTORE, KEEP = "restore", "keep"
"""The two decisions: what the history says counts, or what is stored."""
OF_A_RESULT = frozenset({"results", "winner", "how"})
"""Fields of a pairing that are told in the words of a result."""


NAMES = {
    "round": _("Round %(number)s"),
    "call": _("Judge’s call %(number)s"),
    "announcement": _("Announcement %(number)s"),
}
"""What pieces with a number are called."""


class History(NamedTuple):
    """The position that an event's log leads to, and the entries that do not fit their fingerprints.

    No position if such entries lead to none. `last` is the log's last version, `chain` its fingerprint.
    """

    state: EventState | None
    broken: tuple[int, ...]
    last: int
    chain: str
    seed: str


class Difference(NamedTuple):
    """A piece of which something differs, or a setting: its path ("pairing/2-1", "name"), and the fields."""

    path: str
    fields: tuple[str, ...] = ()
    logged: Any = None
    stored: Any = None


class Comparison(NamedTuple):
    """An event by its log and by its rows; `mark` changes with what differs."""

    logged: EventState
    stored: EventState
    differences: tuple[Difference, ...]
    broken: tuple[int, ...]
    mark: str


_HISTORIES: Kept[History] = Kept(event_actions.MOST_KEPT)


def compare(event: Event) -> Comparison:
    """How an event's rows, read again, differ from its log. The process keeps both."""
    loaded = event_actions.read_again(event)
    comparison = _compare(loaded, _kept_history(event))
    loaded.fits = not comparison.differences and not comparison.broken
    return comparison


def news(event: Event) -> Comparison | None:
    """How an event's rows differed from its log when the process read them; None if they did not.

    Until it reads them again, it goes by what it keeps: no page reads all rows after each action.
    """
    return None if event_actions.kept(event).fits else compare(event)


def is_sound(event: Event) -> bool:
    """Whether log and rows, both read again, fit each other and the fingerprints."""
    comparison = _compare(event_actions.load_rows(event), _history(event))
    return not comparison.differences and not comparison.broken


def _kept_history(event: Event) -> History:
    mark = (*event_actions.mark_of(event), event.seed)
    return _HISTORIES.get(event.pk, mark, lambda: _continued(event) or _history(event))


def _compare(loaded: LoadedEvent, history: History) -> Comparison:
    stored = loaded.state
    logged = (history.state or stored).copy()
    _excuse_deleted_tables(logged, stored)
    old, new = diff(logged, stored)
    pieces: dict[str, list[str]] = {}
    for path in new:
        pieces.setdefault("/".join(path.split("/")[:2]), []).append("/".join(path.split("/")[2:]))
    differences = tuple(
        Difference(path, tuple(sorted(filter(None, fields))), old.get(path), new.get(path))
        for path, fields in sorted(pieces.items())
    )
    return Comparison(logged, stored, differences, history.broken, core.fingerprint([old, new]))


def _continued(event: Event) -> History | None:
    """The history that is kept, with the entries since then; None unless they follow its fingerprint."""
    before = _HISTORIES.latest(event.pk)
    if before is None or before.state is None or before.broken or before.seed != event.seed:
        return None
    entries = list(commits.entries_of(event).filter(version__gt=before.last))
    links = map(commits.of_row, entries)
    if any(commits.faults_of(links, before.chain, event.chain, event.seed, before.last)):
        return None
    return History(commits.last_position(entries, before.state), (), event.version, event.chain, event.seed)


def _history(event: Event) -> History:
    entries = list(commits.entries_of(event))
    broken = tuple(sorted({fault.version for fault in commits.faults(event, entries)}))
    log = (event.version, event.chain, event.seed)
    try:
        return History(event_actions.replayed(event, entries), broken, *log)
    except (AttributeError, LookupError, TypeError, ValueError):
        if not broken:
            raise
        return History(None, broken, *log)


def _excuse_deleted_tables(logged: EventState, stored: EventState) -> None:
    """Leave out the tables that are gone: an organiser may delete one, and no history records that."""
    keys = [
        key for key, pairing in stored.pairings.items() if pairing.match is None and key in logged.pairings
    ]
    codes = {key: logged.pairings[key].match for key in keys if logged.pairings[key].match}
    there = set(Match.objects.filter(code__in=codes.values()).values_list("code", flat=True)) if codes else ()
    for key, code in codes.items():
        if code not in there:
            logged.pairings[key].match = None


# --- in words ------------------------------------------------------------------------------------


def named(comparison: Comparison, path: str) -> Line | str:
    """What a piece is called, whether it is only in the log, only in the rows, or in both."""
    kind, _slash, key = path.partition("/")
    g = (
        comparison.stored
        if key in getattr(comparison.stored, EventState.kinds.get(kind, ""), {})
        else comparison.logged
    )
    if kind == "pairing":
        pairing = g.pairings[key]
        players = tuple(_called(comparison, player) for player in pairing.players)
        return say(_("Round %(round)s, %(players)s"), round=pairing.round, players=players)
    if kind == "player":
        return g.players[key].name
    if kind == "team":
        return g.teams[key].name
    if kind == "team_match":
        names = tuple(g.teams[team].name if team in g.teams else team for team in g.team_matches[key].teams)
        return say(_("Round %(round)s, %(players)s"), round=g.team_matches[key].round, players=names)
    return say(NAMES[kind], number=key) if key else say(_("The event"))


def _called(comparison: Comparison, player: str) -> str:
    return (comparison.stored if player in comparison.stored.players else comparison.logged).called(player)


def sentences(comparison: Comparison, field_name: Callable[[str, str], str]) -> Iterator[Line]:
    """What differs, a sentence for each piece; `field_name` tells what a field of a kind is called."""
    for difference in comparison.differences:
        kind, _slash, key = difference.path.partition("/")
        what = named(comparison, difference.path)
        if key and not difference.fields:
            if difference.stored is None:
                yield say(_("%(what)s: this is in the history, but no longer stored."), what=what)
            else:
                yield say(_("%(what)s: this is stored, but not in the history."), what=what)
            continue
        if kind == "pairing" and OF_A_RESULT & {*difference.fields}:
            stored, logged = (_result(g, key) for g in (comparison.stored, comparison.logged))
            line = _("%(what)s: stored is %(stored)s. The history says %(logged)s.")
            yield say(line, what=what, stored=stored, logged=logged)
        others = [
            name for name in difference.fields or (kind,) if kind != "pairing" or name not in OF_A_RESULT
        ]
        if others:
            fields = tuple(field_name(kind if key else "", name) for name in others)
            yield say(
                _("%(what)s: the history says something else about %(fields)s."), what=what, fields=fields
            )


def _result(g: EventState, key: str) -> Line:
    try:
        pairing = g.pairings[key]
        return event_results.in_words(g, Result.of(pairing)) if pairing.results else say(_("no result"))
    except (AttributeError, LookupError, TypeError, ValueError):
        # What somebody typed into a table need not be a result.
        return say(_("something unreadable"))


# --- deciding ------------------------------------------------------------------------------------


def restore(code: str, actor: Actor, seen: str, key: str = "") -> Verdict:
    """Take what the history says; `seen` is the mark of the comparison that the organiser saw."""

    def take(loaded: LoadedEvent, comparison: Comparison) -> EventState:
        _was, now = diff(loaded.state, comparison.logged)
        # The log has these values already, so only the rows change.
        columns = event_actions.save_rows(loaded, comparison.logged, now)
        prepared.save_columns(loaded.event, columns, clock.now())
        after = comparison.logged.copy()
        # The texts of lists go with the row of their player.
        event_undo.forget_lost_lists(comparison.stored, after, loaded.event)
        after.say(
            _("%(name)s takes what the history says: %(what)s."), name=actor.name, what=_all(comparison)
        )
        return after

    return _decide(code, actor, RESTORE, seen, key, take)


def keep(code: str, actor: Actor, seen: str, key: str = "") -> Verdict:
    """Keep what is stored, and write it into the history."""

    def take(loaded: LoadedEvent, comparison: Comparison) -> EventState:
        loaded.state = comparison.logged
        after = comparison.stored.copy()
        line = _("%(name)s keeps what was changed outside the program: %(what)s.")
        after.say(line, name=actor.name, what=_all(comparison))
        return after

    return _decide(code, actor, KEEP, seen, key, take)


Take = Callable[[LoadedEvent, Comparison], EventState]


def _decide(code: str, actor: Actor, action: str, seen: str, key: str, take: Take) -> Verdict:
    payload = f"{action} {seen}"

    def carry_out(event: Event) -> Verdict:
        loaded = event_actions.load_rows(event)
        comparison = _compare(loaded, _history(event))
        if not comparison.differences:
            raise RequestRefused(say(_("What is stored is what the history says.")), 409, "not_altered")
        if seen != comparison.mark:
            raise RequestRefused(say(_("Something has changed. Please check again.")), 409, "stale")
        after = take(loaded, comparison)
        command = Command(action, actor.key, actor.name, "", key, payload)
        return event_actions.commit(loaded, after, command)

    return event_actions.commit_action(code, actor, key, payload, carry_out)


def _all(comparison: Comparison) -> tuple[Line | str, ...]:
    return tuple(named(comparison, difference.path) for difference in comparison.differences[:NAMED])


NAMED = 20
"""So many pieces are named in the history and on the organisers' page."""
