"""The map on the page: what lies in each area, and what a tap there means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from games.core import engine
from games.core.steps import Offer
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.agot import mode_change
from games.systems.agot.map import appearance, atlas, limits, march, westeros_cards
from games.systems.agot.map.appearance import Appearance
from games.systems.agot.orders import placing
from games.systems.agot.pieces import Area
from games.systems.agot.tracks import derived

if TYPE_CHECKING:
    from games.systems.agot.page.table import AgotPage


def drawing(page: AgotPage) -> atlas.Drawing:
    """The map with its pieces; a tap on an area that answers the question gives that answer from the bar."""
    lying = page.cached_until_any_changes("objectives", _lying)
    found = {key: replace(lying[key], order=order) for key, order in page.face_down.items()}

    def mark(key: str, **marks: str) -> None:
        found[key] = replace(found.get(key, lying[key]), **marks)

    for key, reason in _barred(page):
        mark(key, state=appearance.CANNOT, more=page.words(reason))
    for key, offer in _answering(page).items():
        does = page.t(_("March here")) if offer.action.startswith("to:") else page.words(offer.label)
        mark(key, state=appearance.CAN, action=offer.action, more=does)
    if (start := _starting(page)) in lying:
        mark(start, state=appearance.FROM)
    return atlas.draw(found, page.words, page.cached_until_any_changes("objectives", _shapes))


def _lying(page: AgotPage) -> dict[str, Appearance]:
    """What lies in every area."""
    return {
        key: page.cached_until_changed(_appearance, area, page.held[key])
        for key, area in page.g.objectives.items()
    }


def _shapes(page: AgotPage) -> dict[str, atlas.Shape]:
    return atlas.shapes(page.cached_until_any_changes("objectives", _lying), page.words)


def _appearance(page: AgotPage, area: Area, _held: str) -> Appearance:
    """What an area shows before any question marks it."""
    names = {key: page.game.seat_names[key] for key in page.g.seats}
    return appearance.of_area(derived.area(page.g, area.key), page.marks, names)


def _answering(page: AgotPage) -> dict[str, Offer]:
    """The areas where a tap means one answer. An answer belongs to the last area that it names."""
    named: dict[str, list[Offer]] = {}
    for offer in page.left.values():
        mentioned = [noun for noun in offer.action.split(":")[1:] if noun in page.g.objectives]
        if mentioned and not offer.is_numeric:
            named.setdefault(mentioned[-1], []).append(offer)
    return {key: offers[0] for key, offers in named.items() if len(offers) == 1}


def _barred(page: AgotPage) -> Iterator[tuple[str, Line]]:
    """The neighbours that the reader's march may not enter, and why."""
    step = engine.step_of(page.g)
    if isinstance(step, march.March) and step.seat == page.seat:
        yield from limits.blocked(page.g, step.seat, step.start)


def _starting(page: AgotPage) -> str:
    """The area being acted in: where units march from, or that is being filled in; "" for none."""
    step, seat = engine.step_of(page.g), page.seat
    if isinstance(step, march.March | march.Load | march.LeaveToken):
        return step.start
    if isinstance(step, westeros_cards.Muster):
        return step.area
    if isinstance(step, placing.Planning) and seat:
        return "" if page.g.has_answered(seat) else placing.busy_with(page.g, seat)
    return page.g.armies[seat].at if isinstance(step, mode_change.Survey) and seat else ""
