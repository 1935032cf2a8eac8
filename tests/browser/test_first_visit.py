"""What a phone loads that comes to a table for the first time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bench.visits import MOST, REQUESTS, club, first_visit, midway

pytestmark = pytest.mark.browser


def test_a_first_visit_is_small(transactional_db: None, browser: Any, tmp_path: Path) -> None:
    matches = {way: midway(*way) for way in MOST}
    with club(tmp_path) as served:
        for way, most in MOST.items():
            sizes = first_visit(browser, served, matches[way])
            assert sum(sizes.values()) <= most, sizes
            assert len(sizes) <= REQUESTS, sizes
