"""The schema of a result says what every result is: random matches of every game and mode, at any moment."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings

from games import results
from games.core import NOTE_GRAPHEMES, State, engine, systems
from games.core.corrections import result_fields
from games.match import play, random_play
from games.results import result_of
from games.translation import override_game
from tests.docs.pages import ROOT
from tests.playing import played_on
from tests.records.json_schema import faults

LANGUAGES = [code for code, _name in settings.LANGUAGES]
EVERY = [(game, mode.slug) for game in systems() for mode in game.modes]
TAPS, LOOKS = 240, 40


def moments(state: State, luck: random.Random) -> Iterator[State]:
    """A random match now and then, and how it ends when time is up."""
    engine.keep(state)
    for count in range(TAPS):
        if count % LOOKS == 0:
            yield state
        if state.result is not None:
            break
        state = engine.play(state, *random_play.tap(state, luck))
    if any(offer.action == "time-out" for offer in engine.corrections(state, "table")):
        state = engine.adjust(state, state.seats[0], "table", "time-out")
        while state.result is None:  # A game may play its round to the end first.
            seat = engine.awaited(state)[0]
            ends = any(offer.action == "end-match" for offer in engine.answers(state, seat))
            state = engine.play(state, *((seat, "end-match") if ends else random_play.tap(state, luck)))
    yield state


def wrong(told: dict[str, Any]) -> list[str]:
    """What is wrong with a result: by the published schema, and by the classes behind it."""
    results.Result.model_validate(told)
    return list(faults(json.loads(json.dumps(told)), json.loads(results.schema_text())))


@pytest.mark.django_db
@pytest.mark.parametrize(("game", "mode"), EVERY, ids=[f"{game.slug}/{mode}" for game, mode in EVERY])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_is_what_the_schema_says(game, mode, language):  # type: ignore[no-untyped-def]
    seats = dict(list(game.seat_names.items())[: game.seat_range[0]])
    match = play.open_match(game.slug, mode, {key: f"Player {key}" for key in seats})
    start = random_play.fresh_state(game, mode, 3)
    with override_game(game.slug, language):
        told = [result_of(match, state) for state in moments(start, random.Random(5))]
    assert [fault for one in told for fault in wrong(one)] == []
    last = told[-1]
    assert (last["status"] == "finished") == (last["end"] is not None)
    assert all((side["place"] is None) == (last["end"] is None) for side in last["sides"])


@pytest.mark.django_db
def test_points_with_the_longest_reason_are_a_result():
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"})
    played_on(match, 60)
    reason = "\U0001f3f3\ufe0f\u200d\U0001f308" * NOTE_GRAPHEMES
    play.adjust(match.code, "red", "army/red", "points:red:2", play.new_key(), note=reason)
    match.refresh_from_db()
    found = result_of(match)
    assert found["scores"][-1]["source"] == reason
    assert wrong(found) == []


@pytest.fixture
def told(skirmish):  # type: ignore[no-untyped-def]
    """A result in which every part is there."""
    match, g = skirmish
    g.result = result_fields(g, "red", "points")
    found = result_of(match, g)
    assert wrong(found) == []
    return found


CHANGES = {
    "a side without its seat": lambda told: told["sides"][0].pop("seat"),
    "a name that nobody knows": lambda told: told.update(winner="red"),
    "points in words": lambda told: told["sides"][0].update(points="seven"),
    "points by halves": lambda told: told["scores"][0].update(points=1.5),
    "a truth for a number": lambda told: told["sides"][0].update(points=True),
    "no side": lambda told: told.update(sides=[]),
    "place zero": lambda told: told["sides"][0].update(place=0),
    "an end of another kind": lambda told: told["end"].update(kind="abandoned"),
    "a time without its zone": lambda told: told["times"].update(opened_at="2026-11-22T17:00:00"),
    "a short fingerprint": lambda told: told["history"].update(fingerprint="abc"),
    "fewer taps than none": lambda told: told["history"].update(taps=-1),
    "a long reason": lambda told: told["scores"][0].update(reason="x" * 241),
    "another format": lambda told: told.update(format="roundtable-match"),
    "another version": lambda told: told.update(format_version=2),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_is_no_result_is_told(told, change):  # type: ignore[no-untyped-def]
    broken = deepcopy(told)
    change(broken)
    assert list(faults(broken, results.schema()))


def test_a_schema_with_a_word_that_we_cannot_check_is_told():
    assert list(faults(1, {"multipleOf": 2})) == ["$: a word that this validator does not know: multipleOf"]


def test_the_schema_is_served_as_it_stands_in_the_docs(client):
    answer = client.get(results.SCHEMA_URL)
    assert answer["Content-Type"] == "application/schema+json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    text = answer.content.decode()
    assert text == (ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8")
    assert json.loads(text)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert json.loads(text)["$id"] == results.SCHEMA_URL
