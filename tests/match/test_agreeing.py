"""Who is asked before something is undone: agreeing, declining, withdrawing, and what the log says of it."""

import pytest

from games import confirming
from games.match import play, undoing
from tests.match.undo import answer, ask, correct, refused, request_of, said
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db


def test_all_who_are_concerned_have_to_agree(auction):
    for seat in ("stark", "lannister", "baratheon"):
        last = tap(auction, seat, "bid:throne:1")
    ask(auction, "baratheon", last)
    assert request_of(auction)["needs"] == ["stark", "lannister"]
    answer(auction, "stark", True)
    assert request_of(auction)["agreed"] == ["stark"]
    answer(auction, "lannister", True)
    assert request_of(auction) is None
    assert state_of(auction).armies["baratheon"].hidden == {}


def test_a_request_is_void_when_one_who_was_asked_plays_on(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", version)
    tap(auction, "stark", "bid:throne:0")
    assert request_of(auction) is None
    assert refused(lambda: answer(auction, "stark", True)) == "no_request"


def test_a_request_stands_until_one_who_was_asked_plays_on_or_something_is_undone(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", version)
    other = correct(auction, "stark", "baratheon", -1)
    tap(auction, "lannister", "bid:throne:1")
    play.remark(auction.code, play.say("A word."))
    play.sit_down(auction.code, "stark")
    play.sit_down(auction.code, "stark", "Arya")
    play.rename(auction.code, "stark", "Sansa")
    assert request_of(auction)["target"] == version
    undoing.ask(auction.code, "", other, play.new_key(), "Desk")
    assert request_of(auction) is None


def test_a_request_is_not_granted_for_more_than_was_asked(auction):
    first = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", first)
    correct(auction, "baratheon", "stark", -1)
    assert refused(lambda: answer(auction, "stark", True)) == "stale"
    assert state_of(auction).armies["stark"].power == 2


def test_only_who_was_asked_answers(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", version)
    assert refused(lambda: answer(auction, "baratheon", True)) == "not_asked"
    assert refused(lambda: answer(auction, "lannister", True)) == "not_asked"
    answer(auction, "lannister", False)
    assert request_of(auction) is None


def test_the_organiser_asks_nobody_and_answers_for_all(auction):
    version = correct(auction, "stark", "stark", -2)
    undoing.ask(auction.code, "", version, play.new_key(), "Desk")
    assert state_of(auction).armies["stark"].power == 5
    again = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", again)
    undoing.answer(auction.code, "", True, play.new_key(), "Desk")
    assert state_of(auction).armies["stark"].power == 5


def test_the_log_says_who_asked_and_what_each_has_answered(auction):
    first = correct(auction, "stark", "stark", -2)
    correct(auction, "baratheon", "stark", -1)
    ask(auction, "lannister", first)
    assert said(auction) == ("Lannister asks to undo something.", "Lannister")
    answer(auction, "stark", True)
    assert said(auction) == ("Stark agrees.", "Stark")
    answer(auction, "baratheon", False)
    assert said(auction) == ("Baratheon declines the undo.", "Baratheon")
    ask(auction, "lannister", first)
    answer(auction, "lannister", False)
    assert said(auction) == ("Lannister withdraws the undo request.", "Lannister")
    ask(auction, "lannister", first)
    answer(auction, "baratheon", True)
    answer(auction, "stark", True)
    assert said(auction) == ("Stark undoes: Stark: power -2", "Stark")


def test_an_organiser_who_answers_is_named(auction):
    for agrees, told in ((False, "Desk declines the undo."), (True, "Desk undoes: Stark: power -2")):
        version = correct(auction, "stark", "stark", -2)
        ask(auction, "lannister", version)
        undoing.answer(auction.code, "", agrees, play.new_key(), "Desk")
        assert said(auction)[0] == told


def test_whoever_is_not_concerned_cannot_withdraw_or_decline(auction):
    ask(auction, "lannister", correct(auction, "stark", "stark", -2))
    assert refused(lambda: answer(auction, "baratheon", False)) == "not_asked"
    assert request_of(auction) is not None


def test_who_asks_for_the_same_again_says_nothing_new(auction):
    version = correct(auction, "stark", "stark", -2)
    other = correct(auction, "stark", "lannister", -1)
    for _time in range(2):
        assert ask(auction, "lannister", version).version == other + 1
    ask(auction, "baratheon", version)
    assert request_of(auction)["by"] == "baratheon"
    ask(auction, "baratheon", other)
    assert (request_of(auction)["target"], auction.entries.count()) == (other, other + 3)


def test_agreeing_twice_with_the_same_key_is_agreeing_once(auction):
    for seat in ("stark", "lannister", "baratheon"):
        last = tap(auction, seat, "bid:throne:1")
    ask(auction, "baratheon", last)
    for seat in ("stark", "lannister"):
        key = play.new_key()
        first, again = (undoing.answer(auction.code, seat, True, key) for _ in range(2))
        assert (first.version, first.is_replay) == (again.version, False)
        assert again.is_replay
    entry = auction.entries.last()
    assert (entry.seat, entry.author) == ("lannister", "Lannister")


def test_an_organiser_who_declines_is_named_in_the_log(auction):
    ask(auction, "lannister", correct(auction, "stark", "stark", -2))
    undoing.answer(auction.code, "", False, play.new_key(), "Desk")
    assert said(auction) == ("Desk declines the undo.", "Desk")


def test_who_has_no_name_is_called_by_their_colour():
    match = play.open_match("rps", "plain", {"red": "", "blue": ""}, seed="winter")
    tap(match, "red", "throw:rock")
    last = tap(match, "blue", "throw:scissors")
    ask(match, "red", last)
    assert said(match) == ("Red asks to undo something.", "")
    answer(match, "blue", False)
    assert said(match)[0] == "Blue declines the undo."
    ask(match, "red", last)
    answer(match, "blue", True)
    assert said(match)[0].startswith("Blue undoes: ")
    ask(match, "", undoing.undoable(match)[0].version)
    assert said(match)[0].startswith("Organiser undoes: ")


def test_who_confirms_without_a_name_is_called_by_their_colour():
    match = play.open_match("rps", "plain", {"red": "", "blue": ""}, seed="winter")
    while not (settled := confirming.confirmable(state_of(match))):
        tap(match, "red", "throw:rock")
        tap(match, "blue", "throw:scissors")
    number = min(settled)
    seen = confirming.fingerprint(state_of(match), number)
    confirming.confirm(match.code, "red", number, seen, play.new_key())
    assert said(match) == (f"Red confirms the score of round {number}.", "")
