"""What every test needs: the tests' own games, a real server, real phones."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
import uvicorn
from django.db import OperationalError
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import translation

import tests.plug  # noqa: F401
from games.translation import leave_game
from games.web import limits

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENT = """try {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[data-fresh] { pointer-events: none; }");
  document.adoptedStyleSheets = [sheet];
} catch {}"""
"""A driver's thumb is too fast for buttons that rest; it waits while they cannot be touched."""


@pytest.fixture(autouse=True)
def _rested() -> None:
    """Every test begins with fresh limits, because all tests come from one address.

    What the database keeps of the limits goes with the test's other rows.
    """
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            limit.paid.clear()


@pytest.fixture(autouse=True)
def _in_the_base_language() -> Iterator[None]:
    """Every test leaves the base language behind: a request in another one would stay on its thread."""
    yield
    translation.deactivate()
    leave_game()


@pytest.fixture(scope="session", autouse=True)
def _patient_flush() -> Iterator[None]:
    """Empty the tables after a test even though a server still reads one and waits for the next."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def patiently(operations: BaseDatabaseOperations, statements: list[str]) -> None:
        for _attempt in range(5):
            try:
                return flush(operations, statements)
            except OperationalError as trouble:
                if "deadlock" not in str(trouble):
                    raise
        return flush(operations, statements)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", patiently)
        yield


class Server(NamedTuple):
    """A running server: `url` without a trailing slash."""

    url: str
    port: int


@pytest.fixture(scope="session")
def _server_thread(django_db_setup: None, django_db_blocker) -> Iterator[Server]:
    with django_db_blocker.unblock():
        started = serving()
        server = started.__enter__()
    yield server
    with django_db_blocker.unblock():
        started.__exit__(None, None, None)


@contextmanager
def serving() -> Iterator[Server]:
    """The real server in a thread of this process, on its database."""
    from config.asgi import application
    from config.server.starting import configuration

    # All phones of all tests have one address, and are busier than any hall: nobody waits for a share.
    application.turns.shares.spend = lambda _address, _seconds: None  # type: ignore[method-assign]
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configuration(application))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        assert time.monotonic() < deadline, "the server did not start in time"
        time.sleep(0.01)
    port = listening.getsockname()[1]
    yield Server(f"http://127.0.0.1:{port}", port)
    server.should_exit = True
    thread.join(timeout=10)
    assert not thread.is_alive(), "the server did not stop"


@pytest.fixture
def server(transactional_db: None, _server_thread: Server) -> Server:
    """The real server (uvicorn, the shell, its threads) on the tests' database file."""
    return _server_thread


def chromium() -> str | None:
    """Where Chromium is, preferably the one without windows: it needs a third of the processor time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """The system's Chromium. Without one the test is skipped, or fails where a browser is required."""
    path = chromium()
    if path is None:
        if os.environ.get("ROUNDTABLE_BROWSER") == "required":
            pytest.fail("no Chromium is installed, and ROUNDTABLE_BROWSER=required")
        pytest.skip("no Chromium is installed")
    from playwright.sync_api import sync_playwright

    # The sync driver runs a loop in this thread, so Django would take every query here for an async one.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def phone(browser, server: Server):  # type: ignore[no-untyped-def]
    """A maker of phones: each call is another device with its own cookies, a small screen and touch."""
    contexts = []

    def make(**options):  # type: ignore[no-untyped-def]
        settings = {
            "base_url": server.url,
            "viewport": {"width": 390, "height": 844},
            "has_touch": True,
            "locale": "en-GB",
            # A test that routes requests must see them all; tests of the worker ask for it.
            "service_workers": "block",
            # Fading colours keep a machine without a graphics card busy: a whole match is played with them.
            "reduced_motion": "reduce",
            **options,
        }
        context = browser.new_context(**settings)
        context.set_default_timeout(20_000)
        context.add_init_script(PATIENT)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(phone):  # type: ignore[no-untyped-def]
    """One phone."""
    return phone()
