"""What the box of the board game holds, its pieces, its map, and the table that they lie on.

Plain data (the printed figures are in `data/box.toml`) with the questions that every chapter of the rules
asks, and the kit's questions as this game asks them: houses are called by name, and take turns in turn order.
The code that changes a piece belongs to the chapter whose rule it carries out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from games import core
from games.core import Army, Line, Objective, State, Step, Term, Unit, asked, read_toml, say
from games.core import gettext_noop as _

PACKAGE = "games.systems.agot"

HOUSES = {
    "stark": _("Stark"),
    "lannister": _("Lannister"),
    "baratheon": _("Baratheon"),
    "greyjoy": _("Greyjoy"),
    "tyrell": _("Tyrell"),
    "martell": _("Martell"),
}
"""The houses in the order in which they join: a game of three is played by the first three."""

THRONE, FIEFDOMS, COURT = "iron-throne", "fiefdoms", "kings-court"
TRACKS = {THRONE: _("Iron Throne"), FIEFDOMS: _("Fiefdoms"), COURT: _("King's Court")}
"""The three influence tracks in the order of bidding."""
TOKENS = {THRONE: _("Iron Throne token"), FIEFDOMS: _("Valyrian Steel Blade"), COURT: _("Messenger Raven")}
"""The dominance token that goes with first place on each track."""

FOOTMAN, KNIGHT, SIEGE, SHIP = "footman", "knight", "siege-engine", "ship"
MOST_IN_PORT = 3
"""Ships that fit into a port."""
UNITS = {FOOTMAN: _("Footman"), KNIGHT: _("Knight"), SIEGE: _("Siege engine"), SHIP: _("Ship")}

RAINS, STORM, SEA_OF_STORMS, WEB, FEAST = (
    "rains-of-autumn",
    "storm-of-swords",
    "sea-of-storms",
    "web-of-lies",
    "feast-for-crows",
)
"""The cards of the third Westeros deck that forbid orders for a round (BASE-05)."""

SPACE, LAST_SPACE = 2, 12
"""How much strength a space of the wildling track adds, and the strength at which the wildlings attack."""


def box() -> dict[str, Any]:
    return read_toml(PACKAGE, "data/box.toml")


@cache
def limits(level: int) -> tuple[int, ...]:
    """The largest size of each army at a supply level, largest first (AGOT-02)."""
    return tuple(box()["supply"][str(max(0, min(level, HIGHEST_LEVEL)))])


HIGHEST_LEVEL = 6


def armies_fit(armies: list[int], level: int) -> bool:
    """Whether armies of these sizes keep within a supply level; a single unit is not an army (AGOT-02)."""
    allowed, sizes = limits(level), sorted((size for size in armies if size > 1), reverse=True)
    return len(sizes) <= len(allowed) and all(
        size <= most for size, most in zip(sizes, allowed, strict=False)
    )


@cache
def stars(players: int, place: int) -> int:
    """How many special orders a place on the King's Court track (counted from 1) allows."""
    allowed = box()["players"][str(players)]["stars"]
    return allowed[place - 1] if place <= len(allowed) else 0


def house(seat: str) -> Term:
    """What the log calls a seat: its house."""
    return Term(HOUSES.get(seat, seat))


def houses(seats: tuple[str, ...] | list[str]) -> tuple[Term, ...]:
    """Several houses as one argument of a sentence."""
    return tuple(house(seat) for seat in seats)


Group = tuple[str, str, int]
"""Units on the march: where they go, their kind, how many."""

CASTLES = _("castles and strongholds")
"""The reason for a score: a castle or stronghold won or lost. A house's points are those it controls."""


@dataclass
class House(Army):
    """A house: its power tokens and supply. Its bid is in `hidden` until all have bid.

    `power` is its available power, `tokens_out` the tokens that lie in areas; the rest of the twenty are the
    pool. `lowered` says that its supply has just fallen, `income` is what the last Game of Thrones card gave
    it, `land` the land areas that it counted for a tie at the end, `face_down` how many orders it has placed
    in secret, and `at` the area that it is entering in a survey.
    """

    power: int = 0
    tokens_out: int = 0
    supply: int = 0
    lowered: bool = False
    income: int = 0
    land: int = 0
    face_down: int = 0
    at: str = ""


@dataclass
class Area(Objective):
    """A land area, sea or port, and what lies in it: the units of one house at most, counted by kind.

    `routed` lists the kind of each unit that has retreated this round; `token` is the house whose power token
    lies here, `garrison` and `neutral` the strength of such a marker (0 for none), `order_token` the order
    that lies open here where orders are given on the phones. `order` is the area's place on the map: areas
    are visited by it, even where a store of images has lost the order in which they were added.
    """

    # Units without their house, or a garrison beside a rival's token, would belong to nobody.
    is_undone_whole = True

    house: str = ""
    footmen: int = 0
    knights: int = 0
    siege_engines: int = 0
    ships: int = 0
    routed: tuple[str, ...] = ()
    token: str = ""
    garrison: int = 0
    neutral: int = 0
    closed: bool = False
    order_token: str = ""
    order: int = 0

    def count(self, unit: str) -> int:
        number: int = getattr(self, COUNTED[unit])
        return number

    def add(self, unit: str, number: int) -> None:
        """Put units here, or take them away; with the last unit the house and its order go too."""
        setattr(self, COUNTED[unit], max(0, self.count(unit) + number))
        if not self.size:
            self.house, self.routed, self.order_token = "", (), ""

    @property
    def units(self) -> tuple[str, ...]:
        held = self.__dict__
        return tuple([unit for unit, name in COUNTED.items() if held[name]])

    @property
    def size(self) -> int:
        """How many units stand here; two and more are an army."""
        return self.footmen + self.knights + self.siege_engines + self.ships


COUNTED = {FOOTMAN: "footmen", KNIGHT: "knights", SIEGE: "siege_engines", SHIP: "ships"}
"""Kind of unit → the field that counts it."""


@dataclass
class Table(State[House, Unit, Area]):
    """Everything that does not lie in an area.

    The three tracks name the houses from first to last. `cards` are the Westeros cards of the round, and
    `barred` what the third of them forbids. `bids` are revealed; `placed` are the houses that already have a
    place on the track that is being filled, or among those whom the wildlings make pay. A wildling attack has
    its `strength`, the house `spared` from it, whether it was `repelled`, the highest or lowest bidder
    (`marked`) and the card (`wildling`); `buried` are the wildling cards in the order in which they went
    below the deck.

    With the map: `marched` are the March orders of the round (house, area, order), `moving` the units of the
    current one (destination, kind, number), `leaving` whether a power token is to stay behind, `gathered` the
    areas whose Consolidate Power order is resolved, `specials` the houses that have mustered with their
    special one, `orderless` the areas whose house has no order left there this round, `court` the King's
    Court track as it was when orders were placed on the board.
    `becoming` is the mode that the table plays from the next Planning phase on; "" if it stays the same.
    `played_on` are the leaders with whom the table has chosen to play on after a correction.
    """

    iron_throne: tuple[str, ...] = ()
    fiefdoms: tuple[str, ...] = ()
    kings_court: tuple[str, ...] = ()
    threat: int = SPACE
    cards: tuple[str, ...] = ()
    barred: str = ""
    bids: dict[str, int] = field(default_factory=dict)
    placed: tuple[str, ...] = ()
    strength: int = 0
    spared: str = ""
    repelled: bool = False
    marked: str = ""
    wildling: str = ""
    buried: tuple[str, ...] = ()
    marched: tuple[tuple[str, str, str], ...] = ()
    moving: tuple[Group, ...] = ()
    leaving: bool = False
    gathered: tuple[str, ...] = ()
    specials: tuple[str, ...] = ()
    orderless: tuple[str, ...] = ()
    court: tuple[str, ...] = ()
    becoming: str = ""
    played_on: tuple[str, ...] = ()

    # --- tracks ----------------------------------------------------------------------------------

    def track(self, name: str) -> tuple[str, ...]:
        """The houses on a track from first to last; houses missing from it come last."""
        return _completed(getattr(self, _FIELDS[name]), self.seats)

    def set_track(self, name: str, houses: Iterable[str]) -> None:
        setattr(self, _FIELDS[name], tuple(houses))

    def holder(self, name: str) -> str:
        """The house in first place on a track, which holds its dominance token (AGOT-19)."""
        return self.track(name)[0]

    def place(self, name: str, seat: str) -> int:
        return self.track(name).index(seat) + 1

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The houses in the order of their turns: the Iron Throne track."""
        return self.track(THRONE)

    # --- houses ----------------------------------------------------------------------------------

    def pool(self, seat: str) -> int:
        """Power tokens that are neither available nor on the board nor bid."""
        army = self.armies[seat]
        all_tokens: int = box()["power_tokens"]
        return max(0, all_tokens - army.power - self.laid(seat))

    def laid(self, seat: str) -> int:
        """A house's power tokens on the board: counted on the map, or as its player enters them."""
        return self._tokens().count(seat) if self.objectives else self.armies[seat].tokens_out

    def _tokens(self) -> list[str]:
        return [area.token for area in self.objectives.values() if area.token]

    def gain(self, seat: str, power: int) -> int:
        """Take power from the pool, as far as it goes (BASE-08); returns how much was taken."""
        gained = min(power, self.pool(seat))
        self.armies[seat].power += gained
        return gained

    def discard(self, seat: str, power: int) -> int:
        """Return available power to the pool, as far as it goes; returns how much went back."""
        lost = min(power, self.armies[seat].power)
        self.armies[seat].power -= lost
        return lost


@lru_cache(maxsize=4096)
def _completed(track: tuple[str, ...], seats: tuple[str, ...]) -> tuple[str, ...]:
    listed = tuple(seat for seat in track if seat in seats)
    return (*dict.fromkeys(listed), *(seat for seat in seats if seat not in listed))


_FIELDS = {THRONE: "iron_throne", FIEFDOMS: "fiefdoms", COURT: "kings_court"}


LAND, SEA, PORT = "land", "sea", "port"
POINTS = {"castle": 1, "stronghold": 2}
"""Muster points of a castle or stronghold (AGOT-07)."""

FORTS = {"castle": _("castle"), "stronghold": _("stronghold")}

REGIONS = {
    "north": _("The North"),
    "riverlands": _("The Riverlands and the Iron Islands"),
    "vale": _("The Vale"),
    "westerlands": _("The Westerlands"),
    "crownlands": _("The Crownlands"),
    "reach": _("The Reach"),
    "stormlands": _("The Stormlands"),
    "dorne": _("Dorne"),
    "seas": _("The seas"),
}


def printed_map() -> dict[str, Any]:
    """The 58 areas and what lies between them."""
    return read_toml(PACKAGE, "data/map.toml")


@cache
def printed(area: str) -> dict[str, Any]:
    facts: dict[str, Any] = printed_map()["areas"][area]
    return facts


def icons(area: str, icon: str) -> int:
    """How many icons of a kind, supply or power, are printed on an area."""
    return int(printed(area).get(icon, 0))


def areas() -> tuple[str, ...]:
    return tuple(printed_map()["areas"])


@cache
def by_region() -> dict[str, tuple[str, ...]]:
    return {
        region: tuple(area for area in areas() if printed(area)["region"] == region) for region in REGIONS
    }


@cache
def kind(area: str) -> str:
    """Land, sea or port."""
    return str(printed(area)["kind"])


@cache
def name(area: str) -> Term:
    return Term(printed(area)["name"])


@cache
def label(area: str) -> Line:
    """The name of an area on its own, as on a button."""
    return Line(printed(area)["name"])


@cache
def adjacent(area: str) -> tuple[str, ...]:
    """The areas adjacent to an area: rivers separate, bridges join, islands touch only seas."""
    return tuple(printed(area)["beside"])


@cache
def adjacent_of(area: str, wanted: str) -> tuple[str, ...]:
    return tuple(other for other in adjacent(area) if kind(other) == wanted)


def takes(area: str, unit: str) -> bool:
    """Whether a unit may stand in an area: land units on land, ships in seas and ports (AGOT-41)."""
    return (unit == SHIP) != (kind(area) == LAND)


@cache
def points(area: str) -> int:
    """Muster points: a stronghold gives two, a castle one (AGOT-07)."""
    return POINTS.get(printed(area).get("fort", ""), 0)


@cache
def forts() -> tuple[str, ...]:
    return tuple(area for area in areas() if points(area))


@cache
def ports() -> tuple[str, ...]:
    return tuple(area for area in areas() if kind(area) == PORT)


@cache
def port_of(area: str) -> str:
    """The land area that a port belongs to; "" for an area that is not a port."""
    return str(printed(area).get("port_of", ""))


def sea_of(port: str) -> str:
    return str(printed(port)["sea"])


@cache
def land_of(area: str) -> str:
    """The land area that decides who controls an area: itself, or the one a port belongs to; "" for a sea."""
    return port_of(area) or ("" if kind(area) == SEA else area)


@cache
def port_at(land: str) -> str:
    """The port of a land area; "" for none."""
    return next((area for area in adjacent(land) if port_of(area) == land), "")


@cache
def home_of(area: str) -> str:
    """The house whose crest is printed here; "" for none."""
    return str(printed(area).get("home_of", ""))


@cache
def across_river(area: str) -> tuple[str, ...]:
    """The areas that would be adjacent but for a river."""
    pairs = (pair for pair in printed_map()["rivers"] if area in pair)
    return tuple(other for pair in pairs for other in pair if other != area)


def is_split_by_river(area: str, other: str) -> bool:
    """Whether only a river without a bridge keeps two areas apart, which is worth telling the player."""
    return other in across_river(area)


class NamesHouses(Step[Table]):
    """A question that says “you” to the houses that it is put to: everybody else reads which they are."""

    meanwhile = ""
    """What the others read in place of the question: `%(house)s` are the houses that have yet to answer."""

    def answering(self, g: Table) -> tuple[str, ...]:
        """The houses whose answer is out."""
        return asked(g)

    def asking(self, g: Table, seat: str | None) -> Line:
        if seat in asked(g):
            return super().asking(g, seat)
        return say(self.meanwhile, house=houses(self.answering(g)))

    def helping(self, g: Table, seat: str | None) -> Line:
        return super().helping(g, seat) if seat in asked(g) else Line("")


class Settled(NamesHouses, core.Settled[Table]):
    """Each house says that it is done, and may change its mind until all are."""

    def answering(self, g: Table) -> tuple[str, ...]:
        return self.waiting(g)

    def called(self, g: Table, seat: str) -> Term:
        return house(seat)


class Together(NamesHouses, core.Together[Table]):
    """Every house that is concerned answers once, in any order."""


class InTurn(NamesHouses, core.InTurn[Table]):
    """Houses are asked one after the other."""


class ByTurns(NamesHouses, core.ByTurns[Table]):
    """BASE-07: in turn order houses do one thing each, until no house has anything left to do."""

    def order(self, g: Table) -> Iterable[str]:
        return g.turn_order


# --- the beginning of a round ------------------------------------------------------------------------


class Westeros(Step[Table]):
    """BASE-03: the Westeros phase, which begins every round after the first."""


def begin_round(g: Table) -> None:
    """Advance the round track: the holder of the Iron Throne leads (BASE-01)."""
    g.begin_round(g.turn_order[0])
    g.cards, g.barred, g.bids, g.placed = (), "", {}, ()
    g.say(_("Round %(number)s."), number=g.round)
