"""Bushido: Risen Sun. Two warbands, models with two activation counters each, three Victory Points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core.army_lists import Listed, Roster, RosterRow
from games.core.clocks import Clock
from games.core.system import Choices, Mode, System
from games.core.words import Line
from games.core.words import gettext_noop as _
from games.systems.bushido import columns, organised
from games.systems.bushido.corrections.table import BushidoCorrections
from games.systems.bushido.first_steps import FIRST_STEPS
from games.systems.bushido.lists import EXAMPLE, editing, text_of
from games.systems.bushido.lists.catalogue import FACTIONS, MODEL, MODELS
from games.systems.bushido.page.table import BushidoPage
from games.systems.bushido.pieces import REMOVED, Table
from games.systems.bushido.rules import (
    activations,
    derived,
    end_phase,
    ending,
    muster,
    problems,
    scenarios,
    scoring,
    setup,
    starting_phase,
    turns,
    victory,
    wound_test,
)

MODE = Mode(
    slug="risen-sun",
    title=_("Bushido: Risen Sun"),
    first=setup.Open,
    summary=_("Warbands of models with Ki; the players choose the scenario"),
    facts={"elsewhere": 0},
)


class Bushido(System[Table]):
    """Two warbands; Starting, Main and End phase; the scenario gives up to three Victory Points."""

    slug = "bushido"
    title = _("Bushido: Risen Sun")
    state = Table
    page = BushidoPage
    columns = columns.ALL
    sizes = ("40", "50", "70", "75", "100")
    size_words = (_("Rice"), _("%(points)s rice a side"))
    army_word = _("Your warband")
    steps = (
        *setup.STEPS,
        *starting_phase.STEPS,
        *activations.MAIN,
        wound_test.WoundTest,
        *end_phase.STEPS,
        *scoring.STEPS,
        ending.StillLast,
        ending.Closing,
        turns.DiscardPasses,
    )
    modes = (MODE,)
    first_steps = FIRST_STEPS
    corrections = BushidoCorrections
    factions = FACTIONS
    events = organised.EVENTS
    scorings = organised.SCORINGS
    endings = ending.ENDINGS
    losses = frozenset({ending.NEITHER})
    options = {"points": (100, 10, 300), "activation": (0, 0, 600), "death": (0, 0, 240)}
    choices = {
        "activation": Choices(_("Seconds for an activation, 0 without limit"), is_rare=True),
        "death": Choices(_("Minutes per player in total, 0 without limit"), is_rare=True),
    }
    clock = Clock(
        frozenset(step.name for step in activations.MAIN),
        frozenset({"act", "back"}),
        frozenset({wound_test.WoundTest.name, ending.Closing.name}),
        turn="active",
        passing=frozenset({"overtime"}),
    )
    entry_kinds = {MODEL: MODELS, scenarios.SCENARIO: scenarios.SCENARIOS}
    files = (".ros", ".rosz")
    example = EXAMPLE
    checklist = tuple(f"BUSH-{number:02}" for number in range(1, 37))
    round_word = _("Turn")
    round_names = (_("Turn %(number)s"), _("Turn %(number)s of %(rounds)s"))
    longest = 4000

    def tally(self, g: Table) -> dict[str, dict[str, int]]:
        return {seat: victory.tallied(g, seat) for seat in g.seats}

    def bring(self, g: Table, seat: str, text: str) -> None:
        setup.bring_text(g, seat, text)

    def lists(self, g: Table, text: str) -> tuple[Listed, ...]:
        return muster.listed(g, text)

    def file_text(self, text: str) -> str:
        return text_of(text)

    def amend(self, g: Table, seat: str, rows: list[RosterRow]) -> None:
        editing.amend(g, seat, rows)

    def roster(self, g: Table, seat: str) -> Roster | None:
        return editing.roster(g, seat)

    def known_names(self, g: Table, seat: str) -> tuple[str, ...]:
        return editing.known_names(g, seat)

    def demo_armies(self) -> dict[str, str]:
        return muster.demo_armies()

    def demo_summary(self, slug: str) -> Line:
        return muster.demo_summary(slug)

    def list_cost(self, g: Table, seat: str) -> int | None:
        return g.armies[seat].rice or None

    def tie_breaks(self, g: Table, seat: str) -> dict[str, int]:
        """Scenario Points scored: a reset takes them from the checks, and not from what was scored."""
        return {"scenario_points": victory.scenario_points_scored(g, seat)}

    def turning_points(self, g: Table, seat: str) -> dict[str, tuple[str, Any]]:
        """The removal of the enemy's VIM, once everybody knows which model that is."""
        vim = g.armies[g.rival(seat)].vim
        return {"enemy_vim_removed": (f"unit/{vim}/place", REMOVED)} if vim in g.units else {}

    def is_timed(self, g: Table) -> bool:
        return bool(g.round and g.result is None and (g.rules["activation"] or g.rules["death"]))

    def problems(self, g: Table) -> Iterator[Line]:
        return problems.problems(g)

    def derived_facts(self, g: Table, seat: str | None) -> dict[str, Any]:
        return derived.derived_facts(g, seat)

    def summary(self, g: Table) -> str:
        return derived.summary(g)


SYSTEM = Bushido()
