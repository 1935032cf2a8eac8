"""No request waits for what another one reads: each already has its own locks in the database."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from games.match import storage
from games.models import Match
from games.pages.table.loaded import Table


def test_a_table_that_is_slow_to_load_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that waited while reading held SQLite's lock, and after five seconds a tap heard "busy"."""
    go_on, begun = threading.Event(), threading.Event()
    slow, quick = Match(code="SLOW"), Match(code="QUICK")

    def loaded(match: Match) -> object:
        if match is slow:
            begun.set()
            assert go_on.wait(10)
        raise LookupError(match.code)

    monkeypatch.setattr(storage, "current", loaded)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(lambda: Table(slow).state)
        assert begun.wait(5)
        second = threads.submit(lambda: Table(quick).state)
        try:
            assert isinstance(second.exception(timeout=2), LookupError)
        finally:
            go_on.set()
        assert isinstance(first.exception(timeout=5), LookupError)
