"""How the table's page shows the board game: houses, the three tracks, the wildlings, the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from games import view_models
from games.core import engine
from games.core.words import Term
from games.core.words import gettext_noop as _
from games.systems.agot import mode_change
from games.systems.agot.box import (
    LAST_SPACE,
    THRONE,
    TOKENS,
    TRACKS,
    box,
)
from games.systems.agot.corrections.table import AgotCorrections
from games.systems.agot.map import appearance, atlas, chart, control, round
from games.systems.agot.orders import order_tokens, placing, token_grid
from games.systems.agot.page import areas, drawing, houses
from games.systems.agot.pieces import House, Table
from games.systems.agot.tracks import action, clash, derived
from games.systems.agot.tracks.westeros import BARS, CARDS
from games.view_models.game_page import Page


class Regions(view_models.Middle):
    """The middle of the page; `map` is the drawing of the areas that `regions` lists."""

    map: atlas.Drawing | None = None


class AgotPage(Page):
    """Three to six houses around three tracks."""

    middle_template = "agot/middle.html"
    icons_template = "agot/ground.html"
    styles = ("agot/map.css",)
    scripts = ("agot/map.js",)
    screen_template = "agot/screen.html"
    screen_styles = ("agot/map.css", "agot/screen.css")

    g: Table

    def ground(self) -> atlas.Ground | None:
        """The map's ground, from the lobby on if there will be a map: an open page is not loaded again."""
        return atlas.ground(self.words) if self.g.objectives or mode_change.keeps_map(self.g) else None

    def field_template(self) -> str:
        return "agot/watched.html" if self.g.objectives else ""

    def phase(self) -> str:
        return self.t(derived.phase(self.g))

    def rounds(self) -> int:
        return int(box()["rounds"])

    def target(self, seat: str) -> int:
        return int(box()["castles_to_win"])

    def first(self) -> str | None:
        return self.g.holder(THRONE) if self.g.round else None

    def name(self, seat: str) -> str:
        """Players call each other by their houses; the player's name stands below."""
        return self.colour(seat)

    # --- houses ----------------------------------------------------------------------------------

    def side(self, key: str) -> view_models.Side:
        return view_models.Side(
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
        """Who plays a house, if that says more than the house's name."""
        name = self.g.armies[key].name
        return "" if name in (self.colour(key), self.game.seat_names[key]) else name

    def facts(self, key: str) -> tuple[view_models.Badge, ...]:
        army = self.g.armies[key]
        found = [view_models.Badge(self.t(_("Sealed")), "sealed")] if self.is_sealed(army) else []
        if not self.g.round and army.ready:
            found.append(view_models.Badge(self.t(_("Ready")), "check", "good"))
        if key in self.tokens:
            found += [view_models.Badge(self.t(token), "leader") for token in self.tokens[key]]
        return tuple(found)

    @cached_property
    def tokens(self) -> dict[str, list[str]]:
        """The dominance tokens that each house holds."""
        found: dict[str, list[str]] = {}
        for track, token in TOKENS.items() if self.g.round else ():
            found.setdefault(self.g.holder(track), []).append(token)
        return found

    def is_sealed(self, army: House) -> bool:
        """Whether a house has bid or placed all its orders; while it still places them, nothing is sealed."""
        if not order_tokens.are_face_down(self.g):
            return bool(army.hidden)
        return bool(army.hidden) and order_tokens.has_confirmed(self.g, army.key)

    def groups_of(self, key: str) -> tuple[view_models.CardGroup, ...]:
        """What a house has off the map."""
        if not self.g.round:
            return ()
        return (view_models.CardGroup(self.t(_("House")), tuple(houses.stock(self, key))),)

    def acting(self) -> view_models.Acting | None:
        """What a house enters for itself while the board is played: power, castles."""
        if self.seat is None or not self.g.flow or self.g.result is not None:
            return None
        if not isinstance(engine.step_of(self.g), action.Orders) or order_tokens.are_open(self.g):
            return None
        corrections = AgotCorrections()
        wanted = ("power", "lay", "lift", "castles")
        found = (
            offer
            for offer in corrections.of_house(self.g, self.g.armies[self.seat])
            if offer.action.partition(":")[0] in wanted
        )
        groups = (
            view_models.OfferGroup(tuple(self.correction(f"army/{self.seat}", offer) for offer in found)),
        )
        hint = self.t(_("Enter what changes on the board as it happens."))
        return view_models.Acting(self.t(_("Your house")), self.marks[self.seat], hint, groups)

    # --- between the houses ----------------------------------------------------------------------

    def middle(self) -> Regions:
        cards = (*map(self.track, TRACKS), self.wildlings()) if self.g.round else ()
        guide = self.walked(derived.guide(self.g))
        tiles = () if guide else tuple(self.tiles())
        return Regions(
            self.t(_("Table")),
            self.t(_("Influence")) if cards else "",
            cards,
            self.t(_("Westeros cards")) if tiles else "",
            tiles,
            guide=guide,
            score=self.score_table(),
            regions=tuple(areas.regions(self)),
            map=self.drawing(),
        )

    @cached_property
    def held(self) -> dict[str, str]:
        """The house that controls each area."""
        return control.controllers(self.g)

    @cached_property
    def supply(self) -> Counter[str]:
        """The supply icons in the areas of each house."""
        icons: Counter[str] = Counter()
        for key, house in self.held.items():
            icons[house] += chart.icons(key, "supply")
        return icons

    @cached_property
    def face_down(self) -> dict[str, str]:
        """The orders placed but not turned over: the reader's own, and only where others have one."""
        own = placing.placed_by(self.g, self.seat) if self.seat else {}
        others = {seat for seat in self.g.seats if seat != self.seat and self.has_placed(seat)}
        hidden = [key for key, area in self.g.objectives.items() if area.house in others]
        return dict.fromkeys(hidden, appearance.HIDDEN) | own

    def has_placed(self, seat: str) -> bool:
        """Whether all orders of a house lie face down."""
        return order_tokens.has_confirmed(self.g, seat) and self.g.armies[seat].face_down > 0

    def drawing(self) -> atlas.Drawing | None:
        """The map with its pieces, where there is one."""
        return drawing.drawing(self) if self.g.objectives else None

    def groups(self) -> tuple[view_models.OfferGroup, ...]:
        """Order tokens form a grid, each in its place."""
        placing_now = [action for action in self.left if action.startswith("order:")]
        if not placing_now:
            return super().groups()
        offers = [self.offer(self.left.pop(action)) for action in placing_now]
        area, here = self.filled_in()
        return (token_grid.grid(offers, here, round.worth(self.g, area), self.t), *super().groups())

    def filled_in(self) -> tuple[str, str]:
        """The area that gets an order, and the order that lies there now, "" for none."""
        step, seat = engine.step_of(self.g), self.seat or ""
        if isinstance(step, placing.Swap):
            return step.area, self.g.objectives[step.area].order_token
        area = placing.busy_with(self.g, seat)
        return area, placing.placed_by(self.g, seat).get(area, "")

    def track(self, track: str) -> view_models.Card:
        """An influence track, with the houses from first to last, and the bids for it once they are open."""
        houses = self.g.track(track)
        badges = tuple(
            view_models.Badge(f"{place} {self.name(seat)}", mark=self.marks[seat])
            for place, seat in enumerate(houses, 1)
        )
        badges += tuple(self.bids(track))
        title = self.t(_("%(token)s: %(house)s"), token=Term(TOKENS[track]), house=self.name(houses[0]))
        return view_models.Card(
            f"track-{track}", self.t(TRACKS[track]), title, badges=badges, mark=self.marks[houses[0]]
        )

    def wildlings(self) -> view_models.Card:
        """The wildling threat, and the bids once they are open."""
        threat = self.g.threat
        label = self.t(_("Threat %(threat)s of %(last)s"), threat=threat, last=LAST_SPACE)
        return view_models.Card(
            "wildlings",
            self.t(_("Wildling threat")),
            gauge=view_models.Gauge(threat, LAST_SPACE, label),
            badges=tuple(self.bids(clash.WILDLINGS)),
        )

    def bids(self, what: str) -> Iterator[view_models.Badge]:
        """The latest bids, if they were for this."""
        bidders = self.g.turn_order if self.g.bids and derived.bids_were_for(self.g) == what else ()
        for seat in bidders:
            if seat in self.g.bids:
                text = self.t(_("%(house)s bid %(amount)s"), house=self.name(seat), amount=self.g.bids[seat])
                yield view_models.Badge(text, mark=self.marks[seat])

    def tiles(self) -> Iterator[view_models.Tile]:
        """The Westeros cards of the round, and what they forbid."""
        for number, card in enumerate(self.g.cards, 1):
            yield view_models.Tile(f"deck-{number}", self.t(CARDS[card]) if card in CARDS else card, "cards")
        if self.g.barred in BARS:
            yield view_models.Tile("barred", self.t(BARS[self.g.barred]), "alert")
