"""The short codes that people type: of tables, of events, and those that move a seat to another phone."""

from __future__ import annotations

import re
import secrets

from games.models import Match

CODE = re.compile(r"[A-Za-z0-9]{1,12}")
"""Anything else in an address need not be looked up in the database."""

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""31 letters and digits that are hard to misread."""


def random_code() -> str:
    """Six random letters or digits."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(6))


def fresh_code() -> str:
    """A code that no match has."""
    while True:
        code = random_code()
        if not Match.objects.filter(code=code).exists():
            return code
