"""The settings of an event: what the form sends, and what is fixed by its beginning and its end."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.core import IllegalAction, system
from games.hall import commands, event_actions, event_undo
from games.hall.organiser import settings_pages
from games.hall.rules import event_settings, round_draw, standings
from games.hall.rules.standings import bye_of
from games.match.play import new_key
from games.web import limits
from tests.hall.halls import ANNA, by_chance, opened, play_round, refused, state
from tests.hall.test_organiser import page, phone_of, send


@pytest.mark.parametrize("game", ["tmg", "bushido", "agot"])
def test_the_form_has_a_field_for_whatever_a_program_may_set(game: str) -> None:
    settings = {"system": game, "name": "Cup", "scoring": "places"}
    g = event_actions.apply_rules(lambda: event_settings.initial_state(settings))
    fields = {field.name for group in settings_pages.groups(g) for field in group.fields}
    of_two = {
        "cut",
        "legs",
        "annuls",
        "third",
        "team_size",
        "team_tables",
        "team_scale",
        "team_cap",
        "team_margin",
        "reach",
        "is_rated",
    }
    of_several = {"size", "least", "mix", "houses"}
    left_out = of_several if g.size == 2 else of_two
    wanted = set(event_settings._READ) - {"name", "bye", "criteria", "options"} - left_out
    wanted |= {f"option-{name}" for name in system(game).options} | {"bye-points", "criterion-1"}
    assert wanted - fields - ({"mode"} if len(system(game).modes) < 2 else set()) == set()


def test_a_game_without_kinds_of_events_of_its_own_has_tables_of_as_many_as_it_takes() -> None:
    assert event_settings.initial_state({"system": "auction"}).size == 3


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"size": 3}, "2 to 2 players"),
        ({"system": "agot", "size": 4, "least": 5}, "fewest players"),
        ({"system": "agot", "cut": 4}, "no knockout"),
        ({"system": "agot", "is_rated": True}, "only games of two"),
        ({"system": "agot", "team_size": 3}, "at tables of two"),
        ({"kind": "ladder", "cut": 4}, "no teams and no knockout"),
        ({"zone": "Z" * 41}, "not a time zone"),
        ({"criteria": ["points", "points"]}, "only once"),
        ({"places": [6, 5, 4, 3, 2, 1, 0]}, "at most six"),
        ({"divisions": list("ABCDEFGHI")}, "at most eight"),
        ({"divisions": ["Open", "open"]}, "different names"),
        ({"bye": {"vp": True}}, "A bye is worth"),
        ({"bye": {"strength": 1}}, "A bye is worth"),
        ({"options": {"points": True}}, "does not take this option"),
        ({"team_size": 6}, "3, 4, 5 or 8"),
    ],
)
def test_settings_that_do_not_fit_each_other_or_the_game_are_refused(settings: dict, told: str) -> None:
    with pytest.raises(IllegalAction, match=told):
        event_settings.initial_state({"system": "tmg", **settings})


OVER = "This cannot change once the event is over."

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("players", "shape", "rounds"),
    [
        (6, {}, 3),
        (16, {}, 4),
        (32, {"kind": "monrad"}, 5),
        (7, {"kind": "round-robin"}, 7),
        (6, {"length": 2}, 2),
    ],
)
def test_an_event_of_which_nobody_says_how_many_rounds_it_has_follows_its_players(
    players: int, shape: dict[str, object], rounds: int
) -> None:
    """As one opened in the admin or by a program: it had three, whoever came."""
    event = event_actions.open_event({"system": "tmg", "name": "Cup", **shape}, ANNA)
    commands.import_table(event.code, ANNA, "\n".join(f"Player {n}" for n in range(players)))
    commands.check_in_all(event.code, ANNA)
    commands.pair(event.code, ANNA)
    commands.open_round(event.code, ANNA)
    assert round_draw.rounds_in_all(state(event.code)) == rounds


def test_settings_change_as_they_are_ticked_and_typed():
    code = opened(4)
    phone = phone_of(code)
    sent = {
        "flags": "is_open apart",
        "apart": "on",
        "minutes": "75",
        "criterion-1": "vp",
        "criterion-2": "lot",
    }
    assert send(phone, code, "settings", "settings", name="Autumn cup", **sent).status_code == 302
    g = state(code)
    assert (g.name, g.is_open, g.apart, g.is_listed) == ("Autumn cup", False, True, True)
    assert (g.minutes, g.criteria) == (75, ("vp", "lot"))
    answer = send(phone, code, "settings", "settings", name="Winter cup", minutes="-1")
    assert answer.status_code == 422
    assert 'value="Winter cup"' in answer.content.decode()
    assert state(code).name == "Autumn cup"


def test_whoever_saves_the_settings_sees_that_they_are_saved():
    code = opened(4)
    saved = phone_of(code).post(
        reverse("organise-do", args=[code]),
        {"do": "settings", "at": "settings", "key": new_key(), "name": "Autumn cup"},
        follow=True,
    )
    assert "The settings of the event are changed." in saved.content.decode()


def filled(code: str) -> dict[str, str]:
    """What a browser sends of the form of the settings if nobody touches it."""
    form = page(phone_of(code), code, "organise-settings")
    told = json.loads(html.unescape(re.findall(r'name="shown" value="([^"]*)"', form)[0]))
    ticked = {
        name: value for name, value in told.items() if value or f'type="checkbox" name="{name}"' not in form
    }
    flags = re.findall(r'name="flags" value="([^"]*)"', form)[0]
    return {**ticked, "shown": json.dumps(told), "flags": flags}


def test_who_saves_the_settings_keeps_what_another_has_changed_meanwhile() -> None:
    """The form sent all its fields: an older page took back what others had set since."""
    code = opened(4, options={"points": 40})
    older = filled(code)
    assert {"minutes", "criterion-1", "option-points", "is_open", "shown"} <= older.keys()
    meanwhile = {"minutes": 75, "criteria": ("vp", "lot"), "is_open": False, "options": {"points": 50}}
    commands.change_settings(code, ANNA, meanwhile)
    sent = {**older, "name": "Autumn cup", "overtime": "5"}
    del sent["apart"]
    assert send(phone_of(code), code, "settings", "settings", **sent).status_code == 302
    g = state(code)
    assert (g.name, g.overtime, g.apart) == ("Autumn cup", 5, False)
    assert (g.minutes, g.criteria, g.is_open, g.options) == (75, ("vp", "lot"), False, {"points": 50})
    answer = send(phone_of(code), code, "settings", "settings", **{**older, "cut": "99999"})
    assert answer.status_code == 422
    assert older["shown"] in html.unescape(answer.content.decode())
    sent = {**filled(code), "criterion-2": "wins"}
    assert send(phone_of(code), code, "settings", "settings", **sent).status_code == 302
    assert state(code).criteria == ("vp", "wins")


@pytest.mark.parametrize("shown", ["[" * 50_000, "{", "7", '{"name": []}'])
def test_a_form_that_tells_nonsense_of_how_it_was_filled_changes_all(shown: str) -> None:
    code = opened(4)
    sent = {**filled(code), "name": "Autumn cup", "shown": shown}
    assert send(phone_of(code), code, "settings", "settings", **sent).status_code == 302
    assert state(code).name == "Autumn cup"


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_an_option_of_the_game_is_a_whole_number(value):
    code = opened(4)
    sentence = "This game does not take this option: strict"
    assert str(refused(commands.change_settings, code, ANNA, {"options": {"strict": value}})) == sentence
    commands.change_settings(code, ANNA, {"options": {"strict": 1}})
    assert state(code).options == {"strict": 1}


def test_when_the_event_is_over_only_its_name_and_its_doors_change():
    code = opened(4, mode="manual-scoring")
    longer = commands.change_settings(code, ANNA, {"minutes": 60}).version
    play_round(code, by_chance(1))
    commands.finish(code, ANNA)
    assert str(refused(commands.change_settings, code, ANNA, {"length": 5})) == OVER
    assert str(refused(event_undo.undo, code, longer, ANNA)) == OVER
    commands.change_settings(code, ANNA, {"name": "Autumn cup", "is_listed": False, "minutes": 60})
    g = state(code)
    assert (g.name, g.is_listed, g.status) == ("Autumn cup", False, "over")
    commands.reopen(code, ANNA)
    commands.change_settings(code, ANNA, {"minutes": 75})
    assert state(code).minutes == 75


def test_the_settings_of_an_event_that_is_over_are_its_name_and_its_doors():
    code = opened(4, mode="manual-scoring")
    play_round(code, by_chance(1))
    phone = phone_of(code)
    assert 'name="minutes"' in page(phone, code, "organise-settings")
    commands.finish(code, ANNA)
    shown = page(phone, code, "organise-settings")
    assert re.findall(r'name="(name|minutes|length|apart|is_open|is_listed)"', shown) == [
        "name",
        "is_open",
        "is_listed",
    ]
    sent = {"flags": "is_open is_listed", "is_open": "on"}
    assert send(phone, code, "settings", "settings", name="Autumn cup", **sent).status_code == 302
    assert (state(code).name, state(code).is_listed) == ("Autumn cup", False)


def test_no_round_that_was_drawn_is_cut_off_and_a_knock_out_that_has_begun_stays():
    code = opened(4, length=2, cut=2, mode="manual-scoring")
    for seed in range(2):
        play_round(code, by_chance(seed))
    told = refused(commands.change_settings, code, ANNA, {"length": 1})
    assert "More rounds than that" in str(told)
    commands.change_settings(code, ANNA, {"length": 0})
    commands.change_settings(code, ANNA, {"length": 3})
    commands.change_settings(code, ANNA, {"length": 2})
    commands.pair(code, ANNA)
    assert 'name="cut"' not in page(phone_of(code), code, "organise-settings")
    for values in ({"length": 3}, {"cut": 0}):
        told = refused(commands.change_settings, code, ANNA, values)
        assert "once the knockout has begun" in str(told)
    commands.change_settings(code, ANNA, {"length": 2, "cut": 2, "minutes": 120})
    assert "once the event has begun" in str(
        refused(commands.change_settings, code, ANNA, {"cut": 0, "kind": "monrad"})
    )


def test_what_is_set_while_a_round_is_drawn_up_counts_when_it_opens():
    code = opened(4, length=2, mode="manual-scoring")
    commands.pair(code, ANNA)
    commands.change_settings(code, ANNA, {"kind": "knock-out", "minutes": 60, "overtime": 5})
    commands.repair(code, ANNA)
    assert state(code).rounds["1"].stage == "cut"
    commands.change_settings(code, ANNA, {"kind": "swiss", "minutes": 75})
    commands.open_round(code, ANNA)
    found = state(code).rounds["1"]
    assert (found.stage, found.minutes, found.overtime) == ("main", 75, 5)


def test_the_form_offers_every_criterion_and_says_what_each_means() -> None:
    code = opened(4)
    shown = page(phone_of(code), code, "organise-settings")
    assert 'name="team_size"' not in shown, "players have been entered, each for themselves"
    for name, title in standings.CRITERIA.items():
        assert f'<option value="{name}"' in shown
        assert f"<b>{title}</b>" in shown
    chosen = ("opponents-wins", "strength-virtual", "sonneborn-berger", "strength-cut", "head")
    sent = {f"criterion-{at}": name for at, name in enumerate(chosen, 1)}
    send(phone_of(code), code, "settings", "settings", name="Cup", **sent)
    assert state(code).criteria == chosen


@pytest.mark.parametrize(
    ("typed", "worth"), [("", 4), ("3", 3), ("7", 7), ("2.5", 2.5), ("2,5", 2.5), ("½", 0.5)]
)
def test_a_bye_is_worth_what_the_scoring_says_unless_somebody_types_a_number(typed: str, worth: float):
    code = opened(3, system="bushido", scoring="bushido")
    phone = phone_of(code)
    form = page(phone, code, "organise-settings")
    assert "Empty: 7" in form
    assert "Empty: the average of the round" in form
    sent = {"scoring": "truncated", "bye-points": typed}
    assert send(phone, code, "settings", "settings", name="Cup", **sent).status_code == 302
    assert bye_of(state(code))["points"] == worth


def test_a_bye_has_the_victory_points_of_the_form_and_the_average_again_once_the_field_is_empty():
    code = opened(3)
    phone = phone_of(code)
    send(phone, code, "settings", "settings", name="Cup", **{"bye-vp": "8", "bye-wins": "0.5"})
    assert state(code).bye == {"vp": 8, "wins": 0.5}
    send(phone, code, "settings", "settings", name="Cup", **{"bye-vp": "", "bye-difference": "3"})
    assert state(code).bye == {"wins": 0.5, "difference": 3}
    assert bye_of(state(code))["vp"] is None
    answer = send(phone, code, "settings", "settings", name="Cup", **{"bye-vp": "many"})
    assert (answer.status_code, "For a bye: Victory points" in answer.content.decode()) == (422, True)


def test_an_event_that_is_opened_with_another_scoring_has_its_bye():
    limits.OPENINGS.forget()
    form = {"preset": "bushido", "name": "Cup", "scoring": "truncated", "bye-points": "", "key": new_key()}
    answer = Client().post(reverse("new-event"), form)
    code = answer.headers["Location"].split("/")[2]
    assert bye_of(state(code))["points"] == 4
