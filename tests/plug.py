"""The tests' own tiny games, plugged in the way any game is: a folder on the path of the systems."""

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management.color import no_style
from django.db import connection
from django.template.backends.jinja2 import Template
from django.test import TransactionTestCase
from django.test.signals import template_rendered
from hypothesis import settings
from whitenoise.middleware import WhiteNoiseMiddleware

import games.systems
from games import discovery

games.systems.__path__.append(str(Path(__file__).parent / "systems"))
discovery.discover()

# The machines that run this are shared: a slow example is no fault.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")

_render = Template.render


def _told(template: Template, context: Any = None, request: Any = None) -> str:
    """Report a page's context to the test client, as templates in Django's own language do."""
    if not str(template.template.name).startswith("django/forms/"):  # A page has hundreds of controls.
        template_rendered.send(sender=Template, template=template.template, context=context or {})
    return str(_render(template, context, request))


Template.render = _told  # type: ignore[method-assign]


_find_files = WhiteNoiseMiddleware.add_files_from_finders
_files: dict[tuple[str, ...], dict[str, Any]] = {}


def _found_once(middleware: WhiteNoiseMiddleware) -> None:
    """Scan the static files once: otherwise every new test client would scan them all again."""
    places = (django_settings.STATIC_URL, *map(str, django_settings.STATICFILES_DIRS))
    if places not in _files:
        _find_files(middleware)
        _files[places] = dict(middleware.files)
    middleware.files.update(_files[places])


WhiteNoiseMiddleware.add_files_from_finders = _found_once


def _emptied(_case: TransactionTestCase) -> None:
    """Remove what a test committed; content types and permissions stay, since no test changes them.

    Django removes those too and creates them again: two dozen commits after each such test.
    """
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = sorted({*names} - {"django_content_type", "auth_permission"})
    connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables))


TransactionTestCase._fixture_teardown = _emptied


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", action="store_true", help="only tests that touch the database")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only browsers are asked for, read no file without them: collecting all takes each worker long."""
    if config.getoption("markexpr") != "browser" or not collection_path.name.startswith("test_"):
        return None
    return "mark.browser" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On another database, leave out tests that never query it: the rules alone are the same there."""
    if config.getoption("--database"):
        kept = [item for item in items if touches_the_database(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


def pytest_collection_finish() -> None:
    """Freeze what was imported and collected: it stays to the end, so the garbage collector can skip it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> object:
    """Every test runs in a wide frame.

    Python keeps frames in chunks of memory. When a loop's calls cross the end of a chunk, each call maps
    another one and each return gives it back: a sixth of the time of page tests. A frame wider than a chunk
    gets one with room for all the frames within it.
    """
    others = session.config.hook.pytest_runtestloop.get_hookimpls()
    done = [impl.plugin for impl in others if impl.hookwrapper or impl.wrapper]
    manager = session.config.pluginmanager
    loop = manager.subset_hook_caller("pytest_runtestloop", [sys.modules[__name__], *done])
    return _in_a_wide_frame(loop, session)


def _in_a_wide_frame(loop: Callable[..., object], session: pytest.Session) -> object:
    return loop(session=session)


_in_a_wide_frame.__code__ = _in_a_wide_frame.__code__.replace(co_stacksize=70_000)


def touches_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & {"db", "transactional_db"})
