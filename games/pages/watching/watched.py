"""A match as watchers see it: made from a spectator's board, so that no page shows more than that.

One shape serves the watchers' page, the television and the overlay; each draws it with its own template.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.formats import time_format
from django.utils.translation import get_language

from games import translation, view_models
from games.core import Line, Term, ViewModel, together
from games.history import logbook
from games.live.hub import Audience
from games.match import delay, undoing
from games.monitoring import answer_times
from games.pages.records import story
from games.pages.records.score_card import points_chart
from games.pages.table import boards
from games.pages.table.loaded import Table
from games.pictures.charts import Chart
from games.templating import part
from games.translation import gettext as _
from games.translation import words
from games.web import clock


class Clock(ViewModel):
    """A clock of a side. A running clock is over at `ends`, in seconds since 1970; 0 for a stopped one."""

    label: str
    text: str
    ends: int = 0


class WatchedPiece(ViewModel):
    """A piece in one line: `full` is how much of it is left in percent, None if nothing is counted.

    `state` is a card's. `note` says what is left, or more about a fact.
    """

    name: str
    state: str = ""
    state_label: str = ""
    full: int | None = None
    note: str = ""
    leads: bool = False


class WatchedSide(ViewModel):
    """One side at a glance. `counted` says what of it is left ("5 of 7 left").

    `toward` is its score in percent of the target, None if there is no target. `record` is who plays it at
    an event, and what they have won there so far.
    """

    key: str
    mark: int
    name: str
    score: int
    target: int | None = None
    toward: int | None = None
    beside: str = ""
    army: str = ""
    leader: str = ""
    first: bool = False
    to_act: bool = False
    answered: bool = False
    wins: bool = False
    record: str = ""
    counted: str = ""
    facts: tuple[view_models.Badge, ...] = ()
    clocks: tuple[Clock, ...] = ()
    pieces: tuple[WatchedPiece, ...] = ()


class Held(ViewModel):
    """A place between the sides, and who holds it: `mark` is 0 for nobody."""

    name: str
    mark: int
    by: str


class Told(ViewModel):
    """One line of what was done; `mark` is the side that it begins with, 0 for none."""

    text: str
    mark: int = 0


class Happening(ViewModel):
    """What was done, line by line, in words that everybody may read."""

    mark: int
    lines: tuple[Told, ...]
    at: view_models.Instant


class OfEvent(ViewModel):
    """The event of a table that a screen follows: its name, the round and the table, the clock of the hall.

    `clock` is what `hall/clock.html` takes (rounds_and_standings.HallClock).
    """

    name: str
    title: str
    clock: Any = None


class Watched(ViewModel):
    """One match for watchers: finished words, nothing that only a seat may know.

    `asked` names who acts, `mark` says which side that is (0: several, or nobody), `about` what
    is asked, `since` when that began. `news` is for screen readers. `field_template` draws the `middle`, such
    as a map, where there is something to draw; `screen_template` draws it for a television.
    """

    code: str
    version: int
    title: str
    url: str
    round_label: str
    phase: str
    sides: tuple[WatchedSide, ...]
    asked: str
    mark: int = 0
    about: str = ""
    since: view_models.Instant | None = None
    track: tuple[view_models.Space, ...] = ()
    places_title: str = ""
    places: tuple[Held, ...] = ()
    happenings: tuple[Happening, ...] = ()
    chart: Chart | None = None
    result: view_models.Result | None = None
    news: str = ""
    middle: view_models.Middle | None = None
    field_template: str = ""
    screen_template: str = ""
    event: OfEvent | None = None


TEMPLATES = {
    "watch": "watching/watch_region.html",
    "tv": "watching/tv_region.html",
    "overlay": "watching/overlay_region.html",
}
"""The kinds of view for watchers, and the template of each."""
HAPPENINGS, IN_A_ROW = 8, 3
"""How many actions are told, and how many sentences of one stand in a row; more have a line each."""


def html(table: Table, audience: Audience) -> str:
    """The live region of a kind of view for watchers, in the audience's language."""
    known = table.loaded.drawn if table.loaded else {}
    looks = (audience, table.seating)
    if looks not in known:
        began = time.perf_counter()
        with translation.override_game(table.match.system, audience.language):
            known[looks] = part(TEMPLATES[audience.view], watched=watched(table))
        answer_times.spend(answer_times.DRAWING, began)
    return known[looks]


def watched(table: Table) -> Watched:
    """One match for watchers; words in the active language."""
    board = boards.board(table, Audience((), get_language() or "en", "watch"))
    header, question, match = board.header, board.question, table.match
    is_over = match.result is not None
    return Watched(
        code=match.code,
        version=match.version,
        title=board.title,
        url=reverse("watch", args=[match.code]),
        round_label=header.round_label,
        phase=header.phase,
        sides=tuple(_sides(table, board)),
        asked="" if is_over else _asked(header.seats),
        mark=question.mark,
        about="" if is_over else question.hint,
        since=None if is_over else _since(table),
        track=header.track,
        places_title=board.middle.objectives_title,
        places=tuple(_held(card, table) for card in board.middle.objectives if not card.gauge),
        happenings=tuple(_happenings(table))[:HAPPENINGS],
        chart=points_chart(table) if table.state.scores else None,
        result=board.result,
        news=board.news,
        middle=board.middle,
        field_template=(field := table.page.field_template()),
        screen_template=table.page.screen_template if field else "",
    )


def _asked(seats: tuple[view_models.SeatScore, ...]) -> str:
    """Whom the question asks: by name, except where a row of names would say that it asks all of many."""
    names = [one.name for one in seats if one.to_act]
    return _("Everyone") if len(names) == len(seats) > 2 else _(", ").join(names)


def instant(moment: datetime, behind: int = 0, zone: str = "") -> view_models.Instant:
    """A moment, with its time of day in this zone ("": the server's); time is counted from so much later."""
    text = time_format(clock.at_home(moment, zone), "H:i")
    return view_models.Instant(moment.isoformat(timespec="seconds"), int(moment.timestamp()) + behind, text)


def _since(table: Table) -> view_models.Instant | None:
    """When the open question was asked.

    None where time stands still, because that question may have been answered long ago.
    """
    behind = delay.seconds_behind(table.match)
    if behind is None or table.asked_at is None:
        return None
    return instant(table.asked_at, behind)


def _sides(table: Table, board: view_models.Board) -> Iterator[WatchedSide]:
    winner = (table.match.result or {}).get("winner")
    scores = {one.key: one for one in board.header.seats}
    for side in board.sides:
        score = scores[side.key]
        cards = [card for group in side.groups for card in group.cards]
        yield WatchedSide(
            key=side.key,
            mark=side.mark,
            name=side.name,
            score=score.score,
            target=score.target,
            toward=_toward(score),
            beside=score.beside,
            army=side.army,
            leader=side.leader,
            first=score.first,
            to_act=score.to_act,
            answered=score.answered,
            wins=side.key == winner,
            counted=left.counted if (left := story.standing(side)) else "",
            facts=side.facts,
            clocks=tuple(_clock(timer, table) for timer in side.timers),
            pieces=tuple(_piece(card, is_unit=card.key in table.state.units) for card in cards),
        )


def _toward(score: view_models.SeatScore) -> int | None:
    if not score.target:
        return None
    return min(100, max(0, round(100 * score.score / score.target)))


def _piece(card: view_models.Card, *, is_unit: bool) -> WatchedPiece:
    """A unit with what is left of it, or a fact about its side."""
    gauge = card.gauge
    if card.state not in story.COUNTED and not is_unit:
        return WatchedPiece(gauge.label if gauge else card.name, note="" if gauge else card.title)
    full = round(100 * gauge.left / gauge.of) if gauge and gauge.of else None
    counted = gauge.label if gauge and gauge.of else ""
    return WatchedPiece(
        card.name, card.state or "ready", card.state_label, full, counted, leads=bool(card.leader)
    )


def _clock(timer: view_models.Timer, table: Table) -> Clock:
    behind = delay.seconds_behind(table.match)
    if not timer.runs or behind is None:
        return Clock(timer.label, timer.text)
    now = table.thought.now if table.thought else 0.0
    return Clock(timer.label, timer.text, int(now) + timer.seconds + behind)


def _held(card: view_models.Card, table: Table) -> Held:
    names = {mark: table.page.name(seat) for seat, mark in table.page.marks.items()}
    return Held(card.name, card.mark, names.get(card.mark, ""))


def _happenings(table: Table) -> Iterator[Happening]:
    """The newest actions not undone, newest first, in words that everybody may read."""
    marks = table.page.marks
    for entry in table.recent:
        lines = logbook.lines_for(entry, None)
        if lines and entry.kind in undoing.UNDOABLE_KINDS and not hasattr(entry, "undone_by"):
            told = tuple(_told(lines, table))
            yield Happening(marks.get(entry.seat, 0), told, instant(entry.created_at))


def _told(lines: list[Line], table: Table) -> Iterator[Told]:
    """A few sentences in a row; of many each on its own line, with the mark of the first side it names."""
    if len(lines) <= IN_A_ROW:
        yield Told(together(map(words, lines)))
        return
    armies, titles = table.state.armies, table.game.seat_names
    marks = {
        name: mark for seat, mark in table.page.marks.items() for name in (titles[seat], armies[seat].name)
    }
    for line in lines:
        named = (value.message if isinstance(value, Term) else value for value in line.arguments.values())
        found = (marks[name] for name in named if isinstance(name, str) and name in marks)
        yield Told(words(line), next(found, 0))
