"""Undo: one's own actions at once, those that concern others by asking; never twice, never more than said."""

import pytest

from games.core import engine, first_sentence
from games.match import play, storage, undoing
from games.match.play import RequestRefused
from games.match.storage import current
from games.models import Match
from games.pages.table.loaded import RECENT, Table, table_after, tables_of
from tests.match.undo import answer, ask, correct, refused, request_of
from tests.playing import state_of, tap

pytestmark = pytest.mark.django_db


def test_a_request_that_waited_counts_at_the_version_that_was_seen(auction):
    version = correct(auction, "stark", "stark", -2)
    correct(auction, "lannister", "lannister", -1)

    def asked(seen):
        return undoing.ask(auction.code, "stark", version, play.new_key(), seen=seen)

    assert refused(lambda: asked(version)) == "stale"
    assert state_of(auction).armies["stark"].power == 3
    asked(version + 1)
    assert state_of(auction).armies["stark"].power == 5


def test_a_board_marks_what_was_undone_among_the_newest_actions_it_shows(auction):
    """Also where the undo of an action that is shown no more is among them, and where it was done again."""
    long_ago = correct(auction, "lannister", "lannister", -1)
    for _time in range(RECENT // 2 + 1):
        ask(auction, "stark", correct(auction, "stark", "stark", -2))
    correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", long_ago)
    match = Match.objects.get(pk=auction.pk)
    for table in (Table(match), *tables_of([match])):
        assert [entry.is_undone for entry in table.recent] == [
            False,
            False,
            *[False, True] * (RECENT // 2 - 1),
        ]


def test_a_correction_of_what_another_has_goes_at_once_as_well(auction):
    ask(auction, "stark", correct(auction, "stark", "lannister", -1))
    assert (request_of(auction), state_of(auction).armies["lannister"].power) == (None, 5)


def test_ones_own_action_goes_at_once_as_a_new_entry(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "stark", version)
    assert state_of(auction).armies["stark"].power == 5
    entry = auction.entries.last()
    assert (entry.kind, entry.undoes.version) == ("undo", version)
    assert auction.entries.count() == 3
    assert str(first_sentence(entry.lines)) == "Stark undoes: Stark: power -2"


def test_a_action_goes_alone_when_nothing_later_wrote_the_same_place(auction):
    first = correct(auction, "stark", "stark", -2)
    correct(auction, "lannister", "lannister", -1)
    ask(auction, "stark", first)
    powers = {key: army.power for key, army in state_of(auction).armies.items()}
    assert powers == {"stark": 5, "lannister": 4, "baratheon": 5}


def test_with_later_actions_in_the_same_place_they_go_too_and_their_owners_are_asked(auction):
    first = correct(auction, "stark", "stark", -2)
    correct(auction, "lannister", "stark", -1)
    ask(auction, "stark", first)
    assert state_of(auction).armies["stark"].power == 2
    assert request_of(auction)["needs"] == ["lannister"]
    assert len(request_of(auction)["versions"]) == 2
    answer(auction, "lannister", True)
    assert state_of(auction).armies["stark"].power == 5
    assert request_of(auction) is None


def test_somebody_elses_action_is_asked_for_and_may_stand(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "lannister", version)
    assert request_of(auction)["needs"] == ["stark"]
    answer(auction, "stark", False)
    assert request_of(auction) is None
    assert state_of(auction).armies["stark"].power == 3


def test_what_revealed_something_asks_everybody_else(rps):
    tap(rps, "red", "throw:rock")
    reveal = tap(rps, "blue", "throw:paper")
    ask(rps, "blue", reveal)
    assert request_of(rps)["needs"] == ["red"]
    answer(rps, "red", True)
    assert state_of(rps).armies["red"].hidden == {"throw": "rock"}
    assert state_of(rps).armies["blue"].hidden == {}


def test_a_seal_is_broken_visibly_and_without_telling_it(auction):
    version = tap(auction, "stark", "bid:throne:4")
    ask(auction, "stark", version)
    assert state_of(auction).armies["stark"].hidden == {}
    entry = auction.entries.last()
    assert "4" not in f"{entry.lines} {entry.before} {entry.after}"
    tap(auction, "stark", "bid:throne:1")


def test_what_others_have_sealed_stays_sealed_when_an_earlier_step_goes_alone(auction):
    first = correct(auction, "stark", "stark", 2)
    tap(auction, "lannister", "bid:throne:3")
    tap(auction, "stark", "bid:throne:7")
    ask(auction, "stark", first)
    state = state_of(auction)
    assert state.armies["stark"].power == 5
    assert [state.armies[seat].hidden for seat in ("stark", "lannister")] == [{"bid": 7}, {"bid": 3}]
    tap(auction, "baratheon", "bid:throne:0")
    assert state_of(auction).armies["stark"].power == 0


def test_nothing_is_taken_back_twice(auction):
    version = correct(auction, "stark", "stark", -2)
    ask(auction, "stark", version)
    assert refused(lambda: ask(auction, "stark", version)) == "nothing_to_undo"
    assert refused(lambda: ask(auction, "stark", auction.entries.last().version)) == "nothing_to_undo"
    assert refused(lambda: ask(auction, "stark", 1)) == "nothing_to_undo"


def test_an_undo_asks_the_question_again(auction):
    version = tap(auction, "stark", "bid:throne:4")
    ask(auction, "stark", version)
    auction.refresh_from_db()
    assert auction.since == auction.version == 3
    with pytest.raises(RequestRefused, match="Something changed"):
        play.tap(auction.code, "stark", "bid:throne:1", 1, play.new_key())


def test_the_end_of_a_match_is_taken_back_by_asking(rps):
    for _round in range(2):
        tap(rps, "red", "throw:rock")
        last = tap(rps, "blue", "throw:scissors")
    ask(rps, "blue", last)
    assert state_of(rps).result is not None
    answer(rps, "red", True)
    rps.refresh_from_db()
    assert (rps.result, rps.finished_at) == (None, None)


def test_the_log_rebuilds_what_was_taken_back(auction):
    first = correct(auction, "stark", "stark", -2)
    tap(auction, "lannister", "bid:throne:2")
    ask(auction, "stark", first)
    assert storage.final_position(Match.objects.get(pk=auction.pk)) == state_of(auction)


def test_who_sits_where_and_what_they_are_called_is_no_move(auction):
    version = correct(auction, "stark", "stark", -2)
    verdict = play.sit_down(auction.code, "lannister", "Cersei")
    assert table_after(verdict, auction.code).newest_standing.version == version
    play.rename(auction.code, "stark", "Robb")
    match = Match.objects.get(pk=auction.pk)
    assert [entry.version for entry in undoing.undoable(match)] == [version]
    for later in (version + 1, version + 2):
        assert refused(lambda seen=later: ask(auction, "lannister", seen)) == "nothing_to_undo"
    ask(auction, "stark", version)
    armies = state_of(auction).armies
    assert (armies["stark"].power, armies["stark"].name, armies["lannister"].name) == (5, "Robb", "Cersei")


def test_what_an_organiser_edits_can_be_taken_back(auction):
    def give(state):
        state.armies["stark"].power = 9

    version = play.edit(auction.code, give, "Organiser", "a missed token").version
    assert undoing.newest(Match.objects.get(pk=auction.pk)).version == version


def test_one_later_action_in_the_same_place_takes_all_that_came_after_along(auction):
    first = correct(auction, "stark", "stark", -2)
    correct(auction, "lannister", "lannister", -1)
    correct(auction, "lannister", "stark", -1)
    correct(auction, "baratheon", "baratheon", -1)
    ask(auction, "stark", first)
    assert request_of(auction)["versions"] == [first + 3, first + 2, first + 1, first]
    assert request_of(auction)["needs"] == ["lannister", "baratheon"]


def test_an_answer_goes_with_the_action_that_led_to_its_question():
    """The last player to be ready opens a question, and may answer it without writing the same places."""
    names = {key: key.title() for key in ("stark", "lannister", "baratheon")}
    match = play.open_match("agot", "light", names, seed="winter")
    for seat in names:
        ready = tap(match, seat, "ready")
    placed = tap(match, "baratheon", "placed")
    planned = undoing.plan(current(match), "", ready)
    assert [entry.version for entry in planned.entries] == [placed, ready]
    ask(match, "", ready)
    assert engine.awaited(state_of(match)) == ("baratheon",)


def test_a_correction_stays_when_the_action_before_it_goes(auction):
    """It answers no question, whatever was being asked at the time."""
    for seat, bid in (("stark", 0), ("lannister", 1), ("baratheon", 2)):
        last = tap(auction, seat, f"bid:throne:{bid}")
    assert "flow" in auction.entries.get(version=last).after
    correct(auction, "stark", "stark", 1)
    assert [entry.version for entry in undoing.plan(current(auction), "", last).entries] == [last]


def test_a_final_action_among_others_asks_everybody_else(auction):
    for seat in ("stark", "lannister", "baratheon"):
        revealed = tap(auction, seat, f"bid:throne:{len(seat) % 4}")
    correct(auction, "baratheon", "stark", 1)
    ask(auction, "baratheon", revealed)
    assert request_of(auction)["needs"] == ["stark", "lannister"]


def test_after_the_end_a_player_takes_back_the_end_alone(rps):
    for _round in range(2):
        tap(rps, "red", "throw:rock")
        last = tap(rps, "blue", "throw:scissors")

    def rename(state):
        state.armies["red"].name = "Cleo"

    play.edit(rps.code, rename, "Organiser", "wrong name")
    for version in (last, last + 1):
        assert refused(lambda asked=version: ask(rps, "blue", asked)) == "finished"
    undoing.ask(rps.code, "", last + 1, play.new_key(), "Desk")
    ask(rps, "blue", last)
    assert request_of(rps)["needs"] == ["red"]


def test_the_page_offers_to_take_back_the_newest_action_that_stands(auction):
    def give(state):
        state.armies["stark"].power = 9

    code, key = auction.code, play.new_key
    actions = [
        (lambda: play.adjust(code, "stark", "army/stark", "power:stark:-2", key()), 2),
        (lambda: play.sit_down(code, "lannister", "Cersei"), 2),
        (lambda: play.remark(code, play.say("A word.")), 2),
        (lambda: play.edit(code, give, "Organiser", "a missed token"), 5),
        (lambda: play.rename(code, "stark", "Robb"), 5),
        (lambda: play.tap(code, "stark", "bid:throne:1", 6, key()), 7),
        (lambda: undoing.ask(code, "stark", 7, key()), 5),
        (lambda: undoing.ask(code, "", 5, key(), "Desk"), 2),
        (lambda: undoing.ask(code, "stark", 2, key()), None),
    ]
    for done, standing in actions:
        found = table_after(done(), code).newest_standing
        assert (found and found.version) == standing
        again = undoing.newest(Match.objects.get(pk=auction.pk))
        assert (again and again.version) == standing


def test_an_undone_answer_leaves_the_question_open_and_no_later_one_gets_its_number(auction):
    first = state_of(auction).question
    for _time in range(3):
        before = state_of(auction).asked
        ask(auction, "stark", tap(auction, "stark", "bid:throne:4"))
        state = state_of(auction)
        assert state.question == first, "who has answered it has answered it"
        assert state.asked > before, "pages from before show something else"
    for number, seat in enumerate(("stark", "lannister", "baratheon")):
        tap(auction, seat, f"bid:throne:{number}")
    assert state_of(auction).question.number > state.asked
