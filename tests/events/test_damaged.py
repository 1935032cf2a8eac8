"""An event whose stored JSON somebody has altered: whoever cannot show it says so, and all others go on."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import JSONField, Model, QuerySet, Value
from django.urls import reverse
from django.utils import timezone

from games.api.events import COMMANDS
from games.events import access, commands, helping, judging, reading, undoing
from games.events.damage import is_damaged
from games.events.kept import POSITIONS
from games.events.models import Event, EventEntry, Helper, Pairing, Player
from games.models import Match
from games.views.hall import region
from games.views.organiser import regions
from games.webhooks import gathering
from games.webhooks.models import FINISHED, Delivery, Knowledge, Webhook
from tests.events import halls
from tests.events.halls import ANNA
from tests.trust import cast
from tests.trust.cast import Phone

pytestmark = pytest.mark.django_db

ALTERED = "What is stored of this event was altered and cannot be read."
ROWS: tuple[type[Model], ...] = (Event, Player, Pairing, EventEntry)
COLUMNS = [(row, field.name) for row in ROWS for field in row._meta.fields if isinstance(field, JSONField)]
NAMES = [f"{row.__name__}-{name}" for row, name in COLUMNS]
SHAPES: tuple[Any, ...] = (5, [{}], {"p1": {"vp": "x"}})
"""What none of these columns holds for long."""


@pytest.fixture
def event() -> Event:
    """One round is closed, one is played; results are agreed, ruled, told by one side and contested."""
    code = halls.opened(7, system="rps", mode="plain", seed="a damage")
    commands.hand_in(code, ANNA, "p1", ["The list of player 1"])
    halls.play_round(code, halls.by_chance(3))
    commands.pair(code, ANNA)
    commands.open_round(code, ANNA)
    g = halls.state(code)
    one, other, last = (pairing for pairing in g.at(2) if not pairing.is_bye)
    commands.rule(code, ANNA, one.key, halls.scores(one, 3, 1), "somebody had to")
    commands.report(code, ANNA, other.key, other.players[0], halls.scores(other, 3, 1))
    judging.call_judge(code, ANNA, last.key, last.players[0], "who is first?")
    judging.announce(code, ANNA, "The kitchen closes at eight")
    judging.announce(code, ANNA, "never mind")
    undoing.undo(code, Event.objects.get(code=code).version, ANNA)
    return Event.objects.get(code=code)


def people(event: Event) -> dict[str, Phone]:
    """A guest, a player and an organiser with their phones, and the organiser of the admin."""
    found = {role: Phone() for role in ("guest", "player", "helper")}
    player = Player.objects.select_related("event").filter(event=event).first()
    assert player
    found["player"].ask("POST", reverse("event-me", args=[event.code, access.secret(player)]))
    found["helper"].ask("POST", reverse("helper-link", args=[event.code, access.secret(helper(event))]))
    return {**found, "organiser": signed_in()}


def signed_in() -> Phone:
    """The organiser at the admin."""
    phone = Phone()
    phone.force_login(get_user_model().objects.create_superuser("organiser", password="x" * 12))
    return phone


def helper(event: Event) -> Helper:
    """Somebody new who may do everything at an event."""
    made = helping.appoint(event.code, ANNA, "organiser", "Olga").made
    return Helper.objects.select_related("event").get(pk=made)


def rows_of(event: Event, row: type[Model]) -> QuerySet[Model]:
    """The rows of an event of this kind."""
    return row._default_manager.filter(**({"pk": event.pk} if row is Event else {"event": event}))


def damage(event: Event, row: type[Model], column: str, value: Any) -> None:
    """Write a value into a column of every row of an event, as somebody with the database may."""
    rows_of(event, row).update(**{column: Value(value, JSONField())})


PUBLIC = ("e/", "events", "api/events", "tv", "t/<code:code>/event")
"""Where the addresses begin at which a guest may see an event."""
AMONG_OTHERS = ("", "t/<code:code>/", "healthz", "admin/", "stats", "metrics")
OF_ROLES = {
    "guest": (PUBLIC, AMONG_OTHERS),
    "player": (("e/<code:code>/", "events"), ("", "t/<code:code>/")),
    "helper": (("e/<code:code>/",), ()),
    "organiser": (("admin/events", "admin/running", "e/<code:code>/organise"), AMONG_OTHERS),
}
"""Where the addresses begin, and which ones, that each role asks for."""


def everywhere(event: Event, role: str) -> list[str]:
    """Every address at which this role may be shown an event, for its first rows."""
    begins, whole = OF_ROLES[role]
    table = Pairing.objects.filter(event=event, round=2).exclude(match=None).first()
    assert table
    found = []
    for address in cast.addresses():
        if not (address.route.startswith(begins) or address.route in whole):
            continue
        row = next((row for row in ROWS if f"events_{row.__name__.lower()}_" in address.name), Event)
        code = table.match_id if address.route.startswith("t/") else event.code
        pk = str(rows_of(event, row).order_by("pk").values_list("pk", flat=True)[0])
        named = {"code": code, "player": "p1", "number": "2", "object_id": pk}
        for about, what in (("p1", "players"), (table.key, "pairings"), ("p1", "standings")):
            told = {**named, "about": about, "what": what}
            found.append(address.path(defaultdict(lambda: "1", told)))
    return list(dict.fromkeys(found))


def looked_at(event: Event, phones: dict[str, Phone], share: int) -> Iterator[tuple[str, Any]]:
    """What everybody gets from every address of this share."""
    looks = [(role, path) for role in phones for path in everywhere(event, role)]
    for role, path in looks[share :: cast.SHARES]:
        forget()
        yield f"{role} {path}", phones[role].ask("GET", path)


def forget() -> None:
    """What the process remembers of an event goes, as with a restart."""
    cache.clear()
    for kept in (POSITIONS, region.SHOWN, region.PLACES, regions.DRAWN):
        kept.clear()


@contextmanager
def altered(event: Event, row: type[Model], column: str, value: Any) -> Iterator[None]:
    """Within, an event is damaged."""
    with transaction.atomic():
        damage(event, row, column, value)
        yield
        transaction.set_rollback(True)
    forget()


@pytest.mark.parametrize(("row", "column"), COLUMNS, ids=NAMES)
def test_no_address_of_an_event_fails_whatever_was_altered(
    event: Event, row: type[Model], column: str
) -> None:
    phones, first = people(event), COLUMNS.index((row, column))
    for turn, value in enumerate(SHAPES):
        with altered(event, row, column, value):
            answers = list(looked_at(event, phones, (first + turn) % cast.SHARES))
        assert len(answers) > 150 / cast.SHARES
        assert [(where, value) for where, answer in answers if answer.status_code >= 500] == []
        refused = [(where, answer.content.decode()) for where, answer in answers if answer.status_code == 409]
        assert [(where, value) for where, text in refused if not tells_why(text)] == []


def test_an_event_that_is_deleted_meanwhile_was_not_altered(event: Event) -> None:
    Event.objects.filter(pk=event.pk).delete()
    with pytest.raises(Event.DoesNotExist):
        is_damaged(event)


def tells_why(text: str) -> bool:
    """Whether a refusal says that the event was altered, or that its player has no table."""
    return ALTERED in text or "You have no table in this round." in text


# --- what is done --------------------------------------------------------------------------------------


def attempts(event: Event) -> list[dict[str, Any]]:
    """Every command of the API with all that any of them needs."""
    pairing = Pairing.objects.filter(event=event, round=2).exclude(match=None).first()
    assert pairing
    told = {
        **{"player": "p1", "other": "p2", "pairing": pairing.key, "number": 2, "note": "so", "text": "Zoe"},
        **{"name": "Zoe", "mode": "plain", "lists": ["a list"], "groups": [["p1", "p2"]], "role": "judge"},
        **{"scores": {"p1": {"vp": 1}, "p2": {"vp": 2}}, "settings": {"length": 5}},
    }
    return [{**told, "action": action, "key": f"key-{action}-1"} for action in COMMANDS]


@pytest.mark.parametrize(("row", "column"), COLUMNS, ids=NAMES)
def test_no_command_fails_whatever_was_altered(event: Event, row: type[Model], column: str) -> None:
    robot = Phone()
    robot.token = access.secret(helper(event))
    address = reverse("api:hall-do", args=[event.code])
    failed = []
    for turn, told in enumerate(attempts(event), COLUMNS.index((row, column))):
        for value in SHAPES if cast.EVERY_PAIR else (SHAPES[turn % len(SHAPES)],):
            with altered(event, row, column, value):
                answer = robot.ask("POST", address, told)
            if answer.status_code >= 500 or not (answer.status_code == 200 or answer.json()["message"]):
                failed.append((told["action"], value))
    assert failed == []


# --- the organiser ----------------------------------------------------------------------------------------


SPOILED = {
    "its criteria": (Event, "criteria", 5),
    "its tables": (Pairing, "players", 5),
    "its history": (EventEntry, "lines", 5),
}


def table_of(event: Event) -> str:
    """The code of a table in play."""
    return str(Pairing.objects.filter(event=event, round=2).exclude(match=None).last().match_id)  # type: ignore[union-attr]


def admin_page(event: Event, what: str) -> str:
    return reverse(f"admin:events_event_{what}", args=[event.pk])


@pytest.mark.parametrize("how", SPOILED)
def test_an_event_that_was_altered_is_looked_at_and_deleted(event: Event, how: str) -> None:
    other, organiser = halls.opened(0), signed_in()
    damage(event, *SPOILED[how])
    for path in (reverse("admin:events_event_changelist"), admin_page(event, "change")):
        page = organiser.ask("GET", path).content.decode()
        assert event.code in page
    assert (ALTERED in page) == (how != "its tables")
    assert "Player 1" in page
    assert admin_page(event, "delete") in page
    assert "Are you sure" in organiser.ask("GET", admin_page(event, "delete")).content.decode()
    assert organiser.ask("POST", admin_page(event, "delete"), {"post": "yes"}).status_code == 302
    assert list(Event.objects.values_list("code", flat=True)) == [other]


LISTS = {"pairing": (Pairing, "results", 5), "evententry": (EventEntry, "lines", 5)}


@pytest.mark.parametrize("of", LISTS)
def test_a_list_of_the_admin_shows_the_rows_of_the_others(event: Event, of: str) -> None:
    other = halls.begun(4)
    damage(event, *LISTS[of])
    page = signed_in().ask("GET", reverse(f"admin:events_{of}_changelist")).content.decode()
    assert page.count(ALTERED) == LISTS[of][0]._default_manager.filter(event=event).count()
    assert {"pairing": "– : –", "evententry": "Round 1 is open"}[of] in page
    assert Event.objects.get(code=other).name in page


def test_the_api_calls_it_by_a_name_of_its_own(event: Event) -> None:
    damage(event, Pairing, "results", 5)
    answer = Phone().ask("GET", f"/api/events/{event.code}")
    assert (answer.status_code, answer.json()["error"]) == (409, "damaged")
    assert answer.json()["message"].startswith(ALTERED)


def test_what_can_be_read_is_exported(event: Event) -> None:
    damage(event, EventEntry, "lines", 5)
    for what in ("players", "pairings", "standings"):
        answer = Phone().ask("GET", f"/api/events/{event.code}/tables/{what}")
        assert "Player 1" in answer.content.decode()
    assert Phone().ask("GET", f"/api/events/{event.code}").json()["players"][0]["name"] == "Player 1"


UNREADABLE = {
    "its players": (Player, "lists", 5),
    **SPOILED,
    "a value": (EventEntry, "after", {"player/p1/lists": 5}),
}


@pytest.mark.parametrize("how", UNREADABLE)
def test_no_file_is_made_that_nobody_could_read(event: Event, how: str, tmp_path: Path) -> None:
    other = halls.opened(0)
    damage(event, *UNREADABLE[how])
    path, out, errors = tmp_path / "everything.jsonl", StringIO(), StringIO()
    with pytest.raises(CommandError, match="1 matches and events were left out"):
        call_command("export_all", str(path), stdout=out, stderr=errors)
    assert errors.getvalue() == f"{event.code}: what is stored of it was altered and cannot be read.\n"
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["event"]["code"] for line in kept if "event" in line] == [other]


def test_a_webhook_is_told_of_the_others(event: Event) -> None:
    webhook = Webhook.objects.create(address="https://example.org/hook")
    other = halls.begun(4)
    Event.objects.update(created_at=timezone.now(), changed_at=timezone.now())
    damage(event, Pairing, "players", 5)
    gathering.gather(webhook, timezone.now())
    assert set(Delivery.objects.values_list("code", flat=True)) == {other}


KNOWN = (5, None, [], {}, {"points": 5}, {"rounds": 5, "results": 5}, {"finished": "x", "agreed": []})


@pytest.mark.parametrize("state", KNOWN, ids=str)
def test_whatever_a_webhook_knew_nothing_is_told_twice(event: Event, state: Any) -> None:
    webhook = Webhook.objects.create(address="https://example.org/hook")
    code = table_of(event)
    gathering.gather(webhook, timezone.now())
    assert set(Knowledge.objects.values_list("code", flat=True)) >= {event.code, code}
    Knowledge.objects.update(state=Value(state, JSONField()), version=0)
    Delivery.objects.all().delete()
    gathering.gather(webhook, timezone.now())
    assert not Delivery.objects.exists()
    halls.end(code, 5, 2)
    gathering.gather(webhook, timezone.now())
    assert FINISHED in Delivery.objects.values_list("kind", flat=True)


# --- what is no damage ------------------------------------------------------------------------------------


def test_a_fault_of_ours_is_not_taken_for_somebodys_work(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise TypeError("a fault of ours")

    monkeypatch.setattr(reading, "public", broken)
    assert Phone().ask("GET", f"/api/events/{event.code}").status_code == 500


def test_an_event_is_whole_without_a_table_that_was_deleted(event: Event) -> None:
    Match.objects.all().delete()
    assert not is_damaged(Event.objects.get(pk=event.pk))
    Pairing.objects.filter(event=event).update(winner="p1")
    assert is_damaged(event)


def test_a_table_that_was_altered_says_so_and_not_its_event(event: Event) -> None:
    code = table_of(event)
    Match.objects.filter(code=code).update(flow=5)
    assert "What is stored of this match" in Phone().ask("GET", f"/t/{code}/").content.decode()
