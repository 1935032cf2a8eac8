"""The organisers' pages: what is next, players, pairings, results, helpers, the log; and the forms on them.

Every form posts to one address and says what it wants ("do") and which page it is on ("at"). A refusal
comes back on that page as a sentence, with everything that was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import translation, view_models
from games.core.validation import Unreadable
from games.hall.organiser import (
    altered,
    organisers_pages,
    pages,
    pairings_page,
    players_pages,
    regions,
    removing_page,
)
from games.hall.organiser.access import Visit, at_event, helper_of, organiser_of
from games.hall.organiser.actions import do as carry_out
from games.match.play import new_key
from games.match.verdict import RequestRefused
from games.pages.common import without_referrer
from games.pages.watching.watch import activate_language
from games.translation import words
from games.view_models import organiser as parts
from games.web import limits, network
from games.web.program import is_from_elsewhere, is_outdated


@dataclass(frozen=True)
class Shown:
    """What a page is shown with besides the event: a sentence, and what had been typed."""

    notice: view_models.Notice | None = None
    sent: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


Make = Callable[[HttpRequest, Visit, str, Mapping[str, Any]], tuple[str, dict[str, Any]]]

PAGES: dict[str, Make] = {
    "": pages.overview,
    "players": players_pages.players,
    "player": players_pages.player,
    "table": pages.table,
    "pairings": pairings_page.pairings,
    "log": pages.log,
    "import": organisers_pages.importing,
    "removing": removing_page.removing,
    "settings": organisers_pages.settings,
    "helpers": organisers_pages.helpers,
    "slips": organisers_pages.slips,
    "altered": altered.altered,
}
"""What makes each page's title and values; its template has the page's name."""

ORGANISERS = frozenset({"import", "removing", "settings", "helpers", "slips", "altered"})
"""Pages with links that open other people's places, or with what only organisers may change."""

BRINGS_LISTS = (["hand_in"], ["import"])
"""How forms ask that bring an army list, or a list of players."""

NAMES = {"": "organise", **{name: f"organise-{name}" for name in PAGES if name}}


@require_safe
@without_referrer
@at_event
def page(request: HttpRequest, code: str, name: str, about: str = "") -> HttpResponse:
    """One of the organisers' pages."""
    visit = organiser_of(request, code) if name in ORGANISERS else helper_of(request, code)
    return _show(request, visit, name, about, Shown(sent=request.GET))


@require_POST
@limits.limited(limits.TAPS, network.device_at_table)
@at_event
def do(request: HttpRequest, code: str) -> HttpResponse:
    """Do what a form on these pages asks for, once for each key."""
    visit = helper_of(request, code)
    if request.POST.get("do", "").split()[:1] in BRINGS_LISTS and (refusal := _too_soon(request)):
        return refusal
    name, _space, about = request.POST.get("at", "").partition(" ")
    if not _is_page(visit, name, about) or (name in ORGANISERS and not visit.may("change")):
        name, about = "", ""
    try:
        carry_out(request, visit)
    except (RequestRefused, Unreadable) as wrong:
        if wrong.status == 403:
            raise
        notice = view_models.Notice(words(wrong.line), "bad")
        visit = helper_of(request, code)
        return _show(request, visit, name, about, Shown(notice, request.POST, wrong.status))
    return HttpResponseRedirect(_after(request, visit, name, about))


@require_POST
@limits.limited(limits.TAPS, network.device_at_table)
@at_event
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """A player list as it would be read; nothing is entered."""
    return _too_soon(request) or _show(
        request, organiser_of(request, code), "import", "", Shown(sent=request.POST)
    )


@require_POST
@limits.limited(limits.TAPS, network.device_at_table)
@at_event
def picked(request: HttpRequest, code: str) -> HttpResponse:
    """Players who were picked to be taken off the list, once more by name; nobody is taken off yet."""
    return _show(request, organiser_of(request, code), "removing", "", Shown(sent=request.POST))


def _too_soon(request: HttpRequest) -> HttpResponse | None:
    return limits.list_too_soon(request, network.device_at_table(request))


def _is_page(visit: Visit, name: str, about: str) -> bool:
    try:
        return name in PAGES and bool(_address(visit, name, about))
    except NoReverseMatch:
        return False


def _address(visit: Visit, name: str, about: str) -> str:
    return reverse(NAMES[name], args=[visit.code, *([about] if about else [])])


def _after(request: HttpRequest, visit: Visit, name: str, about: str) -> str:
    """Where a form leads once it is done: its own page, or the one before it if that is over."""
    verb, *rest = request.POST["do"].split()
    if verb in ("enter", "rule", "open_round", "call_off", "settings", "restore", "keep"):
        name, about = "", ""
    if verb in ("import", "remove", "remove_picked"):
        name, about = "players", ""
    url = _address(visit, name, about)
    # The list stays where it was: checking in many people must not jump back to the top each time.
    following = rest[1] if (verb, name) == ("check_in", "players") and len(rest) > 1 else ""
    return f"{url}#{following}" if following.isalnum() else url


def _show(request: HttpRequest, visit: Visit, name: str, about: str, shown: Shown) -> HttpResponse:
    title, values = PAGES[name](request, visit, about, shown.sent)
    frame = parts.OrganiserFrame(
        event=visit.event.name,
        code=visit.code,
        title=title,
        sender=parts.Sender(reverse("organise-do", args=[visit.code]), new_key(), f"{name} {about}".strip()),
        back=_back(visit, name),
        notice=shown.notice,
        feed=None if name else regions.feed(visit, "organiser"),
    )
    template = f"hall/organiser/{name or 'overview'}.html"
    return render(request, template, {"frame": frame, **values}, status=shown.status)


def _back(visit: Visit, name: str) -> view_models.Link | None:
    if not name:
        return None
    if name in ("player", "import", "removing", "slips"):
        return view_models.Link(reverse("organise-players", args=[visit.code]), _("Player list"))
    return view_models.Link(reverse("organise", args=[visit.code]), visit.event.name)


# --- the wall, and what changes by itself ----------------------------------------------------------


@require_safe
@at_event
def wall(request: HttpRequest, code: str) -> HttpResponse:
    """Every table of the round on one screen."""
    visit = helper_of(request, code)
    frame = parts.OrganiserFrame(
        event=visit.event.name,
        code=visit.code,
        title=_("Wall"),
        sender=parts.Sender("", "", ""),
        back=view_models.Link(reverse("organise", args=[visit.code]), visit.event.name),
        notice=None,
        feed=regions.feed(visit, "wall"),
    )
    return render(
        request, "hall/organiser/wall.html", {"frame": frame, "region": regions.html(visit, "wall")}
    )


@require_safe
@at_event
def news(request: HttpRequest, code: str) -> HttpResponse:
    """The region of a page (`view`): 204 while its version (`seen`) is current, 410 for another program."""
    activate_language(request)
    visit = helper_of(request, code)
    translation.activate_game(visit.event.system)
    seen, version = request.GET.get("seen", ""), regions.version_of(visit)
    if is_outdated(request) or is_from_elsewhere(request, version):
        return HttpResponse(status=410)
    if seen == str(version):
        return HttpResponse(status=204)
    return HttpResponse(regions.html(visit, _view(request)))


@require_safe
@at_event
def stream(request: HttpRequest, code: str) -> HttpResponse:
    """A fresh address of such a page's stream."""
    activate_language(request)
    visit = helper_of(request, code)
    if is_outdated(request):
        return HttpResponse(status=410)
    return JsonResponse({"url": regions.stream_url(visit, _view(request))})


def _view(request: HttpRequest) -> str:
    wanted = request.GET.get("view", "")
    return wanted if wanted in regions.VIEWS else "organiser"
