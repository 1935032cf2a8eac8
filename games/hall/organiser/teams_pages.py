"""The teams of an event on the organisers' pages: their list, one of them, and one team match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from games.core import ViewModel
from games.core import gettext_noop as noop
from games.hall.event_rows import position_of
from games.hall.organiser.organiser_page import Field, FieldGroup, Made, Visit, known
from games.hall.organiser.players_pages import division_field
from games.hall.pages import team_matches
from games.hall.rules import put_up, team_rounds, teams
from games.hall.rules.event_state import OPEN, OVER, PLANNED, EventState, TeamMatch
from games.pages import filled
from games.translation import gettext as _
from games.view_models import Button, Link, Option


class TeamRow(ViewModel):
    """A team in the list."""

    name: str
    url: str
    detail: str
    button: Button | None = None


class Asked(ViewModel):
    """A team whose captain has to answer, and what organisers may answer for it."""

    title: str
    buttons: tuple[Button, ...]


def listed(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The teams, and the form that registers another one."""
    g = position_of(visit.event)
    in_order = sorted(g.teams.values(), key=lambda one: one.order)
    fields = [
        Field("name", _("Team name"), value=sent.get("name", ""), most=40),
        Field(
            "players",
            _("Players"),
            "area",
            value=sent.get("players", ""),
            help=_("One name per line, the captain first."),
        ),
        *division_field(g, sent.get("division", "")),
    ]
    may_add = visit.may("register_team") and g.status == PLANNED
    values = {
        "rows": tuple(_row(visit, g, one.key) for one in in_order),
        "adding": FieldGroup(_("Register a team"), tuple(fields)) if may_add else None,
        "adding_button": Button("register_team", _("Register this team"), "", "plus"),
        "matches": tuple(links(visit, g)),
    }
    return _("Teams"), values


def links(visit: Visit, g: EventState) -> Iterator[Link]:
    """The team matches of the newest round."""
    for match in g.matches_at(g.last.number) if g.last is not None else ():
        url = reverse("organise-match", args=[visit.code, match.key])
        yield Link(url, f"{team_rounds.in_words(g, match)} · {team_matches.row(g, match).label}", "people")


def _row(visit: Visit, g: EventState, key: str) -> TeamRow:
    team, people = g.teams[key], [one for one in teams.members(g, key) if one.dropped is None]
    here = sum(map(g.is_here, people))
    captain = g.players.get(teams.captain_of(g, key))
    told = [
        team.division,
        _("Captain: %(name)s") % {"name": captain.name} if captain else "",
        _("%(here)s of %(all)s checked in") % {"here": here, "all": len(people)},
    ]
    may_check_in = g.status == PLANNED and here < len(people) and visit.may("check_in_team")
    return TeamRow(
        team.name,
        reverse("organise-team", args=[visit.code, key]),
        " · ".join(filter(None, told)),
        Button(f"check_in_team {key}", _("Check in"), "", "check") if may_check_in else None,
    )


def team(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One team: its name, captain and division; its players."""
    g = position_of(visit.event)
    one = known(g.teams, about)
    people = teams.members(g, about)
    stands = {"name": one.name, "captain": one.captain, "division": one.division}
    chosen = {name: sent.get(name, value) for name, value in stands.items()}
    captains = tuple(Option(p.key, p.name, p.key == chosen["captain"]) for p in people)
    fields = (
        Field("name", _("Team name"), value=chosen["name"], most=40),
        Field("captain", _("Captain"), "select", options=captains),
        *division_field(g, chosen["division"]),
    )
    values = {
        "fields": FieldGroup("", fields) if visit.may("amend_team") and g.status != OVER else None,
        "shown": sent.get(filled.SHOWN) or filled.as_text(stands),
        "saving": Button(f"amend_team {about}", _("Save"), "main"),
        "players": tuple(
            Link(reverse("organise-player", args=[visit.code, p.key]), p.name, "people") for p in people
        ),
        "ways": (Link(reverse("event", args=[visit.code]), _("Event page"), "go"),),
    }
    return one.name, values


def match(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One team match: its put-up, what organisers may answer for a captain, and its tables."""
    g = position_of(visit.event)
    one = known(g.team_matches, about)
    is_open = g.rounds[str(one.round)].state == OPEN
    buttons = []
    if is_open and put_up.question(one) and visit.may("rest_by_lot"):
        buttons.append(Button(f"rest_by_lot {one.key}", _("Pair the rest at random"), "", "roll"))
    tables = team_rounds.tables_of(g, one)
    if is_open and not any(table.is_decided and not table.is_bye for table in tables) and not one.is_bye:
        buttons.append(Button(f"pair_anew {one.key}", _("Pair this match again"), "danger"))
    values = {
        "row": team_matches.row(g, one),
        "asked": tuple(_asked(g, one)) if is_open and visit.may("propose") else (),
        "buttons": tuple(button for button in buttons if visit.may(button.do.split()[0])),
        "tables": tuple(
            Link(
                reverse("organise-table", args=[visit.code, table.key]),
                f"{table.table or '–'}: {' – '.join(g.players[key].name for key in table.players)}",
                "table",
            )
            for table in tables
        ),
    }
    return team_rounds.in_words(g, one), values


def _asked(g: EventState, one: TeamMatch) -> Iterator[Asked]:
    for key in put_up.waits_for(one) if put_up.question(one) else ():
        answers = tuple(
            Button(f"propose {one.key} {put_up.mark(one)} {player}", team_matches.named(g, player))
            for player in put_up.offers(one, key)
        )
        title = _("%(team)s: %(question)s") % {
            "team": g.teams[key].name,
            "question": _(QUESTIONS[put_up.question(one)]),
        }
        yield Asked(title, answers)


QUESTIONS = {
    put_up.DEFENDER: noop("whom do they put up?"),
    put_up.ATTACKERS: noop("which two do they offer?"),
    put_up.CHOICE: noop("which of these do they choose?"),
}
"""What a captain is asked, for somebody who answers instead."""
