"""A receiver on this machine, which the tests' server may tell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOKS_LOCAL = True
    with receiving() as found:
        yield found
