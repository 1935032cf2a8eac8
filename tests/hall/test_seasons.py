"""A season adds events up by its scale: the rule on its own, its pages, its form, the admin, and programs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.core import Unreadable
from games.hall import admin, commands
from games.hall.models import Event, Season
from games.hall.rules.event_state import EventState, Pairing, Player, Round
from games.hall.seasons.season_standings import Scale, added_up, points_in
from games.match.play import new_key
from games.web import limits
from tests.hall.halls import ANNA, first_table, gathering, opened, scores, state
from tests.hall.test_organiser import phone_of

pytestmark = pytest.mark.django_db

SCALE = Scale((10, 6, 4), participation=1)


def over(*names: str) -> EventState:
    """An event that is over, with these players from the first place to the last."""
    g = gathering(0, status="over", criteria=("points", "lot"), length=1)
    g.rounds["1"] = Round("1", 1, "a-game-of-thrones", state="closed")
    for at, name in enumerate(names, 1):
        key = f"p{at}"
        called, _slash, club = name.partition("/")
        g.players[key] = Player(key, at, called, club, checked_in=True, lot=at)
        g.pairings[f"1-{at}"] = Pairing(f"1-{at}", 1, None, (key,), state="entered", how="bye", winner=key)
    return g


def totals(scale: Scale, **events: EventState) -> list[tuple[int, str, int]]:
    return [(line.rank, line.name, line.total) for line in added_up(scale, events)]


def test_places_are_worth_the_points_of_the_scale_and_taking_part():
    found = totals(SCALE, A=over("Ada", "Bo", "Cy", "Di"), B=over("Bo", "Ada"))
    assert found == [(1, "Ada", 18), (1, "Bo", 18), (3, "Cy", 5), (4, "Di", 1)]


def test_only_the_best_events_count_and_equal_totals_go_to_the_better_places():
    events = {"A": over("Ada", "Bo"), "B": over("Bo", "Ada"), "C": over("Ada", "Cy", "Bo")}
    best = Scale((10, 6, 4), best=2)
    assert totals(best, **events) == [(1, "Ada", 20), (2, "Bo", 16), (3, "Cy", 6)]
    (ada, _bo, _cy) = added_up(best, events)
    assert [(one.event, one.place, one.counts) for one in ada.taken] == [
        ("A", 1, True),
        ("B", 2, False),
        ("C", 1, True),
    ]
    even = Scale((6, 4, 2))
    tied = {"A": over("Ada", "Bo", "Cy"), "B": over("X", "Bo", "Ada"), "C": over("Y", "Z", "W")}
    assert totals(even, **tied)[:2] == [(1, "Ada", 8), (2, "Bo", 8)]


def test_a_name_is_the_same_person_everywhere_and_namesakes_are_told_apart_by_their_club():
    events = {"A": over("Ada", "Bo"), "B": over("ADA", "Bo")}
    assert totals(SCALE, **events)[0] == (1, "ADA", 22)
    two = over("Ada/North", "Ada/South")
    found = added_up(SCALE, {"A": two, "B": over("Ada/South", "Ada/North")})
    assert sorted((line.club, line.total) for line in found) == [("North", 18), ("South", 18)]


def test_an_event_that_goes_on_and_a_player_who_never_played_get_nothing():
    going = over("Ada")
    going.status = "running"
    g = over("Ada", "Bo")
    del g.pairings["1-2"]
    assert totals(SCALE, A=going, B=g) == [(1, "Ada", 11)]


@pytest.mark.parametrize(
    "typed", ["", "ten", "1, 2", "-1", "10, 6.5", "99999", "0000099999", " ".join(["1"] * 101)]
)
def test_a_scale_that_is_none_is_refused(typed: str):
    with pytest.raises(Unreadable):
        points_in(typed)
    assert points_in("10，6; 4 4") == [10, 6, 4, 4]


# --- its pages ---------------------------------------------------------------------------------------


def finished(*names: str) -> str:
    """The code of an event that the first of these has won against the second."""
    code = opened(0, length=1, mode="manual-scoring")
    for name in names:
        commands.register(code, ANNA, name)
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for one in state(code).at(1):
        points = (9 if state(code).players[key].name == names[0] else 2 for key in one.players)
        commands.enter_result(code, ANNA, one.key, scores(one, *points))
    commands.close_round(code, ANNA)
    commands.finish(code, ANNA)
    return code


def form(*codes: str, **more: Any) -> dict[str, Any]:
    told = {"name": "Year", "points": "10, 6", "participation": "1", "best": "0", "key": new_key()}
    return {**told, **{f"event-{code}": "on" for code in codes}, **more}


def started(phone: Client, *codes: str, **more: Any) -> Season:
    limits.OPENINGS.forget()
    answer = phone.post(reverse("new-season"), form(*codes, **more))
    assert answer.status_code == 302
    return Season.objects.get(code=answer["Location"].rsplit("/", 1)[-1])


def test_an_organiser_starts_a_season_and_a_correction_changes_it():
    code = finished("Ada Swift", "Bo Slow")
    phone = phone_of(code)
    assert f"event-{code}" in phone.get(reverse("new-season")).content.decode()
    season = started(phone, code)
    text = Client().get(reverse("season", args=[season.code])).content.decode()
    assert text.index("Ada Swift") < text.index("Bo Slow")
    assert "place 1, 11 points" in text
    one = first_table(code)
    other = [2 if state(code).players[key].name == "Ada Swift" else 9 for key in one.players]
    commands.rule(code, ANNA, one.key, scores(one, *other), "turned round")
    text = Client().get(reverse("season", args=[season.code])).content.decode()
    assert text.index("Bo Slow") < text.index("Ada Swift")
    assert season.name in Client().get(reverse("seasons")).content.decode()
    assert (
        reverse("season", args=[season.code])
        in Client().get(reverse("event-standings", args=[code])).content.decode()
    )


def test_the_same_form_sent_twice_starts_one_season():
    code = finished("Ada", "Bo")
    phone, sent = phone_of(code), form(code)
    limits.OPENINGS.forget()
    first, again = (phone.post(reverse("new-season"), sent)["Location"] for _time in range(2))
    assert first == again
    assert Season.objects.count() == 1


def test_only_organisers_of_its_events_change_a_season_and_add_only_their_own():
    mine, other = finished("Ada", "Bo"), finished("Cy", "Di")
    organiser, stranger = phone_of(mine), phone_of(other)
    season = started(organiser, mine)
    address = reverse("season-form", args=[season.code])
    for phone in (Client(), stranger, phone_of(mine, "judge")):
        limits.OPENINGS.forget()
        assert phone.get(address).status_code == 403
        assert phone.post(address, form(other)).status_code == 403
        assert "Change this season" not in phone.get(reverse("season", args=[season.code])).content.decode()
    # The organiser of one event cannot add the event of another.
    assert organiser.post(address, form(mine, other)).status_code == 302
    assert [one.code for one in season.events.all()] == [mine]
    assert Client().get(reverse("new-season")).status_code == 403
    assert phone_of(mine, "judge").post(reverse("new-season"), form(mine)).status_code == 403
    limits.OPENINGS.forget()
    assert started(stranger, mine, other).events.get().code == other


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"points": "many"}, "Write the points by place"),
        ({"points": "1, 2"}, "A better place cannot be worth fewer points."),
        ({"best": "-1"}, "Best events that count"),
        ({"name": " "}, "Please enter a name."),
        ({"events": ()}, "Choose at least one event."),
    ],
)
def test_a_wrong_form_gets_a_sentence_and_loses_nothing(wrong: dict[str, Any], sentence: str):
    code = finished("Ada", "Bo")
    phone = phone_of(code)
    season = started(phone, code)
    sent = form(*wrong.pop("events", (code,)), **{"name": "Other", **wrong})
    limits.OPENINGS.forget()
    answer = phone.post(reverse("season-form", args=[season.code]), sent)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text
    assert f'value="{sent["points"]}"' in text
    season.refresh_from_db()
    assert (season.name, season.events.count()) == ("Year", 1)


def test_a_season_is_deleted_by_its_form_and_with_its_last_event():
    code = finished("Ada", "Bo")
    phone = phone_of(code)
    season = started(phone, code)
    limits.OPENINGS.forget()
    assert phone.post(reverse("season-form", args=[season.code]), form(code, delete="on")).status_code == 302
    assert not Season.objects.exists()
    assert Event.objects.filter(code=code).exists()
    started(phone, code)
    admin.delete(Event.objects.get(code=code))
    assert not Season.objects.exists()


def test_programs_and_spreadsheets_read_a_season():
    code = finished("Ada", "=Bo")
    season = started(phone_of(code), code)
    told = Client().get(f"/api/seasons/{season.code}").json()
    assert told["scale"] == {"points": [10, 6], "participation": 1, "best": 0}
    assert told["events"] == [{"code": code, "name": "Cup", "counts": True}]
    first, _second = told["standings"]
    assert (first["rank"], first["name"], first["total"], first["won"]) == (1, "Ada", 11, 1)
    assert first["events"] == [{"event": code, "place": 1, "points": 11, "counts": True}]
    text = Client().get(reverse("season-csv", args=[season.code])).content.decode()
    assert text.splitlines()[:2] == ["\ufeffrank,name,club,won,drawn,lost,total,Cup", "1,Ada,,1,0,0,11,11"]
    assert "'=Bo" in text
    assert Client().get("/api/seasons/NOSUCH").status_code == 404
    assert Client().get(reverse("season", args=["NOSUCH"])).status_code == 404


def test_an_admin_sets_a_season_up_and_reads_a_sentence_for_a_wrong_scale(admin_client):
    code = finished("Ada", "Bo")
    event = Event.objects.get(code=code)
    sent = {"name": "Year", "points": "5, 3", "participation": 0, "best": 0, "events": [event.pk]}
    add = reverse("admin:events_season_add")
    wrong = admin_client.post(add, {**sent, "points": "3, 5"}).content.decode()
    assert "A better place cannot be worth fewer points." in wrong
    assert admin_client.post(add, sent).status_code == 302
    season = Season.objects.get()
    assert (season.points, season.events.get()) == ([5, 3], event)
    assert "Ada" in Client().get(reverse("season", args=[season.code])).content.decode()
