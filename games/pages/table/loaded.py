"""One version of a match, loaded once for all who look at it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet
from django.utils.functional import cached_property

from games import core
from games.core import Offer, State, System, Thought, system
from games.history.commits import UnreadableRow, Verdict, reading
from games.match import play, storage, undoing
from games.match.storage import LoadedMatch
from games.models import Entry, Match, Seat, SeatRequest
from games.people import seats
from games.prepared import Prepared
from games.translation import translator
from games.view_models.game_page import Page

RECENT = 12
UNREAD = ("before", "after", "draws", "note")
"""Fields of an entry that no board shows."""


@dataclass
class Table:
    """One version of a match, loaded once for all who look at it; `loaded` is the match after an action."""

    match: Match
    loaded: LoadedMatch | None = None

    @cached_property
    def state(self) -> State:
        """The position; read-only for everyone who gets it."""
        return core.keep((self.loaded or storage.current(self.match)).state)

    @cached_property
    def game(self) -> System:
        return system(self.match.system)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The seats that the open question waits for."""
        return core.to_act(self.state)

    @cached_property
    def awaited(self) -> tuple[str, ...]:
        """The seats whose answer is still outstanding."""
        return core.awaited(self.state)

    @cached_property
    def recent(self) -> list[Entry]:
        return marked(_RECENT(self.match.code))

    @cached_property
    def asked_at(self) -> datetime | None:
        """When the open question was asked; for an earlier moment, when its own open question was."""
        match = self.match
        entries = Entry.objects.filter(match=match, version__lte=min(match.since, match.version))
        if match.since > match.version:
            entries = entries.filter(after__has_key="flow")
        entry = entries.order_by("-version").only("created_at").first()
        return entry.created_at if entry else None

    @property
    def newest(self) -> Entry | None:
        """What the log says of the action that has just left the table so."""
        return self.loaded.newest if self.loaded else None

    @cached_property
    def newest_standing(self) -> Entry | None:
        if self.newest is not None and undoing.is_undoable(self.newest):
            return self.newest
        return undoing.newest(self.match)

    @cached_property
    def chairs(self) -> tuple[Seat, ...]:
        return tuple(seats.chairs(self.match.code))

    @cached_property
    def open_seats(self) -> tuple[Seat, ...]:
        return tuple(chair for chair in self.chairs if not chair.is_taken)

    @property
    def seating(self) -> tuple[tuple[object, ...], ...]:
        """The facts about the seats that decide how a board looks."""
        return tuple((chair.key, chair.epoch, chair.is_taken, chair.blind_at) for chair in self.chairs)

    def is_blind(self, seat: str) -> bool:
        """Whether this seat was taken over, so that its phone must not see what was sealed before."""
        asked = self.match.asked
        return any(
            chair.key == seat and chair.blind_at is not None and chair.blind_at >= asked
            for chair in self.chairs
        )

    @cached_property
    def asking(self) -> tuple[SeatRequest, ...]:
        """The requests for a seat; nobody can ask while all are taken."""
        return tuple(seats.open_requests(self.match)) if self.open_seats else ()

    @cached_property
    def page(self) -> Page:
        """The game's page as everybody may see it."""
        page_type: type[Page] = self.game.page or Page
        return page_type(core.view(self.state, None), None, (), translator(), lambda path: "")

    @cached_property
    def thought(self) -> Thought | None:
        """Everybody's time as the log tells it, if the match is played by the clock."""
        clock = self.game.clock
        return storage.thought(self.match, clock) if clock and self.game.is_timed(self.state) else None

    def offers(self, seat: str) -> tuple[Offer, ...]:
        """What a seat may tap now; nothing while it is to be decided what counts."""
        return core.offers(self.state, seat) if seat and not self.match.altered else ()


def with_images(entries: Sequence[Entry]) -> None:
    """Read the images of entries that were loaded without them, all at once."""
    unread = {entry.pk: entry for entry in entries if "after" in entry.get_deferred_fields()}
    images = Entry.objects.filter(pk__in=unread).values_list("pk", "before", "after") if unread else ()
    for key, before, after in images:
        unread[key].before, unread[key].after = before, after


def latest(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """These entries, newest first, with only the fields that a board shows."""
    return entries.order_by("-version").defer(*UNREAD)


def marked(newest: list[Entry]) -> list[Entry]:
    """A match's newest entries, each marked if it was undone: the undo is newer, so it is among them."""
    undone = {entry.undoes_id for entry in newest}
    for entry in newest:
        entry.is_undone = entry.pk in undone
    return newest


_RECENT = Prepared(
    lambda code: Entry.objects.filter(match__code=code).order_by("-version")[:RECENT], without=UNREAD
)


def table_of(code: str) -> Table:
    """The match of this code as it stands; `RequestRefused` (404) if there is none."""
    return Table(play.match_of(code))


def tables_of(matches: Sequence[Match]) -> list[Table]:
    """Several tables with what a board reads of them, in about as many statements as for one."""
    tables = {match.pk: Table(match, storage.recall(match)) for match in matches}
    unread = [table.match for table in tables.values() if table.loaded is None]
    # Where one cannot be read, each is read alone.
    with suppress(UnreadableRow), reading("several tables"):
        for loaded in storage.load_many(unread):
            tables[loaded.match.pk].loaded = loaded
    for table in tables.values():
        table.recent, table.chairs = [], ()
    newest = Q(version__gt=F("match__version") - RECENT)
    entries = list(latest(Entry.objects.filter(newest, match__in=tables)))
    with_images(entries)
    for entry in entries:
        tables[entry.match_id].recent.append(entry)
    for table in tables.values():
        marked(table.recent)
    for chair in Seat.objects.filter(match__in=tables).order_by("pk"):
        tables[chair.match_id].chairs += (chair,)
    asked = Entry.objects.filter(match__in=tables, version=F("match__since")).order_by()
    for match, moment in asked.values_list("match_id", "created_at"):
        tables[match].asked_at = moment
    return list(tables.values())


def table_after(verdict: Verdict, code: str, chairs: tuple[Seat, ...] = ()) -> Table:
    """The table as an action has left it, or as it stands now if the action had been done before.

    `chairs` are all its seats, if the request has read them already.
    """
    if verdict.loaded is None:
        return table_of(code)
    table = Table(verdict.loaded.match, verdict.loaded)
    if chairs:
        table.chairs = chairs
    return table


def active_seat(table: Table, seats: tuple[str, ...], wanted: str = "") -> str:
    """The seat that a phone with these seats speaks for: the one wanted, or else one that is asked.

    A seat that may only change its answer comes after those that have yet to answer. If a player at this
    phone still has to agree to an undo, that comes first.
    """
    if wanted in seats:
        return wanted
    if undo := table.match.undo_request:
        out = [seat for seat in seats if seat in undo["needs"] and seat not in undo["agreed"]]
        if out:
            return out[0]
    asked = [seat for seat in seats if seat in table.asked]
    asked.sort(key=lambda seat: seat not in table.awaited)
    return next(iter(asked or seats), "")
