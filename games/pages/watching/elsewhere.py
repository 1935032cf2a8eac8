"""A table or an event shown elsewhere: over the picture of a stream, or in a frame on another page.

An overlay and a frame show what the watchers' pages show, at the same moment. They need no cookie, set none,
and hold nothing that acts: a visitor tricked into clicking in a frame can only open one of our pages in a
window of its own. Any address gives an overlay or a frame: a value that cannot be used is replaced by the
usual one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from html import escape
from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import view_models
from games.core import ViewModel
from games.hall.pages import event_screens
from games.hall.pages.event_forms import event_of
from games.hall.pages.event_forms import refusing as refusing_at_event
from games.pages.common import back_to, match_of, refusing
from games.pages.watching import watch
from games.pages.watching.screens import untouched
from games.pages.watching.watch import feed, table_for_watchers
from games.translation import gettext as _
from games.translation import leave_game
from games.web import address_for_others, one_moment

LINE, AROUND, OF_EVENT = 44, 96, 520
"""Heights of frames in pixels: of one side, of everything around the sides, and of an event."""


class OverlayPage(ViewModel):
    """An overlay around a `Watched`: where its panel is, its shape, and which parts are `hidden`."""

    title: str
    feed: view_models.Feed
    style_url: str
    place: str
    shape: str
    hidden: tuple[str, ...] = ()


class EmbedPage(ViewModel):
    """A frame on another page. `style` holds the CSS classes of its look, `way` leads to the rest."""

    title: str
    feed: view_models.Feed
    style: str
    way: view_models.Link


class Parameter(ViewModel):
    """Something that may be added to an address: its name, the values that it takes, and what it changes."""

    name: str
    values: str
    meaning: str


class SharedLink(ViewModel):
    """An address or a piece of HTML to copy, with a sentence on how to use it; `key` is unique here."""

    key: str
    title: str
    help: str
    text: str
    parameters: tuple[Parameter, ...]


class SharedLinks(ViewModel):
    """`watching/shared_links.html`: everywhere that a table or an event can be shown."""

    back: view_models.Link
    links: tuple[SharedLink, ...]


@require_safe
@refusing
def table_addresses(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses of a table: television, overlay of a stream, frame on a web page."""
    match = match_of(code)
    # A frame's size is no model's: this page is in no game's words.
    leave_game()
    height = AROUND + LINE * match.armies.count()
    links = (
        _television(request, reverse("tv", args=[match.code])),
        _overlay(request, reverse("overlay", args=[match.code]), PARTS),
        _frame(request, reverse("embed", args=[match.code]), match.code, height, _of_frames()),
    )
    return _addresses(request, back_to(match), links)


@require_safe
@refusing_at_event
def event_addresses(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses of an event: television, overlay of a stream, frame on a web page."""
    event = event_of(code)
    leave_game()
    shown = Parameter("show", ", ".join(SHOWN), _("what is shown"))
    table = Parameter("table", "1–999", _("follow this table from the first round to the last"))
    path = reverse("event-embed", args=[event.code])
    links = (
        _television(
            request,
            reverse("event-tv", args=[event.code]),
            Parameter("part", "1/2, 2/2", _("on several screens: which part of the lists this one shows")),
            table,
            Parameter("turn", "3–600", _("seconds for each sheet")),
        ),
        _overlay(
            request,
            reverse("event-overlay", args=[event.code]),
            OverlayStyle.parts,
            table,
        ),
        _frame(request, path, event.name, OF_EVENT, (shown, *_of_frames())),
    )
    return _addresses(
        request, view_models.Link(reverse("event", args=[event.code]), _("Back to the event")), links
    )


def _addresses(request: HttpRequest, back: view_models.Link, links: tuple[SharedLink, ...]) -> HttpResponse:
    return render(request, "watching/shared_links.html", {"page": SharedLinks(back, links)})


def _television(request: HttpRequest, path: str, *parameters: Parameter) -> SharedLink:
    return SharedLink(
        "television",
        _("TV display"),
        _("Open this address in the TV’s browser, or on a computer connected to it."),
        address_for_others(request, path),
        (*parameters, _language()),
    )


def _overlay(request: HttpRequest, path: str, parts: tuple[str, ...], *parameters: Parameter) -> SharedLink:
    return SharedLink(
        "overlay",
        _("In a stream"),
        _(
            "Add a browser source of 1920 × 1080 to your streaming program and give it this address. "
            "The overlay is transparent and updates itself."
        ),
        address_for_others(request, path),
        (
            *parameters,
            Parameter("place", ", ".join(PLACES), _("place in the picture")),
            Parameter("shape", ", ".join(SHAPES), _("side by side, or one below the other")),
            Parameter("size", f"{LEAST_SIZE}–{LARGEST_SIZE}", _("size in percent")),
            Parameter("edge", f"0–{LARGEST_EDGE}", _("distance from the edge in percent")),
            Parameter("veil", "0–100", _("opacity of the background in percent")),
            Parameter("show", ",".join(parts), _("what else is shown")),
            Parameter("ground, ink, seat1 … seat6", GROUND, _("colours, six digits each")),
            _language(),
        ),
    )


def _frame(
    request: HttpRequest, path: str, title: str, height: int, parameters: tuple[Parameter, ...]
) -> SharedLink:
    source = escape(address_for_others(request, path))
    return SharedLink(
        "frame",
        _("Embed on a website"),
        _("Paste this into your club’s website. It updates itself and uses no cookies."),
        f'<iframe src="{source}" title="{escape(title)}" width="100%" height="{height}" '
        'style="border: 0" loading="lazy"></iframe>',
        parameters,
    )


def _of_frames() -> tuple[Parameter, ...]:
    return (
        Parameter("theme", ", ".join(THEMES), _("colours")),
        Parameter("size", ", ".join(SIZES), _("size of the letters")),
        _language(),
    )


def _language() -> Parameter:
    return Parameter("lang", ", ".join(code for code, _name in settings.LANGUAGES), _("language"))


# --- over the picture of a stream -----------------------------------------------------------------


@require_safe
@untouched
def overlay(request: HttpRequest, code: str) -> HttpResponse:
    """The score over the picture of a stream; the address says how it looks."""
    match = match_of(code)
    with one_moment():
        shown = watch.watched(table_for_watchers(match_of(match.code)))
    return _overlaid(request, shown, feed(match, "overlay"), PARTS)


@require_safe
@untouched
def event_overlay(request: HttpRequest, code: str) -> HttpResponse:
    """The same for a `table` of an event, whatever is played there, from the first round to the last."""
    event = event_of(code)
    table = event_screens.table_asked(request) or event.first_table
    with one_moment():
        shown = event_screens.at_table(event_of(code), table)
    return _overlaid(
        request, shown, event_screens.feed(event, event_screens.OVERLAY, str(table)), OverlayStyle.parts
    )


def _overlaid(
    request: HttpRequest, shown: watch.Watched, news: view_models.Feed, parts: tuple[str, ...]
) -> HttpResponse:
    look = read_style(request.GET.dict())
    page = OverlayPage(
        title=shown.title,
        feed=news,
        style_url=f"{reverse('overlay-look')}?{urlencode(look.query())}",
        place=look.place,
        shape=look.shape,
        hidden=tuple(part for part in parts if part not in look.parts),
    )
    return render(request, "watching/overlay.html", {"page": page, "watched": shown})


@require_safe
def overlay_css(request: HttpRequest) -> HttpResponse:
    """An overlay's sizes and colours as a style sheet, because a page may carry no styles of its own."""
    look = read_style(request.GET.dict())
    return HttpResponse(style_sheet(look), content_type="text/css; charset=utf-8")


PLACES = (
    "top-left", "top", "top-right",
    "left", "right",
    "bottom-left", "bottom", "bottom-right",
)  # fmt: skip
SHAPES = ("row", "column")
PARTS = ("names", "round", "turn", "clock", "track")
OF_EVENTS = ("event", "records")
"""What an overlay that follows a table of an event shows besides."""
COLOUR = re.compile(r"#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})")
LARGEST_SIZE, LEAST_SIZE, LARGEST_EDGE = 300, 50, 20
GROUND, INK = "121518", "f4f1e9"
MOST_SEATS = 6
IN_SHEET = ("size", "edge", "veil", "ground", "ink")
"""The fields that the style sheet needs, beside the colours of the seats."""


@dataclass(frozen=True)
class OverlayStyle:
    """How an overlay looks, each field as the address says it.

    `size` is in percent; `edge` is the distance from the edge of the picture, in percent of its width;
    `veil` is how opaque the ground is, in percent. Colours are six hexadecimal digits; "" is the seat's own.
    """

    place: str = "bottom"
    shape: str = "row"
    size: int = 100
    edge: int = 2
    veil: int = 85
    ground: str = GROUND
    ink: str = INK
    seats: tuple[str, ...] = ("",) * MOST_SEATS
    parts: tuple[str, ...] = (*PARTS, *OF_EVENTS)

    def query(self) -> dict[str, str]:
        usual = OverlayStyle()
        values = {
            name: str(getattr(self, name)) for name in IN_SHEET if getattr(self, name) != getattr(usual, name)
        }
        return values | {f"seat{number}": colour for number, colour in enumerate(self.seats, 1) if colour}


def read_style(query: Mapping[str, str]) -> OverlayStyle:
    return OverlayStyle(
        _choice(query, "place", PLACES, OverlayStyle.place),
        _choice(query, "shape", SHAPES, OverlayStyle.shape),
        _number(query, "size", range(LEAST_SIZE, LARGEST_SIZE + 1), OverlayStyle.size),
        _number(query, "edge", range(LARGEST_EDGE + 1), OverlayStyle.edge),
        _number(query, "veil", range(101), OverlayStyle.veil),
        _colour(query, "ground", GROUND),
        _colour(query, "ink", INK),
        tuple(_colour(query, f"seat{number}", "") for number in range(1, MOST_SEATS + 1)),
        _parts(query),
    )


def _choice(query: Mapping[str, str], name: str, choices: tuple[str, ...], usual: str) -> str:
    value = query.get(name, "").strip().lower()
    return value if value in choices else usual


def _number(query: Mapping[str, str], name: str, allowed: range, usual: int) -> int:
    value = query.get(name, "").strip()
    is_number = re.fullmatch(r"\d{1,4}", value, re.ASCII)
    return int(value) if is_number and int(value) in allowed else usual


def _colour(query: Mapping[str, str], name: str, usual: str) -> str:
    match = COLOUR.fullmatch(query.get(name, "").strip())
    if match is None:
        return usual
    digits = match[1].lower()
    return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)


def _parts(query: Mapping[str, str]) -> tuple[str, ...]:
    if "show" not in query:
        return OverlayStyle.parts
    names = {part.strip().lower() for part in query["show"].split(",")}
    return tuple(part for part in OverlayStyle.parts if part in names)


def style_sheet(look: OverlayStyle) -> str:
    """The look as a style sheet: only numbers and hexadecimal digits from the address get into it."""
    rules = [f"--size: {look.size / 100:g}", f"--edge: {look.edge}vw", f"--veil: {look.veil}%"]
    rules += [f"--ground: #{look.ground}", f"--ink: #{look.ink}"]
    seats = [
        f".overlay :is(.s{number}, .s{number + 2}) {{ --seat: #{colour}; --fill: #{colour} }}"
        for number, colour in enumerate(look.seats, 1)
        if colour
    ]
    return "\n".join((f".overlay {{ {'; '.join(rules)} }}", *seats, ""))


THEMES = ("auto", "light", "dark")
SIZES = ("medium", "small", "large")
SHOWN = ("all", "pairings", "standings")
View = Callable[..., Any]


@dataclass(frozen=True)
class EmbedStyle:
    """How a frame looks, as its address says; values that cannot be used count as not given."""

    theme: str = "auto"
    size: str = "medium"
    show: str = "all"
    lang: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> EmbedStyle:
        allowed = {"theme": THEMES, "size": SIZES, "show": SHOWN, "lang": tuple(dict(settings.LANGUAGES))}
        return cls(**{name: query[name] for name, values in allowed.items() if query.get(name) in values})

    @property
    def style(self) -> str:
        return f"{self.theme} {self.size} only-{self.show}"


def framed(view: View) -> View:
    """Let any page show this one in a frame, including its refusals."""

    @wraps(view)
    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    def open_to_frames(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs)

    return open_to_frames


@require_safe
@framed
@untouched
def table_frame(request: HttpRequest, code: str) -> HttpResponse:
    """The score of a table."""
    match = match_of(code)
    with one_moment():
        shown = watch.watched(table_for_watchers(match_of(match.code)))
    look = EmbedStyle.of(request.GET.dict())
    way = view_models.Link(address_for_others(request, shown.url), _("Watch on Roundtable"))
    page = EmbedPage(shown.title, feed(match, "overlay"), look.style, way)
    return render(request, "watching/embed.html", {"page": page, "watched": shown})


@require_safe
@framed
@untouched
def event_frame(request: HttpRequest, code: str) -> HttpResponse:
    """The pairings and standings of an event."""
    event = event_of(code)
    with one_moment():
        event = event_of(code)
        shown = event_screens.hall_of(event, is_frame=True)
    look = EmbedStyle.of(request.GET.dict())
    there = address_for_others(request, reverse("event", args=[event.code]))
    way = view_models.Link(there, _("Open on Roundtable"))
    page = EmbedPage(event.name, event_screens.feed(event, event_screens.FRAME), look.style, way)
    return render(request, "hall/embed.html", {"page": page, "hall": shown})
