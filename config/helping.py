"""Whether a command line only asks what there is: that is told without a server's settings."""

from __future__ import annotations


def is_asked(arguments: list[str]) -> bool:
    """Whether the arguments behind the program's name ask for help, as no arguments do."""
    return arguments[:1] in ([], ["help"]) or not {"-h", "--help"}.isdisjoint(arguments)
