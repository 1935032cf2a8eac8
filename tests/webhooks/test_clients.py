"""The small programs of the documentation do what it says of them, against the server that serves."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from games.models import Match
from games.people import seats
from games.webhooks import sending, webhook_news, worker
from games.webhooks.models import Delivery, Webhook
from tests.browser import driving
from tests.conftest import Server
from tests.serving import free_port

DOCS = (Path(django_settings.BASE_DIR) / "docs" / "clients.md").read_text("utf-8")
BOT, TAP = re.findall(r"```python\n(.*?)```", DOCS, re.S)


@pytest.fixture
def webhook(db: None, settings, unused: int) -> Webhook:
    settings.WEBHOOKS_LOCAL = True
    return Webhook.objects.create(address=f"http://127.0.0.1:{unused}/")


@pytest.fixture
def unused() -> int:
    return free_port()


@pytest.fixture
def bot(webhook: Webhook, unused: int, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    program = tmp_path / "bot.py"
    program.write_text(BOT, "utf-8")
    command = [sys.executable, str(program), webhook.secret, str(unused)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as running:
        while running.poll() is None:
            with socket.socket() as knocking:
                if knocking.connect_ex(("127.0.0.1", unused)) == 0:
                    break
        yield running
        running.kill()


def test_the_bot_says_the_score_and_believes_only_us(
    webhook: Webhook, bot: subprocess.Popen[str], unused: int
) -> None:
    match = driving.opened(driving.SET_UP + '\nred army/red points:red:3 "a card"')
    address = f"http://127.0.0.1:{unused}/"
    now = int(timezone.now().timestamp())
    forged = sending.send(address, "whsec_" + "A" * 44, "msg_1", now, '{"type": "forged"}')
    old = sending.send(address, webhook.secret, "msg_2", now - 4000, '{"type": "old"}')
    assert (forged.status, old.status) == (401, 401)
    assert worker.work()
    delivery = Delivery.objects.get()
    sending.send(address, webhook.secret, delivery.key, now, delivery.body)
    webhook_news.test_message(webhook, timezone.now())
    assert worker.work()
    assert bot.stdout is not None
    assert bot.stdout.readline() == f"score.changed {match.code}: Ada 3, Bo 0\n"
    assert bot.stdout.readline() == "webhook.test\n"
    assert list(Delivery.objects.values_list("status", flat=True)) == [204, 204]


def test_the_button_taps_for_its_seat(server: Server, tmp_path: Path) -> None:
    program = tmp_path / "tap.py"
    program.write_text(TAP, "utf-8")
    match = driving.opened()
    token = seats.api_token(match.seats.select_related("match").get(key="red"))

    def press(*said: str, token: str = token) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(program), f"{server.url}/api/matches/{match.code}", token, *said]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)

    assert "demo:stark" in press().stdout.split()
    assert press("demo:stark").stdout == "done\n"
    assert Match.objects.get(pk=match.pk).version == match.version + 1
    refused = press("no-such-thing")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.strip()
    assert press("demo:stark", token="nothing").returncode == 1


@pytest.mark.parametrize("program", [BOT, TAP])
def test_they_are_small_and_need_nothing(program: str) -> None:
    assert len(program.splitlines()) < 80
    names = re.findall(r"^(?:from (\w+)|import (.+))", program, re.M)
    imported = {name for pair in names for part in pair for name in part.replace(" ", "").split(",") if name}
    assert imported <= sys.stdlib_module_names
