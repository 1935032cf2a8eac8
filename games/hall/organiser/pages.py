"""The pages that every helper of an event has. Each function returns a title and finished values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import view_models
from games.core.words import gettext_noop as noop
from games.core.words import isolated, say
from games.hall import event_actions
from games.hall import event_undo as undoing
from games.hall.kept import gathering
from games.hall.models import EventEntry
from games.hall.organiser import altered, regions, results_form
from games.hall.organiser import hall as halls
from games.hall.organiser.access import Visit
from games.hall.organiser.hall import Hall, hall_of
from games.hall.pages import rounds
from games.hall.rules import results
from games.hall.rules.pieces import CLOSED, CONTESTED, OPEN, Call, Gathering, Pairing
from games.hall.rules.results import Result
from games.history import logbook
from games.history.verdict import RequestRefused
from games.pages.watching.watched import instant
from games.pictures.codes import picture_of
from games.translation import words
from games.view_models import organiser as parts
from games.web.network import address_for_others

AT_ONCE = 60
"""How many players, or log entries, a page shows before it is asked for the rest."""

Made = tuple[str, dict[str, Any]]


def overview(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """What is next, the tables, and the way to everything else."""
    ways = [
        view_models.Link(page_url(visit, "players"), _("Player list"), "people"),
        view_models.Link(page_url(visit, "pairings"), _("Pairings"), "list"),
        view_models.Link(reverse("wall", args=[visit.code]), _("Wall"), "watch"),
        view_models.Link(reverse("event-tv", args=[visit.code]), _("On a television"), "share"),
        view_models.Link(page_url(visit, "log"), _("History"), "history"),
    ]
    if visit.may("change"):
        ways += [
            view_models.Link(page_url(visit, "helpers"), _("Helpers"), "plus"),
            view_models.Link(page_url(visit, "settings"), _("Settings"), "adjust"),
        ]
    ways.append(view_models.Link(reverse("event", args=[visit.code]), _("Page of the event"), "go"))
    ways.append(view_models.Link(reverse("event-standings", args=[visit.code]), _("Standings"), "finish"))
    address = address_for_others(request, reverse("event", args=[visit.code]))
    invitation = view_models.Invitation(address, picture_of(address), visit.code)
    values = {
        "altered": altered.link(visit),
        "region": regions.html(visit, "organiser"),
        "ways": tuple(ways),
        "may_announce": visit.may("announce"),
        "text": sent.get("text", ""),
        "invitation": invitation,
        "is_empty": not gathering(visit.event).players,
        "exports": _exports(visit),
    }
    return _("Organise"), values


def _exports(visit: Visit) -> tuple[view_models.Link, ...]:
    """The event as files, the same that programs get."""
    files = {"players": _("Player list"), "pairings": _("Pairings"), "standings": _("Standings")}
    tables = (
        view_models.Link(reverse("api:hall-table", args=[visit.code, what]), f"{label} (CSV)")
        for what, label in files.items()
    )
    whole = view_models.Link(reverse("api:hall", args=[visit.code]), _("Everything (JSON)"))
    if not visit.may("change"):
        return (*tables, whole)
    history = view_models.Link(
        reverse("organise-file", args=[visit.code]), _("History with fingerprints (JSON)")
    )
    return (*tables, whole, history)


def table(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One table of a round: what is known of its result, and the forms to enter, correct or rule it."""
    hall = hall_of(visit.code)
    g = hall.state
    pairing = known(g.pairings, about)
    calls = hall.open_calls()
    row = halls.table(hall, pairing, is_called=pairing.key in calls)
    is_judge = visit.may("rule")
    is_closed = g.rounds[str(pairing.round)].state == CLOSED
    must_rule = is_judge and (pairing.is_decided or pairing.state == CONTESTED or is_closed)
    buttons = tuple(_stating(g, pairing, is_judge=is_judge, must_rule=must_rule))
    page = parts.ResultPage(
        table=row,
        states=tuple(_claims(hall, pairing)),
        scores=tuple(results_form.fields_of(g, pairing, sent)) if buttons else (),
        rest=results_form.rest_of(g, pairing, sent, is_judge=is_judge) if buttons else None,
        buttons=buttons,
        asks_why=is_judge,
        must_rule=must_rule,
        seen=results.mark(pairing),
        extending=_extending(visit, g, pairing),
        judging=_judging(visit, g, pairing, g.calls.get(str(calls.get(pairing.key)))),
        rulings=tuple(one.ruling for one in g.calls.values() if one.pairing == pairing.key and one.ruling),
        ways=(view_models.Link(row.watch_url, _("Watch this table"), "watch"),) if row.watch_url else (),
    )
    values = {"page": page, "reason": sent.get("reason", ""), "ruling": sent.get("ruling", "")}
    if pairing.is_bye:
        return halls.byes(g, [pairing]), values
    return _("Table %(table)s") % {"table": pairing.table}, values


def _stating(g: Gathering, pairing: Pairing, *, is_judge: bool, must_rule: bool) -> Iterator[parts.Button]:
    """What enters or rules a result; nothing while it can be neither."""
    state = g.rounds[str(pairing.round)].state
    if pairing.is_bye or state not in ((OPEN, CLOSED) if is_judge else (OPEN,)):
        return
    if must_rule:
        yield parts.Button(f"rule {pairing.key}", _("Rule this result"), "main", "check")
    elif not pairing.is_decided:
        yield parts.Button(f"enter {pairing.key}", _("Enter the result"), "main", "check")
        if is_judge:
            yield parts.Button(f"rule {pairing.key}", _("Rule against what stands"))


def _claims(hall: Hall, pairing: Pairing) -> Iterator[parts.ClaimRow]:
    """The judge's call, what is contested, the result, what each side says, and what the table shows."""
    g = hall.state
    if call := g.calls.get(str(hall.open_calls().get(pairing.key))):
        if call.question and call.player in g.players:
            yield parts.ClaimRow(_("%(name)s says") % {"name": g.called(call.player)}, call.question)
        if call.comes:
            yield parts.ClaimRow(_("Judge called"), _("%(name)s comes") % {"name": call.comes})
    if pairing.state == CONTESTED and (entry := _contested(hall, pairing)):
        yield parts.ClaimRow(_("%(name)s says") % {"name": g.called(entry.by)}, entry.note)
    if (more := pairing.extended // 60) > 0:
        added = ngettext("%(count)d minute added", "%(count)d minutes added", more) % {"count": more}
        yield parts.ClaimRow(_("More time for this table"), added)
    if pairing.results or pairing.how:
        yield parts.ClaimRow(_("Result"), words(results.in_words(g, Result.of(pairing))))
    for player, claim in pairing.claims.items():
        said = [words(results.in_words(g, Result(claim["scores"], claim["winner"], claim["how"])))]
        said += rounds.numbers_in_words(g, claim["scores"])
        yield parts.ClaimRow(_("%(name)s says") % {"name": g.called(player)}, " · ".join(said))
    live = hall.played.get(pairing.match or "")
    if live is not None and live.has_begun:
        points = zip(pairing.seats, pairing.players, strict=False)
        told = _(", ").join(f"{isolated(g.called(key))} {live.points.get(seat, 0)}" for seat, key in points)
        yield parts.ClaimRow(_("The table shows"), told)


def _contested(hall: Hall, pairing: Pairing) -> EventEntry | None:
    """Who contests this table's result, and why, in the words of that player."""
    entries = hall.event.entries.filter(action="contest", by__in=pairing.players, undone_by=None)
    return entries.filter(after__has_key=f"pairing/{pairing.key}/state").exclude(note="").last()


def _extending(visit: Visit, g: Gathering, pairing: Pairing) -> tuple[parts.Button, ...]:
    last = g.last
    is_open = last is not None and last.number == pairing.round and last.state == OPEN and not g.is_league
    if not is_open or pairing.is_decided or not visit.may("extend"):
        return ()
    return tuple(
        parts.Button(f"extend {minutes} {pairing.key}", _("+%(minutes)s min") % {"minutes": minutes})
        for minutes in (5, 10)
    )


def _judging(visit: Visit, g: Gathering, pairing: Pairing, call: Call | None) -> tuple[parts.Button, ...]:
    if pairing.is_bye:
        return ()
    if call is not None:
        if not visit.may("close_call"):
            return ()
        closing = parts.Button(f"close_call {call.number}", _("Note this ruling"), "", "check")
        if call.comes:
            return (closing,)
        return (parts.Button(f"answer_call {call.number}", _("On my way"), "main"), closing)
    buttons = []
    if g.rounds[str(pairing.round)].state == OPEN:
        buttons.append(parts.Button(f"call_judge {pairing.key}", _("Call a judge"), "", "bell"))
    if visit.may("note_ruling"):
        buttons.insert(0, parts.Button(f"note_ruling {pairing.key}", _("Note this ruling"), "", "check"))
    return tuple(buttons)


def log(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The history, newest first; organisers may undo what nothing else depends on."""
    every = "all" in request.GET
    found = logbook.entries_of(visit.event).select_related("undone_by").order_by("-version")
    shown = list(found if every else found[:AT_ONCE])
    more = view_models.Link(f"{page_url(visit, 'log')}?all=1", _("Show all"))
    free: frozenset[int] = frozenset()
    if visit.may("undo") and shown:
        stands = undoing.not_undone(visit.event, None if every else AT_ONCE)
        free = frozenset(undoing.may_undo(gathering(visit.event), stands))
    rows_ = tuple(_log_row(entry, may_undo=entry.version in free) for entry in shown)
    return _("History"), {"rows": rows_, "more": more if len(shown) == AT_ONCE and not every else None}


def _log_row(entry: EventEntry, *, may_undo: bool) -> parts.LogRow:
    state = "undo" if entry.action == event_actions.UNDO else "undone" if hasattr(entry, "undone_by") else ""
    button = parts.Button(f"undo {entry.version}", _("Undo"), "quiet", "undo") if may_undo else None
    lines = tuple(words(line) for line in logbook.lines_for(entry))
    return parts.LogRow(entry.author, instant(entry.created_at), lines, state, button)


KnownT = TypeVar("KnownT")


def known(pieces: Mapping[str, KnownT], key: str) -> KnownT:
    """The player or table that a page is about; `RequestRefused` (404) if there is none."""
    if key not in pieces:
        raise RequestRefused(say(noop("This event has no such player or table.")), 404, "unknown")
    return pieces[key]


# --- shared ----------------------------------------------------------------------------------------


def page_url(visit: Visit, name: str) -> str:
    """The address of one of the organisers' pages, by its short name."""
    return reverse(f"organise-{name}", args=[visit.code])
