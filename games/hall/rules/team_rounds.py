"""Rounds and standings of teams: the event as its teams play it, and from two teams to their tables.

To the pairing methods, the standings and the state of a round a team is a player, and a team match its
pairing (`of_teams`). The tables of a team match are ordinary pairings, which name it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core import IllegalAction, keep, remembered, say
from games.core import gettext_noop as _
from games.hall.rules import (
    event_rounds,
    knockout,
    put_up,
    registration,
    round_draw,
    seating_changes,
    standings,
)
from games.hall.rules.event_state import (
    ABSENT,
    AS_DRAWN,
    BY_TABLES,
    BYE,
    ENTERED,
    LEFT,
    LOT,
    OPEN,
    PUT_UP,
    TOTAL,
    EventState,
    Pairing,
    Player,
    Round,
    TeamMatch,
    is_absent,
)
from games.hall.rules.standings import Exact

WIN, DRAW = 2, 1


@dataclass
class Teams(EventState):
    """An event as its teams play it: each team is a player, each team match a pairing.

    A pairing's "vp" are table points, its "points" match points.
    """

    is_of_teams = True


@remembered
def of_teams(g: EventState) -> Teams:
    """The event as its teams play it, kept if the event is. Chance goes on where the event's stands."""
    t = Teams(
        name=g.name,
        system=g.system,
        mode=g.mode,
        kind=g.kind,
        length=g.length,
        cut=g.cut,
        third=g.third,
        minutes=g.minutes,
        overtime=g.overtime,
        days=g.days,
        tables=AS_DRAWN,
        criteria=("points", "wins" if g.team_scale == TOTAL else "vp", "strength", "head", "lot"),
        bye={"points": _worth_of_a_bye(g)},  # type: ignore[dict-item]
        apart=False,
        status=g.status,
        seed=g.seed,
        drawn=g.drawn,
    )
    t.players = {team.key: _as_player(g, team.key) for team in g.teams.values()}
    t.rounds = {key: Round(**vars(event_round)) for key, event_round in g.rounds.items()}
    t.pairings = {match.key: _as_pairing(g, match) for match in g.team_matches.values()}
    return t if g.memory is None else keep(t)


def _as_player(g: EventState, key: str) -> Player:
    team, people = g.teams[key], g.members(key)
    gone: list[int] = [member.dropped for member in people if member.dropped is not None]
    return Player(
        key,
        team.order,
        team.name,
        checked_in=any(member.checked_in and member.dropped is None for member in people),
        came=min((member.came for member in people), default=1),
        dropped=max(gone) if gone and len(gone) == len(people) else None,
        lot=team.lot,
        division=team.division,
        seed=min((member.seed for member in people if member.seed), default=None),
        penalties=team.penalties,
    )


def _as_pairing(g: EventState, match: TeamMatch) -> Pairing:
    if match.is_bye:
        return round_draw.bye(match.key, match.round, match.teams[0])
    made = Pairing(match.key, match.round, match.order, match.teams)
    if is_decided(g, match):
        first, second = match.teams
        had = score(g, match)
        lead: Exact = had[first] - had[second]
        made.state, made.how = ENTERED, "finished"
        made.winner = "" if -g.team_margin <= lead <= g.team_margin else first if lead > 0 else second
        made.winner = made.winner or match.winner
        worth = {team: _match_points(g, made, team, had[team]) for team in match.teams}
        made.results = {team: {"vp": had[team], "points": worth[team]} for team in match.teams}  # type: ignore[dict-item]
    return made


def _match_points(g: EventState, made: Pairing, team: str, had: Exact) -> Exact:
    if g.team_scale == TOTAL:
        return had
    return DRAW if not made.winner else WIN * (made.winner == team)


def _worth_of_a_bye(g: EventState) -> Exact:
    """Match points of a team without an opponent."""
    if g.team_scale != TOTAL:
        return WIN
    most = g.team_size * _unplayed(g)
    return min(most, g.team_cap) if g.team_cap else most


def _unplayed(g: EventState) -> Exact:
    """The tournament points of a player whose opponent is missing."""
    return standings.bye_of(g)["points"] or 0


# --- the score ---------------------------------------------------------------------------------------


def tables_of(g: EventState, match: TeamMatch) -> list[Pairing]:
    """The pairings of a team match, by table."""
    return _tables_at(g, match.round)[match.key]


@remembered
def _tables_at(g: EventState, number: int) -> dict[str, list[Pairing]]:
    """The tables of a round by the team match that they belong to."""
    tables: dict[str, list[Pairing]] = defaultdict(list)
    for pairing in g.at(number):
        tables[pairing.team_match].append(pairing)
    return tables


def is_decided(g: EventState, match: TeamMatch) -> bool:
    """Whether all tables of a team match have a result that counts."""
    tables = tables_of(g, match)
    return bool(tables) and all(table.is_decided for table in tables)


def score(g: EventState, match: TeamMatch) -> dict[str, Exact]:
    """What each team has of the tables that are decided, within the limit that the event sets."""
    scores: dict[str, Exact] = dict.fromkeys(match.teams, 0)
    for table in tables_of(g, match):
        for player in table.players if table.is_decided else ():
            if (team := g.players[player].team) in scores:
                scores[team] += _of_a_table(g, table, player)
    everything, most = sum(scores.values()), g.team_cap
    if most and max(scores.values(), default=0) > most and not match.is_bye:
        ahead = max(scores, key=lambda team: scores[team])
        scores = {ahead: most, match.rival(ahead): everything - most}
    return scores


def _of_a_table(g: EventState, pairing: Pairing, player: str) -> Exact:
    if pairing.how in (BYE, LEFT):
        won = pairing.winner == player
        return won * (1 if g.team_scale == BY_TABLES else _unplayed(g))
    if g.team_scale != BY_TABLES:
        return standings.points(g, pairing, player)
    return standings.HALF if pairing.is_drawn_for(player) else int(pairing.winner == player)


def as_paired(g: EventState) -> EventState:
    """The event as its rounds are paired: by teams, if it has teams."""
    return of_teams(g) if g.team_size else g


# --- a round -----------------------------------------------------------------------------------------


def on_teams(g: EventState, rule: Callable[..., Any], *stated: Any) -> Any:
    """Carry out a rule about rounds with the teams as players; what it changes, changes the event."""
    t = of_teams(g)
    try:
        made = rule(t, *stated)
    finally:
        g.drawn = t.drawn
        g.draws += t.draws
    g.rounds, g.status, g.length = t.rounds, t.status, t.length
    for key in g.team_matches.keys() - t.pairings.keys():
        del g.team_matches[key]
    for at, pairing in enumerate(t.pairings.values(), 1):
        match = g.team_matches.get(pairing.key)
        if match is None or match.teams != pairing.players:
            g.team_matches[pairing.key] = TeamMatch(
                pairing.key, pairing.round, pairing.table or at, pairing.players
            )
    g.lines += t.lines
    return made


def open_round(g: EventState, until: int) -> Round:
    """Let the round of teams that is drawn up be played: their captains are asked, or tables are made."""
    this_round: Round = on_teams(g, event_rounds.open_round, until)
    for match in g.matches_at(this_round.number):
        begin(g, match)
    return g.rounds[this_round.key]


def in_words(g: EventState, match: TeamMatch) -> str:
    """The teams of a match by their names."""
    return " – ".join(g.teams[team].name for team in match.teams)


LEVEL = _("%(teams)s: a draw. Choose who advances.")


def level(g: EventState, number: int) -> TeamMatch | None:
    """The first team match of a round of the knockout that was a draw, until somebody says who advances."""
    t = as_paired(g)
    drawn = (pairing.key for pairing in t.at(number) if t.is_level(pairing))
    return next((g.team_matches[key] for key in drawn if g.team_size), None)


def close_round(g: EventState, now: int, number: int | None = None) -> None:
    """Close a round; in the knockout of teams each match needs a team that advances."""
    round_number = number or (g.last.number if g.last is not None else 0)
    if (match := level(g, round_number)) is not None:
        raise IllegalAction(say(LEVEL, teams=in_words(g, match)))
    event_rounds.close_round(g, now, number)


def go_on(g: EventState, key: str, team: str) -> None:
    """Say which team advances after a draw in the knockout."""
    match, t = match_of(g, key), of_teams(g)
    if not t.is_level(t.pairings[key]) or team not in match.teams:
        raise IllegalAction(say(_("This match was not a draw, or a team advances already.")))
    match.winner = team
    g.say(_("%(teams)s: a draw. %(name)s advances."), teams=in_words(g, match), name=g.teams[team].name)


def refuse_turned(before: EventState, after: EventState) -> None:
    """Refuse that another team has won where one of the knockout has gone on."""
    then, now = as_paired(before), as_paired(after)
    for key, match in then.pairings.items() if before.team_size else ():
        if key in now.pairings and now.pairings[key].winner != match.winner:
            knockout.refuse_gone_on(then, match)


def begin(g: EventState, match: TeamMatch) -> None:
    """Take the line-ups of both teams as they are here now, and pair them as the event does.

    A team that is short of players has empty places; whoever meets one has no game.
    """
    here = _here(g, match.round)
    match.line_ups = {team: _line_up(g, team, here) for team in match.teams}
    match.pairs, match.defenders, match.attackers, match.sealed = (), {}, {}, {}
    if match.is_bye:
        for player in match.line_ups[match.teams[0]]:
            _add(g, match, (player,))
    elif g.team_tables == PUT_UP:
        put_up.reveal(g, match, {})
    else:
        first, second = (match.line_ups[team] for team in match.teams)
        drawn = round_draw.shuffled(g, second) if g.team_tables == LOT else second
        match.pairs = tuple(zip(first, drawn, strict=True))
    seat(g, match)


def _here(g: EventState, number: int) -> set[str]:
    return {key for key in g.present(number) if g.players[key].dropped is None}


def _line_up(g: EventState, team: str, here: set[str]) -> list[str]:
    there = [member.key for member in g.members(team) if member.key in here][: g.team_size]
    return there + [f"{ABSENT}{team}-{at}" for at in range(len(there), g.team_size)]


def numbers(g: EventState, match: TeamMatch) -> range:
    """The numbers of the tables at which two teams meet."""
    first = g.first_table + (match.order - 1) * g.team_size
    return range(first, first + g.team_size)


def seat(g: EventState, match: TeamMatch) -> None:
    """Give each pair of a team match its table, once all are paired."""
    if match.question or match.is_bye:
        return
    here = _here(g, match.round)
    for table, pair in zip(numbers(g, match), match.pairs, strict=False):
        _add(g, match, tuple(key for key in pair if key in here), table)
    g.say(_("The tables of %(teams)s are made."), teams=in_words(g, match))


def _add(g: EventState, match: TeamMatch, players: tuple[str, ...], table: int | None = None) -> None:
    key = seating_changes.free_key(g, g.rounds[str(match.round)])
    if len(players) == 2:
        made = Pairing(key, match.round, table, players)
        made.seats = event_rounds.seats_of(g, made)
    elif players and not is_absent(players[0]):
        made = round_draw.bye(key, match.round, players[0])
    else:
        return
    made.team_match = match.key
    g.pairings[key] = made


# --- what goes wrong ---------------------------------------------------------------------------------


def match_of(g: EventState, key: str) -> TeamMatch:
    """The team match with this key, of an open round; `IllegalAction` if there is none."""
    match = g.team_matches.get(key)
    if match is None or g.rounds[str(match.round)].state != OPEN:
        raise IllegalAction(say(_("There is no such team match in an open round.")))
    return match


def restart(g: EventState, key: str) -> None:
    """Begin a team match anew with those who are here now, as long as none of its tables has a result."""
    match = match_of(g, key)
    for table in tables_of(g, match):
        seating_changes.refuse_result(g, table)
    for table in tables_of(g, match):
        del g.pairings[table.key]
    g.say(_("%(teams)s are paired again."), teams=in_words(g, match))
    begin(g, match)


def rest_by_lot(g: EventState, key: str) -> None:
    """Pair the rest of a team match by lot, for a captain who does not answer."""
    match = match_of(g, key)
    put_up.by_lot(g, match)
    seat(g, match)


IN_A_MATCH = _("This is a team match. Change its teams in the draft, or pair its players again.")


def swap(g: EventState, first: str, second: str) -> None:
    """Let two players change places, or in a draft two teams; in a team match players of one team."""
    if first in g.teams or second in g.teams:
        if g.last is not None and g.last.state == OPEN:
            raise IllegalAction(say(_("This round is open.")))
        on_teams(g, seating_changes.swap, first, second)
        return
    if g.team_size and registration.player_of(g, first).team != registration.player_of(g, second).team:
        raise IllegalAction(say(_("Only players of one team can swap.")))
    seating_changes.swap(g, first, second)


def seat_together(g: EventState, first: str, second: str) -> None:
    """Let two who have no game play each other, where everybody plays for themselves."""
    if g.team_size:
        raise IllegalAction(say(IN_A_MATCH))
    seating_changes.seat_together(g, first, second)


def call_off_table(g: EventState, key: str, now: int) -> None:
    """Call off one table that belongs to no team match."""
    if g.team_size:
        raise IllegalAction(say(IN_A_MATCH))
    seating_changes.call_off_table(g, key, now)
