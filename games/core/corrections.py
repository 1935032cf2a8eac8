"""What the corrections of any game are made of: steppers, switches, and what somebody wrote beside one."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.state import AnyState
from games.core.steps import IllegalAction, Offer
from games.core.validation import NAME_GRAPHEMES, Unreadable, clean_name
from games.core.words import Line
from games.core.words import gettext_noop as _


def stepper(
    action: str, label: Line, value: int, least: int, most: int, group: str, detail: Line | None = None
) -> Iterator[Offer]:
    """A quantity and the signed changes that keep it between `least` and `most`, if there are any."""
    low, high = min(least - value, 0), max(most - value, 0)
    if low < high:
        yield Offer(action, label, low, high, detail=detail, value=value, group=group)


def switch(is_on: bool, on: str, off: str, label: Line, group: str, detail: Line | None = None) -> Offer:
    """What is or is not so; `on` and `off` are the actions that make it so. A second tap finds it done."""
    return Offer(off if is_on else on, label, on=is_on, detail=detail, group=group)


def refuse_same(is_same: bool) -> None:
    """Refuse a correction that would change nothing."""
    if is_same:
        raise IllegalAction(Line(_("It is like that already.")))


def written(g: AnyState, empty: str, longest: int = NAME_GRAPHEMES) -> str:
    """The text that came with a correction; `empty` is the sentence for who wrote none."""
    if not g.note.strip():
        raise IllegalAction(Line(empty))
    try:
        return clean_name(g.note, longest)
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line) from unreadable
