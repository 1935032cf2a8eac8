"""The order tokens as a grid of signs: every kind has a fixed place, whatever an area may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from games import view_models
from games.core.words import ViewModel
from games.systems.agot.orders import order_tokens

ROWS = (
    ("march-minus", "march-zero", "defense", "support", "raid", "consolidate"),
    ("march-plus", "defense-star", "support-star", "raid-star", "consolidate-star"),
)
"""The tokens without a star, and below them the tokens with one."""


class Token(ViewModel):
    """One place in the grid: a token's sign, its number and its offer, None if it is spent."""

    order: str
    sign: str
    value: str
    offer: view_models.Offer | None = None
    is_here: bool = False


class Tokens(view_models.OfferGroup):
    """The grid, and under it what is worth knowing about tokens in this area."""

    rows: tuple[tuple[Token, ...], ...] = ()
    note: str = ""

    def signed(self, seat: str) -> Tokens:
        """The same grid, with each token marked with its seat."""
        rows = tuple(tuple(_signed(token, seat) for token in row) for row in self.rows)
        offers = tuple(view_models.signed(offer, seat) for offer in self.offers)
        return replace(self, offers=offers, rows=rows)


def grid(offers: Iterable[view_models.Offer], here: str, power: int, words: Callable[[str], str]) -> Tokens:
    """All tokens in their places; `here` is the one that lies in the area now, "" for none.

    `power` is what a Consolidate Power order is worth there, shown as its number.
    """
    offered = {offer.action.partition(":")[2]: offer for offer in offers}
    rows = tuple(
        tuple(_token(order, offered.get(order), power, is_here=order == here) for order in row)
        for row in ROWS
    )
    note = " · ".join(_remarks(offered, words))
    return Tokens(tuple(offered.values()), rows=rows, note=note, template="agot/tokens.html")


def _remarks(offered: dict[str, view_models.Offer], words: Callable[[str], str]) -> Iterator[str]:
    """What is worth knowing about tokens here: each remark once, after all the orders that it concerns."""
    concerned: dict[str, list[str]] = {}
    for order, one in offered.items():
        if one.detail and order != order_tokens.CONSOLIDATE:
            concerned.setdefault(one.detail, []).append(words(order_tokens.ORDERS[order]))
    for remark, orders in concerned.items():
        yield f"{' / '.join(orders)}: {remark}"


def _signed(token: Token, seat: str) -> Token:
    return replace(token, offer=view_models.signed(token.offer, seat)) if token.offer else token


def _token(order: str, offer: view_models.Offer | None, power: int, *, is_here: bool) -> Token:
    kind = order_tokens.kind(order)
    value = power if kind == order_tokens.CONSOLIDATE else order_tokens.value(order)
    star = "\u2605" if order_tokens.has_star(order) else ""
    number = f"{value:+d}".replace("-", "\u2212") if value or kind == order_tokens.MARCH else ""
    return Token(order, f"order-{kind}", f"{number}{star}", offer, is_here)
