"""A table whose stored JSON somebody has altered: pages that cannot show it say so, all others go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from games.core import engine
from games.events import matches as tables
from games.match import play, undoing
from games.match.damage import detecting, is_damaged
from games.models import Army, Entry, Match, Objective, Round, Unit
from games.webhooks import gathering
from games.webhooks.models import Delivery, Webhook
from tests.events import halls
from tests.playing import played_on
from tests.trust import twins
from tests.trust.cast import SHARES, Phone
from tests.trust.twins import HOUSES, PLAYERS, tap

pytestmark = pytest.mark.django_db

ALTERED = "What is stored of this match was altered and cannot be read."
ROWS = (Match, Army, Unit, Objective, Round, Entry)
COLUMNS = [
    (row, field.name) for row in ROWS for field in row._meta.fields if isinstance(field, models.JSONField)
]
SHAPES: tuple[Any, ...] = (5, [{}], {"stark": 5})
"""Values that none of these columns ever holds."""
CASES = [
    pytest.param(
        row, name, shape, slice((at + turn) % SHARES, None, SHARES), id=f"{row.__name__}-{name}-{shape}"
    )
    for at, (row, name) in enumerate(COLUMNS)
    for turn, shape in enumerate(SHAPES)
]
"""Every column with every shape, and the share of the addresses that is asked for."""


@pytest.fixture
def auction() -> Match:
    """Two bids are sealed, one is missing; a correction has a reason, and somebody asks for an undo."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a damage")
    tap(match, "stark", "bid:throne:3")
    tap(match, "lannister", "bid:throne:2")
    play.adjust(match.code, "stark", "army/stark", "power:stark:2", "key-adjust-01", note="counted again")
    undoing.ask(match.code, "stark", 2, "key-undo-0001")
    match.refresh_from_db()
    return match


@pytest.fixture
def finished() -> Match:
    match = played_on(play.open_match("rps", "plain", PLAYERS, seed="a damage"), 500)
    match.refresh_from_db()
    assert match.result is not None
    return match


def damage(match: Match, row: type[models.Model], column: str, value: Any) -> None:
    """Write a value into a column of every row of a match, as somebody with access to the database can."""
    of_match = {"pk": match.pk} if row is Match else {"match": match}
    row._default_manager.filter(**of_match).update(**{column: value})


def people(match: Match) -> dict[str, Phone]:
    """A spectator, the organiser, and a player with a phone and a token."""
    first = next(iter(match.armies.values_list("key", flat=True)))
    phones = twins.others_than("nobody", match)
    return {role: phones[role] for role in ("anon", first, f"robot {first}", "organiser")}


def looked_at(match: Match, phones: dict[str, Phone], every: slice) -> Iterator[tuple[str, Any]]:
    """What everybody gets from these of all addresses."""
    looks = [(role, look) for role in phones for look in twins.everywhere(match, role)]
    for role, look in looks[every]:
        cache.clear()
        headers = {"HX_Request": "true"} if look.endswith(twins.BY_HTMX) else {}
        yield f"{role} {look}", phones[role].ask("GET", look.removesuffix(twins.BY_HTMX), **headers)


@pytest.mark.parametrize(("row", "column", "value", "share"), CASES)
def test_no_address_of_a_table_fails_whatever_was_altered(
    auction: Match, row: type[models.Model], column: str, value: Any, share: slice
) -> None:
    phones = people(auction)
    damage(auction, row, column, value)
    answers = list(looked_at(auction, phones, share))
    assert len(answers) > 120 / SHARES
    assert [where for where, answer in answers if answer.status_code >= 500] == []
    refused = [answer.content.decode() for _where, answer in answers if answer.status_code == 409]
    assert [text for text in refused if ALTERED not in text] == []


@pytest.mark.parametrize(("row", "column"), COLUMNS, ids=[f"{row.__name__}-{name}" for row, name in COLUMNS])
def test_nor_does_one_of_a_table_that_is_over(finished: Match, row: type[models.Model], column: str) -> None:
    phones, first = people(finished), COLUMNS.index((row, column)) % SHARES
    damage(finished, row, column, 5)
    answers = list(looked_at(finished, phones, slice(first, None, SHARES)))
    assert len(answers) > 240 / SHARES
    assert [where for where, answer in answers if answer.status_code >= 500] == []


def test_the_api_calls_it_by_a_name_of_its_own(auction: Match) -> None:
    damage(auction, Match, "flow", 5)
    answer = Phone().ask("GET", f"/api/matches/{auction.code}")
    assert (answer.status_code, answer.json()["error"]) == (409, "damaged")
    assert answer.json()["message"].startswith(ALTERED)


def test_a_tap_is_refused_and_nothing_is_changed(auction: Match) -> None:
    red = twins.others_than("baratheon", auction)["lannister"]
    damage(auction, Army, "extra", 5)
    before = auction.entries.count()
    sent = {"action": "pass", "seen": str(auction.version), "key": "key-damaged-1"}
    answer = red.ask("POST", f"/t/{auction.code}/act", sent)
    assert answer.status_code == 409
    assert ALTERED in answer.content.decode()
    assert auction.entries.count() == before


def test_a_fault_of_ours_is_not_taken_for_somebodys_work(
    auction: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise TypeError("a fault of ours")

    monkeypatch.setattr(engine, "view", broken)
    assert Phone().ask("GET", f"/t/{auction.code}/").status_code == 500


def test_a_match_that_is_deleted_meanwhile_was_not_altered(auction: Match) -> None:
    Match.objects.filter(pk=auction.pk).delete()
    with pytest.raises(Match.DoesNotExist):
        is_damaged(auction)


def test_what_fails_at_a_match_that_is_whole_stays_what_it_was(auction: Match) -> None:
    with pytest.raises(TypeError, match="a fault of ours"), detecting(auction):
        raise TypeError("a fault of ours")


# --- checking ----------------------------------------------------------------------------------------


UNREADABLE: dict[str, tuple[str, Any]] = {
    "a sentence without words": ("lines", [{}]),
    "half a random result": ("draws", [[0]]),
    "a random result of nothing": ("draws", [[0, 0, 0]]),
    "a seal that is a number": ("sealed", {"red": 5}),
    "commitments that are none": ("commitments", [1]),
    "a place that is none": ("opens", [7]),
    "values that are none": ("after", []),
}


@pytest.mark.parametrize("how", UNREADABLE)
@pytest.mark.parametrize("is_over", [True, False])
def test_the_page_that_checks_says_that_an_entry_cannot_be_read(
    auction: Match, finished: Match, how: str, is_over: bool
) -> None:
    match, (column, value) = finished if is_over else auction, UNREADABLE[how]
    Entry.objects.filter(match=match, version=2).update(**{column: value})
    answer = Phone().ask("GET", f"/t/{match.code}/verify")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "these entries do not match their fingerprints: 2" in page
    if value != [[0, 0, 0]]:
        assert "These entries were altered and cannot be read: 2. The check has failed." in page
    assert not is_over or "every result follows from it" not in page


@pytest.mark.parametrize("column", ["hidden", "extra"])
def test_the_page_that_checks_says_that_the_position_cannot_be_read(finished: Match, column: str) -> None:
    assert "every result follows" in Phone().ask("GET", f"/t/{finished.code}/verify").content.decode()
    damage(finished, Army, column, 5)
    answer = Phone().ask("GET", f"/t/{finished.code}/verify")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "The position that is stored was altered and cannot be read. The check has failed." in page
    assert "every result follows" not in page


def command(*words: str) -> tuple[str, str]:
    """What a failing command prints, and its errors, including its last sentence."""
    out, errors = StringIO(), StringIO()
    with pytest.raises(CommandError) as refused:
        call_command(*words, stdout=out, stderr=errors)
    return out.getvalue(), f"{errors.getvalue()}{refused.value}"


UNLOGGED = ("undo_request", "altered")
"""Columns that the history says nothing of."""
READERS = [(row, name) for row, name in COLUMNS if row in (Match, Army, Entry) and name not in UNLOGGED]


@pytest.mark.parametrize(("row", "column"), READERS, ids=[f"{row.__name__}-{name}" for row, name in READERS])
def test_replay_says_so_once_and_checks_the_next_match(
    auction: Match, row: type[models.Model], column: str
) -> None:
    other = play.open_match("rps", "plain", PLAYERS)
    damage(auction, row, column, 5)
    out, errors = command("replay", "--all", "--check")
    assert auction.code in errors
    assert errors.count("cannot be read") <= 1
    assert "replayed (" not in errors
    assert f"{other.code}: the rules of today say the same." in out


EXPORTED = {name: value for name, value in UNREADABLE.items() if value[1] != [[0, 0, 0]]}


@pytest.mark.parametrize("how", EXPORTED)
def test_no_file_is_made_that_nobody_could_read(auction: Match, how: str, tmp_path: Path) -> None:
    column, value = EXPORTED[how]
    Entry.objects.filter(match=auction, version=4).update(**{column: value})
    sentence = f"{auction.code}: what is stored of it was altered and cannot be read."
    assert command("export_match", auction.code) == ("", sentence)
    other = play.open_match("rps", "plain", PLAYERS)
    path = tmp_path / "everything.jsonl"
    out, errors = command("export_all", str(path))
    assert "1 matches, events and catalogue entries are in" in out
    assert errors == f"{sentence}\n1 matches and events were left out."
    assert json.loads(path.read_text().splitlines()[1])["match"]["code"] == other.code
    answer = Phone().ask("GET", f"/api/matches/{auction.code}/export")
    assert (answer.status_code, answer.json()["error"]) == (409, "damaged")


# --- among others --------------------------------------------------------------------------------------


def test_a_television_shows_the_others(auction: Match) -> None:
    other = play.open_match("rps", "plain", {"red": "Ygritte", "blue": "Tormund"})
    Match.objects.update(is_listed=True, is_demo=False)
    damage(auction, Match, "flow", 5)
    for asked in ("", f"?tables={auction.code},{other.code}"):
        answer = Phone().ask("GET", f"/tv{asked}")
        assert answer.status_code == 200
        assert "Ygritte" in answer.content.decode()


SPOILED: dict[str, Callable[[Match], object]] = {
    "its result": lambda match: damage(match, Match, "result", 5),
    "its sides": lambda match: damage(match, Army, "extra", 5),
}


@pytest.mark.parametrize("how", SPOILED)
def test_an_event_goes_on_without_a_table_that_was_altered(how: str) -> None:
    code = halls.begun(4)
    one, other = (each.match for each in halls.state(code).pairings.values())
    for match in (one, other):
        assert match
        halls.end(match, 5, 2)
    damaged = Match.objects.get(code=one)
    SPOILED[how](damaged)
    g = halls.state(code)
    for pairing in g.pairings.values():
        pairing.results, pairing.state = {}, "open"
    assert tables.results(g, [one, other]).keys() == {other}
    for page in ("", "standings", "tv", "round/1"):
        assert Phone().ask("GET", f"/e/{code}/{page}").status_code == 200


def test_a_webhook_is_told_of_the_others(finished: Match) -> None:
    webhook = Webhook.objects.create(address="https://example.org/hook")
    other = played_on(play.open_match("rps", "plain", PLAYERS, seed="told"), 500)
    for match in (finished, other):
        Match.objects.filter(pk=match.pk).update(changed_at=timezone.now(), created_at=timezone.now())
    damage(finished, Army, "extra", 5)
    gathering.gather(webhook, timezone.now())
    assert set(Delivery.objects.values_list("code", flat=True)) == {other.code}
