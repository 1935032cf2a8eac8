"""The hall at a glance: an event with its tables in play, read from the rows as cheaply as possible.

A hundred tables are tapped all the time. An event's position is kept with its version, and what a table
shows is kept with the version of its match; only what has changed is read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Sum
from django.utils.text import capfirst

from games.core import Line, ViewModel, isolated, remembered, system, together
from games.hall import event_actions, event_tables
from games.hall.event_actions import position_of
from games.hall.models import Event
from games.hall.pages import rounds_and_standings
from games.hall.rules.event_state import (
    AGREED,
    CONTESTED,
    ENTERED,
    LOSS,
    OPEN,
    REPORTED,
    EventState,
    Pairing,
    Round,
)
from games.live import rooms
from games.models import Match, Score
from games.pages.common import instant
from games.translation import gettext as _
from games.translation import words
from games.view_models import Instant
from games.web import clock, one_moment


class HallPlayer(ViewModel):
    """Somebody at a table: their seat's mark (0: not known yet), and their points if known."""

    mark: int
    name: str
    points: str = ""
    wins: bool = False


class HallTable(ViewModel):
    """One table of a round. `tone` is "called", "contested", "done", "reported" or "".

    `number` is "" for a bye; `since` is the last tap; `ends` is when time is up if this table got more.
    """

    key: str
    number: str
    url: str
    players: tuple[HallPlayer, ...]
    tone: str = ""
    label: str = ""
    round_label: str = ""
    since: Instant | None = None
    ends: int = 0
    watch_url: str = ""


KEPT_TABLES = 2000


@dataclass(frozen=True)
class Played:
    """What a match shows from afar: its round, the points by seat, the last tap."""

    round: int
    points: dict[str, int]
    tapped: datetime

    @property
    def has_begun(self) -> bool:
        """Whether play has begun, by the same test that guards results entered from paper."""
        return event_tables.has_begun(self.round, bool(self.points))


@dataclass(frozen=True)
class Hall:
    """An event as it stands, and the matches of the rounds that matter now, by their codes."""

    event: Event
    state: EventState
    played: dict[str, Played]
    version: int

    @property
    def current(self) -> tuple[Pairing, ...]:
        """The pairings of the rounds that matter now, by round and table."""
        return _current(self.state)

    def open_calls(self) -> dict[str, int]:
        """The number of the call that waits at each pairing, by pairing."""
        return {call.pairing: call.number for call in self.state.calls.values() if call.closed_at is None}


@remembered
def rounds_of(g: EventState) -> tuple[int, ...]:
    """The rounds that matter now: the newest one, and those of a league that are still being played."""
    opened = {event_round.number for event_round in g.open_rounds}
    return tuple(sorted(opened | ({g.last.number} if g.last is not None else set())))


def _current(g: EventState) -> tuple[Pairing, ...]:
    return tuple(pairing for number in rounds_of(g) for pairing in g.at(number))


def hall_of(code: str) -> Hall:
    """The event of this code with the matches of its current rounds. Shared: callers must not change it."""
    with one_moment():
        event = event_actions.event_of(code)
        state = position_of(event)
        codes = [pairing.match for pairing in _current(state) if pairing.match]
        return Hall(event, state, _played(codes), rooms.version(rooms.WALL + event.code, event))


_tables: dict[str, tuple[tuple[int, datetime], Played]] = {}


def _played(codes: Iterable[str]) -> dict[str, Played]:
    """What these matches show; those that have not changed are not read again."""
    by_code: dict[str, Played] = {}
    late: dict[str, tuple[int, datetime, int]] = {}
    asked = Match.objects.filter(code__in=list(codes)).order_by()
    for code, version, tapped, number in asked.values_list("code", "version", "changed_at", "round"):
        kept = _tables.get(code)
        if kept is not None and kept[0] == (version, tapped):
            by_code[code] = kept[1]
        else:
            late[code] = version, tapped, number
    points = _points(late) if late else {}
    if len(_tables) > KEPT_TABLES:
        _tables.clear()
    for code, (version, tapped, number) in late.items():
        by_code[code] = Played(number, points.get(code, {}), tapped)
        _tables[code] = (version, tapped), by_code[code]
    return by_code


def _points(codes: Iterable[str]) -> dict[str, dict[str, int]]:
    by_match: dict[str, dict[str, int]] = {}
    sums = Score.objects.filter(match__code__in=list(codes)).order_by()
    for code, seat, points in sums.values_list("match__code", "army__key").annotate(sum=Sum("points")):
        by_match.setdefault(code, {})[seat] = points
    return by_match


# --- words -----------------------------------------------------------------------------------------


TONES = {
    REPORTED: "reported",
    CONTESTED: "contested",
    AGREED: "done",
    ENTERED: "done",
}


def tables(hall: Hall, pairings: Iterable[Pairing]) -> tuple[HallTable, ...]:
    """The tables of these pairings, byes left out; words in the active language."""
    calls = hall.open_calls()
    return tuple(
        table(hall, pairing, is_called=pairing.key in calls) for pairing in pairings if not pairing.is_bye
    )


def table(hall: Hall, pairing: Pairing, *, is_called: bool = False) -> HallTable:
    this_round = hall.state.rounds.get(str(pairing.round))
    played = hall.played.get(pairing.match or "")
    return HallTable(
        key=pairing.key,
        number=number_of(hall.state, pairing),
        url=rounds_and_standings.address("organise-table", hall.event.code, pairing.key),
        players=tuple(_players(hall.state, pairing, played)),
        tone="called" if is_called else TONES.get(pairing.state, ""),
        label=_label(pairing, played, this_round, is_called=is_called),
        round_label=_round_label(hall.state, played, pairing),
        since=instant(played.tapped) if played and played.has_begun and not pairing.is_decided else None,
        ends=_ends(this_round, pairing) if not pairing.is_decided else 0,
        watch_url=rounds_and_standings.address("watch", pairing.match) if pairing.match else "",
    )


def number_of(g: EventState, pairing: Pairing) -> str:
    """The number of a table; where several rounds are being played, with that of its round."""
    number = str(pairing.table or "")
    return f"{pairing.round}.{number}" if len(rounds_of(g)) > 1 and not g.is_ladder else number


def _players(g: EventState, pairing: Pairing, played: Played | None) -> Iterable[HallPlayer]:
    for at, key in enumerate(pairing.players):
        seat = pairing.seats[at] if at < len(pairing.seats) else ""
        agreed = pairing.results.get(key, {}).get("vp")
        live = played.points.get(seat, 0) if played and played.has_begun else None
        points = agreed if agreed is not None else live
        # Seats at a table of more than two may be for the players to choose.
        unknown = at + 1 if seat or len(pairing.players) == 2 else 0
        yield HallPlayer(
            rounds_and_standings.mark_of(g, seat) or unknown,
            g.called(key) if pairing.match else rounds_and_standings.with_house(g, pairing, key),
            "" if points is None else str(points),
            wins=pairing.is_decided and pairing.winner == key,
        )


def _label(pairing: Pairing, played: Played | None, this_round: Round | None, *, is_called: bool) -> str:
    if is_called:
        return _("Judge called")
    if pairing.state == OPEN:
        is_drafted = this_round is None or this_round.state != OPEN
        if pairing.absent:
            return _("Player absent")
        if "" in pairing.seats and not is_drafted:
            return _("Choosing houses")
        if is_drafted or (played is not None and played.has_begun):
            return ""
        return _("Not begun")
    label = capfirst(rounds_and_standings.label_of(pairing))
    return " ".join((label, *_claimed(pairing, played))) if pairing.state == CONTESTED else label


def _claimed(pairing: Pairing, played: Played | None) -> list[str]:
    """The scores that differ, in the order of the seats: what the sides claim, then what the table shows."""
    scores = [
        [claim["scores"].get(key, {}).get("vp", "–") for key in pairing.players]
        for claim in pairing.claims.values()
    ]
    if played and played.has_begun:
        scores.append([played.points.get(seat, 0) for seat in pairing.seats])
    return list(dict.fromkeys(":".join(map(str, points)) for points in scores))


def _round_label(g: EventState, played: Played | None, pairing: Pairing) -> str:
    if about := rounds_and_standings.third(g, pairing):
        return about
    if played is None or not played.round or pairing.is_decided:
        return ""
    return words(system(g.system).round_name(played.round))


def _ends(this_round: Round | None, pairing: Pairing) -> int:
    """When time is up at a table that was given more than the others (seconds since 1970); else 0."""
    if this_round is None or this_round.running_since is None or not pairing.extended:
        return 0
    now = int(clock.seconds())
    return now + this_round.left(now, pairing.extended)


def byes(g: EventState, pairings: Iterable[Pairing]) -> str:
    """Who sits out and who has missed the round, in a sentence each; "" for nobody."""
    alone = [pairing for pairing in pairings if pairing.is_bye and pairing.players[0] in g.players]
    sentences = []
    for line, group in (
        (_("Bye: %(names)s"), [pairing for pairing in alone if pairing.how != LOSS]),
        (_("Loss: %(names)s"), [pairing for pairing in alone if pairing.how == LOSS]),
    ):
        if group:
            sentences.append(
                line % {"names": _(", ").join(isolated(g.called(pairing.players[0])) for pairing in group)}
            )
    return " · ".join(sentences)


def sentences(lines: Iterable[Line]) -> str:
    """Sentences of the log in the active language."""
    return together(words(line) for line in lines)
