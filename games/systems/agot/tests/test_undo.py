"""Actions taken back: what follows an action goes with it, so that no question is left without an answer."""

import pytest

from games.core import engine
from games.match import play, storage, undoing
from games.systems.agot import SYSTEM

pytestmark = pytest.mark.django_db

HOUSES = dict(list(SYSTEM.seat_names.items())[:3])


def tapped(match, *actions):
    """The version of the table after these taps."""
    for action in actions:
        match.refresh_from_db()
        play.tap(match.code, *action.split(), match.version, play.new_key())
    match.refresh_from_db()
    return match.version


@pytest.mark.rule("AGOT-39")
def test_a_march_that_was_started_over_is_planned_again_with_what_followed():
    match = play.open_match(SYSTEM.slug, "full", HOUSES)
    tapped(match, *(f"{seat} ready" for seat in HOUSES), *(f"{seat} placed" for seat in HOUSES))
    tapped(match, "lannister rest", "stark resolved", "baratheon no-march", "lannister no-march")
    tapped(match, "stark march:winterfell:zero", "stark to:karhold", "stark take:footman-1")
    tapped(match, "stark take:knight-1")
    version = tapped(match, "stark back")
    tapped(match, "stark to:the-stony-shore")
    undoing.ask(match.code, "stark", version, play.new_key())
    match.refresh_from_db()
    state = storage.load(match).state
    assert (state.question.step, engine.to_act(state)) == ("march", ("stark",))
    assert state.moving == (("karhold", "footman", 1), ("karhold", "knight", 1))


@pytest.mark.rule("BASE-09")
def test_a_correction_that_would_end_the_last_round_is_undone_with_who_agreed():
    match = play.open_match(SYSTEM.slug, "light", HOUSES)
    tapped(match, *(f"{seat} ready" for seat in HOUSES), *(f"{seat} placed" for seat in HOUSES))
    tapped(match, "lannister rest", "stark resolved", "stark resolved", *(f"{seat} none" for seat in HOUSES))
    match.round = 10
    match.save()
    tapped(match, "stark castles:1", "lannister same", "baratheon same")
    play.adjust(match.code, "stark", "army/stark", "castles:stark:1", play.new_key())
    match.refresh_from_db()
    version = match.version
    assert storage.load(match).state.question.step == "ending"
    tapped(match, "lannister end-match")
    undoing.ask(match.code, "", version, play.new_key())
    match.refresh_from_db()
    state = storage.load(match).state
    assert (state.question.step, engine.to_act(state)) == ("reckoning", ("stark", "lannister", "baratheon"))
    assert not any(army.ends for army in state.armies.values())
