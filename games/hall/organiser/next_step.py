"""The one next thing that an event waits for, from the preparation to the final standings."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.hall.organiser.hall import Hall
from games.hall.roles import may
from games.hall.rules import drawing, running
from games.hall.rules import seen as rounds_seen
from games.hall.rules.pieces import CONTESTED, CUT, DRAFTED, OPEN, OVER, Gathering, Pairing, Round
from games.view_models import Link
from games.view_models.organiser import Button, Next

FEW_TABLES = 4
"""Most tables that are named when a round waits for them."""


def next_step(hall: Hall, role: str) -> Next:
    """What comes next; somebody who may not do it is told who does."""
    found = _next(hall)
    if found.button is None or may(role, found.button.do.split()[0]):
        return found
    awaited = _("Waiting for an organiser: %(label)s") % {"label": found.button.label}
    return Next(found.title, awaited, link=found.link)


def _next(hall: Hall) -> Next:
    g, last = hall.state, hall.state.last
    if g.status == OVER:
        return Next(_("The event is over"), _("The standings are final."), link=_standings(hall))
    if last is None:
        return _gathering(hall)
    if last.state == DRAFTED:
        return _drafted(hall, last)
    if opened := sorted((one for one in g.rounds.values() if one.state == OPEN), key=lambda one: one.number):
        return _playing(hall, opened)
    if 0 < drawing.rounds_in_all(g) <= last.number:
        title = _("All rounds are played")
        return Next(
            title, _("Look at the standings once more."), _button(hall, "finish", _("Standings final"))
        )
    title = _("Round %(number)s is closed") % {"number": last.number}
    return Next(title, _here(hall), _draw(hall, last.number + 1))


def _gathering(hall: Hall) -> Next:
    g = hall.state
    here, everybody = _counted(hall)
    if not g.players or (g.is_league and here < 2):
        link = Link(_page(hall, "players"), _("Enter players"), "plus")
        detail = _("Let them register with the code of the event, enter them, or paste a list.")
        return Next(_here(hall) if g.players else _("Nobody is registered yet"), detail, link=link)
    missing = everybody - here
    checking_in = Link(_page(hall, "players"), _("Check players in"), "people")
    if here < 2:
        return Next(_here(hall), _("Check in everybody who is here."), link=checking_in)
    if not missing:
        return Next(_here(hall), "", _draw(hall, 1))
    detail = ngettext(
        "%(count)s player is not checked in, and would not be paired.",
        "%(count)s players are not checked in, and would not be paired.",
        missing,
    )
    return Next(_here(hall), detail % {"count": missing}, _draw(hall, 1), checking_in)


def _draw(hall: Hall, number: int) -> Button:
    return _button(hall, "pair", _("Draw round %(number)s") % {"number": number})


def _button(hall: Hall, verb: str, label: str) -> Button:
    """A button of what is done with the rounds as they are shown here."""
    return Button(f"{verb} {rounds_seen.mark(hall.state)}", label)


def _drafted(hall: Hall, last: Round) -> Next:
    number, tables = last.number, _tables(hall, last)
    if not tables and hall.state.kind != drawing.ROUND_ROBIN:
        link = Link(_page(hall, "pairings"), _("Pair by hand"), "people")
        return Next(_("Round %(number)s waits for its pairings") % {"number": number}, link=link)
    title = ngettext(
        "Round %(number)s is drawn up: %(count)s table",
        "Round %(number)s is drawn up: %(count)s tables",
        len(tables),
    ) % {"number": number, "count": len(tables)}
    to_pairings = Link(_page(hall, "pairings"), _("Pairings"), "list")
    if left_out := running.unpaired(hall.state, last):
        return Next(title, _(running.UNPAIRED) % {"names": _(", ").join(left_out)}, link=to_pairings)
    detail = _("Each player’s phone then shows where to sit.")
    opening = _button(hall, "open_round", _("Open round %(number)s") % {"number": number})
    return Next(title, detail, opening, to_pairings)


def _playing(hall: Hall, opened: list[Round]) -> Next:
    """A round in a hall, or every round of a league that is still being played."""
    g, last = hall.state, opened[-1]
    tables = [one for found in opened for one in _tables(hall, found)]
    missing = [one for one in tables if not one.is_decided]
    contested = [one for one in missing if one.state == CONTESTED]
    if contested:
        title = _("Table %(table)s is contested") % {"table": contested[0].table}
        return Next(title, _("Hear both sides, then rule."), link=_to_table(hall, contested[0]))
    done = _("%(done)s of %(all)s tables done") % {
        "done": len(tables) - len(missing),
        "all": len(tables),
    }
    is_fresh = last.running_since is None and not last.run and not g.is_league and last.minutes
    if is_fresh and tables and len(missing) == len(tables):
        title = _("Round %(number)s is open") % {"number": last.number}
        return Next(title, done, _button(hall, "start_clock", _("Start the clock")))
    if last.stage == CUT and (level := [one for one in tables if one.is_decided and not one.winner]):
        title = _("Table %(table)s was a draw: say who goes on.") % {"table": level[0].table}
        return Next(title, done, link=_to_table(hall, level[0]))
    for found in opened:
        if all(one.is_decided for one in _tables(hall, found)):
            label = _("Close round %(number)s") % {"number": found.number}
            return Next(done, "", Button(f"close_round {found.number}", label))
    detail = _waiting(missing)
    return Next(done, detail, link=_to_table(hall, missing[0]) if len(missing) == 1 else None)


def _waiting(missing: list[Pairing]) -> str:
    if len(missing) > FEW_TABLES:
        return ""
    tables = _(", ").join(str(one.table) for one in missing)
    return ngettext("Waiting for table %(tables)s", "Waiting for tables %(tables)s", len(missing)) % {
        "tables": tables
    }


def _here(hall: Hall) -> str:
    here, everybody = _counted(hall)
    return here_in_words(hall.state, here, everybody)


def here_in_words(g: Gathering, here: int, everybody: int) -> str:
    """How many are here; in a league, which has no check-in, how many play."""
    if g.is_league:
        return ngettext("%(count)d player", "%(count)d players", everybody) % {"count": everybody}
    return _("%(here)s of %(all)s checked in") % {"here": here, "all": everybody}


def _counted(hall: Hall) -> tuple[int, int]:
    """How many are here for the next round, of how many who have not left."""
    g = hall.state
    number = g.last.number + 1 if g.last is not None else 1
    staying = [one for one in g.players.values() if one.plays(number)]
    return len(drawing.present(g, number)), len(staying)


def _tables(hall: Hall, found: Round) -> list[Pairing]:
    return [one for one in hall.state.at(found.number) if not one.is_bye]


def _to_table(hall: Hall, pairing: Pairing) -> Link:
    url = reverse("organise-table", args=[hall.event.code, pairing.key])
    return Link(url, _("Go to table %(table)s") % {"table": pairing.table}, "go")


def _standings(hall: Hall) -> Link:
    return Link(reverse("event-standings", args=[hall.event.code]), _("Standings"), "finish")


def _page(hall: Hall, name: str) -> str:
    return reverse(f"organise-{name}", args=[hall.event.code])
