"""Tickets that are older than what a process knows."""

from __future__ import annotations

from types import SimpleNamespace

from games.live import tickets
from games.live.hub import Hub
from games.live.tickets import Ticket, read_stream_token, stream_token
from tests.hubs import LIMITS, WATCHER, in_hub


def ticket(issued, **seats):
    return Ticket("M", tuple(seats.items()), "en", "table", "", "", issued)


def test_a_ticket_from_before_a_backup_was_restored_opens_nothing_after_a_restart(monkeypatch):
    monkeypatch.setattr("games.live.hub.restored_at", lambda: 1_700_000_000_900_000_000)
    hub = Hub(LIMITS)
    assert hub.is_refused(ticket(1_699_999_999))
    assert not hub.is_refused(ticket(1_700_000_000))


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
    monkeypatch.setattr(tickets, "program", lambda: "another")
    assert read_stream_token(token) is None
