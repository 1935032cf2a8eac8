"""The page that lists where a table or an event can be shown elsewhere: addresses and their parameters."""

from __future__ import annotations

from html import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.hall.pages.event_forms import event_of
from games.hall.pages.event_forms import refusing as refusing_at_event
from games.pages.access import back_to, match_of, refusing
from games.pages.watching import embeds, overlay_style
from games.translation import activate_spaced
from games.view_models import Link, Parameter, SharedLink, SharedLinks
from games.web.network import address_for_others

LINE, AROUND, OF_EVENT = 44, 96, 520
"""Heights of frames in pixels: of one side, of everything around the sides, and of an event."""


@require_safe
@refusing
def of_table(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses of a table: television, overlay of a stream, frame on a web page."""
    # A frame's size is no model's: this page is in no game's words.
    activate_spaced()
    match = match_of(code)
    height = AROUND + LINE * match.armies.count()
    links = (
        _television(request, reverse("tv", args=[match.code])),
        _overlay(request, reverse("overlay", args=[match.code])),
        _frame(request, reverse("embed", args=[match.code]), match.code, height, _of_frames()),
    )
    return _page(request, back_to(match), links)


@require_safe
@refusing_at_event
def of_event(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses of an event: television, frame on a web page."""
    activate_spaced()
    event = event_of(code)
    shown = Parameter("show", ", ".join(embeds.SHOWN), _("what is shown"))
    path = reverse("event-embed", args=[event.code])
    links = (
        _television(request, reverse("event-tv", args=[event.code])),
        _frame(request, path, event.name, OF_EVENT, (shown, *_of_frames())),
    )
    return _page(request, Link(reverse("event", args=[event.code]), _("Back to the event")), links)


def _page(request: HttpRequest, back: Link, links: tuple[SharedLink, ...]) -> HttpResponse:
    return render(request, "watching/shared_links.html", {"page": SharedLinks(back, links)})


def _television(request: HttpRequest, path: str) -> SharedLink:
    return SharedLink(
        "television",
        _("On a television"),
        _("Open this address in the browser of the television, or of a computer beside it."),
        address_for_others(request, path),
        (_language(),),
    )


def _overlay(request: HttpRequest, path: str) -> SharedLink:
    return SharedLink(
        "overlay",
        _("In a stream"),
        _(
            "Add a browser source of 1920 × 1080 to your streaming program and give it this address. "
            "The overlay is transparent and keeps itself up to date."
        ),
        address_for_others(request, path),
        (
            Parameter("place", ", ".join(overlay_style.PLACES), _("place in the picture")),
            Parameter("shape", ", ".join(overlay_style.SHAPES), _("side by side, or one below the other")),
            Parameter(
                "size", f"{overlay_style.LEAST_SIZE}–{overlay_style.LARGEST_SIZE}", _("size in percent")
            ),
            Parameter("edge", f"0–{overlay_style.LARGEST_EDGE}", _("distance from the edge in percent")),
            Parameter("veil", "0–100", _("opacity of the background in percent")),
            Parameter("show", ",".join(overlay_style.PARTS), _("what is shown beside the score")),
            Parameter("ground, ink, seat1 … seat6", overlay_style.GROUND, _("colours, six digits each")),
            _language(),
        ),
    )


def _frame(
    request: HttpRequest, path: str, title: str, height: int, parameters: tuple[Parameter, ...]
) -> SharedLink:
    source = escape(address_for_others(request, path))
    return SharedLink(
        "frame",
        _("On a web page"),
        _("Copy this into the page of your club. It keeps itself up to date and needs no cookie."),
        f'<iframe src="{source}" title="{escape(title)}" width="100%" height="{height}" '
        'style="border: 0" loading="lazy"></iframe>',
        parameters,
    )


def _of_frames() -> tuple[Parameter, ...]:
    return (
        Parameter("theme", ", ".join(embeds.THEMES), _("colours")),
        Parameter("size", ", ".join(embeds.SIZES), _("size of the letters")),
        _language(),
    )


def _language() -> Parameter:
    return Parameter("lang", ", ".join(code for code, _name in settings.LANGUAGES), _("language"))
