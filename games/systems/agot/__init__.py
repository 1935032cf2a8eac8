"""A Game of Thrones: The Board Game, second edition, for three to six houses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core import Choices, EventKind, Line, Mode, System
from games.core import gettext_noop as _
from games.systems.agot import agot_corrections, pieces
from games.systems.agot.agot_corrections import AgotCorrections
from games.systems.agot.first_round import FIRST_STEPS
from games.systems.agot.map import combat, march, moving_units, round_on_map, westeros_on_map
from games.systems.agot.orders import open_orders, secret_orders
from games.systems.agot.page import board_page
from games.systems.agot.page.board_page import AgotPage
from games.systems.agot.pieces import HOUSES, Table
from games.systems.agot.tracks import (
    planning_and_action,
    sealed_bids,
    supply_muster_power,
    westeros_phase,
    wildling_cards,
    winning,
)

LIGHT = Mode(
    "light",
    _("Board Game: tracks"),
    planning_and_action.Gather,
    summary=_("Tracks, power, sealed bids and wildlings; the map stays on your board"),
)

FULL = Mode(
    "full",
    _("Board Game: map"),
    planning_and_action.Gather,
    steps=(*round_on_map.STEPS, *westeros_on_map.STEPS, *march.STEPS, *combat.STEPS, *moving_units.STEPS),
    facts={"map": 1},
    summary=_("The app tracks every area and unit, and checks every move"),
)

ORDERS = Mode(
    "orders",
    _("Board Game: orders"),
    planning_and_action.Gather,
    steps=(*FULL.steps, *secret_orders.STEPS, *open_orders.STEPS),
    facts={"map": 1, "orders": 1},
    summary=_("Orders are placed on the phones too. All stay hidden until they are revealed together"),
)

EVENTS = (
    EventKind(
        "board-game",
        _("Board game with tables of six"),
        _("A Game of Thrones: three rounds of four hours, points by place, every time another house."),
        {
            "kind": "swiss",
            "size": 6,
            "length": 3,
            "minutes": 240,
            "overtime": 0,
            "scoring": "places",
            "criteria": ("points", "wins", "vp", "head", "lot"),
            "places": (6, 5, 4, 3, 2, 1),
        },
    ),
    EventKind(
        "board-game-league",
        _("Board game league"),
        _("Tables of up to six, a month per round, points by place, every time another house."),
        {
            "kind": "swiss",
            "size": 6,
            "length": 6,
            "minutes": 0,
            "overtime": 0,
            "days": 30,
            "scoring": "places",
            "criteria": ("points", "wins", "vp", "head", "lot"),
            "places": (6, 5, 4, 3, 2, 1),
        },
    ),
)


class Agot(System[Table]):
    slug = "agot"
    title = _("A Game of Thrones: The Board Game")
    state = Table
    page = AgotPage
    seat_names = HOUSES
    seat_range = (3, 6)
    faction_word = _("House")
    round_word = _("Round")
    round_names = (_("Round %(round)s"), _("Round %(round)s of %(rounds)s"))
    events = EVENTS
    places_by_points = True
    tie_order = _("land areas, supply and the Iron Throne track")
    steps = (
        *planning_and_action.STEPS,
        *agot_corrections.STEPS,
        *westeros_phase.STEPS,
        *supply_muster_power.STEPS,
        *sealed_bids.STEPS,
        *wildling_cards.STEPS,
        *winning.STEPS,
    )
    modes = (LIGHT, FULL, ORDERS)
    first_steps = FIRST_STEPS
    corrections = AgotCorrections
    columns = board_page.FIELDS
    endings = winning.ENDINGS
    options = {"by_bid": (0, 0, 1), "bare_port": (0, 0, 1)}
    choices = {
        "by_bid": Choices(
            _("If the wildlings win, the other bidders suffer"),
            {0: _("In turn order after the lowest bidder"), 1: _("By rising bid")},
            is_rare=True,
        ),
        "bare_port": Choices(
            _("Lannister's port with three houses"),
            {0: _("It begins with a ship"), 1: _("It begins empty")},
            is_rare=True,
        ),
    }
    checklist = (
        *(f"AGOT-{number:02}" for number in range(1, 92)),
        *(f"BASE-{number:02}" for number in range(1, 13)),
    )
    longest = 20_000

    def words(self) -> Iterable[str]:
        return [pieces.printed(key)["name"] for key in pieces.areas()]

    def problems(self, g: Table) -> Iterator[Line]:
        return board_page.problems(g)

    def tie_breaks(self, g: Table, seat: str) -> dict[str, int]:
        return winning.tie_breaks(g, seat)

    def places(self, g: Table) -> dict[str, int]:
        return winning.places(g)

    def derived_facts(self, g: Table, seat: str | None) -> dict[str, Any]:
        return board_page.derived_facts(g, seat)

    def tally(self, g: Table) -> dict[str, dict[str, int]]:
        return {seat: {"vp": g.points(seat), "place": place} for seat, place in winning.places(g).items()}

    def counts(self, g: Table, number: int) -> bool:
        """Whether the app counts the castles: in the set-up, then with the map, unless one was corrected."""
        if any(score.author for score in g.scores.values() if score.round == number):
            return False
        return not number or agot_corrections.keeps_map(g)

    def summary(self, g: Table) -> str:
        return board_page.summary(g)


SYSTEM = Agot()
