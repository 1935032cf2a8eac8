"""A round on paper: by table, by name, as slips; a draft for the organisers alone; times are the hall's."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from django.urls import reverse

from games.hall import commands
from games.hall.pages import rounds_and_standings
from games.web import clock
from tests.hall.halls import ANNA, opened, play_round, refused, scores, state
from tests.hall.places import ask, page
from tests.hall.test_organiser import phone_of
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db


def test_a_round_is_printed_by_surname_with_tables_and_opponents() -> None:
    code = opened(0, length=3)
    commands.import_table(code, ANNA, "Zoe Abel\nAda Éber\nBo Ebert\nCy Zorn")
    commands.check_in_all(code, ANNA)
    play_round(code, lambda g, pairing: scores(pairing, 7, 5))
    body = ask(Phone(), code, "event-print-names", 1).content.decode()
    rows = re.findall(
        r"<tr>\s*<th scope=\"row\">(.+?)</th>\s*<td class=\"no\">(\d)</td>\s*<td>(.+?)</td>", body
    )
    assert [name for name, _table, _rival in rows] == ["Zoe Abel", "Ada Éber", "Bo Ebert", "Cy Zorn"]
    rivals = {name: rival for name, _table, rival in rows}
    assert all(rivals[rivals[name]] == name for name in rivals)


def test_each_table_has_a_slip_for_what_the_ranking_counts() -> None:
    code = opened(5, criteria=("wins", "destroyed", "lot"))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    body = page(Phone(), code, "event-print-slips", 1)
    assert body.count("Signature") == 4
    assert body.count("Points destroyed") == 4
    assert "Scenario points" not in body


@pytest.mark.parametrize("name", ["event-print-round", "event-print-names", "event-print-slips"])
def test_a_round_that_is_drawn_up_is_printed_by_organisers_alone(name: str) -> None:
    code = opened(4)
    commands.pair(code, ANNA)
    assert Phone().get(reverse(name, args=[code, 1])).status_code == 404
    helper = phone_of(code)
    assert "may still change" in helper.get(reverse(name, args=[code, 1])).content.decode()
    commands.open_round(code, ANNA)
    assert "may still change" not in page(Phone(), code, name, 1)


@pytest.mark.parametrize(
    ("server", "zone", "shown"),
    [("UTC", "", "23:30 UTC"), ("UTC", "Europe/Berlin", "01:30 CEST"), ("Asia/Shanghai", "", "07:30 CST")],
)
def test_paper_and_deadlines_are_in_the_time_of_the_hall(
    server: str, zone: str, shown: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TIME_ZONE = server
    now = datetime.fromisoformat("2026-07-01T23:30:00+00:00").timestamp()
    monkeypatch.setattr(clock, "seconds", lambda: now)
    code = opened(2, kind="round-robin", days=7, zone=zone)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    assert shown in page(Phone(), code, "event-print-round", 1)
    day = 8 if shown.startswith("23") else 9
    g = state(code)
    assert rounds_and_standings.until(g, g.rounds["1"]) == f"To be played until July {day}, 2026"
    commands.announce(code, ANNA, "Lunch")
    assert rounds_and_standings.announcements(state(code))[0].at.text == shown[:5]


def test_a_time_zone_that_nobody_knows_is_refused() -> None:
    code = opened(2)
    assert refused(commands.change_settings, code, ANNA, {"zone": "Mars/Olympus"}).status == 409
    commands.change_settings(code, ANNA, {"zone": "Asia/Shanghai"})
    assert state(code).zone == "Asia/Shanghai"
