"""Tactics cards on the table's page: the hand for its owner, discard piles and cards with a unit for all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from games import view_models
from games.core.words import Line, say_count
from games.core.words import gettext_noop as _
from games.systems.tmg.pieces import Unit
from games.systems.tmg.rules import tactics_cards

if TYPE_CHECKING:
    from games.systems.tmg.page.table import TmgPage


def hand(page: TmgPage, seat: str) -> tuple[view_models.OfferGroup, ...]:
    """The reader's own hand, each card with the places that it may be played to; folded like every note."""
    held = tactics_cards.hand(page.g, seat) if _is_playable(page, seat) else []
    offers = tuple(_card(page, seat, key, held.count(key)) for key in sorted(set(held)))
    return (view_models.OfferGroup(offers, _title(page, held), folded=True),) if offers else ()


def folds(page: TmgPage, seat: str) -> tuple[view_models.Fold, ...]:
    """A hand that cannot be played just now, in words; the discard pile, the latest card first."""
    held = [] if _is_playable(page, seat) else tactics_cards.hand(page.g, seat)
    found = [view_models.Fold(_title(page, held), _names(page, seat, held))] if held else []
    cards = page.g.armies[seat].discards[::-1]
    if cards:
        title = say_count("Discard pile: %(count)s card", "Discard pile: %(count)s cards", len(cards))
        found.append(view_models.Fold(page.words(title), _names(page, seat, cards)))
    return tuple(found)


def _is_playable(page: TmgPage, seat: str) -> bool:
    return seat == page.seat and any(action.startswith("play:") for action in page.left)


def _card(page: TmgPage, seat: str, key: str, count: int) -> view_models.Offer:
    """One card: how often it is held, and a button for each place that it may be played to."""
    ways = {f"play:{key}": _("Play"), f"lay:{key}": _("On a unit")}
    choices = tuple(view_models.Choice(action, page.t(label)) for action, label in ways.items())
    for action in ways:
        del page.left[action]
    detail = f"×{count}" if count > 1 else ""
    return view_models.Offer(f"hand:{key}", name(page, seat, key), detail, choices=choices)


def _title(page: TmgPage, held: list[str]) -> str:
    return page.words(say_count("Your hand: %(count)s card", "Your hand: %(count)s cards", len(held)))


def _names(page: TmgPage, seat: str, cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(name(page, seat, key) for key in cards)


def badges(page: TmgPage, unit: Unit) -> list[view_models.Badge]:
    """The cards that stay with a unit, and how long."""
    return [
        view_models.Badge(
            f"{name(page, seat, key)} · {page.t(tactics_cards.EXPIRIES.get(expiry, expiry))}",
            "cards",
            mark=page.marks[seat],
        )
        for key, seat, expiry in unit.cards
    ]


def name(page: TmgPage, seat: str, key: str) -> str:
    """What a card is called, in the reader's language where it has no name of its own."""
    called = tactics_cards.called(page.g, seat, key)
    return page.words(called) if isinstance(called, Line) else str(called)
