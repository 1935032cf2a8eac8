"""Ends a command that cannot be carried out with one sentence that says what to do, not with a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

ADVICE = {
    "locked": "Stop the other program, then start again.",
    "full": "Make room on it, then start again.",
    "read-only": "Give the file and its folder to whoever starts the program.",
    "disk": "Look at the disk, or let ROUNDTABLE_DATA name a folder on another one.",
    "unreachable": "Is it there, and running? DATABASE_URL names it; else ROUNDTABLE_DATA names its folder.",
    "migrations": "Or is it the wrong database? DATABASE_URL or ROUNDTABLE_DATA names another one.",
    "damaged": "Move the file away and bring a backup back: `restore FILE`.",
}
"""What to do about it, by the word for what is wrong."""


def exit_status(command: Callable[[], None]) -> int:
    """Run a command: 0, or 1 after one sentence about a cause outside the program. Our own faults raise."""
    try:
        command()
    except ImproperlyConfigured as problem:
        return _refuse(f"Roundtable cannot start: {problem}")
    except DatabaseError as problem:
        if sentence := of_database(problem):
            return _refuse(sentence)
        raise
    except OSError as problem:
        if problem.filename is None:
            raise
        return _refuse(f"Roundtable cannot go on: {problem.filename}: {problem.strerror}.")
    return 0


def of_database(problem: DatabaseError) -> str:
    """What a database error means for the person who started the program; "" for a fault of ours."""
    from django.conf import settings

    from games.web import trouble

    wrong = trouble(problem)
    if wrong is None or wrong.word not in ADVICE:
        return ""
    kept = settings.DATABASES["default"]
    place = (
        kept["NAME"] if "sqlite" in kept["ENGINE"] else f"{kept['NAME']} on {kept['HOST'] or 'this machine'}"
    )
    reason = wrong.reason[0].upper() + wrong.reason[1:]
    return f"{reason}: {place} ({str(problem).strip().splitlines()[0]}). {ADVICE[wrong.word]}"


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def asks_for_help(arguments: list[str]) -> bool:
    """Whether the arguments behind the program's name ask for help, as no arguments do."""
    return arguments[:1] in ([], ["help"]) or not {"-h", "--help"}.isdisjoint(arguments)
