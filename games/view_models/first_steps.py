"""First steps: what a newcomer is told beside the question, and the control that this points at."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace

from games.core.words import ViewModel
from games.view_models.controls import Choice, Offer, OfferGroup
from games.view_models.frame import Link
from games.view_models.pieces import Acting, Side, Target, TargetGroup

Shape = TypeVar("Shape")


class FirstSteps(ViewModel):
    """What the newcomer is told.

    `text` says what happens, `tap` is the label of the control to tap ("" for none); `name` and `mark`
    are those of the player who taps it. `links` lead to another game at first, and onwards once the round
    is over.
    """

    title: str
    text: str
    tap: str = ""
    name: str = ""
    mark: int = 0
    links: tuple[Link, ...] = ()


class FirstRound(ViewModel):
    """A game that can be tried: `url` begins its round with one tap, `teaches` and `taps` say what comes."""

    url: str
    title: str
    teaches: str = ""
    taps: str = ""


class FirstStepsPage(ViewModel):
    """The page of all games that can be tried. With its `key` a tap that got no answer can be repeated."""

    back: Link
    rounds: tuple[FirstRound, ...]
    key: str
    links: tuple[Link, ...] = ()


class OrganiserStep(ViewModel):
    """One thing that an organiser does first, and where it is done."""

    title: str
    text: str
    links: tuple[Link, ...] = ()


class OrganisingPage(ViewModel):
    """What an organiser does first."""

    back: Link
    steps: tuple[OrganiserStep, ...]
    more: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Control:
    """A control that is pointed at: what it `says`, and the mark of the side that it is on (or 0)."""

    says: str = ""
    mark: int = 0


def pointed(shape: Shape, actions: Set[str]) -> tuple[Shape, Control]:
    """The same shape, with the first control for one of these actions marked `next`, and that control."""
    found = Control()
    return _pointed(shape, actions, Control(), found), found


def _pointed(shape: Any, actions: Set[str], within: Control, found: Control) -> Any:
    if isinstance(shape, tuple):
        inner = tuple(_pointed(each, actions, within, found) for each in shape)
        return inner if any(new is not old for new, old in zip(inner, shape, strict=True)) else shape
    if found.says or not isinstance(shape, ViewModel):
        return shape
    if isinstance(shape, Offer | Choice) and shape.action in actions and not getattr(shape, "choices", ()):
        seen = shape.seen if isinstance(shape, Offer) else shape.label
        found.says, found.mark = _then(within.says, seen), within.mark
        return replace(shape, next=True)
    within = _named(shape, within)
    new = {}
    for name in shape.__struct_fields__:
        old = getattr(shape, name)
        inner = _pointed(old, actions, within, found)
        if inner is not old:
            new[name] = inner
    return replace(shape, **new) if new else shape


def _named(shape: Any, within: Control) -> Control:
    """The surroundings of a shape's controls: the side, and what a number is about."""
    if isinstance(shape, Side | Acting):
        return Control(mark=shape.mark)
    if isinstance(shape, OfferGroup | TargetGroup):
        return Control(shape.title, within.mark)
    if isinstance(shape, Offer | Target):
        says = shape.label if isinstance(shape, Offer) else shape.name
        return Control(_then(within.says, says), within.mark)
    return within


def _then(first: str, second: str) -> str:
    """The words to look for first, then those within them."""
    return f"{first} › {second}" if first else second
