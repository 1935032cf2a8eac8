"""Team matches as pages show them: who meets whom, the score, and how far the put-up has got."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import ViewModel, isolated
from games.hall.rules import team_rounds
from games.hall.rules.event_state import DRAFTED, EventState, TeamMatch
from games.hall.rules.standings import Exact
from games.translation import gettext as _


class TeamScore(ViewModel):
    """A team in a match; `points` is "" while nothing is decided."""

    name: str
    points: str = ""
    wins: bool = False


class TeamMatchRow(ViewModel):
    """Two teams, or one with a bye; `facts` is what the captains have revealed, and who is to answer."""

    key: str
    teams: tuple[TeamScore, ...]
    label: str
    facts: tuple[str, ...] = ()


def rows(g: EventState, round_number: int) -> tuple[TeamMatchRow, ...]:
    """The team matches of a round; none where everybody plays for themselves."""
    return tuple(row(g, match) for match in g.matches_at(round_number))


def row(g: EventState, match: TeamMatch) -> TeamMatchRow:
    had, is_over = team_rounds.score(g, match), team_rounds.is_decided(g, match)
    is_known = not match.is_bye and any(table.is_decided for table in team_rounds.tables_of(g, match))
    t = team_rounds.of_teams(g)
    winner = t.pairings[match.key].winner if is_over else ""
    return TeamMatchRow(
        key=match.key,
        teams=tuple(
            TeamScore(
                g.teams[team].name,
                points(had[team]) if is_known else "",
                wins=team == winner and not match.is_bye,
            )
            for team in match.teams
        ),
        label=_("A draw") if t.is_level(t.pairings[match.key]) else _label(g, match),
        facts=tuple(facts(g, match)),
    )


def points(value: Exact) -> str:
    """A team score, which may have a half."""
    whole, rest = divmod(value, 1)
    return f"{whole or ''}½" if rest else str(whole)


def _label(g: EventState, match: TeamMatch) -> str:
    if match.is_bye:
        return _("Bye")
    if g.rounds[str(match.round)].state == DRAFTED:
        return ""
    if match.question:
        return _("Put-up")
    tables = team_rounds.tables_of(g, match)
    done = sum(table.is_decided for table in tables)
    return _("%(done)s of %(all)s tables done") % {"done": done, "all": len(tables)}


def facts(g: EventState, match: TeamMatch, *, says_who_waits: bool = True) -> Iterator[str]:
    """What is known of a put-up that goes on: where, the pairs, what was revealed, and who is to answer."""
    if not match.question:
        return
    where = team_rounds.numbers(g, match)
    yield _("Tables %(first)s–%(last)s") % {"first": where[0], "last": where[-1]}
    for first, second in match.pairs:
        yield _("%(one)s plays %(other)s.") % {"one": named(g, first), "other": named(g, second)}
    for team in match.teams:
        name = isolated(g.teams[team].name)
        if team in match.defenders:
            values = {"team": name, "player": named(g, match.defenders[team])}
            yield _("%(team)s puts up %(player)s.") % values
        if team in match.attackers:
            offered = [named(g, key) for key in match.attackers[team]]
            yield _("%(team)s offers %(one)s and %(other)s.") % {
                "team": name,
                "one": offered[0],
                "other": offered[1],
            }
    if says_who_waits:
        waiting = _(", ").join(isolated(g.teams[team].name) for team in match.waits_for)
        yield _("Waiting for the captains: %(teams)s.") % {"teams": waiting}


def named(g: EventState, key: str) -> str:
    """A player of a line-up by name, or that the place is empty."""
    return isolated(g.players[key].name) if key in g.players else _("an empty place")
