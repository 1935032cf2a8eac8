"""Statistics over matches, in words, bars and drawings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import view_models
from games.core.system import System
from games.pictures import charts
from games.record import asked
from games.record.asked import OTHERS
from games.record.statistics import FEWEST, Pairing, Quartiles, Statistics, Tally
from games.translation import words

MOST_PAIRS = 12
"""Pairings that are shown at once; the others are folded."""
WINNER, OTHER = 4, 6
"""Shapes for winners and others in a drawing: marks of seats that a table of two does not have."""
BINS = (5, 10, 15, 30, 60, 120, 240, 480, 1440)
"""How many minutes one column of the match lengths may cover."""
MOST_BINS = 10


def few(count: int) -> str:
    """The sentence for too few matches to say anything about."""
    return ngettext("%(count)s match: too few to say", "%(count)s matches: too few to say", count) % {
        "count": count
    }


@dataclass(frozen=True)
class StatisticsInWords:
    """One game's statistics in words. `csv` holds the addresses of the tables' files, by table name."""

    game: System
    found: Statistics
    csv: dict[str, str]

    # --- the first look --------------------------------------------------------------------------

    def figures(self) -> Iterator[view_models.Figure]:
        """The numbers to read first."""
        yield view_models.Figure(_number(self.found.matches), _("matches"), self.ongoing())
        minutes, first = self.found.minutes, self.found.first
        if minutes.median is not None:
            middle = _("half of them took %(lower)s to %(upper)s") % {
                "lower": _number(minutes.lower),
                "upper": _number(minutes.upper),
            }
            yield view_models.Figure(_number(minutes.median), _("minutes, the median"), middle)
        if self.found.actions.median is not None:
            seconds = _("%(seconds)s seconds each") % {"seconds": _number(self.found.seconds.median)}
            yield view_models.Figure(
                _number(self.found.actions.median), _("entries in the history, the median"), seconds
            )
        if first.rate is not None:
            yield view_models.Figure(_percent(first.rate), _("won by the first player"), _span(first))

    def ongoing(self) -> str:
        """How many of the matches are not over."""
        running = self.found.matches - self.found.finished
        return _("%(count)s not over yet") % {"count": _number(running)} if running else ""

    # --- tables ----------------------------------------------------------------------------------

    def tables(self) -> Iterator[view_models.StatTable]:
        """Every table that has something to say."""
        made = (self.factions(), self.pairings(), self.ends(), self.rounds(), self.modes(), self.lengths())
        yield from (table for table in made if table.rows)

    def faction(self, key: str) -> str:
        """What a faction is called."""
        return _("Others, or not known") if key == OTHERS else _(asked.factions_of(self.game)[key])

    def factions(self) -> view_models.StatTable:
        """Who wins how often."""
        even = 100 / self.found.sides if self.found.sides else None
        rows = [
            view_models.StatRow(
                self.faction(key),
                (_number(tally.matches), _score(tally), _rate(tally)),
                _bar(tally, even),
            )
            for key, tally in self.found.factions.items()
        ]
        note = _(
            "A draw counts half. The gap in a bar marks an even share; the thin line shows where the true "
            "one lies, nineteen times out of twenty. For fewer than %(fewest)s matches no share is given."
        ) % {"fewest": FEWEST}
        columns = (_(self.game.faction_word), _("Matches"), _("Won–drawn–lost"), _("Win rate"))
        return self.table("factions", _("Who wins"), note, columns, rows)

    def pairings(self) -> view_models.StatTable:
        """Who wins against whom."""
        rows = [self.pairing(one) for one in self.found.pairings]
        score = _("Won–drawn–lost") if self.found.sides <= 2 else _("Won–neither–lost")
        columns = (_("Against each other"), _("Matches"), score, _("Win rate"))
        return self.table(
            "pairings", _("Who against whom"), self.pairing_note(), columns, rows, most=MOST_PAIRS
        )

    def pairing_note(self) -> str:
        """How to read who won against whom."""
        if self.found.sides <= 2:
            return _("From the view of the one named first; a draw counts half.")
        return _(
            "From the view of the one named first; the share is of the matches that either of the two won."
        )

    def pairing(self, one: Pairing) -> view_models.StatRow:
        """One row of who won against whom; against itself a faction wins as often as it loses."""
        label = _("%(one)s – %(other)s") % {"one": self.faction(one.one), "other": self.faction(one.other)}
        if one.one == one.other:
            return view_models.StatRow(label, (_number(one.matches), "", ""))
        neither = one.matches - one.wins - one.losses
        score = f"{one.wins}–{neither}–{one.losses}"
        # If a third player may win, a match that neither of the two won says nothing about them.
        is_of_two = self.found.sides <= 2
        tally = Tally(one.matches, one.wins, neither) if is_of_two else Tally(one.wins + one.losses, one.wins)
        return view_models.StatRow(label, (_number(one.matches), score, _rate(tally)), _bar(tally, 50.0))

    def modes(self) -> view_models.StatTable:
        """What is played, and how long it takes."""
        most = max((one.matches for one in self.found.modes), default=1)
        rows = [
            view_models.StatRow(
                _(self.game.mode(one.mode).title) if self.knows(one.mode) else one.mode,
                (_number(one.matches), _number(one.minutes.median), _number(one.rounds)),
                view_models.Bar(_part(one.matches, most)),
            )
            for one in self.found.modes
        ]
        columns = (_("Mode"), _("Matches"), _("Minutes"), _("Rounds"))
        note = _("Median of the minutes, average of the rounds.")
        return self.table("modes", _("What is played"), note, columns, rows)

    def knows(self, mode: str) -> bool:
        """Whether the game still has a mode."""
        return any(one.slug == mode for one in self.game.modes)

    def ends(self) -> view_models.StatTable:
        """How matches end."""
        titles = {
            "played": _("Played to the end"),
            "conceded": _("Conceded"),
            "time": _("On time"),
            "adjudicated": _("Adjudicated"),
        }
        over = self.found.finished
        rows = [
            view_models.StatRow(
                titles[kind],
                (_number(matches), _percent(matches / over) if over >= FEWEST else ""),
                view_models.Bar(_part(matches, over)) if over >= FEWEST else None,
            )
            for kind, matches in self.found.ends.items()
        ]
        columns = (_("End"), _("Matches"), _("Of all"))
        return self.table("ends", _("How matches end"), "", columns, rows)

    # --- drawings --------------------------------------------------------------------------------

    def rounds(self) -> view_models.StatTable:
        """What winners and others score in each round."""
        rounds = [line for line in self.found.rounds if line.winners is not None and line.others is not None]
        lines = self.found.rounds if rounds else ()
        rows = [
            view_models.StatRow(
                words(self.game.round_name(line.number)),
                (_number(line.matches), *map(_number, (line.everybody, line.winners, line.others))),
            )
            for line in lines
        ]
        heading = _(self.game.round_word)
        columns = (heading, _("Matches"), _("Everybody"), _("Winners"), _("Others"))
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

    def lengths(self) -> view_models.StatTable:
        """How long matches take, and how fast they are played."""
        numbers = (
            (_("Minutes"), self.found.minutes),
            (_("Entries in the history"), self.found.actions),
            (_("Seconds from entry to entry"), self.found.seconds),
        )
        rows = [
            view_models.StatRow(label, _quartiles(found))
            for label, found in numbers
            if found.median is not None
        ]
        columns = (_("Measured"), _("Lower quartile"), _("Median"), _("Upper quartile"))
        note = _(
            "How many matches took how many minutes from the first round to the end; the last column has "
            "all that took longer. Every tap, correction and undo is an entry."
        )
        title = _("Length and tempo")
        return self.table("tempo", title, note, columns, rows, chart=self.histogram(title))

    def histogram(self, title: str) -> view_models.Chart | None:
        """How many matches took how long."""
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
        rows: list[view_models.StatRow],
        *,
        most: int | None = None,
        chart: view_models.Chart | None = None,
        marks: tuple[int, ...] = (),
    ) -> view_models.StatTable:
        """A table whose rows beyond `most` are folded; its drawing leaves the numbers to the table."""
        most = len(rows) if most is None else most
        heads = tuple(zip(marks or (0,) * len(columns), columns, strict=True))
        first, rest = tuple(rows[:most]), tuple(rows[most:])
        return view_models.StatTable(
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


def _bar(tally: Tally, even: float | None) -> view_models.Bar | None:
    if tally.rate is None or tally.span is None:
        return None
    low, high = tally.span
    width, lowest, highest = (round(part * 100, 1) for part in (tally.rate, low, high))
    return view_models.Bar(width, lowest, highest, round(even, 1) if even else None)


def _part(value: int, whole: int) -> float:
    return round(100 * value / whole, 1) if whole else 0.0


def _quartiles(found: Quartiles) -> tuple[str, ...]:
    return tuple(map(_number, (found.lower, found.median, found.upper)))
