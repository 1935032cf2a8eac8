"""Every action on an event, in one transaction each (`games.history.commits`).

What the tables have said meanwhile is taken over first, as an entry of its own. Below the actions stand the
rows of an event ⇄ its position. A process keeps a position while its rows are those that it was made from.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from games.core import Image, RequestRefused, diff, keep, plain, say
from games.core import gettext_noop as _
from games.hall import event_tables, models
from games.hall.models import Event, EventEntry, Helper, Player
from games.hall.rules import challenges, event_rounds, event_settings, seating_changes
from games.hall.rules.event_state import EventState, Pairing
from games.hall.rules.standings import usual
from games.history import commits
from games.history.commits import CODE, Verdict, apply_rules, by_code, fresh_code
from games.history.position_rows import Ids, Kept, Rows, set_columns
from games.history.signals import event_changed
from games.models import Match
from games.prepared import Prepared
from games.web import begin_saving, clock, in_turn, note_key

NO_LONGER = _("This link no longer works. Ask the organisers for a new one.")
UNKNOWN = _("There is no event with this code.")

UNDO, TAKE_OVER, NO_SHOW = "undo", "settle", "no_show"
"""The actions that take something back, take over what the tables say, and end a table without a game."""

# --- who may do what

ORGANISER, JUDGE, SCOREKEEPER, PLAYER, GUEST = "organiser", "judge", "scorekeeper", "player", ""

_PLAYER = frozenset(
    {
        *("amend", "hand_in", "choose", "check_in", "drop", "consent", "challenge"),
        *("report", "contest", "call_judge", "absent", "present", "go_on", "date"),
        *("propose", "take_back", "check_in_team", "add_to_team", "bid", "choose_house"),
    }
)
RIGHTS: tuple[tuple[str, frozenset[str], tuple[str, ...]], ...] = (
    (_("enter results, say who advances after a draw"), frozenset({"enter", "go_on"}), (JUDGE, SCOREKEEPER)),
    (
        _("check players in, call a judge to a table"),
        frozenset({"check_in", "check_in_team", "call_judge"}),
        (JUDGE, SCOREKEEPER),
    ),
    (
        _("rule on results, also in closed rounds; give penalty points; answer judge calls"),
        frozenset({"rule", "penalise", "answer_call", "close_call", "note_ruling"}),
        (JUDGE,),
    ),
    (
        _("run the round clock, give extra time, announce"),
        frozenset({"start_clock", "pause_clock", "extend", "announce", "take_down"}),
        (JUDGE,),
    ),
    (
        _("change who sits where, end a table for a no-show"),
        frozenset(
            {"swap", "move", "seat_together", "no_show", "fix_table"}
            | {"choose_house", "set_houses", "draw_houses"}
        ),
        (JUDGE,),
    ),
    (
        _("correct names, hand in army lists, drop and reinstate players"),
        frozenset({"amend", "amend_team", "hand_in", "drop", "come_back"}),
        (JUDGE,),
    ),
    (
        _("answer for a captain, pair a team match again"),
        frozenset({"propose", "take_back", "rest_by_lot", "pair_anew"}),
        (JUDGE,),
    ),
    (
        _(
            "pair, open, close and cancel rounds, enter and remove players, undo, change settings, "
            "invite helpers, make new links, finalise standings: everything else"
        ),
        frozenset(),
        (),
    ),
)
"""What helpers may do, as the page of helpers says it: the actions, and who may besides organisers."""


def _allowed_to(role: str) -> frozenset[str]:
    return frozenset().union(*(actions for _title, actions, may_do in RIGHTS if role in may_do))


ALLOWED = {
    GUEST: frozenset({"register", "register_team"}),
    PLAYER: _PLAYER,
    SCOREKEEPER: _allowed_to(SCOREKEEPER),
    JUDGE: _allowed_to(JUDGE),
}
"""What each role may do; an organiser may do everything, a judge corrects and rules but deletes nothing."""


def may(role: str, action: str) -> bool:
    """Whether a role may do this."""
    return role == ORGANISER or action in ALLOWED.get(role, ())


def refuse_role(role: str, action: str) -> None:
    """Refuse (403) an action that a role may not do."""
    if not may(role, action):
        raise RequestRefused(say(_("Only the organisers of the event can do this.")), 403, "not_allowed")


# --- actions

Change = Callable[[EventState], Any]


@dataclass(frozen=True)
class Command:
    """What the log keeps as well as the images: the action, who does it, and the key of a repeated tap.

    `by` is the player's key or "helper-3"; "" is an organiser in the admin.
    """

    action: str
    by: str = ""
    author: str = ""
    note: str = ""
    key: str = ""
    payload: str = ""
    undoes: EventEntry | None = None


@dataclass(frozen=True)
class Actor:
    """Who acts: their key in the log ("p3", "helper-2", "" for somebody in the admin), name and role."""

    key: str = ""
    name: str = ""
    role: str = ORGANISER
    place: Player | Helper | None = field(default=None, compare=False, repr=False)
    """The row whose link they act with, as it was when it was checked; None in the admin and for guests."""


def open_event(
    values: Mapping[str, Any],
    actor: Actor,
    opened_from: str = "",
    seed: str = "",
    key: str = "",
    payload: str = "",
    is_demo: bool = False,
) -> Event:
    """Open an event with these settings by name (fields of `EventState`), and write its first entry.

    The entry keeps the `key` of the form or request, by which `opening` finds the event; `payload` is what it
    asked for.
    """
    refuse_zone(values)
    state = apply_rules(lambda: event_settings.initial_state(values))
    state.seed = seed or secrets.token_hex(16)
    if not state.criteria:
        state.criteria = usual(state.system)
    with transaction.atomic():
        # Where a code is typed, an event or a match may be meant.
        event = Event(code=fresh_code(Event, Match), version=1, opened_from=opened_from, is_demo=is_demo)
        event.created_at = clock.now()
        event.save()
        after = create_rows(event, state)
        state.say(_("The event “%(name)s” is opened."), name=state.name)
        _write(event, state, Command("open", actor.key, actor.name, key=key, payload=payload), {}, after)
        event.save()
        begin_saving()
    return event


def refuse_zone(values: Mapping[str, Any]) -> None:
    """Refuse (409) settings with a time zone that nobody knows."""
    zone = values.get("zone", "")
    if isinstance(zone, str) and not clock.is_zone(zone):
        raise RequestRefused(say(event_settings.NO_ZONE, zone=zone[:40]), 409, "not_offered")


def opening(key: str) -> EventEntry | None:
    """The first entry of the event that was opened with this key, if one was.

    Call it in the transaction that would open one: anyone else with the same key waits until that ends.
    """
    if not note_key(key):
        return None
    in_turn(f"event {key}")
    return EventEntry.objects.filter(action="open", key=key).select_related("event").first()


def opener(event: Event) -> Helper | None:
    """The organiser who opened an event; nobody once a helper was dismissed: it may have been that one."""
    if EventEntry.objects.filter(event=event, action="dismiss").exists():
        return None
    return Helper.objects.select_related("event").filter(event=event).order_by("pk").first()


def act(
    code: str,
    action: str,
    change: Change,
    actor: Actor,
    *,
    key: str = "",
    payload: str = "",
    note: str = "",
    seen: str = "",
    ahead: bool = False,
) -> Verdict:
    """Carry out a change to an event, once for each key.

    `change` gets a private copy of the position and changes it; what it returns becomes `made`. `payload`
    says what the key was used for; `seen` is the mark of the rounds (`event_rounds.mark`) that the actor saw.
    `ahead` works it out once before the event is locked: a draw takes long, and keeps what it has worked out.
    Raises `RequestRefused`.
    """

    def carry_out(event: Event) -> Verdict:
        loaded = load_with_results(event)
        after = loaded.state.copy()
        made = apply_rules(lambda: change(after))
        # Only now: what the rules say against the action itself says more.
        apply_rules(lambda: event_rounds.refuse_other(loaded.state, seen))
        return commit(loaded, after, Command(action, actor.key, actor.name, note, key, payload), made)

    payload = f"{action} {payload}"
    if ahead:
        with suppress(RequestRefused):
            refuse_role(actor.role, action)
            apply_rules(lambda: change(load(code).state.copy()))
    return commit_action(code, actor, key, payload, carry_out)


def commit_action(
    code: str, actor: Actor, key: str, payload: str, carry_out: Callable[[Event], Verdict]
) -> Verdict:
    """Carry out an action on the locked event, in one transaction; a known key gets the same answer again.

    `RequestRefused` (403) if the actor's role does not allow it.
    """
    action = payload.partition(" ")[0]
    refuse_role(actor.role, action)
    return commits.commit_action(
        f"event-{action}",
        lambda: carry_out(lock_event(code, actor)),
        lambda: earlier_verdict(code, actor.key, key, payload),
    )


def take_over_results(code: str, changed: str = "") -> None:
    """Take over the results of an event's tables as an action of its own, if there are new ones."""
    with transaction.atomic():
        load_with_results(lock_event(code), changed)


def load_with_results(event: Event, changed: str = "") -> LoadedEvent:
    """The event with the results of its tables taken over; `changed` is a table that has just changed."""
    loaded = current(event)
    after = loaded.state.copy()
    if event_tables.take_over(after, changed):
        commit(loaded, after, Command(TAKE_OVER))
    if _is_overdue(loaded.state):
        after = loaded.state.copy()
        _end_no_shows(after)
        commit(loaded, after, Command(NO_SHOW))
    return loaded


def commit(loaded: LoadedEvent, after: EventState, command: Command, made: Any = None) -> Verdict:
    """Save what changed, write the entry, and tell the listeners once it is committed."""
    event, before = loaded.event, loaded.state
    old, new = diff(before, after)
    if not new and not after.lines:
        return Verdict(event.version, made=made, loaded=loaded)
    columns = save_rows(loaded, after, new)
    event.version += 1
    entry = _write(event, after, command, old, new)
    code, version, mark = event.code, event.version, mark_of(event)
    # Another entry of the same transaction may change `loaded` before it is committed.
    now = LoadedEvent(event, after, {kind: dict(keys) for kind, keys in loaded.ids.items()}, loaded.fits)

    def tell() -> None:
        keep_position(now, mark)
        event_changed.send(Event, code=code, version=version)

    commits.finish(event, columns, tell)
    return Verdict(version, entry=entry, made=made, loaded=loaded)


def _write(event: Event, after: EventState, command: Command, old: Image, new: Image) -> EventEntry:
    entry: EventEntry = commits.write(event, after, command, old, new, action=command.action, by=command.by)
    return entry


def load(code: str) -> LoadedEvent:
    """An event as it stands, including what its tables have said that nobody has taken over yet.

    Shared, like its position: callers must not change it.
    """
    event = event_of(code)
    state = position_of(event)
    after = state.copy()
    if event_tables.take_over(after) or _is_overdue(after):
        _end_no_shows(after)
        state = keep(after)
    return LoadedEvent(event, state)


def _is_overdue(g: EventState) -> bool:
    """Whether the time for someone who is reported absent is over."""
    now = int(clock.seconds())
    return bool(seating_changes.overdue(g, now)) or any(True for _one in _lapsed(g, now))


def _lapsed(g: EventState, now: int) -> Iterator[Pairing]:
    """The challenges of a ladder that nobody has begun to play in time."""
    return (
        challenge
        for challenge in challenges.lapsed(g, now)
        if not (challenge.match and event_tables.is_touched(challenge.match))
    )


def _end_no_shows(g: EventState) -> None:
    """End the tables at which it is over; whoever has tapped there has come."""
    for challenge in list(_lapsed(g, int(clock.seconds()))):
        challenges.lapse(g, challenge)
    for pairing in seating_changes.overdue(g, int(clock.seconds())):
        seat = dict(zip(pairing.players, pairing.seats, strict=False)).get(pairing.absent, "")
        if pairing.match and event_tables.is_touched(pairing.match, seat):
            seating_changes.report_present(g, pairing.key, pairing.absent)
        else:
            seating_changes.no_show(g, pairing.key, pairing.absent)


def seen_now(code: str) -> Event:
    """The event for a page: a table at which the time for somebody absent is over has ended."""
    event = event_of(code)
    if _is_overdue(position_of(event)):
        take_over_results(code)
        event = event_of(code)
    return event


def event_of(code: str) -> Event:
    return by_code(_FOUND, code.upper(), UNKNOWN)


def lock_event(code: str, actor: Actor | None = None) -> Event:
    """The event's row, locked until the transaction ends; `RequestRefused` (404) for none.

    An actor whose link was revoked while they waited for the lock is refused (403).
    """
    event = by_code(_LOCKED, code.upper(), UNKNOWN)
    if actor is not None and actor.place is not None and not _is_valid(actor.place):
        raise RequestRefused(say(NO_LONGER), 403, "bad_token")
    return event


def _is_valid(place: Player | Helper) -> bool:
    return type(place)._default_manager.filter(pk=place.pk, epoch=place.epoch).exists()


_FOUND = Prepared(lambda code: Event.objects.filter(code=code).order_by())
_LOCKED = Prepared(lambda code: Event.objects.select_for_update().filter(code=code).order_by())


def earlier_verdict(code: str, by: str, key: str, payload: str) -> Verdict | None:
    if not CODE.fullmatch(code):
        return None
    entries = EventEntry.objects.filter(event__code=code.upper(), by=by)
    return commits.earlier_verdict(entries, "event", key, payload)


# --- rows and position

MODELS = {
    "player": models.Player,
    "round": models.Round,
    "pairing": models.Pairing,
    "call": models.Call,
    "announcement": models.Announcement,
    "team": models.Team,
    "team_match": models.TeamMatch,
}
TO_COLUMN = {"match": "match_id"}
"""Fields of a piece whose column has another name: a match is named by its code, which is the key here."""


def _columns(kind: str) -> dict[str, str]:
    """The columns of a kind of piece: one for each field, with its name; a number is its own key."""
    names = EventState.piece_type(kind).field_names()
    return {name: TO_COLUMN.get(name, name) for name in names if name != "key" or "number" not in names}


ROWS = Rows(
    parent="event_id",
    models=MODELS,
    columns={kind: _columns(kind) for kind in EventState.kinds},
    by_number=("round", "call", "announcement"),
)

EVENT_COLUMNS = tuple(name for name in EventState.field_names() if name not in EventState.kinds.values())
"""Fields of the position that are columns of the event: all that do not hold pieces."""


@dataclass
class LoadedEvent:
    """An event's row and its position, with the primary keys needed to write it back.

    `fits` says that the rows were what the log leads to when they were read.
    """

    event: Event
    state: EventState
    ids: Ids = field(default_factory=dict)
    fits: bool = False


def load_rows(event: Event) -> LoadedEvent:
    return load_many([event])[0]


def load_many(events: Iterable[Event]) -> list[LoadedEvent]:
    """The positions of several events, in as many queries as one takes."""
    loaded_events = [LoadedEvent(event, _bare(event)) for event in events]
    ROWS.read({loaded.event.pk: (loaded.state, loaded.ids) for loaded in loaded_events})
    return loaded_events


def save_rows(loaded: LoadedEvent, state: EventState, after: Image) -> list[str]:
    """Write the rows whose values are in `after`; returns the event's columns that were set but not saved."""
    columns = set_columns(loaded.event, state, EVENT_COLUMNS, after)
    ROWS.write(loaded.event.pk, state, loaded.ids, after)
    loaded.state = state
    return columns


def create_rows(event: Event, state: EventState) -> Image:
    """Write the rows of a new position; returns the image of everything, settings left as they are too."""
    settings = {name: plain(getattr(state, name)) for name in EVENT_COLUMNS}
    _before, after = diff(EventState(), state)
    save_rows(LoadedEvent(event, EventState(), {kind: {} for kind in EventState.kinds}), state, after)
    return settings | after


def _bare(event: Event) -> EventState:
    stored: dict[str, Any] = {name: getattr(event, name) for name in EVENT_COLUMNS}
    return EventState.from_json(stored)


def replayed(event: Event, entries: Iterable[EventEntry]) -> EventState:
    """The position that the images of an event's entries lead to."""
    return commits.last_position(entries, EventState(seed=event.seed))


def misfits(event: Event) -> Iterator[int]:
    """The entries whose `before` is not what the earlier entries left."""
    return commits.misfits(commits.entries_of(event).iterator(), EventState(seed=event.seed))


MOST_KEPT = 64

POSITIONS: Kept[LoadedEvent] = Kept(MOST_KEPT)


def position_of(event: Event) -> EventState:
    """The event as its rows say it is. Shared: callers must not change it."""
    return kept(event).state


def kept(event: Event) -> LoadedEvent:
    """What the process keeps of an event, its rows read if that is nothing. Shared like its position."""
    return POSITIONS.find(event.pk, mark_of(event)) or read_again(event)


def read_again(event: Event) -> LoadedEvent:
    """An event by its rows as they are now, whatever the process has kept."""
    return keep_position(load_rows(event), mark_of(event))


def current(event: Event) -> LoadedEvent:
    """An event to act on: what is kept of it, with primary keys of its own."""
    loaded = kept(event)
    ids = {kind: dict(keys) for kind, keys in loaded.ids.items()}
    return LoadedEvent(event, loaded.state, ids, loaded.fits)


def keep_position(loaded: LoadedEvent, mark: tuple[int, str]) -> LoadedEvent:
    """Keep the position that an event has at this `mark`."""
    keep(loaded.state)
    POSITIONS.put(loaded.event.pk, mark, loaded)
    return loaded


def forget_positions(**_signal: Any) -> None:
    """Keep no position: a table was deleted, which changes rows and no log."""
    POSITIONS.clear()


def mark_of(event: Event) -> tuple[int, str]:
    """What tells one moment of an event from another: its version and the fingerprint of its log."""
    return event.version, event.chain
