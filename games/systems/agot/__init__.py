"""A Game of Thrones: The Board Game, second edition, for three to six houses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core.steps import Step
from games.core.system import Choices, Mode, System
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.agot import columns, mode_change, organised, standings
from games.systems.agot.agot_corrections import AgotCorrections
from games.systems.agot.box import HOUSES
from games.systems.agot.first_steps import FIRST_STEPS
from games.systems.agot.map import (
    chart,
    combat,
    march,
    ports,
    retreat,
    round,
    setup,
    westeros_cards,
    wildling_losses,
)
from games.systems.agot.orders import placing, resolving
from games.systems.agot.page.table import AgotPage
from games.systems.agot.pieces import Table
from games.systems.agot.tracks import (
    action,
    clash,
    derived,
    ending,
    income,
    mustering,
    opening,
    planning,
    problems,
    supply,
    westeros,
    wildling_cards,
    wildlings,
)

CHAPTERS = (
    opening, mode_change, planning, action, westeros, supply, mustering, clash, income, wildlings,
    wildling_cards, ending,
)  # fmt: skip
STEPS: tuple[type[Step[Table]], ...] = tuple(step for chapter in CHAPTERS for step in chapter.STEPS)

LIGHT = Mode(
    "light",
    _("The Board Game"),
    opening.Gather,
    summary=_("Tracks, power, sealed bids and wildlings; the map stays on your board"),
)

FULL = Mode(
    "full",
    _("Board Game: map"),
    opening.Gather,
    steps=(
        setup.Begin,
        *westeros_cards.STEPS,
        *round.STEPS,
        *march.STEPS,
        *combat.STEPS,
        *retreat.STEPS,
        *ports.STEPS,
        *wildling_losses.STEPS,
    ),
    facts={"map": 1},
    summary=_("The app keeps every area and unit, and knows who may go where"),
)

ORDERS = Mode(
    "orders",
    _("Board Game: orders"),
    opening.Gather,
    steps=(*FULL.steps, *placing.STEPS, *resolving.STEPS),
    facts={"map": 1, "orders": 1},
    summary=_("Orders are placed on the phones too: nobody sees them before all are revealed"),
)


class Agot(System[Table]):
    """Three to six houses, ten rounds, three tracks."""

    slug = "agot"
    title = _("A Game of Thrones: The Board Game")
    state = Table
    page = AgotPage
    seat_names = HOUSES
    seat_range = (3, 6)
    faction_word = _("House")
    round_word = _("Round")
    round_names = (_("Round %(round)s"), _("Round %(round)s of %(rounds)s"))
    events = organised.EVENTS
    places_by_points = True
    steps = STEPS
    modes = (LIGHT, FULL, ORDERS)
    first_steps = FIRST_STEPS
    corrections = AgotCorrections
    columns = columns.ALL
    endings = ending.ENDINGS
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
        return [chart.printed(key)["name"] for key in chart.areas()]

    def problems(self, g: Table) -> Iterator[Line]:
        return problems.problems(g)

    def tie_breaks(self, g: Table, seat: str) -> dict[str, int]:
        return standings.tie_breaks(g, seat)

    def places(self, g: Table) -> dict[str, int]:
        return standings.places(g)

    def derived_facts(self, g: Table, seat: str | None) -> dict[str, Any]:
        return derived.derived_facts(g, seat)

    def tally(self, g: Table) -> dict[str, dict[str, int]]:
        """Points and places: by castles and strongholds, then by the game's own tie-breaks (BASE-09).

        A house to which an organiser has adjudicated the game comes first.
        """
        won = (g.result or {}).get("winner")
        order = sorted(g.seats, key=lambda seat: (seat == won, *ending.measures(g, seat)), reverse=True)
        return {seat: {"vp": g.points(seat), "place": place} for place, seat in enumerate(order, 1)}

    def counts(self, g: Table, number: int) -> bool:
        """Whether the app counts the castles: in the set-up, then with the map, unless one was corrected."""
        if any(score.author for score in g.scores.values() if score.round == number):
            return False
        return not number or mode_change.keeps_map(g)

    def summary(self, g: Table) -> str:
        return derived.summary(g)


SYSTEM = Agot()
