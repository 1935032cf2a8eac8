"""`manage.py serve --processes`: one port, several processes, on PostgreSQL only."""

from __future__ import annotations

import logging
import os
import signal
import time

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from config.server import starting
from config.server.starting import HUNG_SECONDS
from games.management.commands import serve as command
from tests.serving import Served
from tests.several.phones import table, within


@pytest.mark.skipif(connection.vendor == "postgresql", reason="there it is allowed")
def test_several_processes_on_sqlite_are_refused_in_a_sentence():
    with pytest.raises(CommandError, match="Several processes need PostgreSQL"):
        call_command("serve", processes=2)


def test_none_is_too_few():
    with pytest.raises(CommandError, match="At least one process must serve"):
        call_command("serve", processes=0)


def test_the_log_says_where_it_is_served(monkeypatch, caplog):
    """Whoever looks into the log of a service that is up wants to see that it is."""
    served = []
    monkeypatch.setattr(command, "serve", lambda listening, processes: served.append(listening))
    monkeypatch.setattr(command.tidying, "tidy_daily", lambda: None)
    with caplog.at_level(logging.INFO):
        call_command("serve", port=0)
    (listening,) = served
    with listening:
        port = listening.getsockname()[1]
    assert [record.getMessage() for record in caplog.records if record.name == command.__name__] == [
        f"Roundtable {settings.VERSION} is served at 127.0.0.1, port {port}"
    ]


@pytest.mark.parametrize("stamp", [None, "of another version"])
def test_pages_without_their_styles_and_scripts_are_not_served(settings, tmp_path, monkeypatch, stamp):
    settings.STATIC_ROOT = tmp_path / "static"
    if stamp:
        settings.STATIC_ROOT.mkdir()
        (settings.STATIC_ROOT / starting.STAMP).write_text(stamp)
    monkeypatch.setattr(command, "serve", lambda *_asked: pytest.fail("served"))
    with pytest.raises(CommandError, match=f"static files in {tmp_path}.*`manage.py prepare`"):
        call_command("serve", port=0)


def serving() -> int:
    """How many processes have opened their connection for announcements."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(DISTINCT application_name) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN %'"
        )
        return cursor.fetchone()[0]


def children(of: int) -> list[int]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat, open(f"/proc/{name}/cmdline") as command:
                if int(stat.read().rpartition(")")[2].split()[1]) == of and "spawn_main" in command.read():
                    found.append(int(name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL lets several processes serve")
def test_three_processes_share_a_port_and_one_that_dies_is_replaced(transactional_db, listen):
    before, served = serving(), Served()
    try:
        served.start("--processes", "3")
        within(30, lambda: serving() == before + 3)
        match, players = table("tmg", "a-game-of-thrones")
        phones = [listen(served.port, match.code) for _phone in range(12)]
        within(10, lambda: all(phone.has(1) for phone in phones))
        body = {"path": "army/red", "action": "hand-bonus:red:1", "key": "a-key-of-mine"}
        assert players["red"].ask(served.port, "/adjust", body)[0] == 200
        within(20, lambda: all(phone.has(2) for phone in phones))

        first = children(served.process.pid)
        assert len(first) == 3
        # It is asked every half second whether it is well; here it dies with such a question unanswered.
        os.kill(first[0], signal.SIGSTOP)
        time.sleep(2)
        os.kill(first[0], signal.SIGKILL)
        within(
            HUNG_SECONDS / 3,
            lambda: len(children(served.process.pid)) == 3 and first[0] not in children(served.process.pid),
        )
        within(30, lambda: serving() == before + 3)
        assert players["blue"].ask(served.port)[0] == 200
        began = time.monotonic()
        served.stop()
        assert time.monotonic() - began < 15
        within(20, lambda: not any(os.path.exists(f"/proc/{child}") for child in first[1:]))
    finally:
        served.close()
