"""What may go wrong at an event: each gets a sentence, and nothing is lost."""

from __future__ import annotations

import pytest
from django.db import transaction

from games.core import RequestRefused
from games.hall import commands, event_actions, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event, EventEntry
from games.hall.organiser import hall_tables
from games.hall.organiser.hall_tables import HallTable
from games.hall.rules import event_results, standings
from games.hall.rules.event_results import Result
from games.hall.rules.event_state import Pairing
from games.history import commits
from games.match import play as tables
from games.match import undoing as undoing_at_tables
from games.models import Match
from tests.hall.halls import (
    ANNA,
    begun,
    by_chance,
    end,
    first_table,
    opened,
    play_round,
    refused,
    scores,
    state,
)

KEY = "key-of-a-button"


def tile(code: str, table: Pairing) -> HallTable:
    """A table as the organisers see it."""
    return hall_tables.table(hall_tables.hall_of(code), state(code).pairings[table.key])


def _is_taken(code: str, version: int) -> bool:
    try:
        event_undo.undo(code, version, ANNA)
    except RequestRefused:
        return False
    return True


@pytest.mark.django_db
class TestRounds:
    def test_a_repeated_tap_answers_the_same_and_does_nothing(self):
        code = opened(4)
        first = commands.pair(code, ANNA, key=KEY)
        again = commands.pair(code, ANNA, key=KEY)
        assert (again.version, again.is_replay) == (first.version, True)
        assert len(state(code).rounds) == 1
        assert refused(commands.check_in_all, code, ANNA, key=KEY).error == "key_reused"

    def test_a_repeated_tap_that_would_change_nothing_any_more_answers_the_same(self):
        code = opened(4)
        commands.check_in(code, ANNA, "p1", False)
        first = commands.check_in(code, ANNA, "p1", True, KEY)
        commands.check_in(code, ANNA, "p2", False)
        again = commands.check_in(code, ANNA, "p1", True, KEY)
        assert (again.version, again.is_replay) == (first.version, True)

    def test_a_key_of_another_round_or_another_reason_is_refused(self):
        code = begun()
        table = first_table(code)
        player = Actor(table.players[0], "", "player")
        for one in state(code).at(1):
            commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
        asked = (code, player, table.key, player.key)
        commands.contest(*asked, "It was 5-4.", key=KEY)
        assert commands.contest(*asked, "It was 5-4.", key=KEY).is_replay
        assert refused(commands.contest, *asked, "It was 4-4.", key=KEY).error == "key_reused"
        commands.rule(code, ANNA, table.key, scores(table, 5, 4), "Counted again.")
        commands.close_round(code, ANNA, 1, key=KEY)
        assert commands.close_round(code, ANNA, 1, key=KEY).is_replay
        assert refused(commands.close_round, code, ANNA, 2, key=KEY).error == "key_reused"

    def test_who_pairs_second_is_told_that_it_is_done(self):
        code = opened(4)
        commands.pair(code, ANNA)
        told = refused(commands.pair, code, Actor("helper-1", "Ben", "organiser"))
        assert (told.status, str(told)) == (
            409,
            "Round 1 is already paired. Another organiser may have done it.",
        )

    def test_an_open_round_is_closed_first_and_only_with_all_results(self):
        code = begun()
        assert str(refused(commands.pair, code, ANNA)) == "Close round 1 first."
        assert str(refused(commands.close_round, code, ANNA)) == "Results are missing at table 1, 2."
        assert refused(commands.finish, code, ANNA).status == 409

    def test_an_event_has_its_rounds_and_no_more(self):
        code = opened(4, length=1)
        play_round(code, by_chance(1))
        assert str(refused(commands.pair, code, ANNA)) == "All rounds have been played."
        commands.finish(code, ANNA)
        assert str(refused(commands.check_in, code, ANNA, "p1")) == "This event is over."

    def test_nobody_alone_is_paired(self):
        assert refused(commands.pair, opened(1), ANNA).status == 409

    def test_a_round_that_cannot_be_paired_says_so(self):
        code = opened(2, length=3)
        play_round(code, by_chance(1))
        told = refused(commands.pair, code, ANNA)
        assert str(told) == "Every pairing would repeat a match. Pair this round by hand."

    def test_pairing_by_hand_names_everybody_once(self):
        code = opened(4)
        commands.pair(code, ANNA)
        told = refused(commands.by_hand, code, ANNA, [["p1", "p2"], ["p1", "p3"]])
        assert str(told) == "Player 1 is named twice."
        assert refused(commands.by_hand, code, ANNA, [["p1", "p9"]]).status == 409
        told = refused(commands.by_hand, code, ANNA, [["p1", "p2", "p3"]])
        assert (told.status, str(told)) == (409, "A table has two players, or one for a bye.")
        commands.by_hand(code, ANNA, [["p1", "p2"]])
        told = refused(commands.open_round, code, ANNA)
        left_out = "Not paired in this round: Player 3, Player 4. Tap “Pair again”, or pair by hand."
        assert str(told) == left_out
        commands.by_hand(code, ANNA, [["p4", "p2"], ["p1"], ["p3"]])
        commands.open_round(code, ANNA)
        assert [one.players for one in state(code).at(1)] == [("p4", "p2"), ("p1",), ("p3",)]

    def test_two_change_places(self):
        code = opened(4)
        commands.pair(code, ANNA)
        commands.by_hand(code, ANNA, [["p1", "p2"], ["p3", "p4"]])
        commands.swap(code, ANNA, "p2", "p3")
        assert {one.players for one in state(code).at(1)} == {("p1", "p3"), ("p2", "p4")}
        assert str(refused(commands.swap, code, ANNA, "p2", "p2")) == "Choose two players."
        assert "Both must be paired" in str(refused(commands.swap, code, ANNA, "p2", "p9"))

    def test_a_whole_round_is_called_off_while_no_table_has_a_result(self):
        code = begun()
        assert Match.objects.count() == 2
        commands.call_off(code, ANNA)
        g = state(code)
        assert (g.rounds, g.pairings, g.status, Match.objects.count()) == ({}, {}, "planned", 0)
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        commands.enter_result(code, ANNA, first_table(code).key, scores(first_table(code), 3, 1))
        assert "has a result already" in str(refused(commands.call_off, code, ANNA))

    def test_a_table_that_was_changed_stays_when_its_round_is_called_off(self):
        code = begun()
        table = first_table(code)
        tables.rename(table.match, "red", "Somebody")
        commands.call_off(code, ANNA)
        assert list(Match.objects.values_list("code", flat=True)) == [table.match]

    def test_tables_where_players_only_sit_go_with_their_round(self):
        """Phones take their seats by themselves as soon as a round opens."""
        code = begun()
        g = state(code)
        for table in g.at(g.last.number):
            for seat in table.seats:
                tables.sit_down(table.match, seat)
        commands.call_off(code, ANNA)
        assert not Match.objects.exists()

    def test_a_round_that_was_called_off_comes_back_with_new_tables(self):
        code = begun()
        before = first_table(code)
        version = commands.call_off(code, ANNA).version
        event_undo.undo(code, version, ANNA)
        table = first_table(code)
        assert (table.key, table.players, state(code).last.state) == (before.key, before.players, "open")
        assert table.match != before.match
        assert {one.match for one in state(code).at(1)} == set(Match.objects.values_list("code", flat=True))
        commands.enter_result(code, ANNA, table.key, scores(table, 7, 4))
        assert commits.faults(Event.objects.get(code=code)) == []

    def test_opening_and_pairing_are_undone_like_taps(self):
        code = opened(4)
        paired = commands.pair(code, ANNA).version
        open_ = commands.open_round(code, ANNA).version
        assert "Undo that first" in str(refused(event_undo.undo, code, paired, ANNA))
        event_undo.undo(code, open_, ANNA)
        assert state(code).last.state == "drafted"
        assert Match.objects.count() == 0
        event_undo.undo(code, paired, ANNA)
        assert state(code).rounds == {}
        assert refused(event_undo.undo, code, paired, ANNA).error == "nothing_to_undo"
        assert commits.faults(Event.objects.get(code=code)) == []

    def test_a_setting_that_results_rest_on_is_not_undone(self):
        code = opened(4, mode="manual-scoring")
        fixed = commands.change_settings(code, ANNA, {"kind": "monrad"}).version
        free = commands.change_settings(code, ANNA, {"minutes": 60}).version
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)
        assert "cannot change" in str(refused(event_undo.undo, code, fixed, ANNA))
        event_undo.undo(code, free, ANNA)
        assert state(code).minutes == 90

    def test_a_closed_round_stays_whole(self):
        code = opened(4, length=3, mode="manual-scoring")
        play_round(code, by_chance(1))
        closed = Event.objects.get(code=code).version
        assert "not open" in str(refused(event_undo.undo, code, closed - 1, ANNA))
        commands.pair(code, ANNA)
        assert "Cancel round 2 first" in str(refused(event_undo.undo, code, closed, ANNA))
        commands.call_off(code, ANNA)
        over = commands.finish(code, ANNA).version
        assert "is over" in str(refused(event_undo.undo, code, closed, ANNA))
        event_undo.undo(code, over, ANNA)
        event_undo.undo(code, closed, ANNA)
        event_undo.undo(code, closed - 1, ANNA)
        assert sum(one.is_decided for one in state(code).at(1)) == 1

    def test_who_is_paired_does_not_vanish_by_an_undo(self):
        code = opened(3, mode="manual-scoring")
        version = commands.come_late(code, ANNA, "Zoe", "", "", "loss").version
        commands.pair(code, ANNA)
        assert "has already been paired" in str(refused(event_undo.undo, code, version, ANNA))

    def test_who_came_late_by_mistake_is_taken_back_with_what_they_missed(self):
        code = opened(4, length=3)
        play_round(code, by_chance(1))
        before = set(state(code).pairings)
        version = commands.come_late(code, ANNA, "Zoe", "", "", "bye").version
        event_undo.undo(code, version, ANNA)
        assert (len(state(code).players), set(state(code).pairings)) == (4, before)

    def test_what_a_table_says_is_undone_at_the_table(self):
        code = begun()
        end(first_table(code).match, 5, 3)
        event_actions.take_over_results(code)
        version = Event.objects.get(code=code).version
        assert "came from the table" in str(refused(event_undo.undo, code, version, ANNA))

    def test_an_undo_is_offered_where_it_is_taken(self):
        code = begun(length=3)
        table = first_table(code)
        commands.extend(code, ANNA, 5)
        commands.extend(code, ANNA, 10)
        end(table.match, 5, 3)
        event_actions.take_over_results(code)
        commands.come_late(code, ANNA, "Zoe", "", "", "loss")
        event = Event.objects.get(code=code)
        stands = [one.version for one in event_undo.not_undone(event, None)]
        offered = set(event_undo.may_undo(state(code), event_undo.not_undone(event, None)))
        assert 0 < len(offered) < len(stands)
        for version in stands:
            with transaction.atomic():
                taken = _is_taken(code, version)
                transaction.set_rollback(True)
            assert (version in offered) == taken, version

    def test_undo_of_an_opening_waits_for_no_result(self):
        code = opened(4)
        commands.pair(code, ANNA)
        version = commands.open_round(code, ANNA).version
        table = first_table(code)
        commands.enter_result(code, ANNA, table.key, scores(table, 3, 1))
        assert refused(event_undo.undo, code, version, ANNA).status == 409

    def test_the_log_is_a_chain(self):
        code = begun()
        event = Event.objects.get(code=code)
        entry = EventEntry.objects.filter(event=event)[1]
        entry.lines = [{"message": "Nobody was here."}]
        entry.save()
        assert [(fault.version, fault.how) for fault in commits.faults(event)] == [(2, "changed")]


@pytest.mark.django_db
class TestResults:
    def test_a_table_that_both_sides_ended_is_the_result(self):
        code = begun()
        table = first_table(code)
        end(table.match, 7, 4)
        # Not yet taken over, as after a restart: looking is enough.
        seen = event_actions.load(code).state.pairings[table.key]
        assert (seen.state, seen.winner) == ("agreed", table.players[0])
        commands.announce(code, ANNA, "Lunch.")
        kept = state(code).pairings[table.key]
        assert kept.results[table.players[0]]["vp"] == 7
        assert EventEntry.objects.filter(event__code=code, action="settle").count() == 1

    def test_what_is_entered_contested_or_closed_is_not_written_over_by_its_table(self):
        code = begun(6)
        entered, contested, other = (one for one in state(code).at(1) if not one.is_bye)
        commands.enter_result(code, ANNA, entered.key, scores(entered, 3, 5))
        for key, points in zip(contested.players, ((3, 5), (5, 3)), strict=True):
            by = Actor(key, key, "player")
            commands.report(code, by, contested.key, key, scores(contested, *points))
        for table in (entered, contested, other):
            end(table.match, 7, 4)
        event_actions.take_over_results(code)
        kept = state(code).pairings
        assert (kept[entered.key].state, kept[entered.key].winner) == ("entered", entered.players[1])
        assert (kept[contested.key].state, kept[other.key].state) == ("contested", "agreed")
        commands.rule(code, ANNA, contested.key, scores(contested, 3, 5), "Seen at the table")
        commands.close_round(code, ANNA)
        end(other.match, 1, 1)
        event_actions.take_over_results(code)
        g = state(code)
        assert g.pairings[other.key] == kept[other.key]
        for says in (None, Result({key: {"vp": 1} for key in other.players}, other.players[1], "finished")):
            assert not event_results.take_over(g, {other.match: says})

    def test_a_match_that_goes_on_takes_its_result_back(self):
        code = begun()
        table = first_table(code)
        end(table.match, 7, 4)
        event_actions.take_over_results(code)
        undoing_at_tables.ask(
            table.match, "", Match.objects.get(code=table.match).version, tables.new_key(), "Anna"
        )
        event_actions.take_over_results(code)
        found = state(code).pairings[table.key]
        assert (found.state, found.results) == ("open", {})

    def test_a_table_where_players_only_sit_does_not_contradict(self):
        code = begun()
        table = first_table(code)
        for seat in table.seats:
            tables.sit_down(table.match, seat)
        commands.enter_result(code, ANNA, table.key, scores(table, 7, 4))
        assert state(code).pairings[table.key].state == "entered"

    def test_a_table_in_its_set_up_does_not_contradict(self):
        code = begun()
        table = first_table(code)
        tables.edit(table.match, lambda g: setattr(g, "first", g.seats[0]), "Anna", "rolled")
        assert tile(code, table).label == "Not begun"
        commands.enter_result(code, ANNA, table.key, scores(table, 7, 4))
        assert state(code).pairings[table.key].state == "entered"

    def test_two_reports_that_agree_are_a_result_and_others_wait_for_a_judge(self):
        code = begun()
        table = first_table(code)
        one, other = (Actor(key, key, "player") for key in table.players)
        commands.report(code, one, table.key, one.key, scores(table, 5, 2))
        assert state(code).pairings[table.key].state == "reported"
        commands.report(code, other, table.key, other.key, scores(table, 5, 3))
        assert state(code).pairings[table.key].state == "contested"
        assert "table 1" in str(refused(commands.close_round, code, ANNA))
        told = refused(commands.enter_result, code, ANNA, table.key, scores(table, 1, 1))
        assert "A judge must decide" in str(told)
        judge = Actor("helper-1", "Ben", "judge")
        commands.rule(code, judge, table.key, scores(table, 5, 3), "Counted again.")
        found = state(code).pairings[table.key]
        assert (found.state, found.results[other.key]["vp"]) == ("entered", 3)

    def test_a_player_may_contest_what_the_table_says(self):
        code = begun()
        table = first_table(code)
        commands.enter_result(code, ANNA, table.key, scores(table, 5, 2))
        commands.contest(
            code, Actor(table.players[1], "", "player"), table.key, table.players[1], "It was 5-4."
        )
        assert state(code).pairings[table.key].state == "contested"
        assert all(line.values["vp"] == 0 for line in standings.standings(state(code)))

    def test_a_result_entered_twice_stays_and_another_one_is_refused_with_both(self):
        code = begun()
        table = first_table(code)
        version = commands.enter_result(code, ANNA, table.key, scores(table, 5, 2)).version
        assert commands.enter_result(code, ANNA, table.key, scores(table, 5, 2)).version == version
        told = str(refused(commands.enter_result, code, ANNA, table.key, scores(table, 2, 5)))
        names = [state(code).players[key].name for key in table.players]
        assert f"{names[0]} 2, {names[1]} 5" in told
        assert f"{names[0]} 5, {names[1]} 2" in told

    def test_a_result_that_contradicts_the_table_is_refused_with_both(self):
        code = begun()
        table = first_table(code)

        def change(g) -> None:
            g.score(g.seats[0], 4, "points")

        tables.edit(table.match, change, "Anna", "as played")
        told = str(refused(commands.enter_result, code, ANNA, table.key, scores(table, 2, 5)))
        assert "table 1 is being played" in told
        assert (tile(code, table).label, tile(code, table).players[0].points) == ("", "4")
        commands.enter_result(code, ANNA, table.key, scores(table, 4, 0))

    @pytest.mark.parametrize(
        "said",
        [
            {},
            {"scores": {}},
            {"scores": {"p1": {"vp": 1}, "p2": {"vp": "2"}, "p3": {"vp": 1}, "p4": {"vp": 1}}},
            {"scores": {"p1": {"vp": True}, "p2": {"vp": 1}, "p3": {"vp": 1}, "p4": {"vp": 1}}},
            {"scores": {"p1": {"vp": 1000}, "p2": {"vp": 1}, "p3": {"vp": 1}, "p4": {"vp": 1}}},
        ],
    )
    def test_what_is_no_result_is_refused(self, said):
        code = begun()
        told = refused(commands.enter_result, code, ANNA, first_table(code).key, said)
        assert told.status == 409
        assert state(code).pairings[first_table(code).key].state == "open"

    def test_nobody_wins_a_table_at_which_they_do_not_play(self):
        code = begun()
        table = first_table(code)
        other = next(key for key in state(code).players if key not in table.players)
        assert refused(commands.enter_result, code, ANNA, table.key, scores(table, 1, 2, winner=other))
        assert refused(commands.enter_result, code, ANNA, "9-9", scores(table, 1, 2)).status == 409
