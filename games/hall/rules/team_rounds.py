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
    t.rounds = {key: Round(**vars(one)) for key, one in g.rounds.items()}
    t.pairings = {one.key: _as_pairing(g, one) for one in g.team_matches.values()}
    return t if g.memory is None else keep(t)


def _as_player(g: EventState, key: str) -> Player:
    team, people = g.teams[key], g.members(key)
    gone: list[int] = [one.dropped for one in people if one.dropped is not None]
    return Player(
        key,
        team.order,
        team.name,
        checked_in=any(one.checked_in and one.dropped is None for one in people),
        came=min((one.came for one in people), default=1),
        dropped=max(gone) if gone and len(gone) == len(people) else None,
        lot=team.lot,
        division=team.division,
        seed=min((one.seed for one in people if one.seed), default=None),
        penalties=team.penalties,
    )


def _as_pairing(g: EventState, match: TeamMatch) -> Pairing:
    if match.is_bye:
        return round_draw.bye(match.key, match.round, match.teams[0])
    made = Pairing(match.key, match.round, match.order, match.teams)
    if is_decided(g, match):
        one, other = match.teams
        had = score(g, match)
        lead: Exact = had[one] - had[other]
        made.state, made.how = ENTERED, "finished"
        made.winner = "" if -g.team_margin <= lead <= g.team_margin else one if lead > 0 else other
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
    found: dict[str, list[Pairing]] = defaultdict(list)
    for one in g.at(number):
        found[one.team_match].append(one)
    return found


def is_decided(g: EventState, match: TeamMatch) -> bool:
    """Whether all tables of a team match have a result that counts."""
    tables = tables_of(g, match)
    return bool(tables) and all(one.is_decided for one in tables)


def score(g: EventState, match: TeamMatch) -> dict[str, Exact]:
    """What each team has of the tables that are decided, within the limit that the event sets."""
    found: dict[str, Exact] = dict.fromkeys(match.teams, 0)
    for one in tables_of(g, match):
        for player in one.players if one.is_decided else ():
            if (team := g.players[player].team) in found:
                found[team] += _of_a_table(g, one, player)
    everything, most = sum(found.values()), g.team_cap
    if most and max(found.values(), default=0) > most and not match.is_bye:
        ahead = max(found, key=lambda team: found[team])
        found = {ahead: most, match.rival(ahead): everything - most}
    return found


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
    for at, one in enumerate(t.pairings.values(), 1):
        known = g.team_matches.get(one.key)
        if known is None or known.teams != one.players:
            g.team_matches[one.key] = TeamMatch(one.key, one.round, one.table or at, one.players)
    g.lines += t.lines
    return made


def open_round(g: EventState, until: int) -> Round:
    """Let the round of teams that is drawn up be played: their captains are asked, or tables are made."""
    found: Round = on_teams(g, event_rounds.open_round, until)
    for match in g.matches_at(found.number):
        begin(g, match)
    return g.rounds[found.key]


def in_words(g: EventState, match: TeamMatch) -> str:
    """The teams of a match by their names."""
    return " – ".join(g.teams[team].name for team in match.teams)


LEVEL = _("%(teams)s: a draw. Choose who advances.")


def level(g: EventState, number: int) -> TeamMatch | None:
    """The first team match of a round of the knockout that was a draw, until somebody says who advances."""
    t = as_paired(g)
    drawn = (one.key for one in t.at(number) if t.is_level(one))
    return next((g.team_matches[key] for key in drawn if g.team_size), None)


def close_round(g: EventState, now: int, number: int | None = None) -> None:
    """Close a round; in the knockout of teams each match needs a team that advances."""
    found = number or (g.last.number if g.last is not None else 0)
    if (match := level(g, found)) is not None:
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
        one, other = (match.line_ups[team] for team in match.teams)
        drawn = round_draw.shuffled(g, other) if g.team_tables == LOT else other
        match.pairs = tuple(zip(one, drawn, strict=True))
    seat(g, match)


def _here(g: EventState, number: int) -> set[str]:
    return {key for key in g.present(number) if g.players[key].dropped is None}


def _line_up(g: EventState, team: str, here: set[str]) -> list[str]:
    there = [one.key for one in g.members(team) if one.key in here][: g.team_size]
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
    for one in tables_of(g, match):
        seating_changes.refuse_result(g, one)
    for one in tables_of(g, match):
        del g.pairings[one.key]
    g.say(_("%(teams)s are paired again."), teams=in_words(g, match))
    begin(g, match)


def rest_by_lot(g: EventState, key: str) -> None:
    """Pair the rest of a team match by lot, for a captain who does not answer."""
    match = match_of(g, key)
    put_up.by_lot(g, match)
    seat(g, match)


IN_A_MATCH = _("This is a team match. Change its teams in the draft, or pair its players again.")


def swap(g: EventState, one: str, other: str) -> None:
    """Let two players change places, or in a draft two teams; in a team match players of one team."""
    if one in g.teams or other in g.teams:
        if g.last is not None and g.last.state == OPEN:
            raise IllegalAction(say(_("This round is open.")))
        on_teams(g, seating_changes.swap, one, other)
        return
    if g.team_size and registration.player_of(g, one).team != registration.player_of(g, other).team:
        raise IllegalAction(say(_("Only players of one team can swap.")))
    seating_changes.swap(g, one, other)


def seat_together(g: EventState, one: str, other: str) -> None:
    """Let two who have no game play each other, where everybody plays for themselves."""
    if g.team_size:
        raise IllegalAction(say(IN_A_MATCH))
    seating_changes.seat_together(g, one, other)


def call_off_table(g: EventState, key: str, now: int) -> None:
    """Call off one table that belongs to no team match."""
    if g.team_size:
        raise IllegalAction(say(IN_A_MATCH))
    seating_changes.call_off_table(g, key, now)
