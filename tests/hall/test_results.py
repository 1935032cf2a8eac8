"""What the forms of a result ask: the same of a player as of an organiser."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import IllegalAction
from games.hall import event_tables
from games.hall.organiser import rounds_pages
from games.hall.pages import player_actions
from games.hall.rules import event_results
from games.hall.rules.event_state import Pairing, Round
from games.results import KINDS
from games.translation import words
from tests.hall.halls import gathering


@pytest.mark.parametrize(
    ("fields", "asked"),
    [
        ({"criteria": ("points", "lot")}, ["vp"]),
        ({"criteria": ("points", "destroyed", "lot")}, ["vp", "destroyed"]),
        ({"criteria": ("points", "vim", "scenario", "lot")}, ["vp", "scenario", "vim"]),
        ({"criteria": ("points", "lot"), "size": 6}, ["vp", "place"]),
        ({"criteria": ("points", "destroyed", "lot"), "size": 6}, ["vp", "destroyed", "place"]),
    ],
)
def test_a_result_is_asked_for_what_the_ranking_needs(fields: dict[str, Any], asked: list[str]) -> None:
    g = gathering(2, **fields)
    pairing = Pairing("1-1", 1, 1, tuple(g.players))
    player = next(iter(g.players))
    reported = [name for name in player_actions._names(g, pairing) if name.endswith(player)]
    entered = next(rounds_pages.fields_of(g, pairing, {})).fields
    assert [name.removesuffix(f"-{player}") for name in reported] == asked
    assert [field.name.removesuffix(f"-{player}") for field in entered] == asked


def ranked(places: tuple[int, ...], **more: Any) -> event_results.Result:
    """A table of four whose first players are said to have these places."""
    g = gathering(4, system="agot", size=6)
    scores: dict[str, dict[str, int]] = {key: {"vp": 7 - at} for at, key in enumerate(g.players)}
    for key, place in zip(g.players, places, strict=False):
        scores[key]["place"] = place
    g.rounds["1"] = Round("1", 1, g.mode)
    return event_results.checked(g, Pairing("1-1", 1, 1, tuple(g.players)), {"scores": scores, **more})


@pytest.mark.parametrize(
    ("places", "winner", "refused"),
    [
        ((1, 2), None, "Give everyone"),
        ((1, 2, 4, 5), None, "leave a gap"),
        ((1, 2, 2, 3), None, "leave a gap"),
        ((1, 2, 3, 4), "p2", "is in place 1: Player 2"),
    ],
)
def test_places_that_are_no_ranking_are_refused(
    places: tuple[int, ...], winner: str | None, refused: str
) -> None:
    with pytest.raises(IllegalAction, match=refused):
        ranked(places, **({} if winner is None else {"winner": winner}))


@pytest.mark.parametrize(
    ("places", "refused"),
    [((2, 1, 3, 4), "Player 2 has fewer points than Player 1"), ((1, 2, 4, 3), "Player 4 has fewer points")],
)
def test_a_better_place_with_fewer_points_is_refused(places: tuple[int, ...], refused: str) -> None:
    with pytest.raises(IllegalAction, match=refused):
        ranked(places)


@pytest.mark.parametrize(
    "more", [{"how": "conceded"}, {"how": "time"}, {"how": "adjudicated"}, {"winner": "p2"}]
)
def test_what_may_have_turned_the_places_is_taken_as_it_is_said(more: dict[str, str]) -> None:
    assert tuple(told["place"] for told in ranked((2, 1, 3, 4), **more).scores.values()) == (2, 1, 3, 4)


def test_equal_points_are_placed_by_what_the_game_compares_next() -> None:
    scores = {f"p{n}": {"vp": 4, "place": 5 - n} for n in range(1, 5)}
    g = gathering(4, system="agot", size=6)
    assert event_results.checked(g, Pairing("1-1", 1, 1, tuple(g.players)), {"scores": scores}).winner == "p4"


def test_a_game_whose_points_do_not_place_says_nothing_about_places() -> None:
    scores = {f"p{n}": {"vp": n, "place": n} for n in range(1, 5)}
    g = gathering(4, size=4)
    assert event_results.checked(g, Pairing("1-1", 1, 1, tuple(g.players)), {"scores": scores}).winner == "p1"


@pytest.mark.parametrize("places", [(1, 2, 3, 4), (1, 2, 2, 4), (1, 1, 1, 1)])
def test_places_are_taken_as_they_are_said(places: tuple[int, ...]) -> None:
    assert tuple(told["place"] for told in ranked(places).scores.values()) == places


def test_equal_points_without_places_are_asked_for_what_the_game_compares() -> None:
    """Castles are not the last word, and no lot: the board game compares land areas, supply, the track."""
    g = gathering(4, system="agot", size=6)
    scores = {f"p{n}": {"vp": vp} for n, vp in enumerate((7, 4, 4, 2), 1)}
    pairing = Pairing("1-1", 1, 1, tuple(g.players))
    g.rounds["1"] = Round("1", 1, g.mode)
    for how in ("finished", "time"):
        with pytest.raises(IllegalAction, match="Player 2 and Player 3 have equal points"):
            event_results.checked(g, pairing, {"scores": scores, "how": how})
    told = event_results.checked(g, pairing, {"scores": scores, "how": "conceded"}).scores
    assert [told[key]["place"] for key in scores] == [1, 2, 2, 4]


def test_nobody_says_what_somebody_had_who_has_left_a_table_of_several() -> None:
    g = gathering(4, system="agot", size=6)
    g.rounds["1"], g.players["p2"].dropped = Round("1", 1, g.mode), 1
    pairing = Pairing("1-1", 1, 1, tuple(g.players))
    stated = {"p1": {"vp": 5}, "p3": {"vp": 6}, "p4": {"vp": 2}}
    told = event_results.checked(g, pairing, {"scores": stated}).scores
    assert [told[key]["place"] for key in g.players] == [2, 4, 1, 3]
    placed = {
        key: {**numbers, "place": place}
        for (key, numbers), place in zip(stated.items(), (1, 2, 3), strict=True)
    }
    told = event_results.checked(g, pairing, {"scores": placed, "how": "conceded"}).scores
    assert [told[key]["place"] for key in g.players] == [1, 4, 2, 3]
    g.players["p2"].dropped = None
    with pytest.raises(IllegalAction, match="points of Player 2 are missing"):
        event_results.checked(g, pairing, {"scores": stated})


def test_without_places_the_points_rank_and_the_winner_comes_first() -> None:
    assert [told["place"] for told in ranked((), winner="p2").scores.values()] == [2, 1, 3, 4]


def test_a_game_that_nobody_played_has_no_score_in_words() -> None:
    g = gathering(2)
    pairing = Pairing("1-1", 1, 1, tuple(g.players), state="entered", how="left", winner="p2")
    assert words(event_results.in_words(g, event_results.Result.of(pairing))) == "Player 2 wins"


@pytest.mark.parametrize(("winner", "chosen"), [("p1", "p1"), ("p2", ""), ("", rounds_pages.DRAW)])
def test_a_correction_begins_with_the_winner_who_is_known(winner: str, chosen: str) -> None:
    """Whoever corrected another number of a conceded game made the one who conceded its winner."""
    g = gathering(2)
    told = {"p1": {"vp": 3}, "p2": {"vp": 8}}
    pairing = Pairing("1-1", 1, 1, ("p1", "p2"), state="entered", results=told, winner=winner, how="conceded")
    group = rounds_pages.rest_of(g, pairing, {}, is_judge=True)
    (field,) = (one for one in group.fields if one.name == "winner")
    assert [option.value for option in field.options if option.selected] == [chosen]


def test_an_event_and_the_record_say_alike_how_a_match_ended():
    """A match that a player's clock had ended was one played to its end, to the event alone."""
    assert event_tables.HOWS == KINDS


def test_a_score_with_another_winner_is_another_result() -> None:
    scores = {"p1": {"vp": 5}, "p2": {"vp": 5}}
    drawn, won = event_results.Result(scores), event_results.Result(scores, "p1")
    assert drawn.is_like(event_results.Result(scores, how="adjudication"))
    assert not drawn.is_like(won)
    assert not won.is_like(event_results.Result(scores, "p2"))
