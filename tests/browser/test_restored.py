"""A backup is restored while people play: nobody is left with a board that no longer exists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from config.data import backups
from games.live.hub import hub
from tests.browser.driving import SET_UP, Screen, do, opened, until

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own for what the server is told; afterwards the shared server has heard nothing new."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.setattr(hub, "marker", hub.marker)


def test_a_phone_that_slept_sees_the_other_board_of_the_same_version(
    screen: Callable[..., Screen], tmp_path: Path
) -> None:
    match = opened(SET_UP)
    phone, watcher = screen().sit_down(match, "red"), screen().watch(match)
    saved = backups.save(tmp_path)
    later = do(match, "red activate:crannogman-trackers")
    for each in (phone, watcher):
        each.reaches(later)
        each.page.context.set_offline(True)
    backups.load(saved)
    match.refresh_from_db()
    assert do(match, "red activate:eddards-honor-guard") == later
    for each in (phone, watcher):
        each.page.context.set_offline(False)
        each.page.wait_for_selector("#board[data-news*='Honor Guard']", state="attached")
        assert each.version == later


def test_phones_show_the_table_as_it_was_and_play_on(screen: Callable[..., Screen], tmp_path: Path) -> None:
    match = opened(SET_UP)
    phone, watcher = screen().sit_down(match, "red"), screen().watch(match)
    match.refresh_from_db()
    saved, before = backups.save(tmp_path), match.version
    later = do(match, "red activate:crannogman-trackers\nblue activate:gregor-clegane")
    for each in (phone, watcher):
        each.reaches(later)
    backups.load(saved)
    for each in (phone, watcher):
        until(lambda e=each: e.version == before, seconds=6)
    match.refresh_from_db()
    assert match.version == before
    version = do(match, "red activate:crannogman-trackers")
    for each in (phone, watcher):
        each.reaches(version)
