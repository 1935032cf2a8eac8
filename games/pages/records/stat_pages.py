"""Statistics over matches: a page for each game, its tables in words and drawings, files, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.formats import number_format
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import statistics, translation, view_models
from games.core import RequestRefused, System, ViewModel, say, system, systems, together
from games.core import gettext_noop as noop
from games.pages.common import refusing
from games.pictures import charts
from games.pictures.charts import Chart
from games.statistics import (
    FEWEST,
    KEPT_SECONDS,
    OTHERS,
    Asked,
    Pairing,
    Quartiles,
    Reading,
    Statistics,
    Tally,
)
from games.translation import gettext as _
from games.translation import ngettext, words
from games.web import STATISTICS, address, table_files, too_fast


class Bar(ViewModel):
    """A share as a bar, in per cent of its room: its width, the range of the true value, the even share.

    `low` and `high` are None if no range is given, `even` is None if there is nothing to compare with.
    """

    width: float
    low: float | None = None
    high: float | None = None
    even: float | None = None


class StatRow(ViewModel):
    """One row: what it is about, its numbers, its bar, and where to find more."""

    label: str
    cells: tuple[str, ...]
    bar: Bar | None = None
    url: str = ""


class StatTable(ViewModel):
    """One table of numbers. `note` says how to read it; any `rest` rows are folded below.

    The mark before a column is its shape in the drawing. `csv_url` gives the same table as a file.
    """

    key: str
    title: str
    note: str
    columns: tuple[tuple[int, str], ...]
    rows: tuple[StatRow, ...]
    csv_url: str
    rest: tuple[StatRow, ...] = ()
    chart: Chart | None = None


class Figure(ViewModel):
    """One number in large print, with what it is and a short note on it."""

    value: str
    label: str
    note: str = ""


class StatField(ViewModel):
    """A field of the form that narrows the matches; without `options` it is a date."""

    name: str
    label: str
    value: str = ""
    options: tuple[view_models.Option, ...] = ()
    error: str = ""


class StatisticsPage(ViewModel):
    """The statistics of one game's matches, or of all games if there is no form.

    `few` says that there are too few matches to say more, `json_url` has everything for programs. The form is
    open if it `is_narrow`, that is, leaves matches out.
    """

    title: str
    back: view_models.Link
    about: str
    figures: tuple[Figure, ...] = ()
    tables: tuple[StatTable, ...] = ()
    fields: tuple[StatField, ...] = ()
    form_url: str = ""
    json_url: str = ""
    few: str = ""
    is_narrow: bool = False
    errors: tuple[str, ...] = ()


@require_safe
@refusing
def overview(request: HttpRequest) -> HttpResponse:
    counts = statistics.overview()
    most = max(matches for _slug, matches, _over in counts) or 1
    rows = tuple(
        StatRow(
            _(system(slug).title),
            (str(matches), str(over)),
            Bar(round(100 * matches / most, 1)),
            reverse("statistics-game", args=[slug]),
        )
        for slug, matches, over in counts
    )
    columns = ((0, _("Game")), (0, _("Matches")), (0, _("Finished")))
    table = StatTable(
        key="games",
        title=_("Popularity"),
        note="",
        columns=columns,
        rows=rows,
        csv_url=reverse("statistics-games-csv"),
    )
    page = StatisticsPage(_("Statistics"), _home(), _about(), tables=(table,))
    return _kept(render(request, "records/statistics.html", {"page": page}))


@require_safe
def overview_csv(request: HttpRequest) -> HttpResponse:
    return _csv_file("games", ("game", "matches", "finished"), statistics.overview())


@require_safe
@refusing
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """The statistics of a game's matches; for a wrong query a sentence, and nothing is counted."""
    reading = _read(request, game)
    if not reading.errors and (refusal := _slow_down(request, reading.asked)):
        return refusal
    page = _page(system(game), reading)
    status = 422 if reading.errors else 200
    return _kept(render(request, "records/statistics.html", {"page": page}, status=status))


@require_safe
@refusing
def as_json(request: HttpRequest, game: str) -> HttpResponse:
    reading = _read(request, game)
    if reading.errors:
        fault = {"error": "invalid", "message": together(map(words, reading.errors.values())), "rule": None}
        return JsonResponse(fault, status=422)
    if refusal := _slow_down(request, reading.asked):
        return refusal
    content = statistics.as_json(reading.asked, statistics.statistics(reading.asked))
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return _kept(HttpResponse(text, content_type="application/json"))


@require_safe
@refusing
def as_csv(request: HttpRequest, game: str, table: str) -> HttpResponse:
    reading = _read(request, game)
    if table not in statistics.TABLES:
        raise RequestRefused(say(noop("There is no table of this name.")), 404, "unknown")
    for line in reading.errors.values():
        raise RequestRefused(line, 422, "invalid")
    if refusal := _slow_down(request, reading.asked):
        return refusal
    plain, numbers = statistics.TABLES[table], statistics.statistics(reading.asked)
    return _kept(_csv_file(f"{game}-{table}", plain.columns, plain.rows(numbers)))


def _read(request: HttpRequest, game: str) -> Reading:
    if game not in {each.slug for each in systems()}:
        raise RequestRefused(say(noop("There is no game of this name here.")), 404, "unknown")
    translation.activate_game(game)
    return statistics.read(system(game), request.GET)


def _slow_down(request: HttpRequest, wanted: Asked) -> HttpResponse | None:
    """Limit how often new numbers are counted: that keeps the database busy; recent numbers are free."""
    if statistics.is_known(wanted):
        return None
    return too_fast(request, STATISTICS, address(request))


# --- the page -------------------------------------------------------------------------------------


def _page(game: System, reading: Reading) -> StatisticsPage:
    query = _query(reading.asked)
    base = StatisticsPage(
        _(game.title),
        view_models.Link(reverse("statistics"), _("Statistics")),
        _about(),
        fields=tuple(_fields(game, reading)),
        form_url=reverse("statistics-game", args=[game.slug]),
        json_url=reverse("statistics-json", args=[game.slug]) + query,
        is_narrow=bool(query),
        errors=tuple(map(words, reading.errors.values())),
    )
    return base if reading.errors else _with_numbers(base, game, statistics.statistics(reading.asked), query)


def _with_numbers(base: StatisticsPage, game: System, numbers: Statistics, query: str) -> StatisticsPage:
    urls = {name: reverse("statistics-csv", args=[game.slug, name]) + query for name in statistics.TABLES}
    in_words = StatisticsInWords(game, numbers, urls)
    is_few = numbers.matches and numbers.finished < FEWEST
    return replace(
        base,
        figures=tuple(in_words.figures()),
        tables=tuple(in_words.tables()),
        few=few(numbers.finished) if is_few else "",
    )


def _fields(game: System, reading: Reading) -> Iterable[StatField]:
    """The form as it was sent; a field that could not be read says so."""
    wanted, errors = reading.asked, {name: words(line) for name, line in reading.errors.items()}
    modes = [(mode.slug, _(mode.title)) for mode in game.modes]
    if len(modes) > 1:
        yield _choice("mode", _("Mode"), _("All modes"), modes, wanted.mode, errors)
    factions = [(key, _(title)) for key, title in statistics.factions_of(game).items()]
    yield _choice("faction", _(game.faction_word), _("All"), factions, wanted.faction, errors)
    for name, label in (("since", _("From")), ("until", _("To"))):
        typed = reading.typed.get(name, "")
        yield StatField(name, label, typed, error=errors.get(name, ""))
    every = [("any", _("Include unfinished"))]
    is_any = "any" if wanted.is_any else ""
    yield _choice("which", _("Which matches"), _("Finished only"), every, is_any, errors)


def _choice(
    name: str, label: str, usual: str, options: Iterable[tuple[str, str]], chosen: str, errors: dict[str, str]
) -> StatField:
    offered = [("", usual), *options]
    choices = tuple(view_models.Option(value, title, value == chosen) for value, title in offered)
    return StatField(name, label, chosen, choices, errors.get(name, ""))


def _query(wanted: Asked) -> str:
    values = {
        "mode": wanted.mode,
        "faction": wanted.faction,
        "since": wanted.since.isoformat() if wanted.since else "",
        "until": wanted.until.isoformat() if wanted.until else "",
        "which": "any" if wanted.is_any else "",
    }
    sent = urlencode({name: value for name, value in values.items() if value})
    return f"?{sent}" if sent else ""


def _home() -> view_models.Link:
    return view_models.Link(reverse("home"), _("Home"))


def _about() -> str:
    """The sentence that says what the numbers are about."""
    return _("Counted from public tables only. Demo tables are left out, and no one is named.")


# --- answers --------------------------------------------------------------------------------------


def _kept(response: HttpResponse) -> HttpResponse:
    """Let browsers keep the numbers for a minute: only their language depends on the reader."""
    patch_cache_control(response, private=True, max_age=KEPT_SECONDS)
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _csv_file(name: str, head: Iterable[str], rows: Iterable[Iterable[Any]]) -> HttpResponse:
    return table_files.csv_file(f"roundtable-{name}", table_files.as_csv(head, rows))


MOST_PAIRS = 12
"""Pairings that are shown at once; the others are folded."""
WINNER, OTHER = 7, 3
"""Shapes for winners and others in a drawing: marks of seats that a table of two does not have."""
BINS = (5, 10, 15, 30, 60, 120, 240, 480, 1440)
"""How many minutes one column of the match lengths may cover."""
MOST_BINS = 10


def few(count: int) -> str:
    return ngettext("%(count)s match: too few to tell", "%(count)s matches: too few to tell", count) % {
        "count": count
    }


@dataclass(frozen=True)
class StatisticsInWords:
    """One game's statistics in words. `csv` holds the addresses of the tables' files, by table name."""

    game: System
    found: Statistics
    csv: dict[str, str]

    # --- the first look --------------------------------------------------------------------------

    def figures(self) -> Iterator[Figure]:
        yield Figure(_number(self.found.matches), _("matches"), self.ongoing())
        minutes, first = self.found.minutes, self.found.first
        if minutes.median is not None:
            middle = _("half of them took %(lower)s to %(upper)s") % {
                "lower": _number(minutes.lower),
                "upper": _number(minutes.upper),
            }
            yield Figure(_number(minutes.median), _("minutes, the median"), middle)
        if self.found.actions.median is not None:
            seconds = _("%(seconds)s seconds each") % {"seconds": _number(self.found.seconds.median)}
            yield Figure(_number(self.found.actions.median), _("entries in the history, the median"), seconds)
        if first.rate is not None:
            yield Figure(_percent(first.rate), _("won by the first player"), _span(first))

    def ongoing(self) -> str:
        """How many of the matches are not over."""
        running = self.found.matches - self.found.finished
        return _("%(count)s unfinished") % {"count": _number(running)} if running else ""

    # --- tables ----------------------------------------------------------------------------------

    def tables(self) -> Iterator[StatTable]:
        made = (self.factions(), self.pairings(), self.ends(), self.rounds(), self.modes(), self.lengths())
        yield from (table for table in made if table.rows)

    def faction(self, key: str) -> str:
        return _("Others, or not known") if key == OTHERS else _(statistics.factions_of(self.game)[key])

    def factions(self) -> StatTable:
        even = 100 / self.found.sides if self.found.sides else None
        rows = [
            StatRow(
                self.faction(key),
                (_number(tally.matches), _score(tally), _rate(tally)),
                _bar(tally, even),
            )
            for key, tally in self.found.factions.items()
        ]
        note = _(
            "A draw counts as half a win. The gap in a bar marks an even share; the thin line is the "
            "95 percent confidence interval. No share is shown for fewer than %(fewest)s matches."
        ) % {"fewest": FEWEST}
        columns = (_(self.game.faction_word), _("Matches"), _("Won–drawn–lost"), _("Win rate"))
        return self.table("factions", _("Who wins"), note, columns, rows)

    def pairings(self) -> StatTable:
        rows = [self.pairing(pair) for pair in self.found.pairings]
        score = _("Won–drawn–lost") if self.found.sides <= 2 else _("Won–neither–lost")
        columns = (_("Against each other"), _("Matches"), score, _("Win rate"))
        return self.table("pairings", _("Matchups"), self.pairing_note(), columns, rows, most=MOST_PAIRS)

    def pairing_note(self) -> str:
        """How to read who won against whom."""
        if self.found.sides <= 2:
            return _("For the side named first; a draw counts half.")
        return _("For the side named first, out of matches won by either of the two.")

    def pairing(self, pair: Pairing) -> StatRow:
        """One row of who won against whom; against itself a faction wins as often as it loses."""
        label = _("%(one)s – %(other)s") % {"one": self.faction(pair.one), "other": self.faction(pair.other)}
        if pair.one == pair.other:
            return StatRow(label, (_number(pair.matches), "", ""))
        neither = pair.matches - pair.wins - pair.losses
        score = f"{pair.wins}–{neither}–{pair.losses}"
        # If a third player may win, a match that neither of the two won says nothing about them.
        is_of_two = self.found.sides <= 2
        tally = (
            Tally(pair.matches, pair.wins, neither)
            if is_of_two
            else Tally(pair.wins + pair.losses, pair.wins)
        )
        return StatRow(label, (_number(pair.matches), score, _rate(tally)), _bar(tally, 50.0))

    def modes(self) -> StatTable:
        """What is played, and how long it takes."""
        most = max((line.matches for line in self.found.modes), default=1)
        rows = [
            StatRow(
                _(self.game.mode(line.mode).title) if self.knows(line.mode) else line.mode,
                (_number(line.matches), _number(line.minutes.median), _number(line.rounds)),
                Bar(_part(line.matches, most)),
            )
            for line in self.found.modes
        ]
        columns = (_("Mode"), _("Matches"), _("Minutes"), _("Rounds"))
        note = _("Median of the minutes, average of the rounds.")
        return self.table("modes", _("Popularity"), note, columns, rows)

    def knows(self, mode: str) -> bool:
        return any(offered.slug == mode for offered in self.game.modes)

    def ends(self) -> StatTable:
        titles = {
            "played": _("Played to the end"),
            "conceded": _("Conceded"),
            "time": _("On time"),
            "adjudicated": _("Adjudicated"),
        }
        over = self.found.finished
        rows = [
            StatRow(
                titles[kind],
                (_number(matches), _percent(matches / over) if over >= FEWEST else ""),
                Bar(_part(matches, over)) if over >= FEWEST else None,
            )
            for kind, matches in self.found.ends.items()
        ]
        columns = (_("End"), _("Matches"), _("Percentage"))
        return self.table("ends", _("How matches end"), "", columns, rows)

    # --- drawings --------------------------------------------------------------------------------

    def rounds(self) -> StatTable:
        """What winners and others score in each round."""
        rounds = [line for line in self.found.rounds if line.winners is not None and line.others is not None]
        lines = self.found.rounds if rounds else ()
        rows = [
            StatRow(
                words(self.game.round_name(line.number)),
                (_number(line.matches), *map(_number, (line.everybody, line.winners, line.others))),
            )
            for line in lines
        ]
        heading = _(self.game.round_word)
        columns = (heading, _("Matches"), _("Everyone"), _("Winners"), _("Others"))
        note = _("Average points of a side, in matches with a winner that reached this round.")
        title = _("Points by round")
        spans = [charts.Span(words(self.game.round_name(line.number)), str(line.number)) for line in rounds]
        series = [
            charts.Series(WINNER, _("Winners"), tuple(round(line.winners or 0, 1) for line in rounds)),
            charts.Series(OTHER, _("Others"), tuple(round(line.others or 0, 1) for line in rounds)),
        ]
        chart = charts.lines(charts.About("rounds", title, note, heading), spans, series) if rounds else None
        marks = (0, 0, 0, WINNER, OTHER)
        return self.table("rounds", title, note, columns, rows, chart=chart, marks=marks)

    def lengths(self) -> StatTable:
        numbers = (
            (_("Minutes"), self.found.minutes),
            (_("Entries in the history"), self.found.actions),
            (_("Seconds between entries"), self.found.seconds),
        )
        rows = [
            StatRow(label, _quartiles(quartiles))
            for label, quartiles in numbers
            if quartiles.median is not None
        ]
        columns = (_("Measured"), _("Lower quartile"), _("Median"), _("Upper quartile"))
        note = _(
            "How many matches took how many minutes from the first round to the end; the last column has "
            "all that took longer. Every tap, correction and undo is an entry."
        )
        title = _("Length and pace")
        return self.table("tempo", title, note, columns, rows, chart=self.histogram(title))

    def histogram(self, title: str) -> charts.Chart | None:
        if self.found.minutes.median is None:
            return None
        # The longest twentieth would squeeze all others into one corner.
        lengths = self.found.lengths
        least, most = lengths[0], lengths[int(0.95 * (len(lengths) - 1))]
        width = next((size for size in BINS if most - least < size * (MOST_BINS - 2)), BINS[-1])
        first = int(least // width)
        counts = [0] * min(MOST_BINS, int(most // width) - first + 2)
        for minutes in lengths:
            counts[min(int(minutes // width) - first, len(counts) - 1)] += 1
        text = _("The median is %(minutes)s minutes.") % {"minutes": _number(self.found.minutes.median)}
        begins = [_number((first + place) * width) for place in range(len(counts))]
        spans = [charts.Span(begin, begin) for begin in begins]
        about = charts.About("lengths", title, text, _("Minutes"))
        return charts.columns(about, spans, [charts.Series(0, _("Matches"), tuple(counts))])

    def table(
        self,
        key: str,
        title: str,
        note: str,
        columns: tuple[str, ...],
        rows: list[StatRow],
        *,
        most: int | None = None,
        chart: charts.Chart | None = None,
        marks: tuple[int, ...] = (),
    ) -> StatTable:
        """A table whose rows beyond `most` are folded; its drawing leaves the numbers to the table."""
        most = len(rows) if most is None else most
        heads = tuple(zip(marks or (0,) * len(columns), columns, strict=True))
        first, rest = tuple(rows[:most]), tuple(rows[most:])
        return StatTable(
            key=key,
            title=title,
            note=note,
            columns=heads,
            rows=first,
            csv_url=self.csv[key],
            rest=rest,
            chart=chart,
        )


# --- numbers --------------------------------------------------------------------------------------


def _number(value: float | None) -> str:
    """A number in the reader's format; a fraction below ten gets one decimal."""
    if value is None:
        return "–"
    digits = 1 if isinstance(value, float) and abs(value) < 10 else 0
    # Adding zero turns a value rounded to minus zero into zero.
    return number_format(round(value, digits) + 0, digits, use_l10n=True, force_grouping=True)


def _percent(share: float) -> str:
    return _("%(number)s%%") % {"number": f"{share * 100:.0f}"}


def _score(tally: Tally) -> str:
    return f"{tally.wins}–{tally.draws}–{tally.losses}"


def _rate(tally: Tally) -> str:
    return "–" if tally.rate is None else _percent(tally.rate)


def _span(tally: Tally) -> str:
    if tally.span is None:
        return few(tally.matches)
    low, high = tally.span
    return _("%(low)s to %(high)s, of %(count)s matches") % {
        "low": f"{low * 100:.0f}",
        "high": _percent(high),
        "count": _number(tally.matches),
    }


def _bar(tally: Tally, even: float | None) -> Bar | None:
    if tally.rate is None or tally.span is None:
        return None
    low, high = tally.span
    width, lowest, highest = (round(part * 100, 1) for part in (tally.rate, low, high))
    return Bar(width, lowest, highest, round(even, 1) if even else None)


def _part(value: int, whole: int) -> float:
    return round(100 * value / whole, 1) if whole else 0.0


def _quartiles(quartiles: Quartiles) -> tuple[str, ...]:
    return tuple(map(_number, (quartiles.lower, quartiles.median, quartiles.upper)))
