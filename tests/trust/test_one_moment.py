"""A board is read as it was at one moment, whatever is saved meanwhile."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from games import verify
from games.core import RequestRefused
from games.hall import commands, event_actions
from games.hall import event_file as events
from games.hall.models import Event
from games.live import audiences as view
from games.live.audiences import draw_event
from games.live.hub import Audience
from games.management.commands import export
from games.match import match_file, play, storage
from games.models import Match, Seat
from games.people import seats
from games.web import clock
from games.web.database import one_moment
from games.webhooks import webhook_news
from games.webhooks.models import Webhook
from tests.hall.halls import ANNA, opened

WATCHER = Audience((), "en", "table")


def elsewhere(do):
    """Do something on another connection, as another phone's request does."""

    def work():
        try:
            do()
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.django_db(transaction=True)
def test_a_tap_between_two_queries_is_not_seen_in_half(monkeypatch):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Anna", "blue": "Bo"})
    tapping = []
    load = storage.load

    def rename():
        play.rename(match.code, "red", "Cleo")

    def interrupted(row):
        if tapping:
            return load(row)
        tapping.append(None)
        tapping[0] = elsewhere(rename)
        # Where readers do not block writers, the tap is done before the pieces are read.
        tapping[0].join(0.5)
        return load(row)

    monkeypatch.setattr(storage, "load", interrupted)
    version, shown = view.snapshot(match.code, WATCHER)
    tapping[0].join()
    assert version == 1
    assert "Anna" in shown
    assert "Cleo" not in shown
    monkeypatch.undo()
    version, shown = view.snapshot(match.code, WATCHER)
    assert version == 2
    assert "Cleo" in shown


def interrupt(monkeypatch, module, do, name="load"):
    """The next time a position is loaded, have somebody do something first, on another connection."""
    load, doing = getattr(module, name), []

    def interrupted(row):
        if not doing:
            doing.append(None)
            doing[0] = elsewhere(do)
            doing[0].join(0.2)
        return load(row)

    monkeypatch.setattr(module, name, interrupted)
    return doing


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("reader", ["everything", "red"])
def test_an_export_fits_together_although_somebody_taps_meanwhile(monkeypatch, reader):
    """Otherwise nobody could import it, and the verifier would call it changed."""
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    tapping = interrupt(monkeypatch, storage, lambda: play.rename(match.code, "red", "Cleo"))
    if reader == "everything":
        file = match_file.whole(match, with_secrets=True)
    else:
        file = match_file.own_view(match, reader)
    tapping[0].join()
    assert list(verify.faults(json.loads(json.dumps(file)))) == []
    assert file["version"] == 1
    match.refresh_from_db()
    assert (match.version, match_file.own_view(match, None)["version"]) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_an_event_fits_together_although_somebody_is_entered_meanwhile(monkeypatch):
    code = opened(2)
    entering = interrupt(
        monkeypatch, event_actions, lambda: commands.register(code, ANNA, "Cleo"), "load_rows"
    )
    told = json.loads(json.dumps(events.export_event(event_actions.event_of(code))))
    entering[0].join()
    Event.objects.all().delete()
    assert events.import_event(told, draw_event) is False
    assert len(told["position"]["players"]) == 2


@pytest.mark.django_db(transaction=True)
def test_everything_is_exported_as_each_is_when_its_turn_comes():
    """The server goes on during an export, which may take minutes: nothing is read in advance."""
    matches = [play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"}) for _match in range(3)]
    lines = export.lines(pytest.fail)
    assert "format" in next(lines)
    assert next(lines)["match"]["code"] == matches[0].code
    # Nobody waits for the export either.
    for do in (lambda: play.rename(matches[1].code, "red", "Cleo"), matches[2].delete):
        tapping = elsewhere(do)
        tapping.join(2)
        assert not tapping.is_alive()
    (left,) = lines
    assert (left["match"]["code"], left["match"]["version"]) == (matches[1].code, 2)


@pytest.mark.django_db(transaction=True)
def test_who_reads_does_not_keep_others_from_writing_for_ever():
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    with one_moment():
        assert Match.objects.get(pk=match.pk).version == 1
        writing = elsewhere(lambda: play.rename(match.code, "red", "Cleo"))
        writing.join(0.3)
        assert Match.objects.get(pk=match.pk).version == 1
    writing.join(5)
    assert not writing.is_alive()
    assert Match.objects.get(pk=match.pk).version == 2
    with transaction.atomic():
        # Anything that writes afterwards takes the lock at once, as before.
        assert getattr(connection, "transaction_mode", "IMMEDIATE") == "IMMEDIATE"


@pytest.mark.django_db
def test_what_is_deleted_before_its_turn_is_left_out_or_told():
    gone, kept = (play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"}) for _table in range(2))
    event = Event.objects.get(code=opened(2))
    lines = export.lines(pytest.fail)
    next(lines)
    Match.objects.filter(pk=gone.pk).delete()
    assert next(lines)["match"]["code"] == kept.code
    Event.objects.filter(pk=event.pk).delete()
    assert not any("event" in line for line in lines)
    for ask in (
        lambda: match_file.whole(gone),
        lambda: match_file.export(gone, None),
        lambda: events.export_event(event),
    ):
        with pytest.raises(RequestRefused, match="There is no") as refused:
            ask()
        assert refused.value.status == 404


@contextmanager
def interrupted_at(table, do):
    """Before the first query on a database table, do something, as another phone would."""
    doing = []

    def ask(execute, sql, *rest):
        if not doing and f'FROM "{table}"' in sql:
            doing.append(elsewhere(do))
            doing[0].join(0.2)
        return execute(sql, *rest)

    with connection.execute_wrapper(ask):
        yield
    doing[0].join()


def told(webhook):
    """What a webhook sends after one look."""
    webhook.refresh_from_db()
    webhook_news.gather(webhook, clock.now())
    return [json.loads(body) for body in webhook.deliveries.order_by("pk").values_list("body", flat=True)]


@pytest.mark.django_db(transaction=True)
def test_a_webhook_is_told_of_a_round_with_its_pairings():
    """Even though the round is drawn up and opened while what is to be sent is being read."""
    code = opened(5, mode="manual-scoring")
    webhook = Webhook.objects.create(address="https://example.org/", event=Event.objects.get(code=code))
    assert told(webhook) == []

    def open_round():
        commands.pair(code, ANNA)
        commands.open_round(code, ANNA)

    commands.drop(code, ANNA, "p5")  # Otherwise there is nothing to look at.
    with interrupted_at("events_round", open_round):
        assert told(webhook) == []
    (news,) = told(webhook)
    assert [len(one["players"]) for one in news["data"]["round"]["pairings"]] == [2, 2]


@pytest.mark.django_db(transaction=True)
def test_a_webhook_is_told_of_a_table_as_it_was_at_one_moment(monkeypatch):
    webhook = Webhook.objects.create(address="https://example.org/")
    match = play.open_match("tmg", "manual-scoring", {"red": "Anna", "blue": "Bo"})

    def score():
        play.edit(match.code, lambda g: g.score("red", 1, "points"), "Anna", "as played")

    score()
    scoring = interrupt(monkeypatch, storage, score)
    (news,) = told(webhook)
    scoring[0].join()
    result = news["data"]["result"]
    assert (result["history"]["entries"], [side["points"] for side in result["sides"]]) == (2, [1, 0])


@pytest.mark.django_db(transaction=True)
def test_a_program_reads_the_history_of_an_event_with_the_version_that_it_ends_with(client):
    code = opened(2)
    with interrupted_at("events_evententry", lambda: commands.register(code, ANNA, "Cleo")):
        told = client.get(f"/api/events/{code}/history").json()
    assert told["entries"][-1]["version"] == told["version"]


@contextmanager
def interrupted_after(table, do):
    """After the first query on a database table, do something, as another phone would."""
    doing = []

    def ask(execute, sql, *rest):
        answer = execute(sql, *rest)
        if not doing and f'FROM "{table}"' in sql:
            doing.append(elsewhere(do))
            doing[0].join(0.3)
        return answer

    with connection.execute_wrapper(ask):
        yield
    doing[0].join()


@pytest.mark.django_db(transaction=True)
def test_nobody_is_accused_because_somebody_taps_while_the_history_is_checked(client):
    match = play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"})
    with interrupted_after("games_entry", lambda: play.rename(match.code, "red", "Cleo")):
        page = client.get(f"/t/{match.code}/verify").content.decode()
    assert "The history was changed" not in page


DIFFERS = re.compile(rb'value="[\w-]{16,64}"|\d\d:\d\d')
"""The keys of forms and the time of day, which differ from one look to the next."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "page",
    ["replay/3", "score", "print", "score.png", "piece/army/red", "adjustments?path=army/red"],
)
def test_a_page_is_from_before_or_after_what_somebody_does_meanwhile(client, page):
    match = play.open_match("tmg", "manual-scoring", {"red": "Anna", "blue": "Bo"})
    seat = Seat.objects.select_related("match").get(match=match, key="red")
    client.post(f"/t/{match.code}/claim/red/{seats.link_secret(seat)}")

    def score(g):
        g.armies["red"].name += "a"
        g.score("red", 1, "points")
        g.round += 1

    def fetched():
        storage.COMMITS.clear()
        at = "/api/matches" if page.startswith("adjustments") else "/t"
        answer = client.get(
            f"{at}/{match.code}/{page}", headers={"Authorization": f"Bearer {seats.api_token(seat)}"}
        )
        assert answer.status_code == 200
        return DIFFERS.sub(b"", answer.content)

    for _time in range(3):
        play.edit(match.code, score, "Anna", "as played")
    before = fetched()
    with interrupted_after("games_army", lambda: play.edit(match.code, score, "Anna", "as played")):
        meanwhile = fetched()
    assert meanwhile in (before, fetched())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("do", [lambda match: play.rename(match.code, "red", "Cleo"), Match.delete])
@pytest.mark.parametrize("read_first", ["games_match", "games_entry", "games_army"])
def test_matches_are_checked_although_somebody_taps_meanwhile(do, read_first, capsys):
    """Or deletes one. Each is checked as it is when its turn comes."""
    matches = [play.open_match("rps", "plain", {"red": "Anna", "blue": "Bo"}) for _match in range(2)]
    with interrupted_after(read_first, lambda: do(matches[1])):
        call_command("replay", "--all", "--check")
    with interrupted_after(read_first, lambda: do(matches[0])):
        call_command("replay", "--all", "--check")
    assert capsys.readouterr().err == ""
