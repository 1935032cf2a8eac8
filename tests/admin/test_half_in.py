"""Who gave the password and no code yet: for how long that counts, and for whom."""

from __future__ import annotations

from types import SimpleNamespace

from games.people import sessions
from tests.admin.test_second_factor import (  # noqa: F401
    PAGE,
    clock,
    code_of,
    half_in,
    is_in,
    phone,
    tell,
)


def test_a_password_of_this_morning_is_no_half_of_a_log_in(phone, clock, monkeypatch):  # noqa: F811
    """A laptop that stood open half in: the code alone, or the phone alone, lets nobody in."""
    client = half_in()
    later = sessions.clock.seconds() + sessions.AWAY_SECONDS + 1
    monkeypatch.setattr(sessions, "clock", SimpleNamespace(seconds=lambda: later))
    assert client.get(PAGE)["Location"].startswith("/admin/login/")
    assert tell(client, code_of(clock))["Location"].startswith("/admin/login/")
    assert not is_in(client)


def test_where_no_code_is_wanted_the_log_in_asks_for_none(phone, settings):  # noqa: F811
    settings.SECOND_FACTOR = False
    client = half_in()
    assert is_in(client)
    assert client.get("/admin/login/")["Location"] == "/admin/"
