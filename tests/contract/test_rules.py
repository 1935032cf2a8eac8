"""The contract of the pure rules: any game ends, nothing leaks, nothing is changed behind one's back."""

import inspect
import random
import re

from games.core import engine, notation
from games.core.diff import apply, diff
from games.core.steps import IllegalAction, Step
from games.core.system import System, systems
from games.match import fuzz

GAMES = 12
ALL_OF, THEN = 150, 8
"""Of a match that many positions are looked at one by one, and of a long one each eighth after them."""


def games(played, count=GAMES):
    game, mode, seats, options = played
    for seed in range(count):
        yield game, fuzz.opened(game, mode, seed, seats, options), random.Random(seed)


def looked_at(game, state, luck):
    """What random play comes through, as far as it is looked at: seat, action, position before, position."""
    before = state
    for number, (seat, action, after) in enumerate(fuzz.play(state, luck, game.longest)):
        if number < ALL_OF or number % THEN == 0 or after.result is not None:
            yield seat, action, before, after
        before = after


def test_any_random_game_ends(played):
    for game, state, luck in games(played):
        *_others, (_seat, _action, last) = fuzz.play(state, luck, game.longest)
        assert last.result is not None
        assert engine.to_act(last) == ()


def test_playing_leaves_its_input_alone(played):
    for game, state, luck in games(played, 3):
        for _seat, _action, before, _after in looked_at(game, state, luck):
            stored = before.to_json()
            if engine.to_act(before):
                engine.play(before, *fuzz.tap(before, luck))
            assert before.to_json() == stored


def test_a_position_survives_json_and_images(played):
    for game, state, luck in games(played, 3):
        for _seat, _action, before, after in looked_at(game, state, luck):
            assert type(after).from_json(after.to_json()) == after
            old, new = diff(before, after)
            assert apply(before, new) == after
            assert apply(after, old) == before


def test_offers_are_sorted_unique_and_can_be_played(played):
    for game, state, luck in games(played, 3):
        for _seat, _action, after in fuzz.play(state, luck, game.longest):
            for seat in after.seats:
                offered = [offer.action for offer in engine.offers(after, seat)]
                assert offered == sorted(set(offered))
                for offer in engine.offers(after, seat):
                    notation.parse(fuzz.tap_of(offer, luck))
                    assert (offer.minimum is None) == (offer.maximum is None)
                    assert offer.minimum is None or offer.minimum <= offer.maximum


def test_nothing_is_offered_to_a_seat_that_is_not_asked(played):
    for game, state, luck in games(played, 3):
        for _seat, _action, after in fuzz.play(state, luck, game.longest):
            step = engine.step_of(after)
            asked = set() if step is None else set(step.asked(after))
            for seat in after.seats:
                assert seat in asked or engine.offers(after, seat) == engine.free_actions(after, seat)
            assert engine.offers(after, "nobody") == ()


def test_what_is_not_offered_changes_nothing(played):
    for game, state, luck in games(played, 2):
        seen = {fuzz.tap(state, luck)[1]}
        for _seat, action, _before, after in looked_at(game, state, luck):
            stored = after.to_json()
            for seat in after.seats:
                offered = engine.offers(after, seat)
                for other in sorted(seen):
                    if not engine.is_among(offered, notation.parse(other)):
                        assert refused(after, seat, other)
            assert after.to_json() == stored
            seen = {*list(seen)[-6:], action}


def refused(state, seat, action):
    try:
        engine.play(state, seat, action)
    except IllegalAction as refusal:
        return bool(str(refusal.line))
    return False


def test_corrections_and_taps_mix(played):
    for _game, start, luck in games(played, 6):
        state = start
        for _count in range(150):
            if state.result is not None:
                break
            state = tapped_or_corrected(state, luck)
            assert type(state).from_json(state.to_json()) == state
            assert engine.to_act(state) or state.result is not None
            engine.problems(state)


def tapped_or_corrected(state, luck):
    corrected = fuzz.correction(state, luck) if luck.random() < 0.3 else None
    if corrected is None:
        return engine.play(state, *fuzz.tap(state, luck))
    try:
        after = engine.adjust(state, *corrected, "a reason")
    except IllegalAction:
        return state
    assert after.result is None, "no correction ends a match by itself"
    return after


def test_secrets_stay_with_their_seat(played):
    marker = "winter-is-coming"
    for game, state, luck in games(played, 2):
        for _seat, _action, _before, after in looked_at(game, state, luck):
            planted = after.copy()
            for seat in planted.seats:
                planted.hide(seat, "canary", f"{marker}-{seat}")
            for seat in (*after.seats, None):
                seen = repr(engine.view(planted, seat).to_json())
                assert [other for other in after.seats if f"{marker}-{other}" in seen] == (
                    [seat] if seat else []
                )
                assert after.result is not None or planted.seed not in seen


def test_chance_and_reveals_are_final(played):
    for game, state, luck in games(played, 4):
        before = state
        for _seat, _action, after in fuzz.play(state, luck, game.longest):
            assert bool(after.draws) == (after.drawn != before.drawn)
            assert not after.draws or engine.is_final(before, after)
            before = after


def test_verbs_do_not_collide_with_the_parts_of_a_step():
    parts = {name for name, _value in inspect.getmembers(Step)}
    for game in systems():
        for step in (*game.all_steps(), game.free_actions):
            source = inspect.getsource(step)
            verbs = set(re.findall(r'Offer\(f?"([a-z-]+)', source))
            assert not {verb.replace("-", "_") for verb in verbs} & parts
            assert all(callable(getattr(step, verb.replace("-", "_"), None)) for verb in verbs), step.name


def test_every_step_says_which_rule_it_is():
    for game in systems():
        for step in game.all_steps():
            assert step.__doc__, step.name
            assert step.rule, f"{game.slug}: {step.name} names no rule"
            assert set(re.findall(r"[A-Z]+-\d+", step.rule)) <= set(game.checklist), step.name


def test_a_system_has_all_that_a_page_needs():
    for game in systems():
        assert isinstance(game, System)
        assert game.slug
        assert game.title
        assert game.modes
        low, high = game.seat_range
        assert 1 <= low <= high <= len(game.seat_names)
