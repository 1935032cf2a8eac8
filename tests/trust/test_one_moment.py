"""A board is read as it was at one moment, whatever is saved meanwhile."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from games.live import view
from games.live.hub import Audience
from games.match import board, play
from games.models import Match
from games.web.database import one_moment

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
    load = board.load

    def rename():
        play.rename(match.code, "red", "Cleo")

    def interrupted(row):
        if tapping:
            return load(row)
        tapping.append(None)
        tapping[0] = elsewhere(rename)
        # Where readers do not wait for writers the tap is through before the pieces are read.
        tapping[0].join(0.5)
        return load(row)

    monkeypatch.setattr(board, "load", interrupted)
    version, shown = view.snapshot(match.code, WATCHER)
    tapping[0].join()
    assert version == 1
    assert "Anna" in shown
    assert "Cleo" not in shown
    monkeypatch.undo()
    version, shown = view.snapshot(match.code, WATCHER)
    assert version == 2
    assert "Cleo" in shown


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
        # Whoever writes afterwards takes the lock at once, as before.
        assert getattr(connection, "transaction_mode", "IMMEDIATE") == "IMMEDIATE"
