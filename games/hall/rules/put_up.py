"""The put-up: the captains of two teams pair their players, with sealed answers that are revealed together.

Each step asks both captains three questions. Whom do you put up? Which two of yours may play against the one
whom the other team has put up? Which of the two offered ones does yours play? That makes two tables. With
three players left the offer follows by itself; who is left at the end plays each other, with two left of each
team those who were offered and not chosen.

An answer is a fingerprint here until both teams have answered; the caller keeps what it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core import IllegalAction, Line, say
from games.core import gettext_noop as _
from games.hall.rules.event_state import ATTACKERS, DEFENDER, EventState, TeamMatch


def team_of(g: EventState, match: TeamMatch, player: str) -> str:
    """Which team answers by naming this player. Raises `IllegalAction` if nobody can."""
    for team in match.teams if match.question else ():
        if player in match.offers(team):
            return team
    raise IllegalAction(say(_("This player cannot be named now. Check the current question.")))


def seal(g: EventState, match: TeamMatch, team: str, fingerprint: str) -> None:
    """Keep a team's answer, or the first half of it, under its fingerprint."""
    if team not in match.waits_for:
        raise IllegalAction(say(_("%(team)s has answered already."), team=g.teams[team].name))
    match.sealed = {**match.sealed, team: [*match.sealed.get(team, ()), fingerprint]}
    g.say(_("%(team)s has sealed an answer."), team=g.teams[team].name)


def take_back(g: EventState, match: TeamMatch, team: str) -> None:
    """Forget what a team has answered while the other one has not."""
    if not match.sealed.get(team):
        raise IllegalAction(say(_("Too late: the answers are revealed.")))
    match.sealed = {key: kept for key, kept in match.sealed.items() if key != team}
    g.say(_("%(team)s removes its sealed answer."), team=g.teams[team].name)


def reveal(g: EventState, match: TeamMatch, answers: Mapping[str, Sequence[str]]) -> None:
    """Reveal what both teams have answered, and all that follows from it without a question."""
    while match.question and not match.waits_for:
        choices = {team: list(answers.get(team) or match.offers(team)) for team in match.teams}
        _carry_out(g, match, choices)
        match.sealed, answers = {}, {}


def _carry_out(g: EventState, match: TeamMatch, choices: Mapping[str, list[str]]) -> None:
    asked = match.question
    if asked == DEFENDER:
        match.defenders = {team: choices[team][0] for team in match.teams}
        for team in match.teams:
            g.say(
                _("%(team)s puts up %(player)s."), team=g.teams[team].name, player=named(g, choices[team][0])
            )
    elif asked == ATTACKERS:
        match.attackers = dict(choices)
        for team in match.teams:
            first, second = (named(g, key) for key in choices[team])
            g.say(
                _("%(team)s offers %(one)s and %(other)s."), team=g.teams[team].name, one=first, other=second
            )
    else:
        _pair(g, match, {team: choices[team][0] for team in match.teams})


def _pair(g: EventState, match: TeamMatch, chosen: Mapping[str, str]) -> None:
    """Make the two tables of a step, and those of the last players once no step is left."""
    first, second = match.teams
    refused = {
        team: next(key for key in match.attackers[team] if key != chosen[match.rival(team)])
        for team in match.teams
    }
    made = [(match.defenders[first], chosen[first]), (chosen[second], match.defenders[second])]
    match.pairs = (*match.pairs, *made)
    match.defenders, match.attackers = {}, {}
    left = {team: match.unpaired(team) for team in match.teams}
    if len(left[first]) < 3:
        in_order = [sorted(left[team], key=lambda key: key not in refused.values()) for team in match.teams]
        made += zip(*in_order, strict=True)
        match.pairs = (*match.pairs, *made[2:])
    _say_pairs(g, made)


def by_lot(g: EventState, match: TeamMatch) -> None:
    """Pair everybody who is not paired yet by lot, whatever has been put up or offered."""
    left = [match.unpaired(team) for team in match.teams]
    if not match.question:
        raise IllegalAction(say(_("All players of this team match are paired.")))
    drawn = [left[1].pop(g.chance(len(left[1]))) for _place in left[0]]
    made = list(zip(left[0], drawn, strict=True))
    match.pairs = (*match.pairs, *made)
    match.defenders, match.attackers, match.sealed = {}, {}, {}
    _say_pairs(g, made)


def _say_pairs(g: EventState, made: Sequence[tuple[str, str]]) -> None:
    for first, second in made:
        g.say(_("%(one)s plays %(other)s."), one=named(g, first), other=named(g, second))


def named(g: EventState, key: str) -> str | Line:
    """A player's name, or that the place is empty."""
    return g.players[key].name if key in g.players else say(_("an empty place"))
