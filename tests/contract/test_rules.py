"""The contract for the pure rules: every game ends, nothing leaks, nothing changes behind one's back."""

import inspect
import re

import pytest

from games.core import (
    KINDS,
    IllegalAction,
    Step,
    System,
    Together,
    apply,
    diff,
    engine,
    in_order,
    parse_action,
    systems,
)
from games.match import match_file, random_play
from tests.contract.walks import walk
from tests.positions import all_steps


@pytest.fixture(scope="module")
def walks(played):
    """Two random matches of a case, for all tests of this module; `manage.py fuzz` plays any number."""
    return [walk(played, seed) for seed in range(2)]


def test_any_random_game_ends(walks):
    for each in walks:
        assert each.taps[-1].after.result is not None
        assert engine.to_act(each.taps[-1].after) == ()


def test_playing_leaves_its_input_alone(walks):
    for each in walks:
        for tap in each.closely:
            stored = tap.stored
            if engine.to_act(tap.after):
                engine.play(tap.after, *random_play.tap(tap.after, each.luck))
            assert tap.after.to_json() == stored


def test_a_position_survives_json_and_images(walks):
    for each in walks:
        for tap in each.closely:
            assert type(tap.after).from_json(tap.stored) == tap.after
            old, new = diff(tap.before, tap.after)
            assert apply(tap.before, new) == tap.after
            assert apply(tap.after, old) == tap.before


def test_pieces_come_back_in_their_order_from_an_image_of_any(walks):
    """PostgreSQL sorts the paths of an image by their length; what is asked in turn depends on it."""
    for each in walks:
        for tap in each.closely:
            _old, new = diff(tap.before, tap.after)
            kept = dict(sorted(new.items(), key=lambda item: (len(item[0]), item[0])))
            again = apply(tap.before, in_order(kept, tuple(each.game.seat_names)))
            for mapping in KINDS.values():
                assert in_turn(getattr(again, mapping)) == in_turn(getattr(tap.after, mapping)), tap.action


def in_turn(pieces):
    """The keys of pieces in their order, those of a kind together: only among them it means anything."""
    return sorted(pieces, key=lambda key: getattr(pieces[key], "kind", ""))


def test_what_a_tap_writes_may_stand_in_an_exported_file(walks):
    for each in walks:
        for tap in each.closely:
            _old, new = diff(tap.before, tap.after)
            unfit = {
                path: value
                for path, value in new.items()
                if not match_file.fits(type(tap.after), path, value)
            }
            assert unfit == {}, tap.action


def test_offers_are_sorted_unique_and_can_be_played(walks):
    for each in walks:
        for tap in each.taps:
            for offers in tap.offers.values():
                offered = [offer.action for offer in offers]
                assert offered == sorted(set(offered))
                for offer in offers:
                    parse_action(random_play.tap_of(offer, each.luck))
                    assert (offer.minimum is None) == (offer.maximum is None)
                    assert offer.minimum is None or offer.minimum <= offer.maximum


AGAIN = {("agot", "muster")}
"""Steps that may be below themselves: one area's muster waits while the next area's is asked."""


def test_no_question_is_left_below_itself(walks):
    """A step that forgets to end stays under the next one, where nobody sees it until it is asked again."""
    for each in walks:
        for tap in each.taps:
            waiting = [question.step for question in tap.after.flow]
            twice = {step for step in waiting if waiting.count(step) > 1}
            assert {(each.game.slug, step) for step in twice} <= AGAIN, tap.action


def test_an_answer_that_may_be_given_again_asks_again(walks):
    """Else two taps at one moment would both count, and two units be lost: the second answers a new question.

    What several are asked at once stays one question until the last of them has answered.
    """
    for each in walks:
        for tap in each.taps:
            if isinstance(engine.step_of(tap.before), Together):
                continue
            if engine.asked(tap.before) == (tap.seat,) and tap.action not in beside(tap):
                again = engine.is_among(engine.answers(tap.after, tap.seat), parse_action(tap.action))
                assert not again or tap.after.asked > tap.before.asked, tap.action


def beside(tap):
    return {offer.action for offer in engine.free_actions(tap.before, tap.seat)}


def test_nothing_is_offered_to_a_seat_that_is_not_asked(walks):
    for each in walks:
        for tap in each.taps:
            step = engine.step_of(tap.after)
            asked = set() if step is None else set(step.asked(tap.after))
            for seat, offers in tap.offers.items():
                assert seat in asked or offers == engine.free_actions(tap.after, seat)
            assert engine.offers(tap.after, "nobody") == ()


def test_what_is_not_offered_changes_nothing(walks):
    for each in walks:
        seen = {random_play.tap(each.start, each.luck)[1]}
        for tap in each.closely:
            stored = tap.stored
            for seat, offered in tap.offers.items():
                for other in sorted(seen):
                    if not engine.is_among(offered, parse_action(other)):
                        assert refused(tap.after, seat, other)
            assert tap.after.to_json() == stored
            seen = {*list(seen)[-6:], tap.action}


def refused(state, seat, action):
    try:
        engine.play(state, seat, action)
    except IllegalAction as refusal:
        return bool(str(refusal.line))
    return False


def test_corrections_and_taps_mix(walks):
    for each in walks:
        state = each.start
        for _count in range(150):
            if state.result is not None:
                break
            state = tapped_or_corrected(state, each.luck)
            assert type(state).from_json(state.to_json()) == state
            assert engine.to_act(state) or state.result is not None
            engine.problems(state)


def tapped_or_corrected(state, luck):
    corrected = random_play.correction(state, luck) if luck.random() < 0.3 else None
    if corrected is None:
        return engine.play(state, *random_play.tap(state, luck))
    try:
        after = engine.adjust(state, *corrected, "a reason")
    except IllegalAction:
        return state
    assert after.result is None, "no correction ends a match by itself"
    assert after.lines, f"the log is silent about {corrected}"
    assert not steps_nowhere(state, *corrected[1:]), f"{corrected} changes nothing"
    return after


def steps_nowhere(state, path, action):
    """Whether this leaves a quantity unchanged that the page shows with a plus and a minus."""
    return any(
        offer.value is not None and action == f"{offer.action}:0"
        for offer in engine.corrections(state, path)
        if action.endswith(":0")
    )


def test_an_address_of_no_piece_has_no_corrections(walks):
    for tap in (walks[0].taps[len(walks[0].taps) // 2], walks[0].taps[0]):
        pieces = (*tap.after.armies, *tap.after.units, *tap.after.objectives)
        known = set(walks[0].game.corrections_step.paths(tap.after))
        for kind in ("army", "unit", "objective", "nothing"):
            for path in {f"{kind}/{key}" for key in pieces} - known:
                assert engine.corrections(tap.after, path) == (), path


def test_secrets_stay_with_their_seat(walks):
    marker = "winter-is-coming"
    for tap in walks[0].closely:
        planted = tap.after.copy()
        for seat in planted.seats:
            planted.hide(seat, "canary", f"{marker}-{seat}")
        for seat in (*planted.seats, None):
            seen = repr(engine.view(planted, seat).to_json())
            assert [other for other in planted.seats if f"{marker}-{other}" in seen] == (
                [seat] if seat else []
            )
            assert planted.result is not None or planted.seed not in seen


def test_chance_and_reveals_are_final(walks):
    for each in walks:
        for tap in each.taps:
            assert bool(tap.after.draws) == (tap.after.drawn != tap.before.drawn)
            assert not tap.after.draws or engine.is_final(tap.before, tap.after)


def verbs(offers):
    return {parse_action(offer.action).verb for offer in offers}


def test_every_offer_has_an_answer(walks):
    for each in walks[:1]:
        for tap in each.taps:
            step = engine.step_of(tap.after)
            answers = each.game.free_actions.answers | (step.answers if step else {})
            for offers in tap.offers.values():
                assert verbs(offers) <= answers.keys(), step
        for tap in list(each.closely)[::3]:
            for path in each.game.corrections_step.paths(tap.after):
                assert verbs(engine.corrections(tap.after, path)) <= each.game.corrections.answers.keys(), (
                    path
                )


def test_an_answer_is_no_part_of_a_step():
    parts = {name for name, _value in inspect.getmembers(Step)}
    for game in systems():
        for step in (*all_steps(game), game.free_actions, game.corrections):
            assert not set(step.answers.values()) & parts, step.name


def test_every_step_says_which_rule_it_is():
    for game in systems():
        for step in all_steps(game):
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
