"""Answers that are undone: none counts for a later question, and nobody is left out or unable to act."""

import pytest

from games.core import engine
from games.match import play, undoing
from games.match.storage import current
from games.models import Match
from games.systems.agot.tracks import planning_and_action
from tests.match.undo import ask, correct, refused, request_of
from tests.playing import state_of

pytestmark = pytest.mark.django_db

HOUSES = ("stark", "lannister", "baratheon")


def tap(match, seat, action):
    match.refresh_from_db()
    return play.tap(match.code, seat, action, match.version, play.new_key()).version


def houses(mode):
    match = play.open_match("agot", mode, {key: key.title() for key in HOUSES}, seed="winter")
    for seat in HOUSES:
        tap(match, seat, "ready")
    return match


def actions(match, seat, verb):
    return [offer.action for offer in engine.offers(state_of(match), seat) if offer.action.startswith(verb)]


def place_all(match, seat):
    """The house places an order in each area, and confirms them."""
    while not actions(match, seat, "placed"):
        tap(match, seat, actions(match, seat, "order:")[0])
    return tap(match, seat, "placed")


def after_second_thoughts(mode):
    """Baratheon confirms, thinks again, and confirms last of all: the versions of these last two taps."""
    match = houses(mode)
    place_all(match, "baratheon")
    thought = tap(match, "baratheon", "not-yet")
    for seat in HOUSES[:2]:
        place_all(match, seat)
    closing = tap(match, "baratheon", "placed")
    return match, thought, closing


def entries(match, seat, version):
    planned = undoing.plan(current(Match.objects.get(pk=match.pk)), seat, version)
    return [entry.version for entry in planned.entries]


def next_planning(g):
    g.round += 1
    for area in g.objectives.values():
        area.order_token = ""
    g.goto(planning_and_action.Planning)


def test_an_old_second_thought_that_goes_makes_no_house_ready_in_the_next_round():
    match, thought, _closing = after_second_thoughts("orders")
    play.edit(match.code, next_planning, "Organiser", "straight to the next round")
    assert engine.awaited(state_of(match)) == HOUSES
    ask(match, "baratheon", thought)
    assert engine.awaited(state_of(match)) == HOUSES, "it has placed nothing yet"
    assert request_of(match)["needs"] == ["stark", "lannister"], "it would take the revealed orders back"


def test_an_old_second_thought_that_goes_leaves_no_house_out_of_later_questions():
    match, thought, closing = after_second_thoughts("light")
    assert state_of(match).question.step == "raven"
    assert entries(match, "baratheon", thought) == list(range(closing, thought - 1, -1))
    ask(match, "baratheon", thought)
    assert request_of(match)["needs"] == ["stark", "lannister"]
    holder = engine.to_act(state_of(match))[0]
    for seat, action in ((holder, "rest"), (holder, "resolved"), (holder, "resolved")):
        tap(match, seat, action)
    assert (state_of(match).question.step, engine.awaited(state_of(match))) == ("consolidation", HOUSES)


def test_with_an_old_second_thought_and_the_newest_answer_undone_somebody_can_act():
    match, thought, _closing = after_second_thoughts("light")
    ask(match, "", thought)
    assert engine.awaited(state_of(match)) == ("stark", "lannister")
    ask(match, "", undoing.newest(match).version)
    assert engine.awaited(state_of(match)) == HOUSES


def test_what_a_house_has_confirmed_rests_on_what_it_entered_before():
    match = houses("orders")
    placed = place_all(match, "stark")
    assert entries(match, "stark", placed - 1) == [placed, placed - 1]


def test_an_army_does_not_leave_from_under_who_is_ready_with_it():
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="ready")
    brought = tap(match, "red", actions(match, "red", "demo:")[0])
    ready = tap(match, "red", "ready")
    assert entries(match, "red", brought) == [ready, brought]


def test_who_would_have_answered_again_is_asked():
    """Stark's correction made Lannister place one order more; without it Lannister has confirmed again."""
    match = houses("orders")
    place_all(match, "lannister")
    assert not state_of(match).objectives["riverrun"].house
    change = "footman:riverrun-of-lannister:1"
    corrected = play.adjust(match.code, "stark", "objective/riverrun", change, play.new_key()).version
    assert "lannister" in engine.awaited(state_of(match))
    ask(match, "stark", corrected)
    assert request_of(match)["needs"] == ["lannister"]


def test_an_undo_takes_along_what_it_needs_for_somebody_to_act(auction, monkeypatch):
    versions = [correct(auction, "stark", "stark", -1) for _time in range(3)]
    monkeypatch.setattr(undoing, "goes_on", lambda state: state.armies["stark"].power >= 4)
    assert entries(auction, "stark", versions[2]) == versions[:0:-1]
    ask(auction, "stark", versions[2])
    assert state_of(auction).armies["stark"].power == 4


def test_an_undo_after_which_nobody_could_act_is_refused(auction, monkeypatch):
    version = correct(auction, "stark", "stark", -1)
    monkeypatch.setattr(undoing, "goes_on", lambda state: False)
    assert refused(lambda: ask(auction, "stark", version)) == "strands"
    assert state_of(auction).armies["stark"].power == 4


def test_an_undo_that_takes_more_along_is_granted_as_it_was_asked(auction, monkeypatch):
    first = correct(auction, "lannister", "stark", -1)
    second = correct(auction, "stark", "stark", -1)
    monkeypatch.setattr(undoing, "goes_on", lambda state: state.armies["stark"].power >= 5)
    ask(auction, "stark", second)
    assert request_of(auction)["versions"] == [second, first]
    undoing.answer(auction.code, "lannister", True, play.new_key())
    assert state_of(auction).armies["stark"].power == 5
