"""A Song of Ice and Fire: Tabletop Miniatures Game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.core import AnyState, Choices, EventKind, Line, Listed, Roster, RosterRow, System
from games.core import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.lists import army_cards, army_rows
from games.systems.tmg.lists.army_cards import CARD, CARDS, EXAMPLE, FACTIONS, catalogue
from games.systems.tmg.lists.army_grammar import demo_rosters, demo_summary, opened
from games.systems.tmg.modes import (
    a_clash_of_kings,
    a_dance_with_dragons,
    a_feast_for_crows,
    a_game_of_thrones,
    a_storm_of_swords,
    dark_wings_dark_words,
    fire_and_blood,
    here_we_stand,
    honed_and_ready,
    manual_scoring,
    winds_of_winter,
)
from games.systems.tmg.newcomers_round import FIRST_STEPS
from games.systems.tmg.page.miniatures_page import TmgPage
from games.systems.tmg.pieces import Table
from games.systems.tmg.rules import (
    activation_phase,
    army_muster,
    clean_up_phase,
    deployment,
    destruction,
    end_of_match,
    table_facts,
    tactics_cards,
)
from games.systems.tmg.tmg_corrections import TmgCorrections

CRITERIA = ("wins", "vp", "difference", "destroyed", "strength", "head", "lot")
"""What decides the ranking, in this order."""


class Tmg(System[Table]):
    """Two armies, up to six rounds of turns and clean-up."""

    slug = "tmg"
    title = _("A Song of Ice and Fire: Tabletop Miniatures Game")
    state = Table
    page = TmgPage
    columns = table_facts.COLUMNS_OF_PIECES
    featured = True
    sizes = ("30", "40", "50")
    steps = (
        *deployment.STEPS,
        *activation_phase.STEPS,
        *clean_up_phase.ORDER,
        clean_up_phase.ScoringEffects,
        *tactics_cards.STEPS,
        end_of_match.Ending,
    )
    free_actions = activation_phase.Interruptions
    modes = (
        a_game_of_thrones.MODE,
        a_clash_of_kings.MODE,
        a_storm_of_swords.MODE,
        a_feast_for_crows.MODE,
        a_dance_with_dragons.MODE,
        fire_and_blood.MODE,
        here_we_stand.MODE,
        honed_and_ready.MODE,
        winds_of_winter.MODE,
        dark_wings_dark_words.MODE,
        manual_scoring.MODE,
    )
    first_steps = FIRST_STEPS
    corrections = TmgCorrections
    factions = FACTIONS
    events = (
        EventKind(
            "tmg-40",
            _("TMG 40 points Swiss, five rounds"),
            _("A Song of Ice and Fire miniatures: 90 minutes and 15 of overtime, ranked by games won."),
            {
                "options": {"points": 40},
                "kind": "swiss",
                "length": 5,
                "minutes": 90,
                "overtime": 15,
                "scoring": "wins",
                "criteria": CRITERIA,
            },
        ),
        EventKind(
            "league",
            _("Long-running league"),
            _("Round robin, two weeks per round, no round clock."),
            {
                "options": {"points": 40},
                "kind": "round-robin",
                "length": 0,
                "minutes": 0,
                "overtime": 0,
                "days": 14,
                "scoring": "wins",
                "criteria": CRITERIA,
            },
        ),
        EventKind(
            "tmg-ladder",
            _("Ladder"),
            _("Players challenge those above them; the winner takes the place. Two weeks per challenge."),
            {
                "options": {"points": 40},
                "kind": "ladder",
                "minutes": 0,
                "overtime": 0,
                "days": 14,
                "scoring": "wins",
                "criteria": CRITERIA,
            },
        ),
        EventKind(
            "tmg-knockout",
            _("TMG 40 points knockout"),
            _("Who loses is out; a match for third place. 90 minutes and 15 of overtime."),
            {
                "options": {"points": 40},
                "kind": "knock-out",
                "third": True,
                "minutes": 90,
                "overtime": 15,
                "scoring": "wins",
                "criteria": CRITERIA,
            },
        ),
    )
    endings = end_of_match.ENDINGS
    options = {
        "points": (40, 10, 100),
        "target": (0, 0, 50),
        "strict": (0, 0, 1),
        "ruleset": (ruleset.USUAL, min(ruleset.every()), max(ruleset.every())),
        "decks": (0, 0, 1),
    }
    choices = {
        "ruleset": Choices(
            _("Rules"),
            {year: rules["title"] for year, rules in ruleset.every().items()},
            _("They stay as they are for the whole match."),
        ),
        "strict": Choices(
            _("Overlap at tokens"),
            {0: _("Standard overlap"), 1: _("Strict overlap")},
            _("A claim is lost once the tray no longer covers the whole token."),
            is_rare=True,
        ),
        "decks": Choices(
            _("Tactics cards"),
            {
                0: _("In our hands: the app counts them"),
                1: _("In the app: it shuffles, draws and holds hands"),
            },
            _("Kept in the app, each hand is shown to its own player only."),
        ),
    }
    variants = ({"ruleset": 2024}, {"decks": 1})
    dealt = frozenset({tactics_cards.HAND, tactics_cards.DECK})
    entry_kinds = {CARD: CARDS, army_cards.STATS: army_cards.STATS_KIND}
    example = EXAMPLE
    files = (".ros", ".rosz", ".json", ".txt")
    checklist = (
        *(f"TMG-{number:02}" for number in range(1, 123)),
        *(f"E{number}" for number in range(1, 22)),
    )

    def open(self, mode: str, seats: dict[str, str], seed: str, options: Mapping[str, Any]) -> AnyState:
        state = super().open(mode, seats, seed, options)
        # The table chooses how long a token is held only where its mode does not say so (TMG-52).
        fixed = {"strict": 1} if state.rules.get("fixes_strict") else {}
        if state.rules.get("carried"):
            fixed = {"strict": 0}
        state.rules = ruleset.kept({**state.rules, **fixed}, mode)
        state.rules["target"] = state.rules["target"] or ruleset.target(state.rules, state.rules["points"])
        return state

    def tally(self, g: Table) -> dict[str, dict[str, int]]:
        return {
            seat: {"vp": g.points(seat), "destroyed": destruction.destroyed_points(g, g.rivals(seat)[0])}
            for seat in g.seats
        }

    def bring(self, g: Table, seat: str, text: str) -> None:
        army_muster.bring_text(g, seat, text)

    def lists(self, g: Table, text: str) -> tuple[Listed, ...]:
        return army_muster.listed(g, text)

    def file_text(self, text: str) -> str:
        return opened(text, catalogue())

    def amend(self, g: Table, seat: str, rows: list[RosterRow]) -> None:
        army_rows.amend(g, seat, rows)

    def roster(self, g: Table, seat: str) -> Roster | None:
        return army_rows.roster(g, seat)

    def redeal(self, g: Table) -> None:
        for seat in g.seats:
            tactics_cards.redeal(g, seat)

    def words(self) -> Iterable[str]:
        return dict.fromkeys(text for rules in ruleset.every().values() for text in ruleset.messages(rules))

    def demo_armies(self) -> dict[str, str]:
        return demo_rosters()

    def demo_summary(self, slug: str) -> Line:
        return demo_summary(slug)

    def problems(self, g: Table) -> Iterator[Line]:
        return table_facts.problems(g)

    def list_cost(self, g: Table, seat: str) -> int | None:
        return g.armies[seat].points or None

    def tie_breaks(self, g: Table, seat: str) -> dict[str, int]:
        destroyed = sum(destruction.destroyed_points(g, rival) for rival in g.rivals(seat))
        return {"points_destroyed": destroyed, "points_on_table": end_of_match.army_points(g, seat)}

    def derived_facts(self, g: Table, seat: str | None) -> dict[str, Any]:
        return table_facts.derived_facts(g, seat)

    def summary(self, g: Table) -> str:
        return table_facts.summary(g)


SYSTEM = Tmg()
