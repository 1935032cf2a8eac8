"""The organisers' lists of players and pairings: how one finds through a long one, and changes it."""

from __future__ import annotations

import re
import time

import pytest
import segno
from django.urls import reverse

from games.hall import commands, pasted_players
from games.hall.rules import registration
from tests.hall.halls import ANNA, begun, opened, state
from tests.hall.test_organiser import page, phone_of, send

pytestmark = pytest.mark.django_db


def test_who_has_left_is_not_counted_as_checked_in():
    code = begun(6)
    commands.drop(code, ANNA, "p1")
    page = phone_of(code).get(reverse("organise-players", args=[code])).content.decode()
    assert "5 of 5 checked in" in page


def test_a_list_of_players_goes_on_after_who_was_checked_in():
    code = opened(0)
    commands.import_table(code, ANNA, "Ada\nBo\nCy")
    phone = phone_of(code)
    players = reverse("organise-players", args=[code])
    shown = page(phone, code, "organise-players")
    assert 'value="check_in p1 p2"' in shown
    assert 'id="p2"' in shown
    assert send(phone, code, "check_in p1 p2", "players").url == f"{players}#p2"
    assert state(code).players["p1"].checked_in
    searched = phone.get(players, {"q": "Bo"}).content.decode()
    assert 'value="check_in p2"' in searched
    assert send(phone, code, "check_in p2", "players").url == players


def test_two_hundred_players_are_searched_and_stay_light():
    code = opened(200)
    phone = phone_of(code)
    text = page(phone, code, "organise-players")
    assert text.count('class="here"') == 60
    assert "Show all 200" in text
    found = phone.get(reverse("organise-players", args=[code]), {"q": "player 19"}).content.decode()
    assert found.count('class="here"') == 11
    assert len(text.encode()) < 40_000


@pytest.mark.parametrize(("players", "is_long"), [(12, False), (14, True)])
def test_a_long_list_of_pairings_leads_to_what_changes_them(players: int, is_long: bool):
    code = opened(players)
    commands.pair(code, ANNA)
    phone = phone_of(code)
    assert ('href="#change"' in page(phone, code, "organise-pairings")) == is_long
    commands.open_round(code, ANNA)
    assert 'href="#change"' not in page(phone, code, "organise-pairings")


def test_pairings_change_by_hand_until_the_round_is_open():
    code = opened(4)
    commands.pair(code, ANNA)
    phone = phone_of(code)
    first, second = (one.players for one in state(code).at(1))
    send(phone, code, "swap", "pairings", one=first[0], other=second[0])
    assert [one.players for one in state(code).at(1)] == [(second[0], first[1]), (first[0], second[1])]
    answer = send(phone, code, "by_hand", "pairings", groups="Player 1 / Nobody")
    assert "There is no player called “Nobody”." in answer.content.decode()
    assert "Player 1 / Nobody" in answer.content.decode()
    send(phone, code, "by_hand", "pairings", groups="Player 1 / Player 2\nPlayer 3 / Player 4")
    assert sorted(one.players for one in state(code).at(1)) == [("p1", "p2"), ("p3", "p4")]
    send(phone, code, "open_round")
    assert send(phone, code, "swap", "pairings", one="p1", other="p3").status_code == 409


def chosen(page: str) -> list[str]:
    return re.findall(r'<option value="(\w+)" selected', page)


def test_the_two_who_are_to_change_places_come_from_two_tables_to_begin_with():
    code = opened(4)
    commands.pair(code, ANNA)
    commands.by_hand(code, ANNA, [["p1", "p2"], ["p3", "p4"]])
    phone = phone_of(code)
    assert chosen(page(phone, code, "organise-pairings"))[-2:] == ["p1", "p3"]
    answer = send(phone, code, "swap", "pairings", one="p4", other="p4")
    assert answer.status_code == 409
    assert chosen(answer.content.decode())[-2:] == ["p4", "p4"]
    commands.by_hand(code, ANNA, [["p1", "p2"]])
    assert 'value="swap' not in page(phone, code, "organise-pairings"), "two at one table stay where they are"


@pytest.mark.parametrize("text", ["Ada\n" * 16_000, '"N\n' * 10_000])
def test_a_table_of_wrong_lines_is_soon_read(text: str):
    """Nobody mends thousands at once, and while it is entered nobody else's tap is saved."""
    code = opened(0)
    phone = phone_of(code)
    shown = phone.post(reverse("organise-preview", args=[code]), {"text": text}).content.decode()
    assert "More than 100 lines have errors." in shown
    assert len(re.findall(r"<li>\s*<b>\d+</b> <code>", shown)) == 100
    began = time.process_time()
    refused = send(phone, code, "import", "import", text=text)
    assert time.process_time() - began < 3
    assert refused.status_code == 422
    told = refused.content.decode()
    assert "Line 100: " in told or "Line 101: " in told
    assert "Line 102: " not in told
    assert state(code).players == {}


def test_more_players_than_an_event_takes_are_not_entered_and_not_all_read():
    code = opened(0)
    names = "\n".join(f"P {n}" for n in range(6_000))
    assert len(pasted_players.read(names, state(code)).players) == registration.MOST_PLAYERS + 1
    refused = send(phone_of(code), code, "import", "import", text=names)
    assert refused.status_code == 409
    assert "This event is full" in refused.content.decode()
    assert state(code).players == {}


def test_no_slip_of_a_long_list_is_drawn_in_eight_ways_to_choose_from(monkeypatch: pytest.MonkeyPatch):
    """That takes most of the time, and four hundred slips kept a server busy for nine seconds."""
    code, weighed = opened(3), []
    monkeypatch.setattr("segno.encoder.mask_scores", lambda *_matrix: weighed.append(1) or (0, 0, 0, 0))
    page(phone_of(code), code, "organise-slips")
    assert weighed == []


def test_the_slips_of_a_long_list_are_drawn_once(monkeypatch: pytest.MonkeyPatch):
    code, made = opened(30), []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda *said, **how: made.append(said) or make(*said, **how))
    phone = phone_of(code)
    first, again = (phone.get(reverse("organise-slips", args=[code])).content for _time in range(2))
    assert len(made) == 30
    assert first.count(b'src="data:image/svg') == again.count(b'src="data:image/svg') == 30
