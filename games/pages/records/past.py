"""A table as it stood at an earlier moment, and its board as somebody saw it then."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games import core, view_models
from games.core import State, Thought, plain
from games.live.hub import Audience
from games.match import storage
from games.match.storage import MATCH_COLUMNS
from games.models import Entry, Match, Seat, SeatRequest
from games.pages.table.boards import BoardOf
from games.pages.table.loaded import RECENT, Table, latest, marked


class Past(Table):
    """A match as it was after a version's entry: the position from the log, and the log up to then."""

    def __init__(self, match: Match, version: int) -> None:
        state = core.keep(storage.position(match, version))
        then = copy(match)
        for name in MATCH_COLUMNS:
            setattr(then, name, plain(getattr(state, name)))
        then.version, then.undo_request, then.altered = version, None, None
        super().__init__(then)
        self._state = state

    @property
    def entry(self) -> Entry:
        return self.recent[0]

    @cached_property
    def state(self) -> State:
        return self._state

    @cached_property
    def recent(self) -> list[Entry]:
        """The newest entries at that moment, newest first; what was undone later counts as not undone yet."""
        then = Entry.objects.filter(match=self.match, version__lte=self.match.version)
        return marked(list(latest(then)[:RECENT]))

    @cached_property
    def newest_standing(self) -> Entry | None:
        """Nothing of the past is undone."""
        return None

    @cached_property
    def open_seats(self) -> tuple[Seat, ...]:
        """Nobody sits down in the past."""
        return ()

    @cached_property
    def asking(self) -> tuple[SeatRequest, ...]:
        """Nobody asks for a seat in the past."""
        return ()

    @cached_property
    def thought(self) -> Thought | None:
        """Everybody's time at that moment, if the match is played by the clock."""
        clock = self.game.clock
        return (
            storage.thought(self.match, clock, self.entry)
            if clock and self.game.is_timed(self.state)
            else None
        )


def board(past: Past, audience: Audience) -> view_models.Board:
    """The board as one audience saw it, without links away from it or controls that change it."""
    return _BoardThen(past, audience, audience.seats[0] if audience.seats else "").shape(None)


class _BoardThen(BoardOf):
    """The board of a moment: nothing on it leads anywhere."""

    def sheet_url(self) -> Callable[[str], str]:
        return lambda path: ""

    def undo(self) -> view_models.Undo | None:
        return None

    def before_the_match(self, shown: view_models.Board) -> view_models.Board:
        return shown

    def way_in(self) -> tuple[view_models.Link, ...]:
        return ()

    def closed(self) -> view_models.Notice | None:
        line = _("Anything sealed before you took this seat stays hidden.")
        is_sealed = self.table.state.armies[self.seat].hidden
        return view_models.Notice(line) if is_sealed else None

    def with_story(
        self, result: view_models.Result, sides: tuple[view_models.Side, ...]
    ) -> view_models.Result:
        return result
