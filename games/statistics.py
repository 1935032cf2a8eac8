"""Statistics over matches: which ones are asked for, and what the database counts, no position loaded.

Games of events that were entered by hand count in all but points by round, length and who was first.

Numbers only, with keys for factions, modes and ends; pages give them words, files and JSON take them as they
are. Nobody's name is read.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import chain, combinations
from statistics import quantiles
from typing import Any

from django.core.cache import cache
from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce, NullIf
from django.db.models.lookups import GreaterThanOrEqual, LessThan
from django.utils import timezone

from games.core import Line, System, say, system, systems
from games.core import gettext_noop as _
from games.hall.rules.event_state import ALL_LOST, FINISHED
from games.hall.seasons.entered_games import EnteredGame, decided_by_hand, entered_games
from games.match import delay
from games.models import Army, Entry, Match, Round, Score
from games.results import kind_of_end

YEARS = range(2000, 2101)
LONGEST = 20
"""How many characters of a typed date are shown again."""
OTHERS = "others"
"""Stands for every faction that the game does not know, and for none: what people typed is never shown."""
PLAYED = Coalesce("finished_at", "changed_at")
"""When a match ended, or was last played."""
BAD_DATE = _("Please enter a date such as 2026-05-31.")


def counted() -> QuerySet[Match]:
    """The matches that statistics may count: listed tables at which play has begun.

    A match that is shown late counts once it is over.
    """
    public = Match.objects.filter(is_listed=True, is_demo=False, is_practice=False).exclude(delay.LATE)
    return public.filter(Q(round__gt=0) | ~Q(finished_at=None))


def factions_of(game: System) -> dict[str, str]:
    """The factions of a game → their names; in a game without factions, its seats."""
    return game.factions or game.seat_names


@dataclass(frozen=True)
class Asked:
    """The wanted matches of a game; "" and None mean any.

    `faction` is one that took part. `since` and `until` are the first and last day, both included, on which a
    match ended (or was last played). `is_any` includes matches that are still going on.
    """

    game: str
    mode: str = ""
    faction: str = ""
    since: date | None = None
    until: date | None = None
    is_any: bool = False

    def entered(self, game: System) -> list[EnteredGame]:
        """The wanted games of events whose result was entered by hand."""
        since = _midnight(self.since) if self.since else None
        until = _midnight(self.until + timedelta(days=1)) if self.until else None
        return [
            game_played
            for game_played in entered_games(game)
            if self.mode in ("", game_played.mode)
            and (not self.faction or self.faction in game_played.sides)
            and (since is None or game_played.at >= since)
            and (until is None or game_played.at < until)
        ]

    def matches(self, game: System) -> QuerySet[Match]:
        wanted = counted().filter(system=self.game).order_by()
        if not self.is_any:
            wanted = wanted.exclude(finished_at=None)
        if self.mode:
            wanted = wanted.filter(mode=self.mode)
        if self.faction:
            column = "faction" if game.factions else "key"
            sides = Army.objects.filter(match=OuterRef("pk"), **{column: self.faction})
            wanted = wanted.filter(Exists(sides))
        if self.since:
            wanted = wanted.filter(GreaterThanOrEqual(PLAYED, _midnight(self.since)))
        if self.until:
            wanted = wanted.filter(LessThan(PLAYED, _midnight(self.until + timedelta(days=1))))
        return wanted


@dataclass
class Reading:
    """What was asked for; by field the sentences about unreadable values, and the dates to show again."""

    asked: Asked
    typed: dict[str, str] = field(default_factory=dict)
    errors: dict[str, Line] = field(default_factory=dict)


def read(game: System, sent: Mapping[str, Any]) -> Reading:
    """What a form or an address asks for; an unreadable value narrows nothing and gets a sentence."""
    reading = Reading(Asked(game.slug))
    _choose(reading, sent, "mode", {mode.slug for mode in game.modes}, _("This game has no such mode."))
    _choose(reading, sent, "faction", factions_of(game).keys(), _("This game has no such faction."))
    for name in ("since", "until"):
        _read_date(reading, sent, name)
    _choose(reading, sent, "which", {"any"}, _("Please choose finished matches or all of them."))
    since, until = reading.asked.since, reading.asked.until
    if since and until and since > until:
        reading.errors["until"] = say(_("The last day comes before the first."))
    return reading


def _choose(reading: Reading, sent: Mapping[str, Any], name: str, choices: Any, refusal: str) -> None:
    value = sent.get(name, "")
    if not value:
        return
    if value not in choices:
        reading.errors[name] = say(refusal)
    elif name == "which":
        reading.asked = replace(reading.asked, is_any=True)
    else:
        reading.asked = replace(reading.asked, **{name: value})


def _read_date(reading: Reading, sent: Mapping[str, Any], name: str) -> None:
    value = sent.get(name, "").strip()
    if not value:
        return
    reading.typed[name] = value[:LONGEST]
    try:
        day = date.fromisoformat(value)
    except ValueError:
        reading.errors[name] = say(BAD_DATE)
        return
    if day.year not in YEARS:
        reading.errors[name] = say(BAD_DATE)
    else:
        # A date field takes no other form than this one.
        reading.typed[name] = day.isoformat()
        is_first = name == "since"
        reading.asked = replace(reading.asked, since=day) if is_first else replace(reading.asked, until=day)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


FEWEST = 10
"""From fewer matches than this, a share or an average says more about chance than about the game."""
KEPT_SECONDS = 60
ENTERED_ENDS = {FINISHED: "played", ALL_LOST: "played"}
"""How a game entered by hand ended → the word for it that all games have, where it is another one."""


@dataclass(frozen=True)
class Tally:
    """How often something won, and drew, in a number of finished matches."""

    matches: int = 0
    wins: int = 0
    draws: int = 0

    @property
    def losses(self) -> int:
        """Neither won nor drawn."""
        return self.matches - self.wins - self.draws

    @property
    def rate(self) -> float | None:
        """The share of matches won, a draw counting half; None if they are too few."""
        return (self.wins + self.draws / 2) / self.matches if self.matches >= FEWEST else None

    @property
    def span(self) -> tuple[float, float] | None:
        """Where the true share lies, nineteen times out of twenty (Wilson's interval); None for too few."""
        return interval(self.wins + self.draws / 2, self.matches) if self.matches >= FEWEST else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.matches + other.matches, self.wins + other.wins, self.draws + other.draws)


@dataclass(frozen=True)
class Pairing:
    """Two factions that met: how often each won; the rest were draws, or won by a third."""

    one: str
    other: str
    matches: int
    wins: int
    losses: int


@dataclass(frozen=True)
class Quartiles:
    """The middle half of some numbers and their median; None if they are too few."""

    count: int
    lower: float | None = None
    median: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class ModeLine:
    """A mode: how often it was played, its length in minutes (quartiles), its average number of rounds."""

    mode: str
    matches: int
    minutes: Quartiles
    rounds: float | None


@dataclass(frozen=True)
class RoundLine:
    """What a side scored in a round on average: any side, the winners, and the others.

    `matches` counts those with a winner and this round. The averages are None if they are too few.
    """

    number: int
    matches: int
    everybody: float | None
    winners: float | None
    others: float | None


@dataclass(frozen=True)
class Statistics:
    """Everything that is counted about the matches that were asked for."""

    game: str
    matches: int
    finished: int
    factions: dict[str, Tally]
    pairings: tuple[Pairing, ...]
    modes: tuple[ModeLine, ...]
    rounds: tuple[RoundLine, ...]
    first: Tally
    sides: float
    minutes: Quartiles
    lengths: tuple[float, ...]
    actions: Quartiles
    seconds: Quartiles
    ends: dict[str, int]


def is_known(asked: Asked) -> bool:
    """Whether these were counted within the last minute: then the database is not asked."""
    return _key(asked) in cache


def statistics(asked: Asked) -> Statistics:
    """The statistics of these matches; those counted within the last minute are not counted again."""
    numbers: Statistics | None = cache.get(_key(asked))
    if numbers is None:
        numbers = count(asked)
        cache.set(_key(asked), numbers, KEPT_SECONDS)
    return numbers


def _key(asked: Asked) -> str:
    parts = (asked.game, asked.mode, asked.faction, asked.since, asked.until, asked.is_any)
    return "statistics/" + "/".join(map(str, parts))


def count(asked: Asked) -> Statistics:
    game = system(asked.game)
    wanted = asked.matches(game)
    over = wanted.exclude(finished_at=None)
    entered = asked.entered(game)
    begun = set(wanted.filter(finished_at=None).values_list("code", flat=True)) if entered else set()
    lengths = _lengths(over)
    matches = wanted.count() + sum(game_played.match not in begun for game_played in entered)
    finished = over.count() + len(entered)
    armies = Army.objects.filter(match__in=over.values("pk")).order_by().count()
    armies += sum(len(game_played.sides) for game_played in entered)
    return Statistics(
        game=asked.game,
        matches=matches,
        finished=finished,
        factions=_factions(game, over, entered),
        pairings=_pairings(game, over, entered),
        modes=_modes(
            wanted,
            lengths,
            Counter(game_played.mode for game_played in entered if game_played.match not in begun),
        ),
        rounds=_rounds(over),
        first=_first(over),
        sides=armies / finished if finished else 0.0,
        minutes=quartiles([game_played.minutes for game_played in lengths]),
        lengths=tuple(sorted(game_played.minutes for game_played in lengths)),
        actions=quartiles([game_played.actions for game_played in lengths]),
        seconds=quartiles(
            [game_played.minutes * 60 / game_played.in_play for game_played in lengths if game_played.in_play]
        ),
        ends=_ends(over, entered),
    )


def overview() -> tuple[tuple[str, int, int], ...]:
    """Every game, with the number of its counted matches, and how many of these are over."""
    by_game = counted().order_by().values_list("system")
    rows = by_game.annotate(matches=Count("pk"), over=Count("finished_at"))
    counts = {slug: (matches, over) for slug, matches, over in rows}
    entered = decided_by_hand().values_list("event__system").annotate(games=Count("pk"))
    for slug, games, begun in entered.annotate(begun=Count("pk", filter=Q(match__in=counted()))):
        matches, over = counts.get(slug, (0, 0))
        counts[slug] = matches + games - begun, over + games
    return tuple((game.slug, *counts.get(game.slug, (0, 0))) for game in systems())


def _text(column: str, name: str) -> NullIf:
    """The text under a name in a JSON column; NULL for null, which SQLite spells out."""
    return NullIf(KeyTextTransform(name, column), Value("null", TextField()))


# --- who wins -------------------------------------------------------------------------------------


def _sides(over: QuerySet[Match]) -> QuerySet[Army]:
    """The sides of matches that are over, with the seat that won (`won`)."""
    return (
        Army.objects.filter(match__in=over.values("pk"))
        .order_by()
        .annotate(won=_text("match__result", "winner"))
    )


def _column(game: System) -> str:
    return "faction" if game.factions else "key"


def _factions(game: System, over: QuerySet[Match], entered: Iterable[EnteredGame]) -> dict[str, Tally]:
    factions = factions_of(game)
    tallies: dict[str, Tally] = defaultdict(Tally)
    rows = _sides(over).values_list(_column(game))
    rows = rows.annotate(
        matches=Count("pk"),
        wins=Count("pk", filter=Q(won=F("key"))),
        draws=Count("pk", filter=Q(won=None)),
    )
    for faction, matches, won, drawn in rows:
        tallies[faction if faction in factions else OTHERS] += Tally(matches, won, drawn)
    for entry in entered:
        is_draw = entry.winner is None and entry.how != ALL_LOST
        for at, side in enumerate(entry.sides):
            tallies[side if side in factions else OTHERS] += Tally(1, int(at == entry.winner), int(is_draw))
    return dict(sorted(tallies.items(), key=lambda entry: (-entry[1].matches, entry[0])))


def _pairings(game: System, over: QuerySet[Match], entered: Iterable[EnteredGame]) -> tuple[Pairing, ...]:
    """Every two factions that have met, in the order of their keys; those who met most first."""
    factions, column = factions_of(game), _column(game)
    # Seats are compared by primary key, so that each match counts once, even for a faction against itself.
    met = _sides(over).filter(match__armies__pk__gt=F("pk"))
    rows = met.values_list(column, f"match__armies__{column}")
    rows = rows.annotate(
        matches=Count("pk"),
        wins=Count("pk", filter=Q(won=F("key"))),
        losses=Count("pk", filter=Q(won=F("match__armies__key"))),
    )
    by_hand = (
        (first, second, 1, int(game_played.winner == at), int(game_played.winner == against))
        for game_played in entered
        for (at, first), (against, second) in combinations(enumerate(game_played.sides), 2)
    )
    meetings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for faction, other, matches, won, lost in chain(rows, by_hand):
        pair = [
            (faction if faction in factions else OTHERS, won),
            (other if other in factions else OTHERS, lost),
        ]
        (first, mine), (second, theirs) = sorted(pair, key=lambda each: each[0])
        meetings[first, second].update(matches=matches, wins=mine, losses=theirs)
    most_first = sorted(meetings.items(), key=lambda each: (-each[1]["matches"], each[0]))
    return tuple(
        Pairing(*pair, counts["matches"], counts["wins"], counts["losses"]) for pair, counts in most_first
    )


def _first(over: QuerySet[Match]) -> Tally:
    """How often the first player of the first round won."""
    led = Round.objects.filter(match__in=over.values("pk"), number=1).exclude(first=None).order_by()
    led = led.annotate(won=_text("match__result", "winner"))
    counts = led.aggregate(
        matches=Count("pk"),
        wins=Count("pk", filter=Q(won=F("first__key"))),
        draws=Count("pk", filter=Q(won=None)),
    )
    return Tally(**counts)


def _ends(over: QuerySet[Match], entered: Iterable[EnteredGame]) -> dict[str, int]:
    ends = Counter(ENTERED_ENDS.get(entry.how, entry.how) for entry in entered)
    for how, matches in (
        over.annotate(how=_text("result", "how")).values_list("how").annotate(matches=Count("pk"))
    ):
        ends[kind_of_end(how or "")] += matches
    return dict(sorted(ends.items(), key=lambda entry: -entry[1]))


# --- points by round ------------------------------------------------------------------------------


def _rounds(over: QuerySet[Match]) -> tuple[RoundLine, ...]:
    decided = over.exclude(result__winner=None)
    reached: Counter[int] = Counter()
    sides: Counter[int] = Counter()
    rows = decided.values_list("round").annotate(matches=Count("pk", distinct=True), sides=Count("armies"))
    for last, matches, armies in rows:
        for number in range(last + 1):
            reached[number] += matches
            sides[number] += armies
    scores = Score.objects.filter(match__in=decided.values("pk")).order_by()
    points = scores.annotate(won=_text("match__result", "winner")).values_list("round")
    given = points.annotate(given=Sum("points"), winners=Sum("points", filter=Q(won=F("army__key"))))
    sums = {number: (every, winners or 0) for number, every, winners in given}
    first = 0 if 0 in sums else 1
    return tuple(
        _round_line(number, reached[number], sides[number], *sums.get(number, (0, 0)))
        for number in range(first, max(reached, default=-1) + 1)
    )


def _round_line(number: int, matches: int, sides: int, points: int, winners: int) -> RoundLine:
    if matches < FEWEST:
        return RoundLine(number, matches, None, None, None)
    others = (points - winners) / (sides - matches) if sides > matches else None
    return RoundLine(number, matches, points / sides, winners / matches, others)


# --- length and tempo -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Length:
    mode: str
    minutes: float
    actions: int
    in_play: int


def _lengths(over: QuerySet[Match]) -> list[_Length]:
    """For each match that is over, how long it took from its first round on, and how many entries it has.

    `in_play` are those since then: the time from one to the next is that of play.
    """
    begun = Round.objects.filter(match__in=over.values("pk"), number=1).order_by()
    played = Entry.objects.filter(match=OuterRef("match"), round__gt=0).order_by("version")
    rows = begun.annotate(entry=Subquery(played.values("version")[:1])).values_list(
        "match__mode", "begun_at", "match__finished_at", "match__version", "entry"
    )
    return [
        _Length(mode, _minutes(begun_at, ended), version, version - _set_up(first))
        for mode, begun_at, ended, version, first in rows
        if ended is not None
    ]


def _minutes(begun: datetime, ended: datetime) -> float:
    return max(0.0, (ended - begun).total_seconds() / 60)


def _set_up(first: int | None) -> int:
    """How many entries a match has before the first of its first round; 0 if none was made in one."""
    return first - 1 if first else 0


def _modes(
    wanted: QuerySet[Match], lengths: Iterable[_Length], entered: Mapping[str, int]
) -> tuple[ModeLine, ...]:
    minutes: dict[str, list[float]] = defaultdict(list)
    for length in lengths:
        minutes[length.mode].append(length.minutes)
    rows = wanted.values_list("mode").annotate(
        matches=Count("pk"), average=Avg("round", filter=~Q(finished_at=None))
    )
    counts = {mode: (matches, average) for mode, matches, average in rows}
    for mode, games in entered.items():
        matches, average = counts.get(mode, (0, None))
        counts[mode] = matches + games, average
    lines = [
        ModeLine(mode, matches, quartiles(minutes[mode]), average if len(minutes[mode]) >= FEWEST else None)
        for mode, (matches, average) in counts.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.matches, line.mode)))


def quartiles(numbers: Sequence[float]) -> Quartiles:
    """The quartiles of some numbers, interpolated between neighbours; none if they are too few."""
    if len(numbers) < FEWEST:
        return Quartiles(len(numbers))
    return Quartiles(len(numbers), *quantiles(numbers, method="inclusive"))


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Wilson's interval of a share, at 95 per cent."""
    z = 1.96
    share, spread = wins / matches, z * z / matches
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / matches + spread / (4 * matches)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def rounded(value: Any) -> Any:
    """A number as files and tables write it: with one decimal."""
    return round(value, 1) + 0.0 if isinstance(value, float) else value


FORMAT, FORMAT_VERSION = "roundtable-statistics", 1
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Plain:
    """A table: the names of its columns, and what makes its rows. An empty cell: too few matches to say."""

    columns: tuple[str, ...]
    rows: Callable[[Statistics], Iterable[Row]]


def _tally(tally: Tally) -> Row:
    low, high = tally.span or (None, None)
    shares = (_share(value) for value in (tally.rate, low, high))
    return (tally.matches, tally.wins, tally.draws, tally.losses, *shares)


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _quartiles(of: str) -> tuple[str, ...]:
    return tuple(f"{of}_{part}" for part in ("lower_quartile", "median", "upper_quartile"))


def _numbers(quartiles: Quartiles) -> Row:
    return rounded(quartiles.lower), rounded(quartiles.median), rounded(quartiles.upper)


TALLY = ("matches", "wins", "draws", "losses", "win_share", "win_share_low", "win_share_high")
TABLES = {
    "factions": Plain(
        ("faction", *TALLY), lambda s: ((key, *_tally(tally)) for key, tally in s.factions.items())
    ),
    "pairings": Plain(
        ("faction", "against", "matches", "wins", "losses"),
        lambda s: ((one.one, one.other, one.matches, one.wins, one.losses) for one in s.pairings),
    ),
    "modes": Plain(
        ("mode", "matches", *_quartiles("minutes"), "rounds_average"),
        lambda s: ((one.mode, one.matches, *_numbers(one.minutes), rounded(one.rounds)) for one in s.modes),
    ),
    "rounds": Plain(
        ("round", "matches", "points_average", "winners_average", "others_average"),
        lambda s: (
            (one.number, one.matches, rounded(one.everybody), rounded(one.winners), rounded(one.others))
            for one in s.rounds
        ),
    ),
    "first": Plain(TALLY, lambda s: (_tally(s.first),)),
    "tempo": Plain(
        ("matches", *_quartiles("minutes"), *_quartiles("entries"), *_quartiles("seconds_between")),
        lambda s: ((s.minutes.count, *_numbers(s.minutes), *_numbers(s.actions), *_numbers(s.seconds)),),
    ),
    "ends": Plain(("end", "matches"), lambda s: s.ends.items()),
}
"""Every table by its name."""


def as_json(asked: Asked, numbers: Statistics) -> dict[str, Any]:
    """All tables, what was asked for, and how many matches that is."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": asked.game,
        "mode": asked.mode or None,
        "faction": asked.faction or None,
        "since": asked.since.isoformat() if asked.since else None,
        "until": asked.until.isoformat() if asked.until else None,
        "finished_only": not asked.is_any,
        "matches": numbers.matches,
        "finished": numbers.finished,
        "fewest_for_a_share": FEWEST,
        "tables": {
            name: [dict(zip(table.columns, row, strict=True)) for row in table.rows(numbers)]
            for name, table in TABLES.items()
        },
    }
