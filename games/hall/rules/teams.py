"""Teams: who plays in which, and who is its captain. Functions change the copy they get.

In a team event a player's club is their team's name: whoever is entered with one joins that team.
"""

from __future__ import annotations

from games.core import NAME_GRAPHEMES, IllegalAction, clean_name, clean_note, name_key, say
from games.core import gettext_noop as _
from games.hall.rules.event_state import NO_DIVISION, EventState, Player, Team

LOTS = 1_000_000


def join(g: EventState, player: Player, name: str) -> None:
    """Let a player join the team of this name, which is made if there is none; "" for no team."""
    if player.team and name_key(name) == name_key(g.teams[player.team].name):
        return
    refuse_lined_up(g, player)
    team = named(g, name) or (_made(g, name) if name else None)
    player.team, player.club = (team.key, team.name) if team else ("", "")
    tidy(g)


def named(g: EventState, name: str) -> Team | None:
    """The team of this name, if there is one."""
    return next((team for team in g.teams.values() if name_key(team.name) == name_key(name)), None)


def _made(g: EventState, name: str) -> Team:
    order = 1 + max((existing.order for existing in g.teams.values()), default=0)
    lot = 1 + g.chance(LOTS)
    team = Team(f"t{g.drawn}", order, clean_name(name), lot=lot)
    g.teams[team.key] = team
    return team


def team_of(g: EventState, key: str) -> Team:
    """The team with this key; `IllegalAction` if there is none."""
    if key not in g.teams:
        raise IllegalAction(say(_("There is no such team in this event.")))
    return g.teams[key]


def amend(g: EventState, key: str, name: str | None, division: str | None, captain: str | None) -> None:
    """Change a team's name, division or captain; what is None stays."""
    team = team_of(g, key)
    if name is not None and (name := clean_name(name)) != team.name:
        if (other := named(g, name)) is not None and other is not team:
            raise IllegalAction(say(_("There is already a team called %(name)s."), name=name))
        g.say(_("The team %(old)s is now called %(name)s."), old=team.name, name=name)
        team.name = name
        for player in g.members(key):
            player.club = name
    if division is not None and division != team.division:
        team.division = checked_division(g, division)
        g.say(_("%(team)s plays in another division."), team=team.name)
    if captain is not None and captain != team.captain:
        if captain not in g.players or g.players[captain].team != key:
            raise IllegalAction(say(_("A captain is a player of the team.")))
        team.captain = captain
        g.say(_("%(name)s is the captain of %(team)s."), name=g.players[captain].name, team=team.name)


def set_division(g: EventState, player: str, division: str) -> None:
    """Rank a player in this division."""
    if player not in g.players:
        raise IllegalAction(say(_("There is no such player in this event.")))
    g.players[player].division = checked_division(g, division)
    g.say(_("%(name)s plays in another division."), name=g.players[player].name)


def checked_division(g: EventState, division: str) -> str:
    """One of the event's divisions, or "" for none."""
    division = clean_note(division, NAME_GRAPHEMES)
    if division and division not in g.divisions:
        raise IllegalAction(say(NO_DIVISION))
    return division


def check_in(g: EventState, key: str) -> None:
    """Note that all of a team who are still in the event are here."""
    team = team_of(g, key)
    for player in g.members(key):
        player.checked_in = player.checked_in or player.dropped is None
    g.say(_("%(team)s is here."), team=team.name)


def refuse_lined_up(g: EventState, player: Player) -> None:
    """Refuse to take somebody out of a team that has played with them, or is being paired."""
    if any(player.key in line_up for match in g.team_matches.values() for line_up in match.line_ups.values()):
        line = _("%(name)s has already played for a team. Drop them instead, to keep the results.")
        raise IllegalAction(say(line, name=player.name))


def tidy(g: EventState) -> None:
    """Name a captain where there is none, and forget teams that have no players and never had a match."""
    met = {team for match in g.team_matches.values() for team in match.teams}
    for team in list(g.teams.values()):
        people = [member.key for member in g.members(team.key)]
        if not people and team.key not in met:
            del g.teams[team.key]
        elif team.captain not in people:
            team.captain = next(iter(people), "")
