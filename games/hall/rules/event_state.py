"""The pieces of an event: players, rounds, pairings, judges' calls, announcements; and the event itself.

Moments are whole seconds since 1970 and are passed in by the caller; nothing here reads a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from games.core import Piece, Position, name_key, remembered
from games.core import gettext_noop as _

LADDER = "ladder"
"""The kind of an event whose players challenge each other (`EventState.kind`)."""

SWISS, MONRAD, RANDOM, ROUND_ROBIN, KNOCKOUT, FREE = (
    "swiss",
    "monrad",
    "random",
    "round-robin",
    "knock-out",
    "free",
)
KINDS = {
    SWISS: _("Swiss: the upper half of a score group meets the lower half"),
    MONRAD: _("Monrad: first against second, third against fourth"),
    RANDOM: _("At random within a score group"),
    ROUND_ROBIN: _("Round robin"),
    KNOCKOUT: _("Knockout"),
    FREE: _("By hand"),
    LADDER: _("Ladder: players challenge those above them"),
}
"""How an event is paired."""
MOST_SEEDS = 999
"""The highest number of a seed of a knock-out."""

MAIN, CUT = "main", "cut"
"""The stages of a round (`Round.stage`): for everybody, and the knock-out."""

DRAFTED, OPEN, CLOSED = "drafted", "open", "closed"
"""How far a round has got (`Round.state`)."""

REPORTED, AGREED, CONTESTED, ENTERED = "reported", "agreed", "contested", "entered"
"""Whose word a pairing's result is (`Pairing.state`); `OPEN` while there is none."""

PLANNED, RUNNING, OVER = "planned", "running", "over"
"""How far an event has got (`EventState.status`)."""

BYE, LOSS, LEFT, NO_GAME = "bye", "loss", "left", "no-game"
"""How a pairing ends that nobody played: a bye, a loss for somebody absent, somebody left, or nothing."""

FINISHED, CONCEDED, TIME, ADJUDICATED = "finished", "conceded", "time", "adjudicated"
ALL_LOST = "all-lost"
"""How a game ended (`Pairing.how`); one that everybody lost has no winner and is no draw."""

PUT_UP, LOT, ORDER = "put-up", "lot", "order"
WAYS = {
    PUT_UP: _("Put-up by the captains"),
    LOT: _("At random"),
    ORDER: _("In the order of the teams: first against first"),
}
"""How the players of two teams are paired (`EventState.team_tables`)."""

BY_TABLES, BY_SUM, TOTAL = "tables", "sum", "total"
SCALES = {
    BY_TABLES: _("Tables won: more of them win the match (2 match points, a draw 1)"),
    BY_SUM: _("Sum of tournament points: the higher one wins the match (2 match points, a draw 1)"),
    TOTAL: _("Sum of tournament points: the sum itself counts"),
}
"""How tables make the score of a team, and what it is worth (`EventState.team_scale`)."""

DEFENDER, ATTACKERS, CHOICE = "defender", "attackers", "choice"
"""What the captains are asked in a step of the put-up (`TeamMatch.question`), in order."""
ABSENT = "-"
"""How the place of a missing player begins in a line-up."""

LAST_TABLE = 999
NO_TABLE = _("Tables have numbers from 1 to %(most)s.")
NO_DIVISION = _("This event has no such division.")

NEAR, TOP, FRESH, AS_DRAWN = "near", "top", "fresh", "as-drawn"
TABLES = {
    NEAR: _("The best first, fresh tables where near"),
    TOP: _("The best at the first tables"),
    FRESH: _("No one twice at the same table"),
    AS_DRAWN: _("As paired or entered"),
}
"""Who sits at which table."""

ROTATION, BID = "rotation", "bid"
HOUSES = {
    ROTATION: _("At random, each player’s a new one where that can be"),
    LOT: _("At random"),
    CHOICE: _("By choice: the lowest in the standings first"),
    BID: _("By bid: the highest bid chooses first, and each player pays theirs in tournament points"),
}
"""Who plays which house (seat) at a table of several."""


@dataclass
class Player(Piece):
    """Somebody who plays: `came` is the first round that they play, `dropped` the last one, if they left.

    `lists` are the fingerprints of the army lists they handed in, at most two; `lot` breaks any remaining
    tie, the lower before the higher. `table` is where they always sit, if they do; `seed` their place among
    the seeds of a knock-out, if they have one. In a team event `team` is the key of their team, and `club`
    its name. `penalties` are the round, the points and the reason of each. `agreed_at` and `withdrew_at` say
    when they last agreed that ratings name them, and withdrew it.
    """

    key: str
    order: int
    name: str
    club: str = ""
    faction: str = ""
    lists: tuple[str, ...] = ()
    checked_in: bool = False
    came: int = 1
    dropped: int | None = None
    lot: int = 0
    table: int | None = None
    seed: int | None = None
    team: str = ""
    division: str = ""
    penalties: tuple[tuple[Any, ...], ...] = ()
    agreed_at: int | None = None
    withdrew_at: int | None = None

    @property
    def agrees(self) -> bool:
        """Whether they agree, at this event, that ratings name them."""
        return self.agreed_at is not None and (self.withdrew_at or 0) < self.agreed_at

    def plays(self, number: int) -> bool:
        """Whether they are to be paired in this round."""
        return self.came <= number and (self.dropped is None or number <= self.dropped)


@dataclass
class Round(Piece):
    """One round and its clock: `running_since` (None: stopped), seconds `run` before that and `extended` by.

    `until` is the moment by which a league's games are to be played; a league has no hall clock.
    `options` are what its tables start with besides the event's (`System.round_choices`), by name.
    `rests_on` is the fingerprint of the results that it was drawn from ("": made by hand), `drawn_from` the
    number of its first random result.
    """

    key: str
    number: int
    mode: str
    options: dict[str, str] = field(default_factory=dict)
    stage: str = MAIN
    state: str = DRAFTED
    minutes: int = 0
    overtime: int = 0
    running_since: int | None = None
    run: int = 0
    extended: int = 0
    until: int | None = None
    rests_on: str = ""
    drawn_from: int = 0

    def left(self, now: int, extra: int = 0) -> int:
        """Seconds until time is up, including a table's `extra`; negative once overtime has begun."""
        return self.minutes * 60 + self.extended + extra - self.spent(now)

    def spent(self, now: int) -> int:
        """Seconds that its clock has run; no less than before it ran, if the server's clock was set back."""
        return self.run + (max(0, now - self.running_since) if self.running_since is not None else 0)


@dataclass
class Pairing(Piece):
    """Who plays whom: the keys of the players in the order of their `seats`, and the result.

    A seat is "" until its player has chosen one; `bids` are what each offers for the first choice, sealed as
    fingerprints until all have.

    `results` are by player {"vp", "destroyed", "scenario", "vim", "place", "points"}, as far as known: whole
    numbers, `points` only if a judge has ruled tournament points other than those that follow. `claims` are
    what each player reports, `chosen` the fingerprint of the list that each plays. A result that a judge has
    `ruled` is contested no more. `absent` is who, as their opponent reports, has not come. `dates` are the
    moments that players of a league propose for their game.
    """

    key: str
    round: int
    table: int | None = None
    players: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    match: str | None = None
    state: str = OPEN
    results: dict[str, dict[str, int]] = field(default_factory=dict)
    winner: str = ""
    how: str = ""
    claims: dict[str, dict[str, Any]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    extended: int = 0
    ruled: bool = False
    absent: str = ""
    team_match: str = ""
    dates: dict[str, int] = field(default_factory=dict)
    bids: dict[str, Any] = field(default_factory=dict)

    @property
    def agreed_for(self) -> int | None:
        """The moment for which everybody at the table has agreed to play; None without one."""
        moments = {self.dates.get(player) for player in self.players}
        return moments.pop() if len(moments) == 1 else None

    @property
    def is_bye(self) -> bool:
        """Whether its player has no rival."""
        return len(self.players) < 2

    @property
    def is_played(self) -> bool:
        """Whether two or more met here, so that they must not meet again."""
        return not self.is_bye and self.how != LEFT

    @property
    def is_decided(self) -> bool:
        """Whether it has a result that counts."""
        return self.state in (AGREED, ENTERED)

    def is_drawn_for(self, player: str) -> bool:
        """Whether a player neither won nor lost; who is behind two that share the first place has lost."""
        if self.winner or self.how in (ALL_LOST, LEFT):
            return False
        behind = self.results.get(player, {}).get("place", 1) > 1
        return not behind or sum(numbers.get("place") == 1 for numbers in self.results.values()) < 2

    def rivals(self, player: str) -> tuple[str, ...]:
        """Everybody else at the table."""
        return tuple(other for other in self.players if other != player)


@dataclass
class Team(Piece):
    """A team, whose `captain` is one of its players by key; `lot` breaks any remaining tie."""

    key: str
    order: int
    name: str
    captain: str = ""
    division: str = ""
    lot: int = 0
    penalties: tuple[tuple[Any, ...], ...] = ()


@dataclass
class TeamMatch(Piece):
    """Two teams that meet in a round, in their `order` in the hall; one team alone has a bye.

    `line_ups` are the players by team, as many as a team has, with an `absent` place for each who is missing;
    `pairs` are who plays whom, one of each team. Until all are paired, `defenders` and `attackers` are what
    both captains have revealed in this step of the put-up, by team, and `sealed` the fingerprints of what
    they have answered since. No value in these mappings is changed in place. `winner` is who advances after a
    draw in the knock-out.
    """

    key: str
    round: int
    order: int = 0
    teams: tuple[str, ...] = ()
    line_ups: dict[str, Any] = field(default_factory=dict)
    pairs: tuple[tuple[str, ...], ...] = ()
    defenders: dict[str, str] = field(default_factory=dict)
    attackers: dict[str, Any] = field(default_factory=dict)
    sealed: dict[str, Any] = field(default_factory=dict)
    winner: str = ""

    @property
    def is_bye(self) -> bool:
        """Whether its team has no opponent."""
        return len(self.teams) < 2

    def rival(self, team: str) -> str:
        """The other team."""
        return next(other for other in self.teams if other != team)

    @property
    def question(self) -> str:
        """What both captains are asked now; "" before the line-ups are known and once everybody is paired."""
        if self.is_bye or not self.line_ups or len(self.pairs) == len(self.line_ups[self.teams[0]]):
            return ""
        if not self.defenders:
            return DEFENDER
        return CHOICE if self.attackers else ATTACKERS

    @property
    def mark(self) -> str:
        """A short text that names the question: how many tables are made, and what is asked."""
        return f"{len(self.pairs)}{self.question[:1]}"

    @property
    def needed(self) -> int:
        """How many players the answer to the question names."""
        return 2 if self.question == ATTACKERS else 1

    def offers(self, team: str) -> list[str]:
        """Whom a team may name now. A missing player is named only where nobody else is left."""
        asked = self.question
        if asked == CHOICE:
            return list(self.attackers[self.rival(team)])
        free = [key for key in self.unpaired(team) if key != self.defenders.get(team)] if asked else []
        there = [key for key in free if not is_absent(key)]
        return there if len(there) >= self.needed else free

    @property
    def waits_for(self) -> list[str]:
        """The teams that have to answer: not those that have, or could name nobody else."""
        return [
            team
            for team in self.teams
            if len(self.offers(team)) > self.needed and len(self.sealed.get(team, ())) < self.needed
        ]

    def unpaired(self, team: str) -> list[str]:
        """Who of a team is not paired yet, the defender included."""
        paired = {key for pair in self.pairs for key in pair}
        return [key for key in self.line_ups[team] if key not in paired]


def is_absent(key: str) -> bool:
    """Whether this is the place of a missing player in a line-up."""
    return key.startswith(ABSENT)


@dataclass
class Call(Piece):
    """A call for a judge, or a ruling without one: `asked_at`, who `comes`, the `ruling`, `closed_at`."""

    key: str
    number: int
    pairing: str
    player: str = ""
    question: str = ""
    asked_at: int = 0
    comes: str = ""
    ruling: str = ""
    ruled_by: str = ""
    closed_at: int | None = None


@dataclass
class Announcement(Piece):
    """What the organisers tell everybody, until it is taken down (`down_at`)."""

    key: str
    number: int
    text: str
    author: str = ""
    said_at: int = 0
    down_at: int | None = None


@dataclass
class EventState(Position):
    """A whole event as it stands.

    `bye` is what a bye is worth by criterion ({"points": 7}), `places` the points of the winner, the second
    and so on where tables have several players; `options` are those of its tables; `size` is how many play
    at one table, `least` how many at least, where that can be; `houses` says who plays which; `cut` how
    many go on to a knock-out after `length` rounds (0: none); `days` how long a league's round lasts (0: an
    event in a hall, with a clock); `no_show` after how many minutes of the round a reported absence ends
    the table (0: never); `legs` how often each pair of a round robin plays; `annuls` says that the games of
    somebody who leaves it before half count for nobody, `third` that the losers of the semi-finals play for
    third place; `zone` is the hall's time zone ("": the server's); `columns` is what the columns of its
    player lists hold, by their headings. `team_size` is how many play in a team (0: everybody for
    themselves), `team_tables` how two teams are paired, `team_scale` how their score is made; `team_cap`
    limits it, and a difference up to `team_margin` is a draw. A challenge of a ladder goes at most `reach`
    places up. `is_rated` says that its games count for the server's ratings.
    """

    kinds = {
        "player": "players",
        "round": "rounds",
        "pairing": "pairings",
        "call": "calls",
        "announcement": "announcements",
        "team": "teams",
        "team_match": "team_matches",
    }
    types = {
        "player": Player,
        "round": Round,
        "pairing": Pairing,
        "call": Call,
        "announcement": Announcement,
        "team": Team,
        "team_match": TeamMatch,
    }

    is_of_teams: ClassVar[bool] = False
    """Whether its players are teams (`team_rounds.Teams`)."""

    name: str = ""
    system: str = ""
    mode: str = ""
    options: dict[str, int] = field(default_factory=dict)
    kind: str = "swiss"
    size: int = 2
    least: int = 3
    houses: str = "rotation"
    length: int = 3
    cut: int = 0
    minutes: int = 90
    overtime: int = 15
    no_show: int = 15
    days: int = 0
    legs: int = 1
    annuls: bool = False
    third: bool = False
    zone: str = ""
    first_table: int = 1
    tables: str = "near"
    scoring: str = "wins"
    criteria: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    bye: dict[str, float] = field(default_factory=dict)
    apart: bool = True
    mix: str = "together"
    team_size: int = 0
    team_tables: str = "put-up"
    team_scale: str = "tables"
    team_cap: int = 0
    team_margin: int = 0
    divisions: tuple[str, ...] = ()
    is_open: bool = True
    is_listed: bool = True
    is_rated: bool = False
    reach: int = 3
    columns: dict[str, str] = field(default_factory=dict)
    status: str = PLANNED
    seed: str = ""
    drawn: int = 0
    players: dict[str, Player] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)
    pairings: dict[str, Pairing] = field(default_factory=dict)
    calls: dict[str, Call] = field(default_factory=dict)
    announcements: dict[str, Announcement] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    team_matches: dict[str, TeamMatch] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.begin_action()

    def called(self, key: str) -> str:
        """A player's name, with the club if two players share the name; the key of nobody known."""
        player = self.players.get(key)
        if player is None:
            return key
        is_told_apart = player.club and player.name in self.shared_names()
        return f"{player.name} ({player.club})" if is_told_apart else player.name

    @remembered
    def shared_names(self) -> frozenset[str]:
        """The names that look like another player's."""
        return _shared(tuple(player.name for player in self.players.values()))

    @property
    def last(self) -> Round | None:
        """The newest round, if any was drawn up."""
        return max(self.rounds.values(), key=lambda event_round: event_round.number, default=None)

    @property
    def open_rounds(self) -> list[Round]:
        """The rounds that are being played, in order: several in a league or a ladder."""
        opened = (event_round for event_round in self.rounds.values() if event_round.state == OPEN)
        return sorted(opened, key=lambda event_round: event_round.number)

    @property
    def is_league(self) -> bool:
        """Whether rounds last for days."""
        return self.days > 0

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody meets everybody."""
        return self.kind == "round-robin"

    @property
    def is_ladder(self) -> bool:
        """Whether players challenge those above them; each challenge is a round of its own."""
        return self.kind == LADDER

    def in_cut(self, number: int) -> bool:
        """Whether a round is one of a knock-out; in a team event it is one of teams, not of their tables."""
        this_round = self.rounds.get(str(number))
        return this_round is not None and this_round.stage == CUT and not self.team_size

    def is_here(self, player: Player) -> bool:
        """Whether somebody is there to be paired: a league has no check-in."""
        return player.checked_in or self.is_league

    def present(self, number: int) -> list[str]:
        """Who is to be paired in a round: here and not gone.

        Nobody who has left is drawn again, although the round in which they left may have been called off.
        """
        this_round = self.rounds.get(str(number))
        is_begun = this_round is not None and this_round.state != DRAFTED
        return [
            player.key
            for player in self.players.values()
            if self.is_here(player) and player.plays(number) and (is_begun or player.dropped is None)
        ]

    def at(self, number: int) -> Iterator[Pairing]:
        """The pairings of a round, by table, byes last."""
        return iter(self._by_table(number))

    @remembered
    def _by_table(self, number: int) -> list[Pairing]:
        pairings = (pairing for pairing in self.pairings.values() if pairing.round == number)
        return sorted(pairings, key=lambda game: (game.table is None, game.table or 0, game.key))

    def is_decided(self, number: int) -> bool:
        """Whether every game of a round has its result."""
        return all(pairing.is_decided for pairing in self.at(number))

    def announced(self) -> list[Announcement]:
        """The announcements that have not been taken down, newest first."""
        standing = (
            announcement for announcement in self.announcements.values() if announcement.down_at is None
        )
        return sorted(standing, key=lambda announcement: -announcement.number)

    def news(self) -> Announcement | None:
        """The newest announcement; None once it is taken down: those before it are no news any more."""
        newest = max(self.announcements.values(), key=lambda announcement: announcement.number, default=None)
        return newest if newest is not None and newest.down_at is None else None

    def division_of(self, player: Player) -> str:
        """The division in which somebody is ranked: that of their team, if they have one."""
        return self.teams[player.team].division if player.team in self.teams else player.division

    def matches_at(self, number: int) -> list[TeamMatch]:
        """The team matches of a round, byes last."""
        matches = (match for match in self.team_matches.values() if match.round == number)
        return sorted(matches, key=lambda match: (match.is_bye, match.order))

    def members(self, team: str) -> list[Player]:
        """The players of a team, in its order."""
        return sorted(
            (player for player in self.players.values() if player.team == team),
            key=lambda player: player.order,
        )

    def captain_of(self, team: str) -> str:
        """Who speaks for a team: its captain, or the first of the others once the captain has left."""
        staying = [member.key for member in self.members(team) if member.dropped is None]
        captain = self.teams[team].captain
        return captain if captain in staying else next(iter(staying), "")

    def captained_by(self, player: str) -> str:
        """The team for which a player speaks; "" for none."""
        team = self.players[player].team if player in self.players else ""
        return team if team in self.teams and self.captain_of(team) == player else ""

    def is_level(self, table: Pairing) -> bool:
        """Whether a game of the knock-out ended without a winner: somebody has to be named who goes on."""
        return self.in_cut(table.round) and table.is_decided and not table.winner

    def pairing_of(self, player: str, number: int) -> Pairing | None:
        """The pairing of a player in a round, if there is one."""
        return next(
            (
                pairing
                for pairing in self.pairings.values()
                if pairing.round == number and player in pairing.players
            ),
            None,
        )


@lru_cache(maxsize=16)
def _shared(names: tuple[str, ...]) -> frozenset[str]:
    """The names that look like another one among these: every table of a large hall asks for them."""
    keys = Counter(map(name_key, names))
    return frozenset(name for name in names if keys[name_key(name)] > 1)
