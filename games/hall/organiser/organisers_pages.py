"""The pages for organisers alone: a list of players, settings, helpers with links, slips to print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import view_models
from games.core.validation import Unreadable, name_key
from games.hall import access, storage
from games.hall import importing as importer
from games.hall.models import Helper, Player
from games.hall.organiser import actions, settings_form
from games.hall.organiser.access import Visit
from games.hall.organiser.pages import Made
from games.hall.roles import JUDGE, ORGANISER, SCOREKEEPER
from games.translation import words
from games.view_models import Option
from games.view_models import organiser as parts
from games.web.network import address_for_others, picture_of

INVITED = (JUDGE, SCOREKEEPER, ORGANISER)
"""The roles of helpers, as they are offered."""


def importing(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """A player list as it is read: each wrong line with its number; entered as a whole or not at all."""
    text, found, wrong = sent.get("text", ""), importer.ReadTable(), ""
    if request.method == "POST":
        try:
            text = actions.list_of(request)
            found = importer.read(text, storage.load(visit.event).state)
        except Unreadable as unreadable:
            wrong = words(unreadable.line)
    page = parts.ImportPage(
        text=text,
        players=tuple(enumerate(found.players, 1)),
        wrong=_wrong(text.splitlines(), found),
        counted=wrong or _counted(found),
        button=parts.Button("import", _entering(len(found.players)), "main", "check")
        if found.players
        else None,
        url=reverse("organise-preview", args=[visit.code]),
    )
    return _("Paste a list"), {"page": page}


def _wrong(lines: list[str], found: importer.ReadTable) -> tuple[parts.WrongLine, ...]:
    said = ((number, "".join(lines[number - 1 : number])[:200], words(line)) for number, line in found.wrong)
    return tuple(parts.WrongLine(*one) for one in said)


def _counted(found: importer.ReadTable) -> str:
    if not found.wrong:
        return ""
    if found.has_more:
        line = _("More than %(count)s lines cannot be entered. Correct these, and look once more.")
        return line % {"count": len(found.wrong)}
    line = ngettext(
        "%(count)s line cannot be entered. Correct it, and look once more.",
        "%(count)s lines cannot be entered. Correct them, and look once more.",
        len(found.wrong),
    )
    return line % {"count": len(found.wrong)}


def _entering(count: int) -> str:
    return ngettext("Enter %(count)s player", "Enter %(count)s players", count) % {"count": count}


def settings(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The settings that can still change."""
    g = storage.load(visit.event).state
    shown = settings_form.groups(g)
    values = {
        "name": sent.get("name", g.name),
        "groups": settings_form.refilled(shown, request.POST) if request.method == "POST" else shown,
        "flags": settings_form.flags(shown),
        # A form that was refused still says how it was filled at first.
        "shown": sent.get("shown") or settings_form.shown(shown, g.name),
    }
    return _("Settings"), values


def helpers(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """The helpers, each with the link that makes a phone theirs, and the form that invites another."""
    rows = tuple(_helper(request, visit, one) for one in Helper.objects.filter(event=visit.event))
    may = _(
        "A judge corrects and rules, but deletes nothing. A scorekeeper enters results and checks players "
        "in. An organiser may do everything."
    )
    options = tuple(Option(role, capfirst(_(role)), role == sent.get("role")) for role in INVITED)
    fields = (
        parts.Field("name", _("Helper’s name"), value=sent.get("name", ""), most=40),
        parts.Field("role", _("Role"), "select", options=options, help=may),
    )
    page = parts.HelpersPage(rows, parts.FieldGroup(_("Invite somebody"), fields))
    return _("Helpers"), {"page": page}


def _helper(request: HttpRequest, visit: Visit, one: Helper) -> parts.HelperRow:
    one.event = visit.event
    link = address_for_others(request, reverse("helper-link", args=[visit.code, access.secret(one)]))
    is_mine = visit.holder is not None and access.name_of(visit.holder) == access.name_of(one)
    button = None if is_mine else parts.Button(f"dismiss {one.pk}", _("Remove this helper"), "danger")
    return parts.HelperRow(
        name=one.name, role=_(one.role), link=link, qr=picture_of(link), button=button, mine=is_mine
    )


def slips(request: HttpRequest, visit: Visit, about: str, sent: Mapping[str, Any]) -> Made:
    """A paper slip for every player, with the QR code of their own link."""
    found = []
    for row in Player.objects.filter(event=visit.event):
        row.event = visit.event
        link = address_for_others(request, reverse("event-me", args=[visit.code, access.secret(row)]))
        found.append(parts.SlipRow(row.name, row.club, picture_of(link)))
    found.sort(key=lambda one: name_key(one.name))
    back = view_models.Link(reverse("organise-players", args=[visit.code]), _("Player list"))
    return _("QR codes of the players"), {"rows": tuple(found), "back": back, "event": visit.event.name}
