"""A newcomer's first steps beside the board: what to do now, and the control that this points at."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any, TypeVar

from django.urls import reverse
from msgspec.structs import replace

from games import view_models
from games.core import ViewModel
from games.match import practice
from games.pages.table.loaded import Table
from games.translation import gettext as _
from games.view_models.game_page import Page


def with_first_steps(shown: view_models.Board, table: Table, page: Page, seat: str) -> view_models.Board:
    """The board with what a newcomer is told, and with the next control marked."""
    suggestion = practice.suggestion(table.state, seat)
    if suggestion is None:
        return replace(shown, first_steps=_after(table))
    shown, control = pointed(shown, suggestion.controls(seat))
    # A control on a side is tapped by that side's player, one in the bar by the player who is asked.
    mark = control.mark or page.marks[seat]
    name = next(page.name(key) for key, number in page.marks.items() if number == mark)
    text = _(suggestion.text) if suggestion.text else ""
    links = (another_game(),) if table.match.version == 1 else ()
    steps = view_models.FirstSteps(
        title=_("First steps"), text=text, tap=control.says, name=name, mark=mark, links=links
    )
    return replace(shown, first_steps=steps)


def another_game() -> view_models.Link:
    return view_models.Link(reverse("first-steps"), _("Try another game"), "table")


def _after(table: Table) -> view_models.FirstSteps:
    """What a newcomer is told once the round is over, and where to go from there."""
    links = (
        view_models.Link(
            f"{reverse('new')}?game={table.match.system}", _("Start a real table"), "plus", tone="main"
        ),
        another_game(),
    )
    text = _("That was a whole round. At a real table, everyone taps on their own phone.")
    return view_models.FirstSteps(_("First steps"), text, links=links)


Shape = TypeVar("Shape")


@dataclass(slots=True)
class Control:
    """A control that is pointed at: what it `says`, and the mark of the side that it is on (or 0)."""

    says: str = ""
    mark: int = 0


def pointed(shape: Shape, actions: Set[str]) -> tuple[Shape, Control]:
    """The same shape, with the first control for one of these actions marked `next`, and that control."""
    control = Control()
    return _pointed(shape, actions, Control(), control), control


def _pointed(shape: Any, actions: Set[str], within: Control, control: Control) -> Any:
    if isinstance(shape, tuple):
        inner = tuple(_pointed(each, actions, within, control) for each in shape)
        return inner if any(new is not old for new, old in zip(inner, shape, strict=True)) else shape
    if control.says or not isinstance(shape, ViewModel):
        return shape
    if (
        isinstance(shape, view_models.Offer | view_models.Choice)
        and shape.action in actions
        and not getattr(shape, "choices", ())
    ):
        seen = shape.seen if isinstance(shape, view_models.Offer) else shape.label
        control.says, control.mark = _then(within.says, seen), within.mark
        return replace(shape, next=True)
    within = _named(shape, within)
    new = {}
    for name in shape.__struct_fields__:
        old = getattr(shape, name)
        inner = _pointed(old, actions, within, control)
        if inner is not old:
            new[name] = inner
    return replace(shape, **new) if new else shape


def _named(shape: Any, within: Control) -> Control:
    """The surroundings of a shape's controls: the side, and what a number is about."""
    if isinstance(shape, view_models.Side | view_models.Acting):
        return Control(mark=shape.mark)
    if isinstance(shape, view_models.OfferGroup | view_models.TargetGroup):
        return Control(shape.title, within.mark)
    if isinstance(shape, view_models.Offer | view_models.Target):
        says = shape.label if isinstance(shape, view_models.Offer) else shape.name
        return Control(_then(within.says, says), within.mark)
    return within


def _then(first: str, second: str) -> str:
    """The words to look for first, then those within them."""
    return f"{first} › {second}" if first else second
