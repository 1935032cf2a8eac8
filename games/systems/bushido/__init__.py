"""Bushido: Risen Sun. Two warbands, models with two activation counters each, three Victory Points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import (
    Choices,
    Clock,
    Entries,
    EventKind,
    Line,
    Listed,
    Mode,
    Roster,
    RosterRow,
    System,
    TournamentPoints,
)
from games.core import gettext_noop as _
from games.systems.bushido.bushido_corrections import BushidoCorrections
from games.systems.bushido.first_turn import FIRST_STEPS
from games.systems.bushido.lists import warband_rows
from games.systems.bushido.lists.warband_cards import FACTIONS, MODEL, MODELS
from games.systems.bushido.lists.warband_files import text_of
from games.systems.bushido.lists.warband_grammar import EXAMPLE
from games.systems.bushido.page import BushidoPage
from games.systems.bushido.pieces import FIELDS, REMOVED, Table
from games.systems.bushido.rules import (
    end_phase,
    main_phase,
    melee_exchange,
    muster_and_deployment,
    scenarios,
    starting_phase,
    turn_sequence,
    victory_and_end,
    warband_facts,
    wounds_and_ki,
)

MODE = Mode(
    slug="risen-sun",
    title=_("Bushido: Risen Sun"),
    first=muster_and_deployment.Open,
    summary=_("Warbands of models with Ki; the players choose the scenario"),
    facts={"elsewhere": 0},
)


POINTS = {
    (3, 0): 9,
    (2, 0): 8,
    (2, 1): 7,
    (1, 0): 6,
    (1, 1): 5,
    (0, 0): 4,
    (0, 1): 3,
    (1, 2): 2,
    (0, 2): 1,
    (0, 3): 0,
}
"""Tournament points of a game by own victory points and the rival's."""

BY_DIFFERENCE = {3: 9, 2: 8, 1: 7, 0: 5, -1: 2, -2: 1, -3: 0}
"""The same for scores without a row, such as 3-1: by the difference, at most three."""


def tournament_points(own: int, rival: int) -> float:
    """What a game is worth to the player with the first number of victory points."""
    points = POINTS.get((own, rival))
    return BY_DIFFERENCE[max(-3, min(3, own - rival))] if points is None else points


SCORINGS = {
    "bushido": TournamentPoints(
        _("Bushido"), _("9 to 0 by the victory points of the game; a bye is worth 7"), tournament_points, 7
    )
}

CRITERIA = ("points", "wins", "strength", "scenario", "vim", "lot")
"""What decides the ranking of an event, in this order."""

EVENTS = (
    EventKind(
        "bushido",
        _("Bushido, rounds by number of players"),
        _("Three rounds for up to 15 players, then one more each time they double; 9 to 0 points a game."),
        {
            "kind": "monrad",
            "length": 0,
            # As long as a standard game of 100 rice lasts; a smaller one has 75 minutes.
            "minutes": 120,
            "overtime": 0,
            "scoring": "bushido",
            "criteria": CRITERIA,
        },
    ),
    EventKind(
        "bushido-league",
        _("Bushido league"),
        _("Round robin, two weeks per round, no round clock; 9 to 0 points a game."),
        {
            "kind": "round-robin",
            "length": 0,
            "minutes": 0,
            "overtime": 0,
            "days": 14,
            "scoring": "bushido",
            "criteria": CRITERIA,
        },
    ),
    EventKind(
        "bushido-ladder",
        _("Bushido ladder"),
        _("Players challenge those above them; the winner takes the place. Two weeks per challenge."),
        {
            "kind": "ladder",
            "minutes": 0,
            "overtime": 0,
            "days": 14,
            "scoring": "bushido",
            "criteria": CRITERIA,
        },
    ),
    EventKind(
        "bushido-knockout",
        _("Bushido knockout"),
        _("Who loses is out; a match for third place. 120 minutes a game."),
        {
            "kind": "knock-out",
            "third": True,
            "minutes": 120,
            "overtime": 0,
            "scoring": "bushido",
            "criteria": CRITERIA,
        },
    ),
)


class Bushido(System[Table]):
    """Two warbands; Starting, Main and End phase; the scenario gives up to three Victory Points."""

    slug = "bushido"
    title = _("Bushido: Risen Sun")
    state = Table
    page = BushidoPage
    columns = FIELDS
    sizes = ("40", "50", "70", "75", "100")
    size_words = (_("Rice"), _("%(points)s rice a side"))
    army_word = _("Your warband")
    steps = (
        *muster_and_deployment.STEPS,
        *starting_phase.STEPS,
        *main_phase.MAIN,
        wounds_and_ki.WoundTest,
        melee_exchange.SplitDice,
        melee_exchange.Blows,
        *end_phase.STEPS,
        victory_and_end.StillLast,
        victory_and_end.Closing,
        turn_sequence.DiscardPasses,
    )
    modes = (MODE,)
    first_steps = FIRST_STEPS
    corrections = BushidoCorrections
    factions = FACTIONS
    events = EVENTS
    scorings = SCORINGS
    endings = victory_and_end.ENDINGS
    losses = frozenset({victory_and_end.NEITHER})
    options = {"points": (100, 10, 300), "activation": (0, 0, 600), "death": (0, 0, 240)}
    choices = {
        "activation": Choices(_("Seconds per activation, 0 for no limit"), is_rare=True),
        "death": Choices(_("Minutes per player in total, 0 for no limit"), is_rare=True),
    }
    clock = Clock(
        frozenset(step.name for step in main_phase.MAIN),
        frozenset({"act", "back"}),
        frozenset(
            step.name
            for step in (
                wounds_and_ki.WoundTest,
                melee_exchange.SplitDice,
                melee_exchange.Blows,
                victory_and_end.Closing,
            )
        ),
        turn="active",
        passing=frozenset({"overtime"}),
    )
    entry_kinds = {MODEL: MODELS, scenarios.SCENARIO: scenarios.SCENARIOS}
    files = (".ros", ".rosz", ".json")
    example = EXAMPLE
    checklist = tuple(f"BUSH-{number:02}" for number in range(1, 43))
    round_word = _("Turn")
    round_names = (_("Turn %(number)s"), _("Turn %(number)s of %(rounds)s"))
    longest = 4000

    def round_choices(self, entries: Entries) -> dict[str, Choices]:
        named = {slug: stated["name"] for slug, stated in scenarios.known(entries).items()}
        return {scenarios.SCENARIO: Choices(_("Scenario"), named)}

    def tally(self, g: Table) -> dict[str, dict[str, int]]:
        return {seat: victory_and_end.tallied(g, seat) for seat in g.seats}

    def bring(self, g: Table, seat: str, text: str) -> None:
        muster_and_deployment.bring_text(g, seat, text)

    def lists(self, g: Table, text: str) -> tuple[Listed, ...]:
        return muster_and_deployment.listed(g, text)

    def file_text(self, text: str) -> str:
        return text_of(text)

    def amend(self, g: Table, seat: str, rows: list[RosterRow]) -> None:
        warband_rows.amend(g, seat, rows)

    def roster(self, g: Table, seat: str) -> Roster | None:
        return warband_rows.roster(g, seat)

    def known_names(self, g: Table, seat: str) -> tuple[str, ...]:
        return warband_rows.known_names(g, seat)

    def demo_armies(self) -> dict[str, str]:
        return muster_and_deployment.demo_armies()

    def demo_summary(self, slug: str) -> Line:
        return muster_and_deployment.demo_summary(slug)

    def list_cost(self, g: Table, seat: str) -> int | None:
        return g.armies[seat].rice or None

    def tie_breaks(self, g: Table, seat: str) -> dict[str, int]:
        """Scenario Points scored: a reset takes them from the checks, and not from what was scored."""
        return {"scenario_points": victory_and_end.scenario_points_scored(g, seat)}

    def turning_points(self, g: Table, seat: str) -> dict[str, tuple[str, Any]]:
        """The removal of the enemy's VIM, once everybody knows which model that is."""
        vim = g.armies[g.rival(seat)].vim
        return {"enemy_vim_removed": (f"unit/{vim}/place", REMOVED)} if vim in g.units else {}

    def is_timed(self, g: Table) -> bool:
        return bool(g.round and g.result is None and (g.rules["activation"] or g.rules["death"]))

    def problems(self, g: Table) -> Iterator[Line]:
        return warband_facts.problems(g)

    def derived_facts(self, g: Table, seat: str | None) -> dict[str, Any]:
        return warband_facts.derived_facts(g, seat)

    def summary(self, g: Table) -> str:
        return warband_facts.summary(g)


SYSTEM = Bushido()
