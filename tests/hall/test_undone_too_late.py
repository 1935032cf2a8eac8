"""What an undo refuses although nothing later has written the same values: other things rely on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.hall import commands, event_undo
from games.hall.models import Event
from games.history.commits import Verdict
from tests.hall.halls import (
    ANNA,
    begun,
    by_chance,
    drawn,
    first_table,
    opened,
    play_round,
    refused,
    scores,
    state,
)

pytestmark = pytest.mark.django_db


def is_offered(code: str, version: int) -> bool:
    event = Event.objects.get(code=code)
    return version in event_undo.may_undo(state(code), event_undo.not_undone(event, None))


def refuses(code: str, version: int, sentence: str) -> None:
    assert sentence in str(refused(event_undo.undo, code, version, ANNA))
    assert not is_offered(code, version)


@pytest.mark.parametrize(
    "redraw",
    [
        commands.repair,
        lambda code, actor: commands.by_hand(code, actor, [["p1", "p2"], ["p3", "p4"]]),
        lambda code, actor: commands.swap(code, actor, *(one.players[0] for one in state(code).at(1))),
        lambda code, actor: commands.set_mode(code, actor, "a-game-of-thrones"),
    ],
    ids=["drawn again", "by hand", "two changed", "mode"],
)
def test_a_round_that_people_play_stays_as_it_was_drawn(redraw: Callable[..., Verdict]) -> None:
    code = opened(4, mode="manual-scoring", length=3, seed="another draw")
    commands.pair(code, ANNA)
    before = state(code)
    version = redraw(code, ANNA).version
    assert (before.pairings, before.rounds) != (state(code).pairings, state(code).rounds)
    opening = commands.open_round(code, ANNA).version
    refuses(code, version, "no longer be undone")
    event_undo.undo(code, opening, ANNA)
    assert is_offered(code, version)
    commands.open_round(code, ANNA)
    for one in state(code).at(1):
        commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
    refuses(code, version, "no longer be undone")
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    refuses(code, version, "no longer be undone")
    commands.swap(code, ANNA, *(one.players[0] for one in state(code).at(2)))
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)


def test_a_round_that_was_opened_again_is_not_closed_again_without_a_result() -> None:
    code = opened(4, mode="manual-scoring", length=3)
    play_round(code, by_chance(1))
    version = commands.reopen(code, ANNA).version
    table = first_table(code)
    commands.contest(code, ANNA, table.key, table.players[0], "It was a draw.")
    refuses(code, version, "Results are missing")
    commands.rule(code, ANNA, table.key, scores(table, 1, 1), "So it was.")
    event_undo.undo(code, version, ANNA)
    assert state(code).last.state == "closed"


def ended_with_a_draw() -> tuple[str, int]:
    """A knock-out whose round is closed; its first table was a draw, and this version said who advances."""
    code, table = drawn()
    version = commands.go_on(code, ANNA, table.key, table.players[1]).version
    for one in state(code).at(1):
        if one.key != table.key:
            commands.enter_result(code, ANNA, one.key, scores(one, 5, 2))
    commands.close_round(code, ANNA)
    return code, version


def test_a_knock_out_that_was_opened_again_is_not_closed_again_with_a_draw() -> None:
    code, going_on = ended_with_a_draw()
    version = commands.reopen(code, ANNA).version
    event_undo.undo(code, going_on, ANNA)
    refuses(code, version, "Table 1 was a draw. Choose who advances.")


def test_an_event_with_a_newer_round_is_not_over_again() -> None:
    code = opened(4, mode="manual-scoring", kind="round-robin", length=3, days=7)
    play_round(code, by_chance(1))
    commands.finish(code, ANNA)
    version = commands.reopen(code, ANNA).version
    commands.pair(code, ANNA)
    refuses(code, version, "Close every round first")
    commands.call_off(code, ANNA)
    event_undo.undo(code, version, ANNA)
    assert state(code).status == "over"


def test_who_was_paired_is_not_away_again() -> None:
    code = opened(4, mode="manual-scoring", length=3)
    everybody = Event.objects.get(code=code).version
    commands.check_in(code, ANNA, "p1", False)
    alone = commands.check_in(code, ANNA, "p1").version
    commands.pair(code, ANNA)
    refuses(code, alone, "Player 1 has already been paired")
    commands.call_off(code, ANNA)
    event_undo.undo(code, alone, ANNA)
    commands.check_in(code, ANNA, "p1")
    commands.pair(code, ANNA)
    assert not is_offered(code, everybody)


def test_who_came_back_and_was_paired_has_not_left_again() -> None:
    code = opened(5, mode="manual-scoring", length=4)
    play_round(code, by_chance(1))
    commands.drop(code, ANNA, "p1")
    play_round(code, by_chance(2))
    version = commands.come_back(code, ANNA, "p1").version
    commands.pair(code, ANNA)
    refuses(code, version, "Player 1 has already been paired")
    commands.call_off(code, ANNA)
    event_undo.undo(code, version, ANNA)
    assert (state(code).players["p1"].dropped, state(code).pairing_of("p1", 2)) == (1, None)


def test_a_league_pairs_whoever_is_on_its_list_and_minds_no_check_in() -> None:
    code = opened(4, mode="manual-scoring", kind="round-robin", length=3, days=7)
    version = Event.objects.get(code=code).version
    commands.pair(code, ANNA)
    event_undo.undo(code, version, ANNA)
    assert not any(one.checked_in for one in state(code).players.values())


@pytest.mark.parametrize("change", ["name", "club", "gone"])
def test_no_two_are_called_the_same_by_an_undo(change: str) -> None:
    code = opened(2)
    if change == "gone":
        version = commands.remove(code, ANNA, "p1").version
    else:
        version = commands.amend(code, ANNA, "p1", *CHANGED[change], "").version
    commands.register(code, ANNA, "Player 9")
    newcomer = commands.register(code, ANNA, "Player 1", "Club 1").made
    refuses(code, version, "There is a player called Player 1 already")
    commands.remove(code, ANNA, newcomer)
    event_undo.undo(code, version, ANNA)
    assert [one.name for one in state(code).players.values()].count("Player 1") == 1


CHANGED = {"name": ("Max", "Club 1"), "club": ("Player 1", "Nowhere")}


GONE = {
    "off the list": (commands.remove, "no such player"),
    "left": (commands.drop, "Player {} has dropped out"),
    "not here": (lambda *who: commands.check_in(*who, here=False), "Player {} is not here"),
}


@pytest.mark.parametrize("how", GONE)
def test_no_pairing_comes_back_with_somebody_who_is_gone(how: str) -> None:
    """Neither a round that was called off nor the pairings before those by hand."""
    code = opened(5, mode="manual-scoring", length=3)
    commands.pair(code, ANNA)
    by_hand = commands.by_hand(code, ANNA, [["p1", "p2"], ["p3", "p4"]]).version
    leave, sentence = GONE[how]
    leave(code, ANNA, "p5")
    refuses(code, by_hand, sentence.format(5))
    commands.open_round(code, ANNA)
    off = commands.call_off(code, ANNA).version
    leave(code, ANNA, "p4")
    refuses(code, off, sentence.format(4))
    event_undo.undo(code, Event.objects.get(code=code).version, ANNA)
    event_undo.undo(code, off, ANNA)
    assert len(list(state(code).at(1))) == 2


def test_a_round_comes_back_only_where_it_could_be_drawn() -> None:
    code = opened(4, mode="manual-scoring", length=3)
    play_round(code, by_chance(1))
    commands.pair(code, ANNA)
    version = commands.call_off(code, ANNA).version
    commands.finish(code, ANNA)
    refuses(code, version, "This event is over")
    commands.reopen(code, ANNA)
    refuses(code, version, "Close round 1 first")
    commands.close_round(code, ANNA)
    event_undo.undo(code, version, ANNA)
    assert state(code).last.state == "drafted"


def test_no_round_goes_from_under_its_pairings_by_hand() -> None:
    code = opened(4, mode="manual-scoring", kind="free")
    version = commands.pair(code, ANNA).version
    by_hand = commands.by_hand(code, ANNA, [["p1", "p2"], ["p3", "p4"]]).version
    refuses(code, version, "Cancel round 1 first")
    event_undo.undo(code, by_hand, ANNA)
    event_undo.undo(code, version, ANNA)
    assert (state(code).rounds, state(code).pairings) == ({}, {})


def test_only_the_newest_round_of_a_league_is_not_open_yet() -> None:
    code = opened(4, mode="manual-scoring", kind="round-robin", length=3, days=7)
    commands.pair(code, ANNA)
    version = commands.open_round(code, ANNA).version
    commands.pair(code, ANNA)
    refuses(code, version, "Cancel round 2 first")
    commands.call_off(code, ANNA)
    event_undo.undo(code, version, ANNA)
    commands.open_round(code, ANNA)


def test_no_ruling_on_a_draw_is_undone_where_somebody_has_gone_on() -> None:
    code, version = ended_with_a_draw()
    refuses(code, version, "Choose who advances")
    commands.reopen(code, ANNA)
    event_undo.undo(code, version, ANNA)


def test_who_has_missed_a_round_comes_back_with_its_loss() -> None:
    """Undone, their leaving left no trace of the rounds that they had not played."""
    code = opened(5, mode="manual-scoring", length=4)
    play_round(code, by_chance(1))
    version = commands.drop(code, ANNA, "p1").version
    commands.pair(code, ANNA)
    assert is_offered(code, version)
    commands.open_round(code, ANNA)
    refuses(code, version, "no longer be undone")
    commands.come_back(code, ANNA, "p1")
    assert state(code).pairing_of("p1", 2).how == "loss"


@pytest.mark.parametrize("how", ["bye", "loss"])
def test_a_round_is_not_drawn_up_again_while_it_holds_who_came_late(how: str) -> None:
    """They had a loss in a round that nobody had begun, and were not drawn in it."""
    code = opened(4, mode="manual-scoring", length=3)
    commands.pair(code, ANNA)
    version = commands.open_round(code, ANNA).version
    late = commands.come_late(code, ANNA, "Zoe", "", "", how).version
    refuses(code, version, "Undo that first: Zoe comes late.")
    event_undo.undo(code, late, ANNA)
    event_undo.undo(code, version, ANNA)
    assert state(code).last.state == "drafted"


def test_an_event_has_no_fewer_rounds_again_than_were_drawn_up() -> None:
    """Its knock-out would have had one round too few: no final."""
    code = opened(4, mode="manual-scoring", length=1, cut=4)
    version = commands.change_settings(code, ANNA, {"length": 2}).version
    play_round(code, by_chance(1))
    assert is_offered(code, version)
    commands.pair(code, ANNA)
    refuses(code, version, "More rounds than that have already been paired")
    commands.call_off(code, ANNA)
    event_undo.undo(code, version, ANNA)
    assert state(code).length == 1


def test_no_ruling_is_undone_whose_winner_has_gone_on() -> None:
    code = begun(4, kind="knock-out")
    for one in state(code).at(1):
        commands.enter_result(code, ANNA, one.key, scores(one, 9, 3))
    version = commands.rule(code, ANNA, one.key, scores(one, 3, 9), "Counted again.").version
    commands.close_round(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    refuses(code, version, "Cancel round 2 first")
    commands.call_off(code, ANNA)
    event_undo.undo(code, version, ANNA)
