"""Screens for the browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.web import limits
from tests.browser.driving import Screen
from tests.server.test_play_command import Laptop
from tests.serving import Served


@pytest.fixture(autouse=True)
def _tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    """These thumbs are faster than any human's: no limit stops them."""
    for limit in vars(limits).values():
        if isinstance(limit, limits.Limit):
            monkeypatch.setattr(limit, "credit", 1e9)


@pytest.fixture
def screen(phone) -> Callable[..., Screen]:  # type: ignore[no-untyped-def]
    """A maker of screens: phones unless another size is asked for."""
    return lambda **options: Screen(phone(**options))


@pytest.fixture
def served(transactional_db, browser) -> Iterator[Served]:  # type: ignore[no-untyped-def]
    """A server that a test may stop, freeze and kill."""
    own = Served().start()
    yield own
    own.close()


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Laptop]:
    """`play --https` as a separate process."""
    started = Laptop(tmp_path / "data", "--https", "--host", "127.0.0.1", "--port", "0")
    started.read_until("Fingerprint")
    yield started
    started.kill()
