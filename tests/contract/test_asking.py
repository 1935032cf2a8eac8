"""The contract for questions: the same wherever a position comes from, in both languages, in any order."""

import re
from itertools import combinations

import pytest

from games import discovery, translation
from games.core import Line, Term, Together, apply, diff, engine
from games.match import random_play
from tests.contract.walks import walk

SELDOM = 6
"""How many closely checked taps lie between two whose positions are asked everything."""


@pytest.fixture(scope="module")
def taps(played):
    """Taps of two random matches of a case."""
    return [tap for seed in (3, 4) for tap in list(walk(played, seed).closely)[::SELDOM]]


def asked(state):
    """Everything that a position asks of and offers to everybody."""
    step = engine.step_of(state)
    return {
        "waits for": (engine.to_act(state), engine.awaited(state)),
        "offers": {seat: engine.offers(state, seat) for seat in state.seats},
        "beside": {seat: engine.free_actions(state, seat) for seat in state.seats},
        "says": {
            seat: (step.asking(state, seat), step.helping(state, seat))
            for seat in (*state.seats, None)
            if step is not None
        },
        "remarks": engine.problems(state),
    }


def test_a_position_that_is_read_asks_what_the_played_one_asks(taps):
    """Whatever was worked out while playing, a restarted server asks the same."""
    for tap in taps:
        assert asked(type(tap.after).from_json(tap.stored)) == asked(tap.after), tap.action


def test_a_tap_taken_off_asks_what_was_asked_before(taps):
    for tap in taps:
        old, new = diff(tap.before, tap.after)
        before = apply(tap.after, old)
        assert asked(before) == asked(tap.before), tap.action
        assert asked(apply(before, new)) == asked(tap.after), tap.action


def test_corrections_are_the_same_of_a_position_that_is_read(taps, played):
    paths = played[0].corrections_step.paths
    for tap in taps[::3]:
        read = type(tap.after).from_json(tap.stored)
        for path in paths(tap.after):
            assert engine.corrections(read, path) == engine.corrections(tap.after, path), path


def test_a_question_says_something_and_rests_on_a_rule(taps, played):
    for tap in taps:
        if (step := engine.step_of(tap.after)) is None:
            continue
        assert all(str(step.asking(tap.after, seat)).strip() for seat in (*tap.after.seats, None)), step
        assert set(re.findall(r"[A-Z]+-\d+", step.resting_on(tap.after))) <= set(played[0].checklist), step


# --- asked together -------------------------------------------------------------------------------


def test_answers_that_are_asked_together_come_in_any_order(taps, played):
    """Of two players who answer at once, neither gains by being first or takes away the other's answer."""
    for tap in taps:
        state = tap.after
        if not isinstance(engine.step_of(state), Together):
            continue
        for one, other in combinations(engine.awaited(state), 2):
            first, second = (answer_of(state, seat) for seat in (one, other))
            assert after(state, (one, first), (other, second)) == after(state, (other, second), (one, first))


def answer_of(state, seat):
    """The answer that settles the question for a seat if there is one, else one from the middle."""
    offers = [offer for offer in engine.offers(state, seat) if offer.style != "quiet"]
    offer = next((offer for offer in offers if offer.style == "main"), offers[len(offers) // 2])
    return offer.action if offer.minimum is None else f"{offer.action}:{offer.maximum}"


def after(state, *taps):
    """The position after two taps, neither of which may take the other away; None if chance decides."""
    drawn, step = state.drawn, engine.step_of(state)
    for seat, action in taps:
        assert engine.step_of(state) == step, "the question goes on while somebody has yet to answer"
        state = engine.play(state, seat, action)
        if state.drawn != drawn:
            return None
    stored = state.to_json()
    # A score sheet is written line by line: coming first on it is no gain.
    written = sorted(str({**row, "key": ""}) for row in stored["scores"].values())
    return {
        **stored,
        "scores": written,
        "asked": 0,
        "flow": [(step, about) for step, _no, about in stored["flow"]],
    }


# --- in both languages ----------------------------------------------------------------------------

WORDS = re.compile(r"[A-Za-z]{3,}")


def messages(line):
    """Every message in a line, each with its plural if it has one."""
    yield line.message, line.plural
    for value in line.arguments.values():
        yield from _of_value(value)


def _of_value(value):
    if isinstance(value, Line):
        yield from messages(value)
    elif isinstance(value, Term):
        yield value.message, None
    elif isinstance(value, tuple):
        for each in value:
            yield from _of_value(each)


def lines_of(tap):
    """All that a table says at a tap: the log, the question, what may be tapped and corrected."""
    yield from tap.after.lines
    step = engine.step_of(tap.after)
    for seat in (*tap.after.seats, None) if step else ():
        yield step.asking(tap.after, seat)
        yield step.helping(tap.after, seat)
    path = sorted(engine.system(tap.after.system).corrections_step.paths(tap.after))[-1]
    for offers in (*tap.offers.values(), engine.corrections(tap.after, path)):
        for offer in offers:
            yield offer.label
            yield from (offer.detail,) if offer.detail else ()


def test_all_that_is_said_in_random_play_is_translated(taps, played):
    game = played[0]
    if not (discovery.place_of(game.slug).folder / "locale").exists():
        pytest.skip("this game of the tests has English words only")
    chinese = translation.catalogue("zh-hans", game.slug)
    for tap in taps:
        for line in lines_of(tap):
            said = chinese.words(line)
            assert "%(" not in said, line
            for message, plural in messages(line):
                template = re.sub(r"%\(\w+\)[sd]", "", message)
                # A message with a plural is looked up by both: not every Python finds it by the first alone.
                words = chinese.ngettext(message, plural, 1) if plural else chinese.text(message)
                assert not WORDS.search(template) or words != message or is_name(tap, message)


def is_name(tap, message):
    """Whether a term is a name that somebody typed or that came with a list."""
    return any(
        message in str(piece.to_json()) for piece in (*tap.after.armies.values(), *tap.after.units.values())
    )


def test_a_number_that_is_offered_can_be_given_at_both_ends(taps):
    for tap in taps[::2]:
        for seat, offers in tap.offers.items():
            for offer in offers:
                if offer.minimum is not None:
                    for number in {offer.minimum, offer.maximum}:
                        engine.play(tap.after, seat, f"{offer.action}:{number}")
                else:
                    engine.play(tap.after, seat, random_play.tap_of(offer, None))
