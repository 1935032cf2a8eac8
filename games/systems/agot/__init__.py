"""A Game of Thrones: The Board Game, second edition, for three to six houses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.core.system import Choices, Mode, Step, System
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.agot import (
    action,
    chart,
    clash,
    columns,
    combat,
    depth,
    ending,
    faces,
    free_folk,
    full_round,
    full_setup,
    full_westeros,
    income,
    march,
    mustering,
    neutral,
    opening,
    placing,
    planning,
    ports,
    problems,
    resolving,
    retreat,
    supply,
    tolls,
    westeros,
    wildlings,
)
from games.systems.agot.box import HOUSES
from games.systems.agot.desk import AgotDesk
from games.systems.agot.page import AgotPage
from games.systems.agot.pieces import Table

CHAPTERS = (
    opening, depth, planning, action, westeros, supply, mustering, clash, income, wildlings, free_folk,
    ending,
)  # fmt: skip
STEPS: tuple[type[Step], ...] = tuple(step for chapter in CHAPTERS for step in chapter.STEPS)

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
        full_setup.Begin,
        *full_westeros.STEPS,
        *full_round.STEPS,
        *march.STEPS,
        *neutral.STEPS,
        *combat.STEPS,
        *retreat.STEPS,
        *ports.STEPS,
        *tolls.STEPS,
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


class Agot(System):
    """Three to six houses, ten rounds, three tracks."""

    slug = "agot"
    title = _("A Game of Thrones: The Board Game")
    state = Table
    page = AgotPage
    seat_names = HOUSES
    seat_range = (3, 6)
    steps = STEPS
    modes = (LIGHT, FULL, ORDERS)
    desk = AgotDesk
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
    longest = 6000

    def words(self) -> Iterable[str]:
        return [chart.printed(key)["name"] for key in chart.areas()]

    def problems(self, g: Table) -> Iterator[Line]:
        return problems.problems(g)

    def faces(self, g: Table, seat: str | None) -> dict[str, Any]:
        return faces.faces(g, seat)

    def summary(self, g: Table) -> str:
        return faces.summary(g)


SYSTEM = Agot()
