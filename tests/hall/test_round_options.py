"""What an organiser sets for the tables of a round, such as Bushido's scenario."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.hall import commands, event_undo
from games.models import CatalogueEntry, Entry, Match
from games.systems.bushido.rules import scenarios
from tests.hall import places
from tests.hall.halls import ANNA, opened, refused, state
from tests.hall.test_organiser import page, phone_of, send
from tests.hall.test_programs import do, organiser, player
from tests.hall.test_stale_pages import button

pytestmark = pytest.mark.django_db


def paired(**settings: object) -> str:
    code = opened(4, system="bushido", length=2, seed="a draw", **settings)
    commands.pair(code, ANNA)
    return code


def set_at(code: str) -> dict[str, str]:
    return state(code).rounds["1"].options


def rules(code: str) -> list[dict]:
    return [Match.objects.get(code=one.match).rules for one in state(code).at(1)]


def test_the_form_names_the_scenarios_and_sets_one() -> None:
    code = paired()
    phone = phone_of(code)
    shown = page(phone, code, "organise-pairings")
    assert shown.index("The players choose") < shown.index("Sacred Idols")
    pressed = button(code, "set_options")
    answer = send(phone, code, pressed, "pairings", **{"option-scenario": "sacred-idols"})
    assert (answer.status_code, set_at(code)) == (302, {"scenario": "sacred-idols"})
    again = send(
        phone,
        code,
        button(code, "set_options"),
        "pairings",
        key="second-key-of-it",
        **{"option-scenario": ""},
    )
    assert (again.status_code, set_at(code)) == (302, {})


def test_a_round_drawn_again_keeps_what_is_set_for_it() -> None:
    code = paired()
    commands.set_options(code, ANNA, {"scenario": "keii"})
    commands.repair(code, ANNA)
    assert set_at(code) == {"scenario": "keii"}


def test_a_program_sets_it_and_reads_it() -> None:
    code = paired()
    answer = do(code, organiser(code), "options", settings={"scenario": "keii"})
    assert (answer.status_code, set_at(code)) == (200, {"scenario": "keii"})
    commands.open_round(code, ANNA)
    (told,) = phone_of(code).get(f"/api/events/{code}").json()["rounds"]
    assert told["options"] == {"scenario": "keii"}
    assert do(code, player(code), "options", "another-key-of-it", settings={}).status_code == 403


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"scenario": "chess"}, "chess"),
        ({"scenario": 5}, "sacred-idols"),
        ({"scenario": ["keii"]}, "sacred-idols"),
        ({"weather": "rain"}, "weather"),
        ({}, "not options"),
    ],
)
def test_what_the_game_has_not_is_refused_in_a_sentence(wanted: dict, sentence: str) -> None:
    code = paired()
    assert sentence in str(refused(commands.set_options, code, ANNA, wanted))
    assert set_at(code) == {}


def test_a_game_without_such_options_has_no_form_and_takes_none() -> None:
    code = opened(4)
    commands.pair(code, ANNA)
    assert "set_options" not in page(phone_of(code), code, "organise-pairings")
    assert "scenario" in str(refused(commands.set_options, code, ANNA, {"scenario": "keii"}))


def test_tables_start_with_it_and_everybody_reads_it() -> None:
    code = paired()
    commands.set_options(code, ANNA, {"scenario": "sacred-idols"})
    commands.open_round(code, ANNA)
    assert [list(one["scenarios"]) for one in rules(code)] == [["sacred-idols"]] * 2
    for one in state(code).at(1):
        (opening,) = Entry.objects.filter(match__code=one.match, kind=Entry.Kind.OPEN)
        assert "Sacred Idols" in str(opening.lines)
    guest, own = places.phone(code), places.phone(code, "p1")
    told = (places.page(guest, code), places.page(guest, code, "event-round", 1), places.card(own, code))
    assert all("Scenario: Sacred Idols" in text for text in told)
    assert "Scenario: Sacred Idols" in page(phone_of(code), code, "organise-log")


def test_it_is_refused_in_an_open_round() -> None:
    code = paired()
    commands.open_round(code, ANNA)
    refused(commands.set_options, code, ANNA, {"scenario": "keii"})
    assert "set_options" not in page(phone_of(code), code, "organise-pairings")


def test_it_is_undone_while_the_round_is_a_draft_and_no_longer() -> None:
    code = paired()
    first = commands.set_options(code, ANNA, {"scenario": "keii"}).version
    event_undo.undo(code, first, ANNA)
    assert set_at(code) == {}
    again = commands.set_options(code, ANNA, {"scenario": "keii"}).version
    commands.open_round(code, ANNA)
    assert "no longer be undone" in str(refused(event_undo.undo, code, again, ANNA))


def test_a_scenario_of_the_organisers_is_offered_and_one_that_has_gone_is_left_to_the_players() -> None:
    code = paired()
    facts = dict(scenarios.rows())["keii"] | {"name": "Lanterns"}
    own = CatalogueEntry.objects.create(
        system="bushido", kind="scenario", slug="lanterns", facts=facts, version=1
    )
    assert "Lanterns" in page(phone_of(code), code, "organise-pairings")
    commands.set_options(code, ANNA, {"scenario": "lanterns"})
    own.delete()
    commands.open_round(code, ANNA)
    assert all(len(one["scenarios"]) > 5 and "scenario" not in one for one in rules(code))
    assert phone_of(code).get(reverse("event-round", args=[code, 1])).status_code == 200
