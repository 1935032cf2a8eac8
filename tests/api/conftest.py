"""What the tests of the API share."""

import pytest

from games.web import limits
from tests.contract.conftest import pytest_generate_tests  # noqa: F401


@pytest.fixture
def quick(monkeypatch):
    """No limit on taps, for robots that play whole matches."""
    monkeypatch.setattr(limits.TAPS, "credit", 1e9)
    monkeypatch.setattr(limits.IMPORTS, "credit", 1e9)
