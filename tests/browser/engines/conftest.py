"""Firefox and WebKit for the tests, each started once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.browser.engines.driver import Browser, Firefox, WebKit
from tests.conftest import Server


def _started(kind: type[Browser], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """As the system has it. Without it the test is skipped, or fails where browsers are required."""
    if not kind.is_here():
        if os.environ.get("ROUNDTABLE_BROWSER") == "required":
            pytest.fail(f"no {kind.name} is installed, and ROUNDTABLE_BROWSER=required")
        pytest.skip(f"no {kind.name} is installed")
    running = kind(tmp_path_factory.mktemp(kind.name))
    yield running
    running.close()


@pytest.fixture(scope="session")
def _firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    yield from _started(Firefox, tmp_path_factory)


@pytest.fixture(scope="session")
def _webkit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    yield from _started(WebKit, tmp_path_factory)


def _for_a_test(browser: Browser) -> Iterator[Browser]:
    """A device that has never been here, and holds no stream afterwards."""
    yield browser
    browser.ask("DeleteAllCookies")
    browser.goto("about:blank")


@pytest.fixture
def firefox(_firefox: Browser, server: Server) -> Iterator[Browser]:
    yield from _for_a_test(_firefox)


@pytest.fixture
def webkit(_webkit: Browser, server: Server) -> Iterator[Browser]:
    yield from _for_a_test(_webkit)


@pytest.fixture(params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest) -> Browser:
    """Each of the two in turn."""
    one: Browser = request.getfixturevalue(request.param)
    return one
