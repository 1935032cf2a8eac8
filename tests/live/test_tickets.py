"""Tickets that are older than what a process knows."""

from __future__ import annotations

from types import SimpleNamespace

from games.live.hub import Hub, Ticket, read_stream_token, stream_token
from games.web import program
from tests.hubs import LIMITS, WATCHER, in_hub


def ticket(issued, **seats):
    return Ticket("M", tuple(seats.items()), "en", "table", "", "", program.restored(), issued)


def test_a_ticket_from_before_a_backup_was_restored_on_postgresql_opens_nothing(monkeypatch):
    """At a process that has not asked yet, the rows are looked at first, and then it knows."""
    monkeypatch.setattr(program, "connection", SimpleNamespace(vendor="postgresql"))
    monkeypatch.setattr(program, "_table", 41)
    hub = Hub(LIMITS)
    earlier = read_stream_token(stream_token("M", (("red", 2),), WATCHER))
    for table, is_refused in ((41, False), (0, False), (42, True)):
        monkeypatch.setattr(program, "_table", table)
        assert hub.is_refused(earlier) == is_refused


def test_beside_other_processes_the_rows_say_whether_an_earlier_seat_is_still_held():
    async def scene(hub):
        earlier = ticket(hub.started - 1, red=1)
        assert hub.is_refused(earlier)
        hub.bus = SimpleNamespace()
        assert not hub.is_refused(earlier)
        hub.bus = None

    in_hub(scene)


def test_a_page_of_another_version_of_the_program_has_to_ask_again(monkeypatch):
    """Its scripts may not understand what today's streams say; asking leads to pages that do."""
    token = stream_token("M", (), WATCHER)
    assert read_stream_token(token).match == "M"
    monkeypatch.setattr("games.live.hub.program", lambda: "another")
    assert read_stream_token(token) is None
