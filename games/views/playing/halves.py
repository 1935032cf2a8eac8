"""A device that two players share: a player who is asked, but not in the bar, has the question on their half.

Secrets are on a half only while its player has it open, and only for the current question: the address of
the page names both ("12.red"). Neither half then shows what the other one hides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from msgspec.structs import replace

from games import view_models
from games.core import engine
from games.core.steps import Offer
from games.translation import gettext as _
from games.view_models.game_page import Page
from games.views.playing.loaded import Table


@dataclass(frozen=True)
class Halves:
    """The halves of a device, by its `seats`. `page` is the bar's, drawn from a position without secrets."""

    table: Table
    page: Page
    seats: tuple[str, ...]
    opened: tuple[str, ...]
    ways: Callable[[str], tuple[view_models.Link, ...]]

    def side(self, side: view_models.Side) -> view_models.Side:
        """A side with its player's question, and with the secrets that its player has opened."""
        if side.key not in self.seats:
            return side
        offers = self.table.offers(side.key)
        secret = tuple(offer for offer in offers if offer.is_secret)
        if side.key not in self.opened or self.table.is_blind(side.key):
            return replace(side, asked=self.asked(side.key, offers, None))
        own = self.page_of(engine.view(self.table.state, side.key), side.key, secret)
        hand = own.side(side.key)
        return replace(
            side,
            free_actions=tuple(group.signed(side.key) for group in hand.free_actions),
            folds=hand.folds,
            asked=self.asked(side.key, offers, own),
        )

    def asked(self, seat: str, offers: tuple[Offer, ...], own: Page | None) -> view_models.Acting | None:
        """What a player is asked on this half; `own`, if given, is a page that shows their secrets, too."""
        step, is_of_bar = engine.step_of(self.table.state), seat == self.page.seat
        has_secret = any(offer.is_secret for offer in offers)
        plain = () if is_of_bar else tuple(self.plain(seat, offers))
        if step is None or not (plain or has_secret):
            return None
        groups = self.page_of(self.page.g, seat, plain).groups()
        if any(group.template for group in groups):
            return None
        g, lid = own.g if own else self.page.g, self.lid(seat) if has_secret else ()
        is_question = bool(plain) or seat in self.table.asked
        return view_models.Acting(
            self.page.words(step.asking(g, seat)) if is_question else self.page.name(seat),
            self.page.marks[seat],
            self.page.words(step.helping(g, seat)) if is_question else "",
            tuple(group.signed(seat) for group in (*groups, *(own.groups() if own else ()))),
            ways=(*self.ways(seat), *lid),
        )

    def plain(self, seat: str, offers: tuple[Offer, ...]) -> Iterator[Offer]:
        """What all may read of a player's offers; one device needs a quiet way out only once."""
        is_asked = seat in self.table.asked
        return (offer for offer in offers if not offer.is_secret and (is_asked or offer.style != "quiet"))

    def page_of(self, g: object, seat: str, offers: tuple[Offer, ...]) -> Page:
        return type(self.page)(g, seat, offers, self.page.words, self.page.sheet_url)

    def lid(self, seat: str) -> tuple[view_models.Link, ...]:
        """The link that opens or closes this half for the current question; the others stay as they are."""
        if self.table.is_blind(seat):
            return ()
        is_open = seat in self.opened
        shown = [one for one in self.seats if (one in self.opened) != (one == seat)]
        url = reverse("table", args=[self.table.match.code])
        query = f"?open={'.'.join((str(self.table.match.asked), *shown))}" if shown else ""
        label, icon = (_("Hide mine"), "sealed") if is_open else (_("Show mine"), "watch")
        return (view_models.Link(url + query, label, icon),)


def opened_now(table: Table, opened: str) -> tuple[str, ...]:
    """The seats whose halves were opened for the current question."""
    number, *seats = opened.split(".")
    return tuple(seats) if number == str(table.match.asked) else ()
