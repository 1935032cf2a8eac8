"""Listens to a signal while a test runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.dispatch import Signal


@contextmanager
def heard(signal: Signal, *names: str) -> Iterator[list[tuple[object, ...]]]:
    """What the signal says of these names, each time that it is sent inside the block."""
    told: list[tuple[object, ...]] = []

    def note(**said: object) -> None:
        told.append(tuple(said[name] for name in names))

    signal.connect(note)
    try:
        yield told
    finally:
        signal.disconnect(note)
