"""Parts of the corrections of any game: steppers, switches, the text that comes with a correction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.core.pieces import Objective
from games.core.records import replace
from games.core.state import AnyState
from games.core.steps import IllegalAction, Offer
from games.core.system import author_of, name_of
from games.core.validation import NAME_GRAPHEMES, NOTE_GRAPHEMES, Unreadable, clean_name
from games.core.words import Line, say
from games.core.words import gettext_noop as _

BY_HAND = _("correction")
"""The reason of points that somebody gives by hand."""
NEEDS_A_REASON = say(_("Needs a reason."))
NOBODY, COMPUTED = "nobody", "computed"
"""Who controls a place if no seat was chosen: nobody, or whoever the rules say."""


def stepper(
    action: str, label: Line, value: int, least: int, most: int, group: str, detail: Line | None = None
) -> Iterator[Offer]:
    """A quantity and the signed changes that keep it between `least` and `most`, if there are any."""
    low, high = min(least - value, 0), max(most - value, 0)
    if low < high:
        yield Offer(action, label, low, high, detail=detail, value=value, group=group)


def switch(is_on: bool, on: str, off: str, label: Line, group: str, detail: Line | None = None) -> Offer:
    """Something that is so or not; `on` and `off` are the actions that switch it. A second tap is refused."""
    return Offer(off if is_on else on, label, on=is_on, detail=detail, group=group)


def choices(offers: Iterable[Offer]) -> Iterator[Offer]:
    """The choices that would change something: not the one that holds now (`on`), which the others name."""
    found = tuple(offers)
    now = next((offer.label for offer in found if offer.on), None)
    return (replace(offer, on=None, instead_of=now) for offer in found if not offer.on)


def refuse_same(is_same: bool) -> None:
    """Refuse a correction that would change nothing."""
    if is_same:
        raise IllegalAction(Line(_("It is like that already.")))


def written(g: AnyState, empty: str, longest: int = NAME_GRAPHEMES) -> str:
    """The text that came with a correction; `empty` is the refusal when there is none."""
    if not g.note.strip():
        raise IllegalAction(Line(empty))
    try:
        return clean_name(g.note, longest)
    except Unreadable as unreadable:
        raise IllegalAction(unreadable.line) from unreadable


def points_offer(g: AnyState, key: str, least: int, most: int, group: str) -> Iterator[Offer]:
    """Victory Points of a side and the changes that keep them between `least` and `most`."""
    label, value = say(_("Victory Points")), g.points(key)
    yield from stepper(f"points:{key}", label, value, least, most, group, NEEDS_A_REASON)


def reason_for_points(g: AnyState) -> str:
    """Why points are given by hand: the text that came with the correction."""
    return written(g, _("Please say why: points need a reason."), NOTE_GRAPHEMES)


def give_points(g: AnyState, key: str, change: int, reason: str) -> None:
    """Write points that somebody gives by hand into the score, with their reason and their author."""
    g.score(key, change, BY_HAND, reason, author_of(g))
    g.say_count(
        "%(player)s: %(change)s Victory Point, %(reason)s.",
        "%(player)s: %(change)s Victory Points, %(reason)s.",
        abs(change),
        player=name_of(g, key),
        change=f"{change:+d}",
        reason=reason,
    )


def controllers(
    g: AnyState, place: Objective, uncontrolled: bool, computed: Line, group: str
) -> Iterator[Offer]:
    """Who else may control a place: a seat, nobody, or whoever the rules say (`computed` in words)."""
    return choices(_controllers(g, place, uncontrolled, computed, group))


def _controllers(
    g: AnyState, place: Objective, uncontrolled: bool, computed: Line, group: str
) -> Iterator[Offer]:
    for seat in g.seats:
        label = say(_("%(player)s controls it"), player=name_of(g, seat))
        yield Offer(f"controller:{place.key}:{seat}", label, on=place.override == seat, group=group)
    action, is_computed = f"controller:{place.key}", place.override is None and not uncontrolled
    yield Offer(f"{action}:{NOBODY}", say(_("Nobody controls it")), on=uncontrolled, group=group)
    yield Offer(f"{action}:{COMPUTED}", computed, on=is_computed, group=group)


def chosen_controller(place: Objective, uncontrolled: bool, who: str) -> str | None:
    """The seat that is to control a place, None for nobody; a choice that changes nothing is refused."""
    chosen = None if who == NOBODY else who
    refuse_same((place.override, uncontrolled) == (chosen, chosen is None))
    return chosen
