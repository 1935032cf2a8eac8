"""Firefox and WebKit for the tests, each started once.

WebKitGTK crashes now and then on a busy machine, whatever it shows. That says nothing about a page, so the
test is run once more, with a new browser. A page that really crashes it does so again, and fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from _pytest.runner import runtestprotocol

from tests.browser.engines.driver import LOST, Browser, Firefox, WebKit
from tests.conftest import Server


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Function, nextitem: pytest.Item | None) -> bool:
    """Run a test, and once more if its browser has crashed."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.failed and LOST in report.longreprtext for report in reports):
        item._initrequest()
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _started(kind: type[Browser], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The system's own. Without one the test is skipped, or fails where browsers are required."""
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
    """A device that has never been here, and that leaves no stream open."""
    if browser.is_lost:
        browser.start_whole()
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
