"""Whole actions through the rows: what is put right after the end, and what is taken back."""

import pytest

from games.core import RequestRefused, State
from games.match import play, storage, undoing
from games.models import Match
from games.systems.tmg.tests import test_setup
from games.systems.tmg.tests.tables import MODE, NAMES
from tests.playing import state_of
from tests.positions import asks

pytestmark = pytest.mark.django_db

SET_UP = (
    *test_setup.READY,
    *test_setup.TOKENS,
    *test_setup.CARDS,
    *test_setup.ZONES,
    "blue deployed",
    "red deployed",
)


@pytest.fixture
def match():
    """A table whose first round has begun."""
    opened = play.open_match("tmg", MODE, NAMES, seed="winter")
    tap(opened, *SET_UP)
    return opened


def tap(match, *actions):
    for action in actions:
        seen = Match.objects.get(pk=match.pk).version
        version = play.tap(match.code, *action.split(), seen, play.new_key()).version
    return version


def correct(match, *actions, seat="red", note="a reason"):
    """The version after these corrections, each "path action"."""
    for action in actions:
        version = play.adjust(match.code, seat, *action.split(), play.new_key(), note=note).version
    return version


def agrees(match):
    """Whether the log alone tells what the rows say."""
    found = Match.objects.get(pk=match.pk)
    return storage.final_position(found) == storage.load(found).state


def finished(match):
    """Red has won by adjudication of the points as they stand when time is up: 2 to 1."""
    correct(match, "army/red points:red:2", "army/blue points:blue:1", "table time-out")
    tap(match, "blue end-match")
    assert state_of(match).result["winner"] == "red"


@pytest.mark.rule("TMG-87")
def test_an_organisers_correction_after_the_end_decides_again(match):
    finished(match)
    correct(match, "army/blue points:blue:3", seat="")
    assert state_of(match).result == {"winner": "blue", "how": "time-out", "points": {"red": 2, "blue": 4}}
    assert agrees(match)


@pytest.mark.rule("TMG-87")
def test_an_organisers_edit_after_the_end_decides_again(match):
    finished(match)
    assert Match.objects.get(pk=match.pk).finished_at is not None

    def change(state: State) -> None:
        state.score("blue", 3, "correction", "a page was lost", "Organiser")

    play.edit(match.code, change, "Organiser", "a page was lost")
    assert state_of(match).result == {"winner": "blue", "how": "time-out", "points": {"red": 2, "blue": 4}}
    assert agrees(match)


@pytest.mark.rule("TMG-87")
def test_a_seat_corrects_nothing_after_the_end(match):
    finished(match)
    before = state_of(match)
    with pytest.raises(RequestRefused, match="only the organiser"):
        correct(match, "army/blue points:blue:3")
    with pytest.raises(RequestRefused, match="over"):
        tap(match, "red play-on")
    assert state_of(match) == before


@pytest.mark.rule("TMG-87")
def test_an_organiser_who_takes_the_victory_away_reopens_the_match(match):
    for unit in list(state_of(match).combat_units("blue")):
        last = correct(match, f"unit/{unit.key} destroy:{unit.key}")
    tap(match, "blue end-match")
    assert state_of(match).result["how"] == "elimination"
    correct(match, f"unit/{unit.key} wounds:{unit.key}:3", seat="")
    found = Match.objects.get(pk=match.pk)
    assert (found.result, found.finished_at) == (None, None)
    assert last < found.version
    assert agrees(match)


@pytest.mark.rule("TMG-25")
@pytest.mark.parametrize(
    "later",
    [
        "unit/{new} claim:{new}:centre",
        "objective/centre claim:{new}:centre",
        "unit/{new} engage:{new}:{rival}",
        "unit/{new} activate:{new}",
        "unit/{adviser} influence:{adviser}:{new}",
    ],
)
def test_a_unit_that_was_added_is_taken_back_with_what_speaks_of_it(match, later):
    added = correct(match, "army/red add:red", note="Umber Berserkers (6)")
    (new,) = (unit.key for unit in state_of(match).units.values() if "umber" in unit.key)
    rival = next(state_of(match).combat_units("blue")).key
    adviser = next(state_of(match).ncus("blue")).key
    correct(match, later.format(new=new, rival=rival, adviser=adviser))
    undoing.ask(match.code, "red", added, play.new_key())
    state = state_of(match)
    assert new not in state.units
    assert f"'{new}'" not in repr(state.to_json())
    assert agrees(match)


def test_a_action_that_speaks_of_a_unit_that_was_removed_since_is_taken_back_with_its_removal(match):
    wolves = next(state_of(match).combat_units("red")).key
    correct(match, f"unit/{wolves} claim:{wolves}:centre")
    left = correct(match, f"unit/{wolves} leave:{wolves}:centre")
    correct(match, f"unit/{wolves} remove:{wolves}")
    undoing.ask(match.code, "red", left, play.new_key())
    assert state_of(match).objectives["centre"].claimed_by == wolves
    assert wolves in state_of(match).units
    assert agrees(match)


@pytest.mark.rule("TMG-25")
def test_a_unit_that_was_added_is_taken_back_alone_while_nothing_speaks_of_it(match):
    added = correct(match, "army/red add:red", note="Umber Berserkers (6)")
    rival = next(state_of(match).combat_units("blue")).key
    correct(match, f"unit/{rival} wounds:{rival}:-1")
    undoing.ask(match.code, "red", added, play.new_key())
    assert state_of(match).units[rival].wounds == state_of(match).units[rival].wounds_total - 1
    assert agrees(match)


@pytest.mark.rule("TMG-86")
def test_who_said_that_time_is_up_takes_it_back_alone(match):
    noted = correct(match, "table time-out")
    assert asks(state_of(match)) == "ending blue"
    undoing.ask(match.code, "red", noted, play.new_key())
    assert asks(state_of(match)) == "turn red"
    assert {army.ends for army in state_of(match).armies.values()} == {""}
    assert agrees(match)


@pytest.mark.rule("TMG-86")
def test_an_end_is_taken_back_once_the_other_agrees_and_its_question_is_asked_again(match):
    correct(match, "table time-out")
    ended = tap(match, "blue end-match")
    undoing.ask(match.code, "blue", ended, play.new_key())
    assert state_of(match).result is not None
    undoing.answer(match.code, "red", True, play.new_key())
    assert (state_of(match).result, asks(state_of(match))) == (None, "ending blue")
    assert agrees(match)


@pytest.mark.rule("TMG-86")
def test_who_asked_for_the_end_cannot_give_the_answer(match):
    correct(match, "army/red points:red:2", "table time-out")
    with pytest.raises(RequestRefused, match="not your turn"):
        tap(match, "red end-match")
    assert state_of(match).result is None


@pytest.mark.rule("TMG-86")
def test_an_organiser_on_the_sheet_ends_at_once_and_reopens(match):
    ended = correct(match, "table adjudicate:blue", seat="")
    assert state_of(match).result["winner"] == "blue"
    undoing.ask(match.code, "", ended, play.new_key())
    assert asks(state_of(match)) == "turn red"
