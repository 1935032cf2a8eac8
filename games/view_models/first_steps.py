"""First steps: what a newcomer is told beside the question, and the control that it points at."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Any, TypeVar

from games.core.records import ViewModel, replace
from games.view_models.controls import Choice, Offer, OfferGroup
from games.view_models.frame import Link
from games.view_models.pieces import Acting, Side, Target, TargetGroup

Shape = TypeVar("Shape")


class FirstSteps(ViewModel):
    """What the newcomer is told.

    `text` says what happens, `tap` is what the control says that is pointed at ("" for none); `name` and
    `mark` are of the player who taps it. `links` lead to another game
    at first, and on once the round is over.
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
    """The page of all games that can be tried. With `key` a tap that was not answered can be repeated."""

    back: Link
    rounds: tuple[FirstRound, ...]
    key: str
    links: tuple[Link, ...] = ()


class OrganiserStep(ViewModel):
    """One thing that an organiser does first, with where it is done."""

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
    """A control that is pointed at: what it `says`, and the seat's mark on whose side it stands (or 0)."""

    says: str = ""
    mark: int = 0


def pointed(shape: Shape, actions: Set[str]) -> tuple[Shape, Control]:
    """The same shape with the first control of one of these actions marked `next`, and which one that is."""
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
    """What stands around the controls of a shape: the side, and what numbers are of."""
    if isinstance(shape, Side | Acting):
        return Control(mark=shape.mark)
    if isinstance(shape, OfferGroup | TargetGroup):
        return Control(shape.title, within.mark)
    if isinstance(shape, Offer | Target):
        says = shape.label if isinstance(shape, Offer) else shape.name
        return Control(_then(within.says, says), within.mark)
    return within


def _then(first: str, second: str) -> str:
    """What is looked for first, and within it."""
    return f"{first} › {second}" if first else second
