"""Undo of an event's action: a new entry puts its `before` back, and nothing is deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core import (
    IllegalAction,
    Image,
    Places,
    RequestRefused,
    apply,
    first_sentence,
    overlaps,
    say,
    without,
)
from games.core import gettext_noop as _
from games.hall import commands, event_actions, event_tables
from games.hall.event_actions import NO_SHOW, TAKE_OVER, UNDO, Actor, Command
from games.hall.models import ArmyList, Event, EventEntry
from games.hall.rules import (
    event_rounds,
    event_settings,
    knockout,
    registration,
    seating_changes,
    team_rounds,
)
from games.hall.rules.event_state import (
    AGREED,
    CLOSED,
    DRAFTED,
    ENTERED,
    LEFT,
    OPEN,
    OVER,
    EventState,
    Pairing,
)
from games.history.commits import Verdict, apply_rules

NEVER = frozenset({"open", UNDO, "appoint", "dismiss", "new_link", "restore", "keep", "bid", "consent"})
"""Actions that stay: the opening, undoing, a bid, what is about links, consent or changed rows."""

OF_AN_OPEN_ROUND = frozenset(
    {"swap", "seat_together", "call_off_table", NO_SHOW, "move", "choose_house", "set_houses", "draw_houses"}
)
"""Changes of who sits where; those of an open round are undone as long as its tables have no result."""

OF_A_DRAFT = frozenset({"repair", "by_hand", "swap", "set_mode", "set_options", "set_houses", "draw_houses"})
"""Actions on a round that is drawn up; once it is open, people sit and play as it was drawn."""

COUNTERS = frozenset({"drawn"})
"""Fields that never go back: a draw that was undone is not drawn again."""

TOO_LATE = _("This can no longer be undone.")


def not_undone(event: Event, limit: int | None = 50) -> list[EventEntry]:
    """The actions that stand, newest first; `may_undo` says which of them can be undone."""
    entries = EventEntry.objects.filter(event=event, undone_by=None).exclude(action__in=NEVER)
    return list(entries.order_by("-version")[:limit])


def may_undo(g: EventState, stands: Iterable[EventEntry]) -> Iterator[int]:
    """The versions that `undo` would undo, among the actions that stand, given from the newest on."""
    later, entered = Places(), set[str]()
    for entry in stands:
        wrote = without(entry.after, COUNTERS)
        if not later.overlap(wrote) and not entered & _opened_by(entry) and _is_free(g, entry):
            yield entry.version
        later.add(wrote)
        entered |= _entered_by(entry)


def undo(code: str, version: int, actor: Actor, key: str = "") -> Verdict:
    """Undo the action that made a version. Raises `RequestRefused` if something rests on it."""
    payload = f"{UNDO} {version}"

    def carry_out(event: Event) -> Verdict:
        loaded = event_actions.load_with_results(event)
        entry = _target(event, version)
        _refuse_resting(event, entry)
        apply_rules(lambda: _refuse_relied_on(loaded.state, entry))
        after = apply(loaded.state, without(entry.before, COUNTERS))
        apply_rules(lambda: team_rounds.refuse_turned(loaded.state, after))
        for pairing in loaded.state.pairings.values():
            if pairing.match and _has_other_match(after, pairing):
                event_tables.clear_away(pairing.match)
        if entry.action == NO_SHOW:
            # Who is not absent after all must not be so again at the next look.
            for pairing in after.pairings.values():
                if f"pairing/{pairing.key}/state" in entry.before:
                    pairing.absent = ""
        event_tables.open_again(after, event)
        forget_lost_lists(loaded.state, after, event)
        after.begin_action()
        after.say(_("%(name)s undoes: %(action)s"), name=actor.name, action=first_sentence(entry.lines))
        command = Command(UNDO, actor.key, actor.name, "", key, payload, entry)
        return event_actions.commit(loaded, after, command)

    verdict = event_actions.commit_action(code, actor, key, payload, carry_out)
    commands.finish_opening(code)
    return verdict


def _target(event: Event, version: int) -> EventEntry:
    entry = EventEntry.objects.filter(event=event, version=version, undone_by=None).first()
    if entry is None or entry.action in NEVER:
        raise RequestRefused(say(TOO_LATE), 409, "nothing_to_undo")
    return entry


def _refuse_resting(event: Event, entry: EventEntry) -> None:
    later = EventEntry.objects.filter(event=event, version__gt=entry.version, undone_by=None)
    for other in later.exclude(action__in=NEVER).order_by("version"):
        wrote_both = overlaps(without(entry.after, COUNTERS), without(other.after, COUNTERS))
        if wrote_both or _opened_by(entry) & _entered_by(other):
            line = _("Something later depends on this. Undo that first: %(action)s")
            raise RequestRefused(say(line, action=first_sentence(other.lines)), 409, "rests")


def _opened_by(entry: EventEntry) -> set[str]:
    """The rounds that an action has opened."""
    states = {path: value for path, value in entry.before.items() if path.endswith("/state")}
    return {path.split("/")[1] for path, value in states.items() if value == DRAFTED}


def _entered_by(entry: EventEntry) -> set[str]:
    """The rounds in which an action has entered a pairing, such as the loss of somebody who came late.

    Or in which a captain has answered: what was open then is not taken back before.
    """
    made = [path for path, value in entry.before.items() if path.startswith("pairing/") and value is None]
    made += [path for path in entry.before if path.startswith("team_match/")]
    return {path.partition("/")[2].partition("-")[0] for path in made}


def _is_free(g: EventState, entry: EventEntry) -> bool:
    try:
        _refuse_relied_on(g, entry)
    except IllegalAction:
        return False
    return True


def _refuse_relied_on(g: EventState, entry: EventEntry) -> None:
    """Refuse to undo what other pieces rely on, although nothing later has overwritten it."""
    if entry.action == TAKE_OVER:
        raise IllegalAction(say(_("This came from the table. Undo it there, or ask a judge to rule.")))
    is_of_tables = entry.action in OF_AN_OPEN_ROUND and _is_of_tables(g, entry)
    if is_of_tables:
        _refuse_seated(g, entry)
    elif entry.action in OF_A_DRAFT and not _is_of_the_draft(g, entry):
        raise IllegalAction(say(TOO_LATE))
    _refuse_settings(g, entry)
    made = {path for path, value in entry.before.items() if value is None}
    others = [pairing for pairing in g.pairings.values() if f"pairing/{pairing.key}" not in made]
    for path, before in entry.before.items():
        kind, _slash, rest = path.partition("/")
        key, _slash, field = rest.partition("/")
        if kind == "pairing":
            if not is_of_tables:
                _refuse_played(g, key, before)
            _refuse_gone(g, key, field, before)
            _refuse_unfinished(g, key, field, before)
        elif kind == "round" and field == "state":
            _refuse_turned(g, key, before)
        elif kind == "round" and not field:
            _refuse_whole_round(g, key, before, others)
        elif kind == "player":
            _refuse_paired(g, key, field, before, others)
            _refuse_alike(g, key, field, entry.before)


def _refuse_settings(g: EventState, entry: EventEntry) -> None:
    """Refuse to undo settings on which something rests, or the end of an event that goes on."""
    if entry.action == "change":
        event_settings.refuse_fixed(g, entry.before)
        event_settings.refuse_fewer(g, entry.before.get("length", 0))
    if entry.before.get("status") == OVER:
        rounds = (
            event_round
            for event_round in g.rounds.values()
            if f"round/{event_round.key}/state" not in entry.before
        )
        event_rounds.refuse_rounds_left(g, rounds)


def _refuse_seated(g: EventState, entry: EventEntry) -> None:
    """Refuse to undo who sits where once a table concerned has a result, or somebody else sits there."""
    tables = _tables_before(entry)
    seating_changes.refuse_two_at_a_table(g, tables)
    for key in {path.split("/")[1] for path in entry.before if path.startswith("pairing/")}:
        if key in g.pairings and g.pairings[key].how != LEFT:
            seating_changes.refuse_result(g, g.pairings[key])


def _is_of_tables(g: EventState, entry: EventEntry) -> bool:
    """Whether an action changed tables of a round while it was open, and it still is the newest one."""
    last = g.last
    was_open = entry.action not in OF_A_DRAFT or any(path.endswith("/match") for path in entry.before)
    wrote = without(entry.after, COUNTERS)
    is_newest = last is not None and all(path.startswith((f"pairing/{last.key}-", "call/")) for path in wrote)
    state = last.state if last is not None else ""
    return was_open and is_newest and (state == OPEN or (state == DRAFTED and entry.action == "move"))


def _tables_before(entry: EventEntry) -> dict[str, int | None]:
    """The tables of the pairings that an undo would bring back, by key; None for those that it takes away."""
    tables: dict[str, int | None] = {}
    for path, value in entry.before.items():
        kind, _slash, rest = path.partition("/")
        key, _slash, field = rest.partition("/")
        if kind == "pairing" and field in ("", "table"):
            tables[key] = value["table"] if isinstance(value, dict) else value
    return tables


def _is_of_the_draft(g: EventState, entry: EventEntry) -> bool:
    """Whether an action changed the round that is drawn up now."""
    last = g.last
    if last is None or last.state != DRAFTED:
        return False
    wrote = without(entry.after, COUNTERS)
    of_the_round = (f"pairing/{last.key}-", f"team_match/{last.key}-", f"round/{last.key}/")
    return all(path.startswith(of_the_round) for path in wrote)


def _refuse_paired(g: EventState, key: str, field: str, before: Any, others: list[Pairing]) -> None:
    """Refuse to take back what brought a player into the event, if they are among `others` since then."""
    is_entered = not field and before is None
    is_here = field == "checked_in" and not before and not g.is_league
    if is_entered or is_here:
        registration.refuse_paired(g, key, others)
    if field == "dropped" and before is not None:
        registration.refuse_paired(g, key, (pairing for pairing in others if pairing.round > before))
    if field == "dropped" and before is None and registration.missed_by(g, key):
        # Who is let back in gets the losses.
        raise IllegalAction(say(TOO_LATE))


def _refuse_alike(g: EventState, key: str, field: str, before: Image) -> None:
    """Refuse to give a player a name back that somebody else has since taken."""
    was = before.get(f"player/{key}") or (vars(g.players[key]) if key in g.players else None)
    if field in ("", "name", "club") and was is not None:
        name, club = (
            before.get(f"player/{key}/{attribute}", was[attribute]) for attribute in ("name", "club")
        )
        registration.refuse_alike(g, name, club, key)


def _refuse_whole_round(g: EventState, key: str, before: Any, others: list[Pairing]) -> None:
    """Refuse to bring a round back where none may be drawn, or to undo one that was paired by hand since."""
    event_rounds.refuse_over(g)
    if before is not None:
        event_rounds.refuse_open(g, int(key))
    elif any(str(pairing.round) == key for pairing in others):
        raise IllegalAction(say(_("Cancel round %(number)s first."), number=key))


def _refuse_turned(g: EventState, key: str, state: str) -> None:
    """Refuse to open a round again that others follow, or to close one again whose results are not in."""
    event_rounds.refuse_passed(g, key, state)
    if state == CLOSED:
        event_rounds.refuse_missing(g, g.rounds[key])


def _refuse_played(g: EventState, key: str, before: Any) -> None:
    """Refuse to undo a round once one of its tables has a result; rounds a latecomer missed do not count."""
    pairing = g.pairings.get(key)
    if pairing is not None and not pairing.is_bye and before is None:
        event_rounds.refuse_begun(g, pairing.round)


def _refuse_unfinished(g: EventState, key: str, field: str, before: Any) -> None:
    """Refuse to leave a table of a closed round without a result, or in the knock-out with another winner."""
    this_round = g.rounds[str(g.pairings[key].round)] if key in g.pairings else None
    if this_round is None or this_round.state != CLOSED:
        return
    if field == "state" and before not in (AGREED, ENTERED):
        raise IllegalAction(say(_("This round is not open.")))
    if field == "winner" and not before and g.in_cut(this_round.number):
        raise knockout.refused_draw(g.pairings[key])
    if field == "winner":
        knockout.refuse_gone_on(g, g.pairings[key])


def _refuse_gone(g: EventState, key: str, field: str, before: Any) -> None:
    """Refuse to bring back a pairing of somebody who is no longer there."""
    if field == "players" or (not field and before is not None):
        paired = before if field else before["players"]
        registration.refuse_gone(g, paired, int(key.partition("-")[0]))


def forget_lost_lists(before: EventState, after: EventState, event: Event) -> None:
    """Let players who are back on the list hand in again: the texts of their lists went with their row."""
    for key in after.players.keys() - before.players.keys():
        player = after.players[key]
        army_lists = ArmyList.objects.filter(event=event, fingerprint__in=player.lists)
        there = set(army_lists.values_list("fingerprint", flat=True))
        player.lists = tuple(fingerprint for fingerprint in player.lists if fingerprint in there)


def _has_other_match(after: EventState, pairing: Pairing) -> bool:
    afterwards = after.pairings.get(pairing.key)
    return afterwards is None or afterwards.match != pairing.match
