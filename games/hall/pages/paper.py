"""A round on paper: by table, by name, as result slips; for organisers before it opens, too."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.core import RequestRefused, ViewModel, say
from games.core import gettext_noop as noop
from games.hall import event_links, roles
from games.hall.event_rows import position_of
from games.hall.models import Event
from games.hall.pages import rounds_and_standings
from games.hall.pages.event_forms import event_of, refusing
from games.hall.pages.name_order import by_surname
from games.hall.rules import event_results
from games.hall.rules.event_state import DRAFTED, EventState, Round
from games.view_models import Link
from games.web import one_moment


class NameOnPaper(ViewModel):
    """Somebody in the list by name: where they play, and against whom."""

    name: str
    club: str
    where: str
    rivals: str


TABLES, NAMES, SLIPS = "tables", "names", "slips"
TEMPLATES = {TABLES: "hall/print_round.html", NAMES: "hall/print_names.html", SLIPS: "hall/print_slips.html"}


@require_safe
@refusing
def round_on_paper(request: HttpRequest, code: str, number: int, what: str = TABLES) -> HttpResponse:
    """The pairings of a round to hang up, or a slip for each table's result."""
    found = event_of(code)
    with one_moment():
        g = position_of(event_of(code))
    this = round_of(request, found, g, number)
    values = {
        "page": rounds_and_standings.round_page(request, found, g, this),
        "ways": ways(found, number),
        "draft": _("This round is not open yet and may still change.") if this.state == DRAFTED else "",
        "names": tuple(_names(g, this)) if what == NAMES else (),
        "fields": tuple(rounds_and_standings.labels(g)[name] for name in event_results.asked(g)),
    }
    return render(request, TEMPLATES[what], values)


def round_of(request: HttpRequest, found: Event, g: EventState, number: int) -> Round:
    """A round that this phone may see: one that is drawn up may still change, and is for the organisers."""
    this = g.rounds.get(str(number))
    is_helper = event_links.actor(request, found).role not in (roles.PLAYER, roles.GUEST)
    if this is None or (this.state == DRAFTED and not is_helper):
        raise RequestRefused(say(noop("This round has not been opened yet.")), 404, "not_open")
    return this


def ways(found: Event, number: int) -> tuple[Link, ...]:
    """A round on paper in every form."""
    named = (
        ("event-print-round", _("By table"), "table"),
        ("event-print-names", _("By name"), "people"),
        ("event-print-slips", _("Result slips"), "finish"),
    )
    return tuple(Link(reverse(name, args=[found.code, number]), label, icon) for name, label, icon in named)


def _names(g: EventState, this: Round) -> list[NameOnPaper]:
    """Everybody in the round, by surname."""
    language = get_language() or "en"
    rows = rounds_and_standings.rows(g, this.number)
    listed = [(one, row) for row in rows for one in row.players]
    listed.sort(key=lambda pair: by_surname(pair[0].name, language))
    return [
        NameOnPaper(
            one.name,
            one.club,
            str(row.table or row.label),
            _(", ").join(g.called(other.key) for other in row.players if other is not one),
        )
        for one, row in listed
    ]
