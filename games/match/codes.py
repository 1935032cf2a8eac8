"""The short codes that people type: of tables, of events, and those that move a seat to another phone."""

from __future__ import annotations

import re
import secrets

from games.models import Match

CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""Whatever else an address may hold, a database need not be asked for."""

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""31 letters and digits that are hard to misread."""


def random_code() -> str:
    """Six letters or digits by chance."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(6))


def fresh_code() -> str:
    """A code that no match has."""
    while True:
        code = random_code()
        if not Match.objects.filter(code=code).exists():
            return code
