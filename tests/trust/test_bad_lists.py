"""Anything typed or pasted as an army list is kept with remarks, or refused with a sentence."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse
from markupsafe import escape

from games.core import system
from games.match import storage
from games.models import Match
from tests.trust.cast import Phone
from tests.trust.catalogue import LISTS, NAMES, NUMBERS, Odd
from tests.trust.test_bad_input import says


def army(match: Match) -> str:
    return reverse("army", args=[match.code, "red"])


def rows_form(match: Match, **changes: Any) -> dict[str, Any]:
    """The form of the corrected rows as the page sends it."""
    roster = system("tmg").roster(storage.load(match).state, "red")
    assert roster is not None
    form: dict[str, Any] = {"do": "keep"}
    for n, row in enumerate(roster.rows):
        form |= {f"name-{n}": row.name, f"title-{n}": row.title, f"kind-{n}": row.kind, f"cost-{n}": row.cost}
        form |= {f"wounds-{n}": row.wounds, f"joins-{n}": "" if row.joins is None else row.joins}
        form |= {"leader": n} if row.leader else {}
    return {**form, **changes}


def state_of(match: Match) -> object:
    return storage.load(Match.objects.get(pk=match.pk)).state.to_json()


@pytest.mark.parametrize("odd", LISTS, ids=[odd.title for odd in LISTS])
def test_a_list_is_kept_with_remarks_or_refused_with_a_sentence(mustered: tuple[Match, Phone], odd: Odd):
    match, red = mustered
    before, started = state_of(match), time.process_time()
    answer = red.ask("POST", army(match), {"do": "read", "text": odd.text})
    assert time.process_time() - started < 2
    if answer.status_code == 302:
        page = red.ask("GET", army(match))
        assert page.status_code == 200
        assert red.ask("GET", f"/t/{match.code}/").status_code == 200
        assert "<script>alert" not in page.content.decode()
    else:
        assert answer.status_code in (409, 413, 415, 422)
        assert says(answer)
        assert state_of(match) == before


def test_what_was_typed_comes_back_with_the_sentence(mustered: tuple[Match, Phone]):
    match, red = mustered
    answer = red.ask("POST", army(match), {"do": "read", "text": "Faction: \u202eStark <b>"})
    assert answer.status_code == 422
    assert escape("Stark <b>") in answer.content.decode()


def test_a_refusal_stands_alone(mustered: tuple[Match, Phone]):
    match, red = mustered
    understood = "Every line was understood"
    assert understood in red.ask("GET", army(match)).content.decode()
    refused = red.ask("POST", army(match), {"do": "read", "text": "hello world"}).content.decode()
    assert "No unit was found in this text." in refused
    assert understood not in refused


@pytest.mark.parametrize("part", ["name-0", "title-0"])
def test_a_unit_is_called_as_it_is_written_or_refused(mustered: tuple[Match, Phone], part: str):
    match, red = mustered
    before = state_of(match)
    for odd in NAMES:
        with transaction.atomic():
            answer = red.twin().ask("POST", army(match), rows_form(match, **{part: odd.text}))
            told = f"{odd.title}: {answer.status_code}"
            if odd.stored or odd.title.startswith(("40", "41")):
                assert answer.status_code == 302, told
            else:
                assert answer.status_code in (413, 422), told
                assert says(answer), told
                assert state_of(match) == before, told
            transaction.set_rollback(True)


ODD_ROWS: list[dict[str, Any]] = [
    {"kind-0": "<script>"},
    {"kind-0": "\0"},
    {"kind-0": "__class__"},
    {"kind-0": ""},
    {"kind-0": "x" * 10_000},
    {"joins-0": "0"},
    {"joins-0": "1", "joins-1": "0"},
    {"joins-1": "1"},
    {"joins-1": "99"},
    {"joins-1": "-1"},
    {"joins-1": "٣"},
    {"joins-1": "\0"},
    {"leader": "99"},
    {"leader": "abc"},
    {"drop-0": "1", "drop-1": "1", "drop-2": "1", "drop-3": "1"},
    {"drop-0": "\0"},
    {"name-199": "The last one"},
    {"name-200": "One too many"},
    {"name-99999999999999999999": "Far too many"},
    {"do": "ready\0"},
    {"demo": "../stark"},
    {"demo": "stark:3"},
    {"demo": "\0"},
    {"do": ["keep", "ready"]},
]


@pytest.mark.parametrize("change", ODD_ROWS, ids=str)
def test_odd_rows_are_no_fault(mustered: tuple[Match, Phone], change: dict[str, Any]):
    match, red = mustered
    before = state_of(match)
    answer = red.ask("POST", army(match), rows_form(match, **change))
    if answer.status_code != 302:
        assert answer.status_code in (409, 413, 422)
        assert says(answer)
        assert state_of(match) == before
    assert red.ask("GET", army(match)).status_code == 200
    assert red.ask("GET", f"/t/{match.code}/").status_code == 200
    match.refresh_from_db()
    # A list is closed while its player is ready.
    is_ready = match.armies.get(key="red").ready
    assert red.ask("POST", army(match), rows_form(match)).status_code == (409 if is_ready else 302)


def test_a_line_can_be_added(mustered: tuple[Match, Phone]):
    match, red = mustered
    for _time in range(2):
        assert red.ask("POST", army(match), rows_form(match, do="add")).status_code == 302
        assert "New unit" in red.ask("GET", army(match)).content.decode()
        match.refresh_from_db()


@pytest.mark.parametrize("part", ["cost-0", "wounds-0"])
def test_a_figure_is_a_number(mustered: tuple[Match, Phone], part: str):
    match, red = mustered
    before = state_of(match)
    for number in [*NUMBERS, "100", ""]:
        answer = red.ask("POST", army(match), rows_form(match, **{part: number}))
        assert answer.status_code == 422, number
        assert says(answer), number
    assert state_of(match) == before


def test_a_long_army_can_be_corrected(mustered: tuple[Match, Phone]):
    match, red = mustered
    text = "Faction: Stark\nCombat Units\n" + "".join(f"• Sworn Swords {n} (5)\n" for n in range(60))
    assert red.ask("POST", army(match), {"do": "read", "text": text}).status_code == 302
    match.refresh_from_db()
    assert red.ask("POST", army(match), rows_form(match, **{"name-0": "The first"})).status_code == 302
    assert "The first" in red.ask("GET", army(match)).content.decode()
