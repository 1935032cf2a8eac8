"""What all tests of the server share."""

from __future__ import annotations

import pytest

from config.server import shell


@pytest.fixture(autouse=True)
def _health_has_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is not unhealthy; the test of a slow database sets a shorter time itself."""
    monkeypatch.setattr(shell, "HEALTH_SECONDS", 60)
