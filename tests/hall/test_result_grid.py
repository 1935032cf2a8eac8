"""Results entered by keyboard, one line for one table; and what is asked about before it is entered."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.core import system
from games.hall import commands
from tests.hall.halls import ANNA, begun, opened, scores, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def code() -> str:
    return begun(8)


def tables(code: str) -> dict[int, tuple[str, tuple[str, ...]]]:
    """The key and the players of each table."""
    return {one.table: (one.key, one.players) for one in state(code).at(1) if one.table}


def points(code: str, key: str) -> list[int]:
    pairing = state(code).pairings[key]
    return [pairing.results[player]["vp"] for player in pairing.players if player in pairing.results]


def enter(code: str, phone, table: int, *vp: int, **more: str):
    numbers = {f"vp-{at}": str(number) for at, number in enumerate(vp)}
    return send(phone, code, "enter_table", "results", table=str(table), **numbers, **more)


def test_a_result_is_entered_by_the_number_of_its_table_and_the_page_stays(code: str) -> None:
    phone = phone_of(code, "scorekeeper")
    assert 'name="table"' in page(phone, code, "organise-results")
    key, _players = tables(code)[2]
    answer = enter(code, phone, 2, 12, 7)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("organise-results", args=[code])
    assert points(code, key) == [12, 7]
    assert "12" in page(phone, code, "organise-results")


@pytest.mark.parametrize(
    ("table", "vp", "told"),
    [
        (99, (1, 2), "No table of this round has the number 99."),
        (0, (1, 2), "whole number"),
        (1, (1,), "are missing"),
        (1, (-5, 3), "would have −5 points."),
        (1, (-5, 3), "This result is right"),
    ],
)
def test_what_cannot_be_or_is_seldom_meant_keeps_what_was_typed(
    code: str, table: int, vp: tuple[int, ...], told: str
) -> None:
    answer = enter(code, phone_of(code), table, *vp)
    assert answer.status_code in (409, 422)
    text = answer.content.decode().replace("-5 points", "−5 points")
    assert told in text
    field = re.search(r'<input[^>]*name="vp-0"[^>]*>', text)
    assert field is not None
    assert f'value="{vp[0]}"' in field[0]
    assert points(code, tables(code)[1][0]) == []


def test_minus_five_points_are_entered_when_somebody_says_so(code: str) -> None:
    enter(code, phone_of(code), 1, -5, 3, sure="on")
    assert points(code, tables(code)[1][0]) == [-5, 3]


def test_a_winner_with_fewer_points_is_asked_about_on_the_page_of_the_table(code: str) -> None:
    phone = phone_of(code)
    key, (first, second) = tables(code)[1]
    sent = {f"vp-{first}": "3", f"vp-{second}": "9", "winner": first}
    answer = send(phone, code, f"enter {key}", f"table {key}", **sent)
    assert answer.status_code == 409
    assert "would win with fewer points." in answer.content.decode()
    assert 'name="sure"' in answer.content.decode()
    assert 'name="sure"' not in page(phone, code, "organise-table", key)
    assert send(phone, code, f"enter {key}", f"table {key}", **sent, how="conceded").status_code == 302
    assert state(code).pairings[key].winner == first


def test_after_the_page_of_a_table_the_list_goes_on_with_the_next_one(code: str) -> None:
    phone = phone_of(code)
    keys = [key for key, _players in dict(sorted(tables(code).items())).values()]
    commands.enter_result(code, ANNA, keys[1], scores(state(code).pairings[keys[1]], 1, 2))
    players = tables(code)[1][1]
    sent = {f"vp-{player}": "4" for player in players}
    answer = send(phone, code, f"enter {keys[0]}", f"table {keys[0]}", **sent)
    assert answer["Location"].endswith(f"/organise/#table-{keys[2]}")
    assert f'id="table-{keys[2]}"' in page(phone, code)


def test_without_an_open_round_there_is_nothing_to_enter() -> None:
    code = opened(4)
    phone = phone_of(code)
    assert "No round is open" in page(phone, code, "organise-results")
    assert enter(code, phone, 1, 3, 4).status_code == 422


def test_at_tables_of_several_the_columns_are_houses() -> None:
    """A slip says what each house has, in whatever order its players are listed."""
    code = opened(11, system="agot")
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    phone = phone_of(code, "scorekeeper")
    shown = page(phone, code, "organise-results")
    houses = ("Baratheon", "Lannister", "Stark", "Greyjoy", "Tyrell", "Martell")
    assert all(f"<legend>{house}</legend>" in shown for house in houses)
    small = next(one for one in state(code).at(1) if len(one.players) == 5)
    at = dict(zip(list(system("agot").seat_names), range(6), strict=True))
    form = {f"vp-{at[seat]}": str(at[seat] + 1) for seat in small.seats}
    wrong = {**form, f"vp-{at['martell']}": "3"}
    answer = send(phone, code, "enter_table", "results", table=str(small.table), **wrong)
    assert "No one plays Martell at table" in answer.content.decode()
    assert send(phone, code, "enter_table", "results", table=str(small.table), **form).status_code == 302
    told = state(code).pairings[small.key]
    entered = {seat: told.results[key]["vp"] for key, seat in zip(told.players, told.seats, strict=True)}
    assert entered == {seat: at[seat] + 1 for seat in small.seats}


@pytest.mark.parametrize(("vp", "focused"), [((-5, 3), "sure"), ((1,), "table")])
def test_the_keyboard_goes_on_where_something_is_asked(code: str, vp: tuple[int, ...], focused: str) -> None:
    text = enter(code, phone_of(code), 1, *vp).content.decode()
    assert re.findall(r'<input[^>]*name="([^"]+)"[^>]*autofocus', text) == [focused]
