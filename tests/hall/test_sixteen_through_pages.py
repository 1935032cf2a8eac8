"""A tournament of 16 players over five rounds, run by robots through the pages that people use.

Each robot is a phone: it fills in the form, taps what its page offers, plays at the table that it is led to,
reports, and agrees. The ranking on the page is held against plain sums and against another library's points.
"""

from __future__ import annotations

import random
import re
from itertools import count

import pytest
from django.urls import reverse

from games.models import Match
from games.web import limits
from tests.hall import places
from tests.hall.halls import state
from tests.hall.test_thirty_two import by_hand, look, wins_of_another_library
from tests.playing import Playing
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

PLAYERS, ROUNDS, PLAYED = 16, 5, 2
NUMBERS = count()


def fresh_key() -> str:
    return f"key-of-a-page-{next(NUMBERS)}"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A club's evening in seconds: nobody is slowed down."""
    for limit in (limits.TAPS, limits.OPENINGS, limits.JOINS):
        monkeypatch.setattr(limit, "credit", 1e9)


def opened(organiser: Phone) -> str:
    """A tournament as the usual form opens it, to be played out by hand at most tables."""
    form = {"name": "Winter Cup", "organiser": "Olga", "preset": "tmg-40", "mode": "manual-scoring"}
    answer = organiser.ask("POST", reverse("new-event"), {**form, "key": fresh_key()})
    assert answer.status_code == 302, places.said(answer)
    return answer["Location"].split("/")[2]


def registered(code: str, number: int) -> Phone:
    """A phone whose holder has registered and checked in."""
    phone = Phone()
    form = {"name": f"Player {number}", "club": f"Club {number % 7}", "faction": "", "key": fresh_key()}
    assert phone.ask("POST", reverse("event-register", args=[code]), form).status_code == 302
    if "check in" in places.card(phone, code):
        assert places.do(phone, code, "check-in", fresh_key()).status_code == 302
    assert "You are checked in" in places.card(phone, code)
    return phone


def press(organiser: Phone, code: str, expected: str) -> None:
    """Tap the one big action of the organisers' page, which is to be this one."""
    page = organiser.ask("GET", reverse("organise", args=[code])).content.decode()
    following = re.search(r'<section class="next">.*?</section>', page, re.S)
    assert following
    assert re.search(r'name="do" value="(\w+)', following[0])[1] == expected
    form = {"do": expected, "at": "", "key": fresh_key()}
    assert organiser.ask("POST", reverse("organise-do", args=[code]), form).status_code == 302


def play_out(code: str, key: str, phone: Phone, luck: random.Random) -> None:
    """Go to the table by the action of the card; there the match is played to its end."""
    answer = places.do(phone, code, "sit", fresh_key())
    table, _seat = places.table_of(code, key)
    assert answer["Location"].startswith(f"/t/{table}/")
    assert phone.ask("GET", answer["Location"]).status_code == 200
    Playing(Match.objects.get(code=table)).at_random(luck, 1000)


def agree(code: str, phones: dict[str, Phone], pair: tuple[str, ...], luck: random.Random) -> None:
    """One side reports on its page, the other agrees on its own."""
    one, other = pair
    form = {f"vp-{key}": str(luck.randint(0, 12)) for key in pair}
    form |= {f"destroyed-{key}": str(luck.randint(0, 40)) for key in pair}
    answer = phones[one].ask(
        "POST", reverse("event-result", args=[code]), {**form, "winner": "", "key": fresh_key()}
    )
    assert answer.status_code == 302, places.said(answer)
    if one == "p1":
        assert "reports" in places.card(phones[other], code)
    agreeing = places.agreeing(phones[other], code)
    assert places.do(phones[other], code, agreeing, fresh_key()).status_code == 302


def ranking_on_the_page(code: str) -> list[str]:
    page = places.ask(Phone(), code, "event-standings").content.decode()
    return re.findall(r'data-players="(\w+) "', page)


def test_a_tournament_of_sixteen_through_its_pages(quick: None) -> None:
    organiser, luck = Phone(), random.Random(16)
    code = opened(organiser)
    phones = {f"p{number}": registered(code, number) for number in range(1, PLAYERS + 1)}
    for number in range(1, ROUNDS + 1):
        for action in ("pair", "open_round", "start_clock"):
            press(organiser, code, action)
        pairings = list(state(code).at(number))
        assert len(pairings) == PLAYERS // 2
        for pairing in pairings:
            if pairing.table <= PLAYED:
                assert f"Table {pairing.table}" in places.card(phones[pairing.players[0]], code)
            if number == 1 and pairing.table <= PLAYED:
                play_out(code, pairing.players[0], phones[pairing.players[0]], luck)
            else:
                agree(code, phones, pairing.players, luck)
        press(organiser, code, "close_round")
    press(organiser, code, "finish")
    hall = look(code)
    met = [frozenset(one["players"]) for each in hall["rounds"] for one in each["pairings"]]
    assert len(set(met)) == len(met) == ROUNDS * PLAYERS // 2
    told = ranking_on_the_page(code)
    assert told == [line["player"] for line in hall["standings"]]
    assert told == by_hand(hall, by_destroyed=True)
    assert wins_of_another_library(hall) == {
        line["player"]: line["won"] * 3 + line["drawn"] for line in hall["standings"]
    }
