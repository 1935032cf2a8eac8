"""Whoever looks on reads the printed numbers over the table, and may change nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.driving import SET_UP, Screen, opened

pytestmark = pytest.mark.browser


def test_the_numbers_open_over_the_table(screen: Callable[..., Screen]) -> None:
    match = opened(SET_UP)
    eye = screen().watch(match)
    eye.page.tap("#card-crannogman-trackers .pencil")
    eye.page.wait_for_selector("#sheet[open] .profile")
    assert "Crannogman Trackers" in eye.says("#sheet h2")
    assert eye.page.locator("#sheet :is(button, input, textarea)").count() == 0
    eye.page.tap("#sheet [data-close]")
    assert eye.page.locator("#sheet[open]").count() == 0
    assert eye.faults == []
