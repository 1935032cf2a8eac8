"""How the board game shows itself on the table's page: houses, the three tracks, the wildlings, the cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from games import shapes
from games.core.system import Offer
from games.core.words import Term
from games.core.words import gettext_noop as _
from games.page import Page
from games.systems.agot import faces
from games.systems.agot.box import COURT, LAST_SPACE, THRONE, TOKENS, TRACKS, box, sizes, stars
from games.systems.agot.desk import AgotDesk
from games.systems.agot.pieces import Table
from games.systems.agot.westeros import BARS, CARDS

BESIDE = (-3, -2, -1, 1, 2, 3)
"""Changes of a quantity that are one tap beside the board."""


class AgotPage(Page):
    """Three to six houses around three tracks."""

    g: Table

    def phase(self) -> str:
        return self.t(faces.phase(self.g))

    def rounds(self) -> int:
        return box()["rounds"]

    def target(self, seat: str) -> int:
        return box()["castles_to_win"]

    def first(self) -> str | None:
        return self.g.holder(THRONE) if self.g.round else None

    def name(self, seat: str) -> str:
        """Players call each other by their houses; who plays one stands below it."""
        return self.colour(seat)

    def seat_scores(self, asked: Iterable[str] = ()) -> tuple[shapes.SeatScore, ...]:
        """Houses with their players, where these have names of their own."""
        found = super().seat_scores(asked)
        players = {one.key: self.player(one.key) for one in found}
        return tuple(
            replace(one, name=f"{one.name} · {players[one.key]}" if players[one.key] else one.name)
            for one in found
        )

    # --- houses ----------------------------------------------------------------------------------

    def side(self, key: str) -> shapes.Side:
        return shapes.Side(
            key,
            self.marks[key],
            self.colour(key),
            self.name(key),
            army=self.player(key),
            mine=key == self.seat,
            facts=self.facts(key),
            groups=self.groups_of(key),
            sheet_url=self.sheet_url(f"army/{key}"),
            empty=self.t(_("The numbers come with the first round.")),
        )

    def player(self, key: str) -> str:
        """Who plays a house, where that says more than the house."""
        name = self.g.armies[key].name
        return name if name != self.colour(key) else ""

    def facts(self, key: str) -> tuple[shapes.Badge, ...]:
        army = self.g.armies[key]
        found = [shapes.Badge(self.t(_("Sealed")), "sealed")] if army.hidden else []
        if not self.g.round and army.ready:
            found.append(shapes.Badge(self.t(_("Ready")), "check", "good"))
        for track, token in TOKENS.items():
            if self.g.round and self.g.holder(track) == key:
                found.append(shapes.Badge(self.t(token), "leader"))
        return tuple(found)

    def groups_of(self, key: str) -> tuple[shapes.CardGroup, ...]:
        """What a house has beside the map."""
        if not self.g.round:
            return ()
        return (shapes.CardGroup(self.t(_("House")), tuple(self.stock(key))),)

    def stock(self, key: str) -> Iterator[shapes.Card]:
        """Power, supply, and the places on the tracks as three cards."""
        army, all_tokens = self.g.armies[key], box()["power_tokens"]
        rest = _("On the board %(on_board)s, in the pool %(pool)s")
        yield shapes.Card(
            f"power-{key}",
            self.t(_("Available power")),
            gauge=shapes.Gauge(army.power, all_tokens, self.t(_("%(power)s power"), power=army.power)),
            title=self.t(rest, on_board=army.on_board, pool=self.g.pool(key)),
        )
        yield shapes.Card(
            f"supply-{key}",
            self.t(_("Supply")),
            gauge=shapes.Gauge(army.supply, 6, self.t(_("Supply %(level)s"), level=army.supply)),
            title=self.t(_("Armies of at most %(sizes)s"), sizes=sizes(army.supply)),
        )
        places = " · ".join(f"{self.t(name)} {self.g.place(track, key)}" for track, name in TRACKS.items())
        star = stars(len(self.g.seats), self.g.place(COURT, key))
        orders = self.t(_("At most %(stars)s orders with a star"), stars=star)
        yield shapes.Card(f"places-{key}", self.t(_("Influence")), title=places, text=orders)

    def acting(self) -> shapes.Acting | None:
        """What a house notes of itself while the board is played: power, castles."""
        if self.seat is None or not self.g.flow or self.g.result is not None:
            return None
        if self.g.question.step not in ("raids", "marches"):
            return None
        desk = AgotDesk()
        wanted = ("power", "lay", "lift", "castles")
        found = (
            offer
            for offer in desk.of_house(self.g, self.g.armies[self.seat])
            if offer.action.partition(":")[0] in wanted
        )
        groups = (shapes.OfferGroup(tuple(self.correction(f"army/{self.seat}", offer) for offer in found)),)
        hint = self.t(_("Note what changes on the board as it happens."))
        return shapes.Acting(self.t(_("Your house")), self.marks[self.seat], hint, groups)

    def correction(self, path: str, offer: Offer) -> shapes.Offer:
        """A correction as buttons beside the board."""
        action, label = f"{path} {offer.action}", self.words(offer.label)
        if offer.minimum is None or offer.maximum is None:
            return shapes.Offer(action, label, form="adjust", field="change")
        choices = tuple(
            shapes.Choice(f"{action}:{step}", f"{step:+d}".replace("-", "\u2212"))
            for step in BESIDE
            if offer.minimum <= step <= offer.maximum
        )
        value = "" if offer.value is None else str(offer.value)
        return shapes.Offer(action, label, value, choices=choices, form="adjust", field="change")

    # --- between the houses ----------------------------------------------------------------------

    def middle(self) -> shapes.Middle:
        cards = (*map(self.track, TRACKS), self.wildlings()) if self.g.round else ()
        tiles = tuple(self.tiles())
        return shapes.Middle(
            self.t(_("Table")),
            self.t(_("Influence")) if cards else "",
            cards,
            self.t(_("Westeros cards")) if tiles else "",
            tiles,
            score=self.score_table(),
        )

    def track(self, track: str) -> shapes.Card:
        """An influence track from first to last, with the bids while it is filled."""
        houses = self.g.track(track)
        badges = tuple(
            shapes.Badge(f"{place} {self.name(seat)}", mark=self.marks[seat])
            for place, seat in enumerate(houses, 1)
        )
        title = self.t(_("%(token)s: %(house)s"), token=Term(TOKENS[track]), house=self.name(houses[0]))
        return shapes.Card(
            f"track-{track}", self.t(TRACKS[track]), title, badges=badges, mark=self.marks[houses[0]]
        )

    def wildlings(self) -> shapes.Card:
        """The threat; while an attack is fought its strength, and the bids once they are open."""
        threat = self.g.threat
        label = self.t(_("Threat %(threat)s of %(last)s"), threat=threat, last=LAST_SPACE)
        return shapes.Card(
            "wildlings",
            self.t(_("Wildling threat")),
            gauge=shapes.Gauge(threat, LAST_SPACE, label),
            badges=tuple(self.bids()),
        )

    def bids(self) -> Iterator[shapes.Badge]:
        """What was bid last, once it is open."""
        for seat in self.g.turn_order:
            if seat in self.g.bids:
                text = self.t(_("%(house)s bid %(amount)s"), house=self.name(seat), amount=self.g.bids[seat])
                yield shapes.Badge(text, mark=self.marks[seat])

    def tiles(self) -> Iterator[shapes.Tile]:
        """The Westeros cards of the round, and what they forbid."""
        for number, card in enumerate(self.g.cards, 1):
            yield shapes.Tile(f"deck-{number}", self.t(CARDS[card]) if card in CARDS else card, "cards")
        if self.g.barred in BARS:
            yield shapes.Tile("barred", self.t(BARS[self.g.barred]), "alert")
