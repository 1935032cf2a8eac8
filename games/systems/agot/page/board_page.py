"""How the table's page shows the board game: houses, the three tracks, the wildlings, the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

from msgspec.structs import replace

from games import view_models
from games.core import COLUMNS, Column, Line, Offer, Term, ViewModel, say, step_of
from games.core import gettext_noop as _
from games.systems.agot import agot_corrections, pieces
from games.systems.agot.agot_corrections import AgotCorrections
from games.systems.agot.map import area_control, march, round_on_map, westeros_on_map
from games.systems.agot.orders import order_tokens, secret_orders
from games.systems.agot.orders.order_tokens import ORDERS
from games.systems.agot.page import map_drawing
from games.systems.agot.page.map_drawing import Appearance
from games.systems.agot.pieces import (
    COURT,
    HIGHEST_LEVEL,
    LAND,
    LAST_SPACE,
    MOST_IN_PORT,
    PORT,
    SEA,
    THRONE,
    TOKENS,
    TRACKS,
    UNITS,
    Area,
    House,
    Table,
    box,
    house,
    limits,
    stars,
)
from games.systems.agot.tracks import planning_and_action, sealed_bids
from games.systems.agot.tracks.planning_and_action import (
    Consolidation,
    Look,
    Marches,
    Planning,
    Raids,
    Raven,
    Realms,
)
from games.systems.agot.tracks.westeros_phase import BARS, CARDS, Resolve
from games.systems.agot.tracks.wildling_cards import CARDS as WILDLINGS
from games.systems.agot.tracks.winning import Reckoning, TimedReckoning
from games.view_models.game_page import Page, Words


class Regions(view_models.Middle):
    """The middle of the page; `map` is the drawing of the areas that `regions` lists."""

    map: map_drawing.Drawing | None = None


class AgotPage(Page):
    middle_template = "agot/middle.html"
    icons_template = "agot/ground.html"
    styles = ("agot/map.css",)
    screen_template = "agot/screen.html"
    screen_styles = ("agot/map.css", "agot/screen.css")

    g: Table

    @property
    def has_map(self) -> bool:
        """Whether there is a map, from the lobby on if one will come: an open page is not loaded again."""
        return bool(self.g.objectives) or agot_corrections.keeps_map(self.g)

    @property
    def scripts(self) -> tuple[str, ...]:
        return ("agot/map.js",) if self.has_map else ()

    def ground(self) -> map_drawing.Ground | None:
        return map_drawing.ground(self.words) if self.has_map else None

    def field_template(self) -> str:
        return "agot/watched.html" if self.g.objectives else ""

    def phase(self) -> str:
        return self.t(phase(self.g))

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
        badges = [view_models.Badge(self.t(_("Sealed")), "sealed")] if self.is_sealed(army) else []
        if not self.g.round and army.ready:
            badges.append(view_models.Badge(self.t(_("Ready")), "check", "good"))
        if key in self.tokens:
            badges += [view_models.Badge(self.t(token), "leader") for token in self.tokens[key]]
        return tuple(badges)

    @cached_property
    def tokens(self) -> dict[str, list[str]]:
        by_house: dict[str, list[str]] = {}
        for track, token in TOKENS.items() if self.g.round else ():
            by_house.setdefault(self.g.holder(track), []).append(token)
        return by_house

    def is_sealed(self, army: House) -> bool:
        """Whether a house has bid or placed all its orders; while it still places them, nothing is sealed."""
        if not order_tokens.are_face_down(self.g):
            return bool(army.hidden)
        return bool(army.hidden) and order_tokens.has_confirmed(self.g, army.key)

    def groups_of(self, key: str) -> tuple[view_models.CardGroup, ...]:
        if not self.g.round:
            return ()
        return (view_models.CardGroup(self.t(_("House")), tuple(stock(self, key))),)

    def acting(self) -> view_models.Acting | None:
        """What a house enters for itself while the board is played: power, castles."""
        if self.seat is None or not self.g.flow or self.g.result is not None:
            return None
        on_the_board = isinstance(step_of(self.g), planning_and_action.Orders)
        if not on_the_board or order_tokens.are_open(self.g):
            return None
        path = f"army/{self.seat}"
        offers = AgotCorrections().only(self.g, path, "power", "lay", "lift", "castles")
        groups = (view_models.OfferGroup(tuple(self.correction(path, offer) for offer in offers)),)
        hint = self.t(_("Enter what changes on the board as it happens."))
        return view_models.Acting(self.t(_("Your house")), self.marks[self.seat], hint, groups)

    # --- between the houses ----------------------------------------------------------------------

    def middle(self) -> Regions:
        cards = (*map(self.track, TRACKS), self.wildlings()) if self.g.round else ()
        guide = self.walked(guide_of(self.g))
        tiles = () if guide else tuple(self.tiles())
        return Regions(
            self.t(_("Table")),
            self.t(_("Influence")) if cards else "",
            cards,
            self.t(_("Westeros cards")) if tiles else "",
            tiles,
            guide=guide,
            score=self.score_table(),
            regions=tuple(regions(self)),
            map=self.drawing(),
        )

    @cached_property
    def held(self) -> dict[str, str]:
        return area_control.controllers(self.g)

    @cached_property
    def supply(self) -> Counter[str]:
        """The supply icons in the areas of each house."""
        icons: Counter[str] = Counter()
        for key, holder in self.held.items():
            icons[holder] += pieces.icons(key, "supply")
        return icons

    @cached_property
    def face_down(self) -> dict[str, str]:
        """The orders placed but not turned over: the reader's own, and only where others have one."""
        own = secret_orders.placed_by(self.g, self.seat) if self.seat else {}
        others = {seat for seat in self.g.seats if seat != self.seat and self.has_placed(seat)}
        hidden = [key for key, area in self.g.objectives.items() if area.house in others]
        return dict.fromkeys(hidden, map_drawing.HIDDEN) | own

    def has_placed(self, seat: str) -> bool:
        return order_tokens.has_confirmed(self.g, seat) and self.g.armies[seat].face_down > 0

    def drawing(self) -> map_drawing.Drawing | None:
        return map_drawing_of(self) if self.g.objectives else None

    def groups(self) -> tuple[view_models.OfferGroup, ...]:
        """Order tokens form a grid, each in its place."""
        placing_now = [action for action in self.left if action.startswith("order:")]
        if not placing_now:
            return super().groups()
        offers = [self.offer(self.left.pop(action)) for action in placing_now]
        area, here = self.filled_in()
        return (grid(offers, here, round_on_map.worth(self.g, area), self.t), *super().groups())

    def filled_in(self) -> tuple[str, str]:
        """The area that gets an order, and the order that lies there now, "" for none."""
        step, seat = step_of(self.g), self.seat or ""
        if isinstance(step, secret_orders.Swap):
            return step.area, self.g.objectives[step.area].order_token
        area = secret_orders.busy_with(self.g, seat)
        return area, secret_orders.placed_by(self.g, seat).get(area, "")

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
        threat = self.g.threat
        label = self.t(_("Threat %(threat)s of %(last)s"), threat=threat, last=LAST_SPACE)
        return view_models.Card(
            "wildlings",
            self.t(_("Wildling threat")),
            gauge=view_models.Gauge(threat, LAST_SPACE, label),
            badges=tuple(self.bids(sealed_bids.WILDLINGS)),
        )

    def bids(self, what: str) -> Iterator[view_models.Badge]:
        bidders = self.g.turn_order if self.g.bids and bids_were_for(self.g) == what else ()
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


# --- what a house has off the map, as three cards ----------------------------------------------------


def stock(page: AgotPage, key: str) -> Iterator[view_models.Card]:
    g, words = page.g, page.words
    yield _power_card(words, key, g.armies[key].power, g.laid(key), g.pool(key))
    yield _supply_card(words, key, g.armies[key].supply, *_coming_supply(page, key))
    places = {track: g.place(track, key) for track in TRACKS}
    yield _influence_card(words, key, tuple(places.values()), stars(len(g.seats), places[COURT]))


def _coming_supply(page: AgotPage, key: str) -> tuple[int | None, bool]:
    """The level that the next Supply card would bring, None if unchanged, and whether armies exceed it."""
    g = page.g
    if not g.objectives:
        return None, False
    level = min(page.supply[key], HIGHEST_LEVEL)
    if level == g.armies[key].supply:
        return None, False
    return level, not area_control.fits_level(g, key, level)


@lru_cache(maxsize=1000)
def _power_card(words: Words, key: str, power: int, on_board: int, pool: int) -> view_models.Card:
    rest = say(_("On the board %(on_board)s, in the pool %(pool)s"), on_board=on_board, pool=pool)
    label = words(say(_("%(power)s power"), power=power))
    gauge = view_models.Gauge(power, box()["power_tokens"], label)
    return view_models.Card(f"power-{key}", words(say(_("Available power"))), words(rest), gauge=gauge)


@lru_cache(maxsize=1000)
def _supply_card(
    words: Words, key: str, level: int, coming: int | None, is_too_little: bool
) -> view_models.Card:
    alert = view_models.Badge(words(say(_("Armies that would be too large"))), "alert", "bad")
    line = _("With the next Supply card %(level)s: %(sizes)s")
    text = "" if coming is None else words(say(line, level=coming, sizes=limits(coming)))
    return view_models.Card(
        f"supply-{key}",
        words(say(_("Supply"))),
        title=words(say(_("Armies of at most %(sizes)s"), sizes=limits(level))),
        gauge=view_models.Gauge(level, HIGHEST_LEVEL, words(say(_("Supply %(level)s"), level=level))),
        text=text,
        badges=(alert,) if is_too_little else (),
    )


@lru_cache(maxsize=1000)
def _influence_card(words: Words, key: str, places: tuple[int, ...], stars: int) -> view_models.Card:
    named = zip(TRACKS.values(), places, strict=True)
    title = " · ".join(f"{words(say(name))} {place}" for name, place in named)
    orders = words(say(_("Special orders: %(stars)s"), stars=stars))
    return view_models.Card(f"places-{key}", words(say(_("Influence"))), title, text=orders)


# --- the areas of the map as a list by region --------------------------------------------------------


OWN_UNITS, OWN, OTHERS, HELD, NOBODYS = range(5)
"""What sorts an area in its list, the most relevant first."""

ICONS = {"supply": _("Supply %(number)s"), "power": _("Power %(number)s")}


def regions(page: AgotPage) -> Iterator[view_models.CardGroup]:
    """The areas by region, each kept until an area or an order in it changes."""
    ways = page.sheet_url("objective")
    for region, keys in pieces.by_region().items():
        orders = tuple(map(page.face_down.get, keys))
        group = page.cached_until_any_changes("objectives", _region, region, page.seat, ways, orders)
        if group.cards:
            yield group


def _region(
    page: AgotPage, region: str, _seat: str | None, _ways: str, _orders: tuple[str | None, ...]
) -> view_models.CardGroup:
    """The areas of a region: those with something in them first, the reader's own before others."""
    areas = page.g.objectives
    weights = {key: _weight(page, areas[key]) for key in pieces.by_region()[region] if key in areas}
    held = sum(weight != NOBODYS for weight in weights.values())
    note = page.t(_("%(held)s of %(all)s held"), held=held, all=len(weights))
    cards = tuple(card(page, areas[key]) for key in sorted(weights, key=weights.__getitem__))
    return view_models.CardGroup(page.t(pieces.REGIONS[region]), cards, note)


def _weight(page: AgotPage, area: Area) -> int:
    """How far down its list an area comes: the reader's units or control, then others', then the rest."""
    held = page.held[area.key]
    is_mine = page.seat is not None and page.seat in (area.house, held)
    if area.house:
        return OWN_UNITS if is_mine else OTHERS
    if is_mine:
        return OWN
    return HELD if held else NOBODYS


def card(page: AgotPage, area: Area) -> view_models.Card:
    """The card of an area, kept until something that it shows changes."""
    order = page.face_down.get(area.key, area.order_token)
    is_empty = area.closed and not area.size and not area.token
    sheet_url = "" if is_empty else page.sheet_url(f"objective/{area.key}")
    return page.cached_until_changed(_card, area, page.held[area.key], order, sheet_url)


def _card(page: AgotPage, area: Area, held: str, order: str, sheet_url: str) -> view_models.Card:
    units = (page.words(map_drawing.counted(unit, area.count(unit))) for unit in area.units)
    return view_models.Card(
        area.key,
        page.t(area.name),
        title=page.t(_(", ")).join(units),
        badges=tuple(_badges(page, area, held, order)),
        state="out" if area.closed else "",
        state_label=page.t(_("Closed")) if area.closed else "",
        mark=page.marks.get(area.house or held, 0),
        sheet_url=sheet_url,
    )


def _badges(page: AgotPage, area: Area, held: str, order: str) -> Iterator[view_models.Badge]:
    printed = pieces.printed(area.key)
    if area.token:
        text = page.t(_("Power token of %(house)s"), house=page.name(area.token))
        yield view_models.Badge(text, tone="hold", mark=page.marks[area.token])
    if order:
        label = _("Order face down") if order == map_drawing.HIDDEN else order_tokens.ORDERS[order]
        yield view_models.Badge(page.t(label))
    if area.routed:
        yield view_models.Badge(page.t(_("Routed")), "condition", "bad")
    if area.neutral:
        yield view_models.Badge(page.t(_("Neutral force %(strength)s"), strength=area.neutral), "alert")
    if area.garrison:
        yield view_models.Badge(page.t(_("Garrison %(strength)s"), strength=area.garrison))
    if pieces.port_of(area.key) and area.house and held != area.house:
        yield view_models.Badge(page.t(_("These ships may be lost")), "alert", "bad")
    if printed.get("fort"):
        yield view_models.Badge(page.t(map_drawing.SIGNS[printed["fort"]]))
    for icon, words in ICONS.items():
        if printed.get(icon):
            yield view_models.Badge(page.t(words, number=printed[icon]))


# --- the map: what lies in each area, and what a tap there means -------------------------------------


def map_drawing_of(page: AgotPage) -> map_drawing.Drawing:
    """The map with its pieces; a tap on an area that answers the question gives that answer from the bar."""
    areas = dict(page.cached_until_any_changes("objectives", _lying))

    def mark(key: str, **marks: str) -> None:
        areas[key] = replace(areas[key], **marks)

    for key, order in page.face_down.items():
        mark(key, order=order)
    for key, reason in _barred(page):
        mark(key, state=map_drawing.CANNOT, more=page.words(reason))
    for key, offer in _answering(page).items():
        does = page.t(_("March here")) if offer.action.startswith("to:") else page.words(offer.label)
        mark(key, state=map_drawing.CAN, action=offer.action, more=does)
    if (start := _starting(page)) in areas:
        mark(start, state=map_drawing.FROM)
    return map_drawing.draw(areas, page.words)


def _lying(page: AgotPage) -> dict[str, Appearance]:
    return {
        key: page.cached_until_changed(_appearance, area, page.held[key])
        for key, area in page.g.objectives.items()
    }


def _appearance(page: AgotPage, area: Area, _held: str) -> Appearance:
    names = {key: page.game.seat_names[key] for key in page.g.seats}
    return map_drawing.of_area(facts_of_area(page.g, area.key), page.marks, names)


def _answering(page: AgotPage) -> dict[str, Offer]:
    """The areas where a tap means one answer. An answer belongs to the last area that it names."""
    named: dict[str, list[Offer]] = {}
    for offer in page.left.values():
        mentioned = [noun for noun in offer.action.split(":")[1:] if noun in page.g.objectives]
        if mentioned and not offer.is_numeric:
            named.setdefault(mentioned[-1], []).append(offer)
    return {key: offers[0] for key, offers in named.items() if len(offers) == 1}


def _barred(page: AgotPage) -> Iterator[tuple[str, Line]]:
    """The neighbours that the reader's march may not enter, and why."""
    step = step_of(page.g)
    if isinstance(step, march.March) and step.seat == page.seat:
        yield from march.blocked(page.g, step.seat, step.start)


def _starting(page: AgotPage) -> str:
    """The area being acted in: where units march from, or that is being filled in; "" for none."""
    step, seat = step_of(page.g), page.seat
    if isinstance(step, march.March | march.Load | march.LeaveToken):
        return step.start
    if isinstance(step, westeros_on_map.Muster):
        return step.area
    if isinstance(step, secret_orders.Planning) and seat:
        return "" if page.g.has_answered(seat) else secret_orders.busy_with(page.g, seat)
    return page.g.armies[seat].at if isinstance(step, agot_corrections.Survey) and seat else ""


# --- the order tokens as a grid of signs: every kind has a fixed place -------------------------------


ROWS = (
    ("march-minus", "march-zero", "defense", "support", "raid", "consolidate"),
    ("march-plus", "defense-star", "support-star", "raid-star", "consolidate-star"),
)
"""The tokens without a star, and below them the tokens with one."""


class Token(ViewModel):
    """One place in the grid: a token's sign, its number and its offer, None if it is spent.

    `name` is written below the signs that say the least, those of Support and Raid.
    """

    order: str
    sign: str
    value: str
    name: str = ""
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
        tuple(_token(order, offered.get(order), power, words, is_here=order == here) for order in row)
        for row in ROWS
    )
    note = " · ".join(_remarks(offered, words))
    return Tokens(tuple(offered.values()), rows=rows, note=note, template="agot/tokens.html")


def _remarks(offered: dict[str, view_models.Offer], words: Callable[[str], str]) -> Iterator[str]:
    """What is worth knowing about tokens here: each remark once, after all the orders that it concerns."""
    concerned: dict[str, list[str]] = {}
    for order, offer in offered.items():
        if offer.detail and order != order_tokens.CONSOLIDATE:
            concerned.setdefault(offer.detail, []).append(words(order_tokens.ORDERS[order]))
    for remark, orders in concerned.items():
        yield f"{' / '.join(orders)}: {remark}"


def _signed(token: Token, seat: str) -> Token:
    return replace(token, offer=view_models.signed(token.offer, seat)) if token.offer else token


def _token(
    order: str, offer: view_models.Offer | None, power: int, words: Callable[[str], str], *, is_here: bool
) -> Token:
    kind = order_tokens.kind(order)
    value = power if kind == order_tokens.CONSOLIDATE else order_tokens.value(order)
    star = "\u2605" if order_tokens.has_star(order) else ""
    number = f"{value:+d}".replace("-", "\u2212") if value or kind == order_tokens.MARCH else ""
    name = words(order_tokens.ORDERS[kind]) if kind in (order_tokens.SUPPORT, order_tokens.RAID) else ""
    return Token(order, f"order-{kind}", f"{number}{star}", name, offer, is_here)


# --- facts: what is worked out of a position and never stored; texts are message ids

PLANNING = {step.name for step in (Planning, Raven, Look, secret_orders.Swap, agot_corrections.Survey)}
ACTION = {step.name for step in (Raids, Marches, Consolidation, Realms, Reckoning, TimedReckoning)}
"""The steps of these two phases, by name; all others belong to the Westeros phase."""
ATTACK = frozenset(
    step.name
    for step in (sealed_bids.Foremost, sealed_bids.Payers, sealed_bids.Reveal, sealed_bids.Aftermath)
)
"""The steps of an attack after its bids, by name: one of them is open or waits until the attack is over."""


def phase(g: Table) -> str:
    if g.result is not None:
        return _("The game is over")
    if not g.round:
        return _("Set-up")
    steps = {question.step for question in g.flow}
    if steps & PLANNING:
        return _("Planning phase")
    return _("Action phase") if steps & ACTION else _("Westeros phase")


def derived_facts(g: Table, seat: str | None) -> dict[str, Any]:
    return {
        "phase": phase(g),
        "rounds": box()["rounds"],
        "threat": g.threat,
        "tracks": {track: list(g.track(track)) for track in TRACKS},
        "areas": areas(g),
        "houses": {key: _house(g, key) for key in g.seats},
    }


def areas(g: Table) -> dict[str, dict[str, Any]]:
    """The state of every area by its id: whose units, how many, who controls it, what else lies there."""
    return {key: facts_of_area(g, key) for key in g.objectives}


def facts_of_area(g: Table, key: str) -> dict[str, Any]:
    area = g.objectives[key]
    units = {unit: area.count(unit) for unit in area.units}
    markers = {"garrison": area.garrison, "neutral": area.neutral}
    return {
        "house": area.house,
        "units": units,
        "routed": list(area.routed),
        "controller": area_control.controller(g, key),
        "token": area.token,
        "closed": area.closed,
        "order": area.order_token,
        **{name: strength for name, strength in markers.items() if strength},
    }


def _house(g: Table, key: str) -> dict[str, Any]:
    army = g.armies[key]
    return {
        "castles": g.points(key),
        "power": army.power,
        "on_board": g.laid(key),
        "pool": g.pool(key),
        "supply": army.supply,
        "turn": g.place(THRONE, key),
        "face_down": army.face_down,
    }


def guide_of(g: Table) -> dict[str, Any] | None:
    """The Westeros phase as a list of steps: the attack of the gathering wildlings, then the cards."""
    battles = [Resolve.read(question.about) for question in g.flow if question.step == Resolve.name]
    if not battles or g.result is not None:
        return None
    at = battles[-1].at - 1
    # The attack that the gathering wildlings make comes before any card.
    attack = [] if at else [{"title": _("The wildlings attack"), "state": "current"}]
    steps = [
        {
            "title": CARDS.get(card, card),
            "state": "done" if number < at else "current" if number == at else "next",
        }
        for number, card in enumerate(g.cards, 1)
    ]
    return {"title": _("Westeros cards"), "steps": [*attack, *steps]}


def bids_were_for(g: Table) -> str:
    """What the latest revealed bids were for: a track, or the wildlings."""
    tracks = list(TRACKS)
    for question in reversed(g.flow):
        if question.step in ATTACK:
            return sealed_bids.WILDLINGS
        if question.step == sealed_bids.Places.name:
            return question.about[0]
        if question.step == sealed_bids.Bid.name and question.about[0] in tracks[1:]:
            return tracks[tracks.index(question.about[0]) - 1]
    return tracks[-1]


def summary(g: Table) -> str:
    """One line: round, question, threat, then each house's castles, power and supply in turn order."""
    asks = ":".join((g.question.step, *g.question.about)) if g.flow else "nothing"
    houses = [
        f"{seat} {g.points(seat)}c {g.armies[seat].power}p s{g.armies[seat].supply}" for seat in g.turn_order
    ]
    end = [f"winner={g.result['winner']} ({g.result['how']})"] if g.result is not None else []
    return " | ".join([f"r{g.round} {asks} threat{g.threat}", *houses, *end])


# --- what is odd -------------------------------------------------------------------------------------


def problems(g: Table) -> Iterator[Line]:
    """Armies beyond supply, too many units, units where they cannot be, units that belong to nobody."""
    if not g.objectives:
        return
    for seat in g.seats:
        if not area_control.fits(g, seat, area_control.won_by_attackers(g, seat)):
            yield say(_("%(house)s has armies beyond its supply."), house=house(seat))
        if any(area_control.pool(g, seat, unit) < 0 for unit in UNITS):
            yield say(_("%(house)s has more units on the map than the box holds."), house=house(seat))
    for key in g.objectives:
        yield from _of_area(g, key)


def _of_area(g: Table, key: str) -> Iterator[Line]:
    area = g.objectives[key]
    if key not in pieces.areas():
        return
    if area.size and area.house not in g.armies:
        yield say(_("The units in %(area)s belong to no one."), area=pieces.name(key))
    is_land = pieces.kind(key) == pieces.LAND
    if (area.ships and is_land) or (area.size > area.ships and not is_land):
        yield say(_("Units stand in %(area)s that cannot be there."), area=pieces.name(key))
    if pieces.port_of(key) and area.ships > MOST_IN_PORT:
        yield say(_("More than three ships lie in %(area)s."), area=pieces.name(key))


# --- how the admin shows the fields ------------------------------------------------------------------

ARMY = {
    "army/power": Column(_("available power"), is_first=True),
    "army/tokens_out": Column(_("power tokens on the board"), is_first=True),
    "army/supply": Column(_("supply"), is_first=True),
    "army/lowered": Column(_("supply has just fallen")),
    "army/income": Column(_("power of the last Game of Thrones")),
    "army/face_down": Column(_("orders placed in secret")),
    "army/at": Column(_("area that is being entered"), among="objective"),
    "army/land": Column(_("land areas counted for a tie")),
}
KINDS = {LAND: _("Land area"), SEA: _("Sea"), PORT: _("Port")}


OBJECTIVE = {
    "objective/claimed_by": Column(is_hidden=True),
    "objective/override": Column(is_hidden=True),
    "objective/kind": Column(among=KINDS),
    "objective/house": Column(_("house of the units"), among="army", is_first=True),
    "objective/footmen": Column(_("Footmen"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/knights": Column(_("Knights"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/siege_engines": Column(_("Siege engines"), is_first=True, of=lambda area: area.kind == LAND),
    "objective/ships": Column(_("Ships"), is_first=True, of=lambda area: area.kind != LAND),
    "objective/routed": Column(_("Routed")),
    "objective/token": Column(
        _("Power token of"), among="army", is_first=True, of=lambda area: area.kind == LAND
    ),
    "objective/garrison": Column(_("Garrison"), of=lambda area: area.kind == LAND),
    "objective/neutral": Column(_("Neutral force"), of=lambda area: area.kind == LAND),
    "objective/order_token": Column(_("Order"), among={"": _("none"), **ORDERS}),
    "objective/order": Column(_("place on the map")),
    "objective/closed": Column(_("closed for this game")),
}
TABLE = {
    "table/marched": Column(
        _("March orders of the round"),
        cells=((_("house"), "army"), (_("area"), "objective"), (_("order"), str)),
    ),
    "table/moving": Column(
        _("units on the march"), cells=((_("area"), "objective"), (_("unit"), str), (_("number"), int))
    ),
    "table/specials": Column(is_hidden=True),
    "table/court": Column(is_hidden=True),
    "table/played_on": Column(is_hidden=True),
    "table/leaving": Column(_("the march leaves a power token")),
    "table/becoming": Column(_("mode from the next Planning phase")),
    "table/gathered": Column(_("areas whose Consolidate Power order is resolved")),
    "table/orderless": Column(_("areas without an order this round")),
    "table/iron_throne": Column(_("Iron Throne"), is_first=True),
    "table/fiefdoms": Column(_("Fiefdoms"), is_first=True),
    "table/kings_court": Column(_("King's Court"), is_first=True),
    "table/threat": Column(_("wildling threat"), is_first=True),
    "table/cards": Column(_("Westeros cards of the round")),
    "table/barred": Column(_("forbidden orders"), among=BARS),
    "table/placed": Column(_("placed on the track that is filled")),
    "table/strength": Column(_("strength of the attack")),
    "table/spared": Column(_("spared from the attack"), among="army"),
    "table/repelled": Column(_("the attack was repelled")),
    "table/marked": Column(_("highest or lowest bidder"), among="army"),
    "table/wildling": Column(_("wildling card"), among=WILDLINGS),
    "table/buried": Column(_("wildling cards below the deck")),
}

FIELDS = {**COLUMNS, **ARMY, **OBJECTIVE, **TABLE}
