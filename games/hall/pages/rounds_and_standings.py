"""Rounds and standings as pages show them: the clock, who plays whom, the ranking and its criteria."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from itertools import zip_longest
from unicodedata import combining, east_asian_width, normalize

from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language
from msgspec.structs import replace

from games import catalogue, translation, view_models
from games.core import ViewModel, isolated, remembered, system
from games.core import gettext_noop as noop
from games.hall.models import Event
from games.hall.rules import event_results, knockout, round_draw, standings
from games.hall.rules.event_state import (
    AGREED,
    BID,
    CLOSED,
    CONTESTED,
    CUT,
    DRAFTED,
    ENTERED,
    LEFT,
    LOSS,
    NO_GAME,
    OPEN,
    OVER,
    PLANNED,
    REPORTED,
    SCALES,
    Announcement,
    EventState,
    Pairing,
    Player,
    Round,
    Team,
)
from games.hall.rules.team_rounds import as_paired, of_teams
from games.pages.common import instant, share
from games.translation import gettext as _
from games.translation import ngettext
from games.view_models import Button, Instant, Link
from games.web import clock

LONG, LONG_AT_PLACE = 14.0, 8.2
"""Names that are wider than these have two lines on a full sheet of a television."""
SMALLER = 1.05
"""How much more fits on a line of a name that has several, as its letters are smaller."""
NARROW, WIDE = frozenset("iljftrI.,:;'’!|()- "), frozenset("mwMWÆŒ@")


@lru_cache(maxsize=4096)
def breadth(name: str) -> float:
    """How wide a name is, in widths of a Chinese character, in the widest letters that a television has."""
    return sum(map(_breadth, normalize("NFC", name)))


def _breadth(letter: str) -> float:
    if combining(letter):
        return 0
    if east_asian_width(letter) in "WF" or letter in WIDE:
        return 1
    return 0.37 if letter in NARROW else 0.72 if letter.isupper() else 0.62


def lines_of(name: str, most: float) -> int:
    """How many lines a name needs on a television where one line is so wide: words and hyphens part it."""
    if breadth(name) <= most:
        return 1
    lines, used, wide = 1, 0.0, most * SMALLER
    for word in re.findall(r"[^\s-]+-?|-", name):
        if used and used + breadth(word) > wide:
            lines, used = lines + 1, 0.0
        used += breadth(word) + _breadth(" ")
    return min(3, max(2, lines + int(used / wide)))


@lru_cache(maxsize=4096)
def address(name: str, *about: str) -> str:
    """The address of a page, as pages of a large hall have hundreds."""
    return reverse(name, args=about)


class HallClock(ViewModel):
    """The clock of a round: time is up at `ends`, in seconds since 1970; 0 for a stopped clock.

    `text` is what a stopped clock shows, or a running one showed when it was drawn. `overtime` is in seconds.
    """

    label: str
    text: str
    ends: int = 0
    overtime: int = 0
    note: str = ""


class Paired(ViewModel):
    """A player of a pairing; `points` is "" while nothing is known. `key` is their number at the event.

    `seat` is the house they play at a table of more than two, once that is drawn, with its `mark`.
    """

    key: str
    name: str
    club: str = ""
    points: str = ""
    wins: bool = False
    seat: str = ""
    mark: int = 0

    @property
    def small_print(self) -> str:
        """The small print beside the name."""
        return " · ".join(filter(None, (self.seat, self.club)))

    @property
    def is_long(self) -> bool:
        """Whether the name has two lines on a television."""
        return breadth(self.name) > LONG


class PairingRow(ViewModel):
    """One table of a round; `table` is 0 for a bye. `state` is the pairing's, `label` says it in words.

    `about` is what is played at this table alone: the third place.
    """

    key: str
    table: int
    players: tuple[Paired, ...]
    state: str
    label: str
    url: str = ""
    about: str = ""

    @property
    def lines(self) -> int:
        """How many lines its players' names have on a television."""
        return sum(1 + player.is_long for player in self.players)


class StandingRow(ViewModel):
    """One line of the standings, with the column headings and their values.

    `why` says what puts the player above the next one, unless it is the first criterion. `notes` are
    byes, and penalty points with their reasons.
    """

    rank: int | str
    key: str
    name: str
    club: str
    faction: str
    record: str
    values: tuple[tuple[str, str], ...]
    left: str = ""
    why: str = ""
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines its name has on a television."""
        return lines_of(self.name, LONG_AT_PLACE)


class Standings(ViewModel):
    """The ranking: `title` says after which round, `more_url` leads to all of it if only a part is shown."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[StandingRow, ...]
    more_url: str = ""
    of_teams: bool = False


class Announced(ViewModel):
    """What the organisers announced, who announced it and when; for them, the button that takes it down."""

    text: str
    author: str
    at: Instant
    button: Button | None = None


# --- rounds ------------------------------------------------------------------------------------------


STATES = {
    OPEN: noop("no result"),
    REPORTED: noop("reported"),
    CONTESTED: noop("disputed"),
    AGREED: noop("agreed"),
    ENTERED: noop("entered"),
}
"""A pairing's state in one word, short enough to fit beside its players on a phone."""


def shown(g: EventState) -> Round | None:
    """The newest round that players may see: not a drafted one, which can still change."""
    return max(
        (event_round for event_round in g.rounds.values() if event_round.state != DRAFTED),
        key=lambda event_round: event_round.number,
        default=None,
    )


def name_of(g: EventState, this_round: Round) -> str:
    """A round in words: "Round 2 of 5", "Final"."""
    if this_round.stage == CUT:
        return of_knockout(knockout.rounds_left(as_paired(g), this_round.number))
    if g.is_ladder:
        return _("Challenge %(number)s") % {"number": this_round.number}
    most = round_draw.rounds_in_all(as_paired(g))
    if most:
        return _("Round %(number)s of %(count)s") % {"number": this_round.number, "count": most}
    return _("Round %(number)s") % {"number": this_round.number}


def of_knockout(left: int) -> str:
    """A round of a knock-out by how many are left, including it."""
    names = {1: _("Final"), 2: _("Semi-finals"), 3: _("Quarter-finals")}
    return names.get(left) or _("Last %(count)s") % {"count": 2**left}


def mode_of(g: EventState, this_round: Round | None) -> str:
    """What a round plays in the words of its game: the mode, and what is set for its tables."""
    game = system(g.system)
    parts = [_(game.mode(this_round.mode if this_round else g.mode).title)]
    if this_round and this_round.options:
        choices = game.round_choices(catalogue.current(g.system))
        for name, choice in choices.items():
            if value := this_round.options.get(name):
                parts.append(f"{_(choice.title)}: {_(choice.values.get(value, value))}")
    return " · ".join(parts)


def labels(g: EventState) -> dict[str, str]:
    """What forms call each number of a result."""
    return {
        "vp": _("Points") if g.size > 2 else _("Victory points"),
        "destroyed": _("Points destroyed"),
        "scenario": _("Scenario points"),
        "vim": _("VIM of the opponent removed in turn"),
        "place": _("Place"),
        "points": _("Tournament points"),
    }


def numbers_in_words(g: EventState, scores: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """What a result says beyond its points, one kind of number at a time: "Points destroyed: Ada 12"."""
    for name in event_results.asked(g):
        numbers = [
            f"{isolated(g.called(key))} {scores[key][name]}"
            for key in event_results.in_order(g, scores)
            if name in scores[key]
        ]
        if numbers and name != "vp":
            yield _("%(field)s: %(problem)s") % {"field": labels(g)[name], "problem": _(", ").join(numbers)}


def clock_of(g: EventState, this_round: Round | None, extra: int = 0) -> HallClock | None:
    """The hall clock of an open round; None if there is none."""
    if this_round is None or this_round.state != OPEN or g.is_league or not this_round.minutes:
        return None
    now = int(clock.seconds())
    left, more = this_round.left(now, extra), (this_round.extended + extra) // 60
    note = ngettext("%(count)d minute added", "%(count)d minutes added", more) % {"count": more}
    if this_round.running_since is not None:
        label, ends = _("Time left"), now + left
    else:
        label, ends = (_("The clock is paused") if this_round.run else _("The clock has not started")), 0
    return HallClock(label, span(left), ends, 60 * this_round.overtime, note if more > 0 else "")


def span(seconds: int) -> str:
    """Minutes and seconds, as the clock counts them."""
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02}"


def until(g: EventState, this_round: Round) -> str:
    """The last day of a league's round; "" for a round in a hall."""
    if this_round.until is None:
        return ""
    day = clock.at_home(datetime.fromtimestamp(this_round.until, UTC), g.zone)
    return _("To be played until %(day)s") % {"day": date_format(day, "DATE_FORMAT")}


def date(g: EventState, seconds: int) -> str:
    """A day and a time of day, in the zone of the event."""
    return date_format(clock.at_home(datetime.fromtimestamp(seconds, UTC), g.zone), "DATETIME_FORMAT")


def rows(g: EventState, number: int) -> tuple[PairingRow, ...]:
    """The pairings of a round."""
    return _rows(g, number, *_words())


@remembered
def _rows(g: EventState, number: int, *_words: object) -> tuple[PairingRow, ...]:
    return tuple(row(g, pairing) for pairing in g.at(number))


def _words() -> tuple[object, ...]:
    """The active language and the game whose words it has: what is drawn in them is kept with a position."""
    return get_language(), translation.active()


def rows_now(g: EventState, this_round: Round | None) -> tuple[PairingRow, ...]:
    """The pairings of the round that is shown; of a ladder all open challenges."""
    if this_round is not None and not g.is_ladder:
        return rows(g, this_round.number)
    waiting = sorted(
        (pairing for pairing in g.pairings.values() if not pairing.is_decided),
        key=lambda pairing: pairing.round,
    )
    return tuple(row(g, pairing) for pairing in waiting)


def row(g: EventState, pairing: Pairing) -> PairingRow:
    return PairingRow(
        key=pairing.key,
        table=pairing.table or 0,
        players=tuple(_paired(g, pairing)),
        state="bye" if pairing.is_bye else pairing.state,
        label=label_of(pairing),
        url=address("watch", pairing.match) if pairing.match else "",
        about=third(g, pairing),
    )


def third(g: EventState, pairing: Pairing) -> str:
    """That a table plays for third place, which its round is not called."""
    is_third = g.in_cut(pairing.round) and knockout.is_for_third(g, pairing)
    return _("Third place") if is_third else ""


def label_of(pairing: Pairing) -> str:
    """A pairing's state in words."""
    if pairing.is_bye:
        return {LOSS: _("Loss"), NO_GAME: _("No game")}.get(pairing.how, _("Bye"))
    if pairing.how == LEFT:
        return _("The opponent is not there")
    return _(STATES[pairing.state])


def seat_of(g: EventState, pairing: Pairing, key: str) -> str:
    """A player's seat at a table of more than two, drawn as the round opens; "" before, and at one of two."""
    at = pairing.players.index(key)
    return pairing.seats[at] if g.size > 2 and at < len(pairing.seats) else ""


def seat_name(g: EventState, seat: str) -> str:
    """A seat of the event's game in words, such as a house."""
    return _(system(g.system).seat_names.get(seat, seat)) if seat else ""


def with_house(g: EventState, pairing: Pairing, key: str) -> str:
    """A player, with the house that they play at a table of several."""
    house = seat_name(g, seat_of(g, pairing, key))
    return f"{g.called(key)} ({house})" if house else g.called(key)


def mark_of(g: EventState, seat: str) -> int:
    """The mark of a seat of the event's game; 0 for none."""
    return view_models.mark_of(system(g.system).seat_names, seat)


def _paired(g: EventState, pairing: Pairing) -> Iterator[Paired]:
    for key in pairing.players:
        player, numbers = g.players.get(key), pairing.results.get(key, {})
        seat = seat_of(g, pairing, key)
        yield Paired(
            key,
            player.name if player else key,
            player.club if player else "",
            points=number("vp", numbers["vp"]) if "vp" in numbers else "",
            wins=bool(pairing.winner) and pairing.winner == key and not pairing.is_bye,
            seat=seat_name(g, seat),
            mark=mark_of(g, seat),
        )


# --- how far the event has got -----------------------------------------------------------------------


ANNOUNCED = 3
"""How many announcements are shown."""


def heading(g: EventState) -> str:
    """How far the event has got."""
    this_round = shown(g)
    if g.status == OVER:
        return _("The event is over")
    if g.last is not None and g.last.state == DRAFTED:
        return _("Round %(number)s is being prepared") % {"number": g.last.number}
    if g.is_ladder:
        waiting = len(rows_now(g, this_round))
        line = ngettext("%(count)d open challenge", "%(count)d open challenges", waiting)
        return line % {"count": waiting} if waiting else _("No open challenges")
    if this_round is None:
        return _("The event has not begun yet")
    name = name_of(g, this_round)
    return _("%(round)s: finished") % {"round": name} if this_round.state == CLOSED else name


def pairings_title(g: EventState, this_round: Round) -> str:
    """The heading of a round's pairings: its name, unless the whole page already has that as its heading."""
    name = name_of(g, this_round)
    if g.is_ladder:
        return _("Challenges")
    return _("Pairings") if name == heading(g) else name


def about(g: EventState) -> tuple[str, ...]:
    """The event in a few words."""
    game, most = system(g.system), round_draw.rounds_in_all(as_paired(g))
    facts = [_(game.title)]
    if most:
        facts.append(ngettext("%(count)d round", "%(count)d rounds", most) % {"count": most})
    if g.team_size:
        facts.append(_("teams of %(count)s") % {"count": g.team_size})
    if points := g.options.get("points"):
        facts.append(_(game.size_words[1]) % {"points": points})
    if g.is_ladder:
        facts.append(_("Ladder"))
        line = ngettext("%(count)d day a challenge", "%(count)d days a challenge", g.days)
        facts.append(line % {"count": g.days})
    elif g.is_league:
        facts.append(ngettext("%(count)d day a round", "%(count)d days a round", g.days) % {"count": g.days})
    elif g.minutes:
        lasting = {"minutes": g.minutes, "overtime": g.overtime}
        timed = (
            _("%(minutes)s minutes and %(overtime)s of overtime") if g.overtime else _("%(minutes)s minutes")
        )
        facts.append(timed % lasting)
    return tuple(facts)


def announcements(g: EventState) -> tuple[Announced, ...]:
    """The newest announcements, newest first."""
    return tuple(announced(g, announcement) for announcement in g.announced()[:ANNOUNCED])


def latest(g: EventState) -> Announced | None:
    """The newest announcement; None once it is taken down."""
    announcement = g.news()
    return announced(g, announcement) if announcement is not None else None


def announced(g: EventState, announcement: Announcement) -> Announced:
    """What the organisers announced."""
    return Announced(announcement.text, announcement.author, moment(g, announcement.said_at))


def moment(g: EventState, seconds: int) -> Instant:
    """A moment of an event, with the hall's time of day as its text."""
    return instant(datetime.fromtimestamp(seconds, UTC), zone=g.zone)


def players_title(g: EventState) -> str:
    """How many players have registered, in words."""
    return ngettext("%(count)d player", "%(count)d players", len(g.players)) % {"count": len(g.players)}


def registered(g: EventState) -> list[Paired]:
    """Everybody who has registered and not left, and whether they are here."""
    ordered = sorted(g.players.values(), key=lambda player: player.order)
    here = {True: _("checked in"), False: ""}
    return [
        Paired(player.key, player.name, player.club, here[player.checked_in and g.status == PLANNED])
        for player in ordered
        if player.dropped is None
    ]


# --- what is said where an address is posted ---------------------------------------------------------


def share_of_event(
    request: HttpRequest, event: Event, g: EventState, name: str, title: str = "", *more: int
) -> view_models.Share:
    """The page with this name: the event, how far it has got, what is played; `title` is the page's own."""
    path = reverse(name, args=[event.code, *more])
    facts = (heading(g), *about(g))
    return share(request, path, " · ".join(filter(None, (title, isolated(g.name)))), " · ".join(facts))


# --- the ranking -------------------------------------------------------------------------------------


NO_COLUMN = ("head", "lot")
"""Criteria that are not sums: they separate players who are otherwise level."""

MEANINGS = {
    "points": noop("From each game: %(scoring)s."),
    "wins": noop("A draw counts as half a win."),
    "vp": noop("The sum over all games."),
    "difference": noop("Victory points scored minus victory points conceded, over all games."),
    "destroyed": noop("Points of enemy units destroyed, over all games."),
    "strength": noop("The sum of the tournament points of all opponents met; a bye adds nothing."),
    "strength-virtual": noop(
        "The same, and each round without a game counts as an opponent with as many points as the player."
    ),
    "strength-cut": noop("The same with virtual opponents, without the one who has the fewest points."),
    "sonneborn-berger": noop("The tournament points of the opponents beaten, and half of those drawn with."),
    "opponents-wins": noop(
        "How much of their rounds the opponents have won on average: a draw is half, and each counts at "
        "least a third."
    ),
    "scenario": noop("The sum over all games."),
    "vim": noop("The turn in which the opponent’s VIM was removed; earlier is better."),
    "head": noop("The games between the tied players, if each of them has met all the others."),
    "lot": noop("A random number given at registration; used as the last tiebreak."),
}
SHORT = {
    "points": noop("TP"),
    "wins": noop("Won"),
    "vp": noop("VP"),
    "difference": noop("+/−"),
    "destroyed": noop("Destroyed"),
    "strength": noop("SoS"),
    "strength-virtual": noop("SoS+"),
    "strength-cut": noop("SoS−1"),
    "sonneborn-berger": noop("SB"),
    "opponents-wins": noop("OMW"),
    "scenario": noop("Scenario"),
    "vim": noop("VIM"),
}
"""Column headings."""


def columns(g: EventState) -> tuple[str, ...]:
    """The criteria that have a column."""
    return tuple(name for name in standings.criteria(g) if name not in NO_COLUMN)


def ranking(
    g: EventState, most: int = 0, more_url: str = "", *, explains: bool = False, division: str | None = None
) -> Standings | None:
    """The standings, at most `most` lines (0: all); None before any game has a result.

    If it `explains`, each line says what a tie-break has decided. A `division` has places of its own.
    """
    if not _has_games(g):
        return None
    lines = standings.standings(g)
    if division is not None:
        among = {key for key, player in g.players.items() if g.division_of(player) == division}
        lines = standings.among(g, lines, among)
    is_cut = 0 < most < len(lines)
    heads = {name: head(g, name) for name in columns(g)}
    return Standings(
        title_of(g),
        tuple(heads.values()),
        tuple(
            _row(g, line, heads, _why(g, line, following) if explains else "")
            for line, following in zip_longest(lines[: most if is_cut else None], lines[1:])
            if line is not None
        ),
        more_url if is_cut else "",
        g.is_of_teams,
    )


OF_TEAMS = {"points": noop("Match points"), "vp": noop("Table points"), "wins": noop("Matches won")}
"""Criteria that mean something else for teams."""


def head(g: EventState, name: str) -> str:
    """The heading of a criterion's column."""
    return _(OF_TEAMS[name] if g.is_of_teams and name in OF_TEAMS else SHORT[name])


Sections = tuple[tuple[EventState, Standings], ...]


def sections(g: EventState, most: int = 0, more_url: str = "", *, explains: bool = False) -> Sections:
    """All standings of an event: of teams and players, and of each division where there are any."""
    return _sections(g, most, more_url, explains, *_words())


@remembered
def _sections(g: EventState, most: int, more_url: str, explains: bool, *_words: object) -> Sections:
    views = [(_("Teams"), of_teams(g)), (_("Players"), g)] if g.team_size else [("", g)]
    made = []
    for label, view in views:
        entered = {view.division_of(player) for player in view.players.values()}
        divisions = (
            [division for division in (*g.divisions, "") if division in entered] if g.divisions else [None]
        )
        for division in divisions:
            ranked = ranking(view, most, more_url, explains=explains, division=division)
            if ranked is not None:
                title = " · ".join(filter(None, (label, division, ranked.title)))
                made.append((view, replace(ranked, title=title)))
    return tuple(made)


def _has_games(g: EventState) -> bool:
    """Whether there is anything to rank: a ladder has an order from the beginning."""
    return (g.is_ladder and bool(g.players)) or any(
        pairing.is_decided and not pairing.is_bye for pairing in g.pairings.values()
    )


def title_of(g: EventState) -> str:
    """The heading that says which standings these are."""
    if g.status == "over":
        return _("Final standings")
    closed = [event_round.number for event_round in g.rounds.values() if event_round.state == "closed"]
    if closed and (this_round := shown(g)) is not None and this_round.state == "closed":
        return _("Standings after round %(number)s") % {"number": max(closed)}
    return _("Current standings")


def _why(g: EventState, line: standings.Standing, following: standings.Standing | None) -> str:
    """What puts a player above the next one, where it is a tie-break."""
    name = line.decided
    if following is None or name in ("", standings.criteria(g)[0]):
        return ""
    above = {"name": isolated(g.called(following.player)), "criterion": _(standings.CRITERIA[name])}
    if name in NO_COLUMN:
        return _("Above %(name)s by: %(criterion)s") % above
    own, other = (number(name, standing.values[name]) for standing in (line, following))
    line_of_values = _("Above %(name)s by: %(criterion)s, %(own)s to %(other)s")
    return line_of_values % {**above, "own": own, "other": other}


def _row(g: EventState, line: standings.Standing, heads: Mapping[str, str], why: str) -> StandingRow:
    player = g.players[line.player]
    return StandingRow(
        rank=line.rank,
        key=line.player,
        name=player.name,
        club=player.club,
        faction=player.faction,
        record=f"{line.won}–{line.drawn}–{line.lost}",
        values=tuple([(head, number(name, line.values[name])) for name, head in heads.items()]),
        left=_("dropped out") if line.left else "",
        why=why,
        notes=(*_byes(line.byes), *penalties_of(player)),
    )


MOST_PARTS = 12
"""Tournament points in so many parts of a point are shown as fractions, others as decimals."""


def _byes(count: int) -> Iterator[str]:
    """How often somebody got points without a game, which the games won do not say."""
    if count:
        yield ngettext("%(count)d bye", "%(count)d byes", count) % {"count": count}


def penalties_of(competitor: Player | Team) -> Iterator[str]:
    """The penalty points of a player or a team, with their reasons."""
    for _round, points, reason in competitor.penalties:
        yield _("Penalty: %(points)s · %(reason)s") % {"points": points, "reason": reason}


def number(name: str, value: standings.Exact) -> str:
    """A criterion's value: halves as ½, no removal as a dash, and a minus as wide as a plus."""
    if name == "opponents-wins":
        return f"{number_format(round(float(100 * value), 1), 1)}%"
    if name == "vim":
        return "–" if -value >= standings.NEVER else f"{-value:g}"
    sign, parts = "\N{MINUS SIGN}" if value.numerator < 0 else "", value.denominator
    whole, rest = divmod(abs(value.numerator), parts)
    if rest == 0:
        return f"{sign}{whole}"
    if parts == 2:
        return f"{sign}{whole or ''}½"
    if name == "points" and parts <= MOST_PARTS:
        return f"{sign}{whole or ''} {rest}\N{FRACTION SLASH}{parts}"
    return sign + number_format(round(whole + rest / parts, 2), 2)


def meanings(g: EventState, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Ranking criteria, each with its meaning."""
    values = {"scoring": _(standings.ways(g.system)[g.scoring].summary)}
    return tuple((_(standings.CRITERIA[name]), _(MEANINGS[name]) % values) for name in names)


def notes(g: EventState) -> tuple[str, ...]:
    """What else readers of the standings must know: what a bye is worth, and what the knock-out decides."""
    bye = standings.bye_of(g)
    named = {name: _(standings.CRITERIA[name]) for name in columns(g) if name in bye}
    worth = [f"{named[name]} {number(name, value)}" for name in named if (value := bye[name]) is not None]
    averaged = [named[name] for name in named if bye[name] is None]
    sentences = list(_about_teams(g))
    sentences += [_("A bye is worth: %(values)s.") % {"values": _(", ").join(worth)}] if worth else []
    if averaged:
        line = _("A bye is worth what its round gave on average: %(names)s.")
        sentences.append(line % {"names": _(", ").join(averaged)})
    sentences += _about_places(g)
    sentences += [
        _("Penalty points are taken from: %(criterion)s.")
        % {"criterion": head(view, standings.penalised(view))}
        for view in ((as_paired(g), g) if g.team_size else (g,))
        if any(player.penalties for player in view.players.values())
    ]
    if gone := sorted(g.called(key) for key in standings.annulled(g)):
        line = _("These left before half, and their games do not count: %(names)s.")
        sentences.append(line % {"names": _(", ").join(map(isolated, gone))})
    if any(event_round.stage == CUT for event_round in g.rounds.values()):
        sentences.append(_("Knockout players are placed by the knockout."))
    return tuple(sentences)


def _about_places(g: EventState) -> Iterator[str]:
    """What each place gives at tables of several, and what a bid for a house costs."""
    if g.scoring == "places" and g.size > 2:
        scale = {
            size: _(", ").join(number("points", points) for points in standings.by_place(g, size))
            for size in sorted(
                {g.size, *(len(pairing.players) for pairing in g.pairings.values())} - {1}, reverse=True
            )
        }
        for size, points in scale.items():
            yield _("Points by place at a table of %(size)s: %(points)s.") % {"size": size, "points": points}
        line = _(
            "At a table of n players, place p counts as place 1 + (p − 1) × %(steps)s ÷ (n − 1): "
            "the first and the last get the same at every table."
        )
        yield line % {"steps": g.size - 1}
    if g.size > 2 and g.houses == BID:
        yield _("Each player pays their bid for a house in tournament points.")


def _about_teams(g: EventState) -> Iterator[str]:
    """How the tables make the score of a team."""
    if g.team_size:
        yield _("Teams: %(scale)s.") % {"scale": _(SCALES[g.team_scale])}
        yield _("Teams are ranked by match points, table points, strength of schedule, head to head.")
        if g.team_margin:
            yield _("A lead of up to %(margin)s is a draw.") % {"margin": g.team_margin}
        if g.team_cap:
            yield _("A team gets at most %(most)s from a match; the rest goes to the other team.") % {
                "most": g.team_cap
            }


def places(g: EventState) -> dict[str, int]:
    """Ranks by player; empty before any game has a result."""
    if not _has_games(g):
        return {}
    return {line.player: line.rank for line in standings.standings(g)}


# --- pages -------------------------------------------------------------------------------------------


def tabs(event: Event, here: str) -> tuple[Link, ...]:
    """Tabs to the pages of an event that everybody may read."""
    named = (("event", _("Now"), "table"), ("event-standings", _("Standings"), "finish"))
    return tuple(
        Link(reverse(name, args=[event.code]), label, icon, current=name == here)
        for name, label, icon in named
    )
