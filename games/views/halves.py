"""A device that two share: who is asked beside the seat of the bar has the question on their own half."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from games import view_models
from games.core import engine
from games.translation import words
from games.view_models.game_page import Page
from games.views.loaded import Table


def questions(
    table: Table, page: Page, seats: tuple[str, ...], ways: Callable[[str], tuple[view_models.Link, ...]]
) -> Iterator[tuple[str, view_models.Acting]]:
    """The question of each seat of this device that may answer and is not the one of the bar.

    Nothing secret is in it: `page` is of a position that shows none. Whose offers are secret, or drawn in
    a way of the game's own, is asked in the bar when the others have answered.
    """
    step = engine.step_of(table.state)
    for seat in seats:
        offers = table.offers(seat)
        if step is None or seat == page.seat or not offers or any(offer.is_secret for offer in offers):
            continue
        other = type(page)(page.g, seat, offers, words, page.sheet_url)
        groups = other.groups()
        if any(group.template for group in groups):
            continue
        yield (
            seat,
            view_models.Acting(
                words(step.asking(page.g, seat)),
                page.marks[seat],
                words(step.helping(page.g, seat)),
                tuple(_signed(group, seat) for group in groups),
                ways=ways(seat),
            ),
        )


def _signed(group: view_models.OfferGroup, seat: str) -> view_models.OfferGroup:
    """The same buttons, each saying whose answer it is: "blue ready"."""
    return replace(group, offers=tuple(_of_seat(offer, seat) for offer in group.offers))


def _of_seat(offer: view_models.Offer, seat: str) -> view_models.Offer:
    choices = tuple(replace(choice, action=f"{seat} {choice.action}") for choice in offer.choices)
    return replace(offer, action=f"{seat} {offer.action}", choices=choices)
