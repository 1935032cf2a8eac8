"""What programs may know about a running server, in figures, and what the log says of slow answers."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from config.logs import JsonLine
from games.live.hub import Hub, hub
from games.match import play
from games.models import Match
from games.monitoring import answer_times, measures
from games.monitoring.answer_times import SLOW_SECONDS, SlowAnswers
from tests.hubs import WATCHER

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-for-a-program"


def numbers(text: str) -> dict[tuple[str, ...], float]:
    """Samples by name and labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def scrape(client, settings):
    """What a program reads when it shows its token."""
    settings.METRICS_TOKEN = TOKEN

    def read():
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith("text/plain; version=")
        return numbers(answer.content.decode())

    return read


@pytest.fixture
def match() -> Match:
    return play.open_match("rps", "plain", {"red": "Zebulon", "blue": "Bo"}, seed="winter")


def grown(before, after, *key):
    return after.get(key, 0) - before.get(key, 0)


def test_actions_are_counted_by_kind_and_outcome(scrape, match):
    before = scrape()
    key = play.new_key()
    play.tap(match.code, "red", "throw:rock", 1, key)
    play.tap(match.code, "red", "throw:rock", 1, key)
    with pytest.raises(play.RequestRefused):
        play.tap(match.code, "red", "throw:rock", 99, play.new_key())
    after = scrape()
    counted = {
        outcome: grown(before, after, "roundtable_actions_total", "tap", outcome)
        for outcome in ("done", "repeated", "stale")
    }
    assert counted == {"done": 1, "repeated": 1, "stale": 1}


def test_answers_are_counted_by_page_and_never_by_address(scrape, match, client):
    before = scrape()
    client.get(f"/t/{match.code}/")
    client.get("/t/NOSUCH/")
    client.generic("BREW", "/nowhere")
    after = scrape()
    assert grown(before, after, "roundtable_answer_seconds_count", "GET table", "2xx") == 1
    assert grown(before, after, "roundtable_answer_seconds_count", "GET table", "4xx") == 1
    assert grown(before, after, "roundtable_refusals_total", "404") == 2
    said = " ".join(str(key) for key in after)
    assert match.code not in said
    assert "Zebulon" not in said
    assert "BREW" not in said


def test_streams_are_counted_while_they_are_open(scrape):
    from games.live.hub import Listener

    own = Hub({"process": 9, "address": 9, "match": 9, "seat": 9})
    own.is_open = True
    own._refresh = lambda room: None  # type: ignore[method-assign]
    before = scrape()
    watching = Listener("M", WATCHER, None, (), "")
    own.join(watching)
    assert grown(before, scrape(), "roundtable_streams", "spectator") == 1
    own.leave(watching)
    assert grown(before, scrape(), "roundtable_streams", "spectator") == 0


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer wrong", TOKEN[:-1]])
def test_the_numbers_are_for_who_shows_the_token(client, settings, header):
    settings.METRICS_TOKEN = TOKEN
    refused = client.get("/metrics", headers={"Authorization": header} if header else {})
    assert refused.status_code == 403
    assert "These numbers are for the organiser of this server." in refused.content.decode()
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 403


def test_an_organiser_needs_no_token(admin_client):
    answer = admin_client.get("/metrics")
    assert answer.status_code == 200
    assert "roundtable_actions_total" in answer.content.decode()


def test_a_process_that_was_killed_carries_no_streams(tmp_path):
    """Several processes keep their figures in files; the library itself only notices clean exits."""
    counting = "; ".join(
        (
            "from games.monitoring import measures",
            "measures.STREAMS.labels('player').inc(3)",
            "measures.FRAMES.inc(2)",
            "import os; os.kill(os.getpid(), 9)",
        )
    )
    environment = {**os.environ, measures.FOLDER: str(tmp_path)}
    subprocess.run([sys.executable, "-c", counting], cwd=ROOT, env=environment, check=False)
    telling = "from games.monitoring import measures; print(measures.exposition().decode())"
    told = subprocess.run(
        [sys.executable, "-c", telling], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    found = numbers(told.stdout)
    assert found["roundtable_frames_total",] == 2
    assert ("roundtable_streams", "player") not in found


@pytest.mark.parametrize("why", [ProcessLookupError, PermissionError])
def test_a_process_whose_number_is_free_or_another_user_s_is_gone(tmp_path, monkeypatch, why):
    """The system reuses process numbers."""
    dead = []
    monkeypatch.setattr(measures, "mark_process_dead", dead.append)
    monkeypatch.setattr(measures, "os", SimpleNamespace(kill=Mock(side_effect=why)))
    (tmp_path / "gauge_livesum_123.db").touch()
    measures._forget_the_dead(tmp_path)
    assert dead == [123]


def test_a_slow_answer_says_why_in_one_line(client, match, caplog, monkeypatch):
    monkeypatch.setattr(answer_times, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(answer_times, "slow_answers", answers := SlowAnswers())
    original = play.match_of

    def drawn_for_a_minute(code):
        answer_times.spend(answer_times.DRAWING, time.perf_counter() - 60)
        return original(code)

    monkeypatch.setattr(play, "match_of", drawn_for_a_minute)
    with caplog.at_level(logging.WARNING, logger="roundtable.slow"):
        client.get(f"/t/{match.code}/", headers={"Accept-Language": "zh-CN"})
    (record,) = [one for one in caplog.records if one.name == "roundtable.slow"]
    said = json.loads(JsonLine().format(record))["message"]
    assert said.startswith("slow answer: GET table took ")
    assert "most of it drawing the board" in said
    assert match.code not in said
    assert (answers.count, answers.newest.page, answers.newest.part) == (1, "GET table", answer_times.DRAWING)


def test_only_slow_answers_that_are_not_meant_to_be_are_told(caplog, monkeypatch):
    monkeypatch.setattr(answer_times, "slow_answers", answers := SlowAnswers())

    def take(page: str, seconds: float) -> None:
        answer_times.tell(page, 200, time.perf_counter() - seconds, {})

    with caplog.at_level(logging.WARNING, logger="roundtable.slow"):
        take("POST admin:login", 2.0)
        take("GET home", SLOW_SECONDS - 0.1)
        assert (answers.count, answers.newest) == (0, None)
        take("GET home", SLOW_SECONDS)
        take("GET hall", 2.0)
    assert (answers.count, answers.newest.page, len(caplog.records)) == (2, "GET hall", 2)


@pytest.mark.parametrize(
    ("spent_on", "part"),
    [
        ({"thread": 0.6, "saving": 0.1}, "thread"),
        ({"saving": 0.5, "drawing": 0.4}, "saving"),
        ({"drawing": 0.3}, "elsewhere"),
    ],
)
def test_the_slowest_part_is_what_most_of_the_time_went_into(spent_on, part):
    answers = SlowAnswers()
    answers.note("GET home", 1.0, spent_on)
    assert answers.newest.part == part


def test_a_process_that_stops_is_no_longer_ready(client, monkeypatch):
    monkeypatch.setattr(hub, "started", 1)
    monkeypatch.setattr(hub, "is_open", True)
    assert client.get("/readyz").json()["status"] == "ok"
    monkeypatch.setattr(hub, "is_open", False)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "stopping")
    assert client.get("/healthz").status_code == 200


def test_a_form_of_thousands_of_fields_is_one_line_in_the_log(client: Client, monkeypatch, settings):
    console = next(one for one in logging.getLogger("django").handlers if one.name == "console")
    said = io.StringIO()
    monkeypatch.setattr(console, "stream", said)
    form = "a=&" * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)
    answer = client.post("/new", form, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert "TooManyFieldsSent" in said.getvalue()
    assert "Traceback" not in said.getvalue(), "whoever sends them could fill the disk"
