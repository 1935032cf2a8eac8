"""Ratings: the formula by its paper's example, and who is rated, named, and gone again."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.core import RequestRefused
from games.hall import admin, commands, event_links, event_undo
from games.hall.event_actions import Actor
from games.hall.models import Event, EventEntry, Player
from games.hall.seasons.glicko import START, Rating, after_period
from games.hall.seasons.ratings import FEWEST, Game, after, ratings
from games.match.play import new_key
from tests.hall.halls import ANNA, first_table, opened, refused, scores, state
from tests.hall.test_organiser import page, phone_of, send
from tests.hall.test_programs import do, player

pytestmark = pytest.mark.django_db


def test_the_example_of_the_paper():
    """Glickman, “Example of the Glicko-2 system”: it becomes 1464.06, with 151.52 and 0.05999."""
    games = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    found = after_period(Rating(1500, 200, 0.06), games)
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_surprise_raises_the_volatility_and_a_pause_the_deviation():
    wild = after_period(Rating(1500, 50, 0.06), [(Rating(2400, 50), 1)] * 8)
    assert wild.volatility > 0.0605
    assert wild.value > 1600
    assert after_period(Rating(1500, 50, 0.06), []).deviation == pytest.approx(51.07, abs=0.01)
    assert after_period(Rating(1600, 350, 0.06), []) == Rating(1600, 350, 0.06)
    quiet = after_period(Rating(1500, 200, 0.06), [(Rating(1500, 30), 0.5)] * 4)
    assert quiet.value == pytest.approx(1500)


def test_a_month_is_a_period_and_games_in_it_count_at_once():
    ada, bo, cy = ("ada", ""), ("bo", ""), ("cy", "")
    found = after([Game(10, ada, bo, 1), Game(10, ada, cy, 1), Game(12, bo, cy, 0.5)])
    first = after_period(START, [(START, 1), (START, 1)])
    assert found[ada] == after_period(after_period(first, []), [])
    one = after_period(START, [(START, 0)])
    assert found[bo] == after_period(after_period(one, []), [(after_period(one, []), 0.5)])
    assert after([]) == {}


# --- events ------------------------------------------------------------------------------------------


def rated(*names: str, agree: bool = True, is_rated: bool = True, **settings) -> str:
    """The code of an event that is over; of two who met, the one entered first has won."""
    code = opened(0, length=1, mode="manual-scoring", is_rated=is_rated, **settings)
    for name in names:
        key = commands.register(code, ANNA, name).made
        if agree:
            commands.consent(code, Actor(key, name, "player"), key)
    commands.check_in_all(code, ANNA)
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    for one in state(code).at(1):
        if not one.is_bye:
            low = min(one.players, key=lambda key: int(key[1:]))
            commands.enter_result(
                code, ANNA, one.key, scores(one, *(9 if key == low else 2 for key in one.players))
            )
    commands.close_round(code, ANNA)
    commands.finish(code, ANNA)
    return code


def names() -> list[str]:
    return [one.name for one in ratings("tmg")]


def test_ratings_follow_from_the_results_and_change_with_them():
    code = rated("Ada", "Bo")
    ada, bo = ratings("tmg")
    assert (ada.name, bo.name, ada.won, bo.lost) == ("Ada", "Bo", 1, 1)
    assert ada.rating == after_period(START, [(START, 1)])
    one = first_table(code)
    turned = scores(one, *(2 if state(code).players[key].name == "Ada" else 9 for key in one.players))
    commands.rule(code, ANNA, one.key, turned, "turned round")
    assert names() == ["Bo", "Ada"]
    commands.change_settings(code, ANNA, {"is_rated": False})
    assert names() == []


def test_nothing_counts_until_an_organiser_wants_it_and_the_event_is_over():
    rated("Ada", "Bo", is_rated=False)
    assert not Event.objects.get().is_rated
    assert names() == []
    code = rated("Cy", "Di")
    finish = EventEntry.objects.filter(event__code=code, action="finish").get()
    event_undo.undo(code, finish.version, ANNA)
    assert names() == []
    demo = rated("Eve", "Fay")
    Event.objects.filter(code=demo).update(is_demo=True, version=99)
    assert names() == []


def test_only_games_of_two_who_agree_count():
    rated("Ada", "Bo", agree=False)
    assert names() == []
    code = rated("Cy", "Di")
    assert names() == ["Cy", "Di"]
    di = next(one.key for one in state(code).players.values() if one.name == "Di")
    commands.consent(code, Actor(di, "Di", "player"), di, False)
    # Who does not agree is not rated, and neither is a game against them.
    assert names() == []
    commands.consent(code, Actor(di, "Di", "player"), di)
    assert names() == ["Cy", "Di"]


def test_what_somebody_said_last_at_any_event_counts():
    first, second = rated("Ada", "Bo"), rated("ADA", "Bo", agree=False)
    assert {(one.name, one.games) for one in ratings("tmg")} == {("ADA", 2), ("Bo", 2)}
    key = next(one.key for one in state(second).players.values() if one.name == "ADA")
    Player.objects.filter(event__code=first).update(agreed_at=1000)
    commands.consent(second, ANNA, key, False)
    assert names() == []


def test_byes_no_shows_and_games_that_all_lost_say_nothing():
    code = rated("Ada", "Bo", "Cy")
    assert len(names()) == 2
    one = next(one for one in state(code).at(1) if not one.is_bye)
    commands.rule(code, ANNA, one.key, {**scores(one, 3, 3), "how": "all-lost"}, "both late")
    assert names() == []


def test_who_has_few_games_has_no_place_yet():
    for _month in range(FEWEST):
        rated("Ada", "Bo")
    rated("Cy", "Di")
    assert [(one.name, one.rank) for one in ratings("tmg")] == [
        ("Ada", 1),
        ("Bo", 2),
        ("Cy", None),
        ("Di", None),
    ]
    text = Client().get(reverse("ratings-game", args=["tmg"])).content.decode()
    assert text.index("Bo") < text.index("Fewer than 6 games") < text.index("Cy")


def test_events_of_later_months_are_later_periods():
    code = rated("Ada", "Bo")
    rated("Ada", "Bo")
    together = ratings("tmg")[0].rating
    past = timezone.make_aware(datetime(2026, 1, 5)) - timedelta(days=3)
    EventEntry.objects.filter(event__code=code, action="finish").update(created_at=past)
    Event.objects.filter(code=code).update(version=500)
    assert ratings("tmg")[0].rating != together


def test_deleting_an_event_takes_its_players_out():
    code = rated("Ada", "Bo")
    admin.delete(Event.objects.get(code=code))
    assert names() == []


# --- pages -------------------------------------------------------------------------------------------


def players_phone(code: str, key: str = "p1") -> Client:
    phone = Client()
    one = Player.objects.select_related("event").get(event__code=code, key=key)
    phone.post(reverse("event-me", args=[code, event_links.secret(one)]))
    return phone


def test_a_player_agrees_when_registering_and_withdraws_on_their_own_page():
    code = opened(0, is_rated=True)
    phone = Client()
    address = reverse("event-register", args=[code])
    assert "Name me in the ratings of this server" in phone.get(address).content.decode()
    sent = {"name": "Ada", "club": "", "faction": "", "key": new_key()}
    assert Client().post(address, {**sent, "name": "Bo", "key": new_key()}).status_code == 302
    assert phone.post(address, {**sent, "consent": "on", "asked": "on"}).status_code == 302
    assert {one.name: one.agrees for one in state(code).players.values()} == {"Ada": True, "Bo": False}
    place = reverse("event-place", args=[code])
    assert 'name="consent" value="on" checked' in phone.get(place).content.decode()
    phone.post(place, {**sent, "key": new_key(), "asked": "on"})
    assert not any(one.agrees for one in state(code).players.values())
    phone.post(place, {**sent, "key": new_key(), "asked": "on", "consent": "on"})
    assert any(one.agrees for one in state(code).players.values())
    # A form that did not ask says nothing of it.
    phone.post(place, {**sent, "key": new_key()})
    assert any(one.agrees for one in state(code).players.values())


def test_an_event_that_is_not_rated_asks_nobody():
    code = opened(2)
    assert "consent" not in Client().get(reverse("event-register", args=[code])).content.decode()
    assert "consent" not in players_phone(code).get(reverse("event-place", args=[code])).content.decode()


def test_nobody_agrees_for_somebody_else():
    code = opened(2, is_rated=True)
    for actor in (ANNA, Actor("p2", "Player 2", "player"), Actor("helper-1", "Jo", "judge")):
        with pytest.raises(RequestRefused):
            commands.consent(code, actor, "p1")
    assert do(code, player(code), "consent", player="p1").status_code == 200
    assert state(code).players["p1"].agrees
    assert do(code, player(code, "p2"), "consent", new_key(), player="p1", here=False).status_code == 403
    organiser = phone_of(code)
    assert "withdraw p1" in page(organiser, code, "organise-player", "p1")
    assert send(phone_of(code, "judge"), code, "withdraw p1", "player p1").status_code == 403
    send(organiser, code, "withdraw p1", "player p1")
    assert not state(code).players["p1"].agrees
    withdrawn = EventEntry.objects.filter(event__code=code, action="consent").last()
    assert "can no longer be undone" in str(refused(event_undo.undo, code, withdrawn.version, ANNA))


def test_the_page_the_table_and_programs_name_the_same_players():
    code = rated("Ada", "=Bo")
    rated("Secret", "Hidden", agree=False)
    assert reverse("ratings-game", args=["tmg"]) in Client().get(reverse("ratings")).content.decode()
    text = Client().get(reverse("ratings-game", args=["tmg"])).content.decode()
    assert "Ada" in text
    table = Client().get(reverse("ratings-csv", args=["tmg"])).content.decode()
    assert "'=Bo" in table
    told = Client().get("/api/ratings/tmg").json()
    assert [one["name"] for one in told["players"]] == ["Ada", "=Bo"]
    assert code in {one["code"] for one in told["events"]}
    assert told["players"][0]["rating"] == pytest.approx(1662.3, abs=0.1)
    for shown in (text, table, str(told)):
        assert "Secret" not in shown
        assert "Hidden" not in shown
    assert Client().get(reverse("ratings-game", args=["chess"])).status_code == 404
    assert Client().get(reverse("ratings-game", args=["bushido"])).status_code == 200


def test_tables_of_several_are_not_rated():
    code = opened(0, system="agot", size=4)
    told = str(refused(commands.change_settings, code, ANNA, {"is_rated": True}))
    assert "Ratings count only games of two." in told
    assert 'name="is_rated"' not in page(phone_of(code), code, "organise-settings")
