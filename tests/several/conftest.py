"""Two processes on one database."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from tests.serving import Served
from tests.several.phones import Listening


@pytest.fixture(scope="package")
def _pair(django_db_setup: None) -> Iterator[tuple[Served, Served]]:
    """Both end with this folder's tests: otherwise they would send the webhooks of later tests."""
    pair = (Served(), Served())
    yield pair
    for one in pair:
        one.close()


@pytest.fixture
def two(transactional_db: None, _pair: tuple[Served, Served]) -> tuple[Served, Served]:
    """Two servers on the tests' database, which must be PostgreSQL."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL lets several processes serve")
    for one in _pair:
        if one.process is None or one.process.poll() is not None:
            one.start()
    return _pair


@pytest.fixture
def listen() -> Iterator[Callable[..., Listening]]:
    """Phones that listen; they hang up afterwards."""
    opened: list[Listening] = []

    def begin(*arguments: object, **named: object) -> Listening:
        opened.append(Listening(*arguments, **named))  # type: ignore[arg-type]
        return opened[-1]

    yield begin
    for one in opened:
        one.close()
