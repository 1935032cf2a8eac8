"""What is undone on the map leaves no units without a house, and no question that nobody can answer."""

import pytest

from games.core import engine
from games.match import play, undoing
from games.match.storage import current
from games.models import Match
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db


def opened(mode="full"):
    names = {"stark": "Ada", "lannister": "Bo", "baratheon": "Cy"}
    match = play.open_match("agot", mode, names, seed="winter")
    for seat in names:
        tap(match, seat, "ready")
    return match


def taps(match, *lines):
    """Each as “seat action”; the version of the last."""
    return [tap(match, *line.split()) for line in lines][-1]


def correct(match, seat, path, action):
    return play.adjust(match.code, seat, path, action, play.new_key()).version


def planned(match, seat, version):
    loaded = current(Match.objects.get(pk=match.pk))
    return [entry.version for entry in undoing.plan(loaded, seat, version).entries]


def undo(match, seat, version):
    undoing.ask(match.code, seat, version, play.new_key())


@pytest.mark.rule("AGOT-59")
def test_units_never_stay_without_the_house_that_the_first_of_them_brought():
    match = opened()
    first = correct(match, "stark", "objective/seagard", "footman:seagard-of-stark:1")
    second = correct(match, "stark", "objective/seagard", "knight:seagard-of-stark:1")
    correct(match, "stark", "objective/karhold", "knight:karhold-of-stark:1")
    assert planned(match, "stark", second) == [second]
    undo(match, "stark", first)
    state = state_of(match)
    assert (state.objectives["seagard"].house, state.objectives["seagard"].size) == ("", 0)
    assert engine.problems(state) == ()


@pytest.mark.rule("AGOT-59")
def test_nor_in_a_survey():
    match = opened("light")
    correct(match, "stark", "table", "keep:full")
    taps(match, "stark at:karhold")
    first = taps(match, "stark has:footman:1")
    last = taps(match, "stark has:knight:1")
    assert planned(match, "stark", first) == [last, first]


def marching():
    match = opened()
    taps(match, "stark placed", "lannister placed", "baratheon placed", "lannister rest")
    taps(match, "stark resolved", "baratheon no-march", "lannister no-march")
    return match


@pytest.mark.rule("AGOT-39")
def test_an_undo_that_would_ask_what_nobody_can_answer_takes_back_what_came_after_it():
    match = marching()
    ship = correct(match, "lannister", "objective/the-shivering-sea", "ship:the-shivering-sea-of-stark:1")
    taps(match, "stark march:the-shivering-sea:zero", "stark to:the-narrow-sea")
    last = taps(match, "stark take:ship-1")
    assert planned(match, "", ship) == list(range(last, ship - 1, -1))
    undo(match, "", ship)
    assert engine.to_act(state_of(match)) == ("stark",)


@pytest.mark.rule("AGOT-39")
def test_a_march_that_was_started_over_is_planned_again_with_what_followed():
    match = marching()
    taps(match, "stark march:winterfell:zero", "stark to:karhold", "stark take:footman-1")
    taps(match, "stark take:knight-1")
    back = taps(match, "stark back")
    taps(match, "stark to:the-stony-shore")
    undo(match, "stark", back)
    state = state_of(match)
    assert (state.question.step, engine.to_act(state)) == ("march", ("stark",))
    assert state.moving == (("karhold", "footman", 1), ("karhold", "knight", 1))


@pytest.mark.rule("BASE-09")
def test_a_correction_that_would_end_the_last_round_is_undone_with_who_agreed():
    match = opened("light")
    taps(match, "stark placed", "lannister placed", "baratheon placed", "lannister rest")
    taps(match, "stark resolved", "stark resolved", "stark none", "lannister none", "baratheon none")
    Match.objects.filter(pk=match.pk).update(round=10)
    taps(match, "stark castles:1", "lannister same", "baratheon same")
    version = correct(match, "stark", "army/stark", "castles:stark:1")
    assert state_of(match).question.step == "ending"
    taps(match, "lannister end-match")
    undo(match, "", version)
    state = state_of(match)
    assert (state.question.step, engine.to_act(state)) == ("reckoning", ("stark", "lannister", "baratheon"))
    assert not any(army.ends for army in state.armies.values())
