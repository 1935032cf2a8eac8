"""An overlay over the picture of a stream, and the page that builds its address."""

from __future__ import annotations

from urllib.parse import urlencode

from csp.constants import SELF
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games import view_models
from games.models import Match
from games.views.access import back_to, match_of, refusing
from games.views.watching import overlay_style, watched
from games.views.watching.late import table_for_watchers
from games.views.watching.screens import untouched
from games.views.watching.watch import feed
from games.web.database import one_moment
from games.web.network import address_for_others


@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [SELF]})
@untouched
def overlay(request: HttpRequest, code: str) -> HttpResponse:
    """The score over the picture of a stream; the address says how it looks."""
    match = match_of(code)
    look, _faults = overlay_style.read(query_of(request))
    with one_moment():
        shown = watched.watched(table_for_watchers(match_of(match.code)))
    page = view_models.OverlayPage(
        title=shown.title,
        feed=feed(match, "overlay"),
        style_url=f"{reverse('overlay-look')}?{urlencode(look.query())}",
        place=look.place,
        shape=look.shape,
        hidden=tuple(part for part in overlay_style.PARTS if part not in look.parts),
    )
    return render(request, "watching/overlay.html", {"page": page, "watched": shown})


@require_safe
def look_css(request: HttpRequest) -> HttpResponse:
    """An overlay's sizes and colours as a style sheet, because a page may carry no styles of its own."""
    look, _faults = overlay_style.read(query_of(request))
    return HttpResponse(overlay_style.style(look), content_type="text/css; charset=utf-8")


@require_safe
@csp_replace({"frame-src": [SELF]})
@refusing
def help_page(request: HttpRequest, code: str) -> HttpResponse:
    """A form that builds the address of an overlay and shows it over a picture."""
    match = match_of(code)
    look, faults = overlay_style.read(query_of(request))
    wanted = request.GET.get("lang", "")
    language = wanted if wanted in dict(settings.LANGUAGES) else ""
    query = urlencode(look.query(language))
    path = reverse("overlay", args=[match.code]) + (f"?{query}" if query else "")
    page = view_models.OverlayHelp(
        back=back_to(match),
        post_url=reverse("overlay-help", args=[match.code]),
        address=address_for_others(request, path),
        preview_url=path,
        choices=(
            choice("place", _("Place in the picture"), _places(), look.place),
            choice("shape", _("Arrangement"), _shapes(), look.shape),
            choice("lang", _("Language"), languages(), language),
        ),
        parts=tuple(view_models.Option(key, label, key in look.parts) for key, label in _parts().items()),
        numbers=tuple(_numbers(look)),
        colours=tuple(_colours(match, look)),
        faults=faults,
    )
    return render(request, "watching/overlay_help.html", {"page": page})


def query_of(request: HttpRequest) -> dict[str, str]:
    """What the address says; the parts to show may be listed one by one, as a form sends them."""
    values = {name: str(value) for name, value in request.GET.items()}
    if "show" in values:
        values["show"] = ",".join(request.GET.getlist("show"))
    return values


def choice(name: str, label: str, labels: dict[str, str], chosen: str) -> view_models.BuilderChoice:
    """One choice on a page that builds an address: the values with their labels, and the chosen one."""
    options = tuple(view_models.Option(key, text, key == chosen) for key, text in labels.items())
    return view_models.BuilderChoice(name, label, options)


def _shapes() -> dict[str, str]:
    return {"row": _("Side by side"), "column": _("One below the other")}


def languages() -> dict[str, str]:
    """The languages that an address may ask for."""
    return {"": _("The browser’s"), **dict(settings.LANGUAGES)}


def _places() -> dict[str, str]:
    return {
        "top-left": _("Top left"),
        "top": _("Top"),
        "top-right": _("Top right"),
        "left": _("Left"),
        "right": _("Right"),
        "bottom-left": _("Bottom left"),
        "bottom": _("Bottom"),
        "bottom-right": _("Bottom right"),
    }


def _parts() -> dict[str, str]:
    return {
        "names": _("Names"),
        "round": _("Round"),
        "track": _("Round track"),
        "turn": _("Who acts"),
        "clock": _("Clock"),
    }


def _numbers(look: overlay_style.OverlayStyle) -> list[view_models.NumberField]:
    number = view_models.NumberField
    return [
        number(
            "size", _("Size in percent"), look.size, overlay_style.LEAST_SIZE, overlay_style.LARGEST_SIZE, 5
        ),
        number("edge", _("Distance from the edge in percent"), look.edge, 0, overlay_style.LARGEST_EDGE),
        number("veil", _("Opacity of the background in percent"), look.veil, 0, 100, 5),
    ]


def _colours(match: Match, look: overlay_style.OverlayStyle) -> list[view_models.ColourField]:
    page = table_for_watchers(match).page
    found = [
        view_models.ColourField("ground", _("Ground"), f"#{look.ground}"),
        view_models.ColourField("ink", _("Words"), f"#{look.ink}"),
    ]
    for seat, mark in page.marks.items():
        found.append(view_models.ColourField(f"seat{mark}", page.name(seat), f"#{look.seats[mark - 1]}"))
    return found
