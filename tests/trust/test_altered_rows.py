"""Rows that somebody altered in the database: who cannot show them says so, and everything else goes on."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db.models import JSONField, Model, Value
from django.urls import reverse
from django.utils import timezone

from games import core
from games.hall import commands, event_api, event_tables
from games.hall.event_actions import POSITIONS
from games.hall.models import Event, EventEntry, Pairing, Player
from games.history.commits import UNREADABLE as SENTENCE
from games.match import play, undoing
from games.models import Army, Entry, Match
from games.pages.altered_rows import is_altered
from games.webhooks import webhook_news
from games.webhooks.models import Delivery, Webhook
from tests.hall import halls
from tests.playing import played_on
from tests.trust import twins
from tests.trust.cast import Phone
from tests.trust.twins import HOUSES, PLAYERS, tap

pytestmark = pytest.mark.django_db

OF_MATCH: list[tuple[type[Model], str]] = [
    *((Match, name) for name in ("flow", "asked", "rules", "undo_request", "altered", "extra")),
    *((Army, name) for name in ("extra", "hidden")),
    *((Entry, name) for name in ("lines", "after")),
]
OF_EVENT: list[tuple[type[Model], str]] = [
    (Event, "criteria"),
    (Player, "lists"),
    *((Pairing, name) for name in ("players", "results")),
    *((EventEntry, name) for name in ("lines", "after")),
]


@pytest.fixture
def auction() -> Match:
    """Two bids are sealed, one is missing; a correction has a reason, and somebody asks for an undo."""
    match = play.open_match("auction", "tracks", HOUSES, seed="a winter")
    tap(match, "stark", "bid:throne:3")
    tap(match, "lannister", "bid:throne:2")
    play.adjust(match.code, "stark", "army/stark", "power:stark:2", "key-adjust-01", note="counted again")
    undoing.ask(match.code, "stark", 2, "key-undo-0001")
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def event() -> Event:
    """An event whose first round is closed, and whose second one is open."""
    code = halls.opened(7, system="rps", mode="plain", seed="a winter")
    halls.play_round(code, halls.by_chance(3))
    commands.pair(code, halls.ANNA)
    commands.open_round(code, halls.ANNA)
    return Event.objects.get(code=code)


@pytest.fixture
def organiser() -> Phone:
    """The organiser at the admin."""
    phone = Phone()
    phone.force_login(get_user_model().objects.create_superuser("ada", password="x" * 12))
    return phone


def alter(row: Match | Event, model: type[Model], column: str, value: Any = 5) -> None:
    """Write a value into a column of every row of a match or an event, as who has the database can."""
    of = {"pk": row.pk} if isinstance(row, model) else {type(row).__name__.lower(): row}
    model._default_manager.filter(**of).update(**{column: Value(value, JSONField())})
    cache.clear()
    POSITIONS.clear()


def is_a_clear_answer(answer: Any) -> bool:
    """Whether something is shown, or refused with the one sentence about it."""
    return answer.status_code < 400 or (answer.status_code == 409 and SENTENCE in answer.content.decode())


API = ("/api/matches/{}", "/api/matches/{}/export")
PAGES = (*(f"/t/{{}}/{page}" for page in ("", "history", "verify", "watch")), *API)
PAGES_OF_EVENT = ("/e/{}/", "/e/{}/standings", "/e/{}/tv", "/api/events/{}")


@pytest.mark.parametrize(("model", "column"), OF_MATCH)
def test_a_table_is_shown_or_refused_in_a_sentence(
    auction: Match, organiser: Phone, model: type[Model], column: str
) -> None:
    guest, player = Phone(), twins.others_than("baratheon", auction)["stark"]
    alter(auction, model, column)
    assert is_altered(Match.objects.get(pk=auction.pk))
    answers = [phone.ask("GET", page.format(auction.code)) for page in PAGES for phone in (guest, player)]
    for name in ("change", "history", "delete"):
        answers.append(organiser.ask("GET", reverse(f"admin:games_match_{name}", args=[auction.pk])))
    assert [answer.content for answer in answers if not is_a_clear_answer(answer)] == []


@pytest.mark.parametrize(("model", "column"), OF_EVENT)
def test_an_event_is_shown_or_refused_in_a_sentence(
    event: Event, organiser: Phone, model: type[Model], column: str
) -> None:
    alter(event, model, column)
    assert is_altered(Event.objects.get(pk=event.pk))
    answers = [Phone().ask("GET", page.format(event.code)) for page in PAGES_OF_EVENT]
    for part in (Event, Player, Pairing):
        of = {"pk": event.pk} if part is Event else {"event": event}
        pk = part._default_manager.filter(**of).values_list("pk", flat=True)[0]
        page = reverse(f"admin:events_{part.__name__.lower()}_change", args=[pk])
        answers.append(organiser.ask("GET", page))
    assert [answer.content for answer in answers if not is_a_clear_answer(answer)] == []


OUTLETS = {
    "a page": (Match, "flow", "/t/{}/", {}),
    "a fragment": (Match, "flow", "/t/{}/board", {"HX_Request": "true"}),
    "an answer to a program": (Match, "flow", "/api/matches/{}", {}),
    "a page of an event": (Pairing, "results", "/e/{}/", {}),
    "an event's answer to a program": (Pairing, "results", "/api/events/{}", {}),
}


@pytest.mark.parametrize("where", OUTLETS)
def test_every_outlet_says_it_in_its_own_form(auction: Match, event: Event, where: str) -> None:
    model, column, page, headers = OUTLETS[where]
    row = auction if model is Match else event
    alter(row, model, column)
    answer = Phone().ask("GET", page.format(row.code), **headers)
    text = answer.content.decode()
    assert (answer.status_code, SENTENCE in text, "Traceback" in text) == (409, True, False)
    assert (answer["Content-Type"] == "application/json") == ("program" in where)
    assert not page.startswith("/api/") or json.loads(text)["error"] == "unreadable"
    assert ("<html" in text) == where.startswith("a page")


def test_a_tap_is_refused_and_nothing_is_changed(auction: Match) -> None:
    phone, before = twins.others_than("baratheon", auction)["lannister"], auction.entries.count()
    alter(auction, Army, "extra")
    sent = {"action": "pass", "seen": str(auction.version), "key": "key-altered-1"}
    answer = phone.ask("POST", f"/t/{auction.code}/act", sent)
    assert answer.status_code == 409
    assert SENTENCE in answer.content.decode()
    assert auction.entries.count() == before


def test_a_fault_of_ours_is_not_taken_for_somebodys_work(
    auction: Match, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise TypeError("a fault of ours")

    monkeypatch.setattr(core, "view", broken)
    monkeypatch.setattr(event_api, "public", broken)
    assert Phone().ask("GET", f"/t/{auction.code}/").status_code == 500
    assert Phone().ask("GET", f"/api/events/{event.code}").status_code == 500


def test_an_event_is_whole_without_a_table_that_was_deleted(event: Event) -> None:
    Match.objects.all().delete()
    assert not is_altered(Event.objects.get(pk=event.pk))
    Pairing.objects.filter(event=event).update(winner="p1")
    assert is_altered(Event.objects.get(pk=event.pk))


# --- among others --------------------------------------------------------------------------------------


def listed(auction: Match) -> Match:
    """Another table that is played, beside the altered one."""
    other = play.open_match("rps", "plain", {"red": "Ygritte", "blue": "Tormund"})
    Match.objects.update(is_listed=True, is_demo=False)
    alter(auction, Match, "flow")
    return other


def test_where_tables_are_listed_the_others_are_shown(auction: Match, organiser: Phone) -> None:
    other = listed(auction)
    for page in ("/", "/tv", f"/tv?tables={auction.code},{other.code}"):
        answer = organiser.ask("GET", page)
        assert (answer.status_code, "Ygritte" in answer.content.decode()) == (200, True), page
    for page in ("admin:games_match_changelist", "admin:games_entry_changelist"):
        shown = organiser.ask("GET", reverse(page)).content.decode()
        assert other.code in shown
        assert auction.code in shown
    event_tables = organiser.ask("GET", reverse("admin:games_match_changelist")).content.decode()
    assert event_tables.count(SENTENCE) == 1


def test_lists_of_events_show_the_others(event: Event, organiser: Phone) -> None:
    other = halls.begun(4)
    alter(event, Pairing, "results")
    alter(event, EventEntry, "lines")
    for model in (Pairing, EventEntry):
        page = reverse(f"admin:events_{model.__name__.lower()}_changelist")
        shown = organiser.ask("GET", page).content.decode()
        assert shown.count(SENTENCE) == model._default_manager.filter(event=event).count()
        assert Event.objects.get(code=other).name in shown
    assert event.code in organiser.ask("GET", reverse("admin:events_event_changelist")).content.decode()


@pytest.mark.parametrize("of", ["match", "event"])
def test_what_cannot_be_read_can_be_deleted(auction: Match, event: Event, organiser: Phone, of: str) -> None:
    row = auction if of == "match" else event
    alter(auction, Match, "flow")
    alter(event, Pairing, "players")
    page = reverse(f"admin:{row._meta.app_label}_{of}_delete", args=[row.pk])
    assert "Are you sure" in organiser.ask("GET", page).content.decode()
    assert organiser.ask("POST", page, {"post": "yes"}).status_code == 302
    assert not type(row)._default_manager.filter(pk=row.pk).exists()


def test_an_action_on_several_says_which_one_it_left_out(auction: Match, organiser: Phone) -> None:
    other = listed(auction)
    chosen = {"action": "time_out", "_selected_action": [auction.pk, other.pk]}
    page = reverse("admin:games_match_changelist")
    organiser.ask("POST", page, {**chosen, "decided": "1", "reason": "they went home"})
    assert f"{auction.code}: {SENTENCE}" in organiser.ask("GET", page).content.decode()
    assert Match.objects.get(pk=other.pk).result is not None


@pytest.mark.parametrize(("model", "column"), [(Match, "result"), (Army, "extra")])
def test_an_event_goes_on_without_a_table_that_was_altered(model: type[Model], column: str) -> None:
    code = halls.begun(4)
    first, second = (str(pairing.match) for pairing in halls.state(code).pairings.values())
    for match in (first, second):
        halls.end(match, 5, 2)
    alter(Match.objects.get(code=first), model, column)
    g = halls.state(code)
    for pairing in g.pairings.values():
        pairing.results, pairing.state = {}, "open"
    assert event_tables.results_of(g, [first, second]).keys() == {second}
    for page in ("", "standings", "tv", "round/1"):
        assert Phone().ask("GET", f"/e/{code}/{page}").status_code == 200


def test_a_webhook_hears_of_the_others(event: Event) -> None:
    webhook = Webhook.objects.create(address="https://example.org/hook")
    spoiled, whole = (
        played_on(play.open_match("rps", "plain", PLAYERS, seed=seed), 500) for seed in ("one", "other")
    )
    hall = halls.begun(4)
    for model in (Match, Event):
        model.objects.update(changed_at=timezone.now(), created_at=timezone.now())
    alter(spoiled, Army, "extra")
    alter(event, Pairing, "players")
    webhook_news.gather(webhook, timezone.now())
    told = set(Delivery.objects.values_list("code", flat=True))
    assert {whole.code, hall} <= told
    assert not {spoiled.code, event.code} & told


# --- commands ------------------------------------------------------------------------------------------


def failing(*words: str) -> tuple[str, str]:
    """What a failing command prints, and its errors, including its last sentence."""
    out, errors = StringIO(), StringIO()
    with pytest.raises(CommandError) as refused:
        call_command(*words, stdout=out, stderr=errors)
    return out.getvalue(), f"{errors.getvalue()}{refused.value}"


@pytest.mark.parametrize(("model", "column"), [(Match, "flow"), (Army, "extra"), (Entry, "after")])
def test_replay_names_what_is_wrong_and_checks_the_next(
    auction: Match, event: Event, model: type[Model], column: str
) -> None:
    other = play.open_match("rps", "plain", PLAYERS)
    alter(auction, model, column)
    alter(event, Pairing, "players")
    out, errors = failing("replay", "--all", "--check")
    assert errors.count(f"{auction.code}: what is stored of it cannot be read") == 1
    assert f"{event.code}: the log does not lead to the rows: pairing/1-1" in errors
    assert f"{other.code}: the rules of today say the same." in out


def test_a_file_of_everything_leaves_out_what_cannot_be_read(auction: Match, tmp_path: Path) -> None:
    alter(auction, Match, "flow")
    sentence = f"{auction.code}: what is stored of it cannot be read."
    assert failing("export", "--match", auction.code) == ("", sentence)
    other, path = play.open_match("rps", "plain", PLAYERS), tmp_path / "everything.jsonl"
    _out, errors = failing("export", str(path))
    assert errors == f"{sentence}\n1 matches and events were left out."
    assert json.loads(path.read_text().splitlines()[1])["match"]["code"] == other.code
