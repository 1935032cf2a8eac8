"""What a question says to the house that it is put to, and to everybody else meanwhile."""

import random
import re

import pytest

from games.core import Silent, engine
from games.match import random_play
from games.systems.agot import SYSTEM
from games.systems.agot.map import area_control
from games.systems.agot.pieces import HOUSES
from games.systems.agot.tests.tables import at, field, table
from games.systems.agot.tracks.sealed_bids import Bid
from games.translation import override_game, words
from tests.positions import all_steps

NAMES_THE_HOUSE = {
    "light": {
        "carry", "consolidation", "dark-wings", "income", "look", "mustering", "put-to-the-sword", "raven",
        "realms", "reckoning", "reconcile", "supply", "throne-of-blades",
    },
    "full": {
        "carry", "consolidation", "dark-wings", "fall", "levy", "look", "marches", "neutral", "preempted",
        "put-to-the-sword", "raven", "reconcile", "retreat", "rise", "take-port", "throne-of-blades",
    },
    "orders": {
        "carry", "consolidation", "dark-wings", "fall", "look", "marches", "preempted", "put-to-the-sword",
        "raids", "raven", "reconcile", "retreat", "swap", "throne-of-blades",
    },
}  # fmt: skip
"""By mode the questions that onlookers read otherwise than the house that is asked."""

YOU = {
    "en": re.compile(r"\b(you|your|yours|I|my|mine)\b(?!:)", re.IGNORECASE),
    "de": re.compile(r"\b(du|dich|dir|dein\w*|ihr|euch|euer|eure\w*|ich|mein\w*)\b"),
    "zh-hans": re.compile("[你您我]"),
}
"""How each language speaks to the reader, or as the reader. (“Deck I:” is a number.)"""


SEEDS = {"light": (0, 1, 2), "full": (2, 8, 10), "orders": (0, 1, 2)}
"""By mode the random matches that together ask nearly all questions."""


def matches(mode):
    """Every position of some random matches of five houses."""
    for seed in SEEDS[mode]:
        state = random_play.fresh_state(SYSTEM, mode, seed, 5)
        yield from (g for _seat, _tap, g in random_play.play(state, random.Random(seed), SYSTEM.longest))


def asked_of_one(mode):
    """The positions in which one house is asked, each with its step and that house.

    A bid is asked of all; whoever has bid reads that it is sealed.
    """
    for g in matches(mode):
        step, asked = engine.step_of(g), engine.asked(g)
        if step is not None and len(asked) == 1 and not isinstance(step, Bid):
            yield g, step, asked[0]


@pytest.mark.parametrize("mode", NAMES_THE_HOUSE)
def test_onlookers_read_which_house_is_asked_and_it_reads_what(mode):
    found = set()
    for g, step, house in asked_of_one(mode):
        mine = str(step.asking(g, house))
        (others,) = {str(step.asking(g, seat)) for seat in (*g.seats, None) if seat != house}
        if mine != others:
            assert HOUSES[house] in others, step.name
            assert HOUSES[house] not in mine, step.name
            found.add(step.name)
        else:
            assert step.name not in NAMES_THE_HOUSE[mode]
    assert found == NAMES_THE_HOUSE[mode]


def told_to_onlookers(g):
    """What those read who are not asked the open question: the question and its help."""
    step, asked = engine.step_of(g), engine.asked(g)
    for seat in (*g.seats, None) if step is not None else ():
        if seat not in asked:
            seen = engine.view(g, seat)
            yield step.asking(seen, seat), step.helping(seen, seat)


def rare():
    """Questions that few random matches ask."""
    yield engine.adjust(table(3), "stark", "table", "keep:full")
    seven = "winterfell riverrun harrenhal pyke seagard lannisport moat-cailin"
    g = field(stark=" ".join(f"{key}:F" for key in seven.split()), greyjoy="port-of-pyke:S")
    area_control.recount(g)
    yield engine.adjust(at(g, "raven"), "stark", "army/stark", "supply:stark:-1")
    yield at(g, "take-port", "stark", "port-of-pyke")
    yield at(table(3), "timed-reckoning", "stark", "lannister")
    yield at(table(3), "payers", marked="stark", bids={"stark": 0, "lannister": 1, "baratheon": 1})
    last = at(field(3, stark="winterfell:F"), "consolidation", round=10)
    yield engine.adjust(last, "stark", "objective/winterfell", "footman:winterfell-of-stark:-1")
    yield at(g, "levy", "stark", wildling="the-horde-descends")
    yield at(g, "promote", "stark", "2", wildling="crow-killers")
    g = field(stark="moat-cailin:F", greyjoy="seagard:FK riverrun:F")
    g.armies["greyjoy"].supply = 0
    yield at(g, "shed", "greyjoy", "stark", "moat-cailin", "seagard", "riverrun")


def test_onlookers_read_no_you_that_is_not_them():
    lines, met = {}, set()
    for g in (*(g for mode in NAMES_THE_HOUSE for g in matches(mode)), *rare()):
        met.add(g.question.step if g.flow else "")
        for asking, helping in told_to_onlookers(g):
            assert str(asking), g.question
            lines |= {str(line): line for line in (asking, helping)}
    assert {step.name for step in all_steps(SYSTEM) if step.title and not issubclass(step, Silent)} <= met
    for language, you in YOU.items():
        with override_game("agot", language):
            assert [said for said in map(words, lines.values()) if you.search(said)] == []


@pytest.mark.rule("BASE-07")
@pytest.mark.parametrize("step", ["marches", "consolidation"])
def test_who_waits_for_an_order_is_told_to_tap_nothing(step):
    g = at(field(3, stark="winterfell:F", lannister="lannisport:F"), step, "stark", "lannister")
    assert str(engine.step_of(g).helping(g, "stark")).startswith("Tap ")
    assert [str(engine.step_of(g).helping(g, seat)) for seat in ("lannister", "baratheon", None)] == [""] * 3


@pytest.mark.rule("BASE-07")
@pytest.mark.parametrize(
    ("step", "help"),
    [
        ("raids", "gains one power; the raided house discards one if it has any"),
        ("consolidation", "Port: 1, or 0 with an enemy ship in its sea. Sea: 0."),
    ],
)
def test_where_the_board_is_played_the_help_says_what_orders_bring(step, help):
    """With the map the app counts the same: see `map.round.worth` and `orders.resolving.Raids`."""
    g = at(table(3), step)
    assert help in str(engine.step_of(g).helping(g, "stark"))
