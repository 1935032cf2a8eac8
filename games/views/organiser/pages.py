"""The pages that every helper of an event has. Each function returns a title and finished values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, TypeVar

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import view_models
from games.core.validation import name_key
from games.core.words import gettext_noop as noop
from games.core.words import isolated, say
from games.events import access, undoing
from games.events import log as event_log
from games.events.kept import gathering
from games.events.models import ArmyList, EventEntry
from games.events.models import Player as PlayerRow
from games.events.rules import results
from games.events.rules.pieces import CLOSED, OPEN, OVER, PLANNED, Call, Gathering, Pairing, Player
from games.events.rules.results import Result
from games.match.verdict import RequestRefused
from games.pictures.codes import picture_of
from games.translation import words
from games.view_models import Option
from games.view_models import organiser as parts
from games.views.organiser import hall as halls
from games.views.organiser import regions, results_form
from games.views.organiser.access import Visit
from games.views.organiser.hall import Hall, hall_of
from games.views.watching.watched import instant
from games.web.network import address_for_others

AT_ONCE = 60
"""How many players, or log entries, a page shows before it is asked for the rest."""

Made = tuple[str, dict[str, Any]]


def overview(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """What is next, the tables, and the way to everything else."""
    ways = [
        view_models.Link(_url(visit, "players"), _("Player list"), "people"),
        view_models.Link(_url(visit, "pairings"), _("Pairings"), "list"),
        view_models.Link(reverse("wall", args=[visit.code]), _("Wall"), "watch"),
        view_models.Link(reverse("event-tv", args=[visit.code]), _("On a television"), "share"),
        view_models.Link(_url(visit, "log"), _("History"), "history"),
    ]
    if visit.may("change"):
        ways += [
            view_models.Link(_url(visit, "helpers"), _("Helpers"), "plus"),
            view_models.Link(_url(visit, "settings"), _("Settings"), "adjust"),
        ]
    ways.append(view_models.Link(reverse("event", args=[visit.code]), _("Page of the event"), "go"))
    ways.append(view_models.Link(reverse("event-standings", args=[visit.code]), _("Standings"), "finish"))
    address = address_for_others(request, reverse("event", args=[visit.code]))
    invitation = view_models.Invitation(address, picture_of(address), visit.code)
    values = {
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
    return (*tables, whole)


def players(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The players, searched by name or club; adding one; checking everybody in."""
    g = gathering(visit.event)
    wanted = request.GET.get("q", "").strip()[:60]
    every = "all" in request.GET
    found = [
        one for one in g.players.values() if not wanted or name_key(wanted) in name_key(one.name + one.club)
    ]
    found.sort(key=lambda one: (one.dropped is not None, one.checked_in, name_key(one.name)))
    shown = found if every else found[:AT_ONCE]
    url = _url(visit, "players")
    staying = [one for one in g.players.values() if one.dropped is None]
    counts = {"here": sum(one.checked_in for one in staying), "all": len(staying)}
    is_planned = g.status == PLANNED
    ways = []
    if visit.may("import") and is_planned:
        ways.append(view_models.Link(_url(visit, "import"), _("Paste a list"), "list"))
    if visit.may("import"):
        ways.append(view_models.Link(_url(visit, "slips"), _("Print QR codes"), "share"))
    more = view_models.Link(f"{url}?all=1", _("Show all %(count)s") % {"count": len(found)})
    may_add = visit.may("register") and g.status != "over"
    page = parts.PlayersPage(
        rows=tuple(
            _player_row(visit, one, "" if wanted or after is None else after.key)
            for one, after in zip_longest(shown, shown[1:])
        ),
        counted=_("%(here)s of %(all)s checked in") % counts,
        search_url=url,
        wanted=wanted,
        more=more if len(shown) < len(found) else None,
        adding=_adding(sent, is_late=not is_planned) if may_add else None,
        adding_button=parts.Button("register", _("Enter player"), "", "plus") if may_add else None,
        all_here=parts.Button("check_in_all", _("Everybody is here"), "", "check")
        if visit.may("check_in_all") and is_planned and counts["here"] < counts["all"]
        else None,
        ways=tuple(ways),
    )
    return _("Player list"), {"page": page}


def _adding(sent: Mapping[str, Any], *, is_late: bool) -> parts.FieldGroup:
    fields = [
        parts.Field("name", _("Player’s name"), value=sent.get("name", ""), most=40),
        parts.Field("club", _("Club"), value=sent.get("club", ""), most=40),
        parts.Field("faction", _("Faction"), value=sent.get("faction", ""), most=40),
    ]
    if is_late:
        hows = {"loss": _("a loss"), "bye": _("a bye, and losses before it")}
        options = tuple(Option(value, label, value == sent.get("how")) for value, label in hows.items())
        fields.append(parts.Field("how", _("Missed rounds count as"), "select", options=options))
    return parts.FieldGroup(_("Somebody comes late") if is_late else _("Enter a player"), tuple(fields))


def _player_row(visit: Visit, one: Player, following: str) -> parts.PlayerRow:
    state = _state_of(one)
    button = None
    if state == "away" and visit.may("check_in"):
        button = parts.Button(f"check_in {one.key} {following}".strip(), _("Check in"), "", "check")
    detail = " · ".join(part for part in (one.club, one.faction) if part)
    url = reverse("organise-player", args=[visit.code, one.key])
    return parts.PlayerRow(
        key=one.key,
        name=one.name,
        detail=detail,
        url=url,
        state=state,
        state_label=_state_label(state),
        button=button,
    )


def _state_of(one: Player) -> str:
    """Where a player is: "left" (the event), "here" or "away"."""
    if one.dropped is not None:
        return "left"
    return "here" if one.checked_in else "away"


def _state_label(state: str) -> str:
    return {"left": _("has left"), "here": _("here"), "away": _("not here yet")}[state]


def player(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One player: correct, check in, drop; for organisers also the personal link."""
    g = gathering(visit.event)
    one = _known(g.players, about)
    state = _state_of(one)
    link = _personal(request, visit, one) if visit.may("new_link") else ""
    fields = parts.FieldGroup(
        "",
        (
            parts.Field("name", _("Player’s name"), value=sent.get("name", one.name), most=40),
            parts.Field("club", _("Club"), value=sent.get("club", one.club), most=40),
            parts.Field("faction", _("Faction"), value=sent.get("faction", one.faction), most=40),
        ),
    )
    page = parts.PlayerPage(
        name=one.name,
        detail=" · ".join(part for part in (one.club, one.faction) if part),
        state_label=_state_label(state),
        fields=fields if visit.may("amend") else None,
        saving=parts.Button(f"amend {about}", _("Save"), "main") if visit.may("amend") else None,
        buttons=tuple(
            button
            for button in _player_buttons(g, one, state)
            if visit.may(ACTION_RIGHTS[button.do.split()[0]])
        ),
        link=link,
        qr=picture_of(link) if link else "",
        history=tuple(_played_by(g, one)),
        lists=_lists(visit, one) if visit.may("change") else (),
        handing_in=parts.Button(f"hand_in {about}", _("Hand in these lists"))
        if visit.may("hand_in")
        else None,
    )
    return one.name, {"page": page}


def _lists(visit: Visit, one: Player) -> tuple[str, ...]:
    """The lists that a player has handed in: organisers may read them while others still wait."""
    texts = ArmyList.texts(visit.event, one.lists)
    return tuple(texts[fingerprint] for fingerprint in one.lists if fingerprint in texts)


ACTION_RIGHTS = {
    "check_in": "check_in",
    "check_out": "check_in",
    "drop": "drop",
    "come_back": "come_back",
    "remove": "remove",
    "new_link": "new_link",
}


def _player_buttons(g: Gathering, one: Player, state: str) -> Iterator[parts.Button]:
    if g.status != OVER:
        yield from _coming_and_going(g, one, state)
    if not any(one.key in pairing.players for pairing in g.pairings.values()):
        yield parts.Button(f"remove {one.key}", _("Take off the list"), "danger")
    yield parts.Button(f"new_link {one.key}", _("New link (the old one stops)"), "quiet")


def _coming_and_going(g: Gathering, one: Player, state: str) -> Iterator[parts.Button]:
    if state == "away":
        yield parts.Button(f"check_in {one.key}", _("Check in"), "main", "check")
    if state == "here" and g.status == PLANNED:
        yield parts.Button(f"check_out {one.key}", _("Not here after all"))
    if state == "left":
        yield parts.Button(f"come_back {one.key}", _("Let them back in"))
    else:
        yield parts.Button(f"drop {one.key}", _("Let them leave"), "danger")


def _played_by(g: Gathering, one: Player) -> Iterator[str]:
    for pairing in sorted(g.pairings.values(), key=lambda p: p.round):
        if one.key not in pairing.players:
            continue
        rivals = _(", ").join(g.called(key) for key in pairing.rivals(one.key) if key in g.players)
        score = ":".join(str(pairing.results.get(key, {}).get("vp", "–")) for key in pairing.players)
        values = {"number": pairing.round, "table": pairing.table or 0, "rivals": rivals}
        if pairing.is_bye:
            yield _("Round %(number)s: no opponent") % values
        else:
            line = _("Round %(number)s, table %(table)s: against %(rivals)s") % values
            yield f"{line} ({score})" if pairing.results else line


def table(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """One table of a round: what is known of its result, and the forms to enter, correct or rule it."""
    hall = hall_of(visit.code)
    g = hall.state
    pairing = _known(g.pairings, about)
    found = g.rounds[str(pairing.round)]
    calls = hall.open_calls()
    row = halls.table(hall, pairing, is_called=pairing.key in calls)
    is_judge = visit.may("rule")
    must_rule = is_judge and (pairing.is_decided or pairing.state == "contested" or found.state == CLOSED)
    open_for = found.state == OPEN or (is_judge and found.state == CLOSED)
    buttons = []
    if open_for and not pairing.is_bye and (must_rule or not pairing.is_decided):
        verb = "rule" if must_rule else "enter"
        label = _("Rule this result") if must_rule else _("Enter the result")
        buttons = [parts.Button(f"{verb} {pairing.key}", label, "main", "check")]
        if is_judge and not must_rule:
            buttons.append(parts.Button(f"rule {pairing.key}", _("Rule against what stands")))
    page = parts.ResultPage(
        table=row,
        states=tuple(_claims(hall, pairing)),
        scores=tuple(results_form.fields_of(g, pairing, sent)) if buttons else (),
        rest=results_form.rest_of(g, pairing, sent, is_judge=is_judge) if buttons else None,
        buttons=tuple(buttons),
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


def _claims(hall: Hall, pairing: Pairing) -> Iterator[parts.ClaimRow]:
    """The judge's call, the recorded result, what each side says, and what the table itself shows."""
    g = hall.state
    if call := g.calls.get(str(hall.open_calls().get(pairing.key))):
        if call.question and call.player in g.players:
            yield parts.ClaimRow(_("%(name)s says") % {"name": g.called(call.player)}, call.question)
        if call.comes:
            yield parts.ClaimRow(_("Judge called"), _("%(name)s comes") % {"name": call.comes})
    if (more := pairing.extended // 60) > 0:
        added = ngettext("%(count)d minute added", "%(count)d minutes added", more) % {"count": more}
        yield parts.ClaimRow(_("More time for this table"), added)
    if pairing.results or pairing.how:
        yield parts.ClaimRow(_("Result"), words(results.in_words(g, Result.of(pairing))))
    for player, claim in pairing.claims.items():
        said = [words(results.in_words(g, Result(claim["scores"], claim["winner"], claim["how"])))]
        said += results_form.numbers_in_words(g, claim["scores"])
        yield parts.ClaimRow(_("%(name)s says") % {"name": g.called(player)}, " · ".join(said))
    live = hall.played.get(pairing.match or "")
    if live is not None and live.has_begun:
        points = zip(pairing.seats, pairing.players, strict=False)
        told = ", ".join(f"{isolated(g.called(key))} {live.points.get(seat, 0)}" for seat, key in points)
        yield parts.ClaimRow(_("The table shows"), told)


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
    found = event_log.entries_of(visit.event).select_related("undone_by").order_by("-version")
    shown = list(found if every else found[:AT_ONCE])
    more = view_models.Link(f"{_url(visit, 'log')}?all=1", _("Show all"))
    free: frozenset[int] = frozenset()
    if visit.may("undo") and shown:
        stands = undoing.not_undone(visit.event, None if every else AT_ONCE)
        free = frozenset(undoing.may_undo(gathering(visit.event), stands))
    rows_ = tuple(_log_row(entry, may_undo=entry.version in free) for entry in shown)
    return _("History"), {"rows": rows_, "more": more if len(shown) == AT_ONCE and not every else None}


def _log_row(entry: EventEntry, *, may_undo: bool) -> parts.LogRow:
    state = "undo" if entry.action == event_log.UNDO else "undone" if hasattr(entry, "undone_by") else ""
    button = parts.Button(f"undo {entry.version}", _("Undo"), "quiet", "undo") if may_undo else None
    lines = tuple(words(line) for line in event_log.lines_of(entry))
    return parts.LogRow(entry.author, instant(entry.created_at), lines, state, button)


KnownT = TypeVar("KnownT")


def _known(pieces: Mapping[str, KnownT], key: str) -> KnownT:
    if key not in pieces:
        raise RequestRefused(say(noop("This event has no such player or table.")), 404, "unknown")
    return pieces[key]


# --- shared ----------------------------------------------------------------------------------------


def _personal(request: HttpRequest, visit: Visit, one: Player) -> str:
    """A player's own link, as another device can open it."""
    row = PlayerRow.objects.filter(event=visit.event, key=one.key).first()
    if row is None:
        return ""
    row.event = visit.event
    return address_for_others(request, reverse("event-me", args=[visit.code, access.secret(row)]))


def _url(visit: Visit, name: str) -> str:
    return reverse(f"organise-{name}", args=[visit.code])
