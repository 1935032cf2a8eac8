"""How many rounds an event has with its knock-out, and who goes on where somebody has left in between."""

from __future__ import annotations

import random

import pytest

from games.core import IllegalAction
from games.hall import commands, event_undo
from games.hall.models import Event
from games.hall.rules import (
    event_results,
    event_rounds,
    knockout,
    registration,
    round_draw,
    seating_changes,
)
from games.hall.rules.event_state import KNOCKOUT, LEFT, ROUND_ROBIN, EventState
from games.hall.rules.standings import standings
from games.models import Match
from tests.hall.halls import ANNA, gathering, opened, play_round, refused, scores, state
from tests.hall.places import card, page, phone


@pytest.mark.parametrize(("cut", "rounds"), [(0, 5), (2, 6), (4, 7), (8, 8)])
def test_only_a_knock_out_adds_rounds(cut: int, rounds: int) -> None:
    assert round_draw.rounds_in_all(gathering(16, length=5, cut=cut)) == rounds


def play_on(g: EventState) -> None:
    """Draw up, open, play and close a round; the first of each table wins."""
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    for one in g.at(g.last.number):
        if not one.is_decided:
            event_results.enter(g, one.key, {**scores(one, 9, 3)})
    event_rounds.close_round(g, 0)


def test_fewer_than_were_to_go_on_play_as_many_rounds_as_they_take() -> None:
    g = gathering(6, length=1, cut=8)
    play_on(g)
    for key in ("p1", "p2"):
        registration.drop(g, key)
    for _round in range(2):
        play_on(g)
    assert round_draw.rounds_in_all(g) == 3
    event_rounds.finish(g)


def test_the_seeds_of_a_cut_are_the_places_before_it() -> None:
    g = gathering(8, length=1, cut=4)
    play_on(g)
    ranked = [line.player for line in standings(g)]
    play_on(g)
    assert round_draw.seeds_of(g) == {player: at for at, player in enumerate(ranked[:4], 1)}


def test_who_loses_in_the_knockout_is_out_unless_they_play_for_third() -> None:
    def out() -> set[str]:
        return {key for key in g.players if knockout.is_out(g, key)}

    g = gathering(8, length=1, cut=4, third=True)
    play_on(g)
    event_rounds.pair(g)
    assert out() == set()
    event_rounds.open_round(g, 0)
    among = {key for one in g.at(2) for key in one.players}
    assert out() == set(g.players) - among
    first, second = g.at(2)
    event_results.enter(g, first.key, scores(first, 3, 9))
    event_results.enter(g, second.key, scores(second, 9, 3))
    event_rounds.close_round(g, 0)
    event_rounds.pair(g)
    final, third = sorted(g.at(3), key=knockout.place_in)
    assert set(final.players) == {first.players[1], second.players[0]}
    assert set(third.players) == {first.players[0], second.players[1]}
    assert out() == set(g.players) - among
    g.third = False
    assert out() == set(g.players) - set(final.players)


@pytest.mark.parametrize("gone", [1, 2])
def test_who_was_to_meet_somebody_that_left_goes_on(gone: int) -> None:
    g = gathering(8, length=1, cut=4)
    play_on(g)
    play_on(g)
    finalists = [one.winner for one in g.at(2)]
    for key in finalists[:gone]:
        registration.drop(g, key)
    event_rounds.pair(g)
    final = next(iter(g.at(3)))
    assert (set(final.players), final.how) == (set(finalists), LEFT)
    assert final.winner == (finalists[1] if gone == 1 else final.players[0])
    event_rounds.call_off(g, 0)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    event_rounds.close_round(g, 0)
    assert {line.player for line in standings(g)[:2]} == set(finalists)
    event_rounds.finish(g)


def test_who_comes_back_before_a_round_of_the_knock_out_is_opened_plays_in_it() -> None:
    g = gathering(8, length=1, cut=4)
    play_on(g)
    play_on(g)
    back = next(iter(g.at(2))).winner
    registration.drop(g, back)
    event_rounds.pair(g)
    (final,) = g.at(3)
    assert (final.how, final.winner) == (LEFT, final.rivals(back)[0])
    registration.come_back(g, back)
    event_rounds.open_round(g, 0)
    assert (final.state, final.how, final.winner) == ("open", "", "")


def test_the_last_one_who_is_there_wins_the_final() -> None:
    """Losers leave the hall; then nobody could draw up the final, because two must be there."""
    g = gathering(4, kind=KNOCKOUT)
    play_on(g)
    stays, goes = (one.winner for one in g.at(1))
    for key in g.players.keys() - {stays}:
        registration.drop(g, key)
    play_on(g)
    assert (standings(g)[0].player, standings(g)[1].player) == (stays, goes)
    event_rounds.finish(g)


@pytest.mark.django_db
def test_no_table_is_opened_for_somebody_that_left() -> None:
    code = opened(8, length=1, cut=4, mode="manual-scoring")
    chance = random.Random(1)
    for _round in range(2):
        play_round(code, lambda g, pairing: scores(pairing, chance.randint(5, 9), chance.randint(0, 4)))
    before = Match.objects.count()
    commands.drop(code, ANNA, next(iter(state(code).at(2))).winner)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    assert Match.objects.count() == before
    commands.close_round(code, ANNA)
    commands.finish(code, ANNA)


@pytest.mark.parametrize("how", ["late", "back"])
def test_the_knock_out_goes_on_without_who_comes_when_it_has_begun(how: str) -> None:
    g = gathering(6, length=1, cut=4)
    play_on(g)
    if how == "back":
        registration.drop(g, "p6" if "p6" not in best(g, 4) else "p5")
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    if how == "late":
        with pytest.raises(IllegalAction, match="once the knockout has begun"):
            registration.come_late(g, "Zoe", "", "", "bye")
    else:
        registration.come_back(g, next(key for key in g.players if g.players[key].dropped is not None))
    last = next((one.key for one in g.players.values() if one.name == "Zoe"), "")
    for one in g.at(2):
        event_results.enter(g, one.key, scores(one, 9, 3))
    event_rounds.close_round(g, 0)
    play_on(g)
    assert [len(one.players) for one in g.at(3)] == [2]
    assert last not in best(g, 4)
    event_rounds.finish(g)


def best(g: EventState, most: int) -> list[str]:
    return [line.player for line in standings(g)[:most]]


def test_who_is_checked_in_after_the_beginning_of_a_knock_out_is_not_in_it() -> None:
    g = gathering(5, kind=KNOCKOUT)
    g.players["p5"].checked_in = False
    registration.drop(g, "p4")
    play_on(g)
    for enter in (registration.check_in, registration.come_back):
        with pytest.raises(IllegalAction, match="No one can join"):
            enter(g, "p5" if enter is registration.check_in else "p4")
    assert round_draw.rounds_in_all(g) == 2
    loser = next(key for one in g.at(1) for key in one.players if len(one.players) > 1 and key != one.winner)
    registration.drop(g, loser)
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    registration.come_back(g, loser)
    (final,) = g.at(2)
    event_results.enter(g, final.key, scores(final, 9, 3))
    event_rounds.close_round(g, 0)
    event_rounds.finish(g)


def test_who_changes_places_with_somebody_that_left_goes_on_instead() -> None:
    g = gathering(8, kind=KNOCKOUT)
    play_on(g)
    gone = next(iter(g.at(1))).winner
    registration.drop(g, gone)
    event_rounds.pair(g)
    here = g.pairing_of(gone, 2)
    there = next(one for one in g.at(2) if one is not here)
    (waiting,), moved = here.rivals(gone), there.players[0]
    seating_changes.swap(g, waiting, moved)
    assert (here.how, here.winner, there.state, there.winner) == (LEFT, moved, "open", "")
    seating_changes.swap(g, gone, waiting)
    assert (here.state, here.how, here.winner) == ("open", "", "")
    assert (there.how, there.winner) == (LEFT, next(key for key in there.players if key != gone))


def test_no_criterion_decides_the_places_that_the_knock_out_does() -> None:
    g = gathering(8, length=1, cut=4)
    for _round in range(3):
        play_on(g)
    told = [line.decided for line in standings(g)]
    assert (told[0], told[1], told[3], told[7]) == ("", "", "", "")
    assert all(told[4:7])


def test_no_draw_is_ruled_in_a_round_of_the_knock_out_that_is_closed() -> None:
    """Nor while it is open: the ruling asks at once who goes on."""
    g = gathering(4, kind=KNOCKOUT)
    play_on(g)
    one = next(iter(g.at(1)))
    with pytest.raises(IllegalAction, match="Choose who advances"):
        event_results.rule(g, one.key, scores(one, 3, 3), "Counted again.")
    event_results.rule(g, one.key, scores(one, 3, 3, winner=one.players[1]), "Counted again.")
    event_rounds.reopen(g)
    with pytest.raises(IllegalAction, match="who advances"):
        event_results.rule(g, one.key, scores(one, 3, 3), "Counted again.")


def test_no_other_winner_is_ruled_once_the_first_has_gone_on() -> None:
    """The loser played the final on, and the new winner was out of it without a word."""
    g = gathering(4, kind=KNOCKOUT)
    play_on(g)
    one = next(iter(g.at(1)))
    event_rounds.pair(g)
    event_rounds.open_round(g, 0)
    with pytest.raises(IllegalAction, match="Cancel round 2 first"):
        event_results.rule(g, one.key, scores(one, 3, 9), "Counted again.")
    event_results.rule(g, one.key, scores(one, 8, 3), "Counted again.")
    event_rounds.call_off(g, 0)
    event_results.rule(g, one.key, scores(one, 3, 9), "Counted again.")
    event_rounds.pair(g)
    assert one.players[1] in next(iter(g.at(2))).players
    # A round that is only drawn up is drawn again.
    event_results.rule(g, one.key, scores(one, 8, 3), "Counted once more.")
    event_rounds.repair(g)
    assert one.players[0] in next(iter(g.at(2))).players


@pytest.mark.parametrize("cut", [0, 2])
def test_the_knock_out_of_a_league_waits_until_it_is_known_who_plays_in_it(cut: int) -> None:
    """It took whoever sat first at each table as the winner."""
    g = gathering(4, kind=ROUND_ROBIN if cut else KNOCKOUT, length=2, cut=cut, days=7)
    for _round in range(2 if cut else 1):
        event_rounds.pair(g)
        event_rounds.open_round(g, 0)
    with pytest.raises(IllegalAction, match="Close round 1 first"):
        event_rounds.pair(g)
    for number in (1, 2) if cut else (1,):
        for one in g.at(number):
            event_results.enter(g, one.key, scores(one, 3, 9))
        event_rounds.close_round(g, 0, number)
    event_rounds.pair(g)
    (final,) = g.at(g.last.number)
    assert set(final.players) == (set(best(g, 2)) if cut else {one.players[1] for one in g.at(1)})


@pytest.mark.django_db
def test_no_round_of_a_league_is_open_again_once_its_knock_out_follows() -> None:
    code = opened(4, kind="round-robin", length=1, cut=2, days=7, mode="manual-scoring")
    play_round(code, lambda g, pairing: scores(pairing, 5, 2))
    closing = Event.objects.get(code=code).version
    commands.pair(code, ANNA)
    assert str(refused(event_undo.undo, code, closing, ANNA)) == "Cancel round 2 first."
    commands.call_off(code, ANNA)
    event_undo.undo(code, closing, ANNA)


def test_the_first_round_of_a_cut_by_hand_holds_those_who_qualify() -> None:
    g = gathering(8, length=1, cut=4)
    play_on(g)
    event_rounds.pair(g)
    a, b, c, d = best(g, 4)
    fifth = best(g, 5)[-1]
    with pytest.raises(IllegalAction, match=f"{g.players[fifth].name} has not qualified for the knockout"):
        event_rounds.by_hand(g, [(a, fifth), (b, c)])
    event_rounds.by_hand(g, [(a, b), (c,)])
    with pytest.raises(IllegalAction, match=f"Not paired in this round: {g.players[d].name}"):
        event_rounds.open_round(g, 0)
    event_rounds.by_hand(g, [(a, b), (c, d)])
    event_rounds.open_round(g, 0)


def test_a_drawn_cut_waits_to_be_drawn_again_once_a_ruling_has_changed_who_qualifies() -> None:
    g = gathering(4, length=1, cut=2)
    play_on(g)
    event_rounds.pair(g)
    one = next(iter(g.at(1)))
    event_results.rule(
        g, one.key, scores(one, *((0, 9) if one.winner == one.players[0] else (9, 0))), "swapped"
    )
    with pytest.raises(IllegalAction, match=f"Not paired in this round: {g.players[one.winner].name}"):
        event_rounds.open_round(g, 0)
    event_rounds.repair(g)
    event_rounds.open_round(g, 0)


@pytest.mark.parametrize("shape", [{"kind": KNOCKOUT}, {"length": 1, "cut": 8}])
def test_nobody_who_is_out_of_the_knock_out_is_paired_by_hand(shape: dict[str, object]) -> None:
    """Such a winner played the final, and who should have played it was left out without a word."""
    g = gathering(8, **shape)
    for _round in range(1 + ("cut" in shape)):
        play_on(g)
    event_rounds.pair(g)
    tables = [one.players for one in g.at(g.last.number)]
    playing = {key for table in tables for key in table}
    out = next(key for key in g.players if key not in playing)
    (one, other), *rest = tables
    with pytest.raises(IllegalAction, match="is out of the knockout"):
        event_rounds.by_hand(g, [(one, out), *rest])
    assert [one.players for one in g.at(g.last.number)] == tables
    event_rounds.by_hand(g, [(one,), *rest])
    with pytest.raises(IllegalAction, match=f"Not paired in this round: {g.players[other].name}"):
        event_rounds.open_round(g, 0)
    event_rounds.by_hand(g, [(other, one), *rest])
    event_rounds.open_round(g, 0)
    assert g.last.state == "open"


@pytest.mark.django_db
def test_the_match_for_third_place_is_called_that_wherever_it_is_shown() -> None:
    code = opened(4, mode="manual-scoring", kind="knock-out", third=True)
    play_round(code, lambda g, pairing: scores(pairing, 5, 3))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    final, third = state(code).at(2)
    for name, about in (("event", ()), ("event-print-round", (2,)), ("event-print-slips", (2,))):
        assert page(phone(code), code, name, *about).count("Third place") == 1
    assert "Third place" in card(phone(code, third.players[0]), code)
    assert "Third place" not in card(phone(code, final.players[0]), code)
