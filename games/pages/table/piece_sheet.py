"""The sheet of one piece: everything about it that may be corrected."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import catalogue, core, view_models
from games.core import Offer, RequestRefused, State, ViewModel, piece_at, say
from games.core import gettext_noop as noop
from games.live.hub import Audience
from games.models import Match
from games.pages.common import audience, forms_of, match_of, refusing
from games.pages.table.loaded import Table
from games.people import seats
from games.people.seats import Phone
from games.templating import part
from games.translation import gettext as _
from games.translation import words
from games.web import one_moment, wants_fragment


class Change(ViewModel):
    """One button of a sheet; `change` is posted under that name. `on` is a switch's state, else None.

    Without a `change` it is no button: the choice that holds now.
    """

    change: str
    label: str
    on: bool | None = None
    tone: str = ""


class Counter(ViewModel):
    """A number with its buttons, smallest step nearest to it: lower (−3, −1), then higher (+1, +3).

    `exact` is the change for "set to", typed as a number from `low` to `high`; "" for none.
    """

    label: str
    value: str
    lower: tuple[Change, ...] = ()
    higher: tuple[Change, ...] = ()
    exact: str = ""
    low: int = 0
    high: int = 99


class SheetPart(ViewModel):
    """A section of a sheet: counters, switches, or one choice among many; `folded` if rarely wanted."""

    title: str
    counters: tuple[Counter, ...] = ()
    changes: tuple[Change, ...] = ()
    folded: bool = False


class Sheet(ViewModel):
    """Everything that may be corrected about one unit, objective or army.

    `key` ("unit/wolves") goes with every change, so that the answer can include the fresh sheet.
    """

    key: str
    title: str
    back_url: str
    mark: int = 0
    parts: tuple[SheetPart, ...] = ()
    reasons: tuple[str, ...] = ()
    notice: view_models.Notice | None = None
    profile: view_models.Profile | None = None


SHORT_RANGE = 12
"""An amount that belongs to no counter on show gets one button for each value, up to this many."""
STEPS = (1, 3, 5)
"""The steps of the buttons beside a counter, nearest first."""
REASONS = (
    noop("Agreed at the table"),
    noop("Counted again"),
    noop("Missed effect"),
    noop("Judge's ruling"),
)


@require_safe
@refusing
def piece(request: HttpRequest, code: str, path: str) -> HttpResponse:
    """The sheet, as a page of its own or in the dialog over the table; spectators see only printed values."""
    phone = seats.phone(request, match_of(code).code)
    with one_moment():
        return _sheet(request, match_of(code), phone, path)


def _sheet(request: HttpRequest, match: Match, phone: Phone, path: str) -> HttpResponse:
    found, reader = Table(match), audience(request, phone)
    is_played = bool(phone.seats) and match.result is None
    sheet = None if is_played else read_only(found, path)
    if sheet is None and phone.seats:
        sheet = sheet_of(found, path, reader)
    if sheet is None:
        phone.seat()
        raise RequestRefused(say(noop("There is no such piece at this table.")), 404, "unknown")
    if wants_fragment(request):
        return HttpResponse(part("table/piece_sheet.html", sheet=sheet))
    return render(
        request, "table/piece.html", {"sheet": sheet, "forms": forms_of(match) if sheet.parts else None}
    )


def read_only(table: Table, path: str) -> Sheet | None:
    """The printed card of a unit, without corrections; None for other pieces."""
    table.state.entries = catalogue.current(table.match.system)
    found, profile = piece_at(table.page.g, path), table.page.profile(path)
    if found is None or profile is None:
        return None
    back = reverse("table", args=[table.match.code])
    return Sheet(path, _(getattr(found, "name", "")), back, mark=_mark(table.state, found), profile=profile)


def sheet_of(
    table: Table, path: str, reader: Audience, notice: view_models.Notice | None = None
) -> Sheet | None:
    """What may be corrected at a path ("unit/wolves", "army/red", "table"); None if nothing is there."""
    state = table.state
    state.entries = catalogue.current(table.match.system)
    if not is_there(state, path):
        return None
    found, seat = piece_at(state, path), reader.speaker
    offered = core.corrections_of(state, path)
    back = reverse("table", args=[table.match.code])
    return Sheet(
        path,
        _heading(table, path, found),
        f"{back}?seat={seat}" if seat else back,
        mark=_mark(state, found),
        parts=tuple(
            _part(path, group, list(offers), group in table.game.corrections.folded)
            for group, offers in groupby(_in_order(table, offered), key=lambda offer: offer.group)
        ),
        reasons=tuple(_(reason) for reason in REASONS),
        notice=notice,
        profile=table.page.profile(path),
    )


def is_there(state: State, path: str) -> bool:
    """Whether a path leads to a piece, or to the table."""
    return path == "table" or piece_at(state, path) is not None


def _in_order(table: Table, offered: tuple[Offer, ...]) -> list[Offer]:
    """Corrections by heading, in the game's order of headings; unchanged within each."""
    headings = table.game.corrections.headings
    known = {heading: place for place, heading in enumerate(headings)}
    return sorted(offered, key=lambda offer: (known.get(offer.group, len(headings)), offer.group))


def _heading(table: Table, path: str, found: object) -> str:
    """The name of what is corrected, a side's as the table calls it; what the menu calls the whole table."""
    kind, _slash, key = path.partition("/")
    if kind == "army":
        return table.page.name(key)
    return _(getattr(found, "name", "") or noop("Correct the match"))


def _mark(state: State, found: object) -> int:
    owner = getattr(found, "army", "") or getattr(found, "key", "")
    return view_models.mark_of(state.seats, owner)


def _part(path: str, group: str, offers: list[Offer], folded: bool) -> SheetPart:
    return SheetPart(
        _(group) if group else _("More"),
        counters=tuple(_counter(path, offer) for offer in offers if offer.is_numeric),
        changes=tuple(_changes(path, offers)),
        folded=folded,
    )


def _changes(path: str, offers: list[Offer]) -> Iterator[Change]:
    """A button for each correction; before choices stands the one that holds now, which is no button."""
    now = None
    for offer in offers:
        if offer.is_numeric:
            continue
        if offer.instead_of not in (None, now):
            now = offer.instead_of
            yield Change("", words(now), on=True)
        tone = "danger" if offer.style == "apart" else ""
        yield Change(f"{path} {offer.action}", words(offer.label), on=offer.on, tone=tone)


def _counter(path: str, offer: Offer) -> Counter:
    low, high = offer.minimum or 0, offer.maximum or 0
    action = f"{path} {offer.action}"
    if offer.value is None and low >= 0 and high - low < SHORT_RANGE:
        amounts = tuple(Change(f"{action}:{n}", str(n)) for n in range(low, high + 1))
        return Counter(words(offer.label), "", higher=amounts)
    return Counter(
        words(offer.label),
        "" if offer.value is None else str(offer.value),
        lower=tuple(Change(f"{action}:{-n}", f"\u2212{n}") for n in reversed(STEPS) if -n >= low),
        higher=tuple(Change(f"{action}:{n}", f"+{n}") for n in STEPS if n <= high),
        exact=action if high - low > 2 * STEPS[-1] else "",
        low=low,
        high=high,
    )
