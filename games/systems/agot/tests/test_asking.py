"""What a question says to the house that it is put to, and to everybody else meanwhile."""

import random

import pytest

from games.core import engine
from games.match import fuzz
from games.systems.agot import SYSTEM
from games.systems.agot.box import HOUSES
from games.systems.agot.tracks.clash import Bid

NAMES_THE_HOUSE = {
    "full": {
        "consolidation", "dark-wings", "look", "marches", "neutral", "put-to-the-sword", "raven", "retreat",
        "throne-of-blades",
    },
    "orders": {
        "consolidation", "dark-wings", "look", "marches", "put-to-the-sword", "raids", "raven", "retreat",
        "swap", "throne-of-blades",
    },
}  # fmt: skip
"""By mode the questions that onlookers read otherwise than the house that is asked."""


def asked_of_one(mode, seed):
    """The positions of a random match in which one house is asked, each with its step and that house.

    A bid is asked of all; whoever has bid reads that it is sealed.
    """
    state = fuzz.fresh_state(SYSTEM, mode, seed, 5)
    for _seat, _action, g in fuzz.play(state, random.Random(seed), SYSTEM.longest):
        step, asked = engine.step_of(g), engine.asked(g)
        if step is not None and len(asked) == 1 and not isinstance(step, Bid):
            yield g, step, asked[0]


@pytest.mark.parametrize("mode", NAMES_THE_HOUSE)
def test_onlookers_read_which_house_is_asked_and_it_reads_what(mode):
    found = set()
    for g, step, house in (position for seed in range(3) for position in asked_of_one(mode, seed)):
        mine = str(step.asking(g, house))
        (others,) = {str(step.asking(g, seat)) for seat in (*g.seats, None) if seat != house}
        if mine != others:
            assert HOUSES[house] in others, step.name
            assert HOUSES[house] not in mine, step.name
            found.add(step.name)
        else:
            assert step.name not in NAMES_THE_HOUSE[mode]
    assert found == NAMES_THE_HOUSE[mode]
