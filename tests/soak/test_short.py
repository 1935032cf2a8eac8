"""Every experiment, briefly: nothing is wrong, and what is broken on purpose is caught."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.soak.experiments import ALL


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in ALL.items() if one.short])
def test_nothing_is_lost(name: str, transactional_db: None) -> None:
    one = ALL[name]
    if one.why_not:
        pytest.skip(one.why_not)
    if one.is_control and connection.vendor != "sqlite":
        pytest.skip("that it is caught is shown on SQLite")
    report = one.run(one.short)
    print(f"\n{name}: {report}")
    assert all(report.figures[what] for what in one.tried)
    if one.is_control:
        assert report.wrong
    else:
        assert report.wrong == []
