"""The contract for corrections: what is offered would change something.

A tap that is answered with "No change: it is already set to that" was offered in vain.
"""

import pytest

from games.core import IllegalAction, diff, engine, parse_action
from tests.contract.walks import walk

POSITIONS = 3
"""Positions of each match whose corrections are all tried."""

TEXT = "Wolf Riders (3)"
"""What is typed beside a correction: a name, a note, or the unit that joins."""

ONLY_LOGGED = {("tmg", "free"), ("tmg", "waive")}
"""What players note for the record: it happened on the table, and the position stays as it is."""


@pytest.fixture(scope="module")
def positions(played):
    """Positions from the beginning of a random match to its end."""
    taps = walk(played, 5).taps
    return [tap.after for tap in taps[:: max(1, len(taps) // POSITIONS)]]


def test_every_correction_that_is_offered_changes_something(positions, played):
    game, in_vain = played[0], set()
    for state in positions:
        for path in game.corrections_step.paths(state):
            for action in every_action(engine.corrections(state, path)):
                if (game.slug, parse_action(action).verb) in ONLY_LOGGED:
                    continue
                if not changes(state, path, action):
                    in_vain.add(f"{path.partition('/')[0]} {action}")
    assert in_vain == set()


def test_a_choice_names_what_holds_now(positions, played):
    for state in positions:
        for path in played[0].corrections_step.paths(state):
            for offer in engine.corrections(state, path):
                assert offer.instead_of is None or (offer.instead_of != offer.label and offer.on is None)


def every_action(offers):
    """Each offer as an action, with the ends of a range; nobody is offered to change a number by 0."""
    for offer in offers:
        if offer.minimum is None:
            yield offer.action
        else:
            yield from (f"{offer.action}:{end}" for end in {offer.minimum, offer.maximum} - {0})


def changes(state, path, action):
    """Whether a correction leads to another position; numbers of questions are no part of it."""
    try:
        after = engine.adjust(state, author(state, path), path, action, TEXT)
    except IllegalAction:
        return False
    _old, new = diff(state, after)
    if set(new) - {"asked", "flow"}:
        return True
    return [(one.step, one.about) for one in state.flow] != [(one.step, one.about) for one in after.flow]


def author(state, path):
    """The side itself, which alone corrects what is secret; for other pieces anybody."""
    _kind, _slash, key = path.partition("/")
    return key if key in state.armies else state.seats[0]
