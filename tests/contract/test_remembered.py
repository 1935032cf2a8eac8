"""What the engine and a page remember is what the rules work out afresh, whatever led there."""

import random

import pytest

from games.core import IllegalAction, engine
from games.match import random_play
from games.view_models.game_page import Page

TAPS, CORRECTED, LOOKED_AT = 150, 0.2, 3
"""How many taps are played, how often a correction comes in, and the interval of compared positions."""


@pytest.fixture(scope="module")
def positions(played):
    """Positions of a random game with corrections in between, each asked everything before the next."""
    game, mode, seats, options = played
    luck = random.Random(7)
    state = engine.keep(random_play.fresh_state(game, mode, 7, seats, options))
    found = [state]
    for count in range(TAPS):
        ask(game, state)
        if count % LOOKED_AT == LOOKED_AT - 1:
            draw(game, state)
        if state.result is not None:
            break
        state = following(state, luck)
        found.append(state)
    return found


def ask(game, state):
    """Ask everything that pages and robots ask of a position."""
    step = engine.step_of(state)
    for seat in (*state.seats, None):
        engine.offers(state, seat)
        game.derived_facts(state, seat)
        if step is not None:
            step.asking(state, seat), step.helping(state, seat)
    engine.problems(state)


def draw(game, state):
    """Draw what every reader is shown just before a position that is compared."""
    for seat in (*state.seats, None):
        regions(game, state, seat)


def regions(game, state, seat):
    """The parts of the table's page that show the pieces."""
    offers, seen = engine.offers(state, seat) if seat else (), engine.view(state, seat)
    page = (game.page or Page)(seen, seat, offers, str, lambda path: path)
    return page.sides(), page.middle(), page.acting()


def following(state, luck):
    """The position after a random tap, or after a correction."""
    corrected = random_play.correction(state, luck) if luck.random() < CORRECTED else None
    if corrected is not None:
        try:
            return engine.adjust(state, *corrected, "a reason")
        except IllegalAction:
            pass
    return engine.play(state, *random_play.tap(state, luck))


def test_what_the_engine_remembers_is_what_the_rules_say_again(positions):
    for state in positions[::LOOKED_AT]:
        loaded = type(state).from_json(state.to_json())
        assert state.memory
        for question, *seat in state.memory:
            assert question(loaded, *seat) == state.memory[question, *seat], (question, seat, state.question)


def test_what_a_page_remembers_of_a_piece_is_what_it_would_draw_again(played, positions):
    game = played[0]
    for state in positions[::LOOKED_AT]:
        loaded = type(state).from_json(state.to_json())
        for seat in (*state.seats, None):
            assert regions(game, state, seat) == regions(game, loaded, seat), (seat, state.question)
